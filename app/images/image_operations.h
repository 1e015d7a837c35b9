#pragma once
// What can be done to images, each as the code that does it.

#include "app/images/image_chain.h"

#include <QString>

#include <set>
#include <vector>

namespace stridescope {

struct ImageOperation {
    QString group; ///< "Part", "Order", "Values", "Colour", "Mistakes"
    QString title;
    QString code;      ///< a step; for the shape that the images have
    QString what = {}; ///< of a mistake: what went wrong, and what is right
};

/// Operations for images of this view {n, c, h, w} and dtype.
std::vector<ImageOperation> imageOperations(const Tensor& images);

/// Steps with which a tensor becomes {n, c, h, w}: a permutation where the channels come last.
std::vector<ChainStep> stepsToImages(const Tensor& tensor);
/// May the tensor be images?
bool looksLikeImages(const Tensor& tensor);

/// Channels that steps of the form ".narrow(1, c, k).fill_(v)" overwrite.
std::set<int> killedChannels(const std::vector<ChainStep>& steps);
/// The same steps with exactly these channels overwritten by `value`, neighbours in one step.
std::vector<ChainStep> withKilled(std::vector<ChainStep> steps, const std::set<int>& channels, const QString& value);

/// The step that swaps two of three channels.
QString swapCode(int a, int b);

/// The letters "NCHW" in the order in which `steps` put them; empty where the number of dims changes.
QString lettersAfter(const Tensor& base, const std::vector<ChainStep>& steps, const ChainResult& result);

} // namespace stridescope
