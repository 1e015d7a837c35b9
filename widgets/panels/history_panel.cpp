#include "widgets/panels/history_panel.h"

#include "widgets/shared/reading_direction.h"

#include <QAccessibleWidget>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {
constexpr qreal kLeastPlace = 64; ///< for a node and its label
constexpr qreal kRoom = 10;       ///< on each side of a label
constexpr qreal kNodePlace = 40;  ///< for a node alone, on a low line …
constexpr qreal kToNode = 10;     ///< … where its middle is so far from the left edge of its place …
constexpr qreal kToLabel = 12;    ///< … and its label so far from that

/// The line is a slider: its value is the number of steps that are in force.
class HistoryLineAccessible : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit HistoryLineAccessible(HistoryLine* line) : QAccessibleWidget(line, QAccessible::Slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? widget()->accessibleDescription() : QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return line()->now(); }
    QVariant minimumValue() const override { return 0; }
    QVariant maximumValue() const override { return line()->count(); }
    QVariant minimumStepSize() const override { return 1; }
    void setCurrentValue(const QVariant& value) override {
        bool ok = false;
        const int wanted = value.toInt(&ok);
        if (ok && wanted >= 0 && wanted <= line()->count()) Q_EMIT line()->jumpRequested(wanted);
    }

private:
    HistoryLine* line() const { return static_cast<HistoryLine*>(widget()); }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    if (auto* line = qobject_cast<HistoryLine*>(object)) return new HistoryLineAccessible(line);
    return nullptr;
}

} // namespace

HistoryLine::HistoryLine(QWidget* parent) : QWidget(parent) {
    // Before anything names the widget: Qt keeps the first interface that it makes.
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
    setObjectName(QStringLiteral("historyLine"));
    setAccessibleName(tr("History of operations"));
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true); // round the step
    setMouseTracking(true);
}

void HistoryLine::setTheme(const Theme& theme) {
    m_theme = theme;
    measure();
    update();
}

void HistoryLine::setSteps(const QStringList& steps, int now) {
    m_steps = steps;
    m_now = std::clamp(now, 0, static_cast<int>(steps.size()));
    const QString code = m_now > 0 ? QStringLiteral(": ") + m_steps[m_now - 1] : QString();
    setAccessibleDescription(tr("step %1 of %2").arg(m_now).arg(m_steps.size()) + code);
    measure();
    scrollToNow();
    update();
}

QString HistoryLine::labelOf(int step) const {
    const QFontMetricsF metrics(m_theme.font(FontRole::IndexStrong));
    const qreal node = hasLabels() ? 0 : kToNode + kToLabel;
    return metrics.elidedText(m_steps[step - 1], Qt::ElideMiddle,
                              std::max(kLeastPlace, width() - node - 2 * kRoom - 4.0));
}

void HistoryLine::measure() {
    const QFontMetricsF metrics(m_theme.font(FontRole::IndexStrong));
    m_left.assign(1, 0);
    for (int step = 1; step <= m_steps.size(); ++step) {
        const qreal label = isLabelled(step) ? std::ceil(metrics.horizontalAdvance(labelOf(step))) : 0;
        const qreal place = hasLabels()        ? std::max(kLeastPlace, label + 2 * kRoom)
                            : isLabelled(step) ? kToNode + kToLabel + label + kRoom
                                               : kNodePlace;
        m_left.push_back(m_left.back() + place);
    }
}

void HistoryLine::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    measure();
    scrollToNow();
}

qreal HistoryLine::nodeX(int step) const {
    const auto i = static_cast<std::size_t>(step);
    return (hasLabels() ? (m_left[i - 1] + m_left[i]) / 2 : m_left[i - 1] + kToNode) - m_scroll;
}

void HistoryLine::scrollToNow() {
    // Places begin at the left edge, so that no label is cut there.
    const auto now = static_cast<std::size_t>(std::max(m_now, 1));
    if (m_left.size() <= now) {
        m_scroll = 0;
        return;
    }
    if (m_left[now - 1] < m_scroll) m_scroll = m_left[now - 1];
    if (m_left[now] - m_scroll > width()) {
        const auto first = std::lower_bound(m_left.begin(), m_left.end(), m_left[now] - width());
        m_scroll = std::min(*first, m_left[now - 1]);
    }
    if (m_left.back() <= width()) m_scroll = 0;
}

