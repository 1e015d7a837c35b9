// NaN, the infinities and the outline among the colours of a heat map, judged by pixels.

#include "tests/support/qt/image_compare.h"
#include "tests/support/qt/scene_gallery.h"
#include "tests/support/qt/scene_samples.h"
#include "widgets/scene/colour_map.h"
#include "widgets/scene/export.h"
#include "widgets/scene/scene_painter.h"

#include <QPainter>
#include <QTest>

#include <limits>

using namespace stridescope;

class TstOddValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void notFiniteIsToldAtEverySize();
    void outlinesOfHeatMapsLieOutsideTheCells();
    void barNamesWhatIsNotFinite();
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
    ColourBarItem bar{QRectF(10, 10, 240, 12), -1, 1, true};
    const auto drawn = [&bar](OddValues odd) {
        bar.odd = odd;
        return renderImage(sceneOf({270, 50}, bar), Theme());
    };
    const QImage none = drawn({});
    const QImage nan = drawn({true, false, false}), positive = drawn({false, true, false}),
                 negative = drawn({false, false, true});
    QVERIFY(nan != none && positive != none && negative != none);
    QVERIFY(nan != positive && positive != negative && nan != negative);
}

QTEST_MAIN(TstOddValues)
#include "tst_odd_values.moc"
