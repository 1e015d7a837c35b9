#include "app/workspace/conversion_note.h"

#include "app/workspace/workspace_state.h"
#include "core/tensor/lossy.h"

#include <QObject>

namespace stridescope {

QString conversionNote(const Tensor& source, DType dtype) {
    constexpr Index kCounted = Index{1} << 26;
    if (!source.device().isCpu()) return {};
    const LossCount count = countLossy(source, dtype, kCounted);
    if (count.outOfRange == 0) return {};
    const QString all = QStringLiteral("%L1").arg(count.elements);
    return QObject::tr("%L1 of %2 values do not fit into %3: each became another value, as in PyTorch.")
        .arg(count.outOfRange)
        .arg(count.elements < source.numel() ? QObject::tr("the first %1").arg(all) : all,
             QString::fromStdString(std::string(name(dtype))));
}

QStringList conversionNotes(const WorkspaceState& after, const std::vector<OpRecord>& records) {
    constexpr qsizetype kMost = 3; // a loop may convert thousands of times
    QStringList notes;
    for (const OpRecord& record : records) {
        if (record.name != "to" || record.inputs.empty() || record.outputs.empty()) continue;
        const TensorRecord& from = record.inputs.front();
        const DType to = record.outputs.front().dtype;
        if (from.dtype == to || notes.size() >= kMost) continue;
        for (const auto& entry : after.tensors) {
            const Tensor& tensor = entry->tensor;
            if (tensor.storage()->id() != from.storageId || tensor.dtype() != from.dtype) continue;
            const QString note = conversionNote(tensor.withView(from.view), to);
            if (!note.isEmpty() && !notes.contains(note)) notes << note;
            break;
        }
    }
    return notes;
}

} // namespace stridescope
