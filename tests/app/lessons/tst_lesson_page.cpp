// A lesson before a class: the question at the room's size, hands that the teacher counts, an answer that comes when
// the teacher says so, and what only the teacher sees.

#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lessons_screen.h"
#include "app/window/presenter_window.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/qt/text_recorder.h"
#include "widgets/lessons/class_vote.h"
#include "widgets/lessons/lesson_pane.h"
#include "widgets/lessons/vote_board.h"
#include "widgets/presenter/presenter_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

class TestLessonPage : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void predictVoteReveal() {
        open("storage-offset-stride", 1);
        const LessonExercise exercise = *screen()->exercise();
        QCOMPARE(label("classAsk")->text(), exercise.ask);
        QVERIFY(board()->isVisible());
        QVERIFY(!page()->isRevealed());
        QCOMPARE(board()->right(), -1);
        // The class sees what is asked about, and no value of it.
        QVERIFY(asked()->isVisible());
        QVERIFY(asked()->options().hidesValues);
        const int right = rightOf(exercise), wrong = right == 0 ? 1 : 0;
        press(Qt::Key(Qt::Key_1 + wrong));
        QCOMPARE(vote()->chosen(), wrong);
        press(Qt::Key_Plus);
        press(Qt::Key_Plus);
        press(Qt::Key_Plus);
        press(Qt::Key_Minus);
        press(Qt::Key(Qt::Key_1 + right));
        press(Qt::Key_Equal);
        QCOMPARE(vote()->hands(wrong), 2);
        QCOMPARE(vote()->hands(right), 1);
        QCOMPARE(label("classHands")->text(), QStringLiteral("Hands: 3"));
        board()->findChild<QPushButton*>(QStringLiteral("voteMore%1").arg(right + 1))->click();
        QCOMPARE(vote()->hands(right), 2);
        press(Qt::Key_T);
        QVERIFY(vote()->isCounting());
        QVERIFY(label("classClock")->isVisible());
        QVERIFY(!page()->isRevealed());
        // The teacher's act, and only that.
        press(Qt::Key_Space);
        QVERIFY(page()->isRevealed());
        QCOMPARE(board()->right(), right);
        QVERIFY(label("classSaid")->text().contains(exercise.because));
        QVERIFY(!asked()->options().hidesValues);
        QCOMPARE(vote()->hands(wrong), 2);
        // Then each wrong answer, one at a time.
        QStringList replies;
        for (int i = 2; i < page()->steps(); ++i) {
            press(Qt::Key_Space);
            replies << label("classSaid")->text();
        }
        for (const LessonChoice& choice : exercise.choices) {
            if (!choice.reply.isEmpty()) QVERIFY(!replies.filter(choice.reply).isEmpty());
        }
        press(Qt::Key_PageUp);
        press(Qt::Key_PageDown);
        QCOMPARE(label("classSaid")->text(), replies.last());
        press(Qt::Key_Space);
        QCOMPARE(screen()->stopIndex(), 2);
        QVERIFY(!page()->isRevealed());
        QCOMPARE(vote()->allHands(), 0);
    }

    void nothingIsShownBeforeItsTime() {
        open("storage-offset-stride", 1);
        const LessonExercise exercise = *screen()->exercise();
        vote()->add(0, 20);
        QTest::qWait(300);
        QVERIFY(!page()->isRevealed());
        for (const QLabel* each : page()->findChildren<QLabel*>()) {
            if (each->isVisible()) QVERIFY2(!each->text().contains(exercise.because), qPrintable(each->text()));
        }
        // Its code does not run under the class's eyes either.
        const auto before = workspace()->stateHash();
        press(Qt::Key_Return);
        QCOMPARE(workspace()->stateHash(), before);
    }

    /// A task stands beside the tensors of the stop before: that is said until its own are made.
    void aTaskTellsWhatItsPictureIs() {
        open("expand", 0);
        int task = 0;
        for (; task < page()->stages(); ++task) {
            screen()->goTo(task);
            if (screen()->exercise()->target && screen()->waitsForCode()) break;
        }
        QVERIFY(task < page()->stages());
        Q_EMIT screen()->runRequested(QStringLiteral("torch.arange(3)"));
        screen()->goTo(task);
        QVERIFY(label("classSaid")->isVisible());
        QCOMPARE(label("classSaid")->text(), QStringLiteral("The picture is from before: Enter runs the code."));
        press(Qt::Key_Return);
        QVERIFY(!screen()->waitsForCode());
        QVERIFY(label("classSaid")->text().isEmpty());
    }

    void theTeacherSeesMore() {
        open("storage-offset-stride", 1);
        const LessonExercise exercise = *screen()->exercise();
        auto* card = screen()->findChild<QWidget*>(QStringLiteral("teacherCard"));
        QVERIFY(card && !card->isHidden());
        QStringList lines;
        for (const QLabel* each : card->findChildren<QLabel*>(QStringLiteral("teacherLine"))) lines << each->text();
        const QString all = lines.join(QLatin1Char('\n'));
        QVERIFY(all.contains(exercise.because));
        for (const LessonChoice& choice : exercise.choices) QVERIFY(all.contains(choice.reply));
        auto* next = card->findChild<QPushButton*>(QStringLiteral("classNext"));
        QCOMPARE(next->text(), QStringLiteral("Reveal"));
        next->click();
        QVERIFY(page()->isRevealed());
        vote()->add(1, 4);
        QVERIFY(card->findChild<QLabel*>(QStringLiteral("teacherHands"))->text().contains(QStringLiteral("4")));
        press(Qt::Key_Escape);
        QTRY_VERIFY(card->isHidden());
    }

    void notesAreTheTeachers() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("n.lesson")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("stridescope lesson 1\nid: n\ntitle: N\nobjective: O\n== explain: E\ntext: t\n"
                   "notes: Ask who <b>knows</b>.\n");
        file.close();
        m_window->openLesson(file.fileName());
        present();
        const auto lines = screen()->findChildren<QLabel*>(QStringLiteral("teacherLine"));
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines.front()->text(), QStringLiteral("Ask who <b>knows</b>."));
        QCOMPARE(lines.front()->textFormat(), Qt::PlainText);
        for (const QLabel* each : page()->findChildren<QLabel*>()) QVERIFY(!each->text().contains(u"Ask who"));
    }

    void explanationsHaveWordsAndAPicture() {
        open("dimensions", 0);
        QCOMPARE(label("classAsk")->text(), screen()->exercise()->heading);
        QVERIFY(label("classText")->isVisible());
        QVERIFY(label("classText")->text().contains(screen()->exercise()->code.front()));
        QVERIFY(!board()->isVisible());
        press(Qt::Key_Return); // runs the code, and shows what it made
        QVERIFY(entry("d"));
        QVERIFY(page()->findChild<ExploreStage*>(QStringLiteral("classShown"))->isVisible());
        press(Qt::Key_N);
        QCOMPARE(screen()->stopIndex(), 1);
        press(Qt::Key_N); // past a question that was not asked
        QCOMPARE(screen()->stopIndex(), 2);
        press(Qt::Key_P);
        QCOMPARE(screen()->stopIndex(), 1);
    }

    void buildsAreBuiltByTyping() {
        open("storage-offset-stride", 4);
        press(Qt::Key_Return);
        QVERIFY(entry("x"));
        press(Qt::Key_Space);
        QCOMPARE(label("classSaid")->text(), screen()->exercise()->hint);
        const Index columns = screen()->exercise()->basis->shape()[1];
        Q_EMIT m_window->presenter()->lineEntered(QStringLiteral("b = x[1:, %1:]").arg(columns - 2));
        QVERIFY(screen()->isBuilt());
        QVERIFY(label("classSaid")->text().startsWith(QStringLiteral("✓")));
    }

    void blankAndSpotlightAreAsElsewhere() {
        open("storage-offset-stride", 1);
        press(Qt::Key_S);
        press(Qt::Key_B);
        QVERIFY(m_window->presenter()->overlay()->isBlank());
        press(Qt::Key_Space); // brings the picture back and does nothing else
        QVERIFY(!m_window->presenter()->overlay()->isBlank());
        QVERIFY(!page()->isRevealed());
        QVERIFY(m_window->presenter()->overlay()->hasSpotlight());
    }

    /// The bar does not show a line that has nothing to do with the stop.
    void theBarIsOfTheLesson() {
        m_window->runLine(QStringLiteral("zzz = torch.zeros(3)"), Naming::Discard);
        open("storage-offset-stride", 1);
        QVERIFY(!m_window->presenter()->bar()->code().contains(QStringLiteral("zzz")));
    }

    void everyLessonFits_data() {
        QTest::addColumn<RoomSize>("room");
        QTest::addColumn<QSize>("size");
        for (const auto& [name, room] : {std::pair{"small", RoomSize::Small}, std::pair{"lecture", RoomSize::Lecture},
                                         std::pair{"hall", RoomSize::Hall}}) {
            for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
                QTest::addRow("%s %d", name, size.height()) << room << size;
        }
    }
    /// Every step of every stop of every lesson: letters of the room's size, and nothing cut.
    void everyLessonFits() {
        QFETCH(RoomSize, room);
        QFETCH(QSize, size);
        open("dimensions", 0);
        PresenterWindow* presenter = m_window->presenter();
        presenter->setRoom(room);
        presenter->showNormal();
        presenter->resize(size);
        QApplication::processEvents();
        QStringList cut;
        for (const Lesson& lesson : lessonLibrary()) {
            for (int stop = 0; stop < static_cast<int>(lesson.stops.size()); ++stop) {
                screen()->openLesson(lesson.id, stop);
                for (int step = 0; step < page()->steps(); ++step) {
                    if (step > 0) page()->goOn(1);
                    QCOMPARE(presenter->size(), size);
                    const QString where = QStringLiteral("%1#%2 step %3").arg(lesson.id).arg(stop + 1).arg(step);
                    // Rows whose words wrap are laid out more than once.
                    QApplication::processEvents();
                    for (int i = 0; i < 40 && !cutIn(where).isEmpty(); ++i) QTest::qWait(5);
                    cut << cutIn(where);
                    if (step > 1) continue; // the rest differs by a sentence
                    TextRecorder recorder(size);
                    presenter->render(&recorder);
                    const RecordedText smallest = smallestOf(recorder.texts());
                    QVERIFY2(
                        smallest.capHeight >= capShare(room) * size.height() - 1e-6,
                        qPrintable(where +
                                   QStringLiteral(": \"%1\" is %2 px").arg(smallest.text).arg(smallest.capHeight)));
                }
            }
        }
        QVERIFY2(cut.isEmpty(),
                 qPrintable(QString::number(cut.size()) + QLatin1Char('\n') + cut.join(QLatin1Char('\n'))));
    }

