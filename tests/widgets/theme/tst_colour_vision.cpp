// The colours as protan, deutan and tritan eyes see them, and in grey: measured, for every theme.

#include "tests/support/qt/colour_vision.h"
#include "widgets/scene/colour_map.h"
#include "widgets/theme/theme.h"

#include <QTest>

using namespace stridescope;
using test::Vision;

namespace {

constexpr Vision kVisions[] = {Vision::Normal, Vision::Protan, Vision::Deutan, Vision::Tritan};
const char* const kNames[] = {"normal", "protan", "deutan", "tritan", "grey"};

QString pairText(const char* vision, std::size_t a, std::size_t b, double distance) {
    return QStringLiteral("%1: %2 and %3 are %4 apart").arg(QLatin1String(vision)).arg(a).arg(b).arg(distance);
}

} // namespace

class TestColourVision : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMeasureIsRight();
    void viewsAreToldApart();
    void dimsAreToldApart_data() { themes(); }
    void dimsAreToldApart();
    void verdictsAreToldApart_data() { themes(); }
    void verdictsAreToldApart();
    void textIsReadable_data() { themes(); }
    void textIsReadable();
    void mapsRise_data();
    void mapsRise();

private:
    static void themes() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("presenter");
        QTest::newRow("light") << 0 << false;
        QTest::newRow("dark") << 1 << false;
        QTest::newRow("light, presenting") << 0 << true;
        QTest::newRow("dark, presenting") << 1 << true;
    }
    static Theme theme() {
        QFETCH(int, kind);
        QFETCH(bool, presenter);
        return Theme(kind == 0 ? ThemeKind::Light : ThemeKind::Dark, presenter);
    }
};

/// Pairs of Sharma, Wu and Dalal's test data for CIEDE2000 need L*a*b*; these are facts about sRGB instead.
void TestColourVision::theMeasureIsRight() {
    QCOMPARE(test::colourDistance(Qt::white, Qt::white), 0.0);
    QVERIFY(std::abs(test::colourDistance(Qt::black, Qt::white) - 100) < 0.01);
    QCOMPARE(test::colourDistance(QColor(10, 200, 30), QColor(90, 20, 220)),
             test::colourDistance(QColor(90, 20, 220), QColor(10, 200, 30)));
    for (const Vision vision : kVisions) { // greys stay, but for the rounding of the tables
        const QColor grey = test::seenAs(QColor(128, 128, 128), vision);
        QVERIFY(std::abs(grey.red() - 128) <= 1 && std::abs(grey.green() - 128) <= 1 &&
                std::abs(grey.blue() - 128) <= 1);
    }
    // Red and green that deutan eyes hardly tell apart, and everybody else does.
    const QColor red(191, 95, 60), green(140, 121, 55);
    const double seen = test::colourDistance(test::seenAs(red, Vision::Deutan), test::seenAs(green, Vision::Deutan));
    QVERIFY2(seen < test::colourDistance(red, green) / 2, qPrintable(QString::number(seen)));
}

/// V2: the first two by hue alone, with room; with three and four, where badge and outline help, 11 at least.
void TestColourVision::viewsAreToldApart() {
    const Theme theme;
    const Tone views[] = {Tone::ViewA, Tone::ViewB, Tone::ViewC, Tone::ViewD};
    for (const Vision vision : kVisions) {
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = a + 1; b < 4; ++b) {
                const double distance = test::colourDistance(test::seenAs(theme.color(views[a]), vision),
                                                             test::seenAs(theme.color(views[b]), vision));
                QVERIFY2(distance >= (b == 1 ? 50 : 11),
                         qPrintable(pairText(kNames[static_cast<int>(vision)], a, b, distance)));
            }
        }
    }
}

/// V3: 12 at least. Presenting wants more contrast with the ground, for which the hues came nearer to each other:
/// number and direction of a dim tell it then, as they always do.
void TestColourVision::dimsAreToldApart() {
    const Theme theme = TestColourVision::theme();
    const Tone dims[] = {Tone::Dim0, Tone::Dim1, Tone::Dim2, Tone::Dim3};
    for (const Vision vision : kVisions) {
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = a + 1; b < 4; ++b) {
                const double distance = test::colourDistance(test::seenAs(theme.color(dims[a]), vision),
                                                             test::seenAs(theme.color(dims[b]), vision));
                QVERIFY2(distance >= (b == 1                ? 30
                                      : theme.isPresenter() ? 7
                                                            : 12),
                         qPrintable(pairText(kNames[static_cast<int>(vision)], a, b, distance)));
            }
        }
    }
}

