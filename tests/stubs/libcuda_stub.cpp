// A driver library that answers what the environment says: lets the probe be tested on machines without a GPU.

#include <cstdlib>

namespace {
int number(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}
} // namespace

extern "C" {
__attribute__((visibility("default"))) int cuInit(unsigned) {
    return number("STUB_CUDA_INIT", 0);
}
__attribute__((visibility("default"))) int cuDriverGetVersion(int* version) {
    *version = number("STUB_CUDA_VERSION", 13000);
    return number("STUB_CUDA_VERSION_CODE", 0);
}
__attribute__((visibility("default"))) int cuDeviceGetCount(int* count) {
    *count = number("STUB_CUDA_COUNT", 0);
    return number("STUB_CUDA_COUNT_CODE", 0);
}
__attribute__((visibility("default"))) int cuGetErrorString(int, const char** text) {
    *text = "stub words";
    return 0;
}
}
