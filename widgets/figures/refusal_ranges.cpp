// Indices and slots out of range.

#include "core/view/legal_ranges.h"
#include "core/view/view_ops.h"
#include "core/view/view_verdict.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/refusal_parts.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/reach_marks.h"

#include <algorithm>
#include <cmath>

namespace stridescope::refusal {

Story tellIndex(SceneBuilder& out, const RefusalFigureInput& in, const IndexOutOfRange& d, qreal& y) {
    Story story;
    const QString name = in.entry->name;
    const std::vector<Index> numbers = callNumbers(in.code);
    const QString called = method(in.code);
    Index from = d.index;
    Index to = d.index + 1;
    // Of select(), and between brackets.
    const auto isOf = [&in](std::initializer_list<std::string_view> ids) {
        return std::find(ids.begin(), ids.end(), in.refusal.id) != ids.end();
    };
    if (isOf({"VIEW-03", "EXPR-24", "INDEX-01", "ELEM-01"})) {
        if (d.index < 0) from = d.index + d.size, to = from + 1;
        story.reason = d.size == 0
                           ? PaintedText::tr("Dim %1 has size 0: it has no index at all.").arg(d.dim)
                           : PaintedText::tr("Dim %1 has the indices 0 … %2 (or −%3 … −1); %4 is not one of them.")
                                 .arg(d.dim)
                                 .arg(d.size - 1)
                                 .arg(d.size)
                                 .arg(d.index);
        if (d.size > 0) {
            const Index nearest = d.index < 0 ? 0 : d.size - 1;
            story.ways.push_back(
                {callCode(name, QStringLiteral("select"), Dims{d.dim, nearest}),
                 d.index < 0 ? PaintedText::tr("the first index") : PaintedText::tr("the last index")});
        }
    } else if (in.refusal.id == "VIEW-04") {
        Index start = d.index;
        if (called == QStringLiteral("narrow") && numbers.size() == 3) {
            start = numbers[1] < 0 ? numbers[1] + d.size : numbers[1];
            const Index length = numbers[2];
            from = start;
            to = std::max(start + length, start + 1);
            story.reason =
                length < 0
                    ? PaintedText::tr("A length of %1 makes no part of a dim: lengths are 0 or more.").arg(length)
                    : PaintedText::tr("From %1 on, %2 indices reach to %3; dim %4 ends at %5.")
                          .arg(start)
                          .arg(length)
                          .arg(start + length - 1)
                          .arg(d.dim)
                          .arg(d.size - 1);
            if (start >= 0 && start < d.size && length > d.size - start) {
                story.ways.push_back({callCode(name, QStringLiteral("narrow"), Dims{d.dim, start, d.size - start}),
                                      PaintedText::tr("what is left from %1 on").arg(start)});
            }
            if (length >= 0 && length <= d.size && d.size - length != start) {
                story.ways.push_back({callCode(name, QStringLiteral("narrow"), Dims{d.dim, d.size - length, length}),
                                      PaintedText::tr("the last %1").arg(length)});
            }
        } else {
            story.reason = PaintedText::tr("Dim %1 has the indices 0 … %2.").arg(d.dim).arg(d.size - 1);
        }
    } else {
        from = 0;
        to = std::max<Index>(d.index, 1);
        story.reason = d.index <= 0
                           ? PaintedText::tr("%1 is not possible here: windows and steps count elements of dim %2.")
                                 .arg(d.index)
                                 .arg(d.dim)
                           : PaintedText::tr("A window of %1 does not fit: dim %2 has %3.")
                                 .arg(d.index)
                                 .arg(d.dim)
                                 .arg(elementsText(d.size));
        if (called == QStringLiteral("unfold") && numbers.size() == 3 && d.size > 0 && d.index > d.size) {
            story.ways.push_back(
                {callCode(name, QStringLiteral("unfold"), Dims{numbers[0], d.size, std::max<Index>(numbers[2], 1)}),
                 PaintedText::tr("one window over the whole dim")});
        }
    }
    y = appendDimRuler(out, QPointF(0, y), d.dim, d.size, from, to, in.width) + 8;
    return story;
}

Story tellBounds(SceneBuilder& out, const RefusalFigureInput& in, const StorageOutOfBounds& d, qreal& y) {
    const Tensor& tensor = in.entry->tensor;
    FigureStripInput input;
    input.source = tensor;
    input.storageNumber = in.storageNumber;
    input.sharedBy = in.sharers;
    // As many hatched cells as there is room for; the numbers say the rest.
    constexpr Index kMost = 8;
    if (d.lowest < 0) {
        input.outOfRange = {std::max<Index>(d.lowest, -kMost), 0};
        input.lowest = 0;
        input.highest = std::min<Index>(d.has - 1, 8);
    } else {
        input.outOfRange = {d.has, std::min(d.highest + 1, d.has + kMost)};
        // The end, with cells on both sides of it.
        input.lowest = std::max<Index>(0, d.has - 4);
        input.highest = std::min(d.highest, d.has + 1);
    }
    if (in.attempted) {
        StripReach reach;
        reach.tensor = in.entry->id;
        reach.colour = in.entry->colour;
        reach.view = *in.attempted;
        input.reach = reach;
        // Cells between those that it names are skipped; where it names none so near, all of them are in its way.
        if (ReachQuery(*in.attempted).any(input.outOfRange)) input.wanted = in.attempted;
    }
    const FailingStrip drawn =
        appendFailingStrip(out, std::move(input), QPointF(0, y + 34), in.width, d.lowest < 0 ? d.lowest : d.highest);
    const QString words = d.lowest < 0 ? PaintedText::tr("reaches slot %1, before the storage").arg(d.lowest)
                                       : PaintedText::tr("needs %1, storage has %2").arg(d.needed).arg(d.has);
    const qreal width = textWidth(FontRole::Heading, words) + 22;
    qreal x = drawn.outside.center().x() - width / 2;
    x = std::clamp(x, 0.0, std::max(0.0, in.width - width));
    out.glyph(Glyph::Cross, QPointF(x + 8, y + 15), 16, Tone::Error);
    out.text(QPointF(x + 22, y + 20), words, FontRole::Heading);
    y = std::max(drawn.strip.bottom() + 52, drawn.below + 6);

    Story story;
    story.reason =
        d.lowest < 0
            ? QStringLiteral(
                  "The walk goes below slot 0. Hatched cells are not part of the storage, so nothing is read there.")
            : QStringLiteral(
                  "offset + Σ (size − 1) · stride is %1, but the last slot is %2. Hatched cells are not part of the "
                  "storage, so nothing is read there.")
                  .arg(d.highest)
                  .arg(d.has - 1);
    if (in.attempted && (d.lowest >= 0 || in.attempted->offset < 0)) {
        const View& v = *in.attempted;
        const auto code = [&](const View& w) {
            return QStringLiteral("%1.as_strided(%2, %3, %4)")
                .arg(in.entry->name, tupleText(w.shape), tupleText(w.stride))
                .arg(w.offset);
        };
        const ViewRanges ranges = legalRanges(v, tensor.storageNumel());
        if (!ranges.offset.empty()) {
            View w = v;
            w.offset = std::clamp(v.offset, ranges.offset.lowest, ranges.offset.highest);
            story.ways.push_back({code(w), (v.offset < w.offset ? PaintedText::tr("the smallest offset that fits: %1")
                                                                : PaintedText::tr("the largest offset that fits: %1"))
                                               .arg(w.offset)});
        }
        for (std::size_t k = 0; k < v.shape.size() && story.ways.size() < 3; ++k) {
            if (!ranges.size[k].empty() && ranges.size[k].highest > 0 && v.shape[k] > ranges.size[k].highest) {
                View w = v;
                w.shape[k] = ranges.size[k].highest;
                story.ways.push_back({code(w), PaintedText::tr("dim %1 with size %2").arg(k).arg(w.shape[k])});
            }
        }
        for (std::size_t k = 0; k < v.stride.size() && story.ways.size() < 3; ++k) {
            if (!ranges.stride[k].empty() && ranges.stride[k].highest > 0 && v.stride[k] > ranges.stride[k].highest) {
                View w = v;
                w.stride[k] = ranges.stride[k].highest;
                story.ways.push_back({code(w), PaintedText::tr("dim %1 with stride %2").arg(k).arg(w.stride[k])});
            }
        }
        if (story.ways.empty()) {
            // No single number mends it: as much of the sizes as fits, from outside to inside.
            View w = v;
            if (w.offset < 0 || w.offset >= d.has) w.offset = 0;
            const bool moved = w.offset != v.offset;
            Index left = d.has - 1 - w.offset;
            for (std::size_t k = 0; k < w.shape.size(); ++k) {
                if (w.stride[k] <= 0) continue;
                w.shape[k] = std::min(w.shape[k], left / w.stride[k] + 1);
                left -= (w.shape[k] - 1) * w.stride[k];
            }
            const bool fits = d.has > 0 && asStrided(tensor.view(), w.shape, w.stride, w.offset, tensor.storageNumel());
            if (fits) {
                story.ways.push_back(
                    {code(w), moved ? PaintedText::tr("offset %1, and the sizes that fit then").arg(w.offset)
                                    : PaintedText::tr("the sizes that fit with these strides")});
            }
        }
    }
    return story;
}

} // namespace stridescope::refusal
