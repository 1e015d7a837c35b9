// What sorts and chooses, carried out once more by its record: the same elements as the first time.

#include "core/ops/again.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/order_statistics.h"
#include "core/ops/pointwise.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"
#include "core/tensor/element.h"

#include <QTest>

#include <functional>

using namespace stridescope;

using Results = std::vector<Tensor>;
using Work = std::function<Results(const Tensor&)>;

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
