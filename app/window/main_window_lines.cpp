// Lines of code: carried out, shown in the console, undone, previewed, explained.

#include "app/kernel/source_state.h"
#include "app/window/console.h"
#include "app/window/explanation.h"
#include "app/window/first_run_cards.h"
#include "app/window/main_window.h"
#include "app/window/missing_name.h"
#include "app/window/presenter_window.h"
#include "app/window/python_console.h"
#include "app/window/python_imports.h"
#include "app/window/screens.h"
#include "app/workspace/refused_picture.h"
#include "core/expr/parser.h"
#include "widgets/panels/history_panel.h"
#include "widgets/panels/inspector.h"
#include "widgets/panels/message_bar.h"
#include "widgets/panels/operations_panel.h"
#include "widgets/panels/shape_table.h"
#include "widgets/panels/tensor_tree.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/linking.h"

#include <QDockWidget>
#include <QInputDialog>
#include <QLabel>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>
#include <iterator>

namespace stridescope {

namespace {

/// More pasted lines than this are shown before they run.
constexpr int kRunAtOnce = 5;

QString firstLine(const std::string& text) {
    return QString::fromStdString(text).section(QLatin1Char('\n'), 0, 0);
}

} // namespace

void MainWindow::showFirstPicture() {
    // Values that differ from every index, so that neither can be taken for the other.
    for (const char* line : {"A = torch.arange(10, 130, 10).view(3, 4)", "B = A.t()", "C = A.narrow(1, 1, 2)"})
        m_workspace->run(QString::fromLatin1(line));
    m_workspace->setSaved();
    // One cell is picked: links, formula and hops say what the program is about.
    const TensorEntry* last = m_model->selected();
    if (!last) return;
    Pick pick;
    pick.tensor = last->id;
    pick.storageId = last->tensor.storage()->id();
    pick.coord = Dims{2, 1};
    pick.slot = last->tensor.view().slot(pick.coord);
    m_model->setPick(pick);
}

RunOutcome MainWindow::runLine(const QString& line, const RunAs& how) {
    if (m_workspace->isBusy()) return holdBack(line, how);
    if (line != std::exchange(m_agreed, QString())) {
        RunOutcome tried = m_workspace->tryOut(line);
        if (tried.ok && tried.unkept > 0) {
            tried.ok = false;
            askBeforeOverwriting(line, how, tried.unkept);
            return tried;
        }
    }
    previewLine({});
    endMessages();
    closeExplanation();
    m_shownBefore = shownCards();
    const RunOutcome outcome = m_workspace->runInBackground(line, how);
    if (!outcome.pending) {
        showOutcome(line, outcome);
        return outcome;
    }
    sayState(Line, tr("Working on %1").arg(line.trimmed().left(120)));
    offer(tr("Cancel"), [this] { m_workspace->cancelLine(); });
    updateWork();
    showProgress(-1);
    return outcome;
}

void MainWindow::askBeforeOverwriting(const QString& line, const RunAs& how, Index bytes) {
    closeExplanation();
    say(tr("%1 overwrites %2: too much to keep.").arg(line.trimmed().left(120), bytesText(quint64(bytes))),
        tr("Nothing was changed yet. It could not be undone, and stopped half-way it would leave a part overwritten."));
    offer(tr("Do it"), [this, line, how] {
        m_agreed = line;
        runLine(line, how);
    });
}

RunOutcome MainWindow::holdBack(const QString& line, const RunAs& how) {
    const RunOutcome refused = m_workspace->runInBackground(line, how);
    m_console->echo(line);
    m_console->printError(refused.exception, QString::fromStdString(refused.refusal->message),
                          QString::fromStdString(refused.refusal->hint));
    m_heldBack = HeldLine{line, how};
    m_message->showState(LineHeldBack, MessageBar::Kind::Error,
                         tr("%1 was not run: another line is still being carried out.").arg(line.trimmed().left(120)),
                         tr("It is offered again at the end of that one, or cancel that one now."));
    offer(tr("Cancel"), [this] { m_workspace->cancelLine(); });
    return refused;
}

void MainWindow::lineFinished(const QString& line, const RunOutcome& outcome) {
    m_message->endState(Line);
    updateWork();
    showOutcome(line, outcome);
    afterLine();
}

void MainWindow::afterLine() {
    m_message->endState(LineHeldBack);
    if (const std::optional<HeldLine> held = std::exchange(m_heldBack, std::nullopt)) {
        // The result of the first line is on the stage and in the console; that the second one has none must be told.
        say(tr("%1 was not run: another line was being carried out.").arg(held->line.trimmed().left(120)));
        offer(tr("Run it now"), [this, held] { runLine(held->line, held->how); });
    }
    for (const OpenedFile& file : std::exchange(m_openedMeanwhile, {})) takeOpened(file);
    if (const std::optional<bool> ended = std::exchange(m_openingEnded, std::nullopt)) openingFinished(*ended);
}

void MainWindow::showOutcome(const QString& line, const RunOutcome& outcome) {
    finishStart();
    if (outcome.refusal && outcome.steps == 0 && isStatement(line) && isForPython(*outcome.refusal, line)) {
        // No slip of the pen, of which the line language can say more: course code, which runs as it is written.
        m_onByItself = true;
        runInPython(line);
        // Else it is told already why Python does not start.
        if (m_python->isOn())
            confirm(tr("Lines are Python's from now on. The button beside the prompt switches that off."));
        return;
    }
    const int echo = m_console->echo(outcome.ok ? outcome.code : line);
    linkEcho(static_cast<std::size_t>(outcome.steps), echo);
    m_console->print(outcome.printed);
    m_refusedMotion.reset();
    m_refused.reset();
    if (outcome.refusal) {
        const QString elsewhere = onlyInPython(*outcome.refusal);
        const auto aid = elsewhere.isEmpty() ? aidForMissingName(*m_workspace, line, outcome) : std::nullopt;
        const QString hint = aid                   ? aid->words
                             : elsewhere.isEmpty() ? QString::fromStdString(outcome.refusal->hint)
                                                   : elsewhere;
        m_console->printError(outcome.exception, QString::fromStdString(outcome.refusal->message), hint);
        if (outcome.refusal->id == "JOB-01") {
            say(tr("%1 was cancelled.").arg(line.trimmed().left(120)),
                outcome.notes.isEmpty() ? hint : outcome.notes.join(QLatin1Char(' ')));
            return;
        }
        m_refused = RefusedAct{line.trimmed(), outcome, m_workspace->position()};
        // A view that cannot be is drawn at once, with the ways out, in the place of the stage; on other screens only
        // when asked for.
        m_refusedMotion = m_workspace->refusedMotion(line.trimmed(), *outcome.refusal, outcome.operation.get());
        const bool atOnce = isDrawnAtOnce(*outcome.refusal) && !currentScreen();
        if (atOnce && refusedPicture(m_model->snapshot(), line, outcome)) {
            m_model->setPreview(std::nullopt);
            m_firstRun->hide();
            showExplanation(line.trimmed(), outcome);
            if (m_refusedMotion) m_statusText->setText(tr("F6 plays it element by element, up to its refusal"));
            return;
        }
        // The words stand in the bar; what was wanted is drawn on the stage, past the storage's end if need be.
        previewLine(line);
        // Python may well read it: sv = x.max(1).
        const bool unread = outcome.refusal->id == "EXPR-21" && isForPython(*outcome.refusal, line);
        const QString words = unread ? tr("%1 is not read without Python. Nothing was changed.")
                                     : tr("%1 is not possible. Nothing was changed.");
        complain(words.arg(line.trimmed().left(120)),
                 outcome.exception + QStringLiteral(": ") + firstLine(outcome.refusal->message), hint);
        if (m_refusedMotion) offer(tr("Play it"), [this] { playLastStep(); });
        if (const auto picture = refusedPicture(m_model->snapshot(), line, outcome); picture && hasPicture(*picture)) {
            // As it was refused: what only the elements decide, such as overlap, a try without them does not find.
            offer(tr("Show why"), [this, line, outcome] { showExplanation(line.trimmed(), outcome); });
        } else if (isForPython(*outcome.refusal, line)) {
            offer(tr("Run it in Python"), [this, line] { runInPython(line); });
        } else if (aid) {
            offerAid(*aid);
        }
    } else {
        m_torchTyped = m_torchTyped || importsTorch(line);
        // A tensor that was only printed is shown as what it would be.
        if (outcome.steps == 0 && outcome.notes.isEmpty()) previewLine(line);
        if (m_presenter && !outcome.printed.trimmed().isEmpty()) m_presenter->tell(Console::escaped(outcome.printed));
        tellPrinted(outcome);
    }
    if (m_firstRun->isVisible() && (outcome.refusal || outcome.steps > 0)) {
        outcome.ok ? endFirstRun() : m_firstRun->hide();
    }
}

void MainWindow::linkEcho(std::size_t newSteps, int echo) {
    // Steps that the history forgot take their place in the list of echoes with them.
    const qsizetype forgotten = m_workspace->forgottenSteps() - m_forgottenSteps;
    m_forgottenSteps += forgotten;
    m_stepEchoes.erase(m_stepEchoes.begin(),
                       m_stepEchoes.begin() + std::min<qsizetype>(forgotten, std::ssize(m_stepEchoes)));
    // A long line may have pushed its own first steps out of the history.
    const std::size_t steps = m_workspace->steps().size(), kept = steps > newSteps ? steps - newSteps : 0;
    // Steps that an undo took back are gone when something new was done; their lines stay grey.
    for (std::size_t i = kept; i < m_stepEchoes.size() && newSteps > 0; ++i) {
        if (m_stepEchoes[i] >= 0) m_console->setUndone(m_stepEchoes[i], Console::Undone::Gone);
    }
    m_stepEchoes.resize(kept, -1);
    m_stepEchoes.resize(steps, echo);
}

void MainWindow::runInPython(const QString& text) {
    m_message->clear();
    const QString code = withImports(text);
    m_torchTyped = m_torchTyped && !importsTorch(codeOfTranscript(code).section(QLatin1Char('\n'), 0, 0));
    setPython(true);
    m_shownBefore = shownCards();
    m_python->run(code);
}

void MainWindow::runLines(const QString& text) {
    const int lines = static_cast<int>(text.trimmed().count(QLatin1Char('\n'))) + 1;
    if (m_python->isOn()) {
        const auto run = [this, text] {
            m_shownBefore = shownCards();
            m_python->run(text.trimmed());
        };
        const QString code = codeOfTranscript(text.trimmed());
        if (lines <= kRunAtOnce) {
            run();
        } else if (code.size() < PromptField::kLongest) {
            m_console->offerBlock(code);
            m_python->expectTranscript(text.trimmed());
            say(tr("Pasted: %1 lines.").arg(lines),
                tr("They stand at the prompt, where they can be changed. Ctrl+Enter runs them, too."));
            offer(tr("Run them"), [this] { m_console->enter(); });
            m_pasteTold = m_message->title();
        } else {
            constexpr int kSeen = 4; ///< lines, of that many letters at most
            constexpr qsizetype kWidest = 200;
            QStringList seen = text.trimmed().section(QLatin1Char('\n'), 0, kSeen - 1).split(QLatin1Char('\n'));
            for (QString& line : seen) line = line.left(kWidest);
            say(tr("Pasted: %1 lines.").arg(lines), seen.join(QLatin1Char('\n')) + QStringLiteral("\n…"));
            m_message->setDetailFont(m_theme.font(FontRole::Code));
            offer(tr("Run them"), run);
        }
        return;
    }
    const QString code = codeOfTranscript(text.trimmed());
    if (lines > kRunAtOnce) {
        const auto program = expr::parseProgram(code.toStdString());
        const QString details = program ? code.section(QLatin1Char('\n'), 0, 0) + QStringLiteral(" …")
                                        : firstLine(program.refusal().message);
        if (program) {
            say(tr("Pasted: %1 lines.").arg(lines), details);
            offer(tr("Run them"), [this, code] { runLine(code, Naming::Discard); });
        } else {
            complain(tr("Pasted: %1 lines.").arg(lines), details);
            offer(tr("Run them in Python"), [this, text] { runInPython(text.trimmed()); });
        }
        return;
    }
    runLine(code, Naming::Discard);
}

void MainWindow::previewLine(const QString& code) {
    m_model->setPreview(code.isEmpty() ? std::nullopt : m_workspace->preview(code));
}

void MainWindow::undo() {
    QString reason;
    endMessages();
    if (m_workspace->position() > 0 && !m_workspace->jump(m_workspace->position() - 1, &reason)) say(reason);
}

void MainWindow::redo() {
    endMessages();
    m_workspace->redo();
}

void MainWindow::syncConsole() {
    if (!m_console) return;
    QStringList codes;
    for (const HistoryStep& step : m_workspace->steps()) {
        // The timeline has room for one line.
        QString label = step.code.contains(QLatin1Char('\n')) ? step.title : step.code;
        if (label.startsWith(QLatin1String("# "))) label.remove(0, 2);
        codes << label;
    }
    m_history->setSteps(codes, m_workspace->position());
    // A line of several statements is undone when its last one is.
    std::map<int, bool> undone;
    for (std::size_t i = 0; i < m_stepEchoes.size() && i < m_workspace->steps().size(); ++i) {
        if (m_stepEchoes[i] >= 0) undone[m_stepEchoes[i]] = static_cast<int>(i) >= m_workspace->position();
    }
    for (const auto& [echo, is] : undone)
        m_console->setUndone(echo, is ? Console::Undone::Redoable : Console::Undone::No);
}

void MainWindow::explain(const QString& code) {
    const RunOutcome outcome = m_workspace->tryOut(code);
    if (!outcome.refusal) {
        confirm(tr("%1 is possible.").arg(code.left(120)));
        return;
    }
    // What the mouse asked for in vain stands in the console as what was typed in vain does.
    echoRefused(code, outcome.exception, QString::fromStdString(outcome.refusal->message),
                QString::fromStdString(outcome.refusal->hint));
    m_refused = RefusedAct{code, outcome, m_workspace->position()};
    showExplanation(code, outcome);
}

void MainWindow::showExplanation(const QString& code, const RunOutcome& outcome) {
    showScreen(QString::fromUtf16(kExplore));
    // The figure is the window's; a class reads the reason.
    if (m_presenter && outcome.refusal)
        m_presenter->tell(tr("%1 is not possible. Nothing was changed.").arg(code.left(120)),
                          outcome.exception + QStringLiteral(": ") + firstLine(outcome.refusal->message) +
                              QLatin1Char('\n') + QString::fromStdString(outcome.refusal->hint));
    auto found = refusedPicture(m_model->snapshot(), code, outcome);
    if (!found) {
        m_stage->showRefusal(code, *outcome.refusal);
        return;
    }
    const auto picture = std::make_shared<const RefusedPicture>(*std::move(found));
    if (!m_explanation) {
        m_explanation = new Explanation(this);
        m_explanation->setTheme(m_theme);
        m_centreStack->addWidget(m_explanation);
        connect(m_explanation, &Explanation::codePressed, this, [this](const QString& chosen) {
            closeExplanation();
            runLine(chosen, Naming::Auto);
        });
        connect(m_explanation, &Explanation::codeHovered, this, &MainWindow::previewLine);
        connect(m_explanation, &Explanation::closed, this, &MainWindow::dismissExplanation);
        // It explains a state: with another one, by undo say, its buttons would be about tensors that are gone.
        connect(m_model, &WorkspaceModel::snapshotChanged, m_explanation, [this] { closeExplanation(); });
        // Only while the explanation is seen, wherever the focus is.
        new QShortcut(QKeySequence(Qt::Key_Escape), m_explanation, this, &MainWindow::dismissExplanation);
    }
    // The figure is drawn again at every width; it keeps what it needs of this moment.
    finishStart();
    // What stands beside the picture is about the tensor that was to change, else about the one it was made from.
    const RefusalFigureInput input = refusalInput(*picture, 0);
    const SnapshotPtr snapshot = m_model->snapshot();
    const auto& tensors = snapshot->tensors;
    const auto changed = std::find_if(tensors.begin(), tensors.end(),
                                      [&](const TensorEntry& entry) { return entry.name == input.assigned; });
    if (picture->ofWorkspace) {
        m_model->select(changed != tensors.end() ? changed->id : picture->ofWorkspace);
        m_tree->setAttempt(picture->ofWorkspace, input.code);
    }
    const std::string& id = input.refusal.id;
    if (!input.still && !input.wanted.empty() &&
        (id == "VIEW-14" || id == "VIEW-16")) { // a shape for all of it was wanted
        m_shapes->setTensor(*input.entry, input.wanted, input.assigned);
        m_operationsStack->setCurrentIndex(1); // the shapes
        m_operationsDock->raise();
    }
    m_message->clear();
    m_centreStack->setCurrentWidget(m_explanation);
    m_explanation->explain([picture](QSizeF room, const QString& hovered) {
        RefusalFigureInput now = refusalInput(*picture, room.width(), room.height());
        now.hovered = hovered;
        return refusalFigure(now);
    });
    // Who typed the line goes on typing.
    if (!m_console || !m_console->isAncestorOf(focusWidget())) m_explanation->setFocus(Qt::OtherFocusReason);
    m_statusText->setText(m_explanation->view()->figure().sentence);
}

void MainWindow::closeExplanation() {
    if (m_centreStack->currentWidget() == m_stageRoom) return;
    // Only what had the keyboard and goes gives it to the stage; whoever types at the prompt goes on typing there.
    const QWidget* focus = focusWidget();
    const auto goes = [focus](const QWidget* page) { return page == focus || page->isAncestorOf(focus); };
    const bool gone = !focus || goes(m_explanation) || goes(m_operationsStack->currentWidget());
    m_centreStack->setCurrentWidget(m_stageRoom);
    m_stage->clearMessage(); // the picture said it
    m_tree->setAttempt(0, {});
    m_operationsStack->setCurrentWidget(m_operations);
    if (gone) m_stage->setFocus(Qt::OtherFocusReason);
    // The reason went with its picture; the stage tells its own text only when that changes.
    m_statusText->setText(m_stage->statusText());
}

void MainWindow::dismissExplanation() {
    closeExplanation();
    m_inspector->dropTyped();
}

void MainWindow::deleteTensor(TensorId tensor) {
    if (const TensorEntry* entry = m_model->snapshot()->tensor(tensor))
        runLine(QStringLiteral("del %1").arg(entry->name), Naming::Auto);
}

void MainWindow::renameTensor(TensorId tensor) {
    const TensorEntry* entry = m_model->snapshot()->tensor(tensor);
    if (!entry) return;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("renameDialog"));
    dialog->setWindowTitle(tr("Rename %1").arg(entry->name));
    dialog->setLabelText(tr("New name:"));
    dialog->setTextValue(entry->name);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, tensor](const QString& name) { renameTo(tensor, name); });
    dialog->open();
}