int HistoryLine::stepAt(QPointF p) const {
    const auto right = std::upper_bound(m_left.begin(), m_left.end(), p.x() + m_scroll);
    if (right == m_left.begin() || right == m_left.end()) return 0;
    return static_cast<int>(right - m_left.begin());
}

std::vector<HistoryLine::Label> HistoryLine::labels() const {
    std::vector<Label> labels;
    for (int step = 1; step <= m_steps.size(); ++step) {
        const auto i = static_cast<std::size_t>(step);
        if (m_left[i] - m_scroll <= 0) continue;
        if (m_left[i - 1] - m_scroll >= width()) break;
        if (!isLabelled(step)) continue;
        Label label;
        label.step = step;
        label.text = labelOf(step);
        const QFontMetricsF metrics(m_theme.font(step == m_now ? FontRole::IndexStrong : FontRole::Index));
        const qreal wide = metrics.horizontalAdvance(label.text);
        label.rect = hasLabels() ? QRectF(nodeX(step) - wide / 2, nodeY() + 15, wide, 15)
                                 : QRectF(nodeX(step) + kToLabel, nodeY() - 7, wide, 15);
        // A label that the edge would cut is left out: its node stays, and the wheel brings it back.
        if (label.rect.left() >= 0 && label.rect.right() <= width()) labels.push_back(label);
    }
    return labels;
}

void HistoryLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_steps.isEmpty()) {
        painter.setFont(m_theme.font(FontRole::Label));
        painter.setPen(m_theme.color(Tone::Ink2));
        painter.drawText(rect().adjusted(8, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         tr("What you do appears here, step by step."));
        return;
    }
    const std::vector<Label> shown = labels();
    // From the label beside a node the line goes on.
    const auto leaves = [&](int step) {
        const bool beside = !hasLabels() && !shown.empty() && shown.front().step == step;
        return beside ? shown.front().rect.right() + 5 : nodeX(step) + 7;
    };
    for (int step = 1; step <= m_steps.size(); ++step) {
        const auto place = static_cast<std::size_t>(step);
        if (m_left[place] - m_scroll < -kLeastPlace) continue;
        if (m_left[place - 1] - m_scroll > 2.0 * width()) break;
        const qreal x = nodeX(step);
        const bool done = step <= m_now;
        if (step > 1) {
            painter.setPen(QPen(m_theme.color(done ? Tone::Ink2 : Tone::Control), done ? 3 : 2,
                                done ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap));
            painter.drawLine(QPointF(leaves(step - 1), nodeY()), QPointF(x - 7, nodeY()));
        }
        if (step == m_now) {
            painter.setPen(QPen(m_theme.color(Tone::Ink), 4));
            painter.setBrush(m_theme.color(Tone::Stage));
        } else if (done) {
            painter.setPen(QPen(m_theme.color(Tone::Ink2), 2));
            painter.setBrush(m_theme.color(Tone::Ink2));
        } else {
            painter.setPen(QPen(m_theme.color(Tone::Control), 2));
            painter.setBrush(m_theme.color(Tone::Stage));
        }
        painter.drawEllipse(QPointF(x, nodeY()), 5.5, 5.5);
    }
    readFromLeft(painter); // code
    for (const Label& label : shown) {
        painter.setFont(m_theme.font(label.step == m_now ? FontRole::IndexStrong : FontRole::Index));
        painter.setPen(m_theme.color(label.step == m_now ? Tone::Ink : Tone::Ink2));
        painter.drawText(QPointF(label.rect.left(), label.rect.top() + 11), label.text);
    }
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(Tone::Ink), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    }
}

void HistoryLine::mousePressEvent(QMouseEvent* event) {
    const int step = stepAt(event->position());
    if (event->button() == Qt::LeftButton && step) Q_EMIT jumpRequested(step);
}

