#include "tests/support/operation_samples.h"

#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/support/view_zoo.h"

#include <cmath>

namespace stridescope::test {

namespace {

/// Values from a fixed list, small and of both signs where the dtype has them.
Tensor filled(const Dims& shape, DType dtype, Index seed) {
    const Tensor t = zeros(shape, {dtype, Device{}});
    for (Index i = 0; i < t.numel(); ++i) {
        const double value = static_cast<double>((i * 5 + seed) % 7) - (dtype == DType::UInt8 ? 0 : 2);
        writeSlot(t, i,
                  dtype == DType::Bool ? Scalar(value > 0)
                  : isComplex(dtype)   ? Scalar(Complex<double>{value, static_cast<double>((i + seed) % 3)})
                                       : Scalar(value));
    }
    return t;
}

/// The same values in other layouts: transposed in memory, with gaps, behind an offset.
std::vector<Tensor> layouts(const Tensor& t) {
    std::vector<Tensor> list{t};
    if (t.dim() < 1) return list;
    Dims doubled = t.shape();
    doubled.back() = doubled.back() * 2 + 1;
    const Tensor wide = zeros(doubled, {t.dtype(), Device{}});
    const Tensor gaps = narrow(slice(wide, -1, 1, std::nullopt, 2), -1, 0, t.size(-1));
    copy_(gaps, t);
    list.push_back(gaps);
    if (t.dim() < 2) return list;
    list.push_back(transpose(contiguous(transpose(t, 0, -1)), 0, -1));
    return list;
}

} // namespace

std::vector<std::vector<Tensor>> operationSamples(SampleInputs inputs, DType dtype) {
    const auto square = [&](const Dims& shape, bool positive) {
        Tensor t = filled(shape, dtype, 1);
        if (positive && dtype != DType::Float16 && dtype != DType::Bool) t = matmul(t, conj(transpose(t, -1, -2)));
        const Tensor diagonals = diagonal(t, 0, -2, -1);
        if (dtype != DType::Bool) copy_(diagonals, add(diagonals, 20));
        return t;
    };
    std::vector<std::vector<Tensor>> cases;
    const auto one = [&](const Tensor& t) {
        for (const Tensor& x : layouts(t)) cases.push_back({x});
    };
    const auto two = [&](const Tensor& a, const Tensor& b) {
        const auto x = layouts(a), y = layouts(b);
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = 0; j < y.size(); ++j) cases.push_back({x[i], y[j]});
    };
    switch (inputs) {
    case SampleInputs::None:
        break;
    case SampleInputs::One:
        for (const Dims& shape : {Dims{}, Dims{0, 3}, Dims{5}, Dims{2, 3, 4}, Dims{1, 7, 1}})
            one(filled(shape, dtype, 0));
        one(expand(filled({3, 1}, dtype, 2), {2, 3, 4}));
        break;
    case SampleInputs::Two:
        for (const Dims& shape : {Dims{}, Dims{0, 3}, Dims{5}, Dims{2, 3, 4}})
            two(filled(shape, dtype, 0), filled(shape, dtype, 4));
        break;
    case SampleInputs::Line:
        for (const Dims& shape : {Dims{1}, Dims{6}, Dims{2, 3, 5}}) one(filled(shape, dtype, 0));
        break;
    case SampleInputs::Matrices:
        for (const Dims& shape : {Dims{3, 2}, Dims{2, 4}, Dims{2, 3, 3}}) one(filled(shape, dtype, 0));
        break;
    case SampleInputs::Square:
        for (const Dims& shape : {Dims{1, 1}, Dims{3, 3}, Dims{2, 4, 4}}) one(square(shape, false));
        break;
    case SampleInputs::Positive:
        for (const Dims& shape : {Dims{3, 3}, Dims{2, 2, 2}}) one(square(shape, true));
        break;
    case SampleInputs::SquareAndSide:
        two(square({3, 3}, false), filled({3, 2}, dtype, 3));
        two(square({2, 3, 3}, false), filled({2, 3, 4}, dtype, 3));
        break;
    case SampleInputs::Factors:
        two(filled({2, 3}, dtype, 0), filled({3, 4}, dtype, 1));
        two(filled({5, 1, 2, 3}, dtype, 0), filled({2, 3, 2}, dtype, 1));
        break;
    }
    return cases;
}

bool near(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
    const std::vector<Scalar> x = elementsOf(a), y = elementsOf(b);
    const double tolerance = a.dtype() == DType::Float16                  ? 2e-3
                             : realPartDType(a.dtype()) == DType::Float32 ? 1e-4
                                                                          : 1e-9;
    const auto close = [&](double p, double q) {
        return p == q || (std::isnan(p) && std::isnan(q)) || std::abs(p - q) <= tolerance * std::max(1.0, std::abs(p));
    };
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!close(x[i].toDouble(), y[i].toDouble()) || !close(x[i].imag(), y[i].imag())) return false;
    return true;
}

} // namespace stridescope::test
