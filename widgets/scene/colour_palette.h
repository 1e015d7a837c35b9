#pragma once
// ColourPalette: at most 256 colours for pictures that have more.

#include <QImage>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace stridescope {

/// Colours are found by halving the most spread boxes of those that occur (median cut); pictures with no more than 256
/// keep theirs exactly, and large plain areas keep theirs always. The same pictures give the same palette.
class ColourPalette {
public:
    static constexpr std::size_t kMost = 256;

    /// The colours of a picture of Format_RGB32 will be needed.
    void add(const QImage& image);
    /// Finds the entries; nothing is added any more.
    void settle();
    const std::vector<QRgb>& entries() const { return m_entries; }
    /// Precondition: settle() was called, and the colour occurs in one of the pictures.
    std::uint8_t entryOf(QRgb colour) const { return m_entryOf.at(colour | 0xff000000u); }
    /// The picture with 8 bits a pixel.
    QImage indexed(const QImage& image) const;

private:
    std::unordered_map<QRgb, std::uint64_t> m_counts;
    std::vector<QRgb> m_entries;
    std::unordered_map<QRgb, std::uint8_t> m_entryOf;
};

} // namespace stridescope
