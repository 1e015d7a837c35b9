"""`safetensors.torch` for programs whose torch is Stridescope."""
from . import torch

__all__ = ["torch"]
