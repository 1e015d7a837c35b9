#include "widgets/figures/view_fails.h"

#include "core/view/view_ops.h"
#include "core/view/walk.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/figure_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr qreal kGap = 12;
constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;

/// Everything that the parts of the figure need to know, worked out once.
struct Facts {
    const ViewFailsInput& input;
    const Tensor& tensor;
    const View& view;
    ViewMergeFailure why;
    Dims wanted;              ///< without -1
    std::vector<Index> slots; ///< visiting order around the failure
    Index firstPosition = 0;  ///< of slots[0]
    Index before = 0;         ///< slot of the element before the failing one
    Index needed = 0;         ///< slot that the view needs next
    Index expected = 0;       ///< slot to which the step so far leads
    Index storageNumel = 0;
    Index columns = 1; ///< size of the wanted last dim
    bool beyond() const { return expected < 0 || expected >= storageNumel; }
    QString name() const { return input.entry->name; }
};

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

Index slotAt(const Facts& f, Index position) {
    return f.slots[static_cast<std::size_t>(position - f.firstPosition)];
}
bool knows(const Facts& f, Index position) {
    return position >= f.firstPosition && position < f.firstPosition + std::ssize(f.slots);
}

/// The elements before the failing one that lie one step apart: they alone fix the step.
Index runLength(const Facts& f) {
    Index n = 1;
    while (knows(f, f.why.position - n - 1) &&
           slotAt(f, f.why.position - n) - slotAt(f, f.why.position - n - 1) == f.why.stepSoFar) {
        ++n;
    }
    return n;
}

QString andThen(const Facts& f) {
    const Index steps = std::min<Index>(2, runLength(f) - 1);
    QString text;
    for (Index i = 0; i < std::max<Index>(steps, 1); ++i)
        text += (i ? QStringLiteral(", ") : QString()) + stepText(f.why.stepSoFar);
    return text;
}

/// Cards of the source and of the tensor it is a view of; returns the right edge and the bottom.
QPointF appendCards(SceneBuilder& out, const Facts& f, QPointF at, qreal& rowHeight) {
    const ViewFailsInput& in = f.input;
    const bool withParent =
        in.parent && in.parent->tensor.defined() && in.parent->tensor.storage() == f.tensor.storage();
    const qreal most =
        withParent ? std::min<qreal>(312, (in.width - 2 * kGap) * 0.25) : std::min<qreal>(420, in.width * 0.34);
    std::vector<CardLayout> cards;
    for (const TensorEntry* entry : {withParent ? in.parent : nullptr, in.entry}) {
        if (!entry) continue;
        CardInput card;
        card.entry = entry;
        card.storageNumber = in.storageNumber;
        card.parent = entry == in.entry ? in.parent : nullptr;
        card.compact = true;
        card.note = false;
        card.maxSize = QSizeF(most, 300);
        if (entry == in.entry) {
            Pick pick;
            pick.storageId = f.tensor.storage()->id();
            pick.slot = f.needed;
            pick.tensor = entry->id;
            pick.coord = coordOfPosition(f.view, f.why.position);
            card.shown = pick;
            card.selected = true;
        }
        cards.push_back(layoutCard(card));
        rowHeight = std::max(rowHeight, cards.back().size.height());
    }
    qreal right = at.x();
    for (CardLayout& card : cards) {
        card.pos = out.moved(QPointF(right, at.y()));
        card.size.setHeight(rowHeight);
        const bool own = card.input.entry == in.entry;
        qreal notes = 0;
        if (own && card.view.dim() == 2 && !card.panels.empty()) {
            notes =
                card.panels[0].area.right() + 16 + textWidth(FontRole::LabelStrong, QStringLiteral("then here")) + 14;
        }
        card.size.setWidth(std::max({card.size.width(), std::min<qreal>(most, 306), notes}));
        card.pill.moveRight(card.size.width() - 14);
        appendCard(out.scene(), card);
        if (own && card.view.dim() == 2 && !card.panels.empty()) {
            // Row-major reading, as arrows under the digits.
            const Dims stop = coordOfPosition(f.view, f.why.position);
            for (Index row = std::max<Index>(0, stop[0] - 3); row <= stop[0]; ++row) {
                const auto first = card.cellRect({row, row == stop[0] && stop[1] > 3 ? stop[1] - 3 : 0});
                const auto last = card.cellRect({row, row == stop[0] ? stop[1] : card.view.shape[1] - 1});
                if (!first || !last) continue;
                const QPointF shift = out.moved(QPointF(0, 0));
                const qreal y = first->bottom() - 5 - shift.y();
                out.line(QPointF(first->left() + 8 - shift.x(), y), QPointF(last->right() - 8 - shift.x(), y),
                         Tone::OnView, 2, LineStyle::Solid, true);
            }
            const auto label = [&](Index row, const QString& text) {
                const auto cell = card.cellRect({row, card.firstCol + card.shownCols - 1});
                if (!cell) return;
                const QPointF p = QPointF(cell->right() + 16, cell->center().y() + 4) - out.moved(QPointF(0, 0));
                out.text(p, text, FontRole::LabelStrong);
            };
            if (stop[0] > 0)
                label(stop[0] - 1, stop[0] == 1 ? QStringLiteral("read first") : QStringLiteral("read before"));
            label(stop[0], QStringLiteral("then here"));
        }
        right += card.size.width() + kGap;
    }
    return QPointF(right, at.y() + rowHeight);
}

