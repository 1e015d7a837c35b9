#include "widgets/devices/devices_model.h"

#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/timing/timing_words.h"

#include <algorithm>
#include <set>

namespace stridescope {

quint64 ShownDevice::nameless() const {
    std::set<quint64> counted;
    quint64 named = 0;
    for (const ShownTensor& each : tensors)
        if (!each.lost && counted.insert(each.storage).second) named += each.bytes;
    return allocated > named ? allocated - named : 0;
}

qint64 DevicesRun::begin() const {
    qint64 first = work.empty() ? 0 : work.front().queuedAt;
    for (const ShownWait& wait : waits) first = std::min(first, wait.from);
    return first;
}

qint64 DevicesRun::end() const {
    qint64 last = begin();
    for (const ShownWork& each : work) last = std::max({last, each.queuedAt, each.startedAt, each.endedAt});
    for (const ShownWait& wait : waits) last = std::max(last, wait.to);
    return last;
}

std::vector<Device> DevicesRun::devices() const {
    std::vector<Device> found;
    for (const ShownWork& each : work)
        if (std::find(found.begin(), found.end(), each.device) == found.end()) found.push_back(each.device);
    std::sort(found.begin(), found.end(),
              [](Device a, Device b) { return std::pair(a.type, a.index) < std::pair(b.type, b.index); });
    return found;
}

bool DevicesModel::hasSimulated() const {
    return std::any_of(devices.begin(), devices.end(), [](const ShownDevice& each) { return each.simulated; });
}

const ShownDevice* DevicesModel::find(Device device) const {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [device](const ShownDevice& each) { return each.device == device; });
    return found == devices.end() ? nullptr : &*found;
}

std::vector<DevicesWay> DevicesModel::ways() const {
    std::vector<DevicesWay> all;
    if (pythonMissing.isEmpty() && !hasSimulated() && !enableLine.isEmpty())
        all.push_back({enableLine, PaintedText::tr("switches it on")});
    if (refusal && pythonMissing.isEmpty()) all.insert(all.end(), refusal->ways.begin(), refusal->ways.end());
    return all;
}

qint64 momentAt(const DevicesRun& run, qreal t) {
    const qint64 begin = run.begin();
    return begin + static_cast<qint64>(std::clamp(t, 0.0, 1.0) * static_cast<double>(run.end() - begin));
}

QString workText(const ShownWork& work) {
    switch (work.kind) {
    case DeviceWork::HostToDevice:
        return PaintedText::tr("copy in");
    case DeviceWork::DeviceToHost:
        return PaintedText::tr("copy out");
    case DeviceWork::OnDevice:
        return PaintedText::tr("copy");
    case DeviceWork::Peer:
        return PaintedText::tr("copy to %1").arg(QString::fromStdString(toString(work.other)));
    case DeviceWork::None:
    case DeviceWork::Kernel:
        break;
    }
    return work.name;
}

QString linkText(double bytesPerSecond) {
    if (bytesPerSecond <= 0) return PaintedText::tr("no limit");
    return PaintedText::tr("%1/s").arg(bytesText(static_cast<quint64>(bytesPerSecond)));
}

QString devicesCaption(const DevicesModel& model, qreal t) {
    const DevicesRun& run = model.run;
    if (run.isEmpty()) return {};
    const qint64 now = momentAt(run, t);
    QStringList parts;
    for (const Device device : run.devices()) {
        const ShownWork* running = nullptr;
        int queued = 0, done = 0;
        for (const ShownWork& each : run.work) {
            if (each.device != device || each.queuedAt > now) continue;
            if (each.dropped) continue;
            if (each.endedAt != 0 && each.endedAt <= now)
                ++done;
            else if (each.startedAt != 0 && each.startedAt <= now)
                running = &each;
            else
                ++queued;
        }
        const QString name = QString::fromStdString(toString(device));
        QString part = running       ? PaintedText::tr("%1 runs %2").arg(name, workText(*running))
                       : queued == 0 ? PaintedText::tr("%1 is idle").arg(name)
                       : done == 0   ? PaintedText::tr("%1 has not begun").arg(name)
                                     : PaintedText::tr("%1 is about to begin the next").arg(name);
        if (queued > 0)
            part += running ? PaintedText::tr(", %n more in its queue", nullptr, queued)
                            : PaintedText::tr(", %n in its queue", nullptr, queued);
        if (done > 0) part += PaintedText::tr(", %1 done").arg(done);
        parts << part;
    }
    const ShownWait* waiting = nullptr;
    for (const ShownWait& wait : run.waits)
        if (wait.from <= now && now < wait.to) waiting = &wait;
    parts << (waiting ? PaintedText::tr("the CPU waits: %1").arg(waiting->what) : PaintedText::tr("the CPU is free"));
    return secondsText(static_cast<double>(now - run.begin()) * 1e-9) + QStringLiteral(": ") +
           parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

} // namespace stridescope
