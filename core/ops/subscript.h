#pragma once
// x[...] as Python writes it: numbers, slices, None, Ellipsis, bools, masks and index tensors, for reading and writing.
//
// Numbers, slices, None and Ellipsis alone give a view. A mask (bool or uint8, of several dims if need be) or an index
// tensor (int64) gives a new tensor, in PyTorch's order of dims: all index tensors broadcast to one shape, which takes
// their place where they stand side by side and comes first where they do not. A mask stands for the coords of its true
// elements. Unlike PyTorch 1.13, a mask of several dims may be followed by more items, as in NumPy, and a message about
// an index tensor names the dim that it indexes. All dtypes; index tensors and masks on the device of the tensor or on
// the CPU.
// Source: PyTorch documentation, "Tensor indexing"; results and refusals checked against version 1.13.
//
// @throws ValueError (TENSOR-02) for undefined tensors; (VIEW-05) for steps not above 0; DeviceError, MemoryError;
// IndexError with PyTorch's words:
//   INDEX-01  "index 5 is out of bounds for dimension 0 with size 3"
//   INDEX-10  more items than dims, or a number for a 0-d tensor     INDEX-12  a mask of another shape
//   INDEX-11  index tensors of another dtype                         INDEX-13  index tensors that do not broadcast

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <vector>

namespace stridescope {

/// One item between the brackets.
class IndexItem {
public:
    enum class Kind : std::uint8_t { Number, Slice, NewDim, Ellipsis, Bool, Tensor };

    template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) IndexItem(T number)
        : m_kind(Kind::Number), m_start(static_cast<Index>(number)) {}
    template <class T>
    requires std::is_same_v<T, bool> IndexItem(T value) : m_kind(Kind::Bool), m_start(value ? 1 : 0) {}
    IndexItem(const Tensor& tensor) : m_kind(Kind::Tensor), m_tensor(tensor) {}
    /// start:end:step, each of which may be left out.
    static IndexItem slice(std::optional<Index> start = std::nullopt, std::optional<Index> end = std::nullopt,
                           Index step = 1) {
        IndexItem item(Kind::Slice);
        item.m_start = start;
        item.m_end = end;
        item.m_step = step;
        return item;
    }
    /// None: a new dim of size 1.
    static IndexItem newDim() { return IndexItem(Kind::NewDim); }
    /// As many full slices as there are dims left.
    static IndexItem ellipsis() { return IndexItem(Kind::Ellipsis); }

    Kind kind() const { return m_kind; }
    Index number() const { return *m_start; }
    bool truth() const { return *m_start != 0; }
    std::optional<Index> start() const { return m_start; }
    std::optional<Index> end() const { return m_end; }
    Index step() const { return m_step; }
    const Tensor& tensor() const { return m_tensor; }

private:
    explicit IndexItem(Kind kind) : m_kind(kind) {}

    Kind m_kind;
    std::optional<Index> m_start, m_end;
    Index m_step = 1;
    Tensor m_tensor;
};

/// t[items].
Tensor index(const Tensor& t, const std::vector<IndexItem>& items);

/// t[items] = value, which broadcasts; its leading dims of size 1 are dropped. Where index tensors name
/// an element twice, the last value stays. Returns t.
/// @throws also ShapeError: VIEW-20 and INDEX-15 (value does not broadcast), INDEX-05 (index tensors, and a value of
/// another dtype), WRITE-01, OVERLAP-01 … OVERLAP-03; FILL-01 for a number that does not fit. Nothing changes then.
const Tensor& setIndex(const Tensor& t, const std::vector<IndexItem>& items, const Tensor& value);
const Tensor& setIndex(const Tensor& t, const std::vector<IndexItem>& items, Scalar value);

/// t[indices] = value, or += value where elements that are named twice get both. Returns t. @throws as setIndex.
const Tensor& indexPut_(const Tensor& t, const std::vector<Tensor>& indices, const Tensor& value, bool accumulate);
/// The same on a copy of `t`.
Tensor indexPut(const Tensor& t, const std::vector<Tensor>& indices, const Tensor& value, bool accumulate);

} // namespace stridescope
