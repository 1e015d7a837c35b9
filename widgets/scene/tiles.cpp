#include "widgets/scene/tiles.h"

#include "widgets/scene/stroke.h"

#include <QCache>
#include <QImage>

#include <cmath>

namespace stridescope {

namespace {

void drawTile(QPainter& painter, const Theme& theme, Tile tile, const QRectF& rect, const QColor& fill, int parts) {
    const QColor stage = theme.color(Tone::Stage);
    switch (tile) {
    case Tile::Skipped:
    case Tile::Repeat:
    case Tile::Line: {
        painter.setRenderHint(QPainter::Antialiasing, true);
        const QRectF inner = rect.adjusted(1.5, 1.5, -1.5, -1.5);
        if (tile == Tile::Repeat) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(Theme::mix(fill, stage, theme.ghostShare()));
            painter.drawRoundedRect(inner, 2, 2);
        }
        QPen pen(theme.color(Tone::Ghost), 1.4, Qt::SolidLine, Qt::RoundCap);
        pen.setDashPattern({0.07, 2.5});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(inner, 2, 2);
        break;
    }
    case Tile::Beyond: {
        const QColor error = theme.color(Tone::Error);
        painter.save();
        painter.setClipRect(rect, Qt::IntersectClip);
        painter.setRenderHint(QPainter::Antialiasing, true);
        hatchRect(painter, rect, error, 6, 1.4);
        strokeRect(painter, rect.adjusted(1, 1, -1, -1), 2, error, 2, LineStyle::Solid);
        painter.restore();
        break;
    }
    case Tile::BeyondSkipped: {
        painter.save();
        painter.setClipRect(rect, Qt::IntersectClip);
        painter.setRenderHint(QPainter::Antialiasing, true);
        hatchRect(painter, rect.adjusted(1.5, 1.5, -1.5, -1.5), theme.color(Tone::Ghost), 6, 1);
        strokeRect(painter, rect.adjusted(1.5, 1.5, -1.5, -1.5), 2, theme.color(Tone::Ghost), 1.4, LineStyle::Dotted);
        painter.restore();
        break;
    }
    case Tile::Overlap: {
        painter.save();
        painter.setClipRect(rect, Qt::IntersectClip);
        painter.setRenderHint(QPainter::Antialiasing, true);
        // Alternately the hue and a paler one, each bordered in black: countable without colour.
        const QColor pale = Theme::mix(fill, QColor(Qt::white), 0.45);
        const int stripes = std::min(parts, 6);
        const qreal slant = rect.height() * 0.42, width = (rect.width() + slant) / stripes;
        painter.setPen(QPen(QColor(0x15, 0x18, 0x1D), 1));
        for (int i = 0; i < stripes; ++i) {
            const qreal left = rect.left() - slant + i * width;
            painter.setBrush(i % 2 == 0 ? fill : pale);
            // Cut by geometry: SVG files know no clipping.
            const QPolygonF stripe{QPointF(left, rect.bottom()), QPointF(left + width, rect.bottom()),
                                   QPointF(left + width + slant, rect.top()), QPointF(left + slant, rect.top())};
            painter.drawPolygon(stripe.intersected(QPolygonF(rect)));
        }
        strokeRect(painter, rect, 0, QColor(0x15, 0x18, 0x1D), 1, LineStyle::Solid);
        painter.restore();
        break;
    }
    }
}

struct TileKey {
    Tile tile;
    int width, height, parts, scale;
    QRgb fill;
    bool dark, presenter;
    friend bool operator==(const TileKey&, const TileKey&) = default;
};
size_t qHash(const TileKey& k, size_t seed) {
    return qHashMulti(seed, static_cast<int>(k.tile), k.width, k.height, k.parts, k.scale, k.fill, k.dark, k.presenter);
}

} // namespace

void paintTile(PaintContext& c, Tile tile, const QRectF& rect, const QColor& fill, int parts) {
    const qreal scale = c.deviceScale();
    const int width = static_cast<int>(std::lround(rect.width() * scale));
    const int height = static_cast<int>(std::lround(rect.height() * scale));
    if (width <= 0 || height <= 0) return;
    // Big cells are few; vector devices want outlines.
    if (c.vector || width * height > 256 * 256) {
        c.painter.save();
        drawTile(c.painter, c.theme, tile, rect, fill, parts);
        c.painter.restore();
        return;
    }
    static thread_local QCache<TileKey, QImage> cache(4 * 1024); // KiB
    const TileKey key{tile,
                      width,
                      height,
                      std::min(parts, 6),
                      static_cast<int>(std::lround(scale * 1000)),
                      fill.rgb(),
                      c.theme.kind() == ThemeKind::Dark,
                      c.theme.isPresenter()};
    if (const QImage* image = cache.object(key)) {
        c.painter.drawImage(rect, *image);
        return;
    }
    auto* made = new QImage(width, height, QImage::Format_ARGB32_Premultiplied);
    made->fill(Qt::transparent);
    QPainter painter(made);
    painter.scale(scale, scale);
    drawTile(painter, c.theme, tile, QRectF(0, 0, width / scale, height / scale), fill, parts);
    painter.end();
    c.painter.drawImage(rect, *made);
    cache.insert(key, made, std::max(1, width * height / 256));
}

} // namespace stridescope
