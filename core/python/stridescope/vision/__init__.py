"""torchvision's part of Stridescope: datasets.CIFAR10, utils.make_grid and utils.save_image."""
from . import datasets, utils  # noqa: F401

__version__ = "0.14.1+stridescope"


def __getattr__(name):
    raise AttributeError(f"torchvision.{name} is not part of Stridescope: it has datasets and utils")
