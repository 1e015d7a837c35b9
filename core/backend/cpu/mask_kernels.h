#pragma once
// Elements where a mask is true: selecting, filling, finding and choosing on the CPU.

#include "core/backend/cpu/row_walk.h"
#include "core/dtype/dtype.h"

#include <vector>

namespace stridescope::cpu {

/// `mask` holds bytes, of which all but 0 are true.
MaskBlocks countMask(const Dims& shape, const RowOperand& mask);
/// The elements of `source` where the mask is true, in row-major order, packed from `out` on.
void selectMasked(const Dims& shape, const RowOperand& source, const RowOperand& mask, const MaskBlocks& blocks,
                  Index itemSize, std::byte* out);
/// The other way: packed elements from `source` on go where the mask is true.
void scatterMasked(const Dims& shape, const RowOperand& target, const RowOperand& mask, const MaskBlocks& blocks,
                   Index itemSize, const std::byte* source);
/// The one element `value` goes where the mask is true.
void fillMasked(const Dims& shape, const RowOperand& target, const RowOperand& mask, Index itemSize,
                const ElementBytes& value);
/// out = condition ? a : b, all of one item size.
void choose(const Dims& shape, const RowOperand& out, const RowOperand& condition, const RowOperand& a,
            const RowOperand& b, Index itemSize);

/// Elements that are not 0 (NaN is not), as countMask counts.
MaskBlocks countNonzero(const Dims& shape, const RowOperand& source, DType dtype);
/// Their coords: that along dim d goes to out + d * columnStride + position, in elements.
void findNonzero(const Dims& shape, const RowOperand& source, DType dtype, const MaskBlocks& blocks, Index* out,
                 Index columnStride);
/// True when every byte is 0 or 1.
bool holdsOnlyBits(const Dims& shape, const RowOperand& mask);

} // namespace stridescope::cpu
