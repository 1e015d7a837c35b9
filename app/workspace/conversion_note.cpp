#include "app/workspace/conversion_note.h"

#include "app/workspace/workspace_state.h"
#include "core/tensor/lossy.h"

#include <QObject>

#include <algorithm>

namespace stridescope {

QString conversionNote(const Tensor& source, DType dtype, Index counted) {
    if (!source.device().isCpu()) return {};
    const LossCount count = countLossy(source, dtype, counted);
    if (count.outOfRange == 0) return {};
    const QString all = QStringLiteral("%L1").arg(count.elements);
    return QObject::tr("%L1 of %2 values do not fit into %3: each became another value, as in PyTorch.")
        .arg(count.outOfRange)
        .arg(count.elements < source.numel() ? QObject::tr("the first %1").arg(all) : all,
             QString::fromStdString(std::string(name(dtype))));
}

QStringList conversionNotes(const WorkspaceState& after, const StepRecords& operations) {
    // A loop may convert thousands of times, and this is the window's thread.
    constexpr qsizetype kMost = 3;
    constexpr std::size_t kLooked = 1000;
    Index left = Index{1} << 19; // elements to be read: some milliseconds
    QStringList notes;
    for (const OpRecord& record : operations.named("to", kLooked)) {
        if (record.inputs.empty() || record.outputs.empty()) continue;
        const TensorRecord& from = record.inputs.front();
        const DType to = record.outputs.front().dtype;
        if (from.dtype == to || notes.size() >= kMost || left <= 0) continue;
        for (const auto& entry : after.tensors) {
            const Tensor& tensor = entry->tensor;
            if (tensor.storage()->id() != from.storageId || tensor.dtype() != from.dtype) continue;
            const Tensor converted = tensor.withView(from.view);
            const QString note = conversionNote(converted, to, left);
            left -= std::min(left, converted.numel());
            if (!note.isEmpty() && !notes.contains(note)) notes << note;
            break;
        }
    }
    return notes;
}

} // namespace stridescope
