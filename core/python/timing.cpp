#include "core/python/timing.h"

#include "core/backend/cpu/thread_pool.h"
#include "core/timing/report.h"
#include "core/timing/run_file.h"

#include <algorithm>

namespace stridescope::python {

namespace {

double toSeconds(PyObject* object) {
    const double seconds = PyFloat_AsDouble(object);
    if (seconds == -1 && PyErr_Occurred()) throw PythonError{};
    return seconds;
}

/// run(calls) -> seconds of them all, by whatever clock it has.
timing::Subject subjectOf(PyObject* run) {
    timing::Subject subject;
    subject.mayWait = true; // nobody knows what a statement waits for
    subject.block = [run](std::int64_t calls) {
        const Ref number = Ref::take(PyLong_FromLongLong(calls));
        const Ref seconds = Ref::take(PyObject_CallOneArg(run, number.get()));
        return timing::BlockTimes{toSeconds(seconds.get())};
    };
    return subject;
}

std::vector<double> numbersOf(PyObject* list) {
    const Ref items = Ref::take(PySequence_Fast(list, "a sequence of numbers is wanted"));
    std::vector<double> numbers;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
        numbers.push_back(toSeconds(PySequence_Fast_GET_ITEM(items.get(), i)));
    return numbers;
}

/// (run, minSeconds, maxSeconds, blockSeconds, threshold, callback or None) -> (calls in a block, [seconds of a
/// block]).
PyObject* blocks(PyObject*, PyObject* arguments) {
    return guarded([&]() -> PyObject* {
        PyObject *run = nullptr, *callback = nullptr;
        timing::BlockedOptions options;
        if (!PyArg_ParseTuple(arguments, "OddddO", &run, &options.minSeconds, &options.maxSeconds,
                              &options.blockSeconds, &options.threshold, &callback))
            throw PythonError{};
        const timing::Measured measured =
            timing::measureBlocks(subjectOf(run), options, [&](const timing::Sample& sample) {
                if (callback == Py_None) return;
                Ref::take(
                    PyObject_CallFunction(callback, "Ld", static_cast<long long>(sample.calls), sample.times.host));
            });
        Ref times = Ref::take(PyList_New(0));
        for (const timing::Sample& sample : measured.samples) {
            const Ref seconds = Ref::take(PyFloat_FromDouble(sample.times.host));
            if (PyList_Append(times.get(), seconds.get()) < 0) throw PythonError{};
        }
        return Py_BuildValue("LO", static_cast<long long>(measured.callsPerBlock), times.get());
    });
}

/// [numbers] -> (lower quartile, median, upper quartile).
PyObject* quantiles(PyObject*, PyObject* list) {
    return guarded([&]() -> PyObject* {
        const timing::Summary s = timing::summaryOf(numbersOf(list));
        return Py_BuildValue("ddd", s.lowerQuartile, s.median, s.upperQuartile);
    });
}

/// [numbers] -> digits of the median that can be relied on.
PyObject* figures(PyObject*, PyObject* list) {
    return guarded([&]() -> PyObject* { return PyLong_FromLong(timing::significantFigures(numbersOf(list))); });
}

/// What `_timing_statements` works on.
struct Statements {
    timing::Run run;
    timing::MeasureOptions options;
    timing::Calibration known;
    PyObject *tellRow = nullptr, *tellProgress = nullptr;

    static std::string textAt(PyObject* tuple, Py_ssize_t i) { return std::string(textOf(PyTuple_GET_ITEM(tuple, i))); }

    void tell(PyObject* whom, const std::string& text) const {
        if (whom == Py_None) return;
        const Ref line = Ref::take(newText(text));
        Ref::take(PyObject_CallOneArg(whom, line.get()));
    }

