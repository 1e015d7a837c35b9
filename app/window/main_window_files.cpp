// Files, clipboard, drag and drop.

#include "app/files/paste_text.h"
#include "app/files/picture_file.h"
#include "app/window/main_window.h"
#include "core/expr/value.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/save_atomically.h"
#include "core/io/text.h"
#include "widgets/panels/message_bar.h"
#include "widgets/scene/export.h"
#include "widgets/stage/explore_stage.h"

#include <QBuffer>
#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>

#include <filesystem>

namespace stridescope {

namespace {

constexpr int kRecentFiles = 12;
/// More files than this from one drop are refused, and counted.
constexpr int kMostAtOnce = 64;
constexpr qreal kCopyScale = 2;

QString shown(const QString& text) {
    return QString::fromStdString(sanitiseForDisplay(text.toStdString()));
}

std::filesystem::path native(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

std::span<const std::byte> bytesOf(const QByteArray& bytes) {
    return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Local files among `urls`; what is not one is counted.
QStringList localFiles(const QMimeData* data, int* others) {
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
        else
            ++*others;
    }
    return paths;
}

bool looksOpenable(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    for (const char* known : {"npy", "npz", "png", "jpg", "jpeg", "bmp", "ppm", "pgm", "pnm"}) {
        if (ending == QLatin1String(known)) return true;
    }
    return false;
}

/// The elements as numbers in rows, for spreadsheets and slides.
QString tableText(const TensorEntry& entry) {
    return QString::fromStdString(expr::repr(expr::Value(expr::TensorValue{entry.tensor, expr::Lineage::Alias, 0})));
}

} // namespace

// --- Opening --------------------------------------------------------------------------------------------------------

void MainWindow::askToOpen() {
    const QString folder = m_settings->text(QStringLiteral("openFolder"));
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open"), folder,
        tr("Arrays and pictures (*.npy *.npz *.png *.jpg *.jpeg *.bmp *.ppm *.pgm *.pnm);;All files (*)"));
    if (paths.isEmpty()) return;
    m_settings->set(QStringLiteral("openFolder"), QFileInfo(paths.first()).absolutePath());
    openFiles(paths);
}

void MainWindow::openFiles(const QStringList& paths) {
    if (paths.isEmpty()) return;
    if (!m_opener->isBusy()) {
        m_openNotes.clear();
        m_openedCount = m_refusedCount = 0;
    }
    QStringList files;
    for (const QString& path : paths) {
        if (files.size() >= kMostAtOnce) break;
        files << path;
    }
    if (paths.size() > files.size())
        m_openNotes << tr("%1 of %2 files were opened; the limit at once is %3.")
                           .arg(files.size())
                           .arg(paths.size())
                           .arg(kMostAtOnce);
    say(tr("Opening %1").arg(shown(QFileInfo(files.first()).fileName())),
        files.size() > 1 ? tr("and %1 more").arg(files.size() - 1) : QString());
    offer(tr("Cancel"), [this] { m_opener->cancel(); });
    m_progress->setRange(0, 0);
    m_progress->show();
    m_opener->open(files);
}

void MainWindow::takeOpened(const OpenedFile& file) {
    const QString name = shown(QFileInfo(file.path).fileName());
    for (const QString& note : file.notes) m_openNotes << name + QStringLiteral(": ") + note;
    if (file.refusal) {
        ++m_refusedCount;
        const QString reason = QString::fromStdString(file.refusal->message);
        const QString hint = QString::fromStdString(file.refusal->hint);
        m_openNotes << name + QStringLiteral(": ") + reason + (hint.isEmpty() ? QString() : QLatin1Char(' ') + hint);
        return;
    }
    std::vector<NewTensor> tensors;
    for (const OpenedTensor& opened : file.tensors) tensors.push_back({opened.name, opened.code, opened.tensor});
    if (tensors.empty()) {
        m_openNotes << name + QStringLiteral(": ") + tr("holds no arrays.");
        return;
    }
    ++m_openedCount;
    const bool nothingToLose = !m_workspace->isModified();
    m_workspace->add(tensors, tr("Open %1").arg(name), name);
    if (nothingToLose) m_workspace->setSaved();
    rememberRecent(file.path);
}

void MainWindow::openingFinished(bool cancelled) {
    m_message->clear();
    m_progress->hide();
    if (cancelled) m_openNotes.prepend(tr("Cancelled."));
    if (m_openedCount > 0) m_firstRun->hide();
    if (m_openNotes.isEmpty()) return;
    const bool refused = m_refusedCount > 0;
    const QString headline =
        refused ? tr("%1 opened, %2 refused.").arg(m_openedCount).arg(m_refusedCount) : m_openNotes.takeFirst();
    constexpr int kShownNotes = 4;
    QString details = m_openNotes.mid(0, kShownNotes).join(QLatin1Char('\n'));
    if (m_openNotes.size() > kShownNotes) details += tr("\nand %1 more.").arg(m_openNotes.size() - kShownNotes);
    refused ? complain(headline, details) : say(headline, details);
    m_openNotes.clear();
}

QStringList MainWindow::recentFiles() const {
    return m_settings->list(QStringLiteral("recentFiles"));
}

void MainWindow::rememberRecent(const QString& path) {
    QStringList recent = recentFiles();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    recent.removeAll(absolute);
    recent.prepend(absolute);
    m_settings->setList(QStringLiteral("recentFiles"), recent.mid(0, kRecentFiles));
    m_settings->save();
}

// --- Drag and drop --------------------------------------------------------------------------------------------------

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    int others = 0;
    const QStringList paths = localFiles(event->mimeData(), &others);
    if (paths.isEmpty() && others == 0) {
        event->ignore();
        return;
    }
    // By their names only: contents are looked at when they are dropped, and not in this thread.
    int good = 0;
    for (const QString& path : paths) good += looksOpenable(path) ? 1 : 0;
    const int total = static_cast<int>(paths.size()) + others;
    if (good > 0)
        say(tr("Drop to open %1 of %2 files.").arg(good).arg(total));
    else if (others > 0)
        say(tr("Links are not fetched."), tr("Save the file on this computer first, then drop it here."));
    else
        say(tr("Drop to look into it."), tr("Known are .npy, .npz, PNG, JPEG, BMP, PPM and PGM; others are refused."));
    event->acceptProposedAction();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
    m_message->clear();
    QMainWindow::dragLeaveEvent(event);
}

