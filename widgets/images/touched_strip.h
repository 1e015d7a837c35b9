#pragma once
// TouchedStrip: which part of a storage a view of images touches: all of it as one bar, as much as shows its pattern as
// another one, and single slots as cells, which the wheel, the mouse and the picked pixel move about.

#include "core/tensor/tensor.h"
#include "widgets/images/overwrites.h"
#include "widgets/images/touched_facts.h"
#include "widgets/images/touched_layout.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace stridescope {

class TouchedStrip : public QWidget {
    Q_OBJECT

public:
    explicit TouchedStrip(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// What is shown. `touched` is a view on the storage of `whole`, whose channels name the slots; `words` name it.
    /// Bytes are seen with `overwrites`. Slots outside of `known` were not copied with the rest: they have no values.
    struct Content {
        Tensor whole, touched;
        QString words;
        OverwritesPtr overwrites = {};
        std::optional<Reach> known = {};
    };
    /// The cells begin where it is touched; of the same view they stay where they are.
    void show(const Content& content);
    /// The slots of the picked pixel; they are marked. `reveal`: the cells go there, to what is touched of it.
    void setPicked(const std::vector<Index>& slotsOfPixel, bool reveal);
    Index firstCell() const { return m_layout.first; }
    void showFrom(Index slot);
    const TouchedLayout& layoutOfParts() const { return m_layout; }
    /// How much of each of as many parts of the second bar is touched.
    const std::vector<double>& zoomCoverage() const { return m_zoomCoverage; }
    /// Where there is room, with what a copy would be.
    QSize sizeHint() const override {
        return {600, static_cast<int>(TouchedLayout::kHeight + (m_copied ? TouchedLayout::kCopyHeight : 0))};
    }
    const std::optional<CopiedRuns>& ifCopied() const { return m_copied; }
    QSize minimumSizeHint() const override { return {300, static_cast<int>(TouchedLayout::kHeight)}; }

Q_SIGNALS:
    /// A place of the storage was clicked, or dragged over.
    void slotPicked(stridescope::Index slot);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

private:
    void pick(Index slot);
    /// What the second bar and the cells show, worked out again.
    void follow();
    void chooseZoom();
    void paintTitle(QPainter& painter);
    void paintBar(QPainter& painter);
    void paintZoom(QPainter& painter);
    void paintCells(QPainter& painter);
    void paintOffsetAndHops(QPainter& painter);
    void paintRuns(QPainter& painter);
    void paintCopy(QPainter& painter);
    QString wordsOf(const TouchedRuns& runs) const;
    void paintShares(QPainter& painter, const QRectF& bar, const std::vector<double>& shares);

    Theme m_theme;
    Content m_content;
    TouchedLayout m_layout;
    SlotSet m_touchedSlots;
    TouchedRuns m_runs;
    std::optional<CopiedRuns> m_copied;
    std::vector<double> m_coverage, m_zoomCoverage;
    enum class Zoom : quint8 { Image, Row, Slots } m_zoom = Zoom::Image;
    struct Cell {
        std::optional<Index> channel; ///< of `whole`
        bool touched = false;
        std::optional<double> value;
    };
    std::vector<Cell> m_cells;
    struct Plane {
        Index from, upTo, channel;
    };
    std::vector<Plane> m_planes; ///< of the image in the second bar, where each channel is one run
    std::vector<Index> m_picked;
    TouchedLayout::Part m_pressed = TouchedLayout::Part::None;
    QPointF m_pressedAt;
    Index m_firstPressed = 0, m_turned = 0; ///< m_turned: by the wheel, what is left of it, of a cell's 120 parts
    bool m_moved = false, m_picking = false;
};

} // namespace stridescope
