#include "core/ops/fft.h"

#include "core/backend/backend.h"
#include "core/ops/copy.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/joining.h"
#include "core/ops/observation.h"
#include "core/ops/observed_call.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/print/float_text.h"
#include "core/view/view_ops.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stridescope::fft {

namespace {

[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {}) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

void require(const char* name, const Tensor& t) {
    elementwise::requireDefined(t, name);
    if (t.dtype() == DType::Float16) refuse("FFT-03", "Unsupported dtype Half", "Convert it first: x.float().");
}

void requireReal(const char* name, const Tensor& t, const char* what) {
    if (isComplex(t.dtype()))
        refuse("FFT-03",
               std::string(name) + " expects a " + what + " input tensor, but got " +
                   std::string(scalarTypeName(t.dtype())),
               "Take x.real, or use the form for complex numbers.");
}

/// Dtype of the results' parts.
DType partDType(const Tensor& t) {
    return isComplex(t.dtype()) ? realPartDType(t.dtype()) : isFloating(t.dtype()) ? t.dtype() : defaultDType();
}

std::size_t wrapped(Index dim, Index rank) {
    return static_cast<std::size_t>(wrapDim(dim, rank).valueOrThrow());
}

void requirePoints(Index n) {
    if (n < 1)
        refuse("FFT-01", "Invalid number of data points (" + std::to_string(n) + ") specified",
               "It must be at least 1.");
}

/// What a transform of `points` numbers in all is multiplied with.
double factor(std::string_view norm, bool inverse, double points) {
    if (norm == "ortho") return 1 / std::sqrt(points);
    if (norm == "forward") return inverse ? 1 : 1 / points;
    if (norm == "backward") return inverse ? 1 / points : 1;
    refuse("FFT-02", "Invalid normalization mode: \"" + std::string(norm) + "\"",
           "Known are backward, ortho and forward.");
}

/// `t` as `dtype`, cut or filled up with zeros to size n along `dim`, in a storage of its own with `dim` innermost.
Tensor rowsAlong(const Tensor& t, std::size_t dim, Index n, DType dtype) {
    const auto d = static_cast<Index>(dim);
    Tensor source = transpose(t, d, -1);
    Dims shape = source.shape();
    shape.back() = n;
    const Index kept = std::min(n, source.size(-1));
    Tensor rows = kept == n ? empty(shape, {dtype, t.device()}) : zeros(shape, {dtype, t.device()});
    copy_(narrow(rows, -1, 0, kept), narrow(source, -1, 0, kept));
    return rows;
}

/// How a line that was transformed in float64 becomes the one that is shown.
struct Polish {
    bool rounded = false; ///< to float32: what is only float64's noise is 0
    double by = 1;
};

FourierArgs argsFor(FourierKind kind, const Tensor& in, Index n, bool inverse, Polish p) {
    FourierArgs args;
    args.kind = kind;
    args.in = in.data<std::byte>();
    args.count = in.numel() == 0 ? 0 : in.numel() / in.size(-1);
    args.n = n;
    args.inverse = inverse;
    args.rounded = p.rounded;
    args.by = p.by;
    return args;
}

void run(const FourierArgs& args, const Tensor& t) {
    elementwise::require(kernelTable(t.device()).fourier, "fft", t)(args);
}

Tensor transformed(const Tensor& t, std::size_t dim, Index n, bool inverse, Polish p) {
    const Tensor rows = rowsAlong(t, dim, n, DType::Complex128);
    run(argsFor(FourierKind::Complex, rows, n, inverse, p), rows);
    return transpose(rows, static_cast<Index>(dim), -1);
}

/// Of real numbers the first half is computed. `full`: the conjugates that follow are there, too.
Tensor transformedReal(const Tensor& t, std::size_t dim, Index n, bool inverse, Polish p, bool full) {
    const Tensor rows = rowsAlong(t, dim, n, DType::Float64);
    const Index half = n / 2 + 1, width = full ? n : half;
    Dims shape = rows.shape();
    shape.back() = half;
    const Tensor first = empty(shape, {DType::Complex128, t.device()});
    shape.back() = width;
    const Tensor out = width == half ? first : empty(shape, {DType::Complex128, t.device()});
    FourierArgs args = argsFor(FourierKind::Real, rows, n, inverse, p);
    args.half = first.data<std::byte>();
    args.out = out.data<std::byte>();
    args.width = width;
    run(args, rows);
    return transpose(out, static_cast<Index>(dim), -1);
}

/// Of a spectrum whose first half is given, and whose last half follows from it: n real numbers.
Tensor transformedHalf(const Tensor& t, std::size_t dim, Index n, bool inverse, Polish p) {
    const Tensor half = rowsAlong(t, dim, n / 2 + 1, DType::Complex128);
    Dims shape = half.shape();
    shape.back() = n;
    const Tensor out = empty(shape, {DType::Float64, t.device()});
    FourierArgs args = argsFor(FourierKind::Half, half, n, inverse, p);
    args.out = out.data<std::byte>();
    run(args, half);
    return transpose(out, static_cast<Index>(dim), -1);
}

/// Are results rounded to float32?
bool isRounded(const Tensor& t) {
    return partDType(t) == DType::Float32;
}

/// Rounds to the dtype wanted and lays the result out row by row.
Tensor finished(const Tensor& t, DType dtype) {
    if (t.dtype() == dtype && t.isContiguous()) return t;
    const Tensor out = empty(t.shape(), {dtype, t.device()});
    copy_(out, t);
    return out;
}

template <class Make>
Tensor observed(const char* name, const Tensor& t, Make make) {
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        return make();
    }();
    if (observation)
        observation.publish(name, "", {&t}, result, OpEffect::Alloc, {t.nbytes(), result.nbytes(), result.nbytes()});
    return result;
}

