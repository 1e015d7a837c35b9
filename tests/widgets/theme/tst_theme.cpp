// The token table, the bundled fonts and the icons.

#include "widgets/scene/colour_map.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRawFont>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

using namespace stridescope;

namespace {

struct Pair {
    Tone over, under;
};

} // namespace

class TstTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void themes_data();
    void textIsReadable_data() { themes_data(); }
    void textIsReadable();
    void strokesAreSeen_data() { themes_data(); }
    void strokesAreSeen();
    void viewFillsAreTheSameInBothThemes();
    void fontsAreOurs();
    void presentersFontsAreLarger();
    void figuresAreTabular();
    void codeHasNoLigatures();
    void signsAreThere();
    void iconsAreTinted();
    void iconsAreSharpAtTwice();
    void styleSheetIsWhole();
    void rulesOfTheSheetAreReadable_data() { themes_data(); }
    void rulesOfTheSheetAreReadable();
    void selectedTextStandsOut();
    void quietTextIsReadable_data() { themes_data(); }
    void quietTextIsReadable();
};

void TstTheme::themes_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("presenter");
    QTest::newRow("light") << 0 << false;
    QTest::newRow("dark") << 1 << false;
    QTest::newRow("light presenter") << 0 << true;
    QTest::newRow("dark presenter") << 1 << true;
}

void TstTheme::textIsReadable() {
    QFETCH(int, kind);
    QFETCH(bool, presenter);
    const Theme theme(kind == 0 ? ThemeKind::Light : ThemeKind::Dark, presenter);
    const double wanted = presenter ? 10 : 7;
    QList<Pair> pairs;
    for (const Tone ground :
         {Tone::Window, Tone::Chrome, Tone::Panel, Tone::Stage, Tone::Inset, Tone::CodeGround, Tone::Selected}) {
        pairs.append({Tone::Ink, ground});
        pairs.append({Tone::Ink2, ground});
    }
    for (const Tone tint : {Tone::ErrorTint, Tone::RightTint, Tone::NoteTint, Tone::CpuTint, Tone::GpuTint})
        pairs.append({Tone::Ink, tint});
    for (const Tone view : {Tone::ViewA, Tone::ViewB, Tone::ViewC, Tone::ViewD, Tone::ViewNeutral})
        pairs.append({Tone::OnView, view});
    pairs.append({Tone::PrimaryText, Tone::Primary});
    pairs.append({Tone::Stage, Tone::Ink}); // counts and flags: reversed
    for (const Pair& pair : pairs) {
        const double ratio = contrastRatio(theme.color(pair.over), theme.color(pair.under));
        QVERIFY2(ratio >= wanted, qPrintable(QStringLiteral("tone %1 on %2: %3")
                                                 .arg(static_cast<int>(pair.over))
                                                 .arg(static_cast<int>(pair.under))
                                                 .arg(ratio)));
    }
    for (int view = -1; view < 4; ++view) {
        const double ratio = contrastRatio(theme.ghostInk(), theme.ghostFill(view));
        QVERIFY2(ratio >= wanted, qPrintable(QStringLiteral("ghost %1: %2").arg(view).arg(ratio)));
    }
}

