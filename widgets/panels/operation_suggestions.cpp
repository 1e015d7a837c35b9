#include "widgets/panels/operation_suggestions.h"

#include "core/storage/memory_budget.h"
#include "core/tensor/element.h"
#include "core/tensor/lossy.h"
#include "widgets/figures/figure_parts.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <QObject>

#include <algorithm>
#include <array>

namespace stridescope {

namespace {

using Candidate = std::pair<const char*, OpArgs>;

/// The largest proper divisor at most the square root: how to split a flat run into rows.
Index rowsOf(Index numel) {
    for (Index rows = static_cast<Index>(std::min(numel, Index{1} << 20)); rows > 1; --rows) {
        if (rows <= numel / rows && numel % rows == 0) return rows;
    }
    return 1;
}

std::vector<Candidate> candidates(const Tensor& tensor) {
    const Dims& shape = tensor.shape();
    const Index rank = tensor.dim();
    const Index numel = tensor.numel();
    std::vector<Candidate> list;
    if (rank == 2) list.push_back({"t", {}});
    if (rank >= 3) {
        list.push_back({"transpose", {rank - 2, rank - 1}});
        Dims order(shape.size(), 0);
        for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<Index>(order.size() - 1 - d);
        list.push_back({"permute", {order}});
    }
    if (rank >= 1 && shape[0] >= 2) {
        list.push_back({"narrow", {Index{0}, Index{1}, shape[0] - 1}});
        list.push_back({"select", {Index{0}, shape[0] / 2}});
        list.push_back({"slice", {Index{0}, std::monostate{}, std::monostate{}, Index{2}}});
    }
    if (rank >= 2) list.push_back({"diagonal", {}});
    if (rank >= 1 && shape[0] >= 3) list.push_back({"unfold", {Index{0}, Index{2}, Index{1}}});
    if (std::find(shape.begin(), shape.end(), 1) != shape.end()) list.push_back({"squeeze", {}});
    list.push_back({"unsqueeze", {Index{0}}});
    Dims bigger = shape;
    const auto one = std::find(bigger.begin(), bigger.end(), 1);
    if (one != bigger.end()) {
        *one = 3;
    } else {
        bigger.insert(0, 3);
    }
    list.push_back({"expand", {bigger}});
    if (numel > 1) {
        if (rank != 1) list.push_back({"view", {Dims{numel}}});
        const Index rows = rowsOf(numel);
        if (rows > 1) list.push_back({"view", {Dims{rows, numel / rows}}});
    }
    if (rank >= 1 && shape[0] >= 2) list.push_back({"chunk", {Index{2}}});
    list.push_back({"contiguous", {}});
    if (rank != 1) list.push_back({"reshape", {Dims{numel}}});
    list.push_back({"clone", {}});
    if (rank >= 1) list.push_back({"flip", {Dims{0}}});
    return list;
}

/// Elements read for each dtype: the list is made anew at every selection.
constexpr Index kLossSample = 8192;

QString elementText(const Tensor& tensor, DType to, Index element) {
    Dims coord(tensor.shape().size(), 0);
    for (std::size_t d = coord.size(); d-- > 0;) {
        coord[d] = element % tensor.shape()[d];
        element /= tensor.shape()[d];
    }
    const Scalar before = readElement(tensor, coord);
    std::array<std::byte, 16> bytes; // of any dtype
    storeElement(bytes.data(), to, before);
    return QStringLiteral("%1 %2 → %3")
        .arg(QString::fromStdString(toListString(coord)), QString::fromStdString(toString(before)),
             QString::fromStdString(toString(loadElement(bytes.data(), to))));
}

/// "3 of 6 change: 1 rounded, 2 out of range, first [0, 1] 300.0 → 44"; empty when all stay as they are.
QString lossText(const Tensor& tensor, DType to) {
    if (!tensor.device().isCpu() || tensor.storage()->isUnwritten()) return {};
    const LossCount count = countLossy(tensor, to, kLossSample);
    const bool all = count.elements == tensor.numel();
    if (count.lossy() == 0)
        return all ? QString() : QObject::tr("none of the first %1 changes").arg(countText(count.elements));
    QStringList kinds;
    if (count.rounded > 0) kinds << QObject::tr("%1 rounded").arg(countText(count.rounded));
    if (count.imaginary > 0) kinds << QObject::tr("%1 lose the imaginary part").arg(countText(count.imaginary));
    if (count.outOfRange > 0) kinds << QObject::tr("%1 out of range").arg(countText(count.outOfRange));
    const QString of = all ? QObject::tr("%1 of %2 change: %3") : QObject::tr("%1 of the first %2 change: %3");
    return of.arg(countText(count.lossy()), countText(count.elements), kinds.join(QStringLiteral(", "))) +
           QStringLiteral("; ") + elementText(tensor, to, count.first);
}

void appendDTypes(std::vector<OperationSuggestion>& list, const TensorEntry& entry) {
    for (const DType to : kRealDTypes) {
        if (to == entry.tensor.dtype()) continue;
        OperationSuggestion suggestion;
        suggestion.group = SuggestionGroup::OtherDType;
        suggestion.operation = "to";
        suggestion.code = entry.name + QStringLiteral(".to(torch.%1)").arg(QLatin1String(name(to)));
        const auto bytes = static_cast<double>(entry.tensor.numel()) * static_cast<double>(itemSize(to));
        if (bytes < 9e18) suggestion.result = QLatin1Char('+') + bytesText(static_cast<quint64>(bytes));
        suggestion.reason = lossText(entry.tensor, to);
        list.push_back(std::move(suggestion));
    }
}

} // namespace

std::vector<OperationSuggestion> operationSuggestions(const TensorEntry& entry) {
    std::vector<OperationSuggestion> list;
    for (const Candidate& candidate : candidates(entry.tensor)) {
        OperationSuggestion suggestion;
        suggestion.operation = candidate.first;
        suggestion.arguments = candidate.second;
        suggestion.code = QString::fromStdString(toCode(entry.name.toStdString(), candidate.first, candidate.second));
        const Result<ViewOpResult> result =
            applyViewOp(candidate.first, candidate.second, entry.tensor.view(), entry.tensor.storageNumel());
        if (!result) {
            suggestion.group = SuggestionGroup::NotPossible;
            suggestion.result = PaintedText::tr("show why");
            suggestion.reason = QString::fromStdString(result.refusal().message).section(QLatin1Char('\n'), 0, 0);
        } else {
            suggestion.group = result->copies ? SuggestionGroup::Copy : SuggestionGroup::View;
            const auto bytes = static_cast<std::size_t>(bytesOf(entry.tensor, entry.tensor.numel()));
            const auto refused = result->copies ? allocationRefusal(bytes, entry.tensor.device()) : std::nullopt;
            if (refused) {
                suggestion.group = SuggestionGroup::NotPossible;
                suggestion.result = PaintedText::tr("show why");
                suggestion.reason = QString::fromStdString(refused->message);
                list.push_back(std::move(suggestion));
                continue;
            }
            suggestion.result = result->views.size() == 1 ? shapeText(result->views.front().shape)
                                                          : PaintedText::tr("%1 pieces").arg(result->views.size());
        }
        list.push_back(std::move(suggestion));
    }
    appendDTypes(list, entry);
    return list;
}

} // namespace stridescope
