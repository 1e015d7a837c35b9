// Table entries: special functions, element by element.

#include "core/ops/operation_table.h"
#include "core/ops/pointwise_math.h"

namespace stridescope::operation_table {

namespace {

using dtypes::floats;
using dtypes::reals;

using In = std::span<const Tensor>;
using Out = std::vector<Tensor>;

// NOLINTBEGIN(bugprone-macro-parentheses)
#define ROW(name, function, doc)                                                                                       \
    {                                                                                                                  \
        name, "(input)", doc, "{...} -> {...}", reals, OpGives::New, "MATH-02", SampleInputs::One,                     \
            [](In in) { return Out{function(in[0])}; }                                                                 \
    }
#define POLYNOMIAL(name, function, doc)                                                                                \
    {                                                                                                                  \
        "special." name, "(input, n)", doc, "broadcast", reals, OpGives::New, "MATH-02", SampleInputs::One,            \
            [](In in) { return Out{function(in[0], 3)}; }                                                              \
    }
// NOLINTEND(bugprone-macro-parentheses)

} // namespace

std::span<const Operation> specialFunctions() {
    static const Operation kTable[] = {
        ROW("i0", i0, "Modified Bessel function of the first kind, order 0."),
        ROW("special.i0e", i0e, "I0 of the input, times e to the power of -|input|."),
        ROW("special.i1", i1, "Modified Bessel function of the first kind, order 1."),
        ROW("special.i1e", i1e, "I1 of the input, times e to the power of -|input|."),
        ROW("special.bessel_j0", besselJ0, "Bessel function of the first kind, order 0."),
        ROW("special.bessel_j1", besselJ1, "Bessel function of the first kind, order 1."),
        ROW("special.bessel_y0", besselY0, "Bessel function of the second kind, order 0."),
        ROW("special.bessel_y1", besselY1, "Bessel function of the second kind, order 1."),
        ROW("special.modified_bessel_i0", modifiedBesselI0, "Modified Bessel function of the first kind, order 0."),
        ROW("special.modified_bessel_i1", modifiedBesselI1, "Modified Bessel function of the first kind, order 1."),
        ROW("special.modified_bessel_k0", modifiedBesselK0, "Modified Bessel function of the second kind, order 0."),
        ROW("special.modified_bessel_k1", modifiedBesselK1, "Modified Bessel function of the second kind, order 1."),
        ROW("special.scaled_modified_bessel_k0", scaledModifiedBesselK0,
            "The same of order 0, times e to the power of the input."),
        ROW("special.scaled_modified_bessel_k1", scaledModifiedBesselK1,
            "The same of order 1, times e to the power of the input."),
        ROW("special.spherical_bessel_j0", sphericalBesselJ0, "sin(input) / input, 1 at 0."),
        ROW("special.airy_ai", airyAi, "Airy function Ai."),
        ROW("special.ndtr", ndtr, "Normal distribution: the probability of being below."),
        ROW("special.ndtri", ndtri, "The number below which the normal distribution has that probability."),
        ROW("special.log_ndtr", logNdtr, "log(ndtr(input)), exact in the lower tail."),
        ROW("special.erfcx", erfcx, "erfc(input), times e to the power of input squared."),
        ROW("special.entr", entr, "-input * log(input); 0 at 0, minus infinity below."),
        {"polygamma", "(n, input)", "The derivative of digamma of order n.", "{...} -> {...}", reals, OpGives::New,
         "MATH-02, MATH-06", SampleInputs::One, [](In in) { return Out{polygamma(2, in[0])}; }},
        {"special.zeta", "(input, other)", "Hurwitz's zeta function: the sum of (other + k)^-input.", "broadcast",
         reals, OpGives::New, "MATH-02", SampleInputs::Two, [](In in) { return Out{zeta(in[0], in[1])}; }},
        {"special.xlog1py", "(input, other)", "input * log(1 + other); 0 where input is 0.", "broadcast", reals,
         OpGives::New, "MATH-02", SampleInputs::Two, [](In in) { return Out{xlog1py(in[0], in[1])}; }},
        {"mvlgamma", "(input, p)", "Logarithm of the multivariate gamma function of dimension p.", "{...} -> {...}",
         dtypes::integers | dtypes::floats, OpGives::New, "MATH-02, MATH-07", SampleInputs::One,
         [](In in) { return Out{mvlgamma(in[0], 2)}; }},
        {"igamma", "(input, other)", "The gamma distribution of shape input: the probability of being below other.",
         "broadcast", floats, OpGives::New, "MATH-01, MATH-02", SampleInputs::Two,
         [](In in) { return Out{igamma(in[0], in[1])}; }},
        {"igammac", "(input, other)", "The gamma distribution of shape input: the probability of being above other.",
         "broadcast", floats, OpGives::New, "MATH-01, MATH-02", SampleInputs::Two,
         [](In in) { return Out{igammac(in[0], in[1])}; }},
        POLYNOMIAL("chebyshev_polynomial_t", chebyshevT, "Chebyshev polynomial of the first kind."),
        POLYNOMIAL("chebyshev_polynomial_u", chebyshevU, "Chebyshev polynomial of the second kind."),
        POLYNOMIAL("chebyshev_polynomial_v", chebyshevV, "Chebyshev polynomial of the third kind."),
        POLYNOMIAL("chebyshev_polynomial_w", chebyshevW, "Chebyshev polynomial of the fourth kind."),
        POLYNOMIAL("shifted_chebyshev_polynomial_t", shiftedChebyshevT, "chebyshev_polynomial_t of 2 * input - 1."),
        POLYNOMIAL("shifted_chebyshev_polynomial_u", shiftedChebyshevU, "chebyshev_polynomial_u of 2 * input - 1."),
        POLYNOMIAL("shifted_chebyshev_polynomial_v", shiftedChebyshevV, "chebyshev_polynomial_v of 2 * input - 1."),
        POLYNOMIAL("shifted_chebyshev_polynomial_w", shiftedChebyshevW, "chebyshev_polynomial_w of 2 * input - 1."),
        POLYNOMIAL("hermite_polynomial_h", hermiteH, "Physicist's Hermite polynomial."),
        POLYNOMIAL("hermite_polynomial_he", hermiteHe, "Probabilist's Hermite polynomial."),
        POLYNOMIAL("laguerre_polynomial_l", laguerreL, "Laguerre polynomial."),
        POLYNOMIAL("legendre_polynomial_p", legendreP, "Legendre polynomial."),
    };
    return kTable;
}

} // namespace stridescope::operation_table
