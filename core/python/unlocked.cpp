#include "core/python/unlocked.h"

#include <condition_variable>
#include <mutex>
#include <new>

namespace stridescope::python {

namespace {

struct Gate {
    std::mutex mutex;
    std::condition_variable fewer;
    int operations = 0; ///< under way
    int away = 0;       ///< of those, without the lock at this moment
    bool ending = false;

    void add(int& count, int number) {
        const std::lock_guard lock(mutex);
        count += number;
        if (number < 0) fewer.notify_all();
    }
};

// Never destroyed: threads may outlive main().
alignas(Gate) std::byte g_memory[sizeof(Gate)];
Gate& gate() {
    static Gate* instance = new (g_memory) Gate;
    return *instance;
}

thread_local bool t_away = false;

/// Who forks holds the interpreter's lock, so that not the end of operations is waited for: some want it on the way.
PyObject* beforeFork(PyObject*, PyObject*) {
    std::unique_lock lock(gate().mutex);
    gate().fewer.wait(lock, [] { return gate().away == 0; });
    lock.release(); // closed until the fork is done
    Py_RETURN_NONE;
}
PyObject* afterInParent(PyObject*, PyObject*) {
    gate().mutex.unlock();
    Py_RETURN_NONE;
}
PyObject* afterInChild(PyObject*, PyObject*) {
    const bool ending = gate().ending;
    new (g_memory) Gate; // who waited there is not in this process
    gate().ending = ending;
    Py_RETURN_NONE;
}

/// Called when the interpreter begins to end.
PyObject* endOperations(PyObject*, PyObject*) {
    Py_BEGIN_ALLOW_THREADS;
    {
        std::unique_lock lock(gate().mutex);
        gate().ending = true;
        gate().fewer.wait(lock, [] { return gate().operations == 0; });
    }
    Py_END_ALLOW_THREADS;
    Py_RETURN_NONE;
}
PyMethodDef g_before{"_before_fork", beforeFork, METH_NOARGS, nullptr};
PyMethodDef g_inParent{"_after_fork", afterInParent, METH_NOARGS, nullptr};
PyMethodDef g_inChild{"_after_fork_in_child", afterInChild, METH_NOARGS, nullptr};
PyMethodDef g_end{"_end_operations", endOperations, METH_NOARGS, nullptr};

} // namespace

// --- Pinned
// --------------------------------------------------------------------------------------------------------------------

Tensor& Pinned::put(std::size_t place, const Tensor& t) {
    lend(t);
    return m_tensors[place] = t;
}

void Pinned::lend(const Tensor& t) {
    if (!t.defined()) return;
    m_lent.push_back(t.storage());
    t.storage()->lend();
}

Pinned::~Pinned() {
    for (const StoragePtr& storage : m_lent) storage->giveBack();
}

// --- Released and Interpreter
// --------------------------------------------------------------------------------------------------------------------

void Released::giveAway() {
    if (t_away) return;
    {
        const std::lock_guard lock(gate().mutex);
        if (gate().ending) return;
        ++gate().operations;
    }
    m_state = PyEval_SaveThread();
    gate().add(gate().away, 1);
    t_away = true;
}

void Released::takeBack() {
    t_away = false;
    gate().add(gate().away, -1);
    PyEval_RestoreThread(m_state);
    gate().add(gate().operations, -1);
}

void Interpreter::take() {
    m_wasAway = t_away;
    if (m_wasAway) {
        t_away = false;
        gate().add(gate().away, -1);
    }
    m_state = PyGILState_Ensure();
    m_taken = true;
}

void Interpreter::give() {
    PyGILState_Release(m_state);
    if (!m_wasAway) return;
    gate().add(gate().away, 1);
    t_away = true;
}

void guardEnds() {
    Ref atexit = Ref::take(PyImport_ImportModule("atexit"));
    Ref end = Ref::take(PyCFunction_New(&g_end, nullptr));
    Ref::take(PyObject_CallMethod(atexit.get(), "register", "O", end.get()));
    // Python's own hooks, not pthread_atfork: they come before the allocator's, whose lock the operations need to end.
    Ref os = Ref::take(PyImport_ImportModule("os"));
    Ref function = Ref::take(PyObject_GetAttrString(os.get(), "register_at_fork"));
    Ref none = Ref::take(PyTuple_New(0));
    Ref before = Ref::take(PyCFunction_New(&g_before, nullptr)),
        inParent = Ref::take(PyCFunction_New(&g_inParent, nullptr)),
        inChild = Ref::take(PyCFunction_New(&g_inChild, nullptr));
    Ref hooks = Ref::take(Py_BuildValue("{s:O,s:O,s:O}", "before", before.get(), "after_in_parent", inParent.get(),
                                        "after_in_child", inChild.get()));
    Ref::take(PyObject_Call(function.get(), none.get(), hooks.get()));
}

} // namespace stridescope::python
