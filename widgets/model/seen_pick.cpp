#include "widgets/model/seen_pick.h"

#include "core/view/inverse.h"

#include <algorithm>

namespace stridescope {

std::optional<Dims> linkedCoord(const TensorEntry& entry, const std::optional<Pick>& pick) {
    if (!pick || !entry.tensor.defined() || entry.tensor.storage()->id() != pick->storageId) return std::nullopt;
    if (pick->tensor == entry.id) return pick->coord;
    const InverseHits hits = coordsAt(entry.tensor.view(), pick->slot, 1);
    if (hits.coords.empty()) return std::nullopt;
    return hits.coords.front();
}

std::optional<Pick> seenPick(const WorkspaceSnapshot& snapshot, const Selection& selection) {
    const std::optional<Pick>& pick = selection.shown();
    if (!pick || !snapshot.storage(pick->storageId)) return std::nullopt;
    const std::vector<const TensorEntry*> tensors = snapshot.tensorsOn(pick->storageId);
    // A hidden tensor that is selected has its card, and its storage a strip; it is not what others are named by.
    const bool drawn = std::any_of(tensors.begin(), tensors.end(), [&selection](const TensorEntry* entry) {
        return entry->onStage || entry->id == selection.tensor;
    });
    if (!drawn) return std::nullopt;
    const TensorEntry* own = snapshot.tensor(pick->tensor);
    if (own && own->onStage) return pick;
    const auto speaks = [&pick](const TensorEntry* entry) {
        return entry && entry->onStage && linkedCoord(*entry, pick);
    };
    const TensorEntry* through = snapshot.tensor(selection.tensor);
    if (!speaks(through)) {
        // On the strip the storage itself was picked.
        const auto other = std::find_if(tensors.begin(), tensors.end(), speaks);
        through = own && other != tensors.end() ? *other : nullptr;
    }
    if (!through) return Pick{pick->storageId, pick->slot, 0, {}};
    return Pick{pick->storageId, pick->slot, through->id, *linkedCoord(*through, pick)};
}

} // namespace stridescope
