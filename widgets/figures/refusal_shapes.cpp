// Sizes that do not fit.

#include "core/view/legal_ranges.h"
#include "core/view/view_verdict.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/refusal_parts.h"

#include <algorithm>
#include <cmath>

namespace stridescope::refusal {

/// Sizes as a right-aligned table: what there is above what is wanted, the column that does not fit boxed.
Story tellSizes(SceneBuilder& out, const RefusalFigureInput& in, const BroadcastConflict& d, qreal& y) {
    const Dims& have = in.entry->tensor.shape();
    const Dims& wanted = in.wanted;
    const bool expands = in.refusal.id == "VIEW-20";
    const std::size_t columns = std::max(have.size(), wanted.size());
    constexpr qreal kColumn = 64;
    const qreal left = 150;
    const auto row = [&](qreal top, const QString& title, const Dims& sizes) {
        out.text(QPointF(0, top + 22), title, FontRole::LabelStrong);
        for (std::size_t c = 0; c < columns; ++c) {
            const QRectF cell(left + static_cast<qreal>(c) * kColumn, top, kColumn - 8, 32);
            const bool missing = c < columns - sizes.size();
            BoxItem box;
            box.rect = cell;
            box.outline = missing ? Tone::Ghost : Tone::Control;
            box.style = missing ? LineStyle::Dotted : LineStyle::Solid;
            box.radius = 4;
            out.box(box);
            const QString text = missing ? QStringLiteral("1") : QString::number(sizes[c - (columns - sizes.size())]);
            out.text(cell.center() + QPointF(0, 5.4), text, FontRole::Cell, missing ? Tone::Ink2 : Tone::Ink, kCentre);
        }
    };
    const qreal top = y + 22;
    const std::size_t bad =
        static_cast<std::size_t>(d.dim) + (expands ? columns - std::max(wanted.size(), have.size()) : 0);
    for (std::size_t c = 0; c < columns; ++c) {
        out.text(QPointF(left + static_cast<qreal>(c) * kColumn + kColumn / 2 - 4, top - 6),
                 QStringLiteral("dim %1").arg(c), c == bad ? FontRole::LabelStrong : FontRole::Label,
                 c == bad ? Tone::Ink : Tone::Ink2, kCentre);
    }
    row(top, QStringLiteral("%1 has").arg(in.entry->name), have);
    if (!wanted.empty()) row(top + 40, QStringLiteral("wanted"), wanted);
    if (bad < columns) {
        BoxItem box;
        box.rect = QRectF(left + static_cast<qreal>(bad) * kColumn - 5, top - 5, kColumn + 2, wanted.empty() ? 42 : 82);
        box.outline = Tone::Error;
        box.width = 3;
        box.radius = 6;
        out.box(box);
        out.glyph(Glyph::Cross, QPointF(box.rect.center().x(), box.rect.bottom() + 12), 16, Tone::Error);
    }
    y = top + (wanted.empty() ? 66 : 106);

    Story story;
    story.reason =
        expands
            ? QStringLiteral(
                  "Dim %1 has size %2, not 1. Only a size of 1 can be repeated without a copy: its stride becomes 0.")
                  .arg(d.dim)
                  .arg(d.b)
            : QStringLiteral("At dim %1 the sizes are %2 and %3: they must be equal, or one of them 1.")
                  .arg(d.dim)
                  .arg(d.a)
                  .arg(d.b);
    if (expands && static_cast<std::size_t>(d.dim) < wanted.size()) {
        Dims mended = wanted;
        mended[static_cast<std::size_t>(d.dim)] = -1;
        story.ways.push_back({callCode(in.entry->name, QStringLiteral("expand"), mended),
                              QStringLiteral("−1 keeps the size %1").arg(d.b)});
    }
    return story;
}

Story tellCount(SceneBuilder& out, const RefusalFigureInput& in, const NumelMismatch& d, qreal& y) {
    // Two bars of cells over each other: the difference is seen before it is read.
    const qreal room = in.width - 210;
    const Index longest = std::max<Index>({d.wanted, d.has, 1});
    const qreal cell = std::min<qreal>(26, room / static_cast<qreal>(longest));
    const auto bar = [&](qreal top, const QString& title, Index count, Tone fill) {
        out.text(QPointF(0, top + 17), title, FontRole::LabelStrong);
        if (cell >= 6) {
            for (Index i = 0; i < longest; ++i) {
                const bool there = i < count;
                const bool extra = there && i >= std::min(d.wanted, d.has);
                BoxItem box;
                box.rect = QRectF(190 + static_cast<qreal>(i) * cell, top, cell, 24);
                box.fill = there ? fill : Tone::None;
                box.outline = extra ? Tone::Error : there ? Tone::Ink2 : Tone::Ghost;
                box.hatched = extra;
                box.style = there ? LineStyle::Solid : LineStyle::Dotted;
                out.box(box);
            }
        } else {
            BoxItem box;
            box.rect = QRectF(190, top, std::max<qreal>(2, cell * static_cast<qreal>(count)), 24);
            box.fill = fill;
            box.outline = Tone::Ink2;
            out.box(box);
        }
    };
    bar(y, QStringLiteral("%1 has %2 elements").arg(in.entry->name).arg(d.has), d.has,
        Theme::viewTone(in.entry->colour));
    bar(y + 36, QStringLiteral("wanted: %1").arg(d.wanted), d.wanted, Tone::Stage);
    y += 78;
    Story story;
    const Index difference = d.has > d.wanted ? d.has - d.wanted : d.wanted - d.has;
    story.reason = QStringLiteral("A view keeps every element: the sizes must multiply to %1, and they give %2, %3 %4.")
                       .arg(d.has)
                       .arg(d.wanted)
                       .arg(difference)
                       .arg(d.has > d.wanted ? QStringLiteral("too few") : QStringLiteral("too many"));
    const View& view = in.entry->tensor.view();
    if (view.numel() == d.has) {
        for (const ShapeCandidate& candidate : shapeCandidates(view, view.shape, 8)) {
            if (story.ways.size() == 3) break;
            if (candidate.isView && !(candidate.shape == view.shape)) {
                story.ways.push_back({callCode(in.entry->name, QStringLiteral("view"), candidate.shape),
                                      QStringLiteral("a view with stride %1").arg(tupleText(candidate.stride))});
            }
        }
    }
    return story;
}

} // namespace stridescope::refusal
