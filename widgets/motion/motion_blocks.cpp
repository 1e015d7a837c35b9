#include "widgets/motion/motion_blocks.h"

#include "core/ops/provenance.h"
#include "core/trace/code.h"
#include "core/view/walk.h"
#include "widgets/figures/blocks_figure.h"
#include "widgets/model/words.h"
#include "widgets/motion/motion_sources.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope {

namespace {

/// Between operands: the operator of the line, or a comma.
QString signOf(const OpRecord& record) {
    static constexpr const char* kProducts[] = {"matmul", "mm", "bmm", "mv", "dot"};
    for (const char* name : kProducts)
        if (record.name == name) return QStringLiteral("@");
    const std::string code = code::expression(record, std::vector<std::string>{"a", "b"});
    const bool infix = code.size() > 4 && code.starts_with("a ") && code.ends_with(" b");
    return infix ? QString::fromStdString(code.substr(2, code.size() - 4)) : QStringLiteral(",");
}

Tensor tensorOf(const MotionInput& input, const TensorRecord& side, bool after) {
    const int storage = motion::storageOf(input, side);
    if (storage < 0) return {};
    const MotionStorage& seen = input.storages[static_cast<std::size_t>(storage)];
    // What is only looked at is one storage on both sides, so that its cells can be told again.
    const bool writes = input.record.effect == OpEffect::InPlace;
    const Tensor& values = after && (writes || !seen.before.defined()) ? seen.after : seen.before;
    return values.defined() ? values.withView(side.view) : Tensor();
}

/// Whether every element of `part` is one of `whole`, so that the others can be drawn as left out.
bool isPartOf(const View& part, const View& whole) {
    if (part.shape.size() != whole.shape.size() || part.shape.size() != 3 || !(part.stride == whole.stride))
        return false;
    for (std::size_t d = 0; d < 3; ++d)
        if (part.shape[d] > whole.shape[d]) return false;
    return part.numel() < whole.numel();
}

/// Rings round an element of the first result and round what it comes from.
void ringElement(BlocksFigureInput& figure, const MotionInput& input, const Dims& element) {
    constexpr Index kMostRings = 64;
    const OpRecord& record = input.record;
    const std::size_t made = record.inputs.size();
    figure.items[made].rings.push_back(element);
    const auto ring = [&](std::size_t of, const Dims& coord) { figure.items[of].rings.push_back(coord); };
    // Where values decide, as for a mask, the one that they picked.
    const auto moved = motion::movedFrom(input, 0);
    if (moved) {
        const auto at = static_cast<std::size_t>(motion::positionOf(record.outputs[0].view.shape, element));
        const motion::Source& source = (*moved)[at];
        ring(source.input, coordOfPosition(record.inputs[source.input].view, source.position));
    }
    for (const SourceBox& box : moved ? std::vector<SourceBox>() : sourcesOf(record, 0, element).boxes) {
        const Index count = std::min(box.numel(), kMostRings);
        const View whole = *contiguousView(box.length);
        for (Index k = 0; k < count; ++k) {
            Dims coord = coordOfPosition(whole, k);
            for (std::size_t d = 0; d < coord.size(); ++d) coord[d] += box.start[d];
            ring(box.input, coord);
        }
    }
    const QString name = input.outputs[0].name.isEmpty() ? PaintedText::tr("the result") : input.outputs[0].name;
    const bool alone = std::all_of(figure.items.begin(), figure.items.begin() + static_cast<std::ptrdiff_t>(made),
                                   [](const BlockFigureItem& item) { return item.rings.empty(); });
    figure.ringCaption = alone ? PaintedText::tr("%1%2").arg(name, coordText(element))
                               : PaintedText::tr("%1%2, and what it comes from").arg(name, coordText(element));
}

} // namespace

Result<Scene> motionBlocks(const MotionInput& input, qreal maxWidth, const std::optional<Dims>& element) {
    const OpRecord& record = input.record;
    BlocksFigureInput figure;
    figure.maxWidth = maxWidth;
    const auto add = [&](const MotionTensor& side, bool after, const QString& sign, const QString& code) {
        BlockFigureItem item;
        item.tensor = tensorOf(input, side.record, after);
        item.code = code;
        item.colour = std::max(side.colour, 0);
        item.sign = sign;
        figure.items.push_back(std::move(item));
    };
    const bool inPlace = record.effect == OpEffect::InPlace;
    for (std::size_t i = 0; i < record.inputs.size(); ++i)
        add(input.inputs[i], false, i == 0 ? QString() : signOf(record), input.inputs[i].name);
    for (std::size_t o = 0; o < record.outputs.size(); ++o) {
        const bool first = o == 0;
        const bool computes = record.inputs.size() > 1 && !inPlace;
        const QString sign = record.inputs.empty() ? QString()
                             : !first              ? QStringLiteral(",")
                             : computes            ? QStringLiteral("=")
                                                   : QStringLiteral("→");
        QString code = first ? input.code : input.outputs[o].name;
        add(input.outputs[o], true, sign, code);
        BlockFigureItem& item = figure.items.back();
        if (record.effect == OpEffect::View && isPartOf(record.outputs[o].view, record.inputs[0].view))
            item.parent = record.inputs[0].view;
        const View& view = record.outputs[o].view;
        item.note = PaintedText::tr("size %1 · stride %2 · offset %3")
                        .arg(shapeText(view.shape), shapeText(view.stride))
                        .arg(view.offset);
        const Index bytes = view.numel() * static_cast<Index>(itemSize(record.outputs[o].dtype));
        if (record.effect == OpEffect::Alloc)
            item.note += PaintedText::tr(" · new storage, %1").arg(bytesText(static_cast<quint64>(bytes)));
    }
    const bool known = std::all_of(figure.items.begin(), figure.items.end(),
                                   [](const BlockFigureItem& item) { return item.tensor.defined(); });
    if (!known)
        return Refusal{ErrorKind::Value,
                       "FIG-02",
                       "the elements of " + input.code.toStdString() + " are not known any more, or are too many",
                       "Give the tensors names, so that they are kept.",
                       {}};
    // The first row of the first tensor, wherever it is seen again.
    if (element && !record.outputs.empty())
        ringElement(figure, input, *element);
    else if (record.effect == OpEffect::View && !record.inputs.empty()) {
        const View& view = record.inputs[0].view;
        figure.ringStorage = figure.items[0].tensor.storage()->id();
        const Index columns = view.shape.empty() ? 1 : view.shape[view.shape.size() - 1];
        const Index first = view.shape.size() >= 3 && view.shape[view.shape.size() - 2] > 1 ? 1 : 0;
        for (Index c = 0; c < columns; ++c) {
            Dims coord(view.shape.size(), 0);
            if (!coord.empty()) coord[coord.size() - 1] = c;
            if (coord.size() >= 2) coord[coord.size() - 2] = std::min(first, view.shape[coord.size() - 2] - 1);
            figure.ringSlots.push_back(view.slot(coord));
        }
        QStringList items;
        for (std::size_t d = 0; d + 1 < view.shape.size(); ++d)
            items << QString::number(d + 2 == view.shape.size() ? std::min(first, view.shape[d] - 1) : 0);
        items << QStringLiteral(":");
        figure.ringCaption = PaintedText::tr("%1[%2], the same cells everywhere")
                                 .arg(input.inputs[0].name, items.join(QStringLiteral(", ")));
    }
    return blocksFigureScene(figure);
}

} // namespace stridescope
