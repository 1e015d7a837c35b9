#pragma once
// The parts of the Explore picture below the cards. Each appends its nodes to a scene.

#include "widgets/stage/linking.h"
#include "widgets/stage/stage_layout.h"

namespace stridescope {

/// Index of the parts that are links, of kind None: hop labels stand aside from them.
inline constexpr int kLinkPart = 1;
/// That of the way which links to a lower row share.
inline constexpr int kTrunkPart = 2;
/// That of the marks beside a strip that goes on above or below.
inline constexpr int kRowsLeftOutPart = 3;

/// What the parts share: looked up once per scene.
struct StageContext {
    const ExploreState& state;
    const StagePlan& plan;
    const TensorEntry* selected = nullptr;
    std::optional<Pick> pick;        ///< shown: hovered, else pinned
    qreal remaining = 0;             ///< of the current change: 1 at its start, 0 in the end state
    std::vector<QRectF> obstacles{}; ///< words, cells and maps below the cards: links go round them
    std::vector<QLineF> tethers{};   ///< level and upright: links cross them, and never run along them
};

/// Number × dtype · device in the handle, bytes below it; what has no room in the handle moves down a line.
void appendHandle(Scene& scene, const StageContext& context, const StripPlan& strip);
/// Owner handle, cells, marks, ruler and, if the strip does not fit, its small map.
void appendStrip(Scene& scene, const StageContext& context, const StripPlan& strip);
/// A strip that is not in sight as a whole, at a glance: the highest and lowest values of its whole storage, what the
/// selected view reaches, and a frame round what is in sight.
void appendMiniMap(Scene& scene, const StageContext& context, const StripPlan& strip);
/// Beside a strip that goes on above or below and has no map: where it goes on.
void appendRowsLeftOut(Scene& scene, const StripPlan& strip);
/// Where cells share pixels: which of them are in sight, and what a pixel shows of them.
void appendOverviewWords(Scene& scene, const StageContext& context, const StripPlan& strip);
/// Flag at the selected tensor's offset.
void appendOffsetFlag(Scene& scene, const StageContext& context);
/// Whether the strip's cells are wide enough for arches to say something.
bool hasHops(const StageContext& context);
/// Arches of the walk to the shown cell of the selected tensor. Their labels keep clear of badges, of the offset flag
/// and of the links in `scene`. Returns how many found no place beside a link, and lie over it on their plates.
int appendHops(Scene& scene, const StageContext& context);
/// "8 of 20 cells" that a tensor reaches, or as much of it as there is room for: "7.5e9 cells" at the least.
QString laneWords(const TensorEntry& entry, Index cellCount, qreal width);
/// "Who reaches what, in visiting order".
void appendLanes(Scene& scene, const StageContext& context);
/// Lines from the cards to the handles of their storages: attached means view. Returns their straight pieces.
std::vector<QLineF> appendTethers(Scene& scene, const StageContext& context);
/// How links go from the cards to the strip where nothing is in their way: curves, or across right under the cards and
/// straight down, which leaves the room over the strip to labels.
enum class LinkWay : quint8 { Curves, Lanes };
/// Lines from the cells of the shown slot in the cards to its strip cell, past the offset flag and the badges. Returns
/// what of them lies over the strip's cells: the way along a row of colours, which has no gap above it.
std::vector<SceneNode> appendLinks(Scene& scene, const StageContext& context, LinkWay way);

/// "#3 · 12 × float32 · +48 B": a storage in one line, with the price of a copy.
QString storageText(const StripPlan& strip, const ExploreState& state);
/// What stands before the storages that have no strip.
QString shelfTitle();
/// Where the shown cell is drawn in its storage's chip; empty where it is not of this storage.
QRectF shelfCell(const StageContext& context, const ShelfChip& chip);
/// Storages that have no strip, as chips that bring them.
void appendShelf(Scene& scene, const StageContext& context);

/// Where it is said which way the shown slot is scrolled out of the strip: at that edge, beside the offset flag.
/// Empty when the slot is in sight. Links end there.
QRectF notInSightBox(const StageContext& context);
/// "index 45 →": the sign itself; a click on it scrolls there.
void appendNotInSight(Scene& scene, const StageContext& context);
/// Where the offset flag's cloth is drawn; empty when there is none.
QRectF offsetFlagBox(const StageContext& context);

/// Slots beyond the ends of `storageId` that the preview or the refused line names; empty if none.
SlotRange wantedOutside(const ExploreState& state, quint64 storageId, Index cellCount);
/// The strip's cells as the painter takes them, before anything is marked on them.
StripItem stripItem(const ExploreState& state, const StripPlan& strip);

} // namespace stridescope
