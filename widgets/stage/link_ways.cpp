#include "widgets/stage/link_ways.h"

#include "widgets/card/text_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stridescope {

namespace {

/// Half of a link with its casing, and where that finds no way of its line alone.
constexpr qreal kHalf = 2, kSlim = 0.5;
/// Between a link and what it passes.
constexpr qreal kAir = 6;

/// Where the letters are: the height of a line has air in it.
QRectF letters(const TextItem& text) {
    qreal width = textWidth(text.font, text.text);
    if (text.maxWidth > 0) width = std::min(width, text.maxWidth);
    constexpr qreal kOver = 11, kUnder = 3;
    QRectF rect(0, -kOver, width, kOver + kUnder);
    if (text.anchor & Qt::AlignVCenter) rect.moveTop(-(kOver + kUnder) / 2);
    if (text.anchor & Qt::AlignTop) rect.moveTop(0);
    if (text.anchor & Qt::AlignHCenter) rect.moveLeft(-width / 2);
    if (text.anchor & Qt::AlignRight) rect.moveLeft(-width);
    return rect.translated(text.pos);
}

/// The part of a strip's area in which there are cells, up to the slot `end`.
QRectF cellsOf(const StripLayout& layout, Index end) {
    QRectF cells = layout.area;
    const qreal right = layout.cellRect(layout.rowCount() > 1 ? layout.perRow - 1 : end - 1).right();
    cells.setRight(std::clamp(right, cells.left(), cells.right()));
    return cells;
}

struct Obstacles {
    std::vector<QRectF>& things;

    void operator()(const TextItem& text) const {
        if (!text.text.trimmed().isEmpty()) things.push_back(letters(text));
    }
    void operator()(const BoxItem& box) const {
        if (box.hatched || box.fill != Tone::None) things.push_back(box.rect);
    }
    void operator()(const LaneItem& lane) const {
        const QRectF cells = cellsOf(lane.layout, lane.layout.cellCount);
        things.emplace_back(cells.left(), lane.top, cells.width(), lane.height);
    }
    void operator()(const StripItem& strip) const {
        things.push_back(cellsOf(strip.layout, std::max(strip.outOfRange.last, strip.layout.cellCount)));
    }
    template <class Other>
    void operator()(const Other&) const {}
};

/// How much of the piece cannot be told from a line, which is level or upright as it nearly is itself.
qreal along(const QLineF& piece, const QLineF& line) {
    constexpr qreal kSteep = 0.2; // of what is steeper a line shows both sides
    const bool level = line.dy() == 0;
    const QPointF way = piece.p2() - piece.p1();
    const qreal run = std::abs(level ? way.x() : way.y()), rise = std::abs(level ? way.y() : way.x());
    if (rise > run * kSteep) return 0;
    const QPointF middle = piece.center();
    if (std::abs(level ? middle.y() - line.y1() : middle.x() - line.x1()) >= kApart) return 0;
    const auto [low, high] = level ? std::minmax({piece.x1(), piece.x2()}) : std::minmax({piece.y1(), piece.y2()});
    const auto [first, last] = level ? std::minmax({line.x1(), line.x2()}) : std::minmax({line.y1(), line.y2()});
    return std::max(0.0, std::min(high, last) - std::max(low, first));
}

/// Where lines cross, their corners are rounded.
constexpr qreal kMostAlong = 8;

bool follows(const std::vector<QPointF>& corners, const std::vector<QLineF>& lines) {
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const QLineF piece(corners[i - 1], corners[i]);
        const auto longer = [&piece](const QLineF& line) { return along(piece, line) > kMostAlong; };
        if (std::any_of(lines.begin(), lines.end(), longer)) return true;
    }
    return false;
}

/// Whether a way of level and upright lines that are twice `half` wide meets none of the things.
bool isFree(const std::vector<QPointF>& corners, const std::vector<QRectF>& things, qreal half) {
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const QRectF line = QRectF(corners[i - 1], corners[i]).normalized().adjusted(-half, -half, half, half);
        if (std::any_of(things.begin(), things.end(), [&line](const QRectF& thing) { return line.intersects(thing); }))
            return false;
    }
    return true;
}

} // namespace

void addObstacles(std::vector<QRectF>& things, const std::vector<SceneNode>& nodes) {
    for (const SceneNode& node : nodes) std::visit(Obstacles{things}, node.item);
}

bool meets(const QLineF& line, const QRectF& box) {
    if (box.contains(line.p1()) || box.contains(line.p2())) return true;
    const std::array edges{QLineF(box.topLeft(), box.topRight()), QLineF(box.topRight(), box.bottomRight()),
                           QLineF(box.bottomRight(), box.bottomLeft()), QLineF(box.bottomLeft(), box.topLeft())};
    return std::any_of(edges.begin(), edges.end(), [&line](const QLineF& edge) {
        return line.intersects(edge, nullptr) == QLineF::BoundedIntersection;
    });
}

bool meets(const QPainterPath& path, const std::vector<QRectF>& things) {
    const QRectF bounds = path.boundingRect().adjusted(-kHalf, -kHalf, kHalf, kHalf);
    std::vector<QRectF> near;
    for (const QRectF& thing : things)
        if (thing.intersects(bounds)) near.push_back(thing.adjusted(-kHalf, -kHalf, kHalf, kHalf));
    if (near.empty()) return false;
    for (const QPolygonF& line : path.toSubpathPolygons()) {
        for (qsizetype i = 1; i < line.size(); ++i) {
            const QLineF piece(line[i - 1], line[i]);
            if (std::any_of(near.begin(), near.end(), [&piece](const QRectF& thing) { return meets(piece, thing); }))
                return true;
        }
    }
    return false;
}

