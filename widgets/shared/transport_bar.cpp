#include "widgets/shared/transport_bar.h"

#include <QButtonGroup>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace stridescope {

namespace {

constexpr qreal kEdge = 12, kLineY = 18;

const char* iconOf(TransportBar::Act act, bool playing) {
    switch (act) {
    case TransportBar::Act::ToStart:
        return "first";
    case TransportBar::Act::Back:
        return "prev";
    case TransportBar::Act::PlayOrPause:
        return playing ? "pause" : "play";
    case TransportBar::Act::Forward:
        return "next";
    case TransportBar::Act::ToEnd:
        break;
    }
    return "last";
}

/// Space plays whichever button was pressed last; Enter presses the one that has the focus.
class ButtonKeys : public QObject {
public:
    explicit ButtonKeys(TransportBar* bar) : QObject(bar), m_bar(bar) {}

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::KeyPress && event->type() != QEvent::KeyRelease) return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = !(key->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier));
        const bool plays = key->key() == Qt::Key_Space;
        const bool presses = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (!plain || (!plays && !presses)) return false;
        if (event->type() == QEvent::KeyPress && !key->isAutoRepeat()) {
            if (plays)
                Q_EMIT m_bar->requested(TransportBar::Act::PlayOrPause);
            else
                static_cast<QPushButton*>(watched)->click();
        }
        return true;
    }

private:
    TransportBar* m_bar;
};

} // namespace

TimeTrack::TimeTrack(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("timeTrack"));
    setAccessibleName(tr("Time"));
    setMinimumSize(200, 46);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(tr("Drag to any moment; Left and Right step, Home and End go to the ends"));
}

void TimeTrack::setStages(std::vector<qreal> ends, QStringList names) {
    m_ends = std::move(ends);
    m_names = std::move(names);
    update();
}

void TimeTrack::setTime(qreal t) {
    if (t == m_t) return;
    m_t = t;
    setAccessibleDescription(tr("%1 percent").arg(static_cast<int>(t * 100)));
    update();
}

void TimeTrack::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

qreal TimeTrack::xOf(qreal t) const {
    return kEdge + t * (width() - 2 * kEdge);
}

qreal TimeTrack::timeAt(qreal x) const {
    return std::clamp((x - kEdge) / std::max(1.0, width() - 2 * kEdge), 0.0, 1.0);
}

void TimeTrack::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    qreal begin = 0;
    for (std::size_t i = 0; i < m_ends.size(); ++i) {
        const qreal end = m_ends[i];
        const qreal left = xOf(begin) + (i > 0 ? 2 : 0), right = xOf(end) - (i + 1 < m_ends.size() ? 2 : 0);
        const QRectF whole(left, kLineY - 4, right - left, 8);
        painter.setPen(QPen(m_theme.color(Tone::Control), 1));
        painter.setBrush(m_theme.color(Tone::Stage));
        painter.drawRoundedRect(whole, 4, 4);
        if (m_t > begin) {
            QRectF done = whole;
            done.setRight(std::min(right, xOf(m_t)));
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme.color(Tone::Ink2));
            painter.drawRoundedRect(done, 4, 4);
        }
        const bool here = m_t > begin && m_t <= end;
        if (static_cast<qsizetype>(i) < m_names.size()) {
            const QFont& font = m_theme.font(here ? FontRole::LabelStrong : FontRole::Label);
            painter.setFont(font);
            painter.setPen(m_theme.color(here ? Tone::Ink : Tone::Ink2));
            const QString name =
                QFontMetricsF(font).horizontalAdvance(m_names[static_cast<qsizetype>(i)]) < right - left
                    ? m_names[static_cast<qsizetype>(i)]
                    : QString::number(i + 1);
            painter.drawText(QRectF(left, kLineY + 9, right - left, 18), Qt::AlignCenter, name);
        }
        begin = end;
    }
    painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
    painter.setBrush(m_theme.color(Tone::Stage));
    painter.drawEllipse(QPointF(xOf(m_t), kLineY), 8, 8);
}

void TimeTrack::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) Q_EMIT seekRequested(timeAt(event->position().x()));
}

