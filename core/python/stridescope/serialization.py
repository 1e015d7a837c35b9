"""save and load: PyTorch's files (a zip archive with a pickle and the bytes of each storage), in both directions, and
the files of before PyTorch 1.6 (pickles one after the other, then the storages).

Loading builds tensors, plain Python values and NumPy's arrays of plain numbers only. A file that names anything else is
refused: a pickle could run whatever it likes. save() warns of what load() will refuse."""
import collections
import contextlib
import io
import itertools
import math
import os
import pickle
import sys
import tempfile
import types
import warnings
import zipfile
import zlib

from . import _core
from .storage import TypedStorage, UntypedStorage, bytes_of, flat_from_bytes

_STORAGES = {"ByteStorage": _core.uint8, "CharStorage": _core.int8, "ShortStorage": _core.int16,
             "IntStorage": _core.int32, "LongStorage": _core.int64, "HalfStorage": _core.float16,
             "FloatStorage": _core.float32, "DoubleStorage": _core.float64, "BoolStorage": _core.bool,
             "ComplexFloatStorage": _core.complex64, "ComplexDoubleStorage": _core.complex128}
_NAMES = {dtype: name for name, dtype in _STORAGES.items()}
_ZIP_MAGIC = b"PK\x03\x04"
_OLD_MAGIC = 0x1950a86a20f9469cfc6c  # the first pickle of the older files
_OLD_VERSION = 1001
_NEWEST_VERSION = 10  # of the archives
_SMALLEST_ARCHIVE = 22  # bytes of a zip's end
_SLACK = 64 << 20  # bytes of memory for storages that a file says to have beyond its own length: a cut file is told as such
_DTYPES = {str(dtype).removeprefix("torch."): dtype for dtype in _NAMES}


class _Global:
    """A name that the file spells out; nothing here has to be known by it."""

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self, *args):
        raise TypeError(f"{self.module}.{self.name} is only written, never called")


_REBUILD = _Global("torch._utils", "_rebuild_tensor_v2")


class _Pickler(pickle._Pickler):  # the one in Python: globals are written by name, without an import
    def __init__(self, file, protocol, archive):
        super().__init__(file, protocol)
        self.archive, self.keys, self.flats = archive, {}, []
        self.path, self.strange = [], {}

    def save(self, obj, save_persistent_id=True):
        if isinstance(obj, _Global):
            self.write(pickle.GLOBAL + f"{obj.module}\n{obj.name}\n".encode())
        else:
            super().save(obj, save_persistent_id)

    def persistent_id(self, obj):
        if not isinstance(obj, (TypedStorage, UntypedStorage)):
            return None
        flat = obj._flat
        key, dtype = self.keys.setdefault(flat._storage_id(), (str(len(self.flats)), flat.dtype))
        if dtype != flat.dtype:
            raise RuntimeError("Cannot save multiple tensors or storages that view the same data as different types")
        if key == str(len(self.flats)):
            self.flats.append(flat)
        kind = _NAMES[dtype] if isinstance(obj, TypedStorage) else "UntypedStorage"
        wanted = ("storage", _Global("torch", kind), key, "cpu", flat.numel())
        return wanted if self.archive else (*wanted, None)

    def reducer_override(self, obj):
        if isinstance(obj, _core.Tensor):
            here = obj.cpu()
            return _REBUILD, (TypedStorage._over(here), here.storage_offset(), tuple(here.size()), here.stride(), False,
                              collections.OrderedDict())
        if isinstance(obj, _core.Size):
            return _Global("torch", "Size"), (tuple(obj),)
        if isinstance(obj, _core.device):
            return _Global("torch", "device"), (str(obj),)
        return NotImplemented

    def save_dtype(self, obj):
        self.save(_Global("torch", str(obj).removeprefix("torch.")))

    def save_global(self, obj, name=None):
        known = getattr(obj, "__module__", None), getattr(obj, "__qualname__", name)
        if not _is_known(*known):
            self.strange.setdefault(".".join(str(part) for part in known), "".join(f"[{key!r}]" for key in self.path))
        super().save_global(obj, name)

    def save_array(self, obj):
        if obj.dtype.str[1:] not in _ARRAY_TYPES:
            self.strange.setdefault(f"numpy.ndarray of {obj.dtype}", "".join(f"[{key!r}]" for key in self.path))
        self.save_reduce(obj=obj, *obj.__reduce__())

    def _batch_setitems(self, items, *rest):
        """One by one, to know the key of each value."""
        for key, value in items:
            self.save(key)
            self.path.append(key)
            self.save(value)
            self.path.pop()
            self.write(pickle.SETITEM)

    def warn_of_strangers(self):
        for name, where in self.strange.items():
            place = f"the value at {where}" if where else "the object"
            warnings.warn(f"save: {place} needs {name}, and load() of Stridescope reads tensors, plain Python values and "
                          "NumPy's arrays of numbers only: it will refuse this file", stacklevel=3)

    dispatch = dict(pickle._Pickler.dispatch)
    dispatch[_core.dtype] = save_dtype
    dispatch[type(save_dtype)] = lambda self, obj: self.save_global(obj)


