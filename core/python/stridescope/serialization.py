"""save and load: PyTorch's files (a zip archive with a pickle and the bytes of each storage), in both directions.

Loading builds tensors and plain Python values only. A file that names anything else is refused: a pickle could run
whatever it likes."""
import collections
import io
import os
import pickle
import tempfile
import zipfile

from . import _core
from .storage import TypedStorage, bytes_of, flat_from_bytes

_STORAGES = {"ByteStorage": _core.uint8, "CharStorage": _core.int8, "ShortStorage": _core.int16,
             "IntStorage": _core.int32, "LongStorage": _core.int64, "HalfStorage": _core.float16,
             "FloatStorage": _core.float32, "DoubleStorage": _core.float64, "BoolStorage": _core.bool,
             "ComplexFloatStorage": _core.complex64, "ComplexDoubleStorage": _core.complex128}
_NAMES = {dtype: name for name, dtype in _STORAGES.items()}
_ZIP_MAGIC = b"PK\x03\x04"
_OLD_MAGIC = 0x1950a86a20f9469cfc6c  # the first pickle of the older files
_DTYPES = {str(dtype).removeprefix("torch."): dtype for dtype in _NAMES}


class _Global:
    """A name that the file spells out; nothing here has to be known by it."""

    def __init__(self, module, name):
        self.module, self.name = module, name

    def __call__(self, *args):
        raise TypeError(f"{self.module}.{self.name} is only written, never called")


_REBUILD = _Global("torch._utils", "_rebuild_tensor_v2")


class _Pickler(pickle._Pickler):  # the one in Python: globals are written by name, without an import
    def __init__(self, file, protocol):
        super().__init__(file, protocol)
        self.keys, self.flats = {}, []

    def save(self, obj, save_persistent_id=True):
        if isinstance(obj, _Global):
            self.write(pickle.GLOBAL + f"{obj.module}\n{obj.name}\n".encode())
        else:
            super().save(obj, save_persistent_id)

    def persistent_id(self, obj):
        if not isinstance(obj, TypedStorage):
            return None
        flat = obj._flat
        key = flat._storage_id()
        if key not in self.keys:
            self.keys[key] = str(len(self.flats))
            self.flats.append(flat)
        return "storage", _Global("torch", _NAMES[flat.dtype]), self.keys[key], "cpu", flat.numel()

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

    dispatch = dict(pickle._Pickler.dispatch)
    dispatch[_core.dtype] = save_dtype


class _Unpickler(pickle.Unpickler):
    """Knows the names that save() writes, and no others."""

    def __init__(self, file, read):
        super().__init__(file, encoding="utf-8")
        self.read, self.flats = read, {}

    def find_class(self, module, name):
        if module == "torch._utils" and name in ("_rebuild_tensor_v2", "_rebuild_tensor"):
            return _rebuild
        if module == "torch._utils" and name == "_rebuild_parameter":
            return lambda data, requires_grad, hooks: data
        if module == "torch" and name in _STORAGES:
            return _Global(module, name)
        if module == "torch" and name in _DTYPES:
            return _DTYPES[name]
        if module == "torch" and name in ("Size", "device"):
            return getattr(_core, name)
        if module == "collections" and name in ("OrderedDict", "defaultdict", "Counter", "deque"):
            return getattr(collections, name)
        if module in ("builtins", "__builtin__") and name in ("set", "frozenset", "complex", "bytearray", "slice", "range"):
            return {"set": set, "frozenset": frozenset, "complex": complex, "bytearray": bytearray, "slice": slice,
                    "range": range}[name]
        if module == "_codecs" and name == "encode":
            return lambda text, encoding: text.encode(encoding)
        raise pickle.UnpicklingError(f"load: the file names {module}.{name}; Stridescope reads tensors and plain Python "
                                     "values only")

    def persistent_load(self, saved):
        kind, storage, key, _, count = saved
        if kind != "storage" or not isinstance(storage, _Global):
            raise pickle.UnpicklingError("load: an unknown kind of persistent value")
        dtype = _STORAGES[storage.name]
        if key not in self.flats:
            data = self.read(str(key))
            size = _core.empty(0, dtype=dtype).element_size()
            if len(data) < count * size:
                raise RuntimeError(f"load: storage {key} has {len(data)} bytes, {count * size} are needed")
            self.flats[key] = flat_from_bytes(dtype, data[:count * size])
        return self.flats[key]


