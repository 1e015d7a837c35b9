#include "tests/support/view_model.h"

#include <algorithm>
#include <set>

namespace stridescope::test {

namespace {

using Maybe = ViewModel::Maybe;
using MaybeMany = ViewModel::MaybeMany;

/// The dim meant by `dim`, found by counting from either end.
std::optional<std::size_t> meant(std::int64_t dim, std::int64_t ndim) {
    for (std::int64_t d = 0; d < std::max<std::int64_t>(ndim, 1); ++d)
        if (dim == d || dim == d - std::max<std::int64_t>(ndim, 1)) return static_cast<std::size_t>(d);
    return std::nullopt;
}

/// Reads `from` at `source(coord)` for every coord of the new shape.
template <class Source>
ViewModel rebuilt(const ViewModel& from, const Sizes& shape, Source source) {
    ViewModel result;
    result.shape = shape;
    Sizes place;
    forEachCoord(shape, [&](const Sizes& coord) {
        source(coord, place);
        result.slotList.push_back(from.at(place));
    });
    return result;
}

/// Keeps the listed indices of one dim.
ViewModel picked(const ViewModel& from, std::size_t d, const Sizes& indices) {
    Sizes shape = from.shape;
    shape[d] = static_cast<std::int64_t>(indices.size());
    return rebuilt(from, shape, [&](const Sizes& coord, Sizes& place) {
        place = coord;
        place[d] = indices[static_cast<std::size_t>(coord[d])];
    });
}

/// New dim i is the old dim order[i].
ViewModel reordered(const ViewModel& from, const std::vector<std::size_t>& order) {
    Sizes shape;
    for (const auto d : order) shape.push_back(from.shape[d]);
    return rebuilt(from, shape, [&](const Sizes& coord, Sizes& place) {
        place.resize(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = coord[i];
    });
}

std::optional<std::vector<std::size_t>> allMeant(const Sizes& dims, std::int64_t ndim) {
    std::vector<std::size_t> result;
    for (const auto dim : dims) {
        const auto one = meant(dim, ndim);
        if (!one || std::find(result.begin(), result.end(), *one) != result.end()) return std::nullopt;
        result.push_back(*one);
    }
    return result;
}

} // namespace

ViewModel ViewModel::counting(const Sizes& shape) {
    ViewModel result;
    result.shape = shape;
    forEachCoord(shape, [&](const Sizes&) { result.slotList.push_back(static_cast<Slot>(result.slotList.size())); });
    return result;
}

Maybe ViewModel::strided(const Sizes& shape, const Sizes& stride, Slot offset, Slot storageNumel) {
    if (shape.size() != stride.size() || offset < 0) return std::nullopt;
    for (const auto size : shape)
        if (size < 0) return std::nullopt;
    ViewModel result;
    result.shape = shape;
    bool inside = true;
    forEachCoord(shape, [&](const Sizes& coord) {
        Slot slot = offset;
        for (std::size_t d = 0; d < coord.size(); ++d) slot += coord[d] * stride[d];
        inside = inside && slot >= 0 && slot < storageNumel;
        result.slotList.push_back(slot);
    });
    if (!inside) return std::nullopt;
    return result;
}

Slot ViewModel::at(const Sizes& coord) const {
    std::size_t position = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
        position = position * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(coord[d]);
    return slotList.at(position);
}

bool ViewModel::isConsecutive() const {
    for (std::size_t i = 1; i < slotList.size(); ++i)
        if (slotList[i] != slotList[i - 1] + 1) return false;
    return true;
}

bool ViewModel::repeats() const {
    const std::set<Slot> different(slotList.begin(), slotList.end());
    return different.size() != slotList.size();
}

Maybe ViewModel::select(std::int64_t dim, std::int64_t index) const {
    const auto d = meant(dim, this->dim());
    if (!d || shape.empty()) return std::nullopt;
    const auto size = shape[*d];
    if (index < -size || index >= size) return std::nullopt;
    Sizes remaining = shape;
    remaining.erase(remaining.begin() + static_cast<std::ptrdiff_t>(*d));
    return rebuilt(*this, remaining, [&](const Sizes& coord, Sizes& place) {
        place = coord;
        place.insert(place.begin() + static_cast<std::ptrdiff_t>(*d), index < 0 ? index + size : index);
    });
}

Maybe ViewModel::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
    const auto d = meant(dim, this->dim());
    if (!d || shape.empty()) return std::nullopt;
    const auto size = shape[*d];
    if (start < 0) start += size == 0 ? 1 : size;
    if (start < 0 || length < 0 || start + length > size) return std::nullopt;
    Sizes indices;
    for (std::int64_t i = 0; i < length; ++i) indices.push_back(start + i);
    return picked(*this, *d, indices);
}

Maybe ViewModel::slice(std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                       std::int64_t step) const {
    const auto d = meant(dim, this->dim());
    if (!d || shape.empty() || step < 1) return std::nullopt;
    const auto size = shape[*d];
    const auto bound = [&](std::optional<std::int64_t> given, std::int64_t otherwise) {
        if (!given) return otherwise;
        return *given < 0 ? *given + size : *given;
    };
    Sizes indices;
    const auto first = std::max<std::int64_t>(bound(start, 0), 0);
    for (auto i = first; i < size && i < bound(end, size); i += step) indices.push_back(i);
    return picked(*this, *d, indices);
}

Maybe ViewModel::diagonal(std::int64_t offset, std::int64_t dim1, std::int64_t dim2) const {
    const auto d1 = meant(dim1, dim());
    const auto d2 = meant(dim2, dim());
    if (!d1 || !d2 || *d1 == *d2) return std::nullopt;
    Sizes rows;
    Sizes columns;
    for (std::int64_t row = 0; row < shape[*d1]; ++row) {
        for (std::int64_t column = 0; column < shape[*d2]; ++column) {
            if (column - row != offset) continue;
            rows.push_back(row);
            columns.push_back(column);
        }
    }
    Sizes result;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (d != *d1 && d != *d2) result.push_back(shape[d]);
    result.push_back(static_cast<std::int64_t>(rows.size()));
    return rebuilt(*this, result, [&](const Sizes& coord, Sizes& place) {
        place.clear();
        std::size_t next = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const auto i = static_cast<std::size_t>(coord.back());
            place.push_back(d == *d1 ? rows[i] : d == *d2 ? columns[i] : coord[next]);
            if (d != *d1 && d != *d2) ++next;
        }
    });
}

