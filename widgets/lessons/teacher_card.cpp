#include "widgets/lessons/teacher_card.h"

#include "widgets/lessons/class_vote.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace stridescope {

TeacherCard::TeacherCard(ClassVote* vote, QWidget* parent) : QFrame(parent), m_vote(vote) {
    setObjectName(QStringLiteral("teacherCard"));
    setProperty("kind", QStringLiteral("card"));
    setAccessibleName(tr("For the teacher"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    auto* heading = new QLabel(tr("For you; the class does not see it"), this);
    heading->setProperty("heading", true);
    heading->setWordWrap(true);
    column->addWidget(heading);
    m_words = new QVBoxLayout;
    m_words->setSpacing(4);
    column->addLayout(m_words);
    m_hands = new QLabel(this);
    m_hands->setObjectName(QStringLiteral("teacherHands"));
    m_hands->setWordWrap(true);
    column->addWidget(m_hands);
    auto* row = new QHBoxLayout;
    const auto button = [&](const QString& text, const QString& name, const QString& what) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(name);
        made->setProperty("small", true);
        made->setToolTip(what);
        row->addWidget(made);
        return made;
    };
    m_back = button(tr("Back"), QStringLiteral("classBack"), tr("Takes the class one step back."));
    m_time = button(QString(), QStringLiteral("classTime"), tr("How long the class has; nothing is shown at its end."));
    row->addStretch();
    m_next = button(QString(), QStringLiteral("classNext"), tr("What the class sees next."));
    m_next->setProperty("kind", QStringLiteral("primary"));
    column->addLayout(row);
    connect(m_back, &QPushButton::clicked, this, [this] { Q_EMIT stepRequested(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { Q_EMIT stepRequested(1); });
    connect(m_time, &QPushButton::clicked, this,
            [this] { m_vote->isCounting() ? m_vote->stopCountdown() : m_vote->startCountdown(); });
    connect(vote, &ClassVote::changed, this, &TeacherCard::follow);
    follow();
}

void TeacherCard::setNotes(const TeacherNotes& notes) {
    while (QLayoutItem* item = m_words->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    QStringList lines;
    if (!notes.answer.isEmpty()) lines << notes.answer;
    lines << notes.replies << notes.notes;
    for (const QString& line : lines) {
        auto* label = new QLabel(line, this);
        label->setObjectName(QStringLiteral("teacherLine"));
        label->setTextFormat(Qt::PlainText); // a lesson is somebody's file
        label->setWordWrap(true);
        m_words->addWidget(label);
    }
    m_next->setText(notes.next);
    follow();
}

void TeacherCard::follow() {
    QStringList hands;
    for (int i = 0; i < m_vote->count(); ++i)
        hands << QStringLiteral("%1: %2").arg(m_vote->choices()[i]).arg(m_vote->hands(i));
    m_hands->setVisible(!hands.isEmpty());
    m_hands->setText(tr("Hands: %1").arg(hands.join(QStringLiteral(" · "))));
    m_time->setText(m_vote->isCounting() ? tr("Stop the clock (%1 s)").arg(m_vote->secondsLeft())
                                         : tr("%1 s to think").arg(ClassVote::kSeconds));
}

} // namespace stridescope
