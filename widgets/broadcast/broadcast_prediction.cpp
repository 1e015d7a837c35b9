#include "widgets/broadcast/broadcast_prediction.h"

#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <QRegularExpression>

#include <algorithm>

namespace stridescope {

namespace {

/// The whole numbers of "(4, 5)", "[4 5]", "4x5"; nothing when anything else stands there.
std::optional<Dims> numbersOf(const QString& said) {
    static const QRegularExpression kWhole(QStringLiteral(R"(^[(\[]?\s*(\d+(?:\s*[,x×\s]\s*\d+)*)?\s*,?\s*[)\]]?$)"));
    const QRegularExpressionMatch match = kWhole.match(said.trimmed());
    if (!match.hasMatch() || said.trimmed().isEmpty()) return std::nullopt;
    static const QRegularExpression kNumber(QStringLiteral(R"(\d+)"));
    Dims numbers;
    for (auto each = kNumber.globalMatch(match.captured(1)); each.hasNext();) {
        bool fits = false;
        numbers.push_back(each.next().captured().toLongLong(&fits));
        if (!fits) return std::nullopt;
    }
    return numbers;
}

bool saysRefused(const QString& said) {
    static const QRegularExpression kWords(
        QStringLiteral("^(it is )?(refused|refusal|error|fails|does not fit|do not fit|nothing|none|x|✗)\\.?$"),
        QRegularExpression::CaseInsensitiveOption);
    return kWords.match(said.trimmed()).hasMatch();
}

/// Its code where that is short, else which one it is.
QString nameOf(const BroadcastModel& model, std::size_t operand) {
    constexpr qsizetype kShort = 16;
    const QString& code = model.operands[operand].code;
    return code.size() <= kShort ? code : PaintedText::tr("operand %1").arg(operand + 1);
}

/// "dim 1: 1 and 5, A is repeated".
QString dimReason(const BroadcastModel& model, std::size_t d) {
    QStringList sizes, repeated;
    for (std::size_t i = 0; i < model.operands.size(); ++i) {
        const BroadcastOperand& operand = model.operands[i];
        const std::size_t missing = model.shape.size() - operand.tensor.shape().size();
        sizes << (d < missing ? QStringLiteral("nothing") : QString::number(operand.aligned.shape[d]));
        if (model.ok() && operand.aligned.shape[d] != model.shape[d]) repeated << nameOf(model, i);
    }
    QString text = PaintedText::tr("dim %1: %2").arg(d).arg(sizes.join(PaintedText::tr(" and ")));
    if (model.conflictDim == static_cast<Index>(d)) return text + PaintedText::tr(" differ and none is 1");
    if (repeated.isEmpty()) return text;
    return text + PaintedText::tr(", so %1 %2 repeated")
                      .arg(repeated.join(PaintedText::tr(" and ")),
                           repeated.size() == 1 ? PaintedText::tr("is") : PaintedText::tr("are"));
}

QString shapeReason(const BroadcastModel& model) {
    if (model.outputGrows())
        return PaintedText::tr("Refused: the result would be larger than %1, which is written to.")
            .arg(model.resultName);
    if (!model.ok() && model.conflictDim)
        return PaintedText::tr("Refused: ") + dimReason(model, static_cast<std::size_t>(*model.conflictDim)) +
               QLatin1Char('.');
    if (!model.ok()) return PaintedText::tr("Refused: ") + model.refusalText();
    // From the right, as the sizes are compared; more than these are not read.
    constexpr std::size_t kTold = 3;
    QStringList reasons;
    for (std::size_t d = model.shape.size(); d-- > 0 && static_cast<std::size_t>(reasons.size()) < kTold;)
        reasons << dimReason(model, d);
    return reasons.isEmpty()
               ? PaintedText::tr("It is (): no side has a dim.")
               : PaintedText::tr("It is %1: %2.").arg(shapeText(model.shape), reasons.join(QStringLiteral("; ")));
}

/// Where the operand is read for the element: its own index.
Dims sourceOf(const BroadcastModel& model, const CellQuestion& question) {
    const BroadcastOperand& operand = model.operands[question.operand];
    const Dims whole = model.coordOf(question.element);
    const std::size_t missing = whole.size() - operand.tensor.shape().size();
    Dims own;
    for (std::size_t d = missing; d < whole.size(); ++d)
        own.push_back(operand.aligned.shape[d] == model.shape[d] ? whole[d] : 0);
    return own;
}

} // namespace

QString shapeQuestion(const BroadcastModel& model) {
    return PaintedText::tr("What shape has %1?").arg(model.shapesText());
}

std::optional<PredictionVerdict> judgeShape(const BroadcastModel& model, const QString& said) {
    const bool refused = saysRefused(said);
    const std::optional<Dims> shape = refused ? std::nullopt : numbersOf(said);
    if (!refused && !shape) return std::nullopt;
    const bool right = model.ok() ? shape && *shape == model.shape : refused;
    return PredictionVerdict{right, shapeReason(model)};
}

std::optional<CellQuestion> cellQuestion(const BroadcastModel& model) {
    if (!model.ok() || model.numel() == 0) return std::nullopt;
    for (std::size_t i = 0; i < model.operands.size(); ++i) {
        const BroadcastOperand& operand = model.operands[i];
        if (!operand.stretches()) continue;
        CellQuestion question;
        question.operand = i;
        Dims coord;
        // The last one along what is repeated: it lies farthest from where it is read.
        for (std::size_t d = 0; d < model.shape.size(); ++d)
            coord.push_back(operand.aligned.shape[d] == model.shape[d] ? model.shape[d] / 2 : model.shape[d] - 1);
        question.element = model.elementOf(coord);
        question.words = PaintedText::tr("Which element of %1 is read for %2?")
                             .arg(nameOf(model, i), model.resultName + coordText(coord));
        return question;
    }
    return std::nullopt;
}

PredictionVerdict judgeCell(const BroadcastModel& model, const CellQuestion& question, const Dims& coord) {
    const BroadcastOperand& operand = model.operands[question.operand];
    const Dims source = sourceOf(model, question);
    const std::size_t extra = coord.size() > source.size() ? coord.size() - source.size() : 0;
    const bool right = coord.size() - extra == source.size() &&
                       std::equal(source.begin(), source.end(), coord.begin() + static_cast<std::ptrdiff_t>(extra));
    QStringList dims;
    for (std::size_t d = 0; d < model.shape.size(); ++d)
        if (operand.aligned.shape[d] != model.shape[d]) dims << QString::number(d);
    return {right, PaintedText::tr("It is %1: stride 0 in %2 %3, so the index there moves nothing.")
                       .arg(nameOf(model, question.operand) + coordText(source),
                            dims.size() == 1 ? PaintedText::tr("dim") : PaintedText::tr("dims"),
                            dims.join(PaintedText::tr(" and ")))};
}

std::optional<PredictionVerdict> judgeCell(const BroadcastModel& model, const CellQuestion& question,
                                           const QString& said) {
    const BroadcastOperand& operand = model.operands[question.operand];
    QString text = said.trimmed();
    if (text.startsWith(operand.code)) text.remove(0, operand.code.size());
    const std::optional<Dims> coord = numbersOf(text.isEmpty() ? QStringLiteral("()") : text);
    const Dims& shape = operand.tensor.shape();
    if (!coord || coord->size() != shape.size()) return std::nullopt;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if ((*coord)[d] >= shape[d]) return std::nullopt;
    return judgeCell(model, question, *coord);
}

} // namespace stridescope
