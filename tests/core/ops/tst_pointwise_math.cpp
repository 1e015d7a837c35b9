// Mathematical operations against independent models: long double functions, 128-bit integers, and layouts of the zoo.
#include "core/backend/cpu/isa_table.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_zoo.h"

#include <QTest>
#include <cmath>
#include <functional>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using Unary = std::function<Tensor(const Tensor&)>;
using Binary = std::function<Tensor(const Tensor&, const Tensor&)>;
using Wide = long double;

std::string idOf(const std::function<void()>& action) {
    const std::optional<Refusal> refusal = refusalOf(action);
    return refusal ? refusal->id : "not refused";
}

Tensor vectorOf(const std::vector<Scalar>& values, DType dtype) {
    Tensor t = empty({static_cast<Index>(values.size())}, {dtype, Device{}});
    for (std::size_t i = 0; i < values.size(); ++i)
        storeElement(t.storage()->data() + i * itemSize(dtype), dtype, values[i]);
    return t;
}

/// Distance in units of the last place of the float (or double) that the exact value rounds to.
double unitsApart(double got, Wide exact, DType dtype) {
    if (std::isnan(got) || std::isnan(static_cast<double>(exact)))
        return std::isnan(got) && std::isnan(static_cast<double>(exact)) ? 0 : 1e9;
    const bool single = dtype == DType::Float32;
    const double rounded = single ? static_cast<double>(static_cast<float>(exact)) : static_cast<double>(exact);
    if (got == rounded) return std::signbit(got) == std::signbit(rounded) ? 0 : 1e9;
    if (std::isinf(got) || std::isinf(rounded)) return 1e9;
    int exponent = 0;
    std::frexp(rounded, &exponent);
    const int least = single ? -149 : -1074;
    const double unit = std::ldexp(1.0, std::max(exponent - (single ? 24 : 53), least));
    return static_cast<double>(std::fabs(static_cast<Wide>(got) - exact) / static_cast<Wide>(unit));
}

struct UnaryCase {
    const char* name;
    Unary run;
    Wide (*model)(Wide);
    double most;              ///< units in the last place
    bool roundedOnce = false; ///< of float: the exact value, rounded
};

const std::vector<UnaryCase>& unaryCases() {
    static const std::vector<UnaryCase> kCases{
        {"exp", [](const Tensor& t) { return exp(t); }, [](Wide x) { return std::exp(x); }, 2},
        {"exp2", [](const Tensor& t) { return exp2(t); }, [](Wide x) { return std::exp2(x); }, 2},
        {"expm1", [](const Tensor& t) { return expm1(t); }, [](Wide x) { return std::expm1(x); }, 2},
        {"log", [](const Tensor& t) { return log(t); }, [](Wide x) { return std::log(x); }, 2},
        {"log2", [](const Tensor& t) { return log2(t); }, [](Wide x) { return std::log2(x); }, 2},
        {"log10", [](const Tensor& t) { return log10(t); }, [](Wide x) { return std::log10(x); }, 3, true},
        {"log1p", [](const Tensor& t) { return log1p(t); }, [](Wide x) { return std::log1p(x); }, 2, true},
        {"sqrt", [](const Tensor& t) { return sqrt(t); }, [](Wide x) { return std::sqrt(x); }, 0.5001},
        {"rsqrt", [](const Tensor& t) { return rsqrt(t); }, [](Wide x) { return 1 / std::sqrt(x); }, 1.5},
        {"reciprocal", [](const Tensor& t) { return reciprocal(t); }, [](Wide x) { return 1 / x; }, 0.5001},
        {"sin", [](const Tensor& t) { return sin(t); }, [](Wide x) { return std::sin(x); }, 1},
        {"cos", [](const Tensor& t) { return cos(t); }, [](Wide x) { return std::cos(x); }, 1},
        {"tan", [](const Tensor& t) { return tan(t); }, [](Wide x) { return std::tan(x); }, 1},
        {"asin", [](const Tensor& t) { return asin(t); }, [](Wide x) { return std::asin(x); }, 2, true},
        {"acos", [](const Tensor& t) { return acos(t); }, [](Wide x) { return std::acos(x); }, 2, true},
        {"atan", [](const Tensor& t) { return atan(t); }, [](Wide x) { return std::atan(x); }, 2, true},
        {"sinh", [](const Tensor& t) { return sinh(t); }, [](Wide x) { return std::sinh(x); }, 3},
        {"cosh", [](const Tensor& t) { return cosh(t); }, [](Wide x) { return std::cosh(x); }, 3},
        {"tanh", [](const Tensor& t) { return tanh(t); }, [](Wide x) { return std::tanh(x); }, 2},
        {"asinh", [](const Tensor& t) { return asinh(t); }, [](Wide x) { return std::asinh(x); }, 3},
        {"acosh", [](const Tensor& t) { return acosh(t); }, [](Wide x) { return std::acosh(x); }, 3},
        {"atanh", [](const Tensor& t) { return atanh(t); }, [](Wide x) { return std::atanh(x); }, 3},
        {"erf", [](const Tensor& t) { return erf(t); }, [](Wide x) { return std::erf(x); }, 2, true},
        {"erfc", [](const Tensor& t) { return erfc(t); }, [](Wide x) { return std::erfc(x); }, 6, true},
        {"floor", [](const Tensor& t) { return floor(t); }, [](Wide x) { return std::floor(x); }, 0},
        {"ceil", [](const Tensor& t) { return ceil(t); }, [](Wide x) { return std::ceil(x); }, 0},
        {"trunc", [](const Tensor& t) { return trunc(t); }, [](Wide x) { return std::trunc(x); }, 0},
        {"round", [](const Tensor& t) { return round(t); }, [](Wide x) { return std::nearbyint(x); }, 0},
        {"square", [](const Tensor& t) { return square(t); }, [](Wide x) { return x * x; }, 0.5001},
        {"relu", [](const Tensor& t) { return relu(t); }, [](Wide x) { return x < 0 ? Wide(0) : x; }, 0},
    };
    return kCases;
}

