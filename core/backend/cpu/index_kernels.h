#pragma once
// Elements at places that index tensors name: gather, scatter, index, index_put and their relatives on the CPU.

#include "core/backend/index_args.h"

namespace stridescope::cpu {

/// True when all went well; false when an index is out of range, and then nothing is promised about `plain` (Read) or
/// nothing has been written (other modes).
[[nodiscard]] bool runIndexed(const IndexedArgs& args);

/// Precondition: there is one.
BadIndex firstBadIndex(const IndexedArgs& args);

/// Both in one, for the kernel table.
[[nodiscard]] bool indexed(const IndexedArgs& args, BadIndex& bad);

} // namespace stridescope::cpu
