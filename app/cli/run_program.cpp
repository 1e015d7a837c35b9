#include "app/cli/run_program.h"

#include "app/cli/about_facts.h"
#include "app/cli/bench.h"
#include "app/cli/command_line.h"
#include "app/cli/devices.h"
#include "app/cli/lesson.h"
#include "app/cli/render.h"
#include "app/cli/run_script.h"
#include "app/files/clipboard_reader.h"
#include "app/files/picture_process.h"
#include "app/python/interpreter.h"
#include "app/settings/language.h"
#include "app/settings/settings.h"
#include "app/window/guarded_application.h"
#include "app/window/main_window.h"
#include "app/window/startup_trace.h"
#include "core/backend/cpu/cpu_allocator.h"
#include "core/ops/operation_table.h"
#include "core/storage/shared_arena.h"
#include "widgets/shared/pseudo_locale.h"

#include <QApplication>
#include <QFile>
#include <QHashSeed>
#include <QLocale>

#include <cstdio>
#include <cstdlib>

namespace stridescope {

namespace {

constexpr int kUsage = 2, kNoDisplay = 3;

/// Why a window cannot be opened; empty when it seems that one can. Qt would abort instead.
std::string displayProblem() {
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
    const QByteArray kind = platform.left(platform.indexOf(':') < 0 ? platform.size() : platform.indexOf(':'));
    const bool display = !qEnvironmentVariableIsEmpty("DISPLAY");
    const bool wayland = !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    if (kind == "xcb" && !display) return "QT_QPA_PLATFORM is xcb, but DISPLAY is not set";
    if (kind.startsWith("wayland") && !wayland) return "QT_QPA_PLATFORM is wayland, but WAYLAND_DISPLAY is not set";
    if (kind.isEmpty() && !display && !wayland) return "no display: neither DISPLAY nor WAYLAND_DISPLAY is set";
    return {};
}

/// Why Qt found no platform plug-in that works, and what to do about it.
QByteArray whyNoPlatform() {
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM"), display = qgetenv("DISPLAY"),
                     wayland = qgetenv("WAYLAND_DISPLAY");
    const QByteArray kind = platform.left(platform.indexOf(':') < 0 ? platform.size() : platform.indexOf(':'));
    if (!kind.isEmpty() && kind != "xcb" && !kind.startsWith("wayland"))
        return "QT_QPA_PLATFORM=" + platform + " is not a platform that Qt has here; unset it, or use xcb";
    if (!display.isEmpty() && !kind.startsWith("wayland"))
        return "no display answers at DISPLAY=" + display + "; check the number and whether you may use it";
    return "no compositor answers at WAYLAND_DISPLAY=" + wayland +
           ", or Qt's plug-in for Wayland (package qt6-wayland) is missing; check it, or set DISPLAY";
}

/// Qt's own messages. It ends the program with abort() when a platform plug-in is missing or refuses: said in one line
/// instead. Its remarks on the environment are no use to anybody who reads stderr, and are left out.
void speakPlainly(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (type == QtFatalMsg) {
        const bool plugin = message.contains(QStringLiteral("platform plugin"));
        const QByteArray line = plugin ? whyNoPlatform() + "; or draw without a window: stridescope render --help"
                                       : message.section(QLatin1Char('\n'), 0, 0).toLocal8Bit();
        std::fprintf(stderr, "stridescope: no window could be opened: %s\n", line.constData());
        std::_Exit(kNoDisplay);
    }
    // What decoders of pictures say of a damaged one stands, in words, in the refusal or the note.
    const bool plugin = context.category && (qstrncmp(context.category, "qt.qpa", 6) == 0 ||
                                             qstrncmp(context.category, "qt.gui.imageio", 14) == 0);
    const bool remark = message.startsWith(QStringLiteral("QStandardPaths:")) ||
                        message.startsWith(QStringLiteral("This plugin does not support")) ||
                        message.startsWith(QStringLiteral("Detected locale"));
    if (type == QtDebugMsg || type == QtInfoMsg || plugin || remark) return;
    std::fprintf(stderr, "%s\n", message.toLocal8Bit().constData());
}

int usage(const UsageError& error) {
    // The whole text would push the one line that matters out of sight.
    const std::string help = error.topic.empty() ? "--help" : error.topic + " --help";
    std::fprintf(stderr, "stridescope: %s\nSee: stridescope %s\n", error.message.c_str(), help.c_str());
    return kUsage;
}

int render(int argc, char** argv, const RenderRequest& request) {
    // No display is needed, and none is looked for.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(speakPlainly);
    // Byte for byte the same each time: a PDF names its fonts in the order of a hash table.
    QHashSeed::setDeterministicGlobalSeed();
    QGuiApplication application(argc, argv);
    setPictureProgram(QCoreApplication::applicationFilePath());
    QLocale::setDefault(QLocale::c());
    return renderPicture(request);
}

int readClipboard(int argc, char** argv) {
    if (!displayProblem().empty()) return kNoDisplay;
    qInstallMessageHandler(speakPlainly);
    QGuiApplication application(argc, argv);
    return writeClipboardToStdout();
}

int window(int argc, char** argv, const CommandLine& line) {
    if (const std::string problem = displayProblem(); !problem.empty()) {
        std::fprintf(stderr, "stridescope: %s. Without a window: stridescope render --help\n", problem.c_str());
        return kNoDisplay;
    }
    qInstallMessageHandler(speakPlainly);
    GuardedApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("stridescope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Stridescope"));
    QApplication::setDesktopFileName(QStringLiteral("stridescope"));
    QApplication::setStyle(QStringLiteral("Fusion"));
    setPictureProgram(QCoreApplication::applicationFilePath());
    // Numbers are Python's everywhere, whatever the locale says about commas.
    QLocale::setDefault(QLocale::c());
    QString whyNoSettings;
    Settings settings(Settings::standardPath(&whyNoSettings));
    if (!whyNoSettings.isEmpty()) settings.note(whyNoSettings);
    applyLanguage(application, shownLanguage(chosenLanguage(settings)));
    applyTestLocale(application);
    // Tensors of the window lie where a Python can see them, too.
    if (SharedArena* arena = SharedArena::instance(); arena && pythonPackage()) cpuAllocator().useArena(*arena);
    MainWindow main(&settings);
    QObject::connect(&application, &GuardedApplication::failed, &main, &MainWindow::tellFault);
    if (line.files.empty()) main.showFirstPicture();
    main.show();
    QStringList paths;
    for (const std::string& file : line.files) paths << QFile::decodeName(file.c_str());
    main.openFiles(paths);
    if (!line.lessonLink.empty()) main.openLesson(QFile::decodeName(line.lessonLink.c_str()));
    main.keepJournal(stateFolder());
    return QApplication::exec();
}

} // namespace

