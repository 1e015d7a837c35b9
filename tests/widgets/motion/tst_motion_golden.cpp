// Golden figures: the operations whose pictures courses draw, half way and as blocks.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/views.h"
#include "tests/support/qt/rasterise.h"
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

/// All results of one operation.
MotionInput chunked() {
    const Tensor matrix = view(line(12), {3, 4});
    return test::takeDown([&] { return chunk(matrix, 2, 1); }, {matrix})->input;
}

/// The operation, and the tensors that it reads.
MotionInput operation(const QString& name) {
    const Tensor block = view(line(24), {2, 3, 4}), matrix = view(line(6), {2, 3}), long_ = line(20);
    const Tensor line10 = line(10), picks = view(line(2), {2}), greater = gt(matrix, Scalar(2));
    const Tensor turned = transpose(matrix, 0, 1), turned2 = view(line(12), {3, 4});
    const Tensor batch = view(line(12), {2, 2, 3}), batch2 = view(line(12), {2, 3, 2});
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
        {QStringLiteral("select"), {[&] { return select(matrix, 0, 1); }, {matrix}}},
        {QStringLiteral("step"), {[&] { return slice(two, 0, 0, 3, 2); }, {two}}},
        {QStringLiteral("none_in_front"), {[&] { return unsqueeze(matrix, 0); }, {matrix}}},
        {QStringLiteral("storage_rows"),
         {[&] {
              return view(line10, {2, 5});
          },
          {line10}}},
        {QStringLiteral("index_select"), {[&] { return indexSelect(two, 1, picks); }, {two, picks}}},
        {QStringLiteral("mask"), {[&] { return maskedSelect(matrix, greater); }, {matrix, greater}}},
        {QStringLiteral("reshape_copies"), {[&] { return reshape(turned, {6}); }, {turned}}},
        {QStringLiteral("contiguous"), {[&] { return contiguous(turned); }, {turned}}},
        {QStringLiteral("compare"), {[&] { return gt(matrix, Scalar(3)); }, {matrix}}},
        {QStringLiteral("sum_all"), {[&] { return sum(matrix, {}, false); }, {matrix}}},
        {QStringLiteral("max_of_dim"), {[&] { return amax(matrix, Dims{0}, false); }, {matrix}}},
        {QStringLiteral("vecmat"), {[&] { return matmul(select(matrix, 0, 1), turned2); }, {matrix, turned2}}},
        {QStringLiteral("batched"), {[&] { return matmul(batch, batch2); }, {batch, batch2}}},
    };
    if (name == QStringLiteral("chunk")) return chunked();
    if (name == QStringLiteral("matvec")) {
        const Tensor vector = line(3);
        const std::vector<Tensor> alive{matrix, vector};
        return test::motionOf([&] { return matmul(matrix, vector); }, alive);
    }
    if (name == QStringLiteral("fill_part") || name == QStringLiteral("add_part")) {
        // Written through a view: the tensor that it is a view of sees it.
        const Tensor part = narrow(two, 1, 1, 2);
        const auto write = [&] {
            name == QStringLiteral("fill_part") ? fill_(part, Scalar(3)) : add_(part, Scalar(100));
            return part;
        };
        return test::motionOf(write, {part}, {two});
    }
    const auto& [act, inputs] = all.at(name);
    return test::motionOf(act, inputs);
}

constexpr const char* kNames[] = {
    "narrow_1",   "narrow_0",      "narrow_2",     "transpose_01", "transpose_02",  "flip_strides",
    "view_flat",  "view_3",        "expand",       "as_strided",   "broadcast_add", "matmul",
    "matvec",     "dot",           "sum",          "clone",        "cat",           "select",
    "step",       "none_in_front", "storage_rows", "index_select", "mask",          "reshape_copies",
    "contiguous", "compare",       "sum_all",      "max_of_dim",   "vecmat",        "batched",
    "fill_part",  "add_part",      "chunk"};

constexpr const char* kOpened[] = {"narrow_1",   "transpose_02",  "view_flat", "expand",
                                   "as_strided", "broadcast_add", "matmul",    "sum",
                                   "cat",        "index_select",  "fill_part", "batched"};

} // namespace

class TestMotionGolden : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void halfWay_data() { rows(); }
    void halfWay() {
        QFETCH(QString, name);
        const QString difference = test::compareGolden(QStringLiteral("motion_") + name, sceneOf(name));
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

    /// Files of some of them, opened by other programs.
    void opensElsewhere_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("format");
        for (const char* name : kOpened) {
            const QString text = QString::fromLatin1(name);
            QTest::newRow(qPrintable(text + QStringLiteral(" svg"))) << text << static_cast<int>(ExportFormat::Svg);
            QTest::newRow(qPrintable(text + QStringLiteral(" pdf"))) << text << static_cast<int>(ExportFormat::Pdf);
        }
    }
    void opensElsewhere() {
        QFETCH(QString, name);
        QFETCH(int, format);
        opens(name, static_cast<ExportFormat>(format));
    }
    void compilesAsLatex() {
        const Scene probe = sceneOf(QString::fromLatin1(kOpened[0]));
        const QString missing = test::rasterised(probe, ExportFormat::Tex).missing;
        if (!missing.isEmpty()) QSKIP(qPrintable(missing + QStringLiteral(" is not installed")));
        for (const char* name : kOpened) opens(QString::fromLatin1(name), ExportFormat::Tex);
    }

private:
    static Scene sceneOf(const QString& name) {
        const MotionPlan plan = motionPlan(operation(name));
        return motionScene(plan, motionLayout(plan, {760, 460}), 0.6);
    }
    static void opens(const QString& name, ExportFormat format) {
        const Scene scene = sceneOf(name);
        const test::Rasterised made = test::rasterised(scene, format);
        if (!made.missing.isEmpty()) QSKIP(qPrintable(made.missing + QStringLiteral(" is not installed")));
        QVERIFY2(made.failure.isEmpty(), qPrintable(made.failure));
        const QString difference = test::differenceFromScreen(
            made.image, scene, QStringLiteral("motion-%1-%2").arg(name).arg(static_cast<int>(format)), 0.06);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
    static void rows() {
        QTest::addColumn<QString>("name");
        for (const char* name : kNames) QTest::newRow(name) << QString::fromLatin1(name);
    }
};

QTEST_MAIN(TestMotionGolden)
#include "tst_motion_golden.moc"
