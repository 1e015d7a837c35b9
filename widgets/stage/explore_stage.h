#pragma once
// ExploreStage: the Explore picture as a widget. Shows a WorkspaceModel, turns mouse and keys into lines of code and
// into picks; runs nothing itself.

#include "widgets/model/workspace_model.h"
#include "widgets/scene/hit_test.h"
#include "widgets/shared/zoom.h"
#include "widgets/stage/explore_state.h"

#include <QPainterPath>
#include <QPixmap>
#include <QWidget>

class QLineEdit;

namespace stridescope {

class ExploreStage : public QWidget {
    Q_OBJECT

public:
    explicit ExploreStage(WorkspaceModel* model, QWidget* parent = nullptr);
    ~ExploreStage() override;

    const ExploreState& state() const { return m_state; }
    const StageOptions& options() const { return m_state.options; }
    const Theme& theme() const { return m_theme; }
    /// Widget pixels for each pixel of the scene; 1 but where the stage is presented. The scene, the state and
    /// pickedRect() and pickedCard() are in the scene's pixels.
    qreal scale() const { return m_scale; }
    void setScale(qreal scale);
    /// What the selected view is: its card, and its cells on the strip, in the widget's pixels.
    QPainterPath selectedArea() const;
    /// The scene on screen.
    const Scene& scene() const;
    /// The whole picture, or the card of one tensor alone with a little room round it. 0, or no card of that tensor on
    /// stage: the whole picture.
    Scene pictureOf(TensorId tensor) const;

    /// Whether strips, what belongs to them or the colour bar are drawn somewhere in `rect`.
    bool shows(const QRect& rect) const;

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

public Q_SLOTS:
    void setTheme(const stridescope::Theme& theme);
    void setOptions(const stridescope::StageOptions& options);
    void setCellText(stridescope::CellText text);
    void setRuler(stridescope::StripItem::Ruler ruler);
    void setWrap(stridescope::StripWrap wrap, qint64 number = 16);
    /// Width of a strip cell, clamped to leastCellSize() … kMaxCellSize; 0: the usual one.
    void setCellSize(qreal size);
    /// About the middle of the strip: the cell there stays in sight.
    void zoom(stridescope::Zoom step);
    void setByteStrides(bool on);
    void setCacheLines(bool on);
    void setHeat(bool on);
    void setReducedMotion(bool on);
    /// Scrolls the selected tensor's strip so that `slot` is in sight, and picks it. Out of range: explains why not.
    void jumpTo(qint64 slot);
    /// Opens the small field that asks for an index (Ctrl+G).
    void askForIndex();
    /// Shows why `code` was refused, on the picture, until the next act.
    void showRefusal(const QString& code, const stridescope::Refusal& refusal);
    void clearMessage();
    /// What the status line says of what is lit.
    QString statusText() const;
    /// Asks for the card of `tensor` to be moved by so many places to the right; negative: to the left.
    void moveCard(stridescope::TensorId tensor, int by);
    /// Where the picked cell is, as the keys act on it; empty when it is scrolled away.
    QRectF pickedRect() const;
    /// The card of the picked cell; empty for a cell of the strip.
    QRectF pickedCard() const;
    /// Cards in the order of the workspace again, when a move was refused.
    void followOrder();

Q_SIGNALS:
    void runRequested(const QString& code);
    void previewRequested(const QString& code);
    void explainRequested(const QString& code);
    /// What no line of code says ("edit index 7") is not possible; the stage shows the reason itself.
    void actRefused(const QString& act, const stridescope::Refusal& refusal);
    void statusTextChanged(const QString& text);
    void optionsChanged();
    /// What to export: 0 the whole stage, else the card of that tensor. `format`: "png", "svg", "text", "code", "tikz".
    void exportRequested(stridescope::TensorId tensor, const QString& format);
    /// The card of `tensor` was put before that of another one, or at the end (0).
    void moveRequested(stridescope::TensorId tensor, stridescope::TensorId before);
    void hideRequested(stridescope::TensorId tensor);
    void showRequested(stridescope::TensorId tensor);
    void openRequested(); ///< a file; asked for where there is no tensor yet
    void renameRequested(stridescope::TensorId tensor);
    void deleteRequested(stridescope::TensorId tensor);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Private;
    friend struct Private;
    friend class StageAccessible;
    friend class StageTable;

    WorkspaceModel* m_model;
    ExploreState m_state;
    Theme m_theme;
    qreal m_scale = 1;
    std::unique_ptr<Private> d;
};

} // namespace stridescope
