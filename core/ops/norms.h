#pragma once
// Norms of vectors and matrices as torch.linalg has them. The older norm() and dist() are in reductions.h.
//
// Input of floats or complex numbers; the result is real. With `dtype`, elements are converted to it first; it must not
// be narrower than theirs, and complex exactly when they are.
// Source: PyTorch documentation (torch.linalg); refusals checked against version 1.13.
//
// Every function @throws ValueError (TENSOR-02), NotImplementedError (DEV-02) where a device cannot;
// IndexError (VIEW-01) for a dim out of range and (RED-04) for an empty dim of a largest or smallest; ShapeError for a
// dim named twice (RED-01), for integers and bool and for a `dtype` that does not fit (RED-02), for an order (NORM-01)
// or dims (NORM-02) that do not fit, for norms of nothing that are not 0 (NORM-03); and where singular values are
// needed what svdvals refuses (LINALG-01, LINALG-04, LINALG-10).

#include "core/ops/reductions.h"

#include <string>

namespace stridescope {

/// A number, or the name of a norm of matrices.
class NormOrder {
public:
    template <class T>
    requires std::is_arithmetic_v<T> NormOrder(T number) : m_number(number) {}
    NormOrder(Scalar number) : m_number(number) {}
    NormOrder(const char* name) : m_name(name) {}
    NormOrder(std::string_view name) : m_name(name) {}

    bool isName() const { return !m_name.empty(); }
    const std::string& name() const { return m_name; }
    double number() const { return m_number.toDouble(); }
    /// As an argument: "'fro'", "2", "float('inf')".
    std::string code() const;
    /// As in PyTorch's messages: "fro", "2", "inf".
    std::string text() const;

private:
    std::string m_name;
    Scalar m_number = 2;
};

/// (sum of |x|^ord)^(1/ord) over some dims, or over all; ord infinite: the largest or smallest |x|; 0: how many are
/// not 0.
Tensor vectorNorm(const Tensor& x, Scalar ord = 2, const ReduceDims& dims = {}, bool keepdim = false,
                  OptionalDType dtype = {});
/// Of the matrices in two dims. 'fro': root of the squares' sum; 'nuc': sum of the singular values; inf and -inf:
/// largest and smallest sum of |row|, 1 and -1 of |column|; 2 and -2: largest and smallest singular value.
Tensor matrixNorm(const Tensor& a, const NormOrder& ord = "fro", const Dims& dims = {-2, -1}, bool keepdim = false,
                  OptionalDType dtype = {});
/// torch.linalg.norm: without `ord` the 2-norm of all elements or of `dims`, else that of vectors for one dim (or a 1-d
/// tensor) and of matrices for two.
Tensor linalgNorm(const Tensor& a, const std::optional<NormOrder>& ord = std::nullopt,
                  const std::optional<Dims>& dims = std::nullopt, bool keepdim = false, OptionalDType dtype = {});

/// Every slice along `dim` whose p-norm is above `maxnorm` shrunk to it. Two dims at least.
/// @throws ShapeError (NORM-04) for p not above 0, a negative maxnorm and fewer dims.
Tensor renorm(const Tensor& t, Scalar p, Index dim, Scalar maxnorm);
const Tensor& renorm_(const Tensor& t, Scalar p, Index dim, Scalar maxnorm);

/// How many times larger a relative error may get when a system with these matrices is solved: norm of the matrix
/// times that of its inverse; infinite for a singular one. `ord` as in matrixNorm; without it, and for 2 and -2, by
/// singular values, of matrices that need not be square. @throws also ShapeError (LINALG-02).
Tensor cond(const Tensor& a, const std::optional<NormOrder>& ord = std::nullopt);

} // namespace stridescope
