// Sums, means, spreads, norms and truths against their definitions, over the view zoo and every choice of dims.

#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/complex.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/reductions_for_out.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/reduce_model.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Group = std::vector<Scalar>;

double sumOf(const Group& group) {
    double total = 0;
    for (const Scalar s : group) total += s.toDouble();
    return total;
}
double varianceOf(const Group& group, double correction) {
    const auto n = static_cast<double>(group.size());
    const double mean = sumOf(group) / n;
    double squares = 0;
    for (const Scalar s : group) squares += (s.toDouble() - mean) * (s.toDouble() - mean);
    return squares / std::max(n - correction, 0.0);
}
double normOfGroup(const Group& group, double p) {
    if (group.empty()) return 0;
    double total = p == -kInf ? kInf : 0;
    for (const Scalar s : group) {
        const double x = std::abs(s.toDouble());
        if (p == kInf)
            total = std::max(total, x);
        else if (p == -kInf)
            total = std::min(total, x);
        else
            total += p == 0 ? (x != 0 ? 1 : 0) : std::pow(x, p);
    }
    return std::isinf(p) || p == 0 ? total : std::pow(total, 1 / p);
}

/// One operation with the dtype of its result and its definition.
struct Case {
    const char* name;
    std::function<Tensor(const Tensor&, const ReduceDims&, bool)> run;
    std::function<DType(DType)> result;
    std::function<double(const Group&)> expected;
    bool floatsOnly = false;
};

DType same(DType t) {
    return t;
}
DType wide(DType t) {
    return isFloating(t) ? t : DType::Int64;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> table{
        {"sum", [](const Tensor& t, const ReduceDims& d, bool k) { return sum(t, d, k); }, wide, sumOf},
        {"nansum", [](const Tensor& t, const ReduceDims& d, bool k) { return nansum(t, d, k); }, wide, sumOf},
        {"mean", [](const Tensor& t, const ReduceDims& d, bool k) { return mean(t, d, k); }, same,
         [](const Group& g) { return sumOf(g) / static_cast<double>(g.size()); }, true},
        {"nanmean", [](const Tensor& t, const ReduceDims& d, bool k) { return nanmean(t, d, k); }, same,
         [](const Group& g) { return sumOf(g) / static_cast<double>(g.size()); }, true},
        {"var", [](const Tensor& t, const ReduceDims& d, bool k) { return var(t, d, 1, k); }, same,
         [](const Group& g) { return varianceOf(g, 1); }, true},
        {"std", [](const Tensor& t, const ReduceDims& d, bool k) { return stddev(t, d, 0, k); }, same,
         [](const Group& g) { return std::sqrt(varianceOf(g, 0)); }, true},
        {"norm", [](const Tensor& t, const ReduceDims& d, bool k) { return norm(t, 2.0, d, k); }, same,
         [](const Group& g) { return normOfGroup(g, 2); }, true},
        {"norm 0", [](const Tensor& t, const ReduceDims& d, bool k) { return norm(t, 0, d, k); }, same,
         [](const Group& g) { return normOfGroup(g, 0); }, true},
        {"norm 1", [](const Tensor& t, const ReduceDims& d, bool k) { return norm(t, 1, d, k); }, same,
         [](const Group& g) { return normOfGroup(g, 1); }, true},
        {"norm 3", [](const Tensor& t, const ReduceDims& d, bool k) { return norm(t, 3, d, k); }, same,
         [](const Group& g) { return normOfGroup(g, 3); }, true},
        {"norm inf", [](const Tensor& t, const ReduceDims& d, bool k) { return norm(t, kInf, d, k); }, same,
         [](const Group& g) { return normOfGroup(g, kInf); }, true},
        {"norm -inf", [](const Tensor& t, const ReduceDims& d, bool k) { return norm(t, -kInf, d, k); }, same,
         [](const Group& g) { return normOfGroup(g, -kInf); }, true},
        {"all", [](const Tensor& t, const ReduceDims& d, bool k) { return all(t, d, k); },
         [](DType t) { return t == DType::UInt8 ? t : DType::Bool; },
         [](const Group& g) {
             return std::all_of(g.begin(), g.end(), [](Scalar s) { return s.toDouble() != 0; }) ? 1.0 : 0.0;
         }},
        {"any", [](const Tensor& t, const ReduceDims& d, bool k) { return any(t, d, k); },
         [](DType t) { return t == DType::UInt8 ? t : DType::Bool; },
         [](const Group& g) {
             return std::any_of(g.begin(), g.end(), [](Scalar s) { return s.toDouble() != 0; }) ? 1.0 : 0.0;
         }},
        {"logsumexp", [](const Tensor& t, const ReduceDims& d, bool k) { return logsumexp(t, d, k); },
         [](DType t) { return isFloating(t) ? t : DType::Float32; },
         [](const Group& g) {
             double total = 0;
             for (const Scalar s : g) total += std::exp(s.toDouble());
             return std::log(total);
         }},
    };
    return table;
}

