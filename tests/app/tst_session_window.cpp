// Sessions in the window: Ctrl+S, opening, states as text, two windows, and what a crash leaves.

#include "tests/app/main_window_fixture.h"

#include "app/session/state_text.h"
#include "core/io/npy.h"
#include "core/ops/creation.h"
#include "core/session/session_file.h"
#include "widgets/stage/explore_stage.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTimer>

using namespace stridescope;
using namespace stridescope::test;

class TestSessionWindow : public QObject, private TestedWindow {
    Q_OBJECT

    QString file(const char* name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    static QString told(const MessageBar* bar) { return bar->title() + QLatin1Char('\n') + bar->detail(); }
    QString told() const { return told(message()); }
    void run(const char* line) { QVERIFY(m_window->runLine(QString::fromLatin1(line), Naming::Auto).ok); }
    void save(const QString& path) {
        m_window->saveSessionTo(path);
        QTRY_VERIFY(!m_window->isSaving());
    }
    void open(const QString& path) {
        m_window->openFiles({path});
        QTRY_COMPARE(m_window->sessionShownPath(), path);
    }
    /// Answers the next question of the window; m_said is what it said.
    void answer(const QString& button) {
        auto said = std::make_shared<QString>();
        QTimer::singleShot(50, this, [said, button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            *said = box->text();
            for (QAbstractButton* each : box->buttons()) {
                if (each->text().remove(QLatin1Char('&')) == button) return each->click();
            }
            box->reject();
        });
        m_said = said;
    }
    std::shared_ptr<QString> m_said;
    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        openWindow({1280, 720});
        m_window->keepJournal(file("state"));
    }
    void cleanup() { closeWindow(); }

