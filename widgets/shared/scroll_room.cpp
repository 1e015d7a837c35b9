#include "widgets/shared/scroll_room.h"

#include <QScrollBar>

namespace stridescope {

ScrollRoom::ScrollRoom(QWidget* content, QWidget* parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("scrollRoom"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    // The content has the keys; there is nothing to be done with those of an empty frame.
    setFocusPolicy(Qt::NoFocus);
    setWidget(content);
}

QSize ScrollRoom::sizeHint() const {
    return widget() ? widget()->sizeHint().expandedTo(widget()->minimumSize()) : QScrollArea::sizeHint();
}

QSize ScrollRoom::minimumSizeHint() const {
    // Two scroll bars and a look at what is between them.
    const QSize least(180, 96);
    return widget() ? least.boundedTo(widget()->minimumSizeHint().expandedTo(widget()->minimumSize())) : least;
}

bool ScrollRoom::scrolls() const {
    return horizontalScrollBar()->maximum() > 0 || verticalScrollBar()->maximum() > 0;
}

} // namespace stridescope
