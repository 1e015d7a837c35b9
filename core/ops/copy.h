#pragma once
// Moving and converting elements: copies, fills, other dtypes, other devices.
//
// Every function here @throws ValueError (TENSOR-02) for an undefined tensor, MemoryError when a result does not fit,
// DeviceError (DEV-01) or NotImplementedError (DEV-02) when a device cannot do it. What writes into a tensor
// @throws ShapeError when its storage is read-only (WRITE-01). Nothing changes on refusal.

#include "core/ops/memory_format.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

namespace stridescope {

/// `t` itself if it is contiguous, else a copy of row-major layout; or both of another format.
/// @throws RuntimeError (FORMAT-01, FORMAT-03): a format of another rank, or one to preserve.
Tensor contiguous(const Tensor& t, MemoryFormat format = MemoryFormat::Contiguous);

/// A copy in a storage of its own. Strides are kept when `t` is dense (every slot of its reach used once); otherwise
/// the copy is dense in the same order of dims. With another format than Preserve it has the strides of that
/// (FORMAT-01 where the rank is another).
/// Example: the clone of x.t() has strides (1, rows); of x.t()[::2] they are dense in that order.
Tensor clone(const Tensor& t, MemoryFormat format = MemoryFormat::Preserve);

/// Writes `src`, broadcast to dst's shape and converted to its dtype (convertValue), into `dst`; devices may differ.
/// Dense views that share slots in another order are refused (OVERLAP-03); of others all of `src` is read first.
/// @throws ShapeError also when shapes do not broadcast, or when dst names a slot twice (OVERLAP-01, OVERLAP-02).
const Tensor& copy_(const Tensor& dst, const Tensor& src);

/// Sets every element. A number that dst's dtype cannot hold is refused (ShapeError, FILL-01: "value cannot be
/// converted to type uint8_t without overflow"); fractions are cut off for integer dtypes. Views that name slots twice
/// are fine.
const Tensor& fill_(const Tensor& dst, Scalar value);
/// The same with the element of a 0-d tensor (FILL-02 for others).
const Tensor& fill_(const Tensor& dst, const Tensor& value);
const Tensor& zero_(const Tensor& dst);

/// `t` itself when it has that dtype (and device) already, else a converted copy with clone()'s strides. A format other
/// than Preserve is one more thing to have already: suggestedFormat says whether.
Tensor to(const Tensor& t, DType dtype);
Tensor to(const Tensor& t, Device device);
Tensor to(const Tensor& t, Device device, DType dtype, MemoryFormat format = MemoryFormat::Preserve);

/// While it lives, copies that this thread makes between the CPU and a device are not waited for where the CPU's side
/// is pinned memory: whoever reads the result waits first (Backend::synchronize, an event). Results on the CPU are
/// pinned.
class NonBlockingCopies {
public:
    explicit NonBlockingCopies(bool wanted = true);
    ~NonBlockingCopies();
    NonBlockingCopies(const NonBlockingCopies&) = delete;
    NonBlockingCopies& operator=(const NonBlockingCopies&) = delete;

private:
    bool m_before;
};

/// Does it lie in pinned memory?
bool isPinned(const Tensor& t);
/// A copy in pinned memory; itself where it lies there. @throws DeviceError (DEV-12) where no device has such memory.
Tensor pinMemory(const Tensor& t);

} // namespace stridescope
