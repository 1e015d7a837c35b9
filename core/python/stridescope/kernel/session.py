"""A kernel's main loop: requests of the window, one after the other, in the main thread."""
import ast
import builtins
import codeop
import collections
import contextlib
import linecache
import os
import platform
import resource
import signal
import sys
import threading
import time
import types

import stridescope

from . import completion, refused, reports
from .channel import ERRORS, OUTPUT, Channel
from .own_builtins import Own, private
from .parts import Parts
from .stepper import Stepper
from .streams import Input, Output
from .variables import Variables, bind_value

__builtins__ = private()
_kernel = stridescope._core._kernel
_HIDDEN = {stridescope.__file__, codeop.__file__, ast.__file__} | {
    os.path.join(os.path.dirname(__file__), name) for name in os.listdir(os.path.dirname(__file__))}
SECONDS_BETWEEN_LISTINGS = 0.1
SECONDS_TO_COMPLETE = 1.0
SECONDS_TO_FIRST_TICK, SECONDS_BETWEEN_TICKS = 0.15, 0.4


@contextlib.contextmanager
def _at_most(seconds):
    """TimeoutError in the block when it takes longer. A timer of the user's goes on afterwards."""
    def late(number, frame):
        raise TimeoutError
    before = signal.signal(signal.SIGALRM, late)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, interval)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)


def _threads():
    """Those that code of the user has started and that still run."""
    main = threading.main_thread()
    return [{"name": t.name, "ident": t.ident} for t in threading.enumerate() if t is not main]


class _AsProgram:
    """What a script can know of itself as long as it runs, as when Python itself runs the file at `path`.

    Not a generator: contextlib needs built-in names that the script may have taken away."""

    def __init__(self, main, path):
        self.main, self.path = main, path

    def __enter__(self):
        if not self.path:
            return
        self.before = self.main.__dict__.get("__file__")
        self.folder = os.path.dirname(self.path)
        self.main.__file__ = self.path
        sys.argv = [self.path]
        sys.path.insert(0, self.folder)

    def __exit__(self, *_):
        if not self.path:
            return
        sys.argv = [""]
        if isinstance(getattr(sys, "path", None), list) and self.folder in sys.path:
            sys.path.remove(self.folder)
        if self.before is None:
            self.main.__dict__.pop("__file__", None)
        else:
            self.main.__file__ = self.before


