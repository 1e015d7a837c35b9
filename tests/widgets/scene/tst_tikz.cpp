// Pictures for LaTeX: the same drawing, balanced source, and no name that becomes a command.

#include "tests/support/qt/rasterise.h"
#include "tests/support/qt/scene_gallery.h"
#include "widgets/scene/export.h"
#include "widgets/scene/tikz_device.h"
#include "widgets/scene/tikz_text.h"

#include <QFile>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>

using namespace stridescope;

namespace {

/// How deep the braces end; -1 when one closes that was not opened. Escaped braces do not count.
int braceDepth(const QByteArray& tex) {
    int depth = 0;
    for (qsizetype i = 0; i < tex.size(); ++i) {
        if (tex[i] == '\\' && i + 1 < tex.size() && std::strchr("\\{}%", tex[i + 1])) {
            ++i;
        } else if (tex[i] == '%') {
            while (i < tex.size() && tex[i] != '\n') ++i;
        } else if (tex[i] == '{') {
            ++depth;
        } else if (tex[i] == '}' && --depth < 0) {
            return -1;
        }
    }
    return depth;
}

Scene hostileScene() {
    Scene scene;
    scene.size = QSizeF(420, 120);
    scene.title = QStringLiteral("\\input{/etc/passwd}\n\\end{document}");
    qreal y = 30;
    for (const FontRole font : {FontRole::Label, FontRole::Code}) {
        TextItem text;
        text.pos = QPointF(10, y);
        text.font = font;
        text.text = QStringLiteral("\\input{x} $a_1^2$ #1 & 50% ~ {} <script> \"q\" 'p' `b` a--b ,, |");
        scene.nodes.push_back({{}, text});
        y += 30;
    }
    TextItem foreign;
    foreign.pos = QPointF(10, y);
    foreign.text = QString::fromUtf8("größe ✓ ✗ × → ≤ −1");
    scene.nodes.push_back({{}, foreign});
    return scene;
}

QByteArray exported(const Scene& scene, ExportFormat format) {
    return exportScene(scene, Theme(), format).valueOrThrow();
}

} // namespace

class TstTikz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void escapes_data();
    void escapes();
    void numbers();
    void drawsEachKindOnce();
    void sourceIsSound_data();
    void sourceIsSound();
    void imagesStaySmall();
    void largePicturesAreRefused();
    void compiles_data();
    void compiles();
};

void TstTikz::escapes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("mono");
    QTest::addColumn<QByteArray>("tex"); // empty: to be drawn as outlines
    const auto row = [](const char* name, const char* text, bool mono, const char* tex) {
        QTest::newRow(name) << QString::fromUtf8(text) << mono << QByteArray(tex);
    };
    row("plain", "A3.t()", false, "A3.t()");
    row("braces", "{a}", false, "\\{a\\}");
    row("braces, mono", "{a}", true, "{\\char123}a{\\char125}");
    row("command", "\\input{x}", false, "\\textbackslash{}input\\{x\\}");
    row("command, mono", "\\input", true, "{\\char92}input");
    row("signs", "$&#%_", false, "\\$\\&\\#\\%\\_");
    row("signs, mono", "$&#%_", true, "{\\char36}{\\char38}{\\char35}{\\char37}{\\char95}");
    row("caret and tilde", "^~", false, "\\textasciicircum{}\\textasciitilde{}");
    row("angles", "<i>", false, "\\textless{}i\\textgreater{}");
    row("two dashes", "a--b", false, "a{-}{-}b");
    row("brackets", "A[1]", false, "A{[}1{]}");
    row("spaces", " a  b", true, "\\ a\\ \\ b");
    row("mathematics", "3×4 → −1 ≤ ∞", false, "3$\\times$4\\ $\\rightarrow$\\ {--}1\\ $\\leq$\\ $\\infty$");
    row("minus, mono", "−1", true, "{-}1");
    row("letters of other languages", "größe", false, "");
    row("tick", "✓", false, "");
    row("line end", "a\nb", false, "");
}

void TstTikz::escapes() {
    QFETCH(QString, text);
    QFETCH(bool, mono);
    QFETCH(QByteArray, tex);
    const std::optional<QByteArray> made = tikzText(text, mono);
    QCOMPARE(made.has_value(), !tex.isEmpty());
    if (!made) return;
    QCOMPARE(*made, tex);
    QCOMPARE(braceDepth(*made), 0);
}

void TstTikz::numbers() {
    QCOMPARE(tikzNumber(12.5), QByteArray("12.5"));
    QCOMPARE(tikzNumber(10), QByteArray("10"));
    QCOMPARE(tikzNumber(-0.001), QByteArray("0"));
    QCOMPARE(tikzNumber(1.0 / 3), QByteArray("0.33"));
}