Maybe ViewModel::unfold(std::int64_t dim, std::int64_t size, std::int64_t step) const {
    const auto d = meant(dim, this->dim());
    if (!d || step < 1 || size < 0) return std::nullopt;
    if (shape.empty()) {
        if (size > 1) return std::nullopt;
        ViewModel result = *this;
        result.shape = {size};
        if (size == 0) result.slotList.clear();
        return result;
    }
    if (size > shape[*d]) return std::nullopt;
    std::int64_t windows = 0;
    while (windows * step + size <= shape[*d]) ++windows;
    Sizes result = shape;
    result[*d] = windows;
    result.push_back(size);
    return rebuilt(*this, result, [&](const Sizes& coord, Sizes& place) {
        place = coord;
        place.pop_back();
        place[*d] = coord[*d] * step + coord.back();
    });
}

Maybe ViewModel::transpose(std::int64_t dim0, std::int64_t dim1) const {
    const auto a = meant(dim0, dim());
    const auto b = meant(dim1, dim());
    if (!a || !b) return std::nullopt;
    if (shape.empty()) return *this;
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < shape.size(); ++d) order.push_back(d == *a ? *b : d == *b ? *a : d);
    return reordered(*this, order);
}

Maybe ViewModel::t() const {
    if (shape.size() > 2) return std::nullopt;
    return shape.size() < 2 ? *this : transpose(0, 1);
}

