"""What could stand at the cursor, and what is being called there.

Nothing of the user's is run for it: attributes are looked up without descriptors, and what a call would give is known
only where it is a tensor, a class or a module. Who asks gets fewer names then, never an effect.
"""
import builtins
import keyword
import pkgutil
import re
import sys
import types
from inspect import getattr_static, signature

import stridescope

_core = stridescope._core
MOST = 300  # names: more nobody reads
_TENSOR_ATTRIBUTES = ("T", "mT", "H", "mH", "data", "real", "imag")  # that are tensors themselves
_FUNCTION = type(stridescope.arange)
_METHOD = type(getattr_static(stridescope.Tensor, "narrow"))
_TEXTS = re.compile(r"""(?s)(?:\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|"(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z)|'(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z)|#[^\n]*)""")
_ASSIGNED = re.compile(r"(?:^|[\n;:])\s*([^\W\d]\w*)\s*(?:=(?!=)|:[^=\n]*=)|\b(?:def|class|for|as|import)\s+([^\W\d]\w*)")
_PAIRS = {")": "(", "]": "[", "}": "{"}


class _Instance:
    """Some value of a class, not a certain one."""

    def __init__(self, kind):
        self.kind = kind


def _masked(code):
    """The code with texts and comments blank, and whether its end lies inside one."""
    inside = False

    def blank(match):
        nonlocal inside
        text = match.group()
        # One that is not closed would take in another letter.
        inside = inside or match.end() == len(code) and _TEXTS.match(text + "x").end() > len(text)
        return re.sub(r"[^\n]", " ", text[:-1]) + (" " if text[0] == "#" else '"')

    return _TEXTS.sub(blank, code), inside


def _opening(text, closing):
    """Place of the bracket that the one at `closing` closes; -1: none."""
    depth = 0
    for i in range(closing, -1, -1):
        if text[i] in ")]}":
            depth += 1
        elif text[i] in "([{":
            depth -= 1
            if depth == 0:
                return i
    return -1


def _chain(text):
    """["torch", ".arange", "(", ".view"] of "y = torch.arange(12).view"; None when it begins with something else."""
    parts, at = [], len(text)
    while True:
        word = re.search(r"\w*\Z", text[:at]).group()
        start = at - len(word)
        if word and (word[0].isdigit()):
            return None
        if start > 0 and text[start - 1] == ".":
            parts.append("." + word)
            at = start - 1
        elif word:
            parts.append(word)
            return parts[::-1]
        elif at > 0 and text[at - 1] in ")]":
            at = _opening(text, at - 1)
            if at < 0:
                return None
            parts.append(text[at])
            continue
        else:
            return None
        # Before a dot stands a name, a call or an item.
        if at == 0 or not (text[at - 1] in ")]" or text[at - 1].isalnum() or text[at - 1] == "_"):
            return None


def _member(value, name):
    """The attribute, or None; descriptors that would have to be asked are answered only where it is known."""
    if isinstance(value, _Instance):
        if issubclass(value.kind, _core.Tensor) and name in _TENSOR_ATTRIBUTES:
            return _Instance(_core.Tensor)
        found = getattr_static(value.kind, name, None)
    elif isinstance(value, _core.Tensor) and name in _TENSOR_ATTRIBUTES:
        return _Instance(_core.Tensor)
    else:
        found = getattr_static(value, name, None)
    if isinstance(found, (staticmethod, classmethod)):
        return found.__func__
    if isinstance(found, (property, types.GetSetDescriptorType, types.MemberDescriptorType)):
        return None
    return found


def _called(value):
    if isinstance(value, (_FUNCTION, _METHOD)):
        return _Instance(_core.Tensor)
    return _Instance(value) if isinstance(value, type) else None


def _item(value):
    kind = value.kind if isinstance(value, _Instance) else type(value)
    if issubclass(kind, _core.Tensor):
        return _Instance(_core.Tensor)
    if type(value) in (list, tuple) and value:
        return _Instance(type(value[0]))
    return None


