"""What a PyTorch program may name and Stridescope does not have: clear words instead of a riddle.

Gradients are never recorded, so that the switches that turn them off are right as they are."""
import importlib.abc
import sys

OUTSIDE = {
    "nn": "neural networks", "optim": "optimizers", "autograd": "automatic differentiation", "jit": "compilation",
    "distributed": "distributed computing", "hub": "the model hub", "onnx": "model exchange",
    "quantization": "quantization", "sparse": "sparse tensors", "distributions": "distributions",
    "multiprocessing": "multiprocessing", "backends": "backend switches",
    "profiler": "the profiler", "fx": "graph transformations", "futures": "futures", "package": "packages",
    "amp": "mixed precision", "overrides": "overrides", "ao": "quantization", "functorch": "functorch",
}


def missing(module, name):
    if name in OUTSIDE:
        return f"{module}.{name} is not part of Stridescope: it has tensors, not {OUTSIDE[name]}"
    return f"module '{module}' has no attribute '{name}'"


class _Refusing(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        head, _, tail = fullname.partition(".")
        if head in ("torch", "torchvision") and tail and fullname not in sys.modules:
            words = missing(head, tail.split(".")[0])
            raise ModuleNotFoundError(words if "not part" in words else f"No module named '{fullname}'", name=fullname)
        return None


def refuse_imports():
    if not any(isinstance(finder, _Refusing) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Refusing())


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
    pass


class enable_grad(no_grad):
    def __init__(self, *args):
        raise RuntimeError("enable_grad: autograd is not part of Stridescope")


class set_grad_enabled(no_grad):
    def __init__(self, mode):
        if mode:
            raise RuntimeError("set_grad_enabled(True): autograd is not part of Stridescope")


def is_grad_enabled():
    return False


def is_inference_mode_enabled():
    return False
