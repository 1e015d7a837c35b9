// Operations whose loops have a quick way for most numbers: rests of divisions, functions of two numbers, inverse error
// function, complex numbers. On every instruction set, for ordinary numbers and for those at the ends, alone and in
// long runs beside others: what stands beside a number must not change its result.
#include "core/backend/cpu/isa_table.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/support/view_zoo.h"

#include <QTest>
#include <cmath>
#include <complex>
#include <functional>
#include <random>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using Wide = long double;
using Values = std::vector<double>;
using ComplexValues = std::vector<std::complex<double>>;

constexpr double kInf = HUGE_VAL;
const double kNan = std::nan("");

template <class T>
Tensor tensorOf(const Values& values) {
    Tensor t = empty({static_cast<Index>(values.size())}, {DTypeOf<T>::value, Device{}});
    for (std::size_t i = 0; i < values.size(); ++i) t.data<T>()[i] = static_cast<T>(values[i]);
    return t;
}
template <class T>
Tensor complexOf(const ComplexValues& values) {
    Tensor t = empty({static_cast<Index>(values.size())}, {DTypeOf<Complex<T>>::value, Device{}});
    for (std::size_t i = 0; i < values.size(); ++i)
        t.data<Complex<T>>()[i] = {static_cast<T>(values[i].real()), static_cast<T>(values[i].imag())};
    return t;
}

/// In units of the last place of T; both NaN, or the same infinity or zero, are 0 apart.
template <class T>
double apart(T got, Wide exact) {
    const T nearest = static_cast<T>(exact);
    if (got != got || nearest != nearest) return (got != got) == (nearest != nearest) ? 0 : 1e9;
    if (got == nearest) return got == 0 && std::signbit(got) != std::signbit(nearest) ? 1e9 : 0;
    if (std::isinf(got) || std::isinf(nearest)) return 1e9;
    int exponent = 0;
    std::frexp(nearest, &exponent);
    const int digits = std::numeric_limits<T>::digits, least = std::numeric_limits<T>::min_exponent - digits;
    return static_cast<double>(std::fabs(static_cast<Wide>(got) - exact) /
                               std::ldexp(Wide(1), std::max(exponent - digits, least)));
}

/// Pairs of all that is special, then ordinary ones in runs without any special one among them.
void pairs(Values& x, Values& y, bool withSigns = true) {
    const Values ends{0.0,  -0.0, 1,     -1,   0.5,    3,     -7,   0.7,     1e-310, -1e-40, 1e-45, 1e308,
                      3e38, kInf, -kInf, kNan, 1e-200, 1e200, 1e17, -2.5e16, 6e8,    5,      2.5,   1048577};
    for (const double a : ends)
        for (const double b : ends) {
            x.push_back(withSigns ? a : std::fabs(a));
            y.push_back(withSigns ? b : std::fabs(b));
        }
    while (x.size() % 256 != 0) {
        x.push_back(1);
        y.push_back(2);
    }
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> size(-1, 1), power(-20, 20);
    for (int i = 0; i < 2048; ++i) {
        x.push_back(size(engine) * (i < 1024 ? 9 : std::exp2(power(engine))));
        y.push_back(size(engine) * (i < 1024 ? 4 : std::exp2(power(engine))));
    }
    for (int i = 0; i < 1024; ++i) { // whole multiples, where quotients are hardest
        y.push_back(size(engine));
        x.push_back(y.back() * std::floor(power(engine) * 50));
    }
}

} // namespace

class TestQuickWays : public QObject {
    Q_OBJECT

    std::vector<const cpu::IsaTable*> m_isas;
    const cpu::IsaTable* m_before = &cpu::isa();

