#pragma once
// The numbers in a step's code that a slider can move, each with its place in the code and what it may be.

#include "core/tensor/tensor.h"
#include "widgets/images/step_list.h"

#include <QString>

#include <vector>

namespace stridescope {

/// Of `.narrow(dim, start, length)`, `.add(v)`, `.sub(v)`, `.mul(v)`, `.div(v)`, `.fill_(v)`; `before` is the tensor
/// that the step starts from. At most kMostSliders.
inline constexpr std::size_t kMostSliders = 4;
std::vector<StepNumber> stepNumbers(const QString& code, const Tensor& before);
/// The code with another value in that place.
QString withNumber(const QString& code, const StepNumber& number, double value);

} // namespace stridescope
