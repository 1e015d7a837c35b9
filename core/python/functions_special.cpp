// Functions: special functions, element by element.

#include "core/ops/pointwise_math.h"
#include "core/python/function.h"

namespace stridescope::python::tables {

// NOLINTBEGIN(bugprone-macro-parentheses)
#define OF_ONE(name, function)                                                                                         \
    FN_OUT("special." name "(Tensor input)", function(a.tensor(0)), function##Out(a.tensor(0), a.out()))
#define OF_DEGREE(name, function)                                                                                      \
    FN("special." name "(Tensor input, Tensor|Number n)", function(a.tensor(0), a.input(1))),                          \
        FN("special." name "(Scalar x, Tensor n)", function(a.scalar(0), a.tensor(1)))
#define OF_TWO(name, function)                                                                                         \
    FN(name "(Tensor input, Tensor other)", function(a.tensor(0), a.tensor(1))),                                       \
        IN("." name "_(Tensor self, Tensor other)", function##_(a.tensor(0), a.tensor(1)))
// NOLINTEND(bugprone-macro-parentheses)

std::vector<Entry> specialFunctions() {
    return {
        FN_OUT("i0(Tensor input)", i0(a.tensor(0)), i0Out(a.tensor(0), a.out())),
        IN("i0_(Tensor input)", i0_(a.tensor(0))),
        OF_ONE("i0e", i0e),
        OF_ONE("i1", i1),
        OF_ONE("i1e", i1e),
        OF_ONE("bessel_j0", besselJ0),
        OF_ONE("bessel_j1", besselJ1),
        OF_ONE("bessel_y0", besselY0),
        OF_ONE("bessel_y1", besselY1),
        OF_ONE("modified_bessel_i0", modifiedBesselI0),
        OF_ONE("modified_bessel_i1", modifiedBesselI1),
        OF_ONE("modified_bessel_k0", modifiedBesselK0),
        OF_ONE("modified_bessel_k1", modifiedBesselK1),
        OF_ONE("scaled_modified_bessel_k0", scaledModifiedBesselK0),
        OF_ONE("scaled_modified_bessel_k1", scaledModifiedBesselK1),
        OF_ONE("spherical_bessel_j0", sphericalBesselJ0),
        OF_ONE("airy_ai", airyAi),
        OF_ONE("ndtr", ndtr),
        OF_ONE("ndtri", ndtri),
        OF_ONE("log_ndtr", logNdtr),
        OF_ONE("erfcx", erfcx),
        OF_ONE("entr", entr),
        FN(":polygamma(int n, Tensor input)", polygamma(a.index(0), a.tensor(1))),
        FN(".polygamma(Tensor self, int n)", polygamma(a.index(1), a.tensor(0))),
        IN(".polygamma_(Tensor self, int n)", polygamma_(a.tensor(0), a.index(1))),
        FN("mvlgamma(Tensor input, int p)", mvlgamma(a.tensor(0), a.index(1))),
        IN(".mvlgamma_(Tensor self, int p)", mvlgamma_(a.tensor(0), a.index(1))),
        OF_TWO("igamma", igamma),
        OF_TWO("igammac", igammac),
        FN("special.xlog1py(Tensor input, Tensor|Number other)", xlog1py(a.tensor(0), a.input(1))),
        FN("special.xlog1py(Scalar self, Tensor other)", xlog1py(a.scalar(0), a.tensor(1))),
        FN("special.zeta(Tensor input, Tensor|Number other)", zeta(a.tensor(0), a.input(1))),
        FN("special.zeta(Scalar self, Tensor other)", zeta(a.scalar(0), a.tensor(1))),
        OF_DEGREE("chebyshev_polynomial_t", chebyshevT),
        OF_DEGREE("chebyshev_polynomial_u", chebyshevU),
        OF_DEGREE("chebyshev_polynomial_v", chebyshevV),
        OF_DEGREE("chebyshev_polynomial_w", chebyshevW),
        OF_DEGREE("shifted_chebyshev_polynomial_t", shiftedChebyshevT),
        OF_DEGREE("shifted_chebyshev_polynomial_u", shiftedChebyshevU),
        OF_DEGREE("shifted_chebyshev_polynomial_v", shiftedChebyshevV),
        OF_DEGREE("shifted_chebyshev_polynomial_w", shiftedChebyshevW),
        OF_DEGREE("hermite_polynomial_h", hermiteH),
        OF_DEGREE("hermite_polynomial_he", hermiteHe),
        OF_DEGREE("laguerre_polynomial_l", laguerreL),
        OF_DEGREE("legendre_polynomial_p", legendreP),
    };
}

} // namespace stridescope::python::tables
