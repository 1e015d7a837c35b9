#include "core/io/image_tensor.h"

#include "core/io/heap_bytes.h"
#include "core/view/checked.h"

#include <cstring>

namespace stridescope {

namespace {

Result<Tensor> copyRows(std::span<const std::byte> rows, Index width, Index height, Index channels, Index bytesPerLine,
                        const Budget& budget) {
    const std::string sizes = std::to_string(width) + " x " + std::to_string(height);
    if (width < 1 || height < 1 || channels < 1 || channels > 4) {
        return io::refuse("IO-19", "A picture of " + sizes + " with " + std::to_string(channels) + " channels is none",
                          "Sizes are 1 or more, channels 1 to 4.");
    }
    Index rowBytes = 0, total = 0, before = 0, needed = 0;
    if (!mulFits(width, channels, rowBytes) || !mulFits(rowBytes, height, total) ||
        !mulFits(std::max<Index>(bytesPerLine, 0), height - 1, before) || !addFits(before, rowBytes, needed)) {
        return io::refuse("IO-19", "A picture of " + sizes + " has more than 2^63-1 bytes", "It is damaged.");
    }
    if (bytesPerLine < rowBytes) {
        return io::refuseAmount("IO-19",
                                "A row of the picture needs " + std::to_string(rowBytes) + " bytes, but rows are " +
                                    std::to_string(bytesPerLine) + " apart",
                                "The decoder gave wrong numbers.", static_cast<std::uint64_t>(rowBytes),
                                static_cast<std::uint64_t>(std::max<Index>(bytesPerLine, 0)));
    }
    if (static_cast<std::uint64_t>(needed) > rows.size()) {
        return io::refuseAmount("IO-19",
                                "The picture needs " + bytesText(static_cast<std::uint64_t>(needed)) +
                                    " of pixels, has " + bytesText(rows.size()),
                                "The decoder gave wrong numbers.", static_cast<std::uint64_t>(needed), rows.size());
    }
    Result<std::shared_ptr<std::byte>> memory = io::heapBytes(static_cast<std::uint64_t>(total), budget);
    if (!memory) return memory.takeRefusal();
    for (Index y = 0; y < height; ++y) {
        std::memcpy(memory->get() + y * rowBytes, rows.data() + y * bytesPerLine, static_cast<std::size_t>(rowBytes));
    }
    Dims shape{height, width};
    if (channels > 1) shape.push_back(channels);
    Result<View> view = contiguousView(shape);
    if (!view) return view.takeRefusal();
    return Tensor(io::heapStorage(*memory, static_cast<std::size_t>(total)), std::move(view).value(), DType::UInt8);
}

} // namespace

Result<Tensor> imageTensor(std::span<const std::byte> rows, Index width, Index height, Index channels,
                           Index bytesPerLine, const Budget& budget) {
    return io::withMemoryRefused("Loading",
                                 [&] { return copyRows(rows, width, height, channels, bytesPerLine, budget); });
}

} // namespace stridescope
