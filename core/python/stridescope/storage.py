"""Storages as Python objects: the slots of a tensor in a row, to be read, written and printed."""
import collections.abc

from . import _core

__all__ = ["TypedStorage", "UntypedStorage", "FloatStorage", "DoubleStorage", "HalfStorage", "LongStorage", "IntStorage", "ShortStorage",
           "CharStorage", "ByteStorage", "BoolStorage", "ComplexFloatStorage", "ComplexDoubleStorage"]


class _Slots:
    """What both kinds of storage have: `_flat`, a tensor in one dim over all slots, at the time of asking."""

    __module__ = "torch.storage"

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

    def __iter__(self):
        return iter(self.tolist())

    def tolist(self):
        """tolist() -> list of all values."""
        return self._flat.tolist()

    def copy_(self, source, non_blocking=False):
        """copy_(source): the bytes of an untyped storage, or the values of a typed one, converted."""
        if not isinstance(source, _Slots):
            raise AttributeError(f"'{type(source).__name__}' object has no attribute 'untyped'")
        mine, theirs = (self._flat, source._flat) if type(self) is type(source) else (self.untyped()._flat,
                                                                                      source.untyped()._flat)
        if mine.numel() != theirs.numel():
            raise RuntimeError("size does not match")
        mine.copy_(theirs)
        return self

    def _same_kind(self, flat):
        return type(self)._over(flat)

    def clone(self):
        """clone(): a copy with memory of its own."""
        return self._same_kind(self._flat.clone())

    def cpu(self):
        """cpu(): on the CPU."""
        return self._same_kind(self._flat.cpu())

    def cuda(self, device=None, non_blocking=False):
        """cuda(device=None): on a GPU."""
        return self._same_kind(self._flat.cuda(device))

    def is_shared(self):
        """is_shared() -> bool: False, always."""
        return False

    def is_pinned(self):
        """is_pinned() -> bool: False, always."""
        return False

    def get_device(self):
        """get_device() -> int: the number of the GPU; -1 on the CPU."""
        return self._flat.get_device()

    def __eq__(self, other):
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.data_ptr() == other.data_ptr() and self.nbytes() == other.nbytes()

    def __hash__(self):
        return id(self)

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        key = ("stridescope storage", self._flat._storage_id(), self._flat.dtype)
        if key not in memo:
            memo[key] = self._flat.clone()
        return self._same_kind(memo[key])

    def __reduce_ex__(self, protocol):
        return _from_bytes, (isinstance(self, TypedStorage), str(self._flat.dtype).removeprefix("torch."),
                             bytes_of(self._flat.cpu()))

    def __repr__(self):
        values = " " + "\n ".join(str(value) for value in self.tolist())
        return f"{values}\n[torch.storage.{type(self).__name__}({self._attributes()}) of size {len(self)}]"


