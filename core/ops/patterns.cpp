#include "core/ops/patterns.h"

#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <cstring>

namespace stridescope {

namespace {

using elementwise::requireDefined;
using observed::Inputs;

[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {}) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

[[noreturn]] void refuseDType(const char* kernel, DType dtype) {
    refuse("PATTERN-02",
           "\"" + std::string(kernel) + "\" not implemented for '" + std::string(scalarTypeName(dtype)) + "'",
           "Choose another dtype and convert the result.");
}

std::string listText(const Dims& dims) {
    return toListString(std::span<const Index>(dims));
}

std::string offsetText(Index k) {
    return k == 0 ? std::string() : std::to_string(k);
}

std::string optionsText(const TensorOptions& options) {
    std::string text;
    if (options.dtype) text += ", dtype=" + code::dtypeText(*options.dtype);
    if (!options.device.isCpu()) text += ", device='" + toString(options.device) + "'";
    return text;
}

template <class Make>
Tensor observedNew(const char* name, const Tensor& t, Make make, const std::string& arguments) {
    requireDefined(t, name);
    return observed::newTensors(
        name, [&] { return Inputs{&t}; }, make, [&] { return arguments; });
}

// --- Triangles ----------------------------------------------------------------------------------------------------

void requireMatrix(const Tensor& t) {
    if (t.numel() == 0) return; // as PyTorch: a vector of nothing passes
    for (const Index dim : {-2, -1}) {
        if (t.dim() == 0)
            throwRefusal({ErrorKind::Index, "VIEW-02", "Dimension specified as -2 but tensor has no dimensions",
                          "A matrix has two dims.", DimOutOfRange{-2, 0}});
        (void)wrapDim(dim, t.dim()).valueOrThrow();
    }
}

/// How many elements of row `row` lie at or left of diagonal k: 0 … columns.
Index leftOf(Index row, Index columns, Index k) {
    const WideIndex count = WideIndex{row} + k + 1;
    return clampToIndex(std::clamp<WideIndex>(count, 0, columns));
}

/// The sum of leftOf over all rows.
WideIndex countLeftOf(Index rows, Index columns, Index k) {
    // Row r has r + k + 1 of them, from the first row with one to the first with all.
    const WideIndex first = std::clamp<WideIndex>(-WideIndex{k}, 0, rows);
    const WideIndex full = std::clamp<WideIndex>(WideIndex{columns} - k - 1, first, rows);
    WideIndex some = 0;
    if (full > first) {
        // An arithmetic series; one of its two factors is halved first, so that nothing overflows.
        WideIndex terms = full - first, ends = (first + k + 1) + (full + k);
        (terms % 2 == 0 ? terms : ends) /= 2;
        some = terms * ends;
    }
    return some + (rows - full) * columns;
}

/// Calls `visit(first row, number of rows, elements at or left of the diagonal)`; rows that have all or none together.
template <class Visit>
void forRows(Index rows, Index columns, Index k, Visit visit) {
    for (Index row = 0; row < rows;) {
        const Index left = leftOf(row, columns, k);
        Index count = 1;
        if (left == columns)
            count = rows - row;
        else if (left == 0)
            count = clampToIndex(std::clamp<WideIndex>(-WideIndex{k} - row, 1, rows - row));
        visit(row, count, left);
        row += count;
    }
}

Tensor triangle(const Tensor& t, Index k, bool lower) {
    requireMatrix(t);
    const Tensor out = zeros(t.shape(), {t.dtype(), t.device()});
    if (out.numel() == 0) return out;
    const Index rows = t.size(-2), columns = t.size(-1);
    const bool plain = t.device().isCpu() && t.isContiguous(); // then a piece of a row is a run of bytes
    const auto item = static_cast<Index>(t.itemSize());
    forRows(rows, columns, lower ? k : k - (k == kIndexMin ? 0 : 1), [&](Index row, Index count, Index left) {
        const Index start = lower ? 0 : left, length = lower ? left : columns - left;
        if (length == 0) return;
        if (plain) {
            const std::byte* const from = t.storage()->data() + t.storageOffset() * item;
            for (Index matrix = 0; matrix < t.numel(); matrix += rows * columns)
                for (Index r = row; r < row + count; ++r) {
                    const Index at = (matrix + r * columns + start) * item;
                    std::memcpy(out.storage()->data() + at, from + at, static_cast<std::size_t>(length * item));
                }
            return;
        }
        const auto part = [&](const Tensor& x) { return narrow(narrow(x, -2, row, count), -1, start, length); };
        copy_(part(out), part(t));
    });
    return out;
}

void triangleInto(const Tensor& t, Index k, bool lower, const char* name) {
    requireMatrix(t);
    elementwise::requireWritable(t, name);
    elementwise::requireNoSelfOverlap(t, nullptr);
    if (t.numel() == 0) return;
    const Index columns = t.size(-1);
    forRows(t.size(-2), columns, lower ? k : k - (k == kIndexMin ? 0 : 1), [&](Index row, Index count, Index left) {
        const Index start = lower ? left : 0, length = lower ? columns - left : left;
        if (length != 0) fill_(narrow(narrow(t, -2, row, count), -1, start, length), Scalar(0));
    });
}

/// What triangleInto() sets to 0.
void markOutside(const Tensor& marks, Index k, bool lower) {
    const Tensor kept = full(marks.shape(), true, {DType::Bool, marks.device()});
    triangleInto(kept, k, lower, "tril_");
    copy_(marks, logicalNot(kept));
}

Tensor triangleIndices(const char* name, Index rows, Index columns, Index k, TensorOptions options, bool lower) {
    const DType dtype = options.dtype.value_or(DType::Int64);
    if (rows < 0) refuse("PATTERN-01", "row must be non-negative, got" + std::to_string(rows));
    if (columns < 0) refuse("PATTERN-01", "col must be non-negative, got" + std::to_string(columns));
    if (dtype != DType::Int64 && dtype != DType::Int32) refuseDType(name, dtype);
    return observed::newTensors(
        name, [] { return Inputs{}; },
        [&] {
            const Index diagonal = lower ? k : k - (k == kIndexMin ? 0 : 1);
            const WideIndex left = countLeftOf(rows, columns, diagonal);
            const WideIndex total = lower ? left : WideIndex{rows} * columns - left;
            Tensor out = empty({2, clampToIndex(total)}, {DType::Int64, Device{}});
            Index *row = out.data<Index>(), *column = row + out.size(1);
            if (total == 0) return to(out, options.device, dtype);
            forRows(rows, columns, diagonal, [&](Index first, Index count, Index end) {
                if (end == (lower ? 0 : columns)) return;
                for (Index r = first; r < first + count; ++r)
                    for (Index c = lower ? 0 : end; c < (lower ? end : columns); ++c) {
                        *row++ = r;
                        *column++ = c;
                    }
            });
            out.storage()->bumpVersion();
            return to(out, options.device, dtype);
        },
        [&] {
            std::string text = std::to_string(rows) + ", " + std::to_string(columns);
            if (k != 0) text += ", " + std::to_string(k);
            return text + (dtype == DType::Int64 ? std::string() : optionsText(options));
        });
}

// --- Diagonals ----------------------------------------------------------------------------------------------------

Index magnitudeOf(Index k) {
    return k == kIndexMin ? kIndexMax : k < 0 ? -k : k;
}

Index diagonalSize(Index n, Index k) {
    Index size = 0;
    return addFits(n, magnitudeOf(k), size) ? size : kIndexMax; // creation refuses it
}

Tensor diagOf(const Tensor& t, Index k) {
    if (t.dim() == 1) {
        const Index size = diagonalSize(t.size(0), k);
        const Tensor out = zeros({size, size}, {t.dtype(), t.device()});
        if (t.numel() != 0) copy_(diagonal(out, k), t);
        return out;
    }
    if (t.dim() != 2)
        refuse("PATTERN-03", "matrix or a vector expected", "It has " + std::to_string(t.dim()) + " dims.");
    const Tensor line = diagonal(t, k);
    const Tensor out = empty(line.shape(), {t.dtype(), t.device()});
    copy_(out, line);
    return out;
}

Tensor diagEmbedOf(const Tensor& t, Index offset, Index dim1, Index dim2) {
    const Index rank = t.dim() + 1;
    const Index a = wrapDim(dim1, rank).valueOrThrow(), b = wrapDim(dim2, rank).valueOrThrow();
    if (a == b)
        refuse("PATTERN-04",
               "diagonal dimensions cannot be identical " + std::to_string(dim1) + ", " + std::to_string(dim2),
               "The two new dims need two places.");
    if (t.dim() == 0)
        throwRefusal({ErrorKind::Index, "VIEW-02", "Dimension specified as -1 but tensor has no dimensions",
                      "unsqueeze(0) gives it one.", DimOutOfRange{-1, 0}});
    const Index size = diagonalSize(t.size(-1), offset);
    Dims shape = t.shape();
    shape.erase(shape.size() - 1);
    shape.insert(static_cast<std::size_t>(std::min(a, b)), size);
    shape.insert(static_cast<std::size_t>(std::max(a, b)), size);
    const Tensor out = zeros(shape, {t.dtype(), t.device()});
    if (t.numel() != 0) copy_(diagonal(out, offset, a, b), t);
    return out;
}

/// A last dim of `powers` powers of each element.
Tensor vanderOf(const Tensor& t, Index powers, bool increasing) {
    const DType dtype = isIntegral(t.dtype()) || t.dtype() == DType::Bool ? DType::Int64 : t.dtype();
    Dims shape = t.shape();
    shape.push_back(powers);
    const Tensor base = to(t, dtype), out = empty(shape, {dtype, t.device()});
    const auto column = [&](Index power) { return select(out, -1, increasing ? power : powers - 1 - power); };
    for (Index power = 0; power < powers; ++power) {
        if (power == 0)
            fill_(column(0), Scalar(1));
        else
            copy_(column(power), power == 1 ? base : mul(column(power - 1), base));
    }
    return out;
}

// --- Grids --------------------------------------------------------------------------------------------------------

std::vector<Tensor> gridOf(std::vector<Tensor> tensors, GridIndexing indexing) {
    const bool swaps = indexing == GridIndexing::Xy && tensors.size() >= 2;
    if (swaps) std::swap(tensors[0], tensors[1]);
    Dims shape;
    for (const Tensor& t : tensors) shape.push_back(t.numel());
    (void)contiguousView(shape).valueOrThrow(); // too many elements to count
    std::vector<Tensor> grids;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        Dims own(shape.size(), 1);
        own[i] = shape[i];
        grids.push_back(expand(view(tensors[i], own), shape));
    }
    if (swaps) std::swap(grids[0], grids[1]);
    return grids;
}

void requireVector(const Tensor& t, const char* name) {
    requireDefined(t, name);
    if (t.dim() != 1)
        refuse("PATTERN-06", "Expect a 1D vector, but got shape " + listText(t.shape()), "Use flatten().");
}

Inputs inputsOf(const std::vector<Tensor>& tensors) {
    Inputs inputs;
    for (const Tensor& t : tensors) inputs.push_back(&t);
    return inputs;
}

/// How many ways there are to take r of n things; kIndexMax where 64 bits cannot say.
Index countOfChoices(Index n, Index r, bool withReplacement) {
    if (r == 0) return 1;
    if (n == 0 || (!withReplacement && r > n)) return 0;
    // r of n + r - 1 things in order stand for r of n with repeats.
    WideIndex from = withReplacement ? WideIndex{n} + r - 1 : n, take = std::min<WideIndex>(r, from - r), count = 1;
    for (WideIndex i = 1; i <= take; ++i) {
        count = count * (from - take + i) / i; // a whole number at each step
        if (count > kIndexMax) return kIndexMax;
    }
    return clampToIndex(count);
}

/// Positions of every choice, one after the other, in a tensor on the CPU; {count * r}.
Tensor choices(Index n, Index r, bool withReplacement) {
    Index numbers = 0;
    const Index count = countOfChoices(n, r, withReplacement);
    const Tensor all = empty({mulFits(count, r, numbers) ? numbers : kIndexMax}, {DType::Int64, Device{}});
    if (count == 0) return all;
    std::vector<Index> current(static_cast<std::size_t>(r));
    for (Index i = 0; i < r; ++i) current[static_cast<std::size_t>(i)] = withReplacement ? 0 : i;
    const auto last = [&](Index i) { return withReplacement ? n - 1 : n - r + i; };
    for (Index* next = all.data<Index>();;) {
        next = std::copy(current.begin(), current.end(), next);
        Index i = r - 1;
        while (i >= 0 && current[static_cast<std::size_t>(i)] == last(i)) --i;
        if (i < 0) return all;
        ++current[static_cast<std::size_t>(i)];
        for (Index j = i + 1; j < r; ++j)
            current[static_cast<std::size_t>(j)] = current[static_cast<std::size_t>(j - 1)] + (withReplacement ? 0 : 1);
    }
}

} // namespace

