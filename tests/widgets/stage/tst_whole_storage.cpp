// A storage of any size at a glance: zooming out until all of it is in sight, what its pixels show then, and the map.

#include "core/job.h"
#include "core/storage/mapped_file.h"
#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/strip_summary.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/summary_maker.h"

#include <QElapsedTimer>
#include <QPaintEvent>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <fstream>
#include <limits>
#include <random>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

void put(const Tensor& tensor, Index slot, double value) {
    std::byte* const at = tensor.storage()->data() + slot * static_cast<Index>(itemSize(tensor.dtype()));
    storeElement(at, tensor.dtype(), Scalar(value));
}

Tensor uninitialised(Index count, DType dtype) {
    auto* bytes = new std::vector<std::byte>(static_cast<std::size_t>(count) * itemSize(dtype) + 1);
    StoragePtr storage = Storage::wrap(
        bytes->data(), static_cast<std::size_t>(count) * itemSize(dtype), Device{}, [bytes] { delete bytes; }, "heap");
    return Tensor(storage, View{{count}, {1}, 0}, dtype);
}

Tensor random(Index count, DType dtype, unsigned seed) {
    Tensor tensor = uninitialised(count, dtype);
    std::mt19937 numbers(seed);
    std::uniform_real_distribution<double> value(-1000, 1000);
    const bool odd = isFloating(dtype) || isComplex(dtype);
    for (Index i = 0; i < count; ++i) {
        const auto kind = static_cast<unsigned>(numbers() % 1000);
        const double v = value(numbers);
        put(tensor, i, odd && kind == 0 ? kNan : odd && kind == 1 ? kInf : dtype == DType::Bool ? kind % 2 : v / 10);
    }
    // A stretch without a number.
    for (Index i = count / 2; odd && i < std::min(count, count / 2 + 4000); ++i) put(tensor, i, kNan);
    return tensor;
}

/// A file of so many elements that takes no room but for those that are written.
Tensor sparseFile(const QTemporaryDir& folder, Index count, DType dtype,
                  const std::vector<std::pair<Index, double>>& at) {
    const std::filesystem::path path = folder.filePath(QStringLiteral("sparse")).toStdString();
    const auto bytes = static_cast<std::uintmax_t>(count) * itemSize(dtype);
    std::ofstream(path, std::ios::binary).put(0);
    std::filesystem::resize_file(path, bytes);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    for (const auto& [slot, value] : at) {
        std::vector<std::byte> element(itemSize(dtype));
        storeElement(element.data(), dtype, Scalar(value));
        file.seekp(slot * static_cast<Index>(itemSize(dtype)));
        file.write(reinterpret_cast<const char*>(element.data()), static_cast<std::streamsize>(element.size()));
    }
    file.close();
    auto mapped = MappedFile::open(path);
    if (!mapped) qFatal("%s", mapped.refusal().message.c_str());
    return Tensor((*mapped)->storage(0, static_cast<std::size_t>(bytes)), View{{count}, {1}, 0}, dtype);
}

/// Lowest and highest number of some cells, and whether one is no number.
struct Looped {
    double low = kNan, high = kNan;
    bool nan = false;
};
Looped loop(const Tensor& tensor, SlotRange cells) {
    const CellValues values(tensor);
    Looped found;
    for (Index i = cells.first; i < cells.last; ++i) {
        const double v = values.at(i);
        if (v != v) {
            found.nan = true;
            continue;
        }
        if (!(found.low <= v)) found.low = v;
        if (!(found.high >= v)) found.high = v;
    }
    return found;
}
bool isSame(double a, double b) {
    return a == b || (a != a && b != b);
}

/// A stage on one tensor.
struct Bench {
    Workspace workspace;
    WorkspaceModel model;
    ExploreStage stage{&model};
    Tensor base;
    TensorId id;

