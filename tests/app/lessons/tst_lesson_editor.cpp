// The editor of lessons: what the checker says at its lines, the stop under the cursor as it will look, files that are
// saved whole and that change under it, text that is not lost.

#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_editor.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/lessons_screen.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/code/code_edit.h"
#include "widgets/lessons/lesson_pane.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTextBlock>

#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

const QByteArray kLesson = "stridescope lesson 1\nid: a-b\ntitle: T\nobjective: O\ntrap: X\n\n== explain: First\n"
                           "text: one\ncode: x = torch.zeros(3)\n\n== question: Second\nask: How many?\n"
                           "code: x = torch.zeros(3)\nanswer: x.numel()\nwrong: 2 :: One more.\nbecause: so\n";

} // namespace

class TestLessonEditor : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() {
        openWindow({1280, 720});
        m_window->showScreen(QStringLiteral("lessons"));
        m_folder = std::make_unique<QTemporaryDir>();
    }
    void cleanup() { closeWindow(); }

    void beginsWithATemplate() {
        const Result<Lesson> lesson = readLesson(lessonTemplate().toUtf8());
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.refusal().message.c_str());
        QVERIFY(checkLesson(*lesson).findings.empty());
        QCOMPARE(lesson->stops.size(), std::size_t{3});
        screen()->findChild<QPushButton*>(QStringLiteral("newLesson"))->click();
        QVERIFY(editor() && editor()->isVisible());
        QCOMPARE(editor()->edit()->text(), lessonTemplate());
        QTRY_VERIFY(firstFinding().startsWith(QStringLiteral("✓")));
        QVERIFY(editor()->edit()->hasFocus());
    }

    void findingsStandAtTheirLines() {
        open(kLesson);
        QTRY_VERIFY(firstFinding().startsWith(QStringLiteral("✓")));
        type(QByteArray(kLesson).replace("answer: x.numel()", "answer: y.numel()"));
        QTRY_VERIFY2(firstFinding().contains(QStringLiteral("line 14")), qPrintable(firstFinding()));
        QVERIFY(firstFinding().contains(QStringLiteral("'y' is not defined")));
        QCOMPARE(editor()->edit()->marks().begin()->first, 14);
        // The line is a click away.
        Q_EMIT editor()->findings()->itemActivated(editor()->findings()->item(0));
        QCOMPARE(editor()->edit()->textCursor().blockNumber(), 13);
        type(QByteArray(kLesson).replace("code: x = torch.zeros(3)\nanswer",
                                         "code: x = torch.zeros(3).view(2)\nanswer"));
        QTRY_VERIFY2(firstFinding().contains(QStringLiteral("line 13")), qPrintable(firstFinding()));
        type(QByteArray(kLesson).replace("because:", "becuase:"));
        QTRY_VERIFY2(firstFinding().contains(QStringLiteral("line 16")), qPrintable(firstFinding()));
        QVERIFY(firstFinding().contains(QStringLiteral("becuase")));
        // What it looked like stays in sight while something is half typed.
        QCOMPARE(paneLabel("lessonTitle")->text(), QStringLiteral("T"));
        type(kLesson);
        QTRY_VERIFY(firstFinding().startsWith(QStringLiteral("✓")));
        QVERIFY(editor()->edit()->marks().empty());
    }

    void showsTheStopUnderTheCursor() {
        open(kLesson);
        QCOMPARE(paneLabel("lessonHeading")->text(), QStringLiteral("First"));
        goTo(12);
        QCOMPARE(paneLabel("lessonHeading")->text(), QStringLiteral("Second"));
        QVERIFY(editor()->edit()->hasFocus());
        Q_EMIT editor()->preview()->answered(QStringLiteral("2"));
        QCOMPARE(paneLabel("lessonVerdict")->text(), QStringLiteral("One more."));
        Q_EMIT editor()->preview()->answered(QStringLiteral("3"));
        QVERIFY(editor()->preview()->isSettled());
        Q_EMIT editor()->preview()->stopRequested(0);
        QCOMPARE(editor()->edit()->textCursor().blockNumber(), 6);
        QCOMPARE(paneLabel("lessonHeading")->text(), QStringLiteral("First"));
    }

    void tabLeadsOn() {
        open(kLesson);
        goTo(12);
        QTest::keyClick(editor()->edit(), Qt::Key_Tab);
        QVERIFY(!editor()->edit()->hasFocus());
        QVERIFY(!editor()->isModified());
    }

    /// Rows J6 to J8: a lesson is somebody's file.
    void nothingOfItRuns() {
        const QString canary = m_folder->filePath(QStringLiteral("canary"));
        const auto before = workspace()->stateHash();
        open(QByteArray(kLesson).replace("x = torch.zeros(3)\n\n", "x = torch.load('" + canary.toUtf8() + "')\n\n") +
             "\n== explain: P\npython: yes\ntext: <img src=file:///etc/passwd>\ncode: open('" + canary.toUtf8() +
             "', 'w')\n");
        QTRY_VERIFY(firstFinding().contains(QStringLiteral("line 9")));
        goTo(20);
        QTest::qWait(400);
        QVERIFY(!QFile::exists(canary));
        QCOMPARE(workspace()->stateHash(), before);
        QVERIFY(!editor()->preview()->findChild<QPushButton*>(QStringLiteral("lessonRun"))->isVisible());
        for (const QLabel* each : editor()->preview()->findChildren<QLabel*>()) {
            if (each->objectName() == QStringLiteral("lessonText")) QCOMPARE(each->textFormat(), Qt::PlainText);
        }
    }

    void savesWhole() {
        open(kLesson);
        type(kLesson + "# more\n");
        QVERIFY(editor()->isModified());
        QTest::keySequence(editor()->edit(), QKeySequence::Save);
        QVERIFY(!editor()->isModified());
        QCOMPARE(onDisk(), kLesson + "# more\n");
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files).size(), 1); // nothing is left beside it
        type(kLesson);
        QVERIFY(!editor()->saveTo(QStringLiteral("/nowhere/x.lesson")));
        QVERIFY(editor()->isModified());
        QVERIFY(editor()->notice().contains(QStringLiteral("/nowhere/x.lesson")));
        QCOMPARE(onDisk(), kLesson + "# more\n");
    }

    void readsAgainWhatChanged() {
        open(kLesson);
        write(QByteArray(kLesson).replace("title: T", "title: Other"));
        QTRY_VERIFY(editor()->edit()->text().contains(QStringLiteral("title: Other")));
        QVERIFY(!editor()->isModified());
        // A new file in its place, as editors save.
        write(kLesson, QStringLiteral("b.tmp"));
        QVERIFY(::rename(qPrintable(m_folder->filePath(QStringLiteral("b.tmp"))), qPrintable(file())) == 0);
        QTRY_VERIFY(editor()->edit()->text().contains(QStringLiteral("title: T")));
        // What is not saved is not lost: it asks.
        type(kLesson + "# mine\n");
        write(QByteArray(kLesson).replace("title: T", "title: Third"));
        QTRY_VERIFY(editor()->notice().contains(QStringLiteral("changed on the disk")));
        QVERIFY(editor()->edit()->text().endsWith(QStringLiteral("# mine\n")));
        button("noticeMine")->click();
        QTRY_VERIFY(editor()->notice().isEmpty());
        QVERIFY(editor()->edit()->text().endsWith(QStringLiteral("# mine\n")));
        write(QByteArray(kLesson).replace("title: T", "title: Fourth"));
        QTRY_VERIFY(!editor()->notice().isEmpty());
        button("noticeTake")->click();
        QTRY_VERIFY(editor()->edit()->text().contains(QStringLiteral("title: Fourth")));
        QVERIFY(!editor()->isModified());
    }

    void changesAreAskedFor() {
        open(kLesson);
        type(kLesson + "# mine\n");
        editor()->newLesson();
        QVERIFY(editor()->notice().contains(QStringLiteral("not saved")));
        button("noticeKeep")->click();
        QTRY_VERIFY(editor()->notice().isEmpty());
        QVERIFY(editor()->isModified());
        editor()->newLesson();
        button("noticeSave")->click();
        QTRY_COMPARE(editor()->edit()->text(), lessonTemplate());
        QCOMPARE(onDisk(), kLesson + "# mine\n");
        type("stridescope lesson 1\n");
        editor()->copyOf(QStringLiteral("transpose"));
        button("noticeDiscard")->click();
        QTRY_VERIFY(editor()->edit()->text().contains(QStringLiteral("id: transpose")));
        QVERIFY(editor()->path().isEmpty()); // the built-in one is not written to
    }

    void whatIsNotSavedIsThereAgain() {
        open(kLesson);
        type(kLesson + "# mine\n");
        const QJsonObject kept = screen()->kept();
        LessonsScreen other(workspace(), nullptr);
        other.keep(kept);
        QVERIFY(other.editor()->isModified());
        QCOMPARE(other.editor()->path(), file());
        QCOMPARE(other.editor()->edit()->text(), QString::fromUtf8(kLesson + "# mine\n"));
        QVERIFY(m_settings->value(QStringLiteral("screen:lessons")).toObject().contains(QStringLiteral("draft")));
        editor()->save();
        QVERIFY(!screen()->kept().contains(QStringLiteral("draft")));
    }

    void isTakenAsALesson() {
        open(kLesson);
        goTo(12);
        button("editorTake")->click();
        QVERIFY(screen()->lesson());
        QCOMPARE(screen()->lesson()->file, file());
        QCOMPARE(screen()->stopIndex(), 1);
        // The lesson that is taken follows its file, too.
        write(QByteArray(kLesson).replace("How many?", "How many now?"));
        QTRY_COMPARE(screen()->exercise()->ask, QStringLiteral("How many now?"));
        QCOMPARE(screen()->stopIndex(), 1);
    }

