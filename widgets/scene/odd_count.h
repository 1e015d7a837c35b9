#pragma once
// Counting NaN and infinities of a whole storage: for a thread that nobody waits for.

#include "core/tensor/tensor.h"
#include "widgets/scene/odd_values.h"

#include <optional>
#include <vector>

namespace stridescope {

class Job;

/// Storages of no more elements are counted when a picture is made of them, larger ones by countOdd().
inline constexpr Index kCountedAtOnce = Index{1} << 18;
/// No more bytes of a mapped file are read than these: a file may be larger than the memory and lie on a slow disk.
inline constexpr Index kMostFileBytes = Index{1} << 30;

/// Does the dtype have NaN and infinities?
constexpr bool canBeOdd(DType dtype) {
    return isFloating(dtype) || isComplex(dtype);
}
/// The storage of `tensor` as one dim of all elements of its dtype that fit.
Tensor wholeStorage(const Tensor& tensor);
/// Is the storage too large to be counted with every picture, and is there something to count?
bool isCountedApart(const Tensor& tensor);

/// Counts the storage of `tensor`, block by block. Of a mapped file of more than `mostFileBytes` bytes blocks are
/// looked at that are spread evenly over it: then `seen` is less than `total`. Nothing when `job` was cancelled. Reads
/// while others may write: what it gives is true of the storage's version at the start if that is still the same at the
/// end. Precondition: isCountedApart(tensor).
std::optional<OddValues> countOdd(const Tensor& tensor, const Job& job, Index mostFileBytes = kMostFileBytes);

/// What was counted, for each storage and dtype.
class OddCounts {
public:
    /// Stale where the storage was written to since.
    std::optional<OddValues> of(const Tensor& tensor) const;
    bool isFresh(const Tensor& tensor) const;
    /// `version` is the storage's when counting began.
    void set(const Tensor& tensor, quint64 version, const OddValues& values);
    /// Forgets the storages that none of `tensors` lies on.
    void keepOnly(const std::vector<Tensor>& tensors);

private:
    struct Entry {
        quint64 storage;
        DType dtype;
        quint64 version;
        OddValues values;
    };
    const Entry* find(const Tensor& tensor) const;

    std::vector<Entry> m_entries;
};

} // namespace stridescope
