"""torch.linalg: linear algebra on batches of matrices."""
from . import _core, _outside
from ._core import _LinAlgError as LinAlgError  # noqa: F401

globals().update({name.removeprefix("linalg."): function for name, function in _core._functions.items()
                  if name.startswith("linalg.")})


def __getattr__(name):
    raise AttributeError(_outside.missing("torch.linalg", name))
