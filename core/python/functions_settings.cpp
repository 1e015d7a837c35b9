// Functions: settings, and questions about tensors as functions.

#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/random.h"
#include "core/print/repr.h"
#include "core/python/from_data.h"
#include "core/python/function.h"

namespace stridescope::python::tables {

namespace {

PyObject* seeded(const Args& a) {
    manualSeed(toSeed(a.object(0)));
    return defaultGeneratorObject();
}

/// bool(x).
PyObject* truthOf(PyObject* object) {
    const int truth = PyObject_IsTrue(object);
    if (truth < 0) throw PythonError{};
    return PyBool_FromLong(truth);
}

PyObject* setDefault(const Args& a) {
    const DType t = *a.dtype(0);
    if (!isFloating(t)) raise(PyExc_TypeError, "only floating-point types are supported as the default type");
    setDefaultDType(t);
    Py_RETURN_NONE;
}

PyObject* setThreads(const Args& a) {
    if (!isIntLike(a.object(0)))
        raise(PyExc_RuntimeError, "set_num_threads expects an int, but got " + typeName(a.object(0)));
    const Index count = toIndex(a.object(0));
    if (count < 1) raise(PyExc_RuntimeError, "set_num_threads expects a positive integer");
    setNumThreads(static_cast<int>(std::min<Index>(count, 1024)));
    Py_RETURN_NONE;
}

PyObject* setPrinting(const Args& a) {
    PrintOptions options = printOptions();
    const std::string profile = a.text(4);
    if (profile == "default") options = PrintOptions::standard();
    if (profile == "short") options = PrintOptions::shortProfile();
    if (profile == "full") options = PrintOptions::fullProfile();
    if (a.has(0)) options.precision = static_cast<int>(a.index(0));
    if (a.has(1)) options.threshold = a.object(1) && PyFloat_Check(a.object(1)) ? INT64_MAX : toIndex(a.object(1));
    if (a.has(2)) options.edgeitems = a.index(2);
    if (a.has(3)) options.linewidth = a.index(3);
    options.sciMode = a.has(5) ? std::optional<bool>(a.flag(5)) : std::nullopt; // PyTorch sets it anew each time
    setPrintOptions(options);
    Py_RETURN_NONE;
}
PyObject* printing() {
    const PrintOptions options = printOptions();
    Ref sci = options.sciMode ? Ref::share(*options.sciMode ? Py_True : Py_False) : Ref::share(Py_None);
    return Py_BuildValue("{s:i,s:L,s:L,s:L,s:O}", "precision", options.precision, "threshold",
                         static_cast<long long>(options.threshold), "edgeitems",
                         static_cast<long long>(options.edgeitems), "linewidth",
                         static_cast<long long>(options.linewidth), "sci_mode", sci.get());
}

PyObject* setState(const Args& a) {
    setRngState(a.tensor(0));
    Py_RETURN_NONE;
}

PyObject* legacy(const Args& a) {
    return wrap(legacyTensor(a.object(1), *a.dtype(0)));
}

} // namespace

std::vector<Entry> settings() {
    return {
        PY("manual_seed(object seed)", seeded(a)),
        PY("seed()", PyLong_FromUnsignedLongLong(seed())),
        PY("initial_seed()", PyLong_FromUnsignedLongLong(initialSeed())),
        FN("get_rng_state()", rngState()),
        PY(":set_rng_state(Tensor new_state)", setState(a)),
        PY("get_default_dtype()", Py_NewRef(dtypeObject(defaultDType()))),
        PY("set_default_dtype(dtype d)", setDefault(a)),
        FN("get_num_threads()", Index{numThreads()}),
        PY("set_num_threads(object num)", setThreads(a)),
        FN("get_num_interop_threads()", Index{1}),
        PY("set_printoptions(int? precision=None, Scalar? threshold=None, int? edgeitems=None, int? linewidth=None, "
           "str? profile=None, bool? sci_mode=None)",
           setPrinting(a)),
        PY("_printoptions()", printing()),
        PY("_legacy_tensor(dtype dtype, object args)", legacy(a)),
        PY("_return_types()", returnTypes()),
        FN(":is_tensor(object obj)", isTensor(a.object(0))),
        FN(":numel(Tensor input)", Index{a.tensor(0).numel()}),
        FN(":is_floating_point(Tensor input)", isFloating(a.tensor(0).dtype())),
        FN(":is_complex(Tensor input)", isComplex(a.tensor(0).dtype())),
        FN(":detach(Tensor input)", Tensor(a.tensor(0))),
        PY("is_nonzero(Tensor input)", truthOf(a.object(0))),
        FN(".is_set_to(Tensor self, Tensor tensor)",
           a.tensor(0).storage() == a.tensor(1).storage() && a.tensor(0).view() == a.tensor(1).view()),
        FN(":_replace(Tensor input, Tensor other)", Tensor(a.tensor(0) = a.tensor(1))),
    };
}

} // namespace stridescope::python::tables
