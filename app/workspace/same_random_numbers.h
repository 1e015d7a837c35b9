#pragma once
// For what is carried out for a picture only.

#include "core/random/generator.h"

#include <cstdlib>

namespace stridescope {

/// The numbers that are drawn meanwhile are drawn again.
class SameRandomNumbers {
public:
    SameRandomNumbers() : m_state(defaultGenerator().state()) {}
    ~SameRandomNumbers() {
        if (!defaultGenerator().setState(m_state)) std::abort(); // it was the generator's own
    }
    SameRandomNumbers(const SameRandomNumbers&) = delete;
    SameRandomNumbers& operator=(const SameRandomNumbers&) = delete;

private:
    Generator::State m_state;
};

} // namespace stridescope
