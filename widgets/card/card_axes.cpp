#include "widgets/card/card_axes.h"

#include "widgets/card/text_metrics.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::card {

TextItem caption(QPointF at, const QString& text) {
    TextItem item;
    item.pos = at;
    item.text = text;
    item.font = FontRole::Label;
    item.tone = Tone::Ink2;
    return item;
}

const Dims* ringInSlice(const CardLayout& card, const Dims& outer) {
    const auto found = std::find_if(card.rings.begin(), card.rings.end(), [&outer](const Dims& ring) {
        return std::equal(outer.begin(), outer.end(), ring.begin());
    });
    return found == card.rings.end() ? nullptr : &*found;
}

QString coordName(const CardInput& input, int dim) {
    const QString given = dim < input.dimNames.size() ? input.dimNames[dim] : QString();
    return given.isEmpty() ? indexLetter(dim) : given.toLower();
}

QString dimLabel(const CardInput& input, int dim) {
    QString text = PaintedText::tr("dim %1").arg(dim);
    if (dim >= 0 && dim < input.dimNames.size() && !input.dimNames[dim].isEmpty()) {
        text += QStringLiteral(" (%1)").arg(input.dimNames[dim]);
    }
    return text;
}

CardAxis makeAxis(const CardInput& input, int dim, Index size, bool vertical) {
    CardAxis axis;
    axis.dim = dim;
    axis.size = size;
    axis.vertical = vertical;
    axis.text = dimLabel(input, dim) + QStringLiteral(" · ") + QString::number(size);
    return axis;
}

void makeBare(CardAxis& axis) {
    axis.text.clear();
    axis.from = axis.to = axis.label = QPointF();
    axis.hot = QRectF();
}

void placeHorizontal(CardAxis& axis, QPointF start, qreal length) {
    const qreal label = textWidth(FontRole::LabelStrong, axis.text);
    const qreal end = std::max(start.x() + length, start.x() + label + 8 + 22);
    axis.label = QPointF(start.x() + label / 2, start.y());
    axis.from = QPointF(start.x() + label + 6, start.y());
    axis.to = QPointF(end, start.y());
    axis.hot = QRectF(start.x(), start.y() - 9, end - start.x(), 18);
}
void placeVertical(CardAxis& axis, QPointF start, qreal length, qreal above, bool brief) {
    constexpr qreal kGap = 8;
    qreal label = textWidth(FontRole::LabelStrong, axis.text), arrow = 22;
    if (brief && label + kGap + arrow > length + above) {
        // One row in sight: its caption says how many there are.
        axis.text = axis.text.section(QStringLiteral(" · "), 0, 0);
        label = textWidth(FontRole::LabelStrong, axis.text);
        arrow = 12;
    }
    const qreal missing = label + kGap + arrow - length;
    const qreal bottom = start.y() + length;
    start.ry() -= std::clamp(missing, 0.0, above);
    const qreal end = std::max(bottom, start.y() + label + kGap + arrow);
    axis.label = QPointF(start.x(), start.y() + label / 2);
    axis.from = QPointF(start.x(), start.y() + label + 6);
    axis.to = QPointF(start.x(), end);
    axis.hot = QRectF(start.x() - 9, start.y(), 18, end - start.y());
}

void addTicks(CardAxis& axis, Index first, Index shown, std::optional<Index> hovered, qreal cell, QPointF origin,
              bool alongX) {
    if (shown <= 0) return;
    const Index last = first + shown - 1;
    std::vector<Index> wanted;
    if (hovered && *hovered >= first && *hovered <= last) wanted.push_back(*hovered);
    for (const Index i : {first, last}) {
        if (std::find(wanted.begin(), wanted.end(), i) == wanted.end()) wanted.push_back(i);
    }
    const auto at = [&](Index i) { return (static_cast<qreal>(i - first) + 0.5) * cell; };
    std::vector<Index> kept;
    for (const Index i : wanted) {
        const bool clear = std::all_of(kept.begin(), kept.end(), [&](Index k) {
            const qreal room = alongX ? (textWidth(FontRole::IndexStrong, QString::number(i)) +
                                         textWidth(FontRole::IndexStrong, QString::number(k))) /
                                                2 +
                                            6
                                      : 13;
            return std::abs(at(i) - at(k)) >= room;
        });
        if (clear) kept.push_back(i);
    }
    std::sort(kept.begin(), kept.end());
    for (const Index i : kept) {
        const QPointF p = alongX ? origin + QPointF(at(i), 0) : origin + QPointF(0, at(i));
        axis.ticks.push_back({p, i, hovered && *hovered == i});
    }
}

} // namespace stridescope::card