void MainWindow::renameTo(TensorId tensor, const QString& name) {
    const TensorEntry* entry = m_model->snapshot()->tensor(tensor);
    if (!entry) return;
    const QString before = entry->name;
    QString reason;
    bool done = false;
    echoAct([&] { done = m_workspace->rename(tensor, name.trimmed(), &reason); });
    if (done) return;
    complain(reason);
    echoRefused(QStringLiteral("# ") + tr("Rename %1 to %2").arg(before, name.trimmed().left(40)),
                QStringLiteral("ValueError"), reason);
}

void MainWindow::showOnStage(TensorId tensor, bool on) {
    // The selected tensor has a card in any case: one that is to go is selected no longer, if there is another.
    if (const SnapshotPtr snapshot = m_model->snapshot(); !on && m_model->selection().tensor == tensor) {
        const TensorEntry* const own = snapshot->tensor(tensor);
        const TensorEntry* next = nullptr;
        for (const TensorEntry& entry : snapshot->tensors) {
            if (!entry.onStage || entry.id == tensor) continue;
            if (!next || (own && entry.tensor.storage() == own->tensor.storage() &&
                          next->tensor.storage() != own->tensor.storage()))
                next = &entry;
        }
        if (next) m_model->select(next->id);
    }
    echoAct([&] { m_workspace->setOnStage(tensor, on); });
}

void MainWindow::echoAct(const std::function<void()>& act) {
    const qsizetype before = m_workspace->forgottenSteps() + std::ssize(m_workspace->steps());
    const int position = m_workspace->position();
    act();
    const qsizetype after = m_workspace->forgottenSteps() + std::ssize(m_workspace->steps());
    // After an undo a new step takes the place of those that were undone.
    if (m_workspace->position() == position && after <= before) return;
    finishStart();
    linkEcho(1, m_console->echo(m_workspace->steps().back().code));
}

void MainWindow::echoRefused(const QString& line, const QString& exception, const QString& message,
                             const QString& hint) {
    finishStart();
    linkEcho(0, m_console->echo(line));
    m_console->printError(exception, message, hint);
}

} // namespace stridescope
