"""The names of the console as values for the window, and where the bytes of its tensors are."""
import ast
import collections
import math
import sys
import weakref

from .. import _core

_kernel = _core._kernel
MOST_NAMES = 1000
MOST_OBJECTS = 100  # of one name, that are known again when steps are undone
LARGEST_COPY = 64 << 20  # of a storage that the window cannot map
_SIZED = (list, tuple, dict, set, frozenset, bytearray)
MOST_ITEMS, LONGEST_LITERAL = 100, 1000
_DType, _Size = type(_core.float32), _core.Size
_SHORT = (int, float, complex, bool, type(None))


def _text(value):
    """A short text of what is certain to have one; code of the user's classes is not called."""
    kind = type(value)
    if kind is int and value.bit_length() > 400:
        return f"a number of {value.bit_length()} bits"
    if kind in _SHORT:
        return repr(value)
    if kind in (str, bytes):
        return repr(value[:80]) + ("…" if len(value) > 80 else "")
    if kind in _SIZED:
        return f"{len(value)} element{'' if len(value) == 1 else 's'}"
    numpy = sys.modules.get("numpy")
    if numpy is not None and kind is getattr(numpy, "ndarray", None):
        return f"{value.dtype} {value.shape}"
    return None


def _literal(value, depth=0):
    """Source that the window's line language can read, too; None for all else, and for what is long."""
    kind = type(value)
    if kind in (bool, type(None)) or kind is int and -1 << 63 <= value < 1 << 63 or kind is float and math.isfinite(value):
        return repr(value)
    if kind is str and len(value) <= LONGEST_LITERAL and value.isprintable():
        return repr(value)
    if kind is _DType:
        return str(value)
    if kind in (tuple, list, _Size) and len(value) <= MOST_ITEMS and depth < 4:
        items = [_literal(item, depth + 1) for item in value]
        if None in items:
            return None
        if kind is tuple:
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        return f"[{', '.join(items)}]" if kind is list else f"torch.Size([{', '.join(items)}])"
    return None


def _value(node):
    if isinstance(node, ast.Attribute):
        return getattr(_core, node.attr)  # torch.int8
    if isinstance(node, ast.Call):
        return _Size(_value(node.args[0]))
    if isinstance(node, (ast.Tuple, ast.List)):
        return (tuple if isinstance(node, ast.Tuple) else list)(map(_value, node.elts))
    return ast.literal_eval(node)


def bind_value(namespace, name, literal):
    """Gives a name the value that the window wrote so; what cannot be read leaves the name as it is."""
    try:
        namespace[name] = _value(ast.parse(literal, mode="eval").body)
    except (SyntaxError, ValueError, AttributeError, IndexError):
        pass


def _figures(names):
    """[{"device", "about", "simulated", "allocated", "total"}] of the devices that have tensors; where they tell it."""
    figures = []
    for device in sorted({entry["device"] for entry in names if entry.get("device", "cpu") != "cpu"}):
        try:
            about = _core._device_about(_core.device(device))
            allocated, _, _, total, _ = _core._device_memory(_core.device(device))
        except Exception:  # switched off, or a backend without figures
            continue
        figures.append({"device": device, "about": about[0], "simulated": about[1], "allocated": allocated,
                        "total": total})
    return figures


