#include "widgets/card/draw.h"

#include "widgets/card/text_metrics.h"

#include <cmath>

namespace stridescope {

Part SceneBuilder::part(PartKind kind, int index) const {
    if (kind == PartKind::None) return {};
    return {kind, m_tensor, m_storage, index};
}

void SceneBuilder::item(SceneItem item, PartKind kind, int index) {
    m_scene.nodes.push_back({part(kind, index), std::move(item)});
}

qreal SceneBuilder::text(QPointF at, const QString& text, FontRole font, Tone tone, Qt::Alignment anchor, qreal angle) {
    TextItem item;
    item.pos = moved(at);
    item.anchor = anchor;
    item.text = text;
    item.font = font;
    item.tone = tone;
    item.angle = angle;
    m_scene.nodes.push_back({{}, item});
    return textWidth(font, text);
}

void SceneBuilder::box(BoxItem item, PartKind kind, int index) {
    item.rect = moved(item.rect);
    m_scene.nodes.push_back({part(kind, index), item});
}

void SceneBuilder::path(PathItem item, PartKind kind, int index) {
    item.path.translate(m_shift);
    m_scene.nodes.push_back({part(kind, index), item});
}

void SceneBuilder::line(QPointF from, QPointF to, Tone stroke, qreal width, LineStyle style, bool arrow) {
    PathItem item;
    item.path.moveTo(from);
    item.path.lineTo(to);
    item.stroke = stroke;
    item.width = width;
    item.style = style;
    item.arrow = arrow;
    path(item);
}

void SceneBuilder::arc(QPointF from, QPointF to, qreal rise, Tone stroke, qreal width, LineStyle style, bool casing) {
    const qreal pull = 0.12 * (to.x() - from.x());
    // The middle of a cubic lies at three quarters of its control points' height.
    const QPointF lift(0, -rise * 4 / 3);
    PathItem item;
    item.path.moveTo(from);
    item.path.cubicTo(from + QPointF(pull, 0) + lift, to - QPointF(pull, 0) + lift, to);
    item.stroke = stroke;
    item.width = width;
    item.style = style;
    item.arrow = true;
    item.casing = casing;
    path(item);
}

void SceneBuilder::badge(QPointF centre, int colour, qreal size, PartKind kind) {
    m_scene.nodes.push_back({part(kind, -1), BadgeItem{moved(centre), colour, size}});
}

void SceneBuilder::hot(const QRectF& rect, PartKind kind, int index) {
    BoxItem item;
    item.rect = rect;
    item.style = LineStyle::None;
    box(item, kind, index);
}

void SceneBuilder::glyph(Glyph which, QPointF centre, qreal size, Tone tone) {
    PathItem item;
    item.path = glyphPath(which, centre, size);
    item.stroke = tone;
    item.width = size / 8;
    path(item);
}

QString subscript(Index number) {
    QString digits = QString::number(number);
    for (QChar& c : digits) {
        if (c.isDigit()) c = QChar(0x2080 + c.digitValue());
    }
    return digits;
}

QString indexLetter(int dim) {
    static constexpr char16_t letters[] = u"ijklmnpq";
    if (dim >= 0 && dim < 8) return QString(QChar(letters[dim]));
    return QStringLiteral("i") + subscript(dim);
}

QString tupleText(const Dims& dims) {
    return QString::fromStdString(toString(dims));
}

} // namespace stridescope
