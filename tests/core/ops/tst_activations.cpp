// The activations, renorm and take_along_dim against loops over coords in long double: the zoo, every dtype, NaN and
// signed zeros, what they refuse, and what they must not write.

#include "core/ops/activations.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/norms.h"
#include "core/ops/views.h"
#include "tests/support/check_refusal.h"
#include "tests/support/expect_elements.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

using Wide = long double;
using Unary = std::function<Tensor(const Tensor&)>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
/// In last places of the largest number on the way: exp() is good to 2, each coefficient, difference and product adds
/// up to 1, and so do the sums of a norm, of at most 48 numbers here.
constexpr Wide kUnits = 8;
/// float16 is computed in float32, so that only the product is rounded; PyTorch rounds its factor once more.
constexpr Wide kHalfUnits = 2;
constexpr DType kWideFloats[] = {DType::Float32, DType::Float64};

/// What an element has to be, within units of `scale`'s last place; where that is 0, exactly and with the sign of 0.
struct Cell {
    Wide re = 0, im = 0, scale = 0;
};
using Wanted = std::function<Cell(const Sizes&)>;
/// From a tensor that stays as it is.
using Model = std::function<Wanted(const Tensor&)>;

Wide wide(const Scalar& s) {
    return s.isInt() ? static_cast<Wide>(s.toInt()) : static_cast<Wide>(s.toDouble());
}

Wide slackOf(Wide scale, DType dtype) {
    if (!std::isfinite(scale) || scale == 0) return 0;
    const DType part = realPartDType(dtype);
    const int digits = part == DType::Float16 ? 11 : part == DType::Float32 ? 24 : 53;
    return (part == DType::Float16 ? kHalfUnits : kUnits) * std::ldexp(Wide{1}, std::ilogb(scale) + 1 - digits);
}

bool agrees(Wide got, Wide wanted, Wide slack, bool withSign) {
    if (std::isnan(wanted)) return std::isnan(got);
    if (slack == 0 || std::isinf(wanted))
        return got == wanted && (!withSign || std::signbit(got) == std::signbit(wanted));
    return std::abs(got - wanted) <= slack;
}

std::string differenceOf(const Tensor& got, const Tensor& like, const Wanted& wanted) {
    if (got.shape() != like.shape() || got.dtype() != like.dtype()) return "another shape or dtype";
    std::string difference;
    forEachCoord(sizesOf(like), [&](const Sizes& coord) {
        const Scalar value = readElement(got, coord);
        const Cell cell = wanted(coord);
        const Wide slack = slackOf(cell.scale, got.dtype());
        const bool withSign = !value.isComplex(); // complex products add zeros of both signs
        if (agrees(wide(value), cell.re, slack, withSign) && agrees(value.imag(), cell.im, slack, withSign)) return;
        if (difference.empty())
            difference = "at " + toString(std::span<const Index>(coord)) + ": " + toString(value) + ", expected " +
                         std::to_string(cell.re) + " and " + std::to_string(cell.im) + "j";
    });
    return difference;
}

/// Are all bytes as in `original` but for those of the slots that the view names?
bool othersAreKept(const Tensor& t, const Tensor& original) {
    std::vector<std::byte> now = bytesOf(t);
    const std::vector<std::byte> before = bytesOf(original);
    forEachCoord(sizesOf(t), [&](const Sizes& coord) {
        Index slot = t.storageOffset();
        for (std::size_t d = 0; d < coord.size(); ++d) slot += coord[d] * t.stride()[d];
        const std::size_t first = static_cast<std::size_t>(slot) * t.itemSize();
        for (std::size_t i = first; i < first + t.itemSize(); ++i) now[i] = before[i];
    });
    return now == before;
}

