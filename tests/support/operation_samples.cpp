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

/// The values of `t` under these strides, the first element in slot `offset` of a storage of `slots` elements.
Tensor laidOut(const Tensor& t, const Dims& stride, Index offset, Index slots) {
    const Tensor memory = zeros({slots}, {t.dtype(), Device{}});
    const Tensor laid = memory.withView({t.shape(), stride, offset});
    copy_(laid, t);
    return laid;
}

/// The same values in other layouts: with gaps behind an offset, transposed in memory.
std::vector<Tensor> fewLayouts(const Tensor& t) {
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

/// Also: rows apart, all strides negative, the last one negative with a step, odd strides where the size is 1.
std::vector<Tensor> zooLayouts(const Tensor& t) {
    std::vector<Tensor> list = fewLayouts(t);
    if (t.dim() < 1 || t.numel() == 0) return list;
    const Index n = t.numel(), last = t.size(-1);
    Dims stride = contiguous(t).stride(), apart = stride, backwards = stride, step = stride, odd = stride;
    for (std::size_t d = 0; d < stride.size(); ++d) {
        if (d + 1 < stride.size()) apart[d] = stride[d] / last * (last + 3);
        backwards[d] = -stride[d];
        step[d] = d + 1 < stride.size() ? 2 * stride[d] : -2 * stride[d];
        if (t.shape()[d] == 1) odd[d] = d % 2 == 0 ? 77 : -9;
    }
    list.push_back(laidOut(t, apart, 2, n / last * (last + 3) + 2));
    list.push_back(laidOut(t, backwards, n, n + 1));
    list.push_back(laidOut(t, step, 2 * (last - 1) + 1, 2 * n + 1));
    list.push_back(laidOut(t, odd, 1, n + 1));
    return list;
}

/// Of that shape, with elements that share memory: all strides 1, so that neighbouring rows overlap; and the first of
/// two dims or more repeated.
std::vector<Tensor> sharing(const Tensor& t) {
    if (t.dim() < 1 || t.numel() == 0) return {};
    std::vector<Tensor> list;
    list.push_back(contiguous(t).withView({t.shape(), Dims(t.shape().size(), 1), 0}));
    if (t.dim() > 1) list.push_back(expand(narrow(t, 0, 0, 1), t.shape()));
    return list;
}

/// Matrices {n, n} whose rows overlap (anti-diagonals are equal), far from singular or positive definite.
Tensor overlappingSquare(Index n, DType dtype, bool positive) {
    // Sums of the powers of -1, 0, 1 and 2; or all small but for the anti-diagonal.
    const double moments[] = {4, 2, 6, 8, 18};
    const Tensor line = zeros({2 * n - 1}, {dtype, Device{}});
    for (Index i = 0; i < 2 * n - 1; ++i)
        writeSlot(line, i,
                  dtype == DType::Bool ? Scalar(i == n - 1)
                  : positive           ? Scalar(moments[i])
                                       : Scalar(i == n - 1 ? 20.0 : static_cast<double>(1 + i % 3)));
    return line.withView({{n, n}, {1, 1}, 0});
}

} // namespace