    /// One group: (n, [(statement, setup, threads, run), …]), measured in turns.
    void measure(PyObject* group, std::size_t number) {
        PyObject* cases = nullptr;
        long long n = 0;
        if (!PyArg_ParseTuple(group, "LO!", &n, &PyList_Type, &cases)) throw PythonError{};
        std::vector<timing::Measurement> measurements;
        std::vector<timing::Subject> subjects;
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(cases); ++i) {
            const char *statement = nullptr, *setup = nullptr;
            int threads = 1;
            PyObject* call = nullptr;
            if (!PyArg_ParseTuple(PyList_GET_ITEM(cases, i), "ssiO", &statement, &setup, &threads, &call))
                throw PythonError{};
            timing::Measurement m;
            m.operation = "statement";
            m.statement = statement;
            m.setup = setup;
            m.n = n;
            m.threads = threads;
            m.group = number;
            m.mayWait = true;
            subjects.push_back(subjectOf(call));
            subjects.back().label = m.label();
            subjects.back().threads = threads;
            subjects.back().prepare = [threads] { setNumThreads(threads); };
            measurements.push_back(std::move(m));
        }
        const timing::MeasuredTogether together = timing::measureTogether(
            subjects, options, timing::systemInstruments(), nullptr,
            [&](const timing::MeasureProgress& p) { tell(tellProgress, p.label); }, &known);
        for (std::size_t i = 0; i < measurements.size(); ++i) {
            timing::Measurement& m = measurements[i];
            m.measured = together.subjects[i];
            m.stop = together.stop;
            m.clockCost = together.clockCost;
            m.busy = together.busy;
            if (m.stop == timing::Stop::Time) m.notes.emplace_back("stopped by time");
            if (m.busy) m.notes.emplace_back("this machine is busy");
            timing::judge(m);
            tell(tellRow, timing::tableRow(run, m));
        }
        for (const timing::Comparison& c : timing::comparisonsOf(measurements, run.measurements.size()))
            run.comparisons.push_back(c);
        run.measurements.insert(run.measurements.end(), measurements.begin(), measurements.end());
    }
};

/// (groups, command, maxSeconds, precision, seed, json, csv, machine, title, row, progress) -> closing text. Files are
/// written where they have names; row(text) and progress(text) may be None.
PyObject* statements(PyObject*, PyObject* arguments) {
    return guarded([&]() -> PyObject* {
        Statements s;
        PyObject* groups = nullptr;
        const char *command = "", *json = "", *csv = "", *machine = "", *title = "";
        unsigned long long seed = 1;
        if (!PyArg_ParseTuple(arguments, "O!sddKssssOO", &PyList_Type, &groups, &command, &s.options.maxSeconds,
                              &s.options.precision, &seed, &json, &csv, &machine, &title, &s.tellRow, &s.tellProgress))
            throw PythonError{};
        s.options.seed = seed;
        s.run.command = command;
        s.run.title = title;
        s.run.conditions = timing::conditionsNow();
        if (*machine) s.run.conditions.machine = machine;
        const int threads = numThreads();
        try {
            for (Py_ssize_t i = 0; i < PyList_GET_SIZE(groups); ++i)
                s.measure(PyList_GET_ITEM(groups, i), static_cast<std::size_t>(i));
        } catch (...) {
            setNumThreads(threads);
            throw;
        }
        setNumThreads(threads);
        s.run.conditions.megahertzAfter = timing::megahertzNow();
        if (*json) timing::writeRun(s.run, json);
        if (*csv) timing::writeRun(s.run, csv);
        return newText(timing::conditionsText(s.run) + timing::conclusionsText(s.run));
    });
}

PyObject* tableHead(PyObject*, PyObject*) {
    return guarded([]() -> PyObject* { return newText(timing::tableHead()); });
}

PyMethodDef g_functions[] = {
    {"_timing_blocks", blocks, METH_VARARGS, "Blocks of one subject, one after the other."},
    {"_timing_quantiles", quantiles, METH_O, "Lower quartile, median and upper quartile."},
    {"_timing_figures", figures, METH_O, "Digits of the median that can be relied on."},
    {"_timing_statements", statements, METH_VARARGS, "Groups of statements, each measured in turns."},
    {"_timing_head", tableHead, METH_NOARGS, "The head of the table of rows."},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

void addTiming(PyObject* module) {
    if (PyModule_AddFunctions(module, g_functions) < 0) throw PythonError{};
}

} // namespace stridescope::python
