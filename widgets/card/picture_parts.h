#pragma once
// Pieces that pictures with words, boxes and lanes have in common.

#include "widgets/card/draw.h"

namespace stridescope::picture_parts {

inline constexpr Qt::Alignment kCentre = Qt::AlignHCenter | Qt::AlignBaseline;
inline constexpr Qt::Alignment kRight = Qt::AlignRight | Qt::AlignBaseline;

/// "Time for one A @ B" in bold, then quieter words where there is room for them. Returns the y below.
qreal appendTitle(SceneBuilder& out, const QRectF& room, const QString& title, const QString& more = {});
/// Lines of a sentence under one another; returns the y below.
qreal appendWords(SceneBuilder& out, QPointF at, const QString& text, qreal width, Tone tone = Tone::Ink2, int most = 6,
                  FontRole font = FontRole::Label);
/// A pill of words; its rectangle.
QRectF appendPill(SceneBuilder& out, QPointF leftMiddle, const QString& text, qreal most, Tone fill, Tone outline);
/// Lines at 45 degrees inside `rect`, up to the right, or up to the left.
void appendHatch(SceneBuilder& out, const QRectF& rect, Tone tone, bool leftwards = false);
/// A box with a thin outline.
void appendBox(SceneBuilder& out, const QRectF& rect, Tone fill, Tone outline, qreal radius = 0, qreal width = 1);
/// `text` cut with … at `width`.
QString cut(FontRole font, const QString& text, qreal width);
/// |_____| under what the clock saw.
void appendBracket(SceneBuilder& out, qreal left, qreal right, qreal y, Tone tone = Tone::Ink);

} // namespace stridescope::picture_parts
