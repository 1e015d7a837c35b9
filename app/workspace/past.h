#pragma once
// The history as something to be asked: which value an element had at a moment, who wrote it, what it was called.

#include "app/workspace/step_records.h"
#include "app/workspace/workspace_state.h"
#include "app/workspace/write_log.h"
#include "core/ops/provenance.h"

#include <array>

namespace stridescope {

/// What is asked of one step; nothing is owned.
struct PastStep {
    const WorkspaceState *before, *after;
    const WriteLog* writes;
    const StepRecords* operations;
    QString code;
};

/// Before operation `record` of step `step`; {number of steps, 0} is now.
struct PastMoment {
    std::size_t step = 0, record = 0;
};

/// An element of a tensor as it was.
struct PastElement {
    TensorRecord tensor;
    Dims coord;
    Index byte() const;
};

struct PastValue {
    std::array<std::byte, 16> bytes{};
    DType dtype = DType::Float32;
    QString text() const;
    friend bool operator==(const PastValue&, const PastValue&) = default;
};

class Past {
public:
    /// `steps` are those that are done; `now` is the state after the last of them.
    Past(std::vector<PastStep> steps, const WorkspaceState& now) : m_steps(std::move(steps)), m_now(now) {}

    PastMoment now() const { return {m_steps.size(), 0}; }
    const std::vector<PastStep>& steps() const { return m_steps; }

    /// Nothing when it was not kept.
    std::optional<PastValue> valueOf(const PastElement& element, PastMoment when) const;

    struct Writer {
        enum class Kind : quint8 {
            Operation,  ///< record `at` of its step
            Unrecorded, ///< the step changed it, with no operation that says so: NumPy
            Forgotten,  ///< operations of that step were too many to keep
            TakenIn,    ///< the step brought the storage: a file, a paste
            Before,     ///< older than the history
        };
        Kind kind = Kind::Before;
        PastMoment at;
        WrittenElement element; ///< of an operation
    };
    /// Who gave it the value that it had at that moment.
    Writer writerOf(const PastElement& element, PastMoment when) const;
    /// Was it written to after that moment?
    bool isWrittenAfter(const PastElement& element, PastMoment when) const;
    /// The last operation in [from, when) that made just this view.
    std::optional<PastMoment> viewMadeBy(const TensorRecord& view, PastMoment from, PastMoment when) const;

    /// The tensor with a name that showed it around that step, the very one first; `coord` becomes the element's there.
    const TensorEntry* entryOf(const PastElement& element, std::size_t step, Dims& coord) const;
    /// The same of what there is now.
    const TensorEntry* entryNow(const PastElement& element, Dims& coord) const;

    /// One that some state of the history knows; null for others.
    StoragePtr storage(std::uint64_t id) const;

private:
    /// The elements of a step that were saved at operation `from` or later and cover the byte.
    const SavedElements* savedIn(const PastStep& step, std::uint64_t storage, Index byte, std::size_t from) const;
    /// The last ones that were saved before operation `end`, where no operation between the two wrote the byte: what
    /// an assignment is made of, x[[0, 2]] = 5, is made after the old elements were saved.
    const SavedElements* lastSavedBefore(const PastStep& step, std::uint64_t storage, Index byte,
                                         std::size_t end) const;
    bool changedUnseen(std::size_t step, const PastElement& element) const;

    std::vector<PastStep> m_steps;
    const WorkspaceState& m_now;
};

} // namespace stridescope
