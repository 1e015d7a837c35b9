#pragma once
// What a question asked about, for the picture that comes with the answer.

#include "app/lessons/lesson_bench.h"
#include "app/lessons/lesson_exercise.h"

namespace stridescope {

/// What the line of a question's answer is about: of y.view(6, 2) that tensor, of (A + B).size() the sum, of
/// x.stride() nothing new. A line that is refused is about what it was asked of: of y[1:].view(7) that is y[1:].
/// Nothing where the code made a tensor that is the same view. `line` is carried out for it, unless it writes: an
/// element must not be written twice. `code` are the lines before it, whose names are taken.
std::optional<LessonExercise::Made> askedOf(const QString& line, const QStringList& code, const LessonBench& bench,
                                            const std::vector<LessonExercise::Made>& made);

/// "RuntimeError: …", as long as it is read above a picture.
QString shortReason(const Refusal& refusal);

} // namespace stridescope