// --- Matrices -----------------------------------------------------------------------------------------------------

Tensor eye(Index n, TensorOptions options) {
    return eye(n, n, options);
}

Tensor eye(Index n, Index m, TensorOptions options) {
    if (n < 0) refuse("PATTERN-01", "n must be greater or equal to 0, got " + std::to_string(n));
    if (m < 0) refuse("PATTERN-01", "m must be greater or equal to 0, got " + std::to_string(m));
    return observed::newTensors(
        "eye", [] { return Inputs{}; },
        [&] {
            const Tensor out = zeros({n, m}, options);
            if (out.numel() != 0) fill_(diagonal(out), Scalar(1));
            return out;
        },
        [&] { return std::to_string(n) + (m == n ? std::string() : ", " + std::to_string(m)) + optionsText(options); });
}

Tensor tril(const Tensor& t, Index k) {
    return observedNew(
        "tril", t, [&] { return triangle(t, k, true); }, offsetText(k));
}

Tensor triu(const Tensor& t, Index k) {
    return observedNew(
        "triu", t, [&] { return triangle(t, k, false); }, offsetText(k));
}

const Tensor& tril_(const Tensor& t, Index k) {
    requireDefined(t, "tril_");
    return observed::chosenInPlace(
        "tril_", t, [&] { return Inputs{&t}; }, [&] { triangleInto(t, k, true, "tril_"); },
        [&](const Tensor& marks) { markOutside(marks, k, true); }, [&] { return offsetText(k); });
}

