#include "core/trace/op_record.h"

#include "core/trace/capture.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

namespace stridescope {

namespace {

struct Entry {
    std::uint64_t token;
    OpListener listener;
};

struct Registry {
    /// Passed by everybody who wants `mutex`. Somebody who subscribes holds it while waiting, so that a steady stream
    /// of deliveries cannot keep them out for ever.
    std::mutex gate;
    std::shared_mutex mutex;
    std::uint64_t nextToken = 1;
    std::vector<Entry> entries;
};

/// Never destroyed: operations of threads that outlive main() may still ask for it.
Registry& registry() {
    static Registry* instance = new Registry;
    return *instance;
}

} // namespace

namespace trace {

std::atomic<int> g_listenerCount{0};

namespace {
thread_local int t_nested = 0;
thread_local Capture* t_capture = nullptr;
} // namespace

Nested::Nested() {
    ++t_nested;
}
Nested::~Nested() {
    --t_nested;
}

Capture::Capture() : m_outer(std::exchange(t_capture, this)) {}
Capture::~Capture() {
    t_capture = m_outer;
}

void publish(const OpRecord& record) {
    if (t_nested != 0) return;
    if (t_capture) {
        t_capture->m_records.push_back(record);
        return;
    }
    Registry& r = registry();
    // Shared: operations of several threads deliver at once; a subscription that ends waits for deliveries under way.
    std::unique_lock gate(r.gate);
    const std::shared_lock lock(r.mutex);
    gate.unlock();
    for (const Entry& entry : r.entries) entry.listener(record);
}

TensorRecord record(const Tensor& t) {
    return {t.storage() ? t.storage()->id() : 0, t.view(), t.dtype(), t.defined() ? t.device() : Device{}};
}

} // namespace trace

OpSubscription::OpSubscription(OpListener listener) {
    Registry& r = registry();
    const std::scoped_lock gate(r.gate);
    const std::unique_lock lock(r.mutex);
    m_token = r.nextToken++;
    r.entries.push_back({m_token, std::move(listener)});
    trace::g_listenerCount.store(static_cast<int>(r.entries.size()), std::memory_order_relaxed);
}

OpSubscription::~OpSubscription() {
    Registry& r = registry();
    const std::scoped_lock gate(r.gate);
    const std::unique_lock lock(r.mutex);
    std::erase_if(r.entries, [this](const Entry& e) { return e.token == m_token; });
    trace::g_listenerCount.store(static_cast<int>(r.entries.size()), std::memory_order_relaxed);
}

} // namespace stridescope
