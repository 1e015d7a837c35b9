// Table entries: devices, as the Python module has them.

#include "core/ops/operation_table.h"

namespace stridescope::operation_table {

namespace {

using dtypes::all;

} // namespace

std::span<const Operation> devices() {
    static const Operation kTable[] = {
        {"cuda.is_available", "()", "Is there a GPU that can be used?", "", all},
        {"cuda.device_count", "()", "How many there are.", "", all},
        {"cuda.init", "()", "Refused where there is none; there is nothing else to do.", "", all},
        {"cuda.is_initialized", "()", "Is there a GPU that can be used?", "", all},
        {"cuda.current_device", "()", "The number of the one that \"cuda\" alone means on this thread.", "", all},
        {"cuda.set_device", "(device)", "Sets it.", "", all},
        {"cuda.get_device_name", "(device=None)", "Its name.", "", all},
        {"cuda.get_device_capability", "(device=None)", "Its compute capability, as (major, minor).", "", all},
        {"cuda.get_device_properties", "(device=None)", "Name, memory, capability and number of multiprocessors.", "",
         all},
        {"cuda.can_device_access_peer", "(device, peer_device)", "Can the one reach the memory of the other by itself?",
         "", all},
        {"cuda.synchronize", "(device=None)", "Waits until the device has done all that it was given.", "", all},
        {"cuda.current_stream", "(device=None)", "The queue that this thread's work goes to.", "", all},
        {"cuda.default_stream", "(device=None)", "The queue that is always there.", "", all},
        {"cuda.stream", "(s)", "with it, what is done is given to that queue.", "", all},
        {"cuda.set_stream", "(s)", "From now on what is done is given to that queue.", "", all},
        {"cuda.memory_allocated", "(device=None)", "Bytes of the tensors on the device.", "", all},
        {"cuda.max_memory_allocated", "(device=None)", "The most that they were so far.", "", all},
        {"cuda.reset_peak_memory_stats", "(device=None)", "max_memory_allocated counts from now.", "", all},
        {"cuda.mem_get_info", "(device=None)", "Bytes that are free, and all there are.", "", all},
        {"cuda.empty_cache", "()", "Nothing is kept that could be given back.", "", all},
        {"cuda.manual_seed_all", "(seed)", "Starts the generators of random numbers anew.", "", all},
    };
    return kTable;
}

} // namespace stridescope::operation_table
