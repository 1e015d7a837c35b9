// The Motion picture for screen readers: what is told at which moment is what the picture shows.

#include "core/ops/creation.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "tests/widgets/motion/motion_fixture.h"
#include "widgets/motion/motion_told.h"
#include "widgets/motion/motion_view.h"

#include <QAccessible>
#include <QRegularExpression>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

Tensor counted(const Dims& shape) {
    Index n = 1;
    for (const Index size : shape) n *= size;
    return view(arange(0, n, 1, {}), shape);
}

std::vector<MotionInput> operationsToTell() {
    const Tensor a = counted({2, 3}), b = counted({3, 2}), row = select(a, 0, 1);
    return {motionOf([&] { return transpose(a, 0, 1); }, {a}),
            motionOf([&] { return narrow(a, 1, 1, 2); }, {a}),
            motionOf([&] { return clone(transpose(a, 0, 1)); }, {a}),
            motionOf([&] { return sum(a, Dims{1}, true); }, {a}),
            motionOf([&] { return matmul(a, b); }, {a, b}),
            motionOf(
                [&] {
                    return expand(select(a, 0, 1), {2, 3});
                },
                {a}),
            motionOf([&] { return add(a, a); }, {a}),
            motionOf([&] { return narrow(a, 0, 0, 0); }, {a}),
            motionOf([&] { return sum(a, {}, false); }, {a}),
            motionOf(
                [&] {
                    add_(row, Scalar(100));
                    return row;
                },
                {row}, {a})};
}

} // namespace

class TestMotionAccessible : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsEachMoment() {
        const Tensor a = counted({2, 3});
        MotionInput input = motionOf([&] { return narrow(a, 1, 1, 2); }, {a});
        input.inputs[0].name = QStringLiteral("x");
        input.outputs[0].name = QStringLiteral("y");
        const MotionPlan plan = motionPlan(input);
        const MotionLayout layout = motionLayout(plan, {1280, 720});
        QCOMPARE(motionCaption(plan, 0), QStringLiteral("Stage 1 of 3, Numbers. ") + plan.stages[0].before);
        QCOMPARE(motionCaption(plan, 1), QStringLiteral("Stage 3 of 3, Cells. ") + plan.stages[2].after);
        const auto told = motionTold(plan, layout, 1);
        QCOMPARE(told[1].name, QStringLiteral("x, size (2, 3), stride (3, 1), offset 0, int64, storage #1"));
        QCOMPARE(told[2].name, QStringLiteral("y, size (2, 2), stride (3, 1), offset 1, int64, storage #1"));
        QCOMPARE(told[3].name, QStringLiteral("storage #1, 6 elements of int64 on cpu"));
        QCOMPARE(motionCellNames(plan, layout, 0, 1)[3], QStringLiteral("y[1, 1], not there yet"));
        QCOMPARE(motionCellNames(plan, layout, 1, 1)[3], QStringLiteral("y[1, 1], value 5, storage #1 index 5"));
        QCOMPARE(motionCellNames(plan, layout, 1, 2)[3], QStringLiteral("index 3, value 3, skipped"));
        QCOMPARE(motionCellNames(plan, layout, 1, 2)[4], QStringLiteral("index 4, value 4, reached by y"));
    }

    /// A cell is told with its index just where and when it is drawn.
    void whatIsToldIsWhatIsDrawn() {
        static const QRegularExpression kIndex(QStringLiteral(" index (\\d+)"));
        for (const MotionInput& input : operationsToTell()) {
            const MotionPlan plan = motionPlan(input);
            const MotionLayout layout = motionLayout(plan, {1280, 720});
            std::vector<qreal> moments = plan.times.stops;
            for (int i = 1; i < 12; ++i) moments.push_back(i / 12.0);
            for (const qreal t : moments) {
                const Scene scene = motionScene(plan, layout, t);
                for (std::size_t b = 0; b < plan.boards.size(); ++b) {
                    if (plan.boards[b].kind != MotionBoard::Kind::Card || plan.boards[b].appears > t) continue;
                    if (plan.boards[b].role == MotionBoard::Role::Above) continue; // on its way round the corner
                    const auto drawn = slotsOn(scene, plan, layout, static_cast<int>(b));
                    const QStringList names = motionCellNames(plan, layout, t, static_cast<int>(b));
                    QCOMPARE(static_cast<std::size_t>(names.size()), drawn.size());
                    for (std::size_t k = 0; k < drawn.size(); ++k) {
                        const QString& name = names[static_cast<qsizetype>(k)];
                        const auto index = kIndex.match(name);
                        QVERIFY2(index.hasMatch() != drawn[k].empty(),
                                 qPrintable(QStringLiteral("%1 at %2: %3").arg(input.code).arg(t).arg(name)));
                        if (!drawn[k].empty()) QCOMPARE(index.captured(1).toLongLong(), drawn[k].back());
                    }
                }
            }
        }
    }

    void boardsAreTables() {
        for (const MotionInput& input : operationsToTell()) {
            MotionView view;
            view.resize(1280, 600);
            view.setPlan(std::make_shared<const MotionPlan>(motionPlan(input)));
            QAccessibleInterface* picture = QAccessible::queryAccessibleInterface(&view);
            int tables = 0;
            for (const qreal t : view.plan()->times.stops) {
                view.setTime(t);
                QVERIFY(picture->text(QAccessible::Description).contains(view.plan()->caption(t)));
                for (int i = 0; i < picture->childCount(); ++i) {
                    QAccessibleInterface* part = picture->child(i);
                    QCOMPARE(picture->indexOfChild(part), i);
                    QVERIFY(part->isValid() && !part->text(QAccessible::Name).isEmpty());
                    QAccessibleTableInterface* table = part->tableInterface();
                    QCOMPARE(table != nullptr, part->role() == QAccessible::Table);
                    if (!table) continue;
                    ++tables;
                    QCOMPARE(part->childCount(), table->rowCount() * table->columnCount());
                    for (int k = 0; k < part->childCount(); ++k) {
                        QAccessibleInterface* cell = part->child(k);
                        QCOMPARE(part->indexOfChild(cell), k);
                        QVERIFY(!cell->text(QAccessible::Name).isEmpty());
                        QVERIFY(!cell->rect().isEmpty());
                        if (view.plan()->boards[0].role == MotionBoard::Role::Plain)
                            QCOMPARE(part->childAt(cell->rect().center().x(), cell->rect().center().y()), cell);
                    }
                }
            }
            QVERIFY(tables > 0);
        }
    }

    void tooManyCellsAreTold() {
        const Tensor a = zeros({100, 100});
        MotionView view;
        view.resize(1280, 600);
        view.setPlan(std::make_shared<const MotionPlan>(motionPlan(motionOf([&] { return transpose(a, 0, 1); }, {a}))));
        QAccessibleInterface* picture = QAccessible::queryAccessibleInterface(&view);
        QVERIFY(picture->childCount() >= 3);
        for (int i = 0; i < picture->childCount(); ++i) QCOMPARE(picture->child(i)->role(), QAccessible::StaticText);
    }
};

QTEST_MAIN(TestMotionAccessible)
#include "tst_motion_accessible.moc"