void MainWindow::dropEvent(QDropEvent* event) {
    int others = 0;
    const QStringList paths = localFiles(event->mimeData(), &others);
    event->acceptProposedAction();
    if (paths.isEmpty()) {
        complain(tr("Links are not fetched."), tr("Save the file on this computer first, then drop it here."));
        return;
    }
    openFiles(paths);
    if (others > 0) m_openNotes << tr("%1 links were not fetched.").arg(others);
}

// --- Saving ---------------------------------------------------------------------------------------------------------

void MainWindow::save(const QString& path, const std::function<std::optional<Refusal>(const QString&)>& write) {
    std::optional<Refusal> refused;
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    try {
        refused = write(path);
    } catch (const Error& error) {
        refused = error.refusal();
    }
    QGuiApplication::restoreOverrideCursor();
    const QString name = shown(QFileInfo(path).fileName());
    if (refused)
        complain(tr("%1 was not saved.").arg(name),
                 QString::fromStdString(refused->message + " " + refused->hint).trimmed());
    else
        say(tr("Saved %1.").arg(name));
}

void MainWindow::saveTensor() {
    const TensorEntry* entry = m_model->selected();
    if (!entry) return;
    const Tensor tensor = entry->tensor;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save %1").arg(entry->name),
                                                      entry->name + QStringLiteral(".npy"), tr("NumPy array (*.npy)"));
    if (path.isEmpty()) return;
    save(path, [&tensor](const QString& to) -> std::optional<Refusal> {
        auto saved = writeNpy(tensor, native(to));
        if (!saved) return saved.refusal();
        return std::nullopt;
    });
}

void MainWindow::saveAll() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save all tensors"), QStringLiteral("tensors.npz"),
                                                      tr("NumPy archive (*.npz)"));
    if (path.isEmpty()) return;
    std::vector<std::pair<std::string, Tensor>> tensors;
    for (const TensorEntry& entry : m_model->snapshot()->tensors)
        tensors.emplace_back(entry.name.toStdString(), entry.tensor);
    save(path, [this, &tensors](const QString& to) -> std::optional<Refusal> {
        auto saved = writeNpz(tensors, native(to));
        if (!saved) return saved.refusal();
        m_workspace->setSaved();
        return std::nullopt;
    });
}