    explicit Bench(Tensor tensor, View view = {}, QSize size = {1280, 700}) : base(std::move(tensor)) {
        const Tensor shown = view.shape.empty() ? base : base.withView(std::move(view));
        id = workspace.add(QStringLiteral("x"), QStringLiteral("torch.load()"), shown, 0, 0);
        model.setSnapshot(workspace.snapshot());
        model.select(id);
        stage.setReducedMotion(true);
        stage.resize(size);
        stage.show();
    }
    StripPlan strip() const { return *planStage(stage.state()).strip; }
    const StripItem& item() const {
        for (const SceneNode& node : stage.scene().nodes) {
            if (const auto* strip = std::get_if<StripItem>(&node.item)) return *strip;
        }
        qFatal("no strip");
    }
    QString words() const {
        for (const SceneNode& node : stage.scene().nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            if (text && text->text.contains(QStringLiteral("one pixel "))) return text->text;
        }
        return {};
    }
    bool isWhole() const { return !strip().scrollsRows() && !strip().scrollsColumns(); }
    void command(Qt::Key key) { QTest::keyClick(&stage, key, Qt::ControlModifier); }
};

} // namespace

class TstWholeStorage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void extentsAreThoseOfALoop_data();
    void extentsAreThoseOfALoop();
    void tilesAreMadeOfFinerOnes();
    void samplesAreNeverBeyond();
    void wholeIsInSight_data();
    void wholeIsInSight();
    void zoomToTheWholeAndBack_data();
    void zoomToTheWholeAndBack();
    void zoomIsAboutThePickedCell();
    void anotherWrapLeavesTheWhole();
    void otherStoragesKeepTheirSize();
    void pixelsShowTheirElements_data();
    void pixelsShowTheirElements();
    void writesAreSeen();
    void largeFilesAreSampled();
    void mapShowsTheEnvelope();
    void scrollPaintsOneRectangle();
    void fewElements();
    void nothingIsKept();
};

void TstWholeStorage::extentsAreThoseOfALoop_data() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype :
         {DType::Float32, DType::Float16, DType::Float64, DType::Complex64, DType::Bool, DType::UInt8, DType::Int64})
        QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
}

void TstWholeStorage::extentsAreThoseOfALoop() {
    QFETCH(int, dtype);
    constexpr Index kCount = 150'077;
    const Tensor tensor = random(kCount, static_cast<DType>(dtype), 7);
    const CellValues values(tensor);
    for (const double share : {17.0, 40.0, 512.0, 3000.0, 1e5}) {
        const int level = summaryLevel(1 / share);
        QVERIFY(level > 0);
        QVERIFY(static_cast<double>(summaryBlock(1 / share)) * 8 <= share);
        StripSummary summary(kCount);
        const SlotRange tiles = StripSummary::tilesOf(level, {0, kCount});
        for (Index i = tiles.first; i < tiles.last; ++i)
            summary.put(level, i, summarise(values, level, i, true, Job()));
        QCOMPARE(summary.exactShare(level, {0, kCount}), 1.0);
        // Columns of whole blocks; the last one ends with the storage.
        const Index cells = static_cast<Index>(share) / summaryBlock(1 / share) * summaryBlock(1 / share);
        std::vector<SlotRange> columns;
        for (Index at = 0; at < kCount; at += cells) columns.push_back({at, std::min(kCount, at + cells)});
        const Extents found = summary.read(level, columns);
        for (std::size_t x = 0; x < columns.size(); ++x) {
            const Looped expected = loop(tensor, columns[x]);
            const QByteArray what = QByteArray::number(share) + " in a column, column " + QByteArray::number(qint64(x));
            QVERIFY2(isSame(found.low[x], expected.low), what);
            QVERIFY2(isSame(found.high[x], expected.high), what);
            QVERIFY2(found.nan[x] == expected.nan, what);
            QVERIFY2(found.known[x] == Known::All, what);
        }
    }
    // Few cells in a column are read one by one, without a summary.
    std::vector<SlotRange> columns;
    for (Index at = 0; at < kCount; at += 9) columns.push_back({at, std::min(kCount, at + 9)});
    const Extents found = readColumns(values, nullptr, 1 / 9.0, columns, 2);
    for (std::size_t x = 0; x < columns.size(); ++x) {
        QVERIFY(isSame(found.low[x], loop(tensor, columns[x]).low));
        QVERIFY(isSame(found.high[x], loop(tensor, columns[x]).high));
    }
}

