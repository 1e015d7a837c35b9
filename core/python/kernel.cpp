// stridescope._core._kernel: what the kernel process needs beyond the module: a channel to the window, tensors in
// shared memory, and the records of operations. docs/kernel.md has the protocol.

#include "core/python/kernel.h"

#include "core/backend/cpu/cpu_allocator.h"
#include "core/backend/sim/sim.h"
#include "core/job.h"
#include "core/python/convert.h"
#include "core/python/refused_call.h"
#include "core/python/tensor_object.h"
#include "core/storage/shared_arena.h"
#include "core/storage/shared_memory.h"
#include "core/trace/record_ring.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace stridescope::python {

namespace {

/// Before each payload. In the machine's byte order: both ends are on one machine.
struct FrameHeader {
    std::uint32_t bytes = 0;
    std::uint8_t kind = 0, descriptors = 0;
    std::uint16_t reserved = 0;
};
static_assert(sizeof(FrameHeader) == 8);
constexpr std::size_t kMostDescriptors = 4;

int g_socket = -1;
pid_t g_process = 0; ///< a child of fork() must not speak
std::mutex g_sending;
std::vector<char> g_received; ///< bytes of frames that are not complete
std::vector<int> g_descriptors;

/// The window has gone: nobody is left to work for.
[[noreturn]] void leave() {
    _exit(0);
}

void sendAll(const void* data, std::size_t bytes, const std::vector<int>& descriptors) {
    const char* at = static_cast<const char*>(data);
    bool first = !descriptors.empty();
    while (bytes > 0) {
        iovec part{const_cast<char*>(at), bytes};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
        if (first) {
            message.msg_control = control.data();
            message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
            cmsghdr* header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
            std::memcpy(CMSG_DATA(header), descriptors.data(), sizeof(int) * descriptors.size());
        }
        const ssize_t sent = sendmsg(g_socket, &message, MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno == EINTR) continue; // a frame is sent whole; Python looks at signals afterwards
            leave();
        }
        first = false;
        at += sent;
        bytes -= static_cast<std::size_t>(sent);
    }
}

/// connect(descriptor): all that follows goes through this socket.
PyObject* connectTo(PyObject*, PyObject* descriptor) {
    const long socket = PyLong_AsLong(descriptor);
    if (socket == -1 && PyErr_Occurred()) return nullptr;
    g_socket = static_cast<int>(socket);
    g_process = getpid();
    Py_RETURN_NONE;
}

/// send(kind, payload, descriptors=()): one frame, whole, whatever signals come.
PyObject* sendFrame(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        int kind = 0;
        Py_buffer payload{};
        PyObject* list = nullptr;
        if (!PyArg_ParseTuple(args, "iy*|O!:send", &kind, &payload, &PyTuple_Type, &list)) throw PythonError{};
        const std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> release(&payload, PyBuffer_Release);
        std::vector<int> descriptors;
        for (Py_ssize_t i = 0; list && i < PyTuple_GET_SIZE(list); ++i)
            descriptors.push_back(static_cast<int>(PyLong_AsLong(PyTuple_GET_ITEM(list, i))));
        if (PyErr_Occurred() || descriptors.size() > kMostDescriptors)
            raise(PyExc_ValueError, "send: at most four descriptors");
        if (g_socket < 0 || getpid() != g_process) raise(PyExc_OSError, "send: this process has no channel");
        if (payload.len > INT32_MAX) raise(PyExc_ValueError, "send: the payload is too long");
        const FrameHeader header{static_cast<std::uint32_t>(payload.len), static_cast<std::uint8_t>(kind),
                                 static_cast<std::uint8_t>(descriptors.size()), 0};
        Py_BEGIN_ALLOW_THREADS;
        {
            const std::scoped_lock lock(g_sending);
            sendAll(&header, sizeof header, descriptors);
            sendAll(payload.buf, static_cast<std::size_t>(payload.len), {});
        }
        Py_END_ALLOW_THREADS;
        Py_RETURN_NONE;
    });
}

