#pragma once
// StepList: operations one below the other, each with the picture after it, its code and what it costs.

#include "widgets/theme/theme.h"

#include <QImage>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace stridescope {

/// A step as it is shown.
struct ShownStep {
    QString code;
    QString facts;  ///< "(48, 3, 32, 32) uint8"
    QString cost;   ///< "view, +0 B"
    QString why;    ///< of a refused step
    QImage picture; ///< after it; may be null
    bool on = true;
};

class StepList : public QWidget {
    Q_OBJECT

public:
    explicit StepList(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setSteps(const std::vector<ShownStep>& steps);

Q_SIGNALS:
    void codeEdited(int step, const QString& code);
    void switched(int step, bool on);
    void moved(int step, int by);
    void removed(int step);

private:
    class Row;
    QVBoxLayout* m_rows;
    Theme m_theme;
    std::vector<Row*> m_shown;
};

} // namespace stridescope
