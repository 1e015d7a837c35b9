// Dims that there are not, and dims that are named twice or not at all.

#include "core/view/legal_ranges.h"
#include "core/view/view_verdict.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/refusal_parts.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::refusal {

namespace {

constexpr qreal kChip = 96;

/// A dim with its size and arrow; hatched where there is none.
void appendChip(SceneBuilder& out, QPointF at, const QString& above, const QString& below, bool bad, Index dim) {
    BoxItem box;
    box.rect = QRectF(at, QSizeF(kChip - 10, 44));
    box.fill = Tone::Stage;
    box.outline = bad ? Tone::Error : Tone::Control;
    box.hatched = bad;
    box.width = bad ? 2 : 1.5;
    box.radius = 6;
    out.box(box);
    const qreal middle = box.rect.center().x();
    if (bad) {
        BoxItem plate;
        const qreal half = textWidth(FontRole::LabelStrong, above) / 2 + 5;
        plate.rect = QRectF(middle - half, at.y() + 12, 2 * half, 20);
        plate.fill = Tone::Stage;
        plate.radius = 3;
        out.box(plate);
    }
    out.text(QPointF(middle, at.y() + (bad ? 26 : 22)), above, FontRole::LabelStrong, Tone::Ink, kCentre);
    if (!bad)
        out.line(at + QPointF(14, 32), at + QPointF(kChip - 24, 32), Theme::dimTone(static_cast<int>(dim)), 3,
                 dim > 3 ? LineStyle::Dashed : LineStyle::Solid, true);
    out.text(QPointF(middle, at.y() + 60), below, FontRole::Index, Tone::Ink2, kCentre);
}

} // namespace

Story tellDims(SceneBuilder& out, const RefusalFigureInput& in, const DimOutOfRange& d, qreal& y) {
    const View& view = in.entry->tensor.view();
    const Index ndim = view.dim();
    const Index most = std::max<Index>(3, static_cast<Index>(in.width / kChip) - 1);
    const Index shown = std::min(ndim, most);
    const QString wanted = PaintedText::tr("dim %1").arg(d.got);
    qreal x = 0;
    if (d.got < 0) {
        appendChip(out, QPointF(x, y), wanted, PaintedText::tr("does not exist"), true, 0);
        x += kChip + 14;
    }
    for (Index i = 0; i < shown; ++i) {
        appendChip(out, QPointF(x, y),
                   PaintedText::tr("dim %1 · %2").arg(i).arg(view.shape[static_cast<std::size_t>(i)]),
                   PaintedText::tr("or −%1").arg(ndim - i), false, i);
        x += kChip;
    }
    if (shown < ndim) {
        out.text(QPointF(x, y + 26), PaintedText::tr("… %1 dims").arg(ndim), FontRole::Label, Tone::Ink2);
        x += 70;
    }
    if (d.got >= 0) appendChip(out, QPointF(x + 14, y), wanted, PaintedText::tr("does not exist"), true, 0);
    y += 76;

    Story story;
    if (ndim == 0) {
        story.reason = PaintedText::tr("%1 is 0-d: one element, and no dim to walk along.").arg(in.entry->name);
        story.ways.push_back({callCode(in.entry->name, QStringLiteral("unsqueeze"), Dims{0}),
                              PaintedText::tr("gives it a dim of size 1")});
        return story;
    }
    story.reason = PaintedText::tr("%1 has %2 %3, numbered 0 … %4 from the left or −%2 … −1 from the right.")
                       .arg(in.entry->name)
                       .arg(ndim)
                       .arg(ndim == 1 ? PaintedText::tr("dim") : PaintedText::tr("dims"))
                       .arg(ndim - 1);
    // Replace the number where it stands alone in the call.
    const std::vector<Index> numbers = callNumbers(in.code);
    if (std::count(numbers.begin(), numbers.end(), d.got) == 1 && ndim > 0) {
        const Index nearest = d.got < 0 ? 0 : ndim - 1;
        Dims mended;
        for (const Index n : numbers) mended.push_back(n == d.got ? nearest : n);
        const bool twice = std::count(mended.begin(), mended.end(), nearest) > 1;
        const QString called = method(in.code);
        if (!called.isEmpty() && !twice && !in.code.contains(QLatin1Char('=')) &&
            !in.code.contains(QStringLiteral("(("))) {
            story.ways.push_back({callCode(in.entry->name, called, mended),
                                  d.got < 0 ? PaintedText::tr("the first dim") : PaintedText::tr("the last dim")});
        }
    }
    return story;
}

