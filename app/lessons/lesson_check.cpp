#include "app/lessons/lesson_check.h"

#include "app/lessons/lesson_exercise.h"

namespace stridescope {

namespace {

constexpr std::size_t kMostStops = 7;
constexpr qsizetype kLongText = 420;

void checkStop(const LessonStop& stop, int draws, LessonReport& report) {
    for (int seed = 1; seed <= draws; ++seed) {
        const Result<LessonExercise> exercise = beginStop(stop, static_cast<quint32>(seed));
        if (exercise) continue;
        report.errors << QString::fromStdString(exercise.refusal().message) + QStringLiteral(" (draw %1)").arg(seed);
        return;
    }
}

} // namespace

LessonReport checkLesson(const Lesson& lesson, int draws) {
    LessonReport report;
    if (lesson.stops.size() > kMostStops)
        report.warnings << QStringLiteral("%1 stops; more than %2 are too many for one idea")
                               .arg(lesson.stops.size())
                               .arg(kMostStops);
    if (lesson.trap.isEmpty()) report.warnings << QStringLiteral("the head names no trap");
    bool asks = false;
    for (const LessonStop& stop : lesson.stops) {
        asks = asks || stop.kind != LessonStop::Kind::Explain;
        checkStop(stop, draws, report);
        for (const QString& paragraph : stop.text) {
            if (paragraph.size() > kLongText)
                report.warnings << QStringLiteral("line %1: a paragraph of %2 characters; %3 are read at a glance")
                                       .arg(stop.line)
                                       .arg(paragraph.size())
                                       .arg(kLongText);
        }
    }
    if (!asks) report.warnings << QStringLiteral("nothing is asked and nothing is built");
    return report;
}

} // namespace stridescope
