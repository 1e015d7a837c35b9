#pragma once
// LessonExercise: one stop of a lesson with its names drawn and its answers computed, ready to be shown and judged.
// The same lesson, stop and seed give the same exercise everywhere.

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_answer.h"
#include "core/result.h"
#include "core/tensor/tensor.h"

#include <functional>
#include <optional>

namespace stridescope {

struct LessonChoice {
    LessonAnswer answer;
    QString text;  ///< as it is shown: "(3, 4)", or "refused" in the window's language
    QString reply; ///< what is said to it; empty for the right one
};

struct LessonVerdict {
    bool right = false;
    QString reply; ///< one or two sentences
};

struct LessonExercise {
    LessonStop::Kind kind = LessonStop::Kind::Explain;
    QString heading, ask, because, hint, pick;
    QStringList text, code, notes;
    bool python = false;
    /// What the code makes, in the order in which its lines name it; nothing of Python's.
    struct Made {
        QString name, code; ///< "y", "x[1:]"
        Tensor tensor;
    };
    std::vector<Made> made;
    /// The values that were drawn: "r = 3, c = 4". Two exercises of a stop with the same ones are the same.
    QString drawn;

    // Question
    /// What is asked about, for the time after the answer: the tensor of the question's own line, such as y.view(6, 2),
    /// where the code made none that is the same.
    std::optional<Made> asked;
    /// The question's line and what came of it: "y.stride()  →  (1, 4)", "x[::-1]  →  ValueError: …". Empty where the
    /// line is no more than the answer itself.
    QString outcome;
    QStringList show; ///< names of `made` that are pictured before the answer, without values
    LessonAnswer answer;
    double within = 0;
    bool typed = false;                ///< a field; else `choices`
    std::vector<LessonChoice> choices; ///< in the order of this seed; the answers that have replies, where `typed`
    QString place;                     ///< what an answer looks like: "a number", "a shape such as (2, 3)"

    // Build
    QString base;                ///< the name of the tensor to view; empty: only elements count
    std::optional<Tensor> basis; ///< that tensor, as the code makes it
    std::optional<Tensor> target;

    bool isQuestion() const { return kind == LessonStop::Kind::Question; }
    /// The stop's code, and after the answer the line that makes `asked`.
    QStringList codeWithAsked() const;
    /// Of what was typed or chosen; nothing of what cannot be read.
    std::optional<LessonVerdict> judge(const QString& said) const;
    /// Of a tensor that was made in the workspace, where `base` is now `made`'s candidate for the same storage.
    LessonVerdict judge(const Tensor& made, const std::optional<Tensor>& base) const;
};

/// The stop with names drawn by `seed`. Refused with the line of the stop: what its code, its answer or a {…} meets, as
/// that refusal; LESSON-21 a draw that is empty or too wide, LESSON-22 a {…} that is not closed or no integer,
/// LESSON-23 an answer that cannot be compared, LESSON-24 a target that is no tensor, LESSON-25 no two answers differ,
/// LESSON-26 what is to be shown is no tensor that the code makes. The line is that of what was refused, where it can
/// be told, else that of the stop.
Result<LessonExercise> beginStop(const LessonStop& stop, quint32 seed);

/// A seed of `next` that draws other values than `drawn`, where the stop has others.
quint32 otherSeed(const LessonStop& stop, const QString& drawn, const std::function<quint32()>& next);

} // namespace stridescope
