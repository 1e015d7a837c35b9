#pragma once
// `out=`: the result of any operation written to tensors that exist already.
//
//     Tensor c = empty({0});
//     outOf("mm", c, [&] { return mm(a, b); });                      // torch.mm(a, b, out=c)
//     outOf("sort", {&values, &indices}, [&] { ... });               // torch.sort(x, out=(values, indices))
//
// The operation runs first, so that an `out` may overlap its inputs, and a refusal of any kind changes nothing. An
// `out` of another shape is resized to the result's; one with elements is resized under a warning
// (core/trace/warning.h), as in PyTorch 1.13. Where its storage has no room, `out` gets another storage; tensors that
// share the old one keep it. Operations that know a dtype argument are called with that of `out`: sum(x, dims, false,
// out.dtype()).
//
// Pointwise operations, cat, sum, mean, prod, cumsum and cumprod also have forms of their own (addOut, catOut, …),
// which write without a result in between; those never resize. Source: PyTorch documentation and version 1.13.
//
// @throws TypeError (OUT-02) for an operation that has no `out=`, or for another number of tensors than it gives;
// ValueError (TENSOR-02) for undefined tensors; DeviceError (DEV-03) for one on another device than the result;
// ShapeError for a dtype that does not fit (OUT-01, CAST-01), read-only storages (WRITE-01), an `out` that names a
// slot twice (OVERLAP-01, OVERLAP-02) and tensors that overlap each other (OVERLAP-03); MemoryError; and whatever the
// operation itself refuses.

#include "core/tensor/tensor.h"

#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stridescope {

/// What the dtype of an `out` must be.
enum class OutRule : std::uint8_t {
    None,        ///< the operation has no `out=`
    Same,        ///< the result's
    Castable,    ///< one of the same kind or above: float32 into float64 or complex64, not into int64
    Any,         ///< any; elements are converted
    Bool,        ///< bool
    Truth,       ///< bool or uint8
    Floating,    ///< floats; elements are converted
    Complex,     ///< complex; elements are converted
    ComplexSame, ///< the result's, which is complex: of the transforms, those that write straight into their output
    Copied,      ///< any, and the shape too: written as copy_ writes, broadcast and never resized
};

using OutTensors = std::vector<Tensor*>;
/// Calls `make` and writes what it returns to `outs`, one after the other. `name` is for messages. An output that
/// shares slots with one of `inputs` is refused where PyTorch does (OVERLAP-03): of what goes element by element in
/// another order than its own, of what joins or gathers at all, even after a resize, and never of what reads all first.
void writeOut(std::string_view name, OutRule rule, const OutTensors& outs,
              const std::function<std::vector<Tensor>()>& make, std::span<const Tensor* const> inputs = {});

/// The same by the rule that the operation table has for the operation `name` ("mm", "linalg.svd").
void outOf(std::string_view name, const OutTensors& outs, const std::function<std::vector<Tensor>()>& make);
/// For one tensor: `make` (() -> Tensor).
template <class Make>
requires std::is_same_v<std::invoke_result_t<Make&>, Tensor> Tensor& outOf(std::string_view name, Tensor& out,
                                                                           Make make) {
    outOf(name, OutTensors{&out}, [&] { return std::vector<Tensor>{make()}; });
    return out;
}

} // namespace stridescope
