"""Tensors as one storage and the views on it: `import stridescope as torch`.

Names, semantics, printing and exceptions are PyTorch 1.13's. With the folder `as_torch` on PYTHONPATH, or after
`stridescope.install_as_torch()`, programs find it under the names torch and torchvision.
"""
import math as _math
import os as _os
import string as _string
import sys as _sys
import types as _types

# The program looks for the CUDA module beside itself; here "the program" is Python, so it is told where to look: in the
# build tree, then as installed.
for _place in (("..", "..", "lib"), ("..", "..")):
    _cuda_module = _os.path.join(_os.path.dirname(_os.path.abspath(__file__)), *_place, "libstridescope_cuda.so")
    if "STRIDESCOPE_CUDA_MODULE" not in _os.environ and _os.path.exists(_cuda_module):
        _os.environ["STRIDESCOPE_CUDA_MODULE"] = _os.path.normpath(_cuda_module)

from . import _core
from ._core import *  # noqa: F401,F403: every function, dtype and type
from ._core import _LinAlgError  # noqa: F401
from ._info import finfo, iinfo
from . import _tensor  # methods of Tensor that are written in Python
from .storage import *  # noqa: F401,F403
from .serialization import load, save
from ._deprecated import chain_matmul, lstsq, lu, matrix_rank, solve, symeig
from ._questions import *  # noqa: F401,F403
from . import cuda, fft, linalg, random, sim, special, storage, utils
from ._outside import (enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad,
                       set_grad_enabled)
from . import _outside
from ._show import show

__version__ = "1.13.1+stridescope"
version = _types.SimpleNamespace(__version__=__version__, cuda=None, hip=None, debug=False)
inf, nan, pi, e = _math.inf, _math.nan, _math.pi, _math.e
float = _core.float  # the `import *` above leaves out what the package has under the names of Python's own types
int, bool = _core.int, _core.bool
FloatTensor, DoubleTensor, HalfTensor = _tensor.FloatTensor, _tensor.DoubleTensor, _tensor.HalfTensor
LongTensor, IntTensor, ShortTensor = _tensor.LongTensor, _tensor.IntTensor, _tensor.ShortTensor
CharTensor, ByteTensor, BoolTensor = _tensor.CharTensor, _tensor.ByteTensor, _tensor.BoolTensor
Storage = storage.FloatStorage


def _letters(subscripts):
    """The letters that the numbers 0 to 51 stand for, and "..." for an Ellipsis."""
    text = ""
    for s in subscripts:
        if s is Ellipsis:
            text += "..."
        elif 0 <= s < 52:
            text += _string.ascii_uppercase[s] if s < 26 else _string.ascii_lowercase[s - 26]
        else:
            raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return text


def einsum(*args):
    """einsum(equation, *operands) -> Tensor

    Products and sums told by letters: einsum('ij,jk->ik', a, b). Or by numbers, each operand followed by its own, and
    those of the result last: einsum(a, [0, 1], b, [1, 2], [0, 2])."""
    if len(args) < 2:
        raise ValueError("einsum(): must specify the equation string and at least one operand, or at least one operand "
                         "and its subscripts list")
    equation, *operands = args
    if isinstance(equation, Tensor):
        equation = ",".join(_letters(subscripts) for subscripts in args[1::2])
        if len(args) % 2 == 1:
            equation += "->" + _letters(args[-1])
            operands = args[:-1:2]
        else:
            operands = args[::2]
    if not isinstance(equation, str):
        raise TypeError(f"einsum(): argument 'equation' (position 1) must be str, not {type(equation).__name__}")
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return _core._einsum(equation, list(operands))


class _HistogramOfPoints(tuple):
    """What histogramdd gives: hist, and bin_edges as a tuple of tensors."""
    hist = property(lambda self: self[0])
    bin_edges = property(lambda self: self[1])

    def __repr__(self):
        return f"torch.return_types.histogramdd(\nhist={self.hist!r},\nbin_edges={self.bin_edges!r})"


