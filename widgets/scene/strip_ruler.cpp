#include "widgets/scene/strip_ruler.h"

#include "widgets/scene/cell_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

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
    const int pixels = std::max(11, c.theme.leastPixels());
    const qreal advance = monoFace(pixels, QFont::Normal).advance;
    const qreal longest = advance * static_cast<qreal>(rulerLabel(strip, slots.last - 1).size());
    const Index step = rulerStep(layout.cellWidth, longest + 10, strip.ruler != StripItem::Ruler::Elements);
    const QRectF first = layout.cellRect(slots.first);
    const qreal y = first.bottom() + 11;
    // Of a row that is scrolled half away, above the strip or under what stands below it.
    if (layout.rowShift > 0 && (y - 5 < layout.area.top() || y + 5 > layout.area.bottom())) return;

    // Marked cells have their label first; others give way to them.
    std::vector<std::pair<qreal, qreal>> taken;
    const auto place = [&](Index slot, bool strong) {
        const std::string label = rulerLabel(strip, slot);
        const qreal width = advance * static_cast<qreal>(label.size());
        const QRectF cell = layout.cellRect(slot);
        const qreal middle = cell.center().x();
        if (middle < layout.area.left() || middle > layout.area.right()) return;
        // Labels of cells at the edges may stand out a little, never far over what is beside the strip: an address at
        // the start of a row moves to the right, with a tick at its cell.
        constexpr qreal kOut = 8;
        const qreal low = layout.area.left() - kOut + width / 2, high = layout.area.right() + kOut - width / 2;
        const qreal x = cell.width() >= width || low > high ? middle : std::clamp(middle, low, high);
        if (low > high && cell.width() < width) return;
        for (const auto& [a, b] : taken) {
            if (!strong && x - width / 2 < b && x + width / 2 > a) return;
        }
        c.numbers.add(label, QPointF(x, y), pixels, strong ? QFont::Bold : QFont::Normal,
                      c.colour(strong ? Tone::Ink : Tone::Ink2).rgb());
        const qreal apart = strong ? 6 : 3;
        taken.emplace_back(x - width / 2 - apart, x + width / 2 + apart);
        if ((step > 1 && layout.cellWidth < kNumberWidth) || x != middle) {
            c.painter.fillRect(c.snap(QRectF(middle - 0.5, cell.bottom() + 1, 1, 3)),
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

namespace {

constexpr int kRowIndexPixels = 11;
constexpr qreal kRowIndexGap = 6;

} // namespace

qreal rowIndexWidth(const StripItem& strip) {
    const std::string longest = rulerLabel(strip, std::max<Index>(strip.layout.cellCount - 1, 0));
    const qreal advance = monoFace(kRowIndexPixels, QFont::Normal).advance;
    return advance * static_cast<qreal>(longest.size()) + 2 * kRowIndexGap;
}

void paintRowIndex(PaintContext& c, const StripItem& strip) {
    const StripLayout& layout = strip.layout;
    // Only a cell in sight is named at both edges: where its row and its column cross, another one would be shown.
    Index ring = -1;
    for (const CellMark& mark : strip.marks) {
        const QPointF middle = layout.cellRect(mark.position).center();
        const bool inSight = middle.x() >= layout.area.left() - 1 && middle.x() <= layout.area.right() + 1 &&
                             middle.y() >= layout.area.top() && middle.y() <= layout.area.bottom();
        if (mark.kind == MarkKind::Ring && inSight) ring = mark.position;
    }
    const auto label = [&c](const std::string& text, QPointF at, bool strong, Qt::Alignment align) {
        c.numbers.add(text, at, std::max(kRowIndexPixels, c.theme.leastPixels()), strong ? QFont::Bold : QFont::Normal,
                      c.colour(strong ? Tone::Ink : Tone::Ink2).rgb(), align);
    };
    // The row of the marked cell has its label first; others keep their distance.
    const SlotRange rows = layout.visibleRows({});
    const Index every = std::max<Index>(1, static_cast<Index>(std::ceil(15 / std::max<qreal>(layout.rowPitch, 1))));
    // Of a few high rows none may be a multiple: then the first one says where one is.
    const bool few = rows.last - rows.first < every;
    const Index marked = ring >= 0 ? ring / layout.perRow : -every;
    for (Index row = rows.first; row < rows.last; ++row) {
        const bool strong = row == marked;
        const bool due = few ? row == rows.first : row % every == 0;
        if (!strong && (!due || (marked >= 0 && std::abs(row - marked) < every))) continue;
        const Index slot = row * layout.perRow;
        const qreal y = layout.cellRect(slot).center().y();
        if (y < layout.area.top() || y > layout.area.bottom()) continue;
        label(rulerLabel(strip, slot), QPointF(layout.area.left() - kRowIndexGap, y), strong, Qt::AlignRight);
    }
    // Distances are labels of a strip that begins at 0.
    StripItem distances;
    distances.ruler = strip.ruler;
    distances.source = strip.source;
    const auto distance = [&distances](Index column) { return "+" + rulerLabel(distances, column); };
    const qreal advance = monoFace(kRowIndexPixels, QFont::Normal).advance;
    const qreal longest = advance * static_cast<qreal>(distance(layout.perRow - 1).size());
    const Index step = rulerStep(layout.cellWidth, longest + 10, strip.ruler != StripItem::Ruler::Elements);
    const Index last = std::min(
        layout.perRow, layout.firstColumn + static_cast<Index>(std::ceil(layout.area.width() / layout.cellWidth)) + 1);
    const Index ringColumn = ring >= 0 ? ring % layout.perRow : -1;
    qreal ringX = -1e9;
    const auto place = [&](Index column, bool strong) {
        const qreal x = layout.area.left() +
                        (static_cast<qreal>(column - layout.firstColumn) + 0.5) * layout.cellWidth - layout.columnShift;
        if (x < layout.area.left() || x + longest / 2 > layout.area.right() + 8) return;
        if (!strong && std::abs(x - ringX) < longest + 4) return;
        if (strong) ringX = x;
        const QColor tone = c.colour(strong ? Tone::Ink : Tone::Control);
        c.painter.fillRect(c.snap(QRectF(x - 0.5, layout.area.bottom() + 1, 1, 3)), tone);
        label(distance(column), QPointF(std::max(x, layout.area.left() + longest / 2 - 8), layout.area.bottom() + 11),
              strong, Qt::AlignHCenter);
    };
    if (ringColumn >= layout.firstColumn && ringColumn < last) place(ringColumn, true);
    for (Index column = (layout.firstColumn + step - 1) / step * step; column < last; column += step) {
        if (column != ringColumn) place(column, false);
    }
    c.flushNumbers();
}

} // namespace stridescope