void HistoryLine::mouseMoveEvent(QMouseEvent* event) {
    const int step = stepAt(event->position());
    setCursor(step ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(step ? m_steps[step - 1] : QString());
}

void HistoryLine::wheelEvent(QWheelEvent* event) {
    const qreal whole = m_left.back();
    const QPoint delta = event->angleDelta();
    m_scroll = std::clamp(m_scroll - (delta.x() ? delta.x() : delta.y()), 0.0, std::max(0.0, whole - width()));
    update();
}

void HistoryLine::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        if (m_now > 0) Q_EMIT jumpRequested(m_now - 1);
        break;
    case Qt::Key_Right:
        if (m_now < m_steps.size()) Q_EMIT jumpRequested(m_now + 1);
        break;
    case Qt::Key_Home:
        Q_EMIT jumpRequested(0);
        break;
    case Qt::Key_End:
        Q_EMIT jumpRequested(static_cast<int>(m_steps.size()));
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

HistoryPanel::HistoryPanel(QWidget* parent)
    : QWidget(parent), m_caption(new QLabel(this)), m_first(new QToolButton(this)), m_back(new QToolButton(this)),
      m_forward(new QToolButton(this)), m_last(new QToolButton(this)), m_play(new QToolButton(this)),
      m_line(new HistoryLine(this)) {
    setObjectName(QStringLiteral("historyPanel"));
    auto* title = new QLabel(tr("History"), this);
    title->setProperty("heading", true);
    setProperty("role", QStringLiteral("header"));
    setAttribute(Qt::WA_StyledBackground);
    m_caption->setObjectName(QStringLiteral("historyCaption"));
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setProperty("quiet", true);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(title);
    words->addWidget(m_caption);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(6);
    row->addLayout(words);
    row->addSpacing(10);
    struct Button {
        QToolButton* button;
        const char* icon;
        const char* name;
        QString tip;
    };
    const Button buttons[]{{m_first, "first", "historyFirst", tr("To the start (Home)")},
                           {m_back, "prev", "historyBack", tr("One step back (Alt+←)")},
                           {m_forward, "next", "historyForward", tr("One step forward (Alt+→)")},
                           {m_last, "last", "historyLast", tr("To the last step (End)")},
                           {m_play, "play", "historyPlay", tr("Play the last step as motion (F6)")}};
    for (const Button& entry : buttons) {
        entry.button->setProperty("icon-name", QString::fromLatin1(entry.icon));
        entry.button->setProperty("kind", QStringLiteral("stepper"));
        entry.button->setObjectName(QString::fromLatin1(entry.name));
        entry.button->setToolTip(entry.tip);
        entry.button->setAccessibleName(entry.tip);
        entry.button->setFixedSize(28, 28);
        row->addWidget(entry.button);
    }
    row->addSpacing(10);
    row->addWidget(m_line, 1);
    connect(m_line, &HistoryLine::jumpRequested, this, &HistoryPanel::jumpRequested);
    connect(m_first, &QToolButton::clicked, this, [this] { Q_EMIT jumpRequested(0); });
    connect(m_back, &QToolButton::clicked, this, [this] { Q_EMIT jumpRequested(m_now - 1); });
    connect(m_forward, &QToolButton::clicked, this, [this] { Q_EMIT jumpRequested(m_now + 1); });
    connect(m_last, &QToolButton::clicked, this, [this] { Q_EMIT jumpRequested(m_count); });
    connect(m_play, &QToolButton::clicked, this, &HistoryPanel::playRequested);
    setSteps({}, 0);
}

void HistoryPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_caption->setVisible(height() >= 48);
    const int margin = height() >= 48 ? 4 : 2;
    layout()->setContentsMargins(12, margin, 12, margin);
}

void HistoryPanel::setTheme(const Theme& theme) {
    m_line->setTheme(theme);
    for (QToolButton* button : {m_first, m_back, m_forward, m_last, m_play}) {
        button->setIcon(theme.icon(button->property("icon-name").toString()));
    }
}

void HistoryPanel::setSteps(const QStringList& steps, int now) {
    m_count = static_cast<int>(steps.size());
    m_now = now;
    m_caption->setText(tr("step %1 of %2").arg(now).arg(steps.size()));
    m_first->setEnabled(now > 0);
    m_back->setEnabled(now > 0);
    m_forward->setEnabled(now < m_count);
    m_last->setEnabled(now < m_count);
    m_play->setEnabled(now > 0);
    m_line->setSteps(steps, now);
}

} // namespace stridescope
