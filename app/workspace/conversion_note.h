#pragma once
// What a change of dtype did to values that the new one cannot hold.

#include "app/workspace/step_records.h"
#include "core/tensor/tensor.h"

#include <QStringList>

namespace stridescope {

struct WorkspaceState;

/// "6 of 12 values do not fit into uint8: each became another value, as in PyTorch."; empty when all of them fit, or
/// when they are not the CPU's. Reads at most so many elements; half a second's, unless told.
QString conversionNote(const Tensor& source, DType dtype, Index counted = Index{1} << 26);

/// The same for what Python did, each note once. Only conversions of tensors that are in `after` can be told, as their
/// elements are now; of large ones the first elements, as the window's thread does this.
QStringList conversionNotes(const WorkspaceState& after, const StepRecords& operations);

} // namespace stridescope
