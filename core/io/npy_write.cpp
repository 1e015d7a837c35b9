#include "core/io/npy.h"

#include "core/io/heap_bytes.h"
#include "core/view/checked.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace stridescope {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kHeaderAlignment = 64;

const char* descrOf(DType dtype) {
    switch (dtype) {
    case DType::UInt8:
        return "|u1";
    case DType::Int8:
        return "|i1";
    case DType::Int16:
        return "<i2";
    case DType::Int32:
        return "<i4";
    case DType::Int64:
        return "<i8";
    case DType::Float16:
        return "<f2";
    case DType::Float32:
        return "<f4";
    case DType::Float64:
        return "<f8";
    case DType::Complex64:
        return "<c8";
    case DType::Complex128:
        return "<c16";
    case DType::Bool:
        break;
    }
    return "|b1";
}

View transposed(const View& v) {
    View out = v;
    std::reverse(out.shape.begin(), out.shape.end());
    std::reverse(out.stride.begin(), out.stride.end());
    return out;
}

bool writeFortran(const Tensor& t) {
    return !t.isContiguous() && transposed(t.view()).isContiguous();
}

/// Copies `count` elements that are `stride` elements apart. memcpy of a constant size becomes one load and store.
template <std::size_t ItemSize>
void gather(const std::byte* from, Index stride, std::size_t count, std::byte* to) {
    const Index step = stride * static_cast<Index>(ItemSize);
    for (std::size_t i = 0; i < count; ++i, from += step, to += ItemSize) std::memcpy(to, from, ItemSize);
}

void gather(const std::byte* from, Index stride, std::size_t count, std::size_t itemSize, std::byte* to) {
    switch (itemSize) {
    case 1:
        return gather<1>(from, stride, count, to);
    case 2:
        return gather<2>(from, stride, count, to);
    case 4:
        return gather<4>(from, stride, count, to);
    case 16:
        return gather<16>(from, stride, count, to);
    default:
        return gather<8>(from, stride, count, to);
    }
}

bool writeStrided(const Tensor& t, const View& v, ByteSink& sink) {
    const std::size_t item = t.itemSize();
    const std::byte* const base = t.storage()->data();
    const std::size_t rank = v.shape.size();
    const Index rowLength = rank == 0 ? 1 : v.shape[rank - 1];
    const Index rowStride = rowLength == 1 ? 0 : v.stride[rank - 1]; // an unused stride can be anything
    std::vector<std::byte> block(kBlock);
    const std::size_t perBlock = kBlock / item;
    std::size_t filled = 0;
    Dims coord(rank, 0);
    Index rowSlot = v.offset;
    for (;;) {
        for (Index at = 0; at < rowLength;) {
            const std::size_t count = std::min(perBlock - filled, static_cast<std::size_t>(rowLength - at));
            gather(base + (rowSlot + at * rowStride) * static_cast<Index>(item), rowStride, count, item,
                   block.data() + filled * item);
            at += static_cast<Index>(count);
            filled += count;
            if (filled == perBlock) {
                if (!sink.write(block)) return false;
                filled = 0;
            }
        }
        std::size_t d = rank > 0 ? rank - 1 : 0; // the row is done: on to the next one, like an odometer
        for (; d > 0; --d) {
            const std::size_t dim = d - 1;
            if (++coord[dim] < v.shape[dim]) {
                rowSlot += v.stride[dim];
                break;
            }
            rowSlot -= v.stride[dim] * (v.shape[dim] - 1); // never one step past the end: a stride can be huge
            coord[dim] = 0;
        }
        if (d == 0) break;
    }
    return filled == 0 || sink.write(std::span(block).first(filled * item));
}

} // namespace

std::string npyHeaderFor(const Tensor& t) {
    std::string dict = std::string("{'descr': '") + descrOf(t.dtype()) +
                       "', 'fortran_order': " + (writeFortran(t) ? "True" : "False") +
                       ", 'shape': " + toString(t.shape()) + ", }";
    constexpr std::size_t kBefore = 10;
    const std::size_t total = (kBefore + dict.size() + 1 + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment;
    dict.append(total - kBefore - dict.size() - 1, ' ');
    dict += '\n';
    const std::size_t length = dict.size(); // 64 sizes of 19 digits stay far below 65 536
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xFF) + static_cast<char>(length >> 8) +
           dict;
}

bool writeNpyData(const Tensor& t, ByteSink& sink) {
    if (t.numel() == 0) return true;
    const View view = writeFortran(t) ? transposed(t.view()) : t.view();
    if (!view.isContiguous()) return writeStrided(t, view, sink);
    const std::byte* data = t.storage()->data() + view.offset * static_cast<Index>(t.itemSize());
    for (std::uint64_t left = static_cast<std::uint64_t>(t.nbytes()); left > 0;) {
        const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBlock));
        if (!sink.write({data, count})) return false;
        data += count;
        left -= count;
    }
    return true;
}

namespace {

Result<SavedFile> write(const Tensor& t, const std::filesystem::path& path, const ProgressFn& progress) {
    if (auto refusal = io::refuseUnsavable(t)) return std::move(*refusal);
    const std::string header = npyHeaderFor(t);
    SaveOptions options;
    options.progress = progress;
    options.expectedBytes = header.size() + static_cast<std::uint64_t>(t.nbytes());
    return saveAtomically(
        path,
        [&](ByteSink& sink) -> std::optional<Refusal> {
            if (sink.write(std::as_bytes(std::span(header)))) writeNpyData(t, sink);
            return std::nullopt;
        },
        options);
}

} // namespace

Result<SavedFile> writeNpy(const Tensor& t, const std::filesystem::path& path, const ProgressFn& progress) {
    return io::withMemoryRefused("Saving", [&] { return write(t, path, progress); });
}

namespace io {

std::optional<Refusal> refuseUnreadable(const Tensor& t) {
    if (!t.defined()) return refuse("IO-17", "There is no tensor to save", "Make one first.");
    if (!t.device().isCpu()) {
        return refuse("IO-17", "The tensor is on " + toString(t.device()) + "; only CPU tensors can be saved",
                      "Copy it first: t.cpu()");
    }
    return std::nullopt;
}

std::optional<Refusal> refuseUnsavable(const Tensor& t) {
    if (auto refusal = refuseUnreadable(t)) return refusal;
    Index bytes = static_cast<Index>(t.itemSize());
    bool fits = true;
    for (const Index size : t.shape()) fits = fits && mulFits(bytes, size, bytes);
    if (fits || std::ranges::find(t.shape(), 0) != t.shape().end()) return std::nullopt;
    return refuseAmount("IO-11", "The file would be larger than 64 bits can count", "Save a smaller part.", UINT64_MAX,
                        INT64_MAX);
}

} // namespace io
} // namespace stridescope
