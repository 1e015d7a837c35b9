#include "core/trace/op_record.h"

#include "core/trace/capture.h"
#include "core/trace/clock.h"
#include "core/trace/draft.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>

namespace stridescope {

namespace {

struct Entry {
    std::uint64_t token;
    std::shared_ptr<const OpListener> listener; ///< so that copies of a list need no memory
};

using Entries = std::vector<Entry>;

// Note [Deliveries]
// Each operation delivers, seldom somebody subscribes: so deliveries take no lock. One counts itself in at the counter
// of the present turn, and only then reads the list, all in the one order of sequentially consistent operations. So
// whoever still uses a list that was replaced was counted before it was, and has gone once each of the two counters
// was seen at zero afterwards. New deliveries come to the other counter, so that a steady stream of them lets nobody
// wait for ever.
struct Registry {
    std::mutex changing; ///< who subscribes
    std::uint64_t nextToken = 1;
    Entries lists[2];
    std::atomic<Entries*> entries{&lists[0]};
    Entries* spare = &lists[1]; ///< empty, with room for all entries: a subscription ends without asking for memory
    std::atomic<unsigned> turn{0};
    struct alignas(64) Counter {
        std::atomic<int> deliveries{0};
    } counters[2];

    /// The spare list, filled, takes the place of the present one. The caller holds `changing`. No delivery uses the
    /// old list afterwards.
    void exchange() {
        trace::g_listenerCount.store(static_cast<int>(spare->size()), std::memory_order_relaxed);
        spare = entries.exchange(spare);
        for (int i = 0; i < 2; ++i) {
            const unsigned before = turn.fetch_add(1);
            while (counters[before % 2].deliveries.load() != 0) std::this_thread::yield();
        }
        spare->clear();
    }
};

/// A delivery under way.
class Delivery {
public:
    explicit Delivery(Registry& registry) : m_counter(registry.counters[registry.turn.load() % 2].deliveries) {
        m_counter.fetch_add(1);
    }
    ~Delivery() { m_counter.fetch_sub(1); }
    Delivery(const Delivery&) = delete;
    Delivery& operator=(const Delivery&) = delete;

private:
    std::atomic<int>& m_counter;
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
thread_local OpRecord t_draft;
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
    const Delivery delivery(r);
    for (const Entry& entry : *r.entries.load()) (*entry.listener)(record);
}

OpRecord& draft() {
    OpRecord& record = t_draft;
    record.name.clear();
    record.arguments.clear();
    record.inputs.clear();
    record.outputs.clear();
    record.effect = OpEffect::View;
    record.bytesRead = record.bytesWritten = record.bytesAllocated = 0;
    record.duration = {};
    return record;
}

TensorRecord record(const Tensor& t) {
    return {t.storage() ? t.storage()->id() : 0, t.view(), t.dtype(), t.defined() ? t.device() : Device{}};
}

} // namespace trace

OpSubscription::OpSubscription(OpListener listener) {
    trace::Clock::prepare();
    Registry& r = registry();
    const std::scoped_lock lock(r.changing);
    const Entries& present = *r.entries.load();
    auto listenerHere = std::make_shared<const OpListener>(std::move(listener));
    auto next = std::make_unique<Entries>();
    next->reserve(present.size() + 1);
    r.spare->reserve(present.size() + 1);
    m_token = r.nextToken++; // from here on nothing fails
    next->assign(present.begin(), present.end());
    next->push_back({m_token, std::move(listenerHere)});
    std::swap(*r.spare, *next);
    r.exchange();
    *r.spare = std::move(*next);
}

OpSubscription::~OpSubscription() {
    Registry& r = registry();
    const std::scoped_lock lock(r.changing);
    for (const Entry& entry : *r.entries.load()) {
        if (entry.token != m_token) r.spare->push_back(entry);
    }
    r.exchange();
}

} // namespace stridescope
