#pragma once
// Reads lesson files. A pure function of bytes: nothing is run, fetched or opened.

#include "app/lessons/lesson.h"
#include "core/result.h"

#include <QByteArray>

namespace stridescope {

/// What a lesson file may cost.
struct LessonLimits {
    qsizetype bytes = 256 * 1024;
    qsizetype lineLength = 4'000;
    std::size_t stops = 20, draws = 12, wrongs = 5;
    qsizetype codeLines = 30;
};

/// The lesson in `bytes`. Refused with kind Value, the line in the message and as InputPosition:
/// LESSON-01 too large, LESSON-02 not UTF-8, LESSON-03 the first line or a version that is not known, LESSON-04 a line
/// that is neither "key: value" nor a heading, LESSON-05 a key that is unknown there, LESSON-06 a key that is missing,
/// LESSON-07 a key twice, LESSON-08 a value that cannot be read, LESSON-09 more of something than is allowed.
Result<Lesson> readLesson(const QByteArray& bytes, const LessonLimits& limits = {});

} // namespace stridescope