class Variables:
    """Keeps the storages of all tensors that were listed until the window releases them."""

    def __init__(self):
        self._serial = 0
        self._objects = {}  # name -> (weak reference, storage id, dtype, size, stride, offset) of what it stood for, in order
        self._held = {}  # storage id -> [a tensor over all of it, the copy that the window sees, serial, adopted as]

    def adopt(self, tensor, handle):
        """The window's own storage `handle`, from a kernel before this one."""
        self._held[tensor._storage_id()] = [tensor, None, self._serial, handle]

    def held(self, storage):
        """A tensor over all of a storage that was listed and not released."""
        return self._held[storage][0]

    def _remember(self, name, value, entry):
        known = self._objects.setdefault(name, collections.deque(maxlen=MOST_OBJECTS))
        as_now = (entry["storage"], entry["dtype"], entry["size"], entry["stride"], entry["offset"])
        if not known or known[-1][0]() is not value or known[-1][1:] != as_now:
            known.append((weakref.ref(value), *as_now))

    def view(self, name):
        """What a name stands for in the state that the window describes: the object that it stood for then, where that
        is still alive, since other names and lists may have it, too."""
        as_then = (name["storage"], name["dtype"], name["size"], name["stride"], name["offset"])
        for reference, *known in reversed(self._objects.get(name["name"], ())):
            tensor = reference()
            if tensor is not None and tuple(known) == as_then and _kernel.show_as(tensor, self.held(as_then[0]), *as_then[1:]):
                return tensor
        return _kernel.view_of(self.held(as_then[0]), *as_then[1:])

    def release(self, storages):
        for storage, serial in storages:
            if storage in self._held and self._held[storage][2] <= serial:
                del self._held[storage]

    def _moved(self):
        """[[storage, other, handle]]: the memory of `storage` that the window maps is the storage `other` now. The handle
        is the window's own name of it, for a storage that was adopted and never listed."""
        moved = []
        for storage, held in list(self._held.items()):
            left = _kernel.take_left(held[0])
            if left is None:
                continue
            moved.append([storage, left._storage_id(), held[3]])
            del self._held[storage]  # until the next listing has it where it is now
            self._held[left._storage_id()] = [left, *held[1:]]
        return moved

    def listing(self, namespace):
        """{"serial", "moved", "names", "storages", "more"}: the event `variables`."""
        moved = self._moved()
        self._serial += 1
        names, storages = [], {}
        items = [(name, value) for name, value in list(namespace.items())
                 if isinstance(name, str) and not (name.startswith("__") and name.endswith("__")) and name != "_"]
        for name, value in items[:MOST_NAMES]:
            kind = type(value)  # not isinstance(): a class may lie about itself, or fail
            entry = {"name": name, "type": str(type.__dict__["__name__"].__get__(kind))}
            if issubclass(kind, _core.Tensor):
                storage = value._storage_id()
                entry.update(dtype=str(value.dtype).removeprefix("torch."), size=list(value.size()),
                             stride=list(value.stride()), offset=value.storage_offset(), storage=storage,
                             device=str(value.device))
                if storage not in storages:
                    storages[storage] = self._place(storage, value)
                self._remember(name, value, entry)
            else:
                literal = _literal(value)
                if literal is not None:
                    entry["literal"] = literal
                text = _text(value)
                if text is not None:
                    entry["text"] = text
            names.append(entry)
        return {"serial": self._serial, "moved": moved, "names": names, "storages": list(storages.values()),
                "more": max(0, len(items) - MOST_NAMES), "devices": _figures(names)}

    def _place(self, storage, tensor):
        number, size, version, kind, offset = _kernel.facts(tensor)
        entry = {"storage": number, "bytes": size, "version": version, "kind": kind}
        if tensor.device.type != "cpu":
            # Not held: on a device `del` gives memory back at once. Not copied: a copy is what code asks for, takes the
            # time of the link, and waits for what is queued.
            return {**entry, "unavailable": f"on {tensor.device}", "lost": _kernel.is_lost(tensor)}
        held = self._held.get(storage)
        if held is None:
            held = self._held[storage] = [tensor._flat_storage(), None, 0, None]
        held[2] = self._serial
        if held[3] is not None:
            entry["kept"] = held[3]
        elif offset is not None:
            entry["offset"] = offset
        elif size > LARGEST_COPY:
            entry["unavailable"] = f"{kind}: too large to copy"
        elif size > 0:
            # NumPy's memory, a mapped file: the window sees a copy as of now.
            flat = held[0].cpu()
            if held[1] is None:
                held[1] = flat.clone()
            else:
                held[1].copy_(flat)
            entry.update(offset=_kernel.facts(held[1])[4], copied=True)
        return entry
