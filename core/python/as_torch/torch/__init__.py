"""`import torch` that gives Stridescope: put the folder above this one on PYTHONPATH, beside the package itself."""
import stridescope

stridescope.install_as_torch()  # replaces this module by the package
