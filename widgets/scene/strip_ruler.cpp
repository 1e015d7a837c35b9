#include "widgets/scene/strip_ruler.h"

#include "widgets/scene/cell_text.h"

#include <charconv>

namespace stridescope {

Index rulerStep(qreal cellWidth, qreal width, bool powersOfTwo) {
    Index step = 1;
    for (int k = 0; static_cast<qreal>(step) * cellWidth < width && k < 120; ++k) {
        if (powersOfTwo) {
            if (step > (Index{1} << 60)) break;
            step *= 2;
        } else {
            if (step > Index{1000000000000000000}) break;
            step = k % 3 == 1 ? step / 2 * 5 : step * 2; // 1, 2, 5, 10, …
        }
    }
    return step;
}

std::string rulerLabel(const StripItem& strip, Index slot) {
    std::string label;
    const auto bytes = static_cast<Index>(strip.source.defined() ? strip.source.itemSize() : 1);
    switch (strip.ruler) {
    case StripItem::Ruler::Elements:
        appendIndex(label, slot);
        break;
    case StripItem::Ruler::Bytes:
        appendIndex(label, slot * bytes);
        break;
    case StripItem::Ruler::Hex: {
        char text[24];
        const auto done =
            std::to_chars(text, text + sizeof text, strip.baseAddress + static_cast<quint64>(slot * bytes), 16);
        label = "0x";
        label.append(text, static_cast<std::size_t>(done.ptr - text));
        break;
    }
    }
    return label;
}

void paintRuler(PaintContext& c, const StripItem& strip, Index row, SlotRange slots) {
    const StripLayout& layout = strip.layout;
    const qreal room = layout.rowPitch - layout.cellHeight;
    if (room < 12 && layout.rowCount() > 1) return;
    constexpr int pixels = 11;
    const qreal advance = monoFace(pixels, QFont::Normal).advance;
    const qreal longest = advance * static_cast<qreal>(rulerLabel(strip, slots.last - 1).size());
    const Index step = rulerStep(layout.cellWidth, longest + 10, strip.ruler != StripItem::Ruler::Elements);
    const QRectF first = layout.cellRect(slots.first);
    const qreal y = first.bottom() + 11;

    // Marked cells have their label first; others give way to them.
    std::vector<std::pair<qreal, qreal>> taken;
    const auto place = [&](Index slot, bool strong) {
        const std::string label = rulerLabel(strip, slot);
        const qreal width = advance * static_cast<qreal>(label.size());
        const QRectF cell = layout.cellRect(slot);
        const qreal x = cell.center().x();
        // Labels of cells at the edges may stand out a little, never far over what is beside the strip.
        if (x < layout.area.left() || x > layout.area.right()) return;
        if (cell.width() < width && (x - width / 2 < layout.area.left() - 8 || x + width / 2 > layout.area.right() + 8))
            return;
        if (!strong) {
            for (const auto& [a, b] : taken) {
                if (x - width / 2 < b && x + width / 2 > a) return;
            }
        }
        c.numbers.add(label, QPointF(x, y), pixels, strong ? QFont::Bold : QFont::Normal,
                      c.colour(strong ? Tone::Ink : Tone::Ink2).rgb());
        if (strong) taken.emplace_back(x - width / 2 - 6, x + width / 2 + 6);
        if (step > 1 && layout.cellWidth < kNumberWidth) {
            c.painter.fillRect(c.snap(QRectF(x - 0.5, cell.bottom() + 1, 1, 3)),
                               c.colour(strong ? Tone::Ink : Tone::Control));
        }
    };
    for (const CellMark& mark : strip.marks) {
        if (mark.kind == MarkKind::Ring && mark.position >= slots.first && mark.position < slots.last)
            place(mark.position, true);
    }
    const Index begin = row * layout.perRow;
    for (Index slot = begin + (slots.first - begin + step - 1) / step * step; slot < slots.last; slot += step) {
        bool marked = false;
        for (const CellMark& mark : strip.marks)
            marked = marked || (mark.kind == MarkKind::Ring && mark.position == slot);
        if (!marked) place(slot, false);
    }
    c.flushNumbers();
}

} // namespace stridescope
