#include "widgets/motion/motion_told.h"

#include "core/view/walk.h"
#include "widgets/model/words.h"
#include "widgets/motion/motion_parts.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"

#include <algorithm>

namespace stridescope {

namespace {

using namespace motion;
using Look = CellsItem::Look;

QString nameOf(const MotionBoard& board) {
    return board.tensor.name.isEmpty() ? PaintedText::tr("the result") : board.tensor.name;
}

QString storageOf(const Picture& p, int b) {
    const MotionStorage* storage = p.storage(b);
    if (!storage || storage->number <= 0) return PaintedText::tr("a storage without a name");
    return PaintedText::tr("storage #%1").arg(storage->number);
}

QString boardText(const Picture& p, int b) {
    const MotionBoard& board = p.board(b);
    if (board.kind == MotionBoard::Kind::Strip) {
        const MotionStorage* storage = p.storage(b);
        const QString own = PaintedText::tr("%1, %2 of %3 on %4")
                                .arg(storageOf(p, b), elementsText(storage->numel), dtypeText(storage->dtype),
                                     QString::fromStdString(toString(storage->device)));
        return board.fresh ? PaintedText::tr("%1, new").arg(own) : own;
    }
    const TensorRecord& record = board.tensor.record;
    return PaintedText::tr("%1, size %2, stride %3, offset %4, %5, %6")
        .arg(nameOf(board), shapeText(record.view.shape), tupleText(record.view.stride),
             QString::number(record.view.offset), dtypeText(record.dtype), storageOf(p, b));
}

QString valueOf(const Picture& p, const Standing& cell) {
    if (cell.storage < 0) return PaintedText::tr("value unknown");
    const MotionStorage& storage = p.plan.input.storages[static_cast<std::size_t>(cell.storage)];
    const Tensor& values = cell.after ? storage.after : storage.before;
    if (!values.defined() || !storage.knows(cell.after, cell.slot)) return PaintedText::tr("value unknown");
    return PaintedText::tr("value %1").arg(valueText(values, cell.slot));
}

QString slotText(const Picture& p, const Standing& cell) {
    const Look look = cell.look;
    QString text = PaintedText::tr("index %1, ").arg(cell.slot);
    if (look == Look::Pending) return text + PaintedText::tr("not written yet");
    text += valueOf(p, cell);
    if (look == Look::Skipped) return text + PaintedText::tr(", skipped");
    if (cell.card >= 0 && (look == Look::View || look == Look::Written))
        text += PaintedText::tr(", reached by %1").arg(nameOf(p.board(cell.card)));
    return text;
}

} // namespace

QString motionCaption(const MotionPlan& plan, qreal t) {
    const std::size_t at = std::min(plan.times.stageAt(t), plan.stages.size() - 1);
    return PaintedText::tr("Stage %1 of %2, %3. %4")
        .arg(QString::number(at + 1), QString::number(plan.stages.size()), plan.stages[at].name, plan.caption(t));
}

std::vector<PicturePart> motionTold(const MotionPlan& plan, const MotionLayout& layout, qreal t) {
    using Kind = PicturePart::Kind;
    const Picture p{plan, layout, std::clamp(t, 0.0, 1.0)};
    std::vector<PicturePart> told;
    told.push_back({Kind::Text, motionCaption(plan, t), QRectF(0, 0, layout.size.width(), MotionLayout::kBand - 8), 0});
    for (int b = 0; b < p.boards(); ++b) {
        if (!p.appeared(b)) continue;
        const BoardPlace& place = p.place(b);
        const Kind kind = plan.cells && p.board(b).positions() > 0 ? Kind::Table : Kind::Text;
        const QRectF cells = layout.boardRect(b).translated(p.shift(b));
        told.push_back({kind, boardText(p, b), cells.united(QRectF(place.header + p.shift(b), QSizeF(1, 1))), b});
    }
    return told;
}

QStringList motionCellNames(const MotionPlan& plan, const MotionLayout& layout, qreal t, int board) {
    const Picture p{plan, layout, std::clamp(t, 0.0, 1.0)};
    const MotionBoard& shown = p.board(board);
    const std::vector<Standing> all = standing(p, board);
    QStringList names;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Standing& cell = all[k];
        if (shown.kind == MotionBoard::Kind::Strip) {
            names << slotText(p, cell);
            continue;
        }
        const QString name =
            nameOf(shown) + coordText(coordOfPosition(shown.tensor.record.view, static_cast<Index>(k)));
        if (!cell.there) {
            names << PaintedText::tr("%1, not there yet").arg(name);
            continue;
        }
        const QString text = PaintedText::tr("%1, %2, %3 index %4")
                                 .arg(name, valueOf(p, cell), storageOf(p, board), QString::number(cell.slot));
        names << (cell.look == Look::Ghost ? PaintedText::tr("%1, repeated").arg(text) : text);
    }
    return names;
}

QRectF motionCellRect(const MotionPlan& plan, const MotionLayout& layout, qreal t, int board, Index position) {
    const Picture p{plan, layout, std::clamp(t, 0.0, 1.0)};
    return {p.cellAt(board, position), p.place(board).cell};
}

} // namespace stridescope
