// What is seen of the messages of MessageBar, how high it is, and how it goes.

#include "widgets/panels/message_bar.h"
#include "widgets/panels/message_words.h"

#include <QApplication>
#include <QCursor>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

QString toneOf(MessageBar::Kind kind) {
    switch (kind) {
    case MessageBar::Kind::Error:
        return QStringLiteral("error");
    case MessageBar::Kind::Done:
        return QStringLiteral("right");
    case MessageBar::Kind::Plain:
        return QStringLiteral("plain");
    case MessageBar::Kind::Note:
        break;
    }
    return QStringLiteral("note");
}

QString glyphOf(MessageBar::Kind kind) {
    switch (kind) {
    case MessageBar::Kind::Error:
        return QStringLiteral("✗");
    case MessageBar::Kind::Done:
        return QStringLiteral("✓");
    case MessageBar::Kind::Plain:
        return {};
    case MessageBar::Kind::Note:
        break;
    }
    return QStringLiteral("!");
}

} // namespace

void MessageBar::present() {
    if (m_long && m_long->hasFocus()) m_close->setFocus(Qt::OtherFocusReason);
    delete m_long;
    m_long = nullptr;
    if (m_messages.empty()) {
        leave();
        hide();
        m_title->clear();
        m_detail->clear();
        presentActions({});
        Q_EMIT changed();
        return;
    }
    const Message& shown = m_messages.back();
    setProperty("tone", toneOf(shown.kind));
    m_glyph->setText(glyphOf(shown.kind));
    m_glyph->setVisible(!m_glyph->text().isEmpty());
    m_title->setText(shown.title);
    m_title->setVisible(!shown.title.isEmpty());
    m_detail->setStyleSheet(shown.style);
    m_detail->setText(shown.detail);
    m_detail->setVisible(!shown.detail.isEmpty());
    // Beside the first of several lines, and of one line beside its middle, wherever buttons put it.
    const bool words = !shown.detail.isEmpty() || !shown.longDetail.isEmpty();
    m_row->setAlignment(m_glyph, words ? Qt::AlignTop : Qt::AlignVCenter);
    for (QWidget* widget : {static_cast<QWidget*>(this), static_cast<QWidget*>(m_glyph)}) {
        style()->unpolish(widget); // the style sheet chooses colours by the property "tone"
        style()->polish(widget);
    }
    setAccessibleDescription(shown.title + QLatin1Char(' ') + shown.detail);
    const int others = count() - 1;
    m_more->setText(tr("%1 more").arg(others));
    if (others == 0 && m_more->hasFocus()) m_close->setFocus(Qt::OtherFocusReason);
    m_more->setVisible(others > 0);
    if (shown.longDetail.isEmpty())
        presentActions(shown);
    else
        presentLongDetail(shown.longDetail);
    show();
    Q_EMIT changed();
}

void MessageBar::presentActions(const Message& message) {
    while (QLayoutItem* item = m_actions->takeAt(0)) {
        // One of them may be the one whose press this is.
        if (item->widget()->hasFocus()) m_close->setFocus(Qt::OtherFocusReason);
        item->widget()->disconnect(this); // pressed before and let go now, it answers no other message
        item->widget()->hide();
        item->widget()->setObjectName(QString());
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < message.actions.size(); ++i) {
        auto* button = new QPushButton(message.actions[i].text, this);
        button->setObjectName(QStringLiteral("messageAction"));
        button->setFocusPolicy(Qt::TabFocus); // it goes when it was clicked, and would take the keyboard with it
        m_actions->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, i] {
            // It may replace the message that it belongs to, which was read.
            m_messages.back().answered = true;
            if (const auto act = std::exchange(m_messages.back().actions[i].act, nullptr)) act();
        });
    }
}