/// "Wanted": the row that the view asks for, walked up to the step that differs.
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
    out.text(rect.topLeft() + QPointF(42, 28), QStringLiteral("Wanted: ") + f.input.code, FontRole::Heading);

    const Index total = f.view.numel();
    const bool flat = f.wanted.size() == 1;
    const QString intro = flat ? QStringLiteral("One row of %1 cells, in the order %2 is read. A 1-D view has one "
                                                "stride, so every step must be equal.")
                                     .arg(total)
                                     .arg(f.name())
                               : QStringLiteral("Shape %1, filled in the order %2 is read. Each dim has one stride, so "
                                                "equal moves must be equal steps.")
                                     .arg(tupleText(f.wanted), f.name());
    qreal y = rect.top() + 53;
    for (const QString& line : wrapText(FontRole::Label, intro, rect.width() - 28, 3)) {
        out.text(QPointF(rect.left() + 14, y), line, FontRole::Label, Tone::Ink2);
        y += 17;
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
    const Index fitting = std::max<Index>(4, static_cast<Index>(room / 44));
    Index first = rowStart;
    if (f.why.position - first > fitting - 3) first = f.why.position - (fitting - 3);
    first = std::max(first, f.firstPosition);
    const Index count = std::min({rowEnd - first, fitting, f.firstPosition + std::ssize(f.slots) - first});
    cellWidth = std::min(cellWidth, std::floor(room / static_cast<qreal>(std::max<Index>(count, 1))));
    for (Index p = first; p < first + count; ++p) texts.push_back(valueText(f.tensor, slotAt(f, p)));

    const qreal gridTop = std::max(y + 48, rect.top() + 124);
    const qreal left = rect.left() + 24;
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
        out.box(box);
        const QString value = texts[static_cast<std::size_t>(p - first)];
        const bool tight = textWidth(font, value) > cellWidth - 6;
        out.text(QPointF(box.rect.center().x(), gridTop + 25.5), value, tight ? FontRole::Meta : font, text, kCentre);
        if (p == first || p == f.why.position || p == first + count - 1) {
            const bool crowded =
                p != f.why.position && std::abs(static_cast<qreal>(p - f.why.position)) * cellWidth < 24;
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
        out.arc(from, to, 15, fails ? Tone::Error : Tone::Dim0, fails ? 3 : 2.5, LineStyle::Solid, false);
        if (cellWidth >= 34 || fails) {
            out.text(QPointF((from.x() + to.x()) / 2, gridTop - 24), stepText(step), FontRole::MetaStrong, Tone::Ink,
                     kCentre);
        }
    }
    const qreal after = cellAt(f.why.position).right() + 14;
    const QString stops = QStringLiteral("the step changes here, so the walk stops");
    if (after + 22 + textWidth(FontRole::LabelStrong, stops) < rect.right() - 10) {
        out.glyph(Glyph::Cross, QPointF(after, gridTop - 28), 16, Tone::Error);
        out.text(QPointF(after + 14, gridTop - 24), stops, FontRole::LabelStrong);
    }
    // The axis of the wanted last dim.
    const int dim = static_cast<int>(f.wanted.size()) - 1;
    const QString axis =
        QStringLiteral("dim %1 · %2").arg(dim).arg(f.columns) +
        (count < total ? QStringLiteral("  (elements %1–%2 of %3)").arg(first).arg(first + count - 1).arg(total)
                       : QString());
    const qreal axisY = gridTop + 78;
    const qreal axisFrom = left + textWidth(FontRole::LabelStrong, axis) + 8;
    out.text(QPointF(left, axisY + 4), axis, FontRole::LabelStrong);
    const qreal axisTo = std::max(cellAt(first + count - 1).right(), axisFrom + 30);
    if (axisTo < rect.right() - 8) {
        out.line(QPointF(axisFrom, axisY), QPointF(axisTo, axisY), Theme::dimTone(dim), 3, LineStyle::Solid, true);
    }
    QPointF pen(left, axisY + 34);
    const QString lead = flat ? QStringLiteral("No single stride does both: ") : QStringLiteral("No strides do both: ");
    pen.rx() += out.text(pen, lead, FontRole::Heading);
    pen.rx() += out.text(pen, andThen(f), FontRole::CodeStrong);
    pen.rx() += out.text(pen, QStringLiteral(" and then "), FontRole::Heading);
    pen.rx() += out.text(pen, stepText(f.why.stepNeeded), FontRole::CodeStrong);
    out.text(pen, QStringLiteral("."), FontRole::Heading);
}

