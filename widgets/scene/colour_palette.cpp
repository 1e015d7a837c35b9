#include "widgets/scene/colour_palette.h"

#include <algorithm>
#include <array>

namespace stridescope {

namespace {

struct Counted {
    QRgb colour = 0;
    std::uint64_t count = 0;
};

int channel(QRgb colour, int which) {
    return which == 0 ? qRed(colour) : which == 1 ? qGreen(colour) : qBlue(colour);
}

/// Colours [begin, end) of a list, and along which channel they are spread most.
struct ColourBox {
    std::size_t begin = 0, end = 0;
    int axis = 0, spread = 0;
    std::uint64_t pixels = 0;
};

ColourBox boxOf(const std::vector<Counted>& colours, std::size_t begin, std::size_t end) {
    ColourBox box{begin, end, 0, -1, 0};
    for (int axis = 0; axis < 3; ++axis) {
        int low = 255, high = 0;
        for (std::size_t i = begin; i < end; ++i) {
            low = std::min(low, channel(colours[i].colour, axis));
            high = std::max(high, channel(colours[i].colour, axis));
        }
        if (high - low > box.spread) {
            box.axis = axis;
            box.spread = high - low;
        }
    }
    for (std::size_t i = begin; i < end; ++i) box.pixels += colours[i].count;
    return box;
}

} // namespace

void ColourPalette::add(const QImage& image) {
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width();) {
            int run = x + 1;
            while (run < image.width() && line[run] == line[x]) ++run;
            m_counts[line[x] | 0xff000000u] += static_cast<std::uint64_t>(run - x);
            x = run;
        }
    }
}

void ColourPalette::settle() {
    std::vector<Counted> colours;
    colours.reserve(m_counts.size());
    for (const auto& [colour, count] : m_counts) colours.push_back({colour, count});
    // Maps have no order that would be the same everywhere.
    std::sort(colours.begin(), colours.end(), [](const Counted& a, const Counted& b) { return a.colour < b.colour; });
    if (colours.empty()) return;
    std::vector<ColourBox> boxes{boxOf(colours, 0, colours.size())};
    while (boxes.size() < kMost) {
        // What is spread most, and seen most: large plain areas keep their colour.
        const auto weight = [](const ColourBox& box) {
            return box.end - box.begin < 2 ? 0.0 : static_cast<double>(box.spread) * static_cast<double>(box.pixels);
        };
        const auto worst = std::max_element(
            boxes.begin(), boxes.end(), [&](const ColourBox& a, const ColourBox& b) { return weight(a) < weight(b); });
        if (weight(*worst) <= 0) break;
        const ColourBox box = *worst;
        std::sort(colours.begin() + static_cast<std::ptrdiff_t>(box.begin),
                  colours.begin() + static_cast<std::ptrdiff_t>(box.end), [&](const Counted& a, const Counted& b) {
                      const int x = channel(a.colour, box.axis), y = channel(b.colour, box.axis);
                      return x != y ? x < y : a.colour < b.colour;
                  });
        std::uint64_t half = 0;
        std::size_t cut = box.begin;
        while (cut + 1 < box.end && half + colours[cut].count <= box.pixels / 2) half += colours[cut++].count;
        cut = std::clamp(cut, box.begin + 1, box.end - 1);
        *worst = boxOf(colours, box.begin, cut);
        boxes.push_back(boxOf(colours, cut, box.end));
    }
    for (const ColourBox& box : boxes) {
        std::array<std::uint64_t, 3> sum{};
        for (std::size_t i = box.begin; i < box.end; ++i) {
            for (int axis = 0; axis < 3; ++axis)
                sum[static_cast<std::size_t>(axis)] +=
                    colours[i].count * static_cast<std::uint64_t>(channel(colours[i].colour, axis));
            m_entryOf[colours[i].colour] = static_cast<std::uint8_t>(m_entries.size());
        }
        const std::uint64_t all = std::max<std::uint64_t>(box.pixels, 1);
        m_entries.push_back(qRgb(static_cast<int>((sum[0] + all / 2) / all), static_cast<int>((sum[1] + all / 2) / all),
                                 static_cast<int>((sum[2] + all / 2) / all)));
    }
    m_counts.clear();
}

QImage ColourPalette::indexed(const QImage& image) const {
    QImage small(image.size(), QImage::Format_Indexed8);
    small.setColorTable(QList<QRgb>(m_entries.begin(), m_entries.end()));
    for (int y = 0; y < image.height(); ++y) {
        const auto* from = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        uchar* to = small.scanLine(y);
        for (int x = 0; x < image.width(); ++x) to[x] = entryOf(from[x]);
    }
    return small;
}

} // namespace stridescope
