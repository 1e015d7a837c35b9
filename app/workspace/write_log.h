#pragma once
// The elements that were overwritten, so that an undo can bring them back.

#include "core/tensor/tensor.h"

#include <vector>

namespace stridescope {

/// Elements of `target`, as they were before the write (done) or after it (undone).
struct SavedElements {
    Tensor target;
    Tensor values; ///< undefined when they were too large to keep
    Index bytes = 0;
    std::size_t before = 0; ///< the operation of the step, by its place, before which they were saved
    bool kept() const { return values.defined(); }
};

/// What one step overwrote, in order.
class WriteLog {
public:
    /// The largest single write whose old elements are kept.
    static constexpr Index kLargestKept = Index{64} << 20;

    /// Bytes of the elements that a write to `target` overwrites, where those are too large to be kept; else 0.
    static Index bytesTooLargeToKeep(const Tensor& target);
    /// Remembers the elements of `target` as they are now, before operation `before` of the step. False when they are
    /// too large to be kept.
    bool save(const Tensor& target, std::size_t before = 0);
    /// Remembers elements that were saved before the write; an undefined `values` says that they were not.
    void add(const Tensor& target, const Tensor& values);
    /// Takes those of a later step in; `operations` is how many this one has had before it.
    void append(WriteLog&& more, std::size_t operations);
    bool empty() const { return m_saved.empty(); }
    bool allKept() const;
    /// Bytes held.
    Index bytes() const;
    /// Bytes of the writes that were not kept.
    Index bytesNotKept() const;
    /// Exchanges the elements in the storages with the saved ones: undoes when done, does again when undone.
    /// Precondition: allKept().
    void undo();
    void redo();
    /// As undo() for what was kept; the rest stays as it is.
    void undoKept();
    const std::vector<SavedElements>& entries() const { return m_saved; }

private:
    static void exchange(SavedElements& saved);
    std::vector<SavedElements> m_saved;
};

} // namespace stridescope
