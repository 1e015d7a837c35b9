"""`import safetensors.torch` that gives Stridescope: the real one would ask for PyTorch."""
import stridescope

stridescope.install_as_torch()
