#pragma once
// Products and sums told by letters.

#include "core/tensor/tensor.h"

#include <string_view>
#include <vector>

namespace stridescope {

/// One letter for each dim of each operand, "ij,jk->ik": a letter that stands in several places names one size (1
/// broadcasts), one that is missing behind the arrow is summed over. "..." stands for any further dims, which
/// broadcast. Without an arrow the letters that appear once remain, in alphabetical order, behind the ellipsis. A
/// letter twice in one operand takes the diagonal. Operands are combined from left to right; pairs that share summed
/// letters go through bmm and have its dtypes, the rest is multiplied with promotion. The result may be a view when
/// nothing is computed ("ij->ji"). Source: PyTorch documentation; refusals checked against version 1.13.
///
/// @throws ValueError (TENSOR-02); ShapeError with PyTorch's words: EINSUM-01 no operands or another number of them
/// than the equation has, EINSUM-02 a character that is no letter, EINSUM-03 a misplaced '.', EINSUM-04 more or fewer
/// letters than dims, EINSUM-05 sizes that do not fit, EINSUM-06 a letter behind the arrow that is unknown or repeated;
/// and as bmm and mul.
Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands);

} // namespace stridescope
