// Scenes as files: well-formed, the same bytes every time, and the same picture as on the screen.

#include "tests/support/qt/rasterise.h"
#include "tests/support/qt/scene_gallery.h"
#include "tests/support/test_paths.h"
#include "widgets/scene/export.h"
#include "widgets/scene/scene_dump.h"

#include <QFile>
#include <QTest>
#include <QXmlStreamReader>

using namespace stridescope;

namespace {

Scene hostileScene() {
    Scene scene;
    scene.size = QSizeF(300, 80);
    scene.title = QStringLiteral("<script>&\"title\"");
    TextItem text;
    text.pos = QPointF(10, 40);
    text.text = QStringLiteral("<b>a&b</b> \"x\" ]]>");
    scene.nodes.push_back({{}, text});
    return scene;
}

} // namespace

class TstSceneExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void svgIsWellFormedText();
    void svgEscapesNames();
    void bytesAreTheSame_data();
    void bytesAreTheSame();
    void pngHasTheScale();
    void transparentGround();
    void rasterisedFilesLookTheSame_data();
    void rasterisedFilesLookTheSame();
    void refusals();
    void formats();
    void dumpIsGolden();
    void plainText();
};

void TstSceneExport::svgIsWellFormedText() {
    const Scene scene = test::exploreGallery();
    const QByteArray svg = exportScene(scene, Theme(), ExportFormat::Svg).valueOrThrow();
    QXmlStreamReader reader(svg);
    QStringList texts;
    QString viewBox, title;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) continue;
        if (reader.name() == QStringLiteral("svg"))
            viewBox = reader.attributes().value(QStringLiteral("viewBox")).toString();
        if (reader.name() == QStringLiteral("title")) title = reader.readElementText();
        if (reader.name() == QStringLiteral("text")) texts.append(reader.readElementText().trimmed());
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(viewBox, QStringLiteral("0 0 1000 560"));
    QCOMPARE(title, scene.title);
    QVERIFY(texts.contains(QStringLiteral("A.narrow(1, 1, 2)")));
    QVERIFY(texts.contains(QStringLiteral("19")));
    QVERIFY(texts.contains(QStringLiteral("storage #1")));
    QVERIFY(svg.contains("JetBrains Mono, DejaVu Sans Mono, monospace"));
}

void TstSceneExport::svgEscapesNames() {
    const Scene scene = hostileScene();
    const QByteArray svg = exportScene(scene, Theme(), ExportFormat::Svg).valueOrThrow();
    QVERIFY(!svg.contains("<script>"));
    QVERIFY(!svg.contains("<b>"));
    QXmlStreamReader reader(svg);
    QString text, title;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) continue;
        if (reader.name() == QStringLiteral("title")) title = reader.readElementText();
        if (reader.name() == QStringLiteral("text")) text += reader.readElementText();
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(title, scene.title);
    QVERIFY(text.contains(QStringLiteral("<b>a&b</b>")));
}

void TstSceneExport::bytesAreTheSame_data() {
    QTest::addColumn<int>("format");
    QTest::newRow("png") << static_cast<int>(ExportFormat::Png);
    QTest::newRow("svg") << static_cast<int>(ExportFormat::Svg);
    QTest::newRow("pdf") << static_cast<int>(ExportFormat::Pdf);
}

void TstSceneExport::bytesAreTheSame() {
    QFETCH(int, format);
    const auto make = [format] {
        return exportScene(test::markGallery(), Theme(ThemeKind::Dark), static_cast<ExportFormat>(format))
            .valueOrThrow();
    };
    const QByteArray first = make();
    QTest::qWait(1100); // the clock of a time stamp moves on
    const QByteArray second = make();
    QVERIFY(first.size() > 1000);
    QCOMPARE(first, second);
}

void TstSceneExport::pngHasTheScale() {
    ExportOptions options;
    options.scale = 2;
    const QByteArray png = exportScene(test::exploreGallery(), Theme(), ExportFormat::Png, options).valueOrThrow();
    const QImage image = QImage::fromData(png);
    QCOMPARE(image.size(), QSize(2000, 1120));
    QCOMPARE(image.text(QStringLiteral("Title")), test::exploreGallery().title);
    // Hairlines at 2x are two pixels of one colour: nothing is smeared over the grid.
    QCOMPARE(image.pixel(2 * 140, 2 * 370), image.pixel(2 * 140 + 1, 2 * 370));
    QCOMPARE(image.pixelColor(2 * 140, 2 * 370), Theme().color(Tone::Control));
    QCOMPARE(image.pixelColor(2 * 140 + 2, 2 * 370), Theme().color(Tone::Stage));
}

void TstSceneExport::transparentGround() {
    ExportOptions options;
    options.transparent = true;
    const QImage image = renderImage(test::exploreGallery(), Theme(), options);
    QCOMPARE(image.pixelColor(990, 10).alpha(), 0);
    QCOMPARE(image.pixelColor(64, 114).alpha(), 255);
}

void TstSceneExport::rasterisedFilesLookTheSame_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<bool>("marks");
    for (const bool marks : {false, true}) {
        const QString scene = marks ? QStringLiteral("marks") : QStringLiteral("explore");
        QTest::newRow(qPrintable(QStringLiteral("svg, ") + scene)) << static_cast<int>(ExportFormat::Svg) << marks;
        QTest::newRow(qPrintable(QStringLiteral("pdf, ") + scene)) << static_cast<int>(ExportFormat::Pdf) << marks;
    }
}

