// The sentence about the strides, and its place on the card.

#include "widgets/card/card_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope {

namespace {

using namespace card;

/// Between the cells, or what stands right of them, and the words there.
constexpr qreal kBesideCells = 16;
constexpr qreal kNoteLine = 17;

struct CardCells {
    QRectF area;
    qreal right = 0; ///< of the arrows beside and over them, too
};

CardCells cellsOf(const CardLayout& card) {
    CardCells cells;
    for (const CardPanel& panel : card.panels) cells.area |= panel.area;
    if (card.block) cells.area = card.block->bounds();
    cells.right = cells.area.right();
    for (const CardAxis& axis : card.axes) cells.right = std::max(cells.right, axis.to.x());
    return cells;
}

void putLines(CardLayout& card, QPointF at, const QStringList& lines) {
    for (const QString& line : lines) {
        TextItem item;
        item.pos = at;
        item.text = line;
        item.font = FontRole::Label;
        item.tone = Tone::Ink2;
        card.texts.push_back(item);
        at.ry() += kNoteLine;
    }
}

/// Right of the cells, where the words have room in lines of `room` pixels.
bool putBeside(CardLayout& card, const CardCells& cells, const QString& note, qreal room) {
    const QStringList lines = wrapText(FontRole::Label, note, room);
    const qreal height = kNoteLine * static_cast<qreal>(lines.size());
    if (height > cells.area.height() + 8) return false;
    putLines(card, QPointF(cells.right + kBesideCells, cells.area.center().y() - height / 2 + 13), lines);
    return true;
}

} // namespace

qreal card::layoutNote(CardLayout& card, qreal bottom, qreal width) {
    if (!card.input.note || card.picture) return bottom;
    QString note = strideNote(card.view, card.input.parent);
    if (note.isEmpty() && !overlapCounts(card.view).empty()) {
        note = PaintedText::tr("Cells marked ×n share one storage cell with others: a write to one changes all n.");
    }
    if (note.isEmpty() || (card.panels.empty() && !card.block)) return bottom;
    const CardCells cells = cellsOf(card);
    constexpr qreal kLeastRoom = 96;
    const qreal room = width - kPadding - cells.right - kBesideCells;
    if (room >= kLeastRoom && putBeside(card, cells, note, room)) return bottom;
    // On its right a channel stays free, in which links pass.
    constexpr qreal kChannel = 16;
    const QStringList lines = wrapText(FontRole::Label, note, width - 2 * kPadding - kChannel);
    putLines(card, QPointF(kPadding, bottom + 22), lines);
    qreal widest = 0;
    for (const QString& line : lines) widest = std::max(widest, textWidth(FontRole::Label, line));
    const qreal height = kNoteLine * static_cast<qreal>(lines.size());
    card.noteArea = QRectF(kPadding, bottom + 10, widest, height);
    return bottom + 14 + height;
}

/// "1 234", "10^15": a power of ten is read at a glance, fifteen zeros have to be counted.
static QString timesText(Index times) {
    int zeros = 0;
    Index rest = times;
    for (; rest % 10 == 0; rest /= 10) ++zeros;
    return rest == 1 && zeros >= 6 ? QStringLiteral("10^%1").arg(zeros) : countText(times);
}

namespace {

/// How many cells the strides other than 0 name, and how often those of 0 name each.
struct Repetition {
    Index real = 1, times = 1;
};

Repetition repetitionOf(const View& v) {
    Repetition found;
    for (std::size_t d = 0; d < v.shape.size(); ++d) (v.stride[d] == 0 ? found.times : found.real) *= v.shape[d];
    return found;
}

} // namespace

