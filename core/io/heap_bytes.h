#pragma once
// Memory for what a load has to copy.

#include "core/io/budget.h"
#include "core/io/refusals.h"
#include "core/io/text.h"
#include "core/storage/memory_budget.h"
#include "core/storage/storage.h"

#include <filesystem>
#include <memory>
#include <new>

namespace stridescope::io {

/// `count` bytes aligned to 64, not initialised, asked for within the memory limit of all CPU storages.
/// Refused: IO-18 with bytes wanted and allowed, or when the system has no more.
inline Result<std::shared_ptr<std::byte>> heapBytes(std::uint64_t count, const Budget& budget) {
    const auto refuseCount = [&](std::uint64_t limit) {
        return refuseAmount("IO-18", "Loading needs " + bytesText(count) + " of memory, limit " + bytesText(limit),
                            "Close other tensors, or open a smaller part of the file.", count, limit,
                            ErrorKind::Memory);
    };
    if (count > budget.maxBytes) return refuseCount(budget.maxBytes);
    try {
        checkAllocation(static_cast<std::size_t>(count), Device{});
        constexpr std::align_val_t kAlignment{64};
        auto* data = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(count), kAlignment));
        return std::shared_ptr<std::byte>(data, [](std::byte* p) { ::operator delete(p, kAlignment); });
    } catch (const MemoryError& error) {
        return error.refusal();
    } catch (const std::bad_alloc&) {
        return refuse("IO-18", "The system has no " + bytesText(count) + " of memory left for this file",
                      "Close other tensors or programs.", {}, ErrorKind::Memory);
    }
}

/// A file that another program writes to while it is read can hold anything.
inline Refusal refuseChanged(const std::filesystem::path& path) {
    return refuse("IO-07", sanitiseForDisplay(path.filename().string(), 60) + ": the file changed while reading",
                  "Wait until the program that writes it is done, then open it again.");
}

/// `work()`, with "out of memory" (std::bad_alloc of whatever small allocation) turned into a refusal. Work that owns
/// what it made by objects leaves nothing behind then.
template <class F>
auto withMemoryRefused(const char* what, F&& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return refuse("IO-18", std::string(what) + " ran out of memory", "Close other tensors or programs.", {},
                      ErrorKind::Memory);
    }
}

/// The bytes of `owner` as a storage of kind "heap".
inline StoragePtr heapStorage(std::shared_ptr<std::byte> owner, std::size_t count) {
    std::byte* const data = owner.get();
    return Storage::wrap(
        data, count, Device{}, [keep = std::move(owner)] {}, "heap");
}

} // namespace stridescope::io
