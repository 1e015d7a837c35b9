#pragma once
// Draws a BroadcastModel at a moment, and tells what is pointed at.

#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/scene/hit_test.h"
#include "widgets/shared/picture_camera.h"

#include <QWidget>

namespace stridescope {

class BroadcastView : public QWidget {
    Q_OBJECT

public:
    explicit BroadcastView(QWidget* parent = nullptr);
    /// Widget pixels for each pixel of the scene; 1 but where the view is presented. Then the scene is as large as its
    /// cells need, what is said stands above it, and what is not in sight of it follows the stages.
    void setPresented(qreal scale);
    /// The pick is dropped. Null: there is no picture, and `why` stands in its place.
    void setModel(std::shared_ptr<const BroadcastModel> model, const QString& why = {});
    /// Why there is no picture; empty where there is one.
    QString why() const { return m_why; }
    /// Shown instead of the model while it is not null: what a mend would give.
    void setPreview(std::shared_ptr<const BroadcastModel> preview);
    void setTime(qreal t);
    void setTheme(const Theme& theme);
    void setPicked(std::optional<Index> element);
    std::optional<Index> picked() const { return m_picked; }
    const Scene& scene() const;
    /// Nothing tells what comes out: it is being asked.
    void setVeiled(bool veiled);
    /// A click on a stored cell of that operand's card is an answer; -1: no question.
    void setAsked(int operand);
    bool hasModel() const { return m_model != nullptr; }
    const std::shared_ptr<const BroadcastModel>& model() const { return m_model; }
    BroadcastLook look() const;
    bool isVeiled() const { return m_veiled; }
    qreal time() const { return m_t; }
    /// Another number whenever the picture may be another one.
    quint64 revision() const { return m_revision; }
    /// Rectangle of the button of mend i, in the widget; empty when it is not drawn.
    QRectF buttonRect(int button) const;
    /// The scene's point under a point of the widget.
    QPointF inScene(QPointF p) const { return p / m_scale + shift(); }
    QRectF onWidget(const QRectF& r) const { return {(r.topLeft() - shift()) * m_scale, r.size() * m_scale}; }
    void setFocusedButton(int button);

Q_SIGNALS:
    void pickRequested(std::optional<stridescope::Index> element);
    void hovered(std::optional<stridescope::Index> element);
    void mendHovered(int mend); ///< -1: none
    void mendPressed(int mend);
    void cellAnswered(const stridescope::Dims& coord); ///< in the dims of the result
    void changed();                                    ///< model, time, pick or veil

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::optional<Index> elementAt(QPointF p) const;
    int buttonAt(QPointF p) const;
    void invalidate();
    void tellCaption();
    /// In place of the picture: why there is none.
    Scene whyScene() const;
    /// Where a part of the cells is seen: another one. False where there is none in that direction.
    bool scrollCells(const QWheelEvent& event);
    /// The room for the picture, in its pixels: below what is said where it is presented.
    QSizeF room() const;
    /// The picture's point in the upper left corner of the room; and in that of the widget.
    QPointF camera() const;
    QPointF shift() const;
    QSizeF sceneSize() const;

    std::shared_ptr<const BroadcastModel> m_model, m_preview;
    Theme m_theme;
    qreal m_t = 0;
    std::optional<Index> m_picked, m_hovered;
    int m_button = -1, m_focused = -1, m_asked = -1;
    bool m_veiled = false;
    Index m_down = 0, m_right = 0; ///< cells scrolled by
    qreal m_scale = 1;
    bool m_presented = false;
    PictureCamera m_camera;
    mutable std::optional<Scene> m_scene;
    quint64 m_revision = 0;
    QString m_caption; ///< that screen readers were told
    QString m_why;
};

} // namespace stridescope
