#include "tests/support/qt/text_recorder.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace stridescope::test {

void TextRecorder::Engine::drawTextItem(const QPointF& at, const QTextItem& item) {
    const QFontMetricsF metrics(item.font());
    // A turned text has its height across its direction.
    const qreal scale = std::sqrt(std::abs(m_transform.determinant()));
    RecordedText text;
    text.text = item.text();
    text.capHeight = metrics.capHeight() * scale;
    text.rect = m_transform.mapRect(QRectF(at.x(), at.y() - metrics.capHeight(), item.width(), metrics.capHeight()));
    m_recorder->m_texts.push_back(text);
}

RecordedText smallestOf(const std::vector<RecordedText>& texts) {
    RecordedText found;
    found.capHeight = 1e9;
    for (const RecordedText& text : texts) {
        const bool read = std::any_of(text.text.begin(), text.text.end(), [](QChar c) { return c.isLetterOrNumber(); });
        if (read && text.capHeight < found.capHeight) found = text;
    }
    return found;
}

int TextRecorder::metric(PaintDeviceMetric metric) const {
    switch (metric) {
    case PdmWidth:
    case PdmWidthMM:
        return m_size.width();
    case PdmHeight:
    case PdmHeightMM:
        return m_size.height();
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return 96;
    case PdmDepth:
        return 32;
    case PdmNumColors:
        return 1 << 24;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    }
    return 0;
}

} // namespace stridescope::test