void TstWholeStorage::tilesAreMadeOfFinerOnes() {
    constexpr Index kCount = 200'003;
    const Tensor tensor = random(kCount, DType::Float32, 11);
    const CellValues values(tensor);
    StripSummary fine(kCount);
    QVERIFY(!fine.putMerged(5, 0));
    const SlotRange tiles = StripSummary::tilesOf(2, {0, kCount});
    QVERIFY(tiles.last > 4);
    for (Index i = tiles.first; i < tiles.last; ++i) {
        QVERIFY(i >= 8 || !fine.putMerged(5, 0));
        fine.put(2, i, summarise(values, 2, i, true, Job()));
    }
    for (const Index tile : {Index{0}, Index{1}}) {
        QVERIFY(fine.putMerged(5, tile));
        StripSummary direct(kCount);
        direct.put(5, tile, summarise(values, 5, tile, true, Job()));
        const Index first = tile * StripSummary::tileCells(5);
        std::vector<SlotRange> columns;
        for (Index at = first; at < std::min(kCount, first + StripSummary::tileCells(5)); at += 32)
            columns.push_back({at, std::min(kCount, at + 32)});
        const Extents a = fine.read(5, columns), b = direct.read(5, columns);
        for (std::size_t x = 0; x < columns.size(); ++x) {
            QVERIFY(isSame(a.low[x], b.low[x]) && isSame(a.high[x], b.high[x]) && a.nan[x] == b.nan[x]);
            QVERIFY(a.known[x] == Known::All && b.known[x] == Known::All);
        }
    }
    // Before its own level is there a picture has the nearest other one, as samples.
    const Extents other = fine.read(3, {{0, 64}});
    QVERIFY(other.known[0] == Known::Samples);
    QVERIFY(isSame(other.high[0], loop(tensor, {0, 64}).high));
    QVERIFY(StripSummary(kCount).read(3, {{0, 64}}).known[0] == Known::Nothing);
    fine.age();
    QVERIFY(fine.read(2, {{0, 64}}).known[0] == Known::Samples);
    QVERIFY(!fine.putMerged(6, 0));
}

void TstWholeStorage::samplesAreNeverBeyond() {
    constexpr Index kCount = 1'000'000;
    const Tensor tensor = random(kCount, DType::Float32, 3);
    const CellValues values(tensor);
    StripSummary summary(kCount);
    const SlotRange tiles = StripSummary::tilesOf(6, {0, kCount});
    for (Index i = tiles.first; i < tiles.last; ++i) summary.put(6, i, summarise(values, 6, i, false, Job()));
    const Looped all = loop(tensor, {0, kCount});
    for (Index at = 0; at < kCount; at += 1000) {
        const Extents found = summary.read(6, {{at, at + 1000}});
        QVERIFY(found.known[0] == Known::Samples);
        if (found.low[0] != found.low[0]) continue;
        QVERIFY(found.low[0] >= all.low && found.high[0] <= all.high && found.low[0] <= found.high[0]);
    }
    Job cancelled;
    cancelled.cancel();
    QVERIFY(!summarise(values, 6, 0, false, cancelled));
    QVERIFY(!summarise(values, 15, 0, true, cancelled));
}

void TstWholeStorage::wholeIsInSight_data() {
    QTest::addColumn<qlonglong>("count");
    QTest::addColumn<int>("wrap");
    QTest::addColumn<QSize>("size");
    for (const qlonglong count : {1LL, 20LL, 300LL, 5000LL, 10'000LL, 1'000'000LL, 1'000'000'000LL}) {
        for (const int wrap : {0, 1, 2, 3}) {
            for (const QSize size : {QSize(1280, 700), QSize(1920, 1000), QSize(700, 360)})
                QTest::addRow("%lld, wrap %d, %dx%d", count, wrap, size.width(), size.height())
                    << count << wrap << size;
        }
    }
}

