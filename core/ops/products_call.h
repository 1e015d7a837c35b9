#pragma once
// What products of matrices and of tensors share. Internal to core/ops.

#include "core/ops/observation.h"
#include "core/tensor/tensor.h"

#include <string>

namespace stridescope::products {

[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {});
inline std::string listText(const Tensor& t) {
    return toListString(std::span<const Index>(t.shape()));
}

/// Both defined, of one dtype that has products, on one device.
void requirePair(const char* operation, const char* kernel, const Tensor& a, const Tensor& b);

/// {batch..., m, k} times {batch..., k, n}, both of two dims at least and checked. Publishes nothing.
Tensor product(const Tensor& a, const Tensor& b, const Dims& batch);

/// Runs `make` as one observed operation; `arguments` (() -> std::string) is asked when somebody listens.
template <class Make, class Arguments>
Tensor observed(const char* name, const Tensor& a, const Tensor& b, Make make, Arguments arguments) {
    const Observation observation;
    Tensor result = make();
    if (observation)
        observation.publish(name, arguments(), {&a, &b}, result, OpEffect::Alloc,
                            {a.nbytes() + b.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}
template <class Make>
Tensor observed(const char* name, const Tensor& a, const Tensor& b, Make make) {
    return observed(name, a, b, make, [] { return std::string(); });
}

} // namespace stridescope::products
