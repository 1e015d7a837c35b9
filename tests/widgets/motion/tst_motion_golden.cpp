// Golden figures: the operations whose pictures courses draw, half way and as blocks.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/joining.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "tests/widgets/card/card_fixture.h"
#include "tests/widgets/motion/motion_fixture.h"
#include "widgets/motion/motion_blocks.h"

#include <QTest>

#include <map>

using namespace stridescope;

namespace {

Tensor line(Index n) {
    return arange(0, n, 1, {});
}

/// The operation, and the tensors that it reads.
MotionInput operation(const QString& name) {
    const Tensor block = view(line(24), {2, 3, 4}), matrix = view(line(6), {2, 3}), long_ = line(20);
    const Tensor column = view(line(4), {4, 1}), row = view(line(5), {1, 5}), two = view(line(12), {3, 4});
    const std::map<QString, std::pair<std::function<Tensor()>, std::vector<Tensor>>> all{
        {QStringLiteral("narrow_1"), {[&] { return narrow(block, 1, 1, 2); }, {block}}},
        {QStringLiteral("narrow_0"), {[&] { return narrow(block, 0, 0, 1); }, {block}}},
        {QStringLiteral("narrow_2"), {[&] { return narrow(block, 2, 0, 2); }, {block}}},
        {QStringLiteral("transpose_01"), {[&] { return transpose(block, 0, 1); }, {block}}},
        {QStringLiteral("transpose_02"), {[&] { return transpose(block, 0, 2); }, {block}}},
        {QStringLiteral("flip_strides"), {[&] { return transpose(matrix, 0, 1); }, {matrix}}},
        {QStringLiteral("view_flat"), {[&] { return view(matrix, {-1}); }, {matrix}}},
        {QStringLiteral("view_3"),
         {[&] {
              return view(matrix, {3, -1});
          },
          {matrix}}},
        {QStringLiteral("expand"),
         {[&] {
              return expand(view(matrix, {1, 2, 3}), {3, 2, 3});
          },
          {matrix}}},
        {QStringLiteral("as_strided"),
         {[&] {
              return asStrided(long_, {3, 2}, {5, 2}, 4);
          },
          {long_}}},
        {QStringLiteral("broadcast_add"), {[&] { return add(column, row); }, {column, row}}},
        {QStringLiteral("matmul"), {[&] { return matmul(matrix, two); }, {matrix, two}}},
        {QStringLiteral("matvec"), {[&] { return matmul(matrix, line(3)); }, {matrix}}},
        {QStringLiteral("dot"), {[&] { return matmul(select(matrix, 0, 0), select(matrix, 0, 1)); }, {matrix}}},
        {QStringLiteral("sum"), {[&] { return sum(matrix, Dims{1}, true); }, {matrix}}},
        {QStringLiteral("clone"), {[&] { return clone(transpose(matrix, 0, 1)); }, {matrix}}},
        {QStringLiteral("cat"),
         {[&] {
              return cat({matrix, matrix}, 0);
          },
          {matrix}}},
    };
    const auto& [act, inputs] = all.at(name);
    std::vector<Tensor> alive = inputs;
    if (name == QStringLiteral("matvec")) {
        const Tensor vector = line(3);
        alive.push_back(vector);
        return test::motionOf([&] { return matmul(matrix, vector); }, alive);
    }
    return test::motionOf(act, alive);
}

constexpr const char* kNames[] = {"narrow_1",      "narrow_0",  "narrow_2", "transpose_01", "transpose_02",
                                  "flip_strides",  "view_flat", "view_3",   "expand",       "as_strided",
                                  "broadcast_add", "matmul",    "matvec",   "dot",          "sum",
                                  "clone",         "cat"};

} // namespace

class TestMotionGolden : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void halfWay_data() { rows(); }
    void halfWay() {
        QFETCH(QString, name);
        const MotionPlan plan = motionPlan(operation(name));
        const Scene scene = motionScene(plan, motionLayout(plan, {760, 460}), 0.6);
        const QString difference = test::compareGolden(QStringLiteral("motion_") + name, scene);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
    void asBlocks_data() { rows(); }
    void asBlocks() {
        QFETCH(QString, name);
        const auto scene = motionBlocks(operation(name), 1292);
        QVERIFY2(scene, scene ? "" : scene.refusal().message.c_str());
        const QString difference = test::compareGolden(QStringLiteral("blocks_") + name, *scene);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

private:
    static void rows() {
        QTest::addColumn<QString>("name");
        for (const char* name : kNames) QTest::newRow(name) << QString::fromLatin1(name);
    }
};

QTEST_MAIN(TestMotionGolden)
#include "tst_motion_golden.moc"