void card::addRepeatNote(CardLayout& card) {
    if (card.input.note || card.picture || card.view.numel() == 0 || (card.panels.empty() && !card.block)) return;
    const Repetition repeats = repetitionOf(card.view);
    if (repeats.times <= 1) return;
    const QString brief = repeats.real == 1
                              ? PaintedText::tr("stride 0: the same cell")
                              : PaintedText::tr("stride 0: the same %1 cells").arg(countText(repeats.real));
    const CardCells cells = cellsOf(card);
    const qreal room = card.size.width() - kPadding - cells.right - kBesideCells;
    for (const QString& words : {strideNote(card.view, card.input.parent), brief}) {
        // A line holds a word at least, and the sign that leads it.
        constexpr qreal kLeastRoom = 56;
        if (room >= kLeastRoom && putBeside(card, cells, words, room)) return;
        // Under them in one line, in air that the card has anyway.
        qreal bottom = cells.area.bottom();
        for (const CardAxis& axis : card.axes) bottom = std::max(bottom, axis.to.y());
        const qreal left = card.input.wide ? cells.area.left() : kPadding;
        const qreal width = textWidth(FontRole::Label, words);
        constexpr qreal kBaseline = 18, kRim = 14; // feet of tethers stand on the edge
        if (bottom + kBaseline + kRim <= card.size.height() && left + width + kPadding <= card.size.width()) {
            putLines(card, QPointF(left, bottom + kBaseline), {words});
            card.noteArea = QRectF(left, bottom + 6, width, kNoteLine);
            return;
        }
        // At the end of the line that says what is out of sight.
        for (const TextItem& item : card.texts) {
            const QPointF at(item.pos.x() + textWidth(item.font, item.text) + kBesideCells, item.pos.y());
            if (!item.text.startsWith(QChar(0x2026)) || at.x() + width + kPadding > card.size.width()) continue;
            return putLines(card, at, {words});
        }
    }
}

QString strideNote(const View& v, const TensorEntry* parent) {
    const std::size_t rank = v.shape.size();
    if (v.numel() == 0) return {};
    // Repetition first: it is what people get wrong.
    if (const Repetition repeats = repetitionOf(v); repeats.times > 1) {
        const QString times = timesText(repeats.times);
        return repeats.real == 1
                   ? PaintedText::tr("stride 0: the same cell seen %1 times.").arg(times)
                   : PaintedText::tr("stride 0: the same %1 cells seen %2 times.").arg(countText(repeats.real), times);
    }
    for (std::size_t d = 0; d < rank; ++d) {
        if (v.stride[d] < 0 && v.shape[d] > 1) {
            return PaintedText::tr("Stride %1: dim %2 walks backwards through the storage.").arg(v.stride[d]).arg(d);
        }
    }
    if (parent && parent->tensor.defined() && parent->tensor.view().offset == v.offset && rank >= 2) {
        const View& p = parent->tensor.view();
        const auto pairs = [](const View& w) {
            std::vector<std::pair<Index, Index>> all;
            for (std::size_t d = 0; d < w.shape.size(); ++d) all.emplace_back(w.shape[d], w.stride[d]);
            return all;
        };
        auto mine = pairs(v);
        auto theirs = pairs(p);
        if (mine != theirs) {
            std::sort(mine.begin(), mine.end());
            std::sort(theirs.begin(), theirs.end());
            if (mine == theirs) {
                // Two pairs that differ are swapped; of three or more only the order is another.
                std::size_t moved = 0;
                for (std::size_t d = 0; d < rank; ++d) moved += v.shape[d] != p.shape[d] || v.stride[d] != p.stride[d];
                const QString how =
                    moved == 2 ? PaintedText::tr("Same %1 storage cells as %2: sizes and strides swapped.")
                               : PaintedText::tr("Same %1 storage cells as %2: sizes and strides in another order.");
                return how.arg(v.numel()).arg(parent->name);
            }
        }
    }
    if (rank == 2 && v.shape[0] > 1 && v.shape[1] >= 1 && v.stride[1] == 1 && v.stride[0] > v.shape[1]) {
        return PaintedText::tr("Rows start %1 apart: going down one row jumps over %2 %3.")
            .arg(v.stride[0])
            .arg(v.stride[0] - v.shape[1])
            .arg(v.stride[0] - v.shape[1] == 1 ? PaintedText::tr("cell") : PaintedText::tr("cells"));
    }
    if (rank == 1 && v.shape[0] > 1 && v.stride[0] > 1) {
        return PaintedText::tr("Every step jumps over %1 %2.")
            .arg(v.stride[0] - 1)
            .arg(v.stride[0] == 2 ? PaintedText::tr("cell") : PaintedText::tr("cells"));
    }
    return {};
}

} // namespace stridescope