/// The dim of a transform along one, and its size.
struct Along {
    Tensor t; ///< a 0-d input has one dim here
    std::size_t dim = 0;
    Index n = 0;
};

Along along(const char* name, const Tensor& t, Size n, Index dim) {
    require(name, t);
    Along a;
    a.dim = wrapped(dim, t.dim());
    if (t.dim() == 0) requirePoints(0);
    a.t = t;
    a.n = n.value_or(t.shape()[a.dim]);
    return a;
}

std::string published(const char* name) {
    return std::string("fft.") + name;
}

/// fft and ifft.
Tensor complexAlong(const char* name, const Tensor& t, Size n, Index dim, std::string_view norm, bool inverse) {
    const Along a = along(name, t, n, dim);
    requirePoints(a.n);
    const double by = factor(norm, inverse, static_cast<double>(a.n));
    return observed(published(name).c_str(), t, [&] {
        const Polish p{isRounded(t), by};
        return finished(isComplex(t.dtype()) ? transformed(a.t, a.dim, a.n, inverse, p)
                                             : transformedReal(a.t, a.dim, a.n, inverse, p, true),
                        complexDType(partDType(t)));
    });
}

/// rfft and ihfft: of real numbers, the first half of the result.
Tensor realAlong(const char* name, const Tensor& t, Size n, Index dim, std::string_view norm, bool inverse) {
    require(name, t);
    requireReal(name, t, "real");
    const Along a = along(name, t, n, dim);
    requirePoints(a.n);
    const double by = factor(norm, inverse, static_cast<double>(a.n));
    return observed(published(name).c_str(), t, [&] {
        return finished(transformedReal(a.t, a.dim, a.n, inverse, {isRounded(t), by}, false),
                        complexDType(partDType(t)));
    });
}

/// irfft and hfft: of a half-given Hermitian signal, real.
Tensor fromHalf(const char* name, const Tensor& t, Size n, Index dim, std::string_view norm, bool inverse) {
    const Along a = along(name, t, n, dim);
    const Index points = n.value_or(2 * (a.n - 1));
    requirePoints(points);
    const double by = factor(norm, inverse, static_cast<double>(points));
    return observed(published(name).c_str(), t, [&] {
        return finished(transformedHalf(a.t, a.dim, points, inverse, {isRounded(t), by}), partDType(t));
    });
}

struct AlongMany {
    std::vector<std::size_t> dims;
    std::vector<Index> sizes;
    double points = 1;
};

