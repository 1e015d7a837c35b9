"""torch.special: special functions, element by element."""
from . import _core, _outside

globals().update({name.removeprefix("special."): function for name, function in _core._functions.items()
                  if name.startswith("special.")})


def __getattr__(name):
    raise AttributeError(_outside.missing("torch.special", name))
