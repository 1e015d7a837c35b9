// Order, extremes, distinct values and counts against std::stable_sort and plain counting, over the zoo.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"
#include "tests/core/ops/operation_checks.h"
#include "tests/support/expect_elements.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// NaN behind all numbers.
bool before(const Scalar& a, const Scalar& b) {
    if (a.isInt()) return a.toInt() < b.toInt();
    const double x = a.toDouble(), y = b.toDouble();
    return std::isnan(y) ? !std::isnan(x) : x < y;
}

/// The positions along `dim` of the lane through `coord`, in order.
std::vector<Index> orderOf(const Tensor& t, Sizes coord, std::size_t dim, bool descending) {
    std::vector<Scalar> lane;
    for (Index i = 0; i < t.shape()[dim]; ++i) {
        coord[dim] = i;
        lane.push_back(readElement(t, coord));
    }
    std::vector<Index> order(lane.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        const Scalar &x = lane[static_cast<std::size_t>(a)], &y = lane[static_cast<std::size_t>(b)];
        return descending ? before(y, x) : before(x, y);
    });
    return order;
}

} // namespace

class TestSorting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sortsOverTheZoo();
    void choosesOfEqualElements();
    void takesExtremes();
    void specialNumbers();
    void longLanes_data();
    void longLanes();
    void distinctValues();
    void distinctSlices();
    void places();
    void counts();
    void refuses_data();
    void refuses();
    void publishes();
};

void TestSorting::sortsOverTheZoo() {
    overTheZoo(kRealDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        if (t.dim() > 5) return;
        for (std::size_t d = 0; d < t.shape().size(); ++d) {
            if (t.numel() > 1000 && d > 0) continue;
            for (const bool descending : {false, true}) {
                const auto [values, indices] = sort(t, static_cast<Index>(d), descending);
                QVERIFY(values.view() == cloneLayout(t.view()).valueOrThrow());
                std::map<Sizes, std::vector<Index>> orders;
                const auto from = [&](Sizes coord) {
                    const Index place = coord[d];
                    coord[d] = 0;
                    auto found = orders.find(coord);
                    if (found == orders.end()) found = orders.emplace(coord, orderOf(t, coord, d, descending)).first;
                    return found->second[static_cast<std::size_t>(place)];
                };
                verify(differenceFrom(indices, sizesOf(t), [&](const Sizes& c) { return Scalar(from(c)); }), what);
                verify(differenceFrom(values, sizesOf(t),
                                      [&](Sizes c) {
                                          c[d] = from(c);
                                          return readElement(t, c);
                                      }),
                       what);
            }
        }
    });
    QCOMPARE(elementsOf(sort(tensorFrom(3)).indices), (std::vector<Scalar>{0}));
    QCOMPARE(elementsOf(argsort(tensorFrom({3, 1, 2}), -1, true)), (std::vector<Scalar>{0, 2, 1}));
}

/// As PyTorch 1.13 chooses, for lanes of two values, of one value and of one element.
void TestSorting::choosesOfEqualElements() {
    const auto choices = [](const Tensor& t) {
        std::vector<Index> indices;
        for (Index k = 1; k <= t.size(0); ++k) indices.push_back(item(kthvalue(t, k).indices).toInt());
        return indices;
    };
    QCOMPARE(choices(tensorFrom({2, 1, 2, 1, 2})), (std::vector<Index>{1, 3, 2, 0, 4}));
    QCOMPARE(choices(tensorFrom({1, 1, 1})), (std::vector<Index>{1, 0, 2}));
    QCOMPARE(choices(tensorFrom({7})), (std::vector<Index>{0}));
    QCOMPARE(choices(tensorFrom({5, 4})), (std::vector<Index>{1, 0}));
    QCOMPARE(item(kthvalue(zeros({8}), 5).indices).toInt(), Index{4});
    const auto tops = [](const Tensor& t, Index k, bool largest = true) {
        return elementsOf(topk(t, k, 0, largest).indices);
    };
    const Tensor t = tensorFrom({1, 3, 3, 2, 3, 1});
    QCOMPARE(tops(t, 2), (std::vector<Scalar>{2, 4}));
    QCOMPARE(tops(t, 4), (std::vector<Scalar>{2, 4, 1, 3}));
    QCOMPARE(tops(t, 5, false), (std::vector<Scalar>{5, 0, 3, 2, 4}));
    QCOMPARE(tops(zeros({20}), 5), (std::vector<Scalar>{12, 14, 13, 15, 11}));
}