/// `t` and `original` are alike and apart. Empty, or what is wrong with the new tensor or with the form in place.
std::string faultOf(const Tensor& t, const Tensor& original, bool overlaps, const Unary& make, const Unary& write,
                    const Model& model) {
    const Wanted wanted = model(original);
    const Tensor made = make(t);
    if (const std::string wrong = differenceOf(made, original, wanted); !wrong.empty()) return wrong;
    if (made.storage() == t.storage()) return "not a new tensor";
    if (bytesOf(t) != bytesOf(original)) return "the input has changed";
    if (!write) return {};
    if (overlaps) {
        const std::optional<Refusal> refusal = refusalOf([&] { write(t); });
        const bool refused = refusal && refusal->id == "OVERLAP-01" && bytesOf(t) == bytesOf(original);
        return refused ? "" : "slots that are named twice are written";
    }
    if (write(t).storage() != t.storage()) return "in place: another storage is returned";
    if (const std::string wrong = differenceOf(t, original, wanted); !wrong.empty()) return "in place: " + wrong;
    return othersAreKept(t, original) ? "" : "in place: other slots are written";
}

/// zooTensor, with imaginary parts where there are any.
Tensor filled(const ZooView& layout, DType dtype) {
    const Tensor t = zooTensor(layout, dtype);
    Index i = 0;
    if (isComplex(dtype))
        forEachCoord(sizesOf(t), [&](const Sizes& coord) {
            const double im = static_cast<double>(i++ % 5) - 1.5;
            writeElement(t, coord, Scalar(Complex<double>{readElement(t, coord).toDouble(), im}));
        });
    return t;
}

bool isSmall(const ZooView& layout) {
    return layout.view.numel() <= 200;
}

/// For refusals: something lies around the view.
const ZooView& gappy() {
    static const ZooView kLayout{"rows with a gap", {{2, 3}, {4, 1}, 1}, 9};
    return kLayout;
}

/// Zeros that lie in every second slot.
Tensor spaced(const Dims& shape, DType dtype) {
    Dims twice = shape;
    twice.push_back(2);
    return select(zeros(twice, {dtype, {}}), -1, 1);
}

struct Form {
    std::string name;
    Unary make, write;
    std::function<Cell(Wide)> cell;

    Model model() const {
        return [cell = cell](const Tensor& t) -> Wanted {
            return [=](const Sizes& coord) { return cell(wide(readElement(t, coord))); };
        };
    }
};

Cell bent(Wide x, Wide above, Wide below, Wide inner) {
    if (x > 0) return {x * above, 0, above == 1 ? 0 : x * above};
    const Wide power = std::exp(x * inner);
    return {(power - 1) * below, 0, x == 0 ? 0 : std::max(Wide{1}, power) * std::abs(below)};
}

Form thresholdForm(Scalar limit, Scalar value) {
    return {"threshold", [=](const Tensor& t) { return threshold(t, limit, value); },
            [=](const Tensor& t) { return threshold_(t, limit, value); },
            [=](Wide x) { return Cell{x <= wide(limit) ? wide(value) : x}; }};
}

std::vector<Form> floatForms() {
    // From "Self-Normalizing Neural Networks", by Klambauer et al.
    constexpr Wide kAlpha = 1.6732632423543772848170429916717L, kScale = 1.0507009873554804934193349852946L;
    std::vector<Form> forms{{"selu", [](const Tensor& t) { return selu(t); }, [](const Tensor& t) { return selu_(t); },
                             [=](Wide x) { return bent(x, kScale, kScale * kAlpha, 1); }},
                            thresholdForm(0.25, -3.5),
                            thresholdForm(0, -0.0),
                            thresholdForm(-kInf, kNan),
                            thresholdForm(kNan, 1)};
    for (const double alpha : {1.0, 2.0, -2.0, 0.3})
        forms.push_back({"celu", [=](const Tensor& t) { return celu(t, alpha); },
                         [=](const Tensor& t) { return celu_(t, alpha); },
                         [=](Wide x) { return bent(x, 1, alpha, 1 / static_cast<Wide>(alpha)); }});
    for (const double lambda : {0.5, 0.0, -1.0, 1.75, kNan})
        forms.push_back({"hardshrink",
                         [=](const Tensor& t) { return hardshrink(t, lambda); },
                         {},
                         [=](Wide x) { return Cell{x >= -lambda && x <= lambda ? 0 : x}; }});
    return forms;
}

