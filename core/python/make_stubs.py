"""Writes the type stubs (*.pyi) of the package, and of torch and torchvision that stand for it, from the module's own
signatures; a test compares.

    PYTHONPATH=build/release/python /usr/bin/python3 core/python/make_stubs.py"""
import inspect
import keyword
import os
import re
import sys

if __name__ == "__main__":
    sys.path.pop(0)  # the sources beside this file are not the built package

import stridescope  # noqa: E402
from stridescope import _core  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
HEAD = '''# Made by core/python/make_stubs.py from the module's signatures; a test compares the two.
from builtins import bool as _bool, float as _float, int as _int, str as _str
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union, overload

_Number = Union[_bool, _int, _float, complex]
'''
SEVERAL = {"gradient", "split", "chunk", "unbind", "tensor_split", "split_with_sizes", "meshgrid", "broadcast_tensors"}
# What does not give one Tensor, by name.
GIVES = {"equal": "_bool", "allclose": "_bool", "can_cast": "_bool", "is_contiguous": "_bool", "is_tensor": "_bool",
         "is_floating_point": "_bool", "is_complex": "_bool", "is_nonzero": "_bool", "is_set_to": "_bool", "is_pinned": "_bool",
         "numel": "_int", "get_num_threads": "_int", "get_num_interop_threads": "_int", "initial_seed": "_int",
         "seed": "_int", "manual_seed": "Generator", "set_rng_state": "None", "set_num_threads": "None",
         "load_npz": "Dict[_str, Tensor]", "load_safetensors": "Dict[_str, Tensor]",
         "save_npy": "None", "save_npz": "None", "save_safetensors": "None",
         "set_default_dtype": "None", "set_printoptions": "None", "get_default_dtype": "dtype", "result_type": "dtype",
         "promote_types": "dtype", "size": "Any", "stride": "Any", "unique": "Any", "unique_consecutive": "Any",
         "nonzero": "Any", "var_mean": "Tuple[Tensor, Tensor]", "std_mean": "Tuple[Tensor, Tensor]",
         **{name: "Any" for name in ("sort topk kthvalue mode aminmax cummax cummin gels eig qr svd linalg.lstsq linalg.qr "
                                     "linalg.svd linalg.eig linalg.eigh linalg.lu linalg.lu_factor linalg.lu_factor_ex geqrf triangular_solve "
                                     "linalg.ldl_factor linalg.ldl_factor_ex lu_unpack histogram "
                                     "linalg.slogdet slogdet").split()}}


def plain(text):
    text = re.sub(r"\b(int|float|bool|str)\b", r"_\1", text)
    return re.sub(r"\bNumber\b", "_Number", text)


def parameter(name, kind, default):
    name = name + "_" if keyword.iskeyword(name) else name
    text = f"{name}: {plain(kind)}"
    return f"{text} = {default if default not in ('inf', '()') and not default.startswith('torch.') else '...'}" if default else text


def forms(name, overloads, method):
    """(parameters, result) of every way to call."""
    for params in overloads:
        rest = params[1:] if method else params
        several = any(p[0] == "dim" and not p[2] for p in params) and name in ("max", "min", "median", "nanmedian")
        where = name == "where" and len(params) == 1
        gives = ("Any" if several else "Tuple[Tensor, ...]" if name in SEVERAL or where else GIVES.get(name, "Tensor"))
        lists = [p for p in rest if p[4]]
        for one_by_one in ([False, True] if lists else [False]):
            parts, star = (["self"] if method else []), False
            for pname, kind, default, keyword_only, spread in rest:
                if spread and one_by_one:
                    parts.append(f"*{pname}: {'Tensor' if 'Tensor' in kind else '_int'}")
                    star = True
                    continue
                if keyword_only and not star:
                    parts.append("*")
                    star = True
                parts.append(parameter(pname, kind, default))
            yield ", ".join(parts), gives


def functions(entries, indent, method):
    lines = []
    for name, overloads, doc in entries:
        ways = list(dict.fromkeys(forms(name, overloads, method)))
        short = name.rpartition(".")[2]
        if short.startswith("_"):
            continue
        for parts, gives in ways:
            if len(ways) > 1:
                lines.append(f"{indent}@overload")
            lines.append(f"{indent}def {short}({parts}) -> {gives}: ...")
    return lines


OPERATORS = ("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift eq ne lt le gt ge").split()


