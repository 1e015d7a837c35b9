// Functions: arrays in files of NumPy and of safetensors.

#include "core/io/npz.h"
#include "core/io/refusals.h"
#include "core/io/safetensors.h"
#include "core/io/text.h"
#include "core/python/function.h"
#include "core/session/session_file.h"

#include <filesystem>
#include <map>

namespace stridescope::python::tables {

namespace {

/// A str, bytes or os.PathLike as a path. @throws PythonError with Python's own words for anything else.
std::filesystem::path pathOf(PyObject* object) {
    PyObject* bytes = nullptr;
    if (!PyUnicode_FSConverter(object, &bytes)) throw PythonError{};
    const Ref held = Ref::take(bytes);
    return std::string(PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes)));
}

/// Names in files are bytes: what is no UTF-8 among them comes as Python's surrogates, as in names of files.
Ref nameOf(const std::string& raw) {
    return Ref::take(PyUnicode_DecodeUTF8(raw.data(), static_cast<Py_ssize_t>(raw.size()), "surrogateescape"));
}
std::string rawName(PyObject* name) {
    if (!PyUnicode_Check(name)) raise(PyExc_TypeError, "names of tensors must be str, not " + typeName(name));
    const Ref bytes = Ref::take(PyUnicode_AsEncodedString(name, "utf-8", "surrogateescape"));
    return {PyBytes_AS_STRING(bytes.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get()))};
}

/// Of what the tensor does not show as it stands in the file.
void warnNotes(const OpenedArray& array) {
    for (const std::string& note : array.notes)
        if (note != io::kCopiedByteOrder && note != io::kCopiedUnaligned) warnOf((array.name + ": " + note).c_str());
}

PyObject* arrayOf(const OpenedArray& array) {
    warnNotes(array);
    return wrap(array.tensor);
}

/// Nothing of what is there could be read: the first reason, and how many more there are.
template <class Opened>
void requireSome(const Opened& opened) {
    if (!opened.arrays.empty() || opened.skipped.empty()) return;
    Refusal refusal = opened.skipped.front().refusal;
    refusal.message = opened.skipped.front().name + ": " + refusal.message;
    if (const std::size_t more = opened.skipped.size() - 1; more > 0)
        refusal.message += " (and " + std::to_string(more) + " more that cannot be read, none that can)";
    throwRefusal(refusal);
}

/// {name: tensor}, in the order of the file; with a warning for each that is left out, and for what was converted.
template <class Opened>
PyObject* dictOf(const Opened& opened) {
    requireSome(opened);
    Ref dict = Ref::take(PyDict_New());
    for (const OpenedArray& array : opened.arrays) {
        const Ref tensor = Ref::take(wrap(array.tensor));
        if (PyDict_SetItem(dict.get(), nameOf(array.rawName).get(), tensor.get()) < 0) throw PythonError{};
        warnNotes(array);
    }
    for (const auto& skipped : opened.skipped)
        warnOf((skipped.name + " is left out: " + skipped.refusal.message).c_str());
    return dict.release();
}

std::vector<std::pair<std::string, Tensor>> namedTensors(const Args& a, std::size_t i) {
    PyObject* dict = a.object(i);
    if (!PyDict_Check(dict))
        raise(PyExc_TypeError, "argument 'tensors' must be a dict of tensors by name, not " + typeName(dict));
    std::vector<std::pair<std::string, Tensor>> named;
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);) {
        std::string name = rawName(key);
        if (!isTensor(value))
            raise(PyExc_TypeError,
                  "tensors['" + sanitiseForDisplay(name, 60) + "'] must be Tensor, not " + typeName(value));
        named.emplace_back(std::move(name), elementsOf(value));
    }
    return named;
}

std::vector<std::pair<std::string, std::string>> texts(const Args& a, std::size_t i) {
    std::vector<std::pair<std::string, std::string>> pairs;
    PyObject* dict = a.object(i);
    if (dict == Py_None || !dict) return pairs;
    if (!PyDict_Check(dict)) raise(PyExc_TypeError, "argument 'metadata' must be a dict of str, not " + typeName(dict));
    PyObject *key = nullptr, *value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);) {
        if (!PyUnicode_Check(key) || !PyUnicode_Check(value))
            raise(PyExc_TypeError, "metadata must name str by str, found " + typeName(key) + ": " + typeName(value));
        pairs.emplace_back(textOf(key), textOf(value));
    }
    return pairs;
}