/// From the least to the greatest number, of both signs, and the special ones.
std::vector<Scalar> sample(DType dtype) {
    std::vector<Scalar> values;
    const bool single = dtype == DType::Float32;
    const int low = single ? -149 : -1070, high = single ? 127 : 1023, step = single ? 1 : 7;
    for (int e = low; e <= high; e += step)
        for (const double m : {1.0, 1.2345, 1.4142, 1.5, 1.7182, 1.9999999})
            for (const double s : {1.0, -1.0}) values.push_back(Scalar(s * std::ldexp(m, e)));
    for (int i = -4000; i <= 4000; ++i) values.push_back(Scalar(i * 0.0313));
    for (int i = 1; i <= 6000; ++i) values.push_back(Scalar(i * 1.3771e-4)); // where tanh is hardest
    for (int i = -400; i <= 400; ++i) values.push_back(Scalar(i * 1.57079632679489662));
    for (const double x : {0.0, -0.0, 88.72283, 88.7229, -87.3, -103.97, -104.1, 709.78, 709.79, -745.1, -745.2, 0.625,
                           1048576.0, 1048577.0, 1e22, HUGE_VAL, -HUGE_VAL, std::nan("")})
        values.push_back(Scalar(x));
    return values;
}

} // namespace

class TestPointwiseMath : public QObject {
    Q_OBJECT

    std::vector<const cpu::IsaTable*> m_isas;
    const cpu::IsaTable* m_before = &cpu::isa();

private Q_SLOTS:
    void initTestCase() {
        for (const char* isa : {"plain", "avx2", "avx512"})
            if (const cpu::IsaTable* table = cpu::isaByName(isa)) m_isas.push_back(table);
    }
    void cleanup() { cpu::forceIsa(*m_before); }

