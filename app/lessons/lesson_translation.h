#pragma once
// Lessons in other languages. NAME.fr.lesson beside NAME.lesson holds the texts alone, stop by stop and in the same
// order; draws, code and answers are the original's, so that they cannot differ. The format is in
// docs/lesson-format.md.

#include "core/result.h"

#include <QByteArray>
#include <QString>

namespace stridescope {

/// The lesson file `original` with the texts of `translation`, as a lesson file. A pure function of bytes.
/// Refused with kind Value and the line of the translation: LESSON-40 the first line is not that of a translation,
/// LESSON-41 another number or kind of stops, LESSON-42 a key that is no text, or other texts than the original has,
/// LESSON-43 a wrong answer with another value than the original's.
Result<QByteArray> translatedLesson(const QByteArray& original, const QByteArray& translation);

/// "…/03-x.fr.lesson" -> "…/03-x.lesson"; empty for what is no translation.
QString originalOfLesson(const QString& path);
/// "…/03-x.lesson", "fr" -> "…/03-x.fr.lesson".
QString translationOfLesson(const QString& path, const QString& language);
/// The language of the program's texts now: "fr"; empty: that in which they are written.
QString languageOfTexts();

} // namespace stridescope
