#include "widgets/devices/device_log.h"

#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

void DeviceLog::begin(const QString& code) {
    m_code = code;
    m_begins = true;
}

void DeviceLog::clear() {
    m_devices.clear();
    m_begins = true;
    m_outOfMemory.reset();
}

void DeviceLog::note(const ShownDevice& device) {
    const auto [at, fresh] = m_devices.try_emplace({device.device.type, device.device.index}, device);
    if (!fresh && !at->second.simulated) at->second = device; // nothing else tells of those
}

std::vector<ShownDevice> DeviceLog::devices() const {
    std::vector<ShownDevice> all;
    for (const auto& [key, device] : m_devices) all.push_back(device);
    return all;
}

bool DeviceLog::isBusy() const {
    return std::any_of(m_run.work.begin(), m_run.work.end(),
                       [](const ShownWork& each) { return each.endedAt == 0 && !each.dropped; });
}

void DeviceLog::take(const std::vector<DeviceRecord>& records) {
    for (const DeviceRecord& record : records) add(record);
}

ShownWork* DeviceLog::find(const DeviceRecord& record) {
    const auto found = std::find_if(m_run.work.rbegin(), m_run.work.rend(), [&](const ShownWork& each) {
        return each.number == record.number && each.device == record.device;
    });
    return found == m_run.work.rend() ? nullptr : &*found;
}

void DeviceLog::add(const DeviceRecord& record) {
    const std::pair<DeviceType, int> key{record.device.type, record.device.index};
    switch (record.what) {
    case DeviceHappening::Appeared: {
        ShownDevice device;
        device.device = record.device;
        device.about = QString::fromStdString(record.name);
        device.simulated = record.simulated;
        device.total = record.total;
        device.link = record.linkBytesPerSecond;
        device.launchDelay = record.launchDelay;
        m_devices[key] = device;
        break;
    }
    case DeviceHappening::Gone:
        m_devices.erase(key);
        for (ShownWork& each : m_run.work)
            each.dropped = each.dropped || (each.device == record.device && !each.endedAt);
        break;
    case DeviceHappening::Allocated:
    case DeviceHappening::Freed:
    case DeviceHappening::OutOfMemory:
        if (const auto found = m_devices.find(key); found != m_devices.end()) {
            found->second.allocated = record.allocated;
            found->second.total = record.total;
        }
        if (record.what == DeviceHappening::OutOfMemory) m_outOfMemory = record;
        break;
    case DeviceHappening::Failed:
        if (const auto found = m_devices.find(key); found != m_devices.end())
            found->second.failure = QString::fromStdString(record.name);
        break;
    case DeviceHappening::Queued:
        if (std::exchange(m_begins, false)) {
            m_run = {};
            m_run.code = m_code;
        }
        if (m_run.work.size() >= kMostWork) {
            ++m_run.more;
            break;
        }
        m_run.work.push_back({record.device, record.other, record.stream, record.number, record.work,
                              QString::fromStdString(record.name), record.bytes, record.queuedAt, 0, 0, false});
        break;
    case DeviceHappening::Started:
    case DeviceHappening::Done:
    case DeviceHappening::Dropped:
        if (ShownWork* const work = find(record)) {
            work->startedAt = record.startedAt;
            work->endedAt = record.what == DeviceHappening::Dropped ? 0 : record.endedAt;
            work->dropped = record.what == DeviceHappening::Dropped;
        }
        break;
    case DeviceHappening::Waited:
        // Of a device with nothing to do, or of work that is not kept.
        if (!m_begins && m_run.more == 0 && !m_run.isEmpty() && m_run.waits.size() < kMostWork)
            m_run.waits.push_back(
                {record.device, QString::fromStdString(record.name), record.startedAt, record.endedAt});
        break;
    }
}

DevicesMoments devicesMoments(const DevicesRun& run) {
    DevicesMoments moments;
    if (run.isEmpty()) return moments;
    const auto begin = run.begin();
    const auto length = static_cast<double>(std::max<qint64>(run.end() - begin, 1));
    const auto at = [&](qint64 time) { return static_cast<double>(time - begin) / length; };
    // Moments that nobody could tell apart on the picture are one.
    constexpr double kApart = 1.0 / 500;
    std::vector<qreal> all{0};
    for (const ShownWork& each : run.work)
        for (const qint64 time : {each.queuedAt, each.startedAt, each.endedAt})
            if (time != 0) all.push_back(at(time));
    for (const ShownWait& wait : run.waits)
        for (const qint64 time : {wait.from, wait.to}) all.push_back(at(time));
    all.push_back(1);
    std::sort(all.begin(), all.end());
    // Of several that are one the last stands for them, so that all of them have been.
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i + 1 == all.size() || all[i + 1] - all[i] > kApart) moments.times.stops.push_back(all[i]);
    if (moments.times.stops.front() > 0) moments.times.stops.insert(moments.times.stops.begin(), 0);
    moments.times.stops.back() = 1;

    constexpr std::size_t kMostStages = 8;
    std::vector<std::pair<qreal, QString>> stages;
    if (run.work.size() <= kMostStages)
        for (const ShownWork& each : run.work)
            if (each.endedAt != 0) stages.emplace_back(at(each.endedAt), workText(each));
    std::sort(stages.begin(), stages.end());
    for (const auto& [end, name] : stages) {
        if (!moments.times.stageEnds.empty() && end - moments.times.stageEnds.back() < kApart) continue;
        if (end < kApart) continue;
        moments.times.stageEnds.push_back(std::min(end, 1.0));
        moments.stageNames << name;
    }
    if (moments.times.stageEnds.empty() || moments.times.stageEnds.back() < 1 - kApart) {
        moments.times.stageEnds.push_back(1);
        moments.stageNames << (moments.stageNames.isEmpty() ? PaintedText::tr("all of it")
                                                            : PaintedText::tr("the end"));
    }
    moments.times.stageEnds.back() = 1;
    constexpr qreal kLeastSeconds = 3, kMostSeconds = 12, kSecondsAStop = 0.4;
    moments.times.seconds =
        std::clamp(static_cast<qreal>(moments.times.stops.size()) * kSecondsAStop, kLeastSeconds, kMostSeconds);
    return moments;
}

} // namespace stridescope
