#include "app/cli/about_facts.h"

#include "app/cli/devices.h"
#include "app/python/interpreter.h"
#include "core/storage/memory_budget.h"

#include <QString>
#include <QSysInfo>
#include <QtGlobal>

#include <fstream>
#include <thread>

namespace stridescope {

namespace {

/// The driver's own line; nothing is loaded to find it.
std::string driverLine() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    return std::getline(file, line) && !line.empty() ? line : "none found";
}

} // namespace

std::string aboutFacts() {
    std::string text = "Stridescope " STRIDESCOPE_VERSION "\n";
    text += "Qt: " + std::string(qVersion()) + " (built with " QT_VERSION_STR ")\n";
    text += "Compiler: " +
#if defined(__clang__)
            std::string("clang " __clang_version__)
#else
            std::string("gcc " __VERSION__)
#endif
            + "\n";
    text += "System: " + QSysInfo::prettyProductName().toStdString() + ", kernel " +
            QSysInfo::kernelVersion().toStdString() + ", " + QSysInfo::currentCpuArchitecture().toStdString() + "\n";
    text += "Processor: " + processorName() + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads\n";
    text += "Python module: " + std::string(pythonPackage() ? "for CPython 3.11" : "not there") + "\n";
    text += "NVIDIA driver: " + driverLine() + "\n";
    text += "Memory available: " + formatBytes(availableMemory()) + "\n";
    return text;
}

} // namespace stridescope
