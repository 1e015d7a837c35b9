#pragma once
// Where the value of an element came from, as words that widgets show. The app makes it, on demand.

#include "widgets/model/snapshot.h"

#include <functional>

namespace stridescope {

/// One element and what it was made of.
struct Whence {
    QString text;             ///< "C[1, 2] = A[1, 2] + B[2]"
    QString numbers;          ///< "5 = 3 + 2"; of an element that nothing is told of, its value
    QString note;             ///< "then: written to later", "gone"; may be empty
    std::optional<Pick> pick; ///< where it can be seen now; nothing when it is gone
    std::vector<Whence> sources;
    Index more = 0; ///< sources that are left out
};

/// Answers for one element that can be seen now.
using WhenceSource = std::function<std::optional<Whence>(const Pick& pick)>;

} // namespace stridescope
