// Words, numbers and rulers of the pictures of refusals.

#include "widgets/figures/refusal_parts.h"
#include "core/view/legal_ranges.h"
#include "core/view/view_verdict.h"
#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace stridescope::refusal {

std::vector<Index> callNumbers(const QString& code) {
    std::vector<Index> numbers;
    static const QRegularExpression number(QStringLiteral("-?\\d+"));
    const qsizetype open = code.indexOf(QLatin1Char('('), std::max<qsizetype>(0, code.lastIndexOf(QLatin1Char('.'))));
    if (open < 0) return numbers;
    auto matches = number.globalMatch(code.mid(open));
    while (matches.hasNext()) {
        bool ok = false;
        const Index value = matches.next().captured().toLongLong(&ok);
        if (ok) numbers.push_back(value);
    }
    return numbers;
}

std::vector<Dims> callLists(const QString& code) {
    std::vector<Dims> lists;
    static const QRegularExpression list(QStringLiteral("[(\\[](\\s*-?\\d+\\s*(?:,\\s*-?\\d+\\s*)*,?\\s*)[)\\]]"));
    static const QRegularExpression number(QStringLiteral("-?\\d+"));
    auto matches = list.globalMatch(code, std::max<qsizetype>(0, code.lastIndexOf(QLatin1Char('.'))));
    while (matches.hasNext()) {
        Dims numbers;
        auto each = number.globalMatch(matches.next().captured(1));
        while (each.hasNext()) numbers.push_back(each.next().captured().toLongLong());
        lists.push_back(std::move(numbers));
    }
    return lists;
}

QString method(const QString& code) {
    static const QRegularExpression call(QStringLiteral("\\.(\\w+)\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)\\s*$"));
    const auto match = call.match(code);
    return match.hasMatch() ? match.captured(1) : QString();
}

qreal appendWords(SceneBuilder& out, QPointF at, const QString& text, FontRole font, Tone tone, qreal width) {
    for (const QString& line : wrapText(font, text, width)) {
        out.text(at, line, font, tone);
        at.ry() += font == FontRole::Heading ? 20 : 17;
    }
    return at.y();
}