/// The rule that dims `dim` and `dim + 1` break, with its numbers. Returns the bottom.
qreal appendMergeRule(SceneBuilder& out, const Facts& f, QPointF at, qreal width) {
    const std::vector<MergeRule> rules = mergeRules(f.view);
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const MergeRule& r) { return r.dim == f.why.dim; });
    if (rule == rules.end()) return at.y();
    const Index outer = rule->dim;
    qreal y = at.y();
    for (const QString& line :
         wrapText(FontRole::LabelStrong,
                  QStringLiteral("Can dims %1 and %2 of %3 merge?").arg(outer).arg(outer + 1).arg(f.name()), width)) {
        out.text(QPointF(at.x(), y), line, FontRole::LabelStrong);
        y += 17;
    }
    y += 6;
    const auto row = [&](const QString& left, const QString& sign, const QString& right, const QString& tail,
                         FontRole font, bool fails) {
        QPointF pen(at.x(), y);
        const qreal leftWidth = out.text(pen, left, font);
        out.line(QPointF(pen.x() - 1, y + 6.5), QPointF(pen.x() + leftWidth + 1, y + 6.5), Theme::dimTone(outer), 3);
        pen.rx() += leftWidth + 8;
        pen.rx() += out.text(pen, sign, font) + 8;
        const qreal rightWidth = out.text(pen, right, font);
        out.line(QPointF(pen.x() - 1, y + 6.5), QPointF(pen.x() + rightWidth + 1, y + 6.5), Theme::dimTone(outer + 1),
                 3);
        pen.rx() += rightWidth + 8;
        pen.rx() += out.text(pen, tail, font) + 16;
        if (fails) out.glyph(Glyph::Cross, QPointF(pen.x(), y - 5), 17, Tone::Error);
    };
    row(QStringLiteral("stride") + subscript(outer), QStringLiteral("="),
        QStringLiteral("stride%1 · size%1").arg(subscript(outer + 1)), QStringLiteral("?"), FontRole::Meta, false);
    y += 32;
    row(QString::number(rule->stride), QStringLiteral("≠"),
        QStringLiteral("%1 · %2").arg(rule->innerStride).arg(rule->innerSize),
        QStringLiteral("= %1").arg(rule->wantedStride), FontRole::CodeStrong, true);
    y += 30;
    for (const QString& line : wrapText(
             FontRole::Label,
             QStringLiteral("They are two separate contiguous subspaces: that is what the error text means."), width)) {
        out.text(QPointF(at.x(), y), line, FontRole::Label, Tone::Ink2);
        y += 17;
    }
    return y;
}