Story tellOrder(SceneBuilder& out, const RefusalFigureInput& in, qreal& y) {
    const View& view = in.entry->tensor.view();
    const Index ndim = view.dim();
    const QString name = in.entry->name;
    const bool transposes = in.refusal.id == "VIEW-08";
    // How often each dim is named; what names none of them is left to the refusal of dims.
    std::vector<Index> times(static_cast<std::size_t>(ndim), 0);
    Dims order;
    for (const Index n : transposes ? std::vector<Index>() : callNumbers(in.code)) {
        const Index dim = n < 0 ? n + ndim : n;
        if (dim < 0 || dim >= ndim) continue;
        if (times[static_cast<std::size_t>(dim)]++ == 0) order.push_back(dim);
    }
    const Index most = std::max<Index>(2, static_cast<Index>(in.width / kChip) - 1);
    for (Index i = 0; i < std::min(ndim, most); ++i) {
        const Index n = times[static_cast<std::size_t>(i)];
        const QString below = transposes ? PaintedText::tr("or −%1").arg(ndim - i)
                              : n == 0   ? PaintedText::tr("not named")
                              : n == 1   ? PaintedText::tr("named once")
                                         : PaintedText::tr("named %1 times").arg(n);
        const QPointF at(static_cast<qreal>(i) * kChip, y);
        appendChip(out, at, PaintedText::tr("dim %1 · %2").arg(i).arg(view.shape[static_cast<std::size_t>(i)]), below,
                   n > 1, i);
    }
    if (most < ndim) {
        out.text(QPointF(static_cast<qreal>(most) * kChip, y + 26), PaintedText::tr("… %1 dims").arg(ndim),
                 FontRole::Label, Tone::Ink2);
    }
    y += 76;

    Story story;
    if (transposes) {
        story.reason = PaintedText::tr("t() swaps the two dims of a matrix; %1 has %2, and which two is not said.")
                           .arg(name)
                           .arg(ndim);
        story.ways.push_back({callCode(name, QStringLiteral("transpose"), Dims{ndim - 2, ndim - 1}),
                              PaintedText::tr("swaps the last two: every matrix in it")});
        Dims reversed;
        for (Index d = ndim; d-- > 0;) reversed.push_back(d);
        story.ways.push_back({callCode(name, QStringLiteral("permute"), reversed),
                              PaintedText::tr("turns the order of all dims round")});
        return story;
    }
    const auto twice = std::find_if(times.begin(), times.end(), [](Index n) { return n > 1; });
    if (twice != times.end()) {
        const Index dim = twice - times.begin();
        story.reason = PaintedText::tr("Dim %1, which is also −%2, is named %3 times; an order names every dim once.")
                           .arg(dim)
                           .arg(ndim - dim)
                           .arg(*twice);
    } else {
        story.reason =
            PaintedText::tr("An order names every dim once: %1 has %2, and %3 named.")
                .arg(name)
                .arg(ndim)
                .arg(order.size() == 1 ? PaintedText::tr("1 is") : PaintedText::tr("%1 are").arg(order.size()));
    }
    if (method(in.code) == QStringLiteral("permute") && !order.empty()) {
        for (Index d = 0; d < ndim; ++d) {
            if (times[static_cast<std::size_t>(d)] == 0) order.push_back(d);
        }
        story.ways.push_back(
            {callCode(name, QStringLiteral("permute"), order), PaintedText::tr("as named, the others behind")});
    }
    return story;
}

} // namespace stridescope::refusal
