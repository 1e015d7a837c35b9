#pragma once
// TeacherCard: what the teacher sees while a class sees the lesson: the answer, what each wrong one gets, notes, and
// the same hands as on the class's screen.

#include <QFrame>
#include <QStringList>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace stridescope {

class ClassVote;

/// Words for a stop; empty ones leave no room.
struct TeacherNotes {
    QString answer;
    QStringList replies; ///< "2: That adds the indices."
    QStringList notes;
    QString next; ///< what the next step will show to the class: "Reveal"
};

class TeacherCard : public QFrame {
    Q_OBJECT

public:
    TeacherCard(ClassVote* vote, QWidget* parent);
    void setNotes(const TeacherNotes& notes);

Q_SIGNALS:
    void stepRequested(int by); ///< of the class's page

private:
    void follow();

    ClassVote* m_vote;
    QVBoxLayout* m_words;
    QLabel* m_hands;
    QPushButton *m_back, *m_next, *m_time;
};

} // namespace stridescope
