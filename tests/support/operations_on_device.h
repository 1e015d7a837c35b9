#pragma once
// Every operation of the table on a device beside the CPU: it gives what the CPU gives, there, or it says that it
// cannot.

#include "core/device/device.h"
#include "core/tensor/tensor.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace stridescope::test {

/// All samples of the operation `called`, for every dtype. What is wrong, in words; empty: nothing. What says that it
/// cannot must be listed (in the source), and what is listed must say it, so that nothing falls silently back.
/// Tolerances: those of near() in operation_samples.h, which are those of reductions in another order.
std::string compareOnDevice(const std::string& called, Device device);

std::vector<std::string> operationsWithSamples();

/// One operation on these inputs, on the device as on the CPU: results or the id of the refusal, and one record.
using Call = std::function<std::vector<Tensor>(std::span<const Tensor> inputs)>;
std::string compareOnDevice(const Call& call, const std::vector<Tensor>& inputs, Device device);

} // namespace stridescope::test