int runProgram(int argc, char** argv) {
    startup_trace::begin();
    const auto parsed = parseCommandLine(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
    if (const auto* error = std::get_if<UsageError>(&parsed)) return usage(*error);
    const auto& line = std::get<CommandLine>(parsed);
    // Qt would take options of its own; it sees the program's name only.
    int one = argc > 0 ? 1 : 0;
    switch (line.action) {
    case CommandLine::Action::Version:
        std::fputs(aboutFacts().c_str(), stdout);
        return 0;
    case CommandLine::Action::Help:
        std::fputs(usageText(line.helpTopic).c_str(), stdout);
        return 0;
    case CommandLine::Action::Devices:
        std::fputs(devicesText().c_str(), stdout);
        return 0;
    case CommandLine::Action::Operations:
        std::fputs(operationsPage().c_str(), stdout);
        return 0;
    case CommandLine::Action::Lesson: {
        QCoreApplication application(one, argv); // resources
        return lessonCommand(line.lesson);
    }
    case CommandLine::Action::Render:
        return render(one, argv, line.render);
    case CommandLine::Action::Run:
        return runScript(line.run);
    case CommandLine::Action::Bench:
        return runBench(line.bench);
    case CommandLine::Action::ReadClipboard:
        return readClipboard(one, argv);
    case CommandLine::Action::DecodePictures: {
        QCoreApplication application(one, argv); // plug-ins
        return decodePictures();
    }
    case CommandLine::Action::Window:
        break;
    }
    return window(one, argv, line);
}

} // namespace stridescope
