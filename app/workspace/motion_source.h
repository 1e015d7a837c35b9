#pragma once
// Operations of the history as something that can be played: their records, the names of that time, and copies of the
// elements as they were before and after.

#include "app/workspace/past.h"
#include "widgets/motion/motion_input.h"

#include <functional>
#include <optional>

namespace stridescope {

class MotionSource {
public:
    /// `storageNumber` tells the number of a storage, 0 for one that never had a name.
    MotionSource(const Past& past, std::function<int(std::uint64_t)> storageNumber)
        : m_past(past), m_storageNumber(std::move(storageNumber)) {}

    /// Precondition: there is such an operation.
    MotionInput of(PastMoment at) const;
    /// An operation that would have written to `target`, whose elements share cells, or share them with those of
    /// `read`, and was refused.
    MotionInput refused(const TensorEntry& target, const TensorEntry* read, const QString& line,
                        const Refusal& refusal) const;

private:
    MotionTensor side(const TensorRecord& record, PastMoment at, bool made) const;
    QString nameOf(const TensorRecord& record, PastMoment at, int depth) const;
    const TensorEntry* entryOf(const TensorRecord& record, std::size_t step, bool made) const;
    void addStorage(MotionInput& input, const TensorRecord& record, PastMoment at) const;
    /// The elements of a storage that the step made before the moment, with what it wrote there since: all of it once
    /// more. Undefined where that is not possible. `unmade`: slots that no result reached; empty: none.
    Tensor madeIn(const MotionStorage& storage, PastMoment when, int depth, std::vector<bool>& unmade) const;
    /// Copies of what an operation was given; nothing where they are not known. Those in the storage of `known` are
    /// views of `line`, all elements of that storage.
    std::optional<std::vector<Tensor>> givenTo(PastMoment at, int depth, const TensorRecord* known = nullptr,
                                               const Tensor& line = {}) const;
    /// Which elements of its first input an operation that picks by indices gave: it picks among their places instead.
    /// Empty where it is no such operation, or not all indices are known.
    std::vector<Index> picked(const MotionInput& input) const;
    /// All elements of a storage at a moment; undefined where none of them is known. `unknown` says which are not.
    Tensor elements(const MotionStorage& storage, PastMoment when, std::vector<bool>& unknown, int depth = 0) const;
    const OpRecord& recordAt(PastMoment at) const { return m_past.steps()[at.step].operations->records()[at.record]; }

    const Past& m_past;
    std::function<int(std::uint64_t)> m_storageNumber;
};

} // namespace stridescope
