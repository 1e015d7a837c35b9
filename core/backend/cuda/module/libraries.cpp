#include "core/backend/cuda/module/libraries.h"

#include <dlfcn.h>

namespace stridescope::cuda {

void* Library::function(const char* name) {
    const std::lock_guard lock(m_mutex);
    Failure failure;
    failure.missingLibrary = m_file;
    failure.call = name;
    if (!m_handle) m_handle = dlopen(m_file, RTLD_NOW | RTLD_LOCAL);
    void* const found = m_handle ? dlsym(m_handle, name) : nullptr;
    if (found) return found;
    const char* why = dlerror();
    failure.text = why ? why : "it cannot be loaded";
    report(failure);
}

} // namespace stridescope::cuda
