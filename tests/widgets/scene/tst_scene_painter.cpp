// Marks and modes of the painter, judged by pixels.

#include "core/ops/copy.h"
#include "tests/support/qt/colour_vision.h"
#include "tests/support/qt/image_compare.h"
#include "tests/support/qt/scene_gallery.h"
#include "tests/support/qt/scene_samples.h"
#include "widgets/scene/colour_map.h"
#include "widgets/scene/export.h"
#include "widgets/scene/scene_painter.h"

#include <QPainter>
#include <QTest>

#include <limits>
#include <utility>

using namespace stridescope;

class TstScenePainter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void galleriesPaint();
    void sameSceneSamePixels();
    void exposedPartEqualsTheWhole_data();
    void exposedPartEqualsTheWhole();
    void cellsHaveTheirFill();
    void marksDifferInGrey_data();
    void marksDifferInGrey();
    void outlinesDifferInGrey();
    void lettersStandInTheirBadge();
    void beyondTheStorageIsNeverRead();
    void rowsBeyondStayInTheirArea();
    void skippedBeyondIsNotHatched();
    void repeatsAreFaded();
    void heatColoursAreTheMaps();
    void summariesShowBothEnds();
    void keptRowsFollowTheScene();
    void keptRowsKeepNoStorage();
    void longLinesOfCurvesLookLikeOneStroke();
    void lowRowsShowValues();
    void rowsOfOnePixelPaint();
    void rulersNameCellsInSightOnly();
    void addressesStandAtTheStartOfRows();
    void cacheLinesLeaveRowsTheirColours();
    void valueColoursKeepTheBand();
    void stripShowsReach_data();
    void stripShowsReach();
    void wideStripCellsShowTheirBytes();
    void overlapIsStriped();
    void lanesCountVisits();
    void ringsLeaveCountsReadable();
    void emptyPanelsSaySo();
    void hugeStoragesPaint();
    void deviceStoragesShowDots();
    void fillsAreTheSameInBothThemes();
};

void TstScenePainter::galleriesPaint() {
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        const Theme theme(kind);
        const QString suffix = kind == ThemeKind::Light ? QStringLiteral("light") : QStringLiteral("dark");
        int n = 0;
        for (const Scene& scene : {test::exploreGallery(), test::markGallery()}) {
            ExportOptions options;
            options.scale = 1.5;
            const QImage image = renderImage(scene, theme, options);
            QCOMPARE(image.size(), (scene.size * 1.5).toSize());
            QCOMPARE(image.pixelColor(image.width() - 2, 1), theme.color(Tone::Stage));
            const QByteArray keep = qgetenv("STRIDESCOPE_KEEP_IMAGES");
            if (!keep.isEmpty()) {
                QVERIFY(image.save(
                    QStringLiteral("%1/gallery-%2-%3.png").arg(QString::fromLocal8Bit(keep)).arg(n).arg(suffix)));
            }
            ++n;
        }
    }
}

void TstScenePainter::sameSceneSamePixels() {
    QCOMPARE(renderImage(test::markGallery(), Theme()), renderImage(test::markGallery(), Theme()));
    QVERIFY(renderImage(test::markGallery(), Theme()) != renderImage(test::markGallery(), Theme(ThemeKind::Dark)));
}

void TstScenePainter::exposedPartEqualsTheWhole_data() {
    QTest::addColumn<bool>("marks");
    QTest::addColumn<QRect>("exposed");
    QTest::newRow("cards") << false << QRect(180, 100, 300, 120);
    QTest::newRow("strip cell") << false << QRect(640, 350, 50, 60);
    QTest::newRow("lanes") << false << QRect(300, 440, 100, 60);
    QTest::newRow("marks") << true << QRect(400, 10, 300, 200);
    QTest::newRow("strips") << true << QRect(111, 250, 333, 210);
    QTest::newRow("wrapped rows") << true << QRect(133, 655, 211, 60);
    QTest::newRow("value colours") << true << QRect(601, 640, 111, 77);
    QTest::newRow("small cells") << true << QRect(347, 483, 91, 77);
}

void TstScenePainter::exposedPartEqualsTheWhole() {
    QFETCH(bool, marks);
    QFETCH(QRect, exposed);
    const Scene scene = marks ? test::markGallery() : test::exploreGallery();
    const Theme theme;
    const QImage whole = renderImage(scene, theme);
    QImage part(whole.size(), QImage::Format_RGB32);
    part.fill(Qt::magenta);
    QPainter painter(&part);
    painter.setClipRect(exposed); // as a widget's paint event does
    PaintOptions options;
    options.exposed = exposed;
    paintScene(painter, scene, theme, options);
    painter.end();
    const test::ImageDifference difference = test::compareImages(part.copy(exposed), whole.copy(exposed), 8);
    // Text size follows the longest visible number, so digits may not move: nothing differs at all.
    if (difference.largest > 0)
        test::keepImages(QString::fromLatin1(QTest::currentDataTag()).replace(QLatin1Char(' '), QLatin1Char('-')), part,
                         whole);
    QCOMPARE(difference.largest, 0);
    QCOMPARE(part.pixelColor(exposed.left() - 1, exposed.center().y()), QColor(Qt::magenta));
}

