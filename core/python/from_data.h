#pragma once
// Tensors from Python's data: numbers, nested sequences, NumPy's arrays.

#include "core/ops/creation.h"
#include "core/python/python.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace stridescope::python {

/// torch.tensor(data): always a copy. @throws PythonError with PyTorch's type and words.
Tensor tensorFromData(PyObject* data, std::optional<DType> dtype, Device device = {});
/// That `dtype`, when it is of integers, holds `value`. @throws PythonError (RuntimeError) with PyTorch's words.
void requireFits(Scalar value, DType dtype);
/// torch.FloatTensor([1, 2]), and torch.Tensor(2, 3) without a `typed` dtype of its own. A tensor keeps its memory.
/// @throws PythonError (TypeError) for a tensor of another dtype than `typed`.
Tensor legacyTensor(PyObject* args, std::optional<DType> typed = std::nullopt);

/// torch.from_numpy(array): shares its memory, which the storage keeps alive.
Tensor tensorFromArray(PyObject* array);
/// torch.frombuffer(buffer, ...): a vector over the memory of an object with Python's buffer protocol, which it keeps
/// alive; `count` elements (-1: all) from byte `offset` on. @throws PythonError (ValueError) with PyTorch's words.
Tensor tensorFromBuffer(PyObject* object, DType dtype, Index count, Index offset);
/// tensor.numpy(): an array over the tensor's memory, which the array keeps alive.
PyObject* arrayFromTensor(PyObject* tensor);
/// The nested lists of tolist(), or a number.
PyObject* toList(const Tensor& t);
/// __dlpack__ and from_dlpack.
PyObject* toDlpack(const Tensor& t);
Tensor fromDlpack(PyObject* source);

} // namespace stridescope::python
