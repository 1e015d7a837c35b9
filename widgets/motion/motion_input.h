#pragma once
// What a motion is made of: one operation's record, and the elements as they were before and after it. Nothing here
// keeps a tensor of the workspace alive or reads one; who makes it copies the elements.

#include "core/error.h"
#include "core/trace/op_record.h"

#include <QString>

#include <optional>
#include <vector>

namespace stridescope {

/// One side of the operation.
struct MotionTensor {
    QString name; ///< "x"; empty for what no name holds
    TensorRecord record;
    int colour = -1; ///< view fill, where it has one
    QChar letter;    ///< on its badge; null: the one that belongs to the fill
};

/// A storage that a side lies in, counted in elements of one dtype.
struct MotionStorage {
    std::uint64_t id = 0;
    int number = 0; ///< "storage #1"; 0: it has none
    DType dtype = DType::Float32;
    Device device;
    Index numel = 0;
    Tensor before, after;        ///< copies, 1-d over all elements; undefined where they are not known
    std::vector<bool> unknown;   ///< slots whose value before is not known; empty: none
    std::vector<bool> unreached; ///< slots that no result reaches, and whose value after is not known; empty: none
    bool knows(bool afterwards, Index slot) const {
        const auto at = static_cast<std::size_t>(slot);
        const std::vector<bool>& missing = afterwards ? unreached : unknown;
        return at >= missing.size() || !missing[at];
    }
    friend bool operator==(const MotionStorage& a, const MotionStorage& b) {
        return a.id == b.id && a.dtype == b.dtype;
    }
};

struct MotionInput {
    OpRecord record;
    QString code;                              ///< "x.narrow(1, 1, 2)"
    std::vector<MotionTensor> inputs, outputs; ///< as in the record
    std::vector<MotionTensor> others;          ///< more views of what is written to
    std::vector<MotionStorage> storages;       ///< of all of them, those of the inputs first
    /// Where indices choose: for each element of the first output the place of the element of the first input that it
    /// is. Empty: the record tells, or nobody knows.
    std::vector<Index> moved;
    std::optional<Refusal> refusal; ///< why it was not carried out; then nothing was written
};

/// The operations of a line that was carried out again on copies, or why it was not.
struct MotionAgain {
    std::vector<MotionInput> operations;
    QString whyNot;
};

/// More cells than this on a card or strip do not move one by one: their numbers are told.
inline constexpr Index kMovingCells = 4096;

} // namespace stridescope