void TstScenePainter::cellsHaveTheirFill() {
    const Theme theme;
    const QImage image = renderImage(test::exploreGallery(), theme);
    QCOMPARE(image.pixelColor(64, 114), theme.color(Tone::ViewA));
    QCOMPARE(image.pixelColor(404, 114), theme.color(Tone::ViewB));
    QCOMPARE(image.pixelColor(624, 114), theme.color(Tone::ViewC));
    // Strip: 0 is outside the span of B, 1 is reached, 3 is skipped.
    QCOMPARE(image.pixelColor(144, 366), theme.color(Tone::Stage));
    QCOMPARE(image.pixelColor(140, 366), theme.color(Tone::Control));
    QCOMPARE(image.pixelColor(186, 366), theme.color(Tone::ViewB));
    QCOMPARE(image.pixelColor(270, 366), theme.color(Tone::Stage));
    // Edges of cells are one pixel of one colour.
    QVERIFY(image.pixelColor(60, 120) != theme.color(Tone::ViewA));
    QCOMPARE(image.pixelColor(61, 114), theme.color(Tone::ViewA));
}

void TstScenePainter::marksDifferInGrey_data() {
    QTest::addColumn<int>("theme");
    QTest::addColumn<int>("vision");
    const std::pair<const char*, test::Vision> eyes[] = {{"", test::Vision::Normal},
                                                         {", protan", test::Vision::Protan},
                                                         {", deutan", test::Vision::Deutan},
                                                         {", tritan", test::Vision::Tritan}};
    for (const auto& [eye, vision] : eyes) {
        QTest::addRow("light%s", eye) << 0 << static_cast<int>(vision);
        QTest::addRow("dark%s", eye) << 1 << static_cast<int>(vision);
    }
}

void TstScenePainter::marksDifferInGrey() {
    QFETCH(int, theme);
    QFETCH(int, vision);
    const Theme colours(theme == 0 ? ThemeKind::Light : ThemeKind::Dark);
    // The same digit in every cell, so that only the marks differ.
    const Tensor same = test::tensorOf<std::int64_t>(std::vector<std::int64_t>(16, 5));
    const View cell = test::makeViewOf({1, 1}, {1, 1}, 3);
    std::vector<std::pair<const char*, GridItem>> kinds;
    kinds.emplace_back("plain", test::gridOf(same, cell, QPointF(20, 20), 0));
    for (const auto& [name, kind] : {std::pair{"ring", MarkKind::Ring},
                                     {"soft ring", MarkKind::SoftRing},
                                     {"changed", MarkKind::Changed},
                                     {"order", MarkKind::OrderTag},
                                     {"count", MarkKind::Count},
                                     {"cross", MarkKind::Cross},
                                     {"hazard", MarkKind::Hazard}}) {
        GridItem grid = test::gridOf(same, cell, QPointF(20, 20), 0);
        grid.marks.push_back({0, kind, 3});
        kinds.emplace_back(name, grid);
    }
    GridItem ghost = test::gridOf(same, cell, QPointF(20, 20), 0);
    ghost.ghost = true;
    kinds.emplace_back("ghost", ghost);
    kinds.emplace_back("beyond", test::gridOf(same, test::makeViewOf({1, 1}, {1, 1}, 16), QPointF(20, 20), 0));
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const std::vector<float> special{nan, inf, -inf, 5, -5, 0};
    const Tensor specials = test::tensorOf<float>(special);
    const char* names[] = {"nan", "+inf", "-inf", "clipped high", "clipped low", "zero"};
    for (Index i = 0; i < 6; ++i) {
        GridItem grid = test::gridOf(specials, test::makeViewOf({1, 1}, {1, 1}, i), QPointF(20, 20), 0);
        grid.heat = true;
        grid.heatLow = -1;
        grid.heatHigh = 1;
        kinds.emplace_back(names[i], grid);
    }
    std::vector<std::vector<int>> greys;
    for (const auto& [name, grid] : kinds)
        greys.push_back(
            greyCell(test::seenAs(renderImage(sceneOf({90, 80}, grid), colours), static_cast<test::Vision>(vision)),
                     QRect(10, 10, 66, 54)));
    for (std::size_t a = 0; a < kinds.size(); ++a) {
        for (std::size_t b = a + 1; b < kinds.size(); ++b) {
            const int pixels = differentPixels(greys[a], greys[b]);
            QVERIFY2(pixels >= 25, qPrintable(QStringLiteral("%1 and %2: %3 pixels")
                                                  .arg(QLatin1String(kinds[a].first), QLatin1String(kinds[b].first))
                                                  .arg(pixels)));
        }
    }
}

