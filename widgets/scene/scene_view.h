#pragma once
// SceneView: a plain widget that shows one Scene at its natural size. For small pictures inside panels.

#include "widgets/scene/hit_test.h"
#include "widgets/scene/scene.h"

#include <QWidget>

namespace stridescope {

class SceneView : public QWidget {
    Q_OBJECT

public:
    explicit SceneView(QWidget* parent = nullptr);
    /// Takes the scene's size as its own fixed height.
    void setScene(Scene scene);
    void setTheme(const Theme& theme);
    const Scene& scene() const { return m_scene; }

Q_SIGNALS:
    void clicked(const Hit& hit);
    void hovered(const Hit& hit); ///< part None when the pointer leaves

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    Scene m_scene;
    Theme m_theme;
};

} // namespace stridescope
