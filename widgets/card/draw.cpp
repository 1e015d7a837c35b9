#include "widgets/card/draw.h"

#include "widgets/card/text_metrics.h"

#include <algorithm>
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

void SceneBuilder::badge(QPointF centre, const TensorEntry& entry, qreal size, PartKind kind) {
    m_scene.nodes.push_back({part(kind, -1), BadgeItem{moved(centre), entry.colour, size, entry.letter}});
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

qreal beyondCellWidth(Index slot) {
    return std::max<qreal>(40, std::ceil(textWidth(FontRole::MetaStrong, QString::number(slot))) + 20);
}

void SceneBuilder::beyondCell(const QRectF& rect, Index slot) {
    BoxItem cell;
    cell.rect = rect.adjusted(1, 1, -1, -1);
    cell.outline = Tone::Error;
    cell.hatched = true;
    cell.width = 2;
    cell.radius = 2;
    box(cell);
    const QString index = QString::number(slot);
    const bool large = rect.height() >= 40 && textWidth(FontRole::Cell, index) + 20 <= rect.width();
    const FontRole font = large ? FontRole::Cell : FontRole::MetaStrong;
    BoxItem plate;
    plate.rect = QRectF(0, 0, textWidth(font, index) + (large ? 14 : 8), large ? 24 : 18);
    plate.rect.moveCenter(rect.center());
    plate.fill = Tone::Stage;
    plate.radius = 4;
    box(plate);
    text(rect.center() + QPointF(0, large ? 5.4 : 4.4), index, font, Tone::Ink, Qt::AlignHCenter | Qt::AlignBaseline);
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