qreal appendDimRuler(SceneBuilder& out, QPointF at, Index dim, Index size, Index from, Index to, qreal width) {
    constexpr qreal kCell = 40;
    const Index most = std::max<Index>(6, static_cast<Index>((width - 120) / kCell));
    const Index low = std::min<Index>(0, from);
    const Index high = std::max(size, to);
    Index first = low;
    Index last = high;
    if (last - first > most) {
        // The missed end stays in the middle of the window.
        const Index miss = from < 0 ? 0 : size;
        first = std::clamp<Index>(miss - most / 2, low, high - most);
        last = first + most;
    }
    const QString label = PaintedText::tr("dim %1 · %2").arg(dim).arg(size);
    const qreal left = at.x() + textWidth(FontRole::LabelStrong, label) + 46;
    const Tone tone = Theme::dimTone(dim);
    out.text(QPointF(at.x(), at.y() + 27), label, FontRole::LabelStrong);
    out.line(QPointF(at.x() + textWidth(FontRole::LabelStrong, label) + 8, at.y() + 23), QPointF(left - 8, at.y() + 23),
             tone, 3, LineStyle::Solid, true);
    for (Index i = first; i < last; ++i) {
        const QRectF cell(left + static_cast<qreal>(i - first) * kCell, at.y(), kCell, 36);
        const bool inside = i >= 0 && i < size;
        const bool wanted = i >= from && i < to;
        BoxItem box;
        box.rect = inside ? cell : cell.adjusted(1, 1, -1, -1);
        box.fill = inside && wanted ? Tone::Selected : Tone::Stage;
        box.outline = inside ? Tone::Control : wanted ? Tone::Error : Tone::Ghost;
        box.width = inside ? 1 : 2;
        box.hatched = !inside && wanted;
        box.style = inside || wanted ? LineStyle::Solid : LineStyle::Dotted;
        if (!inside) box.radius = 2;
        out.box(box);
        const QString text = QString::number(i);
        if (!inside && wanted) {
            BoxItem plate;
            const qreal half = textWidth(FontRole::MetaStrong, text) / 2 + 4;
            plate.rect = QRectF(cell.center().x() - half, cell.center().y() - 9, 2 * half, 18);
            plate.fill = Tone::Stage;
            plate.radius = 3;
            out.box(plate);
        }
        out.text(cell.center() + QPointF(0, 4.4), text, wanted ? FontRole::MetaStrong : FontRole::Meta,
                 wanted ? Tone::Ink : Tone::Ink2, kCentre);
    }
    if (last < high)
        out.text(QPointF(left + static_cast<qreal>(last - first) * kCell + 6, at.y() + 22), QStringLiteral("…"),
                 FontRole::Meta, Tone::Ink2);
    if (first > low)
        out.text(QPointF(left - 6, at.y() + 50), PaintedText::tr("… from %1").arg(first), FontRole::Label, Tone::Ink2);
    // What was asked for, as a bracket under the cells.
    const Index a = std::max(from, first);
    const Index b = std::min(to, last);
    if (a < b) {
        const qreal x0 = left + static_cast<qreal>(a - first) * kCell + 3;
        const qreal x1 = left + static_cast<qreal>(b - first) * kCell - 3;
        PathItem bracket;
        bracket.path.moveTo(x0, at.y() + 42);
        bracket.path.lineTo(x0, at.y() + 48);
        bracket.path.lineTo(x1, at.y() + 48);
        bracket.path.lineTo(x1, at.y() + 42);
        bracket.stroke = Tone::Error;
        bracket.width = 2;
        out.path(bracket);
        const QString words = to - from == 1 ? PaintedText::tr("wanted: index %1").arg(from)
                                             : PaintedText::tr("wanted: indices %1–%2").arg(from).arg(to - 1);
        const qreal half = (textWidth(FontRole::LabelStrong, words) + 20) / 2;
        const qreal x = std::max(left, (x0 + x1) / 2 - half);
        out.glyph(Glyph::Cross, QPointF(x + 7, at.y() + 63), 14, Tone::Error);
        out.text(QPointF(x + 20, at.y() + 67), words, FontRole::LabelStrong);
    }
    return at.y() + 76;
}

FailingStrip appendFailingStrip(SceneBuilder& out, FigureStripInput input, QPointF at, qreal width, Index failing) {
    constexpr qreal kFarGap = 30;
    const bool before = failing < 0;
    const qreal farWidth = beyondCellWidth(failing);
    FailingStrip drawn;
    drawn.strip = layoutStrip(input, at, width);
    const bool far = !drawn.strip.shows(failing);
    if (far) {
        if (before) input.before = farWidth + kFarGap;
        drawn.strip = layoutStrip(input, at, width - farWidth - kFarGap);
    }
    const FigureStrip& strip = drawn.strip;
    drawn.below = appendStrip(out, input, strip);
    const QRectF& area = strip.layout.area;
    QRectF first = strip.cell(input.outOfRange.first).intersected(area);
    QRectF last = strip.cell(input.outOfRange.last - 1).intersected(area);
    if (far) {
        const QRectF cell(before ? area.left() - kFarGap - farWidth : area.right() + kFarGap, area.top(), farWidth,
                          area.height());
        out.beyondCell(cell, failing);
        out.text(QPointF(before ? area.left() - kFarGap / 2 : area.right() + kFarGap / 2, area.center().y() + 3),
                 QStringLiteral("…"), FontRole::Heading, Tone::Ink2, kCentre);
        (before ? first : last) = cell;
        if (!strip.shows(before ? -1 : input.source.storageNumel())) (before ? last : first) = cell;
    }
    drawn.outside = QRectF(first.topLeft(), last.bottomRight());
    return drawn;
}

} // namespace stridescope::refusal
