// Why an element of where(), clamp() and their like is what it is, in words.

#include "core/tensor/element.h"
#include "widgets/broadcast/broadcast_model.h"
#include "widgets/scene/painted_text.h"

namespace stridescope {

namespace {

/// What one input of the last operation is for one element of the result.
struct Input {
    Scalar value;
    QString text;
};

Input inputOf(const expr::PointwiseNode& node, const Dims& coord) {
    if (node.kind == expr::PointwiseNode::Kind::Number) return {node.number, elementText(node.number)};
    // Sizes of 1 are stretched, and dims in front are missing.
    const Tensor& tensor = node.value;
    const std::size_t missing = coord.size() - tensor.shape().size();
    Dims own;
    for (std::size_t d = missing; d < coord.size(); ++d) own.push_back(tensor.shape()[d - missing] == 1 ? 0 : coord[d]);
    const Scalar value = readElement(tensor, own);
    return {value, elementText(value, tensor.dtype())};
}

QString clampReason(const Input& x, const Input* low, const Input* high) {
    const double number = x.value.toDouble();
    if (high && (number > high->value.toDouble() || (low && low->value.toDouble() > high->value.toDouble())))
        return PaintedText::tr("above the highest, so it is %1").arg(high->text);
    if (low && number < low->value.toDouble()) return PaintedText::tr("below the lowest, so it is %1").arg(low->text);
    return PaintedText::tr("between the limits, so it stays %1").arg(x.text);
}

/// "value=2" as a factor: "2 * ".
QString factorOf(const expr::PointwiseNode& root) {
    for (const auto& [keyword, value] : root.optionValues)
        if (const auto* number = value.as<Scalar>(); number && keyword == "value")
            return elementText(*number) + QStringLiteral(" * ");
    return {};
}

} // namespace

QString BroadcastModel::reason(Index element) const {
    const expr::PointwiseNode& root = program.root();
    if (!ok() || !program.computed) return {};
    if (program.written) {
        const BroadcastOperand& target = operands[*program.target];
        return PaintedText::tr("it was %1")
            .arg(elementText(readSlot(target.tensor, slotOf(target, element)), target.tensor.dtype()));
    }
    if (root.keywords.empty()) return {};
    const Dims coord = coordOf(element);
    std::vector<Input> inputs;
    for (const std::size_t child : root.children) inputs.push_back(inputOf(program.nodes[child], coord));
    if (root.name == "where") {
        const bool holds = inputs[0].value.toBool();
        return (holds ? PaintedText::tr("the condition holds, so it is %1")
                      : PaintedText::tr("the condition does not hold, so it is %1"))
            .arg(inputs[holds ? 1 : 2].text);
    }
    if (root.name == "masked_fill")
        return inputs[1].value.toBool() ? PaintedText::tr("the mask is true, so it becomes %1").arg(inputs[2].text)
                                        : PaintedText::tr("the mask is false, so it stays %1").arg(inputs[0].text);
    if (root.name == "clamp_max" || (root.name == "clamp" && root.keywords[1] == "max"))
        return clampReason(inputs[0], nullptr, &inputs[1]);
    if (root.name == "clamp" || root.name == "clamp_min")
        return clampReason(inputs[0], &inputs[1], inputs.size() > 2 ? &inputs[2] : nullptr);
    const QString a = inputs[0].text, b = inputs[1].text, c = inputs[2].text;
    if (root.name == "lerp") return QStringLiteral("%1 + %2 * (%3 - %1)").arg(a, c, b);
    return a + QStringLiteral(" + ") + factorOf(root) + b +
           (root.name == "addcmul" ? QStringLiteral(" * ") : QStringLiteral(" / ")) + c;
}

} // namespace stridescope
