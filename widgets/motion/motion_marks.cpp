// What is pointed at in a motion's picture: where a view begins, who belongs together, who is visited.

#include "core/view/walk.h"
#include "widgets/card/text_metrics.h"
#include "widgets/motion/motion_parts.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stridescope::motion {

namespace {

void appendRing(SceneBuilder& out, QPointF at, QSizeF cell, Tone tone = Tone::Ink) {
    BoxItem ring;
    ring.rect = QRectF(at, cell);
    ring.outline = tone;
    ring.width = cell.width() >= 20 ? 3 : 2;
    ring.radius = 3;
    ring.halo = cell.width() >= 20;
    out.box(ring);
}

/// From a gap's far edge to the chain link in it.
constexpr qreal kChain = 10;

/// The position whose turn it is in a walk of `count` at `u`.
Index turnAt(qreal u, Index count) {
    return std::clamp<Index>(static_cast<Index>(u * static_cast<qreal>(count)), 0, std::max<Index>(count - 1, 0));
}

/// A flag planted at a slot of a strip.
void appendFlag(SceneBuilder& out, QPointF foot, const QString& text) {
    const qreal width = textWidth(FontRole::IndexStrong, text) + 10;
    out.line(foot, foot + QPointF(0, -14), Tone::Ink, 2);
    BoxItem flag;
    flag.rect = QRectF(foot + QPointF(0, -26), QSizeF(width, 14));
    flag.fill = Tone::Ink;
    out.box(flag);
    out.text(flag.rect.center(), text, FontRole::IndexStrong, Tone::Stage, kMiddle);
}

void appendWalkRings(SceneBuilder& out, const Picture& p) {
    const qreal u = p.plan.progress(MotionWhat::Walk, p.t);
    if (u <= 0 || u >= 1) return;
    const int card = 0;
    const View& view = p.board(card).tensor.record.view;
    const Index k = turnAt(u, view.numel());
    const int strip = p.plan.stripOf(p.board(card).storage);
    if (view.numel() == 0 || strip < 0) return;
    appendRing(out, p.cellAt(card, k), p.place(card).cell);
    const Index slot = view.slot(coordOfPosition(view, k)) - p.board(strip).first;
    appendRing(out, p.cellAt(strip, slot), p.place(strip).cell);
    // The step that was just made.
    if (k == 0) return;
    const Index last = view.slot(coordOfPosition(view, k - 1)) - p.board(strip).first;
    const QPointF middle(p.place(strip).cell.width() / 2, 0);
    const QPointF from = p.cellAt(strip, last) + middle, to = p.cellAt(strip, slot) + middle;
    if (from.y() == to.y()) out.arc(from, to, 16, slot - last == 1 ? Tone::Ink2 : Tone::Dim1, 2);
}

/// Those that make one result, or will be written to.
void appendGroup(SceneBuilder& out, const Picture& p) {
    const MotionStage* groups = p.plan.stage(MotionWhat::Groups);
    if (!groups || p.t <= groups->begin + kSameMoment) return;
    const MotionStage* slide = p.plan.stage(MotionWhat::Slide);
    const bool reduce = slide != nullptr;
    if (reduce ? p.t > slide->begin + kSameMoment : p.t > groups->end + kSameMoment) return;
    int card = 0;
    for (int b = 0; b < p.boards() && !reduce; ++b)
        if (p.board(b).kind == MotionBoard::Kind::Card && p.board(b).output >= 0) card = b;
    constexpr std::size_t kMostRings = 256;
    const qreal u = std::min(1.0, p.plan.progress(MotionWhat::Groups, p.t) / 0.7);
    const auto shown = static_cast<std::size_t>(std::ceil(u * static_cast<qreal>(p.plan.group.size())));
    for (std::size_t i = 0; i < std::min(shown, kMostRings); ++i)
        appendRing(out, p.cellAt(card, p.plan.group[i]), p.place(card).cell);
}

/// A refused write, element by element: how often each slot would be written to.
void appendHits(SceneBuilder& out, const Picture& p) {
    const qreal u = p.plan.progress(MotionWhat::Write, p.t);
    if (!p.plan.input.refusal || u <= 0 || p.plan.hits.empty()) return;
    int card = 0;
    for (int b = 0; b < p.boards(); ++b)
        if (p.board(b).kind == MotionBoard::Kind::Card && p.board(b).output >= 0) card = b;
    const int strip = p.plan.stripOf(p.board(card).storage);
    if (strip < 0) return;
    const Index now = turnAt(u, std::ssize(p.plan.hits));
    const bool reads = p.plan.readsWritten && now + 1 == std::ssize(p.plan.hits);
    std::map<Index, int> times;
    for (Index i = 0; i <= now - (reads ? 1 : 0); ++i) ++times[p.plan.hits[static_cast<std::size_t>(i)]];
    const QSizeF cell = p.place(strip).cell;
    for (const auto& [slot, count] : times) {
        const QPointF at = p.cellAt(strip, slot - p.board(strip).first);
        BoxItem pill;
        pill.rect = QRectF(at + QPointF(cell.width() / 2 - 12, -18), QSizeF(24, 15));
        pill.radius = 7;
        pill.fill = count > 1 ? Tone::Error : Tone::Ink;
        out.box(pill);
        out.text(pill.rect.center(), QStringLiteral("×%1").arg(count), FontRole::IndexStrong, Tone::Stage, kMiddle);
    }
    const bool twice = reads || times[p.plan.hits[static_cast<std::size_t>(now)]] > 1;
    appendRing(out, p.cellAt(card, now), p.place(card).cell, twice ? Tone::Error : Tone::Ink);
    for (int b = 0; b < p.boards() && !p.plan.reads.empty(); ++b) {
        // The card of what is read is the other one.
        const bool other = p.board(b).kind == MotionBoard::Kind::Card && b != card;
        if (!other) continue;
        const Index from = p.plan.reads[static_cast<std::size_t>(now)];
        appendRing(out, p.cellAt(b, from), p.place(b).cell, twice ? Tone::Error : Tone::Ink);
        break;
    }
    const QPointF at = p.cellAt(strip, p.plan.hits[static_cast<std::size_t>(now)] - p.board(strip).first);
    appendRing(out, at, cell, twice ? Tone::Error : Tone::Ink);
    if (twice) out.glyph(Glyph::Cross, at + QPointF(cell.width() / 2, -28), 14, Tone::Error);
}

/// Chain links astride a real cell and its first ghost.
void appendChains(SceneBuilder& out, const Picture& p) {
    for (int b = 0; b < p.boards(); ++b) {
        const MotionBoard& board = p.board(b);
        if (board.kind != MotionBoard::Kind::Card || !p.appeared(b)) continue;
        const MotionStage* ghosts = p.plan.stage(MotionWhat::Ghosts);
        if (board.output >= 0 && ghosts && p.t <= ghosts->begin + kSameMoment) continue;
        const View& view = board.tensor.record.view;
        for (std::size_t d = 0; d < view.shape.size(); ++d) {
            if (view.stride[d] != 0 || view.shape[d] < 2 || view.numel() == 0) continue;
            const BoardPlace& place = p.place(b);
            const QPointF half(place.cell.width() / 2, place.cell.height() / 2), step = place.steps[d];
            // In the middle of the gap; between cells that touch, on their line.
            const bool across = step.x() > 0;
            const qreal gap = across ? step.x() - place.cell.width() : step.y() - place.cell.height();
            const QPointF first = p.cellAt(b, 0);
            const QPointF at = gap < 1  ? first + half + step / 2
                               : across ? first + QPointF(step.x() - kChain, half.y())
                                        : first + QPointF(half.x(), step.y() - kChain);
            if (place.cell.width() >= 14) out.glyph(Glyph::Chain, at, 12, Tone::Ink);
        }
    }
}

/// Row and column of the element that is computed first.
void appendProductRings(SceneBuilder& out, const Picture& p) {
    const MotionStage* first = p.plan.stage(MotionWhat::First);
    if (!first || p.t <= first->begin + kSameMoment || p.t > first->end + kSameMoment) return;
    for (const MotionCell& move : p.plan.moves) {
        if (move.result || move.begin < first->begin - kSameMoment || move.end > first->end + kSameMoment) continue;
        appendRing(out, p.cellAt(move.fromBoard, move.from), p.place(move.fromBoard).cell);
    }
    for (int b = 0; b < p.boards(); ++b)
        if (p.board(b).role == MotionBoard::Role::Corner) appendRing(out, p.cellAt(b, 0), p.place(b).cell);
}

} // namespace

