#pragma once
// .safetensors files: named tensors, plain bytes, no code. Saved sessions use the format, too.
//
// A file is 8 bytes (length of the header, little-endian), the header (JSON: each name with dtype, shape and the first
// and last offset of its bytes, and "__metadata__" with texts), and the bytes, one tensor after the other.
// Source of the format: the README of huggingface/safetensors.

#include "core/io/npy.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace stridescope {

struct SafetensorsEntry {
    std::string name;           ///< raw text from the file: sanitise before showing
    std::string dtypeText;      ///< "F32"
    std::optional<DType> dtype; ///< absent for one that does not exist here (BF16, U16, …)
    Dims shape;
    std::uint64_t begin = 0, end = 0; ///< offsets of the bytes, counted from the end of the header
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries; ///< in the order of their bytes
    std::vector<std::pair<std::string, std::string>> metadata;
    std::uint64_t dataOffset = 0; ///< of the bytes, from the beginning of the file
};

/// Reads the header from a whole file in memory. Pure: evaluates nothing and allocates nothing that the bytes do not
/// prove. Refused as the format wants it, ids ST-01 … ST-12: every byte of the data belongs to exactly one tensor,
/// without holes, and sizes, dtype and offsets agree.
Result<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::byte> file, const Budget& budget = {});

/// A tensor that was not opened, and why.
struct SkippedTensor {
    std::string name; ///< made safe to show
    Refusal refusal;
};
struct OpenedSafetensors {
    std::vector<OpenedArray> arrays;
    std::vector<SkippedTensor> skipped; ///< dtypes that do not exist here (ST-13)
    std::vector<std::pair<std::string, std::string>> metadata;
};

/// Maps the file: the tensors are views, at their offsets, of one storage over all of its data. Copied within the
/// budget into storages of their own: bool, and (told in the notes) data not aligned to its item size. Where the data
/// as a whole begins too odd for the items of a tensor, that one has a storage of its own over its bytes. Refused:
/// IO-01 … IO-08, IO-18, ST-01 … ST-12.
Result<OpenedSafetensors> openSafetensors(const std::filesystem::path& path, const Budget& budget = {});
/// The same for bytes in memory.
Result<OpenedSafetensors> safetensorsFromBytes(const FileBytes& file, const Budget& budget = {});

/// Writes named tensors (any strides) with saveAtomically; the data begins at a multiple of 64 bytes, and larger items
/// come first, so that all lie aligned.
/// Refused: ST-14 for names that are empty, repeated or "__metadata__", IO-17 and what saveAtomically refuses.
Result<SavedFile> writeSafetensors(const std::vector<std::pair<std::string, Tensor>>& tensors,
                                   const std::vector<std::pair<std::string, std::string>>& metadata,
                                   const std::filesystem::path& path, const ProgressFn& progress = {});

/// The same file as bytes. Precondition: the tensors are on the CPU and their names can be used.
std::string safetensorsBytes(const std::vector<std::pair<std::string, Tensor>>& tensors,
                             const std::vector<std::pair<std::string, std::string>>& metadata);

} // namespace stridescope