double number(const Tensor& t) {
    return item(t).toDouble();
}

std::vector<double> doublesOf(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar value : elementsOf(t)) values.push_back(value.toDouble());
    return values;
}

/// Numbers of every size and sign, the same each time.
Tensor noise(const Dims& shape, DType dtype) {
    const Tensor t = empty(shape, {dtype, Device{}});
    std::uint64_t state = 12345;
    for (Index i = 0; i < t.numel(); ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double unit = static_cast<double>(state >> 40) / static_cast<double>(1 << 24);
        writeSlot(t, i, Scalar(static_cast<double>(static_cast<float>(unit * 200 - 70))));
    }
    return t;
}

} // namespace

class TestReductions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void intoAnotherDType();
    void zoo_data();
    void zoo();
    void products();
    void countsNonzero();
    void largeShapes();
    void sameBitsOnAllThreadsAndSets();
    void sumsAccurately();
    void spreadsAccurately();
    void convertsFirst();
    void intoOutputs();
    void complexNumbers();
    void ofNothing();
    void notANumber();
    void distances();
    void logSumExpDoesNotOverflow();
    void refuses_data();
    void refuses();
    void publishesOneRecord();
};

void TestReductions::zoo_data() {
    QTest::addColumn<int>("which");
    for (std::size_t i = 0; i < cases().size(); ++i) QTest::newRow(cases()[i].name) << static_cast<int>(i);
}

void TestReductions::zoo() {
    QFETCH(int, which);
    const Case& c = cases()[static_cast<std::size_t>(which)];
    const bool skipsHalf = std::string(c.name) == "logsumexp";
    for (const DType dtype : kRealDTypes) {
        if ((c.floatsOnly && !isFloating(dtype)) || (skipsHalf && dtype == DType::Float16)) continue;
        for (const ZooView& layout : zooViews()) {
            const Tensor t = zooTensor(layout, dtype);
            const std::vector<std::byte> before = bytesOf(t);
            for (const std::vector<Index>& dims : dimChoices(t.dim())) {
                for (const bool keepdim : {false, true}) {
                    const std::vector<Index> named = namedDims(t, dims);
                    const Tensor got = c.run(t, Dims(std::span<const Index>(dims)), keepdim);
                    QCOMPARE(got.dtype(), c.result(dtype));
                    QCOMPARE(got.shape(), reducedShape(t, named, keepdim));
                    QVERIFY(got.isContiguous());
                    const std::vector<std::vector<Scalar>> groups = groupsOf(t, named);
                    const std::vector<Scalar> values = elementsOf(got);
                    QCOMPARE(values.size(), groups.size());
                    for (std::size_t i = 0; i < values.size(); ++i) {
                        const Scalar expected = slowConvert(Scalar(c.expected(groups[i])), got.dtype());
                        const double rest = toleranceOf(got.dtype());
                        QVERIFY2(
                            near(values[i].toDouble(), expected.toDouble(), rest),
                            qPrintable(QString::fromStdString(layout.name + ", " + std::string(name(dtype)) + ": " +
                                                              show(values[i]) + ", not " + show(expected))));
                    }
                }
            }
            QCOMPARE(bytesOf(t), before);
        }
    }
}