Tensor specials(DType dtype) {
    return to(tensorFrom({kNan, kInf, -kInf, -0.0, 0.0, -1e-9, 2.0, -0.5}), dtype);
}

Model preluModel(const Tensor& weight) {
    return [=](const Tensor& t) -> Wanted {
        return [=](const Sizes& coord) {
            const Index channel = weight.numel() == 1 ? 0 : coord[1];
            const Sizes at(static_cast<std::size_t>(weight.dim()), channel);
            const Wide x = wide(readElement(t, coord));
            return Cell{x > 0 ? x : x * wide(readElement(weight, at))};
        };
    };
}

Model renormModel(double p, std::size_t d, double most) {
    return [=](const Tensor& t) -> Wanted {
        const auto sizeAt = [=](const Sizes& coord) {
            const Scalar x = readElement(t, coord);
            return std::hypot(static_cast<Wide>(x.toDouble()), static_cast<Wide>(x.imag()));
        };
        std::vector<Wide> norms(static_cast<std::size_t>(t.shape()[d]), 0);
        forEachCoord(sizesOf(t), [&](const Sizes& coord) {
            Wide& norm = norms[static_cast<std::size_t>(coord[d])];
            const Wide size = sizeAt(coord);
            if (std::isinf(p))
                norm = norm > size || std::isnan(norm) ? norm : size;
            else
                norm += std::pow(size, static_cast<Wide>(p));
        });
        if (!std::isinf(p))
            for (Wide& norm : norms) norm = p == 2 ? std::sqrt(norm) : std::pow(norm, 1 / static_cast<Wide>(p));
        return [=](const Sizes& coord) {
            const Scalar x = readElement(t, coord);
            const Wide norm = norms[static_cast<std::size_t>(coord[d])], re = x.toDouble(), im = x.imag();
            if (!(norm > most)) return Cell{re, im};
            const Wide factor = most / (norm + static_cast<Wide>(1e-7)); // PyTorch's little more
            return Cell{re * factor, im * factor, factor * sizeAt(coord)};
        };
    };
}

std::string renormFault(const Tensor& t, const Tensor& original, bool overlaps, double p, std::size_t d, double most) {
    const auto dim = static_cast<Index>(d);
    return faultOf(
        t, original, overlaps, [=](const Tensor& x) { return renorm(x, p, dim, most); },
        [=](const Tensor& x) { return renorm_(x, p, dim - x.dim(), most); }, renormModel(p, d, most));
}

/// How the sizes of the index beside `dim` are to the tensor's.
enum class Beside { Same, Ones, MoreThanOnes };

std::string takeFault(const Tensor& t, std::size_t d, Beside beside, bool isSpaced) {
    Dims shape = t.shape();
    for (Index& size : shape)
        if (beside == Beside::Ones || size == 1) size = beside == Beside::MoreThanOnes ? 3 : 1;
    shape[d] = t.shape()[d] == 0 ? 0 : t.shape()[d] + 1;
    const Tensor index = isSpaced ? spaced(shape, DType::Int64) : zeros(shape, {DType::Int64, {}});
    Index i = 0;
    forEachCoord(sizesOf(index), [&](const Sizes& c) { writeElement(index, c, Scalar((i++ * 5 + 3) % t.shape()[d])); });
    Sizes sizes = sizesOf(t);
    for (std::size_t k = 0; k < sizes.size(); ++k)
        if (k == d || sizes[k] == 1) sizes[k] = shape[k];
    const std::vector<std::byte> before = bytesOf(t), indexBefore = bytesOf(index);
    const Tensor got = takeAlongDim(t, index, static_cast<Index>(d) - (isSpaced ? t.dim() : 0));
    if (got.dtype() != t.dtype()) return "another dtype";
    if (bytesOf(t) != before || bytesOf(index) != indexBefore) return "an input has changed";
    return differenceFrom(got, sizes, [&](const Sizes& coord) {
        Sizes at = coord, from = coord;
        for (std::size_t k = 0; k < at.size(); ++k) {
            if (shape[k] == 1) at[k] = 0;
            if (t.shape()[k] == 1) from[k] = 0;
        }
        from[d] = readElement(index, at).toInt();
        return readElement(t, from);
    });
}

