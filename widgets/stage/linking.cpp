#include "widgets/stage/linking.h"

#include "core/print/format_element.h"
#include "core/view/inverse.h"
#include "widgets/card/colours.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/stage_layout.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace stridescope {

namespace {

/// "B[2, 1]".
QString elementName(const TensorEntry& entry, const Dims& coord) {
    return entry.name + coordText(coord);
}

/// ", green of (86, 120, 184)": which colour of a pixel an element is, and all of them; empty where it is none.
QString pixelText(const TensorEntry& entry, const Dims& coord) {
    const View& view = entry.tensor.view();
    const int dim = colourDim(entry.tensor, view);
    if (dim < 0) return {};
    const auto d = static_cast<std::size_t>(dim);
    QStringList values;
    for (Index k = 0; k < view.shape[d]; ++k)
        values << slotValueText(entry.tensor, view.slot(coord) + (k - coord[d]) * view.stride[d]);
    return PaintedText::tr(", %1 of (%2)").arg(colourName(coord[d]), values.join(QStringLiteral(", ")));
}

} // namespace

std::vector<Index> otherColours(const StagePlan& plan, const Pick& pick) {
    std::vector<Index> slots;
    const CardLayout* card = plan.card(pick.tensor);
    if (!card || card->channelDim < 0 || pick.coord.size() != card->view.shape.size()) return slots;
    const auto dim = static_cast<std::size_t>(card->channelDim);
    for (Index k = 0; k < card->view.shape[dim]; ++k) {
        if (k != pick.coord[dim]) slots.push_back(pick.slot + (k - pick.coord[dim]) * card->view.stride[dim]);
    }
    return slots;
}

std::vector<Hop> hopsTo(const View& view, const Dims& coord, Index single) {
    std::vector<Hop> hops;
    Index at = view.offset;
    for (std::size_t d = 0; d < coord.size(); ++d) {
        const Index steps = coord[d], stride = view.stride[d];
        if (steps == 0 || stride == 0) continue;
        if (steps > single) {
            hops.push_back({at, at + steps * stride, static_cast<int>(d), steps});
            at += steps * stride;
            continue;
        }
        for (Index i = 0; i < steps; ++i) {
            hops.push_back({at, at + stride, static_cast<int>(d), 1});
            at += stride;
        }
    }
    return hops;
}

std::vector<Hop> firstHops(const View& view) {
    std::vector<Hop> hops;
    if (view.numel() == 0) return hops;
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        if (view.shape[d] < 2 || view.stride[d] == 0) continue;
        hops.push_back({view.offset, view.offset + view.stride[d], static_cast<int>(d), 1});
    }
    return hops;
}

std::vector<Hop> restingHops(const View& view, const std::optional<Dims>& coord) {
    std::vector<Hop> hops;
    if (view.numel() == 0) return hops;
    Index at = view.offset;
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        const Index steps = coord ? (*coord)[d] : std::min<Index>(view.shape[d] - 1, 1);
        if (coord) at += steps * view.stride[d];
        if (steps > 0 && view.stride[d] == 0) hops.push_back({at, at, static_cast<int>(d), steps});
    }
    return hops;
}

QString slotValueText(const Tensor& tensor, Index slot) {
    if (tensor.device().type != DeviceType::Cpu)
        return PaintedText::tr("on ") + QString::fromStdString(toString(tensor.device()));
    if (slot < 0 || slot >= tensor.storageNumel()) return PaintedText::tr("outside the storage");
    if (const std::optional<quint64> end = shorterFile(tensor); end && !CellValues(tensor).holds(slot))
        return PaintedText::tr("gone: the file ends at byte") + QLatin1Char(' ') + QString::number(*end);
    const std::byte* address = tensor.storage()->data() + slot * static_cast<Index>(tensor.itemSize());
    return QString::fromStdString(elementText(address, tensor.dtype()));
}

namespace {

/// "0 + 2·5 + 2·1 = 12"; of many dims those alone that add something, each with its number: "0 + 1·4 (dim 5) = 4".
QString formulaText(const View& view, const Dims& coord) {
    QString text = QString::number(view.offset);
    constexpr std::size_t kAll = 4;
    const bool some = view.shape.size() > kAll;
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        if (some && coord[d] * view.stride[d] == 0) continue;
        const Index stride = view.stride[d];
        text += QStringLiteral(" + %1·%2")
                    .arg(coord[d])
                    .arg(stride < 0 ? QStringLiteral("(%1)").arg(stride) : QString::number(stride));
        if (some) text += QStringLiteral(" (dim %1)").arg(d);
    }
    return text + QStringLiteral(" = ") + QString::number(view.slot(coord));
}

} // namespace

