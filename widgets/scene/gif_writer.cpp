#include "widgets/scene/gif_writer.h"

#include <algorithm>
#include <unordered_map>

namespace stridescope {

namespace {

void putWord(QByteArray& out, int value) {
    out.append(static_cast<char>(value & 0xff));
    out.append(static_cast<char>((value >> 8) & 0xff));
}

/// GIF's variable-length LZW over 8-bit indices, in blocks of up to 255 bytes.
class LzwWriter {
public:
    explicit LzwWriter(QByteArray& out) : m_out(out) {
        m_out.append(char{kBits});
        clear();
    }
    void put(std::uint8_t index) {
        if (m_prefix < 0) {
            m_prefix = index;
            return;
        }
        const std::uint32_t key = (static_cast<std::uint32_t>(m_prefix) << 8) | index;
        if (const auto found = m_codes.find(key); found != m_codes.end()) {
            m_prefix = found->second;
            return;
        }
        emitCode(m_prefix);
        m_codes.emplace(key, m_next);
        // A reader is one code behind: it widens its codes when it has made the one that needs it.
        if (m_next == 1 << m_width && m_width < kWidest) ++m_width;
        ++m_next;
        if (m_next > kMostCodes) clear();
        m_prefix = index;
    }
    void finish() {
        if (m_prefix >= 0) emitCode(m_prefix);
        emitCode(kEnd);
        if (m_bits > 0) byte(static_cast<std::uint8_t>(m_pending & 0xff));
        flush();
        m_out.append('\0');
    }

private:
    static constexpr char kBits = 8;
    static constexpr int kClear = 1 << kBits, kEnd = kClear + 1, kWidest = 12, kMostCodes = (1 << kWidest) - 1;

    void clear() {
        emitCode(kClear);
        m_codes.clear();
        m_next = kEnd + 1;
        m_width = kBits + 1;
    }
    void emitCode(int code) {
        m_pending |= static_cast<std::uint32_t>(code) << m_bits;
        m_bits += m_width;
        while (m_bits >= 8) {
            byte(static_cast<std::uint8_t>(m_pending & 0xff));
            m_pending >>= 8;
            m_bits -= 8;
        }
    }
    void byte(std::uint8_t value) {
        m_block.append(static_cast<char>(value));
        if (m_block.size() == 255) flush();
    }
    void flush() {
        if (m_block.isEmpty()) return;
        m_out.append(static_cast<char>(m_block.size()));
        m_out.append(m_block);
        m_block.clear();
    }

    QByteArray& m_out;
    QByteArray m_block;
    std::unordered_map<std::uint32_t, int> m_codes;
    std::uint32_t m_pending = 0;
    int m_bits = 0, m_width = kBits + 1, m_next = kEnd + 1, m_prefix = -1;
};

void putFrame(QByteArray& out, const QImage& image, const QRect& part, int hundredths, const ColourPalette& palette) {
    out.append("\x21\xf9\x04\x04", 4); // graphic control: the frame stays when the next one comes
    putWord(out, std::clamp(hundredths, 0, 65535));
    out.append("\0\0", 2);
    out.append('\x2c');
    putWord(out, part.x());
    putWord(out, part.y());
    putWord(out, part.width());
    putWord(out, part.height());
    out.append('\0');
    LzwWriter lzw(out);
    for (int y = part.top(); y <= part.bottom(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = part.left(); x <= part.right(); ++x) lzw.put(palette.entryOf(line[x]));
    }
    lzw.finish();
}

} // namespace

QRect changedPart(const QImage& before, const QImage& after) {
    const auto sameLine = [&](int y) {
        return std::equal(before.constScanLine(y), before.constScanLine(y) + 4 * before.width(),
                          after.constScanLine(y));
    };
    int top = 0, bottom = before.height() - 1;
    while (top <= bottom && sameLine(top)) ++top;
    while (bottom > top && sameLine(bottom)) --bottom;
    if (top > bottom) return {};
    int left = before.width(), right = -1;
    for (int y = top; y <= bottom; ++y) {
        const auto* x = reinterpret_cast<const QRgb*>(before.constScanLine(y));
        const auto* z = reinterpret_cast<const QRgb*>(after.constScanLine(y));
        int first = 0, last = before.width() - 1;
        while (first < left && x[first] == z[first]) ++first;
        while (last > right && x[last] == z[last]) --last;
        left = std::min(left, first);
        right = std::max(right, last);
    }
    return QRect(QPoint(left, top), QPoint(right, bottom));
}

GifWriter::GifWriter(QSize size, const ColourPalette& palette, int loops) : m_palette(palette), m_out("GIF89a") {
    putWord(m_out, size.width());
    putWord(m_out, size.height());
    m_out.append("\xf7\0\0", 3); // a global palette of 256 colours
    for (std::size_t i = 0; i < ColourPalette::kMost; ++i) {
        const QRgb colour = i < palette.entries().size() ? palette.entries()[i] : qRgb(0, 0, 0);
        for (const int part : {qRed(colour), qGreen(colour), qBlue(colour)}) m_out.append(static_cast<char>(part));
    }
    m_out.append("\x21\xff\x0bNETSCAPE2.0\x03\x01", 16);
    putWord(m_out, loops);
    m_out.append('\0');
}

void GifWriter::add(const QImage& image, int hundredths) {
    QRect part = m_last.isNull() ? QRect(QPoint(), image.size()) : changedPart(m_last, image);
    if (part.isEmpty()) part = QRect(0, 0, 1, 1); // the time goes on all the same
    putFrame(m_out, image, part, hundredths, m_palette);
    m_last = image;
}

QByteArray GifWriter::finish() {
    m_out.append('\x3b');
    return std::move(m_out);
}

} // namespace stridescope
