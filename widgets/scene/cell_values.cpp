#include "widgets/scene/cell_values.h"

#include "core/storage/mapped_file.h"
#include "widgets/scene/odd_count.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

namespace stridescope {

namespace {

Index floorDiv(Index a, Index b) {
    const Index q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

struct CutFile {
    quint64 bytes;  ///< that the file has
    quint64 before; ///< the storage's first byte
};

std::optional<CutFile> cutFileOf(const Storage& storage) {
    if (storage.kind() != "mapped file") return std::nullopt;
    const std::shared_ptr<MappedFile> file = mappedFileOf(storage);
    if (!file || !file->fileChanged()) return std::nullopt;
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file->path(), error);
    if (error || bytes >= file->bytes().size()) return std::nullopt;
    return CutFile{bytes, static_cast<quint64>(storage.data() - file->bytes().data())};
}

} // namespace

std::optional<quint64> shorterFile(const Tensor& tensor) {
    if (!tensor.defined()) return std::nullopt;
    const std::optional<CutFile> cut = cutFileOf(*tensor.storage());
    return cut ? std::optional(cut->bytes) : std::nullopt;
}

CellValues::CellValues(const Tensor& source) {
    if (!source.defined()) return;
    m_dtype = source.dtype();
    m_count = m_held = source.storageNumel();
    if (const std::optional<CutFile> cut = cutFileOf(*source.storage())) {
        const quint64 left = cut->bytes > cut->before ? cut->bytes - cut->before : 0;
        m_held = std::min(m_count, static_cast<Index>(left / itemSize(m_dtype)));
    }
    if (source.device().isCpu() && !source.storage()->isUnwritten()) m_data = source.storage()->data();
}

double CellValues::at(Index slot) const {
    const std::byte* address = m_data + static_cast<std::size_t>(slot) * itemSize(m_dtype);
    return visitAnyDType(m_dtype, [address](auto tag) { return asDouble<typename decltype(tag)::type>(address); });
}

SlotRange CellValues::inside(Index first, Index stride, Index n) const {
    if (n <= 0) return {};
    if (stride == 0) return holds(first) ? SlotRange{0, n} : SlotRange{};
    // 0 <= first + i*stride <= held - 1
    const Index a = -first, b = m_held - 1 - first;
    const Index from = stride > 0 ? -floorDiv(-a, stride) : -floorDiv(-b, stride);
    const Index to = stride > 0 ? floorDiv(b, stride) : floorDiv(a, stride);
    const SlotRange range{std::max<Index>(from, 0), std::min<Index>(to + 1, n)};
    return range.empty() ? SlotRange{} : range;
}

void CellValues::read(Index first, Index stride, Index n, double* out) const {
    const SlotRange good = inside(first, stride, n);
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    if (good.empty()) {
        std::fill(out, out + std::max<Index>(n, 0), nothing);
        return;
    }
    std::fill(out, out + good.first, nothing);
    std::fill(out + good.last, out + n, nothing);
    const auto bytes = static_cast<Index>(itemSize(m_dtype));
    const std::byte* address = m_data + (first + good.first * stride) * bytes;
    const Index step = stride * bytes;
    visitAnyDType(m_dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const Index cells = good.last - good.first;
        double* to = out + good.first;
        // Neighbours are read in SIMD lanes: the step must be known to the compiler for that.
        constexpr auto kNext = static_cast<Index>(sizeof(T));
        if (step == kNext) {
            for (Index i = 0; i < cells; ++i) to[i] = asDouble<T>(address + i * kNext);
        } else {
            for (Index i = 0; i < cells; ++i) to[i] = asDouble<T>(address + i * step);
        }
    });
}

void CellValues::appendText(std::string& out, Index slot, std::size_t maxChars) const {
    appendElement(out, address(slot), m_dtype, maxChars);
}