class TypedStorage(_Slots):
    """One run of slots of one dtype. Writing to it shows in every tensor over it."""

    __module__ = "torch.storage"

    def __init__(self, *args, dtype=None, device=None, wrap_storage=None, _name="torch.storage.TypedStorage"):
        if wrap_storage is not None:
            if args or not isinstance(wrap_storage, UntypedStorage):
                raise TypeError("Argument 'wrap_storage' must be UntypedStorage, and the only one, but got "
                                f"{type(wrap_storage)}")
            self._view = wrap_storage._flat_for(dtype or _core.get_default_dtype())
            return
        if len(args) > 1:
            raise RuntimeError(_wrong_arguments(_name, "Too many positional arguments"))
        data, dtype = args[0] if args else 0, dtype or _core.get_default_dtype()
        if isinstance(data, str):
            raise TypeError("new(): invalid data type 'str'")
        if isinstance(data, collections.abc.Sequence):
            self._view = _core.tensor(list(data), dtype=dtype, device=device)
        elif type(data) is int:
            if data < 0:
                raise RuntimeError(f"a storage cannot have {data} elements")
            self._view = _core.empty(data, dtype=dtype, device=device)
        else:
            raise TypeError(_wrong_arguments(_name, f"Argument type not recognized: {type(data)}"))

    @classmethod
    def _over(cls, tensor):
        self = object.__new__(cls)
        self._view = tensor._flat_storage()
        return self

    # The storage may have grown or shrunk since.
    _flat = property(lambda self: self._view._flat_storage())

    dtype = property(lambda self: self._flat.dtype)

    def _flat_for(self, dtype):
        """What set_() of a tensor of this dtype takes: it refuses another one itself."""
        return self._flat

    def untyped(self):
        """untyped() -> UntypedStorage: the same memory, byte by byte."""
        return UntypedStorage._over(self._view)

    def _require_index(self, index):
        if not isinstance(index, (int, slice)):
            raise RuntimeError(f"can't index a {type(self)} with {type(index)}")

    def __getitem__(self, index):
        self._require_index(index)
        if isinstance(index, slice):  # as in PyTorch; a slice can be written to
            error = RuntimeError("slices are only supported in UntypedStorage.__getitem__")
            error.add_note("list(storage)[a:b] gives the values; a view of the tensor shares the memory.")
            raise error
        if isinstance(index, bool):
            raise TypeError(f"can't index a {type(self)} with {type(index)}")
        size = self.size()
        if not -size <= index < size:
            raise IndexError(f"index {index} out of range for storage of size {size}")
        return self._flat[index].item()

    def _require_value(self, value):
        if isinstance(value, (str, bytes, list, tuple, dict, set, type(None))):
            raise TypeError(f"can't assign a {type(value).__name__} to a {self._flat._type_name()}")

    def __setitem__(self, index, value):
        self._require_index(index)
        self._require_value(value)
        self._flat[index] = value

    def fill_(self, value):
        """fill_(value): writes it to every slot."""
        self._require_value(value)
        self._flat.fill_(value)
        return self

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
        dtype = _dtype_of_class(dtype)
        return self if dtype == self.dtype else TypedStorage._over(self._flat.to(dtype))

    def pickle_storage_type(self):
        """pickle_storage_type() -> str: the name that torch.save writes."""
        return self.type().rpartition(".")[2]

    def _attributes(self):
        return f"dtype={self.dtype}, device={self.device}"


