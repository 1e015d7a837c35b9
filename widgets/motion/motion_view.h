#pragma once
// Draws a MotionPlan at a moment, and tells what is pointed at.

#include "widgets/motion/motion_scene.h"
#include "widgets/shared/picture_camera.h"

#include <QWidget>

namespace stridescope {

class MotionView : public QWidget {
    Q_OBJECT

public:
    explicit MotionView(QWidget* parent = nullptr);
    /// Null: nothing to play, and the words that say so are drawn.
    void setPlan(std::shared_ptr<const MotionPlan> plan);
    void setWords(const QString& title, const QString& sentence);
    const QString& wordsTitle() const { return m_wordsTitle; }
    const QString& words() const { return m_words; }
    const std::shared_ptr<const MotionPlan>& plan() const { return m_plan; }
    void setTime(qreal t);
    qreal time() const { return m_t; }
    void setTheme(const Theme& theme);
    /// Widget pixels for each pixel of the scene; 1 but where the view is presented. Then, and where the view is too
    /// small for its cells, the scene is as large as they need, what is said stands above it, and what moves is
    /// followed.
    void setPresented(qreal scale);
    const Scene& scene() const;
    /// Places of the plan's boards. Precondition: there is a plan.
    const MotionLayout& places() const;
    /// The size that the picture is laid out for.
    QSizeF sceneSize() const;
    /// Another number whenever the picture may be another one.
    quint64 revision() const { return m_revision; }
    QRectF onWidget(const QRectF& r) const;

Q_SIGNALS:
    void hovered(const QString& words); ///< empty: nothing is pointed at
    void changed();                     ///< plan or time

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void invalidate();
    void tellCaption();
    void drawWords(QPainter& painter) const;
    /// The room for the picture below what is said, in scene pixels; and the scene's point in its upper left corner.
    QSizeF room() const;
    QPointF camera() const;
    QPointF followed() const;
    bool follows() const;
    QPointF inScene(QPointF p) const;

    std::shared_ptr<const MotionPlan> m_plan;
    Theme m_theme;
    qreal m_t = 0, m_scale = 1;
    bool m_presented = false;
    PictureCamera m_camera;
    mutable std::optional<QSize> m_askedFor; ///< the size that m_cramped was found for
    mutable bool m_cramped = false;
    mutable std::optional<QSizeF> m_roomy; ///< the page of the plan on which cells have room for their numbers
    mutable std::optional<MotionLayout> m_layout;
    mutable std::optional<Scene> m_scene;
    quint64 m_revision = 0;
    QString m_said, m_wordsTitle, m_words;
};

} // namespace stridescope