/// Every rule that colours text, against its own ground or else all grounds that text stands on. The signs of messages
/// are drawn: like all that is no text they need 3 : 1, and 4.5 : 1 when presenting.
void TstTheme::rulesOfTheSheetAreReadable() {
    QFETCH(int, kind);
    QFETCH(bool, presenter);
    const Theme theme(kind == 0 ? ThemeKind::Light : ThemeKind::Dark, presenter);
    static const QRegularExpression rule(QStringLiteral("([^{}]+)\\{([^{}]*)\\}"));
    static const QRegularExpression text(QStringLiteral("(?:^|;)\\s*color:\\s*(#[0-9a-f]{6})"));
    static const QRegularExpression ground(QStringLiteral("(?:^|;)\\s*background(?:-color)?:\\s*(#[0-9a-f]{6})"));
    int rules = 0;
    for (auto it = rule.globalMatch(theme.styleSheet()); it.hasNext();) {
        const QRegularExpressionMatch found = it.next();
        const QRegularExpressionMatch over = text.match(found.captured(2));
        if (!over.hasMatch()) continue;
        ++rules;
        const bool drawn = found.captured(1).contains(QStringLiteral("#messageGlyph"));
        const double wanted = !drawn ? theme.textContrast() : presenter ? 4.5 : 3;
        QList<QColor> grounds;
        if (const auto under = ground.match(found.captured(2)); under.hasMatch()) {
            grounds = {QColor(under.captured(1))};
        } else {
            for (const Tone tone : {Tone::Chrome, Tone::Panel, Tone::Stage, Tone::CodeGround})
                grounds << theme.color(tone);
        }
        for (const QColor& under : grounds) {
            const double ratio = contrastRatio(QColor(over.captured(1)), under);
            QVERIFY2(ratio >= wanted, qPrintable(QStringLiteral("%1: %2").arg(found.captured(1).trimmed()).arg(ratio)));
        }
    }
    QVERIFY(rules >= 5);
}

/// A found word is selected text: it stands out of what is round it, and is read as well as that.
void TstTheme::selectedTextStandsOut() {
    static const QRegularExpression selection(
        QStringLiteral("background: (#[0-9a-f]{6});[^}]*selection-background-color: (#[0-9a-f]{6});\\s*"
                       "selection-color: (#[0-9a-f]{6})"));
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        const QString sheet = Theme(kind).styleSheet();
        int fields = 0;
        for (const QString& rule : sheet.split(QLatin1Char('}'))) {
            if (!rule.contains(QStringLiteral("QPlainTextEdit, QTextEdit {")) &&
                !rule.contains(QStringLiteral("QLineEdit, QSpinBox")))
                continue;
            const QRegularExpressionMatch found = selection.match(rule);
            QVERIFY2(found.hasMatch(), qPrintable(rule));
            QVERIFY(contrastRatio(QColor(found.captured(2)), QColor(found.captured(1))) >= 4.5);
            QVERIFY(contrastRatio(QColor(found.captured(3)), QColor(found.captured(2))) >= 7);
            ++fields;
        }
        QCOMPARE(fields, 2);
    }
}

/// Placeholders and disabled text, as Qt resolves palette and style sheet together.
void TstTheme::quietTextIsReadable() {
    QFETCH(int, kind);
    QFETCH(bool, presenter);
    const Theme theme(kind == 0 ? ThemeKind::Light : ThemeKind::Dark, presenter);
    qApp->setPalette(theme.palette());
    qApp->setStyleSheet(theme.styleSheet());
    QMainWindow window;
    auto* column = new QWidget;
    column->setProperty("role", QStringLiteral("panel"));
    window.setCentralWidget(column);
    QLineEdit field(column);
    QPlainTextEdit text(column);
    QComboBox choice(column);
    QSpinBox number(column);
    QPushButton button(column);
    QToolButton tool(column);
    QLabel label(column);
    QCheckBox check(column);
    window.show();
    const QList<QWidget*> parts{&field, &text, &choice, &number, &button, &tool, &label, &check};
    for (const bool enabled : {true, false}) {
        for (QWidget* part : parts) {
            part->setEnabled(enabled);
            part->ensurePolished();
            for (const QPalette::ColorRole role :
                 {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText}) {
                const QColor over = part->palette().color(role);
                for (const Tone ground : {Tone::Chrome, Tone::Panel, Tone::Stage, Tone::CodeGround}) {
                    const QColor under = theme.color(ground);
                    const double ratio = contrastRatio(Theme::mix(QColor(over.rgb()), under, over.alphaF()), under);
                    QVERIFY2(ratio >= theme.textContrast(),
                             qPrintable(QStringLiteral("%1 role %2 enabled %3 on %4: %5")
                                            .arg(QLatin1String(part->metaObject()->className()))
                                            .arg(static_cast<int>(role))
                                            .arg(enabled)
                                            .arg(static_cast<int>(ground))
                                            .arg(ratio)));
                }
            }
        }
    }
    qApp->setStyleSheet(QString());
    qApp->setPalette(QPalette());
}