def histogramdd(input, bins, *, range=None, weight=None, density=False):
    """histogramdd(input, bins, *, range=None, weight=None, density=False) -> (hist, bin_edges)

    Counts of points, whose coordinates are the last dim, in boxes: so many along each dim, or between given edges."""
    counts, *edges = _core._histogramdd(input, bins, range, weight, density)
    return _HistogramOfPoints((counts, tuple(edges)))


def broadcast_shapes(*shapes):
    """broadcast_shapes(*shapes) -> Size: the shape that tensors of these shapes broadcast to."""
    one = empty(1)  # noqa: F405
    views = [one.as_strided((s,) if hasattr(s, "__index__") else s, (0,) * (1 if hasattr(s, "__index__") else len(s)))
             for s in shapes]
    try:
        return broadcast_tensors(*views)[0].shape if views else Size()  # noqa: F405
    except RuntimeError as error:
        raise RuntimeError(f"Shape mismatch: objects cannot be broadcast to a single shape. {error}") from None


def set_default_tensor_type(t):
    """set_default_tensor_type(t): torch.DoubleTensor or its name; sets the default dtype. One of a GPU: TypeError without
    a GPU, and refused with one: new tensors are made on the CPU unless told otherwise."""
    wanted = _tensor.typed(t)
    if wanted._on_cuda:
        if not cuda.is_available():
            raise TypeError(f"type torch.cuda.{wanted.__name__} not available. Torch not compiled with CUDA enabled.")
        raise RuntimeError(f"set_default_tensor_type(torch.cuda.{wanted.__name__}) is not part of Stridescope: new tensors "
                           f"are made on the CPU; pass device='cuda', and set_default_dtype({wanted.dtype}) for the dtype")
    set_default_dtype(wanted.dtype)  # noqa: F405


def to_dlpack(tensor):
    """to_dlpack(tensor) -> PyCapsule: lends the memory of a tensor."""
    return tensor.__dlpack__()


def is_storage(obj):
    """is_storage(obj) -> bool"""
    return isinstance(obj, (storage.TypedStorage, storage.UntypedStorage))


def typename(obj):
    """typename(obj) -> str"""
    if isinstance(obj, Tensor):  # noqa: F405
        return obj.type()
    return f"{type(obj).__module__}.{type(obj).__qualname__}".removeprefix("builtins.")


def _parts():
    """The package and its parts, by the names that scripts know: "torch", "torch.fft", "torchvision", …"""
    from . import vision
    from .vision import datasets, utils as vision_utils
    from . import _safetensors
    return {"torch": _sys.modules[__name__], "torch.linalg": linalg, "torch.fft": fft, "torch.special": special,
            "torch.cuda": cuda, "torch.random": random,
            "torch.storage": storage, "torch.utils": utils, "torch.utils.benchmark": utils.benchmark,
            "torch.utils.dlpack": utils.dlpack,
            "torch.return_types": return_types, "torchvision": vision, "torchvision.utils": vision_utils,
            "torchvision.datasets": datasets, "safetensors": _safetensors, "safetensors.torch": _safetensors.torch}


def install_as_torch():
    """Makes this package what `import torch` and `import torchvision` find from now on, and its parts likewise;
    safetensors.torch, which would ask for PyTorch, reads and writes with it too."""
    _sys.modules.update(_parts())
    _outside.refuse_imports()


class _ReturnTypes(type(_sys)):
    """torch.return_types: the classes appear with the first result of their kind."""

    def __getattr__(self, name):
        try:
            return _core._return_types()[name]
        except KeyError:
            raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'") from None


return_types = _ReturnTypes("torch.return_types")


def __getattr__(name):
    if name == "torch":  # stridescope.torch is the package itself
        return _sys.modules[__name__]
    raise AttributeError(_outside.missing("torch", name))


# As PyTorch has it: `from torch import *` brings functions, types and constants. Modules stay away, and so do dtypes, for
# torch.float would stand in the place of Python's own float.
__all__ = [_name for _name, _value in list(globals().items())
           if not _name.startswith("_") and _name not in ("install_as_torch", "show", "version")
           and not isinstance(_value, (dtype, layout, memory_format, _types.ModuleType))]  # noqa: F405
