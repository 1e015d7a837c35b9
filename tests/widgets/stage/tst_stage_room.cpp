// What a larger stage is worth: it never shows fewer cells of a card. And nothing on a card leaves it.

#include "scene_geometry.h"
#include "stage_fixture.h"
#include "tests/support/instrumented.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/stage_layout.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>

#include <sys/mman.h>

using namespace stridescope;
using namespace stridescope::stage_test;

namespace {

/// Some views and what is selected of them.
struct Views {
    Workspace workspace;
    ExploreState state;

    /// A tensor with a storage of its own.
    TensorId base(const char* name, const Dims& shape, DType dtype = DType::Int64, double first = 0) {
        const View view = *contiguousView(std::span<const Index>(shape.data(), shape.size()));
        const Index count = std::max<Index>(view.numel(), 1);
        return workspace.add(QString::fromLatin1(name), QStringLiteral("torch.arange(%1).view(…)").arg(count),
                             counting(count, dtype, first).withView(view), 0, m_colour++ % 4);
    }
    TensorId view(const char* name, TensorId of, const char* code, View view) {
        const Tensor parent = workspace.entry(of).tensor;
        return workspace.add(QString::fromLatin1(name), QString::fromLatin1(code), parent.withView(std::move(view)), of,
                             m_colour++ % 4);
    }
    TensorId turned(const char* name, TensorId of, const char* code) {
        return view(name, of, code, *t(workspace.entry(of).tensor.view()));
    }
    TensorId copy(const char* name, TensorId of, const char* code) {
        const Dims shape = workspace.entry(of).tensor.view().shape;
        const View view = *contiguousView(std::span<const Index>(shape.data(), shape.size()));
        return workspace.add(QString::fromLatin1(name), QString::fromLatin1(code),
                             counting(view.numel()).withView(view), of, m_colour++ % 4, true, Origin::Copy);
    }
    Views& select(TensorId id) {
        state.selection.tensor = id;
        state.snapshot = workspace.snapshot();
        return *this;
    }

private:
    int m_colour = 0;
};

Views viewsOf(const QString& name) {
    Views v;
    if (name.startsWith(QLatin1String("dims"))) {
        Dims shape;
        for (const QString& size : name.mid(4).split(QLatin1Char(' '), Qt::SkipEmptyParts))
            shape.push_back(size.toLongLong());
        return v.select(v.base("A", shape)), v;
    }
    if (name == QLatin1String("long numbers")) return v.select(v.base("A", {12, 9}, DType::Float64, 123456.125)), v;
    if (name == QLatin1String("colours")) {
        v.state.options.heat = true;
        return v.select(v.base("A", {40, 60}, DType::Float32)), v;
    }
    if (name == QLatin1String("value and index")) {
        v.state.options.cellText = CellText::Both;
        return v.select(v.base("A", {9, 7})), v;
    }
    if (name == QLatin1String("two storages")) {
        v.base("A", {3, 4});
        return v.select(v.base("B", {8, 5})), v;
    }
    if (name == QLatin1String("turned")) {
        const TensorId a = v.base("A", {6, 10});
        return v.select(v.turned("B", a, "A.t()")), v;
    }
    if (name == QLatin1String("wide and views") || name == QLatin1String("two wide")) {
        const TensorId x = v.base("x", {6, 9, 20}, DType::Float32, -1.25);
        if (name == QLatin1String("two wide")) {
            v.base("y", {30, 40});
            return v.select(x), v;
        }
        v.view("B", x, "x[:, :, 3]", View{{6, 9}, {180, 20}, 3});
        v.view("C", x, "x[0]", View{{9, 20}, {20, 1}, 0});
        return v.select(x), v;
    }
    const TensorId a = v.base("A", {4, 5});
    const TensorId b = v.view("B", a, "A.narrow(1, 1, 2)", View{{4, 2}, {5, 1}, 1});
    const TensorId c = v.turned("C", b, "B.t()");
    if (name == QLatin1String("three views")) return v.select(b), v;
    v.copy("w", c, "C.contiguous()");
    if (name == QLatin1String("with a copy")) return v.select(c), v;
    const TensorId d = v.base("D", {2, 3, 4});
    if (name == QLatin1String("five cards")) return v.select(d), v;
    v.view("E", d, "D.reshape(24).expand(9, 24)", View{{9, 24}, {0, 1}, 0});
    return v.select(a), v; // six cards
}

/// Cells of a card that are seen; of a picture its size, up to where it is seen well; but as soon as something is seen
/// of it, dtype, strides and offset come first, and then the formula.
double cellsOf(const CardLayout& card) {
    if (card.view.numel() == 0) return 0;
    if (card.block) return static_cast<double>(card.view.numel());
    const auto panels = static_cast<double>(card.panels.size());
    if (card.picture) {
        const qreal enough = card.input.brief ? 40 : card.formula.empty() ? 56 : 150;
        const QSizeF size = card.panels.front().area.size().boundedTo({enough, enough});
        return panels * size.width() * size.height();
    }
    return panels * static_cast<double>(card.shownRows) * static_cast<double>(card.shownCols);
}

std::map<TensorId, double> cellsOf(const StagePlan& plan) {
    std::map<TensorId, double> cells;
    for (const CardLayout& card : plan.cards) cells[card.input.entry->id] = cellsOf(card);
    return cells;
}

QString sizeText(QSizeF size) {
    return QStringLiteral("%1×%2").arg(size.width()).arg(size.height());
}

/// Words about the first card that has fewer cells in the larger stage; empty if none has.
QString fewer(const std::map<TensorId, double>& small, QSizeF smallSize, const std::map<TensorId, double>& large,
              QSizeF largeSize) {
    for (const auto& [id, cells] : small) {
        if (large.at(id) >= cells - 0.5) continue;
        return QStringLiteral("card %1 shows %2 at %3, %4 at %5")
            .arg(id)
            .arg(cells)
            .arg(sizeText(smallSize))
            .arg(large.at(id))
            .arg(sizeText(largeSize));
    }
    return {};
}

constexpr qreal kLeastWidth = 420, kLeastHeight = 304; // ExploreStage::minimumSizeHint

} // namespace

