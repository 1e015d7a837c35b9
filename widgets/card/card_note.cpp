// The sentence about the strides, and its place on the card.

#include "widgets/card/card_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope {

qreal card::layoutNote(CardLayout& card, qreal bottom, qreal width) {
    if (!card.input.note || card.picture) return bottom;
    QString note = strideNote(card.view, card.input.parent);
    if (note.isEmpty() && !overlapCounts(card.view).empty()) {
        note = PaintedText::tr("Cells marked ×n share one storage cell with others: a write to one changes all n.");
    }
    if (note.isEmpty() || (card.panels.empty() && !card.block)) return bottom;
    QRectF cells;
    for (const CardPanel& panel : card.panels) cells |= panel.area;
    if (card.block) cells = card.block->bounds();
    qreal right = cells.right();
    for (const CardAxis& axis : card.axes) right = std::max(right, axis.to.x());
    const auto put = [&](QPointF at, const QStringList& lines) {
        for (const QString& line : lines) {
            TextItem item;
            item.pos = at;
            item.text = line;
            item.font = FontRole::Label;
            item.tone = Tone::Ink2;
            card.texts.push_back(item);
            at.ry() += 17;
        }
    };
    const qreal room = width - kPadding - right - 16;
    if (room >= 96) {
        const QStringList lines = wrapText(FontRole::Label, note, room);
        const qreal height = 17 * static_cast<qreal>(lines.size());
        if (height <= cells.height() + 8) {
            put(QPointF(right + 16, cells.center().y() - height / 2 + 13), lines);
            return bottom;
        }
    }
    // On its right a channel stays free, in which links pass.
    constexpr qreal kChannel = 16;
    const QStringList lines = wrapText(FontRole::Label, note, width - 2 * kPadding - kChannel);
    put(QPointF(kPadding, bottom + 22), lines);
    qreal widest = 0;
    for (const QString& line : lines) widest = std::max(widest, textWidth(FontRole::Label, line));
    card.noteArea = QRectF(kPadding, bottom + 10, widest, 17 * static_cast<qreal>(lines.size()));
    return bottom + 14 + 17 * static_cast<qreal>(lines.size());
}

/// "1 234", "10^15": a power of ten is read at a glance, fifteen zeros have to be counted.
static QString timesText(Index times) {
    int zeros = 0;
    Index rest = times;
    for (; rest % 10 == 0; rest /= 10) ++zeros;
    return rest == 1 && zeros >= 6 ? QStringLiteral("10^%1").arg(zeros) : countText(times);
}

QString strideNote(const View& v, const TensorEntry* parent) {
    const std::size_t rank = v.shape.size();
    if (v.numel() == 0) return {};
    // Repetition first: it is what people get wrong.
    Index times = 1;
    Index real = 1;
    for (std::size_t d = 0; d < rank; ++d) (v.stride[d] == 0 ? times : real) *= v.shape[d];
    if (times > 1) {
        return real == 1 ? PaintedText::tr("stride 0: the same cell seen %1 times.").arg(timesText(times))
                         : PaintedText::tr("stride 0: the same %1 cells seen %2 times.")
                               .arg(countText(real), timesText(times));
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
