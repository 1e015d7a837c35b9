"""torch.utils: benchmark and dlpack."""
from . import benchmark, dlpack  # noqa: F401
from .. import _outside


def __getattr__(name):
    raise AttributeError(_outside.missing("torch.utils", name))