/// The strip with both steps from the cell where the walk stands. Returns the bottom.
qreal appendStripPart(SceneBuilder& out, const Facts& f, QPointF at, qreal width, FigureStrip& strip,
                      qreal& beyondRight) {
    const ViewFailsInput& in = f.input;
    FigureStripInput input;
    input.source = f.tensor;
    input.storageNumber = in.storageNumber;
    if (in.parent && in.parent->tensor.defined() && in.parent->tensor.storage() == f.tensor.storage()) {
        input.sharedBy = in.parent->name + QStringLiteral(", ") + f.name();
    }
    const Index run = std::min<Index>(runLength(f), 8);
    const Index from = f.before - (run - 1) * f.why.stepSoFar;
    input.lowest = std::min({from, f.before, f.needed, f.beyond() ? f.before : f.expected});
    input.highest = std::max({from, f.before, f.needed, f.beyond() ? f.before : f.expected});
    StripReach reach;
    reach.tensor = in.entry->id;
    reach.colour = in.entry->colour;
    reach.view = View{Dims{run}, Dims{f.why.stepSoFar}, from};
    input.reach = reach;
    input.marks.push_back({f.needed, MarkKind::Cross, 0});

    const QPointF stripAt(at.x(), at.y() + 56);
    const qreal beyondRoom = f.beyond() ? 98 : 0;
    strip = layoutStrip(input, stripAt + QPointF(f.beyond() && f.expected < 0 ? 0 : 0, 0), width - beyondRoom);
    appendStrip(out, input, strip);

    // Where one more of the same step would land outside the storage.
    QRectF landing;
    beyondRight = strip.layout.area.right();
    if (f.beyond()) {
        landing = QRectF(strip.layout.area.right() + 8, stripAt.y(), 70, 42);
        BoxItem box;
        box.rect = landing.adjusted(1, 1, -1, -1);
        box.outline = Tone::Error;
        box.hatched = true;
        box.width = 2;
        box.radius = 2;
        out.box(box);
        const QString index = QString::number(f.expected);
        const qreal plate = textWidth(FontRole::Cell, index) + 14;
        BoxItem ground;
        ground.rect = QRectF(landing.center().x() - plate / 2, landing.center().y() - 12, plate, 24);
        ground.fill = Tone::Stage;
        ground.radius = 4;
        out.box(ground);
        out.text(landing.center() + QPointF(0, 5.4), index, FontRole::Cell, Tone::Ink, kCentre);
        const QString words = f.expected < 0
                                  ? QStringLiteral("before the storage")
                                  : QStringLiteral("needs %1, has %2").arg(f.expected + 1).arg(f.storageNumel);
        out.text(QPointF(landing.center().x(), landing.bottom() + 15), words, FontRole::Label, Tone::Ink2, kCentre);
        beyondRight = landing.center().x() + std::max<qreal>(35, textWidth(FontRole::Label, words) / 2);
    } else {
        landing = strip.cell(f.expected);
    }

    const qreal top = strip.top() - 3;
    const qreal rise = 38;
    const auto plate = [&](QPointF centre, const QString& text, FontRole font) {
        const qreal half = textWidth(font, text) / 2 + 4;
        BoxItem ground;
        ground.rect = QRectF(centre.x() - half, centre.y() - 13, 2 * half, 17);
        ground.fill = Tone::Stage;
        ground.radius = 3;
        out.box(ground);
        out.text(centre, text, font, Tone::Ink, kCentre);
    };
    for (Index i = 0; i + 1 < run; ++i) {
        const Index slot = from + i * f.why.stepSoFar;
        if (!strip.shows(slot) || !strip.shows(slot + f.why.stepSoFar)) continue;
        const QPointF a(strip.cell(slot).center().x() + 3, top);
        const QPointF b(strip.cell(slot + f.why.stepSoFar).center().x() - 3, top);
        out.arc(a, b, rise, Tone::Dim0, 3);
        const QString text = stepText(f.why.stepSoFar);
        if (std::abs(b.x() - a.x()) > textWidth(FontRole::Heading, text) + 24) {
            plate(QPointF((a.x() + b.x()) / 2, top - 12), text, FontRole::Heading);
        } else {
            plate(QPointF((a.x() + b.x()) / 2, top - rise - 4), text, FontRole::Heading);
        }
    }
    const QPointF here(strip.cell(f.before).center().x() + 3, top);
    const QPointF there(landing.center().x(), top);
    out.arc(here, there, rise, Tone::Dim0, 3, LineStyle::Dashed);
    const QString again =
        (runLength(f) > 1 ? QStringLiteral("%1 again would read index %2") : QStringLiteral("%1 would read index %2"))
            .arg(stepText(f.why.stepSoFar))
            .arg(f.expected);
    const qreal half = textWidth(FontRole::LabelStrong, again) / 2 + 4;
    const bool inside = std::abs(there.x() - here.x()) > 2 * half + 30;
    QPointF label((here.x() + there.x()) / 2, inside ? top - 12 : top - rise - 6);
    label.setX(std::clamp(label.x(), at.x() + half,
                          std::max(at.x() + half, std::max(beyondRight, strip.layout.area.right()) - half + 40)));
    plate(label, again, FontRole::LabelStrong);

    const qreal below = strip.bottom() + 22;
    const QPointF a(strip.cell(f.before).center().x(), below);
    const QPointF b(strip.cell(f.needed).center().x(), below);
    out.arc(a, b, -30, Tone::Error, 3.5);
    const QString needs = stepText(f.why.stepNeeded) + QStringLiteral(": what %1 needs next").arg(f.name());
    const qreal needsWidth = textWidth(FontRole::Heading, needs) + 24;
    qreal x = (a.x() + b.x()) / 2 - needsWidth / 2;
    const bool roomy = std::abs(a.x() - b.x()) > needsWidth + 24;
    const qreal needsY = roomy ? below + 17 : below + 48;
    x = std::clamp(x, at.x() + 125, std::max(at.x() + 125, at.x() + width - needsWidth));
    out.glyph(Glyph::Cross, QPointF(x + 8, needsY - 5), 15, Tone::Error);
    out.text(QPointF(x + 24, needsY), needs, FontRole::Heading);
    return roomy ? below + 38 : below + 56;
}