namespace {

struct Sampled {
    std::pair<double, double> range{0, 1};
    bool below = false, above = false; ///< there may be values outside
    std::optional<OnlyValue> only;
    OddValues odd;
};

Sampled readRange(const Tensor& tensor, Index limit) {
    const CellValues values(tensor);
    const Index n = tensor.numel();
    if (!values.readable() || n == 0) return {};
    Sampled sampled;
    sampled.odd.total = n;
    sampled.odd.seen = canBeOdd(tensor.dtype()) ? std::min(n, limit) : n;
    // What was not read may be anything that the dtype holds.
    const bool all = n <= limit;
    sampled.below = !all && tensor.dtype() != DType::UInt8 && tensor.dtype() != DType::Bool;
    sampled.above = !all && tensor.dtype() != DType::Bool;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const Index samples = std::min(n, limit);
    const View& view = tensor.view();
    for (Index k = 0; k < samples; ++k) {
        // k-th of `samples` evenly spread elements, taken apart into a coord from the last dim up.
        Index rest =
            samples == n ? k : static_cast<Index>(static_cast<__int128>(k) * (n - 1) / std::max<Index>(samples - 1, 1));
        Index slot = view.offset;
        for (std::size_t d = view.shape.size(); d-- > 0;) {
            slot += rest % view.shape[d] * view.stride[d];
            rest /= view.shape[d];
        }
        if (!values.holds(slot)) continue;
        const double v = values.at(slot);
        if (!std::isfinite(v)) {
            sampled.below = sampled.below || v < 0;
            sampled.above = sampled.above || v > 0;
            ++(std::isnan(v) ? sampled.odd.nan : v > 0 ? sampled.odd.positive : sampled.odd.negative);
            continue;
        }
        low = std::min(low, v);
        high = std::max(high, v);
    }
    if (low <= high) sampled.range = {low, high};
    if (low == high) sampled.only = OnlyValue{low, !all};
    return sampled;
}

const Sampled& sampledOf(const Tensor& tensor, Index limit) {
    // Asked for at every mouse move; the samples are read again only when the storage was written to.
    struct Known {
        quint64 storage = 0, version = 0;
        DType dtype = DType::Float32;
        Index limit = 0;
        View view;
        Sampled sampled;
    };
    static thread_local std::array<Known, 32> known;
    static thread_local std::size_t next = 0;
    const Storage& storage = *tensor.storage();
    for (const Known& entry : known) {
        if (entry.storage == storage.id() && entry.version == storage.version() && entry.dtype == tensor.dtype() &&
            entry.limit == limit && entry.view == tensor.view())
            return entry.sampled;
    }
    known[next] = {storage.id(), storage.version(), tensor.dtype(), limit, tensor.view(), readRange(tensor, limit)};
    const Sampled& sampled = known[next].sampled;
    next = (next + 1) % known.size();
    return sampled;
}

/// All elements of the storage; of a large one a few, which may lie on as many pages of a file.
Sampled sampledStorage(const Tensor& tensor) {
    constexpr Index kSample = 4096;
    const Index n = tensor.storageNumel();
    return sampledOf(wholeStorage(tensor), n <= kCountedAtOnce ? kCountedAtOnce : kSample);
}

} // namespace

std::pair<double, double> sampledRange(const Tensor& tensor, Index limit) {
    if (!tensor.defined()) return {0, 1};
    return sampledOf(tensor, limit).range;
}

std::pair<bool, bool> beyondHeat(const Tensor& tensor) {
    if (!tensor.defined()) return {false, false};
    const Sampled sampled = sampledStorage(tensor);
    return {sampled.below, sampled.above};
}

std::optional<OnlyValue> onlyValue(const Tensor& tensor) {
    if (!tensor.defined()) return std::nullopt;
    return sampledStorage(tensor).only;
}

OddValues oddValues(const Tensor& tensor, const OddCounts* counted) {
    if (!tensor.defined()) return {};
    const OddValues sampled = sampledStorage(tensor).odd;
    if (sampled.exact() || !counted) return sampled;
    return counted->of(tensor).value_or(sampled);
}

std::pair<double, double> heatRange(const Tensor& tensor) {
    if (!tensor.defined()) return {0, 1};
    auto [low, high] = sampledStorage(tensor).range;
    const double largest = std::max(std::abs(low), std::abs(high));
    if (largest == 0) return {0, 1};
    const double unit = std::pow(10, std::floor(std::log10(largest)) - 1);
    const bool isSigned = low < 0;
    low = std::floor(low / unit) * unit;
    high = std::ceil(high / unit) * unit;
    if (isSigned) {
        high = std::max(-low, high);
        low = -high;
    }
    if (high <= low) low = std::min(0.0, low - unit);
    if (tensor.dtype() == DType::UInt8) high = std::min(high, 255.0); // rounding must not name what it cannot hold
    return {low, high};
}

QString valueText(const Tensor& source, Index slot) {
    const CellValues values(source);
    if (!values.readable() || !values.holds(slot)) return QStringLiteral("?");
    std::string text;
    values.appendText(text, slot, 5);
    return QString::fromStdString(text).replace(QLatin1Char(kDigitsLeftOut), QChar(0x2026));
}

} // namespace stridescope
