#include "widgets/panels/operation_suggestions.h"

#include "widgets/model/words.h"

#include <algorithm>

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
            suggestion.result = QStringLiteral("show why");
            suggestion.reason = QString::fromStdString(result.refusal().message).section(QLatin1Char('\n'), 0, 0);
        } else {
            suggestion.group = result->copies ? SuggestionGroup::Copy : SuggestionGroup::View;
            suggestion.result = result->views.size() == 1 ? shapeText(result->views.front().shape)
                                                          : QStringLiteral("%1 pieces").arg(result->views.size());
        }
        list.push_back(std::move(suggestion));
    }
    return list;
}

} // namespace stridescope
