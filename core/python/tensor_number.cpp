// Operators: + - * / // % ** @ & | ^ << >> ~, comparisons, bool(), int(), float().

#include "core/ops/copy.h"
#include "core/ops/matmul.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/promotion.h"
#include "core/python/convert.h"
#include "core/python/from_data.h"
#include "core/python/refused_call.h"
#include "core/python/tensor_object.h"
#include "core/python/unlocked.h"
#include "core/tensor/element.h"

namespace stridescope::python {

namespace {

/// A NumPy array beside a tensor counts as one, as in PyTorch.
bool isOperand(PyObject* object) {
    return isTensor(object) || isNumber(object) || isNumpyArray(object);
}

bool isLong(const Tensor& a, const Tensor& b) {
    const Index m = a.numel(), n = b.numel();
    if (m >= kLongSweep || n >= kLongSweep) return true;
    // Of two shapes comes what they broadcast to, or of matrices their product.
    return m > 1 && n > 1 && m * n >= kLongSweep && !(a.shape() == b.shape());
}
bool isLong(const Tensor& a, Scalar) {
    return a.numel() >= kLongSweep;
}
bool isLong(Scalar, const Tensor& b) {
    return b.numel() >= kLongSweep;
}

/// op(a, b), without the interpreter's lock where that takes long. See unlocked.h.
template <class A, class B, class Op>
auto apply(const A& a, const B& b, Op op) {
    if (isLong(a, b)) [[unlikely]]
        return withoutLock(a, b, op);
    return op(a, b);
}

/// Calls op(Tensor, Tensor), op(Tensor, Scalar) or op(Scalar, Tensor).
template <class Op>
PyObject* binarySlot(PyObject* a, PyObject* b, Op op) {
    PyObject* const made = guarded([&]() -> PyObject* {
        if (isTensor(a)) {
            if (isTensor(b)) return wrap(apply(elementsOf(a), elementsOf(b), op));
            if (isNumber(b)) return wrap(apply(elementsOf(a), toScalar(b), op));
            if (isNumpyArray(b)) return wrap(apply(elementsOf(a), tensorFromArray(b), op));
        } else if (isTensor(b)) {
            if (isNumber(a)) return wrap(apply(toScalar(a), elementsOf(b), op));
            if (isNumpyArray(a)) return wrap(apply(tensorFromArray(a), elementsOf(b), op));
        }
        Py_RETURN_NOTIMPLEMENTED;
    });
    return kept(made, "", {a, b});
}
template <class Op>
PyObject* inPlaceSlot(PyObject* a, PyObject* b, Op op) {
    PyObject* const made = guarded([&]() -> PyObject* {
        if (isTensor(b)) {
            apply(elementsOf(a), elementsOf(b), op);
        } else if (isNumber(b)) {
            apply(elementsOf(a), toScalar(b), op);
        } else if (isNumpyArray(b)) {
            apply(elementsOf(a), tensorFromArray(b), op);
        } else {
            Py_RETURN_NOTIMPLEMENTED;
        }
        return Py_NewRef(a);
    });
    return kept(made, "", {a, b});
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define BINARY(slot, expression)                                                                                       \
    PyObject* slot(PyObject* x, PyObject* y) {                                                                         \
        return binarySlot(x, y, [](const auto& a, const auto& b) { return expression; });                              \
    }
#define IN_PLACE(slot, expression)                                                                                     \
    PyObject* slot(PyObject* x, PyObject* y) {                                                                         \
        return inPlaceSlot(x, y, [](const Tensor& a, const auto& b) { expression; });                                  \
    }
// NOLINTEND(bugprone-macro-parentheses)
/// As PyTorch: z + x is x + z. A complex number that is multiplied by 1 beside real infinities would make NaN.
Tensor total(Scalar a, const Tensor& b) {
    return a.isComplex() ? add(b, a) : add(a, b);
}
template <class B>
Tensor total(const Tensor& a, const B& b) {
    return add(a, b);
}
BINARY(addSlot, total(a, b))
BINARY(subSlot, sub(a, b))
BINARY(mulSlot, mul(a, b))
/// As PyTorch: 2 / x is x.reciprocal() * 2.
Tensor quotient(Scalar a, const Tensor& b) {
    return mul(reciprocal(b), a);
}
template <class B>
Tensor quotient(const Tensor& a, const B& b) {
    return div(a, b);
}
BINARY(divSlot, quotient(a, b))
BINARY(floorDivSlot, floorDivide(a, b))
BINARY(remainderSlot, remainder(a, b))
BINARY(andSlot, bitwiseAnd(a, b))
BINARY(orSlot, bitwiseOr(a, b))
BINARY(xorSlot, bitwiseXor(a, b))
BINARY(leftSlot, leftShift(a, b))
BINARY(rightSlot, rightShift(a, b))
BINARY(eqSlot, eq(a, b))
BINARY(neSlot, ne(a, b))
IN_PLACE(addInto, add_(a, b))
IN_PLACE(subInto, sub_(a, b))
IN_PLACE(mulInto, mul_(a, b))
IN_PLACE(divInto, div_(a, b))
IN_PLACE(floorDivInto, floorDivide_(a, b))
IN_PLACE(remainderInto, remainder_(a, b))
IN_PLACE(andInto, bitwiseAnd_(a, b))
IN_PLACE(orInto, bitwiseOr_(a, b))
IN_PLACE(xorInto, bitwiseXor_(a, b))
IN_PLACE(leftInto, leftShift_(a, b))
IN_PLACE(rightInto, rightShift_(a, b))
#undef BINARY
#undef IN_PLACE

PyObject* powSlot(PyObject* x, PyObject* y, PyObject* modulus) {
    if (modulus != Py_None) {
        PyErr_SetString(PyExc_TypeError, "pow() 3rd argument not allowed unless all arguments are integers");
        return nullptr;
    }
    return binarySlot(x, y, [](const auto& a, const auto& b) {
        // As PyTorch, whose __rpow__ makes a tensor of the number first; torch.pow(number, tensor) wraps instead.
        if constexpr (std::is_same_v<std::decay_t<decltype(a)>, Scalar>) {
            requireFits(a, resultType(b, a));
            return math(mathOp<Pow>, a, b); // keeps the order of the exponent's elements
        } else {
            return pow(a, b);
        }
    });
}
PyObject* powInto(PyObject* x, PyObject* y, PyObject*) {
    return inPlaceSlot(x, y, [](const Tensor& a, const auto& b) { pow_(a, b); });
}
PyObject* matmulSlot(PyObject* x, PyObject* y) {
    PyObject* const made = guarded([&]() -> PyObject* {
        if (!isTensor(x) || !isTensor(y)) Py_RETURN_NOTIMPLEMENTED;
        const Tensor &a = elementsOf(x), &b = elementsOf(y);
        if (a.numel() < kLongWork && b.numel() < kLongWork) return wrap(matmul(a, b));
        return wrap(withoutLock(a, b, [](const Tensor& m, const Tensor& n) { return matmul(m, n); }));
    });
    return kept(made, "", {x, y});
}

template <class Op>
PyObject* unarySlot(PyObject* x, Op op) {
    return guarded(
        [&] { return wrap(apply(elementsOf(x), Scalar(0), [&](const Tensor& a, Scalar) { return op(a); })); });
}
PyObject* negSlot(PyObject* x) {
    return unarySlot(x, [](const Tensor& a) { return neg(a); });
}
PyObject* posSlot(PyObject* x) {
    return guarded([&]() -> PyObject* {
        static_cast<void>(positive(tensorOf(x))); // bool it refuses
        return Py_NewRef(x);
    });
}
PyObject* absSlot(PyObject* x) {
    return unarySlot(x, [](const Tensor& a) { return abs(a); });
}
PyObject* invertSlot(PyObject* x) {
    return guarded([&] {
        const DType t = tensorOf(x).dtype();
        if (!isIntegral(t) && t != DType::Bool)
            raise(PyExc_TypeError, "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
        return wrap(apply(elementsOf(x), Scalar(0), [](const Tensor& a, Scalar) { return bitwiseNot(a); }));
    });
}

// --- One element as a number of Python
// ---------------------------------------------------------------------------------

Scalar single(PyObject* x) {
    const Tensor& t = elementsOf(x);
    if (t.numel() != 1) raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
    return item(t);
}
int boolSlot(PyObject* x) {
    return guarded(
        [&]() -> int {
            const Tensor& t = elementsOf(x);
            if (t.numel() == 0) raise(PyExc_RuntimeError, "Boolean value of Tensor with no values is ambiguous");
            if (t.numel() > 1)
                raise(PyExc_RuntimeError, "Boolean value of Tensor with more than one value is ambiguous");
            return item(t).toBool();
        },
        -1);
}
void requireReal(Scalar value, const char* what) {
    if (value.isComplex() && value.imag() != 0)
        raise(PyExc_RuntimeError, std::string("value cannot be converted to type ") + what + " without overflow");
}
PyObject* intSlot(PyObject* x) {
    return guarded([&]() -> PyObject* {
        const Scalar value = single(x);
        requireReal(value, "int64_t");
        return value.isFloat() || value.isComplex() ? PyLong_FromDouble(value.toDouble())
                                                    : PyLong_FromLongLong(value.toInt());
    });
}
PyObject* floatSlot(PyObject* x) {
    return guarded([&] {
        const Scalar value = single(x);
        requireReal(value, "double");
        return PyFloat_FromDouble(value.toDouble());
    });
}
PyObject* indexSlot(PyObject* x) {
    return guarded([&] {
        const Tensor& t = elementsOf(x);
        if (t.numel() != 1 || !(isIntegral(t.dtype()) || t.dtype() == DType::Bool))
            raise(PyExc_TypeError, "only integer tensors of a single element can be converted to an index");
        return PyLong_FromLongLong(item(t).toInt());
    });
}

PyObject* compareSlot(PyObject* x, PyObject* y, int op) {
    if (!isOperand(y)) Py_RETURN_NOTIMPLEMENTED;
    switch (op) {
    case Py_EQ:
        return eqSlot(x, y);
    case Py_NE:
        return neSlot(x, y);
    case Py_LT:
        return binarySlot(x, y, [](const auto& a, const auto& b) { return lt(a, b); });
    case Py_LE:
        return binarySlot(x, y, [](const auto& a, const auto& b) { return le(a, b); });
    case Py_GT:
        return binarySlot(x, y, [](const auto& a, const auto& b) { return gt(a, b); });
    default:
        return binarySlot(x, y, [](const auto& a, const auto& b) { return ge(a, b); });
    }
}

} // namespace

void addNumberSlots(SlotList& slots) {
    const auto add = [&](int id, auto function) { slots.push_back({id, reinterpret_cast<void*>(function)}); };
    add(Py_nb_add, addSlot);
    add(Py_nb_subtract, subSlot);
    add(Py_nb_multiply, mulSlot);
    add(Py_nb_true_divide, divSlot);
    add(Py_nb_floor_divide, floorDivSlot);
    add(Py_nb_remainder, remainderSlot);
    add(Py_nb_power, powSlot);
    add(Py_nb_matrix_multiply, matmulSlot);
    add(Py_nb_and, andSlot);
    add(Py_nb_or, orSlot);
    add(Py_nb_xor, xorSlot);
    add(Py_nb_lshift, leftSlot);
    add(Py_nb_rshift, rightSlot);
    add(Py_nb_inplace_add, addInto);
    add(Py_nb_inplace_subtract, subInto);
    add(Py_nb_inplace_multiply, mulInto);
    add(Py_nb_inplace_true_divide, divInto);
    add(Py_nb_inplace_floor_divide, floorDivInto);
    add(Py_nb_inplace_remainder, remainderInto);
    add(Py_nb_inplace_power, powInto);
    add(Py_nb_inplace_and, andInto);
    add(Py_nb_inplace_or, orInto);
    add(Py_nb_inplace_xor, xorInto);
    add(Py_nb_inplace_lshift, leftInto);
    add(Py_nb_inplace_rshift, rightInto);
    add(Py_nb_negative, negSlot);
    add(Py_nb_positive, posSlot);
    add(Py_nb_absolute, absSlot);
    add(Py_nb_invert, invertSlot);
    add(Py_nb_bool, boolSlot);
    add(Py_nb_int, intSlot);
    add(Py_nb_float, floatSlot);
    add(Py_nb_index, indexSlot);
    add(Py_tp_richcompare, compareSlot);
}

} // namespace stridescope::python
