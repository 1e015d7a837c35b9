#pragma once
// Inspector: the right dock. Numbers of the selected tensor to be changed by hand (as as_strided would), its
// contiguity walk, its bytes, and the cell under the pointer.

#include "widgets/model/workspace_model.h"
#include "widgets/panels/range_control.h"
#include "widgets/scene/scene_view.h"

#include <QScrollArea>

#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace stridescope {

class CodeLabel;
class EmptyState;
class WhenceView;

class Inspector : public QScrollArea {
    Q_OBJECT

public:
    explicit Inspector(WorkspaceModel* workspace, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// The line of code that the numbers now shown stand for: "B = A.as_strided((4, 2), (5, 1), 1)".
    QString codeLine() const { return m_code; }
    /// Parts below the numbers, which a short window shows only when it scrolls.
    enum class Part : quint8 { Walk, Bytes, WhereFrom };
    /// Scrolls to it.
    void showPart(Part part);
    /// Every control shows the selected tensor's number again, also one in which a refused number stayed.
    void dropTyped();

Q_SIGNALS:
    void openRequested(); ///< a file; asked for where there is no tensor yet
    void runRequested(const QString& code);
    void previewRequested(const QString& code);
    void explainRequested(const QString& code);
    void pickRequested(const Pick& pick); ///< an element to be shown, on the strip too

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Which number of the view a control stands for.
    enum class Field : quint8 { Offset, Size, Stride };
    struct Control {
        Field field;
        std::size_t dim;
        RangeControl* control;
    };

    void rebuild();     ///< another tensor or another rank: other controls
    void refresh();     ///< the same controls, new numbers
    void refreshCell(); ///< the cell under the pointer
    void refreshFigures();
    /// The walk as far as the visit of `slot`; absent: all of it.
    void playWalk(std::optional<Index> slot);
    void showEmptiness();
    /// Why what is typed into a control is no number, below the controls; empty: nothing.
    void showProblem(const QString& why);
    void placeProblem(RangeControl* control);
    /// No number is being tried any more: neither code nor preview of one.
    void endTyping(const QString& why);
    /// The view with one number changed, beside those that were refused and still stand in their fields: what is
    /// asked for is what can be read.
    View edited(const Control& changed, Index value) const;
    Index numberOf(const View& view, const Control& control) const;
    QString codeFor(const View& view) const;
    QLabel* addTitle(const QString& text, QLabel** right);
    /// Other words of a title and of what stands beside it; below it where there is no room for both.
    void setTitle(QLabel* title, const QString& words, QLabel* note, const QString& aside);

    WorkspaceModel* m_workspace;
    Theme m_theme;
    QWidget* m_body;
    QLabel* m_numberProblem;
    QVBoxLayout* m_column;
    SceneView* m_badge;
    EmptyState* m_empty = nullptr;
    CodeLabel* m_name;
    QLabel* m_meta;
    QLabel* m_rangeNote;
    QVBoxLayout* m_controlsColumn;
    std::vector<Control> m_controls;
    std::optional<View> m_refused; ///< the view that was asked for last and refused
    CodeLabel* m_codeLabel;
    QPushButton* m_copyCode;
    QLabel* m_walkVerdict;
    SceneView* m_walk;
    SceneView* m_ledger;
    QLabel* m_ledgerSentence;
    QLabel* m_cellTitle;
    QLabel* m_cellNote;
    QLabel* m_whenceTitle;
    QLabel* m_whenceNote; ///< which cell "Where from" is of
    SceneView* m_cell;
    WhenceView* m_whence;
    TensorId m_shown = 0;
    std::size_t m_rank = 0;
    QString m_code;
    bool m_bitsOpen = false; ///< sign, exponent, mantissa instead of bytes
};

} // namespace stridescope
