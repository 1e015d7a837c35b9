"""Methods of Tensor that are made of others, and the typed constructors torch.FloatTensor and the like."""
import copy
import copyreg

from . import _core
from ._outside import refusing_method
from .storage import TypedStorage

Tensor = _core.Tensor
_NAMES = {"Byte": _core.uint8, "Char": _core.int8, "Short": _core.int16, "Int": _core.int32, "Long": _core.int64,
          "Half": _core.float16, "Float": _core.float32, "Double": _core.float64, "Bool": _core.bool}


class _TypedTensor(type):
    """FloatTensor: a constructor, and what isinstance() asks."""

    def __call__(cls, *args, device=None):
        place = "cuda" if cls._on_cuda else "cpu"
        if device is not None and _core.device(device).type != place:
            raise RuntimeError(f"legacy constructor expects device type: {place} but device type: "
                               f"{_core.device(device).type} was passed")
        tensor = _core._legacy_tensor(cls.dtype, args)
        if not cls._on_cuda:
            return tensor
        try:
            return tensor.cuda()
        except AssertionError as error:  # there is no GPU
            raise TypeError(f"type torch.cuda.{cls.__name__} not available. {error}.") from None

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.dtype == cls.dtype and instance.is_cuda == cls._on_cuda

    def __repr__(cls):
        return f"<class '{cls.__module__}.{cls.__name__}'>"


def _typed_class(name, dtype, on_cuda):
    place = " on a GPU" if on_cuda else ""
    return _TypedTensor(f"{name}Tensor", (), {"dtype": dtype, "_on_cuda": on_cuda,
                                              "__doc__": f"{name}Tensor(sizes or data): the old constructor of "
                                                         f"{str(dtype).removeprefix('torch.')} tensors{place}.",
                                              "__module__": "torch.cuda" if on_cuda else "torch"})


_TYPED = {name: _typed_class(name, dtype, False) for name, dtype in _NAMES.items()}
CUDA_TYPED = {f"{name}Tensor": _typed_class(name, dtype, True) for name, dtype in _NAMES.items()}
FloatTensor, DoubleTensor, HalfTensor = _TYPED["Float"], _TYPED["Double"], _TYPED["Half"]
LongTensor, IntTensor, ShortTensor = _TYPED["Long"], _TYPED["Int"], _TYPED["Short"]
CharTensor, ByteTensor, BoolTensor = _TYPED["Char"], _TYPED["Byte"], _TYPED["Bool"]


def typed(t):
    """The typed class of torch.DoubleTensor or 'torch.DoubleTensor'."""
    if isinstance(t, _TypedTensor):
        return t
    if t is Tensor:
        return next(c for c in _TYPED.values() if c.dtype == _core.get_default_dtype())
    if isinstance(t, str):
        family, _, last = t.rpartition(".")
        if last.endswith("Tensor") and last[:-6] in _NAMES and family in ("torch", "torch.cuda"):
            return CUDA_TYPED[last] if family == "torch.cuda" else _TYPED[last[:-6]]
        raise ValueError(f"invalid type: '{t}'")
    raise TypeError("invalid type object")


def _type(self, dtype=None, non_blocking=False):
    """type(dtype=None) -> str or Tensor

    The name "torch.FloatTensor"; with a dtype, a typed class or such a name, the tensor converted to it."""
    if dtype is None:
        return self._type_name()
    if isinstance(dtype, _core.dtype):
        return self.to(dtype)
    wanted = typed(dtype)
    return self.to(wanted.dtype).cuda() if wanted._on_cuda else self.cpu().to(wanted.dtype)


def _storage(self):
    """storage() -> TypedStorage: all slots of the storage, whatever part of them the view shows."""
    return TypedStorage._over(self)


def _dtype_of_name(name):
    return getattr(_core, name)


def _size_of(sizes):
    return _core.Size(sizes)


def _reduce_ex(self, protocol):
    storage = TypedStorage._over(self.cpu())
    return _rebuild_from_storage, (storage, self.storage_offset(), tuple(self.size()), self.stride())


def _rebuild_from_storage(storage, offset, size, stride):
    return storage._flat.as_strided(size, stride, offset)


