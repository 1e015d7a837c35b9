#include "app/cli/about_facts.h"

#include "core/storage/memory_budget.h"

#include <QString>
#include <QSysInfo>
#include <QtGlobal>

#include <fstream>
#include <thread>

namespace stridescope {

namespace {

std::string processorName() {
    std::ifstream info("/proc/cpuinfo");
    std::string line;
    while (std::getline(info, line)) {
        if (line.rfind("model name", 0) != 0) continue;
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
    }
    return QSysInfo::currentCpuArchitecture().toStdString();
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
    text += "Memory available: " + formatBytes(availableMemory()) + "\n";
    return text;
}

} // namespace stridescope
