#pragma once
// Single elements: read, checked, written.

#include "core/tensor/scalar.h"
#include "core/tensor/tensor.h"

#include <span>
#include <string>
#include <string_view>

namespace stridescope {

/// The element at `address` (any alignment); its kind is Bool, Int or Float as its dtype.
Scalar loadElement(const std::byte* address, DType dtype);
/// Writes `value` converted as copy_ converts; nothing is checked.
void storeElement(std::byte* address, DType dtype, Scalar value);

/// Refuses undefined tensors (ValueError, TENSOR-02) and those that the CPU cannot read (DeviceError, ELEM-03);
/// `what` begins the message: "reading a slot".
void requireCpu(const Tensor& t, const char* what);

/// Element in storage slot `slot`, in units of t's dtype; the view does not matter.
/// @throws IndexError (ELEM-01) outside the storage, DeviceError (ELEM-03) off the CPU.
Scalar readSlot(const Tensor& t, Index slot);
/// Element at `coord` (negative numbers count from the end).
/// @throws IndexError (ELEM-01, ELEM-02 for a wrong number of indices), DeviceError (ELEM-03).
Scalar readElement(const Tensor& t, std::span<const Index> coord);
/// The only element of a tensor of any shape with one element, on any device.
/// @throws ValueError (ELEM-04) for another number of elements.
Scalar item(const Tensor& t);

/// `value` as a scalar of `dtype`'s kind when it fits: integers must be whole and in range, floats finite stay finite
/// and nothing but 0 becomes 0. Rounding to the nearest float and any number to bool are no loss.
/// Refused (VALUE-01 … VALUE-05) with the value and the range.
Result<Scalar> fitScalar(Scalar value, DType dtype);

/// Sets one element; what does not fit (fitScalar) is refused and nothing changes.
/// @throws as readElement, and ValueError as fitScalar, and ShapeError (ELEM-05) for storages that are read-only.
void writeElement(const Tensor& t, std::span<const Index> coord, Scalar value);
/// As writeElement by storage slot.
void writeSlot(const Tensor& t, Index slot, Scalar value);

/// As Python prints it: "True", "5", "0.1".
std::string toString(Scalar value);

/// A number as people type it into a cell of `dtype`. Blanks around it are ignored.
/// - Integers: digits with an optional sign, in range. A fraction, an exponent, nan and inf are refused.
/// - Floats: also a point, an exponent, "nan", "inf" (any case). Too large for the dtype or so small that it would
///   become 0 is refused.
/// - Bool: "True", "False", "1", "0" (any case).
/// "0x10" and "1_000" are refused with the number to type instead; digits of other scripts with "use digits 0-9".
/// Refused: ids PARSE-S01 … PARSE-S08, with the InputPosition of the first wrong character.
Result<Scalar> parseScalar(std::string_view text, DType dtype);

} // namespace stridescope
