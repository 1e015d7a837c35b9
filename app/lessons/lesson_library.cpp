#include "app/lessons/lesson_library.h"

#include "app/lessons/lesson_reader.h"

#include <QDir>
#include <QFile>

// Q_INIT_RESOURCE must stand outside any namespace.
static void initLessons() {
    Q_INIT_RESOURCE(lessons);
}

namespace stridescope {

QStringList lessonFiles() {
    initLessons();
    QDir folder(QStringLiteral(":/lessons"));
    QStringList files;
    // Their numbers are their order.
    for (const QString& name : folder.entryList({QStringLiteral("*.lesson")}, QDir::Files, QDir::Name))
        files << folder.filePath(name);
    return files;
}

QString lessonTemplateFile() {
    initLessons();
    return QStringLiteral(":/lessons/template.txt");
}

Result<Lesson> readLessonFile(const QString& path) {
    initLessons();
    QFile file(path);
    const LessonLimits limits;
    Refusal refusal;
    refusal.kind = ErrorKind::Io;
    refusal.id = "LESSON-30";
    if (!file.open(QIODevice::ReadOnly)) {
        refusal.message = "cannot read '" + path.toStdString() + "': " + file.errorString().toStdString();
        return refusal;
    }
    // One byte more than is read says that there are too many, without reading a large file.
    Result<Lesson> lesson = readLesson(file.read(limits.bytes + 1), limits);
    if (lesson) lesson->file = path;
    return lesson;
}

const std::vector<Lesson>& lessonLibrary() {
    static const std::vector<Lesson> kLessons = [] {
        std::vector<Lesson> read;
        for (const QString& file : lessonFiles()) {
            // A test reads them all: none is refused.
            if (Result<Lesson> lesson = readLessonFile(file)) read.push_back(*std::move(lesson));
        }
        return read;
    }();
    return kLessons;
}

} // namespace stridescope
