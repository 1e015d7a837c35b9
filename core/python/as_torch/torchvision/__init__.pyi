# Made by core/python/make_stubs.py.
from stridescope.vision import *
__version__: str
