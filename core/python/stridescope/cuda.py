"""torch.cuda: the GPUs that there are, and PyTorch's words where there is none.

A GPU has one queue here until its streams are built; a simulated device under this name (stridescope.sim.enable with
as_cuda) has as many as are asked for."""
from . import _core, _devices, _tensor
from ._outside import missing as _missing

globals().update(_tensor.CUDA_TYPED)  # FloatTensor and the like


def _none():
    error = AssertionError("Torch not compiled with CUDA enabled")
    error.add_note("CUDA is not available: " + _core._cuda_reason())
    raise error


globals().update(_devices.make("cuda", "torch.cuda", _none))
OutOfMemoryError = _core.OutOfMemoryError


def __getattr__(name):
    raise AttributeError(_missing("torch.cuda", name))