void TstTikz::drawsEachKindOnce() {
    TikzDevice device(QSizeF(100, 60));
    QPainter painter(&device);
    painter.fillRect(QRectF(0, 0, 100, 60), Qt::white);
    painter.setPen(QPen(QColor(0x15, 0x18, 0x1D), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(10, 10, 20, 15));
    QPen dashes(QColor(0xD5, 0x5E, 0x00), 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    dashes.setDashPattern({2, 1});
    painter.setPen(dashes);
    QPainterPath curve(QPointF(0, 50));
    curve.cubicTo(10, 40, 20, 40, 30, 50);
    painter.drawPath(curve);
    painter.save();
    painter.setClipRect(QRectF(50, 0, 20, 20));
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0x72, 0xB2, 128));
    painter.drawPolygon(QPolygonF{{40, 5}, {60, 5}, {60, 25}});
    painter.drawRect(QRectF(80, 40, 5, 5)); // outside the clip
    painter.restore();
    painter.setFont(Theme::monoFont(16));
    painter.setPen(Qt::black);
    painter.drawText(QPointF(5, 58), QStringLiteral("a_1"));
    painter.translate(90, 50);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), QStringLiteral("up"));
    painter.end();
    QByteArray text = device.picture();
    // The width of a text is that of the font in use.
    text.replace(QRegularExpression(QStringLiteral("strideSign\\{[0-9.]+bp"))
                     .match(QString::fromLatin1(text))
                     .captured()
                     .toLatin1(),
                 "strideSign{W");
    const QByteArray expected =
        "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,every node/.style={anchor=base west,inner sep=0pt,outer sep=0pt}]\n"
        "\\def\\strideText#1#2{\\resizebox{#1}{!}{#2}}\n"
        "\\def\\strideSign#1#2{\\setbox0\\hbox{#2}\\ifdim#1>1.16\\wd0\\hbox to#1{\\hss\\scalebox{1.16}{\\box0}\\hss}"
        "\\else\\resizebox{#1}{!}{\\box0}\\fi}\n"
        "\\definecolor{strideFFFFFF}{HTML}{FFFFFF}\n"
        "\\definecolor{stride15181D}{HTML}{15181D}\n"
        "\\definecolor{strideD55E00}{HTML}{D55E00}\n"
        "\\definecolor{stride0072B2}{HTML}{0072B2}\n"
        "\\definecolor{stride000000}{HTML}{000000}\n"
        "\\useasboundingbox (0,0) rectangle (100,60);\n"
        "\\fill[strideFFFFFF] (0,0) rectangle (100,60);\n"
        "\\draw[draw=stride15181D,line width=1.5bp,line join=bevel] (10,10) rectangle (30,25);\n"
        "\\draw[draw=strideD55E00,line width=2.25bp,line cap=round,line join=round,dash pattern=on 4.5bp off 2.25bp] "
        "(0,50) .. controls (10,40) and (20,40) .. (30,50);\n"
        "\\begin{scope}\n"
        "\\clip (50,0) -- (70,0) -- (70,20) -- (50,20) -- cycle;\n"
        "\\fill[stride0072B2,fill opacity=0.5,even odd rule] (40,5) -- (60,5) -- (60,25) -- cycle;\n"
        "\\end{scope}\n"
        "\\node[text=stride000000] at (5,58) "
        "{\\strideSign{W}{\\fontsize{12}{12}\\ttfamily\\mdseries\\selectfont a{\\char95}1}};\n";
    const QStringList lines = QString::fromLatin1(text).split(QLatin1Char('\n')),
                      wanted = QString::fromLatin1(expected).split(QLatin1Char('\n'));
    for (int i = 0; i + 1 < wanted.size() && i < lines.size(); ++i) {
        if (wanted[i].startsWith(QStringLiteral("\\draw[draw=stride15181D"))) {
            // Default caps and joins are the painter's own business.
            QVERIFY(lines[i].contains(QStringLiteral("line width=1.5bp")));
            QVERIFY(lines[i].endsWith(QStringLiteral("(10,10) rectangle (30,25);")));
            continue;
        }
        QCOMPARE(lines[i], wanted[i]);
    }
    QVERIFY(text.contains("rotate=90] at (90,50)"));
    QVERIFY(!text.contains("(80,40)"));
}

void TstTikz::sourceIsSound_data() {
    QTest::addColumn<int>("scene");
    QTest::addColumn<bool>("document");
    const char* names[] = {"explore", "marks", "hostile"};
    for (int scene = 0; scene < 3; ++scene) {
        QTest::addRow("%s, document", names[scene]) << scene << true;
        QTest::addRow("%s, picture", names[scene]) << scene << false;
    }
}