const Tensor& triu_(const Tensor& t, Index k) {
    requireDefined(t, "triu_");
    return observed::chosenInPlace(
        "triu_", t, [&] { return Inputs{&t}; }, [&] { triangleInto(t, k, false, "triu_"); },
        [&](const Tensor& marks) { markOutside(marks, k, false); }, [&] { return offsetText(k); });
}

Tensor diag(const Tensor& t, Index k) {
    return observedNew(
        "diag", t, [&] { return diagOf(t, k); }, offsetText(k));
}

Tensor diagflat(const Tensor& t, Index k) {
    return observedNew(
        "diagflat", t, [&] { return diagOf(flatten(t), k); }, offsetText(k));
}

Tensor diagEmbed(const Tensor& t, Index offset, Index dim1, Index dim2) {
    const bool plain = dim1 == -2 && dim2 == -1;
    return observedNew(
        "diag_embed", t, [&] { return diagEmbedOf(t, offset, dim1, dim2); },
        plain ? offsetText(offset) : code::arguments(Dims{offset, dim1, dim2}));
}

Tensor trilIndices(Index rows, Index columns, Index k, TensorOptions options) {
    return triangleIndices("tril_indices", rows, columns, k, options, true);
}

Tensor triuIndices(Index rows, Index columns, Index k, TensorOptions options) {
    return triangleIndices("triu_indices", rows, columns, k, options, false);
}