void TestReductions::products() {
    for (const DType dtype : kRealDTypes) {
        if (dtype == DType::Float16) continue;
        for (const ZooView& layout : zooViews()) {
            const Tensor t = zooTensor(layout, dtype);
            if (t.numel() > 100) continue;
            for (const std::vector<Index>& dims : dimChoices(t.dim())) {
                const std::vector<Index> named = namedDims(t, dims);
                const Tensor got = prod(t, Dims(std::span<const Index>(dims)));
                const std::vector<std::vector<Scalar>> groups = groupsOf(t, named);
                const std::vector<Scalar> values = elementsOf(got);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    if (isFloating(dtype)) {
                        double expected = 1;
                        for (const Scalar s : groups[i]) expected *= s.toDouble();
                        QVERIFY2(near(values[i].toDouble(), expected, toleranceOf(dtype)), layout.name.c_str());
                    } else {
                        std::uint64_t expected = 1;
                        for (const Scalar s : groups[i]) expected *= static_cast<std::uint64_t>(s.toInt());
                        QCOMPARE(values[i].toInt(), static_cast<Index>(expected));
                    }
                }
            }
        }
    }
}

void TestReductions::countsNonzero() {
    for (const DType dtype : kRealDTypes) {
        for (const ZooView& layout : zooViews()) {
            const Tensor t = zooTensor(layout, dtype);
            for (const std::vector<Index>& dims : dimChoices(t.dim())) {
                const std::vector<std::vector<Scalar>> groups = groupsOf(t, namedDims(t, dims));
                const std::vector<Scalar> values = elementsOf(countNonzero(t, Dims(std::span<const Index>(dims))));
                for (std::size_t i = 0; i < values.size(); ++i)
                    QCOMPARE(values[i].toInt(),
                             static_cast<Index>(std::count_if(groups[i].begin(), groups[i].end(),
                                                              [](Scalar s) { return s.toDouble() != 0; })));
            }
        }
    }
}

void TestReductions::largeShapes() {
    // Strips, short rows, narrow columns, parts and threads: every way through the kernel, on whole numbers.
    const std::vector<std::pair<Dims, Dims>> shapes{{{300, 1500}, {0}},      {{300, 1500}, {1}}, {{40000, 7}, {0}},
                                                    {{40000, 7}, {1}},       {{400000}, {}},     {{20, 30, 500}, {1}},
                                                    {{20, 30, 500}, {0, 2}}, {{3, 200000}, {1}}, {{200000, 3}, {0}}};
    for (const auto& [shape, dims] : shapes) {
        for (const DType dtype : {DType::Float32, DType::Float64, DType::Int32, DType::UInt8, DType::Float16}) {
            Index n = 1;
            for (const Index size : shape) n *= size;
            const Tensor base = empty(shape, {dtype, Device{}});
            for (Index i = 0; i < n; ++i) writeSlot(base, i, Scalar(static_cast<double>((i * 7) % 11)));
            Dims order;
            for (std::size_t d = shape.size(); d-- > 0;) order.push_back(static_cast<Index>(d));
            Dims turnedDims;
            for (const Index d : dims) turnedDims.push_back(static_cast<Index>(shape.size()) - 1 - d);
            const Tensor turned = contiguous(permute(base, order));
            const std::vector<Index> named(dims.begin(), dims.end());
            std::vector<double> expected;
            for (const auto& group : groupsOf(base, namedDims(base, named))) expected.push_back(sumOf(group));
            const Tensor sums = sum(base, dims, false, DType::Float64);
            QCOMPARE(doublesOf(sums), expected);
            // The same elements in the other order of memory.
            QCOMPARE(doublesOf(sum(permute(turned, order), dims, false, DType::Float64)), expected);
            QCOMPARE(doublesOf(contiguous(permute(sum(turned, turnedDims, true, DType::Float64), order))), expected);
        }
    }
}

