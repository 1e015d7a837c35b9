"""torch.cuda: what there is of CUDA, in words where there is none."""
from . import _core, _tensor
from ._core import manual_seed, manual_seed as manual_seed_all  # noqa: F401

globals().update(_tensor.CUDA_TYPED)  # FloatTensor and the like


def device_count():
    """device_count() -> int"""
    return _core._cuda_device_count()


def is_available():
    """is_available() -> bool: is there a GPU that Stridescope can use?"""
    return device_count() > 0


def _require():
    if not is_available():
        raise RuntimeError("CUDA is not available: " + _core._cuda_reason())


def is_initialized():
    return is_available()


def init():
    _require()


def current_device():
    _require()
    return 0


def synchronize(device=None):
    """synchronize(): waits until the GPUs have done all they were given."""
    _require()
    _core._synchronize()


def empty_cache():
    pass


class device:
    """with device(0): … — the GPU that "cuda" means inside."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        _require()

    def __exit__(self, *what):
        return False


def __getattr__(name):
    raise AttributeError(f"torch.cuda.{name} is not part of Stridescope"
                         if name[:1].islower() or name in ("Stream", "Event") else
                         f"module 'torch.cuda' has no attribute '{name}'")