/// Tensors as the window would hold them: each storage once, and on it the views, the first of which counts as the
/// base. None is on the stage: who opens it chooses what is drawn, and gives badges.
Session sessionOf(const std::vector<std::pair<std::string, Tensor>>& named) {
    Session session;
    std::map<std::uint64_t, Index> bases; // by storage, the id of the first tensor on it
    for (const auto& [name, tensor] : named) {
        const StoragePtr& storage = tensor.storage();
        if (!storage->device().isCpu())
            throwRefusal(
                {ErrorKind::Device,
                 "SHOW-01",
                 name + " is on " + toString(storage->device()) + ", and pictures are made of what is in host memory",
                 "Copy it first: " + name + ".cpu().",
                 {}});
        SessionTensor entry;
        entry.id = static_cast<Index>(session.tensors.size()) + 1;
        entry.name = entry.code = name;
        const auto [base, isNew] = bases.emplace(storage->id(), entry.id);
        if (isNew) {
            entry.storage = static_cast<int>(bases.size());
            session.storages.push_back(
                {entry.storage, tensor.dtype(), storage->bytes(), {}, storage->isUnwritten(), {}, {}, storage});
        } else {
            entry.parent = base->second;
            entry.origin = 1;
            entry.storage = session.tensors[static_cast<std::size_t>(base->second - 1)].storage;
        }
        entry.onStage = false;
        entry.tensor = tensor;
        session.tensors.push_back(std::move(entry));
    }
    return session;
}

Result<SavedFile> savedSession(const std::vector<std::pair<std::string, Tensor>>& named,
                               const std::filesystem::path& path) {
    Session session = sessionOf(named);
    if (auto refusal = placeStorages(session)) return *std::move(refusal);
    return writeSession(session, path);
}

/// The format has a word for complex numbers of two float32 (C64, in its newer versions) and none for longer ones, so
/// no other program could read them. Sessions, which only Stridescope reads, may hold them.
void requireWordsOfTheFormat(const std::vector<std::pair<std::string, Tensor>>& named) {
    for (const auto& [name, tensor] : named)
        if (tensor.dtype() == DType::Complex128)
            throwRefusal({ErrorKind::Type,
                          "ST-15",
                          "tensors['" + sanitiseForDisplay(name, 60) +
                              "'] is complex128, which the safetensors format does not define",
                          "Save it as x.to(torch.complex64), as torch.view_as_real(x), or to .npz.",
                          {}});
}

Result<SavedFile> savedSafetensors(const std::vector<std::pair<std::string, Tensor>>& named,
                                   const std::vector<std::pair<std::string, std::string>>& metadata,
                                   const std::filesystem::path& path) {
    requireWordsOfTheFormat(named);
    return writeSafetensors(named, metadata, path);
}

PyObject* saved(Result<SavedFile> result) {
    static_cast<void>(std::move(result).valueOrThrow());
    Py_RETURN_NONE;
}

} // namespace

std::vector<Entry> files() {
    return {
        PY(":load_npy(object f)", arrayOf(openNpy(pathOf(a.object(0)), Budget::standard()).valueOrThrow())),
        PY(":load_npz(object f)", dictOf(openNpz(pathOf(a.object(0)), Budget::standard()).valueOrThrow())),
        PY(":load_safetensors(object f)",
           dictOf(openSafetensors(pathOf(a.object(0)), Budget::standard()).valueOrThrow())),
        PY(":save_npy(Tensor tensor, object f)", saved(writeNpy(a.tensor(0), pathOf(a.object(1))))),
        PY(":save_npz(object tensors, object f)", saved(writeNpz(namedTensors(a, 0), pathOf(a.object(1))))),
        PY(":save_safetensors(object tensors, object f, object? metadata=None)",
           saved(savedSafetensors(namedTensors(a, 0), texts(a, 2), pathOf(a.object(1))))),
        // For show(), which has it drawn by the program.
        PY(":_save_session(object tensors, object f)", saved(savedSession(namedTensors(a, 0), pathOf(a.object(1))))),
    };
}

} // namespace stridescope::python::tables