/// Reading order of both tensors under the strip. Returns the bottom.
qreal appendLanes(SceneBuilder& out, const Facts& f, qreal top, const FigureStrip& strip) {
    const ViewFailsInput& in = f.input;
    qreal y = top;
    for (const TensorEntry* entry : {in.parent, in.entry}) {
        if (!entry || !entry->tensor.defined() || !(entry->tensor.storage() == f.tensor.storage())) continue;
        if (entry->tensor.dtype() != f.tensor.dtype()) continue;
        out.badge(QPointF(strip.handle.left() + 9, y + 9), entry->colour, 18);
        const QString text = entry->name + QStringLiteral(" reads in order");
        const QStringList lines = wrapText(FontRole::Label, text, strip.handle.width() - 26, 1);
        out.text(QPointF(strip.handle.left() + 24, y + 13.5), lines.first(), FontRole::Label, Tone::Ink2);
        LaneItem lane;
        lane.layout = strip.layout;
        lane.layout.area = out.moved(strip.layout.area);
        lane.top = out.moved(QPointF(0, y)).y();
        lane.height = 18;
        lane.reach.tensor = entry->id;
        lane.reach.colour = entry->colour;
        lane.reach.view = entry->tensor.view();
        out.item(lane, PartKind::LaneCells);
        y += 25;
    }
    return y;
}

