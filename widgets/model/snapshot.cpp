#include "widgets/model/snapshot.h"

#include <algorithm>

namespace stridescope {

const TensorEntry* WorkspaceSnapshot::tensor(TensorId id) const {
    const auto it = std::find_if(tensors.begin(), tensors.end(), [id](const TensorEntry& e) { return e.id == id; });
    return it == tensors.end() ? nullptr : &*it;
}

const StorageEntry* WorkspaceSnapshot::storage(quint64 storageId) const {
    const auto it = std::find_if(storages.begin(), storages.end(),
                                 [storageId](const StorageEntry& e) { return e.storageId == storageId; });
    return it == storages.end() ? nullptr : &*it;
}

std::vector<const TensorEntry*> WorkspaceSnapshot::tensorsOn(quint64 storageId) const {
    std::vector<const TensorEntry*> found;
    for (const TensorEntry& entry : tensors) {
        if (entry.tensor.defined() && entry.tensor.storage()->id() == storageId) found.push_back(&entry);
    }
    return found;
}

} // namespace stridescope
