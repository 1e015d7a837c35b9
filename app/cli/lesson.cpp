#include "app/cli/lesson.h"

#include "app/cli/command_line.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_exercise.h"
#include "app/lessons/lesson_library.h"

#include <QFile>

#include <cstdio>

namespace stridescope {

namespace {

void print(const QString& line) {
    std::printf("%s\n", line.toUtf8().constData());
}

int refused(const QString& path, const Refusal& refusal) {
    std::fprintf(stderr, "%s: %s: %s\n", path.toLocal8Bit().constData(), refusal.id.c_str(), refusal.message.c_str());
    if (!refusal.hint.empty()) std::fprintf(stderr, "    %s\n", refusal.hint.c_str());
    return 1;
}

int list() {
    for (const Lesson& lesson : lessonLibrary())
        print(QStringLiteral("%1  %2  (%3 stops)").arg(lesson.id, -28).arg(lesson.title).arg(lesson.stops.size()));
    return 0;
}

int check(const QStringList& paths) {
    int code = 0;
    for (const QString& path : paths) {
        const Result<Lesson> lesson = readLessonFile(path);
        if (!lesson) {
            code = refused(path, lesson.refusal());
            continue;
        }
        const LessonReport report = checkLesson(*lesson);
        for (const QString& error : report.errors()) {
            std::fprintf(stderr, "%s: %s\n", path.toLocal8Bit().constData(), error.toUtf8().constData());
            code = 1;
        }
        for (const QString& warning : report.warnings()) print(path + QStringLiteral(": note: ") + warning);
        if (report.errors().isEmpty()) print(path + QStringLiteral(": %1 stops, fine").arg(lesson->stops.size()));
    }
    return code;
}

/// One stop as text, with its answer: for the one who writes it.
bool show(const QString& path, const LessonStop& stop, quint32 seed) {
    const Result<LessonExercise> begun = beginStop(stop, seed);
    if (!begun) {
        refused(path, begun.refusal());
        return false;
    }
    print(QStringLiteral("\n== ") + begun->heading);
    for (const QString& text : begun->text) print(text);
    for (const QString& code : begun->code) print(QStringLiteral(">>> ") + code);
    for (const QString& note : begun->notes) print(QStringLiteral("(for the teacher) ") + note);
    if (!begun->ask.isEmpty()) print(QStringLiteral("? ") + begun->ask);
    for (const LessonChoice& choice : begun->choices)
        print(QStringLiteral("  %1 %2%3")
                  .arg(choice.reply.isEmpty() ? QStringLiteral("*") : QStringLiteral("-"), choice.text,
                       choice.reply.isEmpty() ? QString() : QStringLiteral("  ") + choice.reply));
    if (begun->isQuestion() && begun->typed) print(QStringLiteral("  * ") + begun->answer.text());
    if (begun->target)
        print(QStringLiteral("  * size %1, stride %2, offset %3")
                  .arg(QString::fromStdString(toString(begun->target->view().shape)),
                       QString::fromStdString(toString(begun->target->view().stride)))
                  .arg(begun->target->view().offset));
    if (!begun->because.isEmpty()) print(QStringLiteral("  ") + begun->because);
    return true;
}

int show(const QString& which, quint32 seed) {
    QString path = which;
    for (const Lesson& lesson : lessonLibrary()) {
        if (lesson.id == which) path = lesson.file;
    }
    const Result<Lesson> lesson = readLessonFile(path);
    if (!lesson) return refused(path, lesson.refusal());
    print(lesson->title);
    print(lesson->objective);
    bool all = true;
    for (const LessonStop& stop : lesson->stops) all = show(path, stop, seed) && all;
    return all ? 0 : 1;
}

} // namespace

int lessonCommand(const LessonRequest& request) {
    QStringList paths;
    for (const std::string& file : request.files) paths << QFile::decodeName(file.c_str());
    if (request.act == LessonRequest::Act::List) return list();
    if (request.act == LessonRequest::Act::Check) return check(paths.isEmpty() ? lessonFiles() : paths);
    return show(paths.front(), request.seed);
}

} // namespace stridescope
