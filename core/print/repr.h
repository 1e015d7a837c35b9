#pragma once
// Tensors as text, character for character as PyTorch 1.13 prints them.

#include "core/tensor/tensor.h"

#include <optional>
#include <string>

namespace stridescope {

/// torch.set_printoptions.
struct PrintOptions {
    int precision = 4;           ///< digits after the point; 0 … 60
    Index threshold = 1000;      ///< more elements than this are summarised with "..."
    Index edgeitems = 3;         ///< shown at both ends of a summarised dim; at least 1
    Index linewidth = 80;        ///< characters after which lines break
    std::optional<bool> sciMode; ///< scientific notation; absent: chosen by the values

    static PrintOptions standard() { return {}; }
    /// The named profiles of PyTorch: precision 2 and 2 edge items; no summarising.
    static PrintOptions shortProfile() { return {2, 1000, 2, 80, std::nullopt}; }
    static PrintOptions fullProfile() { return {4, INT64_MAX, 3, 80, std::nullopt}; }
};

/// What `repr` uses when it is given no options; the standard ones until set.
PrintOptions printOptions();
/// Numbers outside their range are brought into it.
void setPrintOptions(const PrintOptions& options);

/// "tensor([[1., 2.],\n        [3., 4.]], dtype=torch.float64)". An undefined tensor is "undefined".
/// Reads the shown elements only, at most (2 * edgeitems)^dim of them once numel is over the threshold; those of
/// another device are copied over, nothing else is.
std::string repr(const Tensor& t);
std::string repr(const Tensor& t, const PrintOptions& options);

/// The whole storage of `t` as t.storage() prints it: an element a line, as Python prints numbers, and a last line with
/// dtype, device and size. More elements than `threshold` are summarised, which PyTorch does not do.
std::string storageRepr(const Tensor& t);

} // namespace stridescope
