#pragma once
// What the Devices picture is about, as a value: devices and the tensors in each, the work of the last run with its
// times, what was refused. Whoever listens to devices makes it; see device_log.h.

#include "core/trace/device_record.h"
#include "widgets/model/snapshot.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace stridescope {

struct ShownTensor {
    QString name;
    Tensor tensor;       ///< of a device: a view of memory that nobody can read from here
    quint64 storage = 0; ///< a number that tells whether two share one
    quint64 bytes = 0;   ///< of the storage
    bool lost = false;   ///< its device was started anew
};

struct ShownDevice {
    Device device;
    QString about; ///< "a processor, 2 threads, …", "NVIDIA …"
    QString brief; ///< "2 threads": where that has no room
    bool simulated = false;
    quint64 allocated = 0, total = 0; ///< bytes in use, and all; 0: not told
    double link = 0;                  ///< bytes a second; 0: no limit
    qint64 launchDelay = 0;           ///< nanoseconds
    QString failure;                  ///< why nothing works on it any more
    std::vector<ShownTensor> tensors;

    QString name() const { return QString::fromStdString(toString(device)); }
    /// In use, and not by a tensor that has a name.
    quint64 nameless() const;
};

/// A piece of work. Times are nanoseconds of the steady clock; 0: not that far.
struct ShownWork {
    Device device, other;
    std::uint32_t stream = 0;
    quint64 number = 0;
    DeviceWork kind = DeviceWork::Kernel;
    QString name;
    quint64 bytes = 0;
    qint64 queuedAt = 0, startedAt = 0, endedAt = 0;
    bool dropped = false;
    bool isCopy() const { return kind != DeviceWork::Kernel; }
};
/// The host stood still.
struct ShownWait {
    Device device;
    QString what;
    qint64 from = 0, to = 0;
};

/// What one execution of code gave to devices.
struct DevicesRun {
    QString code;
    std::vector<ShownWork> work; ///< as it was queued
    std::vector<ShownWait> waits;
    int more = 0; ///< pieces of work that were too many to keep

    bool isEmpty() const { return work.empty(); }
    /// From the first call to the last moment that is known.
    qint64 begin() const;
    qint64 end() const;
    /// The devices that had work, each once.
    std::vector<Device> devices() const;
};

/// A line that can be run, and what it costs.
struct DevicesWay {
    QString line, note;
    QString label = {}; ///< what stands on its button; empty: the line
};
struct DevicesRefusal {
    enum class Kind : quint8 { Mixed, OutOfMemory, Sticky, Lost, Absent };
    Kind kind = Kind::Mixed;
    QString line;  ///< that was refused
    QString title; ///< "x + y is refused: its inputs live on two devices"
    QString text;  ///< as Python tells it
    QString sign;  ///< what would have joined them: "+", "matmul"
    struct Operand {
        QString name;
        Device device;
    };
    std::vector<Operand> operands;           ///< of Mixed: two
    Device device;                           ///< of the others
    quint64 wanted = 0, used = 0, total = 0; ///< of OutOfMemory
    std::vector<DevicesWay> ways;
};

struct DevicesModel {
    std::vector<ShownDevice> devices; ///< the CPU first
    DevicesRun run;
    std::optional<DevicesRefusal> refusal;
    bool gpuKnown = false;      ///< it was looked for
    QString gpuMissing, remedy; ///< why there is none, and what helps; empty: there is one
    struct Check {
        bool ok = false;
        QString what, found; ///< "driver", "not installed"
    };
    std::vector<Check> checks; ///< what was looked at for it
    QString enableLine;        ///< what switches the simulated device on
    QString pythonMissing;     ///< why no line can be run; empty: it can

    bool hasSimulated() const;
    const ShownDevice* find(Device device) const;
    /// All acts that the picture offers, in order.
    std::vector<DevicesWay> ways() const;
};

/// The moment of `run` at t from 0 to 1.
qint64 momentAt(const DevicesRun& run, qreal t);
/// What goes on at that moment, as one sentence; for the picture and for screen readers.
QString devicesCaption(const DevicesModel& model, qreal t);
/// "copy in", "mm": what a piece of work is.
QString workText(const ShownWork& work);
/// "1.00 MB/s", "no limit".
QString linkText(double bytesPerSecond);

} // namespace stridescope
