#pragma once
// What the pictures of refusals share, and the pictures: one for each kind. Only refusal_figure.cpp puts them together.

#include "widgets/figures/figure_parts.h"
#include "widgets/figures/refusal_figure.h"

#include <functional>

namespace stridescope::refusal {

inline constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;

/// What one kind of refusal contributes: its picture is drawn at once, words and ways are collected.
struct Story {
    QString reason;
    std::vector<RefusalWay> ways;
    bool showsStorage = false; ///< the picture has the storage in it
    QRectF beside;             ///< what the picture leaves free at its right, where words may stand; may be empty
};

/// The numbers of the last call in a line: "x.narrow(1, 3, 4)" -> 1, 3, 4.
std::vector<Index> callNumbers(const QString& code);
/// The lists in brackets of the last call in a line: "x.as_strided((3, 2), (1, 1))" -> {3, 2}, {1, 1}.
std::vector<Dims> callLists(const QString& code);
/// The name of the last call in a line: "narrow"; empty if it ends otherwise.
QString method(const QString& code);
/// Wrapped words; returns the baseline below them.
qreal appendWords(SceneBuilder& out, QPointF at, const QString& text, FontRole font, Tone tone, qreal width);
/// A row of cells for the indices of one dim, with the wanted range under it; indices outside are hatched. Shows at
/// most `most` cells round the end that was missed. Returns the bottom.
qreal appendDimRuler(SceneBuilder& out, QPointF at, Index dim, Index size, Index from, Index to, qreal width);

inline constexpr qreal kSizeColumn = 64, kSizesLeft = 150; ///< of a table of sizes
struct SizeRow {
    QString title;
    Dims sizes;
};
/// Sizes as a table, aligned at the right as broadcasting does (or at the left), a dotted `filler` where a row has no
/// dim. Below each column its verdict. Returns the bottom.
qreal appendSizeTable(SceneBuilder& out, qreal y, const std::vector<SizeRow>& rows, bool right, const QString& filler,
                      const std::function<bool(std::size_t column)>& isBad);

/// A storage with hatched cells past one of its ends.
struct FailingStrip {
    FigureStrip strip;
    QRectF outside;  ///< from the first hatched cell to the last one
    qreal below = 0; ///< bottom of the words under the handle
};
/// Draws it in `width` from `at` on. The slot `failing`, which the request cannot have, is always there: where it is
/// too far from the end, after (or before) a gap.
FailingStrip appendFailingStrip(SceneBuilder& out, FigureStripInput input, QPointF at, qreal width, Index failing);

// Each draws at `y` and moves it below the picture.
Story tellIndex(SceneBuilder& out, const RefusalFigureInput& in, const IndexOutOfRange& d, qreal& y);
Story tellBounds(SceneBuilder& out, const RefusalFigureInput& in, const StorageOutOfBounds& d, qreal& y);
Story tellDims(SceneBuilder& out, const RefusalFigureInput& in, const DimOutOfRange& d, qreal& y);
/// Dims named twice, or not all of them named; t() of more than two dims.
Story tellOrder(SceneBuilder& out, const RefusalFigureInput& in, qreal& y);
Story tellSizes(SceneBuilder& out, const RefusalFigureInput& in, const BroadcastConflict& d, qreal& y);
/// Sizes, or sizes and strides, that are too few, too many or below 0.
Story tellLists(SceneBuilder& out, const RefusalFigureInput& in, qreal& y);
/// Matrices and vectors that cannot be multiplied, round the corner as products are.
Story tellProduct(SceneBuilder& out, const RefusalFigureInput& in, qreal& y);
Story tellJoin(SceneBuilder& out, const RefusalFigureInput& in, qreal& y);
/// A write in place whose result has other sizes than its target.
Story tellWrite(SceneBuilder& out, const RefusalFigureInput& in, qreal& y);
Story tellCount(SceneBuilder& out, const RefusalFigureInput& in, const NumelMismatch& d, qreal& y);
Story tellOverlap(SceneBuilder& out, const RefusalFigureInput& in, const SelfOverlap& d, qreal& y);
Story tellBackwards(SceneBuilder& out, const RefusalFigureInput& in, qreal& y);
/// as_strided with a negative stride: its walk over the storage.
Story tellNegative(SceneBuilder& out, const RefusalFigureInput& in, qreal& y);

} // namespace stridescope::refusal
