#include "core/trace/device_record.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace stridescope {

namespace trace {

std::atomic<DeviceSink*> g_deviceSink{nullptr};

namespace {
std::atomic<std::uint64_t> g_work{0};
}

void setDeviceSink(DeviceSink* sink) {
    g_deviceSink.store(sink, std::memory_order_release);
}

void publish(const DeviceRecord& record) {
    if (DeviceSink* const sink = g_deviceSink.load(std::memory_order_acquire)) sink->take(record);
}

std::uint64_t nextDeviceWork() {
    return g_work.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace trace

namespace {

/// What has a size of its own, in the order in which it is written.
struct Fixed {
    std::uint64_t number, bytes, allocated, total;
    std::int64_t queuedAt, startedAt, endedAt, launchDelay;
    double link;
    std::uint32_t stream;
    std::uint8_t what, work, type, otherType;
    std::int8_t index, otherIndex;
    std::uint8_t simulated, nameBytes;
};
constexpr std::size_t kLongestName = std::min<std::size_t>(255, kMostDeviceRecord - sizeof(Fixed));

/// Cut between characters.
std::string_view shortened(std::string_view text) {
    if (text.size() <= kLongestName) return text;
    std::size_t size = kLongestName;
    while (size > 0 && (text[size] & 0xC0) == 0x80) --size;
    return text.substr(0, size);
}

} // namespace

std::size_t packDeviceRecord(const DeviceRecord& record, std::span<std::byte, kMostDeviceRecord> to) {
    const std::string_view name = shortened(record.name);
    const Fixed fixed{record.number,
                      record.bytes,
                      record.allocated,
                      record.total,
                      record.queuedAt,
                      record.startedAt,
                      record.endedAt,
                      record.launchDelay,
                      record.linkBytesPerSecond,
                      record.stream,
                      static_cast<std::uint8_t>(record.what),
                      static_cast<std::uint8_t>(record.work),
                      static_cast<std::uint8_t>(record.device.type),
                      static_cast<std::uint8_t>(record.other.type),
                      record.device.index,
                      record.other.index,
                      static_cast<std::uint8_t>(record.simulated),
                      static_cast<std::uint8_t>(name.size())};
    std::memcpy(to.data(), &fixed, sizeof fixed);
    std::memcpy(to.data() + sizeof fixed, name.data(), name.size());
    return sizeof fixed + name.size();
}

std::optional<DeviceRecord> unpackDeviceRecord(std::span<const std::byte> bytes) {
    Fixed fixed{};
    if (bytes.size() < sizeof fixed) return std::nullopt;
    std::memcpy(&fixed, bytes.data(), sizeof fixed);
    const auto known = [](std::uint8_t value, auto last) { return value <= static_cast<std::uint8_t>(last); };
    if (bytes.size() != sizeof fixed + fixed.nameBytes || !known(fixed.what, DeviceHappening::Failed) ||
        !known(fixed.work, DeviceWork::Peer) || !known(fixed.type, DeviceType::Sim) ||
        !known(fixed.otherType, DeviceType::Sim) || fixed.index < 0 || fixed.otherIndex < 0)
        return std::nullopt;
    DeviceRecord record;
    record.what = static_cast<DeviceHappening>(fixed.what);
    record.work = static_cast<DeviceWork>(fixed.work);
    record.device = {static_cast<DeviceType>(fixed.type), fixed.index};
    record.other = {static_cast<DeviceType>(fixed.otherType), fixed.otherIndex};
    record.simulated = fixed.simulated != 0;
    record.stream = fixed.stream;
    record.number = fixed.number;
    record.bytes = fixed.bytes;
    record.allocated = fixed.allocated;
    record.total = fixed.total;
    record.queuedAt = fixed.queuedAt;
    record.startedAt = fixed.startedAt;
    record.endedAt = fixed.endedAt;
    record.launchDelay = fixed.launchDelay;
    record.linkBytesPerSecond = fixed.link;
    record.name.assign(reinterpret_cast<const char*>(bytes.data() + sizeof fixed), fixed.nameBytes);
    return record;
}

} // namespace stridescope
