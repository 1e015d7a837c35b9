"""torch.utils.benchmark: Timer, Measurement and Compare, with PyTorch's text, on the engine of core/timing."""
import dataclasses
import math
import textwrap
import timeit

from .. import _core
from .compare import Colorize, Compare, trim_sigfig  # noqa: F401

_UNITS = ((1e-6, "ns", 1e-9), (1e-3, "us", 1e-6), (1.0, "ms", 1e-3), (math.inf, "s", 1.0))


def timer():
    """The clock; what a GPU was given is done before it is read."""
    for kind in ("cuda", "sim"):
        for index in range(_core._device_count(kind)):
            _core._device_synchronize(_core.device(kind, index))
    return timeit.default_timer()


def select_unit(t):
    """(unit, scale) in which a time reads best."""
    return next((unit, scale) for below, unit, scale in _UNITS if t < below)


@dataclasses.dataclass(frozen=True)
class TaskSpec:
    """What was timed."""
    stmt: str
    setup: str = ""
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self):
        behind = f": {self.sub_label}" if self.sub_label else ""
        if self.label is not None:
            return self.label + behind
        if "\n" not in self.stmt:
            return self.stmt + behind
        return f"stmt:{behind}\n{textwrap.indent(self.stmt, '  ')}"

    def setup_str(self):
        """'setup: …' as it is printed; empty where there is none."""
        if not self.setup or self.setup == "pass":
            return ""
        return f"setup:\n{textwrap.indent(self.setup, '  ')}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self):
        """What was timed, in the lines that are printed above the times."""
        parts = [part for part in (self.title, self.description or "", self.setup_str()) if part]
        return "\n".join(part + "\n" if "\n" in part else part for part in parts)


class Measurement:
    """Times of a statement: `times` has one number, in seconds a run, for each measurement."""

    __module__ = "torch.utils.benchmark.utils.common"

    def __init__(self, number_per_run, raw_times, task_spec, metadata=None):
        self.number_per_run, self.raw_times = number_per_run, list(raw_times)
        self.task_spec, self.metadata = task_spec, metadata

    def __getattr__(self, name):
        if name == "title" or name in TaskSpec.__dataclass_fields__:
            return getattr(self.task_spec, name)
        raise AttributeError(f"'Measurement' object has no attribute '{name}'")

    def __reduce__(self):  # its class stands under a name of PyTorch's, where nothing can be imported from
        return _measurement, (self.number_per_run, self.raw_times, self.task_spec, self.metadata)

    @property
    def times(self):
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def _quartiles(self):
        """The lower quartile, the median and the upper one."""
        return _core._timing_quantiles(self.times)

    @property
    def mean(self):
        return sum(self.times) / len(self.times)

    @property
    def median(self):
        return self._quartiles[1]

    @property
    def iqr(self):
        """Distance of the first and the third quarter."""
        low, _, high = self._quartiles
        return high - low

    @property
    def significant_figures(self):
        """How many digits of the median can be relied on, 1 to 4.

        By the half-width of a normal 90 % interval, 1.645 s / sqrt(n), over the n times between the quartiles; no less
        than what a clock can tell."""
        return _core._timing_figures(self.times)

    @property
    def as_row_name(self):
        """What stands in front of the row of a table."""
        return self.sub_label or self.stmt or "[Unknown]"

    def meets_confidence(self, threshold=0.1):
        """meets_confidence(threshold=0.1) -> bool: is the spread (iqr) less than that part of the median?"""
        return self.iqr / self.median < threshold

    @staticmethod
    def merge(measurements):
        """merge(measurements) -> list: those of one task as one, with all their times, of one run each."""
        tasks = {}
        for measurement in measurements:
            tasks.setdefault(measurement.task_spec, []).extend(measurement.times)
        return [Measurement(1, times, task) for task, times in tasks.items()]

    @property
    def has_warnings(self):
        return bool(self._warnings())

    def _warnings(self):
        if not self.median or self.meets_confidence():
            return []
        share = self.iqr / self.median
        cause = "suggests significant environmental influence" if share >= 0.25 else "could indicate system fluctuation"
        return [f"  WARNING: Interquartile range is {share * 100:.1f}% of the median measurement.",
                f"           This {cause}."]

    def __repr__(self):
        count = len(self.raw_times)
        unit, scale = select_unit(self.median)
        low, _, high = self._quartiles
        lines = [object.__repr__(self), self.task_spec.summarize(),
                 f"  {'Median: ' if count > 1 else ''}{self.median / scale:.2f} {unit}"]
        if count >= 4:
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low / scale:.2f} to {high / scale:.2f})")
        lines.append(f"  {count} measurement{'s' if count > 1 else ''}, {self.number_per_run} runs "
                     f"{'per measurement,' if count > 1 else ','} {self.num_threads} "
                     f"thread{'s' if self.num_threads > 1 else ''}")
        return "\n".join(lines + self._warnings())


def _measurement(*parts):
    return Measurement(*parts)


class _Threads:
    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.before = _core.get_num_threads()
        _core.set_num_threads(self.count)

    def __exit__(self, *what):
        _core.set_num_threads(self.before)


class Timer:
    """Timer(stmt='pass', setup='pass', globals=None, label=None, …, num_threads=1)

    timeit(number) runs the statement so often and gives one measurement; blocked_autorange() chooses the number and
    measures again and again for min_run_time seconds."""

    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None,
                 sub_label=None, description=None, env=None, num_threads=1, language="python"):
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if str(language).lower().rpartition(".")[2] not in ("python", "py"):
            raise ValueError("Timer: only statements of Python are measured here")
        if global_setup:
            raise ValueError(f"global_setup is C++ only, got `{global_setup}`. Most likely this code can simply be moved "
                             "to `setup`.")
        stmt, setup = textwrap.dedent(stmt).strip(), textwrap.dedent(setup).strip()
        names = dict(globals) if globals else {}
        if "torch" not in names:
            import stridescope
            names["torch"] = stridescope
        self._task_spec = TaskSpec(stmt, setup, "", label, sub_label, description, env, num_threads)
        self._timer = timeit.Timer(stmt=stmt, setup=setup, timer=timer, globals=names)

    def _times(self, number):
        return self._timer.timeit(number)

    def timeit(self, number=1000000):
        """One measurement of `number` runs, after a short warm-up."""
        if number < 1:
            raise ValueError(f"timeit(): number must be at least 1, got {number}")
        with _Threads(self._task_spec.num_threads):
            self._times(max(int(number // 100), 1))
            return Measurement(number, [self._times(number)], self._task_spec)

    def _blocks(self, min_seconds, max_seconds, block_seconds, threshold, callback):
        with _Threads(self._task_spec.num_threads):
            number, times = _core._timing_blocks(self._times, min_seconds, max_seconds, block_seconds, threshold,
                                                 callback)
        return Measurement(number, times, self._task_spec)

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Measurements of equal size until min_run_time seconds have gone."""
        return self._blocks(min_run_time, min_run_time, min_run_time / 1000, 0.0, callback)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """As blocked_autorange, until the interquartile range is below `threshold` of the median."""
        return self._blocks(min_run_time, max_run_time, 0.05 / 1000, threshold, callback)
