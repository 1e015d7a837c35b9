#pragma once
// The one door to LAPACK: what the kernel table asks (core/backend/linalg_args.h), batches as loops, `info` always
// read.

#include "core/backend/kernel_table.h"

namespace stridescope::cpu {

void bindLinalg(KernelTable& table);

} // namespace stridescope::cpu
