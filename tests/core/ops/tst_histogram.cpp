// Histograms and slopes against slow models; copies with a part replaced against writing to the part.

#include "core/ops/copy.h"
#include "core/ops/gradient.h"
#include "core/ops/histogram.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/random.h"
#include "core/ops/reductions.h"
#include "core/ops/view_scatter.h"
#include "core/tensor/element.h"
#include "tests/core/ops/operation_checks.h"
#include "tests/support/slow_model.h"

#include <QTest>

#include <cmath>

using namespace stridescope;
using namespace stridescope::test;

namespace {

std::vector<double> valuesOf(const Tensor& t) {
    std::vector<double> values;
    for (const Scalar s : elementsOf(t)) values.push_back(s.toDouble());
    return values;
}

/// Each value compared with each edge.
std::vector<double> slowCounts(const std::vector<double>& values, const std::vector<double>& edges,
                               const std::vector<double>& weights) {
    std::vector<double> counts(edges.size() - 1, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t b = 0; b + 1 < edges.size(); ++b) {
            const bool last = b + 2 == edges.size();
            if (values[i] >= edges[b] && (values[i] < edges[b + 1] || (last && values[i] == edges[b + 1])))
                counts[b] += weights.empty() ? 1 : weights[i];
        }
    return counts;
}

Tensor table() {
    return tensorFrom({1.0, 4.0, 9.0, 16.0});
}

} // namespace

