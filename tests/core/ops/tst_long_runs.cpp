// Operations that take another way for long runs, few values or elements that lie in a row: the same answers as
// element by element, over the view zoo, and refusals that change nothing.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace stridescope;
using namespace stridescope::test;

namespace {

std::vector<double> doubles(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar& value : elementsOf(t)) values.push_back(value.toDouble());
    return values;
}

/// n numbers in [least, most), no two neighbours alike; every second element of its storage where `stepped`.
Tensor places(Index n, Index least, Index most, bool stepped) {
    const Tensor base = zeros({n, 2}, {DType::Int64, {}});
    const Tensor t = stepped ? select(base, 1, 1) : zeros({n}, {DType::Int64, {}});
    for (Index i = 0; i < n; ++i) writeElement(t, std::array{i}, Scalar(least + (i * 7919 + 13) % (most - least)));
    return t;
}

} // namespace

class TestLongRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namedElements() {
        for (const DType dtype : {DType::UInt8, DType::Float16, DType::Float32, DType::Float64, DType::Complex128}) {
            for (const bool stepped : {false, true}) {
                for (const bool turned : {false, true}) {
                    const Index n = 6, m = 7;
                    Tensor t = zeros(turned ? Dims{m, n} : Dims{n, m}, {dtype, {}});
                    for (Index i = 0; i < n * m; ++i) writeSlot(t, i, zooValue(dtype, i));
                    if (turned) t = transpose(t, 0, 1);
                    const std::vector<Scalar> before = elementsOf(t);
                    const Tensor index = places(100, -n * m, n * m, stepped);
                    const std::vector<Scalar> taken = elementsOf(take(t, index)), named = elementsOf(index);
                    for (std::size_t i = 0; i < taken.size(); ++i)
                        QVERIFY(taken[i] == before[static_cast<std::size_t>((named[i].toInt() + n * m) % (n * m))]);
                    // Of two writes to one element the later one stays.
                    const Tensor source = zeros({100}, {dtype, {}});
                    for (Index i = 0; i < 100; ++i) writeSlot(source, i, Scalar(i));
                    std::vector<Scalar> wanted = before;
                    for (std::size_t i = 0; i < taken.size(); ++i)
                        wanted[static_cast<std::size_t>((named[i].toInt() + n * m) % (n * m))] =
                            readSlot(source, static_cast<Index>(i));
                    put_(t, index, source);
                    QVERIFY(elementsOf(t) == wanted);
                }
            }
        }
    }

    void outOfRangeInTheMiddleOfARun() {
        for (const bool stepped : {false, true}) {
            for (const Index wrong : {Index{40}, Index{-41}, kIndexMax, kIndexMin}) {
                const Tensor t = arange(40), index = places(64, 0, 40, stepped),
                             source = ones({64}, {DType::Int64, {}});
                writeElement(index, std::array{Index{33}}, Scalar(wrong));
                const std::vector<Scalar> before = elementsOf(t);
                for (const auto& refusal :
                     {refusalOf([&] { put_(t, index, source); }), refusalOf([&] { (void)take(t, index); }),
                      refusalOf([&] { (void)gather(t, 0, index); }),
                      refusalOf([&] { scatter_(t, 0, index, source); })}) {
                    QVERIFY(refusal);
                    QCOMPARE(QString::fromStdString(refusal->id), QStringLiteral("INDEX-01"));
                    QVERIFY(refusal->message.find(std::to_string(wrong)) != std::string::npos);
                }
                QVERIFY(elementsOf(t) == before);
            }
            // -1 is the last element to take and put_, and none to gather.
            const Tensor t = arange(40), index = places(64, -40, -39, stepped);
            QCOMPARE(doubles(take(t, index)), std::vector<double>(64, 0));
            QVERIFY(refusalOf([&] { (void)gather(t, 0, index); }));
        }
    }

    void isInFewAndMany() {
        const double nan = std::nan("");
        for (const DType dtype : {DType::Float16, DType::Float32, DType::Float64, DType::Int64, DType::UInt8}) {
            Tensor x = zeros({10000}, {dtype, {}});
            for (Index i = 0; i < x.numel(); ++i) writeSlot(x, i, Scalar(i * 31 % 200));
            if (isFloating(dtype)) {
                writeSlot(x, 5, Scalar(nan));
                writeSlot(x, 6, Scalar(-0.0));
            }
            for (const Index count : {0, 1, 20, 64, 65, 150}) {
                Tensor values = zeros({count}, {dtype, {}});
                for (Index i = 0; i < count; ++i) writeSlot(values, i, Scalar(i));
                if (isFloating(dtype) && count > 1) writeSlot(values, count - 1, Scalar(nan)); // is equal to nothing
                const double most = static_cast<double>(isFloating(dtype) && count > 1 ? count - 1 : count);
                for (const bool invert : {false, true}) {
                    const std::vector<double> found = doubles(isin(x, values, invert)), number = doubles(x);
                    for (std::size_t i = 0; i < found.size(); ++i)
                        QCOMPARE(found[i] != 0, (number[i] >= 0 && number[i] < most) != invert);
                }
            }
        }
    }

    void neighbours() {
        for (const ZooView& layout : zooViews()) {
            for (const DType dtype : {DType::UInt8, DType::Float16, DType::Float32, DType::Int64, DType::Bool}) {
                const Tensor t = zooTensor(layout, dtype);
                const UniqueValues got = uniqueConsecutive(t, {.inverse = true, .counts = true});
                std::vector<Scalar> values;
                std::vector<double> counts, groups;
                for (const Scalar& element : elementsOf(t)) {
                    if (values.empty() || !(values.back() == element)) {
                        values.push_back(element);
                        counts.push_back(0);
                    }
                    ++counts.back();
                    groups.push_back(static_cast<double>(values.size()) - 1);
                }
                QVERIFY2(elementsOf(got.values) == values, layout.name.c_str());
                QCOMPARE(doubles(got.counts), counts);
                QCOMPARE(doubles(got.inverse), groups);
                QCOMPARE(got.inverse.shape(), t.shape());
                QVERIFY(!uniqueConsecutive(t).counts.defined());
            }
        }
        const double nan = std::nan("");
        QCOMPARE(uniqueConsecutive(tensorFrom({0.0, -0.0, nan, nan, 1.0})).values.numel(), Index{4});
    }

    void equalTillTheLastElement() {
        const Index n = 100'000;
        for (const Index at : {Index{0}, Index{1023}, Index{1024}, Index{33'791}, Index{33'792}, n - 1}) {
            const Tensor a = arange(n), b = clone(a), narrowB = to(b, DType::Int32);
            QVERIFY(equal(a, b) && equal(a, narrowB) && equal(view(a, {100, 1000}), view(b, {100, 1000})));
            writeSlot(b, at, Scalar(-1));
            QVERIFY(!equal(a, b));
            QVERIFY(!equal(view(a, {1000, 100}), view(b, {1000, 100})));
            QVERIFY(!equal(transpose(view(a, {1000, 100}), 0, 1), transpose(view(b, {1000, 100}), 0, 1)));
        }
        const Tensor withNan = zeros({n});
        writeSlot(withNan, n - 1, Scalar(std::nan("")));
        QVERIFY(!equal(withNan, withNan));
    }

    void triangles() {
        for (const DType dtype : {DType::UInt8, DType::Float32, DType::Complex128}) {
            for (const Index k : {-9, -2, 0, 1, 3, 9}) {
                Tensor t = zeros({2, 5, 7}, {dtype, {}});
                for (Index i = 0; i < t.numel(); ++i) writeSlot(t, i, zooValue(dtype, i));
                t = narrow(t, 0, 1, 1); // with an offset
                const Tensor spread = transpose(contiguous(transpose(t, 1, 2)), 1, 2);
                const Scalar zero = readSlot(zeros({1}, {dtype, {}}), 0);
                for (const Tensor& x : {t, spread}) {
                    const std::vector<Scalar> from = elementsOf(x), lower = elementsOf(tril(x, k)),
                                              upper = elementsOf(triu(x, k));
                    for (Index i = 0; i < 35; ++i) {
                        const auto at = static_cast<std::size_t>(i);
                        const Index right = i % 7 - i / 7;
                        QVERIFY(lower[at] == (right <= k ? from[at] : zero));
                        QVERIFY(upper[at] == (right >= k ? from[at] : zero));
                    }
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestLongRuns)
#include "tst_long_runs.moc"
