#pragma once
// What the selected tensor can do: the operator table tried with sensible arguments, sorted by what it costs.

#include "core/view/op_table.h"
#include "widgets/model/snapshot.h"

namespace stridescope {

enum class SuggestionGroup : quint8 { View, Copy, OtherDType, NotPossible };

struct OperationSuggestion {
    SuggestionGroup group = SuggestionGroup::View;
    QString code;   ///< "B.narrow(0, 1, 2)"
    QString result; ///< "(2, 2)", "3 pieces", "show why"
    QString reason; ///< of a refusal: its first line; of another dtype: which elements would not stay the same
    std::string operation;
    OpArgs arguments;
};

/// Suggestions for `entry` in palette order. Only view geometry is computed; for other dtypes the first elements are
/// read, so that what a conversion would lose is told before it is done.
std::vector<OperationSuggestion> operationSuggestions(const TensorEntry& entry);

} // namespace stridescope