void MessageBar::presentLongDetail(const QString& text) {
    delete m_long;
    m_long = new QPlainTextEdit(text, this);
    m_long->setObjectName(QStringLiteral("messageLongDetail"));
    m_long->setAccessibleName(tr("All of the message"));
    m_long->setStyleSheet(m_messages.back().style); // columns stay columns
    m_long->setReadOnly(true);
    m_long->setTabChangesFocus(true);
    m_long->setFrameShape(QFrame::NoFrame);
    // As much as leaves the stage its least height in a window of 720 lines.
    constexpr int kLines = 8;
    const int lines = std::clamp(static_cast<int>(text.count(QLatin1Char('\n'))) + 1, 2, kLines);
    m_long->ensurePolished();
    const auto height = [this](int shown) {
        return shown * m_long->fontMetrics().lineSpacing() + 2 * static_cast<int>(m_long->document()->documentMargin());
    };
    // Gives way in a low window, which must not grow beyond its screen.
    m_long->setMinimumHeight(height(2));
    m_long->setMaximumHeight(height(lines));
    m_words->addWidget(m_long);
    m_long->show(); // a layout would show it later, and only then could it have the focus
    m_detail->hide();
    presentActions({});
}

// --- How high it is -------------------------------------------------------------------------------------------------

int MessageBar::wholeHeight(int width) const {
    const QMargins margins = m_row->contentsMargins();
    int room = width - margins.left() - margins.right();
    const auto leave = [&](const QWidget* widget) {
        if (!widget->isHidden()) room -= widget->sizeHint().width() + m_row->spacing();
    };
    for (const QWidget* widget :
         {static_cast<QWidget*>(m_glyph), static_cast<QWidget*>(m_more), static_cast<QWidget*>(m_close)})
        leave(widget);
    for (int i = 0; i < m_actions->count(); ++i) leave(m_actions->itemAt(i)->widget());
    const int title = m_title->isHidden() ? 0 : m_title->wholeHeight(room);
    const int detail = m_detail->isHidden() ? 0 : m_detail->wholeHeight(room);
    return margins.top() + title + (title > 0 && detail > 0 ? m_words->spacing() : 0) + detail + margins.bottom();
}

int MessageBar::fit(int width, int most) {
    const bool foldable = most > 0 && !m_long && wholeHeight(width) > most;
    m_detail->setFolded(foldable && !m_unfolded, Qt::ElideRight);
    // A long line of code stands first there, and after it what came of it.
    m_title->setFolded(foldable && !m_unfolded, Qt::ElideMiddle);
    m_fold->setText(m_unfolded ? tr("Show less") : tr("Show all"));
    if (!foldable && m_fold->hasFocus()) m_close->setFocus(Qt::OtherFocusReason);
    m_fold->setVisible(foldable);
    // Only the outermost layout was told.
    m_words->invalidate();
    m_row->invalidate();
    layout()->invalidate();
    m_fitWidth = width;
    m_whole = wholeHeight(width);
    return m_high = highNow();
}

int MessageBar::highNow() const {
    // A long text that scrolls has no height that depends on the width.
    return hasHeightForWidth() ? heightForWidth(m_fitWidth) : sizeHint().height();
}

bool MessageBar::event(QEvent* event) {
    // Another font reaches the words after whoever set it. A request that changes no height is the echo of fit().
    const bool done = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest && (wholeHeight(m_fitWidth) != m_whole || highNow() != m_high))
        Q_EMIT changed();
    return done;
}

// --- How it goes ----------------------------------------------------------------------------------------------------

bool MessageBar::hasKeyboard() const {
    const QWidget* focus = window()->focusWidget();
    return focus == this || isAncestorOf(focus);
}

void MessageBar::leave() {
    if (isHidden()) return;
    // Left to Qt the keyboard would go to the first widget of the window.
    const bool back = m_before && m_before->isVisible() && m_before->isEnabled();
    if (hasKeyboard()) back ? m_before->setFocus(Qt::OtherFocusReason) : Q_EMIT keyboardFreed();
    // What comes to light under the pointer was not what a second press, or one that was on its way, was meant for.
    const QRect place(mapToGlobal(QPoint()), size());
    if (!isVisible() || !place.contains(QCursor::pos())) return;
    m_place = place;
    m_gone.start();
    qApp->removeEventFilter(this);
    qApp->installEventFilter(this);
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    const bool press = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
    const auto* widget = press ? qobject_cast<QWidget*>(watched) : nullptr;
    if (!widget) return QFrame::eventFilter(watched, event);
    if (!m_gone.isValid() || m_gone.hasExpired(kSecondPress)) {
        qApp->removeEventFilter(this);
        return false;
    }
    return widget != this && !isAncestorOf(widget) &&
           m_place.contains(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
}

} // namespace stridescope
