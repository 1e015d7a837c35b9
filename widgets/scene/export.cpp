#include "widgets/scene/export.h"

#include "widgets/scene/painted_text.h"
#include "widgets/scene/scene_painter.h"
#include "widgets/scene/text_device.h"
#include "widgets/scene/tikz_device.h"
#include "widgets/scene/tikz_text.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <cmath>

namespace stridescope {

namespace {

/// Pixels that a picture may have: enough for a poster, refused before the memory is asked for.
constexpr qreal kMostPixels = 256e6;
/// TeX's longest length is a little more than 5.75 m.
constexpr qreal kLongestTexSide = 16000;

Refusal refuse(ErrorKind kind, const char* id, const QString& message) {
    Refusal refusal;
    refusal.kind = kind;
    refusal.id = id;
    refusal.message = message.toStdString();
    return refusal;
}

void paintAll(QPainter& painter, const Scene& scene, const Theme& theme, const ExportOptions& options, bool vector) {
    PaintOptions paint;
    paint.ground = !options.transparent;
    paint.vector = vector;
    paintScene(painter, scene, theme, paint);
}

QByteArray svg(const Scene& scene, const Theme& theme, const ExportOptions& options) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96); // else sizes in millimetres come out 4/3 too large
    generator.setSize(scene.size.toSize());
    generator.setViewBox(QRectF(QPointF(), scene.size));
    generator.setTitle(scene.title.toHtmlEscaped()); // written as it is, so a name could add elements
    generator.setDescription(QString());
    QPainter painter(&generator);
    paintAll(painter, scene, theme, options, true);
    painter.end();
    buffer.close();
    // Millimetres come out rounded: the picture would be a pixel higher in some readers.
    const qsizetype size = bytes.indexOf("<svg width="), rest = bytes.indexOf("viewBox", size);
    if (size >= 0 && rest > size) {
        bytes.replace(size, rest - size,
                      "<svg width=\"" + QByteArray::number(scene.size.width()) + "\" height=\"" +
                          QByteArray::number(scene.size.height()) + "\"\n ");
    }
    // Readers without the bundled fonts fall back to faces of nearly the same widths.
    bytes.replace("font-family=\"Inter Tabular\"", "font-family=\"Inter Tabular, Inter, DejaVu Sans, sans-serif\"");
    bytes.replace("font-family=\"JetBrains Mono NL\"",
                  "font-family=\"JetBrains Mono NL, JetBrains Mono, DejaVu Sans Mono, monospace\"");
    return bytes;
}

/// QPdfWriter stamps the time and a random id; both would make equal pictures differ.
void makeDeterministic(QByteArray& pdf) {
    const auto blank = [&pdf](const QByteArray& begin, char end, char fill, auto&& keep) {
        for (qsizetype at = pdf.indexOf(begin); at >= 0; at = pdf.indexOf(begin, at + 1)) {
            for (qsizetype i = at + begin.size(); i < pdf.size() && pdf[i] != end; ++i) {
                if (!keep(pdf[i])) pdf[i] = fill;
            }
        }
    };
    const auto punctuation = [](char c) { return !(c >= '0' && c <= '9'); };
    blank("/CreationDate (D:", ')', '0', punctuation);
    blank("/ModDate (D:", ')', '0', punctuation);
    static const QRegularExpression id(QStringLiteral("/ID\\s*\\[([^\\]]*)\\]"));
    const QString text = QString::fromLatin1(pdf);
    const QRegularExpressionMatch match = id.match(text);
    if (match.hasMatch()) {
        for (qsizetype i = match.capturedStart(1); i < match.capturedEnd(1); ++i) {
            const char c = pdf[i];
            if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) pdf[i] = '0';
        }
    }
}

QByteArray pdf(const Scene& scene, const Theme& theme, const ExportOptions& options) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(96);
    writer.setTitle(scene.title);
    writer.setCreator(QStringLiteral("Stridescope"));
    // One scene pixel is 1/96 inch; points are 1/72.
    const QSizeF points = scene.size * (72.0 / 96.0);
    writer.setPageSize(QPageSize(points, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    paintAll(painter, scene, theme, options, true);
    painter.end();
    buffer.close();
    makeDeterministic(bytes);
    return bytes;
}

/// A picture for LaTeX; what it needs is said in its first lines.
QByteArray tikz(const Scene& scene, const Theme& theme, const ExportOptions& options, bool document) {
    TikzDevice device(scene.size);
    QPainter painter(&device);
    paintAll(painter, scene, theme, options, true);
    painter.end();
    // A comment ends with its line, so a title can do no harm in it; other than ASCII is left out.
    QByteArray title;
    for (const QChar c : scene.title.simplified()) title += c.unicode() >= 32 && c.unicode() < 127 ? c.toLatin1() : '?';
    QByteArray text = "% " + title + "\n% Made by Stridescope. Needs \\usepackage{tikz}.\n";
    if (!document) return text + device.picture();
    const auto points = [](qreal pixels) { return tikzNumber(pixels * 72 / 96) + "bp"; };
    text += "\\documentclass{article}\n\\usepackage[paperwidth=" + points(scene.size.width()) +
            ",paperheight=" + points(scene.size.height()) +
            ",margin=0pt]{geometry}\n\\usepackage{tikz}\n\\pagestyle{empty}\n\\setlength{\\parindent}{0pt}\n"
            "\\setlength{\\topskip}{0pt}\n\\begin{document}\n";
    return text + device.picture() + "\\end{document}\n";
}

QByteArray plainText(const Scene& scene, const ExportOptions& options) {
    TextDevice device(scene.size);
    QPainter painter(&device);
    paintAll(painter, scene, Theme(), options, true); // it has no colours; which cells have a frame is a theme's matter
    painter.end();
    return device.picture();
}

} // namespace

