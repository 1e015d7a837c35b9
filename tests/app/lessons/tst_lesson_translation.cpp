// Lessons in other languages: texts are taken, all else stays the original's; what does not fit is refused by its line.

#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/lesson_translation.h"
#include "app/settings/language.h"
#include "widgets/theme/theme.h"

#include <QDir>
#include <QFile>
#include <QRawFont>
#include <QRegularExpression>
#include <QTest>
#include <QTranslator>

using namespace stridescope;

namespace {

const QByteArray kOriginal =
    "stridescope lesson 1\nid: a\ntitle: Two\nobjective: Count.\n\n== explain: First\n# a remark\n"
    "text: one\n  and more\ncode: x = 1\n  y = 2\n\n== question: Second\ndraw: n = 2..5\n"
    "ask: What is {n}?\nanswer: {n}\nwrong: {n} + 1 :: Too much.\nbecause: It is.\n";
const QByteArray kFrench =
    "stridescope lesson 1 fr\ntitle: Deux\nobjective: Compter.\n== explain: Premier\ntext: un\n  et plus\n"
    "== question: Second\nask: Que vaut {n} ?\nwrong: {n} + 1 :: Trop.\nbecause: C'est ainsi.\n";

QStringList braces(const QStringList& texts) {
    static const QRegularExpression expression(QStringLiteral("\\{[^{}]*\\}"));
    QStringList found;
    for (const QString& text : texts)
        for (auto it = expression.globalMatch(text); it.hasNext();) found << it.next().captured();
    found.sort();
    return found;
}

/// What people read, and all else that makes the stop.
QStringList textsOf(const LessonStop& stop) {
    QStringList texts = stop.text;
    texts << stop.heading << stop.ask << stop.because << stop.hint;
    for (const LessonWrong& wrong : stop.wrongs) texts << wrong.reply;
    texts.removeAll(QString());
    return texts;
}
QStringList machineryOf(const LessonStop& stop) {
    QStringList all = stop.code + stop.picture;
    all << stop.pick << stop.answer << stop.base << stop.target << QString::number(stop.within)
        << QString::number(static_cast<int>(stop.kind) * 8 + static_cast<int>(stop.judge) * 2 + (stop.typed ? 1 : 0))
        << (stop.python ? QStringLiteral("python") : QString());
    for (const LessonWrong& wrong : stop.wrongs) all << wrong.value;
    for (const LessonDraw& draw : stop.draws) all << draw.name << draw.low << draw.high << draw.words;
    return all;
}

} // namespace

