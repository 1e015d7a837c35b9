#pragma once
// The strip of switches over the stage: cell text, ruler, wrap, Fit, Export. Everything it does is also a menu command.

#include "widgets/stage/explore_state.h"

#include <QWidget>

class QAbstractButton;
class QButtonGroup;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace stridescope {

class ExploreStage;

/// A row of buttons of which one is on; arrows move, each has a name for screen readers.
class SegmentedControl : public QWidget {
    Q_OBJECT

public:
    SegmentedControl(const QString& name, const QStringList& texts, QWidget* parent = nullptr);
    const QStringList& texts() const { return m_texts; }
    int current() const;
    /// Setting the current one again emits nothing.
    void setCurrent(int index);
    QAbstractButton* button(int index) const;
    void setTheme(const Theme& theme);
    /// Less air on both sides of each text.
    void setDense(bool dense);
    int wideWidth() const { return widthWith(14); }
    int denseWidth() const { return widthWith(8); }

Q_SIGNALS:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void measure();
    int widthWith(int padding) const;

    QStringList m_texts;
    QButtonGroup* m_group;
    Theme m_theme;
    bool m_dense = false;
};

class StageHeader : public QWidget {
    Q_OBJECT

public:
    explicit StageHeader(QWidget* parent = nullptr);

    /// Shows and sets the options of `stage`, both ways.
    void attach(ExploreStage* stage);
    void setTheme(const Theme& theme);
    /// What is typed next is the number of cells in a row of the strip, where it wraps by number.
    void editWrapNumber();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void optionsEdited(const stridescope::StageOptions& options);
    void fitRequested();
    void exportRequested();

public Q_SLOTS:
    void setOptions(const stridescope::StageOptions& options);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void edit();
    void arrange(); ///< as many captions and as much air as the width allows; what is left over is in the menu
    void fillMenu();

    StageOptions m_options;
    Theme m_theme;
    std::vector<QLabel*> m_labels;
    SegmentedControl *m_cellText, *m_ruler, *m_wrap;
    QSpinBox* m_wrapNumber;
    QPushButton *m_fit, *m_export;
    QToolButton* m_more;            ///< its menu has what there is no room for
    std::vector<QWidget*> m_inMenu; ///< from the first that went
};

} // namespace stridescope