def _rebuild(flat, offset, size, stride, requires_grad=False, hooks=None, metadata=None):
    return _core.empty(0, dtype=flat.dtype).set_(flat, offset, tuple(size), tuple(stride))


def save(obj, f, pickle_module=None, pickle_protocol=2, _use_new_zipfile_serialization=True):
    """save(obj, f): writes tensors, and Python values with tensors in them, to a path or a file opened for bytes.

    Tensors that share a storage still do after load(). PyTorch reads the file."""
    text = io.BytesIO()
    pickler = _Pickler(text, 2)
    pickler.dump(obj)
    name = "archive"
    if isinstance(f, (str, os.PathLike)):
        name = os.path.splitext(os.path.basename(os.fspath(f)))[0] or name
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{name}/data.pkl", text.getvalue())
        for key, flat in enumerate(pickler.flats):
            archive.writestr(f"{name}/data/{key}", bytes_of(flat))
        archive.writestr(f"{name}/version", "3\n")
    if not isinstance(f, (str, os.PathLike)):
        f.write(packed.getvalue())
        return
    # As a whole or not at all.
    folder = os.path.dirname(os.path.abspath(os.fspath(f)))
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {os.path.dirname(os.fspath(f))} does not exist.")
    handle, part = tempfile.mkstemp(dir=folder, prefix=".save")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(packed.getvalue())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o666 & ~mask)
        os.replace(part, f)
    except BaseException:
        os.unlink(part)
        raise


def _refuse_no_archive(file):
    """The exception that PyTorch has for what is no archive: that of reading it as one pickle after the other."""
    try:
        first = _Unpickler(file, None).load()
    except EOFError:
        error = EOFError("Ran out of input")
    except pickle.UnpicklingError as failure:
        error = failure
    except (MemoryError, OSError):
        raise
    except Exception as failure:  # rubbish can call for anything
        error = pickle.UnpicklingError(str(failure))
    else:
        error = RuntimeError("load: files from before PyTorch 1.6 are not read" if first == _OLD_MAGIC
                             else "Invalid magic number; corrupt file?")
    error.add_note("It is not a file that torch.save has written since PyTorch 1.6.")
    raise error from None


def load(f, map_location=None, pickle_module=None, **kwargs):
    """load(f, map_location=None): what save(), or PyTorch's torch.save, has written."""
    file = open(f, "rb") if isinstance(f, (str, os.PathLike)) else f
    try:
        start = file.tell()
        magic = file.read(len(_ZIP_MAGIC))
        file.seek(start)
        if magic != _ZIP_MAGIC:
            _refuse_no_archive(file)
        try:
            archive = zipfile.ZipFile(file)
        except zipfile.BadZipFile:
            raise RuntimeError("PytorchStreamReader failed reading zip archive: not a ZIP archive, or cut off") from None
        with archive:
            pickles = [name for name in archive.namelist() if name.endswith("/data.pkl")]
            if len(pickles) != 1:
                raise RuntimeError("load: the archive has no data.pkl; it may be a TorchScript file")
            root = pickles[0].removesuffix("data.pkl")
            try:
                result = _Unpickler(io.BytesIO(archive.read(pickles[0])), lambda key: archive.read(f"{root}data/{key}")).load()
            except KeyError as missing:
                raise RuntimeError(f"load: the archive is incomplete: {missing.args[0]}") from None
    finally:
        if file is not f:
            file.close()
    wanted = str(map_location) if isinstance(map_location, (str, _core.device)) else "cpu"
    return result if wanted == "cpu" else _moved(result, wanted)


def _moved(value, device):
    if isinstance(value, _core.Tensor):
        return value.to(_core.device(device))
    if isinstance(value, dict):
        return type(value)((k, _moved(v, device)) for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return type(value)(_moved(v, device) for v in value)
    return value