void TestReductions::sameBitsOnAllThreadsAndSets() {
    const int threads = numThreads();
    const cpu::IsaTable& chosen = cpu::isa();
    for (const DType dtype : {DType::Float32, DType::Float64}) {
        const Tensor t = noise({60, 30, 200}, dtype);
        std::vector<std::vector<double>> first;
        for (const char* set : {"plain", "avx2", "avx512"}) {
            const cpu::IsaTable* table = cpu::isaByName(set);
            if (!table) continue;
            cpu::forceIsa(*table);
            for (const int count : {1, 2, 5}) {
                setNumThreads(count);
                std::vector<std::vector<double>> now;
                for (const ReduceDims& dims : {ReduceDims(), ReduceDims(0), ReduceDims(1), ReduceDims(2)}) {
                    now.push_back(doublesOf(sum(t, dims)));
                    now.push_back(doublesOf(var(t, dims)));
                    now.push_back(doublesOf(norm(t, 2, dims)));
                }
                if (first.empty()) first = now;
                QCOMPARE(now, first);
            }
        }
    }
    cpu::forceIsa(chosen);
    setNumThreads(threads);
}

void TestReductions::sumsAccurately() {
    // A plain float32 loop over these is off by 0.1 %.
    const Tensor tenths = full({1000000}, 0.1, {DType::Float32, Device{}});
    QCOMPARE(number(sum(tenths)), static_cast<double>(static_cast<float>(1000000 * static_cast<double>(0.1f))));
    QCOMPARE(number(mean(tenths)), static_cast<double>(0.1f));
    // float64: next to nothing may be lost against a sum with twice the digits.
    const Tensor t = noise({1000003}, DType::Float64);
    long double exact = 0;
    for (Index i = 0; i < t.numel(); ++i) exact += static_cast<long double>(t.data<double>()[i]);
    QVERIFY(std::abs(number(sum(t)) - static_cast<double>(exact)) < 1e-15 * 1000003 * 70);
    // float16 does not overflow on the way to a mean.
    QCOMPARE(number(mean(full({100}, 60000.0, {DType::Float16, Device{}}))), 60000.0);
    QCOMPARE(number(sum(full({300}, 200, {DType::UInt8, Device{}}))), 60000.0);
}

void TestReductions::spreadsAccurately() {
    // The squares of such numbers have lost all that the spread is made of.
    const Tensor far = add(noise({1001}, DType::Float64), Scalar(1e9));
    const Tensor home = sub(far, Scalar(1e9)); // exact
    for (const Tensor& pair : {far, transpose(expand(far, {5, 1001}), 0, 1)}) {
        const Tensor got = pair.dim() == 1 ? var(pair) : var(pair, 0);
        const double expected = varianceOf(groupsOf(home, {0})[0], 1);
        for (const double v : doublesOf(got)) QVERIFY(near(v, expected, 1e-9));
    }
    const Tensor columns = contiguous(transpose(expand(far, {5, 1001}), 0, 1));
    for (const double v : doublesOf(var(columns, 0))) QVERIFY(near(v, varianceOf(groupsOf(home, {0})[0], 1), 1e-9));
    QCOMPARE(number(var(full({100000}, 0.1))), 0.0);
    const SpreadAndMean both = stddevMean(tensorFrom({1.0, 2.0, 3.0, 6.0}), 0, 0);
    QCOMPARE(number(both.spread), static_cast<double>(static_cast<float>(std::sqrt(3.5))));
    QCOMPARE(number(both.mean), 3.0);
    QVERIFY(std::isnan(number(var(tensorFrom({3.0})))));
    QCOMPARE(number(var(tensorFrom({3.0, 5.0}), {}, 7)), kInf);
}

