"""What torch.cuda and stridescope.sim have in common: devices of one type, their queues, events and memory."""
import types

from . import _core

_MIB = 1 << 20


class Properties:
    """What get_device_properties tells."""

    def __init__(self, about):
        self.name, self.is_simulated, self.total_memory, self.major, self.minor, self.multi_processor_count = about

    def __repr__(self):
        simulated = ", simulated=True" if self.is_simulated else ""
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
                f"total_memory={self.total_memory // _MIB}MB, multi_processor_count={self.multi_processor_count}"
                f"{simulated})")


def make(kind, module):
    """The functions and classes for devices of type `kind` as a dict."""

    def device_count():
        """device_count() -> int: the devices that Stridescope can use."""
        return _core._device_count(kind)

    def is_available():
        """is_available() -> bool: is there a device of this type?"""
        return device_count() > 0

    def require():
        _core._device_require(_core.device(kind, 0))

    def number(device, none=None):
        """The number of a device: of 1, 'cuda:1' or torch.device('cuda', 1)."""
        if device is None:
            return _core._device_current(kind) if none is None else none
        if isinstance(device, int):
            return device
        device = _core.device(device)
        if device.type != kind:
            raise ValueError(f"Expected a {kind} device, but got: {device}")
        return _core._device_current(kind) if device.index is None else device.index

    def existing(device):
        require()
        index = number(device)
        if not 0 <= index < device_count():
            raise RuntimeError(f"CUDA error: invalid device ordinal: {index}, there are {device_count()}")
        return index

    def named(device):
        return _core.device(kind, existing(device))

    def is_initialized():
        """is_initialized() -> bool"""
        return is_available()

    def init():
        """init(): refused where there is no device; there is nothing else to do."""
        require()

    def current_device():
        """current_device() -> int: the device that the type alone means on this thread."""
        require()
        return _core._device_current(kind)

    def set_device(device):
        """set_device(device): from now on the type alone means this device."""
        _core._device_set(named(device))

    def synchronize(device=None):
        """synchronize(device=None): waits until the device has done all it was given."""
        _core._device_synchronize(named(device))

    def can_device_access_peer(device, peer_device):
        """can_device_access_peer(device, peer_device) -> bool: can the one reach the memory of the other by itself?"""
        require()
        own, peer = number(device), number(peer_device)
        if not 0 <= own < device_count():
            raise AssertionError("Invalid device id")
        if not 0 <= peer < device_count():
            raise AssertionError("Invalid peer device id")
        return _core._device_can_access_peer(_core.device(kind, own), _core.device(kind, peer))

    def empty_cache():
        """empty_cache(): nothing is kept that could be given back."""

    def manual_seed(seed):
        """manual_seed(seed): starts the generator of random numbers anew."""
        _core.manual_seed(seed)

    def get_device_properties(device=None):
        """get_device_properties(device=None): name, total_memory, major, minor, multi_processor_count."""
        return Properties(_core._device_about(named(device)))

    def get_device_name(device=None):
        """get_device_name(device=None) -> str"""
        return get_device_properties(device).name

    def get_device_capability(device=None):
        """get_device_capability(device=None) -> (major, minor)"""
        properties = get_device_properties(device)
        return properties.major, properties.minor

    def memory_allocated(device=None):
        """memory_allocated(device=None) -> int: bytes of the tensors on the device; 0 where there is none."""
        return _core._device_memory(named(device))[0] if is_available() else 0

    def max_memory_allocated(device=None):
        """max_memory_allocated(device=None) -> int: the most so far."""
        return _core._device_memory(named(device))[1] if is_available() else 0

    def reset_peak_memory_stats(device=None):
        """reset_peak_memory_stats(device=None): max_memory_allocated counts from now."""
        _core._device_reset_peak(named(device))

    def mem_get_info(device=None):
        """mem_get_info(device=None) -> (free, total) bytes"""
        return _core._device_memory(named(device))[2:4]

    class device:
        """with device(1): … — the device that the type alone means inside; None for no matter which."""

        def __init__(self, device):
            self.idx = number(device, none=-1)

        def __enter__(self):
            if self.idx >= 0:
                self._before = current_device()
                set_device(self.idx)

        def __exit__(self, *what):
            if self.idx >= 0:
                set_device(self._before)
            return False

    class device_of(device):
        """with device_of(tensor): … — the device of a tensor; nothing for a tensor of the CPU."""

        def __init__(self, obj):
            super().__init__(obj.get_device() if obj.device.type == kind else None)

    class Stream:
        """Stream(device=None, priority=0): a queue of a device, whose work is done in order."""

        def __init__(self, device=None, priority=0, *, _id=None, **kwargs):
            self.device = named(device)
            self.priority = priority
            self._id = _core._stream_new(self.device) if _id is None else _id

        cuda_stream = property(lambda self: self._id)

        def synchronize(self):
            """Waits until all that was given to the queue is done."""
            _core._stream_synchronize(self.device, self._id)

        def query(self):
            """query() -> bool: is all done that was given to it?"""
            return _core._stream_query(self.device, self._id)

        def wait_stream(self, stream):
            """What this queue is given from now on waits for what the other one was given."""
            self.wait_event(stream.record_event())

        def wait_event(self, event):
            """What this queue is given from now on waits for the event."""
            event.wait(self)

        def record_event(self, event=None):
            """record_event(event=None) -> Event, recorded here."""
            event = event or Event()
            event.record(self)
            return event

        def __eq__(self, other):
            return isinstance(other, Stream) and (other.device, other._id) == (self.device, self._id)

        def __hash__(self):
            return hash((self.device, self._id))

        def __repr__(self):
            return f"<torch.{kind}.Stream device={self.device} cuda_stream={self._id:#x}>"

    class Event:
        """Event(enable_timing=False): a mark between what a queue was given before and after it."""

        def __init__(self, enable_timing=False, blocking=False, interprocess=False):
            require()
            self._timing, self._mark = enable_timing, None

        def record(self, stream=None):
            """Puts the mark behind what the queue was given so far."""
            stream = stream or current_stream()
            if self._mark is None:
                self._mark = _core._event_new(stream.device)
            _core._event_record(self._mark, stream._id)

        def wait(self, stream=None):
            """What the queue is given from now on waits for the mark."""
            if self._mark is not None:
                _core._event_wait(self._mark, (stream or current_stream())._id)

        def query(self):
            """query() -> bool: is all done that was given before the mark?"""
            return self._mark is None or _core._event_query(self._mark)

        def synchronize(self):
            """Waits for the mark."""
            if self._mark is not None:
                _core._event_synchronize(self._mark)

        def elapsed_time(self, end_event):
            """elapsed_time(end_event) -> float: milliseconds from this mark to that one."""
            if self._mark is None or end_event._mark is None:
                raise RuntimeError("Both events must be recorded before calculating elapsed time.")
            if not (self._timing and end_event._timing):
                raise RuntimeError("CUDA error: invalid resource handle: elapsed_time needs events with "
                                   "enable_timing=True")
            if not (self.query() and end_event.query()):
                raise RuntimeError("CUDA error: device not ready: synchronize() first")
            return _core._event_elapsed(self._mark, end_event._mark)

        def __repr__(self):
            return f"<torch.{kind}.Event uninitialized>" if self._mark is None else f"<torch.{kind}.Event 0x0>"

    class StreamContext:
        """with stream(s): … — what is done inside is given to s, and the type alone means its device."""

        def __init__(self, stream):
            self.stream = stream

        def __enter__(self):
            if self.stream is not None:
                self._device = current_device()
                self._before = _core._stream_current(self.stream.device)
                set_stream(self.stream)

        def __exit__(self, *what):
            if self.stream is not None:
                _core._stream_set(self.stream.device, self._before)
                set_device(self._device)
            return False

    def stream(stream):
        """stream(s): with it, what is done is given to s; None changes nothing."""
        return StreamContext(stream)

    def current_stream(device=None):
        """current_stream(device=None) -> Stream: the queue that this thread's work goes to."""
        device = named(device)
        return Stream(device, _id=_core._stream_current(device))

    def default_stream(device=None):
        """default_stream(device=None) -> Stream: the one that is always there."""
        return Stream(device, _id=0)

    def set_stream(stream):
        """set_stream(s): from now on what is done is given to s."""
        if stream is not None:
            set_device(stream.device)
            _core._stream_set(stream.device, stream._id)

    manual_seed_all = manual_seed
    public = {name: value for name, value in locals().items()
              if isinstance(value, (type, types.FunctionType))
              and name not in ("require", "number", "existing", "named")}
    for value in public.values():
        value.__module__ = module
        value.__qualname__ = value.__name__
    return public
