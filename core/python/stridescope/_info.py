"""finfo and iinfo: the numbers that a dtype can hold."""
from . import _core

_FLOATS = {  # digits of the significand, smallest and largest exponent of two, decimal resolution
    "bfloat16": (7, -126, 127, 1e-2), "float16": (10, -14, 15, 1e-3),
    "float32": (23, -126, 127, 1e-6), "float64": (52, -1022, 1023, 1e-15),
    "complex64": (23, -126, 127, 1e-6), "complex128": (52, -1022, 1023, 1e-15),
}
_INTEGERS = {"uint8": (0, 255), "int8": (-2**7, 2**7 - 1), "int16": (-2**15, 2**15 - 1), "int32": (-2**31, 2**31 - 1),
             "int64": (-2**63, 2**63 - 1)}


def _name(dtype):
    return str(dtype).removeprefix("torch.")


def _resolved(dtype, what):
    if not isinstance(dtype, _core.dtype):
        raise TypeError(f"{what}(): argument 'type' (position 1) must be torch.dtype, not {type(dtype).__name__}")
    return _name(dtype)


class _Info:
    """Numbers that cannot be changed; equal where the dtype is."""

    __slots__ = ("_numbers",)

    def __setattr__(self, name, value):
        if name in self._numbers:
            raise AttributeError(f"attribute '{name}' of 'torch.{type(self).__name__}' objects is not writable")
        raise AttributeError(f"'torch.{type(self).__name__}' object has no attribute '{name}'")

    def __getattr__(self, name):
        try:
            return object.__getattribute__(self, "_numbers")[name]
        except KeyError:
            raise AttributeError(f"'torch.{type(self).__name__}' object has no attribute '{name}'") from None

    def __dir__(self):
        return sorted({*super().__dir__(), *self._numbers})

    def _keep(self, **numbers):
        object.__setattr__(self, "_numbers", numbers)

    def __reduce__(self):
        return type(self), (getattr(_core, self.dtype),)

    def __eq__(self, other):
        return isinstance(other, type(self)) and other.dtype == self.dtype

    __hash__ = None  # as in PyTorch

    def __repr__(self):
        shown = ", ".join(f"{name}={self._shown(name)}" for name in self._SHOWN)
        return f"{type(self).__name__}({shown}, dtype={self.dtype})"

    def _shown(self, name):
        return f"{getattr(self, name):g}"


class finfo(_Info):
    """finfo(dtype=None): eps, max, min, tiny, bits and resolution of a float dtype, by default of the default dtype."""

    __slots__ = ()
    __module__ = "torch"
    _SHOWN = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")

    def __init__(self, type=None):
        name = _name(_core.get_default_dtype()) if type is None else _resolved(type, "finfo")
        if name not in _FLOATS:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                            "'torch.finfo'")
        digits, low, high, resolution = _FLOATS[name]
        largest = (2.0 - 2.0**-digits) * 2.0**high
        self._keep(bits={7: 16, 10: 16, 23: 32, 52: 64}[digits], eps=2.0**-digits, max=largest, min=-largest,
                   tiny=2.0**low, smallest_normal=2.0**low, resolution=resolution,
                   dtype={"complex64": "float32", "complex128": "float64"}.get(name, name))


class iinfo(_Info):
    """iinfo(dtype): bits, min and max of an integer dtype."""

    __slots__ = ()
    __module__ = "torch"
    _SHOWN = ("min", "max")

    def __init__(self, type):
        name = _resolved(type, "iinfo")
        if name == "bool":
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if name not in _INTEGERS:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        low, high = _INTEGERS[name]
        self._keep(bits=(high - low).bit_length(), min=low, max=high, dtype=name)