class TestStageRoom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void views_data();
    void largerShowsNoLess_data() { views_data(); }
    void largerShowsNoLess();
    void cardsHoldWhatIsOnThem_data() { views_data(); }
    void cardsHoldWhatIsOnThem();
    void aPictureLeavesTheHeadWhole();
    void wideCardsLeaveRoom_data();
    void wideCardsLeaveRoom();
    void hugeCardsHoldTheirPick_data();
    void hugeCardsHoldTheirPick();
};

void TestStageRoom::views_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"dims",           "dims 16",        "dims 300",         "dims 3 4",           "dims 10 12",
          "dims 30 3",      "dims 100 100",   "dims 2 3 4",       "dims 5 6 7",         "dims 2 2 3 4",
          "dims 3 2 5 6",   "dims 2 2 2 3 3", "dims 2 3 2 2 4 5", "dims 2 1 2 2 2 3 3", "dims 2 2 2 2 2 2 2 3",
          "dims 0 3",       "long numbers",   "colours",          "value and index",    "two storages",
          "turned",         "three views",    "with a copy",      "five cards",         "six cards",
          "wide and views", "two wide"}) {
        QTest::newRow(name) << QString::fromLatin1(name);
    }
}

void TestStageRoom::largerShowsNoLess() {
    QFETCH(QString, name);
    Views views = viewsOf(name);
    const auto cells = [&](QSizeF size) {
        views.state.viewport = size;
        return cellsOf(planStage(views.state));
    };
    // Coarse in one direction, every few pixels in the other.
    constexpr qreal coarse = test::kInstrumented ? 4 : 1;
    for (qreal width = kLeastWidth; width <= 1920; width += 125 * coarse) {
        std::map<TensorId, double> before;
        QSizeF last;
        for (qreal height = kLeastHeight; height <= 1080; height += coarse * (height < 560 ? 5 : 20)) {
            const QSizeF size(width, height);
            const auto now = cells(size);
            const QString problem = last.isEmpty() ? QString() : fewer(before, last, now, size);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            before = now;
            last = size;
        }
    }
    for (const qreal height : {304.0, 360.0, 427.0, 466.0, 540.0, 700.0, 900.0}) {
        std::map<TensorId, double> before;
        QSizeF last;
        for (qreal width = kLeastWidth; width <= 1920; width += 13 * coarse) {
            const QSizeF size(width, height);
            const auto now = cells(size);
            const QString problem = last.isEmpty() ? QString() : fewer(before, last, now, size);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            before = now;
            last = size;
        }
    }
}

