#pragma once
// TouchedStrip: which part of a storage a view of images touches: all of it as one bar, its first slots as cells.

#include "core/tensor/tensor.h"
#include "widgets/images/overwrites.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <array>
#include <optional>
#include <vector>

namespace stridescope {

/// How much of each part of the storage a view names, from 0 to 1; parts are of equal length.
std::vector<double> coverageOf(const Tensor& view, std::size_t parts, Index most = 300'000);
/// The channel (index of the third dim from the end, 0 for fewer dims) of whatever of `view` lies at each of the first
/// slots; nothing where nothing does.
inline constexpr std::size_t kFirstSlots = 24;
std::array<std::optional<Index>, kFirstSlots> firstSlotsOf(const Tensor& view);

/// In how many runs of neighbouring slots a view lies, and how many cache lines of 64 B it touches: a model, not a
/// measurement. `counted` false: more runs than `most`, lines are not counted.
struct TouchedRuns {
    Index runs = 0, length = 0;
    Index lines = 0, linesInAll = 0;
    bool counted = false;
};
TouchedRuns runsOf(const Tensor& view, Index most = 300'000);

class TouchedStrip : public QWidget {
    Q_OBJECT

public:
    explicit TouchedStrip(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `touched` is a view on the storage of `whole`; `words` name it. Bytes are seen with `overwrites`.
    void show(const Tensor& whole, const Tensor& touched, const QString& words, const OverwritesPtr& overwrites = {});
    QSize sizeHint() const override { return {600, 148}; }
    QSize minimumSizeHint() const override { return {300, 148}; }

Q_SIGNALS:
    /// A place of the storage was clicked.
    void slotPicked(stridescope::Index slot);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF barRect() const;
    QRectF cellRect(Index slot) const;
    Index shownCells() const;
    std::optional<Index> slotAt(QPointF at) const;
    void paintBar(QPainter& painter);
    void paintCells(QPainter& painter);
    void paintOffsetAndHops(QPainter& painter);

    Theme m_theme;
    Tensor m_whole, m_touched;
    OverwritesPtr m_overwrites;
    TouchedRuns m_runs;
    QString m_words;
    std::vector<double> m_coverage;
    std::array<std::optional<Index>, kFirstSlots> m_channels, m_first;
};

} // namespace stridescope
