#pragma once
// .npy files of NumPy, versions 1.0, 2.0 and 3.0: read by mapping, written with an aligned header.
// Source of the format: NumPy manual, "numpy.lib.format".

#include "core/io/budget.h"
#include "core/io/save_atomically.h"
#include "core/result.h"
#include "core/tensor/tensor.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stridescope {

/// What has to happen to the bytes of the file before they are elements of a dtype that exists here.
enum class NpyConversion {
    None,
    NormaliseBool, ///< bytes 2..255 become 1
    UInt16ToInt32,
    UInt32ToInt64,
    UInt64ToInt64, ///< only when every value fits
};

struct NpyHeader {
    int major = 1, minor = 0;
    DType dtype = DType::Float32; ///< of the tensor that will be made
    NpyConversion conversion = NpyConversion::None;
    std::size_t fileItemSize = 4; ///< bytes of one element in the file
    bool swapBytes = false;       ///< the file's byte order is not this machine's
    bool fortranOrder = false;    ///< the first index runs fastest
    Dims shape;
    Index numel = 1;
    std::uint64_t dataOffset = 0;   ///< bytes from the beginning of the file to the first element
    std::uint64_t dataBytes = 0;    ///< numel * fileItemSize, proven to fit
    std::vector<std::string> notes; ///< odd but legal things, one sentence each
};

/// Bytes at the beginning of a file in which a header within `budget` must end.
inline std::size_t npyHeadBytes(const Budget& budget) {
    return static_cast<std::size_t>(budget.maxHeaderBytes) + 12;
}

/// Reads the header of an .npy file from the beginning of its bytes. Pure: evaluates nothing, allocates nothing that
/// the bytes do not prove. Refused: NPY-01 … NPY-18.
Result<NpyHeader> parseNpyHeader(std::span<const std::byte> fileStart, const Budget& budget = {});

/// A tensor that came out of a file.
struct OpenedArray {
    Tensor tensor;
    std::string name;               ///< file or entry name without ending, made safe to show
    std::string rawName;            ///< the same, letter by letter as in the file
    std::vector<std::string> notes; ///< what was converted, ignored or odd; one sentence each
};

/// Maps the file: opening costs no memory and no time, whatever its size, and writes to the tensor never reach the
/// file. Copied within the budget instead (told in the notes): big-endian data, bool, uint16 (-> int32), uint32 and
/// uint64
/// (-> int64), data not aligned to its item size. bool beyond the budget opens mapped, as uint8.
/// Fortran order becomes Fortran strides. Refused: IO-01 … IO-08, IO-18, NPY-01 … NPY-20; nothing is kept open then.
Result<OpenedArray> openNpy(const std::filesystem::path& path, const Budget& budget = {});

/// Bytes in memory that hold a file, and who keeps them there.
struct FileBytes {
    std::span<std::byte> bytes;
    std::shared_ptr<void> owner; ///< kept as long as a tensor uses the bytes
    std::string kind = "heap";   ///< for Storage::kind()
    bool writable = true;
};

/// The same for bytes in memory; the tensor uses them in place where it can.
Result<OpenedArray> npyFromBytes(const FileBytes& file, const std::string& name, const Budget& budget = {});

/// Header of an .npy file for `t`: magic, version 1.0, dictionary, padded with spaces to a multiple of 64 bytes.
/// Fortran order is written for a tensor that is contiguous only in that order, as NumPy does.
std::string npyHeaderFor(const Tensor& t);

/// The elements of `t` in the order in which an .npy file holds them, in blocks of at most 1 MiB, without a full copy.
/// False when the sink stopped.
bool writeNpyData(const Tensor& t, ByteSink& sink);

/// Writes `t` (any strides) with saveAtomically. Refused: IO-17 and what saveAtomically refuses.
Result<SavedFile> writeNpy(const Tensor& t, const std::filesystem::path& path, const ProgressFn& progress = {});

} // namespace stridescope
