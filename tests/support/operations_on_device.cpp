#include "tests/support/operations_on_device.h"

#include "core/backend/backend.h"
#include "core/ops/copy.h"
#include "core/ops/operation_table.h"
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

/// Operations that no device has yet.
const std::set<std::string_view> kCannot{
    // clang-format off
    "take", "frexp", "median", "nanmedian", "mode", "quantile", "unique", "unique_consecutive", "isin", "histc",
    "histogram", "histogramdd", "nanquantile",
    // clang-format on
};

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

} // namespace

std::string compareOnDevice(const std::string& called, Device device) {
    const Operation* const op = findOperation(called);
    if (!op) return "there is no such operation";
    bool done = false;
    for (const DType dtype : kAllDTypes) {
        for (const std::vector<Tensor>& inputs : operationSamples(op->inputs, dtype)) {
            std::vector<Tensor> expected, got, there;
            const std::optional<Refusal> onCpu = refusalOf([&] { expected = op->sample(inputs); });
            for (const Tensor& t : inputs) there.push_back(moved(t, device));
            const std::optional<Refusal> onDevice = refusalOf([&] { got = op->sample(there); });
            const std::string where(name(dtype));
            if (onDevice && onDevice->id == "DEV-02") {
                const bool partly = device.type == DeviceType::Cuda && kPartlyOnCuda.contains(called);
                if (!partly && !kCannot.contains(called)) return "cannot: " + onDevice->message;
                continue;
            }
            if (onDevice.has_value() != onCpu.has_value())
                return where + ": " + (onDevice ? onDevice->message : "does not refuse: " + onCpu->message);
            if (onDevice) {
                if (onDevice->id != onCpu->id) return where + ": refused otherwise: " + onDevice->message;
                continue;
            }
            done = true;
            if (const std::string words = difference(got, expected, device); !words.empty())
                return where + ": " + words;
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
