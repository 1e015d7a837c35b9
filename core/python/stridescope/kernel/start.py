"""Starts a kernel, isolated from the user's settings: python3 -I start.py DESCRIPTOR."""
import os
import sys


def main():
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.insert(0, os.path.dirname(package))
    from stridescope.kernel.session import Session
    Session(int(sys.argv[1])).serve()


if __name__ == "__main__":
    main()
