// Special functions against independent models in long double: the C++ library's own Bessel functions and polynomials,
// erfc, and sums of long double terms.

#include "core/ops/creation.h"
#include "core/ops/pointwise_math.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cfloat>
#include <cmath>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using Wide = long double;

Tensor vectorOf(const std::vector<double>& values, DType dtype) {
    Tensor t = empty({static_cast<Index>(values.size())}, {dtype, Device{}});
    for (std::size_t i = 0; i < values.size(); ++i)
        storeElement(t.storage()->data() + i * itemSize(dtype), dtype, Scalar(values[i]));
    return t;
}
double valueAt(const Tensor& t, std::size_t i) {
    return elementsOf(t)[i].toDouble();
}

struct Case {
    const char* name;
    Tensor (*run)(const Tensor&);
    Wide (*model)(Wide);
    double from, to;
    double relative = 4e-15, absolute = 0; ///< of float64, each enough by itself
};

const std::vector<Case>& cases() {
    static const std::vector<Case> kCases{
        {"i0", i0, [](Wide x) { return std::cyl_bessel_i(Wide(0), std::fabs(x)); }, -60, 60},
        {"i0e", i0e, [](Wide x) { return std::cyl_bessel_i(Wide(0), std::fabs(x)) * std::exp(-std::fabs(x)); }, -60,
         60},
        {"i1", i1, [](Wide x) { return std::copysign(std::cyl_bessel_i(Wide(1), std::fabs(x)), x); }, -60, 60},
        {"i1e", i1e,
         [](Wide x) { return std::copysign(std::cyl_bessel_i(Wide(1), std::fabs(x)) * std::exp(-std::fabs(x)), x); },
         -60, 60},
        {"modified i1", modifiedBesselI1, [](Wide x) { return std::cyl_bessel_i(Wide(1), x); }, 0, 20},
        {"modified i0", modifiedBesselI0, [](Wide x) { return std::cyl_bessel_i(Wide(0), x); }, 0, 20},
        {"k0", modifiedBesselK0, [](Wide x) { return std::cyl_bessel_k(Wide(0), x); }, 1e-3, 60},
        {"k1", modifiedBesselK1, [](Wide x) { return std::cyl_bessel_k(Wide(1), x); }, 1e-3, 60},
        {"scaled k0", scaledModifiedBesselK0, [](Wide x) { return std::cyl_bessel_k(Wide(0), x) * std::exp(x); }, 1e-3,
         60},
        {"scaled k1", scaledModifiedBesselK1, [](Wide x) { return std::cyl_bessel_k(Wide(1), x) * std::exp(x); }, 1e-3,
         60},
        {"j0", besselJ0, [](Wide x) { return std::cyl_bessel_j(Wide(0), x); }, 0, 60, 4e-15, 4e-16},
        {"j1", besselJ1, [](Wide x) { return std::cyl_bessel_j(Wide(1), x); }, 0, 60, 4e-15, 4e-16},
        {"y0", besselY0, [](Wide x) { return std::cyl_neumann(Wide(0), x); }, 1e-3, 60, 4e-15, 4e-16},
        {"y1", besselY1, [](Wide x) { return std::cyl_neumann(Wide(1), x); }, 1e-3, 60, 4e-15, 4e-16},
        {"spherical j0", sphericalBesselJ0, [](Wide x) { return std::sph_bessel(0, x); }, 0, 60, 4e-15, 4e-17},
        // 10.4.14 and 10.4.15; the sum of two Bessel functions of order 1/3 below 0.
        {"airy", airyAi,
         [](Wide x) {
             const Wide size = std::fabs(x), z = 2 * size * std::sqrt(size) / 3, third = Wide(1) / 3;
             if (x > 0) return std::sqrt(x / 3) / Wide(M_PIl) * std::cyl_bessel_k(third, z);
             const Wide j = std::cyl_bessel_j(third, z), y = std::cyl_neumann(third, z);
             return std::sqrt(size) * (j / 2 - y * std::sqrt(Wide(3)) / 6);
         },
         -40, 12, 2e-13, 1e-14},
        {"ndtr", ndtr, [](Wide x) { return std::erfc(-x / std::sqrt(Wide(2))) / 2; }, -30, 9, 2e-13},
        {"log_ndtr", logNdtr, [](Wide x) { return std::log(std::erfc(-x / std::sqrt(Wide(2))) / 2); }, -100, 8, 2e-15,
         1e-16},
        {"erfcx", erfcx, [](Wide x) { return std::exp(x * x) * std::erfc(x); }, -26, 100, 5e-15},
        {"entr", entr, [](Wide x) { return -x * std::log(x); }, 0.001, 40},
    };
    return kCases;
}