void TimeTrack::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) Q_EMIT seekRequested(timeAt(event->position().x()));
}

TransportBar::TransportBar(QWidget* parent) : QWidget(parent), m_track(new TimeTrack(this)) {
    setObjectName(QStringLiteral("transport"));
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 8, 20, 6);
    row->setSpacing(6);
    row->addWidget(makeButton(QStringLiteral("toStart"), tr("To the start (Home)"), Act::ToStart));
    row->addWidget(makeButton(QStringLiteral("stepBack1"), tr("Step back (Left)"), Act::Back));
    m_play = makeButton(QStringLiteral("play"), tr("Play or pause (Space)"), Act::PlayOrPause);
    row->addWidget(m_play);
    row->addWidget(makeButton(QStringLiteral("stepForward1"), tr("Step forward (Right)"), Act::Forward));
    row->addWidget(makeButton(QStringLiteral("toEnd"), tr("To the end (End)"), Act::ToEnd));
    row->addSpacing(12);
    row->addWidget(m_track, 1);
    row->addSpacing(12);
    auto* label = new QLabel(tr("Speed"), this);
    row->addWidget(label);
    auto* speeds = new QFrame(this);
    speeds->setProperty("kind", QStringLiteral("segments"));
    speeds->setProperty("small", true);
    auto* speedRow = new QHBoxLayout(speeds);
    speedRow->setContentsMargins(0, 0, 0, 0);
    speedRow->setSpacing(0);
    auto* group = new QButtonGroup(this);
    const std::pair<const char*, qreal> choices[] = {{"0.5×", 0.5}, {"1×", 1}, {"2×", 2}};
    for (const auto& [text, speed] : choices) {
        auto* button = new QPushButton(QString::fromUtf8(text), speeds);
        button->setCheckable(true);
        button->setChecked(speed == 1);
        button->setAccessibleName(tr("Speed %1").arg(QString::fromUtf8(text)));
        group->addButton(button);
        speedRow->addWidget(button);
        m_speeds.emplace_back(button, speed);
    }
    speeds->setFixedHeight(28);
    row->addWidget(speeds);
    m_slow = new QPushButton(tr("Slow"), this);
    m_slow->setObjectName(QStringLiteral("slow"));
    m_slow->setCheckable(true);
    m_slow->setToolTip(tr("A quarter of the speed, for a room"));
    row->addWidget(m_slow);
    m_steps = new QPushButton(tr("Steps"), this);
    m_steps->setObjectName(QStringLiteral("steps"));
    m_steps->setCheckable(true);
    m_steps->setChecked(true);
    m_steps->setToolTip(tr("Stops by itself after each stage"));
    row->addWidget(m_steps);
    auto* keys = new ButtonKeys(this);
    for (QPushButton* button : findChildren<QPushButton*>()) button->installEventFilter(keys);
    setIcons();
}

QPushButton* TransportBar::makeButton(const QString& name, const QString& tip, Act act) {
    auto* button = new QPushButton(this);
    button->setObjectName(name);
    button->setProperty("kind", QStringLiteral("step"));
    button->setFixedSize(34, 30);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    connect(button, &QPushButton::clicked, this, [this, act] { Q_EMIT requested(act); });
    m_buttons.emplace_back(button, act);
    return button;
}

void TransportBar::setIcons() {
    for (const auto& [button, act] : m_buttons) {
        button->setIcon(m_theme.icon(QString::fromLatin1(iconOf(act, m_playing))));
        button->setIconSize(QSize(18, 18));
    }
}

void TransportBar::setPlaying(bool playing) {
    if (playing == m_playing) return;
    m_playing = playing;
    setIcons();
}

void TransportBar::setTheme(const Theme& theme) {
    m_theme = theme;
    m_track->setTheme(theme);
    setIcons();
}

qreal TransportBar::speed() const {
    qreal speed = 1;
    for (const auto& [button, value] : m_speeds)
        if (button->isChecked()) speed = value;
    return m_slow->isChecked() ? speed / 4 : speed;
}

bool TransportBar::stopsAtStages() const {
    return m_steps->isChecked();
}

} // namespace stridescope
