#pragma once
// TimePlayer: moves t for a picture that is a function of it. Acts come from a TransportBar or from keys.

#include "widgets/shared/stage_times.h"
#include "widgets/shared/transport_bar.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>

class QKeyEvent;

namespace stridescope {

class TimePlayer : public QObject {
    Q_OBJECT

public:
    /// `bar` outlives the player.
    explicit TimePlayer(TransportBar* bar, QObject* parent = nullptr);

    /// What there is to play; names of the stages for the bar. The time stays where it is.
    void setTimes(StageTimes times, const QStringList& stageNames);
    const StageTimes& times() const { return m_times; }
    bool hasTimes() const { return !m_times.stops.empty(); }
    qreal time() const { return m_t; }
    bool isPlaying() const { return m_clock.isActive(); }
    /// Stops in place of motion: one follows the other after a while.
    void setReducedMotion(bool on) { m_reducedMotion = on; }

    /// Clamped to 0 … 1. Does not stop what plays.
    void seek(qreal t);
    /// To the end of the stage where the bar says so, else to the end; from the beginning where it is at the end.
    void play();
    void pause();
    void act(TransportBar::Act act);
    /// Plays to the end of the stage that is on, or of the next one; -1: to the end of the one before, at once.
    void showStage(int by);
    /// The act of Space, the arrows, Home and End.
    static std::optional<TransportBar::Act> actOf(const QKeyEvent& event);

Q_SIGNALS:
    void timeChanged(qreal t);

private:
    void tick();
    void playUntil(qreal t);

    TransportBar* m_bar;
    StageTimes m_times;
    QTimer m_clock;
    QElapsedTimer m_since;
    qreal m_t = 0, m_until = 1;
    bool m_reducedMotion = false;
};

} // namespace stridescope
