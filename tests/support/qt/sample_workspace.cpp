#include "tests/support/qt/sample_workspace.h"

#include "core/ops/views.h"

namespace stridescope::test {

Tensor counting(Index count, Index first) {
    auto* values = new std::int64_t[static_cast<std::size_t>(count)];
    for (Index i = 0; i < count; ++i) values[i] = first + i;
    StoragePtr storage = Storage::wrap(
        values, static_cast<std::size_t>(count) * sizeof(std::int64_t), Device{}, [values] { delete[] values; },
        "heap");
    return Tensor(std::move(storage), *contiguousView(Dims{count}), DType::Int64);
}

SnapshotPtr sampleWorkspace() {
    auto snapshot = std::make_shared<WorkspaceSnapshot>();
    const auto add = [&snapshot](TensorId id, const char* name, const char* code, TensorId parent, Origin origin,
                                 Tensor tensor, int colour) {
        TensorEntry entry;
        entry.id = id;
        entry.name = QString::fromLatin1(name);
        entry.code = QString::fromLatin1(code);
        entry.parent = parent;
        entry.origin = origin;
        entry.tensor = std::move(tensor);
        entry.colour = colour;
        entry.onStage = colour >= 0;
        snapshot->tensors.push_back(entry);
    };
    const Tensor q = counting(20);
    const Tensor a = view(q, Dims{4, 5});
    const Tensor b = narrow(a, 1, 1, 2);
    const Tensor c = t(b);
    const Tensor fresh = counting(8);
    const std::int64_t copied[]{1, 6, 11, 16, 2, 7, 12, 17};
    for (int i = 0; i < 8; ++i) fresh.data<std::int64_t>()[i] = copied[i];
    const Tensor w = view(fresh, Dims{2, 4});
    add(kQ, "q", "torch.arange(20)", 0, Origin::Base, q, -1);
    add(kA, "A", "q.view(4, 5)", kQ, Origin::View, a, 0);
    add(kB, "B", "A.narrow(1, 1, 2)", kA, Origin::View, b, 1);
    add(kC, "C", "B.t()", kB, Origin::View, c, 2);
    add(kW, "w", "C.contiguous()", kC, Origin::Copy, w, -1);
    snapshot->storages.push_back({q.storage()->id(), 1, DType::Int64, QString()});
    snapshot->storages.push_back({w.storage()->id(), 2, DType::Int64, QString()});
    return snapshot;
}

} // namespace stridescope::test