    void savesAndOpens() {
        run("A = torch.arange(12).view(3, 4)");
        run("B = A.t()");
        m_window->stage()->setHeat(true);
        const QString path = file("x.stridescope");
        save(path);
        QVERIFY(!workspace()->isModified());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("x.stridescope")));
        QCOMPARE(m_window->recentFiles().first(), path);
        const quint64 hash = workspace()->stateHash();
        // Ctrl+S writes to the same file without a question.
        run("B[0, 0] = 77");
        QVERIFY(m_window->isWindowModified());
        actionOf(*m_window, "saveSession")->trigger();
        QTRY_VERIFY(!m_window->isSaving() && !workspace()->isModified());
        QVERIFY(!m_window->isWindowModified());
        const quint64 later = workspace()->stateHash();
        QVERIFY(hash != later);
        closeWindow();
        openWindow({1280, 720});
        open(path);
        QCOMPARE(workspace()->stateHash(), later);
        QVERIFY(m_window->stage()->options().heat);
        QVERIFY(!workspace()->isModified());
        QVERIFY(console()->text().contains(QStringLiteral("# A = torch.arange(12).view(3, 4)")));
        m_window->undo();
        QCOMPARE(workspace()->stateHash(), later);
        QVERIFY2(told().contains(QStringLiteral("before the session was saved")), qPrintable(told()));
    }

    void everyEarlierLineIsAComment() {
        run("A = torch.tensor([[1, 2],\n                  [3, 4]])");
        const QString path = file("x.stridescope");
        save(path);
        closeWindow();
        openWindow({1280, 720});
        open(path);
        for (const QString& line : console()->text().split(QLatin1Char('\n')))
            QVERIFY2(line.trimmed().isEmpty() || line.startsWith(QLatin1Char('#')), qPrintable(line));
        QVERIFY(console()->text().contains(QStringLiteral("[3, 4]]")));
    }

    void hostileFilesChangeNothing() {
        run("A = torch.arange(12)");
        const quint64 hash = workspace()->stateHash();
        save(file("good.stridescope"));
        QFile good(file("good.stridescope"));
        QVERIFY(good.open(QIODevice::ReadOnly));
        QFile bad(file("bad.stridescope"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write(good.readAll().chopped(5));
        bad.close();
        m_window->openFiles({file("bad.stridescope")});
        QTRY_VERIFY(message()->isVisible() && told().contains(QStringLiteral("not opened")));
        QVERIFY2(told().contains(QStringLiteral("too short")), qPrintable(told()));
        QCOMPARE(workspace()->stateHash(), hash);
        QCOMPARE(m_window->sessionPath(), file("good.stridescope"));
    }

    void closingNamesWhatIsNotSaved() {
        run("A = torch.arange(12)");
        const QString path = file("x.stridescope");
        save(path);
        run("extra = A + 1");
        answer(QStringLiteral("Cancel"));
        QVERIFY(!m_window->close());
        QVERIFY2(m_said->contains(QStringLiteral("x.stridescope")) && m_said->contains(QStringLiteral("extra")),
                 qPrintable(*m_said));
        answer(QStringLiteral("Save session"));
        m_window->close();
        QTRY_VERIFY(!m_window->isVisible()); // when it is written
        QCOMPARE(openSession(path.toStdString(), false)->tensors.size(), std::size_t{2});
        // Nothing is left that could be recovered.
        QVERIFY(!findLeftJournal(file("state/journals")));
    }

    void twoWindowsOnOneSession() {
        run("A = torch.arange(12)");
        const QString path = file("x.stridescope");
        save(path);
        auto settings = std::make_unique<Settings>(QString());
        MainWindow second(settings.get());
        second.show();
        second.keepJournal(file("state"));
        second.openFiles({path});
        QTRY_COMPARE(namesOf(second), QStringList{QStringLiteral("A")});
        QTRY_VERIFY2(told(second.messageBar()).contains(QStringLiteral("a copy")),
                     qPrintable(told(second.messageBar())));
        QVERIFY(second.sessionPath().isEmpty()); // Ctrl+S asks for a name
        second.saveSessionTo(path);
        QVERIFY(told(second.messageBar()).contains(QStringLiteral("open in another window")));
        second.saveSessionTo(file("y.stridescope"));
        QTRY_COMPARE(second.sessionPath(), file("y.stridescope"));
        QCOMPARE(m_window->sessionPath(), path);
    }

    void sessionsWithOtherFilesAsk() {
        const std::string npy = file("big.npy").toStdString();
        QVERIFY(writeNpy(ones({static_cast<Index>(kSessionLargestCopied) + 1}, {DType::UInt8, Device{}}), npy).ok());
        m_window->openFiles({file("big.npy")});
        QTRY_VERIFY(entry("big"));
        run("small = torch.arange(3)");
        const QString path = file("x.stridescope");
        save(path);
        const bool referred = !openSessionFiles(path.toStdString())->empty();
        QVERIFY2(referred, "the session has a copy");
        QVERIFY2(told().contains(QStringLiteral("big.npy")), qPrintable(told()));
        closeWindow();
        openWindow({1280, 720});
        open(path);
        QCOMPARE(namesOf(*m_window), QStringList{QStringLiteral("small")});
        QTRY_VERIFY(actionOf(message(), QStringLiteral("Open these files, too")));
        QVERIFY(m_window->sessionPath().isEmpty()); // half of it must not take the place of the whole
        actionOf(message(), QStringLiteral("Open these files, too"))->click();
        QTRY_COMPARE(namesOf(*m_window).size(), 2);
        QCOMPARE(m_window->sessionPath(), path);
    }

    void statesAsText() {
        run("A = torch.arange(12).view(3, 4)");
        run("B = A[::2]");
        const quint64 hash = workspace()->stateHash();
        m_window->copyState();
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY(looksLikeStateText(text));
        QVERIFY2(told().contains(QStringLiteral("characters")), qPrintable(told()));
        closeWindow();
        openWindow({1280, 720});
        m_window->takeStateText(text);
        QCOMPARE(workspace()->stateHash(), hash);
        m_window->takeStateText(text.left(40));
        QVERIFY(told().contains(QStringLiteral("not opened")));
        QCOMPARE(workspace()->stateHash(), hash);
    }

    void whatACrashLeavesIsOffered() {
        run("A = torch.arange(12).view(3, 4)");
        run("B = A.t()");
        const quint64 hash = workspace()->stateHash();
        m_window->journal()->flush();
        const QString left = m_window->journal()->path();
        closeWindow(); // not by close(): as a program that is gone leaves it
        QVERIFY(QFile::exists(left));
        openWindow({1280, 720});
        m_window->showFirstPicture();
        m_window->keepJournal(file("state"));
        QTRY_VERIFY(actionOf(message(), QStringLiteral("Recover")));
        QVERIFY2(told().contains(QStringLiteral("A, B")), qPrintable(told()));
        // Another window does not offer it, too.
        QVERIFY(!findLeftJournal(file("state/journals")));
        actionOf(message(), QStringLiteral("Recover"))->click();
        QCOMPARE(workspace()->stateHash(), hash);
        QVERIFY(workspace()->isModified());
        QVERIFY(!QFile::exists(left));
    }

    void withoutAStateFolderItWorks() {
        closeWindow();
        openWindow({1280, 720});
        m_window->keepJournal({});
        run("A = torch.arange(12)");
        save(file("x.stridescope"));
        QCOMPARE(m_window->sessionPath(), file("x.stridescope"));
    }
};

QTEST_MAIN(TestSessionWindow)
#include "tst_session_window.moc"
