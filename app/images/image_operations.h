#pragma once
// What can be done to images, each as the code that does it.

#include "app/images/image_chain.h"

#include <QString>

#include <optional>
#include <vector>

namespace stridescope {

struct ImageOperation {
    QString group; ///< "Part", "Order", "Values", "Colour", "Mistakes"
    QString title;
    QString code;       ///< a step; for the shape that the images have
    QString what = {};  ///< of a mistake: what went wrong
    QString right = {}; ///< and what is right
};

/// Operations for images {n, c, h, w}, for one of them {c, h, w} or {h, w}, of this view and dtype.
std::vector<ImageOperation> imageOperations(const Tensor& images);

/// Steps with which a tensor becomes {n, c, h, w}: a permutation where the channels come last.
std::vector<ChainStep> stepsToImages(const Tensor& tensor);
/// May the tensor be images?
bool looksLikeImages(const Tensor& tensor);

/// What a permute or a transpose makes of `dims` dims: which of them comes at each place. Nothing of other code.
std::optional<std::vector<Index>> movedDims(const QString& code, Index dims);
/// The letters "NCHW" in the order in which `steps` put them; empty where the number of dims changes.
QString lettersAfter(const Tensor& base, const std::vector<ChainStep>& steps, const ChainResult& result);

} // namespace stridescope
