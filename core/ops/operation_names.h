#pragma once
// Second names of operations, and which have a form that writes to its first input: x.abs_(), torch.absolute.

#include <span>
#include <string>
#include <string_view>

namespace stridescope {

struct OperationAlias {
    const char* name;
    const char* of; ///< the name in the table of operations, or that with "_"
};
std::span<const OperationAlias> operationAliases();

/// "absolute, abs_, absolute_": what else the operation of that name in the table is called, its in-place form
/// included; empty where there is nothing else.
std::string otherNames(std::string_view name);

} // namespace stridescope
