"""torch.cuda: the GPUs that there are, and PyTorch's words where there is none.

A GPU has one queue here, whose work is done in the order in which it was given. So every Stream of a GPU is that queue,
nothing has to wait for another stream, and an Event that is recorded waits for what was given before it."""
import time

from . import _core, _tensor
from ._outside import missing as _missing

globals().update(_tensor.CUDA_TYPED)  # FloatTensor and the like


def device_count():
    """device_count() -> int: the GPUs that Stridescope can use."""
    return _core._cuda_device_count()


def is_available():
    """is_available() -> bool: is there a GPU that Stridescope can use?"""
    return device_count() > 0


def _require():
    if not is_available():
        error = AssertionError("Torch not compiled with CUDA enabled")
        error.add_note("CUDA is not available: " + _core._cuda_reason())
        raise error


def _index(device, none=0):
    """The number of a GPU: of 1, 'cuda:1' or torch.device('cuda', 1)."""
    if device is None:
        return none
    if isinstance(device, int):
        return device
    device = _core.device(device)
    if device.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {device}")
    return device.index or 0


def _require_index(device):
    _require()
    index = _index(device)
    if not 0 <= index < device_count():
        raise RuntimeError(f"CUDA error: invalid device ordinal: {index}, there are {device_count()}")
    return index


def is_initialized():
    """is_initialized() -> bool"""
    return is_available()


def init():
    """init(): refused where there is no GPU; there is nothing else to do."""
    _require()


def current_device():
    """current_device() -> int: the GPU that "cuda" means, the first one."""
    _require()
    return 0


def set_device(device):
    """set_device(device): "cuda" means the first GPU, and no other can be chosen; name it as "cuda:1"."""
    if _require_index(device) != 0:
        raise RuntimeError('set_device: only the first GPU can be meant by "cuda"; name another one as "cuda:1"')


def synchronize(device=None):
    """synchronize(device=None): waits until the GPUs have done all they were given."""
    _require_index(device)
    _core._synchronize()


def empty_cache():
    """empty_cache(): nothing is kept that could be given back."""


def manual_seed(seed):
    """manual_seed(seed): starts the generator of random numbers anew."""
    _core.manual_seed(seed)


manual_seed_all = manual_seed


class device:
    """with device(0): … — the GPU that "cuda" means inside; the first one, or None for no matter which."""

    def __init__(self, device):
        self.idx = _index(device, none=-1)

    def __enter__(self):
        if self.idx >= 0:
            set_device(self.idx)

    def __exit__(self, *what):
        return False


class device_of(device):
    """with device_of(tensor): … — the GPU of a tensor; nothing for a tensor of the CPU."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else None)


class Stream:
    """Stream(device=None, priority=0): the queue of a GPU. There is one; all streams of a GPU are equal."""

    def __init__(self, device=None, priority=0, **kwargs):
        self._number = _require_index(device)
        self.priority = priority

    device = property(lambda self: _core.device("cuda", self._number))

    def synchronize(self):
        """Waits until all that was given to the GPU is done."""
        synchronize(self._number)

    def query(self):
        """Is all done? Waits for it, so that the answer is True."""
        self.synchronize()
        return True

    def wait_stream(self, stream):
        """There is one queue: its work is in order."""

    def wait_event(self, event):
        """There is one queue: its work is in order."""

    def record_event(self, event=None):
        """record_event(event=None) -> Event, recorded here."""
        event = event or Event()
        event.record(self)
        return event

    def __eq__(self, other):
        return isinstance(other, Stream) and other._number == self._number

    def __hash__(self):
        return hash(("cuda stream", self._number))

    def __repr__(self):
        return f"<torch.cuda.Stream device=cuda:{self._number} cuda_stream=0x0>"


class Event:
    """Event(enable_timing=False): a moment between what a GPU was given before and after it."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        _require()
        self._timing, self._time = enable_timing, None

    def record(self, stream=None):
        """Waits for what was given before, and takes the time."""
        (stream or current_stream()).synchronize()
        self._time = time.perf_counter()

    def wait(self, stream=None):
        """There is one queue: its work is in order."""

    def query(self):
        """Is it done? True: record() has waited."""
        return True

    def synchronize(self):
        """record() has waited already."""

    def elapsed_time(self, end_event):
        """elapsed_time(end_event) -> float: milliseconds from this event to that one."""
        if self._time is None or end_event._time is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
        if not (self._timing and end_event._timing):
            raise RuntimeError("CUDA error: invalid resource handle: elapsed_time needs events with enable_timing=True")
        return (end_event._time - self._time) * 1e3

    def __repr__(self):
        return "<torch.cuda.Event uninitialized>" if self._time is None else "<torch.cuda.Event 0x0>"


class StreamContext:
    """with stream(s): … — there is one queue, so that nothing changes inside."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        return None

    def __exit__(self, *what):
        return None


for _class in (device, device_of, Stream, Event, StreamContext):
    _class.__module__ = "torch.cuda"


def stream(stream):
    """stream(s): with it, what is done is given to s; None changes nothing."""
    return StreamContext(stream)


def current_stream(device=None):
    """current_stream(device=None) -> Stream: the queue of a GPU."""
    return Stream(device)


def default_stream(device=None):
    """default_stream(device=None) -> Stream: the same."""
    return Stream(device)


def set_stream(stream):
    """set_stream(stream): there is one queue; nothing changes."""


def __getattr__(name):
    raise AttributeError(_missing("torch.cuda", name))
