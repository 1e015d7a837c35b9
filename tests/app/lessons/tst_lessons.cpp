// Lessons: the file format and what it refuses, answers as people type them, exercises with fresh numbers, and that all
// lessons that come with the program can be taken.

#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_exercise.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_reader.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/random/generator.h"
#include "core/tensor/element.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <random>
#include <set>

using namespace stridescope;

namespace {

const QByteArray kHead = "stridescope lesson 1\nid: a-b\ntitle: T\nobjective: O\n";

QByteArray question(const QByteArray& body) {
    return kHead + "== question: Q\n" + body;
}

const QByteArray kAsk = "ask: ?\nbecause: so\n";

LessonExercise begun(const QByteArray& body, quint32 seed = 1) {
    Result<Lesson> lesson = readLesson(question(body));
    if (!lesson) qFatal("%s", lesson.refusal().message.c_str());
    Result<LessonExercise> exercise = beginStop(lesson->stops.front(), seed);
    if (!exercise) qFatal("%s", exercise.refusal().message.c_str());
    return *exercise;
}

} // namespace

class TestLessons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads() {
        const Result<Lesson> lesson =
            readLesson("stridescope lesson 1\r\n# a remark\nid: a\ntitle: T\nobjective: O\n"
                       "trap: X\nafter: b, c\n\n== explain: First\ntext: one\n  two\ntext: three\n"
                       "code: x = 1\n  y = 2\n== build: Second\nask: ?\ncode: x = 1\ntarget: x\nhint: h\n");
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.refusal().message.c_str());
        QCOMPARE(lesson->after, QStringList({QStringLiteral("b"), QStringLiteral("c")}));
        QCOMPARE(lesson->stops.size(), std::size_t{2});
        QCOMPARE(lesson->stops[0].text, QStringList({QStringLiteral("one two"), QStringLiteral("three")}));
        QCOMPARE(lesson->stops[0].code, QStringList({QStringLiteral("x = 1"), QStringLiteral("y = 2")}));
        QCOMPARE(lesson->stops[0].line, 9);
        QVERIFY(lesson->stops[1].kind == LessonStop::Kind::Build);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("line");
        const auto row = [](const char* name, const QByteArray& bytes, const char* id, int line) {
            QTest::newRow(name) << bytes << QString::fromLatin1(id) << line;
        };
        row("empty", "", "LESSON-03", 1);
        row("another file", "# Markdown\n", "LESSON-03", 1);
        row("no number", "stridescope lesson x\n", "LESSON-03", 1);
        row("newer", "stridescope lesson 2\n", "LESSON-03", 1);
        row("large", QByteArray(300 * 1024, 'a'), "LESSON-01", 1);
        row("not UTF-8", kHead + "trap: \xff\n", "LESSON-02", 1);
        row("a zero byte", kHead + QByteArray("trap: a\0b\n", 10), "LESSON-02", 1);
        row("neither", kHead + "hello\n", "LESSON-04", 5);
        row("continues nothing", "stridescope lesson 1\n  id: a\n", "LESSON-04", 2);
        row("long line", kHead + "trap: " + QByteArray(5000, 'a') + "\n", "LESSON-09", 5);
        row("unknown key", kHead + "colour: red\n", "LESSON-05", 5);
        row("unknown stop", kHead + "== dance: D\n", "LESSON-05", 5);
        row("key of another stop", kHead + "== explain: E\ntext: t\nask: a\n", "LESSON-05", 7);
        row("no title", "stridescope lesson 1\nid: a\nobjective: O\n", "LESSON-06", 1);
        row("no stops", kHead, "LESSON-06", 1);
        row("no text", kHead + "== explain: E\ncode: x = 1\n", "LESSON-06", 5);
        row("no answer", question(kAsk), "LESSON-06", 5);
        row("title twice", kHead + "title: U\n", "LESSON-07", 5);
        row("two answers", question(kAsk + "answer: 1\noutcome: 2\n"), "LESSON-07", 9);
        row("drawn twice", question(kAsk + "draw: n = 1..2\ndraw: n = 1..2\n"), "LESSON-07", 9);
        row("bad id", "stridescope lesson 1\nid: A b\n", "LESSON-08", 2);
        row("empty value", kHead + "trap:\n", "LESSON-08", 5);
        row("a draw without a range", question(kAsk + "draw: n = 5\n"), "LESSON-08", 8);
        row("a draw without an end", question(kAsk + "draw: n = 5..\n"), "LESSON-08", 8);
        row("a draw of torch", question(kAsk + "draw: torch = 1..2\n"), "LESSON-08", 8);
        row("a wrong without a reply", question(kAsk + "answer: 1\nwrong: 2\n"), "LESSON-08", 9);
        row("a picture of code that is one", question(kAsk + "answer: 1\npicture: x = 1\n"), "LESSON-08", 9);
        row("neither yes nor no", question(kAsk + "answer: 1\ntyped: maybe\n"), "LESSON-08", 9);
        row("within nothing", question(kAsk + "answer: 1\nwithin: 0\n"), "LESSON-08", 9);
        QByteArray many = kHead;
        for (int i = 0; i < 21; ++i) many += "== explain: E\ntext: t\n";
        row("too many stops", many, "LESSON-09", 45);
        row("too many wrongs", question(kAsk + "answer: 1\n" + QByteArray("wrong: 2 :: no\n").repeated(6)), "LESSON-09",
            14);
        row("too much code", question(kAsk + "answer: 1\n" + QByteArray("code: 2\n").repeated(31)), "LESSON-09", 39);
    }
    void refuses() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, id);
        QFETCH(int, line);
        const Result<Lesson> lesson = readLesson(bytes);
        QVERIFY(!lesson.ok());
        QCOMPARE(QString::fromStdString(lesson.refusal().id), id);
        QCOMPARE(std::get<InputPosition>(lesson.refusal().detail).position, Index{line});
        QVERIFY(lesson.refusal().message.size() <= 240);
    }

    void askedAbout_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("outcome");
        const auto row = [](const char* name, const QByteArray& body, const char* asked, const char* outcome) {
            QTest::newRow(name) << "code: y = torch.arange(12).view(3, 4).t()\n" + body + "\n"
                                << QString::fromUtf8(asked) << QString::fromUtf8(outcome);
        };
        row("a view that works", "outcome: y.view(2, 2, 3)", "r = y.view(2, 2, 3)", "y.view(2, 2, 3)  →  works");
        row("a view that is refused", "outcome: y.view(12)", "", "y.view(12)  →  RuntimeError: ");
        row("refused of a part", "outcome: y[:, :2].view(9)", "r = y[:, :2]", "y[:, :2].view(9)  →  RuntimeError: ");
        row("numbers of a view", "answer: y.view(2, 2, 3).stride()", "r = y.view(2, 2, 3)",
            "y.view(2, 2, 3).stride()  →  (2, 1, 4)");
        row("numbers of a sum", "answer: (y + y[:, :1]).size()", "r = y + y[:, :1]",
            "(y + y[:, :1]).size()  →  (4, 3)");
        row("numbers of what is there", "answer: y.numel()", "", "y.numel()  →  12");
        row("a formula", "answer: 2 * y.stride(0)", "", "2 * y.stride(0)  →  2");
        row("a copy", "sharing: y.reshape(12)", "r = y.reshape(12)", "y.reshape(12)  →  copy");
        row("the same view", "sharing: y[:]", "", "y[:]  →  view");
        row("an argument with a name", "answer: y.sum(dim=0).size()", "r = y.sum(dim=0)",
            "y.sum(dim=0).size()  →  (3,)");
        row("what is said as it is typed", "answer: 12", "", "");
        row("what writes is not done twice", "answer: y.add_(1).sum().item()", "", "y.add_(1).sum().item()  →  78");
        row("what writes is refused with its reason", "outcome: y[:1].expand(4, 3).add_(1)", "",
            "y[:1].expand(4, 3).add_(1)  →  RuntimeError: unsupported operation: more than one element");
        row("a name that is taken", "code: r = y[0]\nanswer: r.view(3, 1).size()", "r2 = r.view(3, 1)",
            "r.view(3, 1).size()  →  (3, 1)");
        row("random numbers are those of the answer", "answer: torch.randint(9, (4,)).tolist()",
            "r = torch.randint(9, (4,))", "torch.randint(9, (4,)).tolist()  →  ");
    }
    void askedAbout() {
        QFETCH(QByteArray, body);
        QFETCH(QString, asked);
        QFETCH(QString, outcome);
        const LessonExercise exercise = begun(kAsk + body);
        QCOMPARE(exercise.asked ? exercise.asked->name + QStringLiteral(" = ") + exercise.asked->code : QString(),
                 asked);
        QVERIFY2(outcome.isEmpty() ? exercise.outcome.isEmpty() : exercise.outcome.startsWith(outcome),
                 qPrintable(exercise.outcome));
        if (exercise.asked) QCOMPARE(exercise.codeWithAsked().last(), asked);
        if (!asked.contains(QStringLiteral("randint"))) return;
        const Tensor& made = exercise.asked->tensor;
        QCOMPARE(made.numel(), static_cast<Index>(exercise.answer.numbers.size()));
        for (Index i = 0; i < made.numel(); ++i)
            QCOMPARE(readSlot(made, i).toDouble(), exercise.answer.numbers[static_cast<std::size_t>(i)]);
    }

    /// What Python's code makes cannot be had without Python: other lines stand for it, of which the answer is
    /// computed.
    void picturesStandForPythonsCode() {
        const LessonExercise exercise = begun(kAsk + "draw: n = 3..5\npython: yes\ncode: import numpy\nshow: a\n"
                                                     "picture: a = torch.zeros({n})\npicture: a[0] = 7\n"
                                                     "answer: a[0].item() + a.numel()\n");
        QCOMPARE(exercise.code, QStringList{QStringLiteral("import numpy")});
        QCOMPARE(exercise.made.size(), std::size_t{1});
        QCOMPARE(exercise.made[0].name, QStringLiteral("a"));
        QCOMPARE(exercise.answer.numbers.at(0), 7.0 + static_cast<double>(exercise.made[0].tensor.numel()));
        QVERIFY(!exercise.asked);
        const Result<Lesson> lesson = readLesson(
            question(kAsk + "python: yes\npicture: a = torch.zeros(3)\npicture: b = a.view(2)\nanswer: 1\n"));
        const Result<LessonExercise> refused = beginStop(lesson->stops.front(), 1);
        QVERIFY(!refused.ok());
        QCOMPARE(std::get<InputPosition>(refused.refusal().detail).position, Index{10});
    }

    void otherNumbersAreOthers() {
        Result<Lesson> lesson = readLesson(question(kAsk + "draw: n = 2..3\nanswer: {n}\n"));
        QVERIFY(lesson.ok());
        std::mt19937 random(3);
        const auto next = [&random] { return static_cast<quint32>(random()); };
        quint32 seed = 1;
        for (int i = 0; i < 200; ++i) {
            const QString before = beginStop(lesson->stops.front(), seed)->drawn;
            seed = otherSeed(lesson->stops.front(), before, next);
            QVERIFY2(beginStop(lesson->stops.front(), seed)->drawn != before, qPrintable(before));
        }
        // There is no other one.
        lesson = readLesson(question(kAsk + "draw: n = 2..2\nanswer: {n}\n"));
        QCOMPARE(
            beginStop(lesson->stops.front(), otherSeed(lesson->stops.front(), QStringLiteral("n = 2"), next))->drawn,
            QStringLiteral("n = 2"));
    }

    void wordsOfAnswersAreTranslated() {
        struct French : QTranslator {
            QString translate(const char*, const char* text, const char*, int) const override {
                return text == QByteArray("refused") ? QStringLiteral("refusé") : QString();
            }
            bool isEmpty() const override { return false; }
        } french;
        QCoreApplication::installTranslator(&french);
        const LessonExercise exercise =
            begun(kAsk + "code: x = torch.zeros(3)\noutcome: x.view(2)\nwrong: works :: no\n");
        QCOMPARE(exercise.answer.words(), QStringLiteral("refusé"));
        QVERIFY(std::any_of(exercise.choices.begin(), exercise.choices.end(),
                            [](const LessonChoice& each) { return each.text == QStringLiteral("refusé"); }));
        QVERIFY(exercise.judge(QStringLiteral("refusé"))->right);
        QVERIFY(exercise.judge(QStringLiteral("refused"))->right);
        QVERIFY(!exercise.judge(QStringLiteral("works"))->right);
        QCoreApplication::removeTranslator(&french);
    }

    void anyBytesAreReadOrRefused() {
        QFile file(lessonFiles().front());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        for (qsizetype length = 0; length < whole.size(); ++length) (void)readLesson(whole.left(length));
        std::mt19937 random(7);
        for (int i = 0; i < 20'000; ++i) {
            QByteArray flipped = whole;
            const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(whole.size()));
            flipped[at] = static_cast<char>(flipped[at] ^ (1 << (random() % 8)));
            (void)readLesson(flipped);
        }
    }

    void readsAnswers_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("text"); // empty: not read
        const auto row = [](const char* said, const char* text) {
            QTest::newRow(said) << QString::fromUtf8(said) << QString::fromUtf8(text);
        };
        row("9", "9");
        row(" -2.50 ", "-2.5");
        row("1e3", "1000");
        row("1.3333", "1.3333");
        row("nan", "nan");
        row("-inf", "-inf");
        row("yes", "True");
        row("False", "False");
        row("(3, 4)", "(3, 4)");
        row("[3,4]", "(3, 4)");
        row("3, 4", "(3, 4)");
        row("3 x 4", "(3, 4)");
        row("3x4x5", "(3, 4, 5)");
        row("3 × 4", "(3, 4)");
        row("torch.Size([2, 3])", "(2, 3)");
        row("(3,)", "(3,)");
        row("()", "()");
        row("[[1, 2], [3, 4]]", "((1, 2), (3, 4))");
        row("view", "view");
        row("torch.float32", "float32");
        row("", "");
        row("3,,4", "");
        row("(3, 4", "");
        row("3)", "");
        row("3 4", "");
        row("x.size()", "");
        row("__import__('os')", "");
        row("2 + 2", "");
    }
    void readsAnswers() {
        QFETCH(QString, said);
        QFETCH(QString, text);
        const std::optional<LessonAnswer> read = readAnswer(said);
        QCOMPARE(read.has_value(), !text.isEmpty());
        if (read) QCOMPARE(read->text(), text);
    }
    void deepAnswersAreNotRead() {
        QVERIFY(!readAnswer(QString(100'000, QLatin1Char('('))));
        QVERIFY(!readAnswer(QString(1000, QLatin1Char('(')) + QString(1000, QLatin1Char(')'))));
        QVERIFY(!readAnswer(QStringLiteral("1,").repeated(15'000)));
    }

    void drawsFreshNumbers() {
        const QByteArray body = "draw: a = 2..5\ndraw: b = a..a + 1\ndraw: d = uint8 | int16\n"
                                "code: x = torch.zeros({a}, {b}, dtype=torch.{d})\nask: {a} {{ {b} {d}\n"
                                "answer: x.numel()\nbecause: {a * b}\n";
        std::set<QString> asked;
        for (quint32 seed = 1; seed < 40; ++seed) {
            const LessonExercise exercise = begun(body, seed);
            QCOMPARE(begun(body, seed).ask, exercise.ask);
            asked.insert(exercise.ask);
            const QStringList parts = exercise.ask.split(QLatin1Char(' '));
            const int a = parts[0].toInt(), b = parts[2].toInt();
            QVERIFY(a >= 2 && a <= 5 && (b == a || b == a + 1));
            QCOMPARE(parts[1], QStringLiteral("{"));
            QCOMPARE(exercise.because, QString::number(a * b));
            QVERIFY(exercise.judge(QString::number(a * b))->right);
            QVERIFY(!exercise.judge(QString::number(a * b + 1))->right);
        }
        QVERIFY2(asked.size() > 10, "all classes got the same numbers");
    }

    void leavesTheGeneratorAlone() {
        const Generator::State before = defaultGenerator().state();
        begun("code: torch.manual_seed(5)\ncode: x = torch.rand(3)\nask: ?\nanswer: x.numel()\nbecause: so\n");
        QVERIFY(defaultGenerator().state() == before);
    }

    void judgesChoices() {
        const QByteArray body =
            "code: x = torch.arange(12).view(3, 4)\nask: ?\nanswer: x.stride()\nwrong: (3, 1) :: swapped\n"
            "wrong: x.stride() :: never shown\nwithin: 0.1\nbecause: rows\n";
        const LessonExercise exercise = begun(body);
        QCOMPARE(exercise.choices.size(), std::size_t{2}); // one wrong answer is the right one
        QVERIFY(!exercise.typed);
        QCOMPARE(exercise.judge(QStringLiteral("(4, 1)"))->reply, QStringLiteral("rows"));
        QVERIFY(exercise.judge(QStringLiteral("4, 1"))->right);
        QCOMPARE(exercise.judge(QStringLiteral("3, 1"))->reply, QStringLiteral("swapped"));
        QVERIFY(!exercise.judge(QStringLiteral("(4, 1, 1)"))->right);
        QVERIFY(!exercise.judge(QStringLiteral("4 1")));
        // What no reply was written for.
        QCOMPARE(exercise.judge(QStringLiteral("(4, 2)"))->reply, QStringLiteral("Right in it: 1 of 2 numbers."));
        QCOMPARE(exercise.judge(QStringLiteral("(7, 9)"))->reply, QStringLiteral("None of its numbers is right."));
        const LessonExercise number = begun("code: x = torch.arange(12)\nask: ?\nanswer: x.numel()\nbecause: so\n");
        QCOMPARE(number.judge(QStringLiteral("11"))->reply, QStringLiteral("Not that: it is more."));
        QCOMPARE(number.judge(QStringLiteral("1e9"))->reply, QStringLiteral("Not that: it is less."));
        QCOMPARE(number.judge(QStringLiteral("nan"))->reply, QStringLiteral("Not that."));
        const LessonExercise outcome =
            begun("ask: ?\nbecause: so\noutcome: torch.arange(12).view(5)\nwrong: works :: no\n");
        QVERIFY(outcome.judge(QStringLiteral("refused"))->right);
        QCOMPARE(outcome.judge(QStringLiteral("works"))->reply, QStringLiteral("no"));
        const LessonExercise sharing = begun("code: x = torch.arange(4)\nask: ?\nbecause: so\nsharing: x.clone()\n");
        QVERIFY(sharing.judge(QStringLiteral("copy"))->right);
        QVERIFY(begun("code: x = torch.arange(4)\nask: ?\nbecause: so\nsharing: x[1:]\n")
                    .judge(QStringLiteral("view"))
                    ->right);
        const LessonExercise shape = begun("ask: ?\nbecause: so\nanswer: torch.zeros(3).size()\n");
        QVERIFY(shape.judge(QStringLiteral("3"))->right);
    }

    void judgesTensors() {
        Result<Lesson> lesson =
            readLesson(kHead + "== build: B\ncode: x = torch.arange(12).view(3, 4)\nask: ?\nbase: x\n"
                               "target: x[1:, 1:3]\nhint: h\nbecause: done\n");
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.refusal().message.c_str());
        const LessonExercise exercise = *beginStop(lesson->stops.front(), 1);
        const Tensor x = view(arange(Scalar(0), Scalar(12)), {3, 4});
        const Tensor good = narrow(narrow(x, 0, 1, 2), 1, 1, 2);
        QVERIFY(exercise.judge(good, x).right);
        QCOMPARE(exercise.judge(good, x).reply, QStringLiteral("done"));
        QVERIFY(exercise.judge(narrow(narrow(x, 0, 0, 2), 1, 1, 2), x)
                    .reply.contains(QStringLiteral("offset is 1, wanted is 5")));
        QVERIFY(exercise.judge(narrow(x, 0, 1, 2), x).reply.contains(QStringLiteral("(2, 4), wanted is (2, 2)")));
        QVERIFY(exercise.judge(asStrided(x, {2, 2}, {1, 4}, 5), x).reply.contains(QStringLiteral("stride is (1, 4)")));
        QVERIFY(exercise.judge(clone(good), x).reply.contains(QStringLiteral("storage of its own")));
        QVERIFY(exercise.judge(good, std::nullopt).reply.contains(QStringLiteral("no x")));
    }

    void brokenStopsSayWhere_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("line"); // the body begins at 6
        const auto row = [](const char* name, const QByteArray& body, const char* id, int line) {
            QTest::newRow(name) << body << QString::fromLatin1(id) << line;
        };
        row("code", kAsk + "answer: 1\ncode: x = torch.arange(5).view(2, 3)\n", "VIEW-14", 9);
        row("the second line of code", kAsk + "answer: 1\ncode: x = torch.arange(5)\n  y = z\n", "EXPR-20", 10);
        row("an unknown name", kAsk + "answer: y\n", "EXPR-20", 8);
        row("a wrong answer that is refused", kAsk + "answer: 1\nwrong: y :: no\n", "EXPR-20", 9);
        row("an empty draw", kAsk + "answer: 1\ndraw: n = 5..2\n", "LESSON-21", 5);
        row("a wide draw", kAsk + "answer: 1\ndraw: n = 0..10**9\n", "LESSON-21", 5);
        row("an open brace", kAsk + "answer: {n\ndraw: n = 1..2\n", "LESSON-22", 8);
        row("no integer", kAsk + "answer: {1.5}\n", "LESSON-22", 8);
        row("a tensor", kAsk + "answer: torch.zeros(2)\n", "LESSON-23", 8);
        row("no wrong answer", kAsk + "answer: 1\nwrong: 1 :: hm\n", "LESSON-25", 8);
        row("much work", kAsk + "answer: 1\ncode: x = torch.zeros(10**10)\n", "LESSON-20", 9);
    }
    void brokenStopsSayWhere() {
        QFETCH(QByteArray, body);
        QFETCH(QString, id);
        const Result<Lesson> lesson = readLesson(question(body));
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.refusal().message.c_str());
        const Result<LessonExercise> exercise = beginStop(lesson->stops.front(), 3);
        QVERIFY(!exercise.ok());
        QCOMPARE(QString::fromStdString(exercise.refusal().id), id);
        QFETCH(int, line);
        QVERIFY2(exercise.refusal().message.rfind("line " + std::to_string(line) + ": ", 0) == 0,
                 exercise.refusal().message.c_str());
        QCOMPARE(std::get<InputPosition>(exercise.refusal().detail).position, Index{line});
        QVERIFY(!checkLesson(*lesson, 3).errors().isEmpty());
    }

    void allLessonsCanBeTaken_data() {
        QTest::addColumn<QString>("file");
        for (const QString& file : lessonFiles()) QTest::newRow(qPrintable(QFileInfo(file).baseName())) << file;
    }
    void allLessonsCanBeTaken() {
        QFETCH(QString, file);
        const Result<Lesson> lesson = readLessonFile(file);
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.refusal().message.c_str());
        const LessonReport report = checkLesson(*lesson, 40);
        QVERIFY2(report.errors().isEmpty(), qPrintable(report.errors().join(QLatin1Char('\n'))));
        QVERIFY2(report.warnings().isEmpty(), qPrintable(report.warnings().join(QLatin1Char('\n'))));
    }
    /// Each question of each lesson, answered right, wrong in each way that has a reply, and wrong in another.
    void everyQuestionIsAnswered_data() { allLessonsCanBeTaken_data(); }
    void everyQuestionIsAnswered() {
        QFETCH(QString, file);
        const Result<Lesson> lesson = readLessonFile(file);
        QVERIFY(lesson.ok());
        int questions = 0;
        for (const LessonStop& stop : lesson->stops) {
            for (quint32 seed = 1; seed <= 20; ++seed) {
                const Result<LessonExercise> begun = beginStop(stop, seed);
                QVERIFY2(begun.ok(), begun ? "" : begun.refusal().message.c_str());
                if (!begun->isQuestion()) continue;
                ++questions;
                const std::optional<LessonVerdict> right = begun->judge(begun->answer.text());
                QVERIFY2(right && right->right, qPrintable(begun->heading));
                QCOMPARE(right->reply, begun->because);
                int rights = 0;
                for (const LessonChoice& choice : begun->choices) {
                    const std::optional<LessonVerdict> verdict = begun->judge(choice.text);
                    QVERIFY2(verdict, qPrintable(choice.text));
                    QCOMPARE(verdict->right, choice.reply.isEmpty());
                    QCOMPARE(verdict->reply, choice.reply.isEmpty() ? begun->because : choice.reply);
                    rights += choice.reply.isEmpty() ? 1 : 0;
                }
                QCOMPARE(rights, begun->typed ? 0 : 1);
                const std::optional<LessonVerdict> other = begun->judge(QStringLiteral("123456789.5"));
                QVERIFY2(other && !other->right && !other->reply.isEmpty(), qPrintable(begun->heading));
            }
        }
        QVERIFY(questions > 0);
    }

    void saysWhatMayBeShown() {
        const QByteArray body = "code: x = torch.arange(4)\ncode: y = x[1:]\nask: ?\nanswer: y.numel()\nbecause: so\n";
        const LessonExercise exercise = begun(body + "show: x\nnotes: one\nnotes: two {1 + 1}\n");
        QCOMPARE(exercise.show, QStringList({QStringLiteral("x")}));
        QCOMPARE(exercise.notes, QStringList({QStringLiteral("one"), QStringLiteral("two 2")}));
        QCOMPARE(exercise.made.size(), std::size_t{2});
        QCOMPARE(exercise.made[1].name, QStringLiteral("y"));
        QCOMPARE(exercise.made[1].code, QStringLiteral("x[1:]"));
        QVERIFY(exercise.made[0].tensor.storage() == exercise.made[1].tensor.storage());
        QVERIFY(!readLesson(question(body + "show: 2\n")).ok());
        const Result<Lesson> lesson = readLesson(question(body + "show: z\n"));
        QVERIFY(lesson.ok());
        QCOMPARE(QString::fromStdString(beginStop(lesson->stops.front(), 1).refusal().id), QStringLiteral("LESSON-26"));
    }

    /// What a lesson's code reads is nothing of the machine's.
    void readsNoFiles() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.npy"));
        const QByteArray body = "code: x = numpy.load('" + path.toUtf8() + "')\nask: ?\nanswer: 1\nbecause: so\n";
        const Result<Lesson> lesson = readLesson(question(body));
        QVERIFY(lesson.ok());
        QVERIFY(!beginStop(lesson->stops.front(), 1).ok());
    }

    void lessonsKnowEachOther() {
        std::set<QString> ids;
        for (const Lesson& lesson : lessonLibrary()) {
            for (const QString& id : lesson.after)
                QVERIFY2(ids.count(id), qPrintable(lesson.id + QStringLiteral(" comes after ") + id));
            QVERIFY2(ids.insert(lesson.id).second, qPrintable(lesson.id));
        }
        QCOMPARE(ids.size(), static_cast<std::size_t>(lessonFiles().size()));
    }
};

QTEST_GUILESS_MAIN(TestLessons)
#include "tst_lessons.moc"
