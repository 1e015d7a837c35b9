#pragma once
// What kind of file this is, told by its content; names and endings are never believed.

#include "core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace stridescope {

enum class FileKind {
    Empty,
    Npy,
    Npz, ///< a zip file with at least one .npy entry
    Png,
    Jpeg,
    Bmp,
    Pnm, ///< PPM, PGM: "P2", "P3", "P5", "P6"
    Safetensors,
    Cifar, ///< pictures of CIFAR-10 or CIFAR-100: records, a pickle or an archive; told by the whole file alone
    Text,  ///< printable UTF-8, e.g. CSV
    // Known by name, never opened:
    Zip,             ///< a zip file without .npy entries
    TorchCheckpoint, ///< a zip file with data.pkl, or PyTorch's older formats
    Pickle,
    Gif,
    Tiff,
    WebP,
    Svg,
    Hdf5,
    Gzip,
    Unknown,
};

/// Number of bytes at the beginning of a file that `fileKindOf` wants to see (fewer when the file is shorter).
inline constexpr std::size_t kFileKindBytes = 4096;

/// Kind of the file that begins with `head` (at most kFileKindBytes are looked at). A zip file is told as Zip here.
FileKind fileKindOf(std::span<const std::byte> head);

/// Kind of the file at `path`; for a zip file its directory decides between Npz, TorchCheckpoint and Zip.
/// Refused at once, without blocking: IO-01 … IO-05.
Result<FileKind> fileKindOf(const std::filesystem::path& path);

/// The same, but refuses (IO-09) what the program cannot open, naming it, with the first bytes of the file when
/// unknown; a pickle that names what no array is made with is refused with that name (PKL-04).
Result<FileKind> openableKindOf(const std::filesystem::path& path);

/// "NumPy array (.npy)", "PyTorch checkpoint (pickle)", … for people.
std::string describe(FileKind kind);

} // namespace stridescope
