#include "app/devices/gather_devices.h"

#include "app/cli/devices.h"
#include "app/workspace/workspace.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/backend/cuda/loader.h"
#include "core/io/text.h"
#include "widgets/model/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace stridescope {

namespace {

QString plain(const std::string& text) {
    return QString::fromStdString(sanitiseForDisplay(text));
}

ShownDevice& deviceIn(DevicesModel& model, Device device) {
    for (ShownDevice& each : model.devices)
        if (each.device == device) return each;
    ShownDevice fresh;
    fresh.device = device;
    model.devices.push_back(std::move(fresh));
    return model.devices.back();
}

/// Its layout over memory that is not here: pictures show dots for it, and nobody reads it.
std::optional<Tensor> shellOf(const KernelVariable& variable, Device device) {
    StoragePtr storage = Storage::wrap(nullptr, variable.storageBytes, device, {}, "memory of a device");
    auto tensor = Tensor::fromStorage(std::move(storage), variable.view, variable.dtype);
    return tensor ? std::optional(*std::move(tensor)) : std::nullopt;
}

} // namespace

DevicesModel gatherDevices(const Workspace& workspace, const KernelVariables& variables, DeviceLog& log) {
    for (const KernelDevice& each : variables.devices) {
        const auto device = deviceFromString(each.name.toStdString());
        if (!device) continue;
        ShownDevice figures;
        figures.device = *device;
        figures.about = plainName(each.about);
        figures.simulated = each.simulated;
        figures.allocated = each.allocated;
        figures.total = each.total;
        log.note(figures);
    }
    DevicesModel model;
    ShownDevice& cpu = deviceIn(model, {});
    cpu.about = plain(cpuText());
    cpu.brief = QCoreApplication::translate("stridescope::devices", "%n threads", nullptr, numThreads());
    for (ShownDevice& each : log.devices()) model.devices.push_back(std::move(each));
    for (const TensorEntry& entry : workspace.model()->snapshot()->tensors) {
        const Storage& storage = *entry.tensor.storage();
        deviceIn(model, entry.tensor.device())
            .tensors.push_back({entry.name, entry.tensor, storage.id(), storage.bytes(), false});
    }
    for (const KernelVariable& variable : variables.names) {
        if (!variable.isTensor || variable.tensor) continue;
        const auto device = deviceFromString(variable.device.toStdString());
        if (!device || device->isCpu()) continue;
        if (auto tensor = shellOf(variable, *device))
            deviceIn(model, *device)
                .tensors.push_back({plainName(variable.name), *std::move(tensor), variable.storage,
                                    variable.storageBytes, variable.isLost});
    }
    model.run = log.run();
    return model;
}

QString devicesTitle(const QString& code) {
    QStringList lines = code.trimmed().split(QLatin1Char('\n'));
    while (lines.size() > 1 && lines.first().startsWith(QLatin1String("import "))) lines.removeFirst();
    return lines.join(QLatin1Char('\n'));
}

void addProbe(DevicesModel& model) {
    const CudaProbe& probe = cudaProbe();
    model.gpuKnown = true;
    if (probe.state != CudaState::Ready) {
        model.gpuMissing = plain(probe.reason);
        model.remedy = plain(probe.remedy);
        for (const CudaCheck& check : probe.checks)
            model.checks.push_back({check.ok, plain(check.what), plain(check.found)});
        return;
    }
    for (int i = 0; i < probe.deviceCount; ++i) {
        const auto properties = cudaDeviceProperties(i);
        ShownDevice& device = deviceIn(model, {DeviceType::Cuda, static_cast<std::int8_t>(i)});
        if (device.simulated) continue;
        device.about = plain(properties.name);
        device.total = std::max<quint64>(device.total, static_cast<quint64>(properties.memoryBytes));
    }
    std::stable_sort(model.devices.begin(), model.devices.end(), [](const ShownDevice& a, const ShownDevice& b) {
        return std::pair(a.device.type, a.device.index) < std::pair(b.device.type, b.device.index);
    });
}

} // namespace stridescope
