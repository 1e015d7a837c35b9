#include "core/backend/sim/sim_memory.h"

#include "core/error.h"

#include <algorithm>
#include <iterator>
#include <sys/mman.h>

namespace stridescope::sim {

namespace {

constexpr std::size_t kAlignment = 512;

std::size_t rounded(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
}

} // namespace

Memory::Memory(std::size_t bytes, bool guarded) : m_total(rounded(bytes, 4096)), m_guarded(guarded) {
    void* const base = mmap(nullptr, m_total, guarded ? PROT_NONE : PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        throwRefusal({ErrorKind::Memory,
                      "SIM-03",
                      "a simulated device of " + std::to_string(m_total) + " bytes cannot be had",
                      "Ask for less memory.",
                      {}});
    m_base = static_cast<std::byte*>(base);
    m_free[m_base] = m_total;
}

Memory::~Memory() {
    munmap(m_base, m_total);
}

void Memory::drop() {
    mmap(m_base, m_total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

std::byte* Memory::take(std::size_t bytes) {
    if (bytes > m_total) return nullptr;
    const std::size_t size = rounded(std::max<std::size_t>(bytes, 1), kAlignment);
    const std::lock_guard lock(m_mutex);
    const auto fits = std::find_if(m_free.begin(), m_free.end(), [&](const auto& run) { return run.second >= size; });
    if (fits == m_free.end()) return nullptr;
    const auto [data, length] = *fits;
    m_used.emplace(data, size);
    m_free.erase(fits);
    if (length > size) m_free.emplace(data + size, length - size);
    m_taken += size;
    return data;
}

void Memory::giveBack(const void* data) {
    const std::lock_guard lock(m_mutex);
    const auto used = m_used.find(static_cast<std::byte*>(const_cast<void*>(data)));
    if (used == m_used.end()) return;
    auto run = m_free.emplace(used->first, used->second).first;
    m_taken -= used->second;
    m_used.erase(used);
    if (const auto next = std::next(run); next != m_free.end() && run->first + run->second == next->first) {
        run->second += next->second;
        m_free.erase(next);
    }
    if (run == m_free.begin()) return;
    if (const auto before = std::prev(run); before->first + before->second == run->first) {
        before->second += run->second;
        m_free.erase(run);
    }
}

std::size_t Memory::taken() const {
    const std::lock_guard lock(m_mutex);
    return m_taken;
}

void Memory::open() {
    if (!m_guarded) return;
    const std::lock_guard lock(m_accessMutex);
    if (m_accesses++ == 0) mprotect(m_base, m_total, PROT_READ | PROT_WRITE);
}

void Memory::close() {
    if (!m_guarded) return;
    const std::lock_guard lock(m_accessMutex);
    if (--m_accesses == 0) mprotect(m_base, m_total, PROT_NONE);
}

} // namespace stridescope::sim
