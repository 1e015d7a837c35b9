// What is told of a broadcast in words. See broadcast_accessible.h.

#include "widgets/broadcast/broadcast_accessible.h"
#include "widgets/broadcast/broadcast_parts.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"

namespace stridescope {

namespace {

using broadcast::Picture;

QString storageOf(const BroadcastOperand& operand) {
    return operand.storageNumber > 0 ? PaintedText::tr("storage #%1").arg(operand.storageNumber)
                                     : PaintedText::tr("temporary storage");
}

/// The columns that have a verdict, from the right.
QString verdictText(const Picture& p, std::size_t d) {
    const BroadcastModel& model = p.model;
    QStringList sizes, repeated;
    for (const BroadcastOperand& operand : model.operands) {
        sizes << QString::number(operand.aligned.shape[d]);
        if (model.ok() && operand.aligned.shape[d] != model.shape[d]) repeated << operand.code;
    }
    QString text = PaintedText::tr("dim %1: %2").arg(QString::number(d), sizes.join(PaintedText::tr(" and ")));
    if (model.outputGrows() && model.failsAt(d)) return text + PaintedText::tr(": %1 would grow").arg(model.resultName);
    if (model.conflictDim == static_cast<Index>(d)) return text + PaintedText::tr(": they do not fit");
    text += PaintedText::tr(" fit");
    if (model.ok()) text += PaintedText::tr(", the result has %1").arg(model.shape[d]);
    if (!repeated.isEmpty()) text += PaintedText::tr(", repeated: %1").arg(repeated.join(QStringLiteral(", ")));
    return text;
}

QString cardText(const Picture& p, std::size_t card) {
    if (card == p.model.operands.size())
        return p.allJudged() ? PaintedText::tr("%1, size %2, %3 of %4 computed")
                                   .arg(p.model.resultName, shapeText(p.model.shape), countText(p.frame.computed),
                                        countText(p.model.numel()))
                             : PaintedText::tr("%1, the result").arg(p.model.resultName);
    const BroadcastOperand& operand = p.model.operands[card];
    const QString own = PaintedText::tr("%1, size %2, %3, %4")
                            .arg(operand.code, shapeText(operand.tensor.shape()), dtypeText(operand.tensor.dtype()),
                                 storageOf(operand));
    if (!p.stretched() || !operand.stretches()) return own;
    return own + PaintedText::tr(", stretched to %1 with stride %2")
                     .arg(shapeText(operand.stretched.shape), tupleText(operand.stretched.stride));
}

QString toldCaption(const Picture& p) {
    return PaintedText::tr("Stage %1 of 4. ").arg(static_cast<int>(p.frame.stage) + 1) + broadcast::captionOf(p);
}

QString sumOf(const BroadcastModel& model, Index element) {
    const QString sum = model.arithmetic(element), reason = model.reason(element);
    return reason.isEmpty() ? sum : sum + QStringLiteral(", ") + reason;
}

} // namespace

QString broadcastCaption(const BroadcastModel& model, const BroadcastLook& look) {
    const BroadcastTimeline timeline(model);
    return toldCaption(broadcast::pictureFor(model, timeline, look));
}

std::vector<PicturePart> broadcastTold(const BroadcastModel& model, const BroadcastLook& look) {
    using Kind = PicturePart::Kind;
    const BroadcastTimeline timeline(model);
    const Picture p = broadcast::pictureFor(model, timeline, look);
    std::vector<PicturePart> told;
    const auto text = [&](const QString& words, const QRectF& rect) { told.push_back({Kind::Text, words, rect, 0}); };
    text(toldCaption(p), p.places.stages);
    for (const BroadcastOperand& operand : model.operands) {
        QString words = PaintedText::tr("%1 has %2").arg(operand.code, shapeText(operand.tensor.shape()));
        if (p.frame.ghosts >= 1 && !(operand.aligned.shape == operand.tensor.shape()))
            words += PaintedText::tr(", counts as %1").arg(shapeText(operand.aligned.shape));
        text(words, p.places.table);
    }
    for (std::size_t card = 0; card < p.places.cards.size(); ++card)
        told.push_back({Kind::Table, cardText(p, card), p.places.cards[card], static_cast<int>(card)});
    for (int i = 0; i < p.frame.judged && i < static_cast<int>(model.shape.size()); ++i)
        text(verdictText(p, model.shape.size() - 1 - static_cast<std::size_t>(i)), p.places.table);
    if (!model.ok() && !look.veiled && (look.t >= 1 - 1e-9 || p.frame.stretch > 0)) {
        text(model.refusalText(), p.places.side);
        for (std::size_t i = 0; i < model.mends.size(); ++i)
            told.push_back({Kind::Button,
                            QStringLiteral("%1: %2").arg(model.mends[i].label, model.mends[i].outcome),
                            {},
                            static_cast<int>(i)});
    }
    if (!p.allJudged() || look.veiled) return told;
    const auto bytes = [](Index count) { return bytesText(static_cast<quint64>(count)); };
    text(PaintedText::tr("%1 stored, 0 B copied by stretching, %2 new")
             .arg(bytes(model.storedBytes), model.inPlace ? QStringLiteral("0 B") : bytes(model.resultBytes())),
         p.places.side);
    if (model.alignment.grows)
        text(PaintedText::tr("Larger than every input: %1 → %2").arg(model.shapesText(), shapeText(model.shape)),
             p.places.side);
    if (const auto element = p.shown(); element && model.numel() > 0 && *element < p.frame.computed)
        text(model.resultName + coordText(model.coordOf(*element)) + QStringLiteral(": ") + sumOf(model, *element),
             p.places.now);
    return told;
}

BroadcastCells broadcastCells(const BroadcastModel& model, const BroadcastLook& look, std::size_t card) {
    const BroadcastTimeline timeline(model);
    const Picture p = broadcast::pictureFor(model, timeline, look);
    if (card >= model.operands.size()) return {{p.allJudged() ? model.shape : Dims{0}}, card};
    const BroadcastOperand& operand = model.operands[card];
    return {{p.stretched() && operand.stretches() ? operand.stretched.shape : operand.aligned.shape}, card};
}

QString broadcastCellName(const BroadcastModel& model, const BroadcastLook& look, const BroadcastCells& cells,
                          const Dims& coord) {
    if (cells.card >= model.operands.size()) {
        const BroadcastTimeline timeline(model);
        const Index element = model.elementOf(coord);
        const QString name = model.resultName + coordText(coord) + QStringLiteral(", ");
        if (element >= timeline.at(look.t).computed) return name + PaintedText::tr("not computed yet");
        const QString sum = sumOf(model, element);
        return name + (sum.isEmpty() ? PaintedText::tr("too large to be computed here") : sum);
    }
    const BroadcastOperand& operand = model.operands[cells.card];
    const bool stretched = cells.shape == operand.stretched.shape && !(cells.shape == operand.aligned.shape);
    const Index slot = (stretched ? operand.stretched : operand.aligned).slot(coord);
    // Its own dims have names; those in front are ghosts.
    const std::size_t missing = stretched ? 0 : coord.size() - operand.tensor.shape().size();
    Dims own;
    for (std::size_t d = missing; d < coord.size(); ++d) own.push_back(coord[d]);
    return PaintedText::tr("%1, value %2, %3 index %4")
        .arg(operand.code + coordText(own), valueText(operand.tensor, slot), storageOf(operand), QString::number(slot));
}

QRectF broadcastCellRect(const BroadcastModel& model, const BroadcastLook& look, const BroadcastCells& cells,
                         const Dims& coord) {
    const BroadcastTimeline timeline(model);
    const Picture p = broadcast::pictureFor(model, timeline, look);
    if (cells.card >= p.places.cards.size()) return {};
    return broadcast::cellRect(p, p.places.cards[cells.card], coord).value_or(QRectF());
}

} // namespace stridescope
