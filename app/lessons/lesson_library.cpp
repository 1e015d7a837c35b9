#include "app/lessons/lesson_library.h"

#include "app/lessons/lesson_reader.h"
#include "app/lessons/lesson_translation.h"

#include <QDir>
#include <QFile>

// Q_INIT_RESOURCE must stand outside any namespace.
static void initLessons() {
    Q_INIT_RESOURCE(lessons);
    Q_INIT_RESOURCE(lessons_fr);
}

namespace stridescope {

QStringList lessonFiles() {
    initLessons();
    QDir folder(QStringLiteral(":/lessons"));
    QStringList files;
    // Their numbers are their order.
    for (const QString& name : folder.entryList({QStringLiteral("*.lesson")}, QDir::Files, QDir::Name))
        if (originalOfLesson(name).isEmpty()) files << folder.filePath(name);
    return files;
}

QString lessonTemplateFile() {
    initLessons();
    return QStringLiteral(":/lessons/template.txt");
}

namespace {

Result<QByteArray> bytesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        Refusal refusal;
        refusal.kind = ErrorKind::Io;
        refusal.id = "LESSON-30";
        refusal.message = "cannot read '" + path.toStdString() + "': " + file.errorString().toStdString();
        return refusal;
    }
    // One byte more than is read says that there are too many, without reading a large file.
    return file.read(LessonLimits().bytes + 1);
}

/// The lesson in the file at `path` with the texts of that at `translation`.
Result<Lesson> readTranslated(const QString& path, const QString& translation) {
    const Result<QByteArray> original = bytesOf(path), texts = bytesOf(translation);
    if (!original) return original.refusal();
    if (!texts) return texts.refusal();
    const Result<QByteArray> whole = translatedLesson(*original, *texts);
    if (!whole) return whole.refusal();
    Result<Lesson> lesson = readLesson(*whole);
    if (lesson) lesson->file = path;
    return lesson;
}

} // namespace

Result<Lesson> readLessonFile(const QString& path) {
    initLessons();
    if (const QString original = originalOfLesson(path); !original.isEmpty()) return readTranslated(original, path);
    if (const QString language = languageOfTexts(); !language.isEmpty() && path.endsWith(QStringLiteral(".lesson"))) {
        const QString translation = translationOfLesson(path, language);
        // One that does not fit its lesson any more is passed over: `lesson check` says why.
        if (QFile::exists(translation))
            if (Result<Lesson> lesson = readTranslated(path, translation)) return lesson;
    }
    const Result<QByteArray> bytes = bytesOf(path);
    if (!bytes) return bytes.refusal();
    Result<Lesson> lesson = readLesson(*bytes);
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
