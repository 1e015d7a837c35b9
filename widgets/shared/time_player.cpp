#include "widgets/shared/time_player.h"

#include <QKeyEvent>

#include <algorithm>

namespace stridescope {

namespace {

constexpr int kFrame = 16;
/// With reduced motion one stop follows another after so many milliseconds.
constexpr qint64 kDwell = 700;

} // namespace

TimePlayer::TimePlayer(TransportBar* bar, QObject* parent) : QObject(parent), m_bar(bar) {
    m_clock.setInterval(kFrame);
    m_clock.setTimerType(Qt::PreciseTimer);
    connect(&m_clock, &QTimer::timeout, this, &TimePlayer::tick);
    connect(bar->track(), &TimeTrack::seekRequested, this, &TimePlayer::seek);
}

void TimePlayer::setTimes(StageTimes times, const QStringList& stageNames) {
    m_times = std::move(times);
    m_bar->track()->setStages(m_times.stageEnds, stageNames);
}

void TimePlayer::seek(qreal t) {
    m_t = std::clamp(t, 0.0, 1.0);
    m_bar->track()->setTime(m_t);
    Q_EMIT timeChanged(m_t);
}

void TimePlayer::play() {
    if (!hasTimes()) return;
    if (m_t >= 1) seek(0);
    playUntil(m_bar->stopsAtStages() ? m_times.stageEndAfter(m_t) : 1);
}

void TimePlayer::playUntil(qreal t) {
    m_until = t;
    m_since.start();
    m_clock.start();
    m_bar->setPlaying(true);
}

void TimePlayer::pause() {
    m_clock.stop();
    m_bar->setPlaying(false);
}

void TimePlayer::tick() {
    const qreal speed = m_bar->speed();
    if (m_reducedMotion) {
        if (static_cast<qreal>(m_since.elapsed()) * speed < kDwell) return;
        m_since.restart();
        seek(std::min(m_times.next(m_t), m_until));
    } else {
        const qreal seconds = static_cast<qreal>(m_since.restart()) / 1000 * speed;
        seek(std::min(m_t + seconds / m_times.seconds, m_until));
    }
    if (m_t >= m_until) pause();
}

void TimePlayer::act(TransportBar::Act act) {
    if (!hasTimes()) return;
    const bool playing = isPlaying();
    pause();
    switch (act) {
    case TransportBar::Act::ToStart:
        seek(0);
        break;
    case TransportBar::Act::Back:
        seek(m_times.previous(m_t));
        break;
    case TransportBar::Act::PlayOrPause:
        if (!playing) play();
        break;
    case TransportBar::Act::Forward:
        seek(m_times.next(m_t));
        break;
    case TransportBar::Act::ToEnd:
        seek(1);
        break;
    }
}

void TimePlayer::showStage(int by) {
    if (!hasTimes()) return;
    const bool playing = isPlaying();
    pause();
    if (by < 0) {
        seek(m_times.stageEndBefore(m_t));
    } else if (playing || m_reducedMotion) {
        // A second press does not wait for the first one's motion; with reduced motion there is none.
        seek(m_times.stageEndAfter(m_t));
    } else if (m_t < 1) {
        playUntil(m_times.stageEndAfter(m_t));
    }
}

std::optional<TransportBar::Act> TimePlayer::actOf(const QKeyEvent& event) {
    if (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) return std::nullopt;
    switch (event.key()) {
    case Qt::Key_Space:
        return TransportBar::Act::PlayOrPause;
    case Qt::Key_Left:
        return TransportBar::Act::Back;
    case Qt::Key_Right:
        return TransportBar::Act::Forward;
    case Qt::Key_Home:
        return TransportBar::Act::ToStart;
    case Qt::Key_End:
        return TransportBar::Act::ToEnd;
    default:
        return std::nullopt;
    }
}

} // namespace stridescope
