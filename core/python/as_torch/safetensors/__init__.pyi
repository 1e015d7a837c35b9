# Made by core/python/make_stubs.py.
from stridescope._safetensors import *
