#include "core/device/device.h"

#include "core/io/text.h"

#include <charconv>

namespace stridescope {

std::string toString(Device d) {
    if (d.isCpu()) return "cpu";
    return "cuda:" + std::to_string(static_cast<int>(d.index));
}

Result<Device> deviceFromString(std::string_view text) {
    if (text == "cpu") return Device{};
    constexpr std::string_view kCuda = "cuda";
    if (text.starts_with(kCuda)) {
        std::string_view rest = text.substr(kCuda.size());
        if (rest.empty()) return Device{DeviceType::Cuda, 0};
        if (rest.front() == ':') {
            rest.remove_prefix(1);
            std::int8_t index = 0;
            const bool digitsOnly = rest.find_first_not_of("0123456789") == std::string_view::npos;
            const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
            if (digitsOnly && code == std::errc() && end == rest.data() + rest.size()) {
                return Device{DeviceType::Cuda, index};
            }
        }
    }
    constexpr std::size_t kShown = 40;
    return Refusal{ErrorKind::Device,
                   "DEV-10",
                   "Invalid device string: '" + sanitiseForDisplay(text, kShown) + "'",
                   "Known forms are cpu, cuda and cuda:0 to cuda:127.",
                   {}};
}

} // namespace stridescope
