#include "core/job.h"

#include "core/error.h"

namespace stridescope {

namespace {

thread_local Job* t_job = nullptr;
thread_local int t_shields = 0;

} // namespace

Job* currentJob() {
    return t_job;
}

void throwIfCancelled() {
    if (!t_job || t_shields > 0 || !t_job->isCancelled()) return;
    throwRefusal({ErrorKind::Runtime, "JOB-01", "cancelled", "Nothing was changed.", {}});
}

JobScope::JobScope(Job& job) : m_outer(t_job) {
    t_job = &job;
}
JobScope::~JobScope() {
    t_job = m_outer;
}

JobShield::JobShield() {
    ++t_shields;
}
JobShield::~JobShield() {
    --t_shields;
}

} // namespace stridescope
