// Functions: random numbers.

#include "core/ops/random.h"
#include "core/python/function.h"

namespace stridescope::python::tables {

namespace {

#define SOURCE "Generator? generator=None"

TensorOptions integerOptions(const Args& a, std::size_t first) {
    TensorOptions options = a.options(first);
    if (!options.dtype) options.dtype = DType::Int64;
    return options;
}

} // namespace

std::vector<Entry> random() {
    return {
        FN("rand(int[] size, *, " SOURCE ", " OPTIONS ", " NAMES ")", rand(a.dims(0), a.options(2), a.generator(1))),
        FN("randn(int[] size, *, " SOURCE ", " OPTIONS ", " NAMES ")", randn(a.dims(0), a.options(2), a.generator(1))),
        FN("rand_like(Tensor input, *, " OPTIONS ", memory_format? memory_format=None)",
           randLike(a.tensor(0), a.likeOptions(1))),
        FN("randn_like(Tensor input, *, " OPTIONS ", memory_format? memory_format=None)",
           randnLike(a.tensor(0), a.likeOptions(1))),
        FN("randint(int high, int[] size, *, " SOURCE ", " OPTIONS ")",
           randint(a.index(0), a.dims(1), integerOptions(a, 3), a.generator(2))),
        FN("randint(int low, int high, int[] size, *, " SOURCE ", " OPTIONS ")",
           randint(a.index(0), a.index(1), a.dims(2), integerOptions(a, 4), a.generator(3))),
        FN("randint_like(Tensor input, int high, *, " OPTIONS ", memory_format? memory_format=None)",
           randintLike(a.tensor(0), a.index(1), a.likeOptions(2))),
        FN("randint_like(Tensor input, int low, int high, *, " OPTIONS ", memory_format? memory_format=None)",
           randintLike(a.tensor(0), a.index(1), a.index(2), a.likeOptions(3))),
        FN("randperm(int n, *, " SOURCE ", " OPTIONS ")", randperm(a.index(0), integerOptions(a, 2), a.generator(1))),
        FN(":normal(Tensor mean, Tensor std, *, " SOURCE ")", normal(a.tensor(0), a.tensor(1), a.generator(2))),
        FN(":normal(Tensor mean, float std=1.0, *, " SOURCE ")", normal(a.tensor(0), a.number(1), a.generator(2))),
        FN(":normal(float mean, Tensor std, *, " SOURCE ")", normal(a.number(0), a.tensor(1), a.generator(2))),
        FN(":normal(float mean, float std, int[] size, *, " SOURCE ", " OPTIONS ")",
           normal(a.number(0), a.number(1), a.dims(2), a.options(4), a.generator(3))),
        FN("bernoulli(Tensor input, *, " SOURCE ")", bernoulli(a.tensor(0), a.generator(1))),
        FN("bernoulli(Tensor input, float p, *, " SOURCE ")", bernoulli(a.tensor(0), a.number(1), a.generator(2))),
        FN("poisson(Tensor input, " SOURCE ")", poisson(a.tensor(0), a.generator(1))),
        FN(":binomial(Tensor count, Tensor prob, " SOURCE ")", binomial(a.tensor(0), a.tensor(1), a.generator(2))),
        FN("multinomial(Tensor input, int num_samples, bool replacement=False, *, " SOURCE ")",
           multinomial(a.tensor(0), a.index(1), a.flag(2), a.generator(3))),
        IN("uniform_(Tensor input, float from=0.0, float to=1.0, *, " SOURCE ")",
           uniform_(a.tensor(0), a.number(1), a.number(2), a.generator(3))),
        IN("normal_(Tensor input, float mean=0.0, float std=1.0, *, " SOURCE ")",
           normal_(a.tensor(0), a.number(1), a.number(2), a.generator(3))),
        IN(".random_(Tensor input, *, " SOURCE ")", random_(a.tensor(0), a.generator(1))),
        IN(".random_(Tensor input, int to, *, " SOURCE ")", random_(a.tensor(0), a.index(1), a.generator(2))),
        IN(".random_(Tensor input, int from, int? to, *, " SOURCE ")",
           random_(a.tensor(0), a.index(1), a.optionalIndex(2), a.generator(3))),
        // First: a 0-d tensor would pass for a number, which is drawn for in another way.
        IN("bernoulli_(Tensor input, Tensor p, *, " SOURCE ")", bernoulli_(a.tensor(0), a.tensor(1), a.generator(2))),
        IN("bernoulli_(Tensor input, float p=0.5, *, " SOURCE ")",
           bernoulli_(a.tensor(0), a.number(1), a.generator(2))),
        IN(".exponential_(Tensor input, float lambd=1.0, *, " SOURCE ")",
           exponential_(a.tensor(0), a.number(1), a.generator(2))),
        IN(".geometric_(Tensor input, float p, *, " SOURCE ")", geometric_(a.tensor(0), a.number(1), a.generator(2))),
        IN(".log_normal_(Tensor input, float mean=1.0, float std=2.0, *, " SOURCE ")",
           logNormal_(a.tensor(0), a.number(1), a.number(2), a.generator(3))),
        IN(".cauchy_(Tensor input, float median=0.0, float sigma=1.0, *, " SOURCE ")",
           cauchy_(a.tensor(0), a.number(1), a.number(2), a.generator(3))),
    };
}

} // namespace stridescope::python::tables
