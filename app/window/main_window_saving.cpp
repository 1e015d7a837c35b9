// Saving, exporting and closing. Files are written in a thread of their own; the window stays alive meanwhile.

#include "app/window/console.h"
#include "app/window/main_window.h"
#include "app/window/presenter_window.h"
#include "app/window/script_dock.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/save_atomically.h"
#include "core/io/text.h"
#include "widgets/panels/message_bar.h"
#include "widgets/scene/animation.h"
#include "widgets/scene/export.h"
#include "widgets/shared/screen.h"
#include "widgets/stage/explore_stage.h"

#include <QCloseEvent>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <filesystem>

namespace stridescope {

namespace {

constexpr qreal kExportScale = 2;

QString shown(const QString& text) {
    return QString::fromStdString(sanitiseForDisplay(text.toStdString()));
}

std::filesystem::path native(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

std::optional<Refusal> refusalOf(const Result<SavedFile>& saved) {
    if (!saved) return saved.refusal();
    return std::nullopt;
}

} // namespace

ProgressFn progressOf(Job& job) {
    return [&job](std::uint64_t done, std::uint64_t total) {
        if (total > 0) job.setPermille(static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * 1000));
        return !job.isCancelled();
    };
}

// --- Work in the background -----------------------------------------------------------------------------------------

void MainWindow::updateWork() {
    const bool busy = m_opener->isBusy() || m_saving.isBusy() || m_workspace->isBusy();
    m_progress->setVisible(busy);
    updateActions();
    // One button for one thing: a line has its Stop at the prompt, as long as that is in sight.
    const bool stop = m_workspace->isBusy() && m_console && m_console->isVisible();
    m_cancelWork->setVisible(m_opener->isBusy() || m_saving.isBusy() || (busy && !stop));
    placeMessage();
}

void MainWindow::showProgress(int permille) {
    // Without a share the bar says only that something goes on: it runs to and fro where things may move.
    const bool still = m_stage->options().reducedMotion;
    m_progress->setRange(0, permille < 0 && !still ? 0 : 1000);
    m_progress->setValue(std::max(0, permille));
}

void MainWindow::cancelWork() {
    if (m_opener->isBusy()) m_opener->cancel();
    m_saving.cancel();
    m_workspace->cancelLine();
}

// --- Saving ---------------------------------------------------------------------------------------------------------

void MainWindow::save(const SaveRequest& request) {
    const QString name = shown(QFileInfo(request.path).fileName());
    if (m_saving.isBusy()) {
        complain(tr("%1 was not saved: another file is being written.").arg(name), {},
                 tr("Wait for its end, or cancel it."));
        return;
    }
    if (!request.reads.empty() && m_workspace->isBusy()) {
        complain(tr("%1 was not saved: a line is still being carried out.").arg(name), {},
                 tr("Wait for its end, or cancel it."));
        return;
    }
    // What is being read must not change; the rest of the work may go on.
    m_workspace->lockStorages(request.reads);
    const auto refused = std::make_shared<std::optional<Refusal>>();
    const auto work = [refused, request](Job& job) {
        try {
            *refused = request.write(request.path, job);
        } catch (const Error& error) {
            *refused = error.refusal();
        } catch (const std::bad_alloc&) {
            *refused = Refusal{
                ErrorKind::Memory, "MEM-03", "not enough memory to write this file", "Close tensors first.", {}};
        }
    };
    m_saving.start(work, [this, refused, request] {
        m_workspace->unlockStorages();
        savingFinished(request, *refused);
    });
    if (m_saving.waitFor(kWorkPatience)) return;
    sayState(Saving, tr("Saving %1").arg(name));
    offer(tr("Cancel"), [this] { m_saving.cancel(); });
    updateWork();
    showProgress(-1);
}

void MainWindow::savingFinished(const SaveRequest& request, const std::optional<Refusal>& refused) {
    const QString name = shown(QFileInfo(request.path).fileName());
    updateWork();
    m_message->endState(Saving);
    const bool close = std::exchange(m_closeWhenSaved, false);
    if (!refused) {
        confirm(tr("Saved %1.").arg(name));
        m_message->keepUntilRead();
        if (request.saved) request.saved();
        if (close) this->close();
        return;
    }
    if (refused->id == "IO-08") {
        say(tr("Saving %1 was cancelled.").arg(name), QString::fromStdString(refused->hint));
        return;
    }
    complain(tr("%1 was not saved.").arg(name), QString::fromStdString(refused->message),
             QString::fromStdString(refused->hint));
    m_message->keepUntilRead();
    if (request.again) offer(tr("Save elsewhere…"), request.again);
}

void MainWindow::saveTensor() {
    const TensorEntry* entry = m_model->selected();
    if (!entry) return;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save %1").arg(entry->name),
                                                      entry->name + QStringLiteral(".npy"), tr("NumPy array (*.npy)"));
    entry = m_model->selected(); // the dialog lets time pass
    if (path.isEmpty() || !entry) return;
    saveTensorTo(path, entry->tensor);
}

void MainWindow::saveTensorTo(const QString& path, const Tensor& tensor) {
    SaveRequest request;
    request.path = path;
    request.reads = {tensor.storage()->id()};
    request.again = [this] { saveTensor(); };
    request.write = [tensor](const QString& to, Job& job) {
        return refusalOf(writeNpy(tensor, native(to), progressOf(job)));
    };
    save(request);
}

