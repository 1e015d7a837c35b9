#include "widgets/panels/message_bar.h"

#include "widgets/scene/glyphs.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
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

/// A sign that is drawn, not taken from a font, in the colour that the style sheet gives it.
class SignLabel : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent* event) override {
        const bool check = text() == QStringLiteral("✓"), cross = text() == QStringLiteral("✗");
        if (!check && !cross) return QLabel::paintEvent(event);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        constexpr qreal kSize = 14;
        painter.setPen(QPen(palette().color(foregroundRole()), kSize / 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(glyphPath(check ? Glyph::Check : Glyph::Cross, QRectF(rect()).center(), kSize));
    }
};

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

/// Reason and advice in one paragraph: a line of its own would make the bar higher.
QString joined(const QString& detail, const QString& hint) {
    if (detail.isEmpty() || hint.isEmpty()) return detail + hint;
    if (detail.contains(QLatin1Char('\n'))) return detail + QLatin1Char('\n') + hint;
    return detail + (QStringLiteral(".!?…:").contains(detail.back()) ? QStringLiteral(" ") : QStringLiteral(". ")) +
           hint;
}

} // namespace

/// All lines, or as much as one of them holds.
class MessageWords : public QLabel {
public:
    using QLabel::QLabel;

    bool isFolded() const { return m_folded; }
    void setFolded(bool folded, Qt::TextElideMode cut) {
        if (folded == m_folded) return;
        m_folded = folded;
        m_cut = cut;
        updateGeometry();
        update();
    }
    /// Of all lines, whether they are folded or not.
    int wholeHeight(int width) const { return QLabel::heightForWidth(width); }
    int heightForWidth(int width) const override { return m_folded ? lineHeight() : QLabel::heightForWidth(width); }
    QSize sizeHint() const override { return m_folded ? minimumSizeHint() : QLabel::sizeHint(); }
    QSize minimumSizeHint() const override {
        return m_folded ? QSize(fontMetrics().averageCharWidth() * 8, lineHeight()) : QLabel::minimumSizeHint();
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        if (!m_folded) return QLabel::paintEvent(event);
        QPainter painter(this);
        const QString words = fontMetrics().elidedText(text().simplified(), m_cut, contentsRect().width());
        style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine, palette(),
                              isEnabled(), words, foregroundRole());
    }

private:
    int lineHeight() const { return fontMetrics().lineSpacing(); }

    bool m_folded = false;
    Qt::TextElideMode m_cut = Qt::ElideRight;
};

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_glyph(new SignLabel(this)), m_title(new MessageWords(this)), m_detail(new MessageWords(this)),
      m_words(new QVBoxLayout), m_actions(new QHBoxLayout), m_fold(new QPushButton(this)),
      m_more(new QPushButton(this)), m_close(new QPushButton(tr("Close"), this)) {
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    setProperty("kind", QStringLiteral("message"));
    for (QLabel* label : {m_glyph, static_cast<QLabel*>(m_title), static_cast<QLabel*>(m_detail)})
        label->setTextFormat(Qt::PlainText);
    m_glyph->setObjectName(QStringLiteral("messageGlyph"));
    m_title->setObjectName(QStringLiteral("messageTitle"));
    m_title->setWordWrap(true);
    m_title->setProperty("heading", true);
    m_glyph->setProperty("heading", true);
    m_detail->setObjectName(QStringLiteral("messageDetail"));
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_fold->setObjectName(QStringLiteral("messageFold"));
    m_fold->hide();
    m_more->setObjectName(QStringLiteral("messageMore"));
    m_more->setToolTip(tr("Show the next message that is still here"));
    m_close->setObjectName(QStringLiteral("messageClose"));
    for (QPushButton* button : {m_fold, m_more, m_close}) {
        button->setProperty("kind", QStringLiteral("flat"));
        button->setFocusPolicy(Qt::TabFocus); // pressed by mouse it leaves the keyboard where it is
    }

    m_words->setSpacing(2);
    m_words->addWidget(m_title);
    m_words->addWidget(m_detail);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 4, 10, 4);
    row->setSpacing(12);
    row->addWidget(m_glyph, 0, Qt::AlignTop);
    row->addLayout(m_words, 1);
    row->addLayout(m_actions);
    row->addWidget(m_fold, 0, Qt::AlignTop);
    row->addWidget(m_more, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_fold, &QPushButton::clicked, this, [this] {
        m_unfolded = !m_unfolded;
        Q_EMIT changed();
    });
    connect(m_more, &QPushButton::clicked, this, &MessageBar::turn);
    connect(m_close, &QPushButton::clicked, this, [this] {
        countTime();
        if (!m_messages.empty()) m_messages.pop_back();
        m_unfolded = false;
        present();
        Q_EMIT closed();
    });
    hide();
}

// --- What is told ---------------------------------------------------------------------------------------------------

void MessageBar::showMessage(Kind kind, const QString& title, const QString& detail, const QString& hint) {
    Message message;
    message.kind = kind;
    message.title = title;
    message.detail = joined(detail, hint);
    std::erase_if(m_messages, [&](const Message& each) {
        return each.state == 0 && each.title == message.title && each.detail == message.detail;
    });
    push(std::move(message));
}

void MessageBar::showState(int state, Kind kind, const QString& title, const QString& detail) {
    std::erase_if(m_messages, [&](const Message& each) { return each.state == state; });
    Message message;
    message.kind = kind;
    message.state = state;
    message.title = title;
    message.detail = detail;
    push(std::move(message));
}