    void accuracy_data() {
        QTest::addColumn<int>("which");
        for (std::size_t i = 0; i < unaryCases().size(); ++i)
            QTest::newRow(unaryCases()[i].name) << static_cast<int>(i);
    }
    void accuracy() {
        QFETCH(int, which);
        const UnaryCase& c = unaryCases()[static_cast<std::size_t>(which)];
        for (const DType dtype : {DType::Float32, DType::Float64}) {
            const Tensor x = vectorOf(sample(dtype), dtype);
            const std::vector<Scalar> arguments = elementsOf(x);
            std::vector<Scalar> first;
            for (const cpu::IsaTable* table : m_isas) {
                cpu::forceIsa(*table);
                const std::vector<Scalar> got = elementsOf(c.run(x));
                for (std::size_t i = 0; i < got.size(); ++i) {
                    const double a = arguments[i].toDouble();
                    // The library's long double functions reduce huge angles less well than ours in double.
                    const double units = unitsApart(got[i].toDouble(), c.model(static_cast<Wide>(a)), dtype);
                    const double most = c.roundedOnce && dtype == DType::Float32 ? 0.5001 : c.most;
                    QVERIFY2(units <= most, qPrintable(QStringLiteral("%1 %2(%3) = %4: %5 units")
                                                           .arg(QLatin1String(table->name), QLatin1String(c.name))
                                                           .arg(a, 0, 'g', 17)
                                                           .arg(got[i].toDouble(), 0, 'g', 17)
                                                           .arg(units)));
                    if (!first.empty()) QVERIFY(sameElement(got[i], first[i])); // the same on every set
                }
                if (first.empty()) first = got;
            }
        }
    }

