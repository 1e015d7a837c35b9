#include "widgets/panels/tensor_tree_delegate.h"

#include "widgets/panels/tensor_tree_model.h"
#include "widgets/scene/scene_painter.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

namespace stridescope {

namespace {

constexpr int kTensorRow = 29;
constexpr int kStorageRow = 40;

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
    return {row.right() - 27, row.top(), 26, row.height()};
}

QSize TensorTreeDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const bool storage = index.data(TensorTreeModel::TensorIdRole).toULongLong() == 0;
    return {160, storage ? kStorageRow : kTensorRow};
}

void TensorTreeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    const bool storage = index.data(TensorTreeModel::TensorIdRole).toULongLong() == 0;
    if (!storage && option.state.testFlag(QStyle::State_Selected)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(m_theme.color(Tone::Control), 1));
        painter->setBrush(m_theme.color(Tone::Selected));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -1.5, -0.5), 6, 6);
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(QPen(m_theme.color(Tone::Ink), 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -2, -1), 6, 6);
        }
    }
    if (storage) {
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
    const int left = row.left() + 24;
    painter.setFont(m_theme.font(FontRole::LabelStrong));
    painter.setPen(m_theme.color(Tone::Ink));
    painter.drawText(QPoint(left, row.top() + 16), index.data().toString());
    painter.setFont(m_theme.font(FontRole::Label));
    painter.setPen(m_theme.color(Tone::Ink2));
    const QString detail = index.data(TensorTreeModel::DetailRole).toString();
    const QFontMetrics metrics(m_theme.font(FontRole::Label));
    painter.drawText(QPoint(left, row.top() + 32), metrics.elidedText(detail, Qt::ElideRight, row.right() - left - 4));
}

void TensorTreeDelegate::paintTensor(QPainter& painter, const QRect& row, const QModelIndex& index) const {
    const int colour = index.data(TensorTreeModel::ColourRole).toInt();
    const bool onStage = index.data(TensorTreeModel::OnStageRole).toBool();
    const QPointF centre(row.left() + 13, row.center().y() + 0.5);
    if (onStage && colour >= 0) {
        Scene badge;
        badge.size = QSizeF(row.right() + 1, row.bottom() + 1);
        badge.nodes.push_back({{}, BadgeItem{centre, colour, 19}});
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
    const int baseline = row.center().y() + 5;
    const QRect eye = eyeRect(row);
    paintEye(painter, eye, onStage, m_theme.color(Tone::Ink2));

    // From the right: relation, then name and shape in what is left; the name is the last to be shortened.
    const QString relation = index.data(TensorTreeModel::RelationRole).toString();
    const int relationWidth = QFontMetrics(word).horizontalAdvance(relation);
    const int left = row.left() + 30;
    const QFontMetrics nameMetrics(name);
    const QFontMetrics shapeMetrics(shape);
    const QString nameText = index.data().toString();
    const QString shapeText = index.data(TensorTreeModel::DetailRole).toString();
    int room = eye.left() - 4 - left;
    const int nameWidth = qMin(nameMetrics.horizontalAdvance(nameText), room);
    painter.setFont(name);
    painter.setPen(m_theme.color(Tone::Ink));
    painter.drawText(QPoint(left, baseline), nameMetrics.elidedText(nameText, Qt::ElideRight, nameWidth));
    room -= nameWidth + 8;
    const int shapeWidth = qMin(shapeMetrics.horizontalAdvance(shapeText), room);
    if (shapeWidth > 24) {
        painter.setFont(shape);
        painter.setPen(m_theme.color(Tone::Ink2));
        painter.drawText(QPoint(left + nameWidth + 8, baseline),
                         shapeMetrics.elidedText(shapeText, Qt::ElideRight, shapeWidth));
        room -= shapeWidth + 8;
    }
    if (relationWidth <= room) {
        painter.setFont(word);
        painter.setPen(m_theme.color(Tone::Ink2));
        painter.drawText(QPoint(eye.left() - 4 - relationWidth, baseline), relation);
    }
}

} // namespace stridescope