class _PlainUnpickler(pickle.Unpickler):
    """Knows no names at all."""

    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"load: the file names {module}.{name} where a number is expected")


class _HasArrays(Exception):
    """The file names something of NumPy's."""


class _Names:
    """Knows the names that save() writes, and no others. `restore(dtype, key, count, location)` gives the slots of a
    storage as a tensor in one dim."""

    def __init__(self, file, restore):
        super().__init__(file, encoding="utf-8")
        self.restore, self.flats = restore, {}

    def find_class(self, module, name):
        if _is_numpys(module, name):
            return self.find_numpys(name)
        if module == "torch._utils" and name in ("_rebuild_tensor_v2", "_rebuild_tensor"):
            return _rebuild
        if module == "torch._utils" and name == "_rebuild_parameter":
            return lambda data, requires_grad, hooks: data
        if (module == "torch" and name in _STORAGES) or (module, name) in _UNTYPED:
            return _Global(module, name)
        if module == "torch" and name in _DTYPES:
            return _DTYPES[name]
        if module == "torch" and name in ("Size", "device"):
            return getattr(_core, name)
        if module == "collections" and name in ("OrderedDict", "defaultdict", "Counter", "deque"):
            return getattr(collections, name)
        if module in ("builtins", "__builtin__") and name in _BUILTINS:
            return _BUILTINS[name]
        if module == "_codecs" and name == "encode":
            return lambda text, encoding: text.encode(encoding)
        raise pickle.UnpicklingError(f"load: the file names {module}.{name}; Stridescope reads tensors and plain Python "
                                     "values only")

    def persistent_load(self, saved):
        if not isinstance(saved, tuple) or len(saved) not in (5, 6) or saved[0] != "storage":
            raise pickle.UnpicklingError("load: an unknown kind of persistent value")
        _, storage, key, location, count, *part = saved
        if not isinstance(storage, _Global) or type(count) is not int or count < 0 or any(part):
            raise pickle.UnpicklingError("load: a storage that cannot be read")
        if key not in self.flats:
            dtype = _STORAGES.get(storage.name, _core.uint8)
            self.flats[key] = self.restore(dtype, str(key), count, location)
        return TypedStorage._over(self.flats[key])


class _Unpickler(_Names, pickle.Unpickler):
    def find_numpys(self, name):
        raise _HasArrays


