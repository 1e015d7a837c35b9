#pragma once
// PNG files, written with stb_image_write; zlib does the packing.

#include "core/io/save_atomically.h"
#include "core/tensor/tensor.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace stridescope {

struct PngOptions {
    int level = 1; ///< zlib's 1 (fast) … 9 (small)
};

/// PNG bytes of an image tensor: uint8, shape (height, width) for gray or (height, width, channels) with 1 gray,
/// 2 gray + alpha, 3 RGB or 4 RGBA channels; any strides; on the CPU.
/// Refused: PNG-01 … PNG-04, IO-17, IO-18.
Result<std::vector<std::byte>> encodePng(const Tensor& image, const PngOptions& options = {});

/// encodePng, then saveAtomically.
Result<SavedFile> writePng(const Tensor& image, const std::filesystem::path& path, const PngOptions& options = {});

} // namespace stridescope
