#include "app/cli/run_script.h"

#include "app/python/interpreter.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace stridescope {

namespace {

/// What shells say of a program that cannot be had; no usual exit code of a script.
constexpr int kNoPython = 127;

int refuse(const Refusal& refusal) {
    std::fprintf(stderr, "stridescope run: %s (%s)\n", refusal.message.c_str(), refusal.id.c_str());
    if (!refusal.hint.empty()) std::fprintf(stderr, "%s\n", refusal.hint.c_str());
    return kNoPython;
}

} // namespace

int runScript(const RunRequest& request) {
    const auto package = pythonPackage();
    if (!package) return refuse(package.refusal());
    auto python = findPython(*package, chosenPython(request.python));
    if (!python) return refuse(python.refusal());
    // For people only: what a script leaves in a pipe or a file is its own.
    if (!python->note.empty() && isatty(STDERR_FILENO) == 1)
        std::fprintf(stderr, "stridescope run: %s\n", python->note.c_str());
    // Before the user's own folders: a PyTorch that is installed there must not win. The script's folder still comes
    // first, as in every Python.
    std::string path = package->path();
    if (const char* own = std::getenv("PYTHONPATH"); own && *own) path += std::string(":") + own;
    setenv("PYTHONPATH", path.c_str(), 1);
    std::vector<std::string> arguments{python->program};
    arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    return refuse(
        {ErrorKind::Io, "PY-02", "'" + python->program + "' cannot be started: " + std::strerror(errno), "", {}});
}

} // namespace stridescope