AlongMany alongMany(const char* name, const Tensor& t, const Sizes& s, const Sizes& dims) {
    require(name, t);
    AlongMany many;
    if (dims) {
        for (const Index d : *dims) {
            const std::size_t dim = wrapped(d, t.dim());
            if (std::find(many.dims.begin(), many.dims.end(), dim) != many.dims.end())
                refuse("FFT-04", "FFT dims must be unique", "Dim " + std::to_string(dim) + " is there twice.");
            many.dims.push_back(dim);
        }
    }
    if (s && dims && s->size() != dims->size())
        refuse("FFT-05", "When given, dim and shape arguments must have the same length",
               "They have " + std::to_string(dims->size()) + " and " + std::to_string(s->size()) + ".");
    if (s && s->size() > t.shape().size())
        refuse("FFT-05", "Got shape with " + std::to_string(s->size()) + " values but input tensor only has " +
                             std::to_string(t.dim()) + " dimensions.");
    if (!dims) {
        const std::size_t count = s ? s->size() : t.shape().size();
        for (std::size_t d = t.shape().size() - count; d < t.shape().size(); ++d) many.dims.push_back(d);
    }
    for (std::size_t i = 0; i < many.dims.size(); ++i) {
        Index size = s ? (*s)[i] : -1;
        if (size == -1) size = t.shape()[many.dims[i]];
        requirePoints(size);
        many.sizes.push_back(size);
        many.points *= static_cast<double>(size);
    }
    return many;
}

Tensor complexN(const char* name, const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm,
                bool inverse) {
    const AlongMany many = alongMany(name, t, s, dims);
    const double by = factor(norm, inverse, many.points);
    if (t.dim() == 0)
        refuse("FFT-05", "ndim must be >= 1", "A single number has no dim to go along: unsqueeze(0) gives it one.");
    return observed(name, t, [&] {
        if (many.dims.empty()) return clone(contiguous(to(t, complexDType(partDType(t)))));
        Tensor result = t;
        for (std::size_t i = many.dims.size(); i-- > 0;)
            result = transformed(result, many.dims[i], many.sizes[i], inverse, {isRounded(t), i == 0 ? by : 1});
        return finished(result, complexDType(partDType(t)));
    });
}

void requireAxis(const char* name, const AlongMany& many) {
    if (many.dims.empty()) refuse("FFT-05", std::string(name) + " must transform at least one axis");
}

/// rfftn and ihfftn: of real numbers, the first half of the last dim.
Tensor realN(const std::string& name, const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm,
             bool inverse) {
    require(name.c_str(), t);
    if (!inverse)
        requireReal(name.c_str(), t, "real-valued"); // PyTorch's rfftn looks at the dtype first, its ihfftn last
    const AlongMany many = alongMany(name.c_str(), t, s, dims);
    requireReal(name.c_str(), t, "real-valued");
    requireAxis(name.c_str(), many);
    const double by = factor(norm, inverse, many.points);
    return observed(published(name.c_str()).c_str(), t, [&] {
        const std::size_t last = many.dims.back();
        const std::size_t others = many.dims.size() - 1;
        Tensor result =
            transformedReal(t, last, many.sizes.back(), inverse, {isRounded(t), others == 0 ? by : 1}, false);
        for (std::size_t i = others; i-- > 0;)
            result = transformed(result, many.dims[i], many.sizes[i], inverse, {isRounded(t), i == 0 ? by : 1});
        return finished(result, complexDType(partDType(t)));
    });
}

/// irfftn and hfftn: of a signal that is half given in the last dim, real.
Tensor fromHalfN(const std::string& name, const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm,
                 bool inverse) {
    // Of the last dim half is given: its size is that of the result only when it is asked for.
    AlongMany many = alongMany(name.c_str(), t, s, dims);
    requireAxis(name.c_str(), many);
    if (!s || s->back() == -1) {
        const Index given = many.sizes.back(), points = 2 * (given - 1);
        requirePoints(points);
        many.points = many.points / static_cast<double>(given) * static_cast<double>(points);
        many.sizes.back() = points;
    }
    const double by = factor(norm, inverse, many.points);
    return observed(published(name.c_str()).c_str(), t, [&] {
        Tensor result = t;
        for (std::size_t i = many.dims.size() - 1; i-- > 0;)
            result = transformed(result, many.dims[i], many.sizes[i], inverse, {isRounded(t)});
        return finished(transformedHalf(result, many.dims.back(), many.sizes.back(), inverse, {isRounded(t), by}),
                        partDType(t));
    });
}