def tensor_class(entries):
    lines = ["class Tensor:", "    def __init__(self, *args: Any) -> None: ..."]
    for name in ("shape", "dtype", "device", "layout", "ndim", "nbytes", "itemsize", "is_cuda", "requires_grad", "T", "mT",
                 "H", "mH", "real", "imag", "data"):
        kind = {"shape": "Size", "dtype": "_dtype", "device": "_device", "layout": "_layout", "ndim": "_int",
                "nbytes": "_int", "itemsize": "_int", "is_cuda": "_bool", "requires_grad": "_bool"}.get(name, "Tensor")
        lines += ["    @property", f"    def {name}(self) -> {kind}: ..."]
        if name in ("real", "imag"):
            lines += [f"    @{name}.setter", f"    def {name}(self, value: Any) -> None: ..."]
    for name, kind in (("is_sparse", "_bool"), ("is_quantized", "_bool"), ("is_meta", "_bool"), ("is_leaf", "_bool"),
                       ("grad", "None"), ("grad_fn", "None"), ("names", "Tuple[None, ...]"), ("name", "None"),
                       ("output_nr", "_int"), *[(n, "_bool") for n in (
                           "is_cpu", "is_sparse_csr", "is_mkldnn", "is_xpu", "is_ipu", "is_mps", "is_ort", "is_vulkan",
                           "is_nested", "retains_grad")]):
        lines += ["    @property", f"    def {name}(self) -> {kind}: ..."]
    lines += [f"    def __{o}__(self, other: Any) -> Tensor: ..." + ("  # type: ignore[override]" if o in ("eq", "ne") else "")
              for o in OPERATORS]
    lines += [f"    def __r{o}__(self, other: Any) -> Tensor: ..." for o in OPERATORS[:13]]
    lines += [f"    def __i{o}__(self, other: Any) -> Tensor: ..." for o in OPERATORS[:13] if o != "matmul"]
    lines += [f"    def __{o}__(self) -> Tensor: ..." for o in ("neg", "pos", "abs", "invert")]
    lines += ["    def __getitem__(self, items: Any) -> Tensor: ...", "    def __setitem__(self, items: Any, value: Any) -> None: ...",
              "    def __len__(self) -> _int: ...", "    def __iter__(self) -> Any: ...", "    def __bool__(self) -> _bool: ...",
              "    def __int__(self) -> _int: ...", "    def __float__(self) -> _float: ...", "    def __index__(self) -> _int: ..."]
    lines += [f"    def {n}(self) -> {k}: ..." for n, k in (
        ("dim", "_int"), ("ndimension", "_int"), ("numel", "_int"), ("nelement", "_int"), ("item", "_Number"),
        ("tolist", "Any"), ("element_size", "_int"), ("storage_offset", "_int"), ("data_ptr", "_int"),
        ("is_floating_point", "_bool"), ("is_complex", "_bool"), ("is_signed", "_bool"), ("get_device", "_int"),
        ("storage", "Any"), ("storage_type", "Any"), ("is_conj", "_bool"), ("is_neg", "_bool"), ("is_inference", "_bool"),
        ("has_names", "_bool"), ("resolve_neg", "Tensor"))]
    lines += ["    def numpy(self, *, force: _bool = False) -> Any: ...",
              "    def type(self, dtype: Any = None, non_blocking: _bool = False) -> Any: ...",
              "    def is_same_size(self, other: Tensor) -> _bool: ...", "    def new(self, *args: Any) -> Tensor: ...",
              "    def detach_(self) -> Tensor: ...", "    def share_memory_(self) -> Tensor: ...",
              "    def is_shared(self) -> _bool: ...",
              "    def requires_grad_(self, requires_grad: _bool = True) -> Tensor: ...",
              "    def apply_(self, function: Callable[[Any], Any]) -> Tensor: ...",
              "    def to_dense(self, dtype: Optional[_dtype] = None) -> Tensor: ...",
              "    def lu(self, pivot: _bool = True, get_infos: _bool = False) -> Any: ...",
              "    def symeig(self, eigenvectors: _bool = False, upper: _bool = True) -> Any: ...",
              *[f"    def {n}(self, *args: Any, **kwargs: Any) -> Any: ..." for n in ("solve", "lstsq")],
              "    def map2_(self, x: Tensor, y: Tensor, function: Callable[[Any, Any, Any], Any]) -> Tensor: ...",
              "    def map_(self, other: Tensor, function: Callable[[Any, Any], Any]) -> Tensor: ..."]
    return lines + [line for line in functions(entries, "    ", True)]


def in_class(lines):
    """Inside Tensor, `dtype`, `device` and `layout` are properties: annotations need other names."""
    def other(match):
        return "_" + match.group(0)
    return [re.sub(r"(?<=[\[ :,])(dtype|device|layout)(?=[\],)])(?!:)", other, line) for line in lines]


