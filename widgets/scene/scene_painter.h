#pragma once
// The one painter: draws a Scene on any QPainter.

#include "widgets/scene/scene.h"

class QPainter;

namespace stridescope {

struct PaintOptions {
    QRectF exposed;      ///< scene rectangle that must be drawn; empty: everything
    bool ground = true;  ///< fill the ground first
    bool vector = false; ///< the device is SVG or PDF: no pixel snapping, no glyph caches, text as text
};

/// Draws `scene` in its own logical pixels. Draws exposed cells only; numbers when they fit, colours below that,
/// min/max summaries when several cells share a pixel.
void paintScene(QPainter& painter, const Scene& scene, const Theme& theme, const PaintOptions& options = {});

/// Only `of`, with its upper left corner at `at`.
void paintScenePart(QPainter& painter, QPointF at, const QRectF& of, const Scene& scene, const Theme& theme);

} // namespace stridescope
