// NaN, the infinities and the outline among the colours of a heat map, judged by pixels.

#include "tests/support/qt/image_compare.h"
#include "tests/support/qt/scene_gallery.h"
#include "tests/support/qt/scene_samples.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/colour_bar.h"
#include "widgets/scene/colour_map.h"
#include "widgets/scene/export.h"
#include "widgets/scene/scene_painter.h"

#include <QPainter>
#include <QSet>
#include <QTest>

#include <limits>

using namespace stridescope;

class TstOddValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void notFiniteIsToldAtEverySize();
    void outlinesOfHeatMapsLieOutsideTheCells();
    void barNamesWhatIsNotFinite();
    void barsOfAllKindsKeepTheirColours();
    void legendsFitTheirBars();
    void barNumbersHaveOneFormat();
    void oneValueIsTold();
    void lowStripCellsShowTheSigns();
};

void TstOddValues::notFiniteIsToldAtEverySize() {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const std::vector<float> values{std::numeric_limits<float>::quiet_NaN(), kInf, -kInf, 0, -1, 1};
    const Tensor tensor = test::tensorOf<float>(values);
    for (const double low : {-1.0, 0.0}) { // a signed map and a plain one
        for (const qreal side : {5.0, 7.0, 9.0, 12.0, 16.0, 24.0}) {
            std::vector<std::vector<int>> looks;
            for (Index i = 0; i < 6; ++i) {
                GridItem grid =
                    test::gridOf(tensor, test::makeViewOf({1, 1}, {1, 1}, i), QPointF(8, 8), -1, {side, side});
                grid.heat = true;
                grid.heatLow = low;
                grid.heatHigh = 1;
                const auto cell = QRect(8, 8, static_cast<int>(side), static_cast<int>(side));
                const QImage light = renderImage(sceneOf({40, 40}, grid), Theme(ThemeKind::Light));
                looks.push_back(greyCell(light, cell));
                if (i < 3)
                    QCOMPARE(greyCell(renderImage(sceneOf({40, 40}, grid), Theme(ThemeKind::Dark)), cell),
                             looks.back());
            }
            for (std::size_t a = 0; a < 3; ++a) {
                for (std::size_t b = a + 1; b < looks.size(); ++b)
                    QVERIFY2(differentPixels(looks[a], looks[b]) >= 2,
                             qPrintable(QStringLiteral("%1 and %2 at %3 px").arg(a).arg(b).arg(side)));
            }
        }
    }
}

void TstOddValues::outlinesOfHeatMapsLieOutsideTheCells() {
    const Tensor tensor = test::tensorOf<float>(std::vector<float>(36, 0.5f));
    const auto cells = [&tensor](int colour) {
        GridItem grid = test::gridOf(tensor, test::makeViewOf({6, 6}, {6, 1}, 0), QPointF(20, 20), colour, {6, 6});
        grid.heat = true;
        return renderImage(sceneOf({80, 80}, grid), Theme());
    };
    const QRect inside(20, 20, 36, 36);
    const QImage plain = cells(-1);
    for (int colour = 0; colour < 4; ++colour) {
        const QImage outlined = cells(colour);
        QString differ;
        for (int y = 0; y < plain.height(); ++y)
            for (int x = 0; x < plain.width(); ++x)
                if (inside.contains(x, y) && plain.pixel(x, y) != outlined.pixel(x, y))
                    differ += QStringLiteral("(%1,%2)").arg(x).arg(y);
        QVERIFY2(differ.isEmpty(), qPrintable(QString::number(plain.width()) + differ.left(300)));
        QVERIFY(outlined != plain);
    }
}

