// The grid of images: places, values, marks, two views at one place, the numbers beside it.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/view/walk.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/images/step_code.h"
#include "widgets/images/step_list.h"
#include "widgets/images/value_histogram.h"

#include <QApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

#include <cmath>
#include <limits>

using namespace stridescope;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

/// {n, c, h, w} of floats 0, 1, 2 … in order.
Tensor numbered(Index n, Index c, Index h, Index w) {
    return view(arange(Scalar(static_cast<double>(n * c * h * w)), {DType::Float32, Device{}}), {n, c, h, w});
}

} // namespace

class TestImageGrid : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }

    void slotsAndPixels() {
        const Tensor all = numbered(5, 3, 4, 6);
        const std::pair<const char*, Tensor> cases[] = {{"as it is", all},
                                                        {"transposed", transpose(all, 2, 3)},
                                                        {"channels last", permute(all, {0, 2, 3, 1})},
                                                        {"a part", narrow(narrow(all, 0, 2, 2), 2, 1, 2)}};
        for (const auto& [name, tensor] : cases) {
            const ImageSheet sheet(tensor, 3, 2);
            Index found = 0;
            for (Index slot = 0; slot < all.numel(); ++slot) {
                const auto hit = sheet.pixelOfSlot(slot);
                if (!hit) continue;
                ++found;
                QVERIFY2(sheet.slot(hit->first, hit->second) == slot, name);
            }
            QVERIFY2(found == tensor.numel(), name);
        }
        const ImageSheet sheet(all, 3, 2);
        QVERIFY(!sheet.pixelOfSlot(-1));
        QVERIFY(!sheet.pixelOfSlot(all.numel()));
    }

    /// Every pixel of a tile is what colour() says of the pixel that lies there; the rest is the ground.
    void tilesAreThePixels() {
        const Tensor tensor = numbered(7, 3, 5, 4);
        ImageLook look;
        look.white = static_cast<double>(tensor.numel());
        const QRgb ground = qRgb(1, 2, 3);
        for (const Index padding : {0, 2}) {
            const ImageSheet sheet(tensor, 3, padding, {6, 5, 4, 3, 2, 1, 0});
            const QImage tile = sheet.tile(0, 0, 32, 1, look, ground);
            for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 32; ++x) {
                    const auto pixel = sheet.pixelAt(x, y);
                    QCOMPARE(tile.pixel(x, y), pixel ? sheet.colour(*pixel, look) : ground);
                }
        }
    }

    /// What is read with overwrites is what writing them gives, at each slot and in any part.
    void overwritesAreWrites() {
        Overwrites::Table turned;
        for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = static_cast<std::uint8_t>(7 * i + 3);
        const View views[] = {{{4, 2, 5, 6}, {90, 30, 6, 1}, 30},
                              {{4, 5, 6}, {90, 18, 3}, 2},
                              {{6, 5}, {-1, 6}, 5},
                              {{360}, {1}, 0},
                              {{3, 7}, {100, 14}, 11},
                              {{}, {}, 359},
                              {{2, 0}, {1, 1}, 3},
                              {{4, 30, 3}, {90, 3, 1}, 0}};
        std::vector<std::byte> stored(360);
        for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = static_cast<std::byte>(i * 11);
        OverwritesPtr all;
        auto wanted = stored;
        for (const View& v : views) {
            all = Overwrites::with(all, v, turned);
            QVERIFY(all);
            const Index count = v.numel();
            for (Index i = 0; i < count; ++i) {
                std::byte& byte = wanted[static_cast<std::size_t>(v.slot(coordOfPosition(v, i)))];
                byte = std::byte{turned[std::to_integer<std::size_t>(byte)]};
            }
            for (std::size_t i = 0; i < stored.size(); ++i)
                QCOMPARE(all->read(static_cast<Index>(i), std::to_integer<std::uint8_t>(stored[i])),
                         std::to_integer<std::uint8_t>(wanted[i]));
            for (const auto& [from, to] :
                 {std::pair(0, 360), std::pair(17, 200), std::pair(91, 92), std::pair(50, 50)}) {
                auto part = stored;
                all->writeTo(part.data(), from, to);
                for (int i = 0; i < 360; ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    QCOMPARE(part[at], i >= from && i < to ? wanted[at] : stored[at]);
                }
            }
        }
        QVERIFY(!Overwrites::with(nullptr, {{3, 3}, {1, 1}, 0}, turned)); // they overlap
        QVERIFY(!Overwrites::with(nullptr, {{3}, {0}, 0}, turned));
    }

    void scaledEachAlone() {
        const Tensor tensor = numbered(3, 1, 2, 2);
        ImageLook look;
        look.each = true;
        const ImageSheet sheet(tensor, 3, 0);
        for (Index image = 0; image < 3; ++image) {
            QCOMPARE(sheet.rangeOf(image, look),
                     std::pair(static_cast<double>(image * 4), static_cast<double>(image * 4 + 3)));
            QCOMPARE(qRed(sheet.colour({image, 0, 0}, look)), 0);
            QCOMPARE(qRed(sheet.colour({image, 1, 1}, look)), 255);
        }
    }

    void differences() {
        const Tensor one = numbered(2, 3, 2, 2), two = clone(one);
        two.data<float>()[5] += 40;
        ImageSheet sheet(one, 2, 0);
        sheet.compareWith(ImageSheet(two, 2, 0));
        const auto place = sheet.pixelOfSlot(5);
        QCOMPARE(sheet.drawn(place->first, place->second), 40.0);
        QCOMPARE(sheet.value(place->first, place->second), 5.0); // a pick is the stored value
        ImageLook look;
        look.white = 80;
        QCOMPARE(qGreen(sheet.colour(place->first, look)), 128);
        QCOMPARE(sheet.colour({0, 0, 0}, look), qRgb(0, 0, 0));
    }

    void whatNoColourShows() {
        QCOMPARE(markOf(kNan, 0, 1), ValueMark::Nan);
        QCOMPARE(markOf(kInf, 0, 1), ValueMark::PlusInfinity);
        QCOMPARE(markOf(-kInf, 0, 1), ValueMark::MinusInfinity);
        QCOMPARE(markOf(1.5, 0, 1), ValueMark::Above);
        QCOMPARE(markOf(-0.1, 0, 1), ValueMark::Below);
        QCOMPARE(markOf(1, 0, 1), ValueMark::None);
        // From afar a chequer that no picture of plain values has, near by a sign on the pixel.
        Tensor tensor = zeros({1, 1, 4, 4}, {DType::Float32, Device{}});
        fill_(tensor, Scalar(0.5));
        const QImage plain = painted(tensor);
        for (int i = 0; i < 2; ++i) tensor.data<float>()[i] = kNan;
        const ImageSheet sheet(tensor, 1, 0);
        ImageLook look;
        look.white = 1;
        const QImage tile = sheet.tile(0, 0, 4, 1, look, 0);
        QVERIFY(tile.pixel(0, 0) != tile.pixel(1, 0));
        QVERIFY(tile.pixel(2, 0) == qRgb(128, 128, 128));
        tensor.data<float>()[0] = tensor.data<float>()[1] = 0.5f;
        tensor.data<float>()[6] = 2; // row 1, column 2
        const QImage marked = painted(tensor);
        int differ = 0;
        for (int y = 0; y < 160; ++y)
            for (int x = 0; x < 160; ++x)
                if (marked.pixel(x, y) != plain.pixel(x, y)) {
                    ++differ;
                    QVERIFY2(x >= 80 && x < 120 && y >= 40 && y < 80, "the mark stays in its pixel");
                }
        QVERIFY(differ > 100);
        QVERIFY(qGray(marked.pixel(99, 59)) > 100); // its plus is white ...
        QVERIFY(qGray(marked.pixel(95, 55)) < 60);  // ... on a dark plate
    }

    /// On a large screen more pieces are in sight than are kept at home: each is read once, and then it rests.
    void aLargeWindowComesToRest() {
        ImageGridView view;
        view.resize(2300, 1300); // 170 pieces
        view.setSheets(ImageSheet(zeros({20'000, 1, 32, 32}, {DType::UInt8, Device{}}), 160, 2));
        view.zoomTo(0.55, {0, 0});
        QImage picture(view.size(), QImage::Format_RGB32);
        int turns = 0;
        do view.render(&picture);
        while (view.isWaiting() && ++turns < 5000);
        QVERIFY(!view.isWaiting());
    }

    /// The frames of a zoom are quick ones; the one after it is drawn as if it had always been at that zoom.
    void aZoomEndsSmooth() {
        const auto make = [](ImageGridView& view) {
            view.resize(300, 200);
            view.setTheme(Theme());
            ImageLook look;
            look.white = 400;
            view.setLook(look);
            view.setSheets(ImageSheet(numbered(400, 1, 8, 8), 50, 2));
        };
        const auto settled = [](ImageGridView& view) {
            QImage image(view.size(), QImage::Format_RGB32);
            int frames = 0;
            do view.render(&image);
            while (view.isWaiting() && ++frames < 100);
            return image;
        };
        ImageGridView zoomed, still;
        make(zoomed), make(still);
        settled(zoomed);
        zoomed.zoomTo(0.8, {});
        zoomed.zoomTo(0.7, {}); // its pieces are those of 0.8
        settled(zoomed);
        zoomed.zoomTo(0.8, {});
        QImage moving(zoomed.size(), QImage::Format_RGB32);
        zoomed.render(&moving);
        QVERIFY(zoomed.isWaiting());
        still.zoomTo(0.8, {});
        const QImage atRest = settled(still);
        QVERIFY(moving != atRest);
        zoomed.show();
        QVERIFY(QTest::qWaitForWindowExposed(&zoomed));
        QTRY_VERIFY(!zoomed.isWaiting()); // by itself
        QCOMPARE(settled(zoomed), atRest);
    }

    void twoViewsAtOnePlace() {
        ImageGridView one, two;
        for (ImageGridView* each : {&one, &two}) {
            each->resize(300, 200);
            each->setSheets(ImageSheet(numbered(400, 1, 8, 8), 20, 2));
        }
        QSignalSpy moved(&one, &ImageGridView::placeChanged);
        one.zoomTo(6, {100, 100});
        QCOMPARE(moved.size(), 1);
        two.showPlace(one.zoom(), one.origin());
        QCOMPARE(two.zoom(), one.zoom());
        QCOMPARE(two.origin(), one.origin());
        QSignalSpy echoed(&two, &ImageGridView::placeChanged);
        two.showPlace(one.zoom(), one.origin());
        QCOMPARE(echoed.size(), 0);
    }

    /// The parts of the magnifier's lines do not lie on each other, nor do the table's columns.
    void numbersDoNotOverlap() {
        const QFontMetricsF metrics(Theme().font(FontRole::Index));
        const double narrowest = (PixelPanel().minimumSizeHint().width() - 28) / 5.0 - 8;
        const PixelPanel::Line line = PixelPanel::lineOf({0, 0, narrowest, 11});
        QVERIFY(line.letter.width() >= metrics.horizontalAdvance(QLatin1Char('R')));
        QVERIFY(line.letter.right() <= line.mark.left() && line.mark.right() <= line.number.left());
        QVERIFY2(line.number.width() >= metrics.horizontalAdvance(QStringLiteral("-1.8")),
                 qPrintable(QString::number(line.number.width())));
        const auto ends = PixelPanel::columnEnds({7, 40, 72, 79}, 14, 254);
        QCOMPARE(ends[3], 254.0);
        QVERIFY(ends[1] - 40 > ends[0] + 8 && ends[2] - 72 > ends[1] + 8 && ends[3] - 79 > ends[2] + 8);
    }

    /// Of one channel its own colour is shown where tints are wanted, else grey.
    void aSingleChannel() {
        const ImageSheet sheet(numbered(1, 1, 4, 4), 1, 0);
        ImageLook look;
        look.white = 15;
        QCOMPARE(sheet.colour({0, 3, 3}, look), qRgb(255, 255, 255));
        look.show = ChannelLook::Tint;
        QCOMPARE(sheet.colour({0, 3, 3}, look), qRgb(255, 255, 255));
        look.single = 1;
        QCOMPARE(sheet.colour({0, 3, 3}, look), qRgb(0, 255, 0));
        QCOMPARE(channelLetter(0, 1, 1), QStringLiteral("G"));
        QCOMPARE(channelLetter(0, 1), QStringLiteral("c=0"));
        ValueCounts counts;
        counts.counted = counts.total = 4;
        counts.nans = 2;
        ValueHistogram histogram;
        histogram.setCounts(counts, look);
        QVERIFY(histogram.words().contains(QStringLiteral("chequer")));
    }

    /// A second window that follows says the picked pixel back: the keys still go from image to image.
    void aPickThatIsSaidBack() {
        ImageGridView view;
        view.setSheets(ImageSheet(numbered(12, 1, 8, 8), 4, 2));
        QTest::keyClick(&view, Qt::Key_Down, Qt::ControlModifier);
        QVERIFY(view.picked() && view.movesByImages());
        view.pick(*view.picked());
        QVERIFY(view.movesByImages());
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(!view.movesByImages());
    }

    /// What is told goes with the pointer, and back to the picked pixel when it leaves.
    void thePointerIsFollowed() {
        ImageGridView view;
        view.resize(400, 300);
        view.setSheets(ImageSheet(numbered(12, 1, 8, 8), 4, 2));
        view.pick({1, 2, 3});
        QSignalSpy told(&view, &ImageGridView::hoveredChanged);
        const auto moveTo = [&](QPointF picture) {
            const QPointF at = picture * view.zoom();
            QMouseEvent move(QEvent::MouseMove, at, at, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(&view, &move);
        };
        const QPointF place = view.sheet().placeOf({5, 6, 7});
        moveTo(place + QPointF(0.5, 0.5));
        QCOMPARE(*view.pointed(), (ImageSheet::Pixel{5, 6, 7}));
        QCOMPARE(view.picked()->image, Index{1});
        moveTo(place + QPointF(0.6, 0.4));
        QCOMPARE(told.size(), 1); // the same pixel
        moveTo(place + QPointF(1.5, 0.5));
        QCOMPARE(*view.pointed(), (ImageSheet::Pixel{5, 6, 7})); // on the padding
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&view, &leave);
        QCOMPARE(*view.pointed(), (ImageSheet::Pixel{1, 2, 3}));
        QCOMPARE(told.size(), 2);
        moveTo(place + QPointF(0.5, 0.5));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(*view.pointed(), (ImageSheet::Pixel{1, 2, 4})); // keys have the last word
        moveTo(place + QPointF(0.5, 0.5));
        view.setSheets(ImageSheet(numbered(2, 1, 8, 8), 4, 2));
        QVERIFY(!view.hovered());
    }

    /// Number and name where both have room, else the number; nothing where a picture is lower than that.
    void labelsCoverNoPicture() {
        ImageGridView view;
        const auto darkOf = [&](const Tensor& images, QSize size, bool labelled) {
            view.resize(size);
            ImageLook look = usualLook(DType::Float32);
            look.black = -2; // values of 0 are grey, plates are dark
            look.white = 1;
            view.setLook(look);
            view.setSheets(ImageSheet(images, 4, 0));
            view.setLabels([=](Index) { return labelled ? QStringLiteral("7 octagon") : QString(); });
            view.fit();
            // A frame of a busy machine may end before the pictures are read.
            QImage drawn = view.grab().toImage();
            for (int frames = 0; view.isWaiting() && frames < 100; ++frames) drawn = view.grab().toImage();
            int dark = 0;
            for (int y = 0; y < drawn.height(); ++y)
                for (int x = 0; x < drawn.width(); ++x) dark += qGray(drawn.pixel(x, y)) < 60;
            return dark;
        };
        const Tensor square = zeros({4, 1, 32, 32}, {DType::Float32, Device{}});
        const Tensor flat = zeros({4, 1, 1, 32}, {DType::Float32, Device{}});
        const int named = darkOf(square, {640, 160}, true), numbered = darkOf(square, {240, 60}, true);
        QVERIFY(darkOf(square, {640, 160}, false) == 0 && numbered > 0);
        QVERIFY2(named > 3 * numbered, qPrintable(QStringLiteral("%1 %2").arg(named).arg(numbered)));
        QCOMPARE(darkOf(flat, {640, 160}, true), 0);
    }

    /// The axis of the histogram has round numbers.
    void ticksAreRound() {
        QCOMPARE(ValueHistogram::ticks(0, 255, 6), (std::vector<double>{0, 50, 100, 150, 200, 250}));
        QCOMPARE(ValueHistogram::ticks(-1, 1, 6), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
        QVERIFY(ValueHistogram::ticks(1, 1, 6).empty());
    }

    /// Code that is too long for one line is broken before its calls, and whole while it is edited.
    void longCodeIsWrapped() {
        const QFontMetrics metrics(Theme().font(FontRole::Code));
        const int letter = metrics.horizontalAdvance(QLatin1Char('x'));
        QCOMPARE(wrappedCode(QStringLiteral(".narrow(1, 1, 2).fill_(-1)"), metrics, letter * 20),
                 (QStringList{QStringLiteral(".narrow(1, 1, 2)"), QStringLiteral(".fill_(-1)")}));
        QCOMPARE(wrappedCode(QStringLiteral(".float().div(255)"), metrics, letter * 20),
                 QStringList{QStringLiteral(".float().div(255)")});
        QCOMPARE(wrappedCode(QStringLiteral(".view(48, 3, 32, 32)"), metrics, letter * 16),
                 (QStringList{QStringLiteral(".view(48, 3, 32,"), QStringLiteral("32)")}));
        QCOMPARE(wrappedCode(QStringLiteral(".abcdefgh"), metrics, letter * 4),
                 (QStringList{QStringLiteral(".abc"), QStringLiteral("defg"), QStringLiteral("h")}));
        StepCode field;
        field.setFont(Theme().font(FontRole::Code));
        field.resize(letter * 20, 30);
        field.setText(QStringLiteral(".narrow(1, 1, 2).fill_(-1)"));
        const int two = field.sizeHint().height();
        QCOMPARE(field.drawnLines().size(), qsizetype{2});
        field.setText(QStringLiteral(".t()"));
        QVERIFY(two >= field.sizeHint().height() + metrics.height());
    }

    void stepsAreDraggedAndSlid() {
        StepList list;
        std::vector<ShownStep> steps(3);
        for (int i = 0; i < 3; ++i) steps[static_cast<std::size_t>(i)].code = QStringLiteral(".add(%1)").arg(i);
        steps[1].numbers = {{QStringLiteral("brighter by"), 5, 1, 0, 10, 1, true}};
        list.resize(260, 400);
        list.show();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        QSignalSpy moved(&list, &StepList::moved), slid(&list, &StepList::numberMoved);
        connect(&list, &StepList::opened, &list, [&] { list.setSteps(steps); });
        list.setSteps(steps);
        const auto row = [&](int i) { return list.findChild<QWidget*>(QStringLiteral("step%1").arg(i)); };
        QTRY_VERIFY(row(2)->y() > row(1)->y());
        QTest::mousePress(row(0), Qt::LeftButton, {}, {10, 10});
        QTest::mouseMove(row(0), {10, 40});
        QTest::mouseMove(row(0), QPoint(10, row(2)->geometry().bottom() - row(0)->y()));
        QTest::mouseRelease(row(0), Qt::LeftButton, {}, QPoint(10, row(2)->geometry().bottom() - row(0)->y()));
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved.last()[0].toInt(), 0);
        QCOMPARE(moved.last()[1].toInt(), 2);
        QTest::mouseClick(row(1), Qt::LeftButton, {}, {10, 10});
        QCOMPARE(moved.size(), 1);
        QCOMPARE(list.openStep(), 1);
        auto* slider = row(1)->findChild<QSlider*>(QStringLiteral("stepSlider0"));
        QVERIFY(slider && !slider->isHidden());
        slider->setValue(7);
        QCOMPARE(slid.last()[0].toInt(), 1);
        QCOMPARE(slid.last()[2].toDouble(), 7.0);
    }

private:
    static QImage painted(const Tensor& tensor) {
        ImageGridView view;
        view.resize(160, 160);
        view.setTheme(Theme());
        ImageLook look;
        look.white = 1;
        view.setLook(look);
        view.setSheets(ImageSheet(tensor, 1, 0));
        view.zoomTo(40, {});
        // A frame reads only as much as its time allows: on a busy machine the picture takes several.
        QImage image(160, 160, QImage::Format_RGB32);
        int frames = 0;
        do view.render(&image);
        while (view.isWaiting() && ++frames < 100);
        return image;
    }
};

QTEST_MAIN(TestImageGrid)
#include "tst_image_grid.moc"
