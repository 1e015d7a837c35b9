#pragma once
// Snapshots made of lines, and models on them.

#include "core/expr/parser.h"
#include "widgets/broadcast/broadcast_model.h"
#include "widgets/broadcast/snapshot_environment.h"

#include <memory>

namespace stridescope::test {

/// The tensors that `name = code` lines make, coloured as on a stage.
inline SnapshotPtr snapshotOf(const std::vector<std::pair<QString, QString>>& tensors) {
    auto snapshot = std::make_shared<WorkspaceSnapshot>();
    for (const auto& [name, code] : tensors) {
        SnapshotEnvironment environment(*snapshot);
        expr::Evaluator evaluator(environment);
        const std::string text = code.toStdString();
        const expr::Program program = expr::parseProgram(text).valueOrThrow();
        TensorEntry entry;
        entry.id = snapshot->tensors.size() + 1;
        entry.name = name;
        entry.code = code;
        entry.tensor = evaluator.execute(program.statements.front(), text).as<expr::TensorValue>()->tensor;
        entry.colour = snapshot->tensors.size() < 4 ? static_cast<int>(snapshot->tensors.size()) : -1;
        if (!snapshot->storage(entry.tensor.storage()->id())) {
            StorageEntry storage;
            storage.storageId = entry.tensor.storage()->id();
            storage.number = static_cast<int>(snapshot->storages.size()) + 1;
            storage.dtype = entry.tensor.dtype();
            snapshot->storages.push_back(storage);
        }
        snapshot->tensors.push_back(entry);
    }
    return snapshot;
}

/// A (4, 1), B (1, 5), a (3, 4), b (3,), n (3, 1).
inline SnapshotPtr usualSnapshot() {
    const auto s = [](const char* text) { return QString::fromLatin1(text); };
    return snapshotOf({{s("A"), s("torch.tensor([[1.], [2], [3], [4]])")},
                       {s("B"), s("torch.tensor([[5., -5, 5, -5, 5]])")},
                       {s("a"), s("torch.arange(12).view(3, 4)")},
                       {s("b"), s("torch.tensor([10, 20, 30])")},
                       {s("n"), s("torch.arange(3.).view(3, 1)")}});
}

inline BroadcastModel modelOf(const char* line, const SnapshotPtr& snapshot = usualSnapshot()) {
    return std::move(broadcastModel(*snapshot, QString::fromUtf8(line), QStringLiteral("C")).valueOrThrow());
}

} // namespace stridescope::test
