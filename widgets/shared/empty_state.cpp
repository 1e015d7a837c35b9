#include "widgets/shared/empty_state.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace stridescope {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(this)), m_sentence(new QLabel(this)), m_buttons(new QHBoxLayout) {
    setObjectName(QStringLiteral("emptyState"));
    m_title->setObjectName(QStringLiteral("emptyTitle"));
    m_title->setProperty("heading", true);
    m_sentence->setObjectName(QStringLiteral("emptySentence"));
    m_sentence->setProperty("quiet", true);
    m_sentence->setWordWrap(true);
    for (QLabel* text : {m_title, m_sentence}) text->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_sentence);
    column->addLayout(m_buttons);
    column->addStretch(1);
    m_buttons->setSpacing(8);
    m_buttons->addStretch(1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void EmptyState::setContents(const QString& title, const QString& sentence, const std::vector<Choice>& choices) {
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    for (QPushButton* old : findChildren<QPushButton*>()) {
        m_buttons->removeWidget(old);
        old->hide();
        old->deleteLater();
    }
    int at = 0;
    for (const Choice& choice : choices) {
        auto* button = new QPushButton(QString(choice.text).replace(QLatin1Char('&'), QStringLiteral("&&")), this);
        button->setObjectName(choice.name);
        button->setAccessibleName(choice.text);
        connect(button, &QPushButton::clicked, this, [this, name = choice.name] { Q_EMIT chosen(name); });
        m_buttons->insertWidget(at++, button);
        button->show(); // this may be on screen already
    }
}

std::vector<EmptyState::Choice> firstTensorChoices() {
    return {{QString::fromUtf16(kMakeChoice), EmptyState::tr("Make a tensor")},
            {QString::fromUtf16(kOpenChoice), EmptyState::tr("Open…")}};
}

QString firstTensorLine() {
    return QStringLiteral("torch.arange(10, 130, 10).view(3, 4)");
}

} // namespace stridescope
