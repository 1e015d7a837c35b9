"""torch.utils.dlpack: memory shared with other libraries."""
from .._core import from_dlpack  # noqa: F401


def to_dlpack(tensor):
    """to_dlpack(tensor) -> PyCapsule: lends the memory of a tensor."""
    return tensor.__dlpack__()