std::string idOf(const std::function<void()>& action) {
    const std::optional<Refusal> refusal = refusalOf(action);
    return refusal ? refusal->id : "not refused";
}

std::string label(const ZooView& layout, DType dtype, const std::string& more) {
    return layout.name + ", " + std::string(name(dtype)) + ", " + more;
}

} // namespace

class TestActivations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void overTheZoo();
    void specialValues();
    void numbersAreRoundedToTheDType();
    void thresholdCutsItsLimit();
    void prelusOverTheZoo();
    void renormsOverTheZoo();
    void renormsSpecialValues();
    void renormLimitBeyondTheDType();
    void takesAlongEveryDim();
    void takesFlat();
    void refusesDTypes();
    void refusesArguments();
};

void TestActivations::overTheZoo() {
    const std::vector<Form> forms = floatForms(), whole{thresholdForm(2, 7), thresholdForm(0, 0)};
    for (const ZooView& layout : zooViews()) // the large ones too: vector loops, threads
        for (const DType dtype : kRealDTypes) {
            if (dtype == DType::Bool || dtype == DType::Float16) continue;
            for (const Form& form : isFloating(dtype) ? forms : whole) {
                const std::string fault = faultOf(filled(layout, dtype), filled(layout, dtype), layout.overlaps,
                                                  form.make, form.write, form.model());
                QVERIFY2(fault.empty(), label(layout, dtype, form.name + ": " + fault).c_str());
            }
        }
}

void TestActivations::specialValues() {
    for (const DType dtype : kWideFloats) {
        const Tensor t = specials(dtype);
        for (const Form& form : floatForms()) {
            const std::string fault = faultOf(specials(dtype), t, false, form.make, form.write, form.model());
            QVERIFY2(fault.empty(), (form.name + ": " + fault).c_str());
        }
        for (const double number : {-0.25, 0.0, kInf, kNan}) {
            const Tensor weight = full({}, number, {dtype, {}});
            const Unary make = [&](const Tensor& x) { return prelu(x, weight); };
            const std::string fault = faultOf(specials(dtype), t, false, make, {}, preluModel(weight));
            QVERIFY2(fault.empty(), fault.c_str());
        }
    }
}

/// The numbers beside the tensor become elements of its dtype before anything is compared or computed.
void TestActivations::numbersAreRoundedToTheDType() {
    const Tensor tenth = tensorFrom({0.1}); // the float32 is greater than the double
    QCOMPARE(item(hardshrink(tenth, 0.1)).toDouble(), 0.0);
    QCOMPARE(item(threshold(tenth, 0.1, 7)).toDouble(), 7.0);
    // Not expm1: e^x is 1 in float32.
    QCOMPARE(item(selu(tensorFrom({-1e-9}))).toDouble(), 0.0);
    QCOMPARE(item(celu_(tensorFrom({-1e-9}))).toDouble(), 0.0);
}

/// Of whole numbers the limit is one too, as PyTorch's kernel has it, and not compared in float32.
void TestActivations::thresholdCutsItsLimit() {
    const Tensor t = tensorFrom({-2, -1, 0}), large = tensorFrom({16777216, 16777217});
    QCOMPARE(elementsOf(threshold(t, 0.5, 9.9)), (std::vector<Scalar>{9, 9, 9}));
    QCOMPARE(elementsOf(threshold(t, -1.5, 9)), (std::vector<Scalar>{9, 9, 0}));
    QCOMPARE(elementsOf(threshold(large, 16777216.0, 0)), (std::vector<Scalar>{0, 16777217}));
}

