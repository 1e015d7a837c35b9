// Copying pictures, tables and code; pasting tables, lists and pictures.

#include "app/files/paste_text.h"
#include "app/files/picture_file.h"
#include "app/files/tensor_table.h"
#include "app/session/state_text.h"
#include "app/window/main_window.h"
#include "core/ops/creation.h"
#include "widgets/model/words.h"
#include "widgets/panels/message_bar.h"
#include "widgets/scene/export.h"
#include "widgets/stage/explore_stage.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>

namespace stridescope {

namespace {

/// Pixels per logical pixel of a copied PNG.
constexpr qreal kCopyScale = 2;

/// What a copy puts on the clipboard; made in a thread of its own.
struct Copied {
    QImage image;
    QByteArray svg;
    QString text;
    std::optional<Refusal> refusal;
};

Copied copiedPicture(const Scene& scene, const Theme& theme, const QString& format) {
    Copied copied;
    if (format == QStringLiteral("png")) {
        ExportOptions options;
        options.scale = kCopyScale;
        copied.image = renderImage(scene, theme, options);
        if (copied.image.isNull())
            copied.refusal = Refusal{ErrorKind::Memory,
                                     "EXPORT-02",
                                     "the picture is too large to be copied as PNG",
                                     "Copy it as SVG, or make the window smaller.",
                                     {}};
        return copied;
    }
    const bool svg = format == QStringLiteral("svg");
    const auto bytes = exportScene(scene, theme, svg ? ExportFormat::Svg : ExportFormat::Tikz);
    if (!bytes) {
        copied.refusal = bytes.refusal();
        return copied;
    }
    if (svg) copied.svg = *bytes;
    copied.text = QString::fromUtf8(*bytes);
    return copied;
}

} // namespace

bool MainWindow::mayCopy(qint64 bytes) {
    // What pastes it waits for all of it, and many programs are gone for minutes with more.
    constexpr qint64 kMost = qint64{32} << 20;
    if (bytes <= kMost) return true;
    complain(tr("Nothing was copied."),
             tr("It would be %1; the clipboard is given %2 at most.")
                 .arg(bytesText(static_cast<quint64>(bytes)), bytesText(quint64{kMost})),
             tr("Copy a part of it, or save it as a file."));
    return false;
}

void MainWindow::copyText(const QString& text, const QString& what) {
    if (!mayCopy(text.size())) return;
    QGuiApplication::clipboard()->setText(text);
    confirm(tr("%1 copied.").arg(what));
}

void MainWindow::exportFrom(TensorId tensor, const QString& format) {
    const TensorEntry* entry = m_model->snapshot()->tensor(tensor);
    if (format == QStringLiteral("code")) {
        if (entry) copyText(entry->name + QStringLiteral(" = ") + entry->code, tr("The code of %1").arg(entry->name));
        return;
    }
    const auto copied = std::make_shared<Copied>();
    std::function<void(Job&)> work;
    QString what;
    if (format == QStringLiteral("text")) {
        if (!entry) return;
        what = tr("%1 was copied as a table.").arg(entry->name);
        work = [copied, source = entry->tensor, name = entry->name](Job&) {
            const auto table = tensorTable(source, name);
            if (table)
                copied->text = *table;
            else
                copied->refusal = table.refusal();
        };
    } else {
        const QString kind = format == QStringLiteral("tikz") ? QStringLiteral("TikZ") : format.toUpper();
        what = (entry ? tr("The card of %2 was copied as %1.").arg(kind, entry->name)
                      : tr("The picture was copied as %1.").arg(kind));
        work = [copied, scene = currentPicture(tensor), theme = m_theme, format](Job&) {
            *copied = copiedPicture(scene, theme, format);
        };
    }
    const auto done = [this, copied, what] {
        if (copied->refusal) {
            complain(tr("Nothing was copied."), QString::fromStdString(copied->refusal->message),
                     QString::fromStdString(copied->refusal->hint));
        } else if (mayCopy(std::max<qint64>(copied->svg.size(), copied->text.size()))) {
            auto* data = new QMimeData;
            if (!copied->image.isNull()) data->setImageData(copied->image);
            if (!copied->svg.isEmpty()) data->setData(QStringLiteral("image/svg+xml"), copied->svg);
            if (!copied->text.isEmpty()) data->setText(copied->text);
            QGuiApplication::clipboard()->setMimeData(data);
            confirm(what);
        }
        // The last of several quick requests wins.
        if (const auto next = std::exchange(m_nextCopy, nullptr)) next();
    };
    if (m_copying.isBusy()) {
        m_nextCopy = [this, work, done] { m_copying.start(work, done); };
        return;
    }
    m_copying.start(work, done);
}

void MainWindow::paste() {
    sayState(AskingForClipboard, tr("Asking for the clipboard …"));
    m_clipboard->read([this](const ClipboardContents& contents) {
        m_message->endState(AskingForClipboard);
        takePasted(contents);
    });
}

void MainWindow::takePasted(const ClipboardContents& contents) {
    if (contents.timedOut) {
        complain(tr("The clipboard could not be read."),
                 tr("The program that owns it did not answer within %1 s.").arg(ClipboardReader::kLimit / 1000),
                 tr("Copy again, or save the data as a file and open that."));
        return;
    }
    if (contents.isEmpty()) {
        complain(tr("The clipboard holds nothing that makes a tensor."), {},
                 tr("Numbers as a table or list, a printed array, or a picture do."));
        return;
    }
    int others = 0;
    const QStringList paths = localFilesOf(contents.urls, &others);
    if (!paths.isEmpty()) {
        openFiles(paths);
        return;
    }
    if (m_workspace->isBusy()) {
        complain(tr("Nothing was pasted: another line is still being carried out."), {},
                 tr("Wait for its end, or cancel it."));
        return;
    }
    if (!contents.image.isNull()) {
        const auto picture = pictureTensor(contents.image);
        if (!picture) {
            complain(QString::fromStdString(picture.refusal().message));
            return;
        }
        takeIn({{QStringLiteral("picture"), tr("clipboard picture"), picture->tensor}}, tr("Paste picture"), {});
        return;
    }
    if (contents.textBytes > static_cast<qint64>(kLargestPaste)) {
        const Refusal refusal = pasteTooLarge(static_cast<std::size_t>(contents.textBytes));
        complain(QString::fromStdString(refusal.message), QString::fromStdString(refusal.hint));
        return;
    }
    importText(contents.text);
}

void MainWindow::importText(const QString& text) {
    if (looksLikeStateText(text)) return takeStateText(text);
    const std::string utf8 = text.toStdString();
    const auto refuse = [this](const Refusal& refusal) {
        complain(QString::fromStdString(refusal.message), QString::fromStdString(refusal.hint));
    };
    auto pasted = readPastedNumbers(utf8);
    if (!pasted) {
        refuse(pasted.refusal());
        return;
    }
    try {
        TensorOptions options;
        options.dtype = pasted->dtype;
        const Tensor tensor = tensorFrom(pasted->values, options);
        const QString kind = QString::fromLatin1(pasted->kind);
        const QString code = codeOfPasted(*pasted);
        takeIn({{m_workspace->nextName(), code.isEmpty() ? tr("pasted %1").arg(kind) : code, tensor, !code.isEmpty()}},
               tr("Paste %1").arg(kind), {});
        confirm(tr("Pasted a %1 of %2 numbers.").arg(kind).arg(tensor.numel()));
    } catch (const Error& error) {
        refuse(error.refusal());
    }
}

} // namespace stridescope
