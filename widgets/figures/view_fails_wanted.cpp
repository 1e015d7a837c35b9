// Facts, cards and the wanted row of the view-fails figure.

#include "core/view/view_ops.h"
#include "core/view/walk.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/view_fails_parts.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::fails {

Facts factsOf(const ViewFailsInput& input) {
    Facts f{
        input, input.entry->tensor, input.entry->tensor.view(), std::get<ViewMergeFailure>(input.refusal.detail), {},
        {}};
    const Result<Dims> wanted =
        inferShape(std::span<const Index>(input.wanted.data(), input.wanted.size()), f.view.numel());
    f.wanted = wanted.ok() ? *wanted : input.wanted;
    f.columns = f.wanted.empty() ? 1 : std::max<Index>(1, f.wanted.back());
    f.storageNumel = f.tensor.storageNumel();
    f.firstPosition = std::max<Index>(0, f.why.position - 64);
    f.slots = visitedSlots(f.view, f.firstPosition, 128);
    const std::size_t at = static_cast<std::size_t>(f.why.position - f.firstPosition);
    f.before = f.slots[at - 1];
    f.needed = f.slots[at];
    f.expected = f.before + f.why.stepSoFar;
    return f;
}

static bool knows(const Facts& f, Index position) {
    return position >= f.firstPosition && position < f.firstPosition + std::ssize(f.slots);
}

Index runLength(const Facts& f) {
    Index n = 1;
    while (knows(f, f.why.position - n - 1) &&
           slotAt(f, f.why.position - n) - slotAt(f, f.why.position - n - 1) == f.why.stepSoFar) {
        ++n;
    }
    return n;
}

QString stepsSoFar(const Facts& f) {
    // Twice says that it is a habit; long numbers have no room for that.
    const Index most = stepText(f.why.stepSoFar).size() > 5 ? 1 : 2;
    const Index steps = std::min(most, runLength(f) - 1);
    QString text;
    for (Index i = 0; i < std::max<Index>(steps, 1); ++i)
        text += (i ? QStringLiteral(", ") : QString()) + stepText(f.why.stepSoFar);
    return text;
}

/// Between two texts beside one another: less reads as one.
static constexpr qreal kBeside = 6;
/// Between a row of the card and the words beside it; lower cells than that have no room for an arrow.
static constexpr qreal kNoteGap = 18, kArrowCell = 30;

/// Wide enough for its cells and the words beside them.
static qreal cardWidth(const CardLayout& card, const Facts& f, qreal most) {
    qreal notes = 0;
    if (card.view.dim() == 2 && !card.panels.empty()) {
        const QString longest = coordOfPosition(f.view, f.why.position)[0] == 1 ? PaintedText::tr("read first")
                                                                                : PaintedText::tr("read before");
        notes = card.panels[0].area.right() + kNoteGap + textWidth(FontRole::LabelStrong, longest) + 14;
    }
    return std::max({card.size.width(), std::min<qreal>(most, 306), notes});
}

