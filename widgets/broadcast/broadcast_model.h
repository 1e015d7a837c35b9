#pragma once
// BroadcastModel: everything that the picture of a broadcast says, found once for a line. A pure value.

#include "core/expr/pointwise_program.h"
#include "core/view/broadcast_alignment.h"
#include "widgets/broadcast/broadcast_counterexample.h"
#include "widgets/model/snapshot.h"

#include <QString>
#include <QStringList>

namespace stridescope {

/// A tensor that goes in, or the result.
struct BroadcastOperand {
    QString code; ///< "A", "x.sum(1, keepdim=True)"
    Tensor tensor;
    View aligned, stretched; ///< with ghost dims; of the result's shape
    std::vector<DimMatch> match;
    Index stored = 0;      ///< elements that are kept, each once
    int colour = -1;       ///< view fill and badge
    QChar letter;          ///< on the badge
    int storageNumber = 0; ///< 0: not in the workspace
    bool stretches() const;
};

/// What mends a line whose sizes do not fit: another line, which was tried.
struct BroadcastMend {
    QString label;    ///< "b.unsqueeze(1)"
    QString method;   ///< ".unsqueeze(1)"; empty where it is more than a call
    int operand = -1; ///< on which operand; -1: on what several make
    QString line;     ///< the whole line with it
    QString outcome;  ///< "(3, 4) + (3, 1) → (3, 4)"
    bool primary = false;
};

struct BroadcastModel {
    expr::PointwiseProgram program;
    BroadcastAlignment alignment;
    std::vector<BroadcastOperand> operands;
    Dims shape;              ///< of the result
    BroadcastOperand result; ///< undefined tensor where the line is refused
    QString resultName;      ///< "C"
    bool inPlace = false;
    std::optional<Index> conflictDim; ///< of the result's dims
    Index storedBytes = 0;            ///< of the operands' elements, each once
    std::size_t longest = 0;          ///< letters of the longest number in a cell; 0: there are too many to be written
    Index betweenBytes = 0;           ///< of the results in between, as of a * b in "a * b + c"
    std::vector<BroadcastMend> mends;
    /// Of lines of two tensors that fit.
    std::optional<BroadcastCounterexample> counterexample;

    bool ok() const { return program.ok(); }
    /// copy_(), fill_(), zero_() and x[0] =: what stood there before counts for nothing.
    bool overwrites() const;
    /// An in-place line whose result would be larger than what it is written to.
    bool outputGrows() const;
    /// Is this dim of the result what the line is refused for?
    bool failsAt(std::size_t dim) const;
    Index numel() const { return alignment.numel(); }
    /// As many bytes as the operand would have if it were copied to the result's shape.
    Index copiedBytes(const BroadcastOperand& operand) const;
    Index resultBytes() const;
    /// PyTorch's text for the refusal, with the kind of exception; empty where there is none.
    QString refusalText() const;
    /// "int64 + float32 → float32"; empty where all dtypes are the same.
    QString promotion() const;
    /// "A.expand(4, 5) + B.expand(4, 5)": what the line does without broadcasting; empty where nothing stretches.
    QString expandedCode() const;
    /// "(4, 1) + (1, 5)": the line with shapes for operands.
    QString shapesText() const;

    Dims coordOf(Index element) const;
    Index elementOf(const Dims& coord) const;
    /// Slot of the operand's storage that the element of the result reads.
    Index slotOf(const BroadcastOperand& operand, Index element) const;
    /// "1 + -5 = -4": the line with the numbers of one element; empty where nothing was computed.
    QString arithmetic(Index element) const;
    /// "the condition holds, so it is 3.0": why the element is what it is, of functions whose names do not say it; else
    /// empty.
    QString reason(Index element) const;
    /// "-4": the element of the result.
    QString resultText(Index element) const;
};

/// A number of a line, or an element: with no more digits than its dtype has.
QString elementText(Scalar value, DType dtype = DType::Float64);

/// `line` on the tensors of `snapshot`; the result gets `nextName` unless the line names it. Refused where there is
/// nothing to draw: what does not parse, unknown names, more than four tensors.
Result<BroadcastModel> broadcastModel(const WorkspaceSnapshot& snapshot, const QString& line, const QString& nextName);

} // namespace stridescope