Tensor vander(const Tensor& t, std::optional<Index> powers, bool increasing) {
    requireDefined(t, "vander");
    if (t.dim() != 1) refuse("PATTERN-06", "x must be a one-dimensional tensor.", "Use flatten().");
    if (powers && *powers < 0) refuse("PATTERN-07", "N must be non-negative.", "Got " + std::to_string(*powers) + ".");
    std::string text = powers ? "N=" + std::to_string(*powers) : std::string();
    if (increasing) text += text.empty() ? "increasing=True" : ", increasing=True";
    return observedNew(
        "vander", t, [&] { return vanderOf(t, powers.value_or(t.numel()), increasing); }, text);
}

Tensor linalgVander(const Tensor& t, std::optional<Index> powers) {
    requireDefined(t, "linalg.vander");
    if (t.dtype() == DType::Bool || t.dtype() == DType::Float16)
        refuse("PATTERN-09",
               "linalg.vander supports floating point, complex, and integer tensors, but got " +
                   std::string(scalarTypeName(t.dtype())),
               "Convert it first: x.float().");
    const Index count = powers.value_or(t.dim() == 0 ? 1 : t.size(-1));
    if (count <= 1) refuse("PATTERN-07", "N must be greater than 1.", "Got " + std::to_string(count) + ".");
    return observedNew(
        "linalg.vander", t, [&] { return vanderOf(t.dim() == 0 ? unsqueeze(t, 0) : t, count, true); },
        powers ? "N=" + std::to_string(*powers) : std::string());
}

