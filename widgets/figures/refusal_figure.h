#pragma once
// A picture for every refusal: what was asked, where it does not fit, in words and numbers, and the ways out.

#include "core/error.h"
#include "widgets/figures/figure.h"
#include "widgets/model/snapshot.h"

#include <QStringList>

namespace stridescope {

/// Sizes that do not fit one another, beside those that do not broadcast.
enum class RefusedSizes {
    None,
    Product, ///< of matrices and vectors: the inner sizes
    Join,    ///< cat and stack
    Write,   ///< in place: the target would have to grow
};
RefusedSizes refusedSizes(const Refusal& refusal);

/// One of the operands whose sizes do not fit.
struct RefusedOperand {
    QString name; ///< as the line calls it; empty where it does not
    Dims shape;
};

/// A line that can be carried out instead, and what it does.
struct RefusalWay {
    QString code, why;
};

struct RefusalFigureInput {
    const TensorEntry* entry = nullptr; ///< the tensor that was asked; not null
    const TensorEntry* parent = nullptr;
    int storageNumber = 0;
    QStringList sharers; ///< names of all tensors on the storage, in order of creation
    int nextStorageNumber = 0;
    QString code; ///< "x.narrow(1, 3, 4)"
    Refusal refusal;
    /// The view that was wanted, where there is one (as_strided, a stepper): it may reach outside the storage.
    std::optional<View> attempted;
    /// The shape that was wanted from view, reshape or expand.
    Dims wanted;
    /// Of sizes that do not fit: both operands, of cat and stack all.
    std::vector<RefusedOperand> operands;
    Index joinedDim = -1; ///< along which cat was to join them
    /// Ways out that the line suggests; shown where the picture knows none itself. They assign nothing.
    std::vector<RefusalWay> ways;
    /// "C" where the line was "C = …": the ways out give their result that name, too.
    QString assigned;
    QString hovered;    ///< the way out under the pointer, as its line; empty: none
    bool paper = false; ///< a page to read: nothing on it to press
    bool still = false; ///< its ways out are to be read: where they stand, nothing carries them out
    qreal width = 1100; ///< at least 640
    qreal height = 0;   ///< in which everything should be seen at once, as far as that is possible; 0: any
};

/// Message bar, the picture that fits the refusal's detail, the reason, and buttons. A ViewMergeFailure with `wanted`
/// gets the whole view-fails figure.
Figure refusalFigure(const RefusalFigureInput& input);

} // namespace stridescope