void TestReductions::convertsFirst() {
    const Tensor halves = tensorFrom({0.5, 1.5, 2.5});
    QCOMPARE(number(sum(halves, {}, false, DType::Int32)), 3.0); // 0 + 1 + 2
    QCOMPARE(sum(halves, {}, false, DType::Int32).dtype(), DType::Int32);
    QCOMPARE(number(sum(full({3}, 200, {DType::UInt8, Device{}}), {}, false, DType::UInt8)), 88.0);
    QCOMPARE(number(prod(halves, {}, false, DType::Int64)), 0.0);
    QCOMPARE(number(mean(tensorFrom({1, 2}), {}, false, DType::Float64)), 1.5);
    QCOMPARE(norm(tensorFrom({3, 4}), 2, {}, false, DType::Float64).dtype(), DType::Float64);
    QCOMPARE(number(norm(tensorFrom({3, 4}), 2, {}, false, DType::Float64)), 5.0);
    QCOMPARE(sum(tensorFrom({true, true})).dtype(), DType::Int64);
    QCOMPARE(number(sum(tensorFrom({true, true}))), 2.0);
    QCOMPARE(number(sum(tensorFrom({true, true}), {}, false, DType::Bool)), 1.0);
    QCOMPARE(number(normByName(tensorFrom({{3.0, 0.0}, {0.0, 4.0}}), "fro", {0, 1})), 5.0);
}

void TestReductions::intoOutputs() {
    const Tensor x = tensorFrom({{0.5, 1.5, 2.0}, {1.0, 2.0, 4.5}}), wide = zeros({3, 2});
    const Tensor column = select(wide, 1, 1), whole = zeros({3}, {DType::Int32, Device{}});
    QVERIFY(&sumOut(x, 0, false, column) == &column);
    QCOMPARE(doublesOf(wide), (std::vector<double>{0, 1.5, 0, 3.5, 0, 6.5}));
    QCOMPARE(doublesOf(sumOut(x, 0, false, whole)), (std::vector<double>{1, 3, 6})); // converted first
    QCOMPARE(doublesOf(meanOut(x, 0, false, column)), (std::vector<double>{0.75, 1.75, 3.25}));
    QCOMPARE(doublesOf(prodOut(x, 1, true, zeros({2, 1}))), (std::vector<double>{1.5, 9}));
    const auto shape = refusalOf([&] { sumOut(x, 1, false, column); });
    QVERIFY(shape && shape->id == "SHAPE-OUT");
    const auto overlap = refusalOf([&] { sumOut(x, 0, false, expand(zeros({1}), {3})); });
    QVERIFY(overlap && overlap->id == "OVERLAP-01");
    QCOMPARE(doublesOf(column), (std::vector<double>{0.75, 1.75, 3.25}));
}

void TestReductions::complexNumbers() {
    const Tensor z = complex(tensorFrom({{3.0, 0.0}, {1.0, -2.0}}), tensorFrom({{4.0, 0.0}, {-1.0, 2.0}}));
    const auto parts = [](const Tensor& t) { return doublesOf(viewAsReal(t)); };
    QCOMPARE(parts(sum(z)), (std::vector<double>{2, 5}));
    QCOMPARE(parts(sum(t(z), 0)), (std::vector<double>{3, 4, -1, 1}));
    QCOMPARE(parts(mean(z, 1)), (std::vector<double>{1.5, 2, -0.5, 0.5}));
    QCOMPARE(parts(prod(select(z, 0, 1))), (std::vector<double>{0, 4}));
    QCOMPARE(parts(prod(z, 0)), (std::vector<double>{7, 1, 0, 0}));
    QCOMPARE(doublesOf(norm(z, 2, 1)), (std::vector<double>{5, static_cast<double>(std::sqrt(10.0f))}));
    QCOMPARE(doublesOf(norm(z, kInf, 0)), (std::vector<double>{5, static_cast<double>(std::sqrt(8.0f))}));
    QCOMPARE(number(norm(z, 0)), 3.0);
    QCOMPARE(number(countNonzero(z)), 3.0);
    QCOMPARE(number(all(z)), 0.0);
    QCOMPARE(var(z).dtype(), DType::Float32);
    QCOMPARE(number(var(select(z, 0, 0))), 12.5);
    QCOMPARE(parts(sum(select(select(z, 0, 0), 0, 0), 0)), (std::vector<double>{3, 4})); // a 0-d tensor has a dim 0
    QCOMPARE(sum(z, {}, false, DType::Complex128).dtype(), DType::Complex128);
    QCOMPARE(parts(sum(tensorFrom({1.0, 2.0}), {}, false, DType::Complex64)), (std::vector<double>{3, 0}));
}

