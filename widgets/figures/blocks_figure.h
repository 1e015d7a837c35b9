#pragma once
// Block figures for slides: tensors side by side in cabinet projection, with captions, on a transparent ground.

#include "widgets/card/block_layout.h"
#include "widgets/model/snapshot.h"
#include "widgets/scene/scene.h"

#include <QStringList>

#include <vector>

namespace stridescope {

struct BlockFigureItem {
    Tensor tensor;              ///< 3 dims of at most 4 × 4 × 6, fewer of at most 12 × 24, no size 0
    std::optional<View> parent; ///< cells of it that the tensor leaves out are drawn as ghosts
    QString code;               ///< "x.narrow(1, 1, 2)", under the figure
    QString note;               ///< instead of "size … · stride … · offset …"
    int colour = 0;
    bool arrowBefore = false; ///< an arrow from the figure before
    std::vector<Dims> rings;  ///< coords that get a ring, beside those of ringSlots
    QString sign;             ///< between the figure before and this one: "@", "=", ","; "→" is the arrow
};

struct BlocksFigureInput {
    std::vector<BlockFigureItem> items;
    /// Storage slots that get a ring wherever they are seen, and what they are: "x[0, 1, :]".
    quint64 ringStorage = 0;
    std::vector<Index> ringSlots;
    QString ringCaption;
    QStringList dimNames;
    bool captions = true;
    qreal maxWidth = 1600; ///< figures wrap into rows
};

/// True for tensors that a block figure can show.
bool fitsBlocksFigure(const View& view);
/// One scene with every figure, or the reason why one of them cannot be drawn (FIG-01, with its shape and the limit).
Result<Scene> blocksFigureScene(const BlocksFigureInput& input);

} // namespace stridescope
