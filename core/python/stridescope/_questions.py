"""What programs ask PyTorch before they begin, and its switches: answered for what this library is."""
from . import _core, storage as _storage

has_lapack, has_spectral = True, True
has_cuda = has_cudnn = has_mkl = has_mkldnn = has_mps = has_openmp = False
_settings = {"deterministic": 0, "precision": "highest"}
_MODES = ("default", "warn", "error")


def compiled_with_cxx11_abi():
    """compiled_with_cxx11_abi() -> bool: True."""
    return True


def is_signed(input):
    """is_signed(input) -> bool: can the dtype hold negative numbers?"""
    return input.is_signed()


def is_same_size(input, other):
    """is_same_size(input, other) -> bool: are the sizes equal?"""
    return input.size() == other.size()


def is_conj(input):
    """is_conj(input) -> bool: False; conjugates are numbers in memory here."""
    return False


def is_neg(input):
    """is_neg(input) -> bool: False; negated numbers are numbers in memory here."""
    return False


def is_inference(input):
    """is_inference(input) -> bool: False."""
    return False


def resolve_neg(input):
    """resolve_neg(input) -> Tensor: itself."""
    return input


def get_device(input):
    """get_device(input) -> int: the number of the GPU; -1 on the CPU."""
    return input.get_device()


def detach_(input):
    """detach_(input) -> Tensor: itself; there are no gradients to leave behind."""
    return input


def use_deterministic_algorithms(mode, *, warn_only=False):
    """use_deterministic_algorithms(mode, *, warn_only=False): taken note of; all operations are deterministic."""
    _settings["deterministic"] = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled():
    """are_deterministic_algorithms_enabled() -> bool"""
    return _settings["deterministic"] > 0


def is_deterministic_algorithms_warn_only_enabled():
    """is_deterministic_algorithms_warn_only_enabled() -> bool"""
    return _settings["deterministic"] == 1


def set_deterministic_debug_mode(debug_mode):
    """set_deterministic_debug_mode(debug_mode): 0, 1 and 2, or "default", "warn" and "error"; taken note of."""
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in _MODES:
            raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got "
                               f"{debug_mode}")
        debug_mode = _MODES.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}")
    _settings["deterministic"] = debug_mode


def get_deterministic_debug_mode():
    """get_deterministic_debug_mode() -> int"""
    return _settings["deterministic"]


def get_float32_matmul_precision():
    """get_float32_matmul_precision() -> str: what set_float32_matmul_precision() was given."""
    return _settings["precision"]


def set_float32_matmul_precision(precision):
    """set_float32_matmul_precision(precision): "highest", "high" or "medium"; products are always of the highest."""
    if precision in ("highest", "high", "medium"):
        _settings["precision"] = precision


def set_flush_denormal(mode):
    """set_flush_denormal(mode) -> bool: False, it is not done; the least numbers are never taken for 0."""
    return False


def _map2(self, x, y, function):
    """map2_(x, y, callable) -> Tensor: every element becomes callable(element, of x, of y). Slow."""
    lists = [t.reshape(-1).tolist() for t in _core.broadcast_tensors(self, x, y)]
    return self.copy_(_core.tensor([function(*each) for each in zip(*lists)], dtype=self.dtype).reshape(self.size()))


def _storage_type(self):
    """storage_type() -> type: the class of its storage."""
    return getattr(_storage, self.storage().type().rpartition(".")[2])


def _to_dense(self, dtype=None):
    """to_dense() -> Tensor: itself; there are no sparse tensors."""
    return self if dtype is None else self.to(dtype)


def _has_names(self):
    """has_names() -> bool: False; dims have no names."""
    return False


for _name, _method in {"is_conj": is_conj, "is_neg": is_neg, "is_inference": is_inference, "resolve_neg": resolve_neg,
                       "map2_": _map2, "storage_type": _storage_type, "to_dense": _to_dense,
                       "has_names": _has_names}.items():
    setattr(_core.Tensor, _name, _method)
_core.Tensor.is_cpu = property(lambda self: self.device.type == "cpu", doc="Does it lie on the CPU?")
for _name in ("is_sparse_csr", "is_mkldnn", "is_xpu", "is_ipu", "is_mps", "is_ort", "is_vulkan", "is_nested",
              "retains_grad"):
    setattr(_core.Tensor, _name, property(lambda self: False, doc="False, always."))
_core.Tensor.output_nr = property(lambda self: 0, doc="0, always: there is no graph.")
_core.Tensor.name = property(lambda self: None, doc="None, always.")

__all__ = [_name for _name, _value in list(globals().items())
           if not _name.startswith("_") and (callable(_value) or _name.startswith("has_"))]
