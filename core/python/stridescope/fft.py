"""torch.fft: discrete Fourier transforms."""
from . import _core, _outside

globals().update({name.removeprefix("fft."): function for name, function in _core._functions.items()
                  if name.startswith("fft.")})


def __getattr__(name):
    raise AttributeError(_outside.missing("torch.fft", name))