def _resolve(parts, names):
    """What the chain names; None when nobody can say without running it."""
    value = names.get(parts[0], builtins.__dict__.get(parts[0]))
    if value is None and parts[0] in names.get("", ()):
        value = sys.modules.get(names[""][parts[0]])
    if value is None and parts[0] not in names and parts[0] in ("torch", "torchvision"):
        value = sys.modules.get(parts[0])  # before it is imported, too: it is what people type first
    for part in parts[1:]:
        if value is None:
            return None
        value = _called(value) if part == "(" else _item(value) if part == "[" else _member(value, part[1:])
    return value


def _listed(value):
    if isinstance(value, _Instance):
        return type.__dir__(value.kind)
    if isinstance(value, types.ModuleType):
        return list(value.__dict__)
    return type.__dir__(value) if isinstance(value, type) else object.__dir__(value)


def _kind(value):
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    if isinstance(value, _core.Tensor):
        return "tensor"
    if isinstance(value, (property, types.GetSetDescriptorType, types.MemberDescriptorType)):
        return "attribute"
    if isinstance(value, (_METHOD, types.MethodDescriptorType, classmethod, types.WrapperDescriptorType)):
        return "method"
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, staticmethod, _FUNCTION)):
        return "function"
    return str(type.__dict__["__name__"].__get__(type(value)))


def _signatures(value, bound):
    """["(dim, start, length)"]: those of the first lines of our texts, else what Python knows."""
    if isinstance(value, type) and not isinstance(value, _FUNCTION):
        value = value.__dict__.get("__init__", value) if value.__module__ != "builtins" else value
        bound = True
    if isinstance(value, (staticmethod, classmethod)):
        value, bound = value.__func__, isinstance(value, classmethod)
    text = getattr(value, "__doc__", None) if isinstance(value, (_FUNCTION, _METHOD, types.BuiltinFunctionType,
                                                                 types.MethodDescriptorType)) else None
    found = []
    for line in (text or "").split("\n"):
        match = re.match(r"[\w.]+(\(.*\).*)", line)
        if not match:
            break
        found.append(match.group(1).strip())
    if bound and isinstance(value, _METHOD):
        found = [re.sub(r"^\(Tensor (?:input|self|A)(?:, )?", "(", each) for each in found]
    if found or not callable(value):
        return found
    try:
        text = str(signature(value))
    except (TypeError, ValueError):
        return []
    if bound:
        text = re.sub(r"^\((?:self|cls|/)(?:, /)?(?:, )?", "(", text)
    return [text]


def _short(signatures):
    """One short signature for a list: types left out of ours, the rest counted."""
    if not signatures:
        return ""
    inner = signatures[0].rpartition(")")[0].removeprefix("(")
    names = []
    for part in _split(inner):
        name = part.partition("=")[0].partition(":")[0].strip()
        if name == "*":
            break  # what comes by keyword only is in the tip
        if name != "/":
            names.append(name.split(" ")[-1])
    more = f"  +{len(signatures) - 1}" if len(signatures) > 1 else ""
    return f"({', '.join(names)}){more}"


