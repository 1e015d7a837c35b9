#pragma once
// OpRecord: what one operation did. Console, mouse, scripts and lessons all make the same records; pictures, history
// and the memory ledger only listen. With no listener an operation pays one branch.

#include "core/tensor/tensor.h"
#include "core/trace/element_set.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace stridescope {

enum class OpEffect : std::uint8_t {
    View,    ///< a new view of an input's storage; no element moved
    Alias,   ///< returned an input itself (contiguous() of a contiguous tensor)
    InPlace, ///< wrote into an input
    Alloc,   ///< made a new storage
};

/// One side of an operation as it was at that moment; keeps no storage alive.
struct TensorRecord {
    std::uint64_t storageId = 0;
    View view;
    DType dtype = DType::Float32;
    Device device;
};

struct OpRecord {
    std::string name;      ///< "narrow", "add", "copy_"; Python without a method name: "slice", "setitem"
    std::string arguments; ///< as code, without the inputs: "1, 1, 2"; of slice, what stands in the brackets
    std::vector<TensorRecord> inputs, outputs;
    OpEffect effect = OpEffect::View;
    /// Where indices or a mask choose what is written: these elements of outputs[0]. Empty: `arguments` say which, it
    /// is all of them, or they are more than kMostTold.
    ElementSet written;
    Index bytesRead = 0, bytesWritten = 0, bytesAllocated = 0;
    std::chrono::nanoseconds duration{0};
};

/// Of larger tensors it is not told which elements were written: no picture has a cell for each of them.
inline constexpr Index kMostTold = 4096;

using OpListener = std::function<void(const OpRecord&)>;

/// Calls `listener` after every operation of this process until the returned token is destroyed.
/// Listeners run on the thread of the operation and must not call operations themselves.
class OpSubscription {
public:
    explicit OpSubscription(OpListener listener);
    ~OpSubscription();
    OpSubscription(const OpSubscription&) = delete;
    OpSubscription& operator=(const OpSubscription&) = delete;

private:
    std::uint64_t m_token = 0;
};

namespace trace {
extern std::atomic<int> g_listenerCount;
/// The one branch: true while somebody listens.
inline bool observed() {
    return g_listenerCount.load(std::memory_order_relaxed) != 0;
}
/// Delivers a record to every listener, unless a Nested lives on this thread.
void publish(const OpRecord& record);
TensorRecord record(const Tensor& t);
/// Would what is published now reach nobody, because a Nested lives on this thread?
bool isNested();

/// While it lives, operations of this thread publish nothing: an operation that is made of others holds one, so that
/// people see a single record for what they asked for.
class Nested {
public:
    Nested();
    ~Nested();
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
};
} // namespace trace

} // namespace stridescope
