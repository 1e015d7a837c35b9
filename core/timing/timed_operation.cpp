#include "core/timing/timed_operation.h"

#include "core/timing/timed_calls.h"

#include <array>
#include <map>

namespace stridescope::timing {

namespace {

std::array<std::span<const TimedOperation>, 6> tables() {
    return {calls::pointwise(), calls::special(), calls::reductions(),
            calls::algebra(),   calls::making(),  calls::shaping()};
}

/// In the order of the operation table, which gives family and dtypes.
std::vector<TimedOperation> collect() {
    std::map<std::string_view, const TimedOperation*> calls;
    for (const auto table : tables())
        for (const TimedOperation& call : table) calls.emplace(call.name, &call);
    std::vector<TimedOperation> list;
    for (const Operation& operation : operations()) {
        const auto found = calls.find(operation.name);
        if (found == calls.end()) continue;
        TimedOperation timed = *found->second;
        timed.family = operation.family;
        timed.dtypes = operation.dtypes;
        list.push_back(timed);
    }
    return list;
}

} // namespace

const std::vector<TimedOperation>& timedOperations() {
    static const std::vector<TimedOperation> list = collect();
    return list;
}

std::size_t timedCallsInTables() {
    std::size_t count = 0;
    for (const auto table : tables()) count += table.size();
    return count;
}

const TimedOperation* findTimedOperation(std::string_view name) {
    for (const TimedOperation& operation : timedOperations())
        if (operation.name == name) return &operation;
    return nullptr;
}

std::string whyNotTimed(std::string_view name) {
    const Operation* operation = findOperation(name);
    if (!operation || findTimedOperation(name)) return {};
    const std::string statement = name.starts_with("Tensor.") ? "A." + std::string(name.substr(7)) + "(...)"
                                                              : "torch." + std::string(name) + "(...)";
    return std::string(name) + " has no operands that follow from one size; time it as a statement: --stmt '" +
           statement + "' --setup ...";
}

std::vector<std::string_view> courseOperations() {
    return {"mm", "add", "clone", "contiguous", "sum", "mv", "exp", "linalg.solve", "linalg.inv", "sort"};
}

} // namespace stridescope::timing