void MainWindow::exportPicture() {
    QString path = QFileDialog::getSaveFileName(this, tr("Export picture"), QStringLiteral("storage.svg"),
                                                tr("SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;LaTeX (*.tex);;TikZ picture (*.tikz)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".svg");
    save(path, [this](const QString& to) -> std::optional<Refusal> {
        const auto format = exportFormatFor(to);
        if (!format) return format.refusal();
        ExportOptions options;
        if (*format == ExportFormat::Png) options.scale = kCopyScale;
        const auto bytes = exportScene(m_stage->scene(), m_theme, *format, options);
        if (!bytes) return bytes.refusal();
        auto saved = saveAtomically(native(to), bytesOf(*bytes));
        if (!saved) return saved.refusal();
        return std::nullopt;
    });
}

// --- Clipboard ------------------------------------------------------------------------------------------------------

void MainWindow::copyText(const QString& text, const QString& what) {
    QGuiApplication::clipboard()->setText(text);
    say(tr("%1 copied.").arg(what));
}

void MainWindow::exportFrom(TensorId tensor, const QString& format) {
    const TensorEntry* entry = m_model->snapshot()->tensor(tensor);
    if (format == QStringLiteral("text") || format == QStringLiteral("code")) {
        if (!entry) return;
        if (format == QStringLiteral("text"))
            copyText(tableText(*entry), tr("%1 as text").arg(entry->name));
        else
            copyText(entry->name + QStringLiteral(" = ") + entry->code, tr("The code of %1").arg(entry->name));
        return;
    }
    const Scene scene = m_stage->scene();
    auto* data = new QMimeData;
    if (format == QStringLiteral("png")) {
        ExportOptions options;
        options.scale = kCopyScale;
        data->setImageData(renderImage(scene, m_theme, options));
    } else {
        const auto bytes = exportScene(scene, m_theme, ExportFormat::Svg);
        if (!bytes) {
            delete data;
            complain(QString::fromStdString(bytes.refusal().message));
            return;
        }
        data->setData(QStringLiteral("image/svg+xml"), *bytes);
        data->setText(QString::fromUtf8(*bytes));
    }
    QGuiApplication::clipboard()->setMimeData(data);
    say(tr("The picture was copied as %1.").arg(format.toUpper()));
}

void MainWindow::paste() {
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    if (!data) {
        say(tr("The clipboard is empty."));
        return;
    }
    if (data->hasUrls()) {
        int others = 0;
        const QStringList paths = localFiles(data, &others);
        if (!paths.isEmpty()) {
            openFiles(paths);
            return;
        }
    }
    if (data->hasImage()) {
        const auto picture = pictureTensor(qvariant_cast<QImage>(data->imageData()));
        if (!picture) {
            complain(QString::fromStdString(picture.refusal().message));
            return;
        }
        m_workspace->add({{QStringLiteral("picture"), tr("clipboard picture"), picture->tensor}}, tr("Paste picture"),
                         {});
        return;
    }
    if (!data->hasText()) {
        complain(tr("The clipboard holds nothing that makes a tensor."),
                 tr("Numbers as a table or list, a printed array, or a picture do."));
        return;
    }
    importText(data->text());
}

void MainWindow::importText(const QString& text) {
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
        m_workspace->add({{m_workspace->nextName(), tr("pasted %1").arg(kind), tensor}}, tr("Paste %1").arg(kind), {});
        say(tr("Pasted a %1 of %2 numbers.").arg(kind).arg(tensor.numel()));
    } catch (const Error& error) {
        refuse(error.refusal());
    }
}

// --- Closing --------------------------------------------------------------------------------------------------------

bool MainWindow::mayClose() {
    if (!m_workspace->isModified() || m_model->snapshot()->tensors.empty()) return true;
    QStringList names;
    for (const TensorEntry& entry : m_model->snapshot()->tensors) names << entry.name;
    constexpr int kShownNames = 8;
    QString list = names.mid(0, kShownNames).join(QStringLiteral(", "));
    if (names.size() > kShownNames) list += tr(" and %1 more").arg(names.size() - kShownNames);
    QMessageBox box(QMessageBox::NoIcon, tr("Stridescope"), tr("These tensors are not saved: %1.").arg(list),
                    QMessageBox::NoButton, this);
    box.setObjectName(QStringLiteral("closeQuestion"));
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(tr("The last act was: %1").arg(m_workspace->undoTitle()));
    QPushButton* saveButton = box.addButton(tr("Save all as .npz…"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(tr("Close without saving"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == saveButton) {
        saveAll();
        return !m_workspace->isModified();
    }
    return box.clickedButton() == discard;
}

} // namespace stridescope
