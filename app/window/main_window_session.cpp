// Sessions: all that there is in one file, states as text, the journal, and what it brings back.

#include "app/session/state_text.h"
#include "app/window/console.h"
#include "app/window/main_window.h"
#include "core/io/text.h"
#include "core/session/session_file.h"
#include "widgets/panels/message_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>

namespace stridescope {

namespace {

QString shown(const std::string& text) {
    return QString::fromStdString(sanitiseForDisplay(text));
}

QString listOf(const std::vector<std::string>& sentences) {
    constexpr std::size_t kShown = 4;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(sentences.size(), kShown); ++i) lines << shown(sentences[i]);
    if (sentences.size() > kShown) lines << QObject::tr("and %1 more.").arg(sentences.size() - kShown);
    return lines.join(QLatin1Char('\n'));
}

std::string number(Index value) {
    return std::to_string(value);
}

} // namespace

// --- How the window shows it ----------------------------------------------------------------------------------------

std::map<std::string, std::string> MainWindow::sessionLook() const {
    const StageOptions& options = m_stage->options();
    return {{"screen", screenName().toStdString()},
            {"cells", number(static_cast<Index>(options.cellText))},
            {"ruler", number(static_cast<Index>(options.ruler))},
            {"wrap", number(static_cast<Index>(options.wrap))},
            {"wrapNumber", number(options.wrapNumber)},
            {"byteStrides", number(options.byteStrides)},
            {"cacheLines", number(options.cacheLines)},
            {"heat", number(options.heat)}};
}

void MainWindow::takeSessionLook(const std::map<std::string, std::string>& look) {
    // Only what this version knows, in its range; the rest stays as it is.
    const auto value = [&look](const char* name, Index most, Index standIn) {
        const auto found = look.find(name);
        bool ok = false;
        const Index wanted = found == look.end() ? -1 : QString::fromStdString(found->second).toLongLong(&ok);
        return ok && wanted >= 0 && wanted <= most ? wanted : standIn;
    };
    StageOptions options = m_stage->options();
    options.cellText = static_cast<CellText>(value("cells", 2, static_cast<Index>(options.cellText)));
    options.ruler = static_cast<StripItem::Ruler>(value("ruler", 2, static_cast<Index>(options.ruler)));
    options.wrap = static_cast<StripWrap>(value("wrap", 3, static_cast<Index>(options.wrap)));
    options.wrapNumber = std::max<Index>(1, value("wrapNumber", 1 << 20, options.wrapNumber));
    options.byteStrides = value("byteStrides", 1, options.byteStrides) != 0;
    options.cacheLines = value("cacheLines", 1, options.cacheLines) != 0;
    options.heat = value("heat", 1, options.heat) != 0;
    m_stage->setOptions(options);
    const auto screen = look.find("screen");
    if (screen == look.end()) return;
    for (const ScreenPage& page : m_screens) {
        if (page.name.toStdString() == screen->second) return showScreen(page.name);
    }
}

// --- Files ----------------------------------------------------------------------------------------------------------

void MainWindow::setSessionPath(const QString& path, const QString& whyNotHere) {
    m_sessionPath = path;
    m_sessionNotHere = whyNotHere;
    if (path.isEmpty() || !whyNotHere.isEmpty()) m_sessionLock.release();
    tellJournal();
    nameWindow();
}

void MainWindow::nameWindow() {
    const QString name = m_sessionPath.isEmpty() ? QString() : shown(QFileInfo(m_sessionPath).fileName().toStdString());
    setWindowTitle(name.isEmpty() ? tr("Stridescope") : tr("%1[*] – Stridescope").arg(name));
    setWindowModified(!name.isEmpty() && m_workspace->isModified());
}

void MainWindow::saveSession(const std::function<void()>& then) {
    if (m_sessionPath.isEmpty() || !m_sessionNotHere.isEmpty())
        saveSessionAs(then);
    else
        saveSessionTo(m_sessionPath, then);
}

