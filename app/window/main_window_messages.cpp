// What the window tells: the message bar, what a line printed, cards that left the stage.

#include "app/window/console.h"
#include "app/window/main_window.h"
#include "app/window/presenter_window.h"
#include "app/window/prompt_field.h"
#include "widgets/panels/history_panel.h"
#include "widgets/panels/message_bar.h"
#include "widgets/shared/screen.h"
#include "widgets/shared/scroll_room.h"
#include "widgets/shared/transport_bar.h"
#include "widgets/stage/explore_stage.h"

#include <QDockWidget>
#include <QLabel>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>

namespace stridescope {

void MainWindow::buildMessages() {
    m_message = new MessageBar(this);
    m_printed = new MessageBar(this);
    m_printed->setObjectName(QStringLiteral("printedBar"));
    m_printed->setAccessibleName(tr("Printed"));
    connect(m_message, &MessageBar::changed, this, &MainWindow::placeMessage);
    for (const MessageBar* bar : {m_message, m_printed})
        connect(bar, &MessageBar::keyboardFreed, this, [this] {
            (currentScreen() ? static_cast<QWidget*>(currentScreen()) : m_stage)->setFocus(Qt::OtherFocusReason);
        });
    connect(m_printed, &MessageBar::changed, this, [this] {
        placePrinted();
        placeMessage();
    });
}

void MainWindow::say(const QString& headline, const QString& details, const QString& hint) {
    m_message->showMessage(MessageBar::Kind::Note, headline, details, hint);
    if (m_presenter) m_presenter->tell(headline, details);
}

void MainWindow::confirm(const QString& headline) {
    m_message->showMessage(MessageBar::Kind::Done, headline);
}

void MainWindow::complain(const QString& headline, const QString& details, const QString& hint) {
    m_message->showMessage(MessageBar::Kind::Error, headline, details, hint);
    if (m_presenter) m_presenter->tell(headline, hint.isEmpty() ? details : details + QLatin1Char('\n') + hint);
}

void MainWindow::sayState(Activity activity, const QString& headline, const QString& details) {
    m_message->showState(activity, MessageBar::Kind::Note, headline, details);
    if (m_presenter) m_presenter->tell(headline, details);
}

void MainWindow::tellFault(const QString& what) {
    complain(tr("Something went wrong inside the program: %1").arg(what.section(QLatin1Char('\n'), 0, 0)),
             tr("What was asked for last may be done in part. Tensors are kept, with their history."),
             tr("Undo the last step, or save the tensors and start the program again."));
    m_message->keepUntilRead();
}

void MainWindow::offer(const QString& text, const std::function<void()>& act) {
    m_message->addAction(text, act);
}

void MainWindow::endMessages() {
    m_message->clear();
    m_printed->clear();
    m_stage->clearMessage();
    // What made room for a new card was told there; the stage tells its own text only when that changes.
    if (!currentScreen() && m_centreStack->currentWidget() == m_stageRoom) m_statusText->setText(m_stage->statusText());
    if (m_presenter) m_presenter->clearMessage();
}

// --- Places ---------------------------------------------------------------------------------------------------------

QRect MainWindow::historyRow() const {
    if (!m_history || !m_history->isVisible() || m_history->window() != this) return {};
    // A dock behind the tab of another one is visible, but lies outside the window; one at the side is too narrow.
    const QRect row(m_history->mapTo(this, QPoint()), m_history->size());
    return rect().contains(row) && 2 * row.width() >= centralWidget()->width() ? row : QRect();
}

void MainWindow::placeMessage() {
    if (!m_stageRoom || m_message->isHidden()) return; // still being built, or there is nothing to tell
    // The picture neither moves nor shrinks for it, and neither its options nor the names of cards, which are needed to
    // mend what it tells, are covered. It lies over the history, where that is in sight: Undo and Redo stay in the tool
    // bar. Otherwise screens say where it may lie, or it lies at their lower edge, over the status bar as long as
    // nothing in that can be pressed. Lines for which that is too little unfold on demand, upwards.
    constexpr int kTwoLines = 56;
    const QRect centre = centralWidget()->geometry(), row = historyRow();
    const QRect told = currentScreen() ? currentScreen()->messagePlace() : QRect();
    if (told.isValid()) {
        const QPoint at = currentScreen()->mapTo(this, told.topLeft());
        m_message->setGeometry(at.x(), at.y(), told.width(), m_message->fit(told.width(), 0));
    } else {
        const bool docked = m_bottomDock->isVisible() && !m_bottomDock->isFloating();
        const bool buttons = m_cancelWork->isVisible() || m_changedFiles->isVisible();
        QRect place = row;
        if (!row.isValid()) {
            place = centre;
            place.setBottom((docked || buttons ? centre : statusBar()->geometry()).bottom());
            // What plays the picture, and the names of its stages, stay in sight.
            if (const auto* transport = currentScreen() ? currentScreen()->findChild<TransportBar*>() : nullptr;
                transport && transport->isVisible())
                place.setBottom(std::min(place.bottom(), transport->mapTo(this, QPoint()).y() - 1));
            place.setTop(place.bottom() + 1);
        } else if (!m_printed->isHidden() && m_printed->geometry().intersects(row)) {
            place.setBottom(m_printed->y() - 1);
            place.setTop(place.bottom() + 1);
        }
        const int wanted = std::max(m_message->fit(place.width(), kTwoLines), place.height());
        place.setTop(place.bottom() + 1 - std::min(wanted, place.bottom() + 1 - centre.top()));
        m_message->setGeometry(place);
    }
    m_message->raise();
}

void MainWindow::placePrinted() {
    if (m_printed->isHidden() || !m_console) return;
    // Without a prompt in sight at the top, where messages are.
    const bool docked = m_bottomDock->isVisible() && !m_bottomDock->isFloating();
    const QRect place = docked ? m_bottomDock->geometry() : centralWidget()->geometry();
    const int most = std::max(height() / 2, m_printed->minimumSizeHint().height());
    int high = std::min(m_printed->fit(place.width(), 0), most), top = place.top();
    if (docked) {
        // All of the history, or none: a part of it that looks out would be no more than disorder.
        const int prompt = m_console->prompt()->mapTo(this, QPoint()).y();
        if (prompt - top <= most) high = std::max(high, prompt - top);
        top = prompt - high;
    }
    m_printed->setGeometry(place.left(), top, place.width(), high);
    m_printed->raise();
}

// --- Lines that worked ----------------------------------------------------------------------------------------------

std::set<TensorId> MainWindow::shownCards() const {
    std::set<TensorId> shown;
    for (const TensorEntry& entry : m_model->snapshot()->tensors) {
        if (entry.onStage) shown.insert(entry.id);
    }
    return shown;
}

std::pair<QString, TensorId> MainWindow::tellTakenOff(const std::set<TensorId>& before) {
    QStringList names;
    TensorId first = 0;
    for (const TensorEntry& entry : m_model->snapshot()->tensors) {
        if (entry.onStage || before.count(entry.id) == 0) continue;
        names << entry.name;
        if (first == 0) first = entry.id;
    }
    // The stage is of no interest to who looks at another screen.
    if (names.isEmpty() || currentScreen()) return {};
    constexpr int kNamed = 4;
    QString list = names.mid(0, kNamed).join(QStringLiteral(", "));
    if (names.size() > kNamed) list += tr(" and %1 more").arg(names.size() - kNamed);
    const QString words =
        (names.size() == 1 ? tr("%1 was taken off the stage, which shows the newest four: its eye in the list "
                                "brings it back.")
                           : tr("%1 were taken off the stage, which shows the newest four: their eyes in the list "
                                "bring them back."))
            .arg(list);
    // Who has been told why expects the next one; a low window has something new to show just now.
    if (m_toldTakenOff || isLow()) {
        m_statusText->setText(words);
        return {};
    }
    m_toldTakenOff = true;
    return {words, first};
}

void MainWindow::tellPrinted(const RunOutcome& outcome) {
    // A card that made room for a new one does not go without a word.
    const auto [hidden, card] = tellTakenOff(m_shownBefore);
    QStringList notes = outcome.notes;
    if (card != 0) notes << hidden;
    if (!notes.isEmpty()) say(notes.first(), notes.mid(1).join(QLatin1Char(' ')));
    if (const TensorEntry* entry = m_model->snapshot()->tensor(card)) {
        offer(tr("Show %1").arg(entry->name), [this, gone = card] {
            m_message->clear();
            showOnStage(gone, true);
        });
    }
    showPrinted(outcome.printed, {});
}

void MainWindow::showPrinted(const QString& text, const QString& traceback) {
    QStringList printed = Console::escaped(text).split(QLatin1Char('\n'));
    while (!printed.isEmpty() && printed.last().trimmed().isEmpty()) printed.removeLast();
    // Of a traceback the last place counts, and its line; the error itself is told above.
    QStringList place;
    if (!traceback.isEmpty()) {
        const QStringList lines = Console::escaped(traceback).split(QLatin1Char('\n'));
        for (const QString& line : lines) {
            if (line.startsWith(QLatin1String("  File "))) place.clear();
            if (line.startsWith(QLatin1String("  ")) && place.size() < 2) place << line.mid(2);
        }
        printed << lines;
    }
    // The line itself, and as much of the answer as can be taken in at a glance.
    constexpr int kGlance = 4;
    const int lines = 1 + static_cast<int>(printed.size());
    if (printed.isEmpty() || m_console->linesInSight() >= std::min(lines, kGlance)) return;
    // A low window has no room for the console's output, only for its prompt.
    constexpr int kShown = 3;
    constexpr qsizetype kWidest = 400;
    QStringList shown = place.isEmpty() ? printed.mid(0, printed.size() > kShown ? kShown - 1 : kShown) : place;
    for (QString& line : shown) {
        if (line.size() > kWidest) line = line.left(kWidest) + QStringLiteral("…");
    }
    if (printed.size() > shown.size()) shown << tr("… and %1 more lines").arg(printed.size() - shown.size());
    m_printed->clear();
    m_printed->showMessage(MessageBar::Kind::Plain, {}, shown.join(QLatin1Char('\n')));
    m_printed->setDetailFont(m_theme.font(FontRole::Code));
    if (printed.size() > kShown)
        m_printed->addAction(tr("Show all"),
                             [this, all = printed.join(QLatin1Char('\n'))] { m_printed->showLongDetail(all); });
}

} // namespace stridescope
