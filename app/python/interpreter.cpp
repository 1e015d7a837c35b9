#include "app/python/interpreter.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace stridescope {

namespace {

namespace fs = std::filesystem;

/// Extension modules are made for one minor version of CPython.
constexpr auto kWantedVersion = "3.11";

/// Answers in three lines: what it is, "ok" or why the module does not load, and whether it has NumPy. Any Python from
/// 2.7 on understands it. Isolated and without site-packages, so that nobody else's code runs: of the module the
/// compiled part alone is loaded, which is what can fail, and NumPy is looked for, not imported.
constexpr auto kQuestion = R"(
import platform, sys
version = '%d.%d' % sys.version_info[:2]
print(platform.python_implementation() + ' ' + version)
if version == sys.argv[2]:
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_loader
    try:
        loader = ExtensionFileLoader('stridescope._core', sys.argv[1] + '/stridescope/_core.so')
        loader.exec_module(module_from_spec(spec_from_loader(loader.name, loader)))
        print('ok')
    except BaseException as error:
        print(type(error).__name__ + ': ' + str(error).split('\n')[0])
    import os, site
    folders = site.getsitepackages()
    own = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
    environment = os.path.join(own, 'pyvenv.cfg')
    if os.path.isfile(environment):
        with open(environment) as file:
            shared = 'include-system-site-packages = true' in file.read().lower()
        folders = [os.path.join(own, 'lib', 'python' + version, 'site-packages')] + folders * shared
    has = any(os.path.isfile(os.path.join(folder, 'numpy', '__init__.py')) for folder in folders)
    print('numpy' if has else 'environment' if os.path.isfile(environment) else 'none')
)";

Refusal refusal(const char* id, std::string message, std::string hint) {
    return {ErrorKind::Io, id, std::move(message), std::move(hint), {}};
}

std::string quoted(const std::string& text) {
    return "'" + text + "'";
}

bool isProgram(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

/// As a shell finds it; empty when there is none.
std::string onPath(const std::string& name) {
    const char* path = std::getenv("PATH");
    const std::string folders = path ? path : "/usr/bin:/bin";
    for (std::size_t start = 0; start <= folders.size();) {
        const std::size_t colon = std::min(folders.find(':', start), folders.size());
        const std::string folder = folders.substr(start, colon - start);
        const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
        if (isProgram(candidate)) return candidate;
        start = colon + 1;
    }
    return {};
}

/// What a program wrote on its standard output, until it ended or the time was up; errors of starting it are `failure`.
struct Answer {
    std::string text, failure;
};

Answer ask(std::vector<std::string> arguments) {
    Answer answer;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return {{}, std::strerror(errno)};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return {{}, std::strerror(error)};
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(PythonSearch::kAnswerMilliseconds);
    bool ended = false;
    while (!ended && answer.failure.empty() && answer.text.size() < 10'000) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        pollfd readable{ends[0], POLLIN, 0};
        const int ready = left.count() > 0 ? poll(&readable, 1, static_cast<int>(left.count())) : 0;
        if (ready == 0) answer.failure = "it did not answer within 20 s";
        if (ready <= 0) continue;
        std::array<char, 1024> bytes{};
        const ssize_t count = read(ends[0], bytes.data(), bytes.size());
        if (count > 0) answer.text.append(bytes.data(), static_cast<std::size_t>(count));
        ended = count == 0 || (count < 0 && errno != EINTR);
    }
    close(ends[0]);
    if (!ended) kill(child, SIGKILL);
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return answer;
}

/// Line 0, 1 or 2 of an answer.
std::string lineOf(const std::string& text, int number) {
    std::size_t start = 0;
    while (number-- > 0) {
        const std::size_t end = text.find('\n', start);
        if (end == std::string::npos) return {};
        start = end + 1;
    }
    return text.substr(start, text.find('\n', start) - start);
}

const std::string& howToChoose() {
    static const std::string text =
        std::string("Name one with --python FILE or in STRIDESCOPE_PYTHON; on Debian 12: ") + "apt-get install python" +
        kWantedVersion + ".";
    return text;
}

/// Nothing when the answer is that of a Python that can load the package.
std::optional<Refusal> whyNot(const std::string& program, const PythonPackage& package, const Answer& answer) {
    if (!answer.failure.empty())
        return refusal("PY-02", quoted(program) + " cannot be started: " + answer.failure, howToChoose());
    const std::string version = lineOf(answer.text, 0), loaded = lineOf(answer.text, 1);
    const std::size_t space = version.rfind(' ');
    if (space == std::string::npos || std::isdigit(static_cast<unsigned char>(version.back())) == 0)
        return refusal("PY-03", quoted(program) + " is not a Python", howToChoose());
    if (version != std::string("CPython ") + kWantedVersion)
        return refusal("PY-03", quoted(program) + " is " + version + ", needed is CPython " + kWantedVersion,
                       howToChoose());
    if (loaded == "ok") return std::nullopt;
    const std::string found = loaded.empty() ? "it ended while loading it" : loaded.substr(0, 300);
    return refusal("PY-05", quoted(program) + " cannot load the module in " + package.folder + ": " + found,
                   "Build or install Stridescope again; a missing library is named in the message.");
}

} // namespace

