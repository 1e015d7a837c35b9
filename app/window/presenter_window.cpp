#include "app/window/presenter_window.h"

#include "app/window/prompt_field.h"
#include "widgets/presenter/presented_page.h"
#include "widgets/presenter/presenter_bar.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QScreen>
#include <QVBoxLayout>
#include <QWindow>

namespace stridescope {

namespace {

/// Lines of a message, and letters of one: a class reads no more at a glance.
constexpr int kMessageLines = 6;
constexpr qsizetype kMessageLetters = 400;

/// Its text without the mark of a mnemonic.
QString wordsOf(const QAction& action) {
    return action.text().remove(QLatin1Char('&'));
}

bool isModifier(int key) {
    return (key >= Qt::Key_Shift && key <= Qt::Key_ScrollLock) || key == Qt::Key_AltGr || key == Qt::Key_Super_L ||
           key == Qt::Key_Super_R;
}

} // namespace

PresenterWindow::PresenterWindow(QWidget* parent)
    : QWidget(parent, Qt::Window), m_bar(new PresenterBar(this)), m_prompt(new PromptField(this)),
      m_message(new QLabel(this)), m_overlay(new PresenterOverlay(this)) {
    setObjectName(QStringLiteral("presenterWindow"));
    setWindowTitle(tr("Stridescope: presenting"));
    setAccessibleName(tr("Presentation"));
    setWhatsThis(tr("Space and Page Down show the next stage, Page Up the one before. B blanks the picture, S lights "
                    "the selected view alone, W changes light and dark, R the size of the room, Ctrl+L types a line, "
                    "Esc leaves."));
    setMinimumSize(320, 200);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_prompt);
    m_prompt->setObjectName(QStringLiteral("presenterPrompt"));
    m_prompt->setAccessibleName(tr("Line of code"));
    m_prompt->setProperty("ownFocusRing", true); // it is there only while it has the keys
    m_prompt->setMostRows(1);
    m_prompt->hide();
    connect(m_prompt, &PromptField::returnPressed, this, [this] {
        const QString line = m_prompt->text();
        closePrompt();
        if (line.trimmed().isEmpty()) return;
        m_prompt->remember(line);
        clearMessage();
        Q_EMIT lineEntered(line);
    });
    connect(m_bar, &PresenterBar::codeClicked, this, &PresenterWindow::openPrompt);
    m_message->setObjectName(QStringLiteral("presenterMessage"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->hide();
    m_overlay->setLit([this] { return m_page ? m_page->spotlight().translated(m_page->pos()) : QPainterPath(); });
    m_overlay->raise();
    // Keys and pointer of everything in the window.
    qApp->installEventFilter(this);
}

PresenterWindow::~PresenterWindow() = default;

void PresenterWindow::setPage(PresentedPage* page) {
    if (PresentedPage* const old = m_page) {
        // Focus moves while it goes, and nothing may ask it then. An event of one of its parts may be what wants
        // another.
        m_page = nullptr;
        old->disconnect(this);
        layout()->removeWidget(old);
        old->hide();
        old->deleteLater();
    }
    m_page = page;
    page->setParent(this);
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, page, 1);
    page->show();
    connect(page, &PresentedPage::changed, this, &PresenterWindow::followPage);
    connect(page, &PresentedPage::runRequested, this, [this](const QString& code) {
        clearMessage();
        Q_EMIT runRequested(code);
    });
    m_message->raise();
    m_overlay->raise();
    applyLook();
    followPage();
    page->setFocus(Qt::OtherFocusReason);
}

void PresenterWindow::setRoom(RoomSize room) {
    if (room == m_room) return;
    m_room = room;
    applyLook();
    Q_EMIT roomChanged(room);
}

void PresenterWindow::setDark(bool dark) {
    if (dark == isDark()) return;
    m_theme = Theme(dark ? ThemeKind::Dark : ThemeKind::Light, true);
    applyLook();
}

void PresenterWindow::showOn(QScreen* screen) {
    winId(); // a window to be put on a screen
    windowHandle()->setScreen(screen);
    setGeometry(screen->geometry());
    showFullScreen();
    raise();
    activateWindow();
}

void PresenterWindow::applyLook() {
    m_scale = presenterScale(m_room, height());
    setPalette(m_theme.palette());
    // Menus and fields of the page have the room's letters, too.
    const int text = presenterFont(m_theme, FontRole::Text, m_scale).pixelSize();
    setStyleSheet(
        m_theme.styleSheet() +
        QStringLiteral("* { font-size: %1px; } QLabel { color: %4; }"
                       "#presenterWindow { background: %2; }"
                       "#presenterMessage { background: %3; color: %4; border: %5px solid %4; padding: %6px; }")
            .arg(text)
            .arg(m_theme.color(Tone::Stage).name(), m_theme.color(Tone::NoteTint).name(),
                 m_theme.color(Tone::Ink).name())
            .arg(qRound(1.5 * m_scale))
            .arg(qRound(6 * m_scale)));
    m_prompt->setTheme(m_theme);
    m_bar->setLook(m_theme, m_scale);
    m_overlay->setLook(m_theme, m_scale);
    if (m_page) m_page->setLook(m_theme, m_scale);
    placeMessage();
}

void PresenterWindow::resizeEvent(QResizeEvent*) {
    applyLook();
}

void PresenterWindow::setLastLine(const QString& line) {
    m_lastLine = line;
    followPage();
}

void PresenterWindow::followPage() {
    if (!m_page) return;
    m_bar->setStage(m_page->stageName(), m_page->stage(), m_page->stages());
    const QString line = m_page->line();
    m_bar->setCode(line.isEmpty() && m_page->followsLastLine() ? m_lastLine : line);
    if (m_overlay->hasSpotlight()) m_overlay->update();
}

// --- Messages -------------------------------------------------------------------------------------------------------

void PresenterWindow::tell(const QString& headline, const QString& details) {
    QStringList lines = (headline + QLatin1Char('\n') + details).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (lines.size() > kMessageLines) {
        lines = lines.mid(0, kMessageLines - 1);
        lines << tr("… more in the console");
    }
    QString text = lines.join(QLatin1Char('\n'));
    if (text.size() > kMessageLetters) text = text.left(kMessageLetters) + QChar(0x2026);
    m_message->setText(text);
    m_message->setAccessibleName(text);
    m_message->setVisible(!text.isEmpty());
    placeMessage();
}

void PresenterWindow::clearMessage() {
    m_message->clear();
    m_message->hide();
}

QString PresenterWindow::message() const {
    return m_message->isHidden() ? QString() : m_message->text();
}

void PresenterWindow::placeMessage() {
    if (m_message->isHidden()) return;
    const int margin = qRound(12 * m_scale), width = this->width() - 2 * margin;
    const int bottom = height() - m_bar->sizeHint().height() - margin / 2;
    m_message->setGeometry(margin, 0, width, 10);
    const int high = std::min(m_message->heightForWidth(width), bottom - margin);
    m_message->setGeometry(margin, bottom - high, width, high);
}

// --- Typing ---------------------------------------------------------------------------------------------------------

void PresenterWindow::openPrompt() {
    m_bar->hide();
    m_prompt->show();
    m_prompt->setFocus(Qt::ShortcutFocusReason);
}

void PresenterWindow::closePrompt() {
    m_prompt->clear();
    m_prompt->hide();
    m_bar->show();
    if (m_page) m_page->setFocus(Qt::OtherFocusReason);
}

bool PresenterWindow::typing() const {
    const QWidget* focus = focusWidget();
    return qobject_cast<const QLineEdit*>(focus) || qobject_cast<const CodeEdit*>(focus);
}

// --- Keys -----------------------------------------------------------------------------------------------------------

void PresenterWindow::showKey(const QKeyEvent& event) {
    const int key = event.key();
    if (key == 0 || key == Qt::Key_unknown || isModifier(key)) return;
    if (typing() && !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier))) return;
    const QKeySequence keys(event.keyCombination());
    QString command;
    for (const QAction* action : actions()) {
        if (action->isEnabled() && action->shortcuts().contains(keys)) command = wordsOf(*action);
    }
    m_bar->setKey(keys.toString(QKeySequence::NativeText), command);
}

