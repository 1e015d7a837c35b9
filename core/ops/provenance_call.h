#pragma once
// Private to provenance: the arguments of a record, read back with the help of the operation's signature.

#include "core/ops/operation_table.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::provenance {

/// "a, (1, 2), k='x'" cut at its commas; brackets and quotes hold together.
std::vector<std::string> parts(std::string_view text);

/// The arguments of one call by the names of their parameters.
class Call {
public:
    /// `operation` may be null: then only what was passed by name is known.
    Call(const Operation* operation, std::string_view arguments);

    /// As passed, else the default of the signature, else empty.
    std::string text(std::string_view parameter) const;
    std::optional<Index> number(std::string_view parameter) const;
    /// "1" and "(0, 1)"; nothing for "None" and for what is neither.
    std::optional<std::vector<Index>> numbers(std::string_view parameter) const;

private:
    std::map<std::string, std::string, std::less<>> m_values;
};

} // namespace stridescope::provenance