Maybe ViewModel::permute(const Sizes& dims) const {
    if (dims.size() != shape.size()) return std::nullopt;
    const auto order = allMeant(dims, dim());
    if (!order) return std::nullopt;
    return reordered(*this, *order);
}

Maybe ViewModel::movedim(const Sizes& source, const Sizes& destination) const {
    const auto from = allMeant(source, dim());
    const auto to = allMeant(destination, dim());
    if (!from || !to || from->size() != to->size()) return std::nullopt;
    if (shape.empty()) return *this;
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (std::find(from->begin(), from->end(), d) == from->end()) order.push_back(d);
    // From the left, so that what is put in later does not push earlier ones away.
    for (std::size_t place = 0; place < shape.size(); ++place) {
        const auto hit = std::find(to->begin(), to->end(), place);
        if (hit == to->end()) continue;
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(place),
                     (*from)[static_cast<std::size_t>(hit - to->begin())]);
    }
    return reordered(*this, order);
}

Maybe ViewModel::unsqueeze(std::int64_t dim) const {
    const auto d = meant(dim, this->dim() + 1);
    if (!d) return std::nullopt;
    ViewModel result = *this;
    result.shape.insert(result.shape.begin() + static_cast<std::ptrdiff_t>(*d), 1);
    return result;
}

Maybe ViewModel::squeeze() const {
    ViewModel result = *this;
    std::erase(result.shape, 1);
    return result;
}

Maybe ViewModel::squeeze(std::int64_t dim) const {
    const auto d = meant(dim, this->dim());
    if (!d) return std::nullopt;
    ViewModel result = *this;
    if (!shape.empty() && shape[*d] == 1) result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(*d));
    return result;
}

Maybe ViewModel::expand(const Sizes& sizes) const {
    if (sizes.size() < shape.size()) return std::nullopt;
    const std::size_t added = sizes.size() - shape.size();
    Sizes result = sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (i < added) {
            if (sizes[i] < 0) return std::nullopt;
        } else if (sizes[i] == -1) {
            result[i] = shape[i - added];
        } else if (sizes[i] < 0 || (sizes[i] != shape[i - added] && shape[i - added] != 1)) {
            return std::nullopt;
        }
    }
    return rebuilt(*this, result, [&](const Sizes& coord, Sizes& place) {
        place.assign(coord.begin() + static_cast<std::ptrdiff_t>(added), coord.end());
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (shape[d] == 1) place[d] = 0;
    });
}

std::optional<Sizes> ViewModel::inferred(const Sizes& wanted) const {
    const auto product = [](const Sizes& sizes) {
        std::int64_t result = 1;
        for (const auto size : sizes) result *= size;
        return result;
    };
    const auto numel = static_cast<std::int64_t>(slotList.size());
    for (const auto size : wanted)
        if (size < -1) return std::nullopt;
    const auto unknown = std::count(wanted.begin(), wanted.end(), -1);
    if (unknown == 0) return product(wanted) == numel ? std::optional<Sizes>(wanted) : std::nullopt;
    if (unknown > 1) return std::nullopt;
    std::optional<Sizes> found;
    for (std::int64_t tried = 0; tried <= numel + 1; ++tried) {
        Sizes sizes = wanted;
        *std::find(sizes.begin(), sizes.end(), -1) = tried;
        if (product(sizes) != numel) continue;
        if (found) return std::nullopt; // two answers are none
        found = sizes;
    }
    return found;
}

bool ViewModel::isStrided(const Sizes& wanted) const {
    ViewModel renamed = *this;
    renamed.shape = wanted;
    if (slotList.empty()) return true;
    Sizes stride(wanted.size(), 0);
    for (std::size_t d = 0; d < wanted.size(); ++d) {
        if (wanted[d] < 2) continue;
        Sizes unit(wanted.size(), 0);
        unit[d] = 1;
        stride[d] = renamed.at(unit) - slotList.front();
    }
    bool all = true;
    std::size_t position = 0;
    forEachCoord(wanted, [&](const Sizes& coord) {
        Slot slot = slotList.front();
        for (std::size_t d = 0; d < coord.size(); ++d) slot += coord[d] * stride[d];
        all = all && slot == slotList[position++];
    });
    return all;
}

