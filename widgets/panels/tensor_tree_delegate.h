#pragma once
// Paints the rows of TensorTree: storages on two lines, tensors with badge, name, shape, relation and eye.

#include "widgets/theme/theme.h"

#include <QStyledItemDelegate>

namespace stridescope {

class TensorTreeDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void setTheme(const Theme& theme) { m_theme = theme; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Where the eye of a row that fills `row` lies; the mouse and the painter both ask here.
    static QRect eyeRect(const QRect& row);

    /// What of a row's texts is shown in `room` pixels: all of it where it fits.
    struct RowTexts {
        QString name, shape, relation;
    };
    /// True where name and shape do not fit beside each other in `room` pixels: the shape then has a line of its own.
    static bool needsTwoLines(const Theme& theme, qreal room, const QString& name, const QString& shape);
    static RowTexts rowTexts(const Theme& theme, qreal room, const QString& name, const QString& shape,
                             const QString& relation);

private:
    /// Lines that a storage's detail takes, 1 to 3.
    int storageLines(int width, const QModelIndex& index) const;
    /// Whether what was not made needs two lines for its code and "not made".
    bool attemptApart(int width, const QModelIndex& index) const;
    void paintStorage(QPainter& painter, const QRect& row, const QModelIndex& index) const;
    void paintTensor(QPainter& painter, const QRect& row, const QModelIndex& index) const;
    void paintAttempt(QPainter& painter, const QRect& row, const QModelIndex& index) const;

    Theme m_theme;
};

} // namespace stridescope