/// Nothing on a card leaves it or lies over its cells, and cards and strip do not meet.
void TestStageRoom::cardsHoldWhatIsOnThem() {
    QFETCH(QString, name);
    Views views = viewsOf(name);
    for (const qreal width : {420.0, 533.0, 640.0, 760.0, 963.0, 1256.0, 1580.0, 1900.0}) {
        for (qreal height = kLeastHeight; height <= 1080; height += height < 560 ? 13 : 60) {
            views.state.viewport = {width, height};
            const StagePlan plan = planStage(views.state);
            const QByteArray at = sizeText(views.state.viewport).toUtf8();
            QVERIFY2(plan.strip->layout.area.bottom() <= height, at.constData());
            for (const CardLayout& card : plan.cards) {
                const QRectF inside = card.frame().adjusted(1, 1, -1, -1);
                Scene scene;
                appendCard(scene, card);
                QVERIFY2(card.frame().bottom() < plan.strip->layout.area.top(), at.constData());
                for (const CardPanel& panel : card.panels)
                    QVERIFY2(inside.contains(panel.area.translated(card.pos)),
                             (at + ": cells of " + card.input.entry->name.toUtf8() + " leave it").constData());
                for (const SceneNode& node : scene.nodes) {
                    const auto* text = std::get_if<TextItem>(&node.item);
                    if (!text || text->text.trimmed().isEmpty()) continue;
                    const QRectF ink = inkOf(*text);
                    QVERIFY2(inside.contains(ink), (at + ": leaves its card: " + text->text.toUtf8()).constData());
                    for (const CardPanel& panel : card.panels)
                        QVERIFY2(!panel.area.translated(card.pos).adjusted(1, 1, -1, -1).intersects(ink),
                                 (at + ": over the cells: " + text->text.toUtf8()).constData());
                }
            }
        }
    }
}

void TestStageRoom::aPictureLeavesTheHeadWhole() {
    Views views = viewsOf(QStringLiteral("dims 1000 1000"));
    for (const QSizeF size : {QSizeF(820, 520), QSizeF(1310, 715), QSizeF(1900, 1000)}) {
        views.state.viewport = size;
        const CardLayout card = planStage(views.state).cards.front();
        QVERIFY(card.picture);
        QVERIFY2(!card.input.brief, qPrintable(sizeText(size)));
        QVERIFY2(card.panels.front().area.width() >= 150, qPrintable(sizeText(size)));
    }
}

void TestStageRoom::wideCardsLeaveRoom_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSizeF>("size");
    for (const QString& name : {QStringLiteral("wide and views"), QStringLiteral("two wide")}) {
        for (const QSizeF size : {QSizeF(963, 466), QSizeF(1335, 693), QSizeF(1900, 1000)})
            QTest::addRow("%s, %g px", qPrintable(name), size.width()) << name << size;
    }
}

/// One wide card does not push the others off the stage, whichever is selected.
void TestStageRoom::wideCardsLeaveRoom() {
    QFETCH(QString, name);
    QFETCH(QSizeF, size);
    Views views = viewsOf(name);
    views.state.viewport = size;
    const SnapshotPtr snapshot = views.workspace.snapshot(); // outlives the loop over its tensors
    for (const TensorEntry& entry : snapshot->tensors) {
        views.select(entry.id);
        const StagePlan plan = planStage(views.state);
        constexpr qreal kUsable = 180;
        int inSight = 0;
        for (const CardLayout& card : plan.cards) {
            QVERIFY(!card.formula.empty());
            inSight += card.frame().intersected(plan.cardArea).width() >= kUsable;
        }
        QVERIFY2(inSight >= 2, qPrintable(entry.name));
    }
}

