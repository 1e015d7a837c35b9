// What is told, and for how long; message_bar_shown.cpp has what is seen of it.

#include "widgets/panels/message_bar.h"

#include "widgets/panels/message_words.h"

#include <QFontInfo>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

/// Reason and advice in one paragraph: a line of its own would make the bar higher.
QString joined(const QString& detail, const QString& hint) {
    if (detail.isEmpty() || hint.isEmpty()) return detail + hint;
    if (detail.contains(QLatin1Char('\n'))) return detail + QLatin1Char('\n') + hint;
    return detail + (QStringLiteral(".!?…:").contains(detail.back()) ? QStringLiteral(" ") : QStringLiteral(". ")) +
           hint;
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_glyph(new MessageSign(this)), m_title(new MessageWords(this)), m_detail(new MessageWords(this)),
      m_row(new QHBoxLayout), m_words(new QVBoxLayout), m_actions(new QHBoxLayout), m_fold(new QPushButton(this)),
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
    auto* middle = new QVBoxLayout(this); // of a place that is higher
    middle->setContentsMargins(0, 0, 0, 0);
    middle->setSpacing(0);
    middle->addStretch();
    QHBoxLayout* const row = m_row;
    middle->addLayout(row);
    middle->addStretch();
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

void MessageBar::withdrawActions(const QString& title) {
    for (Message& each : m_messages)
        if (each.title == title) each.actions.clear();
    present();
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

void MessageBar::addAction(const QString& text, std::function<void()> act) {
    if (m_messages.empty()) return;
    auto& actions = m_messages.back().actions;
    actions.erase(std::remove_if(actions.begin(), actions.end(), [&](const Action& a) { return a.text == text; }),
                  actions.end());
    actions.push_back({text, std::move(act)});
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

void MessageBar::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    m_inSight.start();
}

void MessageBar::hideEvent(QHideEvent* event) {
    countTime();
    m_inSight.invalidate();
    QFrame::hideEvent(event);
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
