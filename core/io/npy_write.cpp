#include "core/io/npy.h"

#include "core/io/heap_bytes.h"
#include "core/io/row_major.h"
#include "core/view/checked.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace stridescope {
namespace {

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
    const View view = writeFortran(t) ? transposed(t.view()) : t.view();
    return writeRowMajor(t.withView(view), sink);
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
