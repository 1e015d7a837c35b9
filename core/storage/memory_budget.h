#pragma once
// How much memory one storage may take, and the switch that lets tests make an allocation fail.

#include "core/device/device.h"
#include "core/error.h"
#include "core/index.h"

#include <cstddef>
#include <optional>
#include <string>

namespace stridescope {

/// Bytes that this process can still take without swapping: the system's "available" figure or, inside a memory-limited
/// control group, what is left of that limit if it is less.
Index availableMemory();

/// The largest CPU storage that is allocated without a refusal; absent (the default) means half of availableMemory().
void setMemoryLimit(std::optional<Index> bytes);
std::optional<Index> memoryLimit();

/// "4 PB", "21.4 GB", "512 B": powers of 1000, three digits.
std::string formatBytes(Index bytes);

/// What checkAllocation would refuse now (MEM-01), for those who offer a copy: nothing is taken or thrown, and the test
/// switch below is not asked. Absent where the allocation would be tried.
std::optional<Refusal> allocationRefusal(std::size_t bytes, Device device = {});

/// Called by Storage::allocate before it asks the allocator.
/// @throws MemoryError with the bytes wanted and the limit (MEM-01), or as the test switch below wants it (MEM-02).
void checkAllocation(std::size_t bytes, Device device);

/// While it lives, the `nth` storage allocation from now (1 is the next one) fails with MEM-02 as if memory had run
/// out; with `andAllLater` every later one does too. For tests; one at a time.
class AllocationFailure {
public:
    explicit AllocationFailure(Index nth, bool andAllLater = false);
    ~AllocationFailure();
    /// True once an allocation was made to fail.
    bool happened() const;
    AllocationFailure(const AllocationFailure&) = delete;
    AllocationFailure& operator=(const AllocationFailure&) = delete;
};

} // namespace stridescope