bool PresenterWindow::takesKey(const QKeyEvent& event) {
    if (isModifier(event.key())) return m_overlay->isBlank(); // the first half of Ctrl+Z is no key yet
    const bool plain = !(event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier));
    if (m_overlay->isBlank()) {
        // Whatever is pressed brings the picture back, and does nothing else that nobody saw.
        m_overlay->setBlank(false);
        return true;
    }
    if (event.key() == Qt::Key_Escape) {
        if (m_prompt->isVisible()) {
            closePrompt();
        } else if (typing() || QApplication::mouseButtons() != Qt::NoButton) {
            return false; // a field or a drag of the page is left first
        } else if (!message().isEmpty()) {
            clearMessage();
        } else {
            leave();
        }
        return true;
    }
    if (event.key() == Qt::Key_L && event.modifiers() == Qt::ControlModifier) {
        openPrompt();
        return true;
    }
    if (!plain || typing()) return false;
    const auto said = [this](const QString& what) { m_bar->setKey(m_bar->key(), what); };
    switch (event.key()) {
    case Qt::Key_B:
    case Qt::Key_Period: // remote controls send either
        m_overlay->setBlank(true);
        said(tr("Blank"));
        return true;
    case Qt::Key_S:
        m_overlay->setSpotlight(!m_overlay->hasSpotlight());
        said(m_overlay->hasSpotlight() ? tr("Spotlight") : tr("Spotlight off"));
        return true;
    case Qt::Key_W:
        setDark(!isDark());
        said(isDark() ? tr("Dark") : tr("Light"));
        return true;
    case Qt::Key_R: {
        const int by = event.modifiers() & Qt::ShiftModifier ? 2 : 1;
        setRoom(static_cast<RoomSize>((static_cast<int>(m_room) + by) % 3));
        said(m_room == RoomSize::Small     ? tr("Room: small")
             : m_room == RoomSize::Lecture ? tr("Room: lecture")
                                           : tr("Room: hall"));
        return true;
    }
    case Qt::Key_Space:
    case Qt::Key_PageDown:
        return m_page && m_page->goOn(1);
    case Qt::Key_PageUp:
        return m_page && m_page->goOn(-1);
    case Qt::Key_N:
    case Qt::Key_P:
        return m_page && m_page->skip(event.key() == Qt::Key_N ? 1 : -1);
    default:
        return false;
    }
}

bool PresenterWindow::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != this) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::ShortcutOverride: {
        // Comes before shortcuts and before the key itself: what an action says now is what it will do.
        const auto& key = *static_cast<QKeyEvent*>(event);
        if (watched == focusWidget() || widget == this) showKey(key);
        if (m_overlay->isBlank()) {
            event->accept(); // no shortcut acts on what nobody sees
            return true;
        }
        if (key.key() == Qt::Key_L && key.modifiers() == Qt::ControlModifier) {
            event->accept(); // the prompt here, not the main window's
            return true;
        }
        break;
    }
    case QEvent::KeyPress:
        // A key that nobody takes is offered to the parents in turn: once is enough.
        if (watched == focusWidget() && takesKey(*static_cast<QKeyEvent*>(event))) return true;
        break;
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
        m_overlay->setPointer(QPointF(mapFromGlobal(static_cast<QMouseEvent*>(event)->globalPosition().toPoint())));
        break;
    case QEvent::Leave:
        if (widget == this) m_overlay->setPointer(std::nullopt);
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void PresenterWindow::leave() {
    close();
}

void PresenterWindow::closeEvent(QCloseEvent* event) {
    event->accept();
    Q_EMIT left();
}

} // namespace stridescope
