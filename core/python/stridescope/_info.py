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
    if dtype is None:
        return _core.get_default_dtype()
    if not isinstance(dtype, _core.dtype):
        raise TypeError(f"{what}(): argument 'type' (position 1) must be torch.dtype, not {type(dtype).__name__}")
    return dtype


class finfo:
    """finfo(dtype=None): eps, max, min, tiny, bits and resolution of a float dtype."""

    def __init__(self, type=None):
        name = _name(_resolved(type, "finfo"))
        if name not in _FLOATS:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                            "'torch.finfo'")
        digits, low, high, self.resolution = _FLOATS[name]
        self.bits = {7: 16, 10: 16, 23: 32, 52: 64}[digits]
        self.eps = 2.0**-digits
        self.max = (2.0 - 2.0**-digits) * 2.0**high
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0**low
        self.dtype = {"complex64": "float32", "complex128": "float64"}.get(name, name)

    def __eq__(self, other):
        return isinstance(other, finfo) and other.dtype == self.dtype

    def __hash__(self):
        return hash(self.dtype)

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo:
    """iinfo(dtype): bits, min and max of an integer dtype."""

    def __init__(self, type):
        name = _name(_resolved(type, "iinfo"))
        if name not in _INTEGERS:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.min, self.max = _INTEGERS[name]
        self.bits = (self.max - self.min).bit_length()
        self.dtype = name

    def __eq__(self, other):
        return isinstance(other, iinfo) and other.dtype == self.dtype

    def __hash__(self):
        return hash(self.dtype)

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
