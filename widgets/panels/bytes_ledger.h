#pragma once
// The memory ledger: what each tensor keeps in metadata, what it added in storage, and what a small view keeps alive.

#include "widgets/scene/scene.h"

namespace stridescope {

struct LedgerRow {
    TensorId tensor = 0;
    QString name, kind; ///< kind: "base", "view", "copy"
    Origin origin = Origin::Base;
    int colour = -1;
    QChar letter;    ///< on its badge
    QString numbers; ///< "2+2+1": sizes, strides, offset
    quint64 metadataBytes = 0;
    quint64 newBytes = 0; ///< bytes of storage that came into being with it
};

struct Ledger {
    std::vector<LedgerRow> rows;
    int left = 0;     ///< tensors that found no row
    QString sentence; ///< about the selected tensor
};

/// Rows for the tensors on the selected tensor's storage and for copies of them, at most `limit`.
Ledger bytesLedger(const WorkspaceSnapshot& snapshot, TensorId selected, int limit = 8);
/// The table as a picture of the given width.
Scene bytesLedgerScene(const WorkspaceSnapshot& snapshot, TensorId selected, qreal width);

} // namespace stridescope