void TestSorting::takesExtremes() {
    overTheZoo(kRealDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        if (t.dim() == 0 || t.numel() == 0 || t.dtype() == DType::Bool) return;
        const auto d = t.shape().size() - 1;
        const Index k = (t.shape()[d] + 1) / 2;
        for (const bool largest : {false, true}) {
            const auto [values, indices] = topk(t, k, -1, largest);
            Sizes shape = sizesOf(t);
            shape[d] = k;
            // Of equal elements PyTorch takes some in some order, tested apart.
            const auto at = [&](Sizes c, Index position) {
                c[d] = position;
                return readElement(t, c);
            };
            verify(differenceFrom(values, shape,
                                  [&](const Sizes& c) {
                                      return at(c, orderOf(t, c, d, largest)[static_cast<std::size_t>(c[d])]);
                                  }),
                   what);
            verify(differenceFrom(
                       values, shape,
                       [&, &chosen = indices](const Sizes& c) { return at(c, readElement(chosen, c).toInt()); }),
                   what);
        }
        Sizes shape = sizesOf(t);
        shape[d] = 1;
        // Any of several equal elements: which one is PyTorch's choice, tested apart.
        const auto [values, indices] = kthvalue(t, k, -1, true);
        const auto at = [&](Sizes c, Index position) {
            c[d] = position;
            return readElement(t, c);
        };
        verify(differenceFrom(
                   values, shape,
                   [&](const Sizes& c) { return at(c, orderOf(t, c, d, false)[static_cast<std::size_t>(k - 1)]); }),
               what);
        verify(differenceFrom(values, shape,
                              [&, &chosen = indices](const Sizes& c) { return at(c, readElement(chosen, c).toInt()); }),
               what);
        QCOMPARE(kthvalue(t, k).values.dim(), t.dim() - 1);
    });
    // A few of very many, with equal ones among them: each once.
    const Tensor many = arange(3000, {DType::Int64, {}});
    for (Index i = 0; i < 3000; ++i) many.data<Index>()[i] = i * 7919 % 50;
    for (const DType dtype : {DType::Int64, DType::Float32, DType::UInt8}) {
        const Tensor t = to(many, dtype);
        for (const bool largest : {false, true}) {
            const auto order = orderOf(t, {0}, 0, largest);
            const auto [values, indices] = topk(t, 40, 0, largest);
            std::set<Index> taken;
            for (Index i = 0; i < 40; ++i) {
                QVERIFY(taken.insert(indices.data<Index>()[i]).second);
                QVERIFY(
                    sameElement(readElement(values, {{i}}), readElement(t, {{order[static_cast<std::size_t>(i)]}})));
                QVERIFY(sameElement(readElement(values, {{i}}), readElement(t, {{indices.data<Index>()[i]}})));
            }
        }
    }
}

void TestSorting::specialNumbers() {
    for (const DType dtype : {DType::Float16, DType::Float32, DType::Float64}) {
        const Tensor t = tensorFrom({1.0, kNaN, -kInf, -0.0, 0.0, kInf, -1.0, kNaN}, {dtype, {}});
        QCOMPARE(elementsOf(argsort(t)), (std::vector<Scalar>{2, 6, 3, 4, 0, 5, 1, 7}));
        QCOMPARE(elementsOf(argsort(t, 0, true)), (std::vector<Scalar>{1, 7, 5, 0, 3, 4, 6, 2}));
        QCOMPARE(elementsOf(topk(t, 3).indices), (std::vector<Scalar>{1, 7, 5}));
        const UniqueValues distinct = unique(t, {true, true});
        QCOMPARE(distinct.values.numel(), Index{7}); // every NaN by itself, one zero
        QCOMPARE(elementsOf(distinct.counts), (std::vector<Scalar>{1, 1, 2, 1, 1, 1, 1}));
        QCOMPARE(elementsOf(distinct.inverse), (std::vector<Scalar>{3, 5, 0, 2, 2, 4, 1, 6}));
    }
    const Tensor least = tensorFrom({std::numeric_limits<Index>::max(), Index{0}, std::numeric_limits<Index>::min()});
    QCOMPARE(elementsOf(argsort(least)), (std::vector<Scalar>{2, 1, 0}));
}

