#pragma once
// New tensors: empty, filled, counted, from nested lists, and in the image of others.
//
// All of them check sizes for 64-bit overflow and the bytes against the memory limit (core/storage/memory_budget.h)
// before anything is allocated.
// @throws ShapeError for sizes (negative: VIEW ids of contiguousView; byte count beyond 64 bits: CREATE-01),
//         MemoryError (MEM-01 … MEM-03), DeviceError for a device that is not there.

#include "core/ops/memory_format.h"
#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <cassert>
#include <initializer_list>
#include <optional>
#include <vector>

namespace stridescope {

struct TensorOptions {
    std::optional<DType> dtype; ///< absent: what the function infers, mostly defaultDType()
    Device device;
};

/// The float dtype that creation infers; float32 until set.
DType defaultDType();
/// @throws DTypeError (CREATE-02) unless floating.
void setDefaultDType(DType dtype);

// --- Of a shape -------------------------------------------------------------------------------------------------
/// Not initialised. @throws RuntimeError (FORMAT-01, FORMAT-02) as formattedView.
Tensor empty(const Dims& shape, TensorOptions options = {}, MemoryFormat format = MemoryFormat::Contiguous);
Tensor zeros(const Dims& shape, TensorOptions options = {});
Tensor ones(const Dims& shape, TensorOptions options = {});
/// Infers bool, int64 or the default float from the kind of `value`.
/// @throws ShapeError (FILL-01) when `value` overflows the dtype.
Tensor full(const Dims& shape, Scalar value, TensorOptions options = {});
/// Any layout: a storage that just holds the highest slot of `layout`, not initialised.
Tensor emptyStrided(const View& layout, TensorOptions options = {});

// --- In the image of another ------------------------------------------------------------------------------------
/// The layout that PyTorch's "preserve format" gives a new tensor: v's own strides, without signs, if v is dense, else
/// dense strides in the order of v's. Example: {3,4} {8,1} -> {4,1}; {4,3} {1,8} -> {1,4}. The offset is 0.
View denseLike(const View& v);
/// Shape, dtype and device of `t` unless `options` say otherwise; strides as denseLike, or of a format.
/// @throws RuntimeError (FORMAT-01) for a format of another rank.
struct LikeOptions {
    std::optional<DType> dtype;
    std::optional<Device> device;
    MemoryFormat format = MemoryFormat::Preserve;
};
Tensor emptyLike(const Tensor& t, LikeOptions options = {});
Tensor zerosLike(const Tensor& t, LikeOptions options = {});
Tensor onesLike(const Tensor& t, LikeOptions options = {});
Tensor fullLike(const Tensor& t, Scalar value, LikeOptions options = {});

/// The dtype and device of `t`, unless `options` say otherwise, in any shape; row-major.
Tensor newEmpty(const Tensor& t, const Dims& shape, LikeOptions options = {});
Tensor newZeros(const Tensor& t, const Dims& shape, LikeOptions options = {});
Tensor newOnes(const Tensor& t, const Dims& shape, LikeOptions options = {});
/// @throws ShapeError (FILL-01) when `value` overflows the dtype.
Tensor newFull(const Tensor& t, const Dims& shape, Scalar value, LikeOptions options = {});

// --- Counted ----------------------------------------------------------------------------------------------------
/// start, start + step, … up to but without `end`: ceil((end - start) / step) elements. Infers int64 when all three
/// are integers or bools, else the default float. Integer dtypes count in int64, float dtypes in double.
/// @throws ShapeError with PyTorch's words: step 0 (CREATE-04), wrong sign of step (CREATE-05), NaN or infinite bounds
///         (CREATE-06), too many elements (CREATE-07); NotImplementedError for bool (CREATE-08).
Tensor arange(Scalar start, Scalar end, Scalar step = 1, TensorOptions options = {});
Tensor arange(Scalar end, TensorOptions options = {});

// --- From values ------------------------------------------------------------------------------------------------
/// A number or a list of such, as Python's nested lists: NestedList{{1, 2}, {3, 4}}.
class NestedList {
public:
    using List = std::vector<NestedList>;

    template <class T>
    requires std::is_arithmetic_v<T> NestedList(T value) : m_scalar(value) {}
    NestedList(Scalar value) : m_scalar(value) {}
    NestedList(std::initializer_list<NestedList> items) : m_items(items), m_isList(true) {}
    /// A list of any length.
    static NestedList list(List items) {
        NestedList result(Scalar{});
        result.m_items = std::move(items);
        result.m_isList = true;
        return result;
    }

    bool isList() const { return m_isList; }
    /// Precondition: isList().
    const List& items() const {
        assert(m_isList);
        return m_items;
    }
    /// Precondition: !isList().
    Scalar scalar() const {
        assert(!m_isList);
        return m_scalar;
    }

private:
    // Not a std::variant: libstdc++ 12 takes a variant of nothing but numbers and vectors for one that always holds a
    // value. When such a one is copied and the allocation fails, the half-made copy, which holds none yet, is destroyed
    // as if it did.
    Scalar m_scalar;
    List m_items;
    bool m_isList = false;
};

/// torch.tensor(values). Infers bool if all are bools, int64 if all are bools or integers, else the default float.
/// @throws ValueError for ragged lists (CREATE-09, with the lengths and the dim) and more than kMaxDims levels
///         (CREATE-11), DTypeError for a number among lists or a list among numbers (CREATE-10), ShapeError for
///         integers that overflow the dtype (CREATE-03).
Tensor tensorFrom(const NestedList& values, TensorOptions options = {});
/// The same in the dtype and on the device of `t`, unless `options` say otherwise.
Tensor newTensor(const Tensor& t, const NestedList& values, LikeOptions options = {});

} // namespace stridescope