void TestActivations::prelusOverTheZoo() {
    for (const ZooView& layout : zooViews())
        for (const DType dtype : kWideFloats)
            for (const Dims& shape : {Dims{}, Dims{1}, Dims{layout.view.dim() > 1 ? layout.view.shape[1] : 1}}) {
                const Tensor weight = spaced(shape, dtype);
                Index i = 0;
                forEachCoord(sizesOf(weight), [&](const Sizes& coord) {
                    writeElement(weight, coord, Scalar(static_cast<double>(i++ % 7 - 2) / 4)); // products are exact
                });
                const std::vector<std::byte> before = bytesOf(weight);
                const Unary make = [&](const Tensor& t) { return prelu(t, weight); };
                const std::string fault = faultOf(filled(layout, dtype), filled(layout, dtype), layout.overlaps, make,
                                                  {}, preluModel(weight));
                QVERIFY2(fault.empty(), label(layout, dtype, fault).c_str());
                QVERIFY(bytesOf(weight) == before);
            }
}

void TestActivations::renormsOverTheZoo() {
    for (const ZooView& layout : zooViews())
        for (const DType dtype : kAllDTypes) {
            if (layout.view.dim() < 2 || !isSmall(layout) || (!isFloating(dtype) && !isComplex(dtype))) continue;
            for (std::size_t d = 0; d < layout.view.shape.size(); ++d)
                for (const double p : {0.5, 1.0, 2.0, 3.0, kInf})
                    for (const double most : {0.0, 2.3, 1e4}) { // 2.3: no slice's norm, which could fall either way
                        if (layout.view.numel() == 0 && std::isinf(p)) continue; // see refusesArguments
                        const std::string fault =
                            renormFault(filled(layout, dtype), filled(layout, dtype), layout.overlaps, p, d, most);
                        const std::string place = "dim " + std::to_string(d) + ", p " + std::to_string(p) + ": ";
                        QVERIFY2(fault.empty(), label(layout, dtype, place + fault).c_str());
                    }
        }
}

void TestActivations::renormsSpecialValues() {
    const auto rows = [](DType dtype) {
        return to(tensorFrom({{3.0, -4.0}, {6.0, 8.0}, {kNan, 9.0}, {-kInf, -9.0}, {-0.0, 0.0}, {-0.0, 50.0}}), dtype);
    };
    for (const DType dtype : {DType::Float16, DType::Float32, DType::Float64})
        for (const double p : {1.0, 2.0, kInf})
            for (const double most : {0.0, 5.0, kInf}) { // 5 is the 2-norm of the first row, which therefore stays
                const std::string fault = renormFault(rows(dtype), rows(dtype), false, p, 0, most);
                QVERIFY2(fault.empty(), fault.c_str());
            }
}

/// PyTorch casts it, so that it is infinite: no slice is longer.
void TestActivations::renormLimitBeyondTheDType() {
    const Tensor t = tensorFrom({{3.0, -4.0}, {6.0, 8.0}});
    QCOMPARE(refusalText([&] { renorm(t, 2, 0, 1e300); }), std::string());
    QCOMPARE(elementsOf(renorm(t, 2, 0, 1e300)), elementsOf(t));
}

void TestActivations::takesAlongEveryDim() {
    for (const ZooView& layout : zooViews())
        for (const DType dtype : kAllDTypes)
            for (std::size_t d = 0; d < layout.view.shape.size() && isSmall(layout); ++d)
                for (const Beside beside : {Beside::Same, Beside::Ones, Beside::MoreThanOnes})
                    for (const bool isSpaced : {false, true}) {
                        const std::string fault = takeFault(filled(layout, dtype), d, beside, isSpaced);
                        QVERIFY2(fault.empty(), label(layout, dtype, std::to_string(d) + ": " + fault).c_str());
                    }
}