std::vector<QString> valuesOf(const Tensor& tensor, const View& view, Index first, Index count) {
    std::vector<QString> texts;
    for (const Index slot : visitedSlots(view, first, count)) texts.push_back(valueText(tensor, slot));
    return texts;
}

/// The copy that a way out makes: handle and the first cells of the new storage, rows bracketed when asked for.
void appendCopyPicture(SceneBuilder& out, const Facts& f, const QRectF& rect, bool rows) {
    const qreal y = rect.top() + 73;
    const QString handle = QStringLiteral("storage #%1").arg(f.input.nextStorageNumber);
    BoxItem box;
    box.rect = QRectF(rect.left() + 14, y, textWidth(FontRole::LabelStrong, handle) + 22, 22);
    box.fill = Tone::Inset;
    box.outline = Tone::Control;
    box.radius = 5;
    out.box(box);
    out.text(box.rect.center() + QPointF(0, 4.4), handle, FontRole::LabelStrong, Tone::Ink, kCentre);
    const qreal left = box.rect.right() + 7;
    std::vector<QString> texts = valuesOf(f.tensor, f.view, 0, 24);
    const MiniCells cells = miniCellsFor(texts);
    const Index fit = std::max<Index>(1, static_cast<Index>((rect.right() - 34 - left) / cells.cellWidth));
    const bool cut = f.view.numel() > fit;
    if (std::ssize(texts) > fit) texts.resize(static_cast<std::size_t>(fit));
    appendMiniCells(out, QPointF(left, y), cells, texts, Tone::Stage);
    const qreal right = left + cells.width(std::ssize(texts));
    if (cut || f.view.numel() > std::ssize(texts))
        out.text(QPointF(right + 5, y + 15), QStringLiteral("…"), FontRole::Meta, Tone::Ink2);
    if (!rows) {
        const View result = *contiguousView(std::span<const Index>(f.wanted.data(), f.wanted.size()));
        out.text(
            QPointF(left, y + 37),
            QStringLiteral("stride %1, contiguous, +%2").arg(tupleText(result.stride), bytesText(f.tensor.nbytes())),
            FontRole::Label, Tone::Ink2);
        return;
    }
    const Index perRow = f.view.dim() >= 1 ? f.view.shape.back() : 1;
    for (Index row = 0; perRow > 0 && row * perRow < std::ssize(texts); ++row) {
        const Index end = std::min<Index>((row + 1) * perRow, std::ssize(texts));
        const qreal a = left + cells.width(row * perRow) + 2;
        const qreal b = left + cells.width(end) - 2;
        PathItem bracket;
        bracket.path.moveTo(a, y + 25);
        bracket.path.lineTo(a, y + 30);
        bracket.path.lineTo(b, y + 30);
        if (end == (row + 1) * perRow) bracket.path.lineTo(b, y + 25);
        bracket.stroke = Tone::Control;
        bracket.width = 1.5;
        out.path(bracket);
        const QString name = QStringLiteral("row %1").arg(row);
        if (f.view.dim() <= 2 && b - a > textWidth(FontRole::Label, name)) {
            out.text(QPointF((a + b) / 2, y + 44), name, FontRole::Label, Tone::Ink2, kCentre);
        }
    }
}

