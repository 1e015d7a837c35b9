#pragma once
// StepList: operations one below the other, each with the picture after it, its code and what it costs. A step is
// dragged to another place by its number or picture; the step that is open has sliders for its numbers.

#include "widgets/theme/theme.h"

#include <QImage>
#include <QWidget>

#include <vector>

class QFrame;
class QVBoxLayout;

namespace stridescope {

/// A number in a step's code that a slider moves.
struct StepNumber {
    QString name;
    int at = 0, length = 0; ///< its place in the code
    double low = 0, high = 1, value = 0;
    bool whole = false;
};

/// A step as it is shown.
struct ShownStep {
    QString code;
    QString facts;  ///< "(48, 3, 32, 32) uint8"
    QString cost;   ///< "view, +0 B"
    QString why;    ///< of a refused step
    QImage picture; ///< after it; may be null
    bool on = true;
    std::vector<StepNumber> numbers = {};
};

class StepRow;

class StepList : public QWidget {
    Q_OBJECT

public:
    explicit StepList(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setSteps(const std::vector<ShownStep>& steps);
    /// The step whose numbers have sliders; -1: none.
    int openStep() const { return m_open; }
    void openStep(int step);

Q_SIGNALS:
    void codeEdited(int step, const QString& code);
    /// A slider of that step stands at `value` now.
    void numberMoved(int step, const stridescope::StepNumber& number, double value);
    void switched(int step, bool on);
    void moved(int step, int by);
    void removed(int step);
    void duplicated(int step);
    void opened(int step);

private:
    friend class StepRow;
    /// A step is dragged over the list, at `y` of it; `dropped`: it is let go there.
    void dragTo(int step, int y, bool dropped);

    QVBoxLayout* m_rows;
    QFrame* m_mark; ///< where a dragged step would go
    Theme m_theme;
    std::vector<StepRow*> m_shown;
    int m_open = -1;
};

} // namespace stridescope
