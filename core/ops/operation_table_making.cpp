// Table entries: creation, random numbers, copies.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/operation_table.h"
#include "core/ops/patterns.h"
#include "core/ops/views.h"

namespace stridescope::operation_table {

namespace {

using dtypes::all;
using dtypes::complexes;
using dtypes::floats;
using dtypes::reals;

using In = std::span<const Tensor>;
using Out = std::vector<Tensor>;

constexpr DTypeSet kCountable = dtypes::reals.without(DType::Bool);

} // namespace

std::span<const Operation> creation() {
    static const Operation kTable[] = {
        {"empty", "(*size, dtype=None)", "Memory as it was found; pictures show dots until it is written.", "-> size",
         all, OpGives::New},
        {"zeros", "(*size, dtype=None)", "Zeros.", "-> size", all, OpGives::New},
        {"ones", "(*size, dtype=None)", "Ones.", "-> size", all, OpGives::New},
        {"full", "(size, fill_value, dtype=None)", "One number everywhere; its kind decides the dtype.", "-> size", all,
         OpGives::New},
        {"empty_strided", "(size, stride)", "Any layout over a storage that just holds it.", "-> size", all,
         OpGives::New, "CREATE-12, VIEW-22"},
        {"empty_like", "(input)", "As empty, in the layout of another tensor.", "{...} -> {...}", all},
        {"zeros_like", "(input)", "As zeros, in the layout of another tensor.", "{...} -> {...}", all, OpGives::New, "",
         SampleInputs::One, [](In in) { return Out{zerosLike(in[0])}; }},
        {"ones_like", "(input)", "As ones, in the layout of another tensor.", "{...} -> {...}", all, OpGives::New, "",
         SampleInputs::One, [](In in) { return Out{onesLike(in[0])}; }},
        {"full_like", "(input, fill_value)", "As full, in the layout of another tensor.", "{...} -> {...}", all,
         OpGives::New, "", SampleInputs::One, [](In in) { return Out{fullLike(in[0], 1)}; }},
        {"arange", "(start=0, end, step=1)", "start, start + step, … up to but without end.", "-> {n}", kCountable,
         OpGives::New, "CREATE-04 … CREATE-08"},
        {"tensor", "(data, dtype=None)", "From nested lists; the kinds of the numbers decide the dtype.",
         "-> shape of data", all, OpGives::New, "CREATE-03, CREATE-09 … CREATE-13"},
        {"as_tensor", "(data, dtype=None)", "As tensor, but the data itself where nothing has to be converted.",
         "-> shape of data", all, OpGives::SameOrNew, "CREATE-03, CREATE-09 … CREATE-13"},
        {"range", "(start=0, end, step=1)", "As arange, the end counted in. Deprecated.", "-> {n}",
         kCountable.without(DType::Float16), OpGives::New, "CREATE-04 … CREATE-08"},
        {"Tensor.new_empty", "(size)", "As empty, with the dtype and device of another tensor.", "-> size", all},
        {"Tensor.new_zeros", "(size)", "As zeros, with the dtype and device of another tensor.", "-> size", all},
        {"Tensor.new_ones", "(size)", "As ones, with the dtype and device of another tensor.", "-> size", all},
        {"Tensor.new_full", "(size, fill_value)", "As full, with the dtype and device of another tensor.", "-> size",
         all, OpGives::New},
        {"Tensor.new_tensor", "(data)", "As tensor, with the dtype and device of another tensor.", "-> shape of data",
         all, OpGives::New, "CREATE-03, CREATE-09 … CREATE-13"},
        {"linspace", "(start, end, steps)", "Evenly spaced numbers, both ends included.", "-> {steps}",
         all.without(DType::Bool), OpGives::New, "PATTERN-01, PATTERN-02"},
        {"logspace", "(start, end, steps, base=10)", "Powers of the base with evenly spaced exponents.", "-> {steps}",
         all.without(DType::Bool), OpGives::New, "PATTERN-01, PATTERN-02"},
        {"eye", "(n, m=n)", "1 on the diagonal, 0 elsewhere.", "-> {n, m}", all, OpGives::New, "PATTERN-01"},
        {"bartlett_window", "(window_length, periodic=True)", "A triangle.", "-> {length}", floats, OpGives::New,
         "WINDOW-01, WINDOW-02"},
        {"blackman_window", "(window_length, periodic=True)", "0.42 - 0.5 cos(x) + 0.08 cos(2 x).", "-> {length}",
         floats, OpGives::New, "WINDOW-01, WINDOW-02"},
        {"hamming_window", "(window_length, periodic=True, alpha=0.54, beta=0.46)", "alpha - beta cos(x).",
         "-> {length}", floats, OpGives::New, "WINDOW-01, WINDOW-02"},
        {"hann_window", "(window_length, periodic=True)", "(1 - cos(x)) / 2.", "-> {length}", floats, OpGives::New,
         "WINDOW-01, WINDOW-02"},
        {"kaiser_window", "(window_length, periodic=True, beta=12.0)", "Made of Bessel's function I0.", "-> {length}",
         floats, OpGives::New, "WINDOW-01, WINDOW-02"},
        {"tril", "(input, diagonal=0)", "Zeros above a diagonal of the last two dims.", "{.., n, m} -> {.., n, m}", all,
         OpGives::New, "", SampleInputs::Matrices,
         [](In in) {
             return Out{tril(in[0]), tril(in[0], -1)};
         }},
        {"triu", "(input, diagonal=0)", "Zeros below a diagonal of the last two dims.", "{.., n, m} -> {.., n, m}", all,
         OpGives::New, "", SampleInputs::Matrices,
         [](In in) {
             return Out{triu(in[0]), triu(in[0], 1)};
         }},
        {"diag", "(input, diagonal=0)", "A vector as a diagonal, or the diagonal of a matrix.",
         "{n} -> {n + |k|, n + |k|}; {n, m} -> {d}", all, OpGives::New, "PATTERN-03"},
        {"diagflat", "(input, offset=0)", "The flattened tensor as a diagonal.", "{...} -> {n + |k|, n + |k|}", all,
         OpGives::New, "", SampleInputs::Line, [](In in) { return Out{diagflat(in[0], 1)}; }},
        {"diag_embed", "(input, offset=0, dim1=-2, dim2=-1)", "The last dim as diagonals of two new dims.",
         "{.., n} -> {.., n + |k|, n + |k|}", all, OpGives::New, "PATTERN-04", SampleInputs::Line,
         [](In in) { return Out{diagEmbed(in[0])}; }},
        {"Tensor.fill_diagonal_", "(fill_value, wrap=False)", "One number on the diagonal.", "{n, n, ..}", all,
         OpGives::InPlace, "PATTERN-08"},
        {"block_diag", "(*tensors)", "Matrices along the diagonal, zeros elsewhere.", "{m, n} {p, q} -> {m + p, n + q}",
         all, OpGives::New, "PATTERN-08", SampleInputs::Factors,
         [](In in) {
             return Out{blockDiag({select(flatten(in[0], 0, -2), 0, 0), flatten(in[1], 0, -2)})};
         }},
        {"tril_indices", "(row, col, offset=0)", "Rows and columns of what tril keeps.", "-> {2, n}", dtypes::integers,
         OpGives::New, "PATTERN-01, PATTERN-02"},
        {"triu_indices", "(row, col, offset=0)", "Rows and columns of what triu keeps.", "-> {2, n}", dtypes::integers,
         OpGives::New, "PATTERN-01, PATTERN-02"},
        {"meshgrid", "(*tensors, indexing='ij')", "Each vector spread over all dims.", "{n_i} -> {n_0, n_1, ..} each",
         all, OpGives::View, "PATTERN-05"},
        {"cartesian_prod", "(*tensors)", "Every choice of one element of each vector.", "{n_i} -> {product, count}",
         all, OpGives::SameOrNew, "PATTERN-05, PATTERN-06"},
        {"combinations", "(input, r=2, with_replacement=False)", "Every choice of r elements.", "{n} -> {count, r}",
         all, OpGives::New, "PATTERN-06, PATTERN-07"},
        {"vander", "(x, N=None, increasing=False)", "Powers of each element.", "{n} -> {n, N}", all, OpGives::New,
         "PATTERN-06, PATTERN-07"},
        {"linalg.vander", "(x, N=None)", "Ascending powers of each element, from 0 on.", "{..., n} -> {..., n, N}",
         all.without(DTypeSet(DType::Bool) | DType::Float16), OpGives::New, "PATTERN-07, PATTERN-09",
         SampleInputs::Line, [](In in) { return Out{linalgVander(in[0], 3)}; }},
    };
    return kTable;
}

std::span<const Operation> random() {
    static const Operation kTable[] = {
        {"rand", "(*size)", "Uniform in [0, 1).", "-> size", floats | complexes, OpGives::New, "RNG-13"},
        {"randn", "(*size)", "Normal, mean 0 and standard deviation 1.", "-> size", floats | complexes, OpGives::New,
         "RNG-13"},
        {"randint", "(low=0, high, size)", "Whole numbers in [low, high).", "-> size", reals, OpGives::New,
         "RNG-01 … RNG-03"},
        {"randperm", "(n)", "0 … n - 1 in random order.", "-> {n}", kCountable, OpGives::New, "RNG-15"},
        {"rand_like", "(input)", "As rand, in the layout of another tensor.", "{...} -> {...}", floats | complexes,
         OpGives::New, "RNG-13"},
        {"randn_like", "(input)", "As randn, in the layout of another tensor.", "{...} -> {...}", floats | complexes,
         OpGives::New, "RNG-13"},
        {"randint_like", "(input, low=0, high)", "As randint, in the layout of another tensor.", "{...} -> {...}",
         reals, OpGives::New, "RNG-01 … RNG-03, RNG-13"},
        {"normal", "(mean, std)", "Normal with a mean and deviation for each element.", "broadcast", floats | complexes,
         OpGives::New, "RNG-06, RNG-07, RNG-13"},
        {"bernoulli", "(input)", "1 with the probability that stands in the element.", "{...} -> {...}", floats,
         OpGives::New, "RNG-11 … RNG-13"},
        {"poisson", "(input)", "How many events of the rate that stands in the element happen.", "{...} -> {...}",
         dtypes::wideFloats, OpGives::New, "RNG-13, RNG-26"},
        {"binomial", "(count, prob)", "How many of count trials succeed.", "broadcast", dtypes::wideFloats,
         OpGives::New, "RNG-13, RNG-27"},
        {"multinomial", "(input, num_samples, replacement=False)", "Indices drawn with weights.",
         "{n} -> {s}; {m, n} -> {m, s}", dtypes::wideFloats, OpGives::New, "RNG-16 … RNG-22"},
        {"Tensor.uniform_", "(from=0, to=1)", "Uniform in [from, to).", "{...}", floats | complexes, OpGives::InPlace,
         "RNG-02, RNG-04, RNG-05, RNG-13"},
        {"Tensor.normal_", "(mean=0, std=1)", "Normal.", "{...}", floats | complexes, OpGives::InPlace,
         "RNG-06, RNG-13"},
        {"Tensor.random_", "(from=0, to=None)", "Whole numbers.", "{...}", reals, OpGives::InPlace,
         "RNG-01, RNG-02, RNG-13, RNG-14"},
        {"Tensor.bernoulli_", "(p=0.5)", "1 with probability p, else 0.", "{...}", reals.without(DType::Float16),
         OpGives::InPlace, "RNG-11 … RNG-13, VIEW-19, VIEW-20"},
        {"Tensor.exponential_", "(lambd=1)", "Exponentially distributed.", "{...}", floats, OpGives::InPlace,
         "RNG-09, RNG-13"},
        {"Tensor.geometric_", "(p)", "Trials up to the first success.", "{...}", kCountable, OpGives::InPlace,
         "RNG-10, RNG-13"},
        {"Tensor.log_normal_", "(mean=1, std=2)", "e to the power of normal numbers.", "{...}", floats,
         OpGives::InPlace, "RNG-08, RNG-13"},
        {"Tensor.cauchy_", "(median=0, sigma=1)", "Cauchy distributed.", "{...}", floats, OpGives::InPlace, "RNG-13"},
    };
    return kTable;
}

std::span<const Operation> copies() {
    static const Operation kTable[] = {
        {"Tensor.to", "(dtype or device)", "Converted, or on another device; itself when nothing changes.",
         "{...} -> {...}", all, OpGives::SameOrNew, "", SampleInputs::One,
         [](In in) {
             return Out{to(in[0], DType::Float64), to(in[0], DType::Int16), to(in[0], DType::Complex64)};
         }},
        {"Tensor.copy_", "(src)", "Writes src's elements, converted and broadcast.", "{...} {...} -> {...}", all,
         OpGives::InPlace},
        {"Tensor.fill_", "(value)", "Writes one number everywhere.", "{...}", all, OpGives::InPlace, "FILL-02"},
        {"Tensor.zero_", "()", "Writes zeros.", "{...}", all, OpGives::InPlace},
    };
    return kTable;
}

} // namespace stridescope::operation_table
