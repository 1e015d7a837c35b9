#include "core/backend/cpu/isa_table.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace stridescope::cpu {

namespace plain {
const IsaTable& table();
}
#ifdef STRIDESCOPE_HAVE_ISA_AVX2
namespace avx2 {
const IsaTable& table();
}
#endif
#ifdef STRIDESCOPE_HAVE_ISA_AVX512
namespace avx512 {
const IsaTable& table();
}
#endif

namespace {

const IsaTable* avx2Table() {
#ifdef STRIDESCOPE_HAVE_ISA_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return &avx2::table(); // every processor with AVX2 has F16C, which GCC 12 cannot be asked for
#endif
    return nullptr;
}

const IsaTable* avx512Table() {
#ifdef STRIDESCOPE_HAVE_ISA_AVX512
    if (avx2Table() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &avx512::table();
#endif
    return nullptr;
}

const IsaTable* choose() {
    if (const char* wanted = std::getenv("STRIDESCOPE_ISA"); wanted && *wanted) {
        if (const IsaTable* table = isaByName(wanted)) return table;
        std::fprintf(stderr, "STRIDESCOPE_ISA=%.32s ignored: this machine offers plain%s%s\n", wanted,
                     avx2Table() ? ", avx2" : "", avx512Table() ? ", avx512" : "");
    }
    if (const IsaTable* table = avx512Table()) return table;
    if (const IsaTable* table = avx2Table()) return table;
    return &plain::table();
}

std::atomic<const IsaTable*> g_table{nullptr};

} // namespace

const IsaTable& isa() {
    const IsaTable* table = g_table.load(std::memory_order_acquire);
    if (!table) {
        table = choose();
        g_table.store(table, std::memory_order_release);
    }
    return *table;
}

const IsaTable* isaByName(const char* name) {
    if (std::strcmp(name, "plain") == 0) return &plain::table();
    if (std::strcmp(name, "avx2") == 0) return avx2Table();
    if (std::strcmp(name, "avx512") == 0) return avx512Table();
    return nullptr;
}

void forceIsa(const IsaTable& table) {
    g_table.store(&table, std::memory_order_release);
}

} // namespace stridescope::cpu