/// Right and wrong always have a sign and words of their own (✓, ✗), and need them: on dark grounds both tones are
/// light, and protan eyes see little between them.
void TestColourVision::verdictsAreToldApart() {
    const Theme theme = TestColourVision::theme();
    for (const Vision vision : kVisions) {
        const double distance = test::colourDistance(test::seenAs(theme.color(Tone::Error), vision),
                                                     test::seenAs(theme.color(Tone::Right), vision));
        QVERIFY2(distance >= (theme.kind() == ThemeKind::Dark ? 6 : 15),
                 qPrintable(pairText(kNames[static_cast<int>(vision)], 0, 1, distance)));
    }
}

/// What is text, on each ground that it stands on, as each eye sees the two: AA's 4.5 where the plain theme has 7, and
/// 7 where a class reads it.
void TestColourVision::textIsReadable() {
    const Theme theme = TestColourVision::theme();
    std::vector<std::pair<QColor, QColor>> pairs;
    for (const Tone ground : {Tone::Window, Tone::Chrome, Tone::Panel, Tone::Stage, Tone::Inset, Tone::CodeGround,
                              Tone::Selected, Tone::ErrorTint, Tone::RightTint, Tone::NoteTint})
        pairs.emplace_back(theme.color(Tone::Ink), theme.color(ground));
    for (const Tone view : {Tone::ViewA, Tone::ViewB, Tone::ViewC, Tone::ViewD, Tone::ViewNeutral})
        pairs.emplace_back(theme.color(Tone::OnView), theme.color(view));
    for (int view = -1; view < 4; ++view) pairs.emplace_back(theme.ghostInk(), theme.ghostFill(view));
    for (const Tone code : {Tone::CodeKeyword, Tone::CodeName, Tone::CodeText, Tone::CodeNumber, Tone::CodeNote})
        pairs.emplace_back(theme.color(code), theme.color(Tone::CodeGround));
    pairs.emplace_back(theme.color(Tone::Error), theme.color(Tone::Stage));
    pairs.emplace_back(theme.color(Tone::PrimaryText), theme.color(Tone::Primary));
    for (const Vision vision : {Vision::Protan, Vision::Deutan, Vision::Tritan, Vision::Grey}) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const double ratio =
                contrastRatio(test::seenAs(pairs[i].first, vision), test::seenAs(pairs[i].second, vision));
            QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("%1: pair %2 has %3")
                                                  .arg(QLatin1String(kNames[static_cast<int>(vision)]))
                                                  .arg(i)
                                                  .arg(ratio)));
        }
    }
}

void TestColourVision::mapsRise_data() {
    QTest::addColumn<bool>("isSigned");
    QTest::newRow("plain") << false;
    QTest::newRow("signed") << true;
}

/// More is lighter for everybody; round 0 both sides get darker outwards, and their ends differ.
void TestColourVision::mapsRise() {
    QFETCH(bool, isSigned);
    const ColourMap map(isSigned ? -1 : 0, 1);
    QCOMPARE(map.isSigned(), isSigned);
    for (const Vision vision : {Vision::Normal, Vision::Protan, Vision::Deutan, Vision::Tritan, Vision::Grey}) {
        const auto light = [&](double share) { return luminance(test::seenAs(QColor(map.at(share)), vision)); };
        const double from = isSigned ? 0.5 : 0;
        for (int i = 1; i <= 16; ++i) {
            const double step = (1 - from) / 16, here = from + i * step, before = here - step;
            if (isSigned) {
                QVERIFY2(light(here) < light(before), kNames[static_cast<int>(vision)]);
                QVERIFY2(light(1 - here) < light(1 - before), kNames[static_cast<int>(vision)]);
            } else {
                QVERIFY2(light(here) > light(before), kNames[static_cast<int>(vision)]);
            }
        }
        if (isSigned && vision != Vision::Grey)
            QVERIFY(test::colourDistance(test::seenAs(QColor(map.at(0)), vision),
                                         test::seenAs(QColor(map.at(1)), vision)) >= 20);
    }
}

QTEST_MAIN(TestColourVision)
#include "tst_colour_vision.moc"
