#pragma once
// Play, pause, step, scrub, speed: for anything that is a function of t.

#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

class QPushButton;
class QToolButton;

namespace stridescope {

/// The stages as pieces of one line, with a knob at t. Dragging seeks.
class TimeTrack : public QWidget {
    Q_OBJECT

public:
    explicit TimeTrack(QWidget* parent = nullptr);
    /// Ends of the stages, the last one 1, and their names.
    void setStages(std::vector<qreal> ends, QStringList names);
    void setTime(qreal t);
    qreal time() const { return m_t; }
    void setTheme(const Theme& theme);
    qreal xOf(qreal t) const;
    qreal timeAt(qreal x) const;

Q_SIGNALS:
    void seekRequested(qreal t);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    Theme m_theme;
    std::vector<qreal> m_ends{1};
    QStringList m_names;
    qreal m_t = 0;
};

class TransportBar : public QWidget {
    Q_OBJECT

public:
    enum class Act { ToStart, Back, PlayOrPause, Forward, ToEnd };

    explicit TransportBar(QWidget* parent = nullptr);
    TimeTrack* track() const { return m_track; }
    void setPlaying(bool playing);
    void setTheme(const Theme& theme);
    /// How fast t goes: 0.5, 1, 2, and a quarter when slow.
    qreal speed() const;
    /// Stops by itself after each stage.
    bool stopsAtStages() const;

Q_SIGNALS:
    void requested(stridescope::TransportBar::Act act);

private:
    QPushButton* makeButton(const QString& name, const QString& tip, Act act);
    void setIcons();

    Theme m_theme;
    TimeTrack* m_track;
    std::vector<std::pair<QPushButton*, Act>> m_buttons;
    QPushButton* m_play = nullptr;
    std::vector<std::pair<QPushButton*, qreal>> m_speeds;
    QPushButton *m_slow = nullptr, *m_steps = nullptr;
    bool m_playing = false;
};

} // namespace stridescope
