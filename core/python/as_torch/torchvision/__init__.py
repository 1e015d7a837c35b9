"""`import torchvision` that gives Stridescope's part of it."""
import stridescope

stridescope.install_as_torch()
