"""torch.utils.benchmark.Compare: measurements side by side in a table, with PyTorch's text."""
import enum
import math

_ENGLISH = {"ns": "nanoseconds", "us": "microseconds", "ms": "milliseconds", "s": "seconds"}
_PLAIN = "\033[0m\033[0m"
# (how the times relate, the escape before a cell). The first that fits is taken.
_COLOURS = ((lambda t, best: t <= best * 1.01 or t <= best + 100e-9, "\033[92m\033[1m"),
            (lambda t, best: t <= best * 1.1, "\033[34m\033[1m"),
            (lambda t, best: t >= best * 5, "\033[31m\033[1m"),
            (lambda t, best: t >= best * 2, "\033[2m\033[91m"))


class Colorize(enum.Enum):
    """What the best time of a cell's colour is looked for in."""
    NONE = "none"
    COLUMNWISE = "columnwise"
    ROWWISE = "rowwise"


def trim_sigfig(x, n):
    """trim_sigfig(x, n) -> float: x rounded to n significant digits."""
    if x == 0:
        return 0.0
    unit = 10.0 ** (math.ceil(math.log10(abs(x))) - n)
    return round(x / unit) * unit


def _digits_before_the_point(t):
    return math.ceil(math.log10(t)) if t > 0 else 0


def _in_order(items):
    return list(dict.fromkeys(items))


def _row(m):
    return m.num_threads, m.task_spec.env, m.as_row_name


class _Table:
    """The measurements of one label: a row for each number of threads, environment and statement, a column for each
    description."""

    def __init__(self, measurements, compare):
        self.all, self.compare = measurements, compare
        from .benchmark import select_unit
        self.unit, self.scale = select_unit(min(m.median for m in measurements))
        self.rows = sorted(_in_order(_row(m) for m in measurements), key=lambda row: (row[0], row[1] or ""))
        self.columns = _in_order(m.description for m in measurements)
        self.cells = {(_row(m), m.description): m for m in measurements}

    def cell(self, row, column):
        return self.cells.get((row, column))

    def _warns(self, measurements):
        return self.compare._warnings and any(m.has_warnings for m in measurements)

    def texts_of(self, column):
        """The times of a column as text, all of one width, by row."""
        there = {row: self.cell(row, column) for row in self.rows if self.cell(row, column)}
        before = {row: _digits_before_the_point(m.median / self.scale) for row, m in there.items()}
        behind = 1
        if self.compare._trim:
            behind = min(max(m.significant_figures - before[row], 0) for row, m in there.items())
        width = max(before.values()) + behind + (1 if behind else 0)
        note_width = 7 if self._warns(there.values()) else 0

        def text(row):
            m = there.get(row)
            if m is None:
                return None
            value = m.median / self.scale
            if self.compare._trim:
                value = trim_sigfig(value, m.significant_figures)
            note = f" (! {m.iqr / m.median * 100:.0f}%)" if note_width and m.has_warnings else ""
            return f"{value:>{width}.{behind}f}{note:>{note_width}}"
        blank = " " * len(f"{1:>{width}.{behind}f}{'':>{note_width}}")
        return {row: text(row) or blank for row in self.rows}

    def names(self):
        """What stands in front of each row; the environment only where it changes."""
        environments = {m.task_spec.env for m in self.all}
        shown = len(environments) > 1
        width = max(len(e or "Unspecified env") for e in environments) if shown else 0
        names, before = {}, None
        for row in self.rows:
            threads, environment, name = row
            changed = shown and (threads, environment) != before
            before = threads, environment
            label = f"({environment or 'Unspecified env'})" if changed else ""
            names[row] = "  " + label.ljust(width + 4) + name
        return names

    def best_for(self, row, column):
        """The time that the colour of a cell is measured by; None for no colour."""
        colours = self.compare._colours
        if colours is Colorize.ROWWISE:
            near = [self.cell(row, c) for c in self.columns]
        elif colours is Colorize.COLUMNWISE:
            near = [self.cell(r, column) for r in self.rows if r[0] == row[0]]
        else:
            return None
        return min((m.median for m in near if m), default=None)

    def coloured(self, text, row, column):
        best, m = self.best_for(row, column), self.cell(row, column)
        if best is None or m is None:
            return text
        start = next((escape for fits, escape in _COLOURS if fits(m.median, best)), None)
        return text if start is None else start + text + _PLAIN

    def text(self):
        names, columns = self.names(), [(c, self.texts_of(c)) for c in self.columns]
        first = max(len(name) for name in names.values())
        widths = [max(len(c or ""), *(len(t) for t in texts.values())) for c, texts in columns]
        lines = ["  |  ".join([" " * first, *((c or "").center(w) for (c, _), w in zip(columns, widths))])]
        whole, threads = len(lines[0]), None
        for row in self.rows:
            if row[0] != threads:
                threads = row[0]
                lines.append(f"{threads} threads: ".ljust(whole, "-"))
            cells = [self.coloured(texts[row].center(w), row, c) for (c, texts), w in zip(columns, widths)]
            lines.append("  |  ".join([names[row].ljust(first), *cells]))
        label = f" {self.all[0].label or ''} ".center(whole - 2, "-")
        legend = ("(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n"
                  if self._warns(self.all) else "")
        return "\n".join([f"[{label}]", *lines, "", f"Times are in {_ENGLISH[self.unit]} ({self.unit}).", legend])


class Compare:
    """Compare(measurements): a table of them, one for each label; print() shows it."""

    def __init__(self, results):
        self._results, self._trim, self._colours, self._warnings = [], False, Colorize.NONE, False
        self.extend_results(results)

    def extend_results(self, results):
        """extend_results(measurements): more for the table."""
        from .benchmark import Measurement
        results = list(results)
        for result in results:
            if not isinstance(result, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(result)} instead.")
        self._results += results

    def trim_significant_figures(self):
        """trim_significant_figures(): only the digits that the spread of the times bears."""
        self._trim = True

    def colorize(self, rowwise=False):
        """colorize(rowwise=False): good and bad times of a column, or of a row, in colours of the terminal."""
        self._colours = Colorize.ROWWISE if rowwise else Colorize.COLUMNWISE

    def highlight_warnings(self):
        """highlight_warnings(): the spread of times that vary much stands beside them."""
        self._warnings = True

    def print(self):
        """print(): the table."""
        print(self)

    def __str__(self):
        from .benchmark import Measurement
        by_label = {}
        for measurement in Measurement.merge(self._results):
            by_label.setdefault(measurement.label, []).append(measurement)
        return "\n".join(_Table(group, self).text() for group in by_label.values())
