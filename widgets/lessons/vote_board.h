#pragma once
// VoteBoard: the answers to a question before a class, with the hands for each. Counts by clicks; keys are those of the
// page round it.

#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

class QFrame;
class QLabel;
class QPushButton;

namespace stridescope {

class ClassVote;

class VoteBoard : public QWidget {
    Q_OBJECT

public:
    /// `vote` outlives it.
    explicit VoteBoard(ClassVote* vote, QWidget* parent = nullptr);
    ~VoteBoard() override;
    void setLook(const Theme& theme, qreal scale);
    /// Rows that are as low as their letters allow.
    void setCompact(bool compact);
    /// After the reveal the right one is marked, and `told`, a wrong one whose reply is told now; -1: none.
    void setAnswer(int right, int told);
    /// -1 until the reveal.
    int right() const { return m_right; }

private:
    class Row;
    void rebuild();
    void follow();

    ClassVote* m_vote;
    Theme m_theme;
    qreal m_scale = 1;
    bool m_compact = false;
    int m_right = -1, m_told = -1;
    std::vector<Row*> m_rows;
    QStringList m_shown;
};

} // namespace stridescope
