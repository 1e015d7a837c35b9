#pragma once
// What a change of dtype did to values that the new one cannot hold.

#include "core/trace/op_record.h"

#include <QStringList>

namespace stridescope {

struct WorkspaceState;

/// "6 of 12 values do not fit into uint8: each became another value, as in PyTorch."; empty when all of them fit, or
/// when they are not the CPU's. Reads the elements, as many as can be read in about half a second.
QString conversionNote(const Tensor& source, DType dtype);

/// The same for what Python did, each note once. Only conversions of tensors that are in `after` can be told, as their
/// elements are now.
QStringList conversionNotes(const WorkspaceState& after, const std::vector<OpRecord>& records);

} // namespace stridescope