/// The sum of x^n / gamma(a + n + 1) over n, times x^a e^-x.
Wide gammaBelow(Wide a, Wide x) {
    Wide sum = 0;
    for (int n = 0; n < 3000; ++n) sum += std::exp((a + n) * std::log(x) - x - std::lgamma(a + n + 1));
    return sum;
}

bool isNear(double got, Wide wanted, double relative, double absolute) {
    const Wide error = std::fabs(static_cast<Wide>(got) - wanted);
    return error <= relative * std::fabs(wanted) || error <= absolute;
}

} // namespace

class TestSpecial : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void accuracy_data() {
        QTest::addColumn<int>("which");
        for (std::size_t i = 0; i < cases().size(); ++i) QTest::newRow(cases()[i].name) << static_cast<int>(i);
    }
    void accuracy() {
        QFETCH(int, which);
        const Case& c = cases()[static_cast<std::size_t>(which)];
        for (const DType dtype : {DType::Float64, DType::Float32}) {
            std::vector<double> x;
            for (int i = 0; i <= 2000; ++i) x.push_back(c.from + (c.to - c.from) * i / 2000);
            const Tensor arguments = vectorOf(x, dtype);
            const std::vector<Scalar> used = elementsOf(arguments), got = elementsOf(c.run(arguments));
            for (std::size_t i = 0; i < x.size(); ++i) {
                const Wide wanted = c.model(static_cast<Wide>(used[i].toDouble()));
                const bool single = dtype == DType::Float32;
                const bool fits = isNear(got[i].toDouble(), wanted, single ? 6e-8 : c.relative,
                                         single ? 1e-14 + static_cast<double>(FLT_MIN) : c.absolute);
                if (single && std::fabs(wanted) > static_cast<Wide>(FLT_MAX)) continue;
                QVERIFY2(fits, qPrintable(QStringLiteral("%1(%2) = %3, not %4")
                                              .arg(QLatin1String(c.name))
                                              .arg(used[i].toDouble(), 0, 'g', 17)
                                              .arg(got[i].toDouble(), 0, 'g', 17)
                                              .arg(static_cast<double>(wanted), 0, 'g', 17)));
            }
        }
    }

    void edges() {
        constexpr double kInfinity = HUGE_VAL;
        const double nan = std::nan("");
        const auto all = [](Tensor (*f)(const Tensor&), const std::vector<double>& x) {
            std::vector<double> values;
            for (const Scalar s : elementsOf(f(vectorOf(x, DType::Float64)))) values.push_back(s.toDouble());
            return values;
        };
        const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
            for (std::size_t i = 0; i < a.size(); ++i)
                if (!(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))) return false;
            return a.size() == b.size();
        };
        using V = std::vector<double>;
        const V ends{-kInfinity, 0, kInfinity, nan};
        QVERIFY(same(all(i0, ends), V{nan, 1, nan, nan}));
        QVERIFY(same(all(i1e, ends), V{0, 0, 0, nan}));
        QVERIFY(same(all(besselJ0, ends), V{nan, 1, nan, nan}));
        QVERIFY(same(all(besselY1, ends), V{nan, -kInfinity, nan, nan}));
        QVERIFY(same(all(modifiedBesselK0, ends), V{nan, kInfinity, 0, nan}));
        QVERIFY(same(all(scaledModifiedBesselK1, ends), V{nan, kInfinity, 0, nan}));
        QVERIFY(same(all(sphericalBesselJ0, ends), V{0, 1, 0, nan}));
        QVERIFY(std::isnan(all(airyAi, ends)[0]) && std::isnan(all(airyAi, ends)[2]));
        QVERIFY(same(all(ndtr, ends), V{0, 0.5, 1, nan}));
        QVERIFY(same(all(ndtri, {0, 0.5, 1, 1.5, -0.1, nan}), V{-kInfinity, 0, kInfinity, nan, nan, nan}));
        QVERIFY(same(all(logNdtr, {-kInfinity, kInfinity, nan}), V{-kInfinity, 0, nan}));
        QVERIFY(same(all(erfcx, ends), V{kInfinity, 1, 0, nan}));
        QVERIFY(same(all(entr, {-1, 0, 1, nan}), V{-kInfinity, 0, 0, nan}));
        QVERIFY(same(all(i0, {800}), V{kInfinity}));
        // K1 is 1 / x for small x, J and I of order 1 are x / 2.
        QCOMPARE(all(modifiedBesselK1, {1e-300})[0], 1e300);
        QCOMPARE(all(besselJ1, {1e-300})[0], 5e-301);
        QCOMPARE(all(i1, {-1e-300})[0], -5e-301);
    }

    void quantileIsTheInverse() {
        for (const double p : {1e-300, 1e-100, 1e-20, 1e-9, 0.001, 0.02425, 0.1, 0.3, 0.4999, 0.6, 0.9, 0.999}) {
            const auto x = static_cast<Wide>(valueAt(ndtri(vectorOf({p}, DType::Float64)), 0));
            const Wide back = std::erfc(-x / std::sqrt(Wide(2))) / 2;
            // What the rounding of x alone does: its slope, x times as steep in the tail.
            const Wide allowed = 3e-16L * (1 + x * x) * back;
            QVERIFY2(std::fabs(back - static_cast<Wide>(p)) <= allowed, qPrintable(QString::number(p)));
        }
    }

    void incompleteGamma() {
        for (const double a : {0.01, 0.3, 0.9, 1.0, 1.5, 3.0, 9.9, 10.0, 25.0, 180.0})
            for (const double ratio : {0.001, 0.2, 0.7, 0.95, 1.0, 1.05, 1.5, 3.0}) {
                const double x = ratio * std::max(a, 1.0);
                const Tensor ta = vectorOf({a}, DType::Float64), tx = vectorOf({x}, DType::Float64);
                const Wide below = gammaBelow(static_cast<Wide>(a), static_cast<Wide>(x));
                const QString where = QStringLiteral("%1 %2").arg(a).arg(x);
                // The exponent, up to some hundreds, is rounded before its power is taken.
                QVERIFY2(isNear(valueAt(igamma(ta, tx), 0), below, 1e-13, 1e-300), qPrintable(where));
                QVERIFY2(isNear(valueAt(igammac(ta, tx), 0), 1 - below, 1e-13, 1e-16), qPrintable(where));
            }
        // Q(1, x) is e^-x and P(1/2, x) erf(sqrt(x)); Q(a, x) for a near 0 is a times the exponential integral.
        const Tensor one = vectorOf({1}, DType::Float64), half = vectorOf({0.5}, DType::Float64);
        for (const double x : {1e-8, 0.1, 1.0, 5.0, 100.0, 600.0}) {
            const Tensor t = vectorOf({x}, DType::Float64);
            QVERIFY(isNear(valueAt(igammac(one, t), 0), std::exp(-static_cast<Wide>(x)), 1e-13, 0));
            QVERIFY(isNear(valueAt(igamma(half, t), 0), std::erf(std::sqrt(static_cast<Wide>(x))), 1e-13, 0));
            if (x > 50) continue; // there the library's integral has no digits
            const Tensor tiny = vectorOf({1e-12}, DType::Float64);
            const Wide integral = -std::expint(-static_cast<Wide>(x));
            QVERIFY2(isNear(valueAt(igammac(tiny, t), 0), 1e-12L * integral, 1e-9, 0), qPrintable(QString::number(x)));
        }
        // For large shapes: both sides of the border between the series and Temme's expansion agree, as do P and 1 - Q.
        for (const double sigma : {-5.0, -2.0, 0.0, 0.5, 3.0, 6.0}) {
            const double a = 1e5, b = std::nextafter(1e5, 2e5), x = a + sigma * std::sqrt(a);
            const Tensor shapes = vectorOf({a, b}, DType::Float64), t = vectorOf({x, x}, DType::Float64);
            const Tensor below = igamma(shapes, t), above = igammac(shapes, t);
            QVERIFY(isNear(valueAt(below, 0), static_cast<Wide>(valueAt(below, 1)), 1e-9, 0));
            QVERIFY(isNear(valueAt(above, 0), static_cast<Wide>(valueAt(above, 1)), 1e-9, 0));
            QVERIFY(isNear(valueAt(below, 1) + valueAt(above, 1), 1, 1e-15, 0));
        }
        const double inf = HUGE_VAL;
        const Tensor a = vectorOf({0, 0, 1, 1, 2, inf, inf, -1, 2}, DType::Float64);
        const Tensor x = vectorOf({0, 1, 0, inf, std::nan(""), 2, inf, 1, -1}, DType::Float64);
        const std::vector<double> wanted{-1, 1, 0, 1, -1, 0, -1, -1, -1}; // -1: NaN
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double p = valueAt(igamma(a, x), i), q = valueAt(igammac(a, x), i);
            QVERIFY(wanted[i] < 0 ? std::isnan(p) && std::isnan(q) : p == wanted[i] && q == 1 - wanted[i]);
        }
    }

    void multivariateGamma() {
        const Tensor x = vectorOf({4, 2.5, 7}, DType::Float64);
        for (const Index p : {1, 2, 3, 5})
            for (std::size_t i = 0; i < 3; ++i) {
                Wide sum = static_cast<Wide>(p * (p - 1)) / 4 * std::log(Wide(M_PIl));
                for (Index j = 1; j <= p; ++j)
                    sum += std::lgamma(static_cast<Wide>(valueAt(x, i)) + (1 - static_cast<Wide>(j)) / 2);
                QVERIFY(isNear(valueAt(mvlgamma(x, p), i), sum, 1e-14, 1e-15));
            }
        QCOMPARE(mvlgamma(arange(3, {DType::Int64, Device{}}), 2).dtype(), DType::Float32);
        const std::optional<Refusal> refusal = refusalOf([&] { (void)mvlgamma(x, 0); });
        QVERIFY(refusal && refusal->id == "MATH-07");
        mvlgamma_(x, 1);
        QVERIFY(isNear(valueAt(x, 0), std::log(Wide(6)), 1e-15, 0));
    }

    void polynomials() {
        struct Polynomial {
            const char* name;
            Tensor (*run)(const Tensor&, const MathInput&);
            Wide (*model)(unsigned, Wide);
        };
        // Chebyshev's by angles, or by hyperbolic ones outside [-1, 1]; for x > 1 only, signs apart.
        static const auto kT = [](unsigned n, Wide x) {
            return std::fabs(x) <= 1 ? std::cos(n * std::acos(x))
                                     : std::cosh(n * std::acosh(std::fabs(x))) * (x < 0 && n % 2 ? -1 : 1);
        };
        // U by its sum of T's: twice those of its parity, T(0) counted once.
        static const auto kU = [](unsigned n, Wide x) {
            Wide sum = n % 2 ? 0 : 1;
            for (unsigned k = n; k > 0; k = k > 1 ? k - 2 : 0) sum += 2 * kT(k, x);
            return sum;
        };
        static const auto kHe = [](unsigned n, Wide x) {
            return std::hermite(n, x / std::sqrt(Wide(2))) / std::pow(std::sqrt(Wide(2)), static_cast<Wide>(n));
        };
        static const auto kLegendre = [](unsigned n, Wide x) {
            if (std::fabs(x) <= 1) return std::legendre(n, x); // beyond: by its expansion at 1, or at -1
            const Wide sign = x < 0 && n % 2 ? -1 : 1;
            x = std::fabs(x);
            Wide sum = 0, term = 1; // sum of C(n, k) C(n + k, k) ((x - 1) / 2)^k
            for (unsigned k = 0; k <= n; ++k) {
                sum += term;
                term *= static_cast<Wide>(n - k) * (n + k + 1) / (static_cast<Wide>(k + 1) * (k + 1)) * (x - 1) / 2;
            }
            return sign * sum;
        };
        const Polynomial all[] = {
            {"T", chebyshevT, [](unsigned n, Wide x) { return kT(n, x); }},
            {"U", chebyshevU, [](unsigned n, Wide x) { return kU(n, x); }},
            {"V", chebyshevV, [](unsigned n, Wide x) { return kU(n, x) - (n ? kU(n - 1, x) : 0); }},
            {"W", chebyshevW, [](unsigned n, Wide x) { return kU(n, x) + (n ? kU(n - 1, x) : 0); }},
            {"shifted T", shiftedChebyshevT, [](unsigned n, Wide x) { return kT(n, 2 * x - 1); }},
            {"shifted U", shiftedChebyshevU, [](unsigned n, Wide x) { return kU(n, 2 * x - 1); }},
            {"shifted V", shiftedChebyshevV,
             [](unsigned n, Wide x) { return kU(n, 2 * x - 1) - (n ? kU(n - 1, 2 * x - 1) : 0); }},
            {"shifted W", shiftedChebyshevW,
             [](unsigned n, Wide x) { return kU(n, 2 * x - 1) + (n ? kU(n - 1, 2 * x - 1) : 0); }},
            {"H", hermiteH, [](unsigned n, Wide x) { return std::hermite(n, x); }},
            {"He", hermiteHe, [](unsigned n, Wide x) { return kHe(n, x); }},
            {"L", laguerreL, [](unsigned n, Wide x) { return x < 0 ? Wide(0) : std::laguerre(n, x); }},
            {"P", legendreP, [](unsigned n, Wide x) { return kLegendre(n, x); }},
        };
        const std::vector<double> xs{-2.5, -1, -0.9, -0.3, 0, 0.125, 0.5, 0.99, 1, 1.75, 4};
        const Tensor x = vectorOf(xs, DType::Float64);
        for (const Polynomial& one : all) {
            for (const unsigned n : {0u, 1u, 2u, 3u, 6u, 7u, 8u, 15u})
                for (std::size_t i = 0; i < xs.size(); ++i) {
                    if (one.name[0] == 'L' && xs[i] < 0) continue; // the library's is for x >= 0
                    const Wide wanted = one.model(n, static_cast<Wide>(xs[i]));
                    const double got = valueAt(one.run(x, MathInput(static_cast<double>(n))), i);
                    QVERIFY2(isNear(got, wanted, 1e-11, 1e-10), qPrintable(QStringLiteral("%1 %2 %3: %4 not %5")
                                                                               .arg(QLatin1String(one.name))
                                                                               .arg(n)
                                                                               .arg(xs[i])
                                                                               .arg(got)
                                                                               .arg(static_cast<double>(wanted))));
                }
            QCOMPARE(valueAt(one.run(x, MathInput(-1.0)), 0), 0.0);
            QCOMPARE(valueAt(one.run(x, MathInput(-0.5)), 0), 1.0); // degrees are cut off, as integers are
            QCOMPARE(valueAt(one.run(x, MathInput(1.7)), 4), valueAt(one.run(x, MathInput(1)), 4));
        }
        // Large degrees take no time: by angles, overflow, or not at all.
        QVERIFY(std::isinf(valueAt(hermiteH(x, MathInput(1e9)), 10)));
        QVERIFY(std::isinf(valueAt(chebyshevT(x, MathInput(1e18)), 10)));
        QVERIFY(std::isnan(valueAt(legendreP(x, MathInput(1e18)), 3)));
        QCOMPARE(valueAt(chebyshevU(x, MathInput(1e9)), 8), 1e9 + 1);
        QCOMPARE(valueAt(chebyshevW(x, MathInput(99999)), 1), -1.0);
        QCOMPARE(valueAt(chebyshevV(x, MathInput(99999)), 1), -199999.0);
        for (const unsigned n : {101u, 150u}) { // beyond 1, in both directions
            for (const Polynomial* one = all; one < all + 4; ++one)
                for (const std::size_t i : {std::size_t{0}, std::size_t{9}}) {
                    const double got = valueAt(one->run(x, MathInput(static_cast<double>(n))), i);
                    QVERIFY2(isNear(got, one->model(n, static_cast<Wide>(xs[i])), 1e-11, 0), one->name);
                }
        }
    }

    /// Every layout gives what its elements give one by one; whole numbers become the default float dtype.
    void layouts() {
        for (const ZooView& layout : zooViews())
            for (const DType dtype : {DType::Float64, DType::Float16, DType::Int32, DType::Bool}) {
                const Tensor t = zooTensor(layout, dtype);
                const Tensor got = erfcx(t);
                QCOMPARE(got.dtype(), isFloating(dtype) ? dtype : DType::Float32);
                QCOMPARE(got.shape(), t.shape());
                const std::vector<Scalar> x = elementsOf(t), y = elementsOf(got);
                for (std::size_t i = 0; i < x.size(); ++i) {
                    const Tensor one = erfcx(vectorOf({x[i].toDouble()}, got.dtype()));
                    QVERIFY2(sameElement(y[i], elementsOf(one)[0]), layout.name.c_str());
                }
            }
        const auto refused = [](auto run) {
            const std::optional<Refusal> refusal = refusalOf(run);
            return refusal ? refusal->id : std::string();
        };
        const Tensor whole = arange(3, {DType::Int64, Device{}}), complex = zeros({2}, {DType::Complex64, Device{}});
        QCOMPARE(refused([&] { (void)igamma(whole, whole); }), std::string("MATH-01"));
        QCOMPARE(refused([&] { (void)ndtr(complex); }), std::string("MATH-02"));
        QCOMPARE(refused([&] { entr_(whole); }), std::string("CAST-01"));
    }
};

QTEST_APPLESS_MAIN(TestSpecial)
#include "tst_special.moc"
