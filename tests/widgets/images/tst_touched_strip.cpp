// The strip below the grid: what of a storage a view touches, and how its cells follow.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/view/inverse.h"
#include "widgets/images/touched_strip.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace stridescope;

namespace {

/// {n, c, h, w} of floats 0, 1, 2 … in order.
Tensor numbered(Index n, Index c, Index h, Index w) {
    return view(arange(Scalar(static_cast<double>(n * c * h * w)), {DType::Float32, Device{}}), {n, c, h, w});
}

} // namespace

class TestTouchedStrip : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }

    /// Runs and cache lines of a channel that is overwritten: in pairs where the colours lie together, in planes else.
    void runsAndCacheLines() {
        const Tensor chw = zeros({48, 3, 32, 32}, {DType::Float32, Device{}});
        const TouchedRuns planes = runsOf(narrow(chw, 1, 1, 2));
        QCOMPARE(planes.runs, Index{48});
        QCOMPARE(planes.length, Index{2048});
        QCOMPARE(planes.lines, Index{6144});
        QCOMPARE(planes.linesInAll, Index{9216});
        const Tensor hwc = permute(zeros({48, 32, 32, 3}, {DType::Float32, Device{}}), {0, 3, 1, 2});
        const TouchedRuns pairs = runsOf(narrow(hwc, 1, 1, 2));
        QCOMPARE(pairs.runs, Index{49152});
        QCOMPARE(pairs.length, Index{2});
        QCOMPARE(pairs.lines, Index{9216});
        QCOMPARE(runsOf(chw).runs, Index{1});
        QVERIFY(!runsOf(narrow(hwc, 1, 1, 2), 1000).counted);
    }

    /// What a kill would touch of a contiguous copy of the same pictures.
    void runsOfACopy() {
        const Tensor hwc = permute(zeros({48, 32, 32, 3}, {DType::Float32, Device{}}), {0, 3, 1, 2});
        const auto copied = runsIfCopied(hwc, narrow(hwc, 1, 1, 2));
        QVERIFY(copied.has_value());
        QCOMPARE(copied->from, Index{1});
        QCOMPARE(copied->count, Index{2});
        QCOMPARE(copied->plane, Index{1024});
        QCOMPARE(copied->runs.runs, Index{48});
        QCOMPARE(copied->runs.length, Index{2048});
        QCOMPARE(copied->runs.lines, Index{6144});
        QCOMPARE(copied->runs.linesInAll, Index{9216});
        const Tensor chw = contiguous(hwc);
        QVERIFY(!runsIfCopied(chw, narrow(chw, 1, 1, 2))); // it lies so already
        QVERIFY(!runsIfCopied(hwc, narrow(hwc, 2, 0, 4))); // no whole channels
        TouchedStrip strip;
        const int low = strip.sizeHint().height();
        strip.show({hwc, narrow(hwc, 1, 1, 2), QStringLiteral("x")});
        QVERIFY(strip.ifCopied() && strip.sizeHint().height() > low);
        QCOMPARE(strip.minimumSizeHint().height(), low);
    }

    /// Hops of even dims are arches above the cells, of odd ones below.
    void hopsOfOddDimsGoDown() {
        TouchedStrip strip;
        Theme theme;
        strip.setTheme(theme);
        const Tensor hwc = permute(numbered(4, 8, 8, 3), {0, 3, 1, 2}); // strides 192, 1, 24, 3
        strip.resize(720, strip.sizeHint().height());
        strip.show({hwc, hwc, QStringLiteral("x")});
        strip.showFrom(0);
        const QImage drawn = strip.grab().toImage();
        const TouchedLayout& at = strip.layoutOfParts();
        const auto reddish = [&](const QColor& hue, double top, double bottom) {
            int found = 0;
            for (int y = int(top); y < int(bottom); ++y)
                for (int x = 0; x < drawn.width(); ++x) found += drawn.pixelColor(x, y).rgb() == hue.rgb();
            return found;
        };
        const double cells = at.cell(0).top() - 1, below = at.archesBelow() - 1;
        const auto hue = [&](Index dim) { return theme.color(Theme::dimTone(dim)); };
        QVERIFY(reddish(hue(1), below, below + 20) > 0 && reddish(hue(3), below, below + 20) > 0);
        QCOMPARE(reddish(hue(1), 0, cells) + reddish(hue(3), 0, cells), 0);
        const Tensor rows = view(numbered(1, 1, 4, 6), {4, 6}); // strides 6, 1
        strip.show({rows, rows, QStringLiteral("x")});
        strip.showFrom(0);
        const QImage even = strip.grab().toImage();
        int above = 0;
        for (int y = 0; y < int(cells); ++y)
            for (int x = 0; x < even.width(); ++x) above += even.pixelColor(x, y).rgb() == hue(0).rgb();
        QVERIFY(above > 0);
    }

    void aPlaceOfTheStripIsASlot() {
        TouchedStrip strip;
        strip.resize(720, 192);
        const Tensor tensor = numbered(4, 3, 8, 8);
        strip.show({tensor, narrow(tensor, 1, 0, 1), QStringLiteral("x")});
        const TouchedLayout& at = strip.layoutOfParts();
        QCOMPARE(at.cells(), Index{24});
        for (Index slot = at.first; slot < at.first + at.cells(); ++slot)
            QCOMPARE(*at.slotAt(at.cell(slot).center()), slot);
        for (Index slot = at.zoomFrom; slot < at.zoomUpTo; ++slot)
            QCOMPARE(*at.slotAt({TouchedLayout::xOf(at.zoomBar(), at.zoomFrom, at.zoomUpTo, slot) + 0.2,
                                 at.zoomBar().center().y()}),
                     slot);
        QSignalSpy picked(&strip, &TouchedStrip::slotPicked);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, at.cell(1).center().toPoint());
        QCOMPARE(picked.last()[0].toLongLong(), 1LL);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, {719, 30});
        QCOMPARE(picked.last()[0].toLongLong(), static_cast<long long>(tensor.numel() - 1));
        QVERIFY(at.isCell(tensor.numel() - 1)); // the cells went there
    }

    /// The cells begin where it is touched; the wheel, dragging and the picked pixel move them.
    void cellsFollow() {
        TouchedStrip strip;
        strip.resize(720, 192);
        const Tensor tensor = numbered(40, 3, 8, 8), green = narrow(tensor, 1, 1, 1);
        strip.show({tensor, green, QStringLiteral("x")});
        QCOMPARE(strip.firstCell(), Index{63}); // the one before it is seen, too
        strip.setPicked({192 * 7 + 5, 192 * 7 + 69, 192 * 7 + 133}, true);
        QVERIFY(strip.layoutOfParts().isCell(192 * 7 + 69)); // of the pixel's slots that which is touched
        const Index there = strip.firstCell();
        strip.show({tensor, green, QStringLiteral("x, once more")});
        QCOMPARE(strip.firstCell(), there);
        const QPointF middle = strip.layoutOfParts().cell(there + 10).center();
        const auto turn = [&](int by) {
            QWheelEvent wheel(middle, middle, {}, {0, by}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&strip, &wheel);
        };
        turn(-120);
        QCOMPARE(strip.firstCell(), there + 3);
        // As a touchpad turns: 120 in fifteen times.
        for (int i = 0; i < 15; ++i) turn(8);
        QCOMPARE(strip.firstCell(), there);
        for (int i = 0; i < 15; ++i) turn(-8);
        QCOMPARE(strip.firstCell(), there + 3);
        QSignalSpy picked(&strip, &TouchedStrip::slotPicked);
        QTest::mousePress(&strip, Qt::LeftButton, {}, middle.toPoint());
        QTest::mouseMove(&strip, (middle - QPointF(90, 0)).toPoint());
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, (middle - QPointF(90, 0)).toPoint());
        QCOMPARE(strip.firstCell(), there + 6);
        QCOMPARE(picked.size(), 0);
        // Along the bar.
        QTest::mousePress(&strip, Qt::LeftButton, {}, {100, 30});
        const Index before = strip.firstCell();
        QTest::mouseMove(&strip, {400, 30});
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, {400, 30});
        QVERIFY(strip.firstCell() > before + 1000);
        QVERIFY(picked.size() >= 2);
        // Of another view they begin anew.
        strip.show({tensor, narrow(tensor, 1, 2, 1), QStringLiteral("x")});
        QCOMPARE(strip.firstCell(), Index{127});
    }

    /// Where all of the storage is one tint, the second bar shows planes, or every third value.
    void theSecondBarShowsThePattern() {
        const Index n = 2000;
        const Tensor chw = zeros({n, 3, 32, 32}, {DType::UInt8, Device{}}),
                     hwc = permute(view(chw, {n, 32, 32, 3}), {0, 3, 1, 2});
        TouchedStrip strip;
        strip.resize(700, 168);
        for (const auto& [tensor, channel] : {std::pair(chw, 1), std::pair(hwc, 0), std::pair(hwc, 2)}) {
            strip.show({tensor, narrow(tensor, 1, channel, 1), QStringLiteral("x")});
            const std::vector<double>& parts = strip.zoomCoverage();
            const TouchedLayout& at = strip.layoutOfParts();
            QCOMPARE(at.zoomUpTo - at.zoomFrom, tensor.view() == chw.view() ? Index{3072} : Index{96});
            const SlotSet touched(narrow(tensor, 1, channel, 1).view());
            for (Index slot = at.zoomFrom; slot < at.zoomUpTo; slot += tensor.view() == chw.view() ? 40 : 1) {
                const double middle = TouchedLayout::xOf(at.zoomBar(), at.zoomFrom, at.zoomUpTo, slot) +
                                      at.zoomBar().width() / static_cast<double>(at.zoomUpTo - at.zoomFrom) / 2;
                const double share = parts[static_cast<std::size_t>(middle)];
                QVERIFY2(touched.holds(slot) ? share > 0.5 : share < 0.5, qPrintable(QString::number(slot)));
            }
        }
        // Records of pictures behind labels of a byte: a whole picture is shown, as its planes.
        const Tensor records = zeros({50, 3073}, {DType::UInt8, Device{}});
        const Tensor pictures = view(narrow(records, 1, 1, 3072), {50, 3, 32, 32});
        strip.show({pictures, pictures, QStringLiteral("x")});
        QCOMPARE(strip.layoutOfParts().zoomFrom, Index{1});
        QCOMPARE(strip.layoutOfParts().zoomUpTo, Index{3073});
        // Pictures with long rows, channels last: neither a picture nor a row of it has room.
        const Tensor wide = permute(zeros({900, 4000, 3}, {DType::UInt8, Device{}}), {2, 0, 1});
        strip.show({wide, narrow(wide, 0, 1, 1), QStringLiteral("x")});
        QVERIFY(strip.layoutOfParts().zoomUpTo - strip.layoutOfParts().zoomFrom < 200);
    }

    /// By dividing or by looking, a slot is the view's or not.
    void slotsOfAView() {
        const Tensor tensor = numbered(5, 3, 4, 6);
        const View views[] = {tensor.view(),
                              narrow(tensor, 1, 1, 1).view(),
                              permute(narrow(tensor, 0, 2, 2), {0, 2, 3, 1}).view(),
                              View{{3, 4}, {-24, 6}, 100},
                              View{{4, 5}, {2, 3}, 7}, // overlaps
                              View{{3, 1, 4}, {0, 9, 5}, 2},
                              View{{3, 0}, {4, 1}, 0},
                              View{{}, {}, 9}};
        for (const View& view : views) {
            const SlotSet set(view);
            for (Index slot = 0; slot < tensor.numel(); ++slot) QCOMPARE(set.holds(slot), reaches(view, slot));
        }
    }

    /// Slots that were not copied with the rest have no values to be shown.
    void slotsThatWereNotCopied() {
        const Tensor tensor = numbered(4, 3, 8, 8);
        const auto shown = [&](std::optional<Reach> known) {
            TouchedStrip strip;
            strip.resize(720, 192);
            strip.show({tensor, narrow(tensor, 1, 0, 1), QStringLiteral("x"), nullptr, known});
            return strip.grab().toImage();
        };
        QVERIFY(shown(std::nullopt) == shown(Reach{0, 40}));
        QVERIFY(shown(std::nullopt) != shown(Reach{10, 40}));
    }

    /// Cells show bytes as they are seen, not as they are stored.
    void theStripShowsOverwrites() {
        const Tensor bytes = zeros({2, 3, 4, 4}, {DType::UInt8, Device{}}), written = clone(bytes);
        const Tensor there = narrow(bytes, 1, 0, 1);
        fill_(narrow(written, 1, 0, 1), Scalar(Index{77}));
        Overwrites::Table table;
        table.fill(77);
        const auto shown = [](const Tensor& t, const OverwritesPtr& overwrites) {
            TouchedStrip strip;
            strip.resize(720, 192);
            strip.show({t, narrow(t, 1, 0, 1), QStringLiteral("x"), overwrites});
            return strip.grab().toImage();
        };
        QVERIFY(shown(bytes, Overwrites::with(nullptr, there.view(), table)) == shown(written, nullptr));
        QVERIFY(shown(bytes, nullptr) != shown(written, nullptr));
    }
};

QTEST_MAIN(TestTouchedStrip)
#include "tst_touched_strip.moc"