class Session:
    def __init__(self, descriptor):
        self.channel = Channel(descriptor)
        memory = _kernel.share_memory()
        ring = _kernel.observe(False)
        _kernel.observe_devices(True)
        _kernel.keep_refused(True)
        stridescope.install_as_torch()
        self.main = types.ModuleType("__main__")
        sys.modules["__main__"] = self.main
        self.main.__builtins__ = builtins
        self.stdout, self.stderr = Output(self.channel, OUTPUT, "<stdout>"), Output(self.channel, ERRORS, "<stderr>")
        self.stdin = Input(self._ask)
        sys.stdout, sys.stderr, sys.stdin = self.stdout, self.stderr, self.stdin
        sys.__stdout__, sys.__stderr__, sys.__stdin__ = self.stdout, self.stderr, self.stdin
        sys.argv = [""]
        sys.displayhook = self._display
        self.variables = Variables()
        self.compiler = codeop.Compile()
        self.queue = collections.deque()
        self.process = os.getpid()
        self.memory_limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if self.memory_limit == resource.RLIM_INFINITY:
            self.memory_limit = None
        self.request = None         # number of the execution under way
        self.interruptible = False  # code of the user runs
        self.interrupted = False    # while that did not
        self.ticking = False        # a statement that takes long is noticed
        self.receiving = False      # waits for the window
        self.listed = 0.0
        self.locals = {}            # of the function that code waits in
        self.parts = None           # of the execution under way
        self.own = Own()            # entered while none of the user's code runs
        self.own.__enter__()
        signal.signal(signal.SIGINT, self._on_interrupt)
        self.channel.tell("hello", (memory, ring), python=platform.python_version(), program=sys.executable,
                          module=stridescope.__version__, pid=os.getpid(), memory_limit=self.memory_limit)

    # --- Requests

    def serve(self):
        while True:
            message = self._next()
            if message is None:
                os._exit(0)
            request, descriptors = message
            getattr(self, "_on_" + request.get("request", ""), self._on_unknown)(request, descriptors)

    def _next(self, only=()):
        """The next request; while code waits for certain ones, others wait, too."""
        if self.queue and not only:
            return self.queue.popleft()
        self.receiving = True
        try:
            while True:
                message = self.channel.receive()
                if message is None or not only or message[0].get("request") in only:
                    return message
                self.queue.append(message)
        finally:
            self.receiving = False

    def _on_unknown(self, request, _):
        self.channel.tell("unknown", request=str(request.get("request")))

    def _on_release(self, request, _):
        self.variables.release(request["storages"])

    def _on_input(self, request, _):
        """Nobody waits for it any more."""

    def _on_adopt(self, request, descriptors):
        """Tensors of a kernel that ended, under their names again."""
        flat = _kernel.adopt(descriptors[0], request["offset"], request["bytes"])
        os.close(descriptors[0])
        for name in request["names"]:
            self.main.__dict__[name["name"]] = _kernel.view_of(flat, name["dtype"], name["size"], name["stride"],
                                                               name["offset"])
        self.variables.adopt(flat, request["handle"])

    def _on_bind(self, request, _):
        """Tensors over storages that are held here, and values, under their names; other names that are gone.

        Those of a function that code waits in are its own."""
        for name in request["gone"]:
            if name not in self.locals:
                self.main.__dict__.pop(name, None)
        for name in request["names"]:
            if name["name"] in self.locals:
                continue
            if "literal" in name:
                bind_value(self.main.__dict__, name["name"], name["literal"])
                continue
            self.main.__dict__[name["name"]] = self.variables.view(name)

    def _on_step(self, request, _):
        """Nobody waits for it any more."""

    _on_into = _on_continue = _on_part_taken = _on_step

    def _on_list(self, request, _):
        self._list()

    def _on_stop_thread(self, request, _):
        _kernel.stop_thread(request["ident"])

    def _on_threads(self, request, _):
        self.channel.tell("threads", threads=_threads())

    def _on_complete(self, request, _):
        found = {"start": request["cursor"], "matches": [], "call": None}
        try:
            with _at_most(SECONDS_TO_COMPLETE):
                found = completion.at(request["code"], request["cursor"], self.main.__dict__)
        except BaseException:  # a class of the user's that lies, or takes too long
            pass
        self.channel.tell("completions", id=request["id"], **found)

    def _on_inspect(self, request, _):
        """Signature and description of what a dotted name names."""
        import inspect
        signature, text = "", ""
        try:
            value = self.main
            for part in request["name"].split("."):
                value = getattr(value, part) if value is not self.main else self.main.__dict__[part]
            text = inspect.getdoc(value) or ""
            signature = str(inspect.signature(value))
        except Exception:  # no such name, or none that has a signature
            pass
        self.channel.tell("inspected", id=request["id"], signature=signature, text=reports.cut(text, 4000))

    # --- Execution

    def _on_execute(self, request, _):
        self.request, began, first = request["id"], time.monotonic(), _kernel.operations()
        name = request.get("name") or f"<cell {request['id']}>"
        source = request["code"]
        # A last line without an end would move the marks below it by one.
        lines = source.splitlines(True)
        linecache.cache[name] = (len(source), None, lines[:-1] + [lines[-1].rstrip("\n") + "\n"] if lines else [], name)
        self.stdin.forget()
        # Whatever the code before did to it: Stop means this.
        signal.signal(signal.SIGINT, self._on_interrupt)
        _kernel.watch_interrupts()
        signal.signal(signal.SIGURG, self._on_tick)
        signal.siginterrupt(signal.SIGURG, False)
        self.interrupted = False
        self.channel.tell("started", id=self.request)  # from here on an interrupt is for this code
        end = {"status": "ok"}
        self.parts = None
        try:
            try:
                mode = request.get("mode", "console")
                with _AsProgram(self.main, name if mode != "console" and os.path.isabs(name) else ""):
                    self._run(source, name, mode)
            finally:
                self.interruptible = False
                self.own.__enter__()
                _kernel.observe(False)
                self.ticking = False
                _kernel.tick_after(0)
        except SystemExit as value:
            end = {"status": "exit", "code": str(value.code) if value.code is not None else "0"}
        except KeyboardInterrupt as value:
            end = self._report(value, name, "interrupted")
        except BaseException as value:  # also what is no Exception
            end = self._report(value, name, "error")
        if self.parts and self.parts.first:
            end["rest"] = self.parts.take(self.parts.at + 1)
        if os.getpid() != self.process:
            self._flush()
            os._exit(end["status"] != "ok")  # a child of fork() has come to the end of the code
        self._flush()
        self._list()
        self.channel.tell("done", id=self.request, seconds=time.monotonic() - began, threads=_threads(),
                          operations=_kernel.operations() - first, **end)
        self.request = None

    def _run(self, source, name, mode):
        tree = compile(source, name, "exec", ast.PyCF_ONLY_AST)
        self.listed = time.monotonic()
        if mode == "step":
            code = self.compiler(tree, name, "exec")
            stepper = Stepper(tree, name, self._wait)
            self.own.__exit__()
            self._set_interruptible(True)
            sys.settrace(stepper.on_call)
            try:
                exec(code, self.main.__dict__)
            finally:
                sys.settrace(None)
                self.locals = {}
            self.interruptible = False
            return
        if mode == "script":
            # All of it first: what is wrong in its last line keeps the first one from running, as in Python.
            self.main.__doc__ = ast.get_docstring(tree, clean=False)
            codes = [self.compiler(ast.Module([node], []), name, "exec") for node in tree.body]
        else:
            codes = [self.compiler(ast.Interactive([node]), name, "single") for node in tree.body]
        parts = self.parts = Parts(source, tree.body, mode == "console")
        parts.seen = self._done()
        _kernel.observe(True)
        self.ticking = True
        _kernel.tick_after(SECONDS_TO_FIRST_TICK)
        self.own.__exit__()
        for i, code in enumerate(codes):
            parts.at = i
            if parts.did(*self._done()) and parts.may_wait() and os.getpid() == self.process:
                with Own():
                    self._end_part(parts)
            elif i and time.monotonic() - self.listed > SECONDS_BETWEEN_LISTINGS:
                with Own():
                    self._list()
                _kernel.observe(True)
            self._set_interruptible(True)
            exec(code, self.main.__dict__)
            self.interruptible = False

    def _done(self):
        """Numbers that grow with what the code does to tensors and names."""
        return _kernel.operations(), len(self.main.__dict__)

    def _on_tick(self, number, frame):
        """One statement takes long: what was made before it is a step of the history meanwhile, and names are listed."""
        if not self.ticking or os.getpid() != self.process:
            return
        try:
            if self.interruptible and not self.receiving:
                self.interruptible = False
                with Own():
                    if not self._tell_what_is_done():
                        self._list()
                        _kernel.observe(True)
                self._set_interruptible(True)
        finally:
            if self.ticking:
                _kernel.tick_after(SECONDS_BETWEEN_TICKS)

    def _tell_what_is_done(self):
        """In the middle of a statement, which is told with the next part. False: nothing was done before it."""
        if not self.parts.did(*self._done()):
            return False
        self.ticking = False
        self._end_part(self.parts)
        self.ticking = True
        _kernel.tick_after(SECONDS_BETWEEN_TICKS)
        self.parts.seen = None
        return True

    def _end_part(self, parts):
        """What was carried out so far is a step of the window's history: waits until it has taken that in."""
        began = time.monotonic()
        self._flush()
        self._list()
        self.channel.tell("part", id=self.request, code=parts.take(parts.at))
        self._set_interruptible(True)
        while True:
            message = self._next(only=("part_taken", "release"))
            if message is None:
                os._exit(0)
            self.interruptible = False
            if message[0]["request"] == "part_taken":
                break
            self._on_release(*message)
            self._set_interruptible(True)
        parts.seen = self._done()
        _kernel.observe(True)
        parts.waited += time.monotonic() - began

    def _wait(self, frame, line, end):
        """Before a line of a script that is stepped through: how to go on. In a function its names are listed, too."""
        self.interruptible = False
        with Own():
            return self._wait_for_order(frame, line, end)

    def _wait_for_order(self, frame, line, end):
        self._flush()
        self.locals = {} if frame.f_code.co_name == "<module>" else dict(frame.f_locals)
        self._list()
        self.channel.tell("paused", id=self.request, line=line, end=end)
        self._set_interruptible(True)
        while True:
            message = self._next(only=("step", "into", "continue", "bind", "adopt", "release", "complete", "inspect"))
            if message is None:
                os._exit(0)
            self.interruptible = False
            request = message[0]["request"]
            if request in ("step", "into", "continue"):
                self.locals = {}
                _kernel.observe(True)
                self._set_interruptible(True)
                return request
            getattr(self, "_on_" + request)(*message)
            self._set_interruptible(True)

    def _display(self, value):
        """What Python's prompt does with the value of an expression."""
        if value is None:
            return
        builtins._ = None
        text = repr(value)
        self._flush()
        # The text is known: from here on the interrupt waits.
        self.interruptible = False
        with Own():
            self.channel.tell("result", id=self.request, text=reports.cut(text))
        builtins._ = value
        self._set_interruptible(True)

    def _report(self, value, name, status):
        try:
            report = reports.error(value, name, _HIDDEN, self.memory_limit)
            report["operation"] = refused.told(value, name)
        except MemoryError:
            report = {"type": type(value).__name__, "message": "", "traceback": type(value).__name__ + "\n",
                      "line": None, "column": None, "frames": [], "refusal": None, "suggestion": ""}
        self._flush()
        self.channel.tell("error", id=self.request, status=status, **report)
        return {"status": status}

    def _flush(self):
        for stream in (getattr(sys, "stdout", None), getattr(sys, "stderr", None), self.stdout, self.stderr):
            try:
                stream.flush()
            except Exception:  # the user's own stream, or one that was detached
                pass

    def _list(self):
        """Tells the variables. Its own operations are nobody's."""
        _kernel.observe(False)
        try:
            self.channel.tell("variables", **self.variables.listing({**self.main.__dict__, **self.locals}))
        except Exception as error:  # no memory for the copies, say
            self.channel.tell("variables_failed", message=f"{type(error).__name__}: {error}")
        self.listed = time.monotonic()

    # --- Interrupts and input

    def _on_interrupt(self, number, frame):
        _kernel.resume()
        if self.interruptible:
            raise KeyboardInterrupt
        self.interrupted = True

    def _set_interruptible(self, on):
        self.interruptible = on
        if on and self.interrupted:
            self.interrupted = False
            raise KeyboardInterrupt

    def _answer(self):
        """The request with it; False where nobody can be asked."""
        if os.getpid() != self.process or threading.current_thread() is not threading.main_thread():
            return False
        if self.ticking:
            self.interruptible = False
            self._tell_what_is_done()  # to be seen while the answer is thought about
            self._set_interruptible(True)
        self._flush()
        self.channel.tell("input", id=self.request)
        return self._next(only=("input",))

    def _ask(self):
        """A line from the window, with its line end; None for the end of the input."""
        with Own():
            message = self._answer()
        if message is False:
            return None
        if message is None:
            os._exit(0)
        text = message[0].get("text")
        return None if text is None else text + "\n"
