"""torch.utils: benchmark."""
from . import benchmark  # noqa: F401
from .. import _outside


def __getattr__(name):
    if name in ("data", "tensorboard", "checkpoint", "cpp_extension", "dlpack"):
        raise AttributeError(f"torch.utils.{name} is not part of Stridescope")
    raise AttributeError(_outside.missing("torch.utils", name))