def texts():
    """{file: text} of all stubs."""
    entries = [(name, where, overloads, doc) for name, where, overloads, doc in _core._signatures()]
    methods = [(n, o, d) for n, w, o, d in entries if w != "function"]
    plain_functions = [(n, o, d) for n, w, o, d in entries if w != "method" and "." not in n]
    lines = [HEAD, "class dtype:", "    is_floating_point: _bool", "    is_complex: _bool", "    is_signed: _bool",
             "    itemsize: _int", "class device:", "    type: _str", "    index: Optional[_int]",
             "    def __init__(self, type: Any, index: Optional[_int] = None) -> None: ...",
             "class layout: ...", "class memory_format: ...", "class Size(Tuple[_int, ...]):",
             "    def numel(self) -> _int: ...", "class Generator:",
             "    def __init__(self, device: Any = 'cpu') -> None: ...",
             "    def manual_seed(self, seed: _int) -> Generator: ...", "    def initial_seed(self) -> _int: ...",
             "    def seed(self) -> _int: ...", "    def get_state(self) -> Tensor: ...",
             "    def set_state(self, state: Tensor) -> Generator: ...",
             "_dtype = dtype", "_device = device", "_layout = layout"]
    lines += [f"{name}: dtype" for name in sorted(n for n, v in vars(_core).items() if isinstance(v, _core.dtype))]
    lines += ["strided: layout"]
    lines += [f"{name}: memory_format" for name in sorted(n for n, v in vars(_core).items() if isinstance(v, _core.memory_format))]
    lines += ["default_generator: Generator", "inf: _float", "nan: _float", "pi: _float", "e: _float", "__version__: _str"]
    lines += in_class(tensor_class(methods))
    lines += functions(plain_functions, "", False)
    lines += ["def einsum(*args: Any) -> Tensor: ...",
              "def broadcast_shapes(*shapes: Any) -> Size: ...", "def set_default_tensor_type(t: Any) -> None: ...",
              "def is_storage(obj: Any) -> _bool: ...", "def typename(obj: Any) -> _str: ...",
              "class _Picture:",
              "    svg: str",
              "    def save(self, path: Any, scale: Optional[_float] = None) -> None: ...",
              "    def _repr_svg_(self) -> str: ...",
              "def show(*tensors: Tensor, pick: Any = None, select: Optional[str] = None, theme: str = 'light', "
              "size: Any = None, cells: Optional[str] = None, figure: str = 'storage', **named: Tensor) -> _Picture: ...",
              "def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: _int = 2) -> None: ...",
              "def load(f: Any, map_location: Any = None, pickle_module: Any = None) -> Any: ...",
              "def install_as_torch() -> None: ...", "def to_dlpack(tensor: Tensor) -> Any: ...",
              "def is_grad_enabled() -> _bool: ...", "def is_inference_mode_enabled() -> _bool: ...",
              "def chain_matmul(*matrices: Tensor, out: Optional[Tensor] = None) -> Tensor: ...",
              "def lu(A: Tensor, pivot: _bool = True, get_infos: _bool = False) -> Any: ...",
              "def symeig(input: Tensor, eigenvectors: _bool = False, upper: _bool = True) -> Any: ...",
              "def histogramdd(input: Tensor, bins: Any, *, range: Optional[Sequence[_float]] = None, "
              "weight: Optional[Tensor] = None, density: _bool = False) -> Any: ...",
              *[f"def {n}(input: Tensor) -> _bool: ..." for n in ("is_signed", "is_conj", "is_neg", "is_inference")],
              *[f"def {n}(input: Tensor) -> Tensor: ..." for n in ("resolve_neg", "detach_")],
              "def is_same_size(input: Tensor, other: Tensor) -> _bool: ...", "def get_device(input: Tensor) -> _int: ...",
              "def use_deterministic_algorithms(mode: _bool, *, warn_only: _bool = False) -> None: ...",
              "def set_deterministic_debug_mode(debug_mode: Union[_int, _str]) -> None: ...",
              "def get_deterministic_debug_mode() -> _int: ...", "def get_float32_matmul_precision() -> _str: ...",
              "def set_float32_matmul_precision(precision: _str) -> None: ...",
              "def set_flush_denormal(mode: _bool) -> _bool: ...",
              *[f"def {n}() -> _bool: ..." for n in (
                  "compiled_with_cxx11_abi", "are_deterministic_algorithms_enabled",
                  "is_deterministic_algorithms_warn_only_enabled")],
              *[f"has_{n}: _bool" for n in ("cuda", "cudnn", "lapack", "mkl", "mkldnn", "mps", "openmp", "spectral")],
              *[f"def {n}(*args: Any, **kwargs: Any) -> Any: ..." for n in ("solve", "lstsq", "matrix_rank")], "class finfo:", "    def __init__(self, type: Optional[dtype] = None) -> None: ...",
              "    bits: _int", "    eps: _float", "    max: _float", "    min: _float", "    tiny: _float",
              "    smallest_normal: _float", "    resolution: _float", "class iinfo:",
              "    def __init__(self, type: dtype) -> None: ...", "    bits: _int", "    max: _int", "    min: _int",
              *[line for n in ("no_grad", "inference_mode", "enable_grad", "set_grad_enabled")
                for line in (f"class {n}:", "    def __init__(self, *args: Any) -> None: ...",
                             "    def __enter__(self) -> Any: ...", "    def __exit__(self, *what: Any) -> None: ...")],
              "from . import cuda as cuda, fft as fft, linalg as linalg, random as random, sim as sim, special as special, storage as storage, utils as utils, vision as vision"]
    lines += ["version: Any", "return_types: Any", "class OutOfMemoryError(RuntimeError, MemoryError): ..."]
    lines += ["from .storage import TypedStorage as TypedStorage, UntypedStorage as UntypedStorage"]
    lines += [f"class {n}(TypedStorage): ..." for n in stridescope.storage.__all__ if not n.endswith("ypedStorage")]
    lines += ["Storage = FloatStorage"]
    lines += [f"class {n}(Tensor): ..." for n in sorted(dir(stridescope)) if n.endswith("Tensor") and n != "Tensor"]
    made = {"stridescope/__init__.pyi": "\n".join(lines) + "\n"}
    for part in ("linalg", "fft", "special"):
        inside = [(n, o, d) for n, w, o, d in entries if n.startswith(part + ".")]
        body = [HEAD, "from . import Tensor, device, dtype, layout, memory_format"] + functions(inside, "", False)
        if part == "linalg":
            body.append("class LinAlgError(RuntimeError): ...")
        made[f"stridescope/{part}.pyi"] = "\n".join(body) + "\n"
    for part in ("cuda", "sim"):
        made[f"stridescope/{part}.pyi"] = made_at_run_time(getattr(stridescope, part))
    return {**made, **other_names()}


