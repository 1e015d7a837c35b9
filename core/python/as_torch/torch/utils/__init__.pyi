# Made by core/python/make_stubs.py.
from stridescope.utils import *
