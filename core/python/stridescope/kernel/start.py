"""Starts a kernel, isolated from the user's settings: python3 -I start.py DESCRIPTOR."""
import os
import sys


def main(end=os._exit):
    """Never returns: Python's own end would free the tensors, whose memory the window goes on showing."""
    try:
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        sys.path.insert(0, os.path.dirname(package))
        from stridescope.kernel.session import Session
        Session(int(sys.argv[1])).serve()
    except:  # noqa: E722: there may be no BaseException any more
        sys.__excepthook__(*sys.exc_info())
    finally:
        end(70)


if __name__ == "__main__":
    main()
