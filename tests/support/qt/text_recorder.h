#pragma once
// A paint device that draws nothing and remembers the text: what it says, where, and how high its capitals are.

#include <QPaintDevice>
#include <QPaintEngine>
#include <QRectF>
#include <QString>

#include <vector>

namespace stridescope::test {

struct RecordedText {
    QString text;
    qreal capHeight = 0; ///< in the device's pixels
    QRectF rect;         ///< of the letters' ascent and advance, in the device's pixels
};

class TextRecorder : public QPaintDevice {
public:
    explicit TextRecorder(QSize size) : m_size(size), m_engine(this) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    const std::vector<RecordedText>& texts() const { return m_texts; }

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine : public QPaintEngine {
    public:
        explicit Engine(TextRecorder* recorder) : QPaintEngine(AllFeatures), m_recorder(recorder) {}
        bool begin(QPaintDevice*) override {
            m_transform = {};
            return true;
        }
        bool end() override { return true; }
        void updateState(const QPaintEngineState& state) override {
            if (state.state() & DirtyTransform) m_transform = state.transform();
        }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override;
        Type type() const override { return User; }

    private:
        TextRecorder* m_recorder;
        QTransform m_transform;
    };

    QSize m_size;
    mutable Engine m_engine;
    std::vector<RecordedText> m_texts;
};

/// The lowest capitals of any text that has letters or digits.
RecordedText smallestOf(const std::vector<RecordedText>& texts);

} // namespace stridescope::test
