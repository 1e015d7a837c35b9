#pragma once
// Draws a BroadcastModel at a moment, and tells what is pointed at.

#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/scene/hit_test.h"

#include <QWidget>

namespace stridescope {

class BroadcastView : public QWidget {
    Q_OBJECT

public:
    explicit BroadcastView(QWidget* parent = nullptr);
    /// Not null; the pick is dropped.
    void setModel(std::shared_ptr<const BroadcastModel> model);
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
    /// Another number whenever the picture may be another one.
    quint64 revision() const { return m_revision; }
    /// Rectangle of the button of mend i, in the widget; empty when it is not drawn.
    QRectF buttonRect(int button) const;
    void setFocusedButton(int button);

Q_SIGNALS:
    void pickRequested(std::optional<stridescope::Index> element);
    void hovered(std::optional<stridescope::Index> element);
    void mendHovered(int mend); ///< -1: none
    void mendPressed(int mend);
    void cellAnswered(const stridescope::Dims& coord); ///< in the dims of the result

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::optional<Index> elementAt(QPointF p) const;
    int buttonAt(QPointF p) const;
    void invalidate();
    void tellCaption();

    std::shared_ptr<const BroadcastModel> m_model, m_preview;
    Theme m_theme;
    qreal m_t = 0;
    std::optional<Index> m_picked, m_hovered;
    int m_button = -1, m_focused = -1, m_asked = -1;
    bool m_veiled = false;
    mutable std::optional<Scene> m_scene;
    quint64 m_revision = 0;
    QString m_caption; ///< that screen readers were told
};

} // namespace stridescope