std::vector<std::vector<Tensor>> operationSamples(SampleInputs inputs, DType dtype, SampleLayouts which) {
    const bool zoo = which == SampleLayouts::Zoo;
    const auto square = [&](const Dims& shape, bool positive) {
        Tensor t = filled(shape, dtype, 1);
        if (positive && dtype != DType::Float16 && dtype != DType::Bool) t = matmul(t, conj(transpose(t, -1, -2)));
        const Tensor diagonals = diagonal(t, 0, -2, -1);
        if (dtype != DType::Bool) copy_(diagonals, add(diagonals, 20));
        return t;
    };
    std::vector<std::vector<Tensor>> cases;
    // `mayShare`: the operation takes any values, so elements may share memory, too.
    const auto layouts = [&](const Tensor& t, bool mayShare) {
        std::vector<Tensor> list = zoo ? zooLayouts(t) : fewLayouts(t);
        if (zoo && mayShare)
            for (const Tensor& x : sharing(t)) list.push_back(x);
        return list;
    };
    const auto one = [&](const Tensor& t, bool mayShare = true) {
        for (const Tensor& x : layouts(t, mayShare)) cases.push_back({x});
    };
    const auto two = [&](const Tensor& a, const Tensor& b, bool mayShare = true) {
        const auto x = layouts(a, mayShare), y = layouts(b, true);
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = 0; j < y.size(); ++j)
                // Each layout beside each of the first ones, which vector loops treat apart.
                if (std::min(i, j) < 2 || !zoo) cases.push_back({x[i], y[j]});
    };
    // The layouts of at least `dims` dims and, where that is above 0, one element. The large ones have tests of their
    // own.
    const auto wholeZoo = [&](bool pairs, Index dims = 0) {
        for (const ZooView& layout : zooViews()) {
            const Tensor t = zooTensor(layout, dtype);
            if (!zoo || t.numel() >= 1000 || t.dim() < dims || (dims > 0 && t.numel() == 0)) continue;
            if (!pairs) {
                cases.push_back({t});
                continue;
            }
            const Tensor other = filled(t.shape(), dtype, 4);
            cases.push_back({t, other});
            cases.push_back({other, t});
            cases.push_back({t, t});
        }
    };
    switch (inputs) {
    case SampleInputs::None:
        break;
    case SampleInputs::One:
        for (const Dims& shape : {Dims{}, Dims{0, 3}, Dims{5}, Dims{2, 3, 4}, Dims{1, 7, 1}})
            one(filled(shape, dtype, 0));
        one(expand(filled({3, 1}, dtype, 2), {2, 3, 4}));
        wholeZoo(false);
        break;
    case SampleInputs::Two:
        for (const Dims& shape : {Dims{}, Dims{0, 3}, Dims{5}, Dims{2, 3, 4}})
            two(filled(shape, dtype, 0), filled(shape, dtype, 4));
        wholeZoo(true);
        break;
    case SampleInputs::Line:
        for (const Dims& shape : {Dims{1}, Dims{6}, Dims{2, 3, 5}}) one(filled(shape, dtype, 0));
        wholeZoo(false, 1);
        break;
    case SampleInputs::Matrices:
        for (const Dims& shape : {Dims{3, 2}, Dims{2, 4}, Dims{2, 3, 3}}) one(filled(shape, dtype, 0));
        break;
    case SampleInputs::Square:
        for (const Dims& shape : {Dims{1, 1}, Dims{3, 3}, Dims{2, 4, 4}}) one(square(shape, false), false);
        if (zoo)
            for (const Tensor& t : {overlappingSquare(3, dtype, false), expand(square({3, 3}, false), {2, 3, 3})})
                cases.push_back({t});
        break;
    case SampleInputs::Positive:
        for (const Dims& shape : {Dims{3, 3}, Dims{2, 2, 2}}) one(square(shape, true), false);
        if (zoo)
            for (const Tensor& t : {overlappingSquare(3, dtype, true), expand(square({2, 2}, true), {2, 2, 2})})
                cases.push_back({t});
        break;
    case SampleInputs::SquareAndSide:
        two(square({3, 3}, false), filled({3, 2}, dtype, 3), false);
        two(square({2, 3, 3}, false), filled({2, 3, 4}, dtype, 3), false);
        if (zoo) cases.push_back({overlappingSquare(3, dtype, false), filled({3, 2}, dtype, 3)});
        break;
    case SampleInputs::Factors:
        two(filled({2, 3}, dtype, 0), filled({3, 4}, dtype, 1));
        two(filled({5, 1, 2, 3}, dtype, 0), filled({2, 3, 2}, dtype, 1));
        break;
    case SampleInputs::Lines:
        for (const Index n : {1, 5, 40}) two(filled({n}, dtype, 0), filled({n}, dtype, 3));
        if (zoo) cases.push_back({expand(filled({1}, dtype, 0), {5}), filled({5}, dtype, 3)});
        break;
    case SampleInputs::MatrixAndLine:
        two(filled({2, 3}, dtype, 0), filled({3}, dtype, 1));
        two(filled({1, 4}, dtype, 0), filled({4}, dtype, 1));
        break;
    case SampleInputs::TwoMatrices:
        two(filled({2, 3}, dtype, 0), filled({3, 4}, dtype, 1));
        two(filled({4, 1}, dtype, 0), filled({1, 3}, dtype, 1));
        break;
    case SampleInputs::Batches:
        two(filled({2, 2, 3}, dtype, 0), filled({2, 3, 4}, dtype, 1));
        two(filled({1, 3, 2}, dtype, 0), filled({1, 2, 1}, dtype, 1));
        break;
    case SampleInputs::Triples:
        for (const Dims& shape : {Dims{3}, Dims{2, 3}, Dims{3, 1, 2}})
            two(filled(shape, dtype, 0), filled(shape, dtype, 4));
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