Result<PythonPackage> pythonPackage() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path bin = program.parent_path();
    // In the build tree, as a test program, as installed.
    for (const char* place : {"../python", "../../python", "../lib/stridescope/python"}) {
        const fs::path folder = (bin / place).lexically_normal();
        if (!fs::exists(folder / "stridescope" / "_core.so", error)) continue;
        if (folder.string().find(':') != std::string::npos)
            return refusal("PY-06", "the folder " + quoted(folder) + " cannot stand on Python's path: it has a colon",
                           "Move Stridescope to a folder without a colon.");
        return PythonPackage{folder, folder / "as_torch"};
    }
    return refusal("PY-01", "this Stridescope was built without its Python module",
                   "Install python3-dev and build again (STRIDESCOPE_PYTHON=ON).");
}

std::string chosenPython(const std::string& option) {
    if (!option.empty()) return option;
    const char* variable = std::getenv("STRIDESCOPE_PYTHON");
    return variable ? variable : "";
}

PythonSearch::PythonSearch(PythonPackage package, const std::string& chosen)
    : m_package(std::move(package)), m_onlyOne(!chosen.empty()) {
    if (m_onlyOne) {
        const bool isPath = chosen.find('/') != std::string::npos;
        const std::string program = isPath ? chosen : onPath(chosen);
        if (isProgram(program)) {
            m_candidates.push_back(program);
            return;
        }
        const std::string what = !isPath                ? " is no program on PATH"
                                 : !fs::exists(program) ? " does not exist"
                                                        : " is not a program that can be started";
        m_refusal = refusal("PY-02", "the chosen Python " + quoted(chosen) + what, howToChoose());
        return;
    }
    for (const std::string& program :
         {onPath("python3"), onPath(std::string("python") + kWantedVersion), std::string(STRIDESCOPE_BUILD_PYTHON)}) {
        if (isProgram(program) && std::find(m_candidates.begin(), m_candidates.end(), program) == m_candidates.end())
            m_candidates.push_back(program);
    }
}

std::vector<std::string> PythonSearch::question() const {
    if (m_candidates.empty() || m_refusal || !m_found.empty()) return {};
    return {m_candidates.front(), "-I", "-S", "-c", kQuestion, m_package.folder, kWantedVersion};
}

void PythonSearch::answer(const std::string& text, const std::string& failure) {
    const std::string program = m_candidates.front();
    m_candidates.erase(m_candidates.begin());
    auto why = whyNot(program, m_package, {text, failure});
    if (!why && !m_onlyOne && lineOf(text, 2) == "none") {
        if (m_withoutNumpy.empty()) m_withoutNumpy = program;
    } else if (!why)
        m_found = program;
    else if (m_onlyOne || why->id == "PY-05") // the right Python: another one would not load it either
        m_refusal = std::move(why);
    else
        m_reasons += "; " + why->message;
}

Result<PythonFound> PythonSearch::result() const {
    if (!m_found.empty() && m_withoutNumpy.empty()) return PythonFound{m_found, {}};
    if (!m_found.empty())
        return PythonFound{m_found, quoted(m_found) + " is used, as " + quoted(m_withoutNumpy) +
                                        " has no NumPy; --python or STRIDESCOPE_PYTHON chooses"};
    if (!m_withoutNumpy.empty()) return PythonFound{m_withoutNumpy, {}};
    if (m_refusal) return *m_refusal;
    return refusal("PY-04", std::string("no Python ") + kWantedVersion + " was found" + m_reasons, howToChoose());
}

Result<PythonFound> findPython(const PythonPackage& package, const std::string& chosen) {
    PythonSearch search(package, chosen);
    for (auto question = search.question(); !question.empty(); question = search.question()) {
        const Answer answer = ask(question);
        search.answer(answer.text, answer.failure);
    }
    return search.result();
}

} // namespace stridescope