void TstOddValues::barNamesWhatIsNotFinite() {
    ColourBarItem bar{QRectF(10, 10, 340, 12), -1, 1, true};
    const auto drawn = [&bar](OddValues odd) {
        bar.odd = odd;
        return renderImage(sceneOf({370, 50}, bar), Theme());
    };
    const QImage none = drawn({});
    const QImage nan = drawn({1, 0, 0, 9, 9}), positive = drawn({0, 1, 0, 9, 9}), negative = drawn({0, 0, 1, 9, 9});
    QVERIFY(nan != none && positive != none && negative != none);
    QVERIFY(nan != positive && positive != negative && nan != negative);
    QVERIFY(drawn({0, 0, 0, 4096, 300'000}) != none); // not all were looked at
    QVERIFY(drawn({2, 0, 0, 9, 9}) != drawn({3, 0, 0, 9, 9}));
    QVERIFY(drawn({2, 0, 0, 9, 9, true}) != drawn({2, 0, 0, 9, 9}));
    QCOMPARE(drawn({0, 0, 0, 9, 9}), none);
}

void TstOddValues::barsOfAllKindsKeepTheirColours() {
    const Tensor few =
        test::tensorOf<float>({0, 1, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity()});
    const OddValues odd = oddValues(few);
    QCOMPARE(odd, (OddValues{1, 1, 1, 5, 5}));
    QCOMPARE(colourBarWidth({}, 240), 240.0);
    // Of a large storage a part is looked at: what is named is what that part held.
    const Tensor many = test::tensorOf<float>(std::vector<float>((1 << 18) + 1, 0.5f));
    QCOMPARE(oddValues(many), (OddValues{0, 0, 0, 4096, (1 << 18) + 1}));
    QVERIFY(!oddValues(many).exact());
    QVERIFY(oddValues(test::tensorOf<float>(std::vector<float>(1 << 18, 0.5f))).exact());
    // Integers are what they are.
    QVERIFY(oddValues(test::tensorOf<std::int64_t>(std::vector<std::int64_t>((1 << 18) + 1, 7))).exact());
}

void TstOddValues::legendsFitTheirBars() {
    // The whole legend where there is room, then rounded counts, then names: the colours always keep their part.
    const OddValues odd{1'234'567, 3, 20'000, 1'000'000'000, 1'000'000'000};
    const qreal whole = colourBarWidth(odd, 240);
    const OddLegend exact = oddLegend(odd, whole), rounded = oddLegend(odd, whole - 40), names = oddLegend(odd, 240);
    QCOMPARE(whole - exact.width, 184.0);
    QCOMPARE(exact.nan, QStringLiteral("NaN 1\u202f234\u202f567"));
    QCOMPARE(exact.positive, QStringLiteral("+inf 3"));
    QCOMPARE(exact.note, QStringLiteral("of 1\u202f000\u202f000\u202f000"));
    QCOMPARE(rounded.nan, QStringLiteral("NaN ≈1.2e6"));
    QCOMPARE(rounded.positive, QStringLiteral("+inf 3"));
    QCOMPARE(rounded.note, QStringLiteral("of ≈1.0e9"));
    QVERIFY(rounded.width < exact.width);
    QCOMPARE(names.nan, QStringLiteral("NaN"));
    QVERIFY(names.note.isEmpty() && names.width < rounded.width);
    // What was not looked at is never left out.
    QCOMPARE(oddLegend({0, 0, 0, 4096, 300'000}, 400).note, QStringLiteral("4096 of 300\u202f000 seen"));
    QVERIFY(!oddLegend({2, 2, 2, 4096, 300'000}, 100).note.isEmpty());
    QVERIFY(!oddLegend({2, 2, 2, 300'000, 300'000, true}, 100).note.isEmpty());
}

void TstOddValues::barNumbersHaveOneFormat() {
    const auto numbers = [](double low, double high, int ticks) {
        return barNumbers(low, high, ticks).join(QLatin1Char(' '));
    };
    QCOMPARE(numbers(0, 10000, 4), QStringLiteral("0 2500 5000 7500 10000"));
    QCOMPARE(numbers(-2.4, 2.4, 4), QStringLiteral("-2.4 -1.2 0.0 1.2 2.4"));
    QCOMPARE(numbers(0, 255, 2), QStringLiteral("0.0 127.5 255.0"));
    QCOMPARE(numbers(0, 1e7, 4), QStringLiteral("0 2.5e6 5.0e6 7.5e6 1.0e7"));
    QCOMPARE(numbers(0, 4e-5, 2), QStringLiteral("0 2e-5 4e-5"));
    QCOMPARE(numbers(0, 1, 1), QStringLiteral("0 1"));
    for (int exponent = -9; exponent <= 12; ++exponent) {
        for (const double mantissa : {1.0, 1.7, 2.5, 9.7}) {
            const double high = mantissa * std::pow(10, exponent);
            for (const double low : {0.0, -high, high / 2}) {
                const QStringList texts = barNumbers(low, high, 4);
                int powers = 0;
                for (int i = 0; i <= 4; ++i) {
                    const double value = low + i * (high - low) / 4;
                    QVERIFY2(std::abs(texts[i].toDouble() - value) <= 0.02 * (high - low),
                             qPrintable(texts.join(u' ')));
                    powers += texts[i].contains(u'e') || texts[i] == QStringLiteral("0");
                }
                QVERIFY2(powers == 5 || !texts.join(u' ').contains(u'e'), qPrintable(texts.join(u' ')));
            }
        }
    }
}

void TstOddValues::oneValueIsTold() {
    QCOMPARE(onlyText({7, false}), QStringLiteral("7"));
    QCOMPARE(onlyText({0.1f, false}), QStringLiteral("0.1"));
    QCOMPARE(onlyText({2.5e7, false}), QStringLiteral("2.5e7"));
    QVERIFY(onlyText({0, true}).startsWith(QStringLiteral("0 (")));
    // The bar has the colour of the value alone, where without it there would be all of them.
    ColourBarItem bar{QRectF(10, 10, 240, 12), 0, 1};
    const auto coloursOf = [&bar] {
        Scene scene;
        scene.size = QSizeF(260, 40);
        scene.nodes.push_back({Part{}, bar});
        const QImage image = renderImage(scene, Theme());
        QSet<QRgb> colours;
        for (int x = 14; x < 246; ++x) colours << image.pixel(x, 16);
        return colours.size();
    };
    QVERIFY(coloursOf() > 100);
    bar.only = OnlyValue{0.5, false};
    QCOMPARE(coloursOf(), 1);
}

void TstOddValues::lowStripCellsShowTheSigns() {
    // As in grids: a sign in every cell that has room for one, wherever its value is not finite.
    std::vector<float> values(60, 0.5f);
    const std::pair<int, float> odd[] = {{3, std::numeric_limits<float>::quiet_NaN()},
                                         {20, std::numeric_limits<float>::infinity()},
                                         {21, -std::numeric_limits<float>::infinity()}};
    for (const qreal cell : {8.0, 16.0, 28.0}) {
        const auto drawn = [&](const std::vector<float>& content) {
            const StripItem strip =
                test::stripOf(test::tensorOf<float>(content), QRectF(10, 10, 60 * cell, 48), 60, cell, std::nullopt);
            return renderImage(sceneOf({20 + 60 * cell, 80}, strip), Theme());
        };
        const QImage plain = drawn(values);
        std::vector<float> with = values;
        for (const auto& [slot, value] : odd) with[static_cast<std::size_t>(slot)] = value;
        const QImage marked = drawn(with);
        std::vector<std::vector<int>> looks;
        for (const auto& [slot, value] : odd) {
            const QRect at(static_cast<int>(10 + slot * cell), 10, static_cast<int>(cell), 28);
            looks.push_back(greyCell(marked, at));
            QVERIFY2(differentPixels(looks.back(), greyCell(plain, at)) > 10, qPrintable(QString::number(cell)));
        }
        QVERIFY(differentPixels(looks[0], looks[1]) > 4 && differentPixels(looks[1], looks[2]) > 2);
    }
}

QTEST_MAIN(TstOddValues)
#include "tst_odd_values.moc"
