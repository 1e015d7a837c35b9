// Functions: devices, their memory, queues and events, for stridescope/_devices.py.

#include "core/backend/sim/sim.h"
#include "core/python/function.h"
#include "core/python/unlocked.h"

#include <cmath>

namespace stridescope::python::tables {

namespace {

constexpr const char* kEvent = "stridescope.DeviceEvent";

DeviceType typeNamed(const std::string& text) {
    return text == "sim" ? DeviceType::Sim : DeviceType::Cuda;
}

PyObject* count(const std::string& type) {
    Backend* const backend = backendOf(typeNamed(type));
    return PyLong_FromLong(backend ? backend->deviceCount() : 0);
}

PyObject* require(Device device) {
    (void)backendFor(device);
    Py_RETURN_NONE;
}

PyObject* setCurrent(Device device) {
    (void)backendFor(device);
    setCurrentDevice(device);
    Py_RETURN_NONE;
}

PyObject* about(Device device) {
    const DeviceAbout found = backendFor(device).about(device);
    return Py_BuildValue("(sOKiii)", found.name.c_str(), found.simulated ? Py_True : Py_False,
                         static_cast<unsigned long long>(found.memoryBytes), found.major, found.minor,
                         found.multiprocessors);
}

PyObject* memory(Device device) {
    const DeviceMemory figures = backendFor(device).memory(device);
    const auto number = [](auto value) { return static_cast<unsigned long long>(value); };
    return Py_BuildValue("(KKKKK)", number(figures.allocated), number(figures.peak), number(figures.free),
                         number(figures.total), number(figures.allocations));
}

/// Without the interpreter's lock: it may take long.
template <class F>
PyObject* waiting(F f) {
    {
        const Released released(true);
        f();
    }
    Py_RETURN_NONE;
}

StreamId streamAt(const Args& a, std::size_t i) {
    return static_cast<StreamId>(a.index(i));
}

DeviceEvent& eventAt(const Args& a, std::size_t i) {
    auto* const event = static_cast<DeviceEvent*>(PyCapsule_GetPointer(a.object(i), kEvent));
    if (!event) throw PythonError{};
    return *event;
}

PyObject* newEvent(Device device) {
    auto event = backendFor(device).newEvent(device);
    PyObject* const capsule = PyCapsule_New(event.get(), kEvent, [](PyObject* self) {
        delete static_cast<DeviceEvent*>(PyCapsule_GetPointer(self, kEvent));
    });
    if (!capsule) throw PythonError{};
    (void)event.release();
    return capsule;
}

PyObject* synchronized(Device device) {
    return waiting([&] { backendFor(device).synchronize(device); });
}
PyObject* setStream(Device device, StreamId stream) {
    backendFor(device).setCurrentStream(device, stream);
    Py_RETURN_NONE;
}
PyObject* synchronizedStream(Device device, StreamId stream) {
    return waiting([&] { backendFor(device).synchronizeStream(device, stream); });
}
PyObject* recorded(DeviceEvent& event, StreamId stream) {
    return waiting([&] { event.record(stream); });
}
PyObject* waited(DeviceEvent& event, StreamId stream) {
    return waiting([&] { event.wait(stream); });
}
PyObject* synchronizedEvent(DeviceEvent& event) {
    return waiting([&] { event.synchronize(); });
}
PyObject* restarted(Device device) {
    return waiting([&] { restartSim(device); });
}
PyObject* resetPeak(Device device) {
    backendFor(device).resetPeak(device);
    Py_RETURN_NONE;
}

PyObject* enable(const Args& a) {
    const auto whole = [&](std::size_t i) { return std::max<Index>(a.index(i), -1); };
    SimOptions options;
    options.devices = static_cast<int>(std::min<Index>(whole(0), 1000));
    options.memoryBytes = static_cast<std::size_t>(std::max<Index>(whole(1), 0));
    options.linkBytesPerSecond = a.number(2);
    const double delay = a.number(3);
    if (!(delay <= 60)) raise(PyExc_ValueError, "sim.enable: the launch delay must be at most 60 seconds");
    options.launchDelay = std::chrono::microseconds(std::llround(delay * 1e6));
    options.failAllocation = whole(4);
    options.failLaunch = whole(5);
    options.asCuda = a.flag(6);
    options.guard = a.flag(7);
    enableSim(options);
    Py_RETURN_NONE;
}

PyObject* disable() {
    disableSim();
    Py_RETURN_NONE;
}

} // namespace

std::vector<Entry> devices() {
    return {
        PY("_device_count(str type)", count(a.text(0))),
        PY("_device_require(device device)", require(a.device(0))),
        PY("_device_current(str type)", PyLong_FromLong(currentDevice(typeNamed(a.text(0))).index)),
        PY("_device_set(device device)", setCurrent(a.device(0))),
        PY("_device_about(device device)", about(a.device(0))),
        PY("_device_memory(device device)", memory(a.device(0))),
        PY("_device_reset_peak(device device)", resetPeak(a.device(0))),
        PY("_device_can_access_peer(device device, device peer)",
           PyBool_FromLong(backendFor(a.device(0)).canAccessPeer(a.device(0), a.device(1)))),
        PY("_device_synchronize(device device)", synchronized(a.device(0))),
        PY("_stream_new(device device)", PyLong_FromLong(backendFor(a.device(0)).newStream(a.device(0)))),
        PY("_stream_current(device device)", PyLong_FromLong(backendFor(a.device(0)).currentStream(a.device(0)))),
        PY("_stream_set(device device, int stream)", setStream(a.device(0), streamAt(a, 1))),
        PY("_stream_synchronize(device device, int stream)", synchronizedStream(a.device(0), streamAt(a, 1))),
        PY("_stream_query(device device, int stream)",
           PyBool_FromLong(backendFor(a.device(0)).isStreamDone(a.device(0), streamAt(a, 1)))),
        PY("_event_new(device device)", newEvent(a.device(0))),
        PY("_event_record(object event, int stream)", recorded(eventAt(a, 0), streamAt(a, 1))),
        PY("_event_wait(object event, int stream)", waited(eventAt(a, 0), streamAt(a, 1))),
        PY("_event_query(object event)", PyBool_FromLong(eventAt(a, 0).query())),
        PY("_event_recorded(object event)", PyBool_FromLong(eventAt(a, 0).isRecorded())),
        PY("_event_synchronize(object event)", synchronizedEvent(eventAt(a, 0))),
        PY("_event_elapsed(object start, object end)", PyFloat_FromDouble(eventAt(a, 0).millisecondsTo(eventAt(a, 1)))),
        PY("_sim_enable(int devices, int memory, float link, float launch_delay, int fail_allocation, int fail_launch, "
           "bool as_cuda, bool guard)",
           enable(a)),
        PY("_sim_disable()", disable()),
        PY("_sim_restart(device device)", restarted(a.device(0))),
    };
}

} // namespace stridescope::python::tables
