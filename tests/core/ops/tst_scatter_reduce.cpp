// scatter_reduce against a model that is written to one element after the other, over the zoo and every dtype; and
// sum_to_size, its counterpart for what expand() repeated.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "tests/support/check_refusal.h"
#include "tests/support/expect_elements.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <map>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr ReduceBy kReductions[] = {ReduceBy::Sum, ReduceBy::Prod, ReduceBy::Mean, ReduceBy::Amax, ReduceBy::Amin};

/// Which of `size` cells the value at `coord` goes to. Some get several values, some none.
Index cellOf(const Sizes& coord, Index size) {
    Index sum = 0;
    for (const Index c : coord) sum += 3 * c;
    return sum / 4 % size;
}

Scalar combined(const Scalar& a, const Scalar& b, ReduceBy by, DType dtype) {
    const bool adds = by == ReduceBy::Sum || by == ReduceBy::Mean;
    if (isComplex(dtype)) {
        const double x = a.toDouble(), y = a.imag(), u = b.toDouble(), v = b.imag();
        return adds ? Scalar(Complex<double>{x + u, y + v}) : Scalar(Complex<double>{x * u - y * v, x * v + y * u});
    }
    if (adds || by == ReduceBy::Prod) return slowBinary(adds ? "add" : "mul", a, b, dtype);
    if (std::isnan(a.toDouble()) || std::isnan(b.toDouble())) return Scalar(kNan);
    return (by == ReduceBy::Amax ? a.toDouble() < b.toDouble() : b.toDouble() < a.toDouble()) ? b : a;
}

Scalar divided(const Scalar& sum, double count, DType dtype) {
    const auto part = [&](double x) {
        if (dtype != DType::Complex64) return x;
        // volatile: gcc 12 at -O2 takes a pair of doubles to float and back for nothing, and drops the rounding.
        volatile const float narrow = static_cast<float>(x);
        return static_cast<double>(narrow);
    };
    if (isComplex(dtype)) return Scalar(Complex<double>{part(sum.toDouble() / count), part(sum.imag() / count)});
    const double quotient = sum.toDouble() / count;
    return isFloating(dtype) ? Scalar(quotient) : Scalar(static_cast<Index>(std::floor(quotient)));
}

/// Is there such a reduction of that dtype?
bool exists(ReduceBy by, DType dtype) {
    if (by == ReduceBy::Mean) return dtype != DType::Bool;
    return !isComplex(dtype) || by == ReduceBy::Sum || by == ReduceBy::Prod;
}

void checkOne(const ZooView& layout, DType dtype, std::size_t d, ReduceBy by, bool includeSelf) {
    const Tensor t = zooTensor(layout, dtype);
    Dims shape = layout.view.shape;
    const Index size = shape[d];
    shape[d] += 1;
    const View spread = contiguousView(shape).valueOrThrow();
    const Tensor index = zeros(shape, {DType::Int64, {}});
    const Tensor src(zooStorage(dtype, spread.numel() + 1), View{shape, spread.stride, 1}, dtype);
    std::map<Sizes, std::pair<Scalar, int>> cells; // value, and how many there are in it
    forEachCoord(sizesOf(index), [&](const Sizes& coord) {
        Sizes target = coord;
        target[d] = cellOf(coord, size);
        writeElement(index, coord, Scalar(target[d]));
        const Scalar value = readElement(src, coord);
        auto found = cells.find(target);
        if (found == cells.end() && !includeSelf) {
            cells.insert({target, {value, 1}});
            return;
        }
        if (found == cells.end()) found = cells.insert({target, {readElement(t, target), 1}}).first;
        found->second = {combined(found->second.first, value, by, dtype), found->second.second + 1};
    });
    const Tensor before = clone(t);
    const auto wanted = [&](const Sizes& c) {
        const auto found = cells.find(c);
        if (found == cells.end()) return readElement(before, c);
        const auto& [value, count] = found->second;
        return by == ReduceBy::Mean ? divided(value, count, dtype) : value;
    };
    const std::string what = layout.name + ", " + std::string(name(dtype)) + ", " + std::to_string(d) + ", " +
                             std::to_string(static_cast<int>(by)) + (includeSelf ? "" : ", without self");
    const Tensor copy = scatterReduce(t, static_cast<Index>(d), index, src, by, includeSelf);
    const std::string ofCopy = differenceFrom(copy, sizesOf(t), wanted);
    QVERIFY2(ofCopy.empty(), (what + ": " + ofCopy).c_str());
    QVERIFY(elementsOf(t) == elementsOf(before));
    scatterReduce_(t, static_cast<Index>(d) - t.dim(), index, src, by, includeSelf);
    const std::string inPlace = differenceFrom(t, sizesOf(t), wanted);
    QVERIFY2(inPlace.empty(), (what + ", in place: " + inPlace).c_str());
}

} // namespace

class TestScatterReduce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void overTheZoo();
    void nanWins();
    void refusesWithoutChange();
    void sumsToASize();
    void sizesThatDoNotExpand();
};