void TestActivations::takesFlat() {
    for (const ZooView& layout : zooViews())
        for (const DType dtype : kAllDTypes)
            for (const Dims& shape : {Dims{}, Dims{2, 3}, Dims{0, 2}}) {
                const Tensor t = filled(layout, dtype), index = spaced(shape, DType::Int64);
                if (!isSmall(layout) || (t.numel() == 0 && index.numel() != 0)) continue;
                std::vector<Scalar> flat, wanted;
                forEachCoord(sizesOf(t), [&](const Sizes& coord) { flat.push_back(readElement(t, coord)); });
                forEachCoord(sizesOf(index), [&](const Sizes& coord) {
                    const std::size_t place = (wanted.size() * 5 + 3) % flat.size();
                    writeElement(index, coord, Scalar(static_cast<Index>(place)));
                    wanted.push_back(flat[place]);
                });
                const std::vector<std::byte> before = bytesOf(t);
                const Tensor got = takeAlongDim(t, index);
                QVERIFY2(got.dtype() == dtype && got.shape() == Dims{index.numel()}, layout.name.c_str());
                QVERIFY2(elementsOf(got) == wanted && bytesOf(t) == before, layout.name.c_str());
            }
    const std::vector<Scalar> odd =
        elementsOf(takeAlongDim(tensorFrom({kNan, -0.0, -kInf}), tensorFrom({2, 1, 0}), -1));
    QCOMPARE(odd[0].toDouble(), -kInf);
    QVERIFY(odd[1].toDouble() == 0 && std::signbit(odd[1].toDouble()) && std::isnan(odd[2].toDouble()));
}

void TestActivations::refusesDTypes() {
    struct Case {
        Unary run;
        const char* id;
        bool (*takes)(DType);
    };
    const auto wides = [](DType t) { return t == DType::Float32 || t == DType::Float64; };
    const auto ordered = [](DType t) { return t != DType::Bool && t != DType::Float16 && !isComplex(t); };
    const auto normed = [](DType t) { return isFloating(t) || isComplex(t); };
    const std::vector<Case> cases{
        {[](const Tensor& t) { return selu(t); }, "MATH-01", wides},
        {[](const Tensor& t) { return selu_(t); }, "MATH-01", wides},
        {[](const Tensor& t) { return celu(t, 2); }, "MATH-01", wides},
        {[](const Tensor& t) { return celu_(t, 2); }, "MATH-01", wides},
        {[](const Tensor& t) { return hardshrink(t); }, "MATH-01", wides},
        {[](const Tensor& t) {
             return prelu(t, ones({1}, {t.dtype(), {}}));
         },
         "MATH-01", wides},
        {[](const Tensor& t) { return threshold(t, 1, 0); }, "MATH-01", ordered},
        {[](const Tensor& t) { return threshold_(t, 1, 0); }, "MATH-01", ordered},
        {[](const Tensor& t) { return renorm(t, 2, 0, 1); }, "RED-02", normed},
        {[](const Tensor& t) { return renorm_(t, 2, 0, 1); }, "RED-02", normed},
    };
    for (const DType dtype : kAllDTypes) {
        for (const Case& one : cases) {
            const Tensor t = filled(gappy(), dtype);
            const bool takes = one.takes(dtype);
            QCOMPARE(idOf([&] { one.run(t); }), std::string(takes ? "not refused" : one.id));
            if (!takes) QVERIFY(bytesOf(t) == bytesOf(filled(gappy(), dtype)));
            QCOMPARE(idOf([&] { one.run(Tensor()); }), std::string("TENSOR-02"));
        }
        const Tensor t = ones({3}), index = zeros({3}, {dtype, {}});
        const std::string id = dtype == DType::Int64 ? "not refused" : "INDEX-02";
        QCOMPARE(idOf([&] { takeAlongDim(t, index, 0); }), id);
        QCOMPARE(idOf([&] { takeAlongDim(t, index); }), id);
    }
}

