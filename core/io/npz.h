#pragma once
// .npz files of NumPy: zip archives of .npy entries, stored or deflated. Entry names are labels, never paths.
// Source of the format: PKWARE's APPNOTE.TXT 6.3.

#include "core/io/npy.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace stridescope {

/// One entry as the archive's directory tells it.
struct ZipEntry {
    std::string name; ///< raw bytes from the file: sanitise before showing, never use as a path
    std::uint16_t flags = 0;
    std::uint16_t method = 0; ///< 0 stored, 8 deflated
    std::uint32_t crc = 0;
    std::uint64_t packedBytes = 0, unpackedBytes = 0;
    std::uint64_t dataOffset = 0; ///< of the packed bytes, from the beginning of the file; inside the file
};

/// The directory of a zip file, checked against the local headers: every entry lies inside the file, none overlaps
/// another, and both descriptions agree. Refused as a whole: NPZ-01 … NPZ-04, NPZ-15. Pure.
Result<std::vector<ZipEntry>> readZipDirectory(std::span<const std::byte> file, const Budget& budget = {});

/// An entry that was not opened, and why.
struct SkippedEntry {
    std::string name; ///< made safe to show
    Refusal refusal;
};
struct OpenedArchive {
    std::vector<OpenedArray> arrays;
    std::vector<SkippedEntry> skipped;
};

/// Opens every good .npy entry and tells about each that is not: encrypted, unknown method, wrong CRC, damaged, name
/// used before, over the budget. Stored and aligned entries are used in place of the mapped file; others are unpacked.
/// Refused as a whole: IO-01 … IO-08, NPZ-01 … NPZ-05, NPZ-14, NPZ-15.
Result<OpenedArchive> openNpz(const std::filesystem::path& path, const Budget& budget = {});

/// The same for bytes in memory.
Result<OpenedArchive> npzFromBytes(const FileBytes& file, const Budget& budget = {});

/// Writes named tensors, stored (not packed), data of each aligned to 64 bytes in the file; zip64 where sizes need it.
/// Refused: NPZ-16, IO-17 and what saveAtomically refuses.
Result<SavedFile> writeNpz(const std::vector<std::pair<std::string, Tensor>>& tensors,
                           const std::filesystem::path& path, const ProgressFn& progress = {});

} // namespace stridescope
