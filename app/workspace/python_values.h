#pragma once
// Numbers, texts and tuples that Python and the line language both can have: as text that both read alike.

#include "core/expr/value.h"

#include <QString>

namespace stridescope {

/// Python source that gives the value; empty for what Python cannot be given so (tensors, archives, infinities).
QString literalOf(const expr::Value& value);
/// The value of such a text; nothing for what the line language does not have (dictionaries, complex numbers).
std::optional<expr::Value> valueOfLiteral(const QString& literal);

} // namespace stridescope
