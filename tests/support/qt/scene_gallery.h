#pragma once
// Scenes with every item and mark, for tests of painter, hit test and export.

#include "widgets/scene/scene.h"

#include <vector>

namespace stridescope::test {

/// A CPU storage that holds the values; a 1-d tensor over all of it.
template <class T>
Tensor tensorOf(const std::vector<T>& values);
Tensor arange(Index n);
/// `n` elements of dtype without any memory behind them but zero pages: sizes of 10^9 and more cost nothing.
Tensor lazyZeros(Index n, DType dtype);

View makeViewOf(std::initializer_list<Index> shape, std::initializer_list<Index> stride, Index offset);
GridItem gridOf(const Tensor& source, const View& view, QPointF origin, int colour, QSizeF cell = {44, 32});
StripItem stripOf(const Tensor& source, QRectF area, Index perRow, qreal cellWidth, std::optional<StripReach> reach);

/// Views, strip, lanes, links, flag and hops as in the Explore picture.
Scene exploreGallery();
/// One of each mark and outline.
Scene markGallery();

} // namespace stridescope::test
