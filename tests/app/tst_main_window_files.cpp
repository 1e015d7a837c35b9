// The window and what comes from outside: files, drops, clipboard, saving, closing.

#include "core/io/npy.h"
#include "core/ops/creation.h"
#include "core/tensor/element.h"
#include "tests/app/main_window_fixture.h"
#include "tests/core/io/npy_corpus.h"
#include "tests/core/io/npz_corpus.h"
#include "widgets/panels/command_palette.h"
#include "widgets/panels/message_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>
#include <QUrl>

using namespace stridescope;
using namespace stridescope::test;

namespace {

void drop(MainWindow& window, const QList<QUrl>& urls) {
    QMimeData data;
    data.setUrls(urls);
    // As of a file manager that would rather move: what is only read stays where it is.
    const auto actions = Qt::CopyAction | Qt::MoveAction;
    QDragEnterEvent enter(QPoint(50, 50), actions, &data, Qt::LeftButton, Qt::ShiftModifier);
    QCOMPARE(enter.proposedAction(), Qt::MoveAction);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QCOMPARE(enter.dropAction(), Qt::CopyAction);
    QDropEvent event(QPointF(50, 50), actions, &data, Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(&window, &event);
    QCOMPARE(event.dropAction(), Qt::CopyAction);
}

} // namespace

class TestMainWindowFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStringLiteral("Fusion"));
        QVERIFY(m_folder.isValid());
        m_array = m_folder.filePath(QStringLiteral("data.npy"));
        QVERIFY(writeNpy(arange(Scalar(12)), m_array.toStdString()).ok());
        m_picture = m_folder.filePath(QStringLiteral("tiny.png"));
        QImage image(4, 3, QImage::Format_RGB32);
        image.fill(qRgb(1, 2, 3));
        QVERIFY(image.save(m_picture));
        m_text = m_folder.filePath(QStringLiteral("notes.md"));
        QFile text(m_text);
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("# not an array\n");
    }

    void allRefusalsCanBeRead() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.resize(1280, 720);
        window.show();
        window.finishStart();
        QStringList files;
        for (int i = 0; i < 12; ++i) {
            files << m_folder.filePath(QStringLiteral("e%1.npy").arg(i));
            QFile empty(files.last());
            QVERIFY(empty.open(QIODevice::WriteOnly));
            if (i % 2) empty.write("nothing of the kind");
        }
        window.openFiles(files);
        QTRY_VERIFY(!window.isOpening() && window.messageBar()->isVisible());
        QTRY_COMPARE(window.messageBar()->title(), QStringLiteral("0 opened, 12 refused."));
        QVERIFY(window.messageBar()->detail().contains(QStringLiteral("and 8 more.")));
        // The button of the message before ("Cancel") goes with the next turn of the event loop.
        for (QPushButton* button : window.messageBar()->findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Show all")) button->click();
        }
        const auto* all = window.messageBar()->findChild<QPlainTextEdit*>(QStringLiteral("messageLongDetail"));
        QVERIFY(all && all->isVisible());
        // A maximised window of a small screen has no room to grow into.
        QVERIFY2(window.minimumSizeHint().height() <= 690,
                 qPrintable(QString::number(window.minimumSizeHint().height())));
        const QStringList lines = all->toPlainText().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 12);
        for (int i = 0; i < 12; ++i) {
            const QString name = QStringLiteral("e%1.npy").arg(i);
            QCOMPARE(std::count_if(lines.begin(), lines.end(),
                                   [&](const QString& line) { return line.count(name + QLatin1Char(':')) == 1; }),
                     std::ptrdiff_t{1});
            QVERIFY2(lines[i].endsWith(QLatin1Char('.')), qPrintable(lines[i]));
        }
        // The next message is a short one again.
        window.runLine(QStringLiteral("A = torch.arange(3)"), Naming::Discard);
        QVERIFY(!window.messageBar()->findChild<QPlainTextEdit*>(QStringLiteral("messageLongDetail")));
    }

    void refusalsAtTheStartAreSeenWhole() {
        Settings settings{QString()};
        settings.set(QStringLiteral("firstRunDone"), true);
        MainWindow window(&settings);
        window.resize(1280, 720);
        QStringList files{m_array};
        for (int i = 0; i < 3; ++i) {
            files << m_folder.filePath(QStringLiteral("w%1.npy").arg(i));
            QFile wrong(files.last());
            QVERIFY(wrong.open(QIODevice::WriteOnly));
            wrong.write("nothing of the kind");
        }
        window.openFiles(files);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTRY_COMPARE(window.messageBar()->title(), QStringLiteral("1 opened, 3 refused."));
        QTRY_VERIFY(window.findChild<CommandPalette*>()); // all parts are there
        QTest::qWait(300);                                // docks glide to their places
        // All lines: the bar lies over the picture, too, and nothing lies over the bar.
        MessageBar* bar = window.messageBar();
        if (auto* unfold = bar->findChild<QPushButton*>(QStringLiteral("messageFold")); unfold->isVisible())
            unfold->click();
        QCoreApplication::processEvents();
        const auto* detail = bar->findChild<QLabel*>(QStringLiteral("messageDetail"));
        QVERIFY(detail->height() >= detail->heightForWidth(detail->width()));
        QVERIFY(bar->rect().contains(QRect(detail->mapTo(bar, QPoint()), detail->size())));
        const auto above = [&](const QWidget* other) {
            return window.children().indexOf(bar) > window.children().indexOf(other);
        };
        QVERIFY(above(window.centralWidget()));
        // Docks that come to stand behind tabs, and leave them, put the centre on top.
        for (const QSize size : {QSize(1600, 950), QSize(1280, 720), QSize(640, 360)}) {
            window.resize(size);
            QTest::qWait(300);
            QVERIFY2(above(window.centralWidget()), qPrintable(QString::number(size.width())));
        }
        window.centralWidget()->raise();
        QVERIFY(above(window.centralWidget()));
    }

    void opensFiles() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("empty"))); // a folder of pictures would be opened
        window.openFiles({m_array, m_picture, m_text, m_folder.filePath(QStringLiteral("gone.npy")),
                          m_folder.filePath(QStringLiteral("empty"))});
        QTRY_VERIFY(!window.isOpening());
        QTRY_COMPARE(namesOf(window), (QStringList{QStringLiteral("data"), QStringLiteral("tiny")}));
        QCOMPARE(toString(window.model()->snapshot()->tensors[1].tensor.shape()), std::string("(3, 4, 3)"));
        QTRY_VERIFY(window.messageBar()->title().contains(QStringLiteral("2 opened, 3 refused")));
        QCOMPARE(window.recentFiles(), (QStringList{m_picture, m_array}));
        QCOMPARE(window.workspace()->undoTitle(), QStringLiteral("Open tiny.png"));
        QVERIFY(!window.workspace()->isModified());
    }

    /// A script goes into its own pane, and is one of those that were opened.
    void scriptsCount() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        QFile script(m_folder.filePath(QStringLiteral("shown.py")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("x = 1\n");
        script.close();
        window.openFiles({m_array, m_text, script.fileName()});
        QTRY_VERIFY(!window.isOpening());
        QTRY_COMPARE(window.messageBar()->title(), QStringLiteral("2 opened, 1 refused."));
    }

    void refusalsStandBeforeNotes() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        QStringList files;
        for (int i = 0; i < 6; ++i) {
            files << m_folder.filePath(QStringLiteral("swapped%1.npy").arg(i));
            QFile swapped(files.last());
            QVERIFY(swapped.open(QIODevice::WriteOnly));
            swapped.write(QByteArray::fromStdString(corpus::npy(corpus::dict(">i4", "(2,)"), std::string(8, '\1'))));
        }
        files << m_text;
        window.openFiles(files);
        QTRY_VERIFY(!window.isOpening());
        QTRY_COMPARE(window.messageBar()->title(), QStringLiteral("6 opened, 1 refused."));
        QVERIFY2(window.messageBar()->detail().startsWith(QStringLiteral("notes.md")),
                 qPrintable(window.messageBar()->detail()));
    }

    void openingIsALine() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.openFiles({m_array, m_picture});
        QTRY_COMPARE(namesOf(window).size(), 2);
        QTRY_VERIFY(!window.isOpening());
        QStringList lines;
        for (const HistoryStep& step : window.workspace()->steps()) lines << step.code;
        QVERIFY2(lines[0].startsWith(QStringLiteral("data = torch.from_numpy(numpy.load(\"")), qPrintable(lines[0]));
        QVERIFY2(lines[1].startsWith(QStringLiteral("tiny = torch.from_numpy(numpy.array(PIL.Image.open(\"")),
                 qPrintable(lines[1]));
        const QString shown = window.console()->findChild<QPlainTextEdit*>()->toPlainText();
        for (const QString& line : lines) QVERIFY2(shown.contains(QStringLiteral(">>> ") + line), qPrintable(shown));
        // Carried out somewhere else, the lines give the same tensors.
        Settings other{QString()};
        MainWindow second(&other);
        second.finishStart();
        for (const QString& line : lines) {
            second.runLine(line, Naming::Discard);
            QTRY_VERIFY(!second.workspace()->isBusy());
        }
        QCOMPARE(namesOf(second), namesOf(window));
        QCOMPARE(second.workspace()->stateHash(), window.workspace()->stateHash());
        const RunOutcome wrong = second.runLine(QStringLiteral("numpy.load(\"%1\")").arg(m_picture), Naming::Discard);
        QTRY_VERIFY(!second.workspace()->isBusy());
        QVERIFY(!wrong.ok);
    }

    void hostileNamesAreEscapedOnce() {
        const QString path = m_folder.filePath(QStringLiteral("a\nb \"q\" \\ \u202e.npy"));
        QVERIFY(QFile::copy(m_array, path));
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.openFiles({path});
        QTRY_COMPARE(namesOf(window).size(), 1);
        QTRY_VERIFY(!window.isOpening());
        // As Python writes it: a backslash of the name twice, one that is part of an escape once.
        const QString code = window.model()->snapshot()->tensors.front().code;
        QVERIFY2(code.endsWith(QStringLiteral("a\\nb \\\"q\\\" \\\\ \\u202e.npy\"))")), qPrintable(code));
        auto* menu = window.findChild<QMenu*>(QStringLiteral("recentMenu"));
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions().first()->text(), QStringLiteral("a\\nb \"q\" \\ \\u202e.npy"));
        for (const QTreeView* tree : window.findChildren<QTreeView*>())
            for (int row = 0; row < tree->model()->rowCount(); ++row)
                QVERIFY(!tree->model()->index(row, 0).data().toString().contains(QLatin1Char('\n')));
    }

    void manyArraysAreSummedUp() {
        // A thousand arrays, about each of which the same is to be said; one is left out.
        std::vector<corpus::ZipPart> parts;
        for (int i = 0; i < 1000; ++i)
            parts.push_back(
                {"a" + std::to_string(i) + ".npy", corpus::npy(corpus::dict("<u2", "(4,)"), std::string(8, '\1'))});
        parts.push_back({"text.npy", "no array"});
        QFile file(m_folder.filePath(QStringLiteral("many.npz")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(corpus::zip(parts)));
        file.close();
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        window.finishStart();
        window.openFiles({file.fileName()});
        QTRY_COMPARE(namesOf(window).size(), 1000);
        QTRY_VERIFY(!window.isOpening());
        QTRY_VERIFY2(
            window.messageBar()->title().startsWith(QStringLiteral("many.npz: a0, a1, a2 and 997 more: uint16")),
            qPrintable(window.messageBar()->title()));
        QVERIFY2(window.messageBar()->detail().contains(QStringLiteral("text.npy: left out: ")) ||
                     window.messageBar()->detail().contains(QStringLiteral("text: left out: ")),
                 qPrintable(window.messageBar()->detail()));
        QVERIFY(window.messageBar()->detail().count(QLatin1Char('\n')) < 4);
    }

    void tellsOfChangedFiles() {
        const QString path = m_folder.filePath(QStringLiteral("shrinks.npy"));
        QVERIFY(QFile::copy(m_array, path));
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.openFiles({path});
        QTRY_COMPARE(namesOf(window).size(), 1);
        QTRY_VERIFY(!window.isOpening());
        QFile file(path);
        const qint64 whole = file.size();
        QTest::qWait(20); // another time stamp
        QVERIFY(file.resize(whole - 8));
        QTRY_VERIFY(window.messageBar()->title().contains(QStringLiteral("shrinks.npy changed on disk")));
        // Another message takes the bar; the mark stays, and brings the first one back.
        auto* mark = window.findChild<QAbstractButton*>(QStringLiteral("changedFiles"));
        window.runLine(QStringLiteral("A = torch.zeros(2)"), Naming::Auto);
        QVERIFY(!window.messageBar()->title().contains(QStringLiteral("changed on disk")));
        QVERIFY(!mark->isHidden());
        QCOMPARE(mark->text(), QStringLiteral("✗ shrinks.npy changed on disk"));
        mark->click();
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("shrinks.npy changed on disk")));
        // Gone with the last tensor that shows the file.
        window.runLine(QStringLiteral("del shrinks"), Naming::Auto);
        QVERIFY(mark->isHidden());
        QVERIFY(QFile::remove(path));
    }

    void takesDrops() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        drop(window, {QUrl(QStringLiteral("https://example.org/data.npy"))});
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("not fetched")));
        QVERIFY(!window.isOpening());
        drop(window, {QUrl::fromLocalFile(m_array), QUrl::fromLocalFile(m_text)});
        QTRY_COMPARE(namesOf(window), QStringList{QStringLiteral("data")});
        QTRY_VERIFY(!window.isOpening());
        QList<QUrl> many;
        for (int i = 0; i < 1000; ++i) many << QUrl::fromLocalFile(m_array);
        drop(window, many);
        QTRY_VERIFY(!window.isOpening());
        QTRY_COMPARE(namesOf(window).size(), 65);
        // What nobody has looked at is told first, and is a click away.
        QTRY_COMPARE(window.messageBar()->title(), QStringLiteral("64 opened, 0 refused, 936 not tried."));
        QVERIFY2(window.messageBar()->detail().startsWith(
                     QStringLiteral("Not tried: data.npy to data.npy. At once 64 files are opened.")),
                 qPrintable(window.messageBar()->detail()));
        actionOf(window.messageBar(), QStringLiteral("Show all"))->click();
        QCOMPARE(window.messageBar()->detail().count(QStringLiteral("\ndata.npy")), 936);
        window.runLine(QStringLiteral("B = torch.zeros(2)"), Naming::Auto);
        drop(window, many.mid(0, 70));
        QTRY_VERIFY(!window.isOpening());
        QTRY_COMPARE(window.messageBar()->title(), QStringLiteral("64 opened, 0 refused, 6 not tried."));
        actionOf(window.messageBar(), QStringLiteral("Open the next 6"))->click();
        QTRY_COMPARE(namesOf(window).size(), 65 + 1 + 70);
    }

    void dropsAreNamed() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        const auto words = [&](const QList<QUrl>& urls) {
            QMimeData data;
            data.setUrls(urls);
            QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&window, &enter);
            const QString told = window.messageBar()->title();
            QDragLeaveEvent leave;
            QApplication::sendEvent(&window, &leave);
            return told;
        };
        const QUrl array = QUrl::fromLocalFile(m_array), text = QUrl::fromLocalFile(m_text);
        window.runLine(QStringLiteral("nothere"), Naming::Auto);
        const QString before = window.messageBar()->title();
        QVERIFY(before.contains(QStringLiteral("nothere")));
        QCOMPARE(words({array}), QStringLiteral("Drop to open data.npy."));
        QCOMPARE(words({array, array}), QStringLiteral("Drop to open these 2 files."));
        QCOMPARE(words({array, text}), QStringLiteral("Drop to open 1 of 2 files."));
        // What stood there before the pointer came over the window stands there again.
        QCOMPARE(window.messageBar()->title(), before);
        // A folder has a name, also with a slash behind it.
        QTemporaryDir folder;
        const QString name = QFileInfo(folder.path()).fileName();
        drop(window, {QUrl(QUrl::fromLocalFile(folder.path()).toString() + QLatin1Char('/'))});
        QTRY_VERIFY(!window.isOpening());
        QTRY_VERIFY2(window.messageBar()->detail().startsWith(name + QLatin1Char(':')),
                     qPrintable(window.messageBar()->detail()));
    }

    void greysVanishedFiles() {
        Settings settings{QString()};
        settings.setList(QStringLiteral("recentFiles"), {m_array, QStringLiteral("/gone/forever.npy")});
        MainWindow window(&settings);
        auto* menu = window.findChild<QMenu*>(QStringLiteral("recentMenu"));
        Q_EMIT menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        QVERIFY(menu->actions()[0]->isEnabled());
        QVERIFY(!menu->actions()[1]->isEnabled());
        QVERIFY(menu->actions()[1]->text().contains(QStringLiteral("gone")));
    }

    void pastesNumbers() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        QGuiApplication::clipboard()->setText(QStringLiteral("1\t2\n3\t4\n"));
        actionOf(window, "paste")->trigger();
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QGuiApplication::clipboard()->setText(QStringLiteral("Dear all,\nwhat a text"));
        actionOf(window, "paste")->trigger();
        QCOMPARE(namesOf(window).size(), 1);
        QVERIFY(!window.messageBar()->title().isEmpty());
        auto* picture = new QMimeData;
        picture->setImageData(QImage(m_picture));
        QGuiApplication::clipboard()->setMimeData(picture);
        actionOf(window, "paste")->trigger();
        QCOMPARE(namesOf(window), (QStringList{QStringLiteral("A"), QStringLiteral("picture")}));
    }

    void copiesTextAndCode() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.runLine(QStringLiteral("A = torch.arange(3)"), Naming::Discard);
        actionOf(window, "copyText")->trigger();
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("0\t1\t2"));
        actionOf(window, "copyCode")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("A = torch.arange(3)"));
        actionOf(window, "copySvg")->trigger();
        const auto svg = [] { return QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml")); };
        QTRY_VERIFY(svg().contains("<svg"));
        const auto text = [] { return QGuiApplication::clipboard()->text(); };
        actionOf(window, "copyTikz")->trigger();
        QTRY_VERIFY(text().contains(QStringLiteral("\\begin{tikzpicture}")));
        QVERIFY(!text().contains(QStringLiteral("\\documentclass")));
        const QSize stage = window.stage()->scene().size.toSize();
        actionOf(window, "copyPng")->trigger();
        QTRY_VERIFY(QGuiApplication::clipboard()->mimeData()->hasImage());
        QCOMPARE(QGuiApplication::clipboard()->image().size(), 2 * stage);
        // A card alone is smaller than the stage.
        Q_EMIT window.stage()->exportRequested(window.model()->selection().tensor, QStringLiteral("png"));
        QTRY_VERIFY(QGuiApplication::clipboard()->image().width() < 2 * stage.width());
        Q_EMIT window.stage()->exportRequested(window.model()->selection().tensor, QStringLiteral("tikz"));
        QTRY_VERIFY(text().contains(QStringLiteral("A = torch.arange(3)")));
    }

    void savesInTheBackground() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.runLine(QStringLiteral("A = torch.arange(6).view(2, 3); B = A.t()"), Naming::Discard);
        QVERIFY(window.workspace()->isModified());
        const QString path = m_folder.filePath(QStringLiteral("saved.npz"));
        bool then = false;
        window.saveAllTo(path, [&] { then = true; });
        QTRY_VERIFY(then);
        QVERIFY(QFile::exists(path));
        QVERIFY(!window.workspace()->isModified());
        QCOMPARE(window.messageBar()->title(), QStringLiteral("Saved saved.npz."));
        QCOMPARE(window.messageBar()->kind(), MessageBar::Kind::Done);
        // Refused: said with the reason and another way, and still not saved.
        window.runLine(QStringLiteral("A += 1"), Naming::Discard);
        window.saveAllTo(m_folder.filePath(QStringLiteral("none/x.npz")));
        QTRY_VERIFY(window.messageBar()->title().contains(QStringLiteral("x.npz was not saved")));
        QVERIFY(window.messageBar()->detail().contains(QStringLiteral("No such folder")));
        bool elsewhere = false;
        for (const QPushButton* button : window.messageBar()->findChildren<QPushButton*>())
            elsewhere = elsewhere || button->text().startsWith(QStringLiteral("Save elsewhere"));
        QVERIFY(elsewhere);
        QVERIFY(window.workspace()->isModified());
        for (const char* name : {"p.svg", "p.pdf", "p.png", "p.tex", "p.tikz"}) {
            const QString to = m_folder.filePath(QString::fromLatin1(name));
            window.exportPictureTo(to);
            QTRY_VERIFY2(!window.isSaving() && QFileInfo(to).size() > 1000, name);
        }
    }

    void cancelsSavingAndLongLines() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.finishStart();
        window.show();
        window.workspace()->setPatience(-1);
        QVERIFY(window.runLine(QStringLiteral("A = torch.zeros(6000, 6000)"), Naming::Discard).pending);
        // A line is stopped at the prompt, and in the status bar where no prompt is in sight.
        auto* cancel = window.findChild<QAbstractButton*>(QStringLiteral("cancelWork"));
        auto* stop = window.findChild<QAbstractButton*>(QStringLiteral("stopLine"));
        QVERIFY(stop->isVisible() && !cancel->isVisible());
        QVERIFY(actionOf(window, "cancelWork")->isEnabled());
        QTRY_VERIFY(!window.workspace()->isBusy());
        QVERIFY(!stop->isVisible() && !cancel->isVisible());
        auto* bottom = window.findChild<QDockWidget*>(QStringLiteral("consoleDock"));
        bottom->hide();
        QVERIFY(window.runLine(QStringLiteral("B = A.t().contiguous()"), Naming::Discard).pending);
        QVERIFY(!actionOf(window, "undo")->isEnabled());
        QVERIFY(cancel->isVisible());
        cancel->click();
        QTRY_VERIFY(!window.workspace()->isBusy());
        QCOMPARE(namesOf(window), QStringList{QStringLiteral("A")});
        QVERIFY(window.messageBar()->title().contains(QStringLiteral("cancelled")));
        QVERIFY(window.console()->text().contains(QStringLiteral("KeyboardInterrupt")));
        QVERIFY(actionOf(window, "undo")->isEnabled());
        // Saving: 144 MB twice over the disk are not done in the time of two events.
        const QString path = m_folder.filePath(QStringLiteral("large.npy"));
        window.saveTensorTo(path, window.model()->snapshot()->tensors[0].tensor);
        if (window.isSaving()) {
            // What is being saved must not change, and the window does not go away under it.
            const RunOutcome write = window.runLine(QStringLiteral("A[0, 0] = 1"), Naming::Discard);
            QVERIFY(!write.ok || !window.isSaving());
            QVERIFY(!window.close() || !window.isSaving());
            actionOf(window, "cancelWork")->trigger();
            QTRY_VERIFY(!window.isSaving());
            QVERIFY(!QFile::exists(path));
            QVERIFY(window.messageBar()->title().contains(QStringLiteral("cancelled")));
        }
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("*.part")}, QDir::Hidden | QDir::Files).size(), 0);
    }

    void asksOnceBeforeWorkIsLost() {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.show();
        window.runLine(QStringLiteral("A = torch.arange(3)"), Naming::Discard);
        int asked = 0;
        bool discard = false;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box) return;
            ++asked;
            QVERIFY(box->text().contains(QStringLiteral("A")));
            for (QAbstractButton* button : box->buttons()) {
                const bool wanted =
                    box->buttonRole(button) == (discard ? QMessageBox::DestructiveRole : QMessageBox::RejectRole);
                if (wanted) button->click();
            }
        });
        timer.start(10);
        QVERIFY(!window.close());
        QCOMPARE(asked, 1);
        discard = true;
        QVERIFY(window.close());
        QCOMPARE(asked, 2);
        window.workspace()->setSaved();
        QVERIFY(window.close());
        QCOMPARE(asked, 2);
    }

private:
    QTemporaryDir m_folder;
    QString m_array, m_picture, m_text;
};

QTEST_MAIN(TestMainWindowFiles)
#include "tst_main_window_files.moc"