def _deepcopy(self, memo):
    """A copy with a storage of its own; tensors that share one still share the copy."""
    if id(self) in memo:
        return memo[id(self)]
    key = ("stridescope storage", self._storage_id(), self.dtype)
    if key not in memo:
        memo[key] = self._flat_storage().clone()
    result = memo[id(self)] = memo[key].as_strided(tuple(self.size()), self.stride(), self.storage_offset())
    result.__dict__.update(copy.deepcopy(self.__dict__, memo))
    return result


def _copy(self):
    return self.detach()


def _reversed(self):
    return self.flip(0) if self.dim() else self


def _complex(self):
    """complex(tensor), of one element."""
    return complex(self.item())


def _apply(self, function):
    """apply_(callable) -> Tensor: every element becomes callable(element). Slow."""
    flat = [function(value) for value in self.reshape(-1).tolist()]
    return self.copy_(_core.tensor(flat, dtype=self.dtype).reshape(self.size()))


def map_(self, tensor, callable):
    """map_(tensor, callable) -> Tensor: every element becomes callable(element, other). Slow."""
    first, second = _core.broadcast_tensors(self, tensor)
    flat = [callable(a, b) for a, b in zip(first.reshape(-1).tolist(), second.reshape(-1).tolist())]
    return self.copy_(_core.tensor(flat, dtype=self.dtype).reshape(self.size()))


def _array_wrap(self, array, context=None):
    """What NumPy's functions of tensors give back: tensors."""
    return _core.from_numpy(array) if array.ndim else _core.tensor(array)


def _is_same_size(self, other):
    """is_same_size(other) -> bool"""
    return self.size() == other.size()


def _new(self, *args):
    """new(...) -> Tensor: the old constructor, in this tensor's dtype."""
    return _core._legacy_tensor(self.dtype, args)


def _detach(self):
    """detach_() -> Tensor: itself; there are no gradients to leave behind."""
    return self


def _share_memory(self):
    """share_memory_() -> Tensor: itself; other processes get copies."""
    return self


def _is_shared(self):
    """is_shared() -> bool: False, always."""
    return False


def _requires_grad_(self, requires_grad=True):
    """requires_grad_(requires_grad=True): refused unless False; there are no gradients."""
    self.requires_grad = requires_grad
    return self


for _name, _method in {
    "type": _type, "storage": _storage, "__reduce_ex__": _reduce_ex, "__deepcopy__": _deepcopy, "__copy__": _copy,
    "__reversed__": _reversed, "__complex__": _complex, "__array_wrap__": _array_wrap, "is_same_size": _is_same_size,
    "apply_": _apply, "map_": map_, "new": _new, "requires_grad_": _requires_grad_,
    "detach_": _detach, "share_memory_": _share_memory, "is_shared": _is_shared,
}.items():
    _method.__name__, _method.__qualname__ = _name, f"Tensor.{_name}"  # as Python's own errors say it
    setattr(Tensor, _name, _method)
for _name in ("backward", "register_hook", "retain_grad"):
    setattr(Tensor, _name, refusing_method(_name))
Tensor.to_sparse = refusing_method("to_sparse", "sparse tensors are not part of Stridescope; they need PyTorch itself")
Tensor.bfloat16 = refusing_method("bfloat16", "tensors of this dtype are not part of Stridescope; half() and float() are")
Tensor.__array_priority__ = 1000  # NumPy's operators leave the work to ours

# By name, not by module: the package may be known as torch, as stridescope, or as both.
copyreg.pickle(_core.dtype, lambda t: (_dtype_of_name, (str(t).removeprefix("torch."),)))
copyreg.pickle(_core.layout, lambda t: (_dtype_of_name, (str(t).removeprefix("torch."),)))
copyreg.pickle(_core.memory_format, lambda t: (_dtype_of_name, (str(t).removeprefix("torch."),)))
copyreg.pickle(_core.Size, lambda s: (_size_of, (tuple(s),)))
copyreg.pickle(_core.device, lambda d: (_device_of, (str(d),)))


def _device_of(text):
    return _core.device(text)