void MainWindow::saveAll(const std::function<void()>& then) {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save all tensors"), QStringLiteral("tensors.npz"),
                                                      tr("NumPy archive (*.npz)"));
    if (!path.isEmpty()) saveAllTo(path, then);
}

void MainWindow::saveAllTo(const QString& path, const std::function<void()>& then) {
    SaveRequest request;
    request.path = path;
    std::vector<std::pair<std::string, Tensor>> tensors;
    for (const TensorEntry& entry : m_model->snapshot()->tensors) {
        tensors.emplace_back(entry.name.toStdString(), entry.tensor);
        request.reads.insert(entry.tensor.storage()->id());
    }
    request.again = [this, then] { saveAll(then); };
    // Steps made meanwhile are not in the file.
    request.saved = [this, then, moment = m_workspace->moment()] {
        m_workspace->setSaved(moment);
        if (then) then();
    };
    request.write = [tensors](const QString& to, Job& job) {
        return refusalOf(writeNpz(tensors, native(to), progressOf(job)));
    };
    save(request);
}

void MainWindow::exportPicture() {
    QString kinds =
        tr("SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;LaTeX (*.tex);;TikZ picture (*.tikz);;Plain text (*.txt)");
    const bool moves = currentScreen() && currentScreen()->animation();
    if (moves)
        kinds += tr(";;Animated GIF (*.gif);;Animated WebP (*.webp);;Page that plays (*.html);;"
                    "Pictures one by one (*-%03d.png)");
    QString chosen;
    QString path = QFileDialog::getSaveFileName(this, tr("Export picture"),
                                                moves ? QStringLiteral("motion.svg") : QStringLiteral("storage.svg"),
                                                kinds, &chosen);
    if (path.isEmpty()) return;
    if (chosen.contains(QStringLiteral("%03d")) && !isMovingFile(path)) {
        const QFileInfo info(path);
        path = info.dir().filePath(info.completeBaseName() + QStringLiteral("-%03d.png"));
    }
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".svg");
    exportPictureTo(path);
}

static std::optional<Refusal> writeBytes(const QString& to, const QByteArray& bytes, Job& job) {
    SaveOptions save;
    save.progress = progressOf(job);
    return refusalOf(saveAtomically(
        native(to), std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))), save));
}

void MainWindow::exportPictureTo(const QString& path) {
    SaveRequest request;
    request.path = path;
    request.again = [this] { exportPicture(); };
    const auto animation = currentScreen() ? currentScreen()->animation() : std::nullopt;
    if (animation && isMovingFile(path)) {
        request.write = [animation = *animation, theme = m_theme](const QString& to, Job& job) {
            return writeAnimation(animation, theme, to, {}, [&job](const QString& file, const QByteArray& bytes) {
                return writeBytes(file, bytes, job);
            });
        };
    } else {
        request.write = [scene = currentPicture(0), theme = m_theme](const QString& to,
                                                                     Job& job) -> std::optional<Refusal> {
            const auto format = exportFormatFor(to);
            if (!format) return format.refusal();
            ExportOptions options;
            if (*format == ExportFormat::Png) options.scale = kExportScale;
            const auto bytes = exportScene(scene, theme, *format, options);
            if (!bytes) return bytes.refusal();
            return writeBytes(to, *bytes, job);
        };
    }
    save(request);
}

// --- Closing --------------------------------------------------------------------------------------------------------

bool MainWindow::mayLose(const QString& discarding, const std::function<void()>& then) {
    if (!m_workspace->isModified() || m_model->snapshot()->tensors.empty()) return true;
    QStringList names;
    for (const TensorEntry& entry : m_model->snapshot()->tensors) names << entry.name;
    constexpr int kShownNames = 8;
    QString list = names.mid(0, kShownNames).join(QStringLiteral(", "));
    if (names.size() > kShownNames) list += tr(" and %1 more").arg(names.size() - kShownNames);
    QMessageBox box(
        QMessageBox::NoIcon, tr("Stridescope"),
        m_sessionPath.isEmpty()
            ? tr("These tensors are not saved: %1.").arg(list)
            : tr("%1 has changes that are not saved: %2.").arg(shown(QFileInfo(m_sessionPath).fileName()), list),
        QMessageBox::NoButton, this);
    box.setObjectName(QStringLiteral("closeQuestion"));
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(tr("The last act was: %1").arg(m_workspace->undoTitle()));
    QPushButton* saveButton =
        box.addButton(sessionPath().isEmpty() ? tr("Save session…") : tr("Save session"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(discarding, QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == saveButton) saveSession(then);
    return box.clickedButton() == discard;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_saving.isBusy()) {
        m_closeWhenSaved = true;
        sayState(Saving, tr("The window closes when the file is written."));
        offer(tr("Cancel saving"), [this] { m_saving.cancel(); });
        event->ignore();
        return;
    }
    // A small file is written before this event is over, and a window that is closing does not close.
    const auto closeThen = [this] { QTimer::singleShot(0, this, [this] { close(); }); };
    if (!m_scriptDock->mayDiscard() || !mayLose(tr("Close without saving"), closeThen)) {
        event->ignore();
        return;
    }
    if (m_presenter) m_presenter->close();
    rememberScreens();
    rememberLayout();
    if (m_journal) m_journal->end();
    QMainWindow::closeEvent(event);
}

} // namespace stridescope
