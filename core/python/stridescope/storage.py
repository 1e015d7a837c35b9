"""Storages as Python objects: the slots of a tensor in a row, to be read, written and printed."""
from . import _core

__all__ = ["TypedStorage", "FloatStorage", "DoubleStorage", "HalfStorage", "LongStorage", "IntStorage", "ShortStorage",
           "CharStorage", "ByteStorage", "BoolStorage", "ComplexFloatStorage", "ComplexDoubleStorage"]


class TypedStorage:
    """One run of slots of one dtype. Writing to it shows in every tensor over it."""

    __module__ = "torch.storage"

    def __init__(self, *args, dtype=None, device=None):
        dtype = dtype or _core.get_default_dtype()
        if len(args) > 1:
            raise RuntimeError("expected at most one argument: a number of elements or a sequence")
        if args and not hasattr(args[0], "__index__"):
            self._view = _core.tensor(list(args[0]), dtype=dtype)
        else:
            self._view = _core.empty(args[0] if args else 0, dtype=dtype)

    @classmethod
    def _over(cls, tensor):
        self = object.__new__(TypedStorage)
        self._view = tensor._flat_storage()
        return self

    # The storage may have grown or shrunk since.
    _flat = property(lambda self: self._view._flat_storage())

    dtype = property(lambda self: self._flat.dtype)
    device = property(lambda self: self._flat.device)
    is_cuda = property(lambda self: self._flat.is_cuda)

    def size(self):
        """size() -> int: how many slots there are."""
        return self._flat.numel()

    __len__ = size

    def nbytes(self):
        """nbytes() -> int: bytes of all slots."""
        return self.size() * self.element_size()

    def element_size(self):
        """element_size() -> int: bytes of a slot."""
        return self._flat.element_size()

    def data_ptr(self):
        """data_ptr() -> int: the address of slot 0."""
        return self._flat.data_ptr()

    def _require_index(self, index):
        if not hasattr(index, "__index__"):
            raise RuntimeError(f"can't index a <class 'torch.storage.TypedStorage'> with {type(index)}")

    def __getitem__(self, index):
        if isinstance(index, slice):  # as in PyTorch; a slice can be written to
            error = RuntimeError("slices are only supported in UntypedStorage.__getitem__")
            error.add_note("list(storage)[a:b] gives the values; a view of the tensor shares the memory.")
            raise error
        self._require_index(index)
        index, size = index.__index__(), self.size()
        if not -size <= index < size:
            raise IndexError(f"index {index} out of range for storage of size {size}")
        return self._flat[index].item()

    def __setitem__(self, index, value):
        if not isinstance(index, slice):
            self._require_index(index)
        self._flat[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def tolist(self):
        """tolist() -> list of all values."""
        return self._flat.tolist()

    def fill_(self, value):
        """fill_(value): writes it to every slot."""
        self._flat.fill_(value)
        return self

    def copy_(self, source, non_blocking=False):
        """copy_(source): the values of another storage, converted."""
        self._flat.copy_(source._flat)
        return self

    def clone(self):
        """clone(): a copy with memory of its own."""
        return TypedStorage._over(self._flat.clone())

    def resize_(self, size):
        """Makes it longer or shorter under all tensors over it; those that reach beyond its end cannot be read then."""
        if not hasattr(size, "__index__"):
            raise RuntimeError(f"resize_ expects an int, but got {type(size).__name__}")
        self._view._resize_storage(size)

    def type(self, dtype=None, non_blocking=False):
        """type(dtype=None): 'torch.FloatStorage'; with a dtype, converted to it."""
        if dtype is None:
            return self._flat._type_name().replace("Tensor", "Storage")
        return self._to(dtype)

    def _to(self, dtype):
        return self if dtype == self.dtype else TypedStorage._over(self._flat.to(dtype))

    def cpu(self):
        """cpu(): on the CPU."""
        return TypedStorage._over(self._flat.cpu())

    def cuda(self, device=None, non_blocking=False):
        """cuda(device=None): on a GPU."""
        return TypedStorage._over(self._flat.cuda(device))

    def is_shared(self):
        """is_shared() -> bool: False, always."""
        return False

    def get_device(self):
        """get_device() -> int: the number of the GPU; -1 on the CPU."""
        return self._flat.get_device()

    def __eq__(self, other):
        if not isinstance(other, TypedStorage):
            return NotImplemented
        return self.data_ptr() == other.data_ptr() and self.nbytes() == other.nbytes()

    def __hash__(self):
        return id(self)

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        key = ("stridescope storage", self._flat._storage_id(), self.dtype)
        if key not in memo:
            memo[key] = self._flat.clone()
        return TypedStorage._over(memo[key])

    def __reduce_ex__(self, protocol):
        return _from_bytes, (str(self.dtype).removeprefix("torch."), bytes_of(self._flat.cpu()))

    def __repr__(self):
        values = " " + "\n ".join(str(value) for value in self.tolist())
        return f"{values}\n[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {len(self)}]"


def bytes_of(flat):
    """The memory of a contiguous tensor on the CPU."""
    if flat.numel() == 0:
        return b""
    return memoryview(flat if flat.dtype != _core.bool else flat.view(_core.uint8)).cast("B").tobytes()


def flat_from_bytes(dtype, data):
    """A tensor in one dim with these bytes as its memory."""
    raw = _core.empty(len(data), dtype=_core.uint8)
    if data:
        memoryview(raw)[:] = data
    return raw.view(dtype)


def _from_bytes(name, data):
    return TypedStorage._over(flat_from_bytes(getattr(_core, name), data))


def _conversion(name, dtype):
    def convert(self):
        return self._to(dtype)
    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"{name}(): converted to {dtype}."
    return convert


for _method in ("float", "double", "half", "long", "int", "short", "char", "byte", "bool"):
    _dtype = {"char": _core.int8, "byte": _core.uint8}.get(_method) or getattr(_core, _method)
    setattr(TypedStorage, _method, _conversion(_method, _dtype))


class _NamedStorage(type):
    """FloatStorage(4): a constructor, and what isinstance() asks."""

    def __call__(cls, *args, **kwargs):
        return TypedStorage(*args, dtype=cls.dtype)

    def __instancecheck__(cls, instance):
        return type(instance) is TypedStorage and instance.dtype == cls.dtype


def _named(name, dtype):
    return _NamedStorage(f"{name}Storage", (), {"dtype": dtype, "__module__": "torch", "__doc__":
                         f"{name}Storage(size or sequence): a run of slots of {dtype}."})


FloatStorage, DoubleStorage, HalfStorage = (_named("Float", _core.float32), _named("Double", _core.float64),
                                            _named("Half", _core.float16))
LongStorage, IntStorage, ShortStorage = (_named("Long", _core.int64), _named("Int", _core.int32),
                                         _named("Short", _core.int16))
CharStorage, ByteStorage, BoolStorage = (_named("Char", _core.int8), _named("Byte", _core.uint8),
                                         _named("Bool", _core.bool))
ComplexFloatStorage = _named("ComplexFloat", _core.complex64)
ComplexDoubleStorage = _named("ComplexDouble", _core.complex128)
