#pragma once
// Draws a TimingModel, tells what is pointed at, and lets a size and a card be picked by mouse and keyboard.

#include "widgets/timing/timing_scene.h"

#include <QTimer>
#include <QWidget>

namespace stridescope {

class TimingView : public QWidget {
    Q_OBJECT

public:
    explicit TimingView(QWidget* parent = nullptr);
    /// Not null. The picked size stays where there still is one like it.
    void setModel(std::shared_ptr<const TimingModel> model);
    const std::shared_ptr<const TimingModel>& model() const { return m_model; }
    void setTheme(const Theme& theme);
    /// While something is measured: not drawn more than ten times a second, and not for the pointer.
    void setQuiet(bool quiet);
    /// One section alone, `scale` widget pixels for each of the picture.
    void setPresented(TimingSection section, qreal scale);

    std::optional<Index> picked() const;
    void pick(std::optional<Index> n);
    int hovered() const { return m_hovered; }
    /// Tells the measurement of a series at `n`, or at the picked size.
    void hover(int series, std::optional<Index> n = {});
    int way() const { return m_way; }
    void setWay(int way);
    const TimingPicture& picture() const;
    const Scene& scene() const { return picture().scene; }
    QRectF onWidget(const QRectF& r) const { return {r.topLeft() * m_scale, r.size() * m_scale}; }
    /// Another number whenever the picture may be another one.
    quint64 revision() const { return m_revision; }
    /// How often it was drawn.
    int drawn() const { return m_drawn; }

Q_SIGNALS:
    void sizePicked(stridescope::Index n);
    void wayPressed(int way);
    void told(const QString& words); ///< of what is pointed at; empty: nothing is
    void revealRequested(const QRectF& rect);
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void invalidate();
    void fit();
    void point(QPointF at);
    void moveSize(int by);
    void moveSeries(int by);
    int ways() const { return m_model ? static_cast<int>(m_model->notes.ways.size()) : 0; }

    std::shared_ptr<const TimingModel> m_model;
    Theme m_theme;
    std::optional<Index> m_n, m_hoveredN;
    int m_hovered = -1, m_way = -1;
    bool m_quiet = false;
    std::optional<TimingSection> m_only;
    qreal m_scale = 1;
    QTimer m_later;
    mutable std::optional<TimingPicture> m_picture;
    quint64 m_revision = 0;
    int m_drawn = 0;
};

} // namespace stridescope
