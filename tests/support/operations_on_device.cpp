#include "tests/support/operations_on_device.h"

#include "core/backend/backend.h"
#include "core/ops/copy.h"
#include "core/ops/operation_table.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/operation_samples.h"

#include <set>

namespace stridescope::test {

namespace {

/// The same view on a copy of the whole storage.
Tensor moved(const Tensor& t, Device device) {
    const std::size_t bytes = t.storage()->bytes();
    StoragePtr storage = Storage::allocate(bytes, allocatorFor(device));
    backendFor(device).copyFromHost(device, storage->data(), t.storage()->data(), bytes, false);
    return Tensor(std::move(storage), t.view(), t.dtype());
}

/// Operations that no device has yet: of those with samples none.
const std::set<std::string_view> kCannot{};

/// Of these some dtypes have no routine on a GPU: complex Hermitian matrices.
const std::set<std::string_view> kPartlyOnCuda{"linalg.ldl_factor"};

/// What differs, in words; empty: nothing.
std::string difference(const std::vector<Tensor>& got, const std::vector<Tensor>& expected, Device device) {
    if (got.size() != expected.size()) return "another number of results";
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::string which = "result " + std::to_string(i);
        if (got[i].device() != device) return which + " is on " + toString(got[i].device());
        if (got[i].dtype() != expected[i].dtype()) return which + " is of " + std::string(name(got[i].dtype()));
        if (got[i].stride() != expected[i].stride()) return which + " lies otherwise";
        if (!near(to(got[i], Device{}), expected[i])) return which + " has other elements";
    }
    return {};
}

/// One call here and there.
struct Both {
    std::optional<Refusal> onCpu, onDevice;
    std::vector<Tensor> expected, got;
    int records = 0; ///< of the device's
};

Both carriedOut(const Call& call, const std::vector<Tensor>& inputs, Device device) {
    Both both;
    std::vector<Tensor> there;
    for (const Tensor& t : inputs) there.push_back(moved(t, device));
    both.onCpu = refusalOf([&] { both.expected = call(inputs); });
    const OpSubscription subscription([&](const OpRecord&) { ++both.records; });
    both.onDevice = refusalOf([&] { both.got = call(there); });
    return both;
}

std::string difference(const Both& both, Device device) {
    if (both.onDevice.has_value() != both.onCpu.has_value())
        return both.onDevice ? both.onDevice->message : "does not refuse: " + both.onCpu->message;
    if (!both.onDevice) return difference(both.got, both.expected, device);
    return both.onDevice->id == both.onCpu->id ? std::string() : "refused otherwise: " + both.onDevice->message;
}

} // namespace

std::string compareOnDevice(const Call& call, const std::vector<Tensor>& inputs, Device device) {
    const Both both = carriedOut(call, inputs, device);
    std::string words = difference(both, device);
    if (words.empty() && !both.onDevice && both.records != 1)
        words = "publishes " + std::to_string(both.records) + " records";
    return words;
}

std::string compareOnDevice(const std::string& called, Device device) {
    const Operation* const op = findOperation(called);
    if (!op) return "there is no such operation";
    bool done = false;
    for (const DType dtype : kAllDTypes) {
        for (const std::vector<Tensor>& inputs : operationSamples(op->inputs, dtype)) {
            const Both both = carriedOut(op->sample, inputs, device);
            if (both.onDevice && both.onDevice->id == "DEV-02") {
                const bool partly = device.type == DeviceType::Cuda && kPartlyOnCuda.contains(called);
                if (!partly && !kCannot.contains(called)) return "cannot: " + both.onDevice->message;
                continue;
            }
            if (const std::string words = difference(both, device); !words.empty())
                return std::string(name(dtype)) + ": " + words;
            done = done || !both.onDevice;
        }
    }
    if (done == kCannot.contains(called)) return done ? "it can by now" : "it cannot";
    return {};
}

std::vector<std::string> operationsWithSamples() {
    std::vector<std::string> names;
    for (const Operation& op : operations())
        if (op.sample) names.emplace_back(op.name);
    return names;
}

} // namespace stridescope::test
