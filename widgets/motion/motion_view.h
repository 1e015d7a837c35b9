#pragma once
// Draws a MotionPlan at a moment, and tells what is pointed at.

#include "widgets/motion/motion_scene.h"

#include <QWidget>

namespace stridescope {

class MotionView : public QWidget {
    Q_OBJECT

public:
    explicit MotionView(QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const MotionPlan> plan);
    const std::shared_ptr<const MotionPlan>& plan() const { return m_plan; }
    void setTime(qreal t);
    qreal time() const { return m_t; }
    void setTheme(const Theme& theme);
    /// Widget pixels for each pixel of the scene; 1 but where the view is presented. Then the scene is as large as its
    /// cells need, what is said stands above it, and what moves is followed.
    void setPresented(qreal scale);
    const Scene& scene() const;
    /// The size that the picture is laid out for.
    QSizeF sceneSize() const;

Q_SIGNALS:
    void hovered(const QString& words); ///< empty: nothing is pointed at
    void changed();                     ///< plan or time

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void invalidate();
    void tellCaption();
    /// The room for the picture below what is said, in scene pixels; and the scene's point in its upper left corner.
    QSizeF room() const;
    QPointF camera() const;
    QPointF inScene(QPointF p) const;

    std::shared_ptr<const MotionPlan> m_plan;
    Theme m_theme;
    qreal m_t = 0, m_scale = 1;
    bool m_presented = false;
    mutable std::optional<MotionLayout> m_layout;
    mutable std::optional<Scene> m_scene;
    QString m_said;
};

} // namespace stridescope
