// The Lessons screen: a lesson from its list to its end with the keys alone, answers that are not shown before they are
// given, tensors that are built, progress that is kept, files that cannot be read.

#include "app/lessons/lesson_library.h"
#include "app/lessons/lessons_screen.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/lessons/lesson_pane.h"
#include "widgets/stage/explore_stage.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>

#include <QtTest>

using namespace stridescope;
using namespace stridescope::test;

class TestLessonsScreen : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void firstLessonByKeysAlone() {
        m_window->showScreen(QStringLiteral("lessons"));
        LessonsScreen* lessons = screen();
        QTRY_VERIFY(table()->hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        const Lesson& lesson = lessonLibrary().front();
        for (std::size_t i = 0; i < lesson.stops.size(); ++i) {
            const LessonExercise& exercise = *lessons->exercise();
            QCOMPARE(label("lessonHeading")->text(), exercise.heading);
            QVERIFY(!verdictBox()->isVisible());
            if (exercise.isQuestion()) {
                // What stands on the screen does not tell: the right choice looks like the others, the code waits.
                QVERIFY(!button("lessonRun")->isEnabled() || exercise.code.isEmpty());
                if (exercise.typed) QTest::keyClicks(QApplication::focusWidget(), exercise.answer.text());
                int right = 0;
                for (std::size_t c = 0; c < exercise.choices.size(); ++c) {
                    if (exercise.choices[c].reply.isEmpty()) right = static_cast<int>(c);
                }
                QTest::keyClick(QApplication::focusWidget(),
                                exercise.typed ? Qt::Key_Return : Qt::Key(Qt::Key_1 + right));
            } else if (exercise.target) {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space); // Run
                QVERIFY(entry("x"));
                m_window->runLine(QStringLiteral("x.view(%1)").arg(shapeOf(*exercise.target)), Naming::Auto);
            }
            if (exercise.isQuestion() || exercise.target) {
                QVERIFY2(verdictBox()->isVisible(), qPrintable(exercise.heading));
                QCOMPARE(verdictBox()->property("tone").toString(), QStringLiteral("right"));
                QVERIFY(lessons->pane()->isSettled());
            } else {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space); // Run
                QVERIFY(entry("d"));
                button("lessonNext")->setFocus();
            }
            QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("lessonNext")));
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        }
        QVERIFY(table()->isVisible());
        QCOMPARE(table()->topLevelItem(0)->text(2), QStringLiteral("6 of 6 ✓"));
        QCOMPARE(table()->topLevelItem(1)->text(2), QStringLiteral("0 of 6"));
    }

    void wrongAnswersHaveTheirReply() {
        LessonsScreen* lessons = open("storage-offset-stride", 1);
        const LessonExercise& exercise = *lessons->exercise();
        for (const LessonChoice& choice : exercise.choices) {
            if (choice.reply.isEmpty()) continue;
            Q_EMIT lessons->pane()->answered(choice.text);
            QCOMPARE(label("lessonVerdict")->text(), choice.reply);
            QVERIFY(!lessons->pane()->isSettled());
            QVERIFY(!label("lessonVerdict")->text().contains(exercise.answer.text() + QStringLiteral(".")));
        }
        button("lessonReveal")->click();
        QVERIFY(label("lessonVerdict")->text().contains(exercise.because));
        QVERIFY(button("lessonRun")->isEnabled());
        QVERIFY(button("lessonStop2")->text() != QStringLiteral("✓")); // shown, not solved
    }

    void nothingRunsWithoutAClick() {
        const auto before = m_window->workspace()->stateHash();
        for (const Lesson& lesson : lessonLibrary()) {
            for (int stop = 0; stop < static_cast<int>(lesson.stops.size()); ++stop) open(qPrintable(lesson.id), stop);
        }
        QCOMPARE(m_window->workspace()->stateHash(), before);
        QCOMPARE(m_window->workspace()->position(), static_cast<int>(m_window->workspace()->steps().size()));
    }

    void buildsAreJudged() {
        LessonsScreen* lessons = open("storage-offset-stride", 4);
        button("lessonRun")->click();
        const LessonExercise exercise = *lessons->exercise();
        button("lessonCheck")->click();
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("wanted is")));
        m_window->runLine(QStringLiteral("x[:2, :2]"), Naming::Auto);
        button("lessonCheck")->click();
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("offset is 0")));
        m_window->runLine(QStringLiteral("x[1:, 2:].clone()"), Naming::Auto);
        button("lessonCheck")->click();
        QVERIFY(!lessons->pane()->isSettled());
        const Index columns = exercise.basis->shape()[1];
        m_window->runLine(QStringLiteral("x[1:, %1:]").arg(columns - 2), Naming::Auto);
        QVERIFY(lessons->pane()->isSettled()); // seen without a click
        QCOMPARE(button("lessonStop5")->text(), QStringLiteral("✓"));
    }

    void otherNumbersAskAgain() {
        LessonsScreen* lessons = open("storage-offset-stride", 1);
        QSet<QString> asked;
        for (int i = 0; i < 30; ++i) {
            asked.insert(lessons->exercise()->ask);
            button("lessonDraw")->click();
        }
        QVERIFY(asked.size() > 3);
    }

    void tensorsOfOneStopLeaveWithTheNext() {
        open("dimensions", 0);
        button("lessonRun")->click();
        QVERIFY(entry("a") && entry("d") && entry("d")->onStage);
        open("dimensions", 5);
        button("lessonRun")->click();
        QVERIFY(entry("x") && !entry("a") && !entry("d"));
        m_window->undo();
        QVERIFY(entry("a") || !entry("x"));
    }

    void whatTheUserHasStays() {
        m_window->runLine(QStringLiteral("x = torch.arange(100, 105)"), Naming::Discard);
        m_window->workspace()->setOnStage(entry("x")->id, false);
        open("storage-offset-stride", 0);
        button("lessonRun")->click();
        QVERIFY(entry("x_own"));
        QCOMPARE(entry("x_own")->tensor.numel(), Index{5});
        QCOMPARE(entry("x")->tensor.numel(), Index{12});
        QVERIFY(entry("x")->onStage && !entry("x_own")->onStage);
        button("lessonRun")->click(); // the lesson's own is no user's
        QVERIFY(!entry("x_own2"));
    }

    void progressIsWrittenAtOnce() {
        LessonsScreen* lessons = open("dimensions", 2);
        Q_EMIT lessons->pane()->answered(QStringLiteral("1"));
        QVERIFY(m_settings->value(QStringLiteral("screen:lessons")).toObject().contains(QStringLiteral("done")));
    }

    void progressIsKept() {
        LessonsScreen* lessons = open("dimensions", 2);
        Q_EMIT lessons->pane()->answered(QStringLiteral("1"));
        const QJsonObject kept = lessons->kept();
        LessonsScreen other(m_window->workspace(), nullptr);
        other.keep(kept);
        QCOMPARE(other.findChild<QTreeWidget*>()->topLevelItem(0)->text(2), QStringLiteral("1 of 6"));
        other.keep({{QStringLiteral("done"), 5}});
    }

    void filesThatCannotBeReadSayWhy() {
        m_window->showScreen(QStringLiteral("lessons"));
        QVERIFY(!screen()->openLesson(QStringLiteral("/nowhere/x.lesson")));
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("/nowhere/x.lesson")));
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("b.lesson")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "stridescope lesson 1\nid: a\ntitle: <img src=file:///etc/passwd>\nobjective: o\n== question: <b>Q</b>\n"
            "ask: <a href=http://x>y</a>\nanswer: nothing\nbecause: so\n");
        file.close();
        QVERIFY(screen()->openLesson(file.fileName()));
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("'nothing' is not defined")));
        for (const QLabel* each : screen()->pane()->findChildren<QLabel*>()) {
            if (each->objectName().startsWith(QStringLiteral("lesson"))) QCOMPARE(each->textFormat(), Qt::PlainText);
        }
    }

private:
    LessonsScreen* screen() const { return qobject_cast<LessonsScreen*>(m_window->currentScreen()); }
    LessonsScreen* open(const char* id, int stop) {
        m_window->showScreen(QStringLiteral("lessons"));
        if (!screen()->openLesson(QString::fromUtf8(id), stop)) qFatal("no lesson %s", id);
        return screen();
    }
    QTreeWidget* table() const { return screen()->findChild<QTreeWidget*>(); }
    QLabel* label(const char* name) const { return screen()->findChild<QLabel*>(QString::fromLatin1(name)); }
    QAbstractButton* button(const char* name) const {
        return screen()->findChild<QAbstractButton*>(QString::fromLatin1(name));
    }
    QWidget* verdictBox() const { return label("lessonVerdict")->parentWidget(); }
    static QString shapeOf(const Tensor& tensor) {
        QStringList sizes;
        for (const Index size : tensor.shape()) sizes << QString::number(size);
        return sizes.join(QStringLiteral(", "));
    }
};

QTEST_MAIN(TestLessonsScreen)
#include "tst_lessons_screen.moc"
