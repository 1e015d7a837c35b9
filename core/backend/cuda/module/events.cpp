#include "core/backend/cuda/module/events.h"

namespace stridescope::cuda {

namespace {

struct Event {
    int device = 0;
    cudaEvent_t mark = nullptr;
};

Event& eventOf(void* event) {
    return *static_cast<Event*>(event);
}

} // namespace

void* newEvent(int device) {
    (void)use(device);
    cudaEvent_t mark = nullptr;
    check(cudaEventCreate(&mark), "cudaEventCreate");
    return new Event{device, mark};
}

void deleteEvent(void* event) {
    cudaEventDestroy(eventOf(event).mark);
    delete &eventOf(event);
}

void recordEvent(void* event, StreamNumber stream) {
    check(cudaEventRecord(eventOf(event).mark, use(eventOf(event).device).stream(stream)), "cudaEventRecord");
}

void waitEvent(void* event, StreamNumber stream) {
    check(cudaStreamWaitEvent(use(eventOf(event).device).stream(stream), eventOf(event).mark, 0),
          "cudaStreamWaitEvent");
}

bool queryEvent(void* event) {
    const cudaError_t error = cudaEventQuery(eventOf(event).mark);
    if (error == cudaErrorNotReady) {
        cudaGetLastError();
        return false;
    }
    check(error, "cudaEventQuery");
    return true;
}

void synchronizeEvent(void* event) {
    check(cudaEventSynchronize(eventOf(event).mark), "cudaEventSynchronize");
}

double millisecondsBetween(void* begin, void* end) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, eventOf(begin).mark, eventOf(end).mark), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds);
}

} // namespace stridescope::cuda
