#pragma once
// The lessons that come with the program, in the order of the course.

#include "app/lessons/lesson.h"
#include "core/result.h"

#include <vector>

namespace stridescope {

/// File names of the built-in lessons, for readLessonFile().
QStringList lessonFiles();
/// A lesson to begin with, for who writes one; none of the built-in ones.
QString lessonTemplateFile();
/// Reads one file, a built-in one (":/lessons/…") or any other, in the language of the window where it has been
/// translated; of NAME.fr.lesson the lesson beside it in that language. As readLesson() and translatedLesson(), and
/// OSError LESSON-30 of a file that cannot be read.
Result<Lesson> readLessonFile(const QString& path);
/// All built-in lessons; read once.
const std::vector<Lesson>& lessonLibrary();

} // namespace stridescope
