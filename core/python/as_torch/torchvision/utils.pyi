# Made by core/python/make_stubs.py.
from stridescope.vision.utils import *
