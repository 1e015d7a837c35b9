// The course's sequence, three pictures: by mouse in the window, by lines typed into the console, and by a script. All
// three ways write the same files, byte for byte.

#include "app/images/images_screen.h"
#include "app/workspace/workspace.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/test_paths.h"
#include "widgets/images/axis_chips.h"

#include <QDir>
#include <QFile>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

const char* const kLines[] = {
    "import torch, torchvision",
    "cifar = torchvision.datasets.SampleImages()",
    "x = torch.from_numpy(cifar.data).transpose(1, 3).transpose(2, 3)",
    "x = x.narrow(0, 0, 48).float().div(255)",
    "torchvision.utils.save_image(x, 'FOLDER/first.png', nrow=12)",
    "x = x.transpose(2, 3)",
    "torchvision.utils.save_image(x, 'FOLDER/turned.png', nrow=12)",
    "_ = x.narrow(1, 1, 2).fill_(-1)",
    "torchvision.utils.save_image(x, 'FOLDER/red.png', nrow=12)",
};
const char* const kNames[] = {"first.png", "turned.png", "red.png"};

} // namespace

class TestImagesCourse : public QObject, private PythonWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStringLiteral("Fusion"));
        if (!preparePython()) QSKIP("the Python module is not built; this test drives it");
    }

    void threeWays() {
        byMouse(way("mouse"));
        byConsole(way("console"));
        byScript(way("script"));
        for (const char* name : kNames) {
            const QByteArray mouse = read("mouse", name);
            QVERIFY(mouse.size() > 1000);
            QCOMPARE(QImage::fromData(mouse).size(), QSize(410, 138)); // 12 x 34 + 2, 4 x 34 + 2
            QVERIFY2(mouse == read("console", name), name);
            QVERIFY2(mouse == read("script", name), name);
        }
        QVERIFY(read("mouse", kNames[0]) != read("mouse", kNames[1]));
        QVERIFY(read("mouse", kNames[1]) != read("mouse", kNames[2]));
    }

private:
    QString way(const char* name) {
        QDir(m_folder.path()).mkdir(QString::fromLatin1(name));
        return m_folder.filePath(QString::fromLatin1(name));
    }
    QByteArray read(const char* way, const char* name) const {
        QFile file(m_folder.filePath(QStringLiteral("%1/%2").arg(QString::fromLatin1(way), QString::fromLatin1(name))));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QStringList lines(const QString& folder) const {
        QStringList all;
        for (const char* line : kLines) all << QString::fromLatin1(line).replace(QStringLiteral("FOLDER"), folder);
        return all;
    }

    void byMouse(const QString& folder) {
        openWindow({1280, 720});
        m_window->showScreen(QStringLiteral("images"));
        auto* screen = qobject_cast<ImagesScreen*>(m_window->currentScreen());
        QTest::mouseClick(screen->findChild<QPushButton*>(QStringLiteral("sampleImages")), Qt::LeftButton);
        QTRY_VERIFY(screen->source() != 0);
        const auto operate = [&](const char* title) {
            screen->finishRun();
            QMenu* menu = screen->findChild<QToolButton*>(QStringLiteral("addImageOperation"))->menu();
            Q_EMIT menu->aboutToShow();
            for (QAction* action : menu->findChildren<QAction*>())
                if (action->text().startsWith(QString::fromLatin1(title))) return action->trigger();
            QFAIL(title);
        };
        for (const char* what : {"The first 48 images", "To float", "Divide by 255"}) operate(what);
        const auto save = [&](const char* name) {
            screen->finishRun();
            screen->exportTo(folder + QLatin1Char('/') + QString::fromLatin1(name));
            QTRY_VERIFY(!screen->isExporting());
        };
        save(kNames[0]);
        // The third chip dragged onto the fourth.
        auto* chips = screen->findChild<AxisChips*>();
        QTest::mousePress(chips, Qt::LeftButton, {}, chips->chipRect(2).center().toPoint());
        QTest::mouseMove(chips, chips->chipRect(3).center().toPoint());
        QTest::mouseRelease(chips, Qt::LeftButton, {}, chips->chipRect(3).center().toPoint());
        save(kNames[1]);
        for (const char* kill : {"kill1", "kill2"}) {
            screen->finishRun();
            QTest::mouseClick(screen->findChild<QPushButton*>(QString::fromLatin1(kill)), Qt::LeftButton);
        }
        save(kNames[2]);
        QStringList codes;
        for (const ChainStep& step : screen->steps()) codes << step.code;
        QCOMPARE(codes.join(QLatin1Char(' ')),
                 QStringLiteral(".permute(0, 3, 1, 2) .narrow(0, 0, 48) .float() .div(255) .transpose(2, 3) "
                                ".narrow(1, 1, 2).fill_(-1)"));
        closeWindow();
    }

    void byConsole(const QString& folder) {
        openWindow({1280, 720});
        pythonButton()->click();
        for (const QString& line : lines(folder)) {
            QTRY_VERIFY_WITH_TIMEOUT(!workspace()->isBusy(), 20'000);
            PromptField* prompt = console()->prompt();
            prompt->setText(line);
            prompt->moveCursor(QTextCursor::End);
            QTest::keyClick(prompt, Qt::Key_Return);
        }
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder + QStringLiteral("/red.png")) && !workspace()->isBusy(), 20'000);
        closeWindow();
    }

    void byScript(const QString& folder) {
        QFile script(folder + QStringLiteral("/course.py"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(lines(folder).join(QLatin1Char('\n')).toUtf8() + '\n');
        script.close();
        QProcess program;
        program.start(QString::fromStdString(buildPath("bin/stridescope")), {QStringLiteral("run"), script.fileName()});
        QVERIFY(program.waitForFinished(60'000));
        QVERIFY2(program.exitCode() == 0, program.readAllStandardError().constData());
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestImagesCourse)
#include "tst_images_course.moc"
