#include "core/backend/cpu/inside_blas.h"

#include "core/error.h"
#include "core/storage/memory_budget.h"

#include <algorithm>
#include <cblas.h>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace stridescope::cpu {

namespace {

/// What OpenBLAS maps for one thread on x86-64 and arm64 (BUFFER_SIZE there); it has no function that tells it.
constexpr Index kBuffer = Index{128} << 20;
/// For what else is taken between asking and mapping: stacks, workspaces, the interpreter's own.
constexpr Index kMargin = Index{8} << 20;

struct Known {
    std::mutex mutex;
    int inside = 0;  ///< threads that may be inside now
    int buffers = 0; ///< of which OpenBLAS is known to have one, or was free to take one
    int started = 0; ///< threads of its own, the caller counted in; each keeps a buffer. 0: not asked yet
};
Known& known() {
    static Known k;
    return k;
}

/// Mappings that are given back at once, each as OpenBLAS makes them: one large one may be refused where these are not.
class Mappings {
public:
    bool add(Index bytes) {
        void* const at =
            mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return false;
        m_all.emplace_back(at, static_cast<std::size_t>(bytes));
        return true;
    }
    ~Mappings() {
        for (const auto& [at, bytes] : m_all) munmap(at, bytes);
    }

private:
    std::vector<std::pair<void*, std::size_t>> m_all;
};

/// @throws MemoryError when `count` more buffers cannot be mapped.
void askFor(int count) {
    Mappings mappings;
    bool had = mappings.add(kMargin);
    for (int i = 0; had && i < count; ++i) had = mappings.add(kBuffer);
    if (had) return;
    const Index bytes = count * kBuffer + kMargin;
    throwRefusal({ErrorKind::Memory, "MEM-04",
                  "not enough memory: matrix products and linear algebra want " + formatBytes(bytes) + ", " +
                      formatBytes(kBuffer) + " for each of " + std::to_string(count) +
                      " more threads, and the system refused",
                  "Free memory, raise the limit on the address space, or use fewer threads.", BytesExceeded{bytes, 0}});
}

/// What OpenBLAS was built for at most; it takes no more when asked to.
int mostThreads() {
    static const int most = [] {
        const char* const told = std::strstr(openblas_get_config(), "MAX_THREADS=");
        return told ? std::atoi(told + std::strlen("MAX_THREADS=")) : 1024;
    }();
    return most;
}

} // namespace

InsideBlas::InsideBlas(int threads) : m_threads(threads) {
    Known& k = known();
    const std::scoped_lock lock(k.mutex);
    if (k.inside + threads > k.buffers) {
        askFor(k.inside + threads - k.buffers);
        k.buffers = k.inside + threads;
    }
    k.inside += threads;
}

InsideBlas::~InsideBlas() {
    Known& k = known();
    const std::scoped_lock lock(k.mutex);
    k.inside -= m_threads;
}

void setBlasThreads(int count) {
    count = std::min(count, mostThreads());
    // Asking is quicker than setting, which wakes and stops threads.
    if (openblas_get_num_threads() == count) return;
    Known& k = known();
    const std::scoped_lock lock(k.mutex);
    if (k.started == 0) k.started = openblas_get_num_threads();
    if (count > k.started) {
        askFor(count - k.started);
        k.started = count;
    }
    openblas_set_num_threads(count);
}

} // namespace stridescope::cpu
