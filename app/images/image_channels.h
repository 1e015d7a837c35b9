#pragma once
// The channels of the picture that a list makes: which of them its steps overwrite, which one alone they leave, and the
// steps that do so.

#include "app/images/image_chain.h"

#include <optional>
#include <vector>

namespace stridescope {

/// The dim of a tensor of images that is drawn as its channels; nothing of (h, w).
std::optional<Index> channelDim(const Tensor& images);

/// A channel of the result that a step of the form ".narrow(dim, first, count).fill_(value)" overwrites.
struct KilledChannel {
    int channel = 0;      ///< as it is drawn
    std::size_t step = 0; ///< the step that does it
    int there = 0;        ///< its number there: a later step may put channels in another order
};
/// What is overwritten along another dim, or is mixed with the other channels later on, is no channel.
std::vector<KilledChannel> killedChannels(const ChainResult& result);
/// The result's steps, and with them `channel` overwritten by `value`, or no longer; neighbours are one step.
std::vector<ChainStep> withKilled(const ChainResult& result, int channel, bool kill, const QString& value);
/// The same channels, overwritten by another value.
std::vector<ChainStep> withFill(const ChainResult& result, const QString& value);

/// The step ".narrow(dim, channel, 1)" that leaves one channel of two or three.
struct SoloStep {
    int channel = 0;
    std::size_t step = 0;
};
std::optional<SoloStep> soloOf(const ChainResult& result);
/// The result's steps with that channel alone; once more, and all of them are there again.
std::vector<ChainStep> withSolo(const ChainResult& result, int channel);

/// The step that swaps two of three channels along that dim.
QString swapCode(Index dim, int a, int b);

} // namespace stridescope