/// More bytes into g_received. False at the end of the stream. @throws PythonError when a signal's handler raises.
bool receiveMore() {
    std::array<char, 65536> bytes;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
    iovec part{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t count = 0;
    int error = 0;
    Py_BEGIN_ALLOW_THREADS;
    count = recvmsg(g_socket, &message, MSG_CMSG_CLOEXEC);
    error = errno;
    Py_END_ALLOW_THREADS;
    if (count < 0 && error == EINTR) {
        if (PyErr_CheckSignals() < 0) throw PythonError{};
        return true;
    }
    if (count <= 0) return false;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        std::vector<int> descriptors((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        std::memcpy(descriptors.data(), CMSG_DATA(header), descriptors.size() * sizeof(int));
        g_descriptors.insert(g_descriptors.end(), descriptors.begin(), descriptors.end());
    }
    g_received.insert(g_received.end(), bytes.data(), bytes.data() + count);
    return true;
}

/// receive() -> (kind, payload, descriptors), or None when the window has closed the channel. Waits.
PyObject* receiveFrame(PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* {
        while (true) {
            FrameHeader header;
            if (g_received.size() >= sizeof header) {
                std::memcpy(&header, g_received.data(), sizeof header);
                const std::size_t whole = sizeof header + header.bytes;
                if (g_received.size() >= whole) {
                    const std::size_t count = std::min<std::size_t>(header.descriptors, g_descriptors.size());
                    Ref descriptors = Ref::take(PyTuple_New(static_cast<Py_ssize_t>(count)));
                    for (std::size_t i = 0; i < count; ++i)
                        PyTuple_SET_ITEM(descriptors.get(), static_cast<Py_ssize_t>(i),
                                         PyLong_FromLong(g_descriptors[i]));
                    g_descriptors.erase(g_descriptors.begin(),
                                        g_descriptors.begin() + static_cast<std::ptrdiff_t>(count));
                    Ref frame = Ref::take(Py_BuildValue("(iy#O)", static_cast<int>(header.kind),
                                                        g_received.data() + sizeof header,
                                                        static_cast<Py_ssize_t>(header.bytes), descriptors.get()));
                    g_received.erase(g_received.begin(), g_received.begin() + static_cast<std::ptrdiff_t>(whole));
                    return frame.release();
                }
            }
            if (!receiveMore()) Py_RETURN_NONE;
        }
    });
}

// --- Shared memory
// --------------------------------------------------------------------------------------------------------

/// share_memory() -> descriptor: new CPU tensors lie in one memory file from now on.
PyObject* shareMemory(PyObject*, PyObject*) {
    SharedArena* arena = SharedArena::instance();
    if (!arena) return PyErr_SetFromErrno(PyExc_OSError);
    cpuAllocator().useArena(*arena);
    return PyLong_FromLong(arena->descriptor());
}

/// facts(tensor) -> (storage id, bytes, version, kind, offset in the memory file or None)
PyObject* storageFacts(PyObject*, PyObject* object) {
    return guarded([&]() -> PyObject* {
        if (!isTensor(object)) raise(PyExc_TypeError, "facts: a tensor is needed");
        const Tensor& t = tensorOf(object);
        Storage& s = *t.storage();
        std::optional<std::uint64_t> offset;
        if (s.device().isCpu() && s.data()) offset = SharedArena::instance()->offsetOf(s.data());
        if (offset) s.leaveBehind(); // the window maps it now
        Ref place = offset ? Ref::take(PyLong_FromUnsignedLongLong(*offset)) : Ref::share(Py_None);
        return Py_BuildValue("(KnKsO)", static_cast<unsigned long long>(s.id()), static_cast<Py_ssize_t>(s.bytes()),
                             static_cast<unsigned long long>(s.version()), s.kind().c_str(), place.get());
    });
}

/// is_lost(tensor) -> bool: was it on a simulated device that was switched off or started anew since?
PyObject* isLost(PyObject*, PyObject* object) {
    return guarded([&]() -> PyObject* {
        if (!isTensor(object)) raise(PyExc_TypeError, "is_lost: a tensor is needed");
        const Storage& s = *tensorOf(object).storage();
        return PyBool_FromLong(isLostOnSim(s.device(), s.data()));
    });
}

/// take_left(tensor) -> Tensor of uint8 or None: the memory that the tensor's storage had when it was listed, if it has
/// moved since.
PyObject* takeLeft(PyObject*, PyObject* object) {
    return guarded([&]() -> PyObject* {
        if (!isTensor(object)) raise(PyExc_TypeError, "take_left: a tensor is needed");
        StoragePtr left = tensorOf(object).storage()->takeLeft();
        if (!left) Py_RETURN_NONE;
        const auto bytes = static_cast<Index>(left->bytes());
        return wrap(Tensor(std::move(left), contiguousView(Dims{bytes}).value(), DType::UInt8));
    });
}

/// adopt(descriptor, offset, bytes) -> Tensor of uint8 over that part of another process's memory file.
PyObject* adoptStorage(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        int descriptor = -1;
        unsigned long long offset = 0;
        Py_ssize_t bytes = 0;
        if (!PyArg_ParseTuple(args, "iKn:adopt", &descriptor, &offset, &bytes)) throw PythonError{};
        StoragePtr storage = mapSharedSegment(descriptor, static_cast<std::size_t>(bytes), true, offset).valueOrThrow();
        storage->allowResize(cpuAllocator());
        storage->leaveBehind();
        return wrap(
            Tensor::fromStorage(std::move(storage), contiguousView(Dims{bytes}).value(), DType::UInt8).valueOrThrow());
    });
}

