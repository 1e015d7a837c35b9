#include "core/trace/warning.h"

#include <mutex>
#include <vector>

namespace stridescope {

namespace {

struct Entry {
    std::uint64_t token;
    WarningListener listener;
};

struct Registry {
    std::mutex mutex;
    std::uint64_t nextToken = 1;
    std::vector<Entry> entries;
};

/// Never destroyed: threads that outlive main() may still warn.
Registry& registry() {
    static Registry* instance = new Registry;
    return *instance;
}

} // namespace

WarningSubscription::WarningSubscription(WarningListener listener) {
    Registry& r = registry();
    const std::scoped_lock lock(r.mutex);
    m_token = r.nextToken++;
    r.entries.push_back({m_token, std::move(listener)});
}

WarningSubscription::~WarningSubscription() {
    Registry& r = registry();
    const std::scoped_lock lock(r.mutex);
    std::erase_if(r.entries, [this](const Entry& e) { return e.token == m_token; });
}

void warn(const std::string& message) {
    // Called without the registry's lock: a listener may wait for a thread that warns as well.
    std::vector<Entry> entries;
    {
        Registry& r = registry();
        const std::scoped_lock lock(r.mutex);
        entries = r.entries;
    }
    for (const Entry& entry : entries) entry.listener(message);
}

} // namespace stridescope