void TstScenePainter::outlinesDifferInGrey() {
    std::vector<std::vector<int>> greys;
    for (const LineStyle style :
         {LineStyle::None, LineStyle::Solid, LineStyle::Dashed, LineStyle::Dotted, LineStyle::Double}) {
        BoxItem box;
        box.rect = QRectF(10, 10, 80, 40);
        box.outline = Tone::Ink2;
        box.width = 2;
        box.radius = 8;
        box.style = style;
        greys.push_back(greyCell(renderImage(sceneOf({100, 60}, box), Theme()), QRect(0, 0, 100, 60)));
    }
    for (std::size_t a = 0; a < greys.size(); ++a) {
        for (std::size_t b = a + 1; b < greys.size(); ++b) QVERIFY(differentPixels(greys[a], greys[b]) >= 60);
    }
}

/// Letters without and with parts below the line: the ink of each is in the middle of the badge.
void TstScenePainter::lettersStandInTheirBadge() {
    constexpr int kSize = 60;
    for (const QChar letter : {QChar(u'A'), QChar(u'x'), QChar(u'q'), QChar(u'y'), QChar(u'd')}) {
        const BadgeItem badge{QPointF(kSize / 2.0, kSize / 2.0), 3, kSize, letter};
        const QImage image = renderImage(sceneOf({kSize, kSize}, badge), Theme());
        int top = kSize, bottom = 0;
        constexpr int kInside = 16; // of the inner outline
        for (int y = kInside; y < kSize - kInside; ++y) {
            for (int x = kInside; x < kSize - kInside; ++x) {
                if (qGray(image.pixel(x, y)) > 90) continue;
                top = std::min(top, y);
                bottom = std::max(bottom, y);
            }
        }
        QVERIFY2(std::abs((top + bottom) / 2.0 - kSize / 2.0) <= 2,
                 qPrintable(QStringLiteral("%1: %2 to %3").arg(letter).arg(top).arg(bottom)));
    }
}

void TstScenePainter::beyondTheStorageIsNeverRead() {
    // Four elements of a larger buffer: what lies behind them must not show, whatever it is.
    QImage images[2];
    for (int k = 0; k < 2; ++k) {
        std::vector<std::int64_t> buffer{1, 2, 3, 4, k == 0 ? 7 : 999999, k == 0 ? 7 : -5};
        StoragePtr storage = Storage::wrap(
            buffer.data(), 4 * sizeof(std::int64_t), Device(), [] {}, "test");
        const Tensor four(std::move(storage), test::makeViewOf({4}, {1}, 0), DType::Int64);
        Scene scene = sceneOf({500, 200}, test::gridOf(four, test::makeViewOf({2, 4}, {4, 1}, 1), QPointF(20, 20), 0));
        GridItem small = test::gridOf(four, test::makeViewOf({2, 4}, {4, 1}, 1), QPointF(220, 20), 0, {5, 5});
        scene.nodes.push_back({{}, small});
        StripItem strip = test::stripOf(four, QRectF(20, 120, 460, 62), 4, 42, std::nullopt);
        strip.outOfRange = {4, 7};
        scene.nodes.push_back({{}, strip});
        images[k] = renderImage(scene, Theme());
    }
    QCOMPARE(images[0], images[1]);
    // Hatched and outlined in the error's hue.
    int error = 0;
    for (int x = 188; x < 314; ++x) error += images[0].pixelColor(x, 124) == Theme().color(Tone::Error) ? 1 : 0;
    QVERIFY(error > 10);
}

void TstScenePainter::rowsBeyondStayInTheirArea() {
    // One row of room, all of it for the first row behind the end: the next one would begin 4 px below the area.
    StripItem strip = test::stripOf(test::arange(12), QRectF(20, 20, 200, 30), 4, 42, std::nullopt);
    strip.layout.cellHeight = 30;
    strip.layout.rowPitch = 34;
    strip.layout.firstRow = 3;
    strip.outOfRange = {12, 24};
    const Theme theme;
    const QImage image = renderImage(sceneOf({240, 100}, strip), theme);
    int inside = 0;
    for (int x = 20; x < 188; ++x) {
        inside += image.pixelColor(x, 35) == theme.color(Tone::Error) ? 1 : 0;
        for (int y = 54; y < 100; ++y) QCOMPARE(image.pixelColor(x, y), theme.color(Tone::Stage));
    }
    QVERIFY(inside > 10);
}

