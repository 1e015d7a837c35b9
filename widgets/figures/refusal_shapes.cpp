// Sizes that do not fit.

#include "core/view/legal_ranges.h"
#include "core/view/view_verdict.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/refusal_parts.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::refusal {

qreal appendSizeTable(SceneBuilder& out, qreal y, const std::vector<SizeRow>& rows, bool right, const QString& filler,
                      const std::function<bool(std::size_t column)>& isBad) {
    std::size_t columns = 0;
    for (const SizeRow& row : rows) columns = std::max(columns, row.sizes.size());
    const qreal top = y + 22;
    const qreal bottom = top + 40 * static_cast<qreal>(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const qreal rowTop = top + 40 * static_cast<qreal>(r);
        const Dims& sizes = rows[r].sizes;
        out.text(QPointF(0, rowTop + 22), rows[r].title, FontRole::LabelStrong);
        for (std::size_t c = 0; c < columns; ++c) {
            const std::size_t skipped = right ? columns - sizes.size() : 0;
            const bool missing = c < skipped || c - skipped >= sizes.size();
            BoxItem box;
            box.rect = QRectF(kSizesLeft + static_cast<qreal>(c) * kSizeColumn, rowTop, kSizeColumn - 8, 32);
            box.outline = missing ? Tone::Ghost : Tone::Control;
            box.style = missing ? LineStyle::Dotted : LineStyle::Solid;
            box.radius = 4;
            out.box(box);
            out.text(box.rect.center() + QPointF(0, 5.4), missing ? filler : QString::number(sizes[c - skipped]),
                     FontRole::Cell, missing ? Tone::Ink2 : Tone::Ink, kCentre);
        }
    }
    for (std::size_t c = 0; c < columns; ++c) {
        const bool bad = isBad(c);
        const qreal x = kSizesLeft + static_cast<qreal>(c) * kSizeColumn;
        out.text(QPointF(x + kSizeColumn / 2 - 4, top - 9), PaintedText::tr("dim %1").arg(c),
                 bad ? FontRole::LabelStrong : FontRole::Label, bad ? Tone::Ink : Tone::Ink2, kCentre);
        if (bad) {
            BoxItem box;
            box.rect = QRectF(x - 5, top - 5, kSizeColumn + 2, bottom - top + 2);
            box.outline = Tone::Error;
            box.width = 3;
            box.radius = 6;
            out.box(box);
        }
        out.glyph(bad ? Glyph::Cross : Glyph::Check, QPointF(x + kSizeColumn / 2 - 4, bottom + 9), bad ? 16 : 14,
                  bad ? Tone::Error : Tone::Right);
    }
    return bottom + 26;
}

Story tellSizes(SceneBuilder& out, const RefusalFigureInput& in, const BroadcastConflict& d, qreal& y) {
    const bool expands = in.refusal.id == "VIEW-20";
    const Dims first{std::span<const Index>(d.first)};
    const Dims second{std::span<const Index>(d.second)};
    const auto titled = [&](std::size_t which, const QString& fallback, bool whole) {
        const QString name = which < in.operands.size() ? in.operands[which].name : QString();
        const QString shown = wrapText(FontRole::LabelStrong, name, kSizesLeft - 24, 1).front();
        return name.isEmpty() || (whole && shown != name) ? fallback : shown;
    };
    // The sizes of a call with many stand in the row itself: half of them as its title would say less than a word.
    const std::vector<SizeRow> rows{
        {titled(0, in.entry->name, false), first},
        {titled(1, expands ? PaintedText::tr("wanted") : PaintedText::tr("the other"), expands), second}};
    const std::size_t columns = std::max(first.size(), second.size());
    const auto sizeAt = [columns](const Dims& sizes, std::size_t c) {
        const std::size_t missing = columns - sizes.size();
        return c < missing ? Index{1} : sizes[c - missing];
    };
    y = appendSizeTable(out, y, rows, true, QStringLiteral("1"), [&](std::size_t c) {
        const Index a = sizeAt(first, c);
        const Index b = sizeAt(second, c);
        return a != b && a != 1 && (expands || b != 1);
    });

    Story story;
    story.reason =
        expands
            ? QStringLiteral(
                  "Dim %1 has size %2, not 1. Only a size of 1 can be repeated without a copy: its stride becomes 0.")
                  .arg(d.dim)
                  .arg(d.b)
            : PaintedText::tr("At dim %1 the sizes are %2 and %3: they must be equal, or one of them 1.")
                  .arg(d.dim)
                  .arg(d.a)
                  .arg(d.b);
    if (expands && static_cast<std::size_t>(d.dim) < in.wanted.size()) {
        Dims mended = in.wanted;
        mended[static_cast<std::size_t>(d.dim)] = -1;
        story.ways.push_back({callCode(in.entry->name, QStringLiteral("expand"), mended),
                              PaintedText::tr("−1 keeps the size %1").arg(d.b)});
    }
    story.ways.insert(story.ways.end(), in.ways.begin(), in.ways.end());
    if (expands && story.ways.empty())
        story.reason +=
            PaintedText::tr(" No view of %1 can be repeated into %2.").arg(in.entry->name, tupleText(second));
    return story;
}