void TstSceneExport::rasterisedFilesLookTheSame() {
    QFETCH(int, format);
    QFETCH(bool, marks);
    const Scene scene = marks ? test::markGallery() : test::exploreGallery();
    const test::Rasterised made = test::rasterised(scene, static_cast<ExportFormat>(format));
    if (!made.missing.isEmpty()) QSKIP(qPrintable(made.missing + QStringLiteral(" is not installed")));
    QVERIFY2(made.failure.isEmpty(), qPrintable(made.failure));
    const QString difference =
        test::differenceFromScreen(made.image, scene, QStringLiteral("export-%1-%2").arg(format).arg(marks));
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
    if (!made.words.isEmpty())
        QVERIFY2(made.words.contains(marks ? QStringLiteral("0 elements") : QStringLiteral("storage #1")),
                 qPrintable(made.words.left(300)));
}

void TstSceneExport::refusals() {
    Scene empty;
    const auto nothing = exportScene(empty, Theme(), ExportFormat::Svg);
    QVERIFY(!nothing.ok());
    QCOMPARE(QString::fromStdString(nothing.refusal().id), QStringLiteral("EXPORT-01"));
    Scene large;
    large.size = QSizeF(40000, 40000);
    const auto huge = exportScene(large, Theme(), ExportFormat::Png);
    QVERIFY(!huge.ok());
    QCOMPARE(QString::fromStdString(huge.refusal().id), QStringLiteral("EXPORT-02"));
    QVERIFY(huge.refusal().message.size() <= 140);
    QVERIFY(renderImage(large, Theme()).isNull());
}

void TstSceneExport::formats() {
    QCOMPARE(exportFormatFor(QStringLiteral("a.PNG")).valueOrThrow(), ExportFormat::Png);
    QCOMPARE(exportFormatFor(QStringLiteral("/b/c.svg")).valueOrThrow(), ExportFormat::Svg);
    QCOMPARE(exportFormatFor(QStringLiteral("d.e.pdf")).valueOrThrow(), ExportFormat::Pdf);
    QCOMPARE(exportFormatFor(QStringLiteral("g.tex")).valueOrThrow(), ExportFormat::Tex);
    QCOMPARE(exportFormatFor(QStringLiteral("h.tikz")).valueOrThrow(), ExportFormat::Tikz);
    QCOMPARE(exportFormatFor(QStringLiteral("i.txt")).valueOrThrow(), ExportFormat::Text);
    for (const QString& name : {QStringLiteral("a.jpg"), QStringLiteral("noextension"), QString()}) {
        const auto format = exportFormatFor(name);
        QVERIFY(!format.ok());
        QCOMPARE(QString::fromStdString(format.refusal().id), QStringLiteral("EXPORT-04"));
        QVERIFY(QString::fromStdString(format.refusal().message).contains(QStringLiteral(".svg")));
    }
}

/// Every word of a picture is in its text, in lines from top to bottom.
void TstSceneExport::plainText() {
    for (const Scene& scene : {test::exploreGallery(), test::markGallery()}) {
        const auto bytes = exportScene(scene, Theme(), ExportFormat::Text);
        QVERIFY(bytes.ok());
        QCOMPARE(*bytes, *exportScene(scene, Theme(ThemeKind::Dark), ExportFormat::Text)); // it has no colours
        const QString text = QString::fromUtf8(*bytes);
        for (const QString& line : text.split(QLatin1Char('\n'))) QVERIFY(!line.endsWith(QLatin1Char(' ')));
        for (const SceneNode& node : scene.nodes) {
            const auto* item = std::get_if<TextItem>(&node.item);
            if (!item || item->maxWidth > 0 || item->angle != 0 || item->text.trimmed().isEmpty()) continue;
            if (!QRectF(QPointF(), scene.size).contains(item->pos)) continue;
            QVERIFY2(text.contains(item->text.trimmed().section(QLatin1Char(' '), 0, 0)), qPrintable(item->text));
        }
    }
    // Cells stand in columns between bars.
    Scene row;
    row.size = QSizeF(200, 60);
    for (int i = 0; i < 3; ++i) {
        BoxItem cell;
        cell.rect = QRectF(10 + 42 * i, 10, 42, 30);
        cell.outline = Tone::Ink;
        row.nodes.push_back({{}, cell});
        TextItem number;
        number.pos = cell.rect.center();
        number.anchor = Qt::AlignHCenter | Qt::AlignVCenter;
        number.text = QString::number(7 * i);
        row.nodes.push_back({{}, number});
    }
    const QByteArray cells = exportScene(row, Theme(), ExportFormat::Text).valueOrThrow();
    QCOMPARE(cells.count('|'), 4);
    QCOMPARE(QString::fromUtf8(cells).simplified(), QStringLiteral("| 0 | 7 | 14 |"));
}

void TstSceneExport::dumpIsGolden() {
    QString text;
    for (const Scene& scene : {test::exploreGallery(), test::markGallery()}) text += dumpScene(scene);
    const QString path = QString::fromStdString(test::sourcePath("tests/golden/scene_galleries.txt"));
    if (qEnvironmentVariableIsSet("STRIDESCOPE_WRITE_GOLDEN")) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }
    QFile golden(path);
    QVERIFY2(golden.open(QIODevice::ReadOnly), qPrintable(path));
    const QStringList expected = QString::fromUtf8(golden.readAll()).split(QLatin1Char('\n')),
                      actual = text.split(QLatin1Char('\n'));
    for (int line = 0; line < std::min(expected.size(), actual.size()); ++line) QCOMPARE(actual[line], expected[line]);
    QCOMPARE(actual.size(), expected.size());
}

QTEST_MAIN(TstSceneExport)
#include "tst_scene_export.moc"
