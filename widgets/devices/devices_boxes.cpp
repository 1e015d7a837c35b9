// The boxes of the devices with the tensors in each, the links between them, and what travels there at the moment.

#include "widgets/devices/devices_parts.h"

#include <algorithm>

namespace stridescope::devices_parts {

namespace {

constexpr qreal kHead = 40, kMemory = 34, kEmpty = 40, kBetween = 24, kBottom = 12, kMore = 18;
constexpr QSizeF kCell{34, 22};
constexpr qreal kPlain = 44; ///< of a tensor without cells
constexpr std::size_t kMostTensors = 5, kMostDrawn = 2;
constexpr Index kMostRows = 3, kMostColumns = 8;

/// Its cells are drawn: what is small enough to be read beside others.
bool isDrawn(const ShownTensor& each, std::size_t place) {
    const Dims& shape = each.tensor.shape();
    if (place >= kMostDrawn || each.lost || shape.size() > 2 || each.tensor.numel() == 0) return false;
    const Index columns = shape.empty() ? 1 : shape[shape.size() - 1], rows = shape.size() == 2 ? shape[0] : 1;
    return rows <= kMostRows && columns <= kMostColumns;
}

qreal heightOf(const ShownTensor& each, std::size_t place) {
    qreal height = kPlain;
    if (isDrawn(each, place)) {
        const Dims& shape = each.tensor.shape();
        height += kCell.height() * static_cast<qreal>(shape.size() == 2 ? shape[0] : 1) + 4;
    }
    return height;
}

qreal heightOf(const ShownDevice& device) {
    qreal height = kHead + kMemory + kBottom + (device.failure.isEmpty() ? 0 : 36);
    const std::size_t shown = std::min(device.tensors.size(), kMostTensors);
    for (std::size_t i = 0; i < shown; ++i) height += heightOf(device.tensors[i], i);
    if (device.tensors.size() > shown) height += kMore;
    if (device.tensors.empty()) height += kEmpty;
    return height;
}

constexpr qreal kMissing = 116, kMissingBrief = 62, kOff = 150, kCheck = 34;
bool isGpuMissing(const DevicesModel& model) {
    return model.gpuKnown && !model.gpuMissing.isEmpty();
}
/// The dashed box where no GPU is; brief beside simulated ones.
qreal missingHeight(const DevicesModel& model) {
    if (!isGpuMissing(model)) return 0;
    return model.hasSimulated() ? kMissingBrief : kMissing + kCheck * static_cast<qreal>(model.checks.size());
}

struct Columns {
    qreal cpu, link, device;
};
Columns columnsFor(qreal width) {
    const qreal link = std::clamp(width * 0.19, width < 600 ? 110.0 : 150.0, 240.0);
    const qreal cpu = (width - link) * 0.45;
    return {cpu, link, width - link - cpu};
}

void appendMemory(Drawing& d, const ShownDevice& device, const QRectF& room) {
    quint64 named = 0;
    for (const ShownTensor& each : device.tensors) named += each.lost ? 0 : each.bytes;
    QString words;
    if (device.device.isCpu()) {
        words = fitting(FontRole::Label,
                        {PaintedText::tr("%1 in tensors that have a name").arg(bytesText(named)),
                         PaintedText::tr("%1 in tensors").arg(bytesText(named))},
                        room.width());
    } else if (device.total == 0) {
        words = PaintedText::tr("memory in use is not told");
    } else {
        const QRectF bar(room.left(), room.top() + 2, room.width(), 8);
        appendBox(d.out, bar, Tone::Inset, Tone::Control, 4);
        const qreal used = bar.width() * static_cast<qreal>(device.allocated) / static_cast<qreal>(device.total);
        if (device.allocated > 0)
            appendBox(d.out, QRectF(bar.topLeft(), QSizeF(std::clamp(used, 3.0, bar.width()), 8)), Tone::Gpu,
                      Tone::None, 4);
        words = PaintedText::tr("%1 of %2 in use").arg(bytesText(device.allocated), bytesText(device.total));
        if (device.nameless() > 0)
            words += PaintedText::tr(", %1 of them without a name").arg(bytesText(device.nameless()));
    }
    d.out.text(QPointF(room.left(), room.top() + (device.device.isCpu() ? 14 : 25)),
               cut(FontRole::Label, words, room.width()), FontRole::Label, Tone::Ink2);
}

QString toldOf(const ShownTensor& each, const QString& where) {
    QString told = PaintedText::tr("%1: %2, size %3, %4, on %5")
                       .arg(each.name, dtypeText(each.tensor.dtype()), shapeText(each.tensor.shape()),
                            bytesText(static_cast<quint64>(each.tensor.nbytes())), where);
    if (each.lost) told += PaintedText::tr(", lost: the device was started anew");
    return told;
}

qreal appendTensor(Drawing& d, const ShownDevice& device, const ShownTensor& each, std::size_t place,
                   const QRectF& room) {
    // Narrower cells would have no room for their numbers.
    const Dims& shape = each.tensor.shape();
    const auto columns = static_cast<qreal>(shape.empty() ? 1 : shape[shape.size() - 1]);
    const bool drawn = isDrawn(each, place) && columns * kCell.width() + 2 <= room.width();
    const qreal height = drawn ? heightOf(each, place) : kPlain;
    const QString bytes = bytesText(static_cast<quint64>(each.tensor.nbytes()));
    const qreal bytesWidth = textWidth(FontRole::MetaStrong, bytes);
    d.out.text(QPointF(room.right(), room.top() + 16), bytes, FontRole::MetaStrong, Tone::Ink, kRight);
    const qreal free = room.width() - bytesWidth - 10;
    const QString name = cut(FontRole::CodeStrong, each.name, free * 0.6);
    const qreal nameWidth = d.out.text(room.topLeft() + QPointF(0, 16), name, FontRole::CodeStrong);
    const QString size = shapeText(each.tensor.shape());
    const QStringList types{dtypeText(each.tensor.dtype()) + QLatin1Char(' ') + size, size};
    d.out.text(room.topLeft() + QPointF(nameWidth + 10, 16), fitting(FontRole::Meta, types, free - nameWidth - 10),
               FontRole::Meta, Tone::Ink2);
    const QString layout =
        PaintedText::tr("stride %1 · offset %2").arg(shapeText(each.tensor.stride())).arg(each.tensor.storageOffset());
    QStringList facts{layout + PaintedText::tr(" · %1 of storage").arg(bytesText(each.bytes)), layout,
                      PaintedText::tr("stride %1").arg(shapeText(each.tensor.stride()))};
    if (each.lost) {
        d.out.glyph(Glyph::Cross, room.topLeft() + QPointF(5, 29), 9, Tone::Error);
        facts = {PaintedText::tr("lost: %1 was started anew").arg(device.name()), PaintedText::tr("lost")};
    }
    d.out.text(room.topLeft() + QPointF(each.lost ? 16 : 0, 33),
               fitting(FontRole::Label, facts, room.width() - (each.lost ? 16 : 0)), FontRole::Label, Tone::Ink2);
    if (drawn) {
        const View& view = each.tensor.view();
        const std::size_t dims = view.shape.size();
        GridItem grid;
        grid.rows = dims == 2 ? view.shape[0] : 1;
        grid.cols = dims == 0 ? 1 : view.shape[dims - 1];
        grid.cell = kCell;
        grid.origin = room.topLeft() + QPointF(1, 40);
        grid.area = QRectF(grid.origin, QSizeF(grid.cell.width() * static_cast<qreal>(grid.cols),
                                               kCell.height() * static_cast<qreal>(grid.rows)))
                        .adjusted(-1, -1, 1, 1);
        grid.base = view.offset;
        grid.rowStride = dims == 2 ? view.stride[0] : 0;
        grid.colStride = dims == 0 ? 0 : view.stride[dims - 1];
        grid.source = each.tensor;
        grid.colour = device.device.isCpu() ? 0 : 1;
        d.out.item(grid);
    }
    d.spot(DevicesSpotKind::Tensor, QRectF(room.topLeft(), QSizeF(room.width(), height - 2)),
           toldOf(each, device.name()));
    return room.top() + height;
}

void appendDevice(Drawing& d, const ShownDevice& device, const QRectF& box) {
    const Tone ink = inkOf(device.device);
    appendBox(d.out, box, Tone::Stage, Tone::None, 12);
    PathItem head; // rounded above, straight below
    head.path.moveTo(box.left(), box.top() + kHead);
    head.path.lineTo(box.left(), box.top() + 12);
    head.path.quadTo(box.left(), box.top(), box.left() + 12, box.top());
    head.path.lineTo(box.right() - 12, box.top());
    head.path.quadTo(box.right(), box.top(), box.right(), box.top() + 12);
    head.path.lineTo(box.right(), box.top() + kHead);
    head.path.closeSubpath();
    head.fill = tintOf(device.device);
    head.stroke = Tone::None;
    d.out.path(head);
    appendBox(d.out, box, Tone::None, device.failure.isEmpty() ? ink : Tone::Error, 12, 2);

    const qreal left = box.left() + 16, right = box.right() - 16;
    const bool roomy = box.width() >= 210;
    if (roomy) appendChip(d.out, QPointF(left + 8, box.top() + kHead / 2), ink);
    const QString title = device.device.isCpu() ? QStringLiteral("CPU") : device.name();
    qreal x = left + (roomy ? 26 : 0);
    x += d.out.text(QPointF(x, box.top() + 25), title, FontRole::Heading, ink) + 12;
    const qreal pill = device.simulated ? appendSimulated(d.out, QPointF(right, box.top() + kHead / 2)) + 10 : 0;
    // What a simulated one is called says the pill.
    if (!device.simulated) {
        const bool fits = device.brief.isEmpty() || textWidth(FontRole::Label, device.about) <= right - x;
        d.out.text(QPointF(x, box.top() + 25),
                   cut(FontRole::Label, fits ? device.about : device.brief, right - pill - x), FontRole::Label,
                   Tone::Ink2);
    }
    QString told = device.device.isCpu() ? PaintedText::tr("CPU, %1").arg(device.about)
                   : device.simulated
                       ? PaintedText::tr("%1, simulated: its times say nothing about a GPU").arg(device.name())
                       : PaintedText::tr("%1, %2").arg(device.name(), device.about);
    if (device.total > 0)
        told += PaintedText::tr(", %1 of %2 in use").arg(bytesText(device.allocated), bytesText(device.total));
    told += PaintedText::tr(", %n tensors", nullptr, static_cast<int>(device.tensors.size()));
    if (!device.failure.isEmpty()) told += PaintedText::tr(", failed: %1").arg(device.failure);
    d.spot(DevicesSpotKind::Device, box, told);

    qreal y = box.top() + kHead + 8;
    appendMemory(d, device, QRectF(left, y, right - left, kMemory));
    y += kMemory - 2;
    if (!device.failure.isEmpty()) {
        d.out.glyph(Glyph::Cross, QPointF(left + 6, y + 8), 11, Tone::Error);
        appendWords(d.out, QPointF(left + 20, y), device.failure, right - left - 20, Tone::Ink, 2);
        y += 36;
    }
    // A presented box may have less room than it asks for.
    std::size_t shown = 0;
    while (shown < std::min(device.tensors.size(), kMostTensors)) {
        const qreal more = shown + 1 < device.tensors.size() ? kMore : 0;
        if (y + heightOf(device.tensors[shown], shown) + more > box.bottom() - 6) break;
        y = appendTensor(d, device, device.tensors[shown], shown, QRectF(left, y, right - left, 0));
        ++shown;
    }
    if (device.tensors.size() > shown)
        d.out.text(QPointF(left, y + 12), PaintedText::tr("and %1 more").arg(device.tensors.size() - shown),
                   FontRole::Label, Tone::Ink2);
    if (device.tensors.empty())
        appendWords(d.out, QPointF(left, y),
                    device.device.isCpu()
                        ? PaintedText::tr("No tensor has a name yet: x = torch.ones(2, 3) makes one.")
                        : PaintedText::tr("No tensor is here: x.to(\"%1\") puts a copy of x here.").arg(device.name()),
                    right - left, Tone::Ink2, 2);
}

/// The last copy that had begun at the moment, of those that touch the device.
const ShownWork* lastCopy(const Drawing& d, Device device, bool peer) {
    const ShownWork* last = nullptr;
    for (const ShownWork& each : d.model.run.work) {
        if (!each.isCopy() || each.kind == DeviceWork::OnDevice || each.startedAt == 0 || each.startedAt > d.now)
            continue;
        if (each.device != device || (each.kind == DeviceWork::Peer) != peer) continue;
        if (!last || each.startedAt >= last->startedAt) last = &each;
    }
    return last;
}

/// How far the bytes are: 0 to 1.
qreal progressOf(const Drawing& d, const ShownWork& copy) {
    if (copy.endedAt == 0 || d.now >= copy.endedAt) return copy.endedAt == 0 ? 0.5 : 1;
    return std::clamp(static_cast<qreal>(d.now - copy.startedAt) / static_cast<qreal>(copy.endedAt - copy.startedAt),
                      0.0, 1.0);
}

void appendLink(Drawing& d, const ShownDevice& device, const QRectF& room, qreal y) {
    const QRectF bus(room.left(), y - 12, room.width(), 24);
    appendBox(d.out, bus, Tone::Inset, Tone::Control, 0);
    const ShownWork* copy = lastCopy(d, device.device, false);
    const bool out = copy && copy->kind == DeviceWork::DeviceToHost;
    const QPointF from(out ? bus.right() - 12 : bus.left() + 12, y), to(out ? bus.left() + 8 : bus.right() - 8, y);
    d.out.line(from, to, copy ? Tone::Ink : Tone::Ghost, 2, copy ? LineStyle::Solid : LineStyle::Dashed, true);
    const QString medium = device.simulated ? PaintedText::tr("simulated link") : QStringLiteral("PCIe");
    const qreal middle = bus.center().x();
    const auto line = [&](qreal baseline, const QStringList& texts, FontRole font, Tone tone) {
        d.out.text(QPointF(middle, baseline), fitting(font, texts, room.width() - 8), font, tone, kCentre);
    };
    line(bus.top() - 24, {medium}, FontRole::LabelStrong, Tone::Ink);
    line(bus.top() - 8, {device.simulated ? linkText(device.link) : QString()}, FontRole::Label, Tone::Ink2);
    QString told = medium + (device.simulated ? QStringLiteral(", ") + linkText(device.link) : QString());
    if (copy) {
        const qreal u = progressOf(d, *copy), width = 44;
        const qreal x = from.x() + (to.x() - from.x()) * u;
        BoxItem packet;
        packet.rect =
            QRectF(std::clamp(x - width / 2, bus.left() + 4, bus.right() - width - 4), bus.top() + 3, width, 18);
        packet.fill = out ? Tone::ViewB : Tone::ViewA;
        packet.outline = Tone::Ink;
        packet.width = 2;
        packet.radius = 3;
        d.out.box(packet);
        for (int i = 1; i < 4; ++i)
            d.out.line(packet.rect.topLeft() + QPointF(width * i / 4, 2),
                       packet.rect.bottomLeft() + QPointF(width * i / 4, -2), Tone::OnView, 1);
        const bool done = u >= 1 && copy->endedAt != 0;
        line(bus.bottom() + 18,
             {done ? PaintedText::tr("%1 moved").arg(bytesText(copy->bytes))
                   : PaintedText::tr("%1 on the way").arg(bytesText(copy->bytes))},
             FontRole::LabelStrong, Tone::Ink);
        told += QStringLiteral(": ") +
                (out ? PaintedText::tr("%1 from %2 to the CPU") : PaintedText::tr("%1 from the CPU to %2"))
                    .arg(bytesText(copy->bytes), device.name());
        if (done) {
            const qint64 took = copy->endedAt - copy->startedAt;
            line(bus.bottom() + 34, {PaintedText::tr("%1, measured").arg(nanoText(took)), nanoText(took)},
                 FontRole::Label, Tone::Ink2);
            told += PaintedText::tr(" in %1, measured").arg(nanoText(took));
            if (device.link > 0) {
                const double alone = static_cast<double>(copy->bytes) / device.link;
                line(bus.bottom() + 50,
                     {PaintedText::tr("the link alone: %1").arg(secondsText(alone)),
                      PaintedText::tr("link: %1").arg(secondsText(alone))},
                     FontRole::Label, Tone::Ink2);
            }
        }
    } else {
        line(bus.bottom() + 18, {PaintedText::tr("nothing moved in this run"), PaintedText::tr("nothing moved")},
             FontRole::Label, Tone::Ink2);
        told += PaintedText::tr(": nothing moved in this run");
    }
    d.spot(DevicesSpotKind::Link, QRectF(room.left(), bus.top() - 36, room.width(), 92), told);
}

/// A dashed frame with a title and words.
void appendDashed(Drawing& d, const QRectF& frame, const QString& title, const QString& words, const QString& more,
                  qreal bottom) {
    BoxItem box;
    box.rect = frame;
    box.outline = Tone::Gpu;
    box.style = LineStyle::Dashed;
    box.width = 2;
    box.radius = 12;
    d.out.box(box);
    const qreal left = frame.left() + 16, width = frame.width() - 32;
    appendChip(d.out, QPointF(left + 8, frame.top() + 20), Tone::Gpu);
    d.out.text(QPointF(left + 26, frame.top() + 25), cut(FontRole::Heading, title, width - 26), FontRole::Heading);
    qreal y =
        appendWords(d.out, QPointF(left, frame.top() + 32), words, width, Tone::Ink, frame.height() < kMissing ? 1 : 2);
    if (!more.isEmpty() && y + 18 < bottom)
        appendWords(d.out, QPointF(left, y + 2), more, width, Tone::Ink2,
                    std::max(1, static_cast<int>((bottom - 2 - y) / 16)));
    d.spot(DevicesSpotKind::Missing, frame, title + QStringLiteral(". ") + words + QLatin1Char(' ') + more);
}

} // namespace

namespace {

/// What stands beside the CPU's box, from above.
struct Beside {
    const ShownDevice* device = nullptr; ///< null: a dashed box
    bool off = false;                    ///< of those: the simulated device's, else the missing GPU's
    qreal height = 0;
};
std::vector<Beside> besideOf(const DevicesModel& model) {
    std::vector<Beside> all;
    for (const ShownDevice& each : model.devices)
        if (!each.device.isCpu()) all.push_back({&each, false, heightOf(each)});
    if (!model.hasSimulated()) all.push_back({nullptr, true, kOff});
    if (const qreal missing = missingHeight(model); missing > 0) all.push_back({nullptr, false, missing});
    return all;
}

void appendOff(Drawing& d, const QRectF& frame) {
    const bool can = d.model.pythonMissing.isEmpty();
    appendDashed(d, frame, PaintedText::tr("Simulated device: off"),
                 can ? PaintedText::tr("It behaves as a GPU does, on this CPU; its times say nothing about one.")
                     : PaintedText::tr("It lives in Python, and Python cannot be used: %1").arg(d.model.pythonMissing),
                 {}, frame.bottom());
    if (!can || d.model.enableLine.isEmpty()) return;
    const qreal left = frame.left() + 16;
    qreal y = frame.top() + 80;
    for (const QString& line : wrapCode(FontRole::Code, d.model.enableLine, frame.width() - 32, 2)) {
        d.out.text(QPointF(left, y), line, FontRole::Code);
        y += 18;
    }
    appendWay(d, {d.model.enableLine, PaintedText::tr("switches it on"), PaintedText::tr("Switch on")},
              QPointF(left, frame.bottom() - 40), frame.width() - 32, true);
}

void appendMissing(Drawing& d, const QRectF& frame, const QRectF& linkRoom) {
    appendDashed(d, frame, PaintedText::tr("No GPU found"), d.model.gpuMissing, d.model.remedy,
                 d.model.hasSimulated() ? frame.bottom() - 6 : frame.top() + kMissing - 12);
    if (!d.model.hasSimulated()) {
        qreal line = frame.top() + kMissing - 12;
        for (const DevicesModel::Check& check : d.model.checks) {
            d.out.glyph(check.ok ? Glyph::Check : Glyph::Cross, QPointF(frame.left() + 22, line + 8), 10,
                        check.ok ? Tone::Right : Tone::Error);
            appendWords(d.out, QPointF(frame.left() + 36, line), check.what + QStringLiteral(": ") + check.found,
                        frame.width() - 52, Tone::Ink, 2);
            line += kCheck;
        }
    }
    const QPointF middle(linkRoom.center().x(), frame.center().y());
    d.out.line(QPointF(linkRoom.left(), middle.y()), QPointF(linkRoom.right(), middle.y()), Tone::Ghost, 2,
               LineStyle::Dashed);
    PathItem ring;
    ring.path.addEllipse(middle, 12, 12);
    ring.fill = Tone::Stage;
    ring.stroke = Tone::Error;
    d.out.path(ring);
    d.out.glyph(Glyph::Cross, middle, 11, Tone::Error);
}

/// A copy from one device to another, between their boxes.
void appendPeer(Drawing& d, const ShownWork& copy, const QRectF& sender, const QRectF& receiver) {
    const bool down = receiver.top() > sender.top();
    const QPointF from(sender.left() + 40, down ? sender.bottom() : sender.top());
    const QPointF end(from.x(), down ? receiver.top() : receiver.bottom());
    d.out.line(from, end, Tone::Ink, 3, LineStyle::Solid, true);
    const QString words = PaintedText::tr("%1 from %2 to %3, %4")
                              .arg(bytesText(copy.bytes), nameOf(copy.device), nameOf(copy.other),
                                   copy.endedAt != 0 && copy.endedAt <= d.now ? nanoText(copy.endedAt - copy.startedAt)
                                                                              : PaintedText::tr("on the way"));
    d.out.text(QPointF(from.x() + 12, (from.y() + end.y()) / 2 + 4), cut(FontRole::Label, words, sender.width() - 60),
               FontRole::Label, Tone::Ink);
    d.spot(DevicesSpotKind::Link, QRectF(from.x() - 8, std::min(from.y(), end.y()), sender.width() - 40, kBetween),
           words);
}

} // namespace

qreal boxesHeight(const DevicesModel& model, qreal) {
    const ShownDevice* cpu = model.find({});
    qreal others = 0;
    for (const Beside& each : besideOf(model)) others += each.height + kBetween;
    return std::max({cpu ? heightOf(*cpu) : 0.0, others - kBetween, 150.0});
}

void appendBoxes(Drawing& d, const QRectF& room) {
    const Columns columns = columnsFor(room.width());
    std::vector<Beside> beside = besideOf(d.model);
    qreal height = boxesHeight(d.model, room.width());
    if (d.look.only) {
        height = room.height();
        if (!beside.empty()) {
            beside = {beside[std::min(static_cast<std::size_t>(std::max(d.look.device, 0)), beside.size() - 1)]};
            if (beside[0].device) beside[0].height = height;
        }
    }
    const QRectF linkRoom(room.left() + columns.cpu, room.top(), columns.link, height);
    if (const ShownDevice* cpu = d.model.find({}))
        appendDevice(d, *cpu, QRectF(room.left(), room.top(), columns.cpu, height));
    qreal y = room.top();
    std::vector<std::pair<const ShownDevice*, QRectF>> placed;
    for (const Beside& each : beside) {
        const QRectF box(linkRoom.right(), y, columns.device, each.height);
        y = box.bottom() + kBetween;
        if (each.device) {
            // At half of a low box there is room for what is said above and below the bus.
            appendLink(d, *each.device, linkRoom, box.top() + std::min(box.height() / 2, 70.0));
            appendDevice(d, *each.device, box);
            placed.emplace_back(each.device, box);
        } else if (each.off) {
            appendOff(d, box);
        } else {
            appendMissing(d, box, linkRoom);
        }
    }
    for (const auto& [device, box] : placed) {
        const ShownWork* copy = lastCopy(d, device->device, true);
        const auto to = std::find_if(placed.begin(), placed.end(),
                                     [&](const auto& each) { return copy && each.first->device == copy->other; });
        if (to != placed.end()) appendPeer(d, *copy, box, to->second);
    }
}

} // namespace stridescope::devices_parts

namespace stridescope {

int devicesBoxes(const DevicesModel& model) {
    return static_cast<int>(devices_parts::besideOf(model).size());
}

} // namespace stridescope
