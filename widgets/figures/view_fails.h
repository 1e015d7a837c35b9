#pragma once
// The whole explanation of a failing view(): what was wanted, where the walk breaks, which rule it breaks, and the
// ways out.

#include "core/error.h"
#include "core/view/view_verdict.h"
#include "widgets/figures/figure.h"
#include "widgets/model/snapshot.h"

#include <QStringList>

#include <vector>

namespace stridescope {

struct ViewFailsInput {
    const TensorEntry* entry = nullptr;  ///< the tensor on which view was called; not null
    const TensorEntry* parent = nullptr; ///< drawn beside it when it lies on the same storage
    int storageNumber = 0;
    QStringList sharers;       ///< names of all tensors on the storage, in order of creation
    int nextStorageNumber = 0; ///< the number that a copy's storage would get
    QString code;              ///< "y.view(12)"
    Dims wanted;               ///< as typed: may hold one -1
    QString assigned;          ///< "z" for "z = y.view(12)": the ways out give their result that name, too
    Refusal refusal;           ///< its detail is a ViewMergeFailure
    QString hovered;           ///< the way out under the pointer, as its line: the strip shows how it reads
    bool paper = false;        ///< a page to read: nothing on it to press
    bool still = false;        ///< its ways out are to be read: where they stand, nothing carries them out
    qreal width = 1292;        ///< at least 560; below 900 everything stands one under another
    /// Height in which everything should be seen at once; 0: as high as it likes. Where it is short, the ways out stand
    /// beside the picture, and what only repeats something is left out.
    qreal height = 0;
};

/// Precondition: the refusal's detail is ViewMergeFailure (refusalFigure draws all others, and calls this one).
Figure viewFailsFigure(const ViewFailsInput& input);

/// A row of "Shapes of y you can try".
struct ShapeRow {
    Dims shape;
    bool isView = false;
    QString shapeText;  ///< "(2, 6)"
    QString strideText; ///< "(1, 4)", or "needs a copy"
    QString code;       ///< "y.view(2, 6)", for views and copies alike
};
/// Shapes with as many elements as the view, the wanted one first.
std::vector<ShapeRow> shapeRows(const TensorEntry& entry, const Dims& wanted, std::size_t limit = 10);
/// "Shapes with 12 elements, tested against the strides of y, (1, 4)."
QString shapeRowsIntro(const TensorEntry& entry);

} // namespace stridescope