QPointF appendCards(SceneBuilder& out, const Facts& f, QPointF at, qreal& rowHeight) {
    const ViewFailsInput& in = f.input;
    const bool withParent =
        f.parentCard && in.parent && in.parent->tensor.defined() && in.parent->tensor.storage() == f.tensor.storage();
    // The walk needs most of the room; the tensor itself comes first, its source gets what is left.
    constexpr qreal kLeastCard = 200;
    const qreal leastWanted = f.slim ? 290 : 330;
    const qreal most = withParent ? std::min<qreal>(312, (f.width - 2 * kGap) * 0.34)
                                  : std::min<qreal>(420, std::min(f.width * 0.47, f.width - kGap - leastWanted));
    const auto layoutOf = [&](const TensorEntry* entry, qreal width, bool still) {
        CardInput card;
        card.entry = entry;
        card.storageNumber = in.storageNumber;
        card.parent = entry == in.entry ? in.parent : nullptr;
        card.compact = true;
        card.note = false;
        card.slim = f.slim;
        card.still = still;
        card.detail = CardDetail::Numbers; // numbers round the failing step say more than a picture of all
        card.maxSize = QSizeF(width, (f.slim ? 204 : 300) + f.spare);
        // The cell at which the walk stops must be seen, in whatever slice it lies.
        const Dims stop = coordOfPosition(f.view, f.why.position);
        const std::size_t rank = stop.size(), laid = still ? 2 : 4;
        if (entry == in.entry) {
            Pick pick;
            pick.storageId = f.tensor.storage()->id();
            pick.slot = f.needed;
            pick.tensor = entry->id;
            pick.coord = stop;
            card.shown = pick;
            card.selected = true;
            card.follow = true;
            if (rank >= 1) card.firstCol = std::max<Index>(0, stop[rank - 1] - 2);
            if (rank >= 2) card.firstRow = std::max<Index>(0, stop[rank - 2] - 2);
            if (rank >= 3) card.firstPanelCol = stop[rank - 3];
            if (rank >= 4) card.firstPanelRow = stop[rank - 4];
            for (std::size_t d = 0; d + laid < rank; ++d) card.outer.push_back(stop[d]);
        }
        return layoutCard(card);
    };
    std::vector<CardLayout> cards;
    qreal left = f.width - leastWanted - kGap;
    for (const TensorEntry* entry : {in.entry, withParent ? in.parent : nullptr}) {
        if (!entry) continue;
        const qreal width = entry == in.entry ? most : std::min(most, left - kGap);
        if (entry != in.entry && width < kLeastCard) continue;
        // More dims than grids show are named in words: nobody moves a slider here.
        const bool many = entry->tensor.dim() > 4;
        CardLayout layout = layoutOf(entry, width, many);
        const auto tooHigh = [&] { return f.slim && layout.size.height() > kSlimRow + 12 + f.spare; };
        if (tooHigh() && !many && entry->tensor.dim() > 2) layout = layoutOf(entry, width, true);
        // A source that needs more height than there is gives way to the walk.
        if (tooHigh() && entry != in.entry) continue;
        left -= std::max(layout.size.width(), entry == in.entry ? cardWidth(layout, f, most) : 0) + kGap;
        rowHeight = std::max(rowHeight, layout.size.height());
        cards.insert(cards.begin(), std::move(layout));
    }
    qreal right = at.x();
    for (CardLayout& card : cards) {
        card.pos = out.moved(QPointF(right, at.y()));
        card.size.setHeight(rowHeight);
        const bool own = card.input.entry == in.entry;
        card.size.setWidth(own ? cardWidth(card, f, most) : card.size.width());
        card.pill.moveRight(card.size.width() - 14);
        appendCard(out.scene(), card);
        if (own && card.view.dim() == 2 && !card.panels.empty()) {
            // Row-major reading, as arrows under the digits; low cells have no room there, so the arrow stands before
            // the words.
            const Dims stop = coordOfPosition(f.view, f.why.position);
            const auto stopCell = card.cellRect(stop);
            const bool low = stopCell && stopCell->height() < kArrowCell;
            for (Index row = std::max<Index>(0, stop[0] - 3); !low && row <= stop[0]; ++row) {
                const Index lastShown = card.firstCol + card.shownCols - 1;
                const auto first = card.cellRect({row, std::max<Index>(card.firstCol, 0)});
                const auto last = card.cellRect({row, row == stop[0] ? stop[1] : lastShown});
                if (!first || !last) continue;
                const QPointF shift = out.moved(QPointF(0, 0));
                const qreal y = first->bottom() - 5 - shift.y();
                out.line(QPointF(first->left() + 8 - shift.x(), y), QPointF(last->right() - 8 - shift.x(), y),
                         Tone::OnView, 2, LineStyle::Solid, true);
            }
            const auto label = [&](Index row, const QString& text) {
                const auto cell = card.cellRect({row, card.firstCol + card.shownCols - 1});
                if (!cell) return;
                const QPointF p = QPointF(cell->right() + kNoteGap, cell->center().y() + 4) - out.moved(QPointF(0, 0));
                out.text(p, text, FontRole::LabelStrong);
                if (low)
                    out.line(p + QPointF(-kNoteGap + 3, -4), p + QPointF(-3, -4), Tone::Ink, 2, LineStyle::Solid, true);
            };
            if (stop[0] > 0)
                label(stop[0] - 1, stop[0] == 1 ? PaintedText::tr("read first") : PaintedText::tr("read before"));
            label(stop[0], PaintedText::tr("then here"));
        }
        right += card.size.width() + kGap;
    }
    return QPointF(right, at.y() + rowHeight);
}

