#include "widgets/lessons/class_vote.h"

#include <algorithm>
#include <numeric>

namespace stridescope {

ClassVote::ClassVote(QObject* parent) : QObject(parent) {
    m_tick.setInterval(200);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (secondsLeft() == 0) m_tick.stop();
        Q_EMIT changed();
    });
}

void ClassVote::begin(const QStringList& choices) {
    m_choices = choices;
    m_hands.assign(static_cast<std::size_t>(choices.size()), 0);
    m_chosen = -1;
    m_total = 0;
    m_tick.stop();
    Q_EMIT changed();
}

int ClassVote::allHands() const {
    return std::accumulate(m_hands.begin(), m_hands.end(), 0);
}

void ClassVote::add(int choice, int by) {
    if (choice < 0 || choice >= count()) return;
    int& hands = m_hands[static_cast<std::size_t>(choice)];
    hands = std::clamp(hands + by, 0, kMostHands);
    m_chosen = choice;
    Q_EMIT changed();
}

void ClassVote::choose(int choice) {
    if (choice < -1 || choice >= count() || choice == m_chosen) return;
    m_chosen = choice;
    Q_EMIT changed();
}

void ClassVote::startCountdown() {
    const int left = isCounting() ? secondsLeft() : 0;
    m_total = std::min(left + kSeconds, kMostSeconds);
    m_clock.start();
    m_tick.start();
    Q_EMIT changed();
}

void ClassVote::stopCountdown() {
    if (!isCounting()) return;
    m_total = 0;
    m_tick.stop();
    Q_EMIT changed();
}

int ClassVote::secondsLeft() const {
    if (!isCounting()) return 0;
    const qint64 left = m_total * qint64{1000} - m_clock.elapsed();
    return static_cast<int>(std::max<qint64>(0, (left + 999) / 1000));
}

} // namespace stridescope