void MainWindow::saveSessionAs(const std::function<void()>& then) {
    const QString proposed = m_sessionPath.isEmpty() ? QStringLiteral("session.stridescope")
                             : m_sessionNotHere.isEmpty()
                                 ? m_sessionPath
                                 : QFileInfo(m_sessionPath).path() + QLatin1Char('/') +
                                       QFileInfo(m_sessionPath).completeBaseName() + QStringLiteral("-2.stridescope");
    QString path =
        QFileDialog::getSaveFileName(this, tr("Save session"), proposed, tr("Stridescope session (*.stridescope)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".stridescope");
    saveSessionTo(path, then);
}

void MainWindow::saveSessionTo(const QString& path, const std::function<void()>& then) {
    if (m_workspace->isBusy()) {
        complain(tr("%1 was not saved: a line is still being carried out.").arg(QFileInfo(path).fileName()), {},
                 tr("Wait for its end, or cancel it."));
        return;
    }
    SessionLock lock;
    qint64 holder = 0;
    const bool mine = path == m_sessionPath && m_sessionNotHere.isEmpty();
    if (!mine && !lock.take(m_stateFolder, path, &holder)) {
        complain(tr("%1 was not saved: it is open in another window.").arg(shown(path.toStdString())),
                 tr("The window of process %1 has it.").arg(holder), tr("Save under another name."));
        offer(tr("Save elsewhere…"), [this, then] { saveSessionAs(then); });
        return;
    }
    const auto session = std::make_shared<Session>(m_workspace->session());
    session->look = sessionLook();
    session->unknown = m_sessionUnknown;
    const auto held = std::make_shared<SessionLock>(std::move(lock));
    SaveRequest request;
    request.path = path;
    for (const SessionStorage& storage : session->storages) request.reads.insert(storage.storage->id());
    request.again = [this, then] { saveSessionAs(then); };
    request.saved = [this, then, path, mine, session, held, moment = m_workspace->moment()] {
        if (!mine) m_sessionLock = std::move(*held);
        setSessionPath(path);
        m_workspace->setSaved(moment);
        rememberRecent(path);
        std::vector<std::string> told = session->notes;
        for (const SessionStorage& storage : session->storages) {
            if (storage.file)
                told.push_back(tr("Storage #%1 stays in %2 (%3); the session needs that file as it is.")
                                   .arg(storage.number)
                                   .arg(shown(storage.file->path), QString::fromStdString(bytesText(storage.bytes)))
                                   .toStdString());
        }
        if (!told.empty()) say(tr("Saved %1.").arg(QFileInfo(path).fileName()), listOf(told));
        if (then) then();
    };
    request.write = [session](const QString& to, Job& job) -> std::optional<Refusal> {
        const ProgressFn progress = progressOf(job);
        if (auto refusal = placeStorages(*session, progress)) return refusal;
        const auto saved = writeSession(*session, QFile::encodeName(to).toStdString(), progress);
        return saved ? std::nullopt : std::optional(saved.refusal());
    };
    save(request);
}

void MainWindow::takeSession(const OpenedFile& file) {
    const Session& session = *file.session;
    const QString name = shown(QFileInfo(file.path).fileName().toStdString());
    if (!mayLose(tr("Open %1 without saving").arg(name), [this, path = file.path] { openFiles({path}); })) return;
    SessionLock lock;
    qint64 holder = 0;
    QString notHere;
    QStringList notes;
    for (const std::string& note : session.notes) notes << shown(note);
    // Opened again in the window that has it, the file is let go first: it is no other window's.
    if (QFileInfo(file.path) == QFileInfo(m_sessionPath)) m_sessionLock.release();
    if (!lock.take(m_stateFolder, file.path, &holder)) {
        notHere = tr("it is open in another window");
        notes << tr("%1 is open in the window of process %2: this is a copy, saved under a name of its own.")
                     .arg(name)
                     .arg(holder);
    } else if (session.format > Session::kFormat) {
        notHere = tr("it was written by a later version");
        notes << tr("%1 was written by a later version (format %2, known is %3): it is left as it is, and what you do "
                    "is saved under another name.")
                     .arg(name)
                     .arg(session.format)
                     .arg(Session::kFormat);
    } else if (!session.notes.empty() || (!file.sessionFiles.empty() && !file.withSessionFiles)) {
        notHere = tr("not all of it could be opened");
    }
    restoreSession(session, tr("it was done before the session was saved"));
    m_sessionLock = std::move(lock);
    m_sessionUnknown = session.unknown;
    setSessionPath(file.path, notHere);
    ++m_openedCount;
    rememberRecent(file.path);
    if (!file.sessionFiles.empty() && !file.withSessionFiles) {
        QStringList files;
        for (const SessionFile& each : file.sessionFiles)
            files << tr("%1 (%2)").arg(shown(each.path), QString::fromStdString(bytesText(each.fileBytes)));
        notes.prepend(tr("Some tensors lie in other files, which are opened when you say so: %1.")
                          .arg(files.join(QStringLiteral(", "))));
        m_sessionFilesOf = file.path;
    }
    for (const QString& note : notes) m_openNotes << name + QStringLiteral(": ") + note;
}

void MainWindow::restoreSession(const Session& session, const QString& whence) {
    finishStart();
    m_stepEchoes.clear();
    m_workspace->restore(session, whence);
    m_forgottenSteps = m_workspace->forgottenSteps();
    takeSessionLook(session.look);
    if (!m_console || session.steps.empty()) return;
    // The lines are shown, not run: they say how it came to be.
    m_console->print(tr("# %1 earlier lines, as text:").arg(session.steps.size()));
    constexpr std::size_t kShown = 200;
    const std::size_t first = session.steps.size() > kShown ? session.steps.size() - kShown : 0;
    for (std::size_t i = first; i < session.steps.size(); ++i) {
        QString code = QString::fromStdString(session.steps[i].code);
        m_console->print(QStringLiteral("# ") + code.replace(QLatin1Char('\n'), QLatin1String("\n# ")));
    }
}

// --- As text --------------------------------------------------------------------------------------------------------

void MainWindow::copyState() {
    if (m_workspace->isBusy()) {
        complain(tr("Nothing was copied: a line is still being carried out."), {},
                 tr("Wait for its end, or cancel it."));
        return;
    }
    Session session = m_workspace->session();
    session.look = sessionLook();
    for (SessionStorage& storage : session.storages) storage.data = "storage." + std::to_string(storage.number);
    Result<QString> text = stateText(session);
    if (!text && !session.steps.empty()) { // the state without how it came to be is a state, too
        session.steps.clear();
        session.notes.push_back(tr("The lines of the history had no room.").toStdString());
        text = stateText(session);
    }
    if (!text) {
        complain(tr("The state was not copied."), QString::fromStdString(text.refusal().message),
                 QString::fromStdString(text.refusal().hint));
        return;
    }
    QGuiApplication::clipboard()->setText(*text);
    say(tr("The state was copied as a text of %L1 characters.").arg(text->size()), listOf(session.notes),
        tr("Paste it here, or in another window, with Ctrl+Shift+V."));
}

void MainWindow::takeStateText(const QString& text) {
    const Result<Session> session = sessionFromText(text);
    if (!session) {
        complain(tr("The state was not opened."), QString::fromStdString(session.refusal().message),
                 QString::fromStdString(session.refusal().hint));
        return;
    }
    if (!mayLose(tr("Open the state without saving"), [this, text] { takeStateText(text); })) return;
    restoreSession(*session, tr("it was done before the state was copied"));
    m_sessionUnknown = session->unknown;
    setSessionPath({});
    say(tr("Opened a state of %1 tensors.").arg(session->tensors.size()), listOf(session->notes));
}

// --- The journal ----------------------------------------------------------------------------------------------------

void MainWindow::keepJournal(const QString& folder) {
    m_stateFolder = folder;
    if (folder.isEmpty()) return;
    m_journal = new Journal(m_workspace, folder + QStringLiteral("/journals"), this);
    connect(m_journal, &Journal::failed, this, [this](const QString& why) {
        complain(tr("What you do is not kept safe from a crash."), why,
                 tr("Save the session; it is tried again with the next step."));
        m_message->keepUntilRead();
    });
    connect(m_journal, &Journal::leftOut, this, [this](const QStringList& names) {
        say(tr("Too large to be brought back after a crash: %1.").arg(names.join(QStringLiteral(", "))),
            tr("More than %1 each.").arg(QString::fromStdString(bytesText(Journal::kLargest))));
    });
    tellJournal();
    const auto found = std::make_shared<std::optional<LeftJournal>>();
    m_recovering.start([found, folder](Job&) { *found = findLeftJournal(folder + QStringLiteral("/journals")); },
                       [this, found] {
                           if (!*found) return;
                           m_left = std::make_unique<LeftJournal>(std::move(**found));
                           offerRecovery();
                       });
}

void MainWindow::tellJournal() {
    if (!m_journal) return;
    std::map<std::string, std::string> look = sessionLook();
    if (!m_sessionPath.isEmpty() && isSessionText(m_sessionPath.toStdString()))
        look["session.path"] = m_sessionPath.toStdString();
    m_journal->setLook(look);
}

void MainWindow::offerRecovery() {
    const Session& session = m_left->contents.session;
    QStringList names;
    for (const SessionTensor& tensor : session.tensors) names << shown(tensor.name);
    constexpr int kShownNames = 8;
    QString list = names.mid(0, kShownNames).join(QStringLiteral(", "));
    if (names.size() > kShownNames) list += tr(" and %1 more").arg(names.size() - kShownNames);
    std::vector<std::string> told = session.notes;
    if (m_left->contents.damagedBytes > 0)
        told.push_back(tr("The last %1 of the journal are cut or damaged and are left out.")
                           .arg(QString::fromStdString(bytesText(m_left->contents.damagedBytes)))
                           .toStdString());
    finishStart();
    say(tr("Stridescope ended unexpectedly. What was there at %1 can be brought back: %2.")
            .arg(QLocale::c().toString(m_left->when, QStringLiteral("yyyy-MM-dd HH:mm:ss")),
                 names.isEmpty() ? tr("no tensors") : list),
        listOf(told));
    m_message->keepUntilRead();
    offer(tr("Recover"), [this] { recover(); });
    offer(tr("Discard"), [this] {
        m_left->file.remove();
        m_left.reset();
        endMessages();
    });
}

void MainWindow::recover() {
    if (!m_left || !mayLose(tr("Recover without saving"), [this] { recover(); })) return;
    const std::unique_ptr<LeftJournal> left = std::move(m_left);
    const Session& session = left->contents.session;
    const auto path = session.look.find("session.path");
    restoreSession(session, tr("it was done before the program ended unexpectedly"));
    m_sessionUnknown = session.unknown;
    setSessionPath(path == session.look.end() ? QString() : QString::fromStdString(path->second));
    SessionLock lock;
    if (!m_sessionPath.isEmpty() && !lock.take(m_stateFolder, m_sessionPath))
        setSessionPath(m_sessionPath, tr("it is open in another window"));
    m_sessionLock = std::move(lock);
    m_workspace->setUnsaved();
    // What was brought back is in this window's journal before the old one goes.
    tellJournal();
    Q_EMIT m_workspace->changed();
    m_journal->flush();
    left->file.remove();
    say(tr("Recovered %1 tensors.").arg(session.tensors.size()), listOf(session.notes), tr("They are not saved yet."));
}

} // namespace stridescope