void TestActivations::refusesArguments() {
    const Tensor t = filled(gappy(), DType::Float32), bytes = filled(gappy(), DType::UInt8), index = arange(2);
    const auto longs = [](const Dims& shape) { return zeros(shape, {DType::Int64, {}}); };
    QCOMPARE(idOf([&] { prelu(t, Tensor()); }), std::string("TENSOR-02"));
    QCOMPARE(idOf([&] { takeAlongDim(Tensor(), index, 0); }), std::string("TENSOR-02"));
    QCOMPARE(idOf([&] { takeAlongDim(t, Tensor()); }), std::string("TENSOR-02"));
    QCOMPARE(idOf([&] { celu(t, 0); }), std::string("ACT-01"));
    QCOMPARE(idOf([&] { celu_(t, -0.0); }), std::string("ACT-01"));
    for (const Dims& shape : {Dims{2}, Dims{0}, Dims{1, 3}, Dims{1, 1}})
        QCOMPARE(idOf([&] { prelu(t, ones(shape)); }), std::string("ACT-02"));
    QCOMPARE(idOf([&] { prelu(ones({3}), ones({3})); }), std::string("ACT-02")); // one channel without dim 1
    QCOMPARE(idOf([&] { threshold_(bytes, 300, 0); }), std::string("FILL-01"));
    QCOMPARE(idOf([&] { threshold_(bytes, 0, 300); }), std::string("FILL-01"));
    const Scalar complex(Complex<double>{1, 1});
    for (const Scalar& p : {Scalar(0), Scalar(-1), Scalar(kNan), complex})
        QCOMPARE(idOf([&] { renorm_(t, p, 0, 1); }), std::string("NORM-04"));
    for (const Scalar& most : {Scalar(-1), Scalar(kNan), complex})
        QCOMPARE(idOf([&] { renorm_(t, 2, 0, most); }), std::string("NORM-04"));
    for (const Dims& shape : {Dims{}, Dims{3}})
        QCOMPARE(idOf([&] { renorm(ones(shape), 2, 0, 1); }), std::string("NORM-04"));
    // Of nothing there is no largest; where no slice is left nobody asks for it.
    QCOMPARE(idOf([&] { renorm(zeros({0, 3}), kInf, 1, 1); }), std::string("NORM-03"));
    QCOMPARE(renorm(zeros({0, 3}), kInf, 0, 1).shape(), (Dims{0, 3}));
    for (const Index dim : {2, -3}) {
        QCOMPARE(idOf([&] { renorm_(t, 2, dim, 1); }), std::string("VIEW-01"));
        QCOMPARE(idOf([&] { takeAlongDim(t, longs({2, 3}), dim); }), std::string("VIEW-01"));
    }
    for (const Index number : {-1, 2, 6}) // take() counts from the end, this does not
        QCOMPARE(idOf([&] { takeAlongDim(t, full({1, 3}, number), 0); }), std::string("INDEX-01"));
    for (const Index number : {-1, 6})
        QCOMPARE(idOf([&] { takeAlongDim(t, full({1, 3}, number)); }), std::string("INDEX-01"));
    QCOMPARE(idOf([&] { takeAlongDim(zeros({0, 3}), longs({1, 3}), 0); }), std::string("INDEX-01"));
    QCOMPARE(idOf([&] { takeAlongDim(t, index, 0); }), std::string("INDEX-03"));
    QCOMPARE(idOf([&] { takeAlongDim(t, longs({3, 3}), 1); }), std::string("VIEW-34"));
    QVERIFY(bytesOf(t) == bytesOf(filled(gappy(), DType::Float32)));
    QVERIFY(bytesOf(bytes) == bytesOf(filled(gappy(), DType::UInt8)));
}

QTEST_APPLESS_MAIN(TestActivations)
#include "tst_activations.moc"
