// What each operation that has an `out=` does with it.

#include "core/ops/operation_table.h"

#include <algorithm>
#include <cassert>

namespace stridescope::operation_table {

namespace {

// Operations with an `out=` argument, by what its dtype must be.
constexpr std::string_view kOutSame =
    "softmax log_softmax renorm float_power mm mv dot vdot bmm matmul addmm addmv baddbmm addbmm inner tensordot cross "
    "linalg.multi_dot "
    "linalg.solve "
    "linalg.solve_triangular linalg.inv linalg.qr linalg.cholesky linalg.svd linalg.svdvals linalg.solve_ex "
    "linalg.inv_ex linalg.cholesky_ex "
    "geqrf ormqr linalg.householder_product triangular_solve linalg.ldl_factor linalg.ldl_factor_ex linalg.ldl_solve "
    "lu_solve linalg.lu_factor linalg.lu_factor_ex linalg.lu linalg.lu_solve cholesky_solve cholesky_inverse "
    "linalg.vecdot linalg.cross nanquantile chain_matmul "
    "linalg.eig linalg.eigh linalg.eigvalsh linalg.det linalg.slogdet qr svd slogdet "
    "linalg.matrix_power gels eig linalg.lstsq linalg.norm linalg.vector_norm "
    "linalg.matrix_norm index_select gather "
    "scatter_reduce take take_along_dim msort frexp isin masked_select nonzero where sort topk kthvalue max "
    "min amax amin "
    "aminmax argmax argmin "
    "median nanmedian mode quantile cummax cummin logcumsumexp cumsum cumprod sum nansum mean nanmean "
    "prod tril triu diag histc histogram lu_unpack searchsorted bucketize multinomial rand randn randint "
    "randperm "
    "normal clamp complex polar index_reduce scatter scatter_add index_add index_copy clamp_min "
    "clamp_max conj_physical prelu narrow_copy";
constexpr std::string_view kOutCastable =
    "cholesky linalg.eigvals linalg.tensorsolve linalg.tensorinv diff "
    "cat stack hstack vstack dstack column_stack outer kron linalg.pinv linalg.cond logsumexp norm angle "
    "fft.fftfreq fft.rfftfreq add sub mul div "
    "maximum minimum eq ne lt le gt ge neg abs "
    "exp log log2 log10 sqrt rsqrt "
    "reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid exp2 expm1 log1p erf "
    "erfc erfinv sinc i0 polygamma special.zeta special.xlog1py special.i0e special.i1 special.i1e special.bessel_j0 "
    "special.bessel_j1 special.bessel_y0 special.bessel_y1 special.modified_bessel_i0 special.modified_bessel_i1 "
    "special.modified_bessel_k0 special.modified_bessel_k1 special.scaled_modified_bessel_k0 "
    "special.scaled_modified_bessel_k1 special.spherical_bessel_j0 special.airy_ai special.ndtr special.ndtri "
    "special.log_ndtr special.erfcx special.entr special.chebyshev_polynomial_t special.chebyshev_polynomial_u "
    "special.chebyshev_polynomial_v special.chebyshev_polynomial_w special.shifted_chebyshev_polynomial_t "
    "special.shifted_chebyshev_polynomial_u special.shifted_chebyshev_polynomial_v "
    "special.shifted_chebyshev_polynomial_w special.hermite_polynomial_h special.hermite_polynomial_he "
    "special.laguerre_polynomial_l special.legendre_polynomial_p igamma igammac mvlgamma ldexp addr lgamma "
    "digamma deg2rad rad2deg logit "
    "square sign sgn floor ceil trunc round frac "
    "bitwise_not nan_to_num logical_not pow floor_divide remainder "
    "fmod gcd lcm atan2 hypot logaddexp logaddexp2 nextafter xlogy copysign heaviside fmax fmin "
    "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift "
    "bitwise_right_shift lerp addcmul addcdiv hardshrink threshold";
constexpr std::string_view kOutBool = "isposinf isneginf signbit";
constexpr std::string_view kOutTruth = "all any";
constexpr std::string_view kOutFloating = "fft.irfft fft.irfft2 fft.irfftn fft.hfft fft.hfft2 fft.hfftn";
constexpr std::string_view kOutComplex =
    "fft.fft fft.fft2 fft.fftn fft.ifft2 fft.ifftn fft.rfft fft.rfft2 fft.rfftn fft.ihfft2 fft.ihfftn";
constexpr std::string_view kOutComplexSame = "fft.ifft fft.ihfft";
constexpr std::string_view kOutCopied =
    "alias_copy detach_copy as_strided_copy diagonal_copy expand_copy permute_copy select_copy slice_copy split_copy "
    "split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy unsqueeze_copy view_copy "
    "view_as_complex_copy view_as_real_copy";
// Those that make numbers, or counts and spreads of them, convert to whatever there is.
constexpr std::string_view kOutAny =
    "var std linalg.matrix_rank empty zeros ones full arange range linspace logspace eye bernoulli";

using Lenient = OutHabits::Lenient;
using Rows = OutHabits::Rows;
using Words = OutHabits::Words;

// What an `out` may share with the inputs, where that is not the family's own (sharingOf).
constexpr std::string_view kJoins = "cat stack hstack vstack dstack column_stack take_along_dim kron";
constexpr std::string_view kAdds = "index_add index_copy index_reduce";
constexpr std::string_view kTakes = "take index_select masked_select kthvalue";
constexpr std::string_view kScatters = "scatter scatter_add scatter_reduce";
constexpr std::string_view kRuns = "cumsum cumprod logcumsumexp sort msort topk max min mode renorm normal";
constexpr std::string_view kOuter = "outer";
constexpr std::string_view kCopies = "diag tril triu histc narrow_copy";

constexpr std::string_view kInInputDType =
    "neg sign sgn abs floor ceil trunc round frac bitwise_not hardshrink nan_to_num";
constexpr std::string_view kOwnDType = "softmax log_softmax linalg.norm linalg.vector_norm linalg.matrix_norm";
constexpr std::string_view kInputAndOut = "amax amin";
constexpr std::string_view kExpectedTensor = "linalg.norm linalg.matrix_norm";
constexpr std::string_view kCountsOnly = "arange range linspace logspace fft.fftfreq fft.rfftfreq";
constexpr std::string_view kRowsAlways = "cholesky cholesky_solve special.ndtr";
constexpr std::string_view kRowsWithElements = "cholesky_inverse linalg.householder_product ormqr";

/// `change` of each of `names`, which are in the table.
template <class Change>
void forEach(std::vector<Operation>& list, std::string_view names, Change change) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        const std::string_view name = names.substr(0, end);
        const auto found = std::find_if(list.begin(), list.end(), [&](const Operation& op) { return op.name == name; });
        assert(found != list.end());
        if (found != list.end()) change(*found);
        names.remove_prefix(std::min(end + 1, names.size()));
    }
}