void TestSorting::longLanes_data() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : kRealDTypes) QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
}

void TestSorting::longLanes() {
    QFETCH(int, dtype);
    const int threads = numThreads();
    setNumThreads(3);
    const auto type = static_cast<DType>(dtype);
    const Tensor t = zeros({3, 5000}, {type, {}});
    std::uint64_t state = 12345;
    for (Index i = 0; i < t.numel(); ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const auto number = static_cast<Index>(state >> 40) % 70000 - 30000;
        writeElement(
            t, Dims{i / 5000, i % 5000},
            type == DType::Bool
                ? Scalar(number > 0)
                : slowConvert(Scalar(type == DType::Float64 ? Scalar(double(number) * 1e9) : Scalar(number)), type));
    }
    for (const bool descending : {false, true}) {
        const Tensor indices = sort(t, 1, descending).indices;
        for (Index row = 0; row < 3; ++row) {
            const std::vector<Index> wanted = orderOf(t, {row, 0}, 1, descending);
            const Index* got = indices.data<Index>() + row * 5000;
            QVERIFY(std::equal(wanted.begin(), wanted.end(), got));
        }
    }
    setNumThreads(threads);
}

void TestSorting::distinctValues() {
    overTheZoo(kRealDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
        const Tensor t = zooTensor(layout, dtype);
        const std::vector<Scalar> all = elementsOf(t);
        std::vector<Scalar> wanted = all;
        std::stable_sort(wanted.begin(), wanted.end(), before);
        wanted.erase(std::unique(wanted.begin(), wanted.end(), sameElement), wanted.end());
        const UniqueValues got = unique(t, {true, true});
        QVERIFY2(elementsOf(got.values) == wanted, what.c_str());
        QCOMPARE(got.inverse.shape(), t.shape());
        std::vector<Index> counts(wanted.size(), 0);
        std::size_t i = 0;
        for (const Scalar& place : elementsOf(got.inverse)) {
            const auto which = static_cast<std::size_t>(place.toInt());
            QVERIFY(sameElement(wanted[which], all[i++]));
            ++counts[which];
        }
        QCOMPARE(elementsOf(got.counts), std::vector<Scalar>(counts.begin(), counts.end()));
        QVERIFY(!unique(t).inverse.defined());
        std::vector<Scalar> runs = all;
        runs.erase(std::unique(runs.begin(), runs.end(), sameElement), runs.end());
        QVERIFY2(elementsOf(uniqueConsecutive(t).values) == runs, what.c_str());
    });
    const UniqueValues runs = uniqueConsecutive(tensorFrom({1, 1, 2, 2, 1}), {true, true});
    QCOMPARE(elementsOf(runs.values), (std::vector<Scalar>{1, 2, 1}));
    QCOMPARE(elementsOf(runs.inverse), (std::vector<Scalar>{0, 0, 1, 1, 2}));
    QCOMPARE(elementsOf(runs.counts), (std::vector<Scalar>{2, 2, 1}));
}

void TestSorting::distinctSlices() {
    const Tensor rows = tensorFrom({{1, 2}, {1, 2}, {0, 5}});
    const UniqueValues got = uniqueAlong(rows, 0, {true, true});
    QCOMPARE(got.values.shape(), (Dims{2, 2}));
    QCOMPARE(elementsOf(got.values), (std::vector<Scalar>{0, 5, 1, 2}));
    QCOMPARE(elementsOf(got.inverse), (std::vector<Scalar>{1, 1, 0}));
    QCOMPARE(elementsOf(got.counts), (std::vector<Scalar>{1, 2}));
    QCOMPARE(elementsOf(uniqueAlong(transpose(rows, 0, 1), 1).values), (std::vector<Scalar>{0, 1, 5, 2}));
}