private:
    LessonsScreen* screen() const { return qobject_cast<LessonsScreen*>(m_window->currentScreen()); }
    LessonEditor* editor() const { return screen()->editor(); }
    QString file() const { return m_folder->filePath(QStringLiteral("a.lesson")); }
    QByteArray onDisk() const {
        QFile read(file());
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    void write(const QByteArray& bytes, const QString& name = QStringLiteral("a.lesson")) const {
        QFile out(m_folder->filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(out.write(bytes), bytes.size());
    }
    void open(const QByteArray& bytes) {
        write(bytes);
        screen()->editFile(file());
        QCOMPARE(editor()->path(), file());
        static_cast<void>(QTest::qWaitForWindowActive(m_window.get()));
    }
    /// As if all of it were typed: a change that can be undone.
    void type(const QByteArray& text) const {
        QTextCursor all(editor()->edit()->document());
        all.select(QTextCursor::Document);
        all.insertText(QString::fromUtf8(text));
    }
    void goTo(int line) const {
        editor()->edit()->setTextCursor(QTextCursor(editor()->edit()->document()->findBlockByNumber(line - 1)));
    }
    QString firstFinding() const {
        const QListWidget* list = editor()->findings();
        return list->count() > 0 ? list->item(0)->text() : QString();
    }
    QLabel* paneLabel(const char* name) const {
        return editor()->preview()->findChild<QLabel*>(QString::fromLatin1(name));
    }
    QPushButton* button(const char* name) const { return editor()->findChild<QPushButton*>(QString::fromLatin1(name)); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(TestLessonEditor)
#include "tst_lesson_editor.moc"
