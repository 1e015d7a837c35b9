"""What a PyTorch program may name and Stridescope does not have: clear words instead of a riddle.

Gradients are never recorded, so that the switches that turn them off are right as they are."""
import importlib.abc
import re
import sys

_PYTORCH = "{} need PyTorch itself"
_GRADIENTS = "leave it out, or use PyTorch itself for gradients"
_SPARSE = re.compile(r"sparse_(coo|csr|csc|bsr|bsc|compressed)(_tensor)?$|hspmm$|smm$|sspaddmm$")
_LAYERS = re.compile(r"(conv|max_pool|avg_pool|adaptive_|batch_norm|layer_norm|group_norm|instance_norm|lstm|gru|rnn_|"
                     r"embedding|dropout|alpha_dropout|feature_|cosine_embedding|triplet_|ctc_loss|kl_div|prelu|rrelu|"
                     r"binary_cross|margin_|hinge_|nll_loss|grid_sampler|affine_grid|native_|quantize|fake_quantize)")
_MODULES = {
    "torch": {
        "nn": "neural networks need PyTorch itself; torch.relu, torch.sigmoid and torch.softmax are here",
        "optim": _PYTORCH.format("optimizers"), "autograd": _PYTORCH.format("gradients"),
        "jit": _PYTORCH.format("compiled functions"), "distributed": _PYTORCH.format("distributed tensors"),
        "hub": _PYTORCH.format("ready-made models"), "onnx": _PYTORCH.format("models"),
        "quantization": _PYTORCH.format("quantized numbers"), "ao": _PYTORCH.format("quantized numbers"),
        "sparse": _PYTORCH.format("sparse tensors"), "distributions": "torch.normal, torch.bernoulli and the like are here",
        "multiprocessing": "Python's multiprocessing works", "backends": "there is nothing to switch",
        "profiler": "torch.utils.benchmark measures times", "fx": _PYTORCH.format("compiled functions"),
        "testing": "torch.allclose and torch.equal compare; assert their result",
        "futures": "Python's concurrent.futures works", "package": _PYTORCH.format("packaged models"),
        "amp": _PYTORCH.format("networks with mixed precision"), "autocast": _PYTORCH.format("networks with mixed precision"),
        "overrides": _PYTORCH.format("subclasses that take functions over"), "functorch": _PYTORCH.format("gradients"),
    },
    "torch.utils": {
        "data": "index a tensor with torch.randperm(n) to draw batches", "tensorboard": _PYTORCH.format("its logs"),
        "checkpoint": _PYTORCH.format("gradients"), "cpp_extension": _PYTORCH.format("extensions"),
    },
    "torch.cuda": {"amp": _PYTORCH.format("networks with mixed precision"), "nvtx": _PYTORCH.format("profiler marks"),
                   "graphs": _PYTORCH.format("CUDA graphs"), "CUDAGraph": _PYTORCH.format("CUDA graphs"),
                   "nccl": _PYTORCH.format("distributed tensors"),
                   "get_arch_list": "`stridescope devices` tells what there is",
                   **{name: "the caching of GPU memory is not observed" for name in (
                       "memory_reserved", "max_memory_reserved", "memory_summary", "memory_stats", "memory_cached",
                       "max_memory_cached")},
                   "can_device_access_peer": "tensors go from one GPU to another with to()"},
    "torchvision": {name: "make_grid and save_image (utils) and CIFAR10 and CIFAR100 (datasets) are here"
                    for name in ("transforms", "models", "io", "ops")},
    "torchvision.datasets": {name: "CIFAR10 and CIFAR100 are here" for name in (
        "MNIST", "FashionMNIST", "KMNIST", "EMNIST", "QMNIST", "ImageFolder", "DatasetFolder", "ImageNet",
        "SVHN", "STL10", "CelebA", "VOCDetection", "CocoDetection", "Places365", "Omniglot", "FakeData")},
}