void TestSorting::places() {
    const Tensor sorted = tensorFrom({1, 3, 3, 5});
    QCOMPARE(elementsOf(searchsorted(sorted, tensorFrom({{0, 1}, {3, 6}}))), (std::vector<Scalar>{0, 0, 1, 4}));
    QCOMPARE(elementsOf(searchsorted(sorted, tensorFrom({1, 3}), {true, false})), (std::vector<Scalar>{1, 3}));
    QCOMPARE(searchsorted(sorted, Scalar(3.5), {false, true}).dtype(), DType::Int32);
    QCOMPARE(elementsOf(searchsorted(sorted, Scalar(3.5))), (std::vector<Scalar>{3}));
    const Tensor rows = tensorFrom({{1, 2, 3}, {4, 5, 6}});
    QCOMPARE(elementsOf(searchsorted(rows, tensorFrom({{3}, {3}}))), (std::vector<Scalar>{2, 0}));
    QCOMPARE(elementsOf(searchsorted(tensorFrom({5, 1, 3}), tensorFrom({2}), {}, tensorFrom({1, 2, 0}))),
             (std::vector<Scalar>{1}));
    QCOMPARE(elementsOf(searchsorted(tensorFrom({1.0, 2.0, kNaN}), tensorFrom({kNaN, 1.5}))),
             (std::vector<Scalar>{3, 1}));
    QCOMPARE(elementsOf(bucketize(tensorFrom({1, 4}), tensorFrom({1, 3, 5}))), (std::vector<Scalar>{0, 2}));
    // Against counting: the place is the number of elements that are less.
    const Tensor many = slice(zooTensor({"", {{9}, {2}, 1}, 20}, DType::Float32), 0, 0, 9);
    const Tensor ordered = sort(many).values;
    for (const Scalar& value : elementsOf(many)) {
        Index less = 0;
        for (const Scalar& other : elementsOf(many)) less += other.toDouble() < value.toDouble() ? 1 : 0;
        QCOMPARE(readElement(searchsorted(ordered, value), Dims{}).toInt(), less);
    }
}

void TestSorting::counts() {
    QCOMPARE(elementsOf(bincount(tensorFrom({1, 1, 3}))), (std::vector<Scalar>{0, 2, 0, 1}));
    QCOMPARE(bincount(tensorFrom({1, 1, 3}), 6).numel(), Index{6});
    const Tensor weighted = bincount(tensorFrom({1, 1, 3}), tensorFrom({0.5, 1.0, 2.0}));
    QCOMPARE(weighted.dtype(), DType::Float32);
    QCOMPARE(elementsOf(weighted), (std::vector<Scalar>{0.0, 1.5, 0.0, 2.0}));
    QCOMPARE(bincount(tensorFrom({1}), tensorFrom({1})).dtype(), DType::Float64);
    QCOMPARE(bincount(zeros({0}, {DType::Int64, {}}), 3).numel(), Index{3});
    QCOMPARE(elementsOf(histc(tensorFrom({1.0, 2.0, 1.0}), 4, 0, 3)), (std::vector<Scalar>{0.0, 2.0, 1.0, 0.0}));
    QCOMPARE(elementsOf(histc(tensorFrom({1.0, 2.0, 1.0}), 4)), (std::vector<Scalar>{2.0, 0.0, 0.0, 1.0}));
    QCOMPARE(elementsOf(histc(tensorFrom({1.0, 1.0}), 3)), (std::vector<Scalar>{0.0, 2.0, 0.0}));
    QCOMPARE(elementsOf(histc(tensorFrom({1.0, 5.0, kNaN}), 3, 0, 2)), (std::vector<Scalar>{0.0, 1.0, 0.0}));
}

