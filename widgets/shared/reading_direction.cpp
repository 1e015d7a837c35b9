#include "widgets/shared/reading_direction.h"

#include <QGuiApplication>
#include <QPainter>
#include <QWidget>

#include <algorithm>

namespace stridescope {

namespace {
constexpr QChar kFromLeft(0x2066), kFromFirstLetter(0x2068), kEnd(0x2069); ///< isolates of Unicode's annex 9
} // namespace

void readFromLeft(QPainter& painter) {
    painter.setLayoutDirection(Qt::LeftToRight);
}

void readFromLeft(QWidget& widget) {
    widget.setLayoutDirection(Qt::LeftToRight);
}

QString asWritten(const QString& text) {
    if (!QGuiApplication::isRightToLeft() || text.isEmpty()) return text;
    const bool letters = std::any_of(text.begin(), text.end(), [](QChar c) { return c.isLetter(); });
    return (letters ? kFromFirstLetter : kFromLeft) + text + kEnd;
}

} // namespace stridescope
