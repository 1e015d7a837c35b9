#pragma once
// The memory of one simulated device: one run of addresses, handed out first fit.

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace stridescope::sim {

/// Addresses only: what is inside belongs to the tasks of the device.
class Memory {
public:
    /// @throws MemoryError when the system has no such run of addresses. With `guarded` nobody may touch it but inside
    /// an Access.
    Memory(std::size_t bytes, bool guarded);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Null when there is no run that is long enough.
    std::byte* take(std::size_t bytes);
    void giveBack(const void* data);
    /// Gives its pages to the system and lets nobody touch it. The addresses stay taken, so that what was inside is
    /// recognised for ever. Precondition: no Access lives.
    void drop();
    bool holds(const void* data) const { return data >= m_base && data < m_base + m_total; }
    std::size_t total() const { return m_total; }
    std::size_t taken() const;

    /// While one lives, its thread may touch the memory.
    class Access {
    public:
        explicit Access(Memory& memory) : m_memory(memory) { memory.open(); }
        ~Access() { m_memory.close(); }
        Access(const Access&) = delete;
        Access& operator=(const Access&) = delete;

    private:
        Memory& m_memory;
    };

private:
    void open();
    void close();

    std::byte* m_base = nullptr;
    std::size_t m_total = 0;
    bool m_guarded;
    mutable std::mutex m_mutex;
    std::map<std::byte*, std::size_t> m_free, m_used; ///< first address -> bytes
    std::size_t m_taken = 0;
    std::mutex m_accessMutex;
    int m_accesses = 0;
};

} // namespace stridescope::sim