void TstScenePainter::skippedBeyondIsNotHatched() {
    // The view wants slots 0, 3 and 6 of four: 6 is hatched, 4 and 5 are skipped.
    Scene scene;
    StripItem strip = test::stripOf(test::arange(4), QRectF(20, 20, 460, 62), 7, 42, std::nullopt);
    strip.outOfRange = {4, 7};
    scene = sceneOf({500, 120}, strip);
    const Theme theme;
    const auto errors = [&](Index slot) {
        const QImage image = renderImage(scene, theme);
        const QRectF cell = strip.layout.cellRect(slot);
        int n = 0;
        for (int x = static_cast<int>(cell.left()) + 2; x < static_cast<int>(cell.right()) - 2; ++x)
            n += image.pixelColor(x, static_cast<int>(cell.top()) + 5) == theme.color(Tone::Error) ? 1 : 0;
        return n;
    };
    QVERIFY(errors(4) > 0 && errors(5) > 0 && errors(6) > 0);
    strip.wanted = View{{3}, {3}, 0};
    scene = sceneOf({500, 120}, strip);
    QCOMPARE(errors(4), 0);
    QCOMPARE(errors(5), 0);
    QVERIFY(errors(6) > 0);
}

void TstScenePainter::repeatsAreFaded() {
    const Theme theme;
    const GridItem grid = test::gridOf(test::arange(20), test::makeViewOf({2, 3}, {1, 0}, 0), QPointF(10, 10), 1);
    const QImage image = renderImage(sceneOf({160, 90}, grid), theme);
    QCOMPARE(image.pixelColor(15, 16), theme.color(Tone::ViewB));
    QCOMPARE(image.pixelColor(10 + 44 + 12, 16), theme.ghostFill(1));
    QCOMPARE(image.pixelColor(10 + 88 + 12, 48), theme.ghostFill(1));
}

void TstScenePainter::heatColoursAreTheMaps() {
    std::vector<float> values;
    for (int i = 0; i < 100; ++i) values.push_back(static_cast<float>(i));
    GridItem grid =
        test::gridOf(test::tensorOf<float>(values), test::makeViewOf({10, 10}, {10, 1}, 0), QPointF(0, 0), 0, {3, 3});
    grid.heatLow = 0;
    grid.heatHigh = 99;
    grid.colour = -1; // no outline over the outer cells
    const QImage image = renderImage(sceneOf({30, 30}, grid), Theme());
    const ColourMap map(0, 99);
    for (int row = 0; row < 10; ++row) {
        for (int col = 0; col < 10; ++col)
            QCOMPARE(image.pixel(3 * col + 1, 3 * row + 1) | 0xFF000000u, map.rgb(10 * row + col) | 0xFF000000u);
    }
    // Signed ranges are symmetric, 0 is the light middle.
    const ColourMap both(-1, 4);
    QVERIFY(both.isSigned());
    QCOMPARE(both.low(), -4.0);
    QVERIFY(qGray(both.rgb(0)) > 240);
    QVERIFY(qGray(both.rgb(4)) < 60 && qGray(both.rgb(-4)) < 60);
    QCOMPARE(both.rgb(1e9), both.rgb(4));
    QCOMPARE(ColourMap(2, 2).rgb(2), ColourMap(0, 1).rgb(0.5));
}

void TstScenePainter::summariesShowBothEnds() {
    // Two cells a pixel, one 0 and one 10: the column shows the higher above the lower.
    std::vector<float> values;
    for (int i = 0; i < 400; ++i) values.push_back(i % 2 == 0 ? 0.0f : 10.0f);
    StripItem strip = test::stripOf(test::tensorOf<float>(values), QRectF(0, 0, 200, 62), 400, 0.5, std::nullopt);
    strip.heatHigh = 10;
    const QImage image = renderImage(sceneOf({200, 62}, strip), Theme());
    const ColourMap map(0, 10);
    QCOMPARE(image.pixel(100, 8) | 0xFF000000u, map.rgb(10) | 0xFF000000u);
    QCOMPARE(image.pixel(100, 34) | 0xFF000000u, map.rgb(0) | 0xFF000000u);
}