def shown_parameters(function):
    """"(self, device: Any = ...)": names and defaults; what kinds there are stands in the docstring."""
    parts, star = [], False
    for p in inspect.signature(function).parameters.values():
        if p.name.startswith("_"):
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
        star = star or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        prefix = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        kind = "" if p.name == "self" else ": Any"
        parts.append(f"{prefix}{p.name}{kind}{' = ...' if p.default is not p.empty else ''}")
    return ", ".join(parts)


def gives(function):
    """What stands behind the arrow in the first line of a docstring, if it is a class of Python's own."""
    found = re.search(r"\) -> (bool|int|float|str)\b", function.__doc__ or "")
    return "_" + found.group(1) if found else "Any"


def made_at_run_time(module):
    """The stub of a module whose names are made when it is imported."""
    lines = [HEAD]
    for name in sorted(n for n in vars(module) if not n.startswith("_")):
        thing = getattr(module, name)
        if isinstance(thing, type):
            base = "RuntimeError" if issubclass(thing, RuntimeError) else "Any"
            methods = [(n, m) for n, m in vars(thing).items()
                       if inspect.isfunction(m) and (n in ("__init__", "__enter__", "__exit__") or n[0] != "_")]
            lines.append(f"class {name}({base}):" if base != "Any" else f"class {name}:")
            lines += [f"    def {n}({shown_parameters(m)}) -> {'None' if n == '__init__' else gives(m)}: ..."
                      for n, m in methods] or ["    def __init__(self, *args: Any) -> None: ..."]
        elif inspect.isfunction(thing):
            lines.append(f"def {name}({shown_parameters(thing)}) -> {gives(thing)}: ...")
    return "\n".join(lines) + "\n"


def other_names():
    """torch and torchvision, each part of which is a part of the package; that imports its own."""
    parts = {name: part for name, part in stridescope._parts().items() if inspect.ismodule(part)
             and name != "torch.return_types"}
    made = {}
    for name, part in parts.items():
        whole = any(other.startswith(name + ".") for other in parts)
        lines = ["# Made by core/python/make_stubs.py.", f"from {part.__name__} import *"]
        if hasattr(part, "__version__"):
            lines += ["__version__: str"]
        made[f"as_torch/{name.replace('.', '/')}{'/__init__' if whole else ''}.pyi"] = "\n".join(lines) + "\n"
    return made


if __name__ == "__main__":
    for name, text in texts().items():
        os.makedirs(os.path.dirname(os.path.join(FOLDER, name)), exist_ok=True)
        with open(os.path.join(FOLDER, name), "w") as file:
            file.write(text)