void TestSorting::refuses_data() {
    addRefusalColumns();
    const auto row = addRefusal;
    const Tensor complex = zeros({2}, {DType::Complex64, {}}), three = arange(3);
    row(
        "sort complex", [=] { sort(complex); }, "SORT-01",
        "\"sorting_kernel_method_name\" not implemented for 'ComplexFloat'");
    row(
        "sort along no dim", [=] { sort(three, 1); }, "VIEW-01", "");
    row(
        "topk too many", [=] { topk(three, 4); }, "SORT-02", "selected index k out of range");
    row(
        "topk of bools", [] { topk(tensorFrom({true}), 1); }, "SORT-01", "\"topk_cpu\" not implemented for 'Bool'");
    row(
        "kthvalue 0", [=] { kthvalue(three, 0); }, "SORT-02",
        "kthvalue(): selected number k out of range for dimension 0");
    row(
        "kthvalue of nothing",
        [] {
            kthvalue(zeros({2, 0}), 1);
        },
        "SORT-03", "kthvalue(): Expected reduction dim 1 to have non-zero size.");
    row(
        "unique complex", [=] { unique(complex); }, "SORT-01", "\"unique\" not implemented for 'ComplexFloat'");
    row(
        "unique of empty slices",
        [] {
            uniqueAlong(zeros({2, 0}), 0);
        },
        "SORT-07", "");
    row(
        "searchsorted other rows",
        [=] {
            searchsorted(zeros({2, 3}), zeros({3, 1}));
        },
        "SORT-04", "");
    row(
        "searchsorted bad sorter",
        [=] {
            searchsorted(three, three, {}, tensorFrom({0, 1, 9}));
        },
        "SORT-04", "");
    row(
        "bucketize rows",
        [=] {
            bucketize(three, zeros({2, 3}));
        },
        "SORT-04", "boundaries tensor must be 1 dimension, but got dim(2)");
    row(
        "bincount negative", [] { bincount(tensorFrom({-1})); }, "SORT-05",
        "bincount only supports 1-d non-negative integral inputs.");
    row(
        "bincount of floats", [] { bincount(zeros({1})); }, "SORT-01", "\"bincount_cpu\" not implemented for 'Float'");
    row(
        "bincount other weights", [=] { bincount(three, zeros({2})); }, "SORT-05",
        "weights should be 1-d and have the same length as input");
    row(
        "histc of integers", [=] { histc(three); }, "SORT-01", "\"histogram_cpu\" not implemented for 'Long'");
    row(
        "histc no bins", [] { histc(zeros({2}), 0); }, "SORT-06",
        "torch.histogram(): bins must be > 0, but got 0 for dimension 0");
    row(
        "histc turned range", [] { histc(zeros({2}), 3, 2, 1); }, "SORT-06",
        "torch.histc: max must be larger than min");
    row(
        "histc from nowhere",
        [] {
            histc(tensorFrom({kNaN, 1.0}));
        },
        "SORT-06", "");
    row(
        "histc without end",
        [] {
            histc(tensorFrom({1.0, kInf}));
        },
        "SORT-06", "");
    row(
        "undefined", [] { sort(Tensor()); }, "TENSOR-02", "sort: the tensor is undefined");
}

void TestSorting::refuses() {
    checkRefusal();
}

void TestSorting::publishes() {
    std::vector<OpRecord> records;
    const Tensor t = arange(3);
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    sort(t, 0, true);
    unique(t, {true, false});
    searchsorted(t, Scalar(2));
    QCOMPARE(records.size(), std::size_t{3});
    const std::vector<std::string> names{"t"};
    QCOMPARE(code::expression(records[0], names), std::string("t.sort(0, descending=True)"));
    QCOMPARE(records[0].outputs.size(), std::size_t{2});
    QCOMPARE(code::expression(records[1], names), std::string("t.unique(return_inverse=True)"));
    QCOMPARE(code::expression(records[2], names), std::string("torch.searchsorted(t, 2)"));
}

QTEST_GUILESS_MAIN(TestSorting)
#include "tst_sorting.moc"
