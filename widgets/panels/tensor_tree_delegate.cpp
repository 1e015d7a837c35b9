#include "widgets/panels/tensor_tree_delegate.h"

#include "widgets/panels/tensor_tree_model.h"
#include "widgets/scene/scene_painter.h"
#include "widgets/shared/elided_code.h"
#include "widgets/shared/reading_direction.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>
#include <QTreeView>

#include <algorithm>

namespace stridescope {

namespace {

constexpr int kTensorRow = 29;
constexpr int kStorageRow = 40;
constexpr int kTwoLines = 46;
constexpr int kTextLeft = 30;
constexpr qreal kTextGap = 8;
constexpr int kStorageLeft = 24, kDetailLine = 16;
constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

void paintEye(QPainter& painter, const QRectF& rect, bool open, const QColor& colour) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.4));
    const QPointF c = rect.center();
    QPainterPath lids;
    lids.moveTo(c.x() - 7, c.y());
    lids.quadTo(c.x(), c.y() - 9, c.x() + 7, c.y());
    lids.quadTo(c.x(), c.y() + 9, c.x() - 7, c.y());
    painter.drawPath(lids);
    painter.drawEllipse(c, 2, 2);
    if (!open) painter.drawLine(c + QPointF(-6, 5), c + QPointF(6, -5));
    painter.restore();
}

} // namespace

QRect TensorTreeDelegate::eyeRect(const QRect& row) {
    return {row.right() - 27, row.top(), 26, std::min(row.height(), kTensorRow)};
}

QSize TensorTreeDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const bool attempt = index.data(TensorTreeModel::AttemptRole).toBool();
    const bool storage = !attempt && index.data(TensorTreeModel::TensorIdRole).toULongLong() == 0;
    const auto* tree = qobject_cast<const QTreeView*>(option.widget);
    if (!tree) return {160, storage ? kStorageRow : kTensorRow};
    int depth = tree->rootIsDecorated() ? 1 : 0;
    for (QModelIndex up = index.parent(); up.isValid(); up = up.parent()) ++depth;
    const QRect row(0, 0, tree->viewport()->width() - depth * tree->indentation(), kTensorRow);
    if (storage) return {160, kStorageRow + kDetailLine * (storageLines(row.width(), index) - 1)};
    if (attempt) return {160, attemptApart(row.width(), index) ? kTwoLines : kTensorRow};
    const bool two = needsTwoLines(m_theme, eyeRect(row).left() - 4 - kTextLeft, index.data().toString(),
                                   index.data(TensorTreeModel::DetailRole).toString());
    return {160, two ? kTwoLines : kTensorRow};
}

int TensorTreeDelegate::storageLines(int width, const QModelIndex& index) const {
    const QFontMetrics metrics(m_theme.font(FontRole::Label));
    const QRect room(0, 0, std::max(1, width - kStorageLeft - 4), 1 << 14);
    const QRect used = metrics.boundingRect(room, kWrapped, index.data(TensorTreeModel::DetailRole).toString());
    return std::clamp((used.height() + metrics.lineSpacing() / 2) / metrics.lineSpacing(), 1, 3);
}

bool TensorTreeDelegate::attemptApart(int width, const QModelIndex& index) const {
    return QFontMetricsF(m_theme.font(FontRole::Code)).horizontalAdvance(index.data().toString()) + kTextGap +
               QFontMetricsF(m_theme.font(FontRole::Label))
                   .horizontalAdvance(index.data(TensorTreeModel::RelationRole).toString()) >
           width - kTextLeft - 6;
}

bool TensorTreeDelegate::needsTwoLines(const Theme& theme, qreal room, const QString& name, const QString& shape) {
    return QFontMetricsF(theme.font(FontRole::CodeStrong)).horizontalAdvance(name) + kTextGap +
               QFontMetricsF(theme.font(FontRole::Code)).horizontalAdvance(shape) >
           room;
}

void TensorTreeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    readFromLeft(*painter);
    const bool attempt = index.data(TensorTreeModel::AttemptRole).toBool();
    const bool storage = !attempt && index.data(TensorTreeModel::TensorIdRole).toULongLong() == 0;
    if (!storage && option.state.testFlag(QStyle::State_Selected)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(m_theme.color(Tone::Control), 1));
        painter->setBrush(m_theme.color(Tone::Selected));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -1.5, -0.5), 6, 6);
    }
    // Storages are not selected, but the keys lead over them.
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(m_theme.color(Tone::Ink), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -2, -1), 6, 6);
        painter->setRenderHint(QPainter::Antialiasing, false);
    }
    if (attempt) {
        paintAttempt(*painter, option.rect, index);
    } else if (storage) {
        paintStorage(*painter, option.rect, index);
    } else {
        paintTensor(*painter, option.rect, index);
    }
    painter->restore();
}

void TensorTreeDelegate::paintStorage(QPainter& painter, const QRect& row, const QModelIndex& index) const {
    const QRect glyph(row.left() + 2, row.top() + 5, 14, 13);
    painter.setPen(QPen(m_theme.color(Tone::Ink2), 1.4));
    painter.drawRect(glyph);
    for (int i = 1; i <= 2; ++i)
        painter.drawLine(glyph.left() + i * 5, glyph.top(), glyph.left() + i * 5, glyph.bottom());
    const int left = row.left() + kStorageLeft;
    painter.setFont(m_theme.font(FontRole::LabelStrong));
    painter.setPen(m_theme.color(Tone::Ink));
    painter.drawText(QPoint(left, row.top() + 16), index.data().toString());
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    const QString detail = index.data(TensorTreeModel::DetailRole).toString();
    const QFontMetrics metrics(m_theme.font(FontRole::Label));
    const QRect words(left, row.top() + 32 - metrics.ascent(), row.width() - kStorageLeft - 4, row.height());
    painter.drawText(words, kWrapped, detail);
}

void TensorTreeDelegate::paintTensor(QPainter& painter, const QRect& row, const QModelIndex& index) const {
    const int colour = index.data(TensorTreeModel::ColourRole).toInt();
    const bool onStage = index.data(TensorTreeModel::OnStageRole).toBool();
    const QRect line(row.left(), row.top(), row.width(), std::min(row.height(), kTensorRow));
    const QPointF centre(row.left() + 13, line.center().y() + 0.5);
    if (onStage && colour >= 0) {
        Scene badge;
        badge.size = QSizeF(row.right() + 1, row.bottom() + 1);
        badge.nodes.push_back({{}, BadgeItem{centre, colour, 19, index.data(TensorTreeModel::LetterRole).toChar()}});
        PaintOptions options;
        options.ground = false;
        paintScene(painter, badge, m_theme, options);
    } else {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_theme.color(Tone::Control), 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(centre, 5.5, 5.5);
    }

    const QFont name = m_theme.font(FontRole::CodeStrong);
    const QFont shape = m_theme.font(FontRole::Code);
    const QFont word = m_theme.font(FontRole::Label);
    int baseline = line.center().y() + 5;
    const QRect eye = eyeRect(row);
    paintEye(painter, eye, onStage, m_theme.color(Tone::Ink2));

    const qreal room = eye.left() - 4 - (row.left() + kTextLeft);
    const QString sizes = index.data(TensorTreeModel::DetailRole).toString();
    const bool two = row.height() > kTensorRow && needsTwoLines(m_theme, room, index.data().toString(), sizes);
    const RowTexts texts = rowTexts(m_theme, room, index.data().toString(), two ? QString() : sizes,
                                    index.data(TensorTreeModel::RelationRole).toString());
    qreal x = row.left() + kTextLeft;
    const auto write = [&](const QFont& font, Tone tone, qreal at, const QString& text) {
        painter.setFont(font);
        painter.setPen(m_theme.color(tone));
        painter.drawText(QPointF(at, baseline), text);
        return QFontMetricsF(font).horizontalAdvance(text);
    };
    x += write(name, Tone::Ink, x, texts.name) + kTextGap;
    write(shape, Tone::Ink2, x, texts.shape);
    write(word, Tone::Ink2, eye.left() - 4 - QFontMetricsF(word).horizontalAdvance(texts.relation), texts.relation);
    if (!two) return;
    // Whole if at all possible: smaller letters before dots.
    baseline = line.bottom() + 11;
    const qreal wide = row.right() - 4 - (row.left() + kTextLeft);
    const QFont small = m_theme.font(FontRole::Index);
    const bool fits = QFontMetricsF(shape).horizontalAdvance(sizes) <= wide;
    const QFont font = fits ? shape : small;
    write(font, Tone::Ink2, row.left() + kTextLeft, QFontMetricsF(font).elidedText(sizes, Qt::ElideMiddle, wide + 0.5));
}

