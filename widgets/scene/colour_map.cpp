#include "widgets/scene/colour_map.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace stridescope {

namespace {

constexpr QRgb kViridis[] = {0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E,
                             0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725};
constexpr QRgb kGrey[] = {0x000000, 0xFFFFFF};
constexpr QRgb kDiverging[] = {0x67001F, 0xB2182B, 0xD6604D, 0xF4A582, 0xFDDBC7, 0xF7F7F7,
                               0xD1E5F0, 0x92C5DE, 0x4393C3, 0x2166AC, 0x053061};

std::array<QRgb, 256> interpolate(std::span<const QRgb> stops) {
    std::array<QRgb, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double t = static_cast<double>(i) / 255 * static_cast<double>(stops.size() - 1);
        const std::size_t left = std::min(static_cast<std::size_t>(t), stops.size() - 2);
        const double f = t - static_cast<double>(left);
        const auto part = [&](int shift) {
            const double a = (stops[left] >> shift) & 0xFF, b = (stops[left + 1] >> shift) & 0xFF;
            return static_cast<int>(std::lround(a + (b - a) * f));
        };
        table[i] = qRgb(part(16), part(8), part(0));
    }
    return table;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

} // namespace

ColourMap::ColourMap(double low, double high, bool grey) : m_low(low), m_high(high), m_signed(low < 0 && !grey) {
    static const std::array<QRgb, 256> greys = interpolate(kGrey);
    static const std::array<QRgb, 256> viridis = interpolate(kViridis);
    static const std::array<QRgb, 256> diverging = interpolate(kDiverging);
    m_table = grey ? &greys : m_signed ? &diverging : &viridis;
    if (!std::isfinite(m_low) || !std::isfinite(m_high)) m_low = 0, m_high = 1;
    if (m_signed) {
        m_high = std::max(std::abs(m_low), std::abs(m_high));
        m_low = -m_high;
    }
    // A single value gets the middle of the bar instead of a division by zero.
    if (!(m_high > m_low)) m_low -= 0.5, m_high = m_low + 1;
    // Halves, because the distance of the ends may be beyond what a double holds.
    m_scale = 127.5 / (m_high / 2 - m_low / 2);
    if (!std::isfinite(m_scale)) m_scale = 1e300;
}

void ColourMap::rgb(const double* values, std::size_t n, QRgb* out) const {
    // Arithmetic, conversion and look-ups apart: the compiler does the first two in SIMD lanes.
    constexpr std::size_t kChunk = 256;
    double place[kChunk];
    std::int32_t at[kChunk];
    for (std::size_t start = 0; start < n; start += kChunk) {
        const std::size_t count = std::min(kChunk, n - start);
        const double* in = values + start;
        for (std::size_t i = 0; i < count; ++i) {
            double t = (in[i] - m_low) * m_scale + 0.5;
            t = t > 0 ? t : 0; // also NaN
            place[i] = t < 255 ? t : 255;
        }
        for (std::size_t i = 0; i < count; ++i) at[i] = static_cast<std::int32_t>(place[i]);
        for (std::size_t i = 0; i < count; ++i) out[start + i] = (*m_table)[static_cast<std::size_t>(at[i])];
    }
}

QRgb ColourMap::at(double share) const {
    return (*m_table)[static_cast<std::size_t>(std::clamp(std::lround(share * 255), 0l, 255l))];
}

double luminance(const QColor& colour) {
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace stridescope