void appendWanted(SceneBuilder& out, const Facts& f, const QRectF& rect) {
    BoxItem frame;
    frame.rect = rect;
    frame.fill = Tone::Stage;
    frame.outline = Tone::Control;
    frame.style = LineStyle::Dashed;
    frame.width = 1.5;
    frame.radius = 8;
    out.box(frame);
    PathItem question;
    const QPointF mark = rect.topLeft() + QPointF(23, 23);
    question.path.addEllipse(mark, 7.5, 7.5);
    question.width = 1.6;
    out.path(question);
    out.text(mark + QPointF(0, 4), QStringLiteral("?"), FontRole::LabelStrong, Tone::Ink, kCentre);
    // The bar above has the whole line; here its sizes will do.
    QString title = PaintedText::tr("Wanted: ") + f.input.code;
    const auto fits = [&](const QString& text) { return textWidth(FontRole::Heading, text) <= rect.width() - 52; };
    if (!fits(title)) title = PaintedText::tr("Wanted: size ") + tupleText(f.wanted);
    out.text(rect.topLeft() + QPointF(42, 28), fits(title) ? title : PaintedText::tr("Wanted"), FontRole::Heading);

    const Index total = f.view.numel();
    const bool flat = f.wanted.size() == 1;
    const QString intro = flat
                              ? PaintedText::tr("One row of %1 cells, in the order %2 is read. A 1-D view has one "
                                                "stride, so every step must be equal.")
                                    .arg(total)
                                    .arg(f.name())
                              : PaintedText::tr("Shape %1, filled in the order %2 is read. Each dim has one stride, so "
                                                "equal moves must be equal steps.")
                                    .arg(tupleText(f.wanted), f.name());
    const auto sentence = [&](QPointF from) {
        QPointF pen = from;
        const QString lead =
            flat ? PaintedText::tr("No single stride does both: ") : PaintedText::tr("No strides do both: ");
        const QString tail = PaintedText::tr(" and then ");
        const qreal first = textWidth(FontRole::CodeStrong, stepsSoFar(f)) + textWidth(FontRole::Heading, tail);
        const qreal second = textWidth(FontRole::CodeStrong, stepText(f.why.stepNeeded)) + 6;
        // The steps stand on one line, if need be on their own, and each on its own where that is too short.
        const auto room = [&](qreal width) {
            if (pen.x() > from.x() && pen.x() + width > rect.right() - 10) pen = QPointF(from.x(), pen.y() + 18);
        };
        pen.rx() += out.text(pen, lead, FontRole::Heading);
        room(first + second);
        pen.rx() += out.text(pen, stepsSoFar(f), FontRole::CodeStrong);
        pen.rx() += out.text(pen, tail, FontRole::Heading);
        room(second);
        pen.rx() += out.text(pen, stepText(f.why.stepNeeded), FontRole::CodeStrong);
        out.text(pen, QStringLiteral("."), FontRole::Heading);
    };
    qreal y = rect.top() + 53;
    if (f.slim) {
        // The reason is worth more than the words that lead to it.
        sentence(QPointF(rect.left() + 14, y));
    } else {
        for (const QString& line : wrapText(FontRole::Label, intro, rect.width() - 28, 3)) {
            out.text(QPointF(rect.left() + 14, y), line, FontRole::Label, Tone::Ink2);
            y += 17;
        }
    }

    // The row of the wanted shape in which the walk stops; a failing step into a new row brings the row before it
    // along.
    const Index column = f.why.position % f.columns;
    Index rowStart = f.why.position - column;
    if (column == 0 && rowStart > 0) rowStart -= f.columns;
    const Index rowEnd = std::min(total, f.why.position - column + f.columns);
    const qreal room = rect.width() - 48;
    std::vector<QString> texts;
    qreal cellWidth = 51;
    // Small digits are better than half a row: the whole row as long as its texts have room, on a short stage as much
    // of it as can be.
    qreal least = 20;
    for (Index p = std::max(rowStart, f.firstPosition); p < rowEnd && knows(f, p); ++p)
        least = std::max(least, textWidth(FontRole::Meta, valueText(f.tensor, slotAt(f, p))) + kBeside);
    // The step before the one that differs is told beside it, where both are short.
    const auto stepWidth = [](Index step) { return textWidth(FontRole::MetaStrong, stepText(step)); };
    constexpr qreal kMostForSteps = 30;
    const qreal steps = (stepWidth(f.why.stepSoFar) + stepWidth(f.why.stepNeeded)) / 2 + kBeside;
    if (steps <= kMostForSteps) least = std::max(least, std::ceil(steps));
    const bool whole = static_cast<qreal>(rowEnd - rowStart) * least <= room;
    const Index fitting = std::max<Index>(4, static_cast<Index>(room / (whole || f.slim ? least : 42)));
    Index first = rowStart;
    if (f.why.position - first > fitting - 3) first = f.why.position - (fitting - 3);
    first = std::max(first, f.firstPosition);
    const Index count = std::min({rowEnd - first, fitting, f.firstPosition + std::ssize(f.slots) - first});
    cellWidth = std::min(cellWidth, std::floor(room / static_cast<qreal>(std::max<Index>(count, 1))));
    for (Index p = first; p < first + count; ++p) texts.push_back(valueText(f.tensor, slotAt(f, p)));

    const qreal gridTop = f.slim ? rect.top() + 114 : std::max(y + 42, rect.top() + 124);
    const qreal left = rect.left() + 24;
    const bool tight = std::any_of(texts.begin(), texts.end(), [&](const QString& value) {
        return textWidth(FontRole::CellStrong, value) > cellWidth - 5;
    });
    const auto cellAt = [&](Index p) {
        // A small gap parts the rows of the wanted shape.
        const qreal gap = p >= f.why.position - column && rowStart < f.why.position - column ? 10 : 0;
        return QRectF(left + static_cast<qreal>(p - first) * cellWidth + gap, gridTop, cellWidth, 40);
    };
    const Tone fill = Theme::viewTone(f.input.entry->colour);
    for (Index p = first; p < first + count; ++p) {
        BoxItem box;
        box.rect = cellAt(p);
        Tone text = Tone::OnView;
        FontRole font = FontRole::Cell;
        if (p < f.why.position) {
            box.fill = fill;
            box.outline = Tone::Ink2;
        } else if (p == f.why.position) {
            box.rect.adjust(1, 1, -1, -1);
            box.fill = Tone::ErrorTint;
            box.outline = Tone::Error;
            box.width = 3;
            box.radius = 2;
            text = Tone::Ink;
            font = FontRole::CellStrong;
        } else {
            box.rect.adjust(1.5, 1.5, -1.5, -1.5);
            box.outline = Tone::Ghost;
            box.style = LineStyle::Dotted;
            box.width = 1.4;
            box.radius = 2;
            text = Tone::Ink2;
        }
        const QString value = texts[static_cast<std::size_t>(p - first)];
        if (p < f.why.position && isOdd(value)) {
            // With the sign that it has on cards and strips.
            GridItem cell;
            cell.origin = out.moved(box.rect.topLeft());
            cell.cell = box.rect.size();
            cell.rows = cell.cols = 1;
            cell.base = slotAt(f, p);
            cell.source = f.tensor;
            cell.colour = f.input.entry->colour;
            out.item(cell, PartKind::None);
        } else {
            out.box(box);
            out.text(QPointF(box.rect.center().x(), gridTop + 25.5), value,
                     isOdd(value) ? FontRole::MetaStrong
                     : tight      ? FontRole::Meta
                                  : font,
                     text, kCentre);
        }
        if (p == first || p == f.why.position || p == first + count - 1) {
            const auto wide = [](Index i) { return textWidth(FontRole::IndexStrong, QString::number(i)); };
            const qreal apart = std::max(24.0, (wide(p) + wide(f.why.position)) / 2 + 6);
            const bool crowded =
                p != f.why.position && std::abs(static_cast<qreal>(p - f.why.position)) * cellWidth < apart;
            if (!crowded) {
                out.text(QPointF(box.rect.center().x(), gridTop + 58), QString::number(p),
                         p == f.why.position ? FontRole::IndexStrong : FontRole::Index,
                         p == f.why.position ? Tone::Ink : Tone::Ink2, kCentre);
            }
        }
    }
    // Steps, with their lengths; the last one is the one that differs.
    for (Index p = first; p < f.why.position; ++p) {
        const bool fails = p + 1 == f.why.position;
        const Index step = slotAt(f, p + 1) - slotAt(f, p);
        const QPointF from(cellAt(p).center().x() + 3, gridTop - 3);
        const QPointF to(cellAt(p + 1).center().x() - 3, gridTop - 3);
        out.arc(from, to, 14, fails ? Tone::Error : Tone::Dim0, fails ? 3 : 2.5, LineStyle::Solid, false);
        const qreal next = p + 2 == f.why.position ? stepWidth(f.why.stepNeeded) : 0;
        if (fails || (stepWidth(step) + std::max(stepWidth(step), next)) / 2 + kBeside <= cellWidth) {
            out.text(QPointF((from.x() + to.x()) / 2, gridTop - 26), stepText(step), FontRole::MetaStrong, Tone::Ink,
                     kCentre);
        }
    }
    const qreal after = cellAt(f.why.position).right() + 14;
    const QString stops = PaintedText::tr("the step changes here, so the walk stops");
    if (after + 22 + textWidth(FontRole::LabelStrong, stops) < rect.right() - 10) {
        out.glyph(Glyph::Cross, QPointF(after, gridTop - 28), 16, Tone::Error);
        out.text(QPointF(after + 14, gridTop - 24), stops, FontRole::LabelStrong);
    }
    // The axis of the wanted last dim.
    const int dim = static_cast<int>(f.wanted.size()) - 1;
    QString axis = PaintedText::tr("dim %1 · %2").arg(dim).arg(f.columns);
    const QString part = PaintedText::tr("  (elements %1–%2 of %3)").arg(first).arg(first + count - 1).arg(total);
    if (count < total && left + textWidth(FontRole::LabelStrong, axis + part) < rect.right() - 8) axis += part;
    const qreal axisY = gridTop + 78;
    const qreal axisFrom = left + textWidth(FontRole::LabelStrong, axis) + 8;
    out.text(QPointF(left, axisY + 4), axis, FontRole::LabelStrong);
    const qreal axisTo = std::max(cellAt(first + count - 1).right(), axisFrom + 30);
    if (axisTo < rect.right() - 8) {
        out.line(QPointF(axisFrom, axisY), QPointF(axisTo, axisY), Theme::dimTone(dim), 3, LineStyle::Solid, true);
    }
    // With a second line if it needs one.
    if (!f.slim) sentence(QPointF(left, std::min(axisY + 34, std::max(axisY + 20, rect.bottom() - 28))));
}

} // namespace stridescope::fails