void TstScenePainter::keptRowsFollowTheScene() {
    // Rows are kept from frame to frame: whatever their pixels depend on must make them anew.
    const Tensor source = test::tensorOf<float>(std::vector<float>(400, 0.0f));
    StripItem strip = test::stripOf(source, QRectF(0, 0, 200, 62), 400, 0.5, std::nullopt);
    strip.heatHigh = 10;
    const auto painted = [&](const Theme& theme) { return renderImage(sceneOf({200, 62}, strip), theme); };
    QImage before = painted(Theme());
    QCOMPARE(painted(Theme()), before);
    const auto differs = [&](const char* what, const Theme& theme = Theme()) {
        const QImage now = painted(theme);
        if (now == before) qWarning("%s does not show", what);
        return now != std::exchange(before, now);
    };
    QVERIFY(differs("a dark theme", Theme(ThemeKind::Dark)));
    QVERIFY(differs("a light theme"));
    fill_(source, Scalar(5.0));
    QVERIFY(differs("a written value"));
    strip.heatHigh = 5;
    QVERIFY(differs("another range"));
    strip.reach = StripReach{1, 0, View{{100}, {1}, 0}};
    QVERIFY(differs("a view"));
    strip.reach->view.offset = 50;
    QVERIFY(differs("its offset"));
    strip.reach->colour = 1;
    QVERIFY(differs("its colour"));
    strip.layout.firstColumn = 40;
    QVERIFY(differs("a scrolled row"));
}

void TstScenePainter::keptRowsKeepNoStorage() {
    bool freed = false;
    {
        std::vector<float> values(4'000'000, 1.0f);
        const StoragePtr storage = Storage::wrap(
            values.data(), values.size() * sizeof(float), Device{}, [&freed] { freed = true; }, "test");
        const Tensor source(storage, View{{4'000'000}, {1}, 0}, DType::Float32);
        renderImage(sceneOf({200, 62}, test::stripOf(source, QRectF(0, 0, 200, 62), 400, 0.5, std::nullopt)), Theme());
        GridItem grid;
        grid.source = source;
        grid.rows = grid.cols = 2000;
        grid.rowStride = 2000;
        grid.colStride = 1;
        grid.cell = QSizeF(0.2, 0.2);
        grid.area = QRectF(0, 0, 400, 400);
        grid.heat = true;
        renderImage(sceneOf({400, 400}, grid), Theme());
    }
    QVERIFY2(freed, "what was painted holds the storage");
}

void TstScenePainter::longLinesOfCurvesLookLikeOneStroke() {
    const Theme theme;
    PathItem item;
    item.path.moveTo(10, 40);
    item.path.cubicTo(QPointF(12, 20.3), QPointF(25, 20.3), QPointF(40.4, 20.3));
    item.path.lineTo(300.5, 20.3);
    item.path.cubicTo(QPointF(315, 20.3), QPointF(328, 20.3), QPointF(330, 40));
    item.width = 3;
    const QImage drawn = renderImage(sceneOf({340, 60}, item), theme);
    QImage expected(drawn.size(), QImage::Format_RGB32);
    expected.fill(theme.color(Tone::Stage));
    QPainter painter(&expected);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(Tone::Ink), 3, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawPath(item.path);
    painter.end();
    const test::ImageDifference difference = test::compareImages(drawn, expected, 8);
    QVERIFY2(difference.largest <= 2, qPrintable(QStringLiteral("differs by %1").arg(difference.largest)));
}

void TstScenePainter::lowRowsShowValues() {
    // Rows of 10 px: lines between them must not cover the colours, and each row has its index at the left.
    StripItem strip = test::stripOf(test::arange(400), QRectF(60, 10, 100, 40), 100, 1, std::nullopt);
    strip.layout.perRow = 100;
    strip.layout.cellHeight = strip.layout.rowPitch = 10;
    strip.indexBelow = false;
    strip.rowIndex = true;
    strip.heatHigh = 400;
    const Theme theme;
    const QImage image = renderImage(sceneOf({200, 80}, strip), theme);
    const ColourMap map(0, 400);
    for (int row = 0; row < 4; ++row)
        QCOMPARE(image.pixelColor(60 + 50, 10 + row * 10 + 4), QColor(map.rgb(row * 100 + 50)));
    const auto inked = [&](const QRect& rect) {
        for (int y = rect.top(); y <= rect.bottom(); ++y) {
            for (int x = rect.left(); x <= rect.right(); ++x) {
                if (qGray(image.pixel(x, y)) < 160) return true;
            }
        }
        return false;
    };
    QVERIFY(inked(QRect(30, 10, 26, 10)));
    QVERIFY2(inked(QRect(30, 30, 26, 10)), "the label of row 2 is missing");
    QVERIFY2(inked(QRect(60, 52, 100, 14)), "the distances under the last row are missing");
}