class _ArrayUnpickler(_Names, pickle._Unpickler):
    """Slower, and reads NumPy's arrays, numbers and dtypes too. None of NumPy's own unpickling is given what the file
    says before it was checked: a dtype is one of `_ARRAY_TYPES`, and an array has as many bytes as its shape wants."""

    def find_numpys(self, name):
        import numpy
        self.numpy = numpy
        return {"dtype": self._dtype, "_reconstruct": self._empty, "scalar": self._scalar,
                "ndarray": _NDARRAY}[name]

    def _dtype(self, code, align=False, copy=True):
        if code not in _ARRAY_TYPES:
            raise pickle.UnpicklingError(f"load: the file has a NumPy array of {code!r}; Stridescope reads those of "
                                         "numbers only")
        return self.numpy.dtype(code, copy=True)

    def _empty(self, kind, shape, code):
        if kind is not _NDARRAY or shape != (0,):
            raise pickle.UnpicklingError("load: a NumPy array that cannot be read")
        return self.numpy.empty(0, self.numpy.int8)

    def _scalar(self, dtype, data):
        if not isinstance(dtype, self.numpy.dtype) or not isinstance(data, bytes) or len(data) != dtype.itemsize:
            raise pickle.UnpicklingError("load: a NumPy number that cannot be read")
        return self.numpy.frombuffer(data, dtype)[0]

    def load_build(self):
        numpy, target = getattr(self, "numpy", None), self.stack[-2]
        if numpy is not None and type(target) is numpy.ndarray:
            self._fill(target, self.stack.pop())
        elif numpy is not None and isinstance(target, numpy.dtype):
            self._turn(target, self.stack.pop())
        else:
            super().load_build()

    def _fill(self, array, state):
        plain = isinstance(state, tuple) and len(state) == 5 and isinstance(state[1], tuple)
        if not plain or not all(type(size) is int and size >= 0 for size in state[1]) or len(state[1]) > 32 or \
                not isinstance(state[2], self.numpy.dtype) or not isinstance(state[4], (bytes, bytearray)) or \
                len(state[4]) != math.prod(state[1]) * state[2].itemsize:
            raise pickle.UnpicklingError("load: a NumPy array that cannot be read")
        array.__setstate__((1, state[1], state[2], bool(state[3]), bytes(state[4])))

    def _turn(self, dtype, state):
        """The order of its bytes; the rest of what a dtype of numbers says about itself is always the same."""
        if not isinstance(state, tuple) or len(state) < 2 or state[1] not in ("<", ">", "|", "=") or \
                any(part is not None for part in state[2:5]):
            raise pickle.UnpicklingError("load: a NumPy dtype that cannot be read")
        turned = dtype.newbyteorder(state[1])
        self.stack[-1] = turned
        for key, value in itertools.islice(reversed(self.memo.items()), 16):  # remembered just before
            if value is dtype:
                self.memo[key] = turned

    dispatch = dict(pickle._Unpickler.dispatch)
    dispatch[pickle.BUILD[0]] = load_build


def _loaded(file, restore):
    start = file.tell()
    try:
        return _Unpickler(file, restore).load()
    except _HasArrays:
        file.seek(start)
        return _ArrayUnpickler(file, restore).load()


_NDARRAY = _Global("numpy", "ndarray")
_ARRAY_TYPES = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
_NUMPYS = {"numpy": ("dtype", "ndarray"), "numpy.core.multiarray": ("_reconstruct", "scalar"),
           "numpy._core.multiarray": ("_reconstruct", "scalar")}


def _is_numpys(module, name):
    return name in _NUMPYS.get(module, ())


def _is_known(module, name):
    """Does load() read a file that names this?"""
    try:
        _Names.find_class(types.SimpleNamespace(find_numpys=str), module, name)
    except pickle.UnpicklingError:
        return False
    return True


_UNTYPED = {("torch", "UntypedStorage"), ("torch.storage", "UntypedStorage")}
_BUILTINS = {"set": set, "frozenset": frozenset, "complex": complex, "bytearray": bytearray, "bytes": lambda: b"", "slice": slice,
             "range": range, "xrange": range}


def _rebuild(storage, offset, size, stride, requires_grad=False, hooks=None, metadata=None):
    return storage._flat.as_strided(tuple(size), tuple(stride), offset)


def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    """save(obj, f): writes tensors, and Python values with tensors in them, to a path or a file opened for bytes.

    Tensors that share a storage still do after load(). PyTorch reads the file."""
    path = os.fspath(f) if isinstance(f, (str, os.PathLike)) else None
    text = io.BytesIO()
    pickler = _Pickler(text, 2, _use_new_zipfile_serialization)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        pickler.dispatch = {**pickler.dispatch, numpy.ndarray: _Pickler.save_array}
    pickler.dump(obj)
    pickler.warn_of_strangers()
    if _use_new_zipfile_serialization:
        name = os.path.splitext(os.path.basename(path))[0] if path else ""
        data = _archive(text.getvalue(), pickler.flats, name or "archive")
    else:
        data = _old_file(text.getvalue(), pickler.flats)
    if path is None:
        f.write(data)
    else:
        _write_whole(path, data)


