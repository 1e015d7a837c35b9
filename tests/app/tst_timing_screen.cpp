// The Timing screen: a small sweep by its buttons, stopping, a window that stays alive meanwhile, and recorded series.

#include "app/timing/timing_screen.h"
#include "app/window/presenter_window.h"
#include "core/timing/run_file.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/heartbeat.h"
#include "tests/support/test_paths.h"
#include "tests/widgets/timing/timing_fixture.h"
#include "widgets/presenter/presented_page.h"
#include "widgets/timing/size_range.h"
#include "widgets/timing/timing_setup.h"
#include "widgets/timing/timing_view.h"

#include <QAccessible>
#include <QCheckBox>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <csignal>

using namespace stridescope;
using namespace stridescope::test;

class TestTimingScreen : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() {
        openWindow(QSize(1280, 720));
        m_window->showScreen(QStringLiteral("timing"));
        QVERIFY(screen());
        screen()->finishLooking();
        // Sweeps are measured by the program itself.
        m_program = QString::fromStdString(buildPath("bin/stridescope"));
        screen()->runner()->setProgram(m_program);
        if (!QFile::exists(m_program)) QSKIP("the program is not built; this test drives it");
    }
    void cleanup() { closeWindow(); }

    void aSweepByItsButtons() {
        prepare("8,16,32");
        QSignalSpy told(screen(), &Screen::lineTold);
        press("runSweep");
        QVERIFY(setup()->isRunning());
        QVERIFY(!find<QPushButton>("runSweep")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 60000);
        const auto& run = screen()->run();
        QVERIFY(run);
        QCOMPARE(view()->model()->sizes, (std::vector<Index>{8, 16, 32}));
        for (const timing::Measurement& m : run->measurements) {
            QCOMPARE(m.operation, std::string("add"));
            QVERIFY(m.times().median > 0);
            QVERIFY(m.measured.samples.size() >= 5);
        }
        // The same line in a terminal measures the same; it stands in the console, to be copied.
        QCOMPARE(told.size(), 1);
        const QString line = told[0][0].toString();
        QVERIFY2(line.startsWith(QStringLiteral("stridescope bench --op add")), qPrintable(line));
        QVERIFY(console()->text().contains(QStringLiteral("$ ") + line));
        QCOMPARE(QString::fromStdString(run->command), line);
        QVERIFY(view()->model()->notes.stale.isEmpty());
        press("copyTimes");
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')),
                 1 + static_cast<int>(run->measurements.size()));
        // Other settings are not what is shown.
        setup()->setSizes(QStringLiteral("8,16"));
        QVERIFY(!view()->model()->notes.stale.isEmpty());
        setup()->setSizes(QStringLiteral("8,16,32"));
        QVERIFY(view()->model()->notes.stale.isEmpty());
        // Once more is drawn over the first.
        press("runSweep");
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 60000);
        QCOMPARE(screen()->recorded()->entries().size(), std::size_t{1});
        QVERIFY(screen()->recorded()->entries()[0].shown);
        QCOMPARE(view()->model()->runs.size(), std::size_t{2});
        QVERIFY(view()->model()->hasRecorded());
    }

    /// Stop is heard within 200 ms, during the peaks and during the points; what was measured stays.
    void stops_data() {
        QTest::addColumn<int>("after");
        QTest::newRow("at once") << 30;
        QTest::newRow("later") << 1500;
    }
    void stops() {
        QFETCH(int, after);
        // On a quiet machine a point is precise soon after its least time: there are enough of them for the wait.
        QByteArray sizes = "32";
        for (int n = 33; n < 93; ++n) sizes += ',' + QByteArray::number(n);
        prepare(sizes.constData());
        press("runSweep");
        QTest::qWait(after);
        QVERIFY(setup()->isRunning());
        QElapsedTimer since;
        since.start();
        press("stopSweep");
        while (setup()->isRunning() && since.elapsed() < 5000)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        const qint64 took = since.elapsed();
        QVERIFY2(took <= 200, qPrintable(QStringLiteral("%1 ms").arg(took)));
        QVERIFY(find<QPushButton>("runSweep")->isEnabled());
    }

    /// Inside one call of LAPACK that takes seconds Stop is heard, too; what was measured before stays, and the process
    /// is gone.
    void stopsInsideALongCall() {
        prepare("8,2500");
        setup()->chooseOperation(QStringLiteral("linalg.svd"));
        QVERIFY(setup()->request());
        QString label;
        connect(screen()->runner(), &TimingRunner::progressed, this,
                [&](double, const QString& words) { label = words; });
        press("runSweep");
        QTRY_VERIFY_WITH_TIMEOUT(screen()->run() && screen()->run()->measurements.size() == 1, 60000);
        QTest::qWait(700); // operands are made, then the first call
        QVERIFY2(setup()->isRunning(), qPrintable(label));
        const qint64 process = screen()->runner()->processId();
        QVERIFY(process > 0);
        QElapsedTimer since;
        since.start();
        press("stopSweep");
        while (setup()->isRunning() && since.elapsed() < 20000)
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        const qint64 took = since.elapsed();
        QVERIFY2(took <= 200, qPrintable(QStringLiteral("%1 ms").arg(took)));
        QVERIFY(took >= 100); // it was asked first, and did not hear it
        QVERIFY(kill(static_cast<pid_t>(process), 0) != 0);
        QCOMPARE(screen()->run()->measurements.size(), std::size_t{1});
        QVERIFY2(find<QLabel>("timingProgress")->text() == QStringLiteral("1 measurements"),
                 qPrintable(find<QLabel>("timingProgress")->text()));
        // The next one begins at once.
        prepare("8");
        press("runSweep");
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 60000);
        QCOMPARE(screen()->run()->measurements.size(), std::size_t{1});
    }

    /// A process that ends, or does not say what it should, is told; a refusal comes with its words.
    void processesThatFail_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("words");
        QTest::newRow("crashes") << QStringLiteral("kill -SEGV $$")
                                 << QStringLiteral("the process that measures was ended");
        QTest::newRow("rubbish") << QStringLiteral("echo rubbish; exec sleep 60")
                                 << QStringLiteral("the process that measures was ended");
        QTest::newRow("refuses") << QStringLiteral("echo 'stridescope bench: no memory (MEM-01)' >&2; exit 1")
                                 << QStringLiteral("no memory (MEM-01)");
        QTest::newRow("nothing") << QStringLiteral("exit 1") << QStringLiteral("nothing was measured");
    }
    void processesThatFail() {
        QFETCH(QString, script);
        QFETCH(QString, words);
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("bench.sh")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n" + script.toUtf8() + "\n") > 0);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        screen()->runner()->setProgram(file.fileName());
        prepare("8");
        press("runSweep");
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 20000);
        const QString told = find<QLabel>("timingProgress")->text();
        QVERIFY2(told.startsWith(QStringLiteral("✗ Not measured: ")) && told.contains(words), qPrintable(told));
    }

    /// The keys stay on the two buttons, whichever of them can be pressed.
    void theFocusStays() {
        m_window->activateWindow();
        prepare("8,16");
        auto* run = find<QPushButton>("runSweep");
        run->setFocus();
        QTRY_VERIFY(run->hasFocus());
        QTest::keyClick(run, Qt::Key_Space);
        QVERIFY(setup()->isRunning());
        QVERIFY(find<QPushButton>("stopSweep")->hasFocus());
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 60000);
        QVERIFY(run->hasFocus());
        // Who works elsewhere is left there.
        find<QLineEdit>("timedSizes")->setFocus();
        press("runSweep");
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 60000);
        QVERIFY(find<QLineEdit>("timedSizes")->hasFocus());
    }

    /// The window's thread is never held up while a sweep runs, and draws the picture ten times a second at most.
    void theWindowStaysAlive() {
        prepare("64,128,256,512");
        find<QDoubleSpinBox>("timedSeconds")->setValue(0.6);
        press("runSweep");
        QTest::qWait(200);
        const int before = view()->drawn();
        QElapsedTimer since;
        since.start();
        test::Heartbeat beats;
        while (setup()->isRunning() && since.elapsed() < 20000) {
            beats.start();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            beats.beat();
            // A pointer that moves over the picture draws nothing meanwhile.
            if (setup()->isRunning())
                QTest::mouseMove(view(), QPoint(200 + static_cast<int>(since.elapsed() % 300), 150));
            QThread::msleep(1);
        }
        QVERIFY2(beats.longest() < test::kLongestBeat, qPrintable(QStringLiteral("%1 ms").arg(beats.longest())));
        const double perSecond =
            (view()->drawn() - before) * 1000.0 / static_cast<double>(std::max<qint64>(since.elapsed(), 1));
        QVERIFY2(perSecond <= 11, qPrintable(QString::number(perSecond)));
    }

    void runsAreSavedOpenedAndCompared_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("json") << QStringLiteral("times.json");
        QTest::newRow("csv") << QStringLiteral("times.csv");
    }
    void runsAreSavedOpenedAndCompared() {
        QFETCH(QString, name);
        QTemporaryDir folder;
        const QString path = folder.filePath(name);
        screen()->recorded()->save(madeUpRun(true), path);
        screen()->recorded()->finish();
        QVERIFY2(QFileInfo(path).size() > 1000, qPrintable(setup()->fileWords()));
        screen()->recorded()->open({path});
        screen()->recorded()->finish();
        QCOMPARE(screen()->recorded()->entries().size(), std::size_t{1});
        const TimingModel& model = *view()->model();
        QCOMPARE(model.series.size(), std::size_t{4});
        for (const ShownSeries& series : model.series) {
            QVERIFY(series.recorded);
            QVERIFY2(series.origin.contains(QStringLiteral("made up")) &&
                         series.origin.contains(QStringLiteral("2026-01-02")),
                     qPrintable(series.origin));
        }
        QCOMPARE(model.bars.size(), std::size_t{6});
        auto* check = find<QCheckBox>("series:0");
        QVERIFY(check && check->isChecked());
        check->click();
        QVERIFY(view()->model()->isEmpty());
        screen()->recorded()->open({path}); // again: read anew, not twice
        screen()->recorded()->finish();
        QCOMPARE(screen()->recorded()->entries().size(), std::size_t{1});
        QVERIFY(!view()->model()->isEmpty());
        screen()->recorded()->remove(0);
        QVERIFY(view()->model()->isEmpty());
        QVERIFY(QFileInfo::exists(path));
    }

    void hostileFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("name");
        QTest::newRow("nothing") << QByteArray() << QStringLiteral("a.json");
        QTest::newRow("no JSON") << QByteArray("<html>") << QStringLiteral("a.json");
        QTest::newRow("another JSON") << QByteArray("{\"format\": 1}") << QStringLiteral("a.json");
        QTest::newRow("deep") << QByteArray(100000, '[') << QStringLiteral("a.json");
        QTest::newRow("no CSV") << QByteArray("a,b\n1\n") << QStringLiteral("a.csv");
        QTest::newRow("bytes") << QByteArray("\0\xff\xfe\x80", 4) << QStringLiteral("a.csv");
        QTest::newRow("another ending") << QByteArray("{}") << QStringLiteral("a.txt");
        QByteArray cut = QByteArray::fromStdString(timing::jsonOf(*madeUpRun()));
        QTest::newRow("cut") << cut.left(cut.size() / 2) << QStringLiteral("a.json");
    }
    void hostileFilesAreRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, name);
        QTemporaryDir folder;
        const QString path = folder.filePath(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        screen()->recorded()->open({path});
        screen()->recorded()->finish();
        QVERIFY(screen()->recorded()->entries().empty());
        QVERIFY2(setup()->fileWords().startsWith(QStringLiteral("✗ ")) && setup()->fileWords().contains(name),
                 qPrintable(setup()->fileWords()));
        QVERIFY(view()->model()->isEmpty());
    }

    /// What a file says of itself is never more than text.
    void whatFilesSayIsText() {
        auto run = madeUpRun();
        run->title = "<b>bold</b>\n\x1b[31m";
        run->conditions.machine = "<img src=x>";
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.json"));
        timing::writeRun(*run, path.toStdString());
        screen()->recorded()->open({path});
        screen()->recorded()->finish();
        QCOMPARE(screen()->recorded()->entries().size(), std::size_t{1});
        for (const QLabel* label : setup()->findChildren<QLabel*>()) {
            if (!label->text().contains(QStringLiteral("bold"))) continue;
            QVERIFY(label->textFormat() == Qt::PlainText);
            QVERIFY(!label->text().contains(QChar(0x1b)));
        }
    }

    void wrongFieldsAreTold() {
        setup()->setSizes(QStringLiteral("12:x"));
        auto* problem = find<QLabel>("timingProblem");
        QVERIFY(!problem->text().isEmpty());
        QVERIFY(!find<QPushButton>("runSweep")->isEnabled());
        setup()->setSizes(QStringLiteral("64:256:x2"));
        QVERIFY(problem->text().isEmpty());
        QVERIFY(find<QPushButton>("runSweep")->isEnabled());
        setup()->chooseOperation(QString());
        QVERIFY(!find<QPushButton>("runSweep")->isEnabled()); // there is no statement yet
    }

    void knobsAndTextAreOne() {
        auto* range = find<SizeRange>("timedRange");
        auto* field = find<QLineEdit>("timedSizes");
        setup()->setSizes(QStringLiteral("16:512:x2"));
        QCOMPARE(range->low(), 4);
        QCOMPARE(range->high(), 9);
        QTest::mouseClick(range, Qt::LeftButton, {}, QPoint(static_cast<int>(range->xOf(10)), range->height() / 2));
        QCOMPARE(field->text(), QStringLiteral("16:1024:x2"));
        QTest::keyClick(range, Qt::Key_Down);
        QTest::keyClick(range, Qt::Key_Right);
        QCOMPARE(field->text(), QStringLiteral("32:1024:x2"));
    }

    void keysPickSizesAndCurves() {
        open(madeUpRun(true));
        view()->setFocus();
        view()->pick(256);
        QTest::keyClick(view(), Qt::Key_Right);
        QCOMPARE(view()->picked(), std::optional<Index>(512));
        QTest::keyClick(view(), Qt::Key_Home);
        QCOMPARE(view()->picked(), std::optional<Index>(32));
        QTest::keyClick(view(), Qt::Key_Down);
        QCOMPARE(view()->hovered(), 0);
        QTest::keyClick(view(), Qt::Key_Down);
        QCOMPARE(view()->hovered(), 1);
        QTest::keyClick(view(), Qt::Key_Escape);
        QCOMPARE(view()->hovered(), -1);
        QTest::keyClick(view(), Qt::Key_Tab);
        QCOMPARE(view()->way(), 0);
        // A click on a column picks it.
        const auto spots = view()->picture().spots; // a click makes another picture
        for (const TimingSpot& spot : spots)
            if (spot.kind == SpotKind::Size && spot.n == 128)
                QTest::mouseClick(view(), Qt::LeftButton, {}, (spot.rect.bottomLeft() + QPointF(13, -6)).toPoint());
        QCOMPARE(view()->picked(), std::optional<Index>(128));
    }

    void screenReadersHearTheTable() {
        open(madeUpRun(true));
        QAccessibleInterface* top = QAccessible::queryAccessibleInterface(view());
        QVERIFY(top && top->childCount() > 10);
        QAccessibleInterface* table = top->child(0);
        QCOMPARE(table->role(), QAccessible::Table);
        QCOMPARE(table->tableInterface()->rowCount(), 24);
        QCOMPARE(table->tableInterface()->columnCount(), static_cast<int>(timingColumns().size()));
        const QString median = table->tableInterface()->cellAt(0, 2)->text(QAccessible::Name);
        QVERIFY2(median.startsWith(QStringLiteral("median ")), qPrintable(median));
        QVERIFY(!table->child(5)->rect().isEmpty());
        int buttons = 0;
        for (int i = 1; i < top->childCount(); ++i) {
            QVERIFY(!top->child(i)->text(QAccessible::Name).isEmpty());
            QCOMPARE(top->indexOfChild(top->child(i)), i);
            buttons += top->child(i)->role() == QAccessible::Button;
        }
        QVERIFY(buttons >= 8);
    }

    /// A mistake that needs no GPU runs beside the right way; one that does says what is missing.
    void mistakesRun() {
        const auto& ways = view()->model()->notes.ways;
        int columns = -1, device = -1;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            if (ways[i].what->id == "columns") columns = static_cast<int>(i);
            if (ways[i].what->needsDevice) device = static_cast<int>(i);
        }
        QVERIFY(columns >= 0 && device >= 0);
        screen()->runWay(columns);
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 60000);
        const ShownWay& way = view()->model()->notes.ways[static_cast<std::size_t>(columns)];
        QVERIFY(way.record);
        QVERIFY(way.record->wrongAnswer > 0 && way.record->rightAnswer > 0);
        QVERIFY(way.record->wrongLines.linesFetched > way.record->rightLines.linesFetched);
        const ShownWay& gpu = view()->model()->notes.ways[static_cast<std::size_t>(device)];
        if (!gpu.missing.isEmpty()) {
            screen()->runWay(device);
            QVERIFY(!setup()->isRunning());
            QVERIFY(!view()->model()->notes.gpuMissing.isEmpty());
        }
    }

    /// Statements are measured by a process of their own: its arguments, its run, its refusal, its end.
    void statementsHaveAProcess() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("made.json"));
        auto run = madeUpRun();
        for (timing::Measurement& m : run->measurements) {
            m.operation = "statement";
            m.statement = "a @ a";
        }
        timing::writeRun(*run, path.toStdString());
        const auto program = [&](const char* name, const QString& script) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            if (!file.open(QIODevice::WriteOnly)) return QString();
            file.write("#!/bin/sh\n" + script.toUtf8());
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            return file.fileName();
        };
        // The last argument is the file.
        const QString told = folder.filePath(QStringLiteral("told"));
        screen()->runner()->setProgram(program(
            "good",
            QStringLiteral("printf '%s\\n' \"$@\" > %1\nfor last; do :; done\ncp %2 \"$last\"\n").arg(told, path)));
        setup()->chooseOperation(QString());
        find<QLineEdit>("timedStatement")->setText(QStringLiteral("a @ a"));
        find<QLineEdit>("timedSetup")->setText(QStringLiteral("a = torch.rand(n, n)"));
        setup()->setSizes(QStringLiteral("64:256:x2"));
        QSignalSpy lines(screen(), &Screen::lineTold);
        press("runSweep");
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 20000);
        QFile arguments(told);
        QVERIFY(arguments.open(QIODevice::ReadOnly));
        const QByteArray given = arguments.readAll();
        QVERIFY2(given.startsWith("bench\n--stmt\na @ a\n--setup\na = torch.rand(n, n)\n--sizes\n64:256:x2\n"),
                 given.constData());
        QVERIFY2(lines[0][0].toString().startsWith(QStringLiteral(
                     "stridescope bench --stmt 'a @ a' --setup 'a = torch.rand(n, n)' --sizes 64:256:x2")),
                 qPrintable(lines[0][0].toString()));
        QCOMPARE(view()->model()->subject, QStringLiteral("a @ a"));
        QVERIFY(!view()->model()->series.front().recorded);
        // A refusal is told, and what was measured before stays.
        screen()->runner()->setProgram(program("bad", QStringLiteral("echo 'NameError: name a' >&2\nexit 1\n")));
        press("runSweep");
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 20000);
        QVERIFY2(find<QLabel>("timingProgress")->text().contains(QStringLiteral("NameError: name a")),
                 qPrintable(find<QLabel>("timingProgress")->text()));
        QVERIFY(!view()->model()->isEmpty());
        // Stopped, it ends at once.
        screen()->runner()->setProgram(program("long", QStringLiteral("exec sleep 60\n")));
        press("runSweep");
        QTest::qWait(50);
        QElapsedTimer since;
        since.start();
        press("stopSweep");
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 5000);
        QVERIFY2(since.elapsed() <= 200, qPrintable(QString::number(since.elapsed())));
        screen()->runner()->setProgram(QStringLiteral("/no/such/program"));
        press("runSweep");
        QTRY_VERIFY_WITH_TIMEOUT(!setup()->isRunning(), 5000);
    }

    void choicesAreKept() {
        setup()->chooseOperation(QStringLiteral("add"));
        setup()->setSizes(QStringLiteral("7,9,11"));
        find<QSpinBox>("timedRounds")->setValue(77);
        const QJsonObject kept = screen()->kept();
        TimingScreen other;
        other.finishLooking();
        other.keep(kept);
        QCOMPARE(other.setup()->operation(), QStringLiteral("add"));
        QCOMPARE(other.kept().value(QStringLiteral("sizes")).toString(), QStringLiteral("7,9,11"));
        QCOMPARE(other.kept().value(QStringLiteral("rounds")).toInt(), 77);
        // Rubbish is passed over.
        other.keep({{QStringLiteral("sizes"), 3},
                    {QStringLiteral("dtypes"), QStringLiteral("x")},
                    {QStringLiteral("operation"), QStringLiteral("none")}});
        QCOMPARE(other.kept().value(QStringLiteral("sizes")).toString(), QStringLiteral("7,9,11"));
        m_window->close();
        QCOMPARE(m_settings->value(QStringLiteral("screen:timing")).toObject().value(QStringLiteral("rounds")).toInt(),
                 77);
    }

    void isPresentedPartByPart() {
        open(madeUpRun(true));
        const std::unique_ptr<PresentedPage> page(screen()->presentedPage(nullptr));
        page->resize(1280, 640);
        page->setLook(Theme(ThemeKind::Light, true), 2);
        page->show();
        QCOMPARE(page->stages(), 4 + 8);
        QCOMPARE(page->stage(), 1);
        QSet<QString> names;
        for (int i = 0; i < page->stages(); ++i) {
            names << page->stageName();
            QVERIFY(!page->grab().isNull());
            page->goOn(1);
        }
        QCOMPARE(names.size(), 12);
        QCOMPARE(page->stage(), 12);
        page->goOn(-1);
        QCOMPARE(page->stage(), 11);
        // A pick there is the screen's.
        auto* shown = page->findChild<TimingView*>();
        QTest::keyClick(shown, Qt::Key_Home);
        QCOMPARE(view()->picked(), std::optional<Index>(32));
    }

    void thePictureIsTheWhole() {
        open(madeUpRun(true));
        const auto scene = screen()->picture();
        QVERIFY(scene && scene->size.height() > 600);
        // There is no tensor, and still a picture to be exported.
        QVERIFY(actionOf(*m_window, "exportPicture")->isEnabled());
        QVERIFY(!actionOf(*m_window, "saveAll")->isEnabled());
        m_window->showScreen(QStringLiteral("explore"));
        QVERIFY(!actionOf(*m_window, "exportPicture")->isEnabled());
    }

