// Operations carried out once more by their record: the same elements as the first time.

#include "core/ops/again.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/linalg.h"
#include "core/ops/order_statistics.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"

#include <QTest>

#include <cstring>
#include <functional>

using namespace stridescope;

using Results = std::vector<Tensor>;
using Work = std::function<Results(const Tensor&)>;
using Algebra = std::function<Results(const Tensor&, const Tensor&)>;

class TestAgain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesTheSame_data() {
        QTest::addColumn<Work>("work");
        const auto row = [](const char* name, Work work) { QTest::newRow(name) << std::move(work); };
        const auto both = [](ValuesAndIndices pair) { return Results{pair.values, pair.indices}; };
        row("sort", [=](const Tensor& x) { return both(sort(x)); });
        row("sort down", [=](const Tensor& x) { return both(sort(x, 0, true)); });
        row("argsort", [](const Tensor& x) { return Results{argsort(x, 0)}; });
        row("topk", [=](const Tensor& x) { return both(topk(x, 2)); });
        row("topk smallest", [=](const Tensor& x) { return both(topk(x, 1, 0, false)); });
        row("kthvalue", [=](const Tensor& x) { return both(kthvalue(x, 2, 0, true)); });
        row("mode", [=](const Tensor& x) { return both(mode(x)); });
        row("max", [](const Tensor& x) { return Results{max(x)}; });
        row("max along", [=](const Tensor& x) { return both(max(x, 1)); });
        row("min along", [=](const Tensor& x) { return both(min(x, -2, true)); });
        row("median", [=](const Tensor& x) { return both(median(x, 0)); });
        row("nanmedian", [=](const Tensor& x) { return both(nanmedian(x, 1)); });
        row("aminmax", [](const Tensor& x) {
            const MinAndMax found = aminmax(x, 1, true);
            return Results{found.min, found.max};
        });
        row("argmin", [](const Tensor& x) { return Results{argmin(x, 1)}; });
        row("argmax of all", [](const Tensor& x) { return Results{argmax(x)}; });
        row("cummax", [=](const Tensor& x) { return both(cummax(x, 1)); });
        row("cummin", [=](const Tensor& x) { return both(cummin(x, 0)); });
        row("unique", [](const Tensor& x) {
            const UniqueValues found = unique(x, {true, true});
            return Results{found.values, found.inverse, found.counts};
        });
        row("sum", [](const Tensor& x) { return Results{sum(x, {0, 1}, true, DType::Float64)}; });
        row("prod along", [](const Tensor& x) { return Results{prod(x, -1)}; });
        row("mean", [](const Tensor& x) { return Results{mean(x)}; });
        row("amax", [](const Tensor& x) { return Results{amax(x, 0)}; });
    }
    void givesTheSame() {
        QFETCH(Work, work);
        const Tensor x = tensorFrom({{3, 1, 2, 1}, {9, 7, 8, 7}, {2, 2, 0, 5}}, {DType::Float32, {}});
        std::vector<OpRecord> records;
        Results made;
        {
            const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
            made = work(x);
        }
        QCOMPARE(records.size(), std::size_t{1});
        const auto again = carriedOutAgain(records[0], {&x, 1});
        QVERIFY(again);
        QCOMPARE(again->size(), made.size());
        for (std::size_t o = 0; o < made.size(); ++o) {
            const Tensor& found = (*again)[o];
            QCOMPARE(found.dtype(), made[o].dtype());
            QVERIFY(found.shape() == made[o].shape());
            const Tensor same = eq(found, made[o]);
            for (Index i = 0; i < same.numel(); ++i) QVERIFY(same.data<bool>()[same.storageOffset() + i]);
        }
    }

    /// Each with all its results in one record, empty ones too.
    void linearAlgebra_data() {
        QTest::addColumn<Algebra>("work");
        const auto row = [](const char* name, Algebra work) { QTest::newRow(name) << std::move(work); };
        row("solve", [](const Tensor& a, const Tensor& b) { return Results{solve(a, b)}; });
        row("solve from the right", [](const Tensor& a, const Tensor& b) { return Results{solve(a, b, false)}; });
        row("solve_ex", [](const Tensor& a, const Tensor& b) {
            const ResultAndInfo found = solveEx(a, b);
            return Results{found.result, found.info};
        });
        row("solve_triangular",
            [](const Tensor& a, const Tensor& b) { return Results{solveTriangular(a, b, true, false, true)}; });
        row("triangular_solve", [](const Tensor& a, const Tensor& b) {
            const TriangularSolution found = triangularSolve(a, b, false, true, true);
            return Results{found.solution, found.coefficient};
        });
        row("inv_ex", [](const Tensor& a, const Tensor&) {
            const ResultAndInfo found = invEx(a);
            return Results{found.result, found.info};
        });
        for (const char* driver : {"", "gels", "gelsy", "gelsd"}) {
            QTest::addRow("lstsq %s", driver) << Algebra([driver](const Tensor& a, const Tensor& b) {
                const bool any = *driver == 0;
                const LeastSquares found =
                    lstsq(narrow(a, 1, 0, 2), narrow(b, 1, 0, 1), any ? std::optional<double>(0.25) : std::nullopt,
                          any ? std::nullopt : std::optional<std::string_view>(driver));
                return Results{found.solution, found.residuals, found.rank, found.singularValues};
            });
        }
        for (const char* mode : {"reduced", "complete", "r"}) {
            QTest::addRow("qr %s", mode) << Algebra([mode](const Tensor& a, const Tensor&) {
                const Qr found = qr(narrow(a, 1, 0, 2), mode);
                return Results{found.q, found.r};
            });
        }
        row("cholesky_ex", [](const Tensor& a, const Tensor&) {
            const ResultAndInfo found = choleskyEx(a, true);
            return Results{found.result, found.info};
        });
        for (const bool full : {true, false}) {
            QTest::addRow("svd %d", full) << Algebra([full](const Tensor& a, const Tensor&) {
                const Svd found = svd(narrow(a, 1, 0, 2), full);
                return Results{found.u, found.s, found.vh};
            });
        }
        row("svdvals", [](const Tensor& a, const Tensor&) { return Results{svdvals(a)}; });
        row("lu_factor", [](const Tensor& a, const Tensor&) {
            const LuFactor found = luFactor(a);
            return Results{found.lu, found.pivots};
        });
        row("lu_factor_ex", [](const Tensor& a, const Tensor&) {
            const LuFactorInfo found = luFactorEx(a);
            return Results{found.lu, found.pivots, found.info};
        });
        row("lu", [](const Tensor& a, const Tensor&) {
            const LuParts found = lu(a);
            return Results{found.p, found.l, found.u};
        });
        row("lu_unpack", [](const Tensor& a, const Tensor&) {
            const LuParts found = luUnpack(a, full({3}, 3, {DType::Int32, {}}));
            return Results{found.p, found.l, found.u};
        });
        row("lu_unpack of the data", [](const Tensor& a, const Tensor&) {
            const LuParts found = luUnpack(a, Tensor(), true, false);
            return Results{found.p, found.l, found.u};
        });
        row("geqrf", [](const Tensor& a, const Tensor&) {
            const Reflectors found = geqrf(a);
            return Results{found.a, found.tau};
        });
        row("ldl_factor", [](const Tensor& a, const Tensor&) {
            const LdlFactor found = ldlFactor(a, true);
            return Results{found.ld, found.pivots};
        });
        row("ldl_factor_ex", [](const Tensor& a, const Tensor&) {
            const LdlFactorInfo found = ldlFactorEx(a);
            return Results{found.ld, found.pivots, found.info};
        });
        row("eig", [](const Tensor& a, const Tensor&) {
            const Eigen found = eig(a);
            return Results{found.values, found.vectors};
        });
        row("eigh", [](const Tensor& a, const Tensor&) {
            const Eigen found = eigh(a, "u");
            return Results{found.values, found.vectors};
        });
        row("eigvalsh", [](const Tensor& a, const Tensor&) { return Results{eigvalsh(a)}; });
        row("det", [](const Tensor& a, const Tensor&) { return Results{det(a)}; });
        row("slogdet", [](const Tensor& a, const Tensor&) {
            const SignLogDet found = slogdet(a);
            return Results{found.sign, found.logabsdet};
        });
    }
    void linearAlgebra() {
        QFETCH(Algebra, work);
        const TensorOptions doubles{DType::Float64, {}};
        const Tensor a = tensorFrom({{4, 1, 0.5}, {1, 3, 0.25}, {0.5, 0.25, 5}}, doubles);
        const Tensor b = tensorFrom({{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, doubles);
        std::vector<OpRecord> records;
        Results made;
        {
            const OpSubscription subscription([&](const OpRecord& record) {
                // What the operation is given is made in the same line.
                if (record.effect != OpEffect::View && !record.inputs.empty()) records.push_back(record);
            });
            made = work(a, b);
        }
        QCOMPARE(records.size(), std::size_t{1});
        const OpRecord& record = records[0];
        QCOMPARE(record.outputs.size(), made.size());
        for (std::size_t o = 0; o < made.size(); ++o) {
            QCOMPARE(record.outputs[o].storageId, made[o].storage()->id());
            QVERIFY(record.outputs[o].view == made[o].view());
        }
        Results inputs;
        for (const TensorRecord& input : record.inputs)
            inputs.push_back((input.storageId == a.storage()->id() ? a : b).withView(input.view));
        if (!inputs.empty() && record.name == "lu_unpack" && record.inputs[1].dtype == DType::Int32)
            inputs[1] = full({3}, 3, {DType::Int32, {}});
        const auto again = carriedOutAgain(record, inputs);
        QVERIFY(again);
        QCOMPARE(again->size(), made.size());
        for (std::size_t o = 0; o < made.size(); ++o) {
            const Tensor &found = (*again)[o], &first = made[o];
            QCOMPARE(found.dtype(), first.dtype());
            QVERIFY(found.shape() == first.shape());
            const Tensor left = contiguous(found), right = contiguous(first);
            QVERIFY(left.nbytes() == 0 || std::memcmp(left.storage()->data(), right.storage()->data(),
                                                      static_cast<std::size_t>(left.nbytes())) == 0);
        }
    }

    void othersAreNot() {
        const Tensor x = arange(Scalar(3));
        std::vector<OpRecord> records;
        const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
        static_cast<void>(add(x, x));
        QVERIFY(!carriedOutAgain(records[0], {&x, 1}));
    }
};

QTEST_GUILESS_MAIN(TestAgain)
#include "tst_again.moc"