/// view_of(tensor, dtype, size, stride, offset) -> Tensor: another view of its storage, of any dtype.
PyObject* viewOf(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject *base = nullptr, *size = nullptr, *stride = nullptr;
        const char* dtype = nullptr;
        long long offset = 0;
        if (!PyArg_ParseTuple(args, "OsOOL:view_of", &base, &dtype, &size, &stride, &offset)) throw PythonError{};
        const auto known = dtypeFromName(dtype);
        if (!isTensor(base) || !known) raise(PyExc_TypeError, "view_of: a tensor and the name of a dtype are needed");
        View view = makeView(toDims(size), toDims(stride), offset).valueOrThrow();
        return wrap(Tensor::fromStorage(tensorOf(base).storage(), std::move(view), *known).valueOrThrow());
    });
}

/// show_as(tensor, base, dtype, size, stride, offset) -> bool: makes `tensor`, of the same storage and dtype as it was,
/// that view again; False: it is a view of another storage, or of another dtype, by now.
PyObject* showAs(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject *object = nullptr, *base = nullptr, *size = nullptr, *stride = nullptr;
        const char* dtype = nullptr;
        long long offset = 0;
        if (!PyArg_ParseTuple(args, "OOsOOL:show_as", &object, &base, &dtype, &size, &stride, &offset))
            throw PythonError{};
        const auto known = dtypeFromName(dtype);
        if (!isTensor(object) || !isTensor(base) || !known) raise(PyExc_TypeError, "show_as: two tensors are needed");
        Tensor& tensor = tensorOf(object);
        if (!tensor.defined() || tensor.storage() != tensorOf(base).storage() || tensor.dtype() != *known)
            return PyBool_FromLong(0);
        View view = makeView(toDims(size), toDims(stride), offset).valueOrThrow();
        if (!(tensor.view() == view))
            tensor = Tensor::fromStorage(tensor.storage(), std::move(view), *known).valueOrThrow();
        return PyBool_FromLong(1);
    });
}

// --- Records
// --------------------------------------------------------------------------------------------------------------

RecordRing* g_ring = nullptr; ///< never destroyed: see trace::setSink

/// observe(on) -> descriptor of the ring: operations are written into it while `on`.
PyObject* observe(PyObject*, PyObject* on) {
    return guarded([&]() -> PyObject* {
        if (!g_ring) {
            g_ring = RecordRing::create().valueOrThrow().release();
            // The ring has one process that writes.
            pthread_atfork(nullptr, nullptr, [] {
                trace::setSink(nullptr);
                trace::setDeviceSink(nullptr);
            });
        }
        if (getpid() == g_process) trace::setSink(PyObject_IsTrue(on) > 0 ? g_ring : nullptr);
        return PyLong_FromLong(g_ring->descriptor());
    });
}

/// observe_devices(on): what devices do is written into the ring of observe() while `on`; they go on when code has
/// ended.
PyObject* observeDevices(PyObject*, PyObject* on) {
    return guarded([&]() -> PyObject* {
        if (g_ring && getpid() == g_process) trace::setDeviceSink(PyObject_IsTrue(on) > 0 ? g_ring : nullptr);
        Py_RETURN_NONE;
    });
}

/// operations() -> how many records were written or dropped so far.
PyObject* operationCount(PyObject*, PyObject*) {
    return PyLong_FromUnsignedLongLong(g_ring ? g_ring->written() : 0);
}

// --- Interrupts
// -----------------------------------------------------------------------------------------------------------

Job& kernelJob() {
    static Job* job = new Job;
    return *job;
}
struct sigaction g_pythonsHandler;

