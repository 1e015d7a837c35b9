// Operations as motion: what stands where at the end, and that every moment is a function of t alone.

#include "widgets/motion/motion_blocks.h"

#include "core/backend/sim/sim.h"
#include "core/ops/creation.h"
#include "core/ops/extrema.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/reductions.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "tests/support/operation_samples.h"
#include "tests/widgets/motion/motion_fixture.h"
#include "widgets/motion/motion_view.h"
#include "widgets/scene/export.h"
#include "widgets/scene/scene_dump.h"
#include "widgets/theme/theme.h"

#include <QTest>

#include <map>
#include <random>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr QSizeF kPage(1280, 720);

Tensor counted(const Dims& shape) {
    Index n = 1;
    for (const Index size : shape) n *= size;
    return view(arange(0, n, 1, {}), shape);
}

/// One random operation on tensors of the pool; nothing when it is refused.
std::optional<Taken> randomOperation(std::mt19937& random, const std::vector<Tensor>& pool) {
    const auto below = [&random](Index n) {
        return static_cast<Index>(random() % static_cast<std::uint32_t>(std::max<Index>(n, 1)));
    };
    const Tensor a = pool[static_cast<std::size_t>(below(std::ssize(pool)))];
    const Tensor b = pool[static_cast<std::size_t>(below(std::ssize(pool)))];
    const Index rank = a.dim(), d = below(rank), e = below(rank);
    const auto size = [&](Index dim) { return rank > 0 ? a.size(dim) : 1; };
    const auto kind = below(22);
    const Index start = below(size(d)), length = below(size(d) - start + 1);
    const std::vector<Tensor> inputs{a, b};
    const auto act = [&]() -> std::vector<Tensor> {
        switch (kind) {
        case 0:
            return {narrow(a, d, start, length)};
        case 1:
            return {select(a, d, start)};
        case 2:
            return {slice(a, d, start, std::nullopt, 1 + below(3))};
        case 3:
            return {transpose(a, d, e)};
        case 4:
            return {unsqueeze(a, d)};
        case 5:
            return {squeeze(a)};
        case 6: {
            Dims sizes = a.shape();
            for (Index& each : sizes)
                if (each == 1) each = 1 + below(3);
            sizes.insert(0, 1 + below(2));
            return {expand(a, sizes)};
        }
        case 7:
            return {reshape(a, {a.numel()})};
        case 8:
            return {view(a, {-1})};
        case 9:
            return {contiguous(a)};
        case 10:
            return {clone(a)};
        case 11:
            return {sum(a, {}, false)};
        case 12:
            return {sum(a, Dims{d}, below(2) == 0)};
        case 13:
            return {cat({a, b}, d)};
        case 14:
            return {stack({a, a}, d)};
        case 15:
            return {flip(a, {d})};
        case 16:
            return {matmul(a, b)};
        case 17:
            return {add(a, b)};
        case 18:
            return {amax(a, Dims{d}, false)};
        case 19:
            return {diagonal(a, 0, d, e)};
        case 20:
            return {unfold(a, d, 1 + below(2), 1 + below(2))};
        default:
            return {asStrided(a, {1 + below(3), 1 + below(3)}, {below(3), below(3)})};
        }
    };
    try {
        return takeDown(act, inputs);
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

class TestMotion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theEndNamesTheResultsSlotsInRandomPrograms() {
        std::map<MotionFamily, int> seen;
        int played = 0;
        for (unsigned seed = 1; seed <= 60; ++seed) {
            std::mt19937 random(seed);
            std::vector<Tensor> pool{counted({3, 4}), counted({2, 3, 2}), counted({4}), counted({4, 3}), counted({})};
            for (int step = 0; step < 16; ++step) {
                const auto taken = randomOperation(random, pool);
                if (!taken || taken->made.empty()) continue;
                const Tensor& made = taken->made.front();
                if (made.numel() > 200 || made.dim() > 5) continue;
                pool.push_back(made);
                if (pool.size() > 9) pool.erase(pool.begin() + 3);
                const MotionPlan plan = motionPlan(taken->input);
                QVERIFY(plan.cells);
                const QString wrong = wrongAtEnd(plan, motionLayout(plan, kPage));
                QVERIFY2(wrong.isEmpty(),
                         qPrintable(QStringLiteral("seed %1 step %2 %3(%4): %5")
                                        .arg(seed)
                                        .arg(step)
                                        .arg(QString::fromStdString(taken->input.record.name),
                                             QString::fromStdString(taken->input.record.arguments), wrong)));
                ++seen[plan.family];
                ++played;
            }
        }
        QVERIFY2(played > 400, qPrintable(QString::number(played)));
        for (const MotionFamily family : {MotionFamily::View, MotionFamily::Copy, MotionFamily::Compute,
                                          MotionFamily::Reduce, MotionFamily::Product, MotionFamily::Alias})
            QVERIFY2(seen[family] > 3, qPrintable(QString::number(static_cast<int>(family))));
    }

    void theEndNamesTheResultsSlots_data() {
        QTest::addColumn<QString>("name");
        for (const Operation& op : operations())
            if (op.sample) QTest::newRow(std::string(op.name).c_str()) << QString::fromStdString(std::string(op.name));
    }
    void theEndNamesTheResultsSlots() {
        QFETCH(QString, name);
        const Operation* op = findOperation(name.toStdString());
        const DType dtype = op->dtypes.has(DType::Float32) ? DType::Float32
                            : op->dtypes.has(DType::Int64) ? DType::Int64
                            : op->dtypes.has(DType::Bool)  ? DType::Bool
                                                           : DType::Complex64;
        for (const std::vector<Tensor>& inputs : operationSamples(op->inputs, dtype)) {
            const auto taken = takeDown([&] { return op->sample(inputs); }, inputs);
            if (!taken) continue; // gives no tensor
            const MotionPlan plan = motionPlan(taken->input);
            const MotionLayout layout = motionLayout(plan, kPage);
            if (plan.cells) QCOMPARE(wrongAtEnd(plan, layout), QString());
            // Every moment can be drawn, and says something.
            for (const qreal t : {0.0, 0.3, 0.6, 1.0}) {
                QVERIFY(!motionScene(plan, layout, t).nodes.empty());
                QVERIFY(!plan.caption(t).isEmpty());
            }
        }
    }

    void copiesComeFromTheElementsThatTheyAreCopiesOf() {
        // The value of each cell on its way is the value that it has when it has arrived.
        const Tensor a = counted({4, 3});
        const Tensor index = cat({select(a, 0, 0), select(a, 0, 0)}, 0); // 0 1 2 0 1 2
        const std::vector<Tensor> inputs{a, index};
        const std::vector<std::function<Tensor()>> acts{
            [&] { return indexSelect(a, 0, index); },
            [&] { return clone(transpose(a, 0, 1)); },
            [&] { return flip(a, {0}); },
            [&] {
                return cat({a, a}, 1);
            },
            [&] { return take(a, index); },
        };
        for (const auto& act : acts) {
            const MotionInput input = motionOf(act, inputs);
            const auto from = motion::movedFrom(input, 0);
            QVERIFY2(from, input.record.name.c_str());
            const MotionStorage& made =
                input.storages[static_cast<std::size_t>(motion::storageOf(input, input.record.outputs[0]))];
            const std::vector<Index> slotsThere = countedSlots(input.record.outputs[0].view);
            for (std::size_t k = 0; k < slotsThere.size(); ++k) {
                const TensorRecord& side = input.record.inputs[(*from)[k].input];
                const MotionStorage& origin = input.storages[static_cast<std::size_t>(motion::storageOf(input, side))];
                const Index slot = countedSlots(side.view)[static_cast<std::size_t>((*from)[k].position)];
                QCOMPARE(made.after.data<std::int64_t>()[slotsThere[k]], origin.before.data<std::int64_t>()[slot]);
            }
            QCOMPARE(motionPlan(input).family, MotionFamily::Copy);
        }
    }

    void everyMomentIsAFunctionOfTime() {
        const Tensor a = counted({3, 4}), b = counted({4, 2});
        const std::vector<MotionInput> inputs{
            motionOf([&] { return transpose(a, 0, 1); }, {a}), motionOf([&] { return sum(a, Dims{1}, true); }, {a}),
            motionOf([&] { return matmul(a, b); }, {a, b}), motionOf([&] { return clone(transpose(a, 0, 1)); }, {a}),
            motionOf(
                [&] {
                    return expand(select(a, 0, 1), {3, 4});
                },
                {a})};
        const Theme theme;
        for (const MotionInput& input : inputs) {
            const MotionPlan plan = motionPlan(input);
            const MotionLayout layout = motionLayout(plan, {800, 500});
            std::vector<QImage> forward;
            for (int i = 0; i <= 24; ++i) forward.push_back(renderImage(motionScene(plan, layout, i / 24.0), theme));
            // Back, and forward again from another plan of the same: pixel for pixel.
            const MotionPlan again = motionPlan(input);
            const MotionLayout laidOut = motionLayout(again, {800, 500});
            for (int i = 24; i >= 0; --i)
                QCOMPARE(renderImage(motionScene(again, laidOut, i / 24.0), theme),
                         forward[static_cast<std::size_t>(i)]);
            QVERIFY(forward.front() != forward.back());
        }
    }

    /// At the beginning there are the operands in their own places; new strips come out in places of their own.
    void newStripsTakeNoOtherPlace() {
        const Tensor a = counted({3, 4}), row = counted({4}), chosen = counted({2});
        const std::pair<const char*, MotionInput> inputs[] = {
            {"add", motionOf([&] { return add(a, row); }, {a, row})},
            {"index_select", motionOf([&] { return indexSelect(a, 0, chosen); }, {a, chosen})},
            {"stack", motionOf(
                          [&] {
                              return stack({a, clone(a)});
                          },
                          {a})},
            {"sum", motionOf([&] { return sum(a, Dims{1}, false); }, {a})},
            {"matmul", motionOf([&] { return matmul(a, row); }, {a, row})},
        };
        for (const auto& [name, input] : inputs) {
            const MotionPlan plan = motionPlan(input);
            const MotionLayout layout = motionLayout(plan, kPage);
            for (const qreal t : {0.0, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0}) {
                std::map<int, QRectF> handles;
                for (const SceneNode& node : motionScene(plan, layout, t).nodes) {
                    const auto* box = std::get_if<BoxItem>(&node.item);
                    if (box && node.part.kind == PartKind::StripHandle) handles[node.part.index] = box->rect;
                    if (node.part.kind == PartKind::StripCells && t == 0)
                        QVERIFY2(!plan.boards[static_cast<std::size_t>(node.part.index)].fresh, name);
                }
                for (const auto& [board, rect] : handles) {
                    QVERIFY2(t > 0 || !plan.boards[static_cast<std::size_t>(board)].fresh, name);
                    for (const auto& [other, otherRect] : handles)
                        QVERIFY2(board == other || !rect.intersects(otherRect), name);
                }
            }
        }
    }

    void everyCardHasALetterOfItsOwn() {
        const Tensor a = counted({3, 4}), chosen = counted({2});
        MotionInput input = motionOf([&] { return indexSelect(a, 0, chosen); }, {a, chosen});
        input.inputs[0].colour = 0;
        input.inputs[0].letter = QLatin1Char('a');
        input.inputs[1].colour = -1; // a temporary
        input.inputs[1].letter = QChar();
        input.outputs[0].colour = 2;
        input.outputs[0].letter = QLatin1Char('B');
        const MotionPlan plan = motionPlan(input);
        QStringList letters;
        for (const MotionBoard& board : plan.boards)
            if (board.kind == MotionBoard::Kind::Card)
                letters << Theme::viewLetter(board.tensor.colour, board.tensor.letter).toUpper();
        QCOMPARE(letters.size(), 3);
        QVERIFY2(letters.removeDuplicates() == 0, qPrintable(letters.join(QLatin1Char(' '))));
    }

    /// A temporary takes no colour of a view whose card comes after it.
    void viewsKeepTheirColours() {
        const Tensor a = counted({3, 4}), turned = transpose(a, 0, 1), chosen = counted({2});
        MotionInput input = motionOf(
            [&] {
                indexFill_(a, 0, chosen, Scalar(7));
                return a;
            },
            {a, chosen}, {turned});
        input.inputs[0].colour = input.outputs[0].colour = 0;
        QCOMPARE(input.others.size(), std::size_t{1});
        input.others[0].colour = 1;
        input.others[0].letter = QLatin1Char('B');
        const MotionPlan plan = motionPlan(input);
        for (const MotionBoard& board : plan.boards)
            if (board.kind == MotionBoard::Kind::Card && board.tensor.name == input.others[0].name)
                QCOMPARE(board.tensor.colour, 1);
    }

    void stagesFollowOneAnotherWithWordsBeforeAndAfter() {
        const Tensor a = counted({2, 3, 4});
        const MotionPlan plan = motionPlan(motionOf([&] { return narrow(a, 1, 1, 2); }, {a}));
        QCOMPARE(plan.family, MotionFamily::View);
        QCOMPARE(plan.stages.size(), std::size_t{3});
        QCOMPARE(plan.times.stops.front(), 0.0);
        QCOMPARE(plan.times.stageEnds.back(), 1.0);
        // Not longer than two seconds and a bit.
        QVERIFY(plan.times.seconds > 1 && plan.times.seconds < 2.5);
        for (const MotionStage& stage : plan.stages) {
            QCOMPARE(plan.caption((stage.begin + stage.end) / 2), stage.before);
            QCOMPARE(plan.caption(stage.end), stage.after);
            QVERIFY(stage.before.endsWith(QLatin1Char('?')) && !stage.after.endsWith(QLatin1Char('?')));
        }
        QVERIFY(plan.caption(plan.stages[0].end).contains(QStringLiteral("offset 0 → 4")));
        QVERIFY(plan.caption(plan.stages[1].end).contains(QStringLiteral("16 of 24")));
    }

    void noCellOfAViewShowsAnotherSlotOnItsWay() {
        // In a transpose no picture says something false: what is on its way is one slot from beginning to end.
        const Tensor a = counted({3, 4});
        const MotionPlan plan = motionPlan(motionOf([&] { return transpose(a, 0, 1); }, {a}));
        const std::vector<Index> from = countedSlots(a.view()), to = countedSlots(plan.input.record.outputs[0].view);
        QCOMPARE(plan.moves.size(), to.size());
        for (const MotionCell& move : plan.moves) {
            QCOMPARE(move.slot, from[static_cast<std::size_t>(move.from)]);
            QCOMPARE(move.slot, to[static_cast<std::size_t>(move.to)]);
        }
    }

    /// Of as many cells as move a window shows a part with numbers, and follows what is made.
    void manyCellsHaveRoomForTheirNumbers() {
        const Tensor a = counted({64, 64}), row = counted({1, 4096});
        const MotionInput inputs[] = {
            motionOf([&] { return clone(transpose(a, 0, 1)); }, {a}), motionOf([&] { return transpose(a, 0, 1); }, {a}),
            motionOf([&] { return sum(a, Dims{1}, false); }, {a}), motionOf([&] { return add(row, 1); }, {row}),
            motionOf(
                [&] {
                    return view(a, {16, 16, 16});
                },
                {a})};
        for (const MotionInput& input : inputs) {
            const auto plan = std::make_shared<const MotionPlan>(motionPlan(input));
            const QSizeF window(1880, 900);
            QVERIFY2(motionIsCramped(*plan, window), input.record.name.c_str());
            const MotionLayout layout = motionLayout(*plan, motionRoomySize(*plan));
            for (std::size_t b = 0; b < plan->boards.size(); ++b)
                if (plan->boards[b].kind == MotionBoard::Kind::Card) QVERIFY(layout.boards[b].cell.width() >= 34);
            QCOMPARE(wrongAtEnd(*plan, layout), QString());
            MotionView view;
            view.resize(window.toSize());
            view.setPlan(plan);
            QImage first;
            for (const qreal t : {0.2, 0.7, 1.0, 0.7, 0.2}) {
                view.setTime(t);
                const QImage seen = view.grab().toImage();
                if (first.isNull()) first = seen;
                if (t == 1.0) QVERIFY(seen != first);
            }
            QCOMPARE(view.grab().toImage(), first);
        }
        // What has room in the window is seen whole.
        const Tensor few = counted({16, 16});
        QVERIFY(!motionIsCramped(motionPlan(motionOf([&] { return transpose(few, 0, 1); }, {few})), {1880, 900}));
    }

    void equalElementsSlideTogether() {
        const Tensor a = tensorFrom({{3, 1, 2}, {1, 3, 3}}, {DType::Float32, {}});
        const auto taken = takeDown(
            [&] {
                const UniqueValues found = unique(a, {true, true});
                return std::vector<Tensor>{found.values, found.inverse, found.counts};
            },
            {a});
        QVERIFY(taken);
        const MotionPlan plan = motionPlan(taken->input);
        QCOMPARE(plan.family, MotionFamily::Reduce);
        QVERIFY(plan.caption(plan.stages[0].end).contains(QStringLiteral("3 groups of equal elements")));
        // Where each element goes, and where each result comes from: 1, 2, 3 first stand at 1, 2, 0.
        const Index home[] = {0, 1, 2, 1, 0, 0}, first[] = {1, 2, 0};
        for (const MotionCell& move : plan.moves) {
            if (!move.result) QCOMPARE(move.to, home[move.from]);
            const int output = plan.boards[move.toBoard].output;
            if (move.result) QCOMPARE(move.from, output == 1 ? move.to : first[move.to]);
        }
        const MotionPlan runs = motionPlan(motionOf([&] { return uniqueConsecutive(a).values; }, {a}));
        QCOMPARE(runs.family, MotionFamily::Reduce);
        const Index runsBegin[] = {0, 1, 2, 3, 4, 4};
        for (const MotionCell& move : runs.moves)
            if (!move.result) QCOMPARE(move.to, runsBegin[move.from]);
    }

    void groupsSlideTogetherAlongTheirDim() {
        const Tensor a = counted({2, 3});
        const MotionPlan plan = motionPlan(motionOf([&] { return sum(a, Dims{1}, false); }, {a}));
        QCOMPARE(plan.family, MotionFamily::Reduce);
        const MotionLayout layout = motionLayout(plan, kPage);
        int slid = 0;
        for (const MotionCell& move : plan.moves) {
            if (move.result) continue;
            const QPointF from = layout.cell(plan, 0, move.from), to = layout.cell(plan, 0, move.to);
            QCOMPARE(from.y(), to.y());
            QVERIFY(from.x() >= to.x());
            ++slid;
        }
        QCOMPARE(slid, 6);
        const MotionPlan kept = motionPlan(motionOf([&] { return sum(a, Dims{0}, true); }, {a}));
        QVERIFY(kept.stage(MotionWhat::Slide)
                    ->after.contains(QStringLiteral("keepdim leaves a dim of size 1: size (1, 3)")));
    }

    void productsStandRoundTheCorner_data() {
        QTest::addColumn<QList<int>>("left");
        QTest::addColumn<QList<int>>("right");
        QTest::newRow("1-d 1-d") << QList<int>{3} << QList<int>{3};
        QTest::newRow("2-d 2-d") << QList<int>{2, 3} << QList<int>{3, 4};
        QTest::newRow("1-d 2-d") << QList<int>{3} << QList<int>{3, 4};
        QTest::newRow("2-d 1-d") << QList<int>{2, 3} << QList<int>{3};
        QTest::newRow("batched") << QList<int>{2, 2, 3} << QList<int>{2, 3, 2};
        QTest::newRow("batch broadcast") << QList<int>{2, 3} << QList<int>{2, 3, 2};
        QTest::newRow("two batch dims") << QList<int>{2, 2, 2, 3} << QList<int>{3, 2};
        QTest::newRow("nothing to sum") << QList<int>{2, 0} << QList<int>{0, 3};
    }
    void productsStandRoundTheCorner() {
        QFETCH(QList<int>, left);
        QFETCH(QList<int>, right);
        const auto dims = [](const QList<int>& list) {
            Dims all;
            for (const int each : list) all.push_back(each);
            return all;
        };
        const Tensor a = counted(dims(left)), b = counted(dims(right));
        const MotionPlan plan = motionPlan(motionOf([&] { return matmul(a, b); }, {a, b}));
        QCOMPARE(plan.family, MotionFamily::Product);
        const MotionLayout layout = motionLayout(plan, kPage);
        QCOMPARE(wrongAtEnd(plan, layout), QString());
        // The row that makes an element stands left of it, the column above it: first of all of the first one.
        if (plan.input.record.outputs[0].view.numel() == 0 || a.numel() == 0) return;
        for (const MotionCell& move : plan.moves) {
            if (move.result || move.to != 0) continue;
            const QPointF from = layout.cell(plan, move.fromBoard, move.from), to = layout.cell(plan, 2, 0);
            const bool isLeft = plan.boards[move.fromBoard].role == MotionBoard::Role::Left;
            QVERIFY(isLeft ? from.x() < to.x() && from.y() == to.y() : from.y() < to.y() && from.x() == to.x());
        }
    }

    void writesAreSeenByAllViewsAtOnce() {
        const Tensor a = counted({3, 4}), row = select(a, 0, 1), turned = transpose(a, 0, 1);
        const MotionPlan plan = motionPlan(motionOf(
            [&] {
                add_(row, Scalar(100));
                return row;
            },
            {row}, {a, turned}));
        QCOMPARE(plan.family, MotionFamily::Write);
        const MotionLayout layout = motionLayout(plan, kPage);
        QCOMPARE(wrongAtEnd(plan, layout), QString());
        // At every moment a slot has one value, wherever it is seen.
        for (int i = 0; i <= 20; ++i) {
            const Scene scene = motionScene(plan, layout, i / 20.0);
            std::map<Index, std::int64_t> values;
            for (const SceneNode& node : scene.nodes) {
                const auto* cells = std::get_if<CellsItem>(&node.item);
                const bool stands = node.part.kind == PartKind::CardCells || node.part.kind == PartKind::StripCells;
                if (!cells || !stands || !cells->source.defined()) continue;
                for (const CellsItem::Cell& cell : cells->cells) {
                    const std::int64_t value = cells->source.data<std::int64_t>()[cell.slot];
                    QCOMPARE(values.try_emplace(cell.slot, value).first->second, value);
                }
            }
            QCOMPARE(values.size(), std::size_t{12});
            for (Index slot = 4; slot < 8; ++slot) {
                if (i == 0) QCOMPARE(values[slot], std::int64_t{slot});
                if (i == 20) QCOMPARE(values[slot], std::int64_t{slot + 100});
            }
        }
    }

    void elementsTravelToAnotherDevice() {
        enableSim({});
        {
            const Tensor a = transpose(counted({2, 3}), 0, 1);
            const MotionInput input = motionOf([&] { return to(a, Device{DeviceType::Sim, 0}); }, {a});
            const MotionPlan plan = motionPlan(input);
            QCOMPARE(plan.family, MotionFamily::Transfer);
            const MotionLayout layout = motionLayout(plan, kPage);
            QCOMPARE(wrongAtEnd(plan, layout), QString());
            QVERIFY(plan.caption(1).contains(QStringLiteral("48 B went to sim:0")));
            // Strip to strip and card to card, at the same time.
            for (const MotionCell& move : plan.moves)
                if (!move.result) QVERIFY(move.begin >= plan.stage(MotionWhat::Cells)->begin - 1e-9);
        }
        disableSim();
    }

    void aRefusedWriteEndsWhereACellComesAgain() {
        const Tensor line = counted({5});
        const Tensor shared = asStrided(line, {2, 3}, {2, 1});
        MotionInput input;
        input.code = QStringLiteral("b.add_(1)");
        input.refusal = Refusal{ErrorKind::Runtime, "OVERLAP-01", "unsupported operation: shared\nclone() it", "", {}};
        input.record.name = "write";
        input.record.effect = OpEffect::InPlace;
        input.record.inputs = input.record.outputs = {trace::record(shared)};
        MotionTensor side;
        side.record = input.record.outputs[0];
        input.inputs = input.outputs = {side};
        MotionStorage storage;
        storage.id = side.record.storageId;
        storage.dtype = DType::Int64;
        storage.numel = 5;
        storage.before = storage.after = copyOf(line.storage(), DType::Int64);
        input.storages = {storage};
        const MotionPlan plan = motionPlan(input);
        // 0 1 2, and 2 again.
        QCOMPARE(plan.hits, (std::vector<Index>{0, 1, 2, 2}));
        QVERIFY(plan.caption(1).contains(QStringLiteral("slot 2 again")));
        const MotionLayout layout = motionLayout(plan, kPage);
        const QString end = dumpScene(motionScene(plan, layout, 1));
        QVERIFY(end.contains(QStringLiteral("×2")));
        QVERIFY(!end.contains(QStringLiteral("written")));
        QCOMPARE(wrongAtEnd(plan, layout), QString());
    }

    void whatIsTooLargeIsToldInNumbers() {
        const Tensor a = zeros({100, 100});
        const MotionPlan plan = motionPlan(motionOf([&] { return transpose(a, 0, 1); }, {a}));
        QVERIFY(!plan.cells);
        QVERIFY(plan.moves.empty());
        QVERIFY(plan.caption(0).contains(QStringLiteral("too many")));
        QVERIFY(plan.caption(1).contains(QStringLiteral("stride (100, 1) → (1, 100)")));
        const MotionPlan copied = motionPlan(motionOf([&] { return clone(a); }, {a}));
        QVERIFY2(copied.caption(1).contains(QStringLiteral("40\u202f000 B were read")), qPrintable(copied.caption(1)));
        for (const MotionPlan* each : {&plan, &copied})
            for (const SceneNode& node : motionScene(*each, motionLayout(*each, kPage), 0.5).nodes)
                QVERIFY(!std::holds_alternative<CellsItem>(node.item));
    }

    /// A card and a strip without cells are a frame with "0 elements" in it, never nothing.
    void whatHasNoElementsSaysSo() {
        const Tensor none = zeros({0, 3}), some = counted({2, 3});
        const std::vector<Tensor> both{none, some};
        const std::vector<MotionInput> inputs{motionOf([&] { return cat(both, 0); }, {none, some}),
                                              motionOf([&] { return sum(none, Dims{0}, false); }, {none}),
                                              motionOf([&] { return transpose(none, 0, 1); }, {none})};
        for (const MotionInput& input : inputs) {
            const MotionPlan plan = motionPlan(input);
            for (const QSizeF page : {QSizeF(1280, 560), QSizeF(1920, 900)}) {
                const MotionLayout layout = motionLayout(plan, page);
                for (const qreal t : {0.0, 0.5, 1.0}) {
                    int frames = 0;
                    for (const SceneNode& node : motionScene(plan, layout, t).nodes) {
                        const auto* grid = std::get_if<GridItem>(&node.item);
                        if (!grid) continue;
                        QVERIFY(grid->rows == 0 && grid->area.width() >= 90 && grid->area.height() >= 20);
                        QVERIFY(QRectF(QPointF(), page).contains(grid->area));
                        ++frames;
                    }
                    int empty = 0;
                    for (const MotionBoard& board : plan.boards) empty += board.positions() == 0 ? 1 : 0;
                    QVERIFY2(empty > 0 && (t < 1 ? frames > 0 : frames == empty), input.record.name.c_str());
                }
            }
        }
    }

    void cellsStayOnThePage_data() {
        QTest::addColumn<QSizeF>("page");
        QTest::newRow("1280x720") << QSizeF(1280, 560);
        QTest::newRow("1920x1080") << QSizeF(1920, 900);
        QTest::newRow("small") << QSizeF(700, 420);
    }
    void cellsStayOnThePage() {
        QFETCH(QSizeF, page);
        const Tensor a = counted({2, 3, 4}), wide = counted({64, 64}), m = counted({12, 9}), n = counted({9, 11});
        const std::vector<MotionInput> inputs{motionOf(
                                                  [&] {
                                                      return permute(a, {2, 0, 1});
                                                  },
                                                  {a}),
                                              motionOf([&] { return transpose(wide, 0, 1); }, {wide}),
                                              motionOf([&] { return matmul(m, n); }, {m, n}),
                                              motionOf([&] { return clone(wide); }, {wide}),
                                              motionOf(
                                                  [&] {
                                                      return expand(view(a, {1, 2, 3, 4}), {3, 2, 3, 4});
                                                  },
                                                  {a})};
        for (const MotionInput& input : inputs) {
            const MotionPlan plan = motionPlan(input);
            const MotionLayout layout = motionLayout(plan, page);
            for (const qreal t : {0.0, 0.2, 0.5, 0.8, 1.0}) {
                for (const SceneNode& node : motionScene(plan, layout, t).nodes) {
                    const auto* cells = std::get_if<CellsItem>(&node.item);
                    for (std::size_t i = 0; cells && i < cells->cells.size(); ++i) {
                        const QRectF cell(cells->cells[i].at, cells->size);
                        QVERIFY2(QRectF(QPointF(), page).adjusted(-0.5, -0.5, 0.5, 0.5).contains(cell),
                                 input.record.name.c_str());
                    }
                }
            }
        }
    }

    void blocksTellBeforeAndAfter() {
        const Tensor a = counted({2, 3, 4}), b = counted({4, 2});
        const auto dumpOf = [](const MotionInput& input) {
            const auto scene = motionBlocks(input, 1600);
            return scene ? dumpScene(*scene) : QString::fromStdString(scene.refusal().id);
        };
        const QString narrowed = dumpOf(motionOf([&] { return narrow(a, 1, 1, 2); }, {a}));
        QVERIFY(narrowed.contains(QStringLiteral("size (2, 2, 4) · stride (12, 4, 1) · offset 4")));
        QVERIFY(narrowed.contains(QStringLiteral("left out by narrow")));
        const QString product = dumpOf(motionOf([&] { return matmul(a, b); }, {a, b}));
        QVERIFY(product.contains(QStringLiteral("\"@\"")) && product.contains(QStringLiteral("\"=\"")));
        const QString copied = dumpOf(motionOf([&] { return clone(a); }, {a}));
        QVERIFY(copied.contains(QStringLiteral("new storage, 192 B")));
        const Tensor large = counted({9, 9, 9});
        QCOMPARE(dumpOf(motionOf([&] { return transpose(large, 0, 1); }, {large})), QStringLiteral("FIG-01"));
    }
};

QTEST_MAIN(TestMotion)
#include "tst_motion.moc"
