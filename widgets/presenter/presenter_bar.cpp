#include "widgets/presenter/presenter_bar.h"

#include "widgets/presenter/room_size.h"
#include "widgets/shared/accessible_role.h"
#include "widgets/shared/elided_code.h"

#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace stridescope {

namespace {

/// In pixels of the scene.
constexpr qreal kHeight = 22, kMargin = 20, kGap = 10, kDot = 4, kDotPitch = 13;

} // namespace

PresenterBar::PresenterBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("presenterBar"));
    setAccessibleRole(this, QAccessible::StatusBar);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent);
    tell();
}

void PresenterBar::setLook(const Theme& theme, qreal scale) {
    m_theme = theme;
    m_scale = scale;
    updateGeometry();
    update();
}

QSize PresenterBar::sizeHint() const {
    return {static_cast<int>(200 * m_scale), static_cast<int>(std::ceil(kHeight * m_scale))};
}

void PresenterBar::setKey(const QString& key, const QString& command) {
    if (key == m_key && command == m_command) return;
    m_key = key;
    m_command = command;
    tell();
}

void PresenterBar::setCode(const QString& code) {
    const QString line = code.section(QLatin1Char('\n'), 0, 0);
    if (line == m_code) return;
    m_code = line;
    tell();
}

void PresenterBar::setStage(const QString& name, int stage, int stages) {
    if (name == m_stageName && stage == m_stage && stages == m_stages) return;
    m_stageName = name;
    m_stage = stage;
    m_stages = stages;
    tell();
}

void PresenterBar::tell() {
    QStringList words;
    if (!m_key.isEmpty()) words << (m_command.isEmpty() ? m_key : m_key + QStringLiteral(": ") + m_command);
    if (!m_code.isEmpty()) words << tr("Last line: %1").arg(m_code);
    if (m_stages > 0) words << tr("Stage %1 of %2: %3").arg(m_stage).arg(m_stages).arg(m_stageName);
    setAccessibleName(tr("Presenter"));
    setAccessibleDescription(words.join(QStringLiteral(". ")));
    setToolTip(m_code);
    update();
}

void PresenterBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_theme.color(Tone::Chrome));
    painter.fillRect(QRectF(0, 0, width(), m_scale), m_theme.color(Tone::Control));
    const QFont words = presenterFont(m_theme, FontRole::Label, m_scale),
                strong = presenterFont(m_theme, FontRole::LabelStrong, m_scale);
    const QFont code = presenterFont(m_theme, FontRole::MetaStrong, m_scale);
    const qreal margin = kMargin * m_scale, gap = kGap * m_scale, middle = (height() + m_scale) / 2;
    const auto text = [&](qreal x, const QString& shown, const QFont& font, Tone tone) {
        const QFontMetricsF metrics(font);
        painter.setFont(font);
        painter.setPen(m_theme.color(tone));
        painter.drawText(QPointF(x, middle + metrics.capHeight() / 2), shown);
        return metrics.horizontalAdvance(shown);
    };
    qreal left = margin, right = width() - margin;
    if (m_stages > 0) {
        // Filled: done; ringed: now. The name goes first when there is no room.
        const qreal dot = kDot * m_scale, pitch = kDotPitch * m_scale;
        right -= pitch * m_stages;
        for (int i = 1; i <= m_stages; ++i) {
            const QPointF at(right + pitch * (i - 0.5), middle);
            painter.setPen(QPen(m_theme.color(Tone::Ink), 1.5 * m_scale));
            painter.setBrush(i < m_stage ? m_theme.color(Tone::Ink) : QColor(Qt::transparent));
            painter.drawEllipse(at, dot, dot);
            if (i != m_stage) continue;
            painter.setBrush(m_theme.color(Tone::Ink));
            painter.drawEllipse(at, dot * 0.45, dot * 0.45);
        }
        right -= gap / 2;
        const QString count = tr("%1 of %2").arg(m_stage).arg(m_stages);
        const QFontMetricsF metrics(words), bold(strong);
        right -= metrics.horizontalAdvance(count);
        text(right, count, words, Tone::Ink);
        const qreal name = bold.horizontalAdvance(m_stageName);
        if (right - gap - name > width() * 0.45) {
            right -= gap + name;
            text(right, m_stageName, strong, Tone::Ink);
        }
        right -= gap;
    }
    if (!m_key.isEmpty()) {
        const QFontMetricsF metrics(strong);
        const QRectF cap(left, middle - 8 * m_scale, metrics.horizontalAdvance(m_key) + 10 * m_scale, 16 * m_scale);
        painter.setPen(QPen(m_theme.color(Tone::Ink), 1.2 * m_scale));
        painter.setBrush(m_theme.color(Tone::Stage));
        painter.drawRoundedRect(cap, 3 * m_scale, 3 * m_scale);
        text(left + 5 * m_scale, m_key, strong, Tone::Ink);
        left = cap.right() + gap;
        const qreal command = QFontMetricsF(words).horizontalAdvance(m_command);
        // The line says more than the command's name.
        const qreal line = QFontMetricsF(code).horizontalAdvance(m_code);
        if (!m_command.isEmpty() && command + gap + std::min(line, (right - left) * 0.6) < right - left)
            left += text(left, m_command, words, Tone::Ink2) + gap;
    }
    if (m_code.isEmpty() || right - left < 3 * gap) return;
    text(left, elidedCode(QFontMetricsF(code), m_code, right - left), code, Tone::Ink);
}

void PresenterBar::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) Q_EMIT codeClicked();
}

} // namespace stridescope
