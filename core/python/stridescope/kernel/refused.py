"""The operation that was refused, as a line and its tensors for the window: wherever in the code it stands."""
import ast
import base64
import itertools
import linecache
import os

from .. import _core
from .own_builtins import private

__builtins__ = private()

_kernel = _core._kernel
_PACKAGE = os.path.dirname(_core.__file__) + os.sep  # what its Python does by itself is no line of anyone's
LONGEST_NAME = 60
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
          ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
          ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Tuple)


class _NoLine(Exception):
    """The operation does not stand in the code as a line could have it."""


def _place(tb):
    """The expression or statement at which the frame stands, its statement, and the code's text."""
    code = tb.tb_frame.f_code
    at = next(itertools.islice(code.co_positions(), tb.tb_lasti // 2, None), (None,) * 4)
    source = "".join(linecache.getlines(code.co_filename, tb.tb_frame.f_globals))
    if None in at or not source:
        raise _NoLine
    line, last, column, end = at
    nearby, statement = None, None
    for node in ast.walk(ast.parse(source)):
        if not hasattr(node, "lineno") or (node.end_lineno, node.end_col_offset) < (last, end):
            continue
        begins = (node.lineno, node.col_offset)
        if isinstance(node, ast.stmt) and begins <= (line, column):
            statement = node  # the innermost one comes last
        if (node.end_lineno, node.end_col_offset) != (last, end) or isinstance(node, ast.Expr):
            continue
        # The call of a method on a line of its own begins at the method's name.
        if begins == (line, column) or isinstance(node, ast.Call) and begins <= (line, column) and nearby is None:
            nearby = node
    if nearby is None:
        raise _NoLine
    return nearby, statement, source


def _is_tensor(value):
    return isinstance(value, dict)


class _Line:
    """Builds the line: names stay, other tensors get one, and what is no tensor stands as it was given."""

    def __init__(self, source):
        self.source = source
        self.operands = {}

    def text(self, node):
        return ast.get_source_segment(self.source, node) or ast.unparse(node)

    def tensor(self, value, node, shown=None):
        name = node.id if isinstance(node, ast.Name) else f"_{len(self.operands) + 1}"
        if shown is None:
            shown = self.text(node)
            if "\n" in shown or len(shown) > LONGEST_NAME:
                shown = ast.unparse(node)
            if not isinstance(node, _ATOMS):
                shown = f"({shown})"
        if len(shown) > LONGEST_NAME:
            raise _NoLine
        data = value["data"]
        self.operands.setdefault(name, {**value, "name": name, "shown": shown,
                                        "data": None if data is None else base64.b64encode(data).decode()})
        return name

    def value(self, value, node):
        if _is_tensor(value):
            return self.tensor(value, node)
        if isinstance(value, (list, tuple)):
            nodes = getattr(node, "elts", [])
            if len(nodes) == len(value) and not any(isinstance(n, ast.Starred) for n in nodes):
                items = [self.value(v, n) for v, n in zip(value, nodes)]
            else:
                items = [self.tensor(v, None, f"{self.text(node)}[{i}]") if _is_tensor(v) else self.plain(v)
                         for i, v in enumerate(value)]
            return self.sequence(items, value)
        return self.plain(value)

    def plain(self, value):
        if _is_tensor(value):
            raise _NoLine
        if isinstance(value, (list, tuple)):
            return self.sequence([self.plain(v) for v in value], value)
        return "..." if value is ... else repr(value)

    @staticmethod
    def sequence(items, value):
        if isinstance(value, list):
            return f"[{', '.join(items)}]"
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"

    def subscript(self, key, node):
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        keys = key if isinstance(key, tuple) and isinstance(node, ast.Tuple) else [key]
        if len(nodes) != len(keys):
            nodes = [None] * len(keys)
        parts = []
        for one, place in zip(keys, nodes):
            if isinstance(one, slice):
                bounds = ["" if b is None else str(b) for b in (one.start, one.stop, one.step)]
                parts.append(":".join(bounds if bounds[2] else bounds[:2]))
            else:
                parts.append(self.value(one, place) if place is not None else self.plain(one))
        return ", ".join(parts)

    def call(self, node, name, given, named):
        function = node.func
        written = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if written != name.rpartition(".")[2]:
            raise _NoLine
        head, given = f"torch.{name}", list(given)
        if name.startswith("."):
            if not isinstance(function, ast.Attribute):
                raise _NoLine
            head = self.value(given.pop(0), function.value) + name
        places = {k.arg: k.value for k in node.keywords}
        if any(isinstance(a, ast.Starred) for a in node.args):
            parts = [self.plain(v) for v in given]
        elif len(given) == len(node.args):
            parts = [self.value(v, n) for v, n in zip(given, node.args)]
        else:
            raise _NoLine
        parts += [f"{key}={self.value(v, places[key]) if key in places else self.plain(v)}" for key, v in named.items()]
        return f"{head}({', '.join(parts)})"


def _line(line, node, statement, name, given, named):
    if isinstance(node, ast.Call):
        return line.call(node, name, given, named)
    if isinstance(node, ast.BinOp) and len(given) == 2:
        return f"{line.value(given[0], node.left)} {_SIGNS[type(node.op)]} {line.value(given[1], node.right)}"
    # Of 3 < x the tensor is asked first.
    if isinstance(node, ast.Compare) and len(given) == 2 and len(node.ops) == 1 and _is_tensor(given[0]) \
            and not isinstance(node.left, ast.Constant):
        sign = _SIGNS[type(node.ops[0])]
        return f"{line.value(given[0], node.left)} {sign} {line.value(given[1], node.comparators[0])}"
    if isinstance(node, ast.AugAssign) and len(given) == 2:
        return f"{line.value(given[0], node.target)} {_SIGNS[type(node.op)]}= {line.value(given[1], node.value)}"
    if isinstance(node, ast.Subscript) and len(given) >= 2:
        part = f"{line.value(given[0], node.value)}[{line.subscript(given[1], node.slice)}]"
        if len(given) == 2:
            return part
        if isinstance(statement, ast.Assign):
            return f"{part} = {line.value(given[2], statement.value)}"
    raise _NoLine


def told(error, cell):
    """What `error` refused, as {"line", "operands", "elsewhere"}; None where that cannot be told as a line.

    `cell` is the file of the code under way: names of its outermost level are those of the console."""
    kept, tb = _kernel.take_refused(), error.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    try:
        if kept is None or tb is None or kept[0] != str(error) or tb.tb_frame.f_code.co_filename.startswith(_PACKAGE):
            return None
        node, statement, source = _place(tb)
        line = _Line(source)
        text = _line(line, node, statement, *kept[1:])
    except Exception:  # a line that is made up by other means, or a name that lies: there is no picture of it
        return None
    code = tb.tb_frame.f_code
    elsewhere = code.co_name != "<module>" or code.co_filename != cell
    targets = getattr(statement, "targets", [])
    if not elsewhere and len(targets) == 1 and isinstance(targets[0], ast.Name) and statement.value is node:
        text = f"{targets[0].id} = {text}"
    return {"line": text, "operands": list(line.operands.values()), "elsewhere": elsewhere}
