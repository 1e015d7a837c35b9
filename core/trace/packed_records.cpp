#include "core/trace/packed_records.h"

#include <cstring>

namespace stridescope {

namespace {

/// Behind the outputs: effect, bytes read, written and allocated, duration.
constexpr std::size_t kTail = 1 + 4 * sizeof(std::uint64_t);
/// A number, two texts, two lists and the elements written, all of them empty, and what is behind them.
constexpr std::size_t kSmallest = sizeof(std::uint64_t) + 3 * sizeof(std::uint16_t) + 2 + kTail;
constexpr std::size_t kEffects = 4;

/// Reads what RecordRing wrote; `ok` is false once anything is not as it should be.
class Unpacker {
public:
    explicit Unpacker(std::span<const std::byte> from) : m_from(from) {}
    bool ok = true;
    bool atEnd() const { return m_at == m_from.size(); }
    template <class T>
    T number() {
        T value{};
        if (!has(sizeof value)) return value;
        std::memcpy(&value, m_from.data() + m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }
    std::string_view text() {
        const std::size_t size = number<std::uint16_t>();
        if (!has(size)) return {};
        const std::string_view text(reinterpret_cast<const char*>(m_from.data() + m_at), size);
        m_at += size;
        return text;
    }
    TensorRecord tensor() {
        TensorRecord t;
        t.storageId = number<std::uint64_t>();
        t.dtype = kind<DType>(kAllDTypes.size());
        t.device.type = kind<DeviceType>(static_cast<std::size_t>(DeviceType::Sim) + 1);
        t.device.index = number<std::int8_t>();
        const std::size_t dims = number<std::uint8_t>();
        if (dims > static_cast<std::size_t>(kMaxDims)) ok = false;
        if (!ok) return t;
        t.view.shape = t.view.stride = Dims(dims, 0);
        for (Index& size : t.view.shape) size = number<Index>();
        for (Index& stride : t.view.stride) stride = number<Index>();
        t.view.offset = number<Index>();
        // Nobody may multiply sizes that were not looked at.
        ok = ok && makeView(t.view.shape, t.view.stride, t.view.offset).ok();
        return t;
    }
    std::vector<TensorRecord> tensors() {
        std::vector<TensorRecord> list(number<std::uint8_t>());
        for (TensorRecord& t : list) {
            if (!ok) break;
            t = tensor();
        }
        return list;
    }
    /// Which elements of the first output were written.
    ElementSet written(const std::vector<TensorRecord>& outputs) {
        const std::string_view bytes = text();
        if (bytes.empty() || !ok) return {};
        ok = !outputs.empty() && bytes.size() == ElementSet::bytesFor(outputs[0].view.numel());
        return ok ? ElementSet::fromBytes(bytes) : ElementSet();
    }
    /// Calls f(storage, where the tensor begins) for each of a list, and passes by all else of it.
    template <class F>
    void eachStorage(F f) {
        for (std::size_t left = number<std::uint8_t>(); ok && left > 0; --left) {
            const std::size_t begin = m_at;
            const auto storage = number<std::uint64_t>();
            skip(3); // dtype and device
            skip((2 * std::size_t{number<std::uint8_t>()} + 1) * sizeof(Index));
            if (ok) f(storage, begin);
        }
    }
    void skip(std::size_t bytes) {
        if (has(bytes)) m_at += bytes;
    }
    template <class Enum>
    Enum kind(std::size_t count) {
        const auto value = number<std::uint8_t>();
        if (value >= count) ok = false;
        return ok ? static_cast<Enum>(value) : Enum{};
    }

private:
    bool has(std::size_t bytes) {
        ok = ok && bytes <= m_from.size() - m_at;
        return ok;
    }
    std::span<const std::byte> m_from;
    std::size_t m_at = 0;
};

/// Calls f(storage, the bytes from that tensor on) for each output.
template <class F>
void eachOutput(std::span<const std::byte> record, F f) {
    Unpacker unpacker(record);
    unpacker.skip(sizeof(std::uint64_t));
    unpacker.text();
    unpacker.text();
    unpacker.eachStorage([](std::uint64_t, std::size_t) {});
    unpacker.eachStorage([&](std::uint64_t storage, std::size_t begin) { f(storage, record.subspan(begin)); });
}

} // namespace

std::optional<RingRecord> unpackRecord(std::span<const std::byte> bytes) {
    Unpacker unpacker(bytes);
    RingRecord result;
    result.number = unpacker.number<std::uint64_t>();
    result.record.name = unpacker.text();
    result.record.arguments = unpacker.text();
    result.record.inputs = unpacker.tensors();
    result.record.outputs = unpacker.tensors();
    result.record.written = unpacker.written(result.record.outputs);
    result.record.effect = unpacker.kind<OpEffect>(kEffects);
    result.record.bytesRead = unpacker.number<Index>();
    result.record.bytesWritten = unpacker.number<Index>();
    result.record.bytesAllocated = unpacker.number<Index>();
    result.record.duration = std::chrono::nanoseconds(unpacker.number<std::int64_t>());
    if (!unpacker.ok || !unpacker.atEnd()) return std::nullopt;
    return result;
}

bool PackedRecords::add(std::span<const std::byte> record) {
    if (record.size() < kSmallest) return false;
    m_bytes.insert(m_bytes.end(), record.begin(), record.end());
    m_ends.push_back(m_bytes.size());
    const std::size_t last = m_ends.size() - 1;
    m_gapless = m_gapless && (last == 0 || number(last) == number(last - 1) + 1);
    return true;
}

void PackedRecords::add(const PackedRecords& more) {
    if (more.empty()) return;
    m_gapless = m_gapless && more.m_gapless && (empty() || more.number(0) == number(size() - 1) + 1);
    const std::size_t before = m_bytes.size();
    m_bytes.insert(m_bytes.end(), more.m_bytes.begin(), more.m_bytes.end());
    for (const std::size_t end : more.m_ends) m_ends.push_back(before + end);
}

void PackedRecords::dropFirst(std::size_t count) {
    if (count == 0) return;
    const std::size_t gone = m_ends[count - 1];
    m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(gone));
    m_ends.erase(m_ends.begin(), m_ends.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t& end : m_ends) end -= gone;
}

std::span<const std::byte> PackedRecords::bytesOf(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
    return std::span(m_bytes).subspan(begin, m_ends[i] - begin);
}

std::uint64_t PackedRecords::number(std::size_t i) const {
    return Unpacker(bytesOf(i)).number<std::uint64_t>();
}

std::optional<OpEffect> PackedRecords::effect(std::size_t i) const {
    const std::span<const std::byte> record = bytesOf(i);
    const auto effect = std::to_integer<std::size_t>(record[record.size() - kTail]);
    return effect < kEffects ? std::optional(static_cast<OpEffect>(effect)) : std::nullopt;
}

std::string_view PackedRecords::name(std::size_t i) const {
    Unpacker unpacker(bytesOf(i));
    unpacker.skip(sizeof(std::uint64_t));
    return unpacker.text();
}

void PackedRecords::outputs(std::size_t i, std::vector<std::uint64_t>& storages) const {
    eachOutput(bytesOf(i), [&](std::uint64_t storage, std::span<const std::byte>) { storages.push_back(storage); });
}

bool PackedRecords::gives(std::size_t i, const TensorRecord& wanted) const {
    bool found = false;
    eachOutput(bytesOf(i), [&](std::uint64_t storage, std::span<const std::byte> from) {
        if (found || storage != wanted.storageId) return;
        Unpacker unpacker(from);
        const TensorRecord made = unpacker.tensor();
        found = unpacker.ok && made.view == wanted.view && made.dtype == wanted.dtype;
    });
    return found;
}

} // namespace stridescope
