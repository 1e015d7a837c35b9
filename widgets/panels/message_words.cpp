#include "widgets/panels/message_words.h"

#include "widgets/scene/glyphs.h"

#include <QPainter>
#include <QStyle>

namespace stridescope {

void MessageSign::paintEvent(QPaintEvent* event) {
    const bool check = text() == QStringLiteral("✓"), cross = text() == QStringLiteral("✗");
    if (!check && !cross) return QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr qreal kSize = 14;
    painter.setPen(QPen(palette().color(foregroundRole()), kSize / 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(glyphPath(check ? Glyph::Check : Glyph::Cross, QRectF(rect()).center(), kSize));
}

void MessageWords::setFolded(bool folded, Qt::TextElideMode cut) {
    if (folded == m_folded) return;
    m_folded = folded;
    m_cut = cut;
    updateGeometry();
    update();
}

int MessageWords::heightForWidth(int width) const {
    return m_folded ? lineHeight() : QLabel::heightForWidth(width);
}

QSize MessageWords::sizeHint() const {
    return m_folded ? minimumSizeHint() : QLabel::sizeHint();
}

QSize MessageWords::minimumSizeHint() const {
    return m_folded ? QSize(fontMetrics().averageCharWidth() * 8, lineHeight()) : QLabel::minimumSizeHint();
}

void MessageWords::paintEvent(QPaintEvent* event) {
    if (!m_folded) return QLabel::paintEvent(event);
    QPainter painter(this);
    const QString words = fontMetrics().elidedText(text().simplified(), m_cut, contentsRect().width());
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine, palette(),
                          isEnabled(), words, foregroundRole());
}

} // namespace stridescope