void MessageBar::push(Message message) {
    countTime();
    // What was read has had its time; what nobody could read yet stays behind the new one.
    std::erase_if(m_messages, [](const Message& each) { return each.state == 0 && wasRead(each); });
    m_messages.push_back(std::move(message));
    m_unfolded = false;
    present();
    // Afterwards: what gave way to the message has given the keyboard to something else.
    if (!hasKeyboard()) m_before = window()->focusWidget();
}

void MessageBar::endState(int state) {
    countTime();
    if (std::erase_if(m_messages, [&](const Message& each) { return each.state == state; }) > 0) present();
}

void MessageBar::setStateDetail(int state, const QString& text) {
    for (Message& message : m_messages) {
        if (message.state == state) message.detail = text;
    }
    // Its buttons stay: somebody may be pressing one.
    if (state == 0 || this->state() != state) return;
    m_detail->setText(text);
    m_detail->setVisible(!text.isEmpty());
    Q_EMIT changed();
}

void MessageBar::keepUntilRead() {
    if (!m_messages.empty()) m_messages.back().kept = true;
}

void MessageBar::clear() {
    countTime();
    // A refusal of what the user asked for is over when they ask again: beside a line that worked, what stays of the
    // one before would read as its answer. The console's history keeps it.
    std::erase_if(m_messages, [](const Message& each) { return each.state == 0 && (!each.kept || wasRead(each)); });
    present();
}

void MessageBar::turn() {
    if (m_messages.size() < 2) return;
    countTime();
    std::rotate(m_messages.begin(), m_messages.end() - 1, m_messages.end());
    m_unfolded = false;
    present();
}

qint64 MessageBar::readingTime(const QString& words) {
    // A second to look there, then 20 letters a second: some 240 words a minute.
    return 1000 + 50 * static_cast<qint64>(words.size());
}

bool MessageBar::wasRead(const Message& message) {
    return message.answered || message.seen >= readingTime(message.title + message.detail);
}

void MessageBar::countTime() {
    if (m_inSight.isValid() && !m_messages.empty()) m_messages.back().seen += m_inSight.restart();
}

bool MessageBar::event(QEvent* event) {
    // Another font reaches the words after whoever set it. A request that changes no height is the echo of fit().
    const bool done = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest && (wholeHeight(m_fitWidth) != m_whole || highNow() != m_high))
        Q_EMIT changed();
    return done;
}

void MessageBar::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    m_inSight.start();
}

void MessageBar::hideEvent(QHideEvent* event) {
    countTime();
    m_inSight.invalidate();
    QFrame::hideEvent(event);
}

// --- What is seen ---------------------------------------------------------------------------------------------------

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
    layout()->setAlignment(m_glyph, words ? Qt::AlignTop : Qt::AlignVCenter);
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

int MessageBar::wholeHeight(int width) const {
    const QMargins margins = layout()->contentsMargins();
    int room = width - margins.left() - margins.right();
    const auto leave = [&](const QWidget* widget) {
        if (!widget->isHidden()) room -= widget->sizeHint().width() + layout()->spacing();
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
    layout()->invalidate();
    m_fitWidth = width;
    m_whole = wholeHeight(width);
    return m_high = highNow();
}

int MessageBar::highNow() const {
    // A long text that scrolls has no height that depends on the width.
    return hasHeightForWidth() ? heightForWidth(m_fitWidth) : sizeHint().height();
}

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

void MessageBar::presentActions(const Message& message) {
    while (QLayoutItem* item = m_actions->takeAt(0)) {
        // One of them may be the one whose press this is.
        if (item->widget()->hasFocus()) m_close->setFocus(Qt::OtherFocusReason);
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

void MessageBar::addAction(const QString& text, std::function<void()> act) {
    if (m_messages.empty()) return;
    m_messages.back().actions.push_back({text, std::move(act)});
    if (m_long) return;
    presentActions(m_messages.back());
    Q_EMIT changed();
}

void MessageBar::setDetailFont(const QFont& font) {
    if (m_messages.empty()) return;
    // The application's style sheet names a font, which counts more than a widget's own.
    QString& style = m_messages.back().style;
    style = QStringLiteral("font-family: '%1'; font-size: %2px;")
                .arg(font.families().isEmpty() ? font.family() : font.families().constFirst())
                .arg(font.pixelSize() > 0 ? font.pixelSize() : QFontInfo(font).pixelSize());
    m_detail->setStyleSheet(style);
    Q_EMIT changed();
}

void MessageBar::showLongDetail(const QString& text) {
    if (m_messages.empty()) return;
    m_messages.back().longDetail = text;
    presentLongDetail(text);
    Q_EMIT changed();
    m_long->setFocus(Qt::OtherFocusReason);
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

QString MessageBar::title() const {
    return m_messages.empty() ? QString() : m_messages.back().title;
}
QString MessageBar::detail() const {
    if (m_messages.empty()) return {};
    return m_long ? m_long->toPlainText() : m_messages.back().detail;
}
MessageBar::Kind MessageBar::kind() const {
    return m_messages.empty() ? Kind::Note : m_messages.back().kind;
}
int MessageBar::state() const {
    return m_messages.empty() ? 0 : m_messages.back().state;
}

} // namespace stridescope