Story tellLists(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    // The numbers as the line has them: as_strided's two lists, else one list beside the tensor's own sizes.
    const std::vector<Dims> lists = callLists(in.code);
    const Dims& have = in.entry->tensor.shape();
    std::vector<SizeRow> rows;
    if (in.refusal.id == "VIEW-22" && lists.size() >= 2) {
        rows = {{QStringLiteral("size"), lists[0]}, {QStringLiteral("stride"), lists[1]}};
        y = appendSizeTable(out, y, rows, false, PaintedText::tr("none"),
                            [&](std::size_t c) { return c >= std::min(lists[0].size(), lists[1].size()); });
        return {};
    }
    const Dims wanted = in.wanted.empty() && !lists.empty() ? lists[0] : in.wanted;
    if (wanted.empty()) return {};
    if (in.refusal.id == "VIEW-12") {
        const auto* bad = std::get_if<IndexOutOfRange>(&in.refusal.detail);
        rows = {{PaintedText::tr("wanted"), wanted}};
        y = appendSizeTable(out, y, rows, false, {},
                            [&](std::size_t c) { return bad ? static_cast<Index>(c) == bad->dim : wanted[c] < 0; });
        Story story;
        if (bad)
            story.reason = PaintedText::tr("Dim %1 cannot have size %2: a size counts elements, so it is 0 or more.")
                               .arg(bad->dim)
                               .arg(bad->index);
        return story;
    }
    rows = {{in.entry->name, have}, {PaintedText::tr("wanted"), wanted}};
    const std::size_t columns = std::max(have.size(), wanted.size());
    y = appendSizeTable(out, y, rows, true, PaintedText::tr("none"),
                        [&](std::size_t c) { return c < columns - wanted.size(); });
    return {};
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
    const bool ofDim = in.refusal.id == "VIEW-18" || in.refusal.id == "VIEW-31";
    bar(y,
        (ofDim ? PaintedText::tr("the dim has %1").arg(d.has)
               : PaintedText::tr("%1 has %2").arg(in.entry->name, elementsText(d.has))),
        d.has, Theme::viewTone(in.entry->colour));
    bar(y + 36, PaintedText::tr("wanted: %1").arg(d.wanted), d.wanted, Tone::Stage);
    y += 78;
    Story story;
    if (ofDim) {
        story.reason = in.refusal.id == "VIEW-18"
                           ? PaintedText::tr("The sizes that a dim is split into must multiply to its size, %1; these "
                                             "give %2.")
                           : PaintedText::tr("The pieces must add up to the size of the dim, %1; these give %2.");
        story.reason = story.reason.arg(d.has).arg(d.wanted);
        return story;
    }
    const Index difference = d.has > d.wanted ? d.has - d.wanted : d.wanted - d.has;
    story.reason =
        PaintedText::tr("A view keeps every element: the sizes must multiply to %1, and they give %2, %3 %4.")
            .arg(d.has)
            .arg(d.wanted)
            .arg(difference)
            .arg(d.has > d.wanted ? PaintedText::tr("too few") : PaintedText::tr("too many"));
    const View& view = in.entry->tensor.view();
    if (view.numel() == d.has) {
        for (const ShapeCandidate& candidate : shapeCandidates(view, view.shape, 8)) {
            if (story.ways.size() == 3) break;
            if (candidate.isView && !(candidate.shape == view.shape)) {
                story.ways.push_back({callCode(in.entry->name, QStringLiteral("view"), candidate.shape),
                                      PaintedText::tr("a view with stride %1").arg(tupleText(candidate.stride))});
            }
        }
    }
    return story;
}

} // namespace stridescope::refusal
