// Opening: dialog, recent files, drag and drop.

#include "app/window/console.h"
#include "app/window/main_window.h"
#include "app/window/script_dock.h"
#include "core/io/text.h"
#include "widgets/panels/message_bar.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QToolButton>

#include <algorithm>
#include <iterator>

namespace stridescope {

namespace {

constexpr int kRecentFiles = 12;
/// More files than this from one drop are refused, and counted.
constexpr int kMostAtOnce = 64;

QString shown(const QString& text) {
    return QString::fromStdString(sanitiseForDisplay(text.toStdString()));
}

bool endsSentence(const QString& text) {
    return text.isEmpty() || QStringLiteral(".!?…").contains(text.back());
}

bool looksOpenable(const QString& path) {
    if (QFileInfo(path).isDir()) return true; // of pictures, or a set
    const QString ending = QFileInfo(path).suffix().toLower();
    for (const char* known :
         {"npy", "npz", "safetensors", "stridescope", "png", "jpg", "jpeg", "bmp", "ppm", "pgm", "pnm", "py"}) {
        if (ending == QLatin1String(known)) return true;
    }
    return false;
}

/// A file is only read: "move" would let who gave it delete it.
void acceptAsCopy(QDropEvent* event) {
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

} // namespace

QStringList localFilesOf(const QList<QUrl>& urls, int* others) {
    QStringList paths;
    for (const QUrl& url : urls) {
        if (url.isLocalFile())
            paths << QDir::cleanPath(url.toLocalFile()); // a folder's may end with a slash, behind which is no name
        else
            ++*others;
    }
    return paths;
}

// --- Opening --------------------------------------------------------------------------------------------------------

void MainWindow::askToOpen() {
    const QString folder = m_settings->text(QStringLiteral("openFolder"));
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open"), folder,
        tr("Sessions, arrays, pictures, lessons and scripts (*.stridescope *.npy *.npz *.safetensors *.png *.jpg "
           "*.jpeg *.bmp *.ppm *.pgm *.pnm *.lesson *.py);;All files (*)"));
    if (paths.isEmpty()) return;
    m_settings->set(QStringLiteral("openFolder"), QFileInfo(paths.first()).absolutePath());
    openFiles(paths);
}

void MainWindow::openFiles(const QStringList& paths) {
    // A lesson has a screen of its own, with room for one.
    const auto isLesson = [](const QString& path) {
        return path.endsWith(QLatin1String(".lesson"), Qt::CaseInsensitive);
    };
    if (const auto lesson = std::find_if(paths.begin(), paths.end(), isLesson); lesson != paths.end()) {
        QStringList others;
        std::copy_if(paths.begin(), paths.end(), std::back_inserter(others),
                     [&](const QString& path) { return !isLesson(path); });
        openFiles(others);
        if (m_opener->isBusy()) ++m_openedCount;
        openLesson(*lesson);
        return;
    }
    // Scripts have a pane of their own, with room for one; nothing of it runs by itself.
    const auto script = std::find_if(paths.begin(), paths.end(), isScript);
    if (script != paths.end()) {
        QStringList others;
        std::copy_if(paths.begin(), paths.end(), std::back_inserter(others),
                     [](const QString& path) { return !isScript(path); });
        finishStart();
        placeScript();
        // The others are a click away; the one that is opened comes before them.
        int scripts = 1;
        for (auto path = paths.end(); --path != script;) {
            if (!isScript(*path)) continue;
            ++scripts;
            if (QFileInfo(*path).isFile()) rememberRecent(*path);
        }
        m_scriptDock->take(*script);
        if (scripts > 1)
            say(tr("Of %1 scripts the first was opened.").arg(scripts),
                tr("The others are in the list beside the pane's Open."));
        openFiles(others);
        if (m_opener->isBusy()) ++m_openedCount; // told with those that are still being read
        return;
    }
    if (paths.isEmpty()) return;
    if (!m_opener->isBusy()) {
        m_openNotes.clear();
        m_untried.clear();
        m_openedCount = m_refusedCount = 0;
    }
    const QStringList files = paths.mid(0, kMostAtOnce);
    m_untried << paths.mid(kMostAtOnce);
    sayState(Opening, tr("Opening %1").arg(shown(QFileInfo(files.first()).fileName())),
             files.size() > 1 ? tr("and %1 more").arg(files.size() - 1) : QString());
    offer(tr("Cancel"), [this] { m_opener->cancel(); });
    m_opener->open(files);
    updateWork();
    showProgress(-1);
}

void MainWindow::takeOpened(const OpenedFile& file) {
    if (m_workspace->isBusy()) {
        // A line is under way: its end makes the workspace free for what was opened.
        m_openedMeanwhile.push_back(file);
        return;
    }
    const QString name = shown(QFileInfo(file.path).fileName());
    for (const QString& note : file.notes) m_openNotes << name + QStringLiteral(": ") + note;
    if (file.refusal) {
        if (const auto choices = choicesFor(*file.refusal)) m_choosable = std::pair(file.path, *choices);
        QString reason = QString::fromStdString(file.refusal->message);
        const QString hint = QString::fromStdString(file.refusal->hint);
        // Some reasons name the file themselves, and none ends like a sentence.
        if (!reason.startsWith(name + QLatin1Char(':'))) reason.prepend(name + QStringLiteral(": "));
        if (!hint.isEmpty()) reason += QStringLiteral(". ") + hint;
        // Before what is only told: of many notes the first ones are seen at once.
        m_openNotes.insert(m_refusedCount++, endsSentence(reason) ? reason : reason + QLatin1Char('.'));
        return;
    }
    if (file.session) return takeSession(file);
    std::vector<NewTensor> tensors;
    for (const OpenedTensor& opened : file.tensors)
        tensors.push_back({opened.name, opened.code, opened.tensor, file.runnable});
    if (tensors.empty()) {
        m_openNotes << name + QStringLiteral(": ") + tr("holds no arrays.");
        return;
    }
    ++m_openedCount;
    const bool nothingToLose = !m_workspace->isModified();
    m_shownWhileOpening.merge(shownCards());
    takeIn(tensors, tr("Open %1").arg(name), name);
    m_shownWhileOpening.merge(shownCards());
    if (nothingToLose) m_workspace->setSaved();
    rememberRecent(file.path);
}

void MainWindow::takeIn(const std::vector<NewTensor>& tensors, const QString& title, const QString& originFile) {
    if (m_workspace->add(tensors, title, originFile).empty() || !m_console) return;
    linkEcho(1, m_console->echo(m_workspace->steps().back().code));
}

void MainWindow::openingFinished(bool cancelled) {
    if (m_workspace->isBusy()) {
        m_openingEnded = cancelled;
        return;
    }
    m_message->endState(Opening);
    updateWork();
    if (cancelled) m_openNotes.prepend(tr("Cancelled."));
    if (m_openedCount > 0) endFirstRun();
    // Of many files the last ones take the places of the first ones, and of what was there before.
    if (const QString left = tellTakenOff(std::exchange(m_shownWhileOpening, {})).first; !left.isEmpty())
        m_openNotes << left;
    const QStringList untried = std::exchange(m_untried, {});
    QStringList all = std::exchange(m_openNotes, {});
    if (all.isEmpty() && untried.isEmpty()) return;
    const bool refused = m_refusedCount > 0;
    QString headline;
    if (!untried.isEmpty())
        headline =
            tr("%1 opened, %2 refused, %3 not tried.").arg(m_openedCount).arg(m_refusedCount).arg(untried.size());
    else if (!refused)
        headline = all.takeFirst();
    else if (m_refusedCount == 1 && m_openedCount == 0)
        headline = tr("The file was not opened.");
    else
        headline = tr("%1 opened, %2 refused.").arg(m_openedCount).arg(m_refusedCount);
    // First what nobody has looked at: of many notes the first ones are seen at once.
    const auto nameOf = [](const QString& path) { return shown(QFileInfo(path).fileName()); };
    if (untried.size() == 1)
        all.prepend(tr("Not tried: %1. At once %2 files are opened.").arg(nameOf(untried.first())).arg(kMostAtOnce));
    else if (!untried.isEmpty())
        all.prepend(tr("Not tried: %1 to %2. At once %3 files are opened.")
                        .arg(nameOf(untried.first()), nameOf(untried.last()))
                        .arg(kMostAtOnce));
    constexpr int kShownNotes = 4;
    QString details = all.mid(0, kShownNotes).join(QLatin1Char('\n'));
    const bool more = all.size() > kShownNotes;
    if (more) details += tr("\nand %1 more.").arg(all.size() - kShownNotes);
    refused ? complain(headline, details) : say(headline, details);
    m_message->keepUntilRead();
    if (const auto again = std::exchange(m_choosable, std::nullopt)) {
        offer(again->second.verified ? tr("Open its whole records") : tr("Open as unverified"), [this, again = *again] {
            endMessages();
            m_refusedCount = m_openedCount = 0;
            m_opener->open({again.first}, again.second);
        });
    }
    if (untried.size() > 1) {
        QStringList names;
        for (const QString& path : untried) names << nameOf(path);
        all << tr("Not tried:") << names;
    }
    if (const QString path = std::exchange(m_sessionFilesOf, {}); !path.isEmpty())
        offer(tr("Open these files, too"), [this, path] {
            endMessages();
            m_opener->open({path}, {.sessions = Sessions::WithFiles});
        });
    if (more || untried.size() > 1)
        offer(tr("Show all"), [this, text = all.join(QLatin1Char('\n'))] { m_message->showLongDetail(text); });
    if (!untried.isEmpty())
        offer(tr("Open the next %1").arg(std::min<qsizetype>(untried.size(), kMostAtOnce)), [this, untried] {
            endMessages();
            openFiles(untried);
        });
}

void MainWindow::markChangedFiles() {
    const auto files = m_fileWatch->changedFiles();
    m_changedFiles->setVisible(!files.empty());
    placeMessage();
    if (files.empty()) return;
    const QString name = shown(QFileInfo(files.front().path).fileName());
    m_changedFiles->setText(QStringLiteral("✗ ") + (files.size() == 1
                                                        ? tr("%1 changed on disk").arg(name)
                                                        : tr("%1 files changed on disk").arg(files.size())));
}

void MainWindow::tellFileChanged(const QString& path, qint64 bytesNow, qint64 bytesMapped) {
    markChangedFiles(); // other messages take the place of this one
    const QString name = shown(QFileInfo(path).fileName());
    const QString what =
        bytesNow < bytesMapped
            ? tr("It has %L1 bytes now and had %L2 when it was opened; values beyond its end read as 0.")
                  .arg(bytesNow)
                  .arg(bytesMapped)
            : tr("What is shown may be a mixture of old and new values.");
    complain(tr("%1 changed on disk while it was shown.").arg(name), what,
             tr("Open it again to see what it holds now."));
    offer(tr("Open it again"), [this, path] { openFiles({path}); });
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
    saveSettings();
}

// --- Drag and drop --------------------------------------------------------------------------------------------------

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    int others = 0;
    const QStringList paths = localFilesOf(event->mimeData()->urls(), &others);
    if (paths.isEmpty() && others == 0) {
        event->ignore();
        return;
    }
    // By their names only: contents are looked at when they are dropped, and not in this thread.
    int good = 0;
    for (const QString& path : paths) good += looksOpenable(path) ? 1 : 0;
    const auto total = static_cast<int>(paths.size()) + others;
    if (good > 0 && total == 1)
        sayState(Dragging, tr("Drop to open %1.").arg(shown(QFileInfo(paths.first()).fileName())));
    else if (good == total)
        sayState(Dragging, tr("Drop to open these %1 files.").arg(total));
    else if (good > 0)
        sayState(Dragging, tr("Drop to open %1 of %2 files.").arg(good).arg(total));
    else if (others > 0)
        sayState(Dragging, tr("Links are not fetched."),
                 tr("Save the file on this computer first, then drop it here."));
    else
        sayState(Dragging, tr("Drop to look into it."),
                 tr("Known are .npy, .npz, .safetensors, PNG, JPEG, BMP, PPM and PGM; others are refused."));
    acceptAsCopy(event);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
    m_message->endState(Dragging);
    QMainWindow::dragLeaveEvent(event);
}

void MainWindow::dropEvent(QDropEvent* event) {
    int others = 0;
    const QStringList paths = localFilesOf(event->mimeData()->urls(), &others);
    acceptAsCopy(event);
    endMessages();
    m_message->endState(Dragging);
    if (paths.isEmpty()) {
        complain(tr("Links are not fetched."), tr("Save the file on this computer first, then drop it here."));
        return;
    }
    openFiles(paths);
    if (others > 0) m_openNotes << tr("%1 links were not fetched.").arg(others);
}

} // namespace stridescope
