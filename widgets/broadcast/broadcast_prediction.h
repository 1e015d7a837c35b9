#pragma once
// "Predict first": what is asked about a line before its picture goes on, and whether an answer is right, and why.

#include "widgets/broadcast/broadcast_model.h"

namespace stridescope {

struct PredictionVerdict {
    bool right = false;
    QString reason; ///< one or two sentences, the same for right and wrong answers
};

/// "What shape has A + B?"
QString shapeQuestion(const BroadcastModel& model);
/// Of "(4, 5)", "4, 5", "4 x 5", "()" for no dims, or "refused"; nothing of what cannot be read.
std::optional<PredictionVerdict> judgeShape(const BroadcastModel& model, const QString& said);

/// Which element of an operand is read for one of the result.
struct CellQuestion {
    std::size_t operand = 0;
    Index element = 0; ///< of the result
    QString words;     ///< "Which element of A is read for C[2, 4]?"
};
/// About the first operand that stretches; nothing where none does, or nothing is computed.
std::optional<CellQuestion> cellQuestion(const BroadcastModel& model);
/// `coord` in the operand's own dims, or in those of the result, of which the missing ones do not count.
PredictionVerdict judgeCell(const BroadcastModel& model, const CellQuestion& question, const Dims& coord);
/// Of "2, 0" or "A[2, 0]"; nothing of what cannot be read or is no index of the operand.
std::optional<PredictionVerdict> judgeCell(const BroadcastModel& model, const CellQuestion& question,
                                           const QString& said);

} // namespace stridescope
