#include "core/ops/provenance_rules.h"
#include "core/view/inverse.h"

#include <algorithm>
#include <charconv>

namespace stridescope::provenance {

namespace {

std::optional<Index> integerIn(std::string_view text) {
    Index value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "[0, 1:3] = {1}" cut into "0, 1:3" and "{1}".
struct Assignment {
    std::string_view items, value;
};
std::optional<Assignment> assignmentIn(const OpRecord& record) {
    const std::string_view text = record.arguments;
    constexpr std::string_view kBetween = "] = ";
    const std::size_t end = text.find(kBetween);
    if (record.name != "setitem" || !text.starts_with('[') || end == std::string_view::npos) return std::nullopt;
    return Assignment{text.substr(1, end - 1), text.substr(end + kBetween.size())};
}

/// One slice, "1:5:2", of a dim of `size` elements with `stride`.
bool cut(const std::string& item, Index& size, Index& stride, Index& offset) {
    const std::size_t first = item.find(':'), second = item.find(':', first + 1);
    const bool hasStep = second != std::string::npos;
    const std::string texts[] = {item.substr(0, first),
                                 item.substr(first + 1, hasStep ? second - first - 1 : std::string::npos),
                                 hasStep ? item.substr(second + 1) : std::string()};
    std::optional<Index> numbers[3];
    for (int k = 0; k < 3; ++k) {
        numbers[k] = integerIn(texts[k]);
        if (!texts[k].empty() && !numbers[k]) return false;
    }
    const Index step = numbers[2].value_or(1);
    if (step < 1) return false;
    const auto bound = [size](std::optional<Index> given, Index otherwise) {
        const Index at = given.value_or(otherwise);
        return std::clamp(at < 0 ? at + size : at, Index{0}, size);
    };
    const Index start = bound(numbers[0], 0), end = std::max(start, bound(numbers[1], size));
    offset += start * stride;
    size = (end - start + step - 1) / step;
    stride *= step;
    return true;
}

} // namespace

std::optional<View> assignedPart(const OpRecord& record) {
    const auto assignment = assignmentIn(record);
    if (!assignment || record.outputs.empty()) return std::nullopt;
    std::vector<std::string> items = parts(assignment->items);
    if (assignment->items == "()") items.clear();
    const View& from = record.outputs[0].view;
    const auto used = static_cast<std::size_t>(std::count_if(
        items.begin(), items.end(), [](const std::string& item) { return item != "None" && item != "..."; }));
    if (used > from.shape.size()) return std::nullopt;
    View part;
    part.offset = from.offset;
    std::size_t d = 0;
    const auto keep = [&](std::size_t until) {
        for (; d < until; ++d) {
            part.shape.push_back(from.shape[d]);
            part.stride.push_back(from.stride[d]);
        }
    };
    for (const std::string& item : items) {
        if (item == "None") {
            part.shape.push_back(1);
            part.stride.push_back(0);
        } else if (item == "...") {
            keep(d + from.shape.size() - used);
        } else if (const auto number = integerIn(item)) {
            part.offset += (*number < 0 ? *number + from.shape[d] : *number) * from.stride[d];
            ++d;
        } else if (item.find(':') != std::string::npos) {
            Index size = from.shape[d], stride = from.stride[d];
            if (!cut(item, size, stride, part.offset)) return std::nullopt;
            part.shape.push_back(size);
            part.stride.push_back(stride);
            ++d;
        } else {
            return std::nullopt; // tensors and bools: values decide
        }
    }
    keep(from.shape.size());
    return part;
}

Answer assigned(const Asked& asked) {
    const auto part = assignedPart(asked.record);
    const auto assignment = assignmentIn(asked.record);
    if (!part || !assignment) return std::nullopt;
    if (assignment->value != "{1}") // a number, or several tensors
        return asked.inputs() == 1 ? Answer(Sources{SourceKind::Made, {}}) : std::nullopt;
    if (asked.inputs() != 2) return std::nullopt;
    const InverseHits hits = coordsAt(*part, asked.record.outputs[0].view.slot(asked.coord), 1);
    if (hits.coords.empty()) return std::nullopt;
    // Leading dims of size 1 of the value may be more than there are places.
    const Dims &place = hits.coords.front(), &shape = asked.input(1);
    Dims coord(shape.size(), 0);
    for (std::size_t k = 1; k <= shape.size(); ++k) {
        const Index size = shape[shape.size() - k];
        if (size == 1) continue;
        if (k > place.size() || size != part->shape[place.size() - k]) return std::nullopt;
        coord[shape.size() - k] = place[place.size() - k];
    }
    return Sources{SourceKind::Each, {single(1, coord)}};
}

namespace {

/// One thing between the brackets, as far as it has dims of the result: those of a tensor are of all tensors together.
struct ItemDims {
    enum class Kind : std::uint8_t { Kept, New, Tensor } kind = Kind::New;
    std::size_t dim = 0; ///< of the input
    Index start = 0, step = 1, size = 1;
};

/// Coords of the elements that several indices choose together, of one of them: dims of size 1 repeat.
Dims broadcastTo(const Dims& shape, const Dims& coord) {
    Dims own(shape.size(), 0);
    for (std::size_t k = 1; k <= shape.size() && k <= coord.size(); ++k)
        if (shape[shape.size() - k] != 1) own[shape.size() - k] = coord[coord.size() - k];
    return own;
}

} // namespace

Answer pickedItems(const Asked& asked) {
    const std::string_view text = asked.record.arguments;
    if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
    const std::vector<std::string> items = parts(text.substr(1, text.size() - 2));
    const Dims& shape = asked.input(0);
    const auto used = static_cast<std::size_t>(std::count_if(
        items.begin(), items.end(), [](const std::string& item) { return item != "None" && item != "..."; }));
    if (used > shape.size()) return std::nullopt;
    SourceBox box = whole(asked, 0);
    std::vector<ItemDims> found;
    std::vector<std::size_t> indices; // inputs
    std::size_t d = 0, rank = 0;      // of the indices together
    using Kind = ItemDims::Kind;
    const auto keep = [&](std::size_t until) {
        for (; d < until; ++d) found.push_back({Kind::Kept, d, 0, 1, shape[d]});
    };
    for (const std::string& item : items) {
        if (item == "None") {
            found.push_back({});
        } else if (item == "...") {
            keep(d + shape.size() - used);
        } else if (item.front() == '{') {
            const auto input = integerIn(std::string_view(item).substr(1, item.size() - 2));
            if (!input || *input < 1 || *input >= static_cast<Index>(asked.inputs())) return std::nullopt;
            indices.push_back(static_cast<std::size_t>(*input));
            if (asked.record.inputs[indices.back()].dtype == DType::Bool) return std::nullopt; // a mask has other dims
            rank = std::max(rank, asked.input(indices.back()).size());
            found.push_back({Kind::Tensor, d++, 0, 1, 1});
        } else if (const auto number = integerIn(item)) {
            box.start[d] = *number < 0 ? *number + shape[d] : *number;
            box.length[d++] = 1;
        } else if (item.find(':') != std::string::npos) {
            ItemDims kept{Kind::Kept, d, 0, 1, shape[d]};
            if (!cut(item, kept.size, kept.step, kept.start)) return std::nullopt;
            found.push_back(kept);
            ++d;
        } else {
            return std::nullopt;
        }
    }
    keep(shape.size());
    if (indices.empty()) return std::nullopt;
    // The dims of the indices stand where those are if they stand together, else in front.
    const auto isTensor = [](const ItemDims& each) { return each.kind == Kind::Tensor; };
    const auto first = std::find_if(found.begin(), found.end(), isTensor);
    const auto end = std::find_if_not(first, found.end(), isTensor);
    const bool together = std::none_of(end, found.end(), isTensor);
    const auto front = static_cast<std::size_t>(together ? first - found.begin() : 0);
    if (asked.coord.size() != found.size() - indices.size() + rank) return std::nullopt;
    Dims chosen;
    for (std::size_t k = 0; k < rank; ++k) chosen.push_back(asked.coord[front + k]);
    std::size_t at = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (at == front) at += rank;
        const ItemDims& each = found[k];
        if (each.kind == Kind::Tensor) continue;
        if (asked.shape[at] != each.size) return std::nullopt;
        if (each.kind == Kind::Kept) {
            box.start[each.dim] = each.start + each.step * asked.coord[at];
            box.length[each.dim] = 1;
        }
        ++at;
    }
    Sources sources{SourceKind::Chosen, {box}};
    for (const std::size_t input : indices)
        sources.boxes.push_back(single(input, broadcastTo(asked.input(input), chosen)));
    return sources;
}

} // namespace stridescope::provenance