private:
    LessonsScreen* screen() const { return qobject_cast<LessonsScreen*>(m_window->currentScreen()); }
    LessonPage* page() const { return qobject_cast<LessonPage*>(m_window->presenter()->page()); }
    VoteBoard* board() const { return page()->findChild<VoteBoard*>(); }
    ClassVote* vote() const { return screen()->vote(); }
    ExploreStage* asked() const { return page()->findChild<ExploreStage*>(QStringLiteral("classAsked")); }
    QLabel* label(const char* name) const { return page()->findChild<QLabel*>(QString::fromLatin1(name)); }
    void present() {
        actionOf(*m_window, "present")->trigger();
        PresenterWindow* presenter = m_window->presenter();
        static_cast<void>(QTest::qWaitForWindowActive(presenter));
        presenter->showNormal();
        presenter->resize(1280, 720);
        QApplication::processEvents();
    }
    void open(const char* id, int stop) {
        m_window->showScreen(QStringLiteral("lessons"));
        QVERIFY(screen()->openLesson(QString::fromUtf8(id), stop));
        present();
        QVERIFY(page());
    }
    void press(Qt::Key key) {
        PresenterWindow* presenter = m_window->presenter();
        QWidget* focus = presenter->focusWidget();
        QTest::keyClick(focus ? focus : presenter, key);
    }
    QStringList cutIn(const QString& where) const {
        QStringList cut;
        for (const QLabel* each : page()->findChildren<QLabel*>()) {
            if (!each->isVisible() || each->text().isEmpty()) continue;
            if (each->objectName() == QStringLiteral("classText")) continue; // scrolls
            const int wanted = each->wordWrap() ? each->heightForWidth(each->width()) : each->sizeHint().height();
            const bool wide = !each->wordWrap() && each->sizeHint().width() > each->width();
            const QRect inPage(each->mapTo(page(), QPoint()), each->size());
            if (wanted > each->height() || wide || !page()->rect().contains(inPage))
                cut << QStringLiteral("%1: %2 %3, %4 of %5 px")
                           .arg(where, each->objectName(), each->text())
                           .arg(each->height())
                           .arg(wanted);
        }
        return cut;
    }
    static int rightOf(const LessonExercise& exercise) {
        for (std::size_t i = 0; i < exercise.choices.size(); ++i)
            if (exercise.choices[i].reply.isEmpty()) return static_cast<int>(i);
        return -1;
    }
};

QTEST_MAIN(TestLessonPage)
#include "tst_lesson_page.moc"