Maybe ViewModel::view(const Sizes& wanted) const {
    const auto shapeFound = inferred(wanted);
    if (!shapeFound || !isStrided(*shapeFound)) return std::nullopt;
    ViewModel result = *this;
    result.shape = *shapeFound;
    return result;
}

Maybe ViewModel::reshape(const Sizes& wanted) const {
    const auto shapeFound = inferred(wanted);
    if (!shapeFound) return std::nullopt;
    return isStrided(*shapeFound) ? view(*shapeFound) : counting(*shapeFound);
}

Maybe ViewModel::flatten(std::int64_t startDim, std::int64_t endDim) const {
    const auto start = meant(startDim, dim());
    const auto end = meant(endDim, dim());
    if (!start || !end || *start > *end) return std::nullopt;
    if (shape.empty()) return reshape({1});
    Sizes wanted;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (d > *start && d <= *end) {
            wanted.back() *= shape[d];
        } else {
            wanted.push_back(shape[d]);
        }
    }
    return reshape(wanted);
}

Maybe ViewModel::unflatten(std::int64_t dim, const Sizes& sizes) const {
    const auto d = meant(dim, this->dim());
    if (!d || sizes.empty() || shape.empty()) return std::nullopt;
    ViewModel oneDim;
    oneDim.shape = {shape[*d]};
    oneDim.slotList.assign(static_cast<std::size_t>(shape[*d]), 0);
    const auto parts = oneDim.inferred(sizes);
    if (!parts) return std::nullopt;
    Sizes wanted = shape;
    wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(*d));
    wanted.insert(wanted.begin() + static_cast<std::ptrdiff_t>(*d), parts->begin(), parts->end());
    return view(wanted);
}

MaybeMany ViewModel::split(std::int64_t size, std::int64_t dim) const {
    const auto d = meant(dim, this->dim());
    if (!d || shape.empty() || size < 0 || (size == 0 && shape[*d] != 0)) return std::nullopt;
    std::vector<ViewModel> pieces;
    std::int64_t start = 0;
    do {
        const auto length = std::min(size, shape[*d] - start);
        pieces.push_back(*narrow(dim, start, length));
        start += length;
    } while (start < shape[*d]);
    return pieces;
}

MaybeMany ViewModel::split(const Sizes& sizes, std::int64_t dim) const {
    const auto d = meant(dim, this->dim());
    if (!d || shape.empty()) return std::nullopt;
    std::vector<ViewModel> pieces;
    std::int64_t start = 0;
    for (const auto size : sizes) {
        const auto piece = narrow(dim, start, size);
        if (!piece) return std::nullopt;
        pieces.push_back(*piece);
        start += size;
    }
    if (start != shape[*d]) return std::nullopt;
    return pieces;
}

MaybeMany ViewModel::chunk(std::int64_t chunks, std::int64_t dim) const {
    const auto d = meant(dim, this->dim());
    if (!d || shape.empty() || chunks < 1) return std::nullopt;
    if (shape[*d] == 0) return split(Sizes(static_cast<std::size_t>(chunks), 0), dim);
    std::int64_t size = 1;
    while (size * chunks < shape[*d]) ++size;
    return split(size, dim);
}

MaybeMany ViewModel::unbind(std::int64_t dim) const {
    const auto d = meant(dim, this->dim());
    if (!d || shape.empty()) return std::nullopt;
    std::vector<ViewModel> pieces;
    for (std::int64_t i = 0; i < shape[*d]; ++i) pieces.push_back(*select(dim, i));
    return pieces;
}

} // namespace stridescope::test