    /// Every result at most `most` units from the model's, the same bits on all sets, and for one alone.
    template <class T>
    void compare(const char* what, const std::function<Tensor(const Tensor&, const Tensor&)>& run,
                 const std::function<Wide(Wide, Wide)>& model, double most) {
        Values p, q;
        pairs(p, q);
        const Tensor x = tensorOf<T>(p), y = tensorOf<T>(q);
        std::vector<T> first;
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            const Tensor got = run(x, y);
            const T* z = got.data<T>();
            for (Index i = 0; i < got.numel(); ++i) {
                const T a = x.data<T>()[i], b = y.data<T>()[i];
                const double units = apart(z[i], model(static_cast<Wide>(a), static_cast<Wide>(b)));
                QVERIFY2(units <= most, qPrintable(QStringLiteral("%1 %2(%3, %4) = %5: %6 units")
                                                       .arg(QLatin1String(table->name), QLatin1String(what))
                                                       .arg(static_cast<double>(a), 0, 'g', 17)
                                                       .arg(static_cast<double>(b), 0, 'g', 17)
                                                       .arg(static_cast<double>(z[i]), 0, 'g', 17)
                                                       .arg(units)));
                if (!first.empty()) QCOMPARE(apart(z[i], static_cast<Wide>(first[static_cast<std::size_t>(i)])), 0.0);
            }
            if (first.empty()) first.assign(z, z + got.numel());
            for (Index i = 0; i < got.numel(); i += 97) {
                const Tensor one = run(narrow(x, 0, i, 1), narrow(y, 0, i, 1));
                QCOMPARE(apart(one.data<T>()[0], static_cast<Wide>(z[i])), 0.0);
                const Tensor number = select(y, 0, i), many = run(x, number);
                const Tensor spread = run(x, clone(expand(number, x.shape())));
                for (Index k = 600; k < 700; ++k)
                    QCOMPARE(apart(many.data<T>()[k], static_cast<Wide>(spread.data<T>()[k])), 0.0);
            }
        }
    }
    template <class F>
    void both(const char* what, F run, const std::function<Wide(Wide, Wide)>& model, double most, double mostFloat) {
        compare<float>(what, run, model, mostFloat);
        compare<double>(what, run, model, most);
    }

