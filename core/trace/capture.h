#pragma once
// Takes the records of this thread out of the stream, so that an operation can publish them as its own.

#include "core/trace/op_record.h"

#include <vector>

namespace stridescope::trace {

/// While it lives, what this thread publishes comes here instead of to the listeners. The innermost one gets it.
class Capture {
public:
    Capture();
    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    std::vector<OpRecord>& records() { return m_records; }

    void add(const OpRecord& record);

private:
    std::vector<OpRecord> m_records;
    Capture* m_outer = nullptr;
};

} // namespace stridescope::trace
