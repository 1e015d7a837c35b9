#include "core/ops/scans.h"

#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/line_walk.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/extrema.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reduce_call.h"
#include "core/ops/reductions.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"

#include <cmath>
#include <limits>
#include <vector>

namespace stridescope {

using namespace reduction;

namespace {

/// A row-major result of t's shape.
Tensor resultLike(const Tensor& t, DType dtype) {
    return elementwise::newResult(t.shape(), elementwise::rowMajorStrides(t.shape()), dtype, t.device());
}

std::string argumentsOf(Index dim, std::optional<DType> dtype = std::nullopt) {
    return argumentsText(dim, false, dtype);
}

/// Running sums or products of real elements converted to out's dtype. Strips of neighbouring lines go row by row
/// through memory; lines that are runs in input and result go one by one.
void scanInto(const Tensor& t, Index dim, bool product, const Tensor& out) {
    if (t.numel() == 0) return;
    const cpu::ReduceSpace space = cpu::lineSpace(t.view(), t.storage()->data(), t.itemSize(), dim);
    const cpu::BlockLoader loader(t.dtype(), out.dtype());
    const cpu::ScanLoops& loops = cpu::isa().reduce.scan[product][cpu::indexOf(out.dtype())];
    const cpu::ReduceLevel &kept = space.keptLevel[0], &line = space.reducedLevel[0];
    const auto size = static_cast<Index>(out.itemSize()), inItem = static_cast<Index>(t.itemSize());
    // Strips need neighbouring lines in the result.
    const bool strips = kept.size > 1 && kept.out == 1;
    const bool direct = loader.isDirect() && (strips ? kept.in : line.in) == inItem;
    constexpr Index kStrip = 2048;
    const Index strip = strips ? std::min<Index>(kept.size, direct ? kStrip : 256) : 1;
    const Index pieces = (kept.size + strip - 1) / strip, tasks = space.keptCount() / kept.size * pieces;
    std::byte* const results = out.storage()->data();
    const auto range = [&](Index begin, Index end) {
        alignas(64) std::byte accumulators[kStrip * 8];
        cpu::Buffer buffer, written;
        for (Index task = begin; task < end; ++task) {
            const cpu::LevelOffsets outer = cpu::offsetsAt(space.keptLevel, 1, space.kept, task / pieces);
            const Index first = task % pieces * strip, count = std::min(strip, kept.size - first);
            const std::byte* const in = space.in + outer.in + first * kept.in;
            std::byte* const to = results + (outer.out + first * kept.out) * size;
            loops.clear(accumulators, count);
            if (strips && direct) {
                loops.columns(accumulators, to, line.out * size, in, line.in, line.size, count);
            } else if (strips) {
                const Index rows = std::max<Index>(loader.most() / count, 1);
                for (Index r = 0; r < line.size; r += rows) {
                    const Index n = std::min(rows, line.size - r);
                    loader.load(buffer, in + r * line.in, line.in, kept.in, n, count);
                    loops.columns(accumulators, to + r * line.out * size, line.out * size, buffer.bytes, count * size,
                                  n, count);
                }
            } else {
                const bool whole = direct && line.out == 1;
                const Index atOnce = whole ? line.size : loader.most();
                for (Index i = 0; i < line.size; i += atOnce) {
                    const Index n = std::min(atOnce, line.size - i);
                    const std::byte* from = in + i * line.in;
                    if (!direct) {
                        loader.load(buffer, from, 0, line.in, 1, n);
                        from = buffer.bytes;
                    }
                    if (line.out == 1) {
                        loops.row(accumulators, to + i * size, from, n);
                        continue;
                    }
                    loops.row(accumulators, written.bytes, from, n);
                    cpu::isa().move[std::countr_zero(static_cast<unsigned>(size))](
                        to + i * line.out * size, 0, line.out * size, written.bytes, 0, size, 1, n);
                }
            }
        }
    };
    const Index perTask = std::max<Index>(line.size * strip, 1);
    if (t.numel() < kParallelThreshold)
        range(0, tasks);
    else
        parallelFor(0, tasks, (kParallelThreshold / 2 + perTask - 1) / perTask, range);
}

template <class T>
void complexProducts(const Tensor& t, Index dim, const Tensor& out) {
    const cpu::ReduceSpace space = cpu::lineSpace(t.view(), t.storage()->data(), t.itemSize(), dim);
    const cpu::ReduceLevel& line = space.reducedLevel[0];
    auto* const results = out.data<Complex<T>>();
    for (Index kept = 0; kept < space.keptCount(); ++kept) {
        const cpu::LevelOffsets at = cpu::offsetsAt(space.keptLevel, 0, space.kept, kept);
        Complex<double> product{1, 0};
        for (Index i = 0; i < line.size; ++i) {
            const auto x = *reinterpret_cast<const Complex<T>*>(space.in + at.in + i * line.in);
            const double re = x.re, im = x.im;
            product = {product.re * re - product.im * im, product.re * im + product.im * re};
            results[at.out + i * line.out] = {static_cast<T>(product.re), static_cast<T>(product.im)};
        }
    }
}

/// Publishes nothing.
Tensor scanned(const Tensor& t, Index dim, bool product, DType dtype) {
    const trace::Nested nested;
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    if (dtype == DType::Float16 || dtype == DType::Bool)
        refuseDType(product ? "cumprod_out_cpu" : "cumsum_out_cpu", dtype);
    Tensor out = resultLike(t, dtype);
    if (isComplex(dtype)) {
        const Tensor from = to(t, dtype);
        if (!product) // of no dims: no dim of the parts either
            scanInto(complexops::parts(from), t.dim() == 0 ? -1 : d, false, complexops::parts(out));
        else if (t.numel() != 0)
            dtype == DType::Complex64 ? complexProducts<float>(from, d, out) : complexProducts<double>(from, d, out);
        return out;
    }
    scanInto(isComplex(t.dtype()) ? to(t, dtype) : t, d, product, out);
    return out;
}

Tensor scan(const char* name, const Tensor& t, Index dim, bool product, std::optional<DType> dtype) {
    requireInput(name, t);
    const bool keeps = isFloating(t.dtype()) || isComplex(t.dtype());
    const DType result = dtype.value_or(keeps ? t.dtype() : DType::Int64);
    return observed(
        name, t, [&] { return argumentsOf(dim, dtype); },
        [&] {
            return std::array<Tensor, 2>{scanned(t, dim, product, result), Tensor()};
        })[0];
}

const Tensor& scanInPlace(const char* name, const Tensor& t, Index dim, bool product) {
    requireInput(name, t);
    const Observation observation;
    elementwise::requireWritable(t, name);
    elementwise::requireNoSelfOverlap(t, nullptr);
    {
        const trace::Nested nested;
        copy_(t, scanned(t, dim, product, t.dtype()));
    }
    if (observation)
        observation.publish(name, argumentsOf(dim), {&t}, t, OpEffect::InPlace, {t.nbytes(), t.nbytes(), 0});
    return t;
}

/// Calls `body(from, n, to)` with every line and room for its result of the same type, which is then put where it
/// belongs.
template <class T, class Body>
void mapLines(const Tensor& t, DType via, Index dim, const Tensor& out, const Body& body) {
    if (t.numel() == 0) return;
    const cpu::ReduceSpace space = cpu::lineSpace(t.view(), t.storage()->data(), t.itemSize(), dim);
    const Index step = space.reducedLevel[0].out;
    T* const results = out.data<T>();
    struct Each {
        const Body* body;
        T* results;
        Index step;
        std::vector<T> line;
        void operator()(const T* from, Index n, Index first) {
            if (step == 1) {
                (*body)(from, n, results + first);
                return;
            }
            line.resize(static_cast<std::size_t>(n));
            (*body)(from, n, line.data());
            for (Index i = 0; i < n; ++i) results[first + i * step] = line[static_cast<std::size_t>(i)];
        }
    };
    cpu::forEachLine<T>(space, cpu::BlockLoader(t.dtype(), via), Each{&body, results, step, {}});
}

ValuesAndIndices runningExtremum(const char* name, const char* kernel, const Tensor& t, Index dim, bool maximum) {
    requireInput(name, t);
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    if (isComplex(t.dtype()) || t.dtype() == DType::Float16) refuseDType(kernel, t.dtype());
    std::array<Tensor, 2> results = observed(
        name, t, [&] { return argumentsOf(dim); },
        [&] {
            std::array<Tensor, 2> both{resultLike(t, t.dtype()), resultLike(t, DType::Int64)};
            if (t.numel() == 0) return both;
            const cpu::ReduceSpace space = cpu::lineSpace(t.view(), t.storage()->data(), t.itemSize(), d);
            const Index step = space.reducedLevel[0].out;
            Index* const positions = both[1].data<Index>();
            visitDType(t.dtype(), [&](auto tag) {
                using T = typename decltype(tag)::type;
                if constexpr (!std::is_same_v<T, Half>) {
                    T* const values = both[0].data<T>();
                    const auto each = [=](const T* line, Index n, Index first) {
                        T best = line[0];
                        Index position = 0;
                        for (Index i = 0; i < n; ++i) {
                            const T x = line[i];
                            if (x != x || (best == best && (maximum ? x >= best : x <= best))) {
                                best = x;
                                position = i;
                            }
                            values[first + i * step] = best;
                            positions[first + i * step] = position;
                        }
                    };
                    cpu::forEachLine<T>(space, cpu::BlockLoader(t.dtype(), t.dtype()), each);
                }
            });
            return both;
        });
    return {std::move(results[0]), std::move(results[1])};
}

/// Calls `f(TypeTag<float or double>)`.
template <class F>
void visitFloat(DType dtype, F f) {
    dtype == DType::Float64 ? f(TypeTag<double>{}) : f(TypeTag<float>{});
}

bool isSingleOrDouble(DType t) {
    return t == DType::Float32 || t == DType::Float64;
}

/// In blocks that stay in the first-level cache.
template <class T>
void softmaxLine(const T* x, Index n, T* y, bool logarithm) {
    constexpr Index kBlock = 4096;
    const cpu::IsaTable& isa = cpu::isa();
    const std::size_t type = cpu::indexOf(DTypeOf<T>::value);
    const cpu::FoldLoops& maximum = isa.reduce.fold[static_cast<std::size_t>(cpu::FoldOp::Max)][type];
    const cpu::FoldLoops& sum = isa.reduce.fold[static_cast<std::size_t>(cpu::FoldOp::Sum)][type];
    const cpu::BinaryLoop minus =
        isa.binary[BinaryOps::indexOf<Sub>()][type][static_cast<std::size_t>(cpu::Lanes::VectorScalar)];
    const cpu::MathLoop power = isa.math[MathOps::indexOf<Exp>()][type];
    T most{};
    maximum.clear(&most, 1);
    maximum.row(&most, x, n, 0);
    double total = 0;
    T powers[kBlock];
    for (Index i = 0; i < n; i += kBlock) {
        const Index count = std::min(kBlock, n - i);
        minus(y + i, x + i, &most, count);
        T* const to = logarithm ? powers : y + i;
        const void* const from = y + i;
        power(to, &from, 0, count, nullptr);
        sum.row(&total, to, count, 0);
    }
    const T last = static_cast<T>(logarithm ? std::log(total) : total);
    const cpu::BinaryLoop finish =
        logarithm ? minus
                  : isa.binary[BinaryOps::indexOf<Div>()][type][static_cast<std::size_t>(cpu::Lanes::VectorScalar)];
    finish(y, y, &last, n);
}

/// Are the elements along `dim` apart in memory, and those of another dim neighbours?
bool liesAcross(const Tensor& t, Index dim) {
    bool neighbours = false;
    for (Index d = 0; d < t.dim(); ++d)
        neighbours |= d != dim && t.stride()[static_cast<std::size_t>(d)] == 1 && t.size(d) >= 16;
    return t.numel() != 0 && t.dim() > 1 && t.size(dim) > 1 && neighbours &&
           t.stride()[static_cast<std::size_t>(dim)] != 1;
}

/// By operations that go along memory, instead of line by line across it.
void softmaxColumns(const Tensor& t, Index dim, bool logarithm, const Tensor& out) {
    subOut(t, amax(t, dim, true), out);
    if (logarithm) {
        sub_(out, log(sum(exp(out), dim, true)));
        return;
    }
    exp_(out);
    div_(out, sum(out, dim, true));
}

Tensor softmaxOf(const char* name, const Tensor& t, Index dim, std::optional<DType> dtype, bool logarithm) {
    requireInput(name, t);
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    const DType result = dtype.value_or(t.dtype());
    if (!isSingleOrDouble(result)) {
        const bool last = d == std::max<Index>(t.dim(), 1) - 1;
        const char* const kernel = !last       ? "softmax_kernel_impl"
                                   : logarithm ? "log_softmax_lastdim_kernel_impl"
                                               : "softmax_lastdim_kernel_impl";
        refuseDType(kernel, result);
    }
    return observed(
        name, t, [&] { return argumentsOf(dim, dtype); },
        [&] {
            const trace::Nested nested;
            Tensor out = resultLike(t, result);
            const Tensor from = isComplex(t.dtype()) ? to(t, result) : t;
            if (liesAcross(from, d)) {
                softmaxColumns(from.dtype() == result ? from : to(from, result), d, logarithm, out);
                return std::array<Tensor, 2>{out, Tensor()};
            }
            visitFloat(result, [&]<class T>(TypeTag<T>) {
                mapLines<T>(from, result, d, out,
                            [logarithm](const T* x, Index n, T* y) { softmaxLine(x, n, y, logarithm); });
            });
            return std::array<Tensor, 2>{out, Tensor()};
        })[0];
}

} // namespace

Tensor cumsum(const Tensor& t, Index dim, std::optional<DType> dtype) {
    return scan("cumsum", t, dim, false, dtype);
}
Tensor cumprod(const Tensor& t, Index dim, std::optional<DType> dtype) {
    return scan("cumprod", t, dim, true, dtype);
}
const Tensor& cumsumOut(const Tensor& t, Index dim, const Tensor& out) {
    return observedOut(
        "cumsum", t, out, [&] { return argumentsOf(dim); }, [&] { return cumsum(t, dim, out.dtype()); });
}
const Tensor& cumprodOut(const Tensor& t, Index dim, const Tensor& out) {
    return observedOut(
        "cumprod", t, out, [&] { return argumentsOf(dim); }, [&] { return cumprod(t, dim, out.dtype()); });
}
const Tensor& cumsum_(const Tensor& t, Index dim) {
    return scanInPlace("cumsum_", t, dim, false);
}
const Tensor& cumprod_(const Tensor& t, Index dim) {
    return scanInPlace("cumprod_", t, dim, true);
}
ValuesAndIndices cummax(const Tensor& t, Index dim) {
    return runningExtremum("cummax", "cummax_cpu", t, dim, true);
}
ValuesAndIndices cummin(const Tensor& t, Index dim) {
    return runningExtremum("cummin", "cummin_cpu", t, dim, false);
}

Tensor logcumsumexp(const Tensor& t, Index dim) {
    requireInput("logcumsumexp", t);
    const Index d = wrapDim(dim, t.dim()).valueOrThrow();
    if (!isSingleOrDouble(t.dtype())) refuseDType("logcumsumexp_out_cpu", t.dtype());
    return observed(
        "logcumsumexp", t, [&] { return argumentsOf(dim); },
        [&] {
            Tensor out = resultLike(t, t.dtype());
            visitFloat(t.dtype(), [&]<class T>(TypeTag<T>) {
                mapLines<T>(t, t.dtype(), d, out, [](const T* x, Index n, T* y) {
                    double sum = -std::numeric_limits<double>::infinity(); // the logarithm so far
                    for (Index i = 0; i < n; ++i) {
                        const auto v = static_cast<double>(x[i]);
                        const double low = v < sum ? v : sum, high = v < sum ? sum : v;
                        if (v != v || sum != sum)
                            sum = std::numeric_limits<double>::quiet_NaN();
                        else if (std::isinf(low) && low == high)
                            sum = low;
                        else
                            sum = high + std::log1p(std::exp(low - high));
                        y[i] = static_cast<T>(sum);
                    }
                });
            });
            return std::array<Tensor, 2>{out, Tensor()};
        })[0];
}

Tensor softmax(const Tensor& t, Index dim, std::optional<DType> dtype) {
    return softmaxOf("softmax", t, dim, dtype, false);
}
Tensor logSoftmax(const Tensor& t, Index dim, std::optional<DType> dtype) {
    return softmaxOf("log_softmax", t, dim, dtype, true);
}

} // namespace stridescope