Tensor shifted(const char* name, const Tensor& t, const Sizes& dims, bool back) {
    elementwise::requireDefined(t, name);
    Dims chosen, shifts;
    if (dims)
        for (const Index d : *dims) chosen.push_back(static_cast<Index>(wrapped(d, t.dim())));
    else
        for (Index d = 0; d < t.dim(); ++d) chosen.push_back(d);
    if (t.dim() == 0) chosen.clear();
    for (const Index d : chosen) shifts.push_back(back ? (t.size(d) + 1) / 2 : t.size(d) / 2);
    return observed(name, t, [&] { return chosen.empty() ? clone(t) : roll(t, shifts, chosen); });
}

} // namespace

Tensor fft(const Tensor& t, Size n, Index dim, std::string_view norm) {
    return complexAlong("fft", t, n, dim, norm, false);
}

Tensor ifft(const Tensor& t, Size n, Index dim, std::string_view norm) {
    return complexAlong("ifft", t, n, dim, norm, true);
}

Tensor rfft(const Tensor& t, Size n, Index dim, std::string_view norm) {
    return realAlong("rfft", t, n, dim, norm, false);
}

Tensor irfft(const Tensor& t, Size n, Index dim, std::string_view norm) {
    return fromHalf("irfft", t, n, dim, norm, true);
}

Tensor hfft(const Tensor& t, Size n, Index dim, std::string_view norm) {
    return fromHalf("hfft", t, n, dim, norm, false);
}

Tensor ihfft(const Tensor& t, Size n, Index dim, std::string_view norm) {
    return realAlong("ihfft", t, n, dim, norm, true);
}

Tensor fftn(const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm) {
    return complexN("fft.fftn", t, s, dims, norm, false);
}

Tensor ifftn(const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm) {
    return complexN("fft.ifftn", t, s, dims, norm, true);
}

Tensor rfftn(const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm) {
    return realN("rfftn", t, s, dims, norm, false);
}

Tensor irfftn(const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm) {
    return fromHalfN("irfftn", t, s, dims, norm, true);
}

Tensor hfftn(const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm) {
    return fromHalfN("hfftn", t, s, dims, norm, false);
}

Tensor ihfftn(const Tensor& t, const Sizes& s, const Sizes& dims, std::string_view norm) {
    return realN("ihfftn", t, s, dims, norm, true);
}

namespace {

/// The numbers 0, 1, … in the dtype of the frequencies, which rounds them as PyTorch does.
Tensor counted(const char* name, Index count, const TensorOptions& options) {
    const DType dtype = options.dtype.value_or(defaultDType());
    if (!isFloating(dtype) && !isComplex(dtype))
        refuse("FFT-06", std::string(name) + " requires a floating point or complex dtype",
               "Frequencies are fractions.");
    return arange(count, {dtype, options.device});
}

std::string frequencyText(Index n, double d) {
    return std::to_string(n) + (d == 1 ? "" : ", d=" + shortestText(d));
}

} // namespace

Tensor fftfreq(Index n, double d, TensorOptions options) {
    return observed::newTensors(
        "fft.fftfreq", [] { return observed::Inputs(); },
        [&] {
            if (n < 0) static_cast<void>(empty({n}));
            const Tensor steps = counted("fftfreq", n, options);
            const Index positive = (n + 1) / 2;
            if (positive < n) copy_(narrow(steps, 0, positive, n - positive), arange(-(n / 2), 0));
            return Tensor(mul_(steps, 1 / (static_cast<double>(n) * d)));
        },
        [&] { return frequencyText(n, d); });
}

Tensor rfftfreq(Index n, double d, TensorOptions options) {
    return observed::newTensors(
        "fft.rfftfreq", [] { return observed::Inputs(); },
        [&] { return Tensor(mul_(counted("rfftfreq", n / 2 + 1, options), 1 / (static_cast<double>(n) * d))); },
        [&] { return frequencyText(n, d); });
}

Tensor fftshift(const Tensor& t, const Sizes& dims) {
    return shifted("fft.fftshift", t, dims, false);
}

Tensor ifftshift(const Tensor& t, const Sizes& dims) {
    return shifted("fft.ifftshift", t, dims, true);
}

} // namespace stridescope::fft
