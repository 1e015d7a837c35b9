#pragma once
// ClassVote: what a class thinks before it sees the answer. The teacher counts hands; a countdown only says how long
// there is. Nothing is shown because time is up.

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <vector>

namespace stridescope {

class ClassVote : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostHands = 999;
    static constexpr int kSeconds = 30, kMostSeconds = 600;

    explicit ClassVote(QObject* parent = nullptr);
    /// A new question; hands and countdown of the one before are gone. No choices: the answer is said, not chosen.
    void begin(const QStringList& choices);
    const QStringList& choices() const { return m_choices; }
    int count() const { return static_cast<int>(m_hands.size()); }

    int hands(int choice) const { return m_hands[static_cast<std::size_t>(choice)]; }
    int allHands() const;
    /// `by` more hands for it; stays within 0 and kMostHands. Out of range: nothing.
    void add(int choice, int by);
    /// The one that hands are counted for; -1: none yet.
    int chosen() const { return m_chosen; }
    void choose(int choice);

    /// Begins anew where it runs, with 30 s more where it has not ended.
    void startCountdown();
    void stopCountdown();
    bool isCounting() const { return m_total > 0; }
    /// Whole seconds that are left, rounded up; 0: time is up. Only where isCounting().
    int secondsLeft() const;
    int secondsInAll() const { return m_total; }

Q_SIGNALS:
    void changed();

private:
    QStringList m_choices;
    std::vector<int> m_hands;
    int m_chosen = -1;
    QElapsedTimer m_clock;
    int m_total = 0;
    QTimer m_tick;
};

} // namespace stridescope