class TestLessonTranslation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsAreTaken() {
        const auto whole = translatedLesson(kOriginal, kFrench);
        QVERIFY2(whole.ok(), whole ? "" : whole.refusal().message.c_str());
        const auto lesson = readLesson(*whole), original = readLesson(kOriginal);
        QVERIFY(lesson.ok() && original.ok());
        QCOMPARE(lesson->id, QStringLiteral("a"));
        QCOMPARE(lesson->title, QStringLiteral("Deux"));
        QCOMPARE(lesson->stops[0].heading, QStringLiteral("Premier"));
        QCOMPARE(lesson->stops[0].text, QStringList{QStringLiteral("un et plus")});
        QCOMPARE(lesson->stops[1].wrongs[0].reply, QStringLiteral("Trop."));
        for (std::size_t i = 0; i < 2; ++i) QCOMPARE(machineryOf(lesson->stops[i]), machineryOf(original->stops[i]));
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("from"); // is replaced in the translation
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* id, const char* says) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString::fromLatin1(id)
                                << QString::fromLatin1(says);
        };
        row("no language", "lesson 1 fr", "lesson 1", "LESSON-40", "line 1");
        row("another version", "lesson 1 fr", "lesson 2 fr", "LESSON-40", "line 1");
        row("a stop too few", "== question: Second\n", "", "LESSON-41", "1 stops");
        row("a stop too many", "because: C'est ainsi.\n", "because: C'est ainsi.\n== explain: Autre\ntext: x\n",
            "LESSON-41", "does not have");
        row("another kind", "== question", "== build", "LESSON-41", "line 7");
        row("code", "ask:", "code: x = 3\nask:", "LESSON-42", "'code' is no text");
        row("a text too few", "text: un\n  et plus\n", "", "LESSON-42", "line 4: has no 'text'");
        row("a text too many", "text: un", "text: zut\ntext: un", "LESSON-42",
            "a 'text' that the lesson does not have");
        row("another answer", "{n} + 1", "{n} + 2", "LESSON-43", "'{n} + 1' in the lesson");
    }
    void refuses() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, id);
        QFETCH(QString, says);
        QByteArray changed = kFrench;
        QVERIFY(changed.contains(from));
        changed.replace(from, to);
        const auto whole = translatedLesson(kOriginal, changed);
        QVERIFY(!whole.ok());
        QCOMPARE(QString::fromStdString(whole.refusal().id), id);
        QVERIFY2(QString::fromStdString(whole.refusal().message).contains(says), whole.refusal().message.c_str());
    }

    void everyLessonIsFrench_data() {
        QTest::addColumn<QString>("file");
        for (const QString& file : lessonFiles()) QTest::newRow(file.section(QLatin1Char('/'), -1).toLatin1()) << file;
    }
    void everyLessonIsFrench() {
        QFETCH(QString, file);
        const QString translation = translationOfLesson(file, QStringLiteral("fr"));
        QCOMPARE(originalOfLesson(translation), file);
        const auto english = readLessonFile(file), french = readLessonFile(translation);
        QVERIFY(english.ok());
        QVERIFY2(french.ok(), french ? "" : french.refusal().message.c_str());
        QVERIFY(english->title.isEmpty() || !french->title.isEmpty());
        QVERIFY(french->objective != english->objective);
        QCOMPARE(french->stops.size(), english->stops.size());
        for (std::size_t i = 0; i < english->stops.size(); ++i) {
            const LessonStop &from = english->stops[i], &to = french->stops[i];
            QCOMPARE(machineryOf(to), machineryOf(from));
            QCOMPARE(braces(textsOf(to)), braces(textsOf(from)));
            QVERIFY2(to.heading != from.heading || to.heading.size() < 20, qPrintable(to.heading));
            // What is more than a sum or a line of code is other words.
            static const QRegularExpression expression(QStringLiteral("\\{[^{}]*\\}")),
                words(QStringLiteral("[a-z]{3,} [a-z]{3,}"));
            for (const QString& text : textsOf(to))
                if (QString(text).remove(expression).contains(words))
                    QVERIFY2(!textsOf(from).contains(text), qPrintable(text));
        }
        const LessonReport report = checkLesson(*french);
        QVERIFY2(report.errors().isEmpty(), qPrintable(report.errors().join(QLatin1Char('\n'))));
    }

    void theLanguageOfTheWindowIsTaken() {
        const QString file = lessonFiles().constFirst();
        QCOMPARE(languageOfTexts(), QString());
        QCOMPARE(readLessonFile(file)->title, QStringLiteral("Dimensions 0 to 4"));
        if (!hasLanguage(Language::French)) QSKIP("built without lrelease (package qt6-l10n-tools)");
        QVERIFY(applyLanguage(*qApp, Language::French));
        const QString language = languageOfTexts();
        const auto lesson = readLessonFile(file);
        for (QTranslator* translator : qApp->findChildren<QTranslator*>()) delete translator;
        QCOMPARE(language, QStringLiteral("fr"));
        QVERIFY(lesson.ok());
        QCOMPARE(lesson->title, QStringLiteral("Dimensions 0 à 4"));
        QCOMPARE(lesson->file, file); // progress is kept by it
    }

    /// A sign that the bundled fonts lack would come from whatever the machine has, in another size.
    void everySignIsInOurFonts() {
        const Theme theme;
        const QRawFont text = QRawFont::fromFont(theme.font(FontRole::Label)),
                       code = QRawFont::fromFont(theme.font(FontRole::Code));
        const QDir folder(QStringLiteral(":/lessons"));
        const QStringList names = folder.entryList({QStringLiteral("*.lesson")}, QDir::Files);
        QVERIFY(names.size() > 40);
        for (const QString& name : names) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const QChar sign : QString::fromUtf8(file.readAll())) {
                if (sign < QLatin1Char(' ')) continue;
                QVERIFY2(text.supportsCharacter(sign) && code.supportsCharacter(sign),
                         qPrintable(name + QStringLiteral(": ") + sign));
            }
        }
    }
};

QTEST_MAIN(TestLessonTranslation)
#include "tst_lesson_translation.moc"
