"""show(): tensors as the program's window draws them. This module draws nothing: it hands the tensors to the program,
`stridescope render`, as a session in a folder of its own."""
import os as _os
import shutil as _shutil
import string as _string
import subprocess as _subprocess
import sys as _sys
import tempfile as _tempfile
import warnings as _warnings

from . import _core

_SECONDS = 120


def _program():
    """The program: $STRIDESCOPE_PROGRAM, the one of this build or installation, or the one on PATH."""
    chosen = _os.environ.get("STRIDESCOPE_PROGRAM")
    if chosen:
        if not _os.access(chosen, _os.X_OK):
            raise FileNotFoundError(f"show(): STRIDESCOPE_PROGRAM names '{chosen}', which is no program that can be started")
        return chosen
    here = _os.path.dirname(_os.path.abspath(__file__))
    # In a build, build/release/python/stridescope; installed, lib/stridescope/python/stridescope.
    for up in ("../../bin/stridescope", "../../../../bin/stridescope"):
        path = _os.path.normpath(_os.path.join(here, up))
        if _os.access(path, _os.X_OK):
            return path
    path = _shutil.which("stridescope")
    if not path:
        raise FileNotFoundError("show(): the program stridescope, which draws, was not found beside the module or on PATH. "
                                "Install it, or name it in STRIDESCOPE_PROGRAM.")
    return path


def _named(tensors, keywords, frame):
    """{name: tensor}. A tensor is called as its variable, where the caller has one."""
    named = {}
    for tensor in tensors:
        if not isinstance(tensor, _core.Tensor):
            raise TypeError(f"show(): tensors are wanted, found {type(tensor).__name__}")
        name = next((n for scope in (frame.f_locals, frame.f_globals) for n, value in scope.items()
                     if value is tensor and n.isidentifier() and not n.startswith("_") and n not in named
                     and n not in keywords), None)
        if name is None:
            taken = {*named, *keywords, *frame.f_locals, *frame.f_globals}
            name = next((n for n in [*_string.ascii_uppercase, *(f"T{i}" for i in range(1000))] if n not in taken))
        named[name] = tensor
    for name, tensor in keywords.items():
        if not isinstance(tensor, _core.Tensor):
            raise TypeError(f"show(): '{name}' must be Tensor, not {type(tensor).__name__}")
        named[name] = tensor
    return named


class Picture:
    """What show() gives. A notebook draws it; elsewhere save() writes it to a file, and `svg` is its text."""

    def __init__(self, named, options):
        self._folder = _tempfile.TemporaryDirectory(prefix="stridescope-")
        self._options = options
        self._names = list(named)
        self._session = _os.path.join(self._folder.name, "shown.stridescope")
        _core._save_session(named, self._session)
        path = _os.path.join(self._folder.name, "picture.svg")
        self.save(path)
        with open(path, encoding="utf-8") as file:
            self.svg = file.read()

    def save(self, path, scale=None):
        """save(path, scale=None): the same picture as a file: .svg, .png, .pdf, .tex or .tikz. `scale`: of a .png, its
        pixels for each one of the picture."""
        arguments = [_program(), "render", self._session, "-o", _os.path.abspath(_os.fspath(path)), *self._options]
        if scale is not None:
            arguments += ["--scale", str(scale)]
        try:
            # Qt would make a folder where there is none for it.
            environment = {"XDG_RUNTIME_DIR": self._folder.name, **_os.environ}
            done = _subprocess.run(arguments, capture_output=True, timeout=_SECONDS, stdin=_subprocess.DEVNULL,
                                   env=environment)
        except _subprocess.TimeoutExpired:
            raise RuntimeError(f"show(): the program did not draw within {_SECONDS} s: show a part of the tensor") from None
        said = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode != 0:
            raise RuntimeError(f"show(): {said.removeprefix('stridescope render: ') or f'exit code {done.returncode}'}")
        for line in said.splitlines():
            _warnings.warn(line.removeprefix("note: "), stacklevel=3)

    def _repr_svg_(self):
        return self.svg

    def __repr__(self):
        return f"<Picture of {', '.join(self._names)}: save('figure.svg') writes it, a notebook draws it>"


def show(*tensors, pick=None, select=None, theme="light", size=None, cells=None, figure="storage", **named):
    """show(*tensors, pick=None, select=None, theme='light', size=None, cells=None, figure='storage', **named) -> Picture

    Tensors as the window shows them: cards above the storages that they are views of. Views of one storage stand over
    one strip: show(x, x.t()). A tensor is called as its variable is, or as its keyword: show(A=x, B=x[1:]).

    pick: the index of one element of the selected tensor, drawn with its links and its sum: pick=(1, 2).
    select: the name of the tensor that is marked on the strip (the last one).
    theme: 'light' or 'dark'. size: (width, height); by itself as large as it has to be.
    cells: 'numbers' or 'colours'. figure: 'storage', or 'grid' for the cells of one tensor alone.

    The program draws (see STRIDESCOPE_PROGRAM); tensors on other devices than the CPU are refused."""
    named = _named(tensors, named, _sys._getframe(1))
    if not named:
        raise TypeError("show(): give at least one tensor")
    options = ["--show", "all", "--theme", str(theme), "--figure", str(figure)]
    options += ["--select", select if select is not None else list(named)[-1]]
    if size is not None:
        width, height = size
        options += ["--size", f"{int(width)}x{int(height)}"]
    if pick is not None:
        index = pick if isinstance(pick, (tuple, list)) else (pick,)
        options += [f"--pick={','.join(str(int(i)) for i in index)}"]
    if cells is not None:
        options += ["--cells", str(cells)]
    return Picture(named, options)
