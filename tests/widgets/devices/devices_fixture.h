#pragma once
// A model of the Devices picture, made up: a CPU, two simulated devices, four products that were queued and waited for.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "tests/support/view_model.h"
#include "widgets/devices/device_log.h"

namespace stridescope::test {

inline constexpr Device kSim{DeviceType::Sim, 0}, kSecond{DeviceType::Sim, 1};

inline DeviceRecord deviceRecord(DeviceHappening what, Device device = kSim) {
    DeviceRecord record;
    record.what = what;
    record.device = device;
    record.simulated = true;
    return record;
}

/// Microseconds, counted from some moment.
inline std::int64_t at(double microseconds) {
    return 1'000'000'000 + static_cast<std::int64_t>(microseconds * 1000);
}

inline void tellWork(DeviceLog& log, std::uint64_t number, DeviceWork kind, const char* name, std::uint64_t bytes,
                     double queued, double started, double ended, Device device = kSim, Device other = {}) {
    DeviceRecord record = deviceRecord(DeviceHappening::Queued, device);
    record.work = kind;
    record.name = name;
    record.number = number;
    record.bytes = bytes;
    record.other = other;
    record.queuedAt = at(queued);
    log.take({record});
    if (started < 0) return;
    record.what = DeviceHappening::Started;
    record.startedAt = at(started);
    log.take({record});
    if (ended < 0) return;
    record.what = DeviceHappening::Done;
    record.endedAt = at(ended);
    log.take({record});
}

inline void tellWait(DeviceLog& log, const char* what, double from, double to, Device device = kSim) {
    DeviceRecord record = deviceRecord(DeviceHappening::Waited, device);
    record.name = what;
    record.startedAt = at(from);
    record.endedAt = at(to);
    log.take({record});
}

inline DeviceLog fourProducts() {
    DeviceLog log;
    for (const Device device : {kSim, kSecond}) {
        DeviceRecord record = deviceRecord(DeviceHappening::Appeared, device);
        record.name = "Stridescope simulated device (CPU threads)";
        record.total = 64 << 20;
        record.linkBytesPerSecond = 100e6;
        record.launchDelay = 2'000'000;
        log.take({record});
    }
    DeviceRecord memory = deviceRecord(DeviceHappening::Allocated);
    memory.bytes = memory.allocated = 1'280'024;
    memory.total = 64 << 20;
    log.take({memory});
    log.begin(QStringLiteral("for i in range(4): b = a @ a"));
    tellWork(log, 1, DeviceWork::HostToDevice, "copy", 24, 0, 12, 30);
    for (std::uint64_t i = 0; i < 4; ++i) {
        const double n = static_cast<double>(i);
        tellWork(log, i + 2, DeviceWork::Kernel, "matmul", 0, 40 + 10 * n, 90 + 290 * n, 375 + 290 * n);
    }
    tellWait(log, "synchronize", 82, 1260);
    return log;
}

inline ShownTensor shown(const QString& name, const Tensor& tensor, quint64 storage) {
    return {name, tensor, storage, tensor.storage()->bytes(), false};
}

/// Of memory that nobody can read.
inline ShownTensor shownOn(Device device, const QString& name, const View& view, quint64 storage) {
    const auto bytes = static_cast<std::size_t>(view.numel()) * 4;
    return {name, Tensor(Storage::wrap(nullptr, bytes, device, {}, "device"), view, DType::Float32), storage, bytes,
            false};
}

inline DevicesModel devicesModel(const DeviceLog& log = fourProducts()) {
    DevicesModel model;
    ShownDevice cpu;
    cpu.about = QStringLiteral("a processor, 2 threads");
    const Tensor x = stridescope::view(stridescope::arange(0, 6, 1, {DType::Float32, {}}), {2, 3});
    cpu.tensors.push_back(shown(QStringLiteral("x"), x, 1));
    model.devices.push_back(cpu);
    for (ShownDevice& each : log.devices()) model.devices.push_back(std::move(each));
    for (ShownDevice& each : model.devices) {
        if (each.device != kSim) continue;
        each.tensors.push_back(shownOn(kSim, QStringLiteral("y"), contiguousView(Dims{2, 3}).value(), 7));
        each.tensors.push_back(shownOn(kSim, QStringLiteral("a"), contiguousView(Dims{400, 400}).value(), 8));
    }
    model.run = log.run();
    model.gpuKnown = true;
    model.gpuMissing = QStringLiteral("no NVIDIA driver is installed");
    model.remedy = QStringLiteral("Install the driver of the GPU.");
    model.checks = {{false, QStringLiteral("driver"), QStringLiteral("libcuda.so.1 not found")}};
    model.enableLine = QStringLiteral("torch.sim.enable(devices=2, memory=64 << 20, link=100e6, launch_delay=0.002)");
    return model;
}

inline DevicesRefusal mixedRefusal() {
    DevicesRefusal refusal;
    refusal.kind = DevicesRefusal::Kind::Mixed;
    refusal.line = QStringLiteral("x + y");
    refusal.title = QStringLiteral("x + y is refused: its inputs live on two devices");
    refusal.text = QStringLiteral("RuntimeError: Expected all tensors to be on the same device, but found at least two "
                                  "devices, sim:0 and cpu!");
    refusal.sign = QStringLiteral("+");
    refusal.operands = {{QStringLiteral("x"), {}}, {QStringLiteral("y"), kSim}};
    refusal.ways = {{QStringLiteral("x.to(\"sim:0\") + y"), QStringLiteral("moves 24 B")},
                    {QStringLiteral("x + y.cpu()"), QStringLiteral("moves 24 B")}};
    return refusal;
}

inline DevicesRefusal memoryRefusal() {
    DevicesRefusal refusal;
    refusal.kind = DevicesRefusal::Kind::OutOfMemory;
    refusal.line = QStringLiteral("torch.ones(1 << 30, device=\"sim:0\")");
    refusal.title = QStringLiteral("sim:0 has not so much memory free");
    refusal.text = QStringLiteral("OutOfMemoryError: out of memory on sim:0: needs 4294967296 bytes, free 65828864 of "
                                  "67108864 (simulated)");
    refusal.device = kSim;
    refusal.wanted = quint64{4} << 30;
    refusal.used = 1'280'024;
    refusal.total = 64 << 20;
    refusal.ways = {{QStringLiteral("del a"), QStringLiteral("frees 640 KB")}};
    return refusal;
}

} // namespace stridescope::test
