#pragma once
// Every view operation as a pure function: View in, View out, or the reason why not.
//
// Semantics, defaults and the kind of error are PyTorch 1.13's; strides and offsets of the results are equal to its.
// Dims may be negative (-dim() … dim()-1). Functions whose PyTorch namesake refuses negative strides refuse them too.
// Source: PyTorch documentation of torch.Tensor views; behaviour checked against the library.

#include "core/view/view.h"

#include <optional>
#include <vector>

namespace stridescope {

/// dim in [-ndim, ndim) -> [0, ndim). For ndim 0 the range is that of ndim 1, as in PyTorch.
Result<Index> wrapDim(Index dim, Index ndim);

// --- Part of a view -------------------------------------------------------------------------------------------
/// Index `index` of `dim`; the dim disappears. {.., n, ..} -> {.., ..}. Offset grows by index*stride.
Result<View> select(const View& v, Index dim, Index index);
/// Elements start … start+length-1 of `dim`. {.., n, ..} -> {.., length, ..}.
Result<View> narrow(const View& v, Index dim, Index start, Index length);
/// start:end:step of `dim` with Python's clamping; step must be > 0.
Result<View> slice(const View& v, Index dim, std::optional<Index> start, std::optional<Index> end, Index step = 1);
/// Diagonal of the plane (dim1, dim2), appended as the last dim.
Result<View> diagonal(const View& v, Index offset = 0, Index dim1 = 0, Index dim2 = 1);
/// Windows of `size` elements every `step` along `dim`; the windows become the last dim.
Result<View> unfold(const View& v, Index dim, Index size, Index step);

// --- Order of dims --------------------------------------------------------------------------------------------
Result<View> transpose(const View& v, Index dim0, Index dim1);
/// At most two dims.
Result<View> t(const View& v);
Result<View> permute(const View& v, std::span<const Index> dims);
Result<View> movedim(const View& v, std::span<const Index> source, std::span<const Index> destination);
/// NumPy's name for transpose; `swapdims` is the same.
Result<View> swapaxes(const View& v, Index axis0, Index axis1);

// --- Number of dims -------------------------------------------------------------------------------------------
Result<View> unsqueeze(const View& v, Index dim);
/// Drops every dim of size 1.
Result<View> squeeze(const View& v);
/// Drops `dim` if its size is 1, else returns `v` as it is.
Result<View> squeeze(const View& v, Index dim);

// --- Other shape, same elements -------------------------------------------------------------------------------
/// Replaces one -1 by what makes the product `numel`. Refused: two -1s, no fit, other negative sizes.
Result<Dims> inferShape(std::span<const Index> shape, Index numel);
/// `view(*shape)`: refused (ViewMergeFailure) when no strides can express it.
Result<View> viewAs(const View& v, std::span<const Index> shape);
/// What reshape would do: a view of the same storage, or a copy of contiguous layout.
struct ReshapeVerdict {
    bool isView = false;
    View view; ///< the view, or the contiguous layout of the copy (offset 0)
};
Result<ReshapeVerdict> reshape(const View& v, std::span<const Index> shape);
/// Merges dims startDim … endDim; a copy where reshape would copy.
Result<ReshapeVerdict> flatten(const View& v, Index startDim = 0, Index endDim = -1);
/// Splits `dim` into `sizes` (one may be -1).
Result<View> unflatten(const View& v, Index dim, std::span<const Index> sizes);

// --- Repetition without copying -------------------------------------------------------------------------------
/// -1 keeps a size; new leading dims and repeated size-1 dims get stride 0.
Result<View> expand(const View& v, std::span<const Index> sizes);

// --- Anything ---------------------------------------------------------------------------------------------------
/// The strides are PyTorch's: negative ones are refused. `offset` absent: keeps v's. Bounds are checked against
/// `storageNumel` elements.
Result<View> asStrided(const View& v, std::span<const Index> size, std::span<const Index> stride,
                       std::optional<Index> offset, Index storageNumel);
/// Always refused: PyTorch has no negative strides, flip copies. Says so, after checking the dims.
Result<View> flip(const View& v, std::span<const Index> dims);

// --- Several views ----------------------------------------------------------------------------------------------
Result<std::vector<View>> split(const View& v, Index splitSize, Index dim = 0);
Result<std::vector<View>> split(const View& v, std::span<const Index> sizes, Index dim = 0);
Result<std::vector<View>> chunk(const View& v, Index chunks, Index dim = 0);
Result<std::vector<View>> unbind(const View& v, Index dim = 0);

// --- Layout of copies -------------------------------------------------------------------------------------------
/// How the copy made by `clone` lies in its own storage (offset 0): as `v` itself where v is dense, else dense with the
/// order of v's strides. PyTorch's preserve_format, which `flip` and elementwise results follow too.
Result<View> cloneLayout(const View& v);

} // namespace stridescope
