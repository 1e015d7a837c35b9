"""Functions that PyTorch 1.13 has for old programs: those that it warns of, and those that only say what to use."""
import warnings

from . import _core, linalg


def _warned(text):
    warnings.warn(text, UserWarning, stacklevel=3)


def chain_matmul(*matrices, out=None):
    """chain_matmul(*matrices, out=None) -> Tensor: their product. Deprecated: linalg.multi_dot."""
    _warned("torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
            "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than multiple "
            "parameters.")
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for place, matrix in enumerate(matrices):
        if not isinstance(matrix, _core.Tensor):
            raise TypeError(f"expected Tensor as element {place} in argument 0, but got {type(matrix).__name__}")
        if matrix.dim() != 2:
            raise RuntimeError(f"Tensor dimension is {matrix.dim()}, expected 2 instead.")
    if len(matrices) > 1:
        return linalg.multi_dot(list(matrices), out=out)
    return matrices[0].clone() if out is None else out.resize_(matrices[0].shape).copy_(matrices[0])


def lu(A, pivot=True, get_infos=False):
    """lu(A, pivot=True, get_infos=False) -> (LU, pivots[, infos]). Deprecated: linalg.lu_factor."""
    _warned("torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be "
            "removed in a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
            "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\nLU, pivots, info = torch.lu(A, "
            "compute_pivots, get_infos=True)\nshould be replaced with\nLU, pivots, info = "
            "torch.linalg.lu_factor_ex(A, compute_pivots)")
    factors = tuple(linalg.lu_factor_ex(A, pivot=pivot))
    return factors if get_infos else factors[:2]


def symeig(input, eigenvectors=False, upper=True):
    """symeig(input, eigenvectors=False, upper=True) -> (eigenvalues, eigenvectors). Deprecated: linalg.eigh."""
    _warned("torch.symeig is deprecated in favor of torch.linalg.eigh and will be removed in a future PyTorch "
            "release.\nThe default behavior has changed from using the upper triangular portion of the matrix by "
            "default to using the lower triangular portion.\nL, _ = torch.symeig(A, upper=upper)\nshould be replaced "
            "with\nL = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')\nand\nL, V = torch.symeig(A, "
            "eigenvectors=True)\nshould be replaced with\nL, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')")
    triangle = "U" if upper else "L"
    values, vectors = linalg.eigh(input, triangle) if eigenvectors else (linalg.eigvalsh(input, triangle), None)
    return _Eigen((values, input.new_empty(0) if vectors is None else vectors))


class _Eigen(tuple):
    """What symeig gives."""
    eigenvalues = property(lambda self: self[0])
    eigenvectors = property(lambda self: self[1])

    def __repr__(self):
        return f"torch.return_types.symeig(\neigenvalues={self.eigenvalues!r},\neigenvectors={self.eigenvectors!r})"


def _removed(name, *text):
    def refuse(*args, **kwargs):
        raise RuntimeError(*text)
    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"{name}(): no more part of PyTorch; use linalg.{name}."
    return refuse


solve = _removed("solve", "This function was deprecated since version 1.9 and is now removed. Please use the "
                 "`torch.linalg.solve` function instead.")
lstsq = _removed("lstsq", "This function was deprecated since version 1.9 and is now removed.",
                 "Please use the `torch.linalg.lstsq` function instead.")
for _method in (lu, symeig, solve, lstsq):
    setattr(_core.Tensor, _method.__name__, _method)
matrix_rank = _removed("matrix_rank", "This function was deprecated since version 1.9 and is now removed.",
                       "Please use the `torch.linalg.matrix_rank` function instead.")
