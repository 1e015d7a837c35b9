#pragma once
// A stop that was begun, as the words that LessonPane shows of it.

#include "app/lessons/lesson_exercise.h"
#include "widgets/lessons/lesson_pane.h"

namespace stridescope {

LessonPaneStop paneStop(const LessonExercise& exercise, const Lesson& lesson, const LessonStop& stop);

/// Why it could not be begun, with what to do.
QString reasonOf(const Refusal& refusal);

} // namespace stridescope