def _archive(text, flats, name):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{name}/data.pkl", text)
        for key, flat in enumerate(flats):
            archive.writestr(f"{name}/data/{key}", bytes_of(flat.cpu()))
        archive.writestr(f"{name}/version", "3\n")
    return packed.getvalue()


def _old_file(text, flats):
    about = {"protocol_version": _OLD_VERSION, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}
    parts = [pickle.dumps(value, 2) for value in (_OLD_MAGIC, _OLD_VERSION, about)]
    parts += [text, pickle.dumps([str(key) for key in range(len(flats))], 2)]
    for flat in flats:
        parts += [flat.numel().to_bytes(8, "little"), bytes_of(flat.cpu())]
    return b"".join(parts)


def _write_whole(path, data):
    """The file as a whole or not at all."""
    folder = os.path.dirname(os.path.abspath(path))
    if not path:
        raise RuntimeError("invalid file name: ''")
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {os.path.dirname(path)} does not exist.")
    if os.path.isdir(path):
        raise RuntimeError(f"File {path} cannot be opened.")
    handle, part = tempfile.mkstemp(dir=folder, prefix=".save")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o666 & ~mask)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def load(f, map_location=None, pickle_module=None, **kwargs):
    """load(f, map_location=None): what save(), or PyTorch's torch.save, has written.

    `map_location`: a device for all storages, a dict from the devices of the file to others, or a function of a storage
    and its device's name that gives a storage or None."""
    path = os.fspath(f) if isinstance(f, (str, os.PathLike)) else None
    with open(path, "rb") if path is not None else contextlib.nullcontext(f) as file:
        try:
            file.seek(file.tell())
        except (AttributeError, io.UnsupportedOperation) as error:
            raise type(error)(f"{error}. You can only torch.load from a file that is seekable. Please pre-load the data "
                              "into a buffer like io.BytesIO and try to load from it instead.") from None
        start = file.tell()
        magic = file.read(len(_ZIP_MAGIC))
        file.seek(start)
        if isinstance(magic, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        return (_load_archive if magic == _ZIP_MAGIC else _load_old)(file, map_location)


class _Archive:
    """The records of a zip file; what cannot be read is a RuntimeError that begins like PyTorch's."""

    def __init__(self, file):
        try:
            self.zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, OverflowError) as error:
            size = file.seek(0, os.SEEK_END)
            raise RuntimeError("PytorchStreamReader failed reading zip archive: " + (
                "not a ZIP archive" if size < _SMALLEST_ARCHIVE
                else "failed finding central directory" if "not a zip file" in str(error) else str(error))) from None
        names = self.zip.namelist()
        self.root = names[0].partition("/")[0] if names else ""

    def has(self, name):
        return f"{self.root}/{name}" in self.zip.NameToInfo

    def read(self, name):
        """@throws RuntimeError where it is missing, damaged or would grow to more than a hundred times its size."""
        if not self.has(name):
            raise RuntimeError(f"PytorchStreamReader failed locating file {name}: file not found")
        info = self.zip.NameToInfo[f"{self.root}/{name}"]
        if info.file_size > 100 * info.compress_size + (1 << 20):
            raise RuntimeError(f"PytorchStreamReader failed reading file {name}: {info.compress_size} bytes would become "
                               f"{info.file_size}")
        try:
            return self.zip.read(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, RuntimeError) as error:
            raise RuntimeError(f"PytorchStreamReader failed reading file {name}: {error}") from None


