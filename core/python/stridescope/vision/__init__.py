"""torchvision's part of Stridescope: datasets.CIFAR10 and CIFAR100, utils.make_grid and utils.save_image."""
from . import datasets, utils  # noqa: F401
from .. import _outside

__version__ = "0.14.1+stridescope"


def __getattr__(name):
    raise AttributeError(_outside.missing("torchvision", name))