def _split(inner):
    """Parameters, split at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(inner):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(inner[start:i])
            start = i + 1
    return [part for part in parts + [inner[start:]] if part.strip()]


def _parameters(signatures):
    names = []
    for each in signatures:
        for part in _split(each.rpartition(")")[0].removeprefix("(")):
            name = part.partition("=")[0].partition(":")[0].strip().split(" ")[-1]
            if name.isidentifier() and name not in names:
                names.append(name)
    return names


def _call(text, names):
    """What is called where the text ends: its name, signatures, and which argument is being typed."""
    depth, commas, at = 0, 0, len(text) - 1
    while at >= 0:
        c = text[at]
        if c in ")]}":
            depth += 1
        elif c in "([{":
            if depth == 0:
                if c == "(" and re.search(r"[\w\])]\s*\Z", text[:at]):
                    break
                commas = 0
            else:
                depth -= 1
        elif c == "," and depth == 0:
            commas += 1
        at -= 1
    if at < 0:
        return None
    callee = text[:at].rstrip()
    if keyword.iskeyword(re.search(r"\w*\Z", callee).group()) or re.search(r"\b(?:def|class)\s+\w+\Z", callee):
        return None
    parts = _chain(callee)
    value = parts and _resolve(parts, names)
    if value is None or isinstance(value, _Instance):
        return None
    bound = len(parts) > 1 and not isinstance(_resolve(parts[:-1], names), (types.ModuleType, type))
    signatures = _signatures(value, bound)
    if not signatures:
        return None
    current = text[at + 1:]
    by_name = re.search(r"([^\W\d]\w*)\s*=\s*[^,()=]*\Z", current)
    return {"name": parts[-1].lstrip("."), "signatures": signatures, "argument": commas,
            "keyword": by_name.group(1) if by_name else ""}


def _modules(prefix):
    """Modules whose names begin so; what stands in folders is looked up, not imported."""
    parent, dot, _ = prefix.rpartition(".")
    if dot:
        package = sys.modules.get(parent)
        found = {name.removeprefix(parent + ".").partition(".")[0] for name in sys.modules
                 if name.startswith(parent + ".")}
        found |= {module.name for module in pkgutil.iter_modules(getattr(package, "__path__", []))}
        return [f"{parent}.{name}" for name in found]
    return (set(sys.stdlib_module_names) | {name.partition(".")[0] for name in sys.modules}
            | {module.name for module in pkgutil.iter_modules()})


def _imports(line):
    """Names that an import statement can go on with; None: it is none."""
    if match := re.match(r"\s*from\s+([\w.]+)\s+import\s+(?:.*,)?\s*\(?(\w*)\Z", line):
        module = sys.modules.get(match.group(1))
        return [(name, _kind(getattr_static(module, name, None)), "") for name in _listed(module)] if module else []
    if match := re.match(r"\s*(?:from|import)\s+(?:.*,\s*)?([\w.]*)\Z", line):
        whole = match.group(1)
        return [(name.rpartition(".")[2], "module", "") for name in _modules(whole) if name.startswith(whole)]
    return None


def at(code, cursor, namespace):
    """{"start", "matches": [[text, kind, signature]], "call"}: the event `completions`."""
    head, inside = _masked(code[:cursor])
    nothing = {"start": cursor, "matches": [], "call": None}
    names = dict(namespace)
    # Modules that the text itself imports, also before it was run.
    names[""] = {m.group(2) or m.group(1): m.group(1)
                 for m in re.finditer(r"\bimport\s+([\w.]+)(?:\s+as\s+(\w+))?", head) if m.group(1) in sys.modules}
    call = _call(head, names)
    if inside:
        return {**nothing, "call": call}
    word = re.search(r"\w*\Z", head).group()
    if word[:1].isdigit():
        return {**nothing, "call": call}
    found = _imports(head.rpartition("\n")[2].rpartition(";")[2])
    ordered = found is not None or head.endswith("." + word)
    if found is None and head.endswith("." + word):
        parts = _chain(head)
        owner = parts and _resolve(parts[:-1], names)
        if owner is None:
            return {**nothing, "call": call}
        found = []
        bound = not isinstance(owner, (types.ModuleType, type))
        for name in _listed(owner):
            if isinstance(name, str) and name.startswith(word):
                value = getattr_static(owner.kind if isinstance(owner, _Instance) else owner, name, None)
                kind = "method" if bound and isinstance(value, types.FunctionType) else _kind(value)
                found.append((name, kind, _short(_signatures(value, bound)) if len(found) < MOST else ""))
    elif found is None:
        found = [(name + "=", "argument", "") for name in _parameters(call["signatures"])] if call else []
        seen = set()
        inner = [m.group(1) or m.group(2) for m in _ASSIGNED.finditer(_masked(code)[0])]
        for name, value in list(namespace.items()):
            if isinstance(name, str) and name.startswith(word) and name.isidentifier():
                found.append((name, _kind(value), _short(_signatures(value, False)) if callable(value) else ""))
                seen.add(name)
        found += [(name, "name", "") for name in dict.fromkeys(inner) if name not in seen and name != word]
        found += [(name, "keyword", "") for name in keyword.kwlist]
        found += [(name, _kind(value), _short(_signatures(value, False))) for name, value in builtins.__dict__.items()
                  if name not in seen and name.startswith(word)]
    hidden = not word.startswith("_")
    matches = list(dict.fromkeys(each for each in found
                                 if each[0].startswith(word) and not (hidden and each[0].startswith("_"))))
    if ordered:
        matches.sort(key=lambda each: each[0].lower())
    return {"start": cursor - len(word), "matches": [list(each) for each in matches[:MOST]], "call": call}
