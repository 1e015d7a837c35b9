#include "core/ops/padding.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observed_call.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"

namespace stridescope {

namespace {

using observed::Inputs;

[[noreturn]] void refuse(const char* id, std::string message, std::string hint) {
    throwRefusal({ErrorKind::Runtime, id, std::move(message), std::move(hint), {}});
}

std::string number(Index n) {
    return std::to_string(n);
}

Tensor padded(const Tensor& t, const Dims& pad, Scalar value) {
    Dims shape = t.shape();
    Tensor from = t;
    for (std::size_t i = 0; i < pad.size() / 2; ++i) {
        const std::size_t d = shape.size() - 1 - i;
        const Index before = pad[2 * i], behind = pad[2 * i + 1];
        shape[d] += before + behind;
        if (shape[d] < 0)
            refuse("PAD-02",
                   "The input size " + number(t.shape()[d]) + ", plus negative padding " + number(before) + " and " +
                       number(behind) + " resulted in a negative output size, which is invalid. Check dimension " +
                       number(static_cast<Index>(d)) + " of your input.",
                   "Cut off no more than there is.");
        const auto dim = static_cast<Index>(d);
        if (before < 0)
            from = narrow(from, dim, std::min(-before, from.size(dim)),
                          from.size(dim) - std::min(-before, from.size(dim)));
        if (behind < 0) from = narrow(from, dim, 0, std::max<Index>(from.size(dim) + behind, 0));
    }
    const Tensor out = full(shape, value, {t.dtype(), t.device()});
    Tensor middle = out;
    for (std::size_t i = 0; i < pad.size() / 2; ++i) {
        const auto dim = static_cast<Index>(shape.size() - 1 - i);
        middle = narrow(middle, dim, std::max<Index>(pad[2 * i], 0), from.size(dim));
    }
    copy_(middle, from);
    return out;
}

void requireImages(const char* name, const char* factorName, const Tensor& t, Index factor) {
    elementwise::requireDefined(t, name);
    if (t.dim() < 3)
        refuse("PAD-03",
               std::string(name) + " expects input to have at least 3 dimensions, but got input with " +
                   number(t.dim()) + " dimension(s)",
               "The last three are channels, height and width.");
    if (factor <= 0)
        refuse("PAD-03", std::string(name) + " expects a positive " + factorName + ", but got " + number(factor), {});
}

/// {.., a, b, c, d, e} with the last dims in another order.
Tensor turned(const Tensor& t, std::initializer_list<Index> last) {
    Dims order;
    const Index leading = t.dim() - static_cast<Index>(last.size());
    for (Index d = 0; d < leading; ++d) order.push_back(d);
    for (const Index d : last) order.push_back(leading + d);
    return permute(t, order);
}

Dims leading(const Tensor& t, Index dropped, std::initializer_list<Index> last) {
    Dims shape;
    for (Index d = 0; d < t.dim() - dropped; ++d) shape.push_back(t.size(d));
    for (const Index size : last) shape.push_back(size);
    return shape;
}

template <class Make>
Tensor made(const char* name, const Tensor& t, Index factor, Make make) {
    return observed::newTensors(
        name, [&] { return Inputs{&t}; },
        [&] {
            Tensor result = make();
            return result.storage() == t.storage() ? clone(result, MemoryFormat::Contiguous) : result;
        },
        [&] { return number(factor); });
}

} // namespace

Tensor constantPad(const Tensor& t, const Dims& pad, Scalar value) {
    elementwise::requireDefined(t, "constant_pad_nd");
    if (pad.size() % 2 != 0)
        refuse("PAD-01", "Length of pad must be even but instead it equals " + number(std::ssize(pad)),
               "Two numbers for each dim: in front and behind.");
    if (pad.size() / 2 > t.shape().size())
        refuse("PAD-01",
               "Length of pad should be no more than twice the number of dimensions of the input. Pad length is " +
                   number(std::ssize(pad)) + "while the input has " + number(t.dim()) + "dimensions.",
               "Two numbers for each dim, the last one first.");
    return observed::newTensors(
        "constant_pad_nd", [&] { return Inputs{&t}; }, [&] { return padded(t, pad, value); },
        [&] { return toString(std::span<const Index>(pad)) + (value == Scalar(0) ? "" : ", " + toString(value)); });
}

Tensor pixelShuffle(const Tensor& t, Index factor) {
    requireImages("pixel_shuffle", "upscale_factor", t, factor);
    const Index c = t.size(-3), h = t.size(-2), w = t.size(-1), square = factor * factor;
    if (c % square != 0)
        refuse("PAD-03",
               "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
               "upscale_factor, but input.size(-3)=" +
                   number(c) + " is not divisible by " + number(square),
               "Each channel of the result takes that many.");
    return made("pixel_shuffle", t, factor, [&] {
        const Tensor parts = reshape(t, leading(t, 3, {c / square, factor, factor, h, w}));
        return reshape(turned(parts, {0, 3, 1, 4, 2}), leading(t, 3, {c / square, h * factor, w * factor}));
    });
}

Tensor pixelUnshuffle(const Tensor& t, Index factor) {
    requireImages("pixel_unshuffle", "downscale_factor", t, factor);
    const Index c = t.size(-3), h = t.size(-2), w = t.size(-1);
    for (const auto& [size, word, dim] : {std::tuple{h, "height", "-2"}, std::tuple{w, "width", "-1"}})
        if (size % factor != 0)
            refuse("PAD-03",
                   std::string("pixel_unshuffle expects ") + word +
                       " to be divisible by downscale_factor, but input.size(" + dim + ")=" + number(size) +
                       " is not divisible by " + number(factor),
                   "Each block of that size becomes channels.");
    return made("pixel_unshuffle", t, factor, [&] {
        const Tensor parts = reshape(t, leading(t, 3, {c, h / factor, factor, w / factor, factor}));
        return reshape(turned(parts, {0, 2, 4, 1, 3}), leading(t, 3, {c * factor * factor, h / factor, w / factor}));
    });
}

Tensor channelShuffle(const Tensor& t, Index groups) {
    elementwise::requireDefined(t, "channel_shuffle");
    if (t.dim() <= 2)
        refuse("PAD-03",
               "channel_shuffle expects input with > 2 dims, but got input with sizes " +
                   toListString(std::span<const Index>(t.shape())),
               "The second dim is that of the channels.");
    if (groups <= 0)
        refuse("PAD-03", "Number of groups to divide channels in must be positive. Value of groups:" + number(groups),
               {});
    const Index channels = t.size(1);
    if (channels % groups != 0)
        refuse("PAD-03",
               "Number of channels must be divisible by groups. Got " + number(channels) + " channels and " +
                   number(groups) + " groups.",
               "Each group takes as many.");
    return made("channel_shuffle", t, groups, [&] {
        Dims parts{t.size(0), groups, channels / groups};
        for (Index d = 2; d < t.dim(); ++d) parts.push_back(t.size(d));
        return reshape(transpose(reshape(t, parts), 1, 2), t.shape());
    });
}

} // namespace stridescope
