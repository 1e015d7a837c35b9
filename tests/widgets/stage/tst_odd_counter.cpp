// NaN and infinities of large storages: counted exactly, apart from the window's thread, again after every write.

#include "core/io/npy.h"
#include "core/job.h"
#include "core/storage/mapped_file.h"
#include "tests/widgets/stage/stage_fixture.h"
#include "widgets/scene/cell_values.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/odd_counter.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <limits>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
constexpr Index kLarge = (Index{1} << 20) + 77; ///< more than one block of every dtype, and a rest

void put(const Tensor& tensor, Index slot, double value) {
    std::byte* const at = tensor.storage()->data() + slot * static_cast<Index>(itemSize(tensor.dtype()));
    storeElement(at, tensor.dtype(), Scalar(value));
}

/// NaN, inf and -inf at the ends, at borders of blocks and in between; the counts that result.
OddValues scatter(const Tensor& tensor) {
    const Index n = tensor.numel();
    for (const Index slot : {Index{0}, Index{1}, n / 2, n - 1}) put(tensor, slot, kNan);
    for (const Index slot : {Index{262'143}, Index{262'144}, n - 2}) put(tensor, slot, kInf);
    for (const Index slot : {Index{131'071}, n - 3}) put(tensor, slot, -kInf);
    return {4, 3, 2, n, n};
}

OddValues legendOf(const ExploreStage& stage) {
    for (const SceneNode& node : stage.scene().nodes) {
        if (const auto* bar = std::get_if<ColourBarItem>(&node.item)) return bar->odd;
    }
    return {};
}

} // namespace

class TstOddCounter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAreExact_data();
    void countsAreExact();
    void filesAreReadInPart();
    void cancelledWorkSaysNothing();
    void writesMakeCountsStale();
    void legendTellsAllInTheEnd();
    void nothingIsKept();
};

void TstOddCounter::countsAreExact_data() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : {DType::Float16, DType::Float32, DType::Float64, DType::Complex64})
        QTest::newRow(std::string(name(dtype)).c_str()) << static_cast<int>(dtype);
}

void TstOddCounter::countsAreExact() {
    QFETCH(int, dtype);
    const Tensor tensor = counting(kLarge, static_cast<DType>(dtype), 0);
    // Of float16 what counts up to a million is infinite from 65 520 on.
    for (Index i = 0; i < kLarge; ++i) put(tensor, i, static_cast<double>(i % 1000));
    OddValues expected = scatter(tensor);
    // Of a complex number the magnitude is shown, which has no sign.
    if (isComplex(tensor.dtype())) expected = {4, 5, 0, kLarge, kLarge};
    QVERIFY(isCountedApart(tensor));
    const Job job;
    QCOMPARE(countOdd(tensor, job), std::optional(expected));
}

void TstOddCounter::filesAreReadInPart() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath(QStringLiteral("raw")).toStdString();
    const Tensor values = counting(kLarge, DType::Float32);
    const OddValues all = scatter(values);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(values.storage()->data()), static_cast<std::streamsize>(values.nbytes()));
    auto file = MappedFile::open(path);
    QVERIFY(file);
    const Tensor mapped((*file)->storage(0, static_cast<std::size_t>(values.nbytes())), values.view(), DType::Float32);
    const Job job;
    QCOMPARE(countOdd(mapped, job), std::optional(all));
    // Two blocks of 2^18 elements: the first and the last, which has 77.
    const auto part = countOdd(mapped, job, 2 << 20);
    QCOMPARE(part, std::optional(OddValues{3, 2, 2, (1 << 18) + 77, kLarge}));
    QVERIFY(!part->exact());
    // What lies in memory is counted whole.
    QCOMPARE(countOdd(values, job, 2 << 20), std::optional(all));
}

void TstOddCounter::cancelledWorkSaysNothing() {
    const Tensor tensor = counting(kLarge, DType::Float32);
    Job job;
    job.cancel();
    QCOMPARE(countOdd(tensor, job), std::optional<OddValues>());
}

void TstOddCounter::writesMakeCountsStale() {
    const Tensor tensor = counting(kLarge, DType::Float32), other = counting(kLarge, DType::Float32);
    OddCounts counts;
    QCOMPARE(counts.of(tensor), std::optional<OddValues>());
    const OddValues counted{1, 0, 0, kLarge, kLarge};
    counts.set(tensor, tensor.storage()->version(), counted);
    QCOMPARE(oddValues(tensor, &counts), counted);
    QCOMPARE(oddValues(other, &counts).seen, 4096);
    tensor.storage()->bumpVersion();
    QVERIFY(!counts.isFresh(tensor));
    QVERIFY(counts.of(tensor)->stale && counts.of(tensor)->nan == 1);
    counts.keepOnly({other});
    QCOMPARE(counts.of(tensor), std::optional<OddValues>());
}

void TstOddCounter::legendTellsAllInTheEnd() {
    Workspace workspace;
    const Tensor tensor = counting(kLarge, DType::Float32);
    OddValues expected = scatter(tensor);
    const TensorId id = workspace.add(QStringLiteral("x"), QStringLiteral("torch.load"), tensor, 0, 0);
    WorkspaceModel model;
    model.setSnapshot(workspace.snapshot());
    model.select(id);
    ExploreStage stage(&model);
    stage.resize(1280, 700);
    stage.setHeat(true);
    QCOMPARE(legendOf(stage).total, kLarge);
    QVERIFY(!legendOf(stage).exact());
    QTRY_COMPARE(legendOf(stage), expected);
    // Another write: what was counted before stays, marked, until it is counted again.
    put(tensor, 5, kNan);
    tensor.storage()->bumpVersion();
    model.notifyValuesChanged(tensor.storage()->id());
    expected.stale = true;
    QCOMPARE(legendOf(stage), expected);
    expected.stale = false;
    ++expected.nan;
    QTRY_COMPARE(legendOf(stage), expected);
    // The picture that is taken away says the same.
    const Scene paper = stage.pictureOf(0);
    const auto bar = std::find_if(paper.nodes.begin(), paper.nodes.end(), [](const SceneNode& node) {
        return std::holds_alternative<ColourBarItem>(node.item);
    });
    QVERIFY(bar != paper.nodes.end());
    QCOMPARE(std::get<ColourBarItem>(bar->item).odd, expected);
}

void TstOddCounter::nothingIsKept() {
    // A storage that is not shown any longer is let go of, also in the middle of counting.
    Tensor tensor = counting(kLarge, DType::Float32);
    const StoragePtr storage = tensor.storage();
    OddCounter counter;
    QSignalSpy counted(&counter, &OddCounter::counted);
    counter.follow({wholeStorage(tensor)});
    QTRY_VERIFY(storage->useCount() > 3 || counted.count() == 1);
    counter.follow({});
    tensor = Tensor();
    QTRY_COMPARE(storage->useCount(), 1U);
    QVERIFY(counter.counts().of(Tensor(storage, View{{kLarge}, {1}, 0}, DType::Float32)) == std::nullopt);
}

QTEST_MAIN(TstOddCounter)
#include "tst_odd_counter.moc"
