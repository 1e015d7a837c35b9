#include "widgets/panels/message_bar.h"

#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_glyph(new QLabel(this)), m_title(new QLabel(this)), m_detail(new QLabel(this)),
      m_words(new QVBoxLayout), m_actions(new QHBoxLayout), m_close(new QPushButton(QStringLiteral("Close"), this)) {
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    setProperty("kind", QStringLiteral("message"));
    for (QLabel* label : {m_glyph, m_title, m_detail}) label->setTextFormat(Qt::PlainText);
    m_glyph->setObjectName(QStringLiteral("messageGlyph"));
    m_title->setObjectName(QStringLiteral("messageTitle"));
    m_title->setWordWrap(true);
    m_title->setProperty("heading", true);
    m_glyph->setProperty("heading", true);
    m_detail->setObjectName(QStringLiteral("messageDetail"));
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setProperty("kind", QStringLiteral("flat"));

    m_words->setSpacing(2);
    m_words->addWidget(m_title);
    m_words->addWidget(m_detail);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 10, 8);
    row->setSpacing(12);
    row->addWidget(m_glyph, 0, Qt::AlignTop);
    row->addLayout(m_words, 1);
    row->addLayout(m_actions);
    row->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QPushButton::clicked, this, [this] {
        clear();
        Q_EMIT closed();
    });
    hide();
}

void MessageBar::showMessage(Kind kind, const QString& title, const QString& detail, const QString& hint) {
    clear();
    m_kind = kind;
    setProperty("tone", kind == Kind::Error  ? QStringLiteral("error")
                        : kind == Kind::Done ? QStringLiteral("right")
                                             : QStringLiteral("note"));
    m_glyph->setText(kind == Kind::Error  ? QStringLiteral("✗")
                     : kind == Kind::Done ? QStringLiteral("✓")
                                          : QStringLiteral("!"));
    m_title->setText(title);
    QString words = detail;
    if (!hint.isEmpty()) words += words.isEmpty() ? hint : QLatin1Char('\n') + hint;
    m_detail->setText(words);
    m_detail->setVisible(!words.isEmpty());
    style()->unpolish(this); // the style sheet chooses colours by the property "tone"
    style()->polish(this);
    setAccessibleDescription(title + QLatin1Char(' ') + words);
    show();
}

void MessageBar::setDetail(const QString& text) {
    m_detail->setText(text);
    m_detail->setVisible(!text.isEmpty());
}

void MessageBar::addAction(const QString& text, const QString& code) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QStringLiteral("messageAction"));
    button->setFocusPolicy(Qt::TabFocus); // it goes when it was clicked, and would take the keyboard with it
    m_actions->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, code] { Q_EMIT actionRequested(code); });
}

void MessageBar::setDetailFont(const QFont& font) {
    // The application's style sheet names a font, which counts more than a widget's own.
    m_detail->setStyleSheet(QStringLiteral("font-family: '%1'; font-size: %2px;")
                                .arg(font.families().isEmpty() ? font.family() : font.families().constFirst())
                                .arg(font.pixelSize() > 0 ? font.pixelSize() : QFontInfo(font).pixelSize()));
}

void MessageBar::clear() {
    hide();
    m_detail->setStyleSheet(QString());
    m_title->clear();
    m_detail->clear();
    delete m_long;
    m_long = nullptr;
    clearActions();
}

void MessageBar::showLongDetail(const QString& text) {
    delete m_long;
    m_long = new QPlainTextEdit(text, this);
    m_long->setObjectName(QStringLiteral("messageLongDetail"));
    m_long->setAccessibleName(tr("All of the message"));
    m_long->setReadOnly(true);
    m_long->setTabChangesFocus(true);
    m_long->setFrameShape(QFrame::NoFrame);
    // As much as leaves the stage its least height in a window of 720 lines.
    constexpr int kLines = 8;
    const int lines = std::clamp(static_cast<int>(text.count(QLatin1Char('\n'))) + 1, 2, kLines);
    const auto height = [this](int shown) {
        return shown * m_long->fontMetrics().lineSpacing() + 2 * static_cast<int>(m_long->document()->documentMargin());
    };
    // Gives way in a low window, which must not grow beyond its screen.
    m_long->setMinimumHeight(height(2));
    m_long->setMaximumHeight(height(lines));
    m_words->addWidget(m_long);
    m_long->show(); // a layout would show it later, and only then could it have the focus
    m_detail->hide();
    clearActions();
    m_long->setFocus(Qt::OtherFocusReason);
}

void MessageBar::clearActions() {
    while (QLayoutItem* item = m_actions->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
}

QString MessageBar::title() const {
    return m_title->text();
}
QString MessageBar::detail() const {
    return m_long ? m_long->toPlainText() : m_detail->text();
}

} // namespace stridescope
