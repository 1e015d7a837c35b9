// Cells that were written light up, in every view of them and on the strip, once.

#include "stage_fixture.h"
#include "widgets/stage/write_flash.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

struct Stage {
    Workspace workspace;
    ExploreState state;
    Tensor storage;
    WriteFlash flash;

    explicit Stage(Index count) : storage(counting(count, DType::Int64)) {}
    TensorId add(const char* name, View view) {
        return workspace.add(QLatin1String(name), QStringLiteral("q"), storage.withView(std::move(view)), 0, 0);
    }
    void show(TensorId selected) {
        state.snapshot = workspace.snapshot();
        state.viewport = QSizeF(1200, 800);
        state.selection.tensor = selected;
        flash.take(*state.snapshot);
    }
    bool take() { return flash.take(*workspace.snapshot()); }
    std::vector<QRectF> cells() const { return flash.cells(planStage(state)); }
};

} // namespace

class TestWriteFlash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyViewOfAWrittenCell() {
        Stage stage(6);
        const TensorId whole = stage.add("A", View{{2, 3}, {3, 1}, 0});
        stage.add("B", View{{3, 2}, {1, 3}, 0});
        stage.add("E", View{{2, 3}, {0, 1}, 0}); // expanded: one slot in both rows
        stage.show(whole);
        QVERIFY(!stage.take());
        QVERIFY(stage.cells().empty());
        stage.storage.data<std::int64_t>()[1] = 77;
        QVERIFY(stage.take());
        const StagePlan plan = planStage(stage.state);
        std::vector<QRectF> expected;
        expected.push_back(*plan.cards[0].cellRect({0, 1}));
        expected.push_back(*plan.cards[1].cellRect({1, 0}));
        for (Index row = 0; row < 2; ++row) expected.push_back(*plan.cards[2].cellRect({row, 1}));
        expected.push_back(plan.strip->layout.cellRect(1));
        QCOMPARE(stage.flash.cells(plan), expected);
        // Once: nothing was written since. The cells stay what they were, as long as the light is on.
        QVERIFY(!stage.take());
        QCOMPARE(stage.flash.cells(plan), expected);
        stage.storage.data<std::int64_t>()[1] = 1;
        stage.storage.data<std::int64_t>()[2] = 77;
        QVERIFY(stage.take());
    }

    void whatIsNewDoesNotFlash() {
        Stage stage(4);
        const TensorId first = stage.add("A", View{{4}, {1}, 0});
        stage.show(first);
        Stage other(3);
        stage.workspace.add(QStringLiteral("C"), QStringLiteral("q"), other.storage, 0, 0);
        QVERIFY(!stage.take());
    }

    void largeStoragesAreLeftAlone() {
        Stage stage(static_cast<Index>(WriteFlash::kMostBytes / 8 + 1));
        stage.show(stage.add("A", View{{4}, {1}, 0}));
        stage.storage.data<std::int64_t>()[1] = 77;
        QVERIFY(!stage.take());
    }
};

QTEST_MAIN(TestWriteFlash)
#include "tst_write_flash.moc"
