#pragma once
// MappedFile: the bytes of a regular file in memory, at no cost until touched. Writes stay private.

#include "core/result.h"
#include "core/storage/lost_pages.h"
#include "core/storage/storage.h"

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <span>

namespace stridescope {

/// What became of a mapped file on disk.
enum class FileState {
    Same,
    Changed,  ///< written to or truncated since it was mapped: what is shown may be a mixture
    Replaced, ///< another file has its name now; the bytes mapped are still the old ones
    Gone,     ///< deleted or renamed; the bytes mapped are still there
};

/// A private mapping: pages are read when touched; a page that is written to becomes a copy in memory, the file never
/// changes. 30 GB on a 24 GB machine map at once. When another program truncates the file, touching what is gone gives
/// zeros and marks the mapping as changed, instead of ending the process with SIGBUS (see Note [Truncated mappings]).
class MappedFile : public std::enable_shared_from_this<MappedFile> {
public:
    /// Maps the whole file. Never blocks on what is not a regular file.
    /// Refused: IO-01 … IO-06. An empty file maps to no bytes.
    static Result<std::shared_ptr<MappedFile>> open(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<std::byte> bytes() const { return {m_data, m_bytes}; }
    const std::filesystem::path& path() const { return m_path; }
    /// False only where the system does not allow private copies of so many pages: then nothing may be written.
    bool isWritable() const { return m_writable; }

    /// Bytes [offset, offset + count) as a storage of kind "mapped file" that keeps the mapping alive.
    /// Precondition: inside the file.
    StoragePtr storage(std::size_t offset, std::size_t count);

    /// `count` bytes from `from` on will be read from one end to the other: the system may fetch them at once.
    /// Precondition: inside the file.
    void readAhead(const std::byte* from, std::size_t count) const;

    /// True once the file was written to or truncated after it was mapped. One fstat.
    bool fileChanged() const { return state() == FileState::Changed; }
    FileState state() const;

private:
    friend std::vector<std::string> takeTruncatedFiles();
    MappedFile() = default;
    bool takeLoss(); ///< true once after pages were lost

    std::filesystem::path m_path;
    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
    bool m_writable = true;
    int m_descriptor = -1;
    void* m_guard = nullptr; ///< entry of the table that the SIGBUS handler reads
    std::uint64_t m_device = 0, m_inode = 0;
    std::timespec m_modified{};
};

/// The mapped file behind a storage of kind "mapped file" made by MappedFile::storage; nullptr for every other storage.
/// While somebody keeps the storage the answer stays valid.
std::shared_ptr<MappedFile> mappedFileOf(const Storage& storage);

/// Opens a regular file for reading, without ever blocking. The caller closes the descriptor.
/// Refused: IO-01 (folder, FIFO, socket, device), IO-02, IO-03, IO-04, IO-05.
Result<int> openRegularFile(const std::filesystem::path& path);

} // namespace stridescope