bool formulaInStatus(const StagePlan& plan, const Selection& selection) {
    const std::optional<Pick>& shown = selection.shown();
    const CardLayout* card = shown && shown->tensor != 0 ? plan.card(shown->tensor) : nullptr;
    return card && card->formula.empty() && plan.formula.empty();
}

QString statusText(const WorkspaceSnapshot& snapshot, const Selection& selection, bool formula) {
    const std::optional<Pick> pick = seenPick(snapshot, selection);
    if (!pick) return {};
    const StorageEntry* storage = snapshot.storage(pick->storageId);
    const std::vector<const TensorEntry*> tensors = snapshot.tensorsOn(pick->storageId);
    const TensorEntry* main = snapshot.tensor(pick->tensor);
    const Tensor& any = main ? main->tensor : tensors.front()->tensor;
    const Index item = static_cast<Index>(any.itemSize());
    QString text = main ? elementName(*main, pick->coord)
                        : PaintedText::tr("storage #%1[%2]").arg(storage->number).arg(pick->slot);
    text += QStringLiteral(" = ") + slotValueText(any, pick->slot);
    if (main) text += pixelText(*main, pick->coord);
    const QString index = formula && main ? formulaText(main->tensor.view(), pick->coord) : QString::number(pick->slot);
    const Index first = pick->slot * item;
    text += item == 1 ? PaintedText::tr("   storage #%1, index %2, byte %3").arg(storage->number).arg(index).arg(first)
                      : PaintedText::tr("   storage #%1, index %2, bytes %3–%4")
                            .arg(storage->number)
                            .arg(index)
                            .arg(first)
                            .arg(first + item - 1);
    // Every element that shares the cell is named or counted; the first of each tensor before the others of any.
    constexpr qsizetype kNamed = 8;
    QStringList same, further;
    qsizetype count = 0;
    bool all = true;
    for (const TensorEntry* entry : tensors) {
        const InverseHits hits = coordsAt(entry->tensor.view(), pick->slot);
        all = all && hits.complete;
        bool unnamed = entry != main;
        for (const Dims& other : hits.coords) {
            if (entry == main && other == pick->coord) continue;
            ++count;
            QStringList& list = std::exchange(unnamed, false) ? same : further;
            if (list.size() <= kNamed) list << elementName(*entry, other);
        }
    }
    same += further;
    if (same.size() > kNamed) same = same.mid(0, kNamed - 1);
    if (count > same.size())
        same << PaintedText::tr("%1 more").arg(all ? countText(count - same.size())
                                                   : PaintedText::tr("over ") + countText(count - same.size()));
    if (!same.isEmpty()) {
        text += PaintedText::tr("   ·   the same cell: ") + same.join(QStringLiteral(", "));
    } else if (!main) {
        text += PaintedText::tr("   ·   no tensor reaches it");
    }
    return text;
}

QString cellDescription(const TensorEntry& entry, const Dims& coord, const CardLayout& card) {
    const Index slot = entry.tensor.view().slot(coord);
    QStringList where;
    const std::size_t n = coord.size();
    const std::vector<int> fromInside = card.dimsFromInside();
    for (std::size_t d = 0; d < n; ++d) {
        const int dim = static_cast<int>(d);
        if (dim == card.channelDim) {
            where << colourName(coord[d]);
            continue;
        }
        const QString name = dim == fromInside[0] ? n == 1 ? PaintedText::tr("element") : PaintedText::tr("column")
                             : n > 1 && dim == fromInside[1] ? PaintedText::tr("row")
                                                             : PaintedText::tr("dim %1 index").arg(d);
        where << name + QLatin1Char(' ') + QString::number(coord[d]);
    }
    if (n == 0) where << PaintedText::tr("the only element");
    return PaintedText::tr("%1 %2, value %3, storage index %4")
        .arg(entry.name, where.join(QLatin1Char(' ')), slotValueText(entry.tensor, slot), QString::number(slot));
}

} // namespace stridescope
