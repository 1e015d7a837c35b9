#include "core/io/png.h"

#include "core/io/heap_bytes.h"
#include "core/view/checked.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <zlib.h>

// stb_image_write packs with its own deflate, which is slow and packs badly; it lets programs bring theirs.
// The level comes by a variable of the thread: stb's own is one for all threads.
static thread_local int g_packLevel = 1;
static unsigned char* packWithZlib(unsigned char* data, int bytes, int* outBytes, int /*stbLevel*/) {
    uLongf packed = compressBound(static_cast<uLong>(bytes));
    auto* out = static_cast<unsigned char*>(std::malloc(packed));
    if (!out || packed > INT32_MAX || compress2(out, &packed, data, static_cast<uLong>(bytes), g_packLevel) != Z_OK) {
        std::free(out);
        return nullptr;
    }
    *outBytes = static_cast<int>(packed);
    return out;
}

#define STBIW_ZLIB_COMPRESS packWithZlib
#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image_write.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

// Filter 2 ("up") for every row: trying all five costs more than it saves.
[[maybe_unused]] static const int g_filterChosen = stbi_write_force_png_filter = 2;

namespace stridescope {
namespace {

struct ImageLayout {
    Index height = 0, width = 0, channels = 1;
    Index rowStride = 0, pixelStride = 0, channelStride = 1;
};

Result<ImageLayout> layoutOf(const Tensor& image) {
    const Dims& shape = image.shape();
    const Dims& stride = image.stride();
    const bool gray = shape.size() == 2;
    if (!gray && (shape.size() != 3 || shape[2] < 1 || shape[2] > 4)) {
        return io::refuse("PNG-02",
                          "The shape is " + sanitiseForDisplay(toString(shape), 60) +
                              "; an image is (height, width) or (height, width, 1..4)",
                          "A (channels, height, width) tensor becomes one by permute(1, 2, 0).");
    }
    if (shape[0] < 1 || shape[1] < 1) {
        return io::refuse("PNG-02",
                          "The image has " + std::to_string(shape[1]) + " x " + std::to_string(shape[0]) +
                              " pixels; a PNG needs at least 1 x 1",
                          "Choose a part that is not empty.");
    }
    return ImageLayout{shape[0], shape[1], gray ? 1 : shape[2], stride[0], stride[1], gray ? 1 : stride[2]};
}

/// Bytes of all pixels, or the largest Index when there are more: a view made by hand can have any sizes.
std::uint64_t bytesOf(const ImageLayout& layout) {
    const WideIndex row = static_cast<WideIndex>(layout.width) * layout.channels; // channels <= 4
    const Index rowBytes = clampToIndex(row);
    return static_cast<std::uint64_t>(clampToIndex(static_cast<WideIndex>(rowBytes) * layout.height));
}

/// The pixels row by row without gaps, as stb wants them.
std::vector<std::byte> packPixels(const Tensor& image, const ImageLayout& layout) {
    // Strides of dims of size 1 can be anything: they are never multiplied.
    const Index rowStride = layout.height > 1 ? layout.rowStride : 0;
    const Index pixelStride = layout.width > 1 ? layout.pixelStride : 0;
    const Index channelStride = layout.channels > 1 ? layout.channelStride : 0;
    const auto* const first = reinterpret_cast<const std::byte*>(image.data<std::uint8_t>());
    std::vector<std::byte> packed(static_cast<std::size_t>(layout.height * layout.width * layout.channels));
    std::byte* to = packed.data();
    for (Index y = 0; y < layout.height; ++y) {
        for (Index x = 0; x < layout.width; ++x) {
            for (Index c = 0; c < layout.channels; ++c) {
                *to++ = first[y * rowStride + x * pixelStride + c * channelStride];
            }
        }
    }
    return packed;
}

/// The pixels as stb wants them, and what keeps them.
struct Pixels {
    ImageLayout layout;
    std::vector<std::byte> packed; ///< empty for an image that lies so already
    const void* data = nullptr;
    int width() const { return static_cast<int>(layout.width); }
    int height() const { return static_cast<int>(layout.height); }
    int channels() const { return static_cast<int>(layout.channels); }
};

Result<Pixels> pixelsOf(const Tensor& image) {
    if (auto refusal = io::refuseUnreadable(image)) return std::move(*refusal);
    if (image.dtype() != DType::UInt8) {
        return io::refuse("PNG-01", "The dtype is " + std::string(name(image.dtype())) + "; a PNG holds uint8",
                          "Scale to 0 … 255 and convert: (t * 255).clamp(0, 255).to(uint8).", {}, ErrorKind::Type);
    }
    Result<ImageLayout> read = layoutOf(image);
    if (!read) return read.takeRefusal();
    const ImageLayout layout = *read;
    // stb counts bytes in int: the filtered rows, one byte more each, and zlib's bound on them must fit.
    constexpr Index kLimit = INT32_MAX / 8 * 7;
    if (layout.width > kLimit || layout.height > kLimit ||
        layout.width * layout.channels + 1 > kLimit / layout.height) {
        return io::refuseAmount("PNG-03",
                                "The image has " + std::to_string(layout.width) + " x " +
                                    std::to_string(layout.height) + " x " + std::to_string(layout.channels) +
                                    " bytes, limit " + bytesText(static_cast<std::uint64_t>(kLimit)),
                                "Save a smaller part.", bytesOf(layout), static_cast<std::uint64_t>(kLimit));
    }
    Pixels pixels{layout, image.isContiguous() ? std::vector<std::byte>() : packPixels(image, layout)};
    pixels.data = image.isContiguous() ? static_cast<const void*>(image.data<std::uint8_t>()) : pixels.packed.data();
    return pixels;
}

Refusal refuseEncoder() {
    return io::refuse("PNG-04", "The encoder ran out of memory", "Close other tensors or save a smaller part.", {},
                      ErrorKind::Memory);
}

Result<std::vector<std::byte>> encode(const Tensor& image, const PngOptions& options) {
    Result<Pixels> pixels = pixelsOf(image);
    if (!pixels) return pixels.takeRefusal();
    g_packLevel = std::clamp(options.level, 1, 9);
    int bytes = 0;
    unsigned char* const encoded =
        stbi_write_png_to_mem(static_cast<const unsigned char*>(pixels->data), pixels->width() * pixels->channels(),
                              pixels->width(), pixels->height(), pixels->channels(), &bytes);
    const std::unique_ptr<unsigned char, void (*)(void*)> owner(encoded, &std::free);
    if (!encoded) return refuseEncoder();
    const auto* first = reinterpret_cast<const std::byte*>(encoded);
    return std::vector<std::byte>(first, first + bytes);
}

} // namespace

Result<std::vector<std::byte>> encodePng(const Tensor& image, const PngOptions& options) {
    return io::withMemoryRefused("Saving", [&] { return encode(image, options); });
}

namespace {

/// stb hands over pieces through C: what does not fit into memory is noted and told at the end.
struct Collected {
    std::vector<std::byte> bytes;
    bool failed = false;
};
void collect(void* context, void* data, int size) {
    auto* to = static_cast<Collected*>(context);
    try {
        const auto* first = static_cast<const std::byte*>(data);
        to->bytes.insert(to->bytes.end(), first, first + size);
    } catch (const std::bad_alloc&) {
        to->failed = true;
    }
}

constexpr int kJpegQuality = 75; // as Pillow's, which torchvision saves with

} // namespace

std::optional<ImageFormat> imageFormatOf(std::string_view ending) {
    std::string name(ending.substr(ending.substr(0, 1) == "." ? 1 : 0));
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (name == "png") return ImageFormat::Png;
    if (name == "jpg" || name == "jpeg") return ImageFormat::Jpeg;
    if (name == "bmp") return ImageFormat::Bmp;
    if (name == "tga") return ImageFormat::Tga;
    return std::nullopt;
}

Result<std::vector<std::byte>> encodeImage(const Tensor& image, ImageFormat format) {
    if (format == ImageFormat::Png) return encodePng(image);
    return io::withMemoryRefused("Saving", [&]() -> Result<std::vector<std::byte>> {
        Result<Pixels> pixels = pixelsOf(image);
        if (!pixels) return pixels.takeRefusal();
        Collected collected;
        const int width = pixels->width(), height = pixels->height(), channels = pixels->channels();
        const void* const data = pixels->data;
        const int written =
            format == ImageFormat::Jpeg
                ? stbi_write_jpg_to_func(&collect, &collected, width, height, channels, data, kJpegQuality)
            : format == ImageFormat::Bmp ? stbi_write_bmp_to_func(&collect, &collected, width, height, channels, data)
                                         : stbi_write_tga_to_func(&collect, &collected, width, height, channels, data);
        if (!written || collected.failed) return refuseEncoder();
        return std::move(collected.bytes);
    });
}

Result<SavedFile> writePng(const Tensor& image, const std::filesystem::path& path, const PngOptions& options) {
    Result<std::vector<std::byte>> encoded = encodePng(image, options);
    if (!encoded) return encoded.takeRefusal();
    return saveAtomically(path, *encoded);
}

} // namespace stridescope
