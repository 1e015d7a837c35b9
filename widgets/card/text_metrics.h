#pragma once
// How much room text takes. Layouts ask here, with the fonts that the painter draws with.

#include "widgets/theme/theme.h"

#include <QString>
#include <QStringList>

namespace stridescope {

/// Advance of `text` in logical pixels. Needs a QGuiApplication (the offscreen platform will do).
qreal textWidth(FontRole font, const QString& text);
/// Lines no wider than `width`, broken at blanks and after commas, dots and opening brackets, in strings of code
/// between folders, inside a word only where nothing else fits. At least one line; more than `maxLines` are cut with …
/// at the end of the last.
QStringList wrapText(FontRole font, const QString& text, qreal width, int maxLines = 64);
/// The same for code: where it has more than `maxLines`, the last one is … and its end, which tells more than its
/// middle: the key in `numpy.load("…")["weight"]`, the last of many calls.
QStringList wrapCode(FontRole font, const QString& code, qreal width, int maxLines);

} // namespace stridescope
