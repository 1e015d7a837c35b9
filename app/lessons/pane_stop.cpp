#include "app/lessons/pane_stop.h"

#include <QCoreApplication>

namespace stridescope {

QString reasonOf(const Refusal& refusal) {
    const QString hint = QString::fromStdString(refusal.hint);
    return QString::fromStdString(refusal.message) + (hint.isEmpty() ? QString() : QStringLiteral("\n") + hint);
}

LessonPaneStop paneStop(const LessonExercise& exercise, const Lesson& lesson, const LessonStop& stop) {
    LessonPaneStop shown;
    shown.lesson = lesson.title;
    shown.heading = exercise.heading;
    shown.text = exercise.text;
    shown.code = exercise.code;
    shown.python = exercise.python;
    shown.ask = exercise.ask;
    shown.asks = exercise.isQuestion();
    shown.builds = exercise.target.has_value();
    shown.drawn = !stop.draws.empty();
    shown.place = exercise.place;
    if (exercise.target && !exercise.made.empty())
        shown.place = QCoreApplication::translate("stridescope::lessons", "a line, such as %1[0]")
                          .arg(exercise.base.isEmpty() ? exercise.made.front().name : exercise.base);
    if (!exercise.typed) {
        for (const LessonChoice& choice : exercise.choices) shown.choices << choice.text;
    }
    return shown;
}

} // namespace stridescope
