#include "tests/support/qt/rasterise.h"

#include "tests/support/qt/image_compare.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>

namespace stridescope::test {

namespace {

/// What is missing or went wrong; empty for neither.
void run(Rasterised& made, const QString& folder, const QString& program, const QStringList& arguments) {
    if (!made.missing.isEmpty() || !made.failure.isEmpty()) return;
    const QString path = QStandardPaths::findExecutable(program);
    if (path.isEmpty()) {
        made.missing = program;
        return;
    }
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(path, arguments);
    const bool ended = process.waitForFinished(120'000);
    if (!ended || process.exitCode() != 0)
        made.failure = program + QStringLiteral(": ") + QString::fromUtf8(process.readAllStandardError().left(600));
}

} // namespace

Rasterised rasterised(const Scene& scene, ExportFormat format) {
    Rasterised made;
    const QTemporaryDir folder;
    const auto at = [&folder](const char* name) { return folder.filePath(QString::fromLatin1(name)); };
    const char* source = format == ExportFormat::Svg ? "a.svg" : format == ExportFormat::Pdf ? "a.pdf" : "a.tex";
    const auto bytes = exportScene(scene, Theme(), format);
    if (!bytes) {
        made.failure = QString::fromStdString(bytes.refusal().message);
        return made;
    }
    QFile file(at(source));
    if (!file.open(QIODevice::WriteOnly)) {
        made.failure = file.errorString();
        return made;
    }
    file.write(*bytes);
    file.close();
    if (format == ExportFormat::Svg) {
        run(made, folder.path(), QStringLiteral("rsvg-convert"),
            {QStringLiteral("a.svg"), QStringLiteral("-o"), QStringLiteral("b.png")});
    } else {
        if (format == ExportFormat::Tex) {
            run(made, folder.path(), QStringLiteral("pdflatex"),
                {QStringLiteral("-no-shell-escape"), QStringLiteral("-interaction=batchmode"),
                 QStringLiteral("-halt-on-error"), QStringLiteral("a.tex")});
            QFile log(at("a.log"));
            const QByteArray words = log.open(QIODevice::ReadOnly) ? log.readAll() : QByteArray();
            if (!made.failure.isEmpty() && words.contains("not found")) {
                made.missing = QStringLiteral("TikZ");
                made.failure.clear();
            } else if (!made.failure.isEmpty() || (made.missing.isEmpty() && !words.contains("(1 page,"))) {
                made.failure = QString::fromUtf8(words.right(600));
            }
        }
        run(made, folder.path(), QStringLiteral("pdftoppm"),
            {QStringLiteral("-r"), QStringLiteral("96"), QStringLiteral("-png"), QStringLiteral("-singlefile"),
             QStringLiteral("a.pdf"), QStringLiteral("b")});
        Rasterised text;
        run(text, folder.path(), QStringLiteral("pdftotext"), {QStringLiteral("a.pdf"), QStringLiteral("a.txt")});
        if (QFile words(at("a.txt")); words.open(QIODevice::ReadOnly)) made.words = QString::fromUtf8(words.readAll());
    }
    made.image = QImage(at("b.png"));
    return made;
}

QString differenceFromScreen(const QImage& shown, const Scene& scene, const QString& name, double farShare) {
    const QImage expected = renderImage(scene, Theme());
    const ImageDifference difference = compareImages(shown, expected, 96);
    if (difference.sameSize && difference.mean < 8 && difference.farShare < farShare) return {};
    return QStringLiteral("%1 x %2; mean %3, far %4; see %5")
        .arg(shown.width())
        .arg(shown.height())
        .arg(difference.mean)
        .arg(difference.farShare)
        .arg(keepImages(name, shown, expected));
}

} // namespace stridescope::test