def _load_archive(file, map_location):
    archive = _Archive(file)
    if not archive.has("version"):
        raise RuntimeError("the archive has no record \"version\"; it is not a file that torch.save has written")
    version = archive.read("version").strip()
    if not version.isdigit() or int(version[:9]) > _NEWEST_VERSION:
        raise RuntimeError(f"Attempted to read a PyTorch file with version {version.decode(errors='replace')[:20]}, but "
                           f"the maximum supported version for reading is {_NEWEST_VERSION}.")
    if archive.has("constants.pkl"):
        raise RuntimeError("load: the file is a TorchScript archive; torch.jit is not part of Stridescope")

    def restore(dtype, key, count, location):
        data, size = archive.read(f"data/{key}"), count * _bytes_of_slot(dtype)
        if len(data) < size:
            raise RuntimeError(f"load: storage {key} has {len(data)} bytes, {size} are needed")
        return _placed(flat_from_bytes(dtype, data[:size]), location, map_location)
    return _loaded(io.BytesIO(archive.read("data.pkl")), restore)


def _load_old(file, map_location):
    """Pickles (magic number, version, about the machine, the object, names of storages), then for each storage the
    number of its slots in 8 bytes and the slots."""
    if _first_number(file) != _OLD_MAGIC:
        raise _noted(RuntimeError("Invalid magic number; corrupt file?"))
    version = _PlainUnpickler(file).load()
    if version != _OLD_VERSION:
        raise RuntimeError(f"Invalid protocol version: {version}")
    _PlainUnpickler(file).load()
    waiting = {}

    def restore(dtype, key, count, location):
        here = file.tell()
        left = file.seek(0, os.SEEK_END) - here
        file.seek(here)
        asked = sum(flat.numel() * flat.element_size() for flat, _ in waiting.values()) + count * _bytes_of_slot(dtype)
        if asked > left + _SLACK:
            raise RuntimeError(f"unexpected EOF, expected {asked - left} more bytes. The file might be corrupted.")
        flat = _core.empty(count, dtype=dtype)
        placed = _placed(flat, location, map_location)
        waiting[key] = flat, placed
        return placed
    result = _loaded(file, restore)
    for key in _PlainUnpickler(file).load():
        if key not in waiting:
            raise RuntimeError(f"load: the object has no storage {key}")
        flat, placed = waiting[key]
        count, size = file.read(8), flat.numel() * flat.element_size()
        if len(count) == 8 and int.from_bytes(count, "little") != flat.numel():
            raise RuntimeError("storage has wrong size: expected "
                               f"{flat.numel()} got {int.from_bytes(count, 'little')}")
        data = file.read(size)
        if len(count) + len(data) < 8 + size:
            raise RuntimeError(f"unexpected EOF, expected {8 + size - len(count) - len(data)} more bytes. The file might be corrupted.")
        flat.copy_(flat_from_bytes(flat.dtype, data))
        if placed is not flat:
            placed.copy_(flat)
    return result


def _first_number(file):
    """The first pickle of what is no archive. @throws what PyTorch has for rubbish"""
    try:
        return _PlainUnpickler(file).load()
    except EOFError:
        error = EOFError("Ran out of input")
    except pickle.UnpicklingError as failure:
        error = failure
    except (MemoryError, OSError):
        raise
    except Exception as failure:  # rubbish can call for anything
        error = pickle.UnpicklingError(str(failure))
    raise _noted(error) from None


def _noted(error):
    error.add_note("It is not a file that torch.save has written.")
    return error


def _bytes_of_slot(dtype):
    return _core.empty(0, dtype=dtype).element_size()


def _placed(flat, location, map_location):
    """The slots where `map_location` wants those that the file has from `location`."""
    if map_location is None:
        target = location
    elif isinstance(map_location, dict):
        target = map_location.get(location, location)
    elif isinstance(map_location, (str, _core.device)):
        target = map_location
    else:
        given = map_location(UntypedStorage._over(flat), location)
        if given is not None:
            return given._flat_for(flat.dtype)
        target = location
    target = str(target)
    if target == "cpu":
        return flat
    if target.startswith("cuda") and not _core._device_count("cuda"):
        raise RuntimeError("Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If "
                           "you are running on a CPU-only machine, please use torch.load with "
                           "map_location=torch.device('cpu') to map your storages to the CPU.")
    try:
        device = _core.device(target)
    except RuntimeError:
        raise RuntimeError("don't know how to restore data location of torch.storage.UntypedStorage (tagged with "
                           f"{target})") from None
    return flat.to(device)