class TestHistogram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAreTheModels() {
        Generator generator(1);
        for (const DType dtype : {DType::Float32, DType::Float64}) {
            const TensorOptions options{dtype, Device{}};
            const Tensor wide = randn({40, 6}, options, generator), weights = rand({6, 40}, options, generator);
            const Tensor x = transpose(wide, 0, 1);
            for (const Index bins : {1, 2, 7, 30}) {
                const Histogram h = histogram(x, bins);
                QCOMPARE(h.edges.numel(), bins + 1);
                QCOMPARE(h.counts.dtype(), dtype);
                QCOMPARE(valuesOf(h.counts), slowCounts(valuesOf(x), valuesOf(h.edges), {}));
                QCOMPARE(valuesOf(sum(h.counts))[0], 240.0); // both ends are counted
                const Histogram part = histogram(x, bins, std::vector<double>{-0.5, 1.0}, {weights, false});
                QCOMPARE(valuesOf(part.edges).front(), -0.5);
                QCOMPARE(valuesOf(part.edges).back(), 1.0);
                const auto wanted = slowCounts(valuesOf(x), valuesOf(part.edges), valuesOf(weights));
                for (std::size_t i = 0; i < wanted.size(); ++i)
                    QVERIFY(std::fabs(valuesOf(part.counts)[i] - wanted[i]) < 1e-5);
                // As a density the bars' areas add up to 1.
                const Histogram dense = histogram(x, bins, {}, {Tensor(), true});
                const Tensor widths = sub(narrow(dense.edges, 0, 1, bins), narrow(dense.edges, 0, 0, bins));
                QVERIFY(std::fabs(valuesOf(sum(mul(dense.counts, widths)))[0] - 1) < 1e-6);
            }
            const Tensor edges = to(tensorFrom({-1.0, -0.9, 0.0, 0.25, 3.0}), dtype);
            const Histogram given = histogram(x, edges);
            QCOMPARE(valuesOf(given.counts), slowCounts(valuesOf(x), valuesOf(edges), {}));
            QVERIFY(given.edges.storage() != edges.storage());
        }
    }

    void edgesOfRanges() {
        using V = std::vector<double>;
        QCOMPARE(valuesOf(histogram(tensorFrom({2.0, 2.0}), 2).edges), (V{1.5, 2, 2.5}));
        QCOMPARE(valuesOf(histogram(tensorFrom({2.0, 2.0}), 2).counts), (V{0, 2}));
        QCOMPARE(valuesOf(histogram(zeros({0}), 2).edges), (V{0, 0.5, 1}));
        // NaN is counted in the last bin, as PyTorch does.
        const Tensor holes = tensorFrom({std::nan(""), 0.5});
        QCOMPARE(valuesOf(histogram(holes, 2, V{0, 2}).counts), (V{1, 1}));
        // Not one by one in float32, which would stop at 2^24.
        const Tensor many = full({(1 << 24) + 8}, 0.5);
        QCOMPARE(valuesOf(histogram(many, 1, V{0, 1}).counts)[0], 16777224.0);
    }

    void points() {
        Generator generator(2);
        const Tensor x = rand({50, 3}, {DType::Float64, Device{}}, generator);
        const Dims bins{2, 3, 4};
        const HistogramOfPoints h = histogramOfPoints(x, bins);
        QCOMPARE(h.counts.shape(), bins);
        const std::vector<double> all = valuesOf(x), counts = valuesOf(h.counts);
        for (Index i = 0; i < 2; ++i)
            for (Index j = 0; j < 3; ++j)
                for (Index k = 0; k < 4; ++k) {
                    double inside = 0;
                    for (std::size_t p = 0; p < 50; ++p) {
                        bool in = true;
                        const Index box[] = {i, j, k};
                        for (std::size_t d = 0; d < 3; ++d) {
                            const std::vector<double> e = valuesOf(h.edges[d]);
                            const auto b = static_cast<std::size_t>(box[d]);
                            const double v = all[3 * p + d];
                            in &= v >= e[b] && (v < e[b + 1] || (b + 2 == e.size() && v == e[b + 1]));
                        }
                        inside += in;
                    }
                    QCOMPARE(counts[static_cast<std::size_t>((i * 3 + j) * 4 + k)], inside);
                }
        // Over all but one dim summed up, it is the histogram of that coordinate.
        const Histogram first = histogram(select(x, 1, 0), 2);
        QCOMPARE(valuesOf(sum(h.counts, Dims{1, 2})), valuesOf(first.counts));
        const std::vector<Tensor> edges(3, to(tensorFrom({0.0, 0.25, 1.0}), DType::Float64));
        const Tensor weights = rand({50}, {DType::Float64, Device{}}, generator);
        const HistogramOfPoints dense = histogramOfPoints(x, edges, {weights, true});
        double whole = 0;
        const std::vector<double> bars = valuesOf(dense.counts);
        for (std::size_t i = 0; i < 8; ++i)
            whole += bars[i] * (i & 1 ? 0.75 : 0.25) * (i & 2 ? 0.75 : 0.25) * (i & 4 ? 0.75 : 0.25);
        QVERIFY(std::fabs(whole - 1) < 1e-12);
    }

    /// Parabolas have known slopes, and second-order ends find them, whatever the distances.
    void slopesOfParabolas() {
        const Tensor x = tensorFrom({0.0, 0.5, 2.0, 2.25, 5.0, 6.0});
        const Tensor y = add(sub(mul(mul(x, x), 3), mul(x, 2)), 1), exact = sub(mul(x, 6), 2);
        QVERIFY(allclose(gradientAt(y, {x}, {}, 2)[0], exact, 1e-5, 1e-5));
        const Tensor even = arange(0.0, 3.0, 0.5), square = mul(even, even);
        QVERIFY(allclose(gradient(square, {Scalar(0.5)}, {}, 2)[0], mul(even, 2), 1e-6, 1e-6));
        // First-order ends are the slopes of the outermost steps; inside nothing changes.
        const std::vector<double> rough = valuesOf(gradient(table())[0]);
        QCOMPARE(rough, (std::vector<double>{3, 4, 6, 7}));
        QCOMPARE(valuesOf(gradient(tensorFrom({1, 4, 9, 16}))[0]), rough);
        QCOMPARE(valuesOf(gradient(narrow(table(), 0, 0, 2))[0]), (std::vector<double>{3, 3}));
        // One dim after the other; columns and rows of a transposed table.
        const Tensor grid = transpose(view(to(arange(12), DType::Float64), {3, 4}), 0, 1);
        const std::vector<Tensor> both = gradient(grid, {Scalar(1), Scalar(2)}, Dims{1, 0});
        QVERIFY(equal(both[0], fullLike(grid, 4)));
        QVERIFY(equal(both[1], fullLike(grid, 0.5)));
        QCOMPARE(gradient(full({}, 3.0)).size(), std::size_t{0});
        QCOMPARE(gradient(zeros({3}, {DType::Float16, Device{}}))[0].dtype(), DType::Float16);
    }

    /// What writing to the view of a copy gives; the tensor stays.
    void partsAreReplaced() {
        overTheZoo(kAllDTypes, [](const ZooView& layout, DType dtype, const std::string& what) {
            const Tensor t = zooTensor(layout, dtype);
            if (t.dim() == 0 || t.numel() == 0) return;
            const std::vector<Scalar> before = elementsOf(t);
            const auto check = [&](auto scatter, auto part) {
                const Tensor wanted = clone(t), target = part(wanted);
                const Tensor src = onesLike(target);
                fill_(target, 1);
                const Tensor got = scatter(src);
                QVERIFY2(equal(got, wanted) && got.stride() == wanted.stride(), what.c_str());
                QVERIFY2(got.storage() != t.storage(), what.c_str());
            };
            check([&](const Tensor& s) { return selectScatter(t, s, -1, 0); },
                  [](const Tensor& x) { return select(x, -1, 0); });
            check([&](const Tensor& s) { return sliceScatter(t, s, 0, {}, {}, 2); },
                  [](const Tensor& x) { return slice(x, 0, {}, {}, 2); });
            check([&](const Tensor& s) { return asStridedScatter(t, s, {1}, {1}, 0); },
                  [](const Tensor& x) { return asStrided(x, {1}, {1}, 0); });
            if (t.dim() > 1)
                check([&](const Tensor& s) { return diagonalScatter(t, s); },
                      [](const Tensor& x) { return diagonal(x); });
            const std::vector<Scalar> after = elementsOf(t);
            for (std::size_t i = 0; i < before.size(); ++i) QVERIFY2(sameElement(before[i], after[i]), what.c_str());
        });
        // src is converted; slots are those of the new, dense tensor.
        const Tensor whole = selectScatter(zeros({2, 2}, {DType::Int64, Device{}}), tensorFrom({1.5, 2.5}), 0, 1);
        QCOMPARE(valuesOf(whole), (std::vector<double>{0, 0, 1, 2}));
        const Tensor later = narrow(ints({3, 2}), 0, 1, 2);
        QCOMPARE(valuesOf(asStridedScatter(later, zeros({2}), {2}, {2})), (std::vector<double>{0, 3, 0, 5}));
    }

    void refuses_data() {
        addRefusalColumns();
        const auto row = [](const char* name, std::function<void()> action, const char* id, const char* message = "") {
            addRefusal(name, std::move(action), id, message);
        };
        const Tensor x = tensorFrom({1.0, 2.0, 3.0});
        using Range = std::vector<double>;
        row(
            "dtype", [] { (void)histogram(arange(3), 2); }, "HIST-01", "\"histogramdd\" not implemented for 'Long'");
        row(
            "bins", [=] { (void)histogram(x, 0); }, "HIST-02",
            "torch.histogram(): bins must be > 0, but got 0 for dimension 0");
        row(
            "one edge", [=] { (void)histogram(x, ones({1})); }, "HIST-02");
        row(
            "edges' dims",
            [=] {
                (void)histogram(x, ones({2, 2}));
            },
            "HIST-02");
        row(
            "edges' dtype",
            [=] {
                (void)histogram(x, ones({2}, {DType::Float64, Device{}}));
            },
            "HIST-02");
        row(
            "range",
            [=] {
                (void)histogram(x, 2, Range{3, 1});
            },
            "HIST-03", "torch.histogramdd: min should not exceed max, but got min 3 max 1 for dimension 0");
        row(
            "half a range", [=] { (void)histogram(x, 2, Range{3}); }, "HIST-03");
        row(
            "infinite",
            [] {
                (void)histogram(tensorFrom({HUGE_VAL, 1.0}), 2);
            },
            "HIST-03");
        row(
            "not a number",
            [] {
                (void)histogram(tensorFrom({std::nan(""), 1.0}), 2);
            },
            "HIST-03", "torch.histogramdd: dimension 0's range [nan, nan] is not finite");
        row(
            "weights",
            [=] {
                (void)histogram(x, 2, {}, {ones({2}), false});
            },
            "HIST-04");
        row(
            "weights' dtype",
            [=] {
                (void)histogram(x, 2, {}, {ones({3}, {DType::Float64, Device{}}), false});
            },
            "HIST-04");
        row(
            "no points", [=] { (void)histogramOfPoints(x, Dims{2}); }, "HIST-05");
        row(
            "bins for each",
            [] {
                (void)histogramOfPoints(ones({3, 2}), Dims{2});
            },
            "HIST-05");
        row(
            "order", [=] { (void)gradient(x, {}, {}, 3); }, "GRAD-01",
            "torch.gradient only supports edge_order=1 and edge_order=2.");
        row(
            "bytes",
            [] {
                (void)gradient(zeros({3}, {DType::UInt8, Device{}}));
            },
            "GRAD-02");
        row(
            "too short", [] { (void)gradient(ones({2}), {}, {}, 2); }, "GRAD-03");
        row(
            "dim twice",
            [] {
                (void)gradient(ones({2, 2}), {}, Dims{1, -1});
            },
            "GRAD-04", "dim 1 appears multiple times in the list of dims");
        row(
            "spacings",
            [] {
                (void)gradient(ones({2, 2}), {Scalar(1), Scalar(2), Scalar(3)});
            },
            "GRAD-05");
        row(
            "spacings of dims",
            [] {
                (void)gradient(ones({2, 2}), {Scalar(1), Scalar(2)}, Dims{0});
            },
            "GRAD-05");
        row(
            "places", [=] { (void)gradientAt(x, {ones({2})}); }, "GRAD-06");
        row(
            "places' dims",
            [=] {
                (void)gradientAt(x, {ones({1, 3})});
            },
            "GRAD-06");
        row(
            "flags",
            [] {
                (void)gradient(zeros({3}, {DType::Bool, Device{}}));
            },
            "BOOL-01");
        row(
            "dim", [=] { (void)gradient(x, {}, Dims{1}); }, "VIEW-01");
        row(
            "src", [=] { (void)selectScatter(x, ones({1}), 0, 1); }, "SCATTER-01",
            "expected src to have a size equal to the slice of self. src size = [1], slice size = []");
        row(
            "slots twice", [=] { (void)asStridedScatter(x, ones({2}), {2}, {0}); }, "OVERLAP-01");
    }
    void refuses() { checkRefusal(); }
};

QTEST_APPLESS_MAIN(TestHistogram)
#include "tst_histogram.moc"
