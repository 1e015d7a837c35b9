#pragma once
// What widgets draw: immutable pictures of the workspace. The app makes them; widgets never run operations.

#include "core/tensor/tensor.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace stridescope {

/// Identity of a name in the workspace; never repeated, 0 is none.
using TensorId = quint64;

/// How a tensor came to be, for badges and the family tree.
enum class Origin : quint8 {
    Base, ///< made or opened: the first tensor on its storage
    View, ///< a view of `parent`
    Copy, ///< elements of `parent` in a new storage
};

struct TensorEntry {
    TensorId id = 0;
    QString name; ///< "A"; a valid Python identifier
    QString code; ///< the expression that made it: "A.narrow(1, 1, 2)", "torch.arange(20)"
    TensorId parent = 0;
    Origin origin = Origin::Base;
    Tensor tensor;
    bool onStage = true;
    /// 0 … 3: which of the four view fills and badges; -1: neutral (more than four on stage, or hidden).
    int colour = -1;
    QChar letter; ///< on the badge; null where colour is -1
};

struct StorageEntry {
    quint64 storageId = 0;        ///< Storage::id()
    int number = 0;               ///< "storage #1": small, given once, never reused in a session
    DType dtype = DType::Float32; ///< of the first tensor on it: the unit in which the strip is drawn
    QString origin;               ///< file name, or empty
};

/// The whole workspace at one moment.
struct WorkspaceSnapshot {
    std::vector<TensorEntry> tensors; ///< in order of creation; parents before children
    /// Of the cards from the left; tensors that are not named follow in order of creation. Empty: all of them do.
    std::vector<TensorId> order;
    std::vector<StorageEntry> storages; ///< in order of number; each is referred to by at least one tensor

    const TensorEntry* tensor(TensorId id) const;
    const StorageEntry* storage(quint64 storageId) const;
    /// Tensors on the storage, in order of creation.
    std::vector<const TensorEntry*> tensorsOn(quint64 storageId) const;
};
using SnapshotPtr = std::shared_ptr<const WorkspaceSnapshot>;

/// One element that the user points at. Through a tensor: `coord` and its `slot`. On a strip: only `slot`.
struct Pick {
    quint64 storageId = 0;
    Index slot = 0;
    TensorId tensor = 0; ///< 0: picked on the strip
    Dims coord;
    friend bool operator==(const Pick&, const Pick&) = default;
};

struct Selection {
    TensorId tensor = 0;       ///< the selected tensor (tree, inspector, operations)
    std::optional<Pick> pick;  ///< pinned
    std::optional<Pick> hover; ///< under the pointer; wins over `pick` in pictures
    const std::optional<Pick>& shown() const { return hover ? hover : pick; }
    friend bool operator==(const Selection&, const Selection&) = default;
};

/// What would happen: drawn as ghosts, never stored.
struct Preview {
    QString code; ///< "B.narrow(0, 1, 2)"
    TensorId source = 0;
    std::optional<View> view;       ///< the view that it would make; may reach outside the storage (then hatched)
    std::optional<Refusal> refusal; ///< why not
    bool copies = false;
};

} // namespace stridescope