void allowOut(std::vector<Operation>& list, std::string_view names, OutRule rule) {
    forEach(list, names, [rule](Operation& op) {
        assert(op.out == OutRule::None);
        op.out = rule;
    });
}

/// What goes element by element is looked at; reductions, products, LAPACK and Fourier transforms are not.
void shareByFamily(Operation& op) {
    const bool reads = op.family == OpFamily::Products || op.family == OpFamily::LinearAlgebra ||
                       op.family == OpFamily::Fourier || op.family == OpFamily::Reductions;
    if (reads) op.outHabits.given = Sharing::Any;
}

void share(std::vector<Operation>& list, std::string_view names, Sharing given, Sharing resized,
           Lenient lenient = Lenient::None) {
    forEach(list, names, [&](Operation& op) {
        op.outHabits.given = given;
        op.outHabits.resized = resized;
        op.outHabits.lenient = lenient;
    });
}

} // namespace

void addOutputs(std::vector<Operation>& list) {
    allowOut(list, kOutSame, OutRule::Same);
    allowOut(list, kOutCastable, OutRule::Castable);
    allowOut(list, kOutAny, OutRule::Any);
    allowOut(list, kOutBool, OutRule::Bool);
    allowOut(list, kOutTruth, OutRule::Truth);
    allowOut(list, kOutFloating, OutRule::Floating);
    allowOut(list, kOutComplex, OutRule::Complex);
    allowOut(list, kOutComplexSame, OutRule::ComplexSame);
    allowOut(list, kOutCopied, OutRule::Copied);
    for (Operation& op : list) shareByFamily(op);
    share(list, kJoins, Sharing::Any, Sharing::Apart);
    share(list, "gather", Sharing::Any, Sharing::Apart, Lenient::Others);
    share(list, kAdds, Sharing::Any, Sharing::Apart, Lenient::First);
    share(list, kTakes, Sharing::Apart, Sharing::Any);
    share(list, kScatters, Sharing::Apart, Sharing::InOrder, Lenient::First);
    share(list, kRuns, Sharing::Any, Sharing::InOrder);
    share(list, kOuter, Sharing::InOrder, Sharing::Any);
    share(list, kCopies, Sharing::Any, Sharing::Any);
    forEach(list, "float_power", [](Operation& op) { op.outHabits.words = Words::Requires; });
    forEach(list, "nan_to_num", [](Operation& op) { op.outHabits.words = Words::OutOfInput; });
    forEach(list, "heaviside", [](Operation& op) { op.outHabits.words = Words::NotYet; });
    forEach(list, kInputAndOut, [](Operation& op) { op.outHabits.words = Words::InputAndOut; });
    forEach(list, kExpectedTensor, [](Operation& op) { op.outHabits.words = Words::ExpectedTensor; });
    forEach(list, kInInputDType, [](Operation& op) { op.outHabits.exact = OutHabits::Exact::InInputDType; });
    forEach(list, "square heaviside", [](Operation& op) { op.outHabits.exact = OutHabits::Exact::Always; });
    forEach(list, kOwnDType, [](Operation& op) { op.outHabits.ownDType = true; });
    forEach(list, kCountsOnly, [](Operation& op) { op.outHabits.countsOnly = true; });
    forEach(list, kRowsAlways, [](Operation& op) { op.outHabits.rows = Rows::Always; });
    forEach(list, kRowsWithElements, [](Operation& op) { op.outHabits.rows = Rows::WithElements; });
    forEach(list, "narrow_copy", [](Operation& op) { op.outHabits.resizesQuietly = true; });
}

} // namespace stridescope::operation_table
