#pragma once
// The small values beside tensors: dtype, device, layout, memory_format, Size and Generator as Python types.

#include "core/device/device.h"
#include "core/dtype/dtype.h"
#include "core/ops/memory_format.h"
#include "core/python/python.h"
#include "core/random/generator.h"
#include "core/view/dims.h"

#include <memory>
#include <optional>

namespace stridescope::python {

extern PyTypeObject dtypeType, deviceType, layoutType, memoryFormatType, sizeType, generatorType;

/// The one object of a dtype; a borrowed reference.
PyObject* dtypeObject(DType t);
/// A dtype object, or Python's float, int, bool, complex.
std::optional<DType> asDType(PyObject* object);

struct DeviceObject {
    PyObject_HEAD Device device;
    bool hasIndex; ///< torch.device('cuda') is not torch.device('cuda:0')
};
PyObject* newDevice(Device device, bool hasIndex);
/// A device object, "cuda:1", or the number of a GPU. @throws PythonError.
Device toDevice(PyObject* object);
bool isDeviceLike(PyObject* object);

/// torch.Size.
PyObject* newSize(std::span<const Index> sizes);
/// A plain tuple, as strides are.
PyObject* newTuple(std::span<const Index> values);

struct GeneratorObject {
    PyObject_HEAD Generator* generator;
    bool owned;
};
/// The default generator's object; a new reference.
PyObject* defaultGeneratorObject();
/// What torch.contiguous_format and the others stand for. Precondition: a memory_format object.
MemoryFormat toMemoryFormat(PyObject* object);

void addValueTypes(PyObject* module);

} // namespace stridescope::python