void TstWholeStorage::wholeIsInSight() {
    QFETCH(qlonglong, count);
    QFETCH(int, wrap);
    QFETCH(QSize, size);
    // Only the layout is asked: one byte stands for all of them.
    std::byte memory{};
    const Tensor base(Storage::wrap(
                          &memory, static_cast<std::size_t>(count), Device{DeviceType::Sim}, [] {}, "none"),
                      View{{count}, {1}, 0}, DType::UInt8);
    Workspace workspace;
    const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("y"), base, 0, 0);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    state.viewport = size;
    state.options.wrap = static_cast<StripWrap>(wrap);
    state.options.wrapNumber = 7;
    const qreal whole = wholeCellSize(state);
    state.options.cellSize = whole;
    const StripPlan strip = *planStage(state).strip;
    QVERIFY(!strip.scrollsRows());
    QVERIFY(!strip.scrollsColumns());
    QVERIFY(leastCellSize(state) <= kMinCellSize);
    if (whole == 0) return;
    // Most of the room is used.
    const StripLayout& layout = strip.layout;
    const double used =
        static_cast<double>(count) * layout.cellWidth / (layout.area.width() * static_cast<double>(strip.visibleRows));
    if (wrap == 0 && count > 100'000) QVERIFY2(used > 0.6, QByteArray::number(used));
    if (whole < 1) QCOMPARE(1 / whole, std::round(1 / whole));
    state.options.cellSize = std::max(whole * 2, whole < 1 ? 0 : kNumberWidth);
    const StripPlan larger = *planStage(state).strip;
    QVERIFY(larger.scrollsRows() || larger.scrollsColumns());
}

void TstWholeStorage::zoomToTheWholeAndBack_data() {
    QTest::addColumn<qlonglong>("count");
    QTest::newRow("20") << 20LL;
    QTest::newRow("10^4") << 10'000LL;
    QTest::newRow("10^9, a mapped file") << 1'000'000'000LL;
}

void TstWholeStorage::zoomToTheWholeAndBack() {
    QFETCH(qlonglong, count);
    const QTemporaryDir folder;
    Bench bench(sparseFile(folder, count, DType::UInt8, {{count / 3, 200}}));
    const auto centre = [&] { return bench.strip().layout.area.center(); };
    for (const Index slot : {Index{count / 3}, Index{count / 2}, Index{count - 1}, Index{0}}) {
        bench.command(Qt::Key_0);
        QCOMPARE(bench.stage.options().cellSize, 0.0);
        bench.stage.jumpTo(slot);
        const StripLayout before = bench.strip().layout;
        const Index middle = slotToKeep(bench.strip(), centre());
        bench.command(Qt::Key_9);
        QVERIFY(bench.isWhole());
        QVERIFY(bench.strip().inSight(0) && bench.strip().inSight(count - 1));
        bench.command(Qt::Key_0);
        QCOMPARE(bench.strip().layout.cellWidth, before.cellWidth);
        QVERIFY2(bench.strip().inSight(middle), QByteArray::number(qlonglong(slot)));
        const Index now = slotToKeep(bench.strip(), centre());
        // The same row of cells; where rows are filled a cell cannot change its column.
        QVERIFY2(std::abs(now - middle) <= before.perRow, QByteArray::number(qlonglong(now - middle)));
        // Step by step: out to the whole, and in again.
        int steps = 0;
        while (!bench.isWhole() && ++steps < 120) bench.command(Qt::Key_Minus);
        QVERIFY2(bench.isWhole(), QByteArray::number(bench.strip().layout.cellWidth));
        const Index kept = slotToKeep(bench.strip(), centre());
        QVERIFY(kept >= 0);
        while (bench.strip().layout.cellWidth < kMaxCellSize && ++steps < 240) bench.command(Qt::Key_Plus);
        QCOMPARE(bench.strip().layout.cellWidth, kMaxCellSize);
        if (before.perRow < count) QVERIFY2(bench.strip().inSight(middle), QByteArray::number(qlonglong(slot)));
    }
    // No farther than the whole.
    for (int i = 0; i < 120; ++i) bench.command(Qt::Key_Minus);
    QCOMPARE(bench.strip().layout.cellWidth, leastCellSize(bench.stage.state()));
    QVERIFY(bench.isWhole());
}

