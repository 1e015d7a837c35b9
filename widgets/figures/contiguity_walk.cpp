#include "widgets/figures/contiguity_walk.h"

#include "core/view/reach_query.h"
#include "core/view/walk.h"
#include "widgets/card/draw.h"
#include "widgets/card/text_metrics.h"
#include "widgets/figures/figure.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

namespace stridescope {

namespace {

constexpr qreal kPitch = 14.2, kHeight = 20, kArcRoom = 44;
constexpr qreal kMore = 10;
constexpr Index kLineBytes = 64;
/// More arcs over one strip cannot be followed; the counts below it are of all steps.
constexpr std::size_t kMostArcs = 8;
/// As many arcs can have a label each. Beyond that jumps of several lengths would cross each other under their labels.
constexpr Index kEach = 4;
/// Positions looked at: a window of storage never shows more.
constexpr Index kLookedAt = 4096;

struct Window {
    Index first = 0, count = 0;
    qreal pitch = kPitch;
    qreal left = 1;
    bool holds(Index slot) const { return slot >= first && slot < first + count; }
    qreal x(Index slot) const { return left + static_cast<qreal>(slot - first) * pitch; }
    qreal centre(Index slot) const { return x(slot) + pitch / 2; }
};

Window windowFor(const WalkFigureInput& input, const View& view, const std::vector<Index>& slots, Index storageNumel) {
    Window window;
    // As wide as the longest order number that can appear.
    const QString longest = QString::number(std::max<Index>(9, std::min<Index>(view.numel(), kLookedAt) - 1));
    window.pitch = std::max(kPitch, textWidth(FontRole::IndexStrong, longest) + 3.0);
    const Index fit = std::max<Index>(1, static_cast<Index>((input.width - 2) / window.pitch));
    Index end = storageNumel;
    for (const Index slot : slots) end = std::max(end, slot + 1); // a preview may reach past the end
    window.count = std::min(fit, end);
    if (input.firstSlot) {
        window.first = *input.firstSlot;
    } else if (!slots.empty() && end > fit) {
        const Index lowest =
            *std::min_element(slots.begin(), slots.begin() + std::min<std::ptrdiff_t>(8, std::ssize(slots)));
        window.first = lowest - 1;
    }
    window.first = std::clamp<Index>(window.first, 0, std::max<Index>(0, end - window.count));
    window.left = 1;
    if (window.count < end) {
        // Each sign for what is left out takes the place of a cell.
        const Index signs = (window.first > 0 ? 1 : 0) + (window.first + window.count < end ? 1 : 0);
        window.count = std::max<Index>(1, window.count - signs);
        if (window.first > 0) window.left += kMore;
    }
    return window;
}

void appendCells(SceneBuilder& out, const Window& window, const std::unordered_map<Index, Index>& order, Index lowest,
                 Index highest, Index storageNumel, int colour, Index upTo, qreal top) {
    for (Index slot = window.first; slot < window.first + window.count; ++slot) {
        const QRectF cell(window.x(slot) + 0.5, top, window.pitch - 1, kHeight);
        const auto found = order.find(slot);
        BoxItem box;
        box.rect = cell;
        box.radius = 1;
        if (slot >= storageNumel) {
            box.outline = Tone::Error;
            box.hatched = true;
        } else if (found == order.end()) {
            box.outline = Tone::Ghost;
            box.style = slot > lowest && slot < highest ? LineStyle::Dotted : LineStyle::Solid;
        } else if (found->second > upTo) {
            box.fill = Theme::viewTone(colour);
            box.opacity = 0.34;
            box.outline = Tone::Ghost;
            box.style = LineStyle::Dotted;
        } else {
            box.fill = Theme::viewTone(colour);
            box.outline = Tone::Ink;
        }
        out.box(box, PartKind::LaneCells, static_cast<int>(std::min<Index>(slot, 0x7FFFFFFF)));
        if (found != order.end() && found->second <= upTo) {
            out.text(QPointF(cell.center().x(), top + 14), QString::number(found->second), FontRole::IndexStrong,
                     slot >= storageNumel ? Tone::Ink : Tone::OnView, Qt::AlignHCenter | Qt::AlignBaseline);
        }
    }
}

/// Jumps of one length: how many the walk has up to where it is shown.
struct Jumps {
    Index step = 0, count = 0;
};

std::vector<Jumps> jumpsOf(const Walk& walk, const View& view, Index upTo) {
    std::vector<Jumps> all;
    for (const WalkStepKind& kind : walk.kinds) {
        Walk alone = walk;
        alone.kinds = {kind};
        const Index count = upTo > 0 ? jumpsWithin(alone, view, upTo) : 0;
        if (count == 0) continue;
        const auto same = std::find_if(all.begin(), all.end(), [&](const Jumps& j) { return j.step == kind.step; });
        if (same == all.end()) {
            all.push_back({kind.step, count});
        } else {
            same->count += count;
        }
    }
    return all;
}

QString jumpsText(const Jumps& jumps) {
    return jumps.count > 1 ? QStringLiteral("%1 × ").arg(jumps.count) + stepText(jumps.step) : stepText(jumps.step);
}

/// Places for the words over arcs: none over another or so near that both would be read as one, none outside the
/// picture.
class ArcLabels {
public:
    explicit ArcLabels(qreal width) : m_width(width) {}
    /// At the first of `places` where there is room.
    bool put(std::initializer_list<QPointF> places, const QString& text) {
        return std::any_of(places.begin(), places.end(), [&](QPointF at) { return put(at, text); });
    }
    bool put(QPointF at, const QString& text) {
        const qreal half = textWidth(FontRole::IndexStrong, text) / 2 + 2;
        if (2 * half > m_width) return false;
        const qreal x = std::clamp(at.x(), half, m_width - half);
        const QRectF room(x - half, at.y() - 10, 2 * half, 12);
        constexpr qreal kApart = 9;
        const QRectF wide = room.adjusted(-kApart, 0, kApart, 0);
        const auto taken = [&wide](const auto& label) { return label.first.intersects(wide); };
        if (std::any_of(m_labels.begin(), m_labels.end(), taken)) return false;
        m_labels.emplace_back(room, text);
        return true;
    }
    /// On a ground of their own: arcs pass behind them.
    void draw(SceneBuilder& out) const {
        for (const auto& [room, text] : m_labels) {
            BoxItem plate;
            plate.rect = room;
            plate.fill = out.scene().ground;
            out.box(plate);
            out.text(QPointF(room.center().x(), room.top() + 10), text, FontRole::IndexStrong, Tone::Ink,
                     Qt::AlignHCenter | Qt::AlignBaseline);
        }
    }

private:
    qreal m_width;
    std::vector<std::pair<QRectF, QString>> m_labels;
};

/// Steps of 1 are a line under the cells, jumps are arcs; where one end lies outside the window, as far as its edge.
/// Returns the jumps that no label tells: together with these the labels make up all `jumps`.
std::vector<Jumps> appendSteps(SceneBuilder& out, const Window& window, const std::vector<Index>& slots, Index upTo,
                               const Walk& walk, std::vector<Jumps> jumps, qreal width, qreal top) {
    const auto seen = [&window](Index from, Index to) { return window.holds(from) || window.holds(to); };
    const auto atEdge = [&window](Index slot) {
        const qreal right = window.x(window.first + window.count) + 4;
        return slot < window.first ? window.left - 1 : std::min(window.centre(slot), right);
    };
    struct Arc {
        Index step = 0;
        qreal left = 0, right = 0; ///< where it starts and where it ends, in the order of the walk
        bool whole = true;
        qreal rise() const { return std::clamp(8 + std::abs(right - left) * 0.09, 11.0, 27.0); }
        QPointF label(qreal top, qreal share) const { return {left + (right - left) * share, top - rise() - 5}; }
    };
    std::vector<Arc> arcs;
    for (std::size_t p = 0; p + 1 < slots.size() && static_cast<Index>(p) < upTo; ++p) {
        const Index from = slots[p];
        const Index to = slots[p + 1];
        if (!seen(from, to)) continue;
        const Index step = to - from;
        const bool whole = window.holds(from) && window.holds(to);
        if (std::abs(step) == 1 && !walk.isJump(step)) {
            if (!whole) continue;
            out.line(QPointF(window.centre(from) - 4, top + kHeight + 5),
                     QPointF(window.centre(to) + 4, top + kHeight + 5), Tone::Ink, 2.5);
            continue;
        }
        if (walk.isJump(step)) arcs.push_back({step, atEdge(from), atEdge(to), whole});
    }
    const auto lengths = std::count_if(walk.kinds.begin(), walk.kinds.end(),
                                       [&walk](const WalkStepKind& kind) { return walk.isJump(kind.step); });
    if (lengths > 1 && walk.jumps > kEach) {
        // One for each length, a whole one where there is any; its label says how many there are.
        std::stable_partition(arcs.begin(), arcs.end(), [](const Arc& arc) { return arc.whole; });
        std::vector<Arc> first;
        for (const Arc& arc : arcs) {
            if (std::none_of(first.begin(), first.end(), [&arc](const Arc& f) { return f.step == arc.step; }))
                first.push_back(arc);
        }
        arcs = std::move(first);
    }
    if (arcs.size() > kMostArcs) arcs.resize(kMostArcs);
    for (const Arc& arc : arcs) {
        out.arc(QPointF(arc.left, top - 1), QPointF(arc.right, top - 1), arc.rise(), Tone::Ink, 2,
                arc.whole ? LineStyle::Solid : LineStyle::Dashed, false);
    }
    // Few jumps: each has its label. Where one would find no room, or there are more: one label for all of a length.
    Index all = 0;
    for (const Jumps& kind : jumps) all += kind.count;
    if (all <= kEach && all == std::ssize(arcs)) {
        ArcLabels labels(width);
        if (std::all_of(arcs.begin(), arcs.end(),
                        [&](const Arc& arc) { return labels.put(arc.label(top, 0.5), stepText(arc.step)); })) {
            labels.draw(out);
            return {};
        }
    }
    ArcLabels labels(width);
    std::erase_if(jumps, [&](const Jumps& kind) {
        return std::any_of(arcs.begin(), arcs.end(), [&](const Arc& arc) {
            return arc.step == kind.step &&
                   labels.put({arc.label(top, 0.5), arc.label(top, 0.3), arc.label(top, 0.7)}, jumpsText(kind));
        });
    });
    labels.draw(out);
    return jumps;
}

/// Each lights up when the walk touches it and fades while the walk is elsewhere. `slots`: those that were visited.
void appendLines(SceneBuilder& out, const Window& window, std::span<const Index> slots, int colour, Index perLine,
                 Index storageNumel, qreal top) {
    constexpr qreal kLight = 5, kFades = 0.8, kFaded = 0.25;
    std::unordered_map<Index, std::size_t> touched; // line to the number of its last visit, from 1
    for (std::size_t p = 0; p < slots.size(); ++p) touched[slots[p] / perLine] = p + 1;
    const Index last = std::min(window.first + window.count, storageNumel) - 1;
    for (Index line = window.first / perLine; last >= 0 && line <= last / perLine; ++line) {
        const Index from = std::max(window.first, line * perLine);
        const Index to = std::min(last, line * perLine + perLine - 1);
        const qreal left = window.x(from) + 0.5;
        const qreal right = window.x(to) + window.pitch - 1.5;
        if (const auto found = touched.find(line); found != touched.end()) {
            const qreal opacity = std::pow(kFades, static_cast<qreal>(slots.size() - found->second));
            BoxItem light{QRectF(left, top, right - left, kLight), Theme::viewTone(colour), Tone::None};
            light.opacity = std::max(kFaded, opacity);
            out.box(light);
        }
        PathItem bracket;
        // Open at a side where the line goes on outside the window.
        const bool opens = from == line * perLine;
        const bool closes = to == line * perLine + perLine - 1 || to == storageNumel - 1;
        bracket.path.moveTo(left, opens ? top : top + 5);
        bracket.path.lineTo(left, top + 5);
        bracket.path.lineTo(right, top + 5);
        if (closes) bracket.path.lineTo(right, top);
        bracket.stroke = Tone::Control;
        bracket.width = 1.5;
        out.path(bracket);
        const QString name = PaintedText::tr("line %1").arg(line);
        const QString text = textWidth(FontRole::Label, name) <= right - left ? name : QString::number(line);
        if (textWidth(FontRole::Label, text) <= right - left) {
            out.text(QPointF((left + right) / 2, top + 18), text, FontRole::Label, Tone::Ink2,
                     Qt::AlignHCenter | Qt::AlignBaseline);
        }
    }
}

} // namespace

std::optional<Index> firstVisit(const View& view, Index slot) {
    const std::vector<Index> slots = visitedSlots(view, 0, std::min(view.numel(), kLookedAt));
    const auto found = std::find(slots.begin(), slots.end(), slot);
    if (found == slots.end()) return std::nullopt;
    return static_cast<Index>(found - slots.begin());
}

Scene contiguityWalkScene(const WalkFigureInput& input) {
    const Tensor& tensor = input.entry->tensor;
    const View& view = input.preview ? *input.preview : tensor.view();
    const Index numel = view.numel();
    const Index storageNumel = tensor.storageNumel();
    const std::vector<Index> slots = visitedSlots(view, 0, std::min(numel, kLookedAt));
    const Walk walk = walkOf(view);
    const Index upTo =
        input.upTo ? std::clamp<Index>(*input.upTo, 0, std::max<Index>(0, numel - 1)) : std::max<Index>(0, numel - 1);

    Scene scene;
    scene.title = PaintedText::tr("Contiguity walk of %1").arg(input.entry->name);
    SceneBuilder out(scene, {}, input.entry->id, tensor.storage()->id());
    if (numel == 0) {
        out.text(QPointF(0, 16), PaintedText::tr("0 elements: nothing is visited."), FontRole::Label, Tone::Ink2);
        scene.size = QSizeF(input.width, 24);
        return scene;
    }
    const Window window = windowFor(input, view, slots, storageNumel);
    std::unordered_map<Index, Index> order;
    Index lowest = slots.front();
    Index highest = slots.front();
    for (std::size_t p = 0; p < slots.size(); ++p) {
        order.emplace(slots[p], static_cast<Index>(p));
        lowest = std::min(lowest, slots[p]);
        highest = std::max(highest, slots[p]);
    }
    if (const auto all = reach(view); all.ok()) {
        lowest = all->lowest;
        highest = all->highest;
    }
    // Arcs need their room only when there are any.
    const qreal top = walk.jumps > 0 ? kArcRoom : 6;
    appendCells(out, window, order, lowest, highest, storageNumel, input.entry->colour, upTo, top);
    const std::vector<Jumps> jumps = jumpsOf(walk, view, upTo);
    QStringList unlabelled;
    for (const Jumps& kind : appendSteps(out, window, slots, upTo, walk, jumps, input.width, top))
        unlabelled << jumpsText(kind);
    Index jumpCount = 0;
    for (const Jumps& kind : jumps) jumpCount += kind.count;
    const Index itemsize = static_cast<Index>(tensor.itemSize());
    const auto visitedSoFar = std::min(slots.size(), static_cast<std::size_t>(upTo) + 1);
    appendLines(out, window, std::span(slots).first(visitedSoFar), input.entry->colour,
                std::max<Index>(1, kLineBytes / itemsize), storageNumel, top + kHeight + 12);

    // What has no room is left out with a sign.
    const Index end = std::max(storageNumel, highest + 1);
    const auto more = [&](qreal x) {
        out.text(QPointF(x, top + 14), QStringLiteral("…"), FontRole::IndexStrong, Tone::Ink2,
                 Qt::AlignHCenter | Qt::AlignBaseline);
    };
    if (window.first > 0) more(window.left - kMore / 2);
    if (window.first + window.count < end) more(window.x(window.first + window.count) + kMore / 2);

    // The counts, in as many lines as they need.
    const CacheLines lines = cacheLinesSoFar(view, upTo + 1, storageNumel, itemsize, kLineBytes);
    const QString touched = PaintedText::tr("%1%2 of %3")
                                .arg(lines.exact ? QString() : PaintedText::tr("at most "))
                                .arg(lines.touched)
                                .arg(lines.ofStorage);
    // The model keeps every line: only the first visit to one misses it.
    const Index hits = upTo + 1 - lines.touched;
    const QString least = lines.exact ? QString() : PaintedText::tr("at least ");
    // A number in a cell is that of its first visit.
    const std::optional<Index> cells = distinctSlots(view);
    const bool again = cells && *cells < numel;
    const QString visited = !again        ? QString()
                            : *cells == 1 ? PaintedText::tr(" visits of 1 cell")
                                          : PaintedText::tr(" visits of %1 cells").arg(countText(*cells));
    struct Run {
        QString text;
        FontRole font;
        Tone tone;
    };
    const auto words = [](const QString& text) { return Run{text, FontRole::Label, Tone::Ink2}; };
    const auto number = [](const QString& text) { return Run{text, FontRole::LabelStrong, Tone::Ink}; };
    std::vector<std::vector<Run>> facts; // each on a line of its own, or whole behind another one
    // Steps that are all alike are no jumps, even if they leave cells out.
    if (walk.smallestStep < 0 || walk.smallestStep > 1)
        facts.push_back({words(PaintedText::tr("steps of ")),
                         number(walk.smallestStep < 0 ? stepText(walk.smallestStep) : countText(walk.smallestStep))});
    if (again) facts.push_back({number(countText(numel)), words(visited)});
    facts.push_back({words(PaintedText::tr("jumps ")), number(countText(jumpCount))});
    // Those out of sight, or without room for words over them.
    if (!unlabelled.isEmpty())
        facts.back().push_back(words(QStringLiteral(" (%1)").arg(unlabelled.join(QStringLiteral(", ")))));
    facts.push_back({words(PaintedText::tr("cache lines touched ")), number(touched)});
    facts.push_back(
        {words(PaintedText::tr("hits ")), number(least + countText(hits)), words(PaintedText::tr("   (model)"))});
    QPointF pen(0, top + kHeight + 48);
    const QString dot = QStringLiteral("   ·   ");
    for (const std::vector<Run>& fact : facts) {
        qreal width = textWidth(FontRole::Label, dot);
        for (const Run& run : fact) width += textWidth(run.font, run.text);
        if (pen.x() > 0 && pen.x() + width > input.width) pen = QPointF(0, pen.y() + 17);
        // The dot only stands between two things on one line.
        if (pen.x() > 0) pen.rx() += out.text(pen, dot, FontRole::Label, Tone::Ink2);
        for (const Run& run : fact) {
            // One that is wider than the picture is broken after all.
            if (pen.x() > 0 && pen.x() + textWidth(run.font, run.text) > input.width) pen = QPointF(0, pen.y() + 17);
            pen.rx() += out.text(pen, run.text, run.font, run.tone);
        }
    }
    scene.size = QSizeF(input.width, pen.y() + 6);
    return scene;
}

} // namespace stridescope
