#include "widgets/broadcast/predict_bar.h"

#include "widgets/broadcast/broadcast_prediction.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace stridescope {

PredictBar::PredictBar(QWidget* parent)
    : QWidget(parent), m_question(new QLabel(this)), m_field(new QLineEdit(this)),
      m_check(new QPushButton(tr("Check"), this)), m_reveal(new QPushButton(tr("Show me"), this)),
      m_verdict(new QLabel(this)) {
    setObjectName(QStringLiteral("predictBar"));
    setProperty("role", QStringLiteral("header"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 6, 20, 6);
    row->setSpacing(8);
    for (QLabel* label : {m_question, m_verdict}) label->setTextFormat(Qt::PlainText);
    m_question->setObjectName(QStringLiteral("predictQuestion"));
    m_question->setBuddy(m_field);
    m_field->setObjectName(QStringLiteral("predictField"));
    m_field->setFixedWidth(170);
    m_check->setObjectName(QStringLiteral("predictCheck"));
    m_check->setProperty("kind", QStringLiteral("primary"));
    m_reveal->setObjectName(QStringLiteral("predictReveal"));
    m_verdict->setObjectName(QStringLiteral("predictVerdict"));
    m_verdict->setWordWrap(true);
    row->addWidget(m_question);
    row->addWidget(m_field);
    row->addWidget(m_check);
    row->addWidget(m_reveal);
    row->addWidget(m_verdict, 1);
    connect(m_field, &QLineEdit::returnPressed, this, &PredictBar::act);
    connect(m_check, &QPushButton::clicked, this, &PredictBar::act);
    connect(m_reveal, &QPushButton::clicked, this, &PredictBar::revealRequested);
}

void PredictBar::act() {
    if (m_asking)
        Q_EMIT answered(m_field->text());
    else
        Q_EMIT nextRequested();
}

void PredictBar::ask(const QString& question, const QString& place) {
    m_asking = true;
    m_question->setText(question);
    m_field->setAccessibleName(question);
    m_field->clear();
    m_field->setPlaceholderText(place);
    m_field->setEnabled(true);
    m_check->setText(tr("Check"));
    m_check->show();
    m_reveal->show();
    m_verdict->clear();
}

void PredictBar::askAgain(const QString& place) {
    m_verdict->setText(tr("Write it like this: %1").arg(place));
    m_field->selectAll();
}

void PredictBar::tell(const PredictionVerdict& verdict, const QString& next) {
    // A word and a sign: colour alone would not tell everybody.
    reveal((verdict.right ? tr("✓ Right. ") : tr("✗ Not that. ")) + verdict.reason, next);
}

void PredictBar::reveal(const QString& reason, const QString& next) {
    m_asking = false;
    m_verdict->setText(reason);
    m_field->setEnabled(false);
    m_reveal->hide();
    m_check->setText(next);
    m_check->setVisible(!next.isEmpty());
    if (m_check->isVisible()) m_check->setFocus(Qt::OtherFocusReason);
}

} // namespace stridescope