namespace {

Scene sceneOf(int number) {
    return number == 0 ? test::exploreGallery() : number == 1 ? test::markGallery() : hostileScene();
}

} // namespace

void TstTikz::sourceIsSound() {
    QFETCH(int, scene);
    QFETCH(bool, document);
    const QByteArray tex = exported(sceneOf(scene), document ? ExportFormat::Tex : ExportFormat::Tikz);
    QCOMPARE(braceDepth(tex), 0);
    QCOMPARE(tex.count("\\begin{scope}"), tex.count("\\end{scope}"));
    QCOMPARE(tex.count("\\begin{tikzpicture}"), 1);
    QCOMPARE(tex.count("\\end{tikzpicture}"), 1);
    QCOMPARE(tex.contains("\\documentclass"), document);
    for (const char c : tex) QVERIFY2(static_cast<unsigned char>(c) < 128 && (c >= 32 || c == '\n'), "not ASCII");
    // Every line that is no comment begins with a command of ours.
    static const QRegularExpression ours(
        QStringLiteral("^(%.*|\\\\(begin|end)\\{(document|tikzpicture|scope)\\}.*|\\\\(documentclass|usepackage|"
                       "pagestyle|setlength|def|"
                       "definecolor|useasboundingbox|fill|draw|filldraw|clip|node)[\\[{ \\\\].*|)$"));
    for (const QString& line : QString::fromLatin1(tex).split(QLatin1Char('\n'))) {
        QVERIFY2(ours.match(line).hasMatch(), qPrintable(line.left(200)));
        if (!line.startsWith(QLatin1Char('%'))) QVERIFY(!line.contains(QStringLiteral("\\input")));
    }
    QCOMPARE(tex, exported(sceneOf(scene), document ? ExportFormat::Tex : ExportFormat::Tikz));
}

void TstTikz::imagesStaySmall() {
    QImage noise(300, 200, QImage::Format_RGB32);
    for (int y = 0; y < noise.height(); ++y) {
        for (int x = 0; x < noise.width(); ++x)
            noise.setPixel(x, y, qRgb((x * 7919 + y * 104729) % 256, (x * 31 + y * 17) % 256, (x * y) % 256));
    }
    TikzDevice device(QSizeF(400, 300));
    QPainter painter(&device);
    painter.drawImage(QRectF(50, 40, 300, 200), noise);
    painter.end();
    const QByteArray tex = device.picture();
    const int rects = static_cast<int>(tex.count("\\fill["));
    QVERIFY2(rects > 500 && rects <= TikzDevice::kMostRects, qPrintable(QString::number(rects)));
    QVERIFY(tex.contains("(50,40) rectangle"));
    QVERIFY(tex.contains(",240);\n")); // down to the lower edge
    // One colour is one rectangle, whatever its size.
    noise.fill(Qt::red);
    TikzDevice plain(QSizeF(400, 300));
    QPainter again(&plain);
    again.drawImage(QRectF(50, 40, 300, 200), noise);
    again.end();
    QCOMPARE(static_cast<int>(plain.picture().count("\\fill[")), 1);
}

void TstTikz::largePicturesAreRefused() {
    Scene scene;
    scene.size = QSizeF(16001, 100);
    const auto refused = exportScene(scene, Theme(), ExportFormat::Tex);
    QVERIFY(!refused.ok());
    QCOMPARE(QString::fromStdString(refused.refusal().id), QStringLiteral("EXPORT-05"));
    QVERIFY(refused.refusal().message.find("16001") != std::string::npos);
    QVERIFY(refused.refusal().message.find("16000") != std::string::npos);
    scene.size = QSizeF(16000, 100);
    QVERIFY(exportScene(scene, Theme(), ExportFormat::Tex).ok());
}

void TstTikz::compiles_data() {
    QTest::addColumn<int>("scene");
    QTest::newRow("explore") << 0;
    QTest::newRow("marks") << 1;
    QTest::newRow("hostile") << 2;
}

void TstTikz::compiles() {
    QFETCH(int, scene);
    // TeX's fonts are other faces of the same widths; boxes, lines and colours stay put.
    const test::Rasterised made = test::rasterised(sceneOf(scene), ExportFormat::Tex);
    if (!made.missing.isEmpty()) QSKIP(qPrintable(made.missing + QStringLiteral(" is not installed")));
    QVERIFY2(made.failure.isEmpty(), qPrintable(made.failure));
    const QString difference =
        test::differenceFromScreen(made.image, sceneOf(scene), QStringLiteral("tikz-%1").arg(scene), 0.06);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

QTEST_MAIN(TstTikz)
#include "tst_tikz.moc"
