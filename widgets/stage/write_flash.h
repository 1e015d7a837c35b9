#pragma once
// Which cells on the stage were written since it was last looked at: they light up for a moment, in every view of them.

#include "widgets/model/snapshot.h"
#include "widgets/stage/stage_layout.h"

#include <map>

namespace stridescope {

class WriteFlash {
public:
    /// Of larger storages, and of views of more elements, nothing is compared: it must cost less than a picture.
    static constexpr std::size_t kMostBytes = 64 * 1024;
    static constexpr Index kMostElements = 16 * 1024;

    /// Compares the elements with those of the last time. True: some were written since, and `cells` are theirs. Where
    /// none were, `cells` stay: one change of the workspace may be told of in several parts.
    bool take(const WorkspaceSnapshot& snapshot);
    /// Where the written elements stand: once on each card and strip that shows them.
    std::vector<QRectF> cells(const StagePlan& plan) const;

private:
    bool wasWritten(quint64 storageId, Index slot, std::size_t itemSize) const;

    std::map<quint64, std::vector<std::byte>> m_seen;
    std::map<quint64, std::vector<bool>> m_written; ///< by byte
};

} // namespace stridescope