void TestStageRoom::hugeCardsHoldTheirPick_data() {
    QTest::addColumn<Dims>("shape");
    QTest::newRow("1-d") << Dims{1'000'000'000};
    QTest::newRow("2-d") << Dims{31'250, 32'000};
    QTest::newRow("few rows") << Dims{10, 100'000'000};
    QTest::newRow("few columns") << Dims{100'000'000, 10};
    QTest::newRow("3-d") << Dims{1000, 1000, 1000};
    QTest::newRow("4-d") << Dims{100, 100, 100, 1000};
    QTest::newRow("5-d") << Dims{10, 10, 100, 100, 1000};
    QTest::newRow("one row") << Dims{1, 1'000'000'000};
    QTest::newRow("three rows") << Dims{3, 333'333'333};
    QTest::newRow("many panels") << Dims{1'000'000'000, 1, 1};
    QTest::newRow("sliders") << Dims{1, 1, 1, 1, 1'000'000'000};
    QTest::newRow("9-d") << Dims(9, 10);
}

/// A file of 10^9 elements whose last cells are picked: numbers of nine digits stay on the card and the stage.
void TestStageRoom::hugeCardsHoldTheirPick() {
    QFETCH(Dims, shape);
    const View view = *contiguousView(std::span<const Index>(shape.data(), shape.size()));
    const auto bytes = static_cast<std::size_t>(view.numel()) * 4;
    // Pages that nobody writes to take no memory.
    void* const zeros = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    QVERIFY(zeros != MAP_FAILED);
    const StoragePtr storage = Storage::wrap(
        static_cast<std::byte*>(zeros), bytes, Device{}, [zeros, bytes] { munmap(zeros, bytes); }, "mapped");
    Workspace workspace;
    const TensorId id =
        workspace.add(QStringLiteral("big"), QStringLiteral("torch.from_numpy(numpy.load(\"big.npy\"))"),
                      Tensor(storage, view, DType::Float32), 0, 0);
    ExploreState state;
    state.snapshot = workspace.snapshot();
    state.selection.tensor = id;
    Dims last = shape;
    for (Index& i : last) --i;
    // Widths of which each leaves another rest beside the last whole cell.
    const std::array heights{kLeastHeight, 316.0, 341.0, 466.0, 639.0, 904.0};
    std::size_t round = 0;
    for (qreal width = kLeastWidth; width <= 1900; width += 43, ++round) {
        state.viewport = {width, heights[round % heights.size()]};
        const qreal height = state.viewport.height();
        state.options.byteStrides = round % 4 > 1;
        for (const CellText text : {CellText::Value, CellText::Both}) {
            state.options.cellText = text;
            for (const std::optional<Dims>& coord : {std::optional<Dims>(), std::optional(last)}) {
                for (const CardDetail detail : {CardDetail::Auto, CardDetail::Picture}) {
                    state.cards[id].detail = detail;
                    state.selection.pick.reset();
                    if (coord) state.selection.pick = pickOf(workspace.entry(id), *coord);
                    const StagePlan plan = planStage(state);
                    const CardLayout& card = plan.cards.front();
                    const QByteArray at = sizeText(state.viewport).toUtf8() + (coord ? ", picked" : "");
                    QVERIFY2(card.size.width() <= plan.cardArea.width(),
                             (at + ": wider than the stage, " + sizeText(card.size).toUtf8()).constData());
                    QVERIFY2(plan.cardArea.bottom() < plan.strip->layout.area.top(), at.constData());
                    QVERIFY2(plan.strip->layout.area.bottom() <= height, at.constData());
                    // A title is broken where the card is narrow, not where its cells make it wide.
                    constexpr qreal kWide = 760;
                    if (card.size.width() >= kWide && card.panels.front().area.left() < kWide / 4)
                        QVERIFY2(card.codeLines.size() == 1, at.constData());
                    Scene scene;
                    appendCard(scene, card);
                    const QRectF inside = card.frame().adjusted(1, 1, -1, -1);
                    for (const CardPanel& panel : card.panels)
                        QVERIFY2(inside.contains(panel.area.translated(card.pos)), at.constData());
                    for (const SceneNode& node : scene.nodes) {
                        const auto* words = std::get_if<TextItem>(&node.item);
                        if (!words || words->text.trimmed().isEmpty()) continue;
                        QVERIFY2(inside.contains(inkOf(*words)),
                                 (at + ": leaves its card: " + words->text.toUtf8()).constData());
                    }
                }
            }
        }
    }
}

QTEST_MAIN(TestStageRoom)
#include "tst_stage_room.moc"
