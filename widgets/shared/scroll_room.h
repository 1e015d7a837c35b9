#pragma once
// ScrollRoom: a widget in a window that may be smaller than the widget can be.

#include <QScrollArea>

namespace stridescope {

/// Gives `content` all of its room; where that is less than the content's least size, the content scrolls.
class ScrollRoom : public QScrollArea {
    Q_OBJECT

public:
    explicit ScrollRoom(QWidget* content, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Is a part of the content out of sight?
    bool scrolls() const;
};

} // namespace stridescope