bool follows(const QPainterPath& path, const std::vector<QLineF>& lines) {
    const QList<QPolygonF> pieces = path.toSubpathPolygons();
    return std::any_of(lines.begin(), lines.end(), [&pieces](const QLineF& line) {
        qreal sum = 0;
        for (const QPolygonF& corners : pieces)
            for (qsizetype i = 1; i < corners.size(); ++i) sum += along(QLineF(corners[i - 1], corners[i]), line);
        return sum > kMostAlong;
    });
}

QPainterPath rounded(const std::vector<QPointF>& corners) {
    QPainterPath path(corners.front());
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const QLineF in(corners[i], corners[i - 1]), out(corners[i], corners[i + 1]);
        const qreal turn = std::min({7.0, in.length() / 2, out.length() / 2});
        path.lineTo(in.length() > 0 ? in.pointAt(turn / in.length()) : corners[i]);
        path.quadTo(corners[i], out.length() > 0 ? out.pointAt(turn / out.length()) : corners[i]);
    }
    path.lineTo(corners.back());
    return path;
}

namespace {

/// Of the ways from port to goal in level and upright lines the shortest that is free; empty where there is none.
std::vector<QPointF> freeWay(const LinkSpan& span, const std::vector<QRectF>& things,
                             const std::vector<QLineF>& tethers, qreal half) {
    const QPointF &port = span.port, &goal = span.goal;
    // Beside things, and in the gaps over and under them.
    std::vector<qreal> upright{goal.x()}, level{span.lane, goal.y() - 6, port.y() + 2.5, (port.y() + goal.y()) / 2};
    upright.insert(upright.end(), span.free.begin(), span.free.end());
    for (const QRectF& thing : things) {
        upright.push_back(thing.left() - kAir);
        upright.push_back(thing.right() + kAir);
        level.push_back(thing.top() - half - 1);
        level.push_back(thing.bottom() + half + 1);
    }
    for (const QLineF& line : tethers) {
        for (const qreal side : {-kApart, kApart}) {
            if (line.dy() == 0)
                level.push_back(line.y1() + side);
            else
                upright.push_back(line.x1() + side);
        }
    }
    std::erase_if(upright, [&span](qreal x) { return x < span.left || x > span.right; });
    std::erase_if(level, [&](qreal y) { return y < port.y() + 2 || y > goal.y() - 2; });
    const auto tidy = [](std::vector<qreal>& places) {
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end(), [](qreal a, qreal b) { return b - a < 0.5; }),
                     places.end());
    };
    tidy(upright);
    tidy(level);
    const auto free = [&](const std::vector<QPointF>& corners) {
        return isFree(corners, things, half) && !follows(corners, tethers);
    };
    std::vector<QPointF> best;
    qreal shortest = 0;
    const auto consider = [&](std::vector<QPointF> corners) {
        constexpr qreal kCorner = 40; // a bend less is worth a longer way
        qreal length = kCorner * static_cast<qreal>(corners.size());
        for (std::size_t i = 1; i < corners.size(); ++i) length += QLineF(corners[i - 1], corners[i]).length();
        // Near the cards rather than through the middle of what is between.
        length += corners[1].y() - port.y();
        if ((!best.empty() && length >= shortest) || !free(corners)) return;
        best = std::move(corners);
        shortest = length;
    };
    // A way that a piece of is blocked needs no look at the others.
    std::vector<qreal> high, low;
    for (const qreal y : level) {
        if (free({port, QPointF(port.x(), y)})) high.push_back(y);
        if (free({QPointF(goal.x(), y), goal})) low.push_back(y);
    }
    for (const qreal a : high) consider({port, {port.x(), a}, {goal.x(), a}, goal});
    for (const qreal x : upright) {
        std::vector<qreal> in, out;
        for (const qreal a : high)
            if (free({QPointF(port.x(), a), QPointF(x, a)})) in.push_back(a);
        for (const qreal b : low)
            if (!in.empty() && free({QPointF(x, b), QPointF(goal.x(), b)})) out.push_back(b);
        for (const qreal a : in)
            for (const qreal b : out)
                if (b >= a + 2) consider({port, {port.x(), a}, {x, a}, {x, b}, {goal.x(), b}, goal});
    }
    return best;
}

} // namespace

QPainterPath wayRound(const QPainterPath& usual, const LinkSpan& span, std::vector<QRectF> things,
                      const std::vector<QRectF>& ports) {
    std::erase_if(things, [&span](const QRectF& thing) {
        return thing.bottom() <= span.port.y() || thing.top() >= span.goal.y();
    });
    std::vector<QRectF> all = things;
    all.insert(all.end(), ports.begin(), ports.end());
    const bool blocked = meets(usual, all);
    if (!blocked && !follows(usual, span.tethers)) return usual;
    const std::vector<QLineF> none;
    for (const std::vector<QLineF>* lines : {&span.tethers, &none}) {
        if (lines == &none && !blocked) break;
        for (const std::vector<QRectF>* avoided : {&all, &things}) {
            for (const qreal half : {kHalf, kSlim}) {
                const std::vector<QPointF> way = freeWay(span, *avoided, *lines, half);
                if (!way.empty()) return rounded(way);
            }
        }
    }
    return usual;
}

} // namespace stridescope
