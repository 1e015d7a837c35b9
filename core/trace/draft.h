#pragma once
// A record to fill in and publish, without memory of its own each time.

#include "core/trace/op_record.h"

namespace stridescope::trace {

/// This thread's record, empty, whose lists keep their room from one operation to the next. For who publishes it before
/// any other operation of the thread can ask for one.
OpRecord& draft();

} // namespace stridescope::trace
