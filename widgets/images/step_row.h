#pragma once
// StepRow: one operation of a StepList.

#include "widgets/images/step_list.h"

#include <QFrame>

class QGridLayout;
class QLabel;
class QSlider;
class QToolButton;

namespace stridescope {

class StepCode;

class StepRow : public QFrame {
    Q_OBJECT

public:
    StepRow(StepList* list, int number);
    void show(const ShownStep& step, const Theme& theme, bool open);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void showSliders(bool open);

    struct Slider {
        QLabel* name;
        QSlider* slider;
        QLabel* value;
    };
    StepList* m_list;
    int m_index;
    ShownStep m_step;
    QLabel *m_number, *m_picture, *m_facts;
    StepCode* m_code;
    QGridLayout* m_grid;
    std::vector<Slider> m_sliders;
    std::vector<QToolButton*> m_buttons;
    QPoint m_pressed;
    bool m_dragged = false;
};

} // namespace stridescope
