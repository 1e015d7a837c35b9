#pragma once
// What the selected tensor can do: the operator table tried with sensible arguments, sorted by what it costs.

#include "core/view/op_table.h"
#include "widgets/model/snapshot.h"

namespace stridescope {

enum class SuggestionGroup : quint8 { View, Copy, NotPossible };

struct OperationSuggestion {
    SuggestionGroup group = SuggestionGroup::View;
    QString code;   ///< "B.narrow(0, 1, 2)"
    QString result; ///< "(2, 2)", "3 pieces", "show why"
    QString reason; ///< of a refusal: its first line
    std::string operation;
    OpArgs arguments;
};

/// Suggestions for `entry` in palette order. Only view geometry is computed: no element is touched.
std::vector<OperationSuggestion> operationSuggestions(const TensorEntry& entry);

} // namespace stridescope