void TstTheme::strokesAreSeen() {
    QFETCH(int, kind);
    QFETCH(bool, presenter);
    const Theme theme(kind == 0 ? ThemeKind::Light : ThemeKind::Dark, presenter);
    const double wanted = presenter ? 4.5 : 3;
    for (const Tone stroke : {Tone::Dim0, Tone::Dim1, Tone::Dim2, Tone::Dim3, Tone::Control, Tone::Ghost, Tone::Error,
                              Tone::Right, Tone::Ink, Tone::Gpu, Tone::Cpu}) {
        const double ratio = contrastRatio(theme.color(stroke), theme.color(Tone::Stage));
        QVERIFY2(ratio >= wanted,
                 qPrintable(QStringLiteral("tone %1 on the stage: %2").arg(static_cast<int>(stroke)).arg(ratio)));
    }
    // Error words may be written in the error's hue.
    QVERIFY(contrastRatio(theme.color(Tone::Error), theme.color(Tone::Stage)) >= 5);
}

void TstTheme::viewFillsAreTheSameInBothThemes() {
    const Theme light(ThemeKind::Light), dark(ThemeKind::Dark);
    for (const Tone view : {Tone::ViewA, Tone::ViewB, Tone::ViewC, Tone::ViewD, Tone::ViewNeutral, Tone::OnView}) {
        QCOMPARE(light.color(view), dark.color(view));
    }
    QCOMPARE(light.color(Tone::ViewA), QColor(0x56, 0xB4, 0xE9));
    QCOMPARE(light.color(Tone::Error), QColor(0xB3, 0x26, 0x1E));
    QCOMPARE(dark.color(Tone::Error), QColor(0xF2, 0x93, 0x8C));
    QCOMPARE(Theme::viewTone(7), Tone::ViewNeutral);
    QCOMPARE(Theme::dimTone(5), Tone::Dim1);
    QCOMPARE(Theme::viewLetter(2), QStringLiteral("C"));
    QVERIFY(Theme::viewLetter(4).isEmpty());
    QVERIFY(Theme(ThemeKind::Light) == light);
    QVERIFY(!(light == dark));
}

void TstTheme::fontsAreOurs() {
    const Theme theme;
    QSet<QString> families;
    for (int role = 0; role < static_cast<int>(FontRole::Count); ++role) {
        const QFont& font = theme.font(static_cast<FontRole>(role));
        const QFontInfo info(font);
        families.insert(info.family());
        QVERIFY2(font.pixelSize() >= 11, qPrintable(QString::number(role)));
        QCOMPARE(QRawFont::fromFont(font).weight(), static_cast<int>(font.weight()));
    }
    QCOMPARE(families, QSet<QString>({QStringLiteral("Inter Tabular"), QStringLiteral("JetBrains Mono NL")}));
}

void TstTheme::presentersFontsAreLarger() {
    const Theme plain, presenter(ThemeKind::Light, true);
    for (int role = 0; role < static_cast<int>(FontRole::Count); ++role) {
        const int pixels = presenter.font(static_cast<FontRole>(role)).pixelSize();
        QVERIFY(pixels >= presenter.leastPixels());
        QVERIFY(pixels >= plain.font(static_cast<FontRole>(role)).pixelSize());
    }
    QVERIFY(plain.leastPixels() < presenter.leastPixels());
}

void TstTheme::figuresAreTabular() {
    const Theme theme;
    for (int role = 0; role < static_cast<int>(FontRole::Count); ++role) {
        const QFontMetricsF metrics(theme.font(static_cast<FontRole>(role)));
        const qreal zero = metrics.horizontalAdvance(QLatin1Char('0'));
        QVERIFY(zero > 0);
        for (char16_t digit = u'1'; digit <= u'9'; ++digit) {
            // A 64th of a pixel is the rounding of the font engine.
            QVERIFY(std::abs(metrics.horizontalAdvance(QChar(digit)) - zero) < 0.04);
        }
    }
}