void TestScatterReduce::overTheZoo() {
    for (const ZooView& layout : zooViews()) {
        if (layout.overlaps || layout.view.dim() > 4 || layout.view.numel() == 0 || layout.view.numel() > 200) continue;
        for (const DType dtype : kAllDTypes)
            for (std::size_t d = 0; d < layout.view.shape.size(); ++d)
                for (const ReduceBy by : kReductions)
                    if (exists(by, dtype))
                        for (const bool includeSelf : {true, false}) checkOne(layout, dtype, d, by, includeSelf);
    }
}

void TestScatterReduce::nanWins() {
    const Tensor zero = zeros({3}), index = tensorFrom({0, 0, 1});
    for (const ReduceBy by : {ReduceBy::Amax, ReduceBy::Amin})
        for (const Tensor& src : {tensorFrom({kNan, 1.0, 2.0}), tensorFrom({1.0, kNan, 2.0})}) {
            const Tensor got = scatterReduce(zero, 0, index, src, by);
            QVERIFY(std::isnan(readElement(got, Dims{0}).toDouble()));
            QCOMPARE(readElement(got, Dims{1}).toDouble(), by == ReduceBy::Amax ? 2.0 : 0.0);
        }
}

void TestScatterReduce::refusesWithoutChange() {
    const Tensor t = tensorFrom({1.0, 2.0, 3.0}), index = tensorFrom({0, 7, 0}), src = ones({3});
    for (const ReduceBy by : kReductions)
        for (const bool includeSelf : {true, false}) {
            QCOMPARE(refusalText([&] { scatterReduce_(t, 0, index, src, by, includeSelf); }),
                     std::string("INDEX-01 index 7 is out of bounds for dimension 0 with size 3"));
            QCOMPARE(elementsOf(t), (std::vector<Scalar>{1.0, 2.0, 3.0}));
        }
    const Tensor none = zeros({3}, {DType::Int64, {}});
    const auto of = [&](DType dtype) { return ones({3}, {dtype, {}}); };
    QCOMPARE(refusalText([&] { scatterReduce(of(DType::Bool), 0, none, of(DType::Bool), ReduceBy::Mean); }),
             std::string("INDEX-16 \"scatter_gather_tensor_cpu_reduce_mean\" not implemented for 'Bool'"));
    QCOMPARE(refusalText([&] { scatterReduce(of(DType::Complex64), 0, none, of(DType::Complex64), ReduceBy::Amin); }),
             std::string("INDEX-16 \"scatter_gather_tensor_cpu_reduce_amin\" not implemented for 'ComplexFloat'"));
    const Tensor twice = expand(zeros({1}), {3});
    QCOMPARE(refusalOf([&] { scatterReduce_(twice, 0, none, src, ReduceBy::Sum); })->id, std::string("OVERLAP-01"));
}

void TestScatterReduce::sumsToASize() {
    for (const ZooView& layout : zooViews()) {
        if (layout.view.numel() > 200) continue;
        for (const DType dtype : {DType::Float64, DType::Int16, DType::Bool, DType::Complex64}) {
            const Tensor t = zooTensor(layout, dtype);
            QVERIFY(sumToSize(t, t.shape()).storage() == t.storage() || t.dim() == 0);
            for (Index dim = 0; dim < t.dim(); ++dim) {
                Dims shape = t.shape();
                if (shape[static_cast<std::size_t>(dim)] == 1) continue;
                shape[static_cast<std::size_t>(dim)] = 1;
                QCOMPARE(elementsOf(sumToSize(t, shape)), elementsOf(sum(t, {dim}, true)));
                QCOMPARE(sumToSize(t, shape).shape(), shape);
            }
            QCOMPARE(elementsOf(sumToSize(t, {})), elementsOf(sum(t)));
            if (t.dim() > 0)
                QCOMPARE(elementsOf(sumToSize(t, {t.size(-1)})).size(), static_cast<std::size_t>(t.size(-1)));
        }
    }
    const Tensor t = view(arange(6), {2, 3});
    QCOMPARE(elementsOf(sumToSize(t, {3})), (std::vector<Scalar>{3, 5, 7}));
    QCOMPARE(elementsOf(sumToSize(t, {2, 1})), (std::vector<Scalar>{3, 12}));
}

void TestScatterReduce::sizesThatDoNotExpand() {
    const Tensor t = zeros({2, 3});
    QCOMPARE(refusalText([&] { sumToSize(t, {2}); }),
             std::string("RED-09 size {[2]} is not expandable to size {[2, 3]}."));
    QCOMPARE(refusalText([&] {
                 sumToSize(t, {1, 2, 3});
             }),
             std::string("RED-09 size {[1, 2, 3]} is not expandable to size {[2, 3]}."));
    QCOMPARE(refusalOf([&] { sumToSize(Tensor(), {1}); })->id, std::string("TENSOR-02"));
}

QTEST_APPLESS_MAIN(TestScatterReduce)
#include "tst_scatter_reduce.moc"
