#include "app/workspace/kept_note.h"

#include <QObject>

#include <map>

namespace stridescope {

namespace {

quint64 storageOf(const TensorEntry& entry) {
    return entry.tensor.storage()->id();
}

} // namespace

QStringList keptNotes(const WorkspaceState& before, const WorkspaceState& after) {
    // After each line: comparing all with all would be felt with hundreds of tensors.
    std::map<QString, const TensorEntry*> had, has;
    for (const auto& entry : before.tensors) had.emplace(entry->name, entry.get());
    for (const auto& entry : after.tensors) has.emplace(entry->name, entry.get());
    QStringList notes;
    for (const auto& entry : before.tensors) {
        if (has.count(entry->name)) continue;
        QStringList keepers;
        for (const auto& other : after.tensors) {
            if (storageOf(*other) != storageOf(*entry)) continue;
            // The tensor that bore the name until now keeps nothing.
            const auto earlier = had.find(other->name);
            const bool rebound = earlier != had.end() && storageOf(*earlier->second) != storageOf(*entry);
            keepers << (rebound ? QObject::tr("the new %1").arg(other->name) : other->name);
        }
        if (!keepers.isEmpty())
            notes << QObject::tr("%1 is gone; its storage is kept by %2.")
                         .arg(entry->name, keepers.join(QStringLiteral(", ")));
    }
    return notes;
}

} // namespace stridescope