private Q_SLOTS:
    void initTestCase() {
        for (const char* isa : {"plain", "avx2", "avx512"})
            if (const cpu::IsaTable* table = cpu::isaByName(isa)) m_isas.push_back(table);
    }
    void cleanup() { cpu::forceIsa(*m_before); }

    void rests() {
        const auto rest = [](Wide a, Wide b) { return std::fmod(a, b); };
        const auto floored = [](Wide a, Wide b) {
            const Wide r = std::fmod(a, b);
            return r != 0 && (b < 0) != (r < 0) ? r + b : r;
        };
        both(
            "fmod", [](const Tensor& a, const Tensor& b) { return fmod(a, b); }, rest, 0, 0);
        both(
            "remainder", [](const Tensor& a, const Tensor& b) { return remainder(a, b); }, floored, 0.5001, 0.5001);
    }

    /// Floored quotients against the exact ones, where these fit.
    void quotients() {
        const auto run = [](const Tensor& a, const Tensor& b) { return floorDivide(a, b); };
        const auto model = []<class T>(T a, T b) -> T { // as PyTorch's formula
            if (b == 0) return a / b;
            const T rest = std::fmod(a, b);
            T quotient = (a - rest) / b;
            if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
            if (quotient == 0) return std::copysign(T(0), a / b);
            const T whole = std::floor(quotient);
            return quotient - whole > T(0.5) ? whole + 1 : whole;
        };
        compare<float>(
            "floor_divide", run,
            [&](Wide a, Wide b) { return static_cast<Wide>(model(static_cast<float>(a), static_cast<float>(b))); }, 0);
        compare<double>(
            "floor_divide", run,
            [&](Wide a, Wide b) { return static_cast<Wide>(model(static_cast<double>(a), static_cast<double>(b))); },
            0);
        const auto cut = [](const Tensor& a, const Tensor& b) { return div(a, b, std::string("trunc")); };
        compare<float>(
            "trunc", cut,
            [](Wide a, Wide b) { return static_cast<Wide>(std::trunc(static_cast<float>(a) / static_cast<float>(b))); },
            0);
    }

    void functionsOfTwo() {
        const auto logOfSum = [](Wide a, Wide b, Wide unit) -> Wide {
            if (a != a || b != b) return kNan;
            if (a == b && std::isinf(a)) return a;
            return std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b) * unit)) / unit;
        };
        both(
            "atan2", [](const Tensor& a, const Tensor& b) { return atan2(a, b); },
            [](Wide a, Wide b) { return std::atan2(a, b); }, 0.7, 0.5001);
        both(
            "hypot", [](const Tensor& a, const Tensor& b) { return hypot(a, b); },
            [](Wide a, Wide b) { return std::hypot(a, b); }, 1, 0.5001);
        // Near 0 what is added cancels: units of what it is made of.
        const auto positive = [](auto function) {
            return [function](const Tensor& a, const Tensor& b) { return function(abs(a), abs(b)); };
        };
        both(
            "logaddexp", positive([](const Tensor& a, const Tensor& b) { return logaddexp(a, b); }),
            [&](Wide a, Wide b) { return logOfSum(std::fabs(a), std::fabs(b), 1); }, 3, 0.5001);
        both(
            "logaddexp2", positive([](const Tensor& a, const Tensor& b) { return logaddexp2(a, b); }),
            [&](Wide a, Wide b) { return logOfSum(std::fabs(a), std::fabs(b), std::log(Wide(2))); }, 3, 0.5001);
        // As exact as PyTorch's: the C library's, which tells ordinary powers from the ends.
        compare<float>(
            "pow", [](const Tensor& a, const Tensor& b) { return pow(a, b); },
            [](Wide a, Wide b) { return std::pow(a, b); }, 0.6);
        compare<float>(
            "nextafter", [](const Tensor& a, const Tensor& b) { return nextafter(a, b); },
            [](Wide a, Wide b) {
                return static_cast<Wide>(std::nextafter(static_cast<float>(a), static_cast<float>(b)));
            },
            0);
        compare<double>(
            "nextafter", [](const Tensor& a, const Tensor& b) { return nextafter(a, b); },
            [](Wide a, Wide b) {
                return static_cast<Wide>(std::nextafter(static_cast<double>(a), static_cast<double>(b)));
            },
            0);
    }

    /// NaN in a number or a limit gives NaN; the zero of the number stays.
    void clamps() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            const Values at{kNan, kInf, -kInf, -0.0, 0.0, 0.25, -3, 7};
            const Tensor x = tensorOf<double>(at), raised = clamp(x, MathInput(0.0), std::nullopt),
                         limited = clamp(x, MathInput(-1.0), MathInput(1.0));
            const Values wanted{kNan, 1, -1, -0.0, 0.0, 0.25, -1, 1};
            for (std::size_t i = 0; i < at.size(); ++i)
                QCOMPARE(apart(limited.data<double>()[i], static_cast<Wide>(wanted[i])), 0.0);
            QVERIFY(std::signbit(raised.data<double>()[3]));
            const Tensor nan = tensorOf<double>(Values(at.size(), kNan)), one = ones({8}, {DType::Float64, Device{}});
            const auto all = [](const Tensor& t) { return item(stridescope::all(isnan(t))).toBool(); };
            QVERIFY(all(clamp(x, MathInput(nan), MathInput(one))));
            QVERIFY(all(clamp(x, MathInput(one), MathInput(nan))));
            QVERIFY(all(clamp(x, MathInput(kNan), MathInput(1.0))));
            const Tensor numbers = nanToNum(x, 5.0, kInf, -2.0);
            QCOMPARE(numbers.data<double>()[0], 5.0);
            QCOMPARE(numbers.data<double>()[1], kInf);
            QCOMPARE(numbers.data<double>()[2], -2.0);
            QCOMPARE(numbers.data<double>()[7], 7.0);
        }
    }

    void inverseOfErf() {
        Values at{0.0, -0.0, 1, -1, 1.5, kNan, 1e-300, 0.999999999999, -0.9999999999999999, 5e-4, 1e-3};
        for (int i = -999; i < 1000; ++i) at.push_back(i * 1e-3);
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            const Tensor got = erfinv(tensorOf<double>(at)), single = erfinv(tensorOf<float>(at));
            for (std::size_t i = 0; i < at.size(); ++i) {
                const double x = got.data<double>()[i], y = at[i];
                if (std::fabs(y) >= 1 || y != y) {
                    QCOMPARE(apart(x, std::fabs(y) == 1 ? static_cast<Wide>(y) * kInf : Wide(kNan)), 0.0);
                    continue;
                }
                // erf of it is y, as far as the numbers beside it tell.
                const Wide slope = 1.1283791670955126L * std::exp(-static_cast<Wide>(x) * static_cast<Wide>(x));
                const Wide missed = std::fabs(y) < 0.5 ? std::erf(static_cast<Wide>(x)) - static_cast<Wide>(y)
                                                       : std::erfc(std::fabs(static_cast<Wide>(x))) -
                                                             (1 - std::fabs(static_cast<Wide>(y)));
                QVERIFY2(std::fabs(missed / slope) <= 3e-16L * std::fabs(static_cast<Wide>(x)) * 2,
                         qPrintable(QString::number(y, 'g', 17)));
                QCOMPARE(std::signbit(x), std::signbit(y));
                if (std::fabs(y) < 0.9) QVERIFY(std::fabs(static_cast<double>(single.data<float>()[i]) - x) < 1e-6);
            }
        }
    }

    void logits() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            const Tensor p = tensorOf<double>({0.25, 0.5, 0, 1, -0.5, kNan, 0.999}), odds = logit(p),
                         kept = logit(p, 0.1);
            QVERIFY(std::fabs(odds.data<double>()[0] + std::log(3.0)) < 1e-15);
            QCOMPARE(odds.data<double>()[1], 0.0);
            QCOMPARE(odds.data<double>()[2], -kInf);
            QCOMPARE(odds.data<double>()[3], kInf);
            QVERIFY(std::isnan(odds.data<double>()[4]) && std::isnan(odds.data<double>()[5]));
            QVERIFY(std::fabs(kept.data<double>()[2] + std::log(9.0)) < 1e-14);
            QVERIFY(std::fabs(kept.data<double>()[6] - std::log(9.0)) < 1e-14);
        }
    }

    void sumsOfPowers() {
        std::mt19937 engine(2);
        std::normal_distribution<double> normal;
        Values values(7 * 5000);
        for (double& v : values) v = 30 * normal(engine);
        const Tensor x = reshape(tensorOf<double>(values), Dims{7, 5000});
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const Index dim : {0, 1}) {
                const Tensor got = logsumexp(x, {dim}, false), single = logsumexp(to(x, DType::Float32), {dim}, false);
                const Index n = dim == 0 ? 7 : 5000, step = dim == 0 ? 5000 : 1, next = dim == 0 ? 1 : 5000;
                for (Index i = 0; i < got.numel(); ++i) {
                    Wide most = -kInf, sum = 0;
                    for (Index k = 0; k < n; ++k)
                        most = std::max(most, static_cast<Wide>(x.data<double>()[i * next + k * step]));
                    for (Index k = 0; k < n; ++k)
                        sum += std::exp(static_cast<Wide>(x.data<double>()[i * next + k * step]) - most);
                    const Wide exact = most + std::log(sum);
                    QVERIFY(std::fabs(static_cast<Wide>(got.data<double>()[i]) - exact) < 1e-13L);
                    QVERIFY(std::fabs(static_cast<Wide>(single.data<float>()[i]) - exact) < 2e-5L);
                }
            }
            const auto of = [](const Values& v) { return item(logsumexp(tensorOf<float>(v))).toDouble(); };
            QCOMPARE(of({-kInf, -kInf}), -kInf);
            QCOMPARE(of({kInf, 1}), kInf);
            QCOMPARE(of({kInf, -kInf, kInf}), kInf);
            QCOMPARE(of({-kInf, 2}), 2.0);
            QVERIFY(std::isnan(of({kNan, 1})));
            QVERIFY(std::isnan(of({kNan, kInf})));
            QVERIFY(std::isnan(of({-kInf, kNan})));
            Values many(5000, -kInf);
            QCOMPARE(of(many), -kInf);
            many[4321] = 3;
            QCOMPARE(of(many), 3.0);
            many[17] = kNan;
            QVERIFY(std::isnan(of(many)));
        }
    }

    /// Functions of complex numbers against the C++ library, ordinary ones closely and the others as far as PyTorch's
    /// arithmetic goes: NaN where that has NaN.
    void complexNumbers() {
        using Z = std::complex<Wide>;
        Values p, q;
        pairs(p, q);
        ComplexValues x, y;
        for (std::size_t i = 0; i < p.size(); ++i) {
            x.emplace_back(p[i], q[i]);
            y.emplace_back(q[(i * 7 + 3) % p.size()], p[(i * 5 + 1) % p.size()]);
        }
        struct Case {
            const char* name;
            Tensor (*run)(const Tensor&, const Tensor&);
            Z (*model)(Z, Z);
        };
        const Case cases[]{
            {"mul", [](const Tensor& a, const Tensor& b) { return mul(a, b); }, [](Z a, Z b) { return a * b; }},
            {"div", [](const Tensor& a, const Tensor& b) { return div(a, b); }, [](Z a, Z b) { return a / b; }},
            {"square", [](const Tensor& a, const Tensor&) { return square(a); }, [](Z a, Z) { return a * a; }},
            {"reciprocal", [](const Tensor& a, const Tensor&) { return reciprocal(a); },
             [](Z a, Z) { return Z(1) / a; }},
            {"sgn", [](const Tensor& a, const Tensor&) { return sgn(a); },
             [](Z a, Z) { return a == Z(0) ? Z(0) : a / std::abs(a); }},
            {"exp", [](const Tensor& a, const Tensor&) { return exp(a); }, [](Z a, Z) { return std::exp(a); }},
            {"abs", [](const Tensor& a, const Tensor&) { return abs(a); }, [](Z a, Z) { return Z(std::abs(a)); }},
            {"angle", [](const Tensor& a, const Tensor&) { return angle(a); }, [](Z a, Z) { return Z(std::arg(a)); }},
        };
        const auto same = [](Scalar a, Scalar b) {
            return apart(a.toDouble(), static_cast<Wide>(b.toDouble())) == 0 &&
                   apart(a.imag(), static_cast<Wide>(b.imag())) == 0;
        };
        const auto each = [&]<class T>(T) {
            const Tensor a = complexOf<T>(x), b = complexOf<T>(y);
            for (const Case& c : cases) {
                std::vector<Scalar> first;
                for (const cpu::IsaTable* table : m_isas) {
                    cpu::forceIsa(*table);
                    const std::vector<Scalar> got = elementsOf(c.run(a, b));
                    for (std::size_t i = 0; i < got.size(); ++i) {
                        QVERIFY2(first.empty() || same(got[i], first[i]), // on every set
                                 qPrintable(QStringLiteral("%1 %2 at %3: %4, %5")
                                                .arg(QLatin1String(table->name), QLatin1String(c.name))
                                                .arg(i)
                                                .arg(x[i].real(), 0, 'g', 17)
                                                .arg(x[i].imag(), 0, 'g', 17)));
                        const Complex<T> u = a.data<Complex<T>>()[i], v = b.data<Complex<T>>()[i];
                        const Z exact = c.model(Z(u.re, u.im), Z(v.re, v.im));
                        const Wide size = std::abs(exact);
                        const auto ordinary = [](T part) {
                            return std::fabs(part) > T(1e-9) && std::fabs(part) < T(1e9);
                        };
                        if (!ordinary(u.re) || !ordinary(u.im) || !ordinary(v.re) || !ordinary(v.im)) continue;
                        if (!(size < std::numeric_limits<T>::max()) || size < std::numeric_limits<T>::min()) continue;
                        const Z result(static_cast<Wide>(got[i].toDouble()), static_cast<Wide>(got[i].imag()));
                        QVERIFY2(std::abs(result - exact) <= 4 * std::numeric_limits<T>::epsilon() * size,
                                 qPrintable(QStringLiteral("%1 %2 at %3")
                                                .arg(QLatin1String(table->name), QLatin1String(c.name))
                                                .arg(i)));
                    }
                    if (first.empty()) first = got;
                }
            }
        };
        each(float{});
        each(double{});
    }

    void complexEnds() {
        const auto one = [](const Tensor& t) {
            const Scalar z = item(t);
            return std::complex<double>(z.toDouble(), z.imag());
        };
        const auto of = [](double re, double im) { return complexOf<float>({{re, im}}); };
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            QVERIFY(std::isnan(one(reciprocal(of(0, 0))).real()));
            QCOMPARE(one(reciprocal(of(2, 0))), std::complex<double>(0.5, 0));
            QVERIFY(!std::signbit(one(reciprocal(of(2, 0))).imag()));
            QVERIFY(std::fabs(one(reciprocal(of(0, 1e30))).imag() + 1e-30) < 1e-36);
            QCOMPARE(one(sgn(of(0, 0))), std::complex<double>(0, 0));
            QCOMPARE(one(sgn(of(0, -3e38))), std::complex<double>(0, -1));
            QCOMPARE(one(abs(of(kInf, kNan))).real(), kInf);
            QCOMPARE(one(abs(of(3e38, 0))).real(), static_cast<double>(3e38f));
            QCOMPARE(one(exp(of(0, 0))), std::complex<double>(1, 0));
            QCOMPARE(one(exp(of(-kInf, 3))), std::complex<double>(-0.0, 0));
            QCOMPARE(one(div(of(3e38, 3e38), of(3e38, 3e38))), std::complex<double>(1, 0));
            QCOMPARE(one(mul(of(2, 3), Scalar(Complex<double>{0, 1}))), std::complex<double>(-3, 2));
            QCOMPARE(one(div(Scalar(Complex<double>{0, 1}), of(0, 2))), std::complex<double>(0.5, 0));
        }
    }

    void complexProducts() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            ComplexValues values(100);
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] =
                    std::polar(1.0 + 0.01 * std::sin(static_cast<double>(i)), 0.1 * static_cast<double>(i % 13));
            const Tensor flat = complexOf<double>(values), rows = reshape(flat, Dims{4, 25});
            const auto check = [&](const Tensor& t, Index dim) {
                const std::vector<Scalar> got = elementsOf(prod(t, {dim}, false));
                for (Index i = 0; i < static_cast<Index>(got.size()); ++i) {
                    std::complex<double> exact = 1;
                    const Tensor line = select(t, 1 - dim, i);
                    for (const Scalar z : elementsOf(line)) exact *= std::complex<double>(z.toDouble(), z.imag());
                    const auto& z = got[static_cast<std::size_t>(i)];
                    QVERIFY(std::abs(std::complex<double>(z.toDouble(), z.imag()) - exact) < 1e-13);
                }
            };
            check(rows, 0);
            check(rows, 1);
            check(transpose(rows, 0, 1), 0);
            check(slice(rows, 1, 0, 25, 2), 1);
        }
    }
};

QTEST_GUILESS_MAIN(TestQuickWays)
#include "tst_quick_ways.moc"