void TstTheme::codeHasNoLigatures() {
    const QFontMetricsF code(Theme().font(FontRole::Code));
    for (const char16_t* text : {u"->", u"!=", u">>>", u"==", u"<=", u"::", u"//", u"www"}) {
        const QString shown = QString::fromUtf16(text);
        const QRawFont raw = QRawFont::fromFont(Theme().font(FontRole::Code));
        QCOMPARE(code.horizontalAdvance(shown),
                 static_cast<qreal>(shown.size()) * code.horizontalAdvance(QLatin1Char('0')));
        QImage together(120, 40, QImage::Format_Grayscale8), apart(120, 40, QImage::Format_Grayscale8);
        together.fill(255);
        apart.fill(255);
        QPainter a(&together), b(&apart);
        a.setFont(Theme().font(FontRole::Code));
        b.setFont(Theme().font(FontRole::Code));
        a.drawText(QPointF(4, 24), shown);
        for (int i = 0; i < shown.size(); ++i)
            b.drawText(QPointF(4 + i * code.horizontalAdvance(QLatin1Char('0')), 24), shown.mid(i, 1));
        a.end();
        b.end();
        QCOMPARE(together, apart);
    }
}

void TstTheme::signsAreThere() {
    // Signs that pictures and panels use; drawn from our own files, not from whatever the machine has.
    const QString signs = QStringLiteral("≤≥×−·…∞∑σ²₀₁₂₃₄₅₆₇₈₉→←↑↓≠");
    for (const FontRole role : {FontRole::Label, FontRole::Code}) {
        const QRawFont raw = QRawFont::fromFont(Theme().font(role));
        for (const QChar sign : signs) QVERIFY2(raw.supportsCharacter(sign), qPrintable(QString(sign)));
    }
}

void TstTheme::iconsAreTinted() {
    const Theme light(ThemeKind::Light), dark(ThemeKind::Dark);
    const QStringList files = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")});
    QVERIFY(files.size() >= 30);
    for (const QString& file : files) {
        const QString name = file.chopped(4);
        const QImage onLight = light.icon(name).pixmap(20, 20).toImage().convertToFormat(QImage::Format_ARGB32),
                     onDark = dark.icon(name).pixmap(20, 20).toImage().convertToFormat(QImage::Format_ARGB32);
        int drawn = 0;
        for (int y = 0; y < 20; ++y) {
            for (int x = 0; x < 20; ++x) {
                if (onLight.pixelColor(x, y).alpha() < 250) continue;
                ++drawn;
                // Off by one where a nearly opaque edge was multiplied by its alpha and back.
                QVERIFY(std::abs(qGray(onLight.pixel(x, y)) - qGray(light.color(Tone::Ink).rgb())) <= 2);
                QVERIFY(std::abs(qGray(onDark.pixel(x, y)) - qGray(dark.color(Tone::Ink).rgb())) <= 2);
            }
        }
        QVERIFY2(drawn > 2, qPrintable(name));
    }
    QVERIFY(light.icon(QStringLiteral("no-such-icon")).isNull());
}

void TstTheme::iconsAreSharpAtTwice() {
    const QPixmap twice = Theme().icon(QStringLiteral("storage")).pixmap(QSize(16, 16), 2.0);
    QCOMPARE(twice.size(), QSize(32, 32));
    QCOMPARE(twice.devicePixelRatio(), 2.0);
}

void TstTheme::styleSheetIsWhole() {
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        const QString sheet = Theme(kind).styleSheet();
        QVERIFY(!sheet.contains(QLatin1Char('@')));
        static const QRegularExpression url(QStringLiteral("url\\(([^)]*)\\)"));
        auto matches = url.globalMatch(sheet);
        int seen = 0;
        while (matches.hasNext()) {
            const QString file = matches.next().captured(1);
            QVERIFY2(QFile::exists(file), qPrintable(file));
            ++seen;
        }
        QVERIFY(seen >= 5);
        QVERIFY(sheet.contains(Theme(kind).color(Tone::Ink).name()));
    }
}

QTEST_MAIN(TstTheme)
#include "tst_theme.moc"