/// The view that another shape gives: its first panels, in the tensor's colour.
void appendShapePicture(SceneBuilder& out, const Facts& f, const QRectF& rect, const WayOut& way) {
    const Result<View> result = viewAs(f.view, std::span<const Index>(way.shape.data(), way.shape.size()));
    if (!result.ok()) return;
    const View& view = *result;
    const std::size_t rank = view.shape.size();
    const Index cols = rank >= 1 ? view.shape[rank - 1] : 1;
    const Index rows = rank >= 2 ? view.shape[rank - 2] : 1;
    const Index panels = view.numel() / std::max<Index>(1, rows * cols);
    const Index shownRows = std::min<Index>(rows, 3);
    qreal also = 0;
    for (const Dims& shape : way.alsoFit) also = std::max(also, textWidth(FontRole::Meta, tupleText(shape)));
    const qreal right = rect.right() - 16 - (also > 0 ? also + 16 : 0);
    const MiniCells cells = miniCellsFor(valuesOf(f.tensor, view, 0, std::min<Index>(view.numel(), 64)));
    const qreal height = std::min<qreal>(22, 66 / static_cast<qreal>(std::max<Index>(shownRows, 1)));
    qreal x = rect.left() + 14;
    const qreal top = rect.top() + 68;
    for (Index panel = 0; panel < panels; ++panel) {
        const QString label =
            rank >= 3 ? QStringLiteral("[%1=%2]").arg(rank == 3 ? QStringLiteral("i") : QStringLiteral("#")).arg(panel)
                      : QString();
        const qreal labelWidth = label.isEmpty() ? 0 : textWidth(FontRole::Meta, label) + 8;
        const Index fit = static_cast<Index>((right - x - labelWidth) / cells.cellWidth);
        if (fit < 1 || (panel > 0 && fit < cols)) {
            out.text(QPointF(x, top + 16), QStringLiteral("…"), FontRole::Meta, Tone::Ink2);
            break;
        }
        if (!label.isEmpty()) out.text(QPointF(x, top + 15), label, FontRole::Meta, Tone::Ink2);
        x += labelWidth;
        const Index shownCols = std::min(fit, cols);
        for (Index row = 0; row < shownRows; ++row) {
            MiniCells one = cells;
            one.cellHeight = height;
            appendMiniCells(out, QPointF(x, top + static_cast<qreal>(row) * height), one,
                            valuesOf(f.tensor, view, (panel * rows + row) * cols, shownCols),
                            Theme::viewTone(f.input.entry->colour));
        }
        if (shownCols < cols || shownRows < rows) {
            out.text(QPointF(x + cells.width(shownCols) + 3, top + 15), QStringLiteral("…"), FontRole::Meta,
                     Tone::Ink2);
        }
        x += cells.width(shownCols) + 18;
    }
    if (also > 0) {
        qreal y = top + 12;
        out.text(QPointF(right + 16, y), QStringLiteral("also fits"), FontRole::Label, Tone::Ink2);
        for (const Dims& shape : way.alsoFit) {
            y += 18;
            if (y > top + 60) break;
            out.text(QPointF(right + 16, y), tupleText(shape), FontRole::Meta);
        }
    }
}

qreal appendWays(SceneBuilder& out, const Facts& f, qreal top, std::vector<QString>& codes) {
    const std::vector<WayOut> ways = waysOut(f.view, f.wanted);
    if (ways.empty()) return top;
    QPointF pen(0, top + 16);
    pen.rx() += out.text(pen, waysTitle(ways.size()), FontRole::Heading) + 14;
    out.text(pen, QStringLiteral("Each button writes the same line into the console and the history."), FontRole::Label,
             Tone::Ink2);
    const QString name = f.name();
    const QString base = f.input.parent ? f.input.parent->name : name;
    const qreal count = static_cast<qreal>(ways.size());
    const qreal width = std::min<qreal>((f.input.width - 13 * (count - 1)) / count, 640);
    const Index bytes = static_cast<Index>(f.tensor.itemSize());
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const WayOut& way = ways[i];
        const QRectF rect(static_cast<qreal>(i) * (width + 13), top + 28, width, kWayCardHeight);
        WayCard card;
        card.copiedBytes = way.copiedElements * bytes;
        card.primary = i == 0;
        switch (way.kind) {
        case WayOutKind::Reshape:
            card.code = callCode(name, QStringLiteral("reshape"), f.wanted);
            card.button = QStringLiteral("Reshape");
            card.sentence = QStringLiteral("Asks if strides can do it; here they cannot, so it copies.");
            card.footnote = QStringLiteral("Writing to it does not change %1.").arg(base);
            break;
        case WayOutKind::ContiguousView:
            card.code = callCode(name + QStringLiteral(".contiguous()"), QStringLiteral("view"), f.wanted);
            card.button = QStringLiteral("Copy, then view");
            card.sentence =
                QStringLiteral("Copies once to a contiguous %1, then views it for 0 B.").arg(tupleText(f.view.shape));
            card.footnote = QStringLiteral("Worth it if you view the copy often.");
            break;
        case WayOutKind::OtherShape:
            card.code = callCode(name, QStringLiteral("view"), way.shape);
            card.button = QStringLiteral("Use view");
            card.sentence = QStringLiteral("A shape these strides can express: stride %1.").arg(tupleText(way.stride));
            card.footnote =
                QStringLiteral("Still storage #%1: writing to it changes %2.").arg(f.input.storageNumber).arg(base);
            break;
        }
        appendWayCard(out, rect, static_cast<int>(i) + 1, card);
        codes.push_back(card.code);
        if (way.kind == WayOutKind::OtherShape)
            appendShapePicture(out, f, rect, way);
        else
            appendCopyPicture(out, f, rect, way.kind == WayOutKind::ContiguousView);
    }
    return top + 28 + kWayCardHeight;
}

} // namespace