    /// Where PyTorch's float is not the one nearest to the exact value (the first four), and where the C library's is
    /// another.
    void expm1HasPyTorchsBits() {
        const std::vector<std::pair<float, float>> known{
            {-0x1.e5a422p-4F, -0x1.c9f4c2p-4F}, {0x1.27323p-3F, 0x1.3d87dcp-3F},    {-0x1.0771dp+0F, -0x1.490b54p-1F},
            {0x1.993f42p+0F, 0x1.f91d62p+1F},   {-0x1.5a8dd8p+1F, -0x1.ddd8a8p-1F}, {-0x1.a2d6b8p+0F, -0x1.9c4b02p-1F},
            {-0x1.c7cdbcp+0F, -0x1.a9b2fp-1F},
        };
        std::vector<Scalar> arguments;
        for (const auto& [x, y] : known) arguments.push_back(Scalar(static_cast<double>(x)));
        const Tensor x = vectorOf(arguments, DType::Float32);
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            const std::vector<Scalar> got = elementsOf(expm1(x));
            for (std::size_t i = 0; i < known.size(); ++i)
                QCOMPARE(got[i].toDouble(), static_cast<double>(known[i].second));
        }
    }

    /// Every layout and dtype gives what a contiguous copy in the type of the result gives.
    void layouts_data() { accuracy_data(); }
    void layouts() {
        QFETCH(int, which);
        const UnaryCase& c = unaryCases()[static_cast<std::size_t>(which)];
        for (const ZooView& layout : zooViews()) {
            for (const DType dtype : kRealDTypes) {
                const Tensor a = zooTensor(layout, dtype);
                Tensor got;
                if (refusalOf([&] { got = c.run(a); })) {
                    QVERIFY(dtype == DType::Bool);
                    continue;
                }
                const bool whole = got.dtype() == dtype && !isFloating(dtype);
                const std::vector<Scalar> x = elementsOf(a), z = elementsOf(got);
                QCOMPARE(got.shape(), a.shape());
                for (std::size_t i = 0; i < z.size(); ++i) {
                    if (whole || dtype == DType::Bool) break; // integers: wholeNumbers()
                    const auto exact = c.model(static_cast<Wide>(x[i].toDouble()));
                    if (got.dtype() == DType::Float16) {
                        const Scalar wanted = slowConvert(Scalar(static_cast<double>(exact)), DType::Float16);
                        QVERIFY2(sameElement(z[i], wanted) || std::fabs(z[i].toDouble() - wanted.toDouble()) <
                                                                  2e-3 * std::fabs(wanted.toDouble()),
                                 layout.name.c_str());
                    } else {
                        QVERIFY2(unitsApart(z[i].toDouble(), exact, got.dtype()) <= c.most, layout.name.c_str());
                    }
                }
            }
        }
    }

    void wholeNumbers() {
        __extension__ typedef __int128 Huge;
        struct Case {
            const char* name;
            Binary run;
            Huge (*model)(Huge, Huge);
            bool divides;
        };
        const auto floored = [](Huge a, Huge b) -> Huge { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); };
        static const auto kFloor = floored;
        const Case cases[] = {
            {"floor_divide", [](const Tensor& a, const Tensor& b) { return floorDivide(a, b); },
             [](Huge a, Huge b) { return kFloor(a, b); }, true},
            {"trunc", [](const Tensor& a, const Tensor& b) { return div(a, b, std::string("trunc")); },
             [](Huge a, Huge b) { return a / b; }, true},
            {"remainder", [](const Tensor& a, const Tensor& b) { return remainder(a, b); },
             [](Huge a, Huge b) { return a - kFloor(a, b) * b; }, true},
            {"fmod", [](const Tensor& a, const Tensor& b) { return fmod(a, b); }, [](Huge a, Huge b) { return a % b; },
             true},
            {"and", [](const Tensor& a, const Tensor& b) { return bitwiseAnd(a, b); },
             [](Huge a, Huge b) { return a & b; }, false},
            {"or", [](const Tensor& a, const Tensor& b) { return bitwiseOr(a, b); },
             [](Huge a, Huge b) { return a | b; }, false},
            {"xor", [](const Tensor& a, const Tensor& b) { return bitwiseXor(a, b); },
             [](Huge a, Huge b) { return a ^ b; }, false},
            {"addcmul", [](const Tensor& a, const Tensor& b) { return addcmul(a, b, b, 3); },
             [](Huge a, Huge b) { return static_cast<Huge>(a + 3 * b * b); }, false},
            {"add alpha", [](const Tensor& a, const Tensor& b) { return add(a, b, 5); },
             [](Huge a, Huge b) { return a + 5 * b; }, false},
            {"rsub alpha", [](const Tensor& a, const Tensor& b) { return rsub(a, b, 5); },
             [](Huge a, Huge b) { return b - 5 * a; }, false},
            {"fmax", [](const Tensor& a, const Tensor& b) { return fmax(a, b); },
             [](Huge a, Huge b) { return a > b ? a : b; }, false},
            {"clamp", [](const Tensor& a, const Tensor& b) { return clamp(a, MathInput(b), MathInput(9)); },
             [](Huge a, Huge b) { return a > b ? (a < 9 ? a : Huge(9)) : (b < 9 ? b : Huge(9)); }, false},
            {"pow 3", [](const Tensor& a, const Tensor&) { return pow(a, 3); },
             [](Huge a, Huge) { return static_cast<Huge>(a * a * a); }, false},
        };
        for (const DType dtype : {DType::UInt8, DType::Int8, DType::Int16, DType::Int32, DType::Int64}) {
            std::vector<Scalar> x, y;
            const auto bits = static_cast<int>(8 * itemSize(dtype));
            const Index most = dtype == DType::UInt8 ? 255 : static_cast<Index>((std::uint64_t{1} << (bits - 1)) - 1);
            const Index least = dtype == DType::UInt8 ? 0 : -most - 1;
            for (const Index a : {Index{0}, Index{1}, Index{2}, Index{7}, Index{10}, Index{100}, most, least,
                                  -1 - Index{0}, Index{-3}, Index{-8}})
                for (const Index b : {Index{1}, Index{2}, Index{3}, Index{5}, Index{-1}, Index{-2}, Index{-5}, most}) {
                    if (dtype == DType::UInt8 && (a < 0 || b < 0)) continue;
                    if (bits == 64 && (a == most || a == least || b == most)) continue; // cubes leave the model
                    x.push_back(Scalar(a));
                    y.push_back(Scalar(b));
                }
            const Tensor a = vectorOf(x, dtype), b = vectorOf(y, dtype);
            for (const cpu::IsaTable* table : m_isas) {
                cpu::forceIsa(*table);
                for (const Case& c : cases) {
                    const Tensor got = c.run(a, b);
                    QCOMPARE(got.dtype(), dtype);
                    const std::vector<Scalar> z = elementsOf(got);
                    for (std::size_t i = 0; i < z.size(); ++i) {
                        const auto wide = static_cast<std::uint64_t>(c.model(x[i].toInt(), y[i].toInt()));
                        const Scalar wanted = slowConvert(Scalar(static_cast<Index>(wide)), dtype);
                        QVERIFY2(sameElement(z[i], wanted), qPrintable(QStringLiteral("%1 %2 %3")
                                                                           .arg(QLatin1String(c.name))
                                                                           .arg(x[i].toInt())
                                                                           .arg(y[i].toInt())));
                    }
                }
            }
        }
        const Tensor least = vectorOf({Scalar(std::numeric_limits<Index>::min())}, DType::Int64);
        QCOMPARE(elementsOf(floorDivide(least, -1))[0].toInt(), std::numeric_limits<Index>::min());
        QCOMPARE(elementsOf(remainder(least, -1))[0].toInt(), Index{0});
    }

    void floatDivisions() {
        const Tensor a = vectorOf({Scalar(7.5), Scalar(-7.5), Scalar(1.0), Scalar(-1.0), Scalar(0.0)}, DType::Float64);
        const auto values = [](const Tensor& t) {
            QList<double> list;
            for (const Scalar s : elementsOf(t)) list.push_back(s.toDouble());
            return list;
        };
        using L = QList<double>;
        QCOMPARE(values(floorDivide(a, 2.0)), (L{3, -4, 0, -1, 0}));
        QCOMPARE(values(remainder(a, 2.0)), (L{1.5, 0.5, 1, 1, 0}));
        QCOMPARE(values(remainder(a, -2.0)), (L{-0.5, -1.5, -1, -1, 0}));
        QCOMPARE(values(fmod(a, -2.0)), (L{1.5, -1.5, 1, -1, 0}));
        QCOMPARE(values(div(a, 2, std::string("trunc"))), (L{3, -3, 0, 0, 0}));
        QCOMPARE(values(floorDivide(a, 0.0))[0], HUGE_VAL);
        QVERIFY(std::isnan(values(remainder(a, 0.0))[0]));
        // 1 // 0.1 is 9 although 1 / 0.1 rounds to 10.
        QCOMPARE(values(floorDivide(a, 0.1))[2], 9.0);
    }

    void types() {
        const Tensor i = arange(4, {DType::Int64, Device{}});
        const Tensor h = to(i, DType::Float16), flags = gt(i, 1);
        QCOMPARE(exp(i).dtype(), DType::Float32);
        QCOMPARE(exp(flags).dtype(), DType::Float32);
        QCOMPARE(exp(h).dtype(), DType::Float16);
        QCOMPARE(floor(i).dtype(), DType::Int64);
        QCOMPARE(square(flags).dtype(), DType::Int64);
        QCOMPARE(pow(i, 2.5).dtype(), DType::Float32);
        QCOMPARE(pow(i, 2).dtype(), DType::Int64);
        QCOMPARE(pow(2.0, i).dtype(), DType::Float32);
        QCOMPARE(floatPower(h, 2).dtype(), DType::Float64);
        QCOMPARE(atan2(i, i).dtype(), DType::Float32);
        QCOMPARE(isnan(i).dtype(), DType::Bool);
        QCOMPARE(logicalAnd(i, h).dtype(), DType::Bool);
        QCOMPARE(bitwiseAnd(i, flags).dtype(), DType::Int64);
        QCOMPARE(clamp(i, MathInput(1.5), std::nullopt).dtype(), DType::Float32);
        QCOMPARE(clamp(i, std::nullopt, MathInput(1)).dtype(), DType::Int64);
        const Tensor out = zeros({4}, {DType::Float64, Device{}});
        expOut(i, out);
        QCOMPARE(elementsOf(out)[0].toDouble(), 1.0);
        logicalNot_(out);
        QCOMPARE(elementsOf(out)[0].toDouble(), 0.0);
    }

    void specialValues() {
        const double inf = HUGE_VAL, nan = std::nan("");
        const Tensor t = vectorOf({Scalar(nan), Scalar(inf), Scalar(-inf), Scalar(-0.0), Scalar(1.5)}, DType::Float32);
        const auto flags = [](const Tensor& x) {
            QString s;
            for (const Scalar v : elementsOf(x)) s += v.toBool() ? QLatin1Char('1') : QLatin1Char('0');
            return s;
        };
        QCOMPARE(flags(isnan(t)), QStringLiteral("10000"));
        QCOMPARE(flags(isinf(t)), QStringLiteral("01100"));
        QCOMPARE(flags(isfinite(t)), QStringLiteral("00011"));
        QCOMPARE(flags(isposinf(t)), QStringLiteral("01000"));
        QCOMPARE(flags(isneginf(t)), QStringLiteral("00100"));
        QCOMPARE(flags(signbit(t)).mid(1), QStringLiteral("0110"));
        QCOMPARE(flags(isclose(t, t)), QStringLiteral("01111"));
        QCOMPARE(flags(isclose(t, t, 1e-5, 1e-8, true)), QStringLiteral("11111"));
        QVERIFY(!allclose(t, t));
        QVERIFY(allclose(t, t, 1e-5, 1e-8, true));
        QVERIFY(!equal(t, t));
        QVERIFY(equal(nanToNum(t), nanToNum(t)));
        QCOMPARE(elementsOf(nanToNum(t, 2, 5))[1].toDouble(), 5.0);
        QCOMPARE(elementsOf(nanToNum(t))[2].toDouble(), static_cast<double>(std::numeric_limits<float>::lowest()));
        QCOMPARE(flags(isnan(clamp(t, MathInput(0), MathInput(1)))), QStringLiteral("10000"));
        QCOMPARE(flags(isnan(fmax(t, zeros({5})))), QStringLiteral("00000"));
        QCOMPARE(elementsOf(sign(t))[0].toDouble(), 0.0);
        QVERIFY(std::signbit(elementsOf(relu(t))[3].toDouble()));
        QCOMPARE(elementsOf(xlogy(zeros({5}), t))[1].toDouble(), 0.0);
        QCOMPARE(elementsOf(logaddexp(t, t))[1].toDouble(), inf);
        QCOMPARE(elementsOf(round(vectorOf({Scalar(1234.567), Scalar(2.5)}, DType::Float64), -2))[0].toDouble(),
                 1200.0);
        QCOMPARE(elementsOf(round(vectorOf({Scalar(0.125), Scalar(2.5)}, DType::Float64), 2))[0].toDouble(), 0.12);
        QVERIFY(std::fabs(elementsOf(erfinv(vectorOf({Scalar(0.5)}, DType::Float64)))[0].toDouble() -
                          0.47693627620446987338) < 1e-15);
        QVERIFY(std::fabs(elementsOf(digamma(vectorOf({Scalar(1.0)}, DType::Float64)))[0].toDouble() +
                          0.57721566490153286061) < 1e-14);
        QVERIFY(std::fabs(elementsOf(sigmoid(vectorOf({Scalar(2.0)}, DType::Float32)))[0].toDouble() -
                          0.88079707797788244406) < 1e-7);
    }

    void angles() {
        const double inf = HUGE_VAL;
        const std::vector<double> sides{0.0, -0.0, 1, -1, inf, -inf, std::nan(""), 1e-45, -1e-45, 3e38, -3e38, 0.5, -7};
        std::vector<Scalar> ys, xs;
        for (std::size_t i = 0; i < sides.size() * sides.size(); ++i) {
            ys.push_back(Scalar(static_cast<double>(static_cast<float>(sides[i / sides.size()]))));
            xs.push_back(Scalar(static_cast<double>(static_cast<float>(sides[i % sides.size()]))));
        }
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            const std::vector<Scalar> got =
                elementsOf(atan2(vectorOf(ys, DType::Float32), vectorOf(xs, DType::Float32)));
            for (std::size_t i = 0; i < got.size(); ++i) {
                const Wide exact = std::atan2(static_cast<Wide>(ys[i].toDouble()), static_cast<Wide>(xs[i].toDouble()));
                QVERIFY2(unitsApart(got[i].toDouble(), exact, DType::Float32) <= 0.5001, table->name);
            }
        }
    }

    void inPlaceOverTheZoo() {
        for (const ZooView& layout : zooViews()) {
            const Tensor a = zooTensor(layout, DType::Float32);
            const std::vector<std::byte> before = bytesOf(a);
            if (layout.overlaps) {
                QCOMPARE(idOf([&] { exp_(a); }), std::string("OVERLAP-01"));
                QCOMPARE(idOf([&] { clamp_(a, MathInput(0), MathInput(1)); }), std::string("OVERLAP-01"));
                QVERIFY(bytesOf(a) == before);
                continue;
            }
            const Tensor old = zooTensor(layout, DType::Float32), wanted = exp(a);
            exp_(a);
            const std::vector<Scalar> got = elementsOf(a), expected = elementsOf(wanted);
            for (std::size_t i = 0; i < got.size(); ++i)
                QVERIFY2(sameElement(got[i], expected[i]), layout.name.c_str());
            copy_(a, old);
            QVERIFY2(bytesOf(a) == before, layout.name.c_str());
        }
    }

    void ternary() {
        for (const ZooView& layout : zooViews()) {
            const Tensor a = zooTensor(layout, DType::Float64), b = clone(add(a, 1.0)), c = clone(mul(a, 0.5));
            const std::vector<Scalar> x = elementsOf(a), y = elementsOf(b), z = elementsOf(c);
            const std::vector<Scalar> blend = elementsOf(lerp(a, b, c)), half = elementsOf(lerp(a, b, 0.25)),
                                      products = elementsOf(addcmul(a, b, c, 2)),
                                      limits = elementsOf(clamp(a, MathInput(c), MathInput(b)));
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double p = x[i].toDouble(), q = y[i].toDouble(), r = z[i].toDouble();
                QVERIFY(std::fabs(blend[i].toDouble() - (p + r * (q - p))) < 1e-14);
                QCOMPARE(half[i].toDouble(), p + 0.25 * (q - p));
                QCOMPARE(products[i].toDouble(), p + 2 * q * r);
                QCOMPARE(limits[i].toDouble(), std::min(std::max(p, r), q));
            }
        }
    }

    void complexNumbers() {
        const Tensor z = vectorOf({Scalar(Complex<double>{1, 2}), Scalar(Complex<double>{0, -3})}, DType::Complex128);
        const std::vector<Scalar> r = elementsOf(exp(log(z)));
        QVERIFY(std::fabs(r[0].toDouble() - 1) < 1e-12 && std::fabs(r[0].imag() - 2) < 1e-12);
        QCOMPARE(elementsOf(pow(z, 2))[0].toDouble(), -3.0);
        QCOMPARE(elementsOf(pow(z, 2))[0].imag(), 4.0);
        QCOMPARE(elementsOf(sgn(z))[1].imag(), -1.0);
        QVERIFY(isclose(z, z).dtype() == DType::Bool && allclose(z, z) && equal(z, z));
        QCOMPARE(idOf([&] { floor(z); }), std::string("MATH-02"));
        QCOMPARE(idOf([&] { sign(z); }), std::string("MATH-02"));
        QCOMPARE(idOf([&] { atan2(z, z); }), std::string("MATH-02"));
        QCOMPARE(idOf([&] { clamp(z, MathInput(0), std::nullopt); }), std::string("MATH-02"));
    }

    void refusals() {
        const Tensor f = ones({3}), i = arange(3, {DType::Int64, Device{}}), flags = gt(i, 0);
        QCOMPARE(idOf([&] { exp(Tensor()); }), std::string("TENSOR-02"));
        QCOMPARE(idOf([&] { exp_(i); }), std::string("CAST-01"));
        QCOMPARE(idOf([&] { pow_(i, 2.5); }), std::string("CAST-01"));
        QCOMPARE(idOf([&] { pow(i, -1); }), std::string("POW-01"));
        QCOMPARE(idOf([&] { pow(flags, flags); }), std::string("MATH-01"));
        QCOMPARE(idOf([&] { floorDivide(i, i); }), std::string("DIV-01"));
        QCOMPARE(idOf([&] { remainder(i, 0); }), std::string("DIV-01"));
        QCOMPARE(idOf([&] { div(f, 2, std::string("up")); }), std::string("DIV-02"));
        QCOMPARE(idOf([&] { bitwiseAnd(i, f); }), std::string("MATH-01"));
        QCOMPARE(idOf([&] { leftShift(flags, flags); }), std::string("MATH-01"));
        QCOMPARE(idOf([&] { hypot(i, i); }), std::string("MATH-01"));
        QCOMPARE(idOf([&] { heaviside(f, i); }), std::string("MATH-01"));
        QCOMPARE(idOf([&] { relu(flags); }), std::string("MATH-01"));
        QCOMPARE(idOf([&] { positive(flags); }), std::string("MATH-01"));
        QCOMPARE(idOf([&] { signbitOut(f, f); }), std::string("MATH-03"));
        QCOMPARE(idOf([&] { add(i, i, 2.5); }), std::string("ALPHA-01"));
        QCOMPARE(idOf([&] { sub(flags, i, 2); }), std::string("BOOL-02"));
        const Tensor bytes = to(i, DType::UInt8), halves = to(f, DType::Float16);
        QCOMPARE(idOf([&] { clamp_(bytes, MathInput(0), MathInput(256)); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { clamp(to(i, DType::Int8), MathInput(-200), std::nullopt); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { clamp(bytes, MathInput(-5), MathInput(100)); }), std::string("not refused")); // -5 is 251
        QCOMPARE(idOf([&] { clamp(f, MathInput(-HUGE_VAL), MathInput(1e38)); }), std::string("not refused"));
        QCOMPARE(idOf([&] { add(bytes, bytes, 256); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { sub_(bytes, bytes, -256); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { add(f, f, 1e300); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { pow(bytes, 256); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { pow(halves, 1e10); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { addcmul(bytes, bytes, bytes, 300); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { addcdiv_(f, f, f, 1e300); }), std::string("FILL-01"));
        QCOMPARE(idOf([&] { lerp(f, f, 1e300); }), std::string("FILL-01"));
        QCOMPARE(elementsOf(add(bytes, 300)), (std::vector<Scalar>{44, 45, 46})); // an operand wraps, as in PyTorch
        const Tensor nothing = zeros({0}, {DType::Complex64, Device{}});
        QCOMPARE(idOf([&] { floor_(nothing); }), std::string("MATH-02"));
        QCOMPARE(idOf([&] { lt_(nothing, nothing); }), idOf([&] { lt(nothing, nothing); }));
        QCOMPARE(idOf([&] { clamp(f, std::nullopt, std::nullopt); }), std::string("CLAMP-01"));
        QCOMPARE(idOf([&] { lerp(f, to(f, DType::Float64), 0.5); }), std::string("LERP-01"));
        QCOMPARE(idOf([&] { isclose(f, i); }), std::string("CLOSE-01"));
        QCOMPARE(idOf([&] { isclose(f, f, -1); }), std::string("CLOSE-02"));
        QCOMPARE(idOf([&] { addcdiv(f, i, i); }), std::string("MATH-01"));
        QCOMPARE(idOf([&] { atan2(f, ones({4})); }), std::string("VIEW-34"));
        QCOMPARE(idOf([&] { expOut(f, ones({4})); }), std::string("SHAPE-OUT"));
        const std::optional<Refusal> words = refusalOf([&] { hypot(i, i); });
        QCOMPARE(words->message, std::string("\"hypot_cpu\" not implemented for 'Long'"));
        const Tensor whole = ones({4});
        QCOMPARE(idOf([&] { expOut(narrow(whole, 0, 0, 3), narrow(whole, 0, 1, 3)); }), std::string("OVERLAP-03"));
        QCOMPARE(elementsOf(i)[2].toInt(), Index{2});
    }

    void records() {
        std::vector<OpRecord> seen;
        const Tensor f = ones({3});
        {
            const OpSubscription subscription([&](const OpRecord& r) { seen.push_back(r); });
            exp(f);
            pow(f, 2);
            pow(2, f);
            clamp_(f, MathInput(0), std::nullopt);
            addcmul(f, f, f, 3);
            allclose(f, f);
        }
        QCOMPARE(seen.size(), std::size_t{5});
        QCOMPARE(seen[0].name, std::string("exp"));
        QCOMPARE(seen[0].bytesRead, Index{12});
        QCOMPARE(seen[0].bytesAllocated, Index{12});
        QCOMPARE(seen[1].name + "|" + seen[1].arguments, std::string("pow|2"));
        QCOMPARE(seen[2].name + "|" + seen[2].arguments, std::string("__rpow__|2"));
        QCOMPARE(seen[3].name + "|" + seen[3].arguments, std::string("clamp_|0"));
        QCOMPARE(seen[3].effect, OpEffect::InPlace);
        QCOMPARE(seen[4].name + "|" + seen[4].arguments, std::string("addcmul|value=3"));
        QCOMPARE(seen[4].inputs.size(), std::size_t{3});
    }
};

QTEST_GUILESS_MAIN(TestPointwiseMath)
#include "tst_pointwise_math.moc"
