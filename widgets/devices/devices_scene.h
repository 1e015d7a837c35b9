#pragma once
// The picture of a DevicesModel at a moment t of its run: boxes with tensors, links with what travels on them, what was
// refused, and two lanes for each device. A pure function; what can be pointed at, and what a screen reader is told,
// comes with it.

#include "widgets/devices/devices_model.h"
#include "widgets/scene/animation.h"

#include <array>
#include <memory>

namespace stridescope {

enum class DevicesSection : quint8 { Boxes, Refusal, Lanes };
inline constexpr int kDevicesSections = 3;

enum class DevicesSpotKind : quint8 {
    Device,  ///< a box
    Tensor,  ///< in it
    Link,    ///< between the CPU and a device, with its last transfer
    Missing, ///< the dashed box
    Refusal,
    Call, ///< on the host's lane
    Work, ///< on the device's lane
    Wait, ///< the host stands still
    Way,  ///< a line to run: a button
};

struct DevicesSpot {
    DevicesSpotKind kind = DevicesSpotKind::Device;
    QRectF rect;
    int index = -1; ///< of the way
    QString told;   ///< all that it says, in words
};

struct DevicesLook {
    QSizeF size{1000, 700};             ///< height 0: what is needed
    qreal t = 1;                        ///< of the run
    int way = -1;                       ///< the button with the focus or the pointer
    std::optional<DevicesSection> only; ///< presented: this section alone, in all of the room
    int device = 0;                     ///< of presented boxes: which one beside the CPU's; see devicesBoxes()
};

struct DevicesPicture {
    Scene scene;
    std::vector<DevicesSpot> spots; ///< what lies on top last
    std::array<QRectF, kDevicesSections> sections;
    QRectF timeline; ///< from the run's begin to its end
    /// The topmost spot at `p`; null for none.
    const DevicesSpot* at(QPointF p) const;
};

DevicesPicture devicesPicture(const DevicesModel& model, const DevicesLook& look);
/// How many boxes stand beside the CPU's, the dashed ones too.
int devicesBoxes(const DevicesModel& model);
/// From the run's first call to its last moment, for files that move. Not null; its run is not empty.
Animation devicesAnimation(std::shared_ptr<const DevicesModel> model, qreal width);
/// Height that the whole picture needs in that width.
qreal devicesHeight(const DevicesModel& model, qreal width);
inline constexpr qreal kDevicesLeastWidth = 780;

} // namespace stridescope
