#pragma once
// Draws a DevicesModel at a moment, tells what is pointed at, and lets its lines be run by mouse and keyboard.

#include "widgets/devices/devices_scene.h"

#include <QWidget>

#include <memory>

namespace stridescope {

class DevicesView : public QWidget {
    Q_OBJECT

public:
    explicit DevicesView(QWidget* parent = nullptr);
    /// Not null.
    void setModel(std::shared_ptr<const DevicesModel> model);
    const std::shared_ptr<const DevicesModel>& model() const { return m_model; }
    void setTime(qreal t);
    qreal time() const { return m_t; }
    void setTheme(const Theme& theme);
    /// One section alone, of the boxes that beside the CPU's; `scale` widget pixels for each of the picture.
    void setPresented(DevicesSection section, int device, qreal scale);

    int way() const { return m_way; }
    void setWay(int way);
    /// The part that the keys stand on, of picture().spots; -1: none.
    int spot() const { return m_spot; }
    const DevicesPicture& picture() const;
    const Scene& scene() const { return picture().scene; }
    QRectF onWidget(const QRectF& r) const { return {r.topLeft() * m_scale, r.size() * m_scale}; }
    /// Another number whenever the picture may be another one.
    quint64 revision() const { return m_revision; }
    /// As if the button had been pressed.
    void press(int way);

Q_SIGNALS:
    void lineWanted(const QString& line);
    void seekRequested(qreal t);     ///< the timeline was clicked or dragged
    void told(const QString& words); ///< of what is pointed at; empty: nothing is
    void revealRequested(const QRectF& rect);
    void changed(); ///< model or time

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
    void seek(QPointF at);
    void moveSpot(int by);
    int ways() const;
    const DevicesSpot* spotOfWay(int way) const;

    std::shared_ptr<const DevicesModel> m_model;
    Theme m_theme;
    qreal m_t = 1, m_scale = 1;
    int m_way = -1, m_spot = -1, m_device = 0;
    bool m_dragging = false;
    std::optional<DevicesSection> m_only;
    mutable std::optional<DevicesPicture> m_picture;
    quint64 m_revision = 0;
};

} // namespace stridescope