void TstScenePainter::rowsOfOnePixelPaint() {
    // The area cuts the last row to one line: the sanitizers see whether it is painted outside its image.
    for (const qreal height : {11.0, 21.0, 12.0}) {
        StripItem strip = test::stripOf(test::arange(400), QRectF(60, 10, 100, height), 100, 1,
                                        StripReach{1, 2, test::makeViewOf({400}, {1}, 0)});
        strip.layout.perRow = 100;
        strip.layout.cellHeight = strip.layout.rowPitch = 10;
        strip.indexBelow = false;
        strip.rowIndex = true;
        strip.heatHigh = 400;
        const Theme theme;
        const QImage image = renderImage(sceneOf({200, 80}, strip), theme);
        const int lastLine = 10 + static_cast<int>(height) - 1;
        QVERIFY(image.pixelColor(110, lastLine) != theme.color(Tone::Stage));
        QCOMPARE(image.pixelColor(55, lastLine + 20), theme.color(Tone::Stage));
    }
}

void TstScenePainter::addressesStandAtTheStartOfRows() {
    // Rows of 64 bytes: an address is wider than its cell, and the first of a row is the one that counts.
    StripItem strip = test::stripOf(test::arange(16), QRectF(60, 10, 8 * 44, 130), 16, 44, std::nullopt);
    strip.layout.perRow = 8;
    strip.layout.cellHeight = 30;
    strip.layout.rowPitch = 65;
    strip.ruler = StripItem::Ruler::Hex;
    strip.baseAddress = 0x7f6c17cf2080;
    const QImage image = renderImage(sceneOf({480, 150}, strip), Theme());
    const auto inkIn = [&image](const QRect& where) {
        int ink = 0;
        for (int x = where.left(); x <= where.right(); ++x)
            for (int y = where.top(); y <= where.bottom(); ++y) ink += qGray(image.pixel(x, y)) < 160;
        return ink;
    };
    for (const int row : {0, 1}) {
        const int top = 10 + 65 * row + 30 + 6;
        QVERIFY(inkIn(QRect(60 + 44, top, 40, 10)) > 20); // the end of the first one
        QVERIFY(inkIn(QRect(53, top, 12, 10)) > 5);       // and its start, at the edge of the strip
        QCOMPARE(inkIn(QRect(20, top, 31, 10)), 0);       // not over what is beside it
    }
}

void TstScenePainter::rulersNameCellsInSightOnly() {
    // Four rows of which two are in sight: row, column and number of a cell in another one are not printed bold.
    StripItem strip = test::stripOf(test::arange(400), QRectF(60, 10, 100, 20), 100, 1, std::nullopt);
    strip.layout.perRow = 100;
    strip.layout.cellHeight = strip.layout.rowPitch = 10;
    strip.indexBelow = false;
    strip.rowIndex = true;
    strip.heatHigh = 400;
    const QImage none = renderImage(sceneOf({200, 80}, strip), Theme());
    strip.marks = {{350, MarkKind::Ring, 0}};
    QCOMPARE(renderImage(sceneOf({200, 80}, strip), Theme()), none);
    strip.marks = {{150, MarkKind::Ring, 0}};
    QVERIFY(renderImage(sceneOf({200, 80}, strip), Theme()) != none);
}

void TstScenePainter::cacheLinesLeaveRowsTheirColours() {
    // Rows without gaps: the boxes stand on the lines between them, and neither values nor the view's band go under.
    StripItem strip = test::stripOf(test::arange(96), QRectF(60, 10, 20 * 24, 72), 96, 20,
                                    StripReach{1, 0, test::makeViewOf({96}, {1}, 0)});
    strip.layout.perRow = 24;
    strip.layout.cellHeight = strip.layout.rowPitch = 24;
    strip.indexBelow = false;
    strip.rowIndex = true;
    strip.heatHigh = 96;
    const QImage without = renderImage(sceneOf({560, 110}, strip), Theme());
    strip.cacheLineCells = 8;
    const QImage with = renderImage(sceneOf({560, 110}, strip), Theme());
    QVERIFY(with != without);
    for (int x = 60 + 6; x < 60 + 8 * 20 - 6; ++x) { // between the corners of a box
        for (int y = 10; y < 82; ++y) {
            const int inRow = (y - 10) % 24;
            if (inRow >= 3 && inRow < 21)
                QVERIFY2(with.pixel(x, y) == without.pixel(x, y),
                         qPrintable(QStringLiteral("at (%1, %2)").arg(x).arg(y)));
        }
    }
}

void TstScenePainter::valueColoursKeepTheBand() {
    StripItem strip =
        test::stripOf(test::arange(8), QRectF(10, 10, 400, 62), 8, 42, StripReach{1, 0, test::makeViewOf({4}, {2}, 0)});
    strip.heat = true;
    strip.heatHigh = 8;
    const Theme theme;
    const QImage image = renderImage(sceneOf({420, 80}, strip), theme);
    const ColourMap map(0, 8);
    for (int slot = 0; slot < 8; ++slot) {
        QCOMPARE(image.pixelColor(10 + slot * 42 + 5, 10 + 5), QColor(map.rgb(slot)));
        const bool reached = slot % 2 == 0;
        QCOMPARE(image.pixelColor(10 + slot * 42 + 5, 10 + 38) == theme.color(Tone::ViewA), reached);
    }
}

