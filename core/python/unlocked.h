#pragma once
// Long operations without the interpreter's lock, so that other threads of Python go on meanwhile.
//
// Note [The interpreter's lock]
// A call holds the lock while it reads its arguments and makes its result. In between, where the operation is long, the
// lock is given away, and other threads can do anything with the same tensors. So
// - the operation works on copies of the Tensor values (Pinned): what transpose_() makes of the object does not matter;
// - their storages count as lent until it ends: nobody resizes them, as nobody resizes memory that NumPy has;
// - out=, what changes the Tensor object itself, and what takes any object of Python keep the lock;
// - who needs Python in between, for an argument, a warning or an array that goes, takes the lock back (Interpreter);
// - fork() waits for the operations under way: their locks would stay closed in the child for ever;
// - so does the end of the interpreter, after which the lock is kept: a thread that came back then would be ended in
//   the middle of C++.
// Threads that write the same elements make a mixture of them, as in PyTorch.

#include "core/python/python.h"
#include "core/tensor/tensor.h"

#include <array>
#include <memory>
#include <vector>

namespace stridescope::python {

/// Elements from which on an operation is long: of what goes through memory once, and of what does more with each.
inline constexpr Index kLongSweep = Index{1} << 17, kLongWork = Index{1} << 14;

/// What an operation without the lock works on. Place by place as the parameters of the call, or one after the other.
class Pinned {
public:
    static constexpr std::size_t kPlaces = 16;
    Pinned() = default;
    ~Pinned();
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

    Tensor& put(std::size_t place, const Tensor& t);
    Tensor& at(std::size_t place) { return m_tensors[place]; }
    /// One that is not asked for by its place.
    void lend(const Tensor& t);

private:
    std::array<Tensor, kPlaces> m_tensors;
    std::vector<StoragePtr> m_lent;
};

/// While it lives, this thread does not hold the interpreter's lock; unless not `wanted`, or the interpreter is ending.
class Released {
public:
    explicit Released(bool wanted) {
        if (wanted) giveAway();
    }
    ~Released() {
        if (m_state) takeBack();
    }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

private:
    void giveAway();
    void takeBack();
    PyThreadState* m_state = nullptr;
};

/// While it lives, this thread holds the lock, whether or not it did before.
class Interpreter {
public:
    explicit Interpreter(bool needed = true) {
        if (needed) take();
    }
    ~Interpreter() {
        if (m_taken) give();
    }
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

private:
    void take();
    void give();
    bool m_taken = false, m_wasAway = false;
    PyGILState_STATE m_state{};
};

/// op(a, b), long ones without the lock.
template <class A, class B, class Op>
auto withoutLock(const A& a, const B& b, Op op) {
    Pinned pinned;
    const auto pin = [&](std::size_t place, const auto& operand) -> decltype(auto) {
        if constexpr (std::is_same_v<std::decay_t<decltype(operand)>, Tensor>)
            return static_cast<const Tensor&>(pinned.put(place, operand));
        else
            return operand;
    };
    const auto& x = pin(0, a);
    const auto& y = pin(1, b);
    const Released released(true);
    return op(x, y);
}

/// Makes fork() and the end of the interpreter wait for the operations under way.
void guardEnds();

} // namespace stridescope::python