def _why(module, name):
    """What to do without it; None for what PyTorch does not have either."""
    if module == "torch" and _LAYERS.match(name):
        return _PYTORCH.format("layers of networks")
    if module == "torch" and _SPARSE.match(name):
        return _PYTORCH.format("sparse tensors")
    return _MODULES.get(module, {}).get(name)


def missing(module, name):
    why = _why(module, name)
    if why:
        return f"{module}.{name} is not part of Stridescope: {why}"
    return f"module '{module}' has no attribute '{name}'"


def _as_torch(name):
    """'stridescope.vision.models' -> 'torchvision.models'."""
    for ours, theirs in (("stridescope.vision", "torchvision"), ("stridescope", "torch")):
        if name == ours or name.startswith(ours + "."):
            return theirs + name[len(ours):]
    return name


class _Refusing(importlib.abc.MetaPathFinder):
    """Before all other finders: `import torch.nn`, and what `from torch import nn` looks for."""

    def find_spec(self, fullname, path=None, target=None):
        name = _as_torch(fullname)
        parts = name.split(".")
        if parts[0] not in ("torch", "torchvision") or fullname in sys.modules:
            return None
        for i in range(1, len(parts)):
            if _why(".".join(parts[:i]), parts[i]):
                # By PyTorch's name: one by the module's own would be swallowed by `from torch import nn`.
                raise ModuleNotFoundError(missing(".".join(parts[:i]), parts[i]), name=name)
        if name == fullname and len(parts) > 1:
            raise ModuleNotFoundError(f"No module named '{fullname}'", name=fullname)
        return None


class _NotFound(importlib.abc.MetaPathFinder):
    """After all others: what was found nowhere, and about which there is more to say."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] == "torch_xla":
            raise ModuleNotFoundError("torch_xla is not part of Stridescope: TPUs need PyTorch/XLA itself; devices are "
                                      "cpu, cuda and, after torch.sim.enable(), sim", name=fullname)
        # Where several Pythons are installed, the wrong one may have been taken.
        if fullname == "numpy":
            error = ModuleNotFoundError("No module named 'numpy'", name="numpy")
            error.add_note(f"This is {sys.executable}. Choose another Python with stridescope run --python or in "
                           "STRIDESCOPE_PYTHON, or install NumPy for this one.")
            raise error
        return None


def refuse_imports():
    for kind, place in ((_Refusing, 0), (_NotFound, len(sys.meta_path) + 1)):
        if not any(isinstance(finder, kind) for finder in sys.meta_path):
            sys.meta_path.insert(place, kind())


class no_grad:
    """with no_grad(): … — or as a decorator. There are no gradients to switch off."""

    def __init__(self, *args):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *what):
        return None

    def __call__(self, function):
        return function


class inference_mode(no_grad):
    """with inference_mode(): … — the same."""


class enable_grad(no_grad):
    """Refused: there are no gradients."""

    def __init__(self, *args):
        raise RuntimeError(f"enable_grad: autograd is not part of Stridescope; {_GRADIENTS}")


class set_grad_enabled(no_grad):
    """set_grad_enabled(False); True is refused."""

    def __init__(self, mode):
        if mode:
            raise RuntimeError(f"set_grad_enabled(True): autograd is not part of Stridescope; {_GRADIENTS}")


def is_grad_enabled():
    """is_grad_enabled() -> bool: False, always."""
    return False


def is_inference_mode_enabled():
    """is_inference_mode_enabled() -> bool: False, always."""
    return False


def refusing_method(name, why=f"autograd is not part of Stridescope; {_GRADIENTS}"):
    """A method of tensors that only says what is missing."""
    def refuse(self, *args, **kwargs):
        raise RuntimeError(f"{name}(): {why}")
    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"{name}(): not part of Stridescope."
    return refuse


for _class in (no_grad, inference_mode, enable_grad, set_grad_enabled):
    _class.__module__ = "torch.autograd.grad_mode"
