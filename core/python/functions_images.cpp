// Functions behind torchvision's part: grids, image files, data sets. They have names of their own in `_core`.

#include "core/io/cifar.h"
#include "core/io/png.h"
#include "core/ops/image_grid.h"
#include "core/python/function.h"

namespace stridescope::python::tables {

namespace {

GridOptions gridOptions(const Args& a) {
    GridOptions options;
    options.nrow = a.index(1);
    options.padding = a.index(2);
    options.normalize = a.flag(3);
    if (a.has(4) && a.has(5)) options.valueRange = std::pair(a.number(4), a.number(5));
    options.scaleEach = a.flag(6);
    options.padValue = a.scalar(7);
    return options;
}

ImageFormat formatOf(const Args& a) {
    const auto format = imageFormatOf(a.text(1));
    if (!format)
        raise(PyExc_ValueError, "save_image: '" + a.text(1).substr(0, 40) +
                                    "' is not written here; use a name that ends in .png, .jpg, .bmp or .tga");
    return *format;
}

PyObject* encoded(const Args& a) {
    const ImageFormat format = formatOf(a);
    const std::vector<std::byte> bytes = withoutLock(a.tensor(0), Scalar(0), [format](const Tensor& image, Scalar) {
        return encodeImage(image, format).valueOrThrow();
    });
    return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(bytes.data()),
                                     static_cast<Py_ssize_t>(bytes.size()));
}

/// To a file, whose old content stays until the new one is proven.
PyObject* saved(const Args& a) {
    const ImageFormat format = formatOf(a);
    const std::string path = a.text(2);
    withoutLock(a.tensor(0), Scalar(0), [&](const Tensor& image, Scalar) {
        const std::vector<std::byte> bytes = encodeImage(image, format).valueOrThrow();
        return saveAtomically(path, bytes).valueOrThrow().bytes;
    });
    Py_RETURN_NONE;
}

/// A list of what `make` makes of each item.
template <class Items, class Make>
Ref listOf(const Items& items, Make make) {
    Ref list = Ref::take(PyList_New(static_cast<Py_ssize_t>(items.size())));
    for (std::size_t i = 0; i < items.size(); ++i)
        PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), Ref::take(make(items[i])).release());
    return list;
}

PyObject* dataSet(const Tensor& data, const std::vector<Index>& labels, const std::vector<std::string>& classes,
                  const std::vector<std::string>& notes) {
    Ref tensor = Ref::take(wrap(data));
    Ref numbers = listOf(labels, [](Index label) { return PyLong_FromLongLong(label); });
    Ref names = listOf(classes, [](const std::string& name) { return newText(name); });
    Ref words = listOf(notes, [](const std::string& note) { return newText(note); });
    return Py_BuildValue("(OOOO)", tensor.get(), numbers.get(), names.get(), words.get());
}

/// (data, labels, classes, notes). Not `verified`: its sums were compared by who calls it.
PyObject* cifar(const Args& a) {
    const std::string path = a.text(0);
    const CifarKind kind = a.flag(1) ? CifarKind::Hundred : CifarKind::Ten;
    Budget budget = Budget::standard();
    // Ctrl+C between blocks.
    bool interrupted = false;
    budget.progress = [&](std::uint64_t, std::uint64_t) { return !(interrupted = PyErr_CheckSignals() != 0); };
    Result<CifarSet> set = openCifar(path, kind, a.flag(2), {a.flag(3), a.flag(4)}, budget);
    if (interrupted) throw PythonError{};
    const CifarSet opened = std::move(set).valueOrThrow();
    return dataSet(opened.data, opened.labels, opened.classes, opened.notes);
}

PyObject* samples() {
    const CifarSet set = sampleSet().valueOrThrow();
    return dataSet(set.data, set.labels, set.classes, set.notes);
}

} // namespace

std::vector<Entry> images() {
    return {
        FN(":_make_grid(Tensor tensor, int nrow=8, int padding=2, bool normalize=False, float? low=None, "
           "float? high=None, bool scale_each=False, Scalar pad_value=0)",
           makeGrid(a.tensor(0), gridOptions(a))),
        FN(":_image_bytes(Tensor grid)", imageBytes(a.tensor(0))),
        PY(":_encode_image(Tensor image, str format)", encoded(a)),
        PY(":_save_image(Tensor image, str format, str path)", saved(a)),
        PY("_cifar(str path, bool hundred, bool train, bool whole_file=True, bool verified=False)", cifar(a)),
        PY("_sample_images()", samples()),
    };
}

} // namespace stridescope::python::tables
