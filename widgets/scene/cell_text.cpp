#include "widgets/scene/cell_text.h"
#include "widgets/scene/odd_values.h"
#include "widgets/scene/tiles.h"

#include <charconv>
#include <cmath>

namespace stridescope {

namespace {

const QColor kDark(0x15, 0x18, 0x1D);

/// Pixels of the index under a value.
constexpr int kSmallPixels = 10;
constexpr qreal kSmallAdvance = 6;   ///< of a letter that small
constexpr qreal kAddressHeight = 32; ///< of a cell with the bytes below its value
/// From a cell's bottom to the middle of the small line: a ring reaches 3.3 px into the cell.
constexpr qreal kSmallLine = 9;
/// What such a line takes at an edge of its cell.
constexpr qreal kSmallBand = kSmallLine + kSmallPixels * 0.45;

} // namespace

void appendIndex(std::string& out, Index value) {
    char text[24];
    const auto done = std::to_chars(text, text + sizeof text, value);
    out.append(text, static_cast<std::size_t>(done.ptr - text));
}

CellTextPainter::CellTextPainter(PaintContext& context, const CellValues& values, QSizeF cell, CellText kind,
                                 std::optional<ColourMap> map)
    : m_context(context), m_values(values), m_cell(cell), m_kind(kind), m_map(std::move(map)),
      m_least(context.theme.leastPixels()), m_mostChars(cellFont(cell, 100, m_least).maxChars), m_font(fontFor(2)) {}

QColor CellTextPainter::heatColour(Index slot) const {
    const double value = m_values.at(slot);
    if (!std::isfinite(value)) return QColor(oddLook(value).ground);
    return QColor(m_map->rgb(value));
}

void CellTextPainter::appendText(Index slot, std::size_t maxChars) {
    if (m_kind == CellText::None) return;
    if (m_kind == CellText::Index) {
        appendIndex(m_arena, slot);
    } else if (m_values.readable() && m_values.holds(slot)) {
        m_values.appendText(m_arena, slot, maxChars);
    }
}

void CellTextPainter::measure(Index slot) {
    m_arena.clear();
    appendText(slot, m_mostChars);
    m_longest = std::max(m_longest, m_arena.size());
    m_arena.clear();
}

CellFont CellTextPainter::fontFor(std::size_t longest) const {
    QSizeF room = m_cell;
    if (!smallLines()) return cellFont(room, std::max<std::size_t>(longest, 2), m_least);
    if (m_kind == CellText::Both && room.height() >= 28 && room.width() < kAddressWidth) room.rheight() *= 0.8;
    if (room.width() >= kAddressWidth && room.height() >= kAddressHeight && room.height() < 56) room.rheight() *= 0.8;
    return cellFont(room, std::max<std::size_t>(longest, 2), m_least);
}

qreal CellTextPainter::widest() const {
    return monoFace(m_font.pixels, QFont::Medium).advance * static_cast<qreal>(std::min(m_longest, m_font.maxChars));
}

bool CellTextPainter::smallLines() const {
    return m_least <= kSmallPixels;
}

bool CellTextPainter::twoLines() const {
    if (!smallLines()) return false;
    if (m_kind == CellText::Both && m_cell.height() >= 28) return true;
    return m_cell.width() >= kAddressWidth && m_cell.height() >= kAddressHeight;
}

void CellTextPainter::add(const QRectF& cell, Index slot, const QColor& fill, Ground ground) {
    if (m_kind == CellText::None) return;
    const std::size_t start = m_arena.size();
    appendText(slot, m_font.maxChars);
    const std::size_t length = m_arena.size() - start;
    m_entries.push_back(
        {cell, slot, fill.rgb(), ground, false, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(length)});
}

void CellTextPainter::addStriped(const QRectF& cell, Index slot, const QColor& fill, const QRectF& tile) {
    if (m_kind == CellText::None) return;
    add(cell, slot, fill, Ground::Striped);
    m_entries.back().stripes = m_stripes.size();
    m_stripes.push_back(tile);
}

void CellTextPainter::addBeyond(const QRectF& cell, Index slot, bool skipped) {
    const std::size_t start = m_arena.size();
    appendIndex(m_arena, slot);
    m_entries.push_back({cell, slot, 0, skipped ? Ground::Skipped : Ground::Plain, true,
                         static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(m_arena.size() - start)});
}

void CellTextPainter::plate(const QRectF& room, QPointF centre, std::size_t chars, int pixels, const QColor& colour) {
    QRectF r(0, 0, monoFace(pixels, QFont::Medium).advance * static_cast<qreal>(chars) + 8, pixels * 1.3);
    r.moveCenter(centre);
    m_context.painter.fillRect(m_context.snap(r.intersected(room.adjusted(1, 1, -1, -1))), colour);
}

void CellTextPainter::clearStripes(const Entry& entry, QPointF centre, std::size_t chars, int pixels, qreal advance) {
    QRectF r(0, 0, advance * static_cast<qreal>(chars) + 6, pixels * 0.72 + 6);
    r.moveCenter(centre);
    const QRectF& tile = m_stripes[entry.stripes];
    m_context.painter.fillRect(m_context.snap(r.intersected(tile.adjusted(1, 1, -1, -1))), QColor(entry.fill));
}

QColor CellTextPainter::inkOn(const Entry& entry, bool& wantsPlate) {
    wantsPlate = false;
    switch (entry.ground) {
    case Ground::View:
    case Ground::Striped:
        return m_context.colour(Tone::OnView);
    case Ground::Ghost:
        return m_context.theme.ghostInk();
    case Ground::Skipped:
        return m_context.colour(Tone::Ink2);
    case Ground::Plain:
        return m_context.colour(Tone::Ink);
    case Ground::Heat:
        break;
    }
    // Asked for each cell; a colour map has only 256 answers.
    auto known = m_inks.constFind(entry.fill);
    if (known == m_inks.constEnd()) {
        const QColor ground(entry.fill);
        const double least = m_context.theme.textContrast();
        const int ink = contrastRatio(ground, Qt::black) >= least   ? 0
                        : contrastRatio(ground, Qt::white) >= least ? 1
                                                                    : 2;
        known = m_inks.insert(entry.fill, ink);
    }
    wantsPlate = *known == 2;
    return *known == 0 ? Qt::black : Qt::white;
}

/// NaN, infinities and truth values: told apart by shape and ground, not by hue. Their grounds stay in `room`: what
/// stands beside the value is covered by none.
void CellTextPainter::paintSpecial(const Entry& entry, QPointF centre, const QRectF& room, std::string_view text,
                                   const CellFont& font) {
    const QRectF& cell = entry.cell;
    NumberBatch& numbers = m_context.numbers;
    bool unused = false;
    if (m_values.dtype() == DType::Bool) {
        const bool yes = text == "T";
        const QColor ground = yes ? kDark : QColor(Qt::white);
        const bool faded = entry.ground == Ground::Ghost || entry.ground == Ground::Skipped;
        const qreal share = entry.ground == Ground::Heat ? 0 : entry.ground == Ground::Striped ? 0.24 : 0.16;
        const qreal inset = std::max(1.0, std::min(cell.width(), cell.height()) * share);
        if (!faded)
            m_context.painter.fillRect(m_context.snap(cell.adjusted(inset, inset, -inset, -inset).intersected(room)),
                                       ground);
        const QColor ink = faded ? inkOn(entry, unused) : yes ? QColor(Qt::white) : kDark;
        numbers.add(text, centre, font.pixels, QFont::DemiBold, ink.rgb());
        return;
    }
    if (entry.ground == Ground::Heat) {
        if (text == "nan") m_context.frame(cell, m_context.colour(Tone::Control));
        const OddLook look = oddLook(m_values.at(entry.slot));
        numbers.add(look.letter, centre, font.pixels + 1, QFont::Bold, look.ink);
        return;
    }
    const bool solid = entry.ground == Ground::View || entry.ground == Ground::Striped;
    if (solid) plate(room, centre, text.size(), font.pixels, Qt::white);
    numbers.add(text, centre, font.pixels, QFont::Bold, (solid ? kDark : inkOn(entry, unused)).rgb());
}

void CellTextPainter::paintValue(const Entry& entry, const CellFont& font) {
    const std::string_view text(m_arena.data() + entry.start, entry.length);
    NumberBatch& numbers = m_context.numbers;
    const QRectF& cell = entry.cell;
    if (entry.beyond) {
        CellFont own = cellFont(m_cell, text.size() + 1, m_least);
        own.pixels = std::max(m_least, std::min(own.pixels - 1, 20));
        plate(cell, cell.center(), text.size(), own.pixels, m_context.colour(Tone::Stage));
        const bool skipped = entry.ground == Ground::Skipped;
        numbers.add(text, cell.center(), own.pixels, skipped ? QFont::Normal : QFont::DemiBold,
                    m_context.colour(skipped ? Tone::Ink2 : Tone::Ink).rgb());
        return;
    }
    QPointF centre = cell.center();
    const bool wide = smallLines() && m_cell.width() >= kAddressWidth && m_cell.height() >= 56;
    const bool both = smallLines() && m_kind == CellText::Both && m_cell.height() >= 28;
    // Wide but low, as on a strip: the index stands under the cell already, the bytes find room below the value.
    const bool low = smallLines() && !wide && m_cell.width() >= kAddressWidth && m_cell.height() >= kAddressHeight;
    QRectF room = cell.adjusted(1, 1, -1, -1);
    if (wide) {
        room.adjust(0, kSmallBand, 0, -kSmallBand);
    } else if (both || low) {
        centre.ry() -= kSmallPixels * 0.45;
        room.setBottom(cell.bottom() - kSmallBand);
    }
    bool wantsPlate = false;
    const QColor ink = inkOn(entry, wantsPlate);
    if (entry.length == 0) {
        // No value can be shown (another device, not written yet): three dots.
        const qreal gap = std::min(8.0, cell.width() / 5);
        Smooth smooth(m_context.painter);
        m_context.painter.setPen(Qt::NoPen);
        m_context.painter.setBrush(ink);
        for (const int i : {-1, 0, 1}) m_context.painter.drawEllipse(centre + QPointF(i * gap, 0), 1.8, 1.8);
    } else if (m_kind != CellText::Index &&
               (m_values.dtype() == DType::Bool || text == "nan" || text == "inf" || text == "-inf")) {
        paintSpecial(entry, centre, room, text, font);
    } else {
        if (wantsPlate) plate(room, centre, entry.length, font.pixels, kDark);
        if (entry.ground == Ground::Striped)
            clearStripes(entry, centre, entry.length, font.pixels, monoFace(font.pixels, QFont::Medium).advance);
        // Thin light digits on a dark stage are paler than their ink: those of ghosts, on the lightest ground there,
        // most.
        const bool ghost = entry.ground == Ground::Ghost && m_context.theme.kind() == ThemeKind::Dark;
        const bool coloured =
            entry.ground == Ground::View || entry.ground == Ground::Striped || entry.ground == Ground::Heat;
        const QFont::Weight weight = ghost ? QFont::DemiBold : coloured ? QFont::Medium : QFont::Normal;
        numbers.add(text, centre, font.pixels, weight, ink.rgb());
        if (m_map && entry.ground == Ground::Heat && m_values.readable()) {
            const double value = m_values.at(entry.slot);
            const QPointF corner(cell.right() - 6, cell.top() + 7);
            const int pixels = std::max(11, m_least);
            if (value > m_map->high()) numbers.add("+", corner, pixels, QFont::Bold, ink.rgb());
            if (value < m_map->low()) numbers.add("-", corner, pixels, QFont::Bold, ink.rgb());
        }
    }
    if (!both && !wide && !low) return;
    const QRgb quiet = entry.ground == Ground::Plain ? m_context.colour(Tone::Ink2).rgb() : ink.rgb();
    std::string small;
    appendIndex(small, entry.slot);
    const std::string range = byteRange(entry.slot);
    const auto fits = [this](std::size_t letters) {
        return static_cast<qreal>(letters) * kSmallAdvance <= m_cell.width() - 8;
    };
    const auto smallLine = [&](const std::string& line, QPointF at, Qt::Alignment align) {
        const qreal half = kSmallAdvance * static_cast<qreal>(line.size()) / 2;
        const qreal aside = align == Qt::AlignLeft ? half : align == Qt::AlignRight ? -half : 0;
        if (entry.ground == Ground::Striped)
            clearStripes(entry, at + QPointF(aside, 0), line.size(), kSmallPixels, kSmallAdvance);
        numbers.add(line, at, kSmallPixels, QFont::Normal, quiet, align);
    };
    if (low) {
        std::string line = range;
        if (both) line = fits(small.size() + 2 + range.size()) ? small + "  " + range : small;
        if (fits(line.size()))
            smallLine(line, QPointF(cell.center().x(), cell.bottom() - kSmallLine), Qt::AlignHCenter);
        return;
    }
    if (!wide) {
        smallLine(small, QPointF(centre.x(), cell.bottom() - kSmallLine), Qt::AlignHCenter);
        return;
    }
    small.insert(0, "[");
    small += ']';
    smallLine(small, QPointF(cell.left() + 6, cell.top() + 10), Qt::AlignLeft);
    if (fits(range.size())) smallLine(range, QPointF(cell.right() - 6, cell.bottom() - 10), Qt::AlignRight);
}

std::string CellTextPainter::byteRange(Index slot) const {
    const auto bytes = static_cast<Index>(itemSize(m_values.dtype()));
    std::string range(bytes > 1 ? "bytes " : "byte ");
    appendIndex(range, slot * bytes);
    if (bytes > 1) {
        range += '-';
        appendIndex(range, slot * bytes + bytes - 1);
    }
    return range;
}

void CellTextPainter::paint() {
    for (const Entry& entry : m_entries) paintValue(entry, m_font);
    m_context.flushNumbers();
    m_entries.clear();
    m_stripes.clear();
    m_arena.clear();
}

} // namespace stridescope