void TstScenePainter::stripShowsReach_data() {
    QTest::addColumn<qreal>("cellWidth");
    for (const qreal width : {0.25, 1.0, 3.0, 6.0, 20.0, 42.0, 120.0})
        QTest::newRow(qPrintable(QString::number(width))) << width;
}

void TstScenePainter::stripShowsReach() {
    QFETCH(qreal, cellWidth);
    // Slots 40 … 79 reached, the rest not, at every zoom.
    StripItem strip = test::stripOf(test::arange(120), QRectF(10, 10, 20000, 62), 120, cellWidth,
                                    StripReach{1, 2, test::makeViewOf({40}, {1}, 40)});
    const Theme theme;
    const QImage image = renderImage(sceneOf({20 + 120 * cellWidth, 80}, strip), theme);
    const auto at = [&](qreal slot) { return image.pixelColor(static_cast<int>(10 + slot * cellWidth), 10 + 42 - 4); };
    const qreal part = cellWidth >= 90 ? 0.1 : 0.3; // beside the bytes that stand below a value
    QCOMPARE(at(60 + part), theme.color(Tone::ViewC));
    QVERIFY(at(20 + part) != theme.color(Tone::ViewC));
    QVERIFY(at(100 + part) != theme.color(Tone::ViewC));
}

void TstScenePainter::wideStripCellsShowTheirBytes() {
    const auto inkBelow = [](qreal cellWidth, int cellHeight = 42) {
        StripItem strip = test::stripOf(test::arange(6), QRectF(10, 10, 800, 62), 6, cellWidth,
                                        StripReach{1, 2, test::makeViewOf({6}, {1}, 0)});
        strip.layout.cellHeight = cellHeight;
        const QImage image = renderImage(sceneOf({820, 80}, strip), Theme());
        int dark = 0;
        for (int y = 10 + cellHeight - 12; y < 10 + cellHeight - 3; ++y) {
            for (int x = 10 + 4; x < 10 + static_cast<int>(cellWidth) - 4; ++x) dark += qGray(image.pixel(x, y)) < 110;
        }
        return dark;
    };
    QCOMPARE(inkBelow(88), 0);
    QVERIFY(inkBelow(92) > 20);
    QVERIFY(inkBelow(120) > 20);
    // As low as the cells of a strip in a small window.
    QVERIFY(inkBelow(120, 34) > 20);
    QVERIFY(inkBelow(92, 32) > 20);
}

void TstScenePainter::overlapIsStriped() {
    // Windows of 2 with step 1 meet in the middle: slot 1 twice, slots 0 and 2 once.
    StripItem strip = test::stripOf(test::arange(3), QRectF(10, 20, 126, 62), 3, 42,
                                    StripReach{1, 0, test::makeViewOf({2, 2}, {1, 1}, 0)});
    const QImage image = renderImage(sceneOf({150, 100}, strip), Theme());
    const auto once = greyCell(image, QRect(11, 26, 40, 34)), twice = greyCell(image, QRect(53, 26, 40, 34));
    QVERIFY(differentPixels(once, twice) > 60);
    // The stripes go on round the digit and behind it: one hue left of it, the paler one right of it, no line across.
    const qreal left = test::greyOf(image, QRect(66, 36, 2, 4)), right = test::greyOf(image, QRect(80, 36, 2, 4));
    QVERIFY2(right > left + 10, qPrintable(QStringLiteral("%1 and %2").arg(left).arg(right)));
    // The badge stands in the lower right corner of the cell that it counts, and in no other.
    QVERIFY(test::greyOf(image, QRect(74, 47, 17, 10)) < 110);
    QVERIFY(test::greyOf(image, QRect(116, 47, 17, 10)) > 130);
    QVERIFY(test::greyOf(image, QRect(95, 47, 17, 10)) > 130);
}

