// The program run as a program: arguments, exit codes, environments, pictures without a window.

#include "app/cli/command_line.h"
#include "app/python/interpreter.h"
#include "tests/support/test_paths.h"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <set>

using namespace stridescope;

namespace {

struct Ran {
    int code = -1;
    bool crashed = true;
    QByteArray out, err;
};

/// A bare environment with a home of its own, and `changes` ("" removes).
QProcessEnvironment environmentWith(const QString& home, const QMap<QString, QString>& changes = {}) {
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HOME"), home);
    environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
    for (const char* kept : {"LSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
        if (qEnvironmentVariableIsSet(kept)) environment.insert(QLatin1String(kept), qEnvironmentVariable(kept));
    }
    for (auto it = changes.begin(); it != changes.end(); ++it) {
        if (it.value().isNull())
            environment.remove(it.key());
        else
            environment.insert(it.key(), it.value());
    }
    return environment;
}

Ran run(const QStringList& arguments, const QProcessEnvironment& environment) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QString::fromStdString(test::buildPath("bin/stridescope")), arguments);
    Ran ran;
    if (!process.waitForFinished(120'000)) {
        process.kill();
        process.waitForFinished();
        return ran;
    }
    ran.crashed = process.exitStatus() != QProcess::NormalExit;
    ran.code = process.exitCode();
    ran.out = process.readAllStandardOutput();
    ran.err = process.readAllStandardError();
    return ran;
}

QByteArray fileBytes(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!QFile::exists(QString::fromStdString(test::buildPath("bin/stridescope"))))
            QSKIP("the program is not built; this test drives it");
        QVERIFY(m_folder.isValid());
    }

    void readsArguments() {
        const auto line = [](const std::vector<std::string>& arguments) {
            return std::get<CommandLine>(parseCommandLine(arguments));
        };
        QVERIFY(line({}).action == CommandLine::Action::Window);
        QCOMPARE(line({"a.npy", "--", "-x"}).files, (std::vector<std::string>{"a.npy", "-x"}));
        QCOMPARE(line({"-"}).files, std::vector<std::string>{"-"});
        QCOMPARE(line({"\xff.npy"}).files[0], std::string("\xff.npy"));
        QVERIFY(line({"lesson", "open", "transpose#3"}).action == CommandLine::Action::Window);
        QCOMPARE(line({"lesson", "open", "transpose#3"}).lessonLink, std::string("transpose#3"));
        const RenderRequest request =
            line({"render", "--demo", "views", "-o", "x.png", "--size=800x600", "--scale", "2", "--theme", "dark",
                  "--pick", "1,-2", "--code", "B = A.t()", "--select", "B"})
                .render;
        QCOMPARE(request.width, 800);
        QCOMPARE(request.height, 600);
        QCOMPARE(request.scale, 2.0);
        QVERIFY(request.dark);
        QCOMPARE(request.pick, (std::vector<long long>{1, -2}));
    }

    void refusesArguments_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QStringList& arguments, const char* words) {
            QTest::newRow(name) << arguments << QString::fromUtf8(words);
        };
        row("unknown option", {QStringLiteral("--foo")}, "unknown option '--foo'");
        row("unknown short", {QStringLiteral("-q")}, "unknown option '-q'");
        row("render nothing", {QStringLiteral("render")}, "option -o FILE is missing");
        row("no such demo", {QStringLiteral("render"), QStringLiteral("--demo"), QStringLiteral("list")}, "known: ");
        row("render missing value", {QStringLiteral("render"), QStringLiteral("-o")}, "option -o needs a value");
        row("render two", {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("b")}, "found a second");
        row("render file and demo",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("--demo"), QStringLiteral("views"),
             QStringLiteral("-o"), QStringLiteral("x.png")},
            "give one of FILE, --demo NAME and --code LINES");
        row("bad size",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--size"), QStringLiteral("10by10")},
            "--size needs WIDTHxHEIGHT");
        row("huge size",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--size"), QStringLiteral("99999999x1")},
            "--size needs WIDTHxHEIGHT");
        row("bad scale",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--scale"), QStringLiteral("nan")},
            "--scale needs a number");
        row("bad timeout",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--timeout"), QStringLiteral("-1")},
            "--timeout needs a number");
        row("bad pick",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--pick"), QStringLiteral("1,,2")},
            "--pick needs integers");
        row("bad figure",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--figure"), QStringLiteral("pie")},
            "--figure is storage, broadcast, motion, blocks, grid or devices");
        row("devices of a file",
            {QStringLiteral("render"), QStringLiteral("a.npy"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--figure"), QStringLiteral("devices")},
            "--figure devices is about a script");
        row("bad frame",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--frame"), QStringLiteral("1.5")},
            "--frame needs a number from 0 to 1");
        row("broadcast without a line",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--figure"), QStringLiteral("broadcast")},
            "needs --line CODE");
        row("a line without broadcast",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--line"), QStringLiteral("A + B")},
            "--line belongs to --figure broadcast");
        row("a motion of nothing",
            {QStringLiteral("render"), QStringLiteral("-o"), QStringLiteral("x.png"), QStringLiteral("--figure"),
             QStringLiteral("motion")},
            "give one of FILE, --demo NAME and --code LINES");
        row("bad theme",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--theme"), QStringLiteral("blue")},
            "--theme is light or dark");
        row("output twice",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--output"), QStringLiteral("y.png")},
            "option --output is given twice");
        row("demo twice",
            {QStringLiteral("render"), QStringLiteral("--demo"), QStringLiteral("3d"), QStringLiteral("-o"),
             QStringLiteral("x.png"), QStringLiteral("--demo=4d")},
            "option --demo is given twice");
        row("show nothing",
            {QStringLiteral("render"), QStringLiteral("a"), QStringLiteral("-o"), QStringLiteral("x.png"),
             QStringLiteral("--show"), QStringLiteral("A,,B")},
            "--show needs names");
        const QString bench = QStringLiteral("bench"), op = QStringLiteral("--op"), mm = QStringLiteral("mm");
        const QString lesson = QStringLiteral("lesson");
        row("lesson act", {lesson, QStringLiteral("sing")}, "lesson: list, check, show or open, found 'sing'");
        row("lesson open nothing", {lesson, QStringLiteral("open")}, "lesson open needs one file or id, found 0");
        row("bench nothing", {bench}, "Give one of --op, --stmt, --mistake, --self-test, --list or --show");
        row("bench a file", {bench, QStringLiteral("x.json")}, "bench takes options alone, found 'x.json'");
        row("bench option", {bench, QStringLiteral("--speed")}, "bench: unknown option '--speed'");
        row("bench twice", {bench, op, mm, QStringLiteral("--op=add")}, "option --op is given twice");
        row("bench no value", {bench, op}, "option --op needs a value");
        row("bench operation", {bench, op, QStringLiteral("m m")}, "operations: there is no 'm m'");
        row("bench sizes", {bench, op, mm, QStringLiteral("--sizes=64:8")}, "sizes: '64:8' is neither");
        row("bench dtype", {bench, op, mm, QStringLiteral("--dtype=float")}, "Known: uint8");
        row("bench layout", {bench, op, mm, QStringLiteral("--layout=x")}, "Known: contiguous");
        row("bench device", {bench, op, mm, QStringLiteral("--devices=gpu")}, "'gpu' is no device");
        row("bench simulated", {bench, op, mm, QStringLiteral("--devices=cpu,sim:0")}, "say nothing about any GPU");
        row("bench threads", {bench, op, mm, QStringLiteral("--threads=0")}, "no number from 1 to 1024");
        row("bench cache", {bench, op, mm, QStringLiteral("--cache=cool")}, "--cache is default, warm or cold");
        row("bench time", {bench, op, mm, QStringLiteral("--max-time=0")}, "from 0.01 to 3600, found '0'");
        row("bench json", {bench, op, mm, QStringLiteral("--json=x.txt")}, "a file that ends in .json, found 'x.txt'");
        row("bench two", {bench, op, mm, QStringLiteral("--list")}, "--list and --op do not go together");
        row("bench stray", {bench, QStringLiteral("--list"), QStringLiteral("--sizes=8")},
            "--sizes does not go with --list");
        row("bench mistake", {bench, QStringLiteral("--mistake=x")}, "known: no-synchronise");
        row("bench switch", {bench, op, mm, QStringLiteral("--no-peaks=1")}, "option --no-peaks takes no value");
        row("version with more", {QStringLiteral("--version"), QStringLiteral("x")}, "take no file, found 'x'");
        row("devices with more", {QStringLiteral("devices"), QStringLiteral("x")}, "devices takes no arguments");
    }
    void refusesArguments() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        const Ran ran = run(arguments, environmentWith(m_folder.path()));
        QVERIFY(!ran.crashed);
        QCOMPARE(ran.code, 2);
        QVERIFY2(ran.err.contains(words.toUtf8()), ran.err.constData());
        // One line says what is wrong, one where more is told.
        const bool render = arguments.value(0) == QLatin1String("render");
        const bool runs = arguments.value(0) == QLatin1String("run");
        QCOMPARE(ran.err.count('\n'), 2);
        QVERIFY2(ran.err.endsWith(render                                          ? "\nSee: stridescope render --help\n"
                                  : runs                                          ? "\nSee: stridescope run --help\n"
                                  : arguments.value(0) == QLatin1String("bench")  ? "\nSee: stridescope bench --help\n"
                                  : arguments.value(0) == QLatin1String("lesson") ? "\nSee: stridescope lesson --help\n"
                                                                                  : "\nSee: stridescope --help\n"),
                 ran.err.constData());
        QVERIFY(ran.out.isEmpty());
    }

    void tellsAboutItself() {
        const auto environment = environmentWith(m_folder.path());
        const Ran version = run({QStringLiteral("--version")}, environment);
        QCOMPARE(version.code, 0);
        QVERIFY(version.out.startsWith("Stridescope "));
        for (const char* fact : {"Qt: ", "Compiler: ", "System: ", "Processor: "}) QVERIFY(version.out.contains(fact));
        QVERIFY(run({QStringLiteral("--help")}, environment).out.contains("stridescope render"));
        QVERIFY(run({QStringLiteral("render"), QStringLiteral("--help")}, environment).out.contains("--demo NAME"));
        const Ran operations = run({QStringLiteral("operations")}, environment);
        QCOMPARE(operations.code, 0);
        QVERIFY(operations.out.contains("| `narrow("));
        const Ran devices = run({QStringLiteral("devices")}, environment);
        QCOMPARE(devices.code, 0);
        QVERIFY(devices.out.startsWith("cpu: "));
        QVERIFY(devices.out.contains("threads"));
        QVERIFY(devices.out.contains("\ncuda"));
    }

    /// What --help lists is in the completion and in the manual page; what these list is accepted.
    void completionAndManualAreWhole() {
        const auto read = [](const char* path) {
            QFile file(QString::fromStdString(test::sourcePath(path)));
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        const QString completion = read("resources/package/stridescope.bash");
        const QString manual = read("resources/package/stridescope.1.in").remove(QLatin1Char('\\'));
        const QString all = QString::fromStdString(usageText(""));
        static const QRegularExpression command(QStringLiteral("stridescope ([a-z]+)")),
            option(QStringLiteral("--[a-z][a-z-]*"));
        const auto has = [](const QString& text, const QString& word) {
            return text.contains(QRegularExpression(QStringLiteral("(?<![a-z-])%1(?![a-z-])").arg(word)));
        };
        int commands = 0;
        for (auto it = command.globalMatch(all); it.hasNext(); ++commands) {
            const QString name = it.next().captured(1);
            QVERIFY2(has(completion, name), qPrintable(name));
            QVERIFY2(has(manual, name), qPrintable(name));
            const QString topic = QString::fromStdString(usageText(name.toStdString()));
            for (auto each = option.globalMatch(topic); each.hasNext();) {
                const QString found = each.next().captured();
                QVERIFY2(has(completion, found), qPrintable(name + QLatin1Char(' ') + found));
            }
        }
        QVERIFY(commands >= 6);
        // The names of demos stand in the completion, as bash cannot ask the program while one types.
        const auto wrong = parseCommandLine({"render", "--demo", "?", "-o", "a.svg"});
        const QString known =
            QString::fromStdString(std::get<UsageError>(wrong).message).section(QStringLiteral("known: "), 1);
        for (const QString& demo : known.split(QStringLiteral(", "))) QVERIFY2(has(completion, demo), qPrintable(demo));
        for (auto it = option.globalMatch(
                 completion.section(QStringLiteral("bench)"), 1).section(QStringLiteral("lesson)"), 0, 0));
             it.hasNext();) {
            const QString found = it.next().captured();
            QVERIFY2(has(QString::fromStdString(usageText("bench")), found) || found == QStringLiteral("--help"),
                     qPrintable(found));
        }
    }
    /// Words as bash completes them.
    void completes_data() {
        QTest::addColumn<QString>("typed"); // the last word is the one that is completed
        QTest::addColumn<QString>("wanted");
        QTest::newRow("commands") << "stridescope le"
                                  << "lesson";
        QTest::newRow("figures") << "stridescope render --figure mo"
                                 << "motion";
        QTest::newRow("demos") << "stridescope render --demo view-"
                               << "view-fails";
        QTest::newRow("bench") << "stridescope bench --self"
                               << "--self-test";
        QTest::newRow("mistakes") << "stridescope bench --mistake col"
                                  << "columns";
        QTest::newRow("lessons") << "stridescope lesson ch"
                                 << "check";
        QTest::newRow("seed") << "stridescope lesson show a --s"
                              << "--seed";
    }
    void completes() {
        QFETCH(QString, typed);
        QFETCH(QString, wanted);
        QProcess bash;
        bash.start(
            QStringLiteral("bash"),
            {QStringLiteral("--norc"), QStringLiteral("-c"),
             QStringLiteral(
                 "cd /var/empty 2>/dev/null || cd /; . \"$0\"; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                 "_stridescope; echo \"${COMPREPLY[@]}\""),
             QString::fromStdString(test::sourcePath("resources/package/stridescope.bash")), typed});
        QVERIFY(bash.waitForFinished(30'000));
        QCOMPARE(QString::fromUtf8(bash.readAllStandardOutput()).trimmed(), wanted);
    }
    void benchMeasures() {
        const auto environment = environmentWith(m_folder.path());
        const QString json = m_folder.filePath(QStringLiteral("run.json")),
                      csv = m_folder.filePath(QStringLiteral("run.csv"));
        const Ran ran =
            run({QStringLiteral("bench"), QStringLiteral("--op"), QStringLiteral("mm,sum"), QStringLiteral("--sizes"),
                 QStringLiteral("8:16:x2"), QStringLiteral("--threads=1,2"), QStringLiteral("--max-time=0.05"),
                 QStringLiteral("--no-peaks"), QStringLiteral("--machine=a machine"), QStringLiteral("--json"), json,
                 QStringLiteral("--csv"), csv},
                environment);
        QVERIFY2(ran.code == 0 && !ran.crashed, ran.err.constData());
        QVERIFY(ran.err.isEmpty()); // progress is for terminals
        const auto lines = ran.out.split('\n');
        QVERIFY(lines[0].contains("median") && lines[0].contains("middle half"));
        for (int i = 1; i <= 8; ++i)
            QVERIFY2(lines[i].contains("float32") && lines[i].contains("CPU, "), lines[i].constData());
        QVERIFY(ran.out.contains("OpenBLAS kernels ") && ran.out.contains("results differ by 0"));
        QVERIFY(fileBytes(json).contains("\"machine\": \"a machine\""));
        QVERIFY(fileBytes(csv).startsWith("# stridescope timing, version 1\n"));
        for (const QString& file : {json, csv}) {
            const Ran shown = run({QStringLiteral("bench"), QStringLiteral("--show"), file}, environment);
            QCOMPARE(shown.code, 0);
            QVERIFY(shown.out.contains(": a machine, "));
            for (int i = 1; i <= 8; ++i) QVERIFY2(shown.out.contains(lines[i]), lines[i].constData());
        }
        QFile damaged(json);
        QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write("{\"format\": 3}") > 0);
        damaged.close();
        const Ran refused = run({QStringLiteral("bench"), QStringLiteral("--show"), json}, environment);
        QCOMPARE(refused.code, 1);
        QVERIFY(refused.err.contains("not a recorded run: at byte 11") && refused.err.contains("BENCH-20"));
    }

    void benchRefuses() {
        const auto environment = environmentWith(m_folder.path());
        const QStringList start{QStringLiteral("bench"), QStringLiteral("--op")};
        Ran ran = run(start + QStringList{QStringLiteral("mm"), QStringLiteral("--dtype=bool,float32"),
                                          QStringLiteral("--layout=expanded")},
                      environment);
        QCOMPARE(ran.code, 1);
        QVERIFY2(ran.err.contains("BENCH-09"), ran.err.constData());
        ran = run(start + QStringList{QStringLiteral("mm"), QStringLiteral("--devices=cuda:9")}, environment);
        QCOMPARE(ran.code, 1);
        QVERIFY2(ran.err.contains("cuda:9 is not") && ran.err.contains("BENCH-11"), ran.err.constData());
        ran = run(start + QStringList{QStringLiteral("mm"), QStringLiteral("--json=/no/such/folder/x.json")},
                  environment);
        QCOMPARE(ran.code, 1);
        QVERIFY2(ran.err.contains("BENCH-27") && ran.out.isEmpty(), ran.err.constData()); // before time is spent
    }

    void benchTellsWhatItKnows() {
        const auto environment = environmentWith(m_folder.path());
        const Ran help = run({QStringLiteral("bench"), QStringLiteral("--help")}, environment);
        QVERIFY(help.out.contains("--sizes S") && help.out.contains("Exit codes"));
        const Ran list = run({QStringLiteral("bench"), QStringLiteral("--list")}, environment);
        QCOMPARE(list.code, 0);
        for (const char* text : {"Products", "  mm ", "torch.linalg.solve(A, B)", "as a statement"})
            QVERIFY2(list.out.contains(text), text);
        const Ran mistake = run(
            {QStringLiteral("bench"), QStringLiteral("--mistake=columns"), QStringLiteral("--size=1024")}, environment);
        QCOMPARE(mistake.code, 0);
        QVERIFY(mistake.out.contains("Column by column ") &&
                mistake.out.contains("1.05e+06 lines fetched against 6.55e+04"));
    }

    void benchIsInterrupted() {
        QProcess process;
        process.setProcessEnvironment(environmentWith(m_folder.path()));
        const QString json = m_folder.filePath(QStringLiteral("interrupted.json"));
        process.start(QString::fromStdString(test::buildPath("bin/stridescope")),
                      {QStringLiteral("bench"), QStringLiteral("--op=exp"), QStringLiteral("--sizes=8,3000"),
                       QStringLiteral("--no-peaks"), QStringLiteral("--max-time=60"),
                       QStringLiteral("--precision=0.001"), QStringLiteral("--json"), json});
        QVERIFY(process.waitForStarted());
        QByteArray out;
        while (!out.contains("exp") && process.waitForReadyRead(90'000)) out += process.readAllStandardOutput();
        QVERIFY(out.contains("exp")); // one point is done, the next takes a minute
        QTest::qWait(300);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(10'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("interrupted"));
        QVERIFY(fileBytes(json).contains("\"n\": 8"));
    }

    void needsADisplayForTheWindow_data() {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QByteArray>("words");
        const QString none;
        QTest::newRow("none") << none << none << QByteArray("neither DISPLAY nor");
        QTest::newRow("xcb") << QStringLiteral("xcb") << none << QByteArray("DISPLAY is not set");
        QTest::newRow("wayland") << QStringLiteral("wayland") << none << QByteArray("WAYLAND_DISPLAY is not set");
        QTest::newRow("unknown plug-in") << QStringLiteral("nosuchplatform") << none
                                         << QByteArray("QT_QPA_PLATFORM=nosuchplatform is not a platform");
        QTest::newRow("nobody there") << none << QStringLiteral("DISPLAY=:4711")
                                      << QByteArray("no display answers at DISPLAY=:4711");
        QTest::newRow("no host") << none << QStringLiteral("DISPLAY=nosuchhost.invalid:0")
                                 << QByteArray("no display answers at DISPLAY=nosuchhost.invalid:0");
        QTest::newRow("no compositor") << none << QStringLiteral("WAYLAND_DISPLAY=wayland-4711")
                                       << QByteArray("no compositor answers at WAYLAND_DISPLAY=wayland-4711");
    }
    void needsADisplayForTheWindow() {
        QFETCH(QString, platform);
        QFETCH(QString, variable);
        QFETCH(QByteArray, words);
        QMap<QString, QString> changes;
        if (!platform.isEmpty()) changes.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
        if (!variable.isEmpty())
            changes.insert(variable.section(QLatin1Char('='), 0, 0), variable.section(QLatin1Char('='), 1));
        const Ran ran = run({}, environmentWith(m_folder.path(), changes));
        QVERIFY2(!ran.crashed, ran.err.constData());
        QCOMPARE(ran.code, 3);
        QCOMPARE(ran.err.trimmed().count('\n'), 0);
        QVERIFY(ran.err.startsWith("stridescope: "));
        QVERIFY2(ran.err.contains(words), ran.err.constData());
        QVERIFY2(!ran.err.contains("This application failed"), ran.err.constData()); // Qt's words
        QVERIFY(ran.err.contains("stridescope render"));
    }

    void opensInOddEnvironments_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* name, const QString& value) {
            QTest::addRow("%s=%s", name, value.isNull() ? "(unset)" : qPrintable(value))
                << QString::fromLatin1(name) << value;
        };
        row("LANG", QStringLiteral("C"));
        row("LC_ALL", QStringLiteral("de_DE.UTF-8"));
        row("LANG", QStringLiteral("ar_EG.UTF-8"));
        row("HOME", QString());
        row("HOME", QStringLiteral("/nonexistent"));
        row("HOME", QStringLiteral("/proc"));
        row("XDG_CONFIG_HOME", QStringLiteral("relative/path"));
        row("XDG_CONFIG_HOME", QStringLiteral("/proc/nowhere"));
        row("XDG_RUNTIME_DIR", QStringLiteral("/nonexistent"));
        row("TZ", QStringLiteral("Antarctica/Troll"));
        row("STRIDESCOPE_ISA", QStringLiteral("plain"));
    }
    void opensInOddEnvironments() {
        QFETCH(QString, name);
        QFETCH(QString, value);
        const Ran ran =
            run({}, environmentWith(m_folder.path(),
                                    {{name, value},
                                     {QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen")},
                                     {QStringLiteral("STRIDESCOPE_STARTUP_TRACE"), QStringLiteral("exit")}}));
        QVERIFY2(!ran.crashed, ran.err.constData());
        QVERIFY2(ran.code == 0, ran.err.constData());
        QVERIFY(ran.err.contains("first-paint "));
    }

    void drawsDemos_data() {
        QTest::addColumn<QString>("demo");
        for (const char* demo : {"storage", "views", "transpose", "slice", "expand", "overlap", "diagonal", "copy",
                                 "out-of-bounds", "3d", "4d", "scalar", "empty", "view-fails", "blocks"})
            QTest::newRow(demo) << QString::fromLatin1(demo);
    }
    void drawsDemos() {
        QFETCH(QString, demo);
        const auto environment = environmentWith(m_folder.path());
        const QString first = m_folder.filePath(demo + QStringLiteral("1.svg"));
        const QString second = m_folder.filePath(demo + QStringLiteral("2.svg"));
        for (const QString& path : {first, second}) {
            const Ran ran = run({QStringLiteral("render"), QStringLiteral("--demo"), demo, QStringLiteral("-o"), path},
                                environment);
            QVERIFY2(ran.code == 0, ran.err.constData());
            QVERIFY2(ran.err.isEmpty(), ran.err.constData());
        }
        const QByteArray svg = fileBytes(first);
        QVERIFY(svg.contains("<svg"));
        QVERIFY(svg.size() > 2000);
        // Addresses differ between two runs; nothing else may, and they are not drawn by default.
        QCOMPARE(svg, fileBytes(second));
    }

    void drawsBroadcasts() {
        const auto environment = environmentWith(m_folder.path());
        const auto draw = [&](const QString& name, const QStringList& more) {
            return run(QStringList{QStringLiteral("render"), QStringLiteral("--figure"), QStringLiteral("broadcast"),
                                   QStringLiteral("-o"), m_folder.filePath(name), QStringLiteral("--line")} +
                           more,
                       environment);
        };
        const QString line = QStringLiteral("torch.arange(4).view(4, 1) + torch.arange(5)");
        QCOMPARE(draw(QStringLiteral("b1.svg"), {line}).code, 0);
        QCOMPARE(draw(QStringLiteral("b2.svg"), {line}).code, 0);
        const QByteArray end = fileBytes(m_folder.filePath(QStringLiteral("b1.svg")));
        QVERIFY(end.contains("<svg") && end.size() > 4000);
        QCOMPARE(end, fileBytes(m_folder.filePath(QStringLiteral("b2.svg"))));
        QCOMPARE(draw(QStringLiteral("b3.svg"), {line, QStringLiteral("--frame"), QStringLiteral("0")}).code, 0);
        QVERIFY(fileBytes(m_folder.filePath(QStringLiteral("b3.svg"))) != end);
        QCOMPARE(draw(QStringLiteral("b4.svg"), {line, QStringLiteral("--pick"), QStringLiteral("1,-1")}).code, 0);
        QVERIFY(fileBytes(m_folder.filePath(QStringLiteral("b4.svg"))) != end);
        // With tensors of a demo; sizes that do not fit are a picture, too.
        QCOMPARE(draw(QStringLiteral("b5.pdf"),
                      {QStringLiteral("A + torch.ones(7)"), QStringLiteral("--demo"), QStringLiteral("views")})
                     .code,
                 0);
        const Ran unknown = draw(QStringLiteral("b6.svg"), {QStringLiteral("nobody + 1")});
        QCOMPARE(unknown.code, 1);
        QVERIFY(unknown.err.contains("name 'nobody' is not defined"));
        QCOMPARE(draw(QStringLiteral("b6.svg"), {line, QStringLiteral("--pick"), QStringLiteral("9,9")}).code, 1);
    }

    void drawsMotions() {
        const auto environment = environmentWith(m_folder.path());
        const auto draw = [&](const QString& name, const QString& figure, const QString& line,
                              const QStringList& more) {
            return run(QStringList{QStringLiteral("render"), QStringLiteral("--figure"), figure,
                                   QStringLiteral("--code"), QStringLiteral("x = torch.arange(24).view(2, 3, 4)"),
                                   QStringLiteral("-o"), m_folder.filePath(name), QStringLiteral("--line"), line} +
                           more,
                       environment);
        };
        const QString motion = QStringLiteral("motion"), line = QStringLiteral("y = x.narrow(1, 1, 2)");
        const auto bytesOf = [&](const QString& name) { return fileBytes(m_folder.filePath(name)); };
        QCOMPARE(draw(QStringLiteral("m1.svg"), motion, line, {}).code, 0);
        QCOMPARE(draw(QStringLiteral("m2.svg"), motion, line, {QStringLiteral("--frame"), QStringLiteral("1")}).code,
                 0);
        QVERIFY(bytesOf(QStringLiteral("m1.svg")).contains("<svg"));
        QCOMPARE(bytesOf(QStringLiteral("m1.svg")), bytesOf(QStringLiteral("m2.svg")));
        QCOMPARE(draw(QStringLiteral("m3.svg"), motion, line, {QStringLiteral("--frame"), QStringLiteral("0.3")}).code,
                 0);
        QVERIFY(bytesOf(QStringLiteral("m3.svg")) != bytesOf(QStringLiteral("m1.svg")));
        const QStringList small{QStringLiteral("--size"), QStringLiteral("760x460")};
        QCOMPARE(draw(QStringLiteral("m.gif"), motion, line, small).code, 0);
        QVERIFY(bytesOf(QStringLiteral("m.gif")).startsWith("GIF89a"));
        // Pictures one by one, all of one size, the last one as the still picture.
        QCOMPARE(draw(QStringLiteral("f-%03d.png"), motion, QStringLiteral("x.select(0, 1)"), small).code, 0);
        const QStringList frames =
            QDir(m_folder.path()).entryList({QStringLiteral("f-*.png")}, QDir::Files, QDir::Name);
        QVERIFY(frames.size() > 10);
        QCOMPARE(frames.first(), QStringLiteral("f-000.png"));
        QCOMPARE(draw(QStringLiteral("last.png"), motion, QStringLiteral("x.select(0, 1)"), small).code, 0);
        QCOMPARE(bytesOf(frames.last()), bytesOf(QStringLiteral("last.png")));
        QCOMPARE(draw(QStringLiteral("b.svg"), QStringLiteral("blocks"), line, {}).code, 0);
        QVERIFY(bytesOf(QStringLiteral("b.svg")).contains("offset 4"));
        QCOMPARE(draw(QStringLiteral("g.pdf"), QStringLiteral("grid"), line, {}).code, 0);
        // A refused line stands still, with its reason.
        QCOMPARE(draw(QStringLiteral("r.svg"), motion, QStringLiteral("x.view(5, 5)"), {}).code, 0);
        QVERIFY(bytesOf(QStringLiteral("r.svg")).contains("invalid for input of size 24"));
        // As a file that moves: the tensor first, and then that picture.
        QCOMPARE(draw(QStringLiteral("r.gif"), motion, QStringLiteral("x.view(5, 5)"), {}).code, 0);
        QImageReader moving(m_folder.filePath(QStringLiteral("r.gif")));
        QCOMPARE(moving.imageCount(), 2);
        QCOMPARE(draw(QStringLiteral("r-%d.png"), motion, QStringLiteral("x.view(5, 5)"), {}).code, 0);
        QCOMPARE(draw(QStringLiteral("r.png"), motion, QStringLiteral("x.view(5, 5)"), {}).code, 0);
        QCOMPARE(bytesOf(QStringLiteral("r-1.png")), bytesOf(QStringLiteral("r.png")));
        QVERIFY(bytesOf(QStringLiteral("r-0.png")) != bytesOf(QStringLiteral("r.png")));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("r-2.png"))));
        const Ran unknown = draw(QStringLiteral("r.svg"), motion, QStringLiteral("nobody.view(5, 5)"), {});
        QCOMPARE(unknown.code, 1);
        QVERIFY(unknown.err.contains("name 'nobody' is not defined"));
        // What is refused for shared cells is played up to its refusal.
        QCOMPARE(draw(QStringLiteral("o.svg"), motion,
                      QStringLiteral("z = torch.arange(5).as_strided((2, 3), (2, 1)); z.add_(1)"), {})
                     .code,
                 0); // in one line: what no name keeps, too
        QVERIFY(bytesOf(QStringLiteral("o.svg")).contains("slot 2 again"));
    }

    /// What stands still is walked through: a moment is an element.
    void drawsWalks() {
        const auto environment = environmentWith(m_folder.path());
        const auto draw = [&](const QString& figure, const QString& name, const QStringList& more) {
            return run(QStringList{QStringLiteral("render"), QStringLiteral("--figure"), figure,
                                   QStringLiteral("--code"),
                                   QStringLiteral("x = torch.arange(6).view(2, 3); y = x.t()"), QStringLiteral("-o"),
                                   m_folder.filePath(name)} +
                           more,
                       environment);
        };
        const auto bytesOf = [&](const QString& name) { return fileBytes(m_folder.filePath(name)); };
        const auto frame = [](const char* t) { return QStringList{QStringLiteral("--frame"), QString::fromLatin1(t)}; };
        for (const char* each : {"storage", "grid", "blocks"}) {
            const QString figure = QString::fromLatin1(each);
            std::set<QByteArray> seen;
            for (const char* t : {"0", "0.2", "0.4", "0.6", "0.8", "1"}) {
                const Ran ran = draw(figure, QStringLiteral("w.svg"), frame(t));
                QVERIFY2(ran.code == 0 && ran.err.isEmpty(), ran.err.constData());
                seen.insert(bytesOf(QStringLiteral("w.svg")));
                QCOMPARE(draw(figure, QStringLiteral("w2.svg"), frame(t)).code, 0);
                QCOMPARE(bytesOf(QStringLiteral("w.svg")), bytesOf(QStringLiteral("w2.svg")));
            }
            QCOMPARE(seen.size(), std::size_t{6}); // one for each element
            // Without a moment it is no walk.
            QCOMPARE(draw(figure, QStringLiteral("w.svg"), {}).code, 0);
            QVERIFY(seen.count(bytesOf(QStringLiteral("w.svg"))) == 0);
            QCOMPARE(draw(figure, QStringLiteral("w-%d.png"), {}).code, 0);
            const QStringList files = QDir(m_folder.path()).entryList({QStringLiteral("w-*.png")});
            QVERIFY2(files.size() >= 6, qPrintable(files.join(QLatin1Char(' '))));
            const QSize first = QImageReader(m_folder.filePath(files.front())).size();
            for (const QString& file : files) {
                QCOMPARE(QImageReader(m_folder.filePath(file)).size(), first);
                QVERIFY(QFile::remove(m_folder.filePath(file)));
            }
        }
        // The picked element of a storage, by the moment or by its index.
        QCOMPARE(
            draw(QStringLiteral("storage"), QStringLiteral("p.svg"), {QStringLiteral("--pick"), QStringLiteral("2,1")})
                .code,
            0);
        QCOMPARE(draw(QStringLiteral("storage"), QStringLiteral("w.svg"), frame("1")).code, 0);
        QCOMPARE(bytesOf(QStringLiteral("w.svg")), bytesOf(QStringLiteral("p.svg")));
        QCOMPARE(draw(QStringLiteral("grid"), QStringLiteral("g.gif"), {}).code, 0);
        QVERIFY(bytesOf(QStringLiteral("g.gif")).startsWith("GIF89a"));
        const Ran both = draw(QStringLiteral("grid"), QStringLiteral("w.svg"),
                              frame("1") + QStringList{QStringLiteral("--pick"), QStringLiteral("0,0")});
        QCOMPARE(both.code, 2);
        QVERIFY(both.err.contains("--frame and --pick"));
        const Ran still = run({QStringLiteral("render"), QStringLiteral("--demo"), QStringLiteral("view-fails"),
                               QStringLiteral("--frame"), QStringLiteral("1"), QStringLiteral("-o"),
                               m_folder.filePath(QStringLiteral("w.svg"))},
                              environment);
        QCOMPARE(still.code, 1);
        QVERIFY(still.err.contains("stands still"));
    }

    void drawsAnimations() {
        const auto environment = environmentWith(m_folder.path());
        const auto draw = [&](const QString& name, const QString& line) {
            const Ran ran = run({QStringLiteral("render"), QStringLiteral("--figure"), QStringLiteral("broadcast"),
                                 QStringLiteral("--size"), QStringLiteral("1280x490"), QStringLiteral("--line"), line,
                                 QStringLiteral("-o"), m_folder.filePath(name)},
                                environment);
            return ran.code == 0 && ran.err.isEmpty() ? fileBytes(m_folder.filePath(name)) : QByteArray();
        };
        const QString line = QStringLiteral("torch.arange(2).view(2, 1) + torch.arange(3)");
        const QByteArray gif = draw(QStringLiteral("a.gif"), line);
        QVERIFY(gif.startsWith("GIF89a"));
        QCOMPARE(draw(QStringLiteral("b.GIF"), line), gif);
        QImageReader reader(m_folder.filePath(QStringLiteral("a.gif")));
        QCOMPARE(reader.size(), QSize(1280, 490));
        int frames = 0, milliseconds = 0;
        for (QImage image; reader.read(&image); ++frames) milliseconds += reader.nextImageDelay();
        QVERIFY2(frames > 20 && milliseconds > 6000 && milliseconds < 20'000, qPrintable(QString::number(frames)));
        const QByteArray webp = draw(QStringLiteral("a.webp"), line);
        QVERIFY(webp.startsWith("RIFF") && webp.mid(8, 8) == "WEBPVP8X" && webp.contains("ANMF"));
        QCOMPARE(draw(QStringLiteral("b.webp"), line), webp);
        const QByteArray page = draw(QStringLiteral("a.html"), line);
        QVERIFY(page.startsWith("<!DOCTYPE html>") && page.contains("frames = ["));
        QCOMPARE(draw(QStringLiteral("b.html"), line), page);
        // It loads nothing, and what is written in a line ends no script.
        QVERIFY(!page.contains("http") && !page.contains("src=\"/"));
        const QByteArray refused = draw(QStringLiteral("c.html"), QStringLiteral("torch.zeros(2) + torch.zeros(3)"));
        QVERIFY(refused.contains("must match the size of tensor b"));
        const Ran large = run({QStringLiteral("render"), QStringLiteral("--figure"), QStringLiteral("broadcast"),
                               QStringLiteral("--scale"), QStringLiteral("16"), QStringLiteral("--line"), line,
                               QStringLiteral("-o"), m_folder.filePath(QStringLiteral("d.gif"))},
                              environment);
        QCOMPARE(large.code, 1);
        QVERIFY(large.err.contains("pixels"));
    }

    void drawsScripts() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
        const QStringList broadcast{QStringLiteral("--figure"), QStringLiteral("broadcast")};
        const char* script = "import torch\nfor i in range(3):\n    a = torch.arange(4.).view(4, 1)\n"
                             "b = torch.arange(5)\nc = a * b\nprint(c.shape)\n";
        const Ran stored = draw(script, {QStringLiteral("--select"), QStringLiteral("c")});
        QVERIFY2(stored.code == 0, stored.err.constData());
        QCOMPARE(stored.out, QByteArray("torch.Size([4, 5])\n"));
        const QByteArray storage = picture();
        // The last line that computes element by element, or the one that is given.
        QCOMPARE(draw(script, broadcast).code, 0);
        const QByteArray last = picture();
        QVERIFY(last != storage);
        QCOMPARE(draw(script, broadcast + QStringList{QStringLiteral("--line"), QStringLiteral("c = a * b")}).code, 0);
        QCOMPARE(picture(), last);
        QCOMPARE(draw(script, broadcast + QStringList{QStringLiteral("--line"), QStringLiteral("a + b")}).code, 0);
        QVERIFY(picture() != last);
        // So are functions of three tensors, with their refusals.
        const auto line = [&](const char* code) {
            return broadcast + QStringList{QStringLiteral("--line"), QString::fromLatin1(code)};
        };
        QCOMPARE(draw(script, line("torch.where(b > 2, a, b)")).code, 0);
        QVERIFY(picture().contains("torch.where(b &gt; 2, a, b)"));
        QCOMPARE(draw(script, line("a.clamp(b, torch.ones(3))")).code, 0);
        QVERIFY(picture().contains("must match the size") && picture().contains("Works instead"));
        QCOMPARE(draw("import torch\nx = torch.arange(6).view(2, 3)\nx.masked_fill_(x[:1] > 1, 0)\n", broadcast).code,
                 0);
        QVERIFY(picture().contains("masked_fill_"));
    }

    void drawsFailedScripts() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
        const QStringList broadcast{QStringLiteral("--figure"), QStringLiteral("broadcast")};
        const QStringList motion{QStringLiteral("--figure"), QStringLiteral("motion")};
        // A line that failed is drawn.
        const char* failing = "import torch\na = torch.ones(3, 4)\nb = torch.ones(3)\na + b\n";
        QCOMPARE(draw(failing, broadcast).code, 0);
        QVERIFY(picture().contains("must match the size"));
        const Ran refused = draw(failing, {});
        QCOMPARE(refused.code, 0);
        QVERIFY2(refused.err.contains("line 4") && refused.err.contains("must match the size"),
                 refused.err.constData());
        QVERIFY(picture().contains("a + b is not possible"));
        // Who asks for a tensor, or for another line, does not get that one instead; and some errors are words.
        QCOMPARE(draw(failing, {QStringLiteral("--select"), QStringLiteral("a")}).code, 1);
        QCOMPARE(draw("import torch\na = torch.ones(3)\nraise ValueError('no')\n", {}).code, 1);
        QCOMPARE(draw("x = 1\n", broadcast).code, 1);
        // So is one that would have written to cells that elements share.
        const char* shared = "import torch\nz = torch.arange(5).as_strided((2, 3), (2, 1))\nz.add_(1)\n";
        QCOMPARE(draw(shared, motion).code, 0);
        QVERIFY(picture().contains("slot 2 again"));
        QCOMPARE(draw(shared, {QStringLiteral("--figure"), QStringLiteral("blocks")}).code, 0);
        QVERIFY(picture().contains("z.add_(1) is not possible"));
    }

    void drawsEveryRefusal() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
        const QStringList motion{QStringLiteral("--figure"), QStringLiteral("motion")};
        // Each figure of what the core refuses is its picture, the same bytes each time.
        const std::pair<const char*, const char*> refusals[] = {
            {"b.t().view(12)", "is not compatible"},
            {"b.narrow(1, 2, n)", "exceeds dimension size"},
            {"b.as_strided((3, 5), (4, 1), 0)", "needs 13 elements"},
            {"torch.cat([b, torch.zeros(2, 3)])", "only along dim 0"},
            {"b.mm(b)", "4 against 3"},
            {"b.copy_(torch.zeros(2, 3))", "non-singleton dimension 1"},
            {"b.view(-1)[:4].add_(b, alpha=2)", "cannot grow"},
        };
        for (const auto& [line, words] : refusals) {
            const QByteArray code = QByteArray("import torch\nn = 4\nb = torch.arange(12.).view(3, 4)\n") + line + "\n";
            QByteArray before;
            for (const char* kind : {"motion", "blocks", "storage", "grid"}) {
                const Ran ran = draw(code.constData(), {QStringLiteral("--figure"), QString::fromLatin1(kind)});
                QVERIFY2(ran.code == 0, ran.err.constData());
                QVERIFY2(picture().contains(words), line);
                QVERIFY(before.isEmpty() || before == picture());
                before = picture();
            }
        }
        QCOMPARE(draw("import torch\na = torch.ones(3, 4)\nb = torch.ones(3)\na + b\n", motion).code, 0);
        QVERIFY(picture().contains("must match the size"));
        // Whatever an operation is refused for: its tensors and the reason.
        const std::pair<const char*, const char*> plain[] = {
            {"i.add_(0.5)", "result type Float can"},
            {"i.mean()", "could not infer output dtype"},
            {"(i > 2) - (i > 3)", "Subtraction, the"},
            {"i[1:].copy_(i[:-1])", "Refused, and nothing was changed"},
            {"i[1:] += i[:-1]", "Refused, and nothing was changed"},
        };
        for (const auto& [text, words] : plain) {
            const Ran ran = draw((QByteArray("import torch\ni = torch.arange(6)\n") + text + "\n").constData(), motion);
            QVERIFY2(ran.code == 0, ran.err.constData());
            QVERIFY2(picture().contains(words), text);
        }
    }

    void playsScripts() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
        const QStringList motion{QStringLiteral("--figure"), QStringLiteral("motion")};
        // What a script writes by indices, and the values of what only Python can name.
        const auto played = [&](const char* code) {
            const QByteArray whole = QByteArray("import torch\nA = torch.arange(12.).view(3, 4)\n") + code + "\n";
            const Ran ran = draw(whole.constData(), motion);
            return ran.code == 0 ? picture() : ran.err;
        };
        QVERIFY(played("A[torch.tensor([0,2])] = 50").contains("8 elements written"));
        QVERIFY(picture().contains("A[torch.tensor([0, 2])] = 50"));
        QVERIFY(played("A[A > 5] = 50").contains("6 elements written"));
        QVERIFY(played("A.index_fill_(0, torch.tensor([1]), 50.)").contains("4 elements written"));
        QVERIFY(played("A.bernoulli_(0.25)").contains("A.bernoulli_(0.25)"));
        QVERIFY(played("r = A.bernoulli_(0.5)").contains("A.bernoulli_(0.5)"));
        QVERIFY(played("C = torch.zeros(3, 4)\ntorch.add(A, A, out=C)").contains("torch.add(A, A, out=C)"));
        QVERIFY(played("r = A.sort(1, descending=True)").contains("12 elements copied, and 12 elements computed"));
        QVERIFY(played("r = (A + 30).max(1)").contains("41"));
    }

    void drawsRefusalsWhereverTheyStand() {
        if (!pythonPackage()) QSKIP("the Python module is not built; this test drives it");
        const QStringList broadcast{QStringLiteral("--figure"), QStringLiteral("broadcast")};
        // Wherever it stands: in one line with others, in a loop, in a function, in a class.
        const std::pair<const char*, const char*> places[] = {
            {"a = torch.arange(12.).view(3, 4); b = a.t(); b.view(12)", "b.view(12) is not possible"},
            {"torch.arange(12.).view(3, 4).t().view(12)", "torch.arange(12.).view(3, 4).t().view(12) is not possible"},
            {"for n in (3, 12):\n    a = torch.arange(12.).view(n, -1)\n    for _ in range(2):\n"
             "        if n > 3: print(a.view(n - 1))",
             "a.view(11) is not possible"},
            {"def f(x, n):\n    y = x.t()\n    return (y\n            .view(n * 2))\nf(torch.arange(12.).view(3, 4), "
             "6)",
             "y.view(12) is not possible"},
            {"class M:\n    def __init__(self): self.w = torch.ones(4, 3)\n"
             "    def __call__(self, x): return x @ self.w\nM()(torch.ones(2, 5))",
             "x @ self.w is not possible"},
            {"parts = [torch.ones(2, 3), torch.ones(4, 5)]\nprint(torch.cat(parts, dim=1).sum())", "parts[1]"},
            {"x = torch.ones(2, 3)\nx[0] += torch.arange(4)", "x[0] += torch.arange(4) is not possible"},
            {"(lambda q: q[5])(torch.ones(3))", "q[5] is not possible"},
        };
        const char* inFunction = "import torch\ndef f(a, b): return a * b\nf(torch.ones(3, 4), torch.ones(3))\n";
        QCOMPARE(draw(inFunction, broadcast).code, 0);
        QVERIFY(picture().contains("Works instead"));
        for (const auto& [code, words] : places) {
            const Ran ran = draw((QByteArray("import torch\n") + code + "\n").constData(), {});
            QVERIFY2(ran.code == 0, ran.err.constData());
            QVERIFY2(picture().contains(words), code);
        }
        const Ran endless = draw("while True: pass\n", {QStringLiteral("--timeout"), QStringLiteral("1")});
        QCOMPARE(endless.code, 1);
        QVERIFY2(endless.err.contains("longer than 1 s"), endless.err.constData());
    }

    void drawsFormats() {
        const auto environment = environmentWith(m_folder.path());
        const auto draw = [&](const QString& name, const QStringList& more) {
            return run(QStringList{QStringLiteral("render"), QStringLiteral("--demo"), QStringLiteral("views"),
                                   QStringLiteral("-o"), m_folder.filePath(name)} +
                           more,
                       environment);
        };
        QCOMPARE(draw(QStringLiteral("a.png"), {QStringLiteral("--size"), QStringLiteral("640x480"),
                                                QStringLiteral("--scale"), QStringLiteral("2")})
                     .code,
                 0);
        const QImage image(m_folder.filePath(QStringLiteral("a.png")));
        QCOMPARE(image.size(), QSize(1280, 960));
        QCOMPARE(draw(QStringLiteral("a.pdf"), {}).code, 0);
        QVERIFY(fileBytes(m_folder.filePath(QStringLiteral("a.pdf"))).startsWith("%PDF-"));
        QCOMPARE(draw(QStringLiteral("dark.png"), {QStringLiteral("--theme"), QStringLiteral("dark")}).code, 0);
        QCOMPARE(draw(QStringLiteral("a.bmp"), {}).code, 1);
        QCOMPARE(draw(QStringLiteral("no/such/folder/a.png"), {}).code, 1);
        QCOMPARE(draw(QStringLiteral("b.png"), {QStringLiteral("--code"), QStringLiteral("D = A.view(7)")}).code, 1);
        QCOMPARE(draw(QStringLiteral("b.png"), {QStringLiteral("--select"), QStringLiteral("Z")}).code, 1);
        QCOMPARE(draw(QStringLiteral("b.png"), {QStringLiteral("--pick"), QStringLiteral("9,9")}).code, 1);
        const Ran unknown = run({QStringLiteral("render"), QStringLiteral("--demo"), QStringLiteral("nope"),
                                 QStringLiteral("-o"), m_folder.filePath(QStringLiteral("c.svg"))},
                                environment);
        QCOMPARE(unknown.code, 2); // a word of the command line, as every other unknown one
        QVERIFY(unknown.err.contains("storage, views"));
    }

    void tellsWhatIsNotDrawn() {
        const auto environment = environmentWith(m_folder.path());
        const QString path = m_folder.filePath(QStringLiteral("many.svg"));
        const auto draw = [&](const QStringList& more) {
            const QString lines = QStringLiteral("B = A[0]; C = A[1]; D = A[2]; E = A.t(); F = A[:, 1]; G = A[:, 2]");
            return run(QStringList{QStringLiteral("render"), QStringLiteral("--demo"), QStringLiteral("storage"),
                                   QStringLiteral("--code"), lines, QStringLiteral("-o"), path} +
                           more,
                       environment);
        };
        // The titles of cards are the codes that made them.
        const auto drawn = [&path](const char* code) { return fileBytes(path).contains(code); };
        const Ran silent = draw({});
        QCOMPARE(silent.code, 0);
        QVERIFY2(silent.err.contains("B, C, D are not drawn; --show"), silent.err.constData());
        QVERIFY(!drawn(">A[1]<") && drawn(">A[:, 2]<"));
        const Ran some = draw({QStringLiteral("--show"), QStringLiteral("B,C")});
        QCOMPARE(some.code, 0);
        QVERIFY2(some.err.isEmpty(), some.err.constData());
        QVERIFY(drawn(">A[1]<") && !drawn(">A[:, 2]<"));
        const Ran all = draw({QStringLiteral("--show"), QStringLiteral("all")});
        QCOMPARE(all.code, 0);
        // Four have a colour; the title of another begins with its name.
        QVERIFY(drawn(">C = A[1]<") && drawn(">A[:, 2]<"));
        QVERIFY(draw({QStringLiteral("--show"), QStringLiteral("B,Z")}).err.contains("there is no tensor 'Z'"));
    }

    void figuresKeepTheSizeThatWasAsked() {
        const QString path = m_folder.filePath(QStringLiteral("fails.png"));
        const Ran ran = run({QStringLiteral("render"), QStringLiteral("--demo"), QStringLiteral("view-fails"),
                             QStringLiteral("-o"), path, QStringLiteral("--size"), QStringLiteral("1280x720")},
                            environmentWith(m_folder.path()));
        QCOMPARE(ran.code, 0);
        QVERIFY2(QImage(path).height() <= 720, qPrintable(QString::number(QImage(path).height())));
    }

    void drawsWhatIsPicked() {
        // 1000 elements, of which the page shows a few rows: the picked one is among them, on the card and the strip.
        const auto environment = environmentWith(m_folder.path());
        const auto draw = [&](const QStringList& more) {
            const QString path = m_folder.filePath(QStringLiteral("picked.svg"));
            const Ran ran =
                run(QStringList{QStringLiteral("render"), QStringLiteral("--demo"), QStringLiteral("views"),
                                QStringLiteral("--code"), QStringLiteral("Q = torch.arange(1000) + 0.25"),
                                QStringLiteral("--select"), QStringLiteral("Q"), QStringLiteral("-o"), path} +
                        more,
                    environment);
            return std::pair(ran, fileBytes(path));
        };
        const auto [first, start] = draw({});
        QCOMPARE(first.code, 0);
        QVERIFY(first.err.isEmpty());
        QVERIFY(!start.contains(">700.25<") && start.contains(">0.25<"));
        const auto [second, there] = draw({QStringLiteral("--pick"), QStringLiteral("700")});
        QCOMPARE(second.code, 0);
        QCOMPARE(there.count(">700.25<"), 2);
        QVERIFY2(!there.contains("index 700"), "the sign that it is not in sight");
        // Colours: no number on the strip either.
        const auto [third, coloured] = draw({QStringLiteral("--cells"), QStringLiteral("colours")});
        QCOMPARE(third.code, 0);
        QVERIFY(!coloured.contains(">0.25<"));
        // Too small a page says so.
        const auto [fourth, tiny] = draw({QStringLiteral("--size"), QStringLiteral("300x200")});
        QCOMPARE(fourth.code, 0);
        QVERIFY2(fourth.err.contains("no room on a page of 300x200"), fourth.err.constData());
    }

    void refusesHostileFiles_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("magic only") << QByteArray("\x93NUMPY", 6);
        QTest::newRow("huge header") << QByteArray("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
        QTest::newRow("svg") << QByteArray("<svg xmlns='http://www.w3.org/2000/svg'/>");
        QTest::newRow("pickle") << QByteArray("\x80\x04\x95\x1f", 4);
        QTest::newRow("png bomb") << QByteArray::fromHex(
            "89504e470d0a1a0a0000000d494844520000ea600000ea6008020000000fb0e2150000000049454e44ae426082");
        QImage image(40, 30, QImage::Format_RGB32);
        image.fill(Qt::red);
        QByteArray png;
        QBuffer buffer(&png);
        QVERIFY(buffer.open(QIODevice::WriteOnly) && image.save(&buffer, "png"));
        QTest::newRow("cut png") << png.left(60);
    }
    void refusesHostileFiles() {
        QFETCH(QByteArray, content);
        const QString path = m_folder.filePath(QStringLiteral("hostile.npy"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        const QString output = m_folder.filePath(QStringLiteral("hostile.svg"));
        const Ran ran =
            run({QStringLiteral("render"), path, QStringLiteral("-o"), output}, environmentWith(m_folder.path()));
        QVERIFY2(!ran.crashed, ran.err.constData());
        QCOMPARE(ran.code, 1);
        // Beside what a decoder itself may print, the words are ours, and they name the file.
        QVERIFY2(ran.err.contains("stridescope render: "), ran.err.constData());
        QVERIFY2(ran.err.contains("hostile.npy"), ran.err.constData());
        QVERIFY(!QFile::exists(output));
    }

private:
    /// A test of these runs the program many times: more of them in one would take longer on a busy machine than a
    /// test may.
    Ran draw(const char* script, const QStringList& more) {
        QFile file(m_folder.filePath(QStringLiteral("script.py")));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(script);
        file.close();
        return run(QStringList{QStringLiteral("render"), file.fileName(), QStringLiteral("-o"),
                               m_folder.filePath(QStringLiteral("script.svg"))} +
                       more,
                   environmentWith(m_folder.path()));
    }
    QByteArray picture() const { return fileBytes(m_folder.filePath(QStringLiteral("script.svg"))); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