void TensorTreeDelegate::paintAttempt(QPainter& painter, const QRect& row, const QModelIndex& index) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const bool apart = row.height() > kTensorRow && attemptApart(row.width(), index);
    const QRect line(row.left(), row.top(), row.width(), std::min(row.height(), kTensorRow));
    const QPointF centre(row.left() + 13, line.center().y() + 0.5);
    painter.setPen(QPen(m_theme.color(Tone::Error), 2.2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre + QPointF(-4, -4), centre + QPointF(4, 4));
    painter.drawLine(centre + QPointF(-4, 4), centre + QPointF(4, -4));
    const QString words = index.data(TensorTreeModel::RelationRole).toString();
    const QFontMetricsF label(m_theme.font(FontRole::Label)), code(m_theme.font(FontRole::Code));
    const qreal right = row.right() - 6 - label.horizontalAdvance(words);
    const int baseline = line.center().y() + 5;
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    painter.drawText(apart ? QPointF(row.left() + kTextLeft, line.bottom() + 11) : QPointF(right, baseline), words);
    painter.setFont(m_theme.font(FontRole::Code));
    painter.setPen(m_theme.color(Tone::Ink));
    painter.drawText(QPointF(row.left() + kTextLeft, baseline),
                     elidedCode(code, index.data().toString(),
                                (apart ? row.right() - 4.0 : right - kTextGap) - row.left() - kTextLeft));
}

TensorTreeDelegate::RowTexts TensorTreeDelegate::rowTexts(const Theme& theme, qreal room, const QString& name,
                                                          const QString& shape, const QString& relation) {
    const auto wide = [&theme](FontRole role, const QString& text) {
        return QFontMetricsF(theme.font(role)).horizontalAdvance(text);
    };
    // Widths are fractions: rounded down they would cost a name its last letter.
    const auto cut = [&theme](FontRole role, const QString& text, qreal width) {
        return QFontMetricsF(theme.font(role)).elidedText(text, Qt::ElideMiddle, width + 0.5);
    };
    RowTexts texts{name, shape, relation};
    const qreal nameWidth = wide(FontRole::CodeStrong, name), shapeWidth = wide(FontRole::Code, shape);
    const qreal relationWidth = wide(FontRole::Label, relation);
    if (nameWidth + kTextGap + shapeWidth + kTextGap + relationWidth <= room) return texts;
    // The relation, which indentation shows too, goes first; then the middle of the shape, then that of the name.
    texts.relation.clear();
    if (nameWidth + kTextGap + shapeWidth <= room) return texts;
    const qreal leastShape = std::min(shapeWidth, wide(FontRole::Code, QStringLiteral("(2, … 2)")));
    texts.name = cut(FontRole::CodeStrong, name, std::min(nameWidth, room - kTextGap - leastShape));
    texts.shape = cut(FontRole::Code, shape, room - kTextGap - wide(FontRole::CodeStrong, texts.name));
    return texts;
}

} // namespace stridescope