void TstScenePainter::lanesCountVisits() {
    // The same first visits, with and without more of them.
    const auto laneOf = [](const View& view, qreal cell) {
        LaneItem lane;
        lane.layout.cellCount = lane.layout.perRow = 12;
        lane.layout.cellWidth = cell;
        lane.layout.cellHeight = lane.layout.rowPitch = 40;
        lane.layout.area = QRectF(10, 0, 12 * cell, 40);
        lane.top = 50;
        lane.reach = {1, 0, view};
        Scene scene;
        scene.size = QSizeF(20 + 12 * cell, 80);
        scene.nodes.push_back({Part{}, lane});
        return renderImage(scene, Theme());
    };
    for (const qreal cell : {42.0, 34.0, 18.0, 13.0}) {
        const QImage once = laneOf(View{{12}, {1}, 0}, cell), thrice = laneOf(View{{3, 12}, {0, 1}, 0}, cell);
        for (int i = 0; i < 12; ++i) {
            const QRect at(static_cast<int>(10 + i * cell), 50, static_cast<int>(cell), 17);
            QVERIFY2(once.copy(at) != thrice.copy(at), qPrintable(QStringLiteral("%1 at %2").arg(i).arg(cell)));
        }
    }
}

void TstScenePainter::ringsLeaveCountsReadable() {
    // A ring on the next cell or on the cell itself covers nothing of the badge.
    StripItem strip = test::stripOf(test::arange(3), QRectF(10, 20, 126, 62), 3, 42,
                                    StripReach{1, 0, test::makeViewOf({2, 2}, {1, 1}, 0)});
    const auto badge = [&](std::vector<CellMark> marks) {
        strip.marks = std::move(marks);
        return greyCell(renderImage(sceneOf({150, 100}, strip), Theme()), QRect(74, 47, 16, 11));
    };
    const std::vector<int> alone = badge({});
    QVERIFY(*std::min_element(alone.begin(), alone.end()) < 80); // ink on the view's fill
    QCOMPARE(differentPixels(badge({{2, MarkKind::Ring, 0}}), alone), 0);
    QCOMPARE(differentPixels(badge({{1, MarkKind::Ring, 0}}), alone), 0);
}

void TstScenePainter::emptyPanelsSaySo() {
    const GridItem grid = test::gridOf(test::arange(4), test::makeViewOf({0, 3}, {3, 1}, 0), QPointF(10, 10), 0);
    const QImage image = renderImage(sceneOf({140, 60}, grid), Theme());
    QImage blank(image.size(), image.format());
    blank.fill(Theme().color(Tone::Stage));
    QVERIFY(test::compareImages(image, blank).mean > 1);
}

void TstScenePainter::hugeStoragesPaint() {
    const Tensor huge = test::lazyZeros(Index{1} << 36, DType::UInt8);
    if (!huge.defined()) QSKIP("this machine does not lend 64 GiB of address space");
    for (const qreal width : {0.001, 1.0, 42.0}) {
        StripItem strip = test::stripOf(huge, QRectF(0, 0, 600, 62), Index{1} << 36, width,
                                        StripReach{1, 0, test::makeViewOf({1 << 20, 1 << 15}, {1 << 16, 2}, 0)});
        strip.layout.firstColumn = (Index{1} << 36) - static_cast<Index>(600 / width);
        const QImage image = renderImage(sceneOf({600, 80}, strip), Theme());
        QVERIFY(!image.isNull());
        QVERIFY(test::greyOf(image, QRect(100, 5, 400, 30)) < 250);
    }
}

void TstScenePainter::deviceStoragesShowDots() {
    // Memory of another device is never read: the address is not even valid here.
    Device gpu;
    gpu.type = DeviceType::Cuda;
    StoragePtr storage = Storage::wrap(
        reinterpret_cast<void*>(0x40), 64, gpu, [] {}, "cuda");
    const Tensor remote(std::move(storage), test::makeViewOf({16}, {1}, 0), DType::Float32);
    Scene scene = sceneOf({400, 220}, test::gridOf(remote, test::makeViewOf({2, 4}, {4, 1}, 0), QPointF(10, 10), 0));
    scene.nodes.push_back({{}, test::gridOf(remote, test::makeViewOf({2, 4}, {4, 1}, 0), QPointF(250, 10), 0, {4, 4})});
    scene.nodes.push_back({{}, test::stripOf(remote, QRectF(10, 100, 380, 62), 16, 3, std::nullopt)});
    const QImage image = renderImage(scene, Theme());
    QCOMPARE(image.pixelColor(14, 14), Theme().color(Tone::ViewA));
    QVERIFY(test::greyOf(image, QRect(30, 23, 5, 6)) < test::greyOf(image, QRect(14, 14, 5, 5)));
}

void TstScenePainter::fillsAreTheSameInBothThemes() {
    const QImage light = renderImage(test::exploreGallery(), Theme(ThemeKind::Light)),
                 dark = renderImage(test::exploreGallery(), Theme(ThemeKind::Dark));
    for (const QPoint p : {QPoint(64, 114), QPoint(404, 114), QPoint(624, 114), QPoint(186, 366)})
        QCOMPARE(light.pixelColor(p), dark.pixelColor(p));
}

QTEST_MAIN(TstScenePainter)
#include "tst_scene_painter.moc"
