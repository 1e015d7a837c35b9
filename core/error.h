#pragma once
// Why something was refused: one structured value, and the exceptions that carry it.

#include "core/index.h"

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace stridescope {

// gcc warns that the scoped enumerator Index shadows the type Index; it cannot be confused with it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// The family of the refusal; the Python module maps it to an exception type of the same meaning.
enum class ErrorKind {
    Runtime,        ///< RuntimeError: shapes, strides, overlap, bounds
    Index,          ///< IndexError: a dim or index out of range
    Value,          ///< ValueError
    Type,           ///< TypeError: dtype or argument of the wrong type
    NotImplemented, ///< NotImplementedError: the operation has no kernel for this dtype or device
    Memory,         ///< MemoryError: an allocation failed or is over the budget
    Device,         ///< RuntimeError about devices: not built, no driver, wrong device
    Io,             ///< OSError: a file could not be read, parsed or written
};
#pragma GCC diagnostic pop

/// `got` is not a dim of something that has `ndim` dims.
struct DimOutOfRange {
    Index got = 0, ndim = 0;
};
/// An index, start or length does not fit dim `dim` of size `size`.
struct IndexOutOfRange {
    Index dim = 0, index = 0, size = 0;
};
/// A view reaches slots [lowest, highest] of a storage that has `has` elements; `needed` elements would do.
struct StorageOutOfBounds {
    Index lowest = 0, highest = 0, needed = 0, has = 0;
};
/// `view` is impossible: old dims `dim` and `dim + 1` would have to merge, but stride[dim] !=
/// stride[dim+1]*size[dim+1]. Read in row-major order, the element at `position` (counted from 0) is the first that the
/// strides found so far miss: they lead `stepSoFar` slots on from the element before it, the view needs `stepNeeded`.
/// Example: arange(12).view(3, 4).t().view(12) walks +4, +4, then -7: position 3, stepSoFar 4, stepNeeded -7.
struct ViewMergeFailure {
    Index dim = 0, stride = 0, wantedStride = 0;
    Index position = 0, stepSoFar = 0, stepNeeded = 0;
};
/// Shapes do not broadcast: sizes `a` and `b` meet at result dim `dim`. `first` and `second` are the two shapes; of
/// expand (VIEW-20) that of the tensor and the wanted one, and `a` is the wanted size.
struct BroadcastConflict {
    Index dim = 0, a = 0, b = 0;
    std::vector<Index> first, second;
};
/// Element counts differ.
struct NumelMismatch {
    Index wanted = 0, has = 0;
};
/// Two coords of one view share the storage slot `slot`.
struct SelfOverlap {
    std::vector<Index> first, second;
    Index slot = 0;
};
/// Bytes wanted against bytes that there are.
struct BytesExceeded {
    Index wanted = 0, limit = 0;
};
/// A place in an input: byte offset in a file or character position in a text.
struct InputPosition {
    Index position = 0;
};

using RefusalDetail = std::variant<std::monostate, DimOutOfRange, IndexOutOfRange, StorageOutOfBounds, ViewMergeFailure,
                                   BroadcastConflict, NumelMismatch, SelfOverlap, BytesExceeded, InputPosition>;

/// What was refused, with the numbers wanted and found, and what to do.
struct Refusal {
    ErrorKind kind = ErrorKind::Runtime;
    std::string id;      ///< stable name, e.g. "VIEW-03" or "NPY-07"; tests assert it
    std::string message; ///< first line at most 140 characters; PyTorch's wording where it has one
    std::string hint;    ///< what to do, one sentence; may be empty
    RefusalDetail detail;
};

/// Base of all exceptions of the library.
class Error : public std::runtime_error {
public:
    explicit Error(Refusal refusal);
    const Refusal& refusal() const { return m_refusal; }

private:
    Refusal m_refusal;
};
class ShapeError : public Error {
    using Error::Error;
}; ///< Runtime
class IndexError : public Error {
    using Error::Error;
};
class ValueError : public Error {
    using Error::Error;
};
class DTypeError : public Error {
    using Error::Error;
}; ///< Type
class NotImplementedError : public Error {
    using Error::Error;
};
class MemoryError : public Error {
    using Error::Error;
};
class DeviceError : public Error {
    using Error::Error;
};
class IoError : public Error {
    using Error::Error;
};

/// Throws the class that belongs to `refusal.kind`.
[[noreturn]] void throwRefusal(const Refusal& refusal);

} // namespace stridescope
