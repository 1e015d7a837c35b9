#include "widgets/images/step_code.h"

#include <QPainter>
#include <QStyleOptionFrame>

#include <algorithm>

namespace stridescope {

namespace {

/// Parts that stay together: what ends before `before`'s next place.
QStringList cutBefore(const QString& text, const QString& before) {
    QStringList parts;
    qsizetype from = 0;
    for (qsizetype at = text.indexOf(before, 1); at >= 0; at = text.indexOf(before, at + 1)) {
        const qsizetype end = at + before.size() - 1; // the last letter of it begins the next part
        parts << text.mid(from, end - from);
        from = end;
    }
    return parts << text.mid(from);
}

} // namespace

QStringList wrappedCode(const QString& code, const QFontMetrics& metrics, int width) {
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
    if (fits(code)) return {code};
    QStringList lines;
    const auto add = [&](const QString& part) {
        if (!lines.isEmpty() && fits(lines.last() + part))
            lines.last() += part;
        else
            lines << part.trimmed();
    };
    for (const QString& call : cutBefore(code, QStringLiteral(")."))) {
        if (fits(call)) {
            add(call);
            continue;
        }
        for (QString part : cutBefore(call, QStringLiteral(", "))) {
            for (; !fits(part) && part.size() > 1;) {
                qsizetype most = part.size() - 1;
                while (most > 1 && !fits(part.left(most))) --most;
                lines << part.left(most);
                part.remove(0, most);
            }
            add(part);
        }
    }
    return lines;
}

StepCode::StepCode(QWidget* parent) : QLineEdit(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QLineEdit::textChanged, this, &StepCode::follow);
}

/// From where QLineEdit begins to write to where it cuts off: the last letter's own space may lie behind that.
QRect StepCode::textArea() const {
    QStyleOptionFrame option;
    initStyleOption(&option);
    constexpr int kMargin = 2;
    return style()->subElementRect(QStyle::SE_LineEditContents, &option, this).adjusted(kMargin, 0, kMargin, 0);
}

QStringList StepCode::drawnLines() const {
    constexpr qsizetype kMost = 4; // longer ones are read in their own field, or in the tip
    if (hasFocus()) return {text()};
    QStringList lines = wrappedCode(text(), fontMetrics(), textArea().width());
    if (lines.size() > kMost) {
        lines = lines.mid(0, kMost);
        lines.last() =
            fontMetrics().elidedText(lines.last() + QStringLiteral("……"), Qt::ElideRight, textArea().width());
    }
    return lines;
}

void StepCode::follow() {
    const int lines = static_cast<int>(drawnLines().size());
    if (lines == m_lines) return;
    m_lines = lines;
    updateGeometry();
    update();
}

QSize StepCode::sizeHint() const {
    return QLineEdit::sizeHint() + QSize(0, (m_lines - 1) * fontMetrics().lineSpacing());
}
QSize StepCode::minimumSizeHint() const {
    return QLineEdit::minimumSizeHint() + QSize(0, (m_lines - 1) * fontMetrics().lineSpacing());
}

void StepCode::resizeEvent(QResizeEvent* event) {
    QLineEdit::resizeEvent(event);
    follow();
}
void StepCode::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    follow();
}
void StepCode::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    follow();
}

void StepCode::paintEvent(QPaintEvent* event) {
    const QStringList lines = drawnLines();
    if (lines.size() < 2) return QLineEdit::paintEvent(event);
    QPainter painter(this);
    QStyleOptionFrame option;
    initStyleOption(&option);
    style()->drawPrimitive(QStyle::PE_PanelLineEdit, &option, &painter, this);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    const int line = fontMetrics().lineSpacing();
    QRect area = textArea();
    area.setTop(area.center().y() - static_cast<int>(lines.size()) * line / 2 + 1);
    area.setHeight(line);
    for (const QString& each : lines) {
        painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, each);
        area.translate(0, line);
    }
}

} // namespace stridescope