/// Python's own handler only sets a flag that the evaluation loop reads; a long product reads its job.
void onInterrupt(int signal) {
    kernelJob().cancel();
    g_pythonsHandler.sa_handler(signal);
}

/// watch_interrupts(): after signal.signal(SIGINT, …); long operations of this thread end with SIGINT, too.
PyObject* watchInterrupts(PyObject*, PyObject*) {
    thread_local std::optional<JobScope> scope;
    if (!scope) scope.emplace(kernelJob());
    kernelJob().resume();
    struct sigaction present {};
    sigaction(SIGINT, nullptr, &present);
    if (present.sa_handler == SIG_IGN || present.sa_handler == SIG_DFL || present.sa_handler == onInterrupt)
        Py_RETURN_NONE;
    g_pythonsHandler = present;
    present.sa_handler = onInterrupt;
    sigaction(SIGINT, &present, nullptr);
    Py_RETURN_NONE;
}

/// resume(): the interrupt was told; operations go on.
PyObject* resume(PyObject*, PyObject*) {
    kernelJob().resume();
    Py_RETURN_NONE;
}

/// tick_after(seconds): SIGURG for this thread once, so long from now; 0: none. It is the one signal that nobody uses
/// and that hurts nobody who has no handler.
PyObject* tickAfter(PyObject*, PyObject* seconds) {
    const double wait = PyFloat_AsDouble(seconds);
    if (PyErr_Occurred()) return nullptr;
    static std::optional<timer_t> timer;
    if (getpid() != g_process) Py_RETURN_NONE; // a child of fork() has no timer
    if (!timer) {
        sigevent event{};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGURG;
        event._sigev_un._tid = gettid();
        timer_t made{};
        if (timer_create(CLOCK_MONOTONIC, &event, &made) != 0) Py_RETURN_NONE; // pictures come at the end then
        timer = made;
    }
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(wait);
    when.it_value.tv_nsec = static_cast<long>((wait - std::floor(wait)) * 1e9);
    timer_settime(*timer, 0, &when, nullptr);
    Py_RETURN_NONE;
}

/// keep_refused(on): see take_refused().
PyObject* keepRefusedCalls(PyObject*, PyObject* on) {
    g_keepsRefused = PyObject_IsTrue(on) > 0;
    Py_RETURN_NONE;
}

/// stop_thread(ident): raises SystemExit in it, at its next line of Python.
PyObject* stopThread(PyObject*, PyObject* ident) {
    const unsigned long id = PyLong_AsUnsignedLong(ident);
    if (PyErr_Occurred()) return nullptr;
    return PyBool_FromLong(PyThreadState_SetAsyncExc(id, PyExc_SystemExit) == 1);
}

PyMethodDef g_functions[] = {
    {"connect", connectTo, METH_O, nullptr},
    {"send", sendFrame, METH_VARARGS, nullptr},
    {"receive", receiveFrame, METH_NOARGS, nullptr},
    {"share_memory", shareMemory, METH_NOARGS, nullptr},
    {"facts", storageFacts, METH_O, nullptr},
    {"is_lost", isLost, METH_O, nullptr},
    {"take_left", takeLeft, METH_O, nullptr},
    {"adopt", adoptStorage, METH_VARARGS, nullptr},
    {"view_of", viewOf, METH_VARARGS, nullptr},
    {"show_as", showAs, METH_VARARGS, nullptr},
    {"observe", observe, METH_O, nullptr},
    {"observe_devices", observeDevices, METH_O, nullptr},
    {"operations", operationCount, METH_NOARGS, nullptr},
    {"watch_interrupts", watchInterrupts, METH_NOARGS, nullptr},
    {"resume", resume, METH_NOARGS, nullptr},
    {"tick_after", tickAfter, METH_O, nullptr},
    {"keep_refused", keepRefusedCalls, METH_O, nullptr},
    {"take_refused", takeRefused, METH_NOARGS, nullptr},
    {"stop_thread", stopThread, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef g_module{
    PyModuleDef_HEAD_INIT, "stridescope._core._kernel", nullptr, -1, g_functions, nullptr, nullptr, nullptr, nullptr};

} // namespace

void addKernel(PyObject* module) {
    Ref kernel = Ref::take(PyModule_Create(&g_module));
    if (PyModule_AddObjectRef(module, "_kernel", kernel.get()) < 0) throw PythonError{};
}

} // namespace stridescope::python
