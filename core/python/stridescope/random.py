"""torch.random: the generator that everything draws from unless told otherwise."""
import contextlib

from ._core import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state  # noqa: F401


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True):
    """with fork_rng(): … draws whatever it likes; afterwards the generator goes on where it was."""
    state = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(state)