// --- Grids and choices --------------------------------------------------------------------------------------------

std::vector<Tensor> meshgrid(const std::vector<Tensor>& tensors, GridIndexing indexing) {
    if (tensors.empty()) refuse("PATTERN-05", "meshgrid expects a non-empty TensorList", "Give at least one tensor.");
    for (const Tensor& t : tensors) {
        requireDefined(t, "meshgrid");
        if (t.dim() > 1)
            refuse("PATTERN-05",
                   "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: " + listText(t.shape()),
                   "Use flatten().");
        if (t.dtype() != tensors[0].dtype())
            refuse("PATTERN-05", "meshgrid expects all tensors to have the same dtype", "Convert one with to().");
        if (t.device() != tensors[0].device())
            refuse("PATTERN-05", "meshgrid expects all tensors to have the same device", "Move one with to().");
    }
    return observed::newTensors(
        "meshgrid", [&] { return inputsOf(tensors); }, [&] { return gridOf(tensors, indexing); },
        [&] { return std::string(indexing == GridIndexing::Xy ? "indexing='xy'" : "indexing='ij'"); });
}

Tensor cartesianProd(const std::vector<Tensor>& tensors) {
    if (tensors.empty()) refuse("PATTERN-05", "meshgrid expects a non-empty TensorList", "Give at least one tensor.");
    for (const Tensor& t : tensors) requireVector(t, "cartesian_prod");
    if (tensors.size() == 1) return tensors[0];
    return observed::newTensors(
        "cartesian_prod", [&] { return inputsOf(tensors); },
        [&] {
            std::vector<Tensor> columns;
            for (const Tensor& grid : meshgrid(tensors)) columns.push_back(flatten(grid));
            return stack(columns, 1);
        },
        [] { return std::string(); });
}

Tensor combinations(const Tensor& t, Index r, bool withReplacement) {
    requireVector(t, "combinations");
    if (r < 0) refuse("PATTERN-07", "Expect a non-negative number, but got " + std::to_string(r));
    std::string text = std::to_string(r);
    if (withReplacement) text += ", with_replacement=True";
    return observedNew(
        "combinations", t,
        [&] {
            if (r == 0) return empty({0}, {t.dtype(), t.device()});
            const Tensor places = choices(t.numel(), r, withReplacement);
            const Tensor chosen = indexSelect(t, 0, to(places, t.device()));
            return view(chosen, {places.numel() / r, r});
        },
        text);
}

} // namespace stridescope
