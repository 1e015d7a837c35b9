// Drawing by given probabilities: bernoulli and multinomial.
#include "core/ops/pointwise.h"
#include "core/ops/random.h"
#include "core/ops/random_call.h"
#include "core/tensor/walk.h"
#include "core/view/view_ops.h"

#include <limits>

namespace stridescope {

using namespace random;

// --- Bernoulli ------------------------------------------------------------------------------------------------------

namespace {

void fillBernoulli(const Tensor& t, double p, Generator& generator) {
    if (!(p >= 0 && p <= 1))
        refuse("RNG-11", "bernoulli_ expects p to be in [0, 1], but got p=" + shown(p), "p is the probability of a 1.");
    if (t.dtype() == DType::Float16) refuseDType("bernoulli_scalar_cpu_", t.dtype());
    requireReal(t.dtype(), "bernoulli_scalar_cpu_");
    const Target target = targetOf(t, "bernoulli_");
    if (target.count == 0) return;
    const std::scoped_lock lock(generator.mutex());
    visitDType(t.dtype(), [&](auto tag) {
        fillFromDraws<typename decltype(tag)::type, kUniformDraws<double>>(
            target, generator, [=](const std::uint32_t* draws) { return uniform<double>(draws) < p; });
    });
}

template <class P>
void checkProbabilities(const Tensor& p) {
    const P* data = p.storageData<P>();
    forEachSlot(p.view(), [&](Index slot) {
        if (!(data[slot] >= 0 && data[slot] <= 1))
            refuse("RNG-12", "Expected p_in >= 0 && p_in <= 1 to be true, but got false.",
                   "One of the probabilities is " + shown(static_cast<double>(data[slot])) + ".");
    });
}

template <class T, class P>
void fillBernoulli(const Target& target, Generator& generator) {
    Draws<kUniformDraws<P>> draws(generator, target.count);
    forEachRun(target.space, [&](Run run) {
        for (Index i = 0; i < run.count; ++i) {
            // Read before the write: both may be the same element.
            const P p = *reinterpret_cast<const P*>(run.in + i * run.inStep);
            *reinterpret_cast<T*>(run.out + i * run.outStep) = convertValue<T>(uniform<P>(draws.next()) < p);
        }
    });
}

void fillBernoulli(const Tensor& t, const Tensor& p, Generator& generator) {
    if (t.dtype() == DType::Float16) refuseDType("bernoulli_tensor_cpu_self_", t.dtype());
    requireReal(t.dtype(), "bernoulli_tensor_cpu_self_");
    if (p.dtype() != DType::Float32 && p.dtype() != DType::Float64) refuseDType("bernoulli_tensor_cpu_p_", p.dtype());
    requireCpu(p, "bernoulli_: reading the probabilities");
    const Tensor expanded = p.withView(expand(p.view(), t.shape()).valueOrThrow());
    const Target target = targetOf(t, "bernoulli_", &expanded);
    if (target.count == 0) return;
    const auto withType = [&](auto probability) {
        using P = typename decltype(probability)::type;
        checkProbabilities<P>(p);
        const std::scoped_lock lock(generator.mutex());
        visitDType(t.dtype(), [&](auto tag) { fillBernoulli<typename decltype(tag)::type, P>(target, generator); });
    };
    if (p.dtype() == DType::Float32)
        withType(TypeTag<float>{});
    else
        withType(TypeTag<double>{});
}

} // namespace

const Tensor& bernoulli_(const Tensor& t, double p, Generator& generator) {
    elementwise::requireDefined(t, "bernoulli_");
    return inPlace(
        t, "bernoulli_", nullptr, [&] { fillBernoulli(t, p, generator); }, [&] { return toString(Scalar(p)); });
}

const Tensor& bernoulli_(const Tensor& t, const Tensor& p, Generator& generator) {
    elementwise::requireDefined(t, "bernoulli_");
    elementwise::requireDefined(p, "bernoulli_");
    return inPlace(
        t, "bernoulli_", &p, [&] { fillBernoulli(t, p, generator); }, [] { return std::string(); });
}

Tensor bernoulli(const Tensor& p, Generator& generator) {
    elementwise::requireDefined(p, "bernoulli");
    return makesNew(
        "bernoulli", {&p},
        [&] {
            requireCpuDevice(p.device(), p.dtype(), "bernoulli");
            return bernoulli_(empty(p.shape(), {p.dtype(), p.device()}), p, generator);
        },
        [] { return std::string(); });
}

Tensor bernoulli(const Tensor& t, double p, Generator& generator) {
    elementwise::requireDefined(t, "bernoulli");
    return makesNew(
        "bernoulli", {&t},
        [&] {
            requireCpuDevice(t.device(), t.dtype(), "bernoulli");
            return bernoulli_(empty(t.shape(), {t.dtype(), t.device()}), p, generator);
        },
        [&] { return toString(Scalar(p)); });
}

// --- Multinomial ----------------------------------------------------------------------------------------------------

namespace {

/// One row of a matrix, or a vector: n elements `step` apart.
template <class T>
struct Row {
    const T* first;
    Index step, size;
    T operator[](Index i) const { return first[i * step]; }
};

template <class T>
Row<T> rowOf(const Tensor& t, Index row) {
    const View& v = t.view();
    const T* first = t.data<T>();
    if (v.dim() == 2) first += row * v.stride[0];
    return {first, v.stride.back(), v.shape.back()};
}

constexpr const char* kWeightHint = "Weights are finite, not negative, and one of each row is above 0.";

void checkMultinomial(const Tensor& weights, Index count, bool replacement) {
    if (weights.dim() != 1 && weights.dim() != 2)
        refuse("RNG-16", "prob_dist must be 1 or 2 dim",
               "It has " + std::to_string(weights.dim()) + ": give the weights of one draw in a row.");
    if (weights.dtype() != DType::Float32 && weights.dtype() != DType::Float64) {
        const bool half = weights.dtype() == DType::Float16;
        throwRefusal({ErrorKind::NotImplemented,
                      "RNG-22",
                      half ? "multinomial is not implemented for half on CPU"
                           : "multinomial only supports floating-point dtypes for input, got: " +
                                 std::string(scalarTypeName(weights.dtype())),
                      "Convert the weights: x.to(torch.float32).",
                      {}});
    }
    if (count <= 0)
        refuse("RNG-17", "cannot sample n_sample <= 0 samples", "n_sample is " + std::to_string(count) + ".");
    const Index n = weights.size(-1);
    if (!replacement && count > n)
        refuse("RNG-18", "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
               "n_sample is " + std::to_string(count) + ", the size is " + std::to_string(n) + ".");
    if (n > Index{1} << 24)
        refuse("RNG-19", "number of categories cannot exceed 2^24", "It is " + std::to_string(n) + ".");
}

/// PyTorch's words for draws with and without replacement differ.
template <class T>
void checkWeights(Row<T> row, bool replacement) {
    bool any = false;
    for (Index i = 0; i < row.size; ++i) {
        const T w = row[i];
        if (!(w >= 0))
            refuse("RNG-20",
                   replacement ? "invalid multinomial distribution (encountering probability entry < 0)"
                               : "probability tensor contains either `inf`, `nan` or element < 0",
                   kWeightHint);
        if (w > std::numeric_limits<T>::max())
            refuse("RNG-20",
                   replacement ? "invalid multinomial distribution (encountering probability entry = infinity or NaN)"
                               : "probability tensor contains either `inf`, `nan` or element < 0",
                   kWeightHint);
        any |= w > 0;
    }
    if (!any) refuse("RNG-21", "invalid multinomial distribution (sum of probabilities <= 0)", kWeightHint);
}

/// With replacement: a uniform double is looked up in the running sums of the weights, which are of their dtype.
template <class T>
void drawRow(Row<T> row, std::int64_t* out, Index count, std::vector<T>& sums, Draws<kUniformDraws<double>>& draws) {
    T sum = 0;
    for (Index i = 0; i < row.size; ++i) sums[static_cast<std::size_t>(i)] = sum += row[i];
    for (T& s : sums) s /= sum;
    sums.back() = 1;
    for (Index k = 0; k < count; ++k) {
        const double x = uniform<double>(draws.next());
        const auto at = std::partition_point(sums.begin(), sums.end(), [x](T s) { return static_cast<double>(s) < x; });
        out[k] = at - sums.begin();
    }
}

/// Without replacement: the indices of the `count` greatest quotients, in the order in which PyTorch's topk leaves them
/// (ties, which only weights of 0 make, fall as the standard library's algorithms let them).
template <class T>
void pickGreatest(Row<T> row, std::int64_t* out, Index count, std::vector<std::pair<T, Index>>& entries) {
    using Entry = std::pair<T, Index>;
    const auto greater = [](const Entry& a, const Entry& b) {
        return (std::isnan(a.first) && !std::isnan(b.first)) || a.first > b.first;
    };
    for (Index i = 0; i < row.size; ++i) entries[static_cast<std::size_t>(i)] = {row[i], i};
    if (count == 1) {
        out[0] = std::min_element(entries.begin(), entries.end(), greater)->second;
        return;
    }
    const auto end = entries.begin() + count;
    if (count * 64 <= row.size) {
        std::partial_sort(entries.begin(), end, entries.end(), greater);
    } else {
        std::nth_element(entries.begin(), end - 1, entries.end(), greater);
        std::sort(entries.begin(), end - 1, greater);
    }
    for (Index k = 0; k < count; ++k) out[k] = entries[static_cast<std::size_t>(k)].second;
}

template <class T>
void drawMultinomial(const Tensor& weights, const Tensor& result, Index count, bool replacement, Generator& generator) {
    const Index rows = weights.dim() == 2 ? weights.size(0) : 1;
    for (Index r = 0; r < rows; ++r) checkWeights(rowOf<T>(weights, r), replacement);
    auto* out = result.data<std::int64_t>();
    if (replacement) {
        std::vector<T> sums(static_cast<std::size_t>(weights.size(-1)));
        const std::scoped_lock lock(generator.mutex());
        Draws<kUniformDraws<double>> draws(generator, rows * count);
        for (Index r = 0; r < rows; ++r) drawRow(rowOf<T>(weights, r), out + r * count, count, sums, draws);
        return;
    }
    // Weights over exponential numbers: the greatest quotient is at i with a probability as weights[i], the next ones
    // likewise among the rest. Memory comes first: once numbers are drawn, nothing may fail.
    std::vector<std::pair<T, Index>> entries(static_cast<std::size_t>(weights.size(-1)));
    const Tensor quotients = emptyLike(weights);
    exponential_(quotients, 1, generator);
    divOut(weights, quotients, quotients);
    for (Index r = 0; r < rows; ++r) pickGreatest(rowOf<T>(quotients, r), out + r * count, count, entries);
}

} // namespace

Tensor multinomial(const Tensor& weights, Index count, bool replacement, Generator& generator) {
    elementwise::requireDefined(weights, "multinomial");
    return makesNew(
        "multinomial", {&weights},
        [&] {
            requireCpu(weights, "multinomial: reading the weights");
            checkMultinomial(weights, count, replacement);
            const Dims shape = weights.dim() == 2 ? Dims{weights.size(0), count} : Dims{count};
            Tensor result = empty(shape, {DType::Int64, Device{}});
            if (weights.dtype() == DType::Float32)
                drawMultinomial<float>(weights, result, count, replacement, generator);
            else
                drawMultinomial<double>(weights, result, count, replacement, generator);
            result.storage()->bumpVersion();
            return result;
        },
        [&] { return shown(count) + (replacement ? ", replacement=True" : ""); });
}

} // namespace stridescope