void appendFlags(SceneBuilder& out, const Picture& p) {
    for (int b = 0; b < p.boards(); ++b) {
        const MotionBoard& board = p.board(b);
        if (board.kind != MotionBoard::Kind::Strip || board.fresh || board.count == 0) continue;
        // Where nothing but the offset is 0 a flag would tell nothing, and stand over the indices of the strip above.
        const bool view = p.plan.family == MotionFamily::View;
        const qreal walk = p.plan.progress(MotionWhat::Walk, p.t);
        if (!view || (walk > 0 && walk < 1)) continue; // the hops of a walk have its place
        int card = -1;
        for (int c = 0; c < p.boards() && card < 0; ++c)
            if (p.board(c).kind == MotionBoard::Kind::Card && p.board(c).storage == board.storage) card = c;
        if (card < 0) continue;
        const auto footOf = [&](int c) {
            const Index at = std::clamp<Index>(p.board(c).tensor.record.view.offset - board.first, 0, board.count - 1);
            return p.cellAt(b, at);
        };
        QPointF foot = footOf(card);
        Index offset = p.board(card).tensor.record.view.offset;
        for (const MotionReach& reach : p.plan.reaches) {
            if (reach.strip != b) continue;
            const qreal u = std::clamp((p.t - reach.begin) / (reach.end - reach.begin), 0.0, 1.0);
            foot += (footOf(reach.after) - foot) * easedInOut(u);
            if (u >= 1) offset = p.board(reach.after).tensor.record.view.offset;
        }
        appendFlag(out, foot, PaintedText::tr("offset %1").arg(offset));
    }
}

void appendRings(SceneBuilder& out, const Picture& p) {
    appendWalkRings(out, p);
    appendGroup(out, p);
    appendHits(out, p);
    appendProductRings(out, p);
    appendChains(out, p);
}

} // namespace stridescope::motion
