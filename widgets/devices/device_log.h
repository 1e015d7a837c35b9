#pragma once
// DeviceLog: what devices told, added up: which there are, what is in use, and the work of the last run.

#include "widgets/devices/devices_model.h"
#include "widgets/shared/stage_times.h"

#include <map>

namespace stridescope {

class DeviceLog {
public:
    /// More work in one run is counted, not kept.
    static constexpr std::size_t kMostWork = 300;

    /// Code begins to run: the next work of any device begins a new run.
    void begin(const QString& code);
    void take(const std::vector<DeviceRecord>& records);
    /// The process with the devices has ended.
    void clear();
    /// Figures of a device from a listing; of those that tell nothing by themselves they are all there is.
    void note(const ShownDevice& device);

    /// In order, without tensors.
    std::vector<ShownDevice> devices() const;
    const DevicesRun& run() const { return m_run; }
    /// Has some of its work not ended?
    bool isBusy() const;
    /// The last memory that was not to be had in this run.
    const std::optional<DeviceRecord>& outOfMemory() const { return m_outOfMemory; }

private:
    void add(const DeviceRecord& record);
    ShownWork* find(const DeviceRecord& record);

    std::map<std::pair<DeviceType, int>, ShownDevice> m_devices;
    DevicesRun m_run;
    QString m_code;
    bool m_begins = true;
    std::optional<DeviceRecord> m_outOfMemory;
};

/// What a run is stepped through by: every moment at which something begins or ends; one stage for each piece of work.
struct DevicesMoments {
    StageTimes times; ///< without stops for a run without work
    QStringList stageNames;
};
DevicesMoments devicesMoments(const DevicesRun& run);

} // namespace stridescope
