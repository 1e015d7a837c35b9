#pragma once
// saveAtomically: the one way in which this program writes a file. The old file stays until the new one is proven.

#include "core/io/budget.h"
#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>

namespace stridescope {

/// Takes the bytes of a file, in order.
class ByteSink {
public:
    virtual ~ByteSink() = default;
    /// False when the bytes could not be written or the user cancelled: stop producing. The reason is kept inside.
    virtual bool write(std::span<const std::byte> bytes) = 0;
};

struct SavedFile {
    std::filesystem::path path; ///< the file written: symbolic links are followed
    std::uint64_t bytes = 0;
    std::uint64_t fingerprint = 0; ///< of the content, see `fingerprint()`
    bool durable = true;           ///< false: written, but the folder could not be synced to disk
};

struct SaveOptions {
    /// Bytes that will be written, when known: refused at once when the disk has less free; told to `progress`.
    std::optional<std::uint64_t> expectedBytes;
    ProgressFn progress;
};

/// Writes what `produce` puts into the sink to a new file beside `path`, syncs it, reads it back, compares length and
/// fingerprint, and only then renames it over `path`. Whatever fails, the old file (or its absence) is as before and
/// the new one is removed. Permissions of an old file are kept. `produce` may refuse for a reason of its own. Refused:
/// IO-02, IO-03, IO-08, IO-10 … IO-16 with bytes needed and free where space is short.
Result<SavedFile> saveAtomically(const std::filesystem::path& path,
                                 const std::function<std::optional<Refusal>(ByteSink&)>& produce,
                                 const SaveOptions& options = {});

/// The same for bytes that are all there already.
Result<SavedFile> saveAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                                 const SaveOptions& options = {});

/// 64-bit fingerprint of a stream of bytes. Finds damage, not attackers. The same whatever the cuts between blocks.
class Fingerprint {
public:
    void add(std::span<const std::byte> bytes);
    std::uint64_t value() const;

private:
    void mix(std::uint64_t word);
    std::uint64_t m_state = 0x9E3779B97F4A7C15u;
    std::uint64_t m_length = 0;
    std::byte m_pending[8] = {};
};

} // namespace stridescope