void TestReductions::ofNothing() {
    const Tensor e = empty({2, 0, 3});
    QCOMPARE(doublesOf(sum(e, 1)), std::vector<double>(6, 0.0));
    QCOMPARE(doublesOf(prod(e, 1)), std::vector<double>(6, 1.0));
    QCOMPARE(sum(e, 0).shape(), (Dims{0, 3}));
    QVERIFY(std::isnan(number(mean(e))));
    QVERIFY(std::isnan(number(var(e))));
    QVERIFY(std::isnan(number(varMean(e).mean)));
    QCOMPARE(number(logsumexp(e)), -kInf);
    for (const double p : {0.0, 1.0, 2.0, 3.0, -1.0, kInf, -kInf}) QCOMPARE(number(norm(e, p)), 0.0);
    QCOMPARE(number(all(e)), 1.0);
    QCOMPARE(number(any(e)), 0.0);
    QCOMPARE(number(countNonzero(e)), 0.0);
}

void TestReductions::notANumber() {
    const Tensor t = tensorFrom({{1.0, kNan}, {2.0, 3.0}});
    QVERIFY(std::isnan(number(sum(t))));
    QCOMPARE(number(nansum(t)), 6.0);
    QCOMPARE(number(nanmean(t)), 2.0);
    QCOMPARE(doublesOf(nanmean(t, 1)), (std::vector<double>{1, 2.5}));
    QVERIFY(std::isnan(number(norm(t, kInf))));
    QVERIFY(std::isnan(number(var(t))));
    QVERIFY(std::isnan(number(logsumexp(t))));
    QCOMPARE(number(all(t)), 1.0);
    QCOMPARE(number(countNonzero(t)), 4.0);
    QVERIFY(std::isnan(number(var(tensorFrom({1.0, kInf})))));
}

void TestReductions::distances() {
    const Tensor a = tensorFrom({{0.0, 1.0, 2.0}, {3.0, 4.0, 5.0}});
    QCOMPARE(number(dist(a, ones({3}))), static_cast<double>(static_cast<float>(std::sqrt(31.0))));
    QCOMPARE(number(dist(a, ones({3}), 0)), 5.0);
    QCOMPARE(number(dist(a, ones({3}), kInf)), 4.0);
    QCOMPARE(number(dist(a, ones({3}), -kInf)), 0.0);
    QCOMPARE(dist(a, ones({3}, {DType::Float64, Device{}})).dtype(), DType::Float64);
}

void TestReductions::logSumExpDoesNotOverflow() {
    QCOMPARE(number(logsumexp(tensorFrom({1000.0, 1000.0}))),
             static_cast<double>(static_cast<float>(1000 + std::log(2.0))));
    QCOMPARE(number(logsumexp(tensorFrom({-kInf, -kInf}))), -kInf);
    QCOMPARE(number(logsumexp(tensorFrom({kInf, 1.0, kInf}))), kInf);
    QVERIFY(std::isnan(number(logsumexp(tensorFrom({kNan, 1.0, 5.0})))));
    QCOMPARE(doublesOf(logsumexp(tensorFrom({{-kInf, 0.0}, {-kInf, 0.0}}), 0)),
             (std::vector<double>{-kInf, static_cast<double>(static_cast<float>(std::log(2.0)))}));
}

