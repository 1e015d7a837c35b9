#include "core/device/device.h"

#include "core/io/text.h"

#include <array>
#include <charconv>
#include <optional>

namespace stridescope {

namespace {

constexpr std::size_t kTypes = 3;
thread_local std::array<std::int8_t, kTypes> t_current{};

/// What stands behind the type: "", ":1".
std::optional<Device> numbered(DeviceType type, std::string_view rest) {
    if (rest.empty()) return currentDevice(type);
    if (rest.front() != ':') return std::nullopt;
    rest.remove_prefix(1);
    std::int8_t index = 0;
    const bool digitsOnly = rest.find_first_not_of("0123456789") == std::string_view::npos;
    if (rest.size() > 1 && rest.front() == '0') return std::nullopt;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    if (!digitsOnly || code != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
    return Device{type, index};
}

} // namespace

const char* name(DeviceType type) {
    constexpr std::array<const char*, kTypes> kNames{"cpu", "cuda", "sim"};
    return kNames[static_cast<std::size_t>(type)];
}

std::string toString(Device d) {
    if (d.isCpu()) return "cpu";
    return std::string(name(d.type)) + ":" + std::to_string(static_cast<int>(d.index));
}

Device currentDevice(DeviceType type) {
    return {type, t_current[static_cast<std::size_t>(type)]};
}

void setCurrentDevice(Device device) {
    if (!device.isCpu()) t_current[static_cast<std::size_t>(device.type)] = device.index;
}

Result<Device> deviceFromString(std::string_view text) {
    for (const DeviceType type : {DeviceType::Cpu, DeviceType::Cuda, DeviceType::Sim})
        if (const std::string_view word = name(type); text.starts_with(word))
            if (const std::optional<Device> device = numbered(type, text.substr(word.size())))
                return device->isCpu() ? Device{} : *device;
    constexpr std::size_t kShown = 40;
    return Refusal{ErrorKind::Device,
                   "DEV-10",
                   "Invalid device string: '" + sanitiseForDisplay(text, kShown) + "'",
                   "Known forms are cpu, cuda, sim, and cuda:0 to cuda:127.",
                   {}};
}

} // namespace stridescope
