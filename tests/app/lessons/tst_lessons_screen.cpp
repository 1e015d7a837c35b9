// The Lessons screen: a lesson from its list to its end with the keys alone, answers that are not shown before they are
// given, tensors that are built, progress that is kept, files that cannot be read.

#include "app/lessons/lesson_library.h"
#include "app/lessons/lessons_screen.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/lessons/lesson_pane.h"
#include "widgets/panels/message_bar.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/stage/explore_stage.h"

#include <QAccessible>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>

#include <QFile>
#include <QJsonObject>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

class TestLessonsScreen : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    /// The picture takes the room that there is; the pane beside it scrolls by itself.
    void noPageIsHigherThanTheWindow() {
        m_window->resize(1280, 690); // 720 lines without a title bar and a panel
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QVERIFY(screen());
        const ScrollRoom* room = nullptr;
        for (const QWidget* each = screen(); each && !room; each = each->parentWidget())
            room = qobject_cast<const ScrollRoom*>(each);
        QVERIFY(room);
        for (const Lesson& lesson : lessonLibrary()) {
            for (int stop = 0; stop < static_cast<int>(lesson.stops.size()); ++stop) {
                screen()->openLesson(lesson.id, stop);
                QApplication::processEvents();
                QVERIFY2(!room->scrolls(), qPrintable(QStringLiteral("%1#%2").arg(lesson.id).arg(stop + 1)));
            }
        }
    }

    void noPaneScrollsSideways() {
        m_window->showScreen(QStringLiteral("lessons"));
        for (const Lesson& lesson : lessonLibrary()) {
            for (int stop = 0; stop < static_cast<int>(lesson.stops.size()); ++stop) {
                screen()->openLesson(lesson.id, stop);
                if (screen()->exercise()->isQuestion()) Q_EMIT screen()->pane()->revealRequested();
                QApplication::processEvents();
                const auto* room = qobject_cast<const QScrollArea*>(screen()->pane()->parentWidget()->parentWidget());
                QVERIFY(room);
                QVERIFY2(room->horizontalScrollBar()->maximum() == 0,
                         qPrintable(QStringLiteral("%1#%2").arg(lesson.id).arg(stop + 1)));
            }
        }
    }

    void firstLessonByKeysAlone() {
        // As the card of the first steps says.
        const auto* card = m_window->findChild<QWidget*>(QStringLiteral("firstRunLesson"));
        QVERIFY(card);
        const QString keys = card->findChild<QLabel*>(QStringLiteral("stepKeys"))->text();
        QCOMPARE(keys, QStringLiteral("Ctrl+5"));
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        LessonsScreen* lessons = screen();
        QVERIFY(lessons);
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
                QTest::keyClicks(QApplication::focusWidget(),
                                 QStringLiteral("x.view(%1)").arg(shapeOf(*exercise.target)));
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
            }
            if (exercise.isQuestion() || exercise.target) {
                QVERIFY2(verdictBox()->isVisible(), qPrintable(exercise.heading));
                QCOMPARE(verdictBox()->property("tone").toString(), QStringLiteral("right"));
                QVERIFY(lessons->pane()->isSettled());
            } else {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); // Run
                QVERIFY(entry("d"));
            }
            QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("lessonNext")));
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        }
        QVERIFY(table()->isVisible());
        QCOMPARE(table()->topLevelItem(0)->text(2), QStringLiteral("6 of 6 ✓"));
        QCOMPARE(table()->topLevelItem(1)->text(2), QStringLiteral("0 of 6"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(lessons->lesson()->id, lessonLibrary()[1].id);
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

    /// Lessons send their readers to other screens.
    void whoComesBackGoesOnWithTheKeys() {
        open("view-reshape", 0);
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("lessonRun")));
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("lessonRun")));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("lessonNext")));
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("lessonNext")));
    }

    /// "stridescope lesson open" opens the lesson before the window is active.
    void aLinkGivesTheKeyboardToTheFirstAnswer() {
        m_window->showScreen(QStringLiteral("lessons"));
        QWidget other;
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other));
        QVERIFY(screen()->openLink(QStringLiteral("expand#2")));
        other.close();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("lessonChoice1")));
    }

    void aRefusalGoesWithItsStop() {
        LessonsScreen* lessons = open("view-reshape", 0);
        auto* bar = m_window->findChild<MessageBar*>(QStringLiteral("messageBar"));
        QVERIFY(bar);
        const auto refuse = [&] { Q_EMIT lessons->runRequested(QStringLiteral("torch.arange(12).view(5)")); };
        refuse();
        QVERIFY(bar->isVisible());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageDown);
        QVERIFY(!bar->isVisible());
        refuse();
        QVERIFY(bar->isVisible());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!bar->isVisible());
    }

    void theNextAnswerTakesThePlaceOfAWrongOne() {
        LessonsScreen* lessons = open("dtypes", 1);
        QVERIFY(lessons->exercise()->typed);
        for (const QString& answer : {QStringLiteral("7"), lessons->exercise()->answer.text()}) {
            QTest::keyClicks(QApplication::focusWidget(), answer);
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        }
        QVERIFY(lessons->pane()->isSettled());
        QCOMPARE(lessons->pane()->field()->text(), lessons->exercise()->answer.text());
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
        // Few numbers: never the same ones twice.
        lessons = open("view-reshape", 5);
        for (int i = 0; i < 40; ++i) {
            const QString before = lessons->exercise()->drawn;
            button("lessonDraw")->click();
            QVERIFY2(lessons->exercise()->drawn != before, qPrintable(before));
        }
    }

    void theFocusFrameIsClearOfTheNumbers() {
        m_window->showScreen(QStringLiteral("lessons"));
        QTRY_VERIFY(table()->hasFocus());
        const QImage row = table()->viewport()->grab(table()->visualItemRect(table()->topLevelItem(2))).toImage();
        const QRgb ground = row.pixel(0, 0);
        int first = row.width();
        for (int y = 0; y < row.height(); ++y) {
            for (int x = 0; x < first; ++x) {
                if (row.pixel(x, y) != ground) first = x;
            }
        }
        // Gap and line of the ring, drawn inside of lists, and a gap before the letters.
        QVERIFY2(first >= 8, qPrintable(QString::number(first)));
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

    /// Whatever it takes away, hides and makes: it is one step.
    void codeIsOneStep() {
        for (const char* line : {"u = torch.zeros(2)", "v = torch.ones(3)", "x = torch.arange(100, 105)"})
            m_window->runLine(QString::fromLatin1(line), Naming::Discard);
        const quint64 before = workspace()->stateHash();
        const int steps = workspace()->position();
        open("dimensions", 0);
        button("lessonRun")->click();
        QVERIFY(entry("d") && entry("d")->onStage && !entry("u")->onStage && !entry("x")->onStage);
        QCOMPARE(workspace()->position(), steps + 1);
        QVERIFY(workspace()->undoTitle().contains(QStringLiteral("From a number")));
        const quint64 after = workspace()->stateHash();
        m_window->undo();
        QCOMPARE(workspace()->stateHash(), before);
        m_window->redo();
        QCOMPARE(workspace()->stateHash(), after);
        // A user's x that an undo brought back is the user's again.
        open("dimensions", 5);
        button("lessonRun")->click();
        QVERIFY(entry("x_own"));
        m_window->undo();
        QVERIFY(!entry("x_own"));
        button("lessonRun")->click();
        QVERIFY(entry("x_own"));
        QCOMPARE(entry("x_own")->tensor.numel(), Index{5});
        QVERIFY2(message()->isHidden(), "no banner tells of names that come and go with a lesson");
    }

    void questionsShowWhatTheyAskAbout() {
        m_window->runLine(QStringLiteral("x = torch.arange(100, 105)"), Naming::Discard);
        LessonsScreen* lessons = open("storage-offset-stride", 1);
        const ExploreStage* asked = lessons->askedStage();
        QVERIFY(asked->isVisible() && !lessons->stage()->isVisible());
        QVERIFY(asked->options().hidesValues);
        QVERIFY(asked->testAttribute(Qt::WA_TransparentForMouseEvents));
        QCOMPARE(asked->state().snapshot->tensors.size(), std::size_t{1});
        QCOMPARE(asked->state().snapshot->tensors[0].tensor.shape(), lessons->exercise()->made[0].tensor.shape());
        QVERIFY(!asked->state().selection.pick);
        QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(lessons->askedStage());
        QCOMPARE(heard->childCount(), 0); // no values for a screen reader either
        Q_EMIT lessons->pane()->answered(lessons->exercise()->answer.text());
        QVERIFY(asked->isVisible() && !asked->options().hidesValues);
        QVERIFY(heard->childCount() > 0);
        button("lessonRun")->click();
        QVERIFY(lessons->stage()->isVisible());
        // What a question must not show is not shown, and the picture of before is not in its place.
        open("dimensions", 1);
        QVERIFY(label("lessonWaiting")->isVisible());
        // A tensor to build, with the x of another stop in sight: that is said.
        open("dimensions", 5);
        QVERIFY(label("lessonCaption")->text().contains(QStringLiteral("from before")));
        button("lessonRun")->click();
        QVERIFY(label("lessonCaption")->text().isEmpty());
    }

    /// Their lines are copied, not run: the picture of another stop says nothing of them.
    void linesForPythonHaveAPicture() {
        open("slicing", 0);
        button("lessonRun")->click();
        for (const Lesson& lesson : lessonLibrary()) {
            for (int stop = 0; stop < static_cast<int>(lesson.stops.size()); ++stop) {
                if (!lesson.stops[static_cast<std::size_t>(stop)].python) continue;
                LessonsScreen* lessons = open(lesson.id.toUtf8().constData(), stop);
                const QByteArray where = QStringLiteral("%1#%2").arg(lesson.id).arg(stop + 1).toUtf8();
                if (lessons->exercise()->isQuestion())
                    Q_EMIT lessons->pane()->answered(lessons->exercise()->answer.text());
                QVERIFY2(!lessons->stage()->isVisible(), where);
                QVERIFY2(lessons->askedStage()->isVisible(), where);
                QVERIFY2(!lessons->askedStage()->options().hidesValues, where);
                QVERIFY2(!label("lessonCaption")->text().contains(QStringLiteral("Run")), where);
            }
        }
    }

    /// What was asked about is seen when the answer is known, and is the user's by Run.
    void answersAreSeenInThePicture_data() {
        QTest::addColumn<QByteArray>("lesson");
        QTest::addColumn<int>("stop");
        const auto row = [](const char* lesson, int stop) {
            QTest::addRow("%s %d", lesson, stop + 1) << QByteArray(lesson) << stop;
        };
        row("dimensions", 4);
        for (int stop = 1; stop <= 4; ++stop) row("view-reshape", stop);
        row("broadcasting", 1);
        row("transpose", 3);
    }
    void answersAreSeenInThePicture() {
        QFETCH(QByteArray, lesson);
        QFETCH(int, stop);
        for (const bool told : {false, true}) {
            LessonsScreen* lessons = open(lesson.constData(), stop);
            const LessonExercise exercise = *lessons->exercise();
            if (told)
                button("lessonReveal")->click();
            else
                Q_EMIT lessons->pane()->answered(exercise.answer.words());
            QVERIFY(lessons->pane()->isSettled() && lessons->askedStage()->isVisible());
            QVERIFY2(label("lessonCaption")->text().contains(exercise.outcome.section(QLatin1Char(' '), 0, 0)),
                     qPrintable(label("lessonCaption")->text()));
            const WorkspaceSnapshot& pictured = *lessons->askedStage()->state().snapshot;
            if (lesson == "dimensions") {
                QCOMPARE(pictured.tensors.size(), std::size_t{2}); // both that are compared
                continue;
            }
            // What is refused has no picture of its own, unless it was asked of a part.
            const bool refused = exercise.answer.text() == QStringLiteral("refused");
            QVERIFY(refused || exercise.asked);
            if (!exercise.asked) continue;
            QCOMPARE(pictured.tensors.back().name, exercise.asked->name);
            if (exercise.answer.text() == QStringLiteral("copy"))
                QVERIFY(pictured.tensors.back().origin == Origin::Copy);
            QCOMPARE(pictured.tensors.back().id, lessons->askedStage()->state().selection.tensor);
            button("lessonRun")->click();
            QVERIFY(entry(qPrintable(exercise.asked->name)));
            QCOMPARE(entry(qPrintable(exercise.asked->name))->tensor.shape(), exercise.asked->tensor.shape());
        }
    }

    /// Of a line that comes before the code: what is to be done, where it is read, and not an error over the picture.
    void linesWaitForTheCode() {
        LessonsScreen* lessons = open("dimensions", 5);
        const auto type = [](const QString& line) {
            QTest::keyClicks(QApplication::focusWidget(), line);
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        };
        const QString right = QStringLiteral("x.view(%1)").arg(shapeOf(*lessons->exercise()->target));
        lessons->pane()->field()->setFocus();
        type(right);
        QVERIFY(message()->isHidden());
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("Run the code first")));
        QCOMPARE(workspace()->position(), 0);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(button("lessonRun")));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); // Run
        QVERIFY(!verdictBox()->isVisible());
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(lessons->pane()->field()));
        QCOMPARE(lessons->pane()->field()->selectedText(), right);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); // the line still stands there
        QVERIFY(lessons->pane()->isSettled());
        // An x that was taken away since.
        open("dimensions", 5);
        button("lessonRun")->click();
        m_window->runLine(QStringLiteral("del x"), Naming::Discard);
        lessons->pane()->field()->setFocus();
        type(right);
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("run the code again"), Qt::CaseInsensitive));
    }

    void triesMakeRoomForTheNext() {
        LessonsScreen* lessons = open("dimensions", 5);
        button("lessonRun")->click();
        const auto names = [this] {
            QStringList all;
            for (const TensorEntry& each : m_window->model()->snapshot()->tensors) all << each.name;
            all.sort();
            return all;
        };
        const auto type = [&](const QString& line) {
            lessons->pane()->field()->setText(line);
            QTest::keyClick(lessons->pane()->field(), Qt::Key_Return);
        };
        const int steps = workspace()->position();
        type(QStringLiteral("x.view(-1, 2)"));
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("wanted is")));
        QCOMPARE(names().size(), 2);
        type(QStringLiteral("b = x[:4]"));
        QCOMPARE(names(), QStringList({QStringLiteral("b"), QStringLiteral("x")}));
        QCOMPARE(workspace()->position(), steps + 1);
        // What was tried before is not what is looked at.
        type(QStringLiteral("x.vieww(2)"));
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("refused")));
        QCOMPARE(names(), QStringList{QStringLiteral("x")});
        type(QStringLiteral("x.size()"));
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("no tensor")));
        type(QStringLiteral("x[1:]"));
        button("lessonDraw")->click();
        QCOMPARE(names(), QStringList{QStringLiteral("x")});
        button("lessonRun")->click();
        QCOMPARE(names(), QStringList{QStringLiteral("x")});
        // Something of one's own in between stays, and Run takes the try away.
        type(QStringLiteral("w = x[1:]"));
        m_window->runLine(QStringLiteral("mine = torch.zeros(2)"), Naming::Discard);
        button("lessonRun")->click();
        QCOMPARE(names(), QStringList({QStringLiteral("mine"), QStringLiteral("x")}));
        // A right one stays in sight.
        type(QStringLiteral("x.view(%1)").arg(shapeOf(*lessons->exercise()->target)));
        QVERIFY(lessons->pane()->isSettled());
        QCOMPARE(names().size(), 3);
        button("lessonDraw")->click();
        QCOMPARE(names().size(), 3);
    }

    void answersAreMarked() {
        LessonsScreen* lessons = open("storage-offset-stride", 1);
        const LessonExercise exercise = *lessons->exercise();
        int right = 0, wrong = -1;
        for (std::size_t i = 0; i < exercise.choices.size(); ++i) {
            if (exercise.choices[i].reply.isEmpty())
                right = static_cast<int>(i);
            else
                wrong = static_cast<int>(i);
        }
        const auto choice = [this](int at) { return button(qPrintable(QStringLiteral("lessonChoice%1").arg(at + 1))); };
        choice(wrong)->click();
        QCOMPARE(choice(wrong)->property("answer").toString(), QStringLiteral("wrong"));
        QVERIFY(choice(wrong)->text().trimmed().startsWith(QStringLiteral("✗")));
        QCOMPARE(choice(right)->property("answer").toString(), QStringLiteral("open"));
        choice(right)->click();
        QCOMPARE(choice(right)->property("answer").toString(), QStringLiteral("right"));
        QVERIFY(choice(right)->text().trimmed().startsWith(QStringLiteral("✓")));
        QVERIFY(choice(right)->accessibleName().endsWith(QStringLiteral("right")));
        QCOMPARE(choice(wrong)->property("answer").toString(), QStringLiteral("wrong"));
        open("storage-offset-stride", 2);
        button("lessonReveal")->click();
        int marked = 0;
        for (int i = 0; i < static_cast<int>(screen()->exercise()->choices.size()); ++i)
            marked += choice(i)->property("answer").toString() == QStringLiteral("right") ? 1 : 0;
        QCOMPARE(marked, 1);
    }

    void messagesDoNotMoveThePage() {
        LessonsScreen* lessons = open("storage-offset-stride", 0);
        QApplication::processEvents(); // the other screen's header goes
        const QPoint pane = lessons->pane()->mapTo(m_window.get(), QPoint());
        const QSize size = lessons->size();
        m_window->runLine(QStringLiteral("torch.zeros(3).view(2)"), Naming::Discard);
        QVERIFY(message()->isVisible());
        QApplication::processEvents();
        QCOMPARE(lessons->pane()->mapTo(m_window.get(), QPoint()), pane);
        QCOMPARE(lessons->size(), size);
        // It lies over the picture, and what is read and clicked stays free.
        const QRect bar(message()->mapTo(m_window.get(), QPoint()), message()->size());
        QVERIFY(!bar.intersects(QRect(pane, lessons->pane()->size())));
    }

    void linksLeadToStops() {
        m_window->openLesson(QStringLiteral("storage-offset-stride#3"));
        QCOMPARE(screen()->stopIndex(), 2);
        m_window->openLesson(QStringLiteral("storage-offset-stride#by numbers alone"));
        QCOMPARE(screen()->stopIndex(), 5);
        button("lessonLink")->click();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("stridescope lesson open storage-offset-stride#6"));
        m_window->openLesson(QStringLiteral("storage-offset-stride#9"));
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("no stop '9'")));
        m_window->openLesson(QStringLiteral("nothing#1"));
        QVERIFY(label("lessonVerdict")->text().contains(QStringLiteral("nothing")));
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a#b's.lesson"));
        QVERIFY(QFile::copy(QStringLiteral(":/lessons/01-dimensions.lesson"), file));
        QVERIFY(screen()->openLink(file));
        QVERIFY(screen()->openLink(file + QStringLiteral("#2")));
        QCOMPARE(screen()->stopIndex(), 1);
        showsList();
        m_window->openFiles({file}); // dropped on the window, or named on the command line
        QVERIFY(screen()->lesson() && screen()->lesson()->file == file);
        QVERIFY(screen()->openLink(file + QStringLiteral("#2")));
        button("lessonLink")->click();
        QVERIFY(QApplication::clipboard()->text().endsWith(QStringLiteral("a#b'\\''s.lesson'#2")));
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

    /// Lesson 14 stays lesson 14, as replies and guides name it.
    void quizzesHaveNoNumber() {
        m_window->showScreen(QStringLiteral("lessons"));
        int number = 0, quizzes = 0;
        for (int row = 0; row < table()->topLevelItemCount(); ++row) {
            const Lesson& lesson = lessonLibrary()[static_cast<std::size_t>(row)];
            const QString mark = lesson.isQuiz() ? QStringLiteral("?") : QString::number(++number);
            quizzes += lesson.isQuiz() ? 1 : 0;
            QCOMPARE(table()->topLevelItem(row)->text(0).section(QLatin1Char(' '), 0, 0), mark);
        }
        QCOMPARE(number, 25);
        QCOMPARE(quizzes, 4);
    }

private:
    LessonsScreen* screen() const { return qobject_cast<LessonsScreen*>(m_window->currentScreen()); }
    LessonsScreen* open(const char* id, int stop) {
        m_window->showScreen(QStringLiteral("lessons"));
        if (!screen()->openLesson(QString::fromUtf8(id), stop)) qFatal("no lesson %s", id);
        return screen();
    }
    void showsList() { screen()->showList(); }
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
