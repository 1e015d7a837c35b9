#include "core/ops/windows.h"

#include "core/ops/copy.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"

#include <numbers>

namespace stridescope {

namespace {

/// `make` (arange of floats, count -> Tensor) gives the symmetric window of `count` >= 2 elements. The steps are
/// PyTorch's, in its order, because each one rounds.
template <class Make>
Tensor window(const char* name, Index length, bool periodic, TensorOptions options, std::string shape, Make make) {
    const DType dtype = options.dtype.value_or(defaultDType());
    const auto refuse = [&](const char* id, std::string message, std::string hint) {
        throwRefusal({ErrorKind::Runtime, id, name + std::move(message), std::move(hint), {}});
    };
    if (!isFloating(dtype))
        refuse("WINDOW-02", std::string(" expects floating point dtypes, got: ") + elementTypeName(dtype),
               "Leave dtype out, or give torch.float32.");
    if (length < 0)
        refuse("WINDOW-01", " requires non-negative window_length, got window_length=" + std::to_string(length),
               "Its length is its number of elements.");
    return observed::newTensors(
        name, [] { return observed::Inputs{}; },
        [&] {
            if (length <= 1) return ones({length}, {dtype, options.device});
            const Index count = length + (periodic ? 1 : 0);
            // float16 has too few digits to count in.
            const DType working = dtype == DType::Float16 ? DType::Float32 : dtype;
            const Tensor all = to(make(arange(count, {working, options.device}), count), dtype);
            return periodic ? narrow(all, 0, 0, length) : all;
        },
        [&] {
            std::string text = std::to_string(length) + (periodic ? "" : ", False");
            if (!shape.empty()) text = std::to_string(length) + (periodic ? ", True" : ", False") + shape;
            return text + (options.dtype ? ", dtype=" + code::dtypeText(*options.dtype) : "");
        });
}

/// alpha - beta cos(x).
Tensor raisedCosine(const Tensor& steps, Index count, double alpha, double beta) {
    mul_(steps, std::numbers::pi * 2 / static_cast<double>(count - 1));
    cos_(steps);
    mul_(steps, -beta);
    return add_(steps, alpha);
}

std::string numberText(double value) {
    return ", " + toString(Scalar(value));
}

} // namespace

Tensor bartlettWindow(Index length, bool periodic, TensorOptions options) {
    return window("bartlett_window", length, periodic, options, "", [](const Tensor& steps, Index count) {
        mul_(steps, 2 / static_cast<double>(count - 1));
        const Index rising = (count - 1) / 2 + 1;
        const Tensor falling = narrow(steps, 0, rising, count - rising);
        mul_(falling, -1);
        add_(falling, 2);
        return steps;
    });
}

Tensor blackmanWindow(Index length, bool periodic, TensorOptions options) {
    return window("blackman_window", length, periodic, options, "", [](const Tensor& steps, Index count) {
        mul_(steps, std::numbers::pi / static_cast<double>(count - 1));
        const Tensor twice = mul(steps, 4), once = mul(steps, 2);
        cos_(twice);
        mul_(twice, 0.08);
        cos_(once);
        mul_(once, 0.5);
        return add(sub(twice, once), 0.42);
    });
}

Tensor hammingWindow(Index length, bool periodic, double alpha, double beta, TensorOptions options) {
    const bool usual = alpha == 0.54 && beta == 0.46;
    const std::string shape = usual ? "" : numberText(alpha) + (beta == 0.46 ? "" : numberText(beta));
    return window("hamming_window", length, periodic, options, shape,
                  [=](const Tensor& steps, Index count) { return raisedCosine(steps, count, alpha, beta); });
}

Tensor hannWindow(Index length, bool periodic, TensorOptions options) {
    return window("hann_window", length, periodic, options, "",
                  [](const Tensor& steps, Index count) { return raisedCosine(steps, count, 0.5, 0.5); });
}

Tensor kaiserWindow(Index length, bool periodic, double beta, TensorOptions options) {
    const std::string shape = beta == 12 ? "" : numberText(beta);
    return window("kaiser_window", length, periodic, options, shape, [=](const Tensor& steps, Index count) {
        // In float64: near the ends the root magnifies what is rounded before it.
        const Tensor x = sub(mul(to(steps, DType::Float64), 2 / static_cast<double>(count - 1)), 1);
        const Tensor root = sqrt(clamp(sub(1, square(x)), MathInput(0.0), std::nullopt));
        return to(div(i0(mul(root, beta)), i0(full({}, beta, {DType::Float64, steps.device()}))), steps.dtype());
    });
}

} // namespace stridescope
