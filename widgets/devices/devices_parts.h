#pragma once
// What the parts of the Devices picture share. Only the picture's own files include it.

#include "widgets/card/picture_parts.h"
#include "widgets/card/text_metrics.h"
#include "widgets/devices/devices_scene.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/timing/timing_words.h"

namespace stridescope::devices_parts {

using namespace picture_parts;

struct Drawing {
    const DevicesModel& model;
    DevicesLook look;
    DevicesPicture& picture;
    SceneBuilder out;
    qint64 now = 0; ///< the moment
    int ways = 0;   ///< buttons drawn so far

    void spot(DevicesSpotKind kind, const QRectF& rect, const QString& told, int index = -1) {
        picture.spots.push_back({kind, rect, index, told});
    }
};

/// Nanoseconds as "1.20 ms".
inline QString nanoText(qint64 nanoseconds) {
    return secondsText(static_cast<double>(nanoseconds) * 1e-9);
}
inline QString nameOf(Device device) {
    return QString::fromStdString(toString(device));
}
/// The first of `texts` that fits; else the last one, cut.
inline QString fitting(FontRole font, const QStringList& texts, qreal width) {
    for (const QString& text : texts)
        if (textWidth(font, text) <= width) return text;
    return cut(font, texts.last(), width);
}
inline Tone inkOf(Device device) {
    return device.isCpu() ? Tone::Cpu : Tone::Gpu;
}
inline Tone tintOf(Device device) {
    return device.isCpu() ? Tone::CpuTint : Tone::GpuTint;
}

/// The next of DevicesModel::ways() as a button at `corner`; its rectangle. Wider than `most` it is cut.
QRectF appendWay(Drawing& d, const DevicesWay& way, QPointF corner, qreal most, bool primary);
/// A small sign of a chip.
void appendChip(SceneBuilder& out, QPointF centre, Tone tone);
/// "simulated" in a pill whose right end is at `rightMiddle`; its width.
qreal appendSimulated(SceneBuilder& out, QPointF rightMiddle);

// Each draws its section in `room`.
qreal boxesHeight(const DevicesModel& model, qreal width);
void appendBoxes(Drawing& d, const QRectF& room);
qreal refusalHeight(const DevicesModel& model, qreal width);
void appendRefusal(Drawing& d, const QRectF& room);
qreal lanesHeight(const DevicesModel& model, qreal width);
void appendLanes(Drawing& d, const QRectF& room);

} // namespace stridescope::devices_parts
