#include "core/trace/op_record.h"

#include "core/trace/capture.h"
#include "core/trace/clock.h"
#include "core/trace/record_parts.h"

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
        const int now = static_cast<int>(spare->size());
        const int past = trace::g_timekeepers.exchange(now, std::memory_order_relaxed);
        trace::g_listenerCount.fetch_add(now - past, std::memory_order_relaxed);
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

std::atomic<int> g_listenerCount{0}; ///< and the sink
std::atomic<int> g_timekeepers{0};   ///< the listeners: the sink asks for no times

namespace {

std::atomic<RecordSink*> g_sink{nullptr};

/// In one place, as each look for a thread's own is a call.
struct Here {
    int nested = 0;
    Capture* capture = nullptr;
};
constinit thread_local Here t_here;

void fill(std::vector<TensorRecord>& records, const TensorList& tensors) {
    records.clear();
    records.reserve(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) records.push_back(record(tensors[i]));
}

/// As a record, whose lists keep their room from one operation of the thread to the next.
const OpRecord& recordOf(const RecordParts& parts) {
    thread_local OpRecord made;
    made.name = parts.name;
    made.arguments = parts.arguments.text();
    fill(made.inputs, parts.inputs);
    fill(made.outputs, parts.outputs);
    made.effect = parts.effect;
    made.written = parts.written ? *parts.written : ElementSet();
    made.bytesRead = parts.bytesRead;
    made.bytesWritten = parts.bytesWritten;
    made.bytesAllocated = parts.bytesAllocated;
    made.duration = parts.duration;
    return made;
}

const OpRecord& recordOf(const OpRecord& record) {
    return record;
}

} // namespace

bool isNested() {
    return t_here.nested != 0;
}

Nested::Nested() {
    ++t_here.nested;
}
Nested::~Nested() {
    --t_here.nested;
}

Capture::Capture() : m_outer(std::exchange(t_here.capture, this)) {}
Capture::~Capture() {
    t_here.capture = m_outer;
}

void Capture::add(const OpRecord& record) {
    m_records.push_back(record);
}

namespace {

template <class Told>
void tell(const Told& told) {
    const Here& here = t_here;
    if (here.nested != 0) return;
    if (here.capture) return here.capture->add(recordOf(told));
    if (RecordSink* sink = g_sink.load(std::memory_order_acquire)) sink->take(told);
    if (g_timekeepers.load(std::memory_order_relaxed) == 0) return; // no listeners
    const OpRecord& record = recordOf(told);
    Registry& r = registry();
    const Delivery delivery(r);
    for (const Entry& entry : *r.entries.load()) (*entry.listener)(record);
}

} // namespace

void publish(const OpRecord& record) {
    tell(record);
}

void publish(const RecordParts& parts) {
    tell(parts);
}

void setSink(RecordSink* sink) {
    RecordSink* const before = g_sink.exchange(sink, std::memory_order_acq_rel);
    g_listenerCount.fetch_add((sink ? 1 : 0) - (before ? 1 : 0), std::memory_order_relaxed);
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
