#pragma once
// How a tensor came to be, in words.

#include "widgets/model/snapshot.h"

namespace stridescope {

/// "base", "view", "copy".
QString originWord(Origin origin);
/// "view of B", where there is a parent to name.
QString originText(Origin origin, const TensorEntry* parent);

} // namespace stridescope
