// Operations that make several views of one: split, chunk, unbind.

#include "core/view/checked.h"
#include "core/view/view_ops.h"
#include "core/view/view_refusals.h"

namespace stridescope {

namespace {

/// A list of views of a dim with stride 0 could be longer than any memory; this many take about 100 MiB.
constexpr Index kMaxPieces = Index{1} << 20;

Result<std::vector<View>> narrowEach(const View& v, Index dim, std::span<const Index> sizes) {
    std::vector<View> pieces;
    pieces.reserve(sizes.size());
    Index start = 0;
    for (const Index size : sizes) {
        auto piece = narrow(v, dim, start, size);
        if (!piece) return piece.takeRefusal();
        pieces.push_back(std::move(piece).value());
        start += size;
    }
    return pieces;
}

/// Pieces of `pieceSize` > 0 along `dim`, the last one shorter.
Result<std::vector<View>> cut(const View& v, Index dim, Index size, Index pieceSize) {
    const Index count = size == 0 ? 1 : (size - 1) / pieceSize + 1;
    if (count > kMaxPieces) return refuse::tooManyPieces(count, kMaxPieces);
    std::vector<View> pieces;
    pieces.reserve(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i) {
        const Index start = i * pieceSize;
        auto piece = narrow(v, dim, start, std::min(pieceSize, size - start));
        if (!piece) return piece.takeRefusal();
        pieces.push_back(std::move(piece).value());
    }
    return pieces;
}

} // namespace

Result<std::vector<View>> split(const View& v, Index splitSize, Index dim) {
    if (v.dim() == 0) return refuse::zeroDim("split", ErrorKind::Runtime);
    if (splitSize < 0) return refuse::splitSize(splitSize, 0);
    auto wrapped = wrapDim(dim, v.dim());
    if (!wrapped) return wrapped.takeRefusal();
    const Index size = v.shape[static_cast<std::size_t>(*wrapped)];
    if (splitSize == 0 && size != 0) return refuse::splitSize(splitSize, size);
    return cut(v, *wrapped, size, std::max<Index>(splitSize, 1));
}

Result<std::vector<View>> split(const View& v, std::span<const Index> sizes, Index dim) {
    if (v.dim() == 0) return refuse::zeroDim("split", ErrorKind::Runtime);
    auto wrapped = wrapDim(dim, v.dim());
    if (!wrapped) return wrapped.takeRefusal();
    const Index size = v.shape[static_cast<std::size_t>(*wrapped)];
    WideIndex sum = 0;
    for (const Index s : sizes) {
        if (s < 0) return refuse::splitSizes(sizes, dim, size, true);
        sum += s;
    }
    if (sum != size) return refuse::splitSizes(sizes, dim, size, false);
    if (sizes.size() > static_cast<std::size_t>(kMaxPieces))
        return refuse::tooManyPieces(static_cast<Index>(sizes.size()), kMaxPieces);
    return narrowEach(v, *wrapped, sizes);
}

Result<std::vector<View>> chunk(const View& v, Index chunks, Index dim) {
    if (v.dim() == 0) return refuse::zeroDim("chunk", ErrorKind::Runtime);
    if (chunks <= 0) return refuse::chunkCount(chunks);
    auto wrapped = wrapDim(dim, v.dim());
    if (!wrapped) return wrapped.takeRefusal();
    const Index size = v.shape[static_cast<std::size_t>(*wrapped)];
    if (size == 0) {
        if (chunks > kMaxPieces) return refuse::tooManyPieces(chunks, kMaxPieces);
        return narrowEach(v, *wrapped, Dims(static_cast<std::size_t>(chunks), 0));
    }
    return cut(v, *wrapped, size, (size - 1) / chunks + 1);
}

Result<std::vector<View>> unbind(const View& v, Index dim) {
    auto wrapped = wrapDim(dim, v.dim());
    if (!wrapped) return wrapped.takeRefusal();
    if (v.dim() == 0) return refuse::dimOfZeroDim(dim);
    const Index size = v.shape[static_cast<std::size_t>(*wrapped)];
    if (size > kMaxPieces) return refuse::tooManyPieces(size, kMaxPieces);
    std::vector<View> pieces;
    pieces.reserve(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) {
        auto piece = select(v, *wrapped, i);
        if (!piece) return piece.takeRefusal();
        pieces.push_back(std::move(piece).value());
    }
    return pieces;
}

} // namespace stridescope
