"""load_file and save_file of safetensors.torch. All tensors of a loaded file are views of one storage, which is the
mapped file."""
from .. import _core


def load_file(filename, device="cpu"):
    """load_file(filename, device="cpu") -> dict of tensors by their names in the file"""
    return {name: tensor.to(device) for name, tensor in _core.load_safetensors(filename).items()}


def save_file(tensors, filename, metadata=None):
    """save_file(tensors, filename, metadata=None): writes a dict of tensors by name"""
    _core.save_safetensors(tensors, filename, metadata)


__all__ = ["load_file", "save_file"]
