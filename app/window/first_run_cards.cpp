#include "app/window/first_run_cards.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace stridescope {

namespace {

constexpr int kSign = 20;
/// From this width on the row of cards has room for their sentences.
constexpr int kWithSentences = 1000;

QLabel* label(const QString& text, const char* name, QWidget* parent) {
    auto* made = new QLabel(text, parent);
    made->setObjectName(QString::fromLatin1(name));
    made->setTextFormat(Qt::PlainText);
    // The card is the button; its words let every click through.
    made->setAttribute(Qt::WA_TransparentForMouseEvents);
    return made;
}

} // namespace

StepCard::StepCard(const QString& icon, const QString& title, const QString& sentence, const QString& keys,
                   QWidget* parent)
    : QPushButton(parent), m_icon(icon), m_sign(label({}, "stepSign", this)), m_title(label(title, "stepTitle", this)),
      m_sentence(label(sentence, "stepSentence", this)), m_keys(label(keys, "stepKeys", this)) {
    setProperty("kind", QStringLiteral("step"));
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    setToolTip(sentence);
    setWhatsThis(sentence);
    m_title->setProperty("heading", true);
    m_sentence->setProperty("quiet", true);
    m_keys->setProperty("quiet", true);
    m_sign->setFixedSize(kSign, kSign);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_keys);
    words->addLayout(head);
    words->addWidget(m_sentence);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 12, 8);
    row->setSpacing(10);
    row->addWidget(m_sign, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSizePolicy(policy);
}

void StepCard::setTheme(const Theme& theme) {
    m_sign->setPixmap(theme.icon(m_icon).pixmap(QSize(kSign, kSign), devicePixelRatioF()));
}

void StepCard::setCompact(bool compact) {
    if (compact == m_compact) return;
    m_compact = compact;
    const int margin = compact ? 4 : 8;
    layout()->setContentsMargins(12, margin, 12, margin);
    m_sentence->setVisible(!compact);
    showWhatFits();
    updateGeometry();
}

void StepCard::showWhatFits() {
    // Words that would be cut are left out; the tool tip has them. For the title the sign gives way.
    const auto fits = [](const QLabel* text, int width) {
        return text->fontMetrics().horizontalAdvance(text->text()) <= width;
    };
    const int beyondSign = width() - 24 - kSign - 10;
    m_sign->setVisible(fits(m_title, beyondSign));
    const int room = m_sign->isHidden() ? width() - 24 : beyondSign;
    m_sentence->setVisible(!m_compact && fits(m_sentence, room));
    const int beside = room - m_title->fontMetrics().horizontalAdvance(m_title->text()) - 20;
    m_keys->setVisible(!m_keys->text().isEmpty() && fits(m_keys, beside));
}

void StepCard::keyPressEvent(QKeyEvent* event) {
    // Outside of dialogs Qt leaves buttons to the space bar; in a lesson, which the first card starts, Enter goes on.
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    enter ? click() : QPushButton::keyPressEvent(event);
}

void StepCard::resizeEvent(QResizeEvent* event) {
    QPushButton::resizeEvent(event);
    showWhatFits();
}

QSize StepCard::sizeHint() const {
    const int margin = m_compact ? 8 : 16, line = m_title->sizeHint().height();
    return {300, margin + std::max(kSign, line + (m_compact ? 0 : 2 + m_sentence->sizeHint().height()))};
}

QSize StepCard::minimumSizeHint() const {
    // The window may be as narrow as without the cards.
    return {24 + kSign, sizeHint().height()};
}

FirstRunCards::FirstRunCards(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("firstRun"));
    setProperty("role", QStringLiteral("stage"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("First steps"));
    m_title = label(tr("First steps"), "firstRunTitle", this);
    m_title->setProperty("heading", true);
    auto* column = new QVBoxLayout(this);
    m_head = new QHBoxLayout;
    m_head->addWidget(m_title, 1);
    m_row = new QHBoxLayout;
    column->addLayout(m_head);
    column->addLayout(m_row);
    const auto add = [&](const char* name, const char* icon, const QString& title, const QString& sentence,
                         const QString& keys, void (FirstRunCards::*signal)()) {
        auto* card = new StepCard(QString::fromLatin1(icon), title, sentence, keys, this);
        card->setObjectName(QString::fromLatin1(name));
        connect(card, &QPushButton::clicked, this, signal);
        m_row->addWidget(card, 1);
        m_cards.push_back(card);
    };
    add("firstRunLesson", "book", tr("Start lesson 1"), tr("Dimensions, with questions to answer."), tr("Ctrl+5"),
        &FirstRunCards::lessonRequested);
    add("firstRunOpen", "open", tr("Open data"), tr("A .npy, .npz or picture file; or drop one here."), tr("Ctrl+O"),
        &FirstRunCards::openRequested);
    add("firstRunType", "terminal", tr("Type in the console"), tr("PyTorch's names work; the picture follows."),
        tr("Ctrl+L"), &FirstRunCards::typeRequested);
    auto* close = m_close = new QToolButton(this);
    close->setObjectName(QStringLiteral("firstRunClose"));
    close->setProperty("kind", QStringLiteral("icon"));
    close->setAccessibleName(tr("Close the first steps"));
    close->setToolTip(tr("Close the first steps; Help has them"));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT dismissed();
    });
    setPlace(Place::Row);
}

void FirstRunCards::setTheme(const Theme& theme) {
    for (StepCard* card : m_cards) card->setTheme(theme);
    m_close->setIcon(theme.icon(QStringLiteral("close")));
}

void FirstRunCards::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    for (StepCard* card : m_cards) card->setCompact(m_place != Place::Row || width() < kWithSentences);
}

void FirstRunCards::setPlace(Place place) {
    m_place = place;
    const bool inCorner = place == Place::Corner, low = place == Place::LowRow;
    for (StepCard* card : m_cards) card->setCompact(inCorner || low || width() < kWithSentences);
    m_title->setVisible(inCorner);
    m_head->removeWidget(m_close);
    m_row->removeWidget(m_close);
    m_row->setDirection(inCorner ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_row->setSpacing(inCorner ? 6 : 12);
    if (inCorner)
        m_head->addWidget(m_close);
    else
        m_row->addWidget(m_close, 0, Qt::AlignTop);
    layout()->setContentsMargins(inCorner ? 12 : 20, inCorner ? 6 : low ? 4 : 10, 12, inCorner ? 10 : low ? 0 : 4);
    layout()->setSpacing(inCorner ? 2 : 0);
    setProperty("kind", inCorner ? QVariant(QStringLiteral("card")) : QVariant());
    style()->unpolish(this);
    style()->polish(this);
}

} // namespace stridescope
