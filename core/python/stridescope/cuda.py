"""torch.cuda: the GPUs that there are, and PyTorch's words where there is none.

A GPU has one queue here until its streams are built; a simulated device under this name (stridescope.sim.enable with
as_cuda) has as many as are asked for."""
from . import _core, _devices, _tensor
from ._outside import missing as _missing

globals().update(_tensor.CUDA_TYPED)  # FloatTensor and the like
globals().update(_devices.make("cuda", "torch.cuda"))
OutOfMemoryError = _core.OutOfMemoryError


def __getattr__(name):
    raise AttributeError(_missing("torch.cuda", name))
