#include "widgets/stage/stage_cards.h"

#include "core/print/format_element.h"
#include "widgets/card/text_metrics.h"
#include "widgets/stage/stage_scene_parts.h"

#include <QHash>

#include <algorithm>

namespace stridescope {

CardInput stageCardInput(const ExploreState& state, const TensorEntry& entry, QSizeF limit) {
    CardInput input;
    input.entry = &entry;
    input.parent = entry.parent ? state.snapshot->tensor(entry.parent) : nullptr;
    const StorageEntry* storage = state.snapshot->storage(entry.tensor.storage()->id());
    input.storageNumber = storage ? storage->number : 0;
    input.selected = entry.id == state.selection.tensor;
    const std::optional<Pick>& shown = state.selection.shown();
    if (shown && shown->storageId == entry.tensor.storage()->id()) input.shown = shown;
    input.text = state.options.cellText;
    input.unit = state.options.byteStrides ? StrideUnit::Bytes : StrideUnit::Elements;
    input.maxSize = limit;
    if (state.options.heat) {
        input.detail = CardDetail::Picture;
        input.heatRange = heatRange(
            Tensor(entry.tensor.storage(), View{{entry.tensor.storageNumel()}, {1}, 0}, entry.tensor.dtype()));
    }
    const auto found = state.cards.constFind(entry.id);
    if (found == state.cards.cend()) return input;
    input.mode = found->mode;
    if (found->detail != CardDetail::Auto) input.detail = found->detail;
    input.outer = found->outer;
    input.firstRow = found->firstRow;
    input.firstCol = found->firstCol;
    input.firstPanelRow = found->firstPanelRow;
    input.firstPanelCol = found->firstPanelCol;
    return input;
}

CardLayout stageCard(const ExploreState& state, const TensorEntry& entry, QSizeF limit) {
    CardInput input = stageCardInput(state, entry, limit);
    CardLayout card = layoutCard(input);
    // Few rows in sight are worth less than the note and, when it gets tight, than the formula.
    const auto tight = [&] {
        return card.size.height() > limit.height() ||
               (card.shownRows < std::min<Index>(card.rows, 3) && !card.panels.empty());
    };
    if (!tight()) return card;
    input.note = false;
    card = layoutCard(input);
    if (!tight()) return card;
    input.compact = true;
    return layoutCard(input);
}

qreal valueCellWidth(const Tensor& source, qreal least, qreal padding) {
    if (!source.device().isCpu()) return least;
    // Scenes are made on every mouse move; the sample is read again only after a write.
    struct Known {
        quint64 version = 0;
        qsizetype longest = 0;
    };
    static QHash<quint64, Known> known;
    const Storage& storage = *source.storage();
    qsizetype longest = 1;
    const auto found = known.constFind(storage.id());
    if (found != known.cend() && found->version == storage.version()) {
        longest = found->longest;
    } else {
        const Index count = source.storageNumel();
        const Index step = std::max<Index>(1, count / 512);
        std::string text;
        for (Index i = 0; i < count; i += step) {
            text.clear();
            appendElement(text, storage.data() + i * static_cast<Index>(source.itemSize()), source.dtype());
            longest = std::max(longest, static_cast<qsizetype>(text.size()));
        }
        if (known.size() > 64) known.clear();
        known.insert(storage.id(), {storage.version(), longest});
    }
    const qreal wanted = textWidth(FontRole::Cell, QString(longest, QLatin1Char('0'))) + padding;
    return std::max(least, std::ceil(wanted));
}

} // namespace stridescope