Figure viewFailsFigure(const ViewFailsInput& input) {
    ViewFailsInput in = input;
    in.width = std::max<qreal>(in.width, 900);
    const Facts f = factsOf(in);
    Figure figure;
    figure.sentence =
        QStringLiteral("No single stride does both: %1 and then %2.").arg(andThen(f), stepText(f.why.stepNeeded));
    figure.scene.title = QStringLiteral("Why %1 is not possible. %2").arg(in.code, figure.sentence);
    SceneBuilder out(figure.scene, {}, in.entry->id, f.tensor.storage()->id());

    qreal y = appendMessageBar(out, QRectF(0, 0, in.width, 0), in.code, in.refusal) + 14;
    qreal rowHeight = 262;
    const QPointF cards = appendCards(out, f, QPointF(0, y), rowHeight);
    appendWanted(out, f, QRectF(cards.x(), y, in.width - cards.x(), rowHeight));
    y += rowHeight + 14;

    const qreal ruleWidth = 214;
    FigureStrip strip;
    qreal right = 0;
    const qreal bottom = appendStripPart(out, f, QPointF(0, y), in.width - ruleWidth - 24, strip, right);
    const qreal rule = appendMergeRule(out, f, QPointF(in.width - ruleWidth, y + 14), ruleWidth);
    y = std::max(bottom, rule - 30) + 8;
    y = std::max(appendLanes(out, f, y, strip), rule) + 8;
    y = appendWays(out, f, y, figure.codes);
    figure.scene.size = QSizeF(in.width, y + 2);
    return figure;
}

std::vector<ShapeRow> shapeRows(const TensorEntry& entry, const Dims& wanted, std::size_t limit) {
    std::vector<ShapeRow> rows;
    const View& view = entry.tensor.view();
    const Result<Dims> whole = inferShape(std::span<const Index>(wanted.data(), wanted.size()), view.numel());
    for (const ShapeCandidate& candidate : shapeCandidates(view, whole.ok() ? *whole : view.shape, limit)) {
        ShapeRow row;
        row.shape = candidate.shape;
        row.isView = candidate.isView;
        row.shapeText = tupleText(candidate.shape);
        row.strideText = candidate.isView ? tupleText(candidate.stride) : QStringLiteral("needs a copy");
        row.code = callCode(entry.name, QStringLiteral("view"), candidate.shape);
        rows.push_back(row);
    }
    return rows;
}

QString shapeRowsIntro(const TensorEntry& entry) {
    return QStringLiteral("Shapes with %1 elements, tested against the strides of %2, %3.")
        .arg(entry.tensor.numel())
        .arg(entry.name, tupleText(entry.tensor.stride()));
}

} // namespace stridescope