class UntypedStorage(_Slots):
    """A storage as bytes. A slice shares the memory."""

    __module__ = "torch.storage"

    def __init__(self, *args, device=None):
        if len(args) > 1:
            raise RuntimeError("torch.UntypedStorage(): expected a number of bytes or a sequence of ints")
        data = args[0] if args else 0
        if type(data) is int:
            if data < 0:
                raise RuntimeError(f"a storage cannot have {data} bytes")
            self._view, self._part = _core.empty(data, dtype=_core.uint8, device=device), None
            return
        if not isinstance(data, collections.abc.Sequence):
            raise RuntimeError(f"torch.UntypedStorage(): Expected a sequence type, but got {type(data).__name__}")
        for item in data:
            if type(item) is not int:
                raise RuntimeError("torch.UntypedStorage(): tried to construct a storage from a sequence "
                                   f"({type(data).__name__}), but one of the items was of type {type(item).__name__} "
                                   "instead of int")
        self._view, self._part = _core.tensor([item & 255 for item in data], dtype=_core.uint8, device=device), None

    @classmethod
    def _over(cls, tensor, part=None):
        self = object.__new__(cls)
        self._view, self._part = tensor._flat_storage(), part
        return self

    @property
    def _flat(self):
        whole = self._view._flat_storage().view(_core.uint8)
        return whole if self._part is None else whole[self._part[0]:self._part[1]]

    def _flat_for(self, dtype):
        """The bytes as slots of a dtype; what does not fill a slot is left out."""
        bytes_of_slot = _core.empty(0, dtype=dtype).element_size()
        flat = self._flat
        return flat[:flat.numel() // bytes_of_slot * bytes_of_slot].view(dtype)

    def untyped(self):
        """untyped() -> UntypedStorage: itself."""
        return self

    def __getitem__(self, index):
        size = self.size()
        if isinstance(index, slice):
            first, last, step = index.indices(size)
            if step != 1:
                raise RuntimeError(f"Trying to slice with a step of {step}, but only a step of 1 is supported")
            start = self._part[0] if self._part else 0
            return UntypedStorage._over(self._view, (start + first, start + max(first, last)))
        if type(index) is not int:
            raise TypeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        if not -size <= index < size:
            raise IndexError(f"index {index} out of range for storage of size {size}")
        return self._flat[index].item()

    def __setitem__(self, index, value):
        if type(value) is not int:
            raise RuntimeError(f"can only set storage content with a int types, but got {type(value).__name__} instead")
        if isinstance(index, slice):
            self[index].fill_(value)
            return
        if type(index) is not int:
            raise RuntimeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        if not -self.size() <= index < self.size():
            raise RuntimeError("out of bounds")
        self._flat[index] = value & 255

    def fill_(self, value):
        """fill_(value): writes it to every byte."""
        if type(value) is not int:
            raise RuntimeError(f"fill_ expects int, but got {type(value).__name__}")
        self._flat.fill_(value & 255)
        return self

    def resize_(self, size):
        """resize_(bytes): longer or shorter under all tensors over it, in whole slots of theirs."""
        if not hasattr(size, "__index__"):
            raise RuntimeError(f"resize_ expects an int, but got {type(size).__name__}")
        slot = self._view.element_size()
        if self._part is not None or size.__index__() % slot:
            raise RuntimeError(f"resize_: {size} bytes of a storage in slots of {slot} are not supported")
        self._view._resize_storage(size.__index__() // slot)
        return self

    def type(self, dtype=None, non_blocking=False):
        """type(dtype=None): 'torch.storage.UntypedStorage'; with a dtype, each byte converted to it."""
        return "torch.storage.UntypedStorage" if dtype is None else self._to(dtype)

    def _to(self, dtype):
        return TypedStorage._over(self._flat.clone().to(_dtype_of_class(dtype)))

    def _same_kind(self, flat):
        return UntypedStorage._over(flat)

    def _attributes(self):
        return f"device={self.device}"


def _dtype_of_class(wanted):
    """The dtype that a class such as FloatStorage, or its name, stands for; a dtype itself."""
    if isinstance(wanted, _NamedStorage):
        return wanted.dtype
    named = globals().get(wanted.removeprefix("torch.")) if isinstance(wanted, str) else None
    return named.dtype if isinstance(named, _NamedStorage) else wanted


def _wrong_arguments(name, what):
    return (f"<class '{name}'>.__new__ received an invalid combination of arguments. Expected one of:\n * no arguments\n"
            f" * (int size)\n * (Sequence data)\n * (*, UntypedStorage wrap_storage)\n{what}")


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


def _from_bytes(typed, name, data):
    return (TypedStorage if typed else UntypedStorage)._over(flat_from_bytes(getattr(_core, name), data))


def _conversion(name, dtype):
    def convert(self):
        return self._to(dtype)
    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"{name}(): converted to {dtype}."
    return convert


for _method in ("float", "double", "half", "long", "int", "short", "char", "byte", "bool"):
    _dtype = {"char": _core.int8, "byte": _core.uint8}.get(_method) or getattr(_core, _method)
    setattr(_Slots, _method, _conversion(_method, _dtype))


class _NamedStorage(type):
    """FloatStorage(4): a constructor, and what isinstance() asks."""

    def __call__(cls, *args, wrap_storage=None, **kwargs):
        name = f"torch.{cls.__name__}"
        if kwargs:
            raise RuntimeError(_wrong_arguments(name, f"Keyword argument '{next(iter(kwargs))}' cannot be specified"))
        return TypedStorage(*args, dtype=cls.dtype, wrap_storage=wrap_storage, _name=name)

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
