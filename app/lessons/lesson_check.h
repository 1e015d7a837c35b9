#pragma once
// Goes through a lesson as many classes would: every stop with many draws.

#include "app/lessons/lesson.h"

#include <QStringList>

namespace stridescope {

struct LessonReport {
    QStringList errors;   ///< stops that some draw cannot begin
    QStringList warnings; ///< what a teacher should know all the same
};

/// Begins every stop with `draws` different seeds. Python code is not run.
LessonReport checkLesson(const Lesson& lesson, int draws = 50);

} // namespace stridescope
