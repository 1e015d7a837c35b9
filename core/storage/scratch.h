#pragma once
// Memory that an operation needs for itself, besides its result.

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace stridescope {

/// @throws MemoryError (MEM-03) with the bytes wanted and those that are free: the system has refused them.
[[noreturn]] void throwOutOfMemory(std::size_t bytes);

/// As std::allocator, but what cannot be had is refused in numbers.
template <class T>
struct ScratchAllocator {
    using value_type = T;

    ScratchAllocator() = default;
    template <class U>
    ScratchAllocator(const ScratchAllocator<U>&) noexcept {}

    T* allocate(std::size_t count) {
        try {
            return std::allocator<T>().allocate(count);
        } catch (const std::bad_alloc&) {
            throwOutOfMemory(count * sizeof(T));
        }
    }
    void deallocate(T* data, std::size_t count) noexcept { std::allocator<T>().deallocate(data, count); }
    friend bool operator==(ScratchAllocator, ScratchAllocator) { return true; }
};

/// A std::vector for as many items as a tensor has elements.
template <class T>
using Scratch = std::vector<T, ScratchAllocator<T>>;

} // namespace stridescope
