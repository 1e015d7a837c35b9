#pragma once
// A tensor as a table of plain text, for spreadsheets, slides and mails.

#include "core/result.h"
#include "core/tensor/tensor.h"

#include <QString>

namespace stridescope {

/// The most elements that are written.
inline constexpr Index kLargestTable = 100'000;

/// The elements in full: one line per row, tabs between columns. Tensors of more than two dims have a line "A[0, 1]:"
/// before each panel and an empty one behind it; one without dims is its value. Pasting a table of one or two dims
/// gives the same values back.
/// Refused: TABLE-01 more than kLargestTable elements (with both numbers), TABLE-02 not in the CPU's memory.
Result<QString> tensorTable(const Tensor& tensor, const QString& name);

} // namespace stridescope
