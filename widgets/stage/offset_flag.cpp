// The flag at the selected tensor's offset.

#include "widgets/card/text_metrics.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/stage_scene_parts.h"

#include <algorithm>

namespace stridescope {

namespace {

constexpr qreal kClothHeight = 24, kClothRise = 52, kLeastClothRise = 40;
/// Between the cards and the cloth: links pass there.
constexpr qreal kOverCloth = 22;

/// Where the flag of the selected tensor stands.
struct FlagPlace {
    QRectF cell;
    QString words;
    qreal top = 0, width = 0, textLeft = 0;
    QRectF cloth; ///< empty where the cells of the row above leave no room for it
    bool left = true;
    bool away = false; ///< its row is not in sight: it stands over the others, without a pole
};
/// Of more rows than these it would be on its way most of the time.
constexpr Index kFewRows = 4;

std::optional<FlagPlace> flagPlace(const StageContext& context) {
    if (!context.plan.hops || !context.plan.strip || !context.selected || context.selected->tensor.numel() == 0)
        return std::nullopt;
    const StripPlan& strip = *context.plan.strip;
    const TensorEntry& entry = *context.selected;
    const Index offset = entry.tensor.storageOffset();
    FlagPlace flag;
    QRectF& cell = flag.cell;
    cell = strip.layout.cellRect(offset);
    const TensorEntry* parent = context.state.snapshot->tensor(entry.parent);
    if (context.remaining > 0 && entry.id == context.state.fresh && parent &&
        parent->tensor.storage() == entry.tensor.storage()) {
        const QRectF from = strip.layout.cellRect(parent->tensor.storageOffset());
        if (from.top() == cell.top()) cell.moveLeft(cell.left() + (from.left() - cell.left()) * context.remaining);
    }
    const QRectF& area = strip.layout.area;
    if (cell.left() < area.left() - 1 || cell.left() > area.right()) return std::nullopt;
    const bool above = cell.top() < area.top() - 1;
    flag.away = above || cell.bottom() > area.bottom() + 1;
    if (flag.away && (strip.layout.rowCount() > kFewRows || !strip.outside.empty())) return std::nullopt;
    flag.words = PaintedText::tr("offset %1").arg(countText(offset));
    if (flag.away) flag.words += above ? QStringLiteral(" ↑") : QStringLiteral(" ↓");
    flag.textLeft = entry.colour >= 0 ? 31 : 14;
    flag.width = flag.textLeft + textWidth(FontRole::LabelStrong, flag.words) + 10;
    const qreal pole = cell.left() + 1;
    const bool firstRow = flag.away || cell.top() < area.top() + strip.layout.rowPitch - 1;
    const qreal rise = context.plan.above > 0 ? kClothRise
                                              : std::clamp(area.top() - context.plan.cardArea.bottom() - kOverCloth,
                                                           kLeastClothRise, kClothRise);
    flag.top = firstRow ? area.top() - rise : cell.top() - 4;
    flag.left = pole + 1 - flag.width >= kStageMargin;
    if (firstRow)
        flag.cloth = QRectF(flag.left ? pole + 1 - flag.width : pole - 1, flag.top, flag.width, kClothHeight);
    else if (flag.left && cell.left() <= area.left() + 1) // beside the row that begins with it
        flag.cloth = QRectF(pole + 1 - flag.width, cell.bottom() - kClothHeight, flag.width, kClothHeight);
    return flag;
}

} // namespace

QRectF offsetFlagBox(const StageContext& context) {
    const std::optional<FlagPlace> flag = flagPlace(context);
    return flag ? flag->cloth : QRectF();
}

void appendOffsetFlag(Scene& scene, const StageContext& context) {
    const std::optional<FlagPlace> flag = flagPlace(context);
    if (!flag) return;
    const StripPlan& strip = *context.plan.strip;
    const TensorEntry& entry = *context.selected;
    // One that stands elsewhere than its cell cannot be dragged by it.
    const Part part = flag->away ? Part{} : Part{PartKind::OffsetFlag, entry.id, strip.storageId, -1};
    const qreal pole = flag->cell.left() + 1, top = flag->top;
    PathItem stick;
    stick.path.moveTo(pole, flag->cell.top() + strip.layout.cellHeight);
    stick.path.lineTo(pole, top);
    stick.width = 2.5;
    // Over cells of any colour.
    PathItem ground = stick;
    ground.path = QPainterPath(QPointF(pole, flag->cell.top() + strip.layout.cellHeight));
    ground.path.lineTo(pole, flag->cell.top());
    ground.stroke = Tone::Stage;
    ground.width = 5;
    if (!flag->away) {
        scene.nodes.push_back({Part{}, ground});
        scene.nodes.push_back({Part{}, stick}); // the cells behind the pole stay under the pointer
    }
    if (flag->cloth.isEmpty()) return;
    const QRectF& r = flag->cloth;
    PathItem cloth;
    QPolygonF shape;
    if (flag->left) {
        shape << r.topRight() << r.topLeft() << QPointF(r.left() + 7, r.center().y()) << r.bottomLeft()
              << r.bottomRight();
    } else {
        shape << r.topLeft() << r.topRight() << QPointF(r.right() - 7, r.center().y()) << r.bottomRight()
              << r.bottomLeft();
    }
    cloth.path.addPolygon(shape);
    cloth.path.closeSubpath();
    cloth.stroke = Tone::None;
    cloth.fill = Tone::Ink;
    scene.nodes.push_back({part, cloth});
    const qreal shift = flag->left ? 0 : -6;
    if (entry.colour >= 0) {
        scene.nodes.push_back(
            {part, BadgeItem{QPointF(r.left() + 18 + shift, r.center().y()), entry.colour, 16, entry.letter}});
    }
    TextItem text;
    text.pos = QPointF(r.left() + flag->textLeft + shift, r.center().y());
    text.anchor = Qt::AlignLeft | Qt::AlignVCenter;
    text.text = flag->words;
    text.font = FontRole::LabelStrong;
    text.tone = Tone::Stage; // on ink ground
    scene.nodes.push_back({part, text});
}

} // namespace stridescope