private:
    QString m_program;
    TimingScreen* screen() const { return qobject_cast<TimingScreen*>(m_window->currentScreen()); }
    TimingSetup* setup() const { return screen()->setup(); }
    TimingView* view() const { return screen()->view(); }
    template <class Widget>
    Widget* find(const char* name) const {
        return screen()->findChild<Widget*>(QString::fromLatin1(name));
    }
    void press(const char* name) {
        auto* button = find<QPushButton>(name);
        QVERIFY(button && button->isEnabled());
        button->click();
    }
    void prepare(const char* sizes) {
        setup()->chooseOperation(QStringLiteral("add"));
        setup()->setSizes(QString::fromLatin1(sizes));
        find<QDoubleSpinBox>("timedSeconds")->setValue(0.05);
        find<QDoubleSpinBox>("timedWarmUp")->setValue(0.05);
        find<QLineEdit>("timedThreads")->setText(QStringLiteral("1"));
        setup()->setSizes(QString::fromLatin1(sizes)); // the field's text was not typed: it is read again
    }
    void open(const std::shared_ptr<timing::Run>& run) {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("run.json"));
        timing::writeRun(*run, path.toStdString());
        screen()->recorded()->open({path});
        screen()->recorded()->finish();
        QVERIFY(!view()->model()->isEmpty());
    }
};

QTEST_MAIN(TestTimingScreen)
#include "tst_timing_screen.moc"
