#include "app/cli/about_facts.h"

#include "app/cli/devices.h"
#include "core/storage/memory_budget.h"

#include <QString>
#include <QSysInfo>
#include <QtGlobal>

#include <thread>

namespace stridescope {

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
