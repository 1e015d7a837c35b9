#pragma once
// PNG, JPEG, BMP and TGA files, written with stb_image_write; zlib packs those of PNG.

#include "core/io/save_atomically.h"
#include "core/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
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

enum class ImageFormat : std::uint8_t { Png, Jpeg, Bmp, Tga };

/// By the ending of a name, with or without its dot, in any case: "png", "jpg", "jpeg", "bmp", "tga".
std::optional<ImageFormat> imageFormatOf(std::string_view ending);

/// The same image in any of the formats; JPEG with quality 75, which loses a little of it, and without alpha.
/// Refused as encodePng: PNG-01 … PNG-04, IO-17, IO-18.
Result<std::vector<std::byte>> encodeImage(const Tensor& image, ImageFormat format);

} // namespace stridescope
