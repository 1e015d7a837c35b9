# Made by core/python/make_stubs.py.
from stridescope import *
__version__: str
