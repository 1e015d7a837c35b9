#pragma once
// Code, shapes, strides and sums are read from the left in every language, also where the window is mirrored. Whatever
// shows such a text by itself goes through here: a painter does not take its widget's direction but the program's.

#include <QString>

class QPainter;
class QWidget;

namespace stridescope {

/// Texts that the painter draws from now on run from the left.
void readFromLeft(QPainter& painter);
/// The widget lays out from the left. What it paints itself needs the painter's call as well.
void readFromLeft(QWidget& widget);
/// A text of the window's language that may hold numbers ("64 B line"), for a widget that takes its text's direction
/// from the program: it runs as its own first letter says, and from the left where it has none. Invisible marks are
/// added only where the window is mirrored.
QString asWritten(const QString& text);

} // namespace stridescope
