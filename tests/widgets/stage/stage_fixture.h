#pragma once
// Workspaces for the tests of the stage, made without running operations.

#include "core/tensor/element.h"
#include "core/view/view_ops.h"
#include "widgets/model/workspace_model.h"

#include <cstring>
#include <vector>

namespace stridescope::stage_test {

/// Tensor over a storage of its own: element i has value first + i.
inline Tensor counting(Index count, DType dtype = DType::Int64, double first = 0) {
    auto* bytes = new std::vector<std::byte>(static_cast<std::size_t>(count) * itemSize(dtype) + 1);
    StoragePtr storage = Storage::wrap(
        bytes->data(), static_cast<std::size_t>(count) * itemSize(dtype), Device{}, [bytes] { delete bytes; }, "heap");
    Tensor tensor(storage, View{{count}, {1}, 0}, dtype);
    for (Index i = 0; i < count; ++i) {
        storeElement(storage->data() + i * static_cast<Index>(itemSize(dtype)), dtype,
                     Scalar(first + static_cast<double>(i)));
    }
    return tensor;
}

/// Collects entries and makes a snapshot of them.
class Workspace {
public:
    TensorId add(const QString& name, const QString& code, Tensor tensor, TensorId parent = 0, int colour = -1,
                 bool onStage = true, Origin origin = Origin::View) {
        TensorEntry entry;
        entry.id = ++m_next;
        entry.name = name;
        entry.code = code;
        entry.parent = parent;
        entry.origin = parent ? origin : Origin::Base;
        entry.onStage = onStage;
        entry.colour = colour;
        entry.tensor = std::move(tensor);
        const quint64 storage = entry.tensor.storage()->id();
        if (!m_snapshot.storage(storage)) {
            m_snapshot.storages.push_back({storage, ++m_storages, entry.tensor.dtype(), {}});
        }
        m_snapshot.tensors.push_back(std::move(entry));
        return m_next;
    }
    SnapshotPtr snapshot() const { return std::make_shared<const WorkspaceSnapshot>(m_snapshot); }
    const TensorEntry& entry(TensorId id) const { return *m_snapshot.tensor(id); }

private:
    WorkspaceSnapshot m_snapshot;
    TensorId m_next = 0;
    int m_storages = 0;
};

/// The workspace of the mock-ups: q = arange(20), A = q.view(4, 5), B = A.narrow(1, 1, 2), C = B.t(), w a hidden copy.
struct MockUp {
    Workspace workspace;
    TensorId q, A, B, C, w;
    explicit MockUp(bool copyOnStage = false) {
        const Tensor base = counting(20);
        q = workspace.add(QStringLiteral("q"), QStringLiteral("torch.arange(20)"), base, 0, -1, false);
        const Tensor a = base.withView(View{{4, 5}, {5, 1}, 0});
        A = workspace.add(QStringLiteral("A"), QStringLiteral("q.view(4, 5)"), a, q, 0);
        const Tensor b = a.withView(*narrow(a.view(), 1, 1, 2));
        B = workspace.add(QStringLiteral("B"), QStringLiteral("A.narrow(1, 1, 2)"), b, A, 1);
        const Tensor c = b.withView(*t(b.view()));
        C = workspace.add(QStringLiteral("C"), QStringLiteral("B.t()"), c, B, 2);
        Tensor copy = counting(8);
        w = workspace.add(QStringLiteral("w"), QStringLiteral("C.contiguous()"), copy.withView(View{{2, 4}, {4, 1}, 0}),
                          C, copyOnStage ? 3 : -1, copyOnStage, Origin::Copy);
    }
};

/// The picture that the program begins with: A = torch.arange(10, 130, 10).view(3, 4), B = A.t(), C = A.narrow(1, 1,
/// 2).
struct FirstRun {
    Workspace workspace;
    TensorId A, B, C;
    FirstRun() {
        const Tensor base = counting(12, DType::Int64, 10);
        const Tensor a = base.withView(View{{3, 4}, {4, 1}, 0});
        A = workspace.add(QStringLiteral("A"), QStringLiteral("torch.arange(10, 130, 10).view(3, 4)"), a, 0, 0);
        B = workspace.add(QStringLiteral("B"), QStringLiteral("A.t()"), a.withView(*t(a.view())), A, 1);
        C = workspace.add(QStringLiteral("C"), QStringLiteral("A.narrow(1, 1, 2)"),
                          a.withView(*narrow(a.view(), 1, 1, 2)), A, 2);
    }
};

inline Pick pickOf(const TensorEntry& entry, const Dims& coord) {
    return Pick{entry.tensor.storage()->id(), entry.tensor.view().slot(coord), entry.id, coord};
}

} // namespace stridescope::stage_test