void TestReductions::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, auto action, const char* expected) {
        const std::optional<Refusal> refusal = refusalOf(action);
        QTest::newRow(name) << (refusal ? QString::fromStdString(refusal->id + " " + refusal->message) : QString())
                            << expected;
    };
    const Tensor x = zeros({2, 3}), whole = zeros({2}, {DType::Int64, Device{}}),
                 half = zeros({2}, {DType::Float16, Device{}}), z = zeros({2}, {DType::Complex64, Device{}});
    row(
        "dim", [&] { (void)sum(x, 2); },
        "VIEW-01 Dimension out of range (expected to be in range of [-2, 1], but got 2)");
    row(
        "dim twice",
        [&] {
            (void)sum(x, {0, -2});
        },
        "RED-01 dim 0 appears multiple times in the list of dims");
    row(
        "undefined", [&] { (void)sum(Tensor()); }, "TENSOR-02 sum: the tensor is undefined");
    row(
        "mean of integers", [&] { (void)mean(whole); },
        "RED-02 mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
        "Got: Long");
    row(
        "mean as integer", [&] { (void)mean(x, {}, false, DType::Int32); },
        "RED-02 mean(): could not infer output dtype. Optional dtype must be either a floating point or complex "
        "dtype. Got: Int");
    row(
        "nanmean", [&] { (void)nanmean(whole); },
        "RED-02 nanmean(): expected input to have floating point dtype but got Long");
    row(
        "std", [&] { (void)stddev(whole); }, "RED-02 std and var only support floating point and complex dtypes");
    row(
        "var_mean", [&] { (void)varMean(whole); }, "RED-02 var_mean only support floating point and complex dtypes");
    row(
        "norm", [&] { (void)norm(whole); },
        "RED-02 norm(): input dtype should be either floating point or complex. Got Long instead.");
    row(
        "norm's dtype", [&] { (void)norm(x, 2, {}, false, DType::Int32); },
        "RED-02 norm(): the desired output dtype should be either floating point or complex. Got Int instead.");
    row(
        "norm's name", [&] { (void)normByName(x, "abc"); },
        "RED-05 only valid string values are 'fro' and 'nuc', found abc");
    row(
        "fro of a block",
        [&] {
            (void)normByName(zeros({2, 2, 2}), "fro", {0, 1, 2});
        },
        "RED-05 Expected at most 2 dimensions, but got 3 dimensions instead.");
    row(
        "nansum", [&] { (void)nansum(z); }, "RED-06 nansum does not support complex inputs");
    row(
        "prod of half", [&] { (void)prod(half); }, "RED-07 \"prod_cpu\" not implemented for 'Half'");
    row(
        "logsumexp", [&] { (void)logsumexp(z); },
        "RED-02 logsumexp(): Expected floating point type for result tensor, but got: ComplexFloat");
}

void TestReductions::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestReductions::publishesOneRecord() {
    std::vector<OpRecord> records;
    const Tensor x = noise({4, 6}, DType::Float32), expanded = expand(noise({1, 6}, DType::Float32), {4, 6});
    {
        const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
        (void)sum(x, {0, 1}, true);
        (void)sum(expanded, 1, false, DType::Float64);
        (void)nanmean(x);
        (void)stddevMean(x, 0, 0);
        (void)dist(x, x, kInf);
        (void)normByName(x, "fro");
    }
    std::vector<std::string> lines;
    for (const OpRecord& r : records) lines.push_back(r.name + "(" + r.arguments + ")");
    QCOMPARE(lines, (std::vector<std::string>{"sum((0, 1), keepdim=True)", "sum(1, dtype=torch.float64)", "nanmean()",
                                              "std_mean(0, unbiased=False)", "dist(float('inf'))", "norm('fro')"}));
    QCOMPARE(records[0].bytesRead, Index{96});
    QCOMPARE(records[0].bytesAllocated, Index{4});
    QCOMPARE(records[3].outputs.size(), std::size_t{2});
    QCOMPARE(records[4].inputs.size(), std::size_t{2});
}

