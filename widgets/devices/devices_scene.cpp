#include "widgets/devices/devices_scene.h"

#include "widgets/devices/device_log.h"
#include "widgets/devices/devices_parts.h"

#include <algorithm>

namespace stridescope {

namespace {

using namespace devices_parts;

constexpr qreal kMargin = 20, kTop = 14, kGap = 16;

struct Places {
    QRectF boxes, refusal, lanes;
    qreal bottom = 0;
};

Places placesFor(const DevicesModel& model, qreal asked) {
    Places p;
    const qreal width = std::max(asked, kDevicesLeastWidth) - 2 * kMargin;
    p.boxes = QRectF(kMargin, kTop, width, boxesHeight(model, width));
    qreal y = p.boxes.bottom() + kGap;
    if (model.refusal) {
        p.refusal = QRectF(kMargin, y, width, refusalHeight(model, width));
        y = p.refusal.bottom() + kGap;
    }
    p.lanes = QRectF(kMargin, y, width, lanesHeight(model, width));
    p.bottom = p.lanes.bottom() + kTop;
    return p;
}

} // namespace

const DevicesSpot* DevicesPicture::at(QPointF p) const {
    for (auto spot = spots.rbegin(); spot != spots.rend(); ++spot)
        if (spot->rect.contains(p)) return &*spot;
    return nullptr;
}

qreal devicesHeight(const DevicesModel& model, qreal width) {
    return placesFor(model, width).bottom;
}

DevicesPicture devicesPicture(const DevicesModel& model, const DevicesLook& look) {
    DevicesPicture picture;
    const Places p = placesFor(model, look.size.width());
    picture.scene.size =
        look.only ? look.size
                  : QSizeF(std::max(look.size.width(), kDevicesLeastWidth), std::max(look.size.height(), p.bottom));
    QStringList names;
    for (const ShownDevice& each : model.devices)
        names << (each.simulated ? PaintedText::tr("%1 (simulated)").arg(each.name()) : each.name());
    picture.scene.title = PaintedText::tr("Devices: %1").arg(names.join(QStringLiteral(", ")));
    Drawing d{model, look, picture, SceneBuilder(picture.scene), momentAt(model.run, look.t), 0};
    const auto section = [&](DevicesSection which, const QRectF& room, void (*append)(Drawing&, const QRectF&)) {
        if (look.only ? *look.only != which : room.isEmpty()) return;
        const QRectF whole(QPointF(kMargin, kTop), look.size - QSizeF(2 * kMargin, 2 * kTop));
        picture.sections[static_cast<std::size_t>(which)] = look.only ? whole : room;
        append(d, look.only ? whole : room);
    };
    section(DevicesSection::Boxes, p.boxes, appendBoxes);
    section(DevicesSection::Refusal, p.refusal, appendRefusal);
    section(DevicesSection::Lanes, p.lanes, appendLanes);
    return picture;
}

Animation devicesAnimation(std::shared_ptr<const DevicesModel> model, qreal width) {
    const DevicesMoments moments = devicesMoments(model->run);
    Animation animation;
    animation.title = model->run.code;
    animation.seconds = moments.times.seconds;
    animation.stops = moments.times.stops;
    animation.rests = moments.times.stageEnds;
    animation.at = [model, width](qreal t) {
        DevicesLook look;
        look.size = QSizeF(width, 0);
        look.t = t;
        return devicesPicture(*model, look).scene;
    };
    animation.caption = [model](qreal t) { return devicesCaption(*model, t); };
    return animation;
}

namespace devices_parts {

QRectF appendWay(Drawing& d, const DevicesWay& way, QPointF corner, qreal most, bool primary) {
    const int index = d.ways++;
    const QString shown = cut(FontRole::Code, way.label.isEmpty() ? way.line : way.label, most - 28);
    const QRectF rect(corner, QSizeF(textWidth(FontRole::Code, shown) + 28, 28));
    const bool lit = d.look.way == index;
    BoxItem box;
    box.rect = rect;
    box.fill = primary ? Tone::Primary : Tone::Stage;
    box.outline = lit ? Tone::Ink : Tone::Control;
    box.width = lit ? 2.5 : 1;
    box.radius = 6;
    box.halo = lit;
    d.out.box(box, PartKind::Button, index);
    d.out.text(QPointF(rect.center().x(), rect.top() + 18.5), shown, FontRole::Code,
               primary ? Tone::PrimaryText : Tone::Ink, kCentre);
    d.spot(DevicesSpotKind::Way, rect,
           way.note.isEmpty() ? PaintedText::tr("Run %1").arg(way.line)
                              : PaintedText::tr("Run %1: %2").arg(way.line, way.note),
           index);
    return rect;
}

void appendChip(SceneBuilder& out, QPointF centre, Tone tone) {
    PathItem chip;
    const qreal r = 5.5;
    chip.path.addRoundedRect(QRectF(centre - QPointF(r, r), QSizeF(2 * r, 2 * r)), 1.5, 1.5);
    chip.path.addRect(QRectF(centre - QPointF(2, 2), QSizeF(4, 4)));
    for (const qreal at : {-2.5, 2.5}) {
        for (const int side : {-1, 1}) {
            chip.path.moveTo(centre + QPointF(at, side * r));
            chip.path.lineTo(centre + QPointF(at, side * (r + 3)));
            chip.path.moveTo(centre + QPointF(side * r, at));
            chip.path.lineTo(centre + QPointF(side * (r + 3), at));
        }
    }
    chip.stroke = tone;
    chip.width = 1.5;
    out.path(chip);
}

qreal appendSimulated(SceneBuilder& out, QPointF rightMiddle) {
    const QString word = PaintedText::tr("simulated");
    const qreal width = textWidth(FontRole::LabelStrong, word) + 20;
    appendPill(out, rightMiddle - QPointF(width, 0), word, width + 1, Tone::NoteTint, Tone::Control);
    return width;
}

} // namespace devices_parts

} // namespace stridescope
