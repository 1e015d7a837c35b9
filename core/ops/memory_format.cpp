#include "core/ops/memory_format.h"

#include "core/view/checked.h"

#include <span>
#include <string>

namespace stridescope {

namespace {

/// The dims from the innermost one on; empty for formats that go by the rank.
std::span<const std::size_t> innermostFirst(MemoryFormat format) {
    static constexpr std::size_t kNchw[] = {1, 3, 2, 0}, kNcdhw[] = {1, 4, 3, 2, 0};
    if (format == MemoryFormat::ChannelsLast) return kNchw;
    if (format == MemoryFormat::ChannelsLast3d) return kNcdhw;
    return {};
}

/// Do the strides grow in that order? Where the batch steps as far as the channels nothing can be told: so do row-major
/// tensors of one channel.
bool growsAs(const View& v, MemoryFormat format) {
    const auto order = innermostFirst(format);
    if (v.shape.size() != order.size() || v.stride[1] == 0) return false;
    Index least = 0;
    for (const std::size_t d : order) {
        if (v.shape[d] == 0 || v.stride[d] < least || (d == 0 && least == v.stride[1])) return false;
        least = v.stride[d];
        if (v.shape[d] > 1 && !mulFits(least, v.shape[d], least)) return false;
    }
    return true;
}

} // namespace

const char* codeText(MemoryFormat format) {
    switch (format) {
    case MemoryFormat::Contiguous:
        return "torch.contiguous_format";
    case MemoryFormat::Preserve:
        return "torch.preserve_format";
    case MemoryFormat::ChannelsLast:
        return "torch.channels_last";
    case MemoryFormat::ChannelsLast3d:
        break;
    }
    return "torch.channels_last_3d";
}

Result<View> formattedView(const Dims& shape, MemoryFormat format, Index offset) {
    if (format == MemoryFormat::Preserve)
        return Refusal{ErrorKind::Runtime,
                       "FORMAT-02",
                       "unsupported memory format Preserve",
                       "There is no tensor whose order could be kept. Name another format.",
                       {}};
    Result<View> made = contiguousView(shape, offset);
    const auto order = innermostFirst(format);
    if (!made || order.empty()) return made;
    if (shape.size() != order.size())
        return Refusal{ErrorKind::Runtime,
                       "FORMAT-01",
                       "required rank " + std::to_string(order.size()) + " tensor to use " +
                           std::string(codeText(format)).substr(6) + " format",
                       "The shape " + toListString(shape) + " has " + std::to_string(shape.size()) + " dims.",
                       {}};
    Index step = 1; // the sizes fit, as contiguousView has seen
    for (const std::size_t d : order) {
        made->stride[d] = step;
        step *= shape[d];
    }
    return made;
}

bool isContiguous(const View& v, MemoryFormat format) {
    const auto order = innermostFirst(format);
    if (order.empty()) return v.isContiguous();
    if (v.shape.size() != order.size()) return false;
    Index step = 1;
    for (const std::size_t d : order) {
        if (v.shape[d] == 1) continue;
        if (v.stride[d] != step) return false;
        step *= v.shape[d];
    }
    return true;
}

MemoryFormat suggestedFormat(const View& v) {
    for (const MemoryFormat format : {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
        if (growsAs(v, format)) return format;
    return MemoryFormat::Contiguous;
}

} // namespace stridescope