void TestReductions::intoAnotherDType() {
    const Tensor x = tensorFrom({{0.1, 0.7, 1.3}, {2.9, 0.3, 0.2}}), wide = to(x, DType::Float64);
    QCOMPARE(doublesOf(varFor(DType::Float64, x, 0, 1, false)), doublesOf(var(wide, 0)));
    QCOMPARE(doublesOf(stddevFor(DType::Float64, x, 1, 0, true)), doublesOf(stddev(wide, 1, 0, true)));
    QCOMPARE(doublesOf(varFor(DType::Float16, x, 0, 1, false)), doublesOf(var(to(x, DType::Float16), 0)));
    // One number is computed as it is.
    QCOMPARE(doublesOf(varFor(DType::Float64, x, {}, 1, false)), doublesOf(var(x)));
    QCOMPARE(varFor(DType::Int64, x, {}, 1, false).dtype(), DType::Int64);
    const Tensor z = stridescope::complex(x, x), expanded = expand(select(x, 0, 0), {4, 3});
    QCOMPARE(doublesOf(varFor(DType::Float64, z, 0, 1, false)), doublesOf(mul(var(wide, 0), 2.0)));
    QCOMPARE(varFor(DType::Complex128, z, 0, 1, false).dtype(), DType::Complex128);
    QCOMPARE(doublesOf(varFor(DType::Float64, expanded, 1, 1, false)), doublesOf(var(to(expanded, DType::Float64), 1)));
    const std::vector<double> sums = doublesOf(logsumexpFor(DType::Float64, x, 1, false)),
                              wanted = doublesOf(logsumexp(wide, 1));
    for (std::size_t i = 0; i < sums.size(); ++i) QVERIFY(std::abs(sums[i] - wanted[i]) < 1e-6);
    QCOMPARE(logsumexpFor(DType::Float32, wide, 1, true).dtype(), DType::Float32);
    QCOMPARE(doublesOf(logsumexpFor(DType::Float64, full({2, 2}, -kInf), 0, false)),
             (std::vector<double>{-kInf, -kInf}));
    QCOMPARE(logsumexpFor(DType::Float64, expanded, 1, false).shape(), (Dims{4}));
    const auto idOf = [](const auto& call) {
        const auto refusal = refusalOf(call);
        return refusal ? refusal->id : std::string();
    };
    QCOMPARE(idOf([&] { varFor(DType::Int64, x, 0, 1, false); }), std::string("RED-07"));
    QCOMPARE(idOf([&] { varFor(DType::Float32, to(x, DType::Float16), {}, 1, false); }), std::string("RED-07"));
    QCOMPARE(idOf([&] { stddevFor(DType::Float16, z, 0, 1, false); }), std::string("RED-07"));
    QCOMPARE(idOf([&] { varFor(DType::Float64, arange(3), 0, 1, false); }), std::string("RED-02"));
    QCOMPARE(idOf([&] { logsumexpFor(DType::Int64, x, 0, false); }), std::string("RED-02"));
    QCOMPARE(idOf([&] { logsumexpFor(DType::Float16, x, 0, false); }), std::string("RED-07"));
    QCOMPARE(idOf([&] { logsumexpFor(DType::Float32, z, 0, false); }), std::string("RED-07"));
    std::vector<OpRecord> records;
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    varFor(DType::Float64, x, 0, 1, false);
    logsumexpFor(DType::Float64, x, 1, true);
    QCOMPARE(records.size(), 2U);
    QCOMPARE(records[0].name, std::string("var"));
    QCOMPARE(records[1].name, std::string("logsumexp"));
}

QTEST_APPLESS_MAIN(TestReductions)
#include "tst_reductions.moc"