QImage renderImage(const Scene& scene, const Theme& theme, const ExportOptions& options) {
    const QSize size = (scene.size * options.scale).toSize();
    if (size.isEmpty() || static_cast<qreal>(size.width()) * size.height() > kMostPixels) return {};
    QImage image(size, options.transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    if (image.isNull()) return {};
    image.fill(options.transparent ? Qt::transparent
                                   : theme.color(scene.ground == Tone::None ? Tone::Stage : scene.ground));
    image.setDevicePixelRatio(options.scale);
    QPainter painter(&image);
    paintAll(painter, scene, theme, options, false);
    painter.end();
    return image;
}

Result<QByteArray> exportScene(const Scene& scene, const Theme& theme, ExportFormat format,
                               const ExportOptions& options) {
    const qreal scale = format == ExportFormat::Png ? options.scale : 1;
    const qreal width = scene.size.width() * scale, height = scene.size.height() * scale;
    if (!(width >= 1) || !(height >= 1)) {
        return refuse(ErrorKind::Value, "EXPORT-01",
                      PaintedText::tr("Nothing to export: the picture is %1 × %2 pixels; it needs at least 1 × 1.")
                          .arg(width)
                          .arg(height));
    }
    if (width * height > kMostPixels) {
        return refuse(ErrorKind::Value, "EXPORT-02",
                      QStringLiteral(
                          "The picture would have %1 × %2 pixels; at most %3 million are written. Use a smaller scale.")
                          .arg(std::round(width))
                          .arg(std::round(height))
                          .arg(kMostPixels / 1e6));
    }
    const bool tex = format == ExportFormat::Tex || format == ExportFormat::Tikz;
    if (tex && std::max(width, height) > kLongestTexSide) {
        return refuse(
            ErrorKind::Value, "EXPORT-05",
            PaintedText::tr("The picture is %1 × %2 pixels; TeX holds at most %3 a side. Use PDF or a smaller size.")
                .arg(std::round(width))
                .arg(std::round(height))
                .arg(kLongestTexSide));
    }
    switch (format) {
    case ExportFormat::Svg:
        return svg(scene, theme, options);
    case ExportFormat::Pdf:
        return pdf(scene, theme, options);
    case ExportFormat::Tex:
        return tikz(scene, theme, options, true);
    case ExportFormat::Tikz:
        return tikz(scene, theme, options, false);
    case ExportFormat::Text:
        return plainText(scene, options);
    case ExportFormat::Png:
        break;
    }
    const QImage image = renderImage(scene, theme, options);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImage plain = image;
    plain.setText(QStringLiteral("Title"), scene.title);
    if (image.isNull() || !plain.save(&buffer, "PNG")) {
        return refuse(
            ErrorKind::Memory, "EXPORT-03",
            PaintedText::tr("There is not enough memory for a picture of %1 × %2 pixels. Use a smaller scale.")
                .arg(std::round(width))
                .arg(std::round(height)));
    }
    return bytes;
}

Result<ExportFormat> exportFormatFor(const QString& fileName) {
    const QString suffix = QFileInfo(fileName).suffix().toLower();
    if (suffix == QStringLiteral("png")) return ExportFormat::Png;
    if (suffix == QStringLiteral("svg")) return ExportFormat::Svg;
    if (suffix == QStringLiteral("pdf")) return ExportFormat::Pdf;
    if (suffix == QStringLiteral("tex")) return ExportFormat::Tex;
    if (suffix == QStringLiteral("tikz")) return ExportFormat::Tikz;
    if (suffix == QStringLiteral("txt")) return ExportFormat::Text;
    return refuse(
        ErrorKind::Value, "EXPORT-04",
        suffix.isEmpty()
            ? PaintedText::tr(
                  "The file name has no extension. Pictures are written as .png, .svg, .pdf, .tex, .tikz or .txt.")
            : PaintedText::tr("Pictures cannot be written as .%1. Use .png, .svg, .pdf, .tex, .tikz or .txt.")
                  .arg(suffix.left(20)));
}

} // namespace stridescope