void TstWholeStorage::zoomIsAboutThePickedCell() {
    Bench bench(uninitialised(3'000'000, DType::UInt8));
    for (const Index slot : {Index{2'900'001}, Index{7}, Index{1'234'567}}) {
        bench.command(Qt::Key_9);
        QVERIFY(bench.isWhole());
        bench.model.setPick(Pick{bench.strip().storageId, slot, 0, {}});
        bench.command(Qt::Key_0);
        QVERIFY2(bench.strip().inSight(slot), QByteArray::number(qlonglong(slot)));
        bench.command(Qt::Key_9);
        for (int step = 0; step < 12; ++step) {
            bench.command(Qt::Key_Plus);
            QVERIFY2(bench.strip().inSight(slot), QByteArray::number(qlonglong(slot)));
        }
    }
}

void TstWholeStorage::anotherWrapLeavesTheWhole() {
    Bench bench(uninitialised(10'000, DType::Float32));
    const qreal usual = bench.strip().layout.cellWidth;
    bench.command(Qt::Key_9);
    QVERIFY(bench.strip().layout.cellWidth < usual / 4);
    bench.stage.setWrap(StripWrap::Line64);
    QCOMPARE(bench.strip().layout.perRow, Index{16});
    QVERIFY(bench.strip().layout.cellWidth >= usual);
    // Long rows keep the size: they are seen at it.
    bench.stage.setCellSize(2);
    bench.stage.setWrap(StripWrap::Number, 200);
    QCOMPARE(bench.strip().layout.cellWidth, 2.0);
}

void TstWholeStorage::otherStoragesKeepTheirSize() {
    // A size that shows a large storage whole is no size for the cells of a small one.
    Bench bench(uninitialised(3'000'000, DType::UInt8));
    const TensorId small = bench.workspace.add(QStringLiteral("s"), QStringLiteral("torch.arange(12)"), counting(12));
    bench.model.setSnapshot(bench.workspace.snapshot());
    bench.model.select(small);
    bench.stage.zoom(Zoom::Actual);
    const qreal usual = bench.strip().layout.cellWidth;
    bench.model.select(bench.id);
    bench.stage.zoom(Zoom::Whole);
    const qreal whole = bench.strip().layout.cellWidth;
    QVERIFY(whole < kMinCellSize);
    bench.model.select(small);
    QCOMPARE(bench.strip().layout.cellWidth, usual);
    bench.model.select(bench.id);
    QCOMPARE(bench.strip().layout.cellWidth, whole);
}

void TstWholeStorage::pixelsShowTheirElements_data() {
    QTest::addColumn<qlonglong>("count");
    QTest::addColumn<int>("dtype");
    QTest::newRow("small, at once") << 200'000LL << static_cast<int>(DType::Float32);
    QTest::newRow("float32") << 5'000'000LL << static_cast<int>(DType::Float32);
    QTest::newRow("bool") << 5'000'000LL << static_cast<int>(DType::Bool);
    QTest::newRow("complex64") << 3'000'000LL << static_cast<int>(DType::Complex64);
}

void TstWholeStorage::pixelsShowTheirElements() {
    QFETCH(qlonglong, count);
    QFETCH(int, dtype);
    Bench bench(random(count, static_cast<DType>(dtype), 5));
    bench.stage.zoom(Zoom::Whole);
    const StripLayout layout = bench.strip().layout;
    const auto share = static_cast<Index>(std::llround(1 / layout.cellWidth));
    QTRY_VERIFY2(bench.words().endsWith(QStringLiteral("min/max")), qPrintable(bench.words()));
    QVERIFY2(bench.words().contains(QStringLiteral("0..")), qPrintable(bench.words()));
    QVERIFY2(!bench.words().contains(QStringLiteral("= ≈")), qPrintable(bench.words()));
    // Columns of the picture begin where rows do, and have `share` elements each.
    const StripItem& item = bench.item();
    const CellValues values(bench.base);
    for (const Index row : {Index{0}, layout.rowCount() / 2, layout.rowCount() - 1}) {
        std::vector<SlotRange> columns;
        const Index end = std::min<Index>(count, (row + 1) * layout.perRow);
        for (Index at = row * layout.perRow; at < end; at += share) columns.push_back({at, std::min(end, at + share)});
        const Extents found = readColumns(values, item.summary.table.get(), layout.cellWidth, columns, 2);
        for (std::size_t x = 0; x < columns.size(); ++x) {
            const Looped expected = loop(bench.base, columns[x]);
            QVERIFY(found.known[x] == Known::All);
            QVERIFY(isSame(found.low[x], expected.low) && isSame(found.high[x], expected.high));
            QVERIFY(found.nan[x] == expected.nan);
        }
    }
}

void TstWholeStorage::writesAreSeen() {
    Bench bench(counting(2'000'000, DType::Float32));
    bench.stage.zoom(Zoom::Whole);
    QTRY_VERIFY(bench.words().endsWith(QStringLiteral("min/max")));
    put(bench.base, 1'234'567, -5e6);
    bench.base.storage()->bumpVersion();
    bench.model.notifyValuesChanged(bench.base.storage()->id());
    QTRY_VERIFY(bench.words().endsWith(QStringLiteral("min/max")));
    const qreal width = bench.strip().layout.cellWidth;
    const Extents found = bench.item().summary.table->read(summaryLevel(width), {{1'234'000, 1'235'000}});
    QCOMPARE(found.low[0], -5e6);
}

void TstWholeStorage::largeFilesAreSampled() {
    // 3 * 10^9 bytes: shown soon, in words that do not promise more, and no frame waits for the disk.
    const QTemporaryDir folder;
    Bench bench(sparseFile(folder, 750'000'000, DType::Float32, {{5, 1}}));
    // Beside numbers the map alone is made of samples: it is marked, clear of the frame round what is in sight.
    const auto markOnMap = [&bench]() -> QRectF {
        for (const SceneNode& node : bench.stage.scene().nodes) {
            const auto* text = std::get_if<TextItem>(&node.item);
            if (text && text->text == QStringLiteral("samples")) return QRectF(text->pos, QSizeF(1, 1));
        }
        return {};
    };
    const QRectF map = bench.strip().miniMap;
    QVERIFY(map.contains(markOnMap()) && markOnMap().left() > map.center().x());
    bench.stage.jumpTo(749'999'999);
    QVERIFY(map.contains(markOnMap()) && markOnMap().left() < map.center().x());
    bench.stage.jumpTo(0);
    QElapsedTimer timer;
    timer.start();
    bench.stage.zoom(Zoom::Whole);
    QVERIFY(!bench.stage.grab().isNull());
    QVERIFY2(timer.elapsed() < 1500, QByteArray::number(timer.elapsed()));
    QVERIFY(bench.isWhole());
    QVERIFY2(bench.words().contains(QStringLiteral("samples")), qPrintable(bench.words()));
    QVERIFY(markOnMap().isEmpty()); // the words say it
    const StripLayout layout = bench.strip().layout;
    const auto known = [&](Index slot) {
        return bench.item().summary.table->read(summaryLevel(layout.cellWidth), {{slot, slot + 100'000}}).known[0];
    };
    QTRY_COMPARE(known(0), Known::Samples);
    QTRY_COMPARE(known(749'000'000), Known::Samples);
    QTest::qWait(300);
    QVERIFY2(bench.words().contains(QStringLiteral("samples")), qPrintable(bench.words()));
    // A part of it is read whole.
    bench.stage.setCellSize(0.01);
    QTRY_VERIFY2(bench.words().endsWith(QStringLiteral("min/max")), qPrintable(bench.words()));
}

void TstWholeStorage::mapShowsTheEnvelope() {
    const QTemporaryDir folder;
    Tensor base = uninitialised(4'000'000, DType::Float32);
    for (Index i = 0; i < 2'000'000; ++i) put(base, i, 0);
    for (Index i = 2'000'000; i < 4'000'000; ++i) put(base, i, i % 2 ? 100 : 50);
    Bench bench(base);
    bench.stage.zoom(Zoom::Actual);
    const QRectF map = bench.strip().miniMap;
    QVERIFY(map.height() >= 18);
    const auto envelope = [&] {
        QPainterPath path;
        for (const SceneNode& node : bench.stage.scene().nodes) {
            const auto* item = std::get_if<BarsItem>(&node.item);
            if (!item || item->fill != Tone::Ink2) continue;
            for (const QRectF& bar : item->bars) {
                if (map.contains(bar)) path.addRect(bar);
            }
        }
        return path;
    };
    QTRY_VERIFY(envelope().boundingRect().width() > map.width() - 2);
    const auto filled = [&](qreal share, qreal height) {
        return envelope().contains(QPointF(map.left() + share * map.width(), map.bottom() - 5 - height));
    };
    const qreal room = map.height() - 8;
    QVERIFY(!filled(0.25, room * 0.5) && !filled(0.25, room * 0.75));
    QVERIFY(filled(0.25, 1.5));
    QVERIFY(filled(0.75, room * 0.75));
    QVERIFY(!filled(0.75, room * 0.25));
    // A click in it moves there, a drag goes on.
    const auto at = [&](qreal share) { return QPointF(map.left() + share * map.width(), map.center().y()).toPoint(); };
    QTest::mousePress(&bench.stage, Qt::LeftButton, {}, at(0.5));
    const auto middle = [&] { return slotToKeep(bench.strip(), bench.strip().layout.area.center()); };
    QVERIFY2(std::abs(middle() - 2'000'000) < 20'000, QByteArray::number(qlonglong(middle())));
    QMouseEvent move(QEvent::MouseMove, at(0.75), bench.stage.mapToGlobal(at(0.75)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&bench.stage, &move);
    QVERIFY2(std::abs(middle() - 3'000'000) < 20'000, QByteArray::number(qlonglong(middle())));
    QTest::mouseRelease(&bench.stage, Qt::LeftButton, {}, at(0.75));
    // Where everything is in sight there is nothing to map.
    bench.stage.zoom(Zoom::Whole);
    QVERIFY(bench.strip().miniMap.isEmpty());
}

void TstWholeStorage::scrollPaintsOneRectangle() {
    struct Counter : QObject {
        int paints = 0, rectangles = 0;
        bool eventFilter(QObject*, QEvent* event) override {
            if (event->type() != QEvent::Paint) return false;
            ++paints;
            rectangles = std::max(rectangles, static_cast<QPaintEvent*>(event)->region().rectCount());
            return false;
        }
    } counter;
    Bench bench(random(10'000, DType::Float32, 7), View{{1000, 10}, {10, 1}, 0}, {1920, 1080});
    bench.stage.setCellSize(8);
    QCoreApplication::processEvents();
    bench.stage.installEventFilter(&counter);
    // Most of what stands below the cards moves: bits of it one by one would take twice as long.
    const QPointF at = bench.strip().layout.area.center();
    for (int i = 0; i < 5; ++i) {
        QWheelEvent event(at, bench.stage.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&bench.stage, &event);
        QCoreApplication::processEvents();
    }
    QVERIFY(counter.paints >= 5);
    QCOMPARE(counter.rectangles, 1);
}

void TstWholeStorage::fewElements() {
    // Nothing, one element, and one element that many coords share.
    for (const View& view : {View{{0}, {1}, 0}, View{{1}, {1}, 0}, View{{1000, 1000}, {0, 0}, 0}}) {
        Bench bench(counting(view.numel() == 0 ? 0 : 1, DType::Float32), view);
        const QRectF before = bench.strip().layout.area;
        for (const Zoom step : {Zoom::Whole, Zoom::Out, Zoom::In, Zoom::Actual}) {
            bench.stage.zoom(step);
            QVERIFY(!bench.stage.grab().isNull());
            QVERIFY(bench.isWhole());
        }
        QCOMPARE(bench.strip().layout.area, before);
        QVERIFY(bench.words().isEmpty());
    }
}

void TstWholeStorage::nothingIsKept() {
    // A storage that is not shown any longer is let go of, also in the middle of reading.
    Tensor tensor = uninitialised(60'000'000, DType::Float32);
    const StoragePtr storage = tensor.storage();
    SummaryMaker maker;
    maker.follow({{wholeStorage(tensor), {12, {0, tensor.numel()}}}});
    QVERIFY(maker.summaries().of(tensor).table);
    maker.follow({});
    tensor = Tensor();
    QTRY_COMPARE(storage->useCount(), 1U);
}

QTEST_MAIN(TstWholeStorage)
#include "tst_whole_storage.moc"
