#pragma once
// What the random operations share: checks, the order in which views are filled, records. Internal to core/ops.

#include "core/backend/random_args.h"
#include "core/job.h"
#include "core/ops/elementwise_call.h"
#include "core/ops/observation.h"
#include "core/ops/promotion.h"
#include "core/ops/random.h"
#include "core/random/distributions.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"

#include <mutex>

namespace stridescope::random {

/// Refuses with PyTorch's kind for arguments that make no sense.
[[noreturn]] void refuse(const char* id, std::string message, std::string hint = {});
/// PyTorch's `"uniform" not implemented for 'Long'` (RNG-13).
[[noreturn]] void refuseDType(const char* kernel, DType dtype);
/// "0.5", "3", "1e+39": numbers in PyTorch's messages.
std::string shown(double value);
inline std::string shown(Index value) {
    return std::to_string(value);
}
/// The type's name in PyTorch's messages about bounds: "unsigned char", "c10::Half".
std::string boundsName(DType dtype);

/// The dtypes with a fraction; others are refused with PyTorch's name of the kernel.
inline void requireFloating(DType dtype, const char* kernel) {
    if (!isFloating(dtype)) refuseDType(kernel, dtype);
}

inline void requireReal(DType dtype, const char* kernel) {
    if (isComplex(dtype)) refuseDType(kernel, dtype);
}
/// Complex numbers have no bounds. PyTorch's words, RNG-13.
inline void requireBounds(DType dtype) {
    if (isComplex(dtype))
        refuse("RNG-13", "check_random_bounds handles only integral, floating-point and boolean types",
               "Draw in another dtype and convert: x.to(...).");
}

/// f(TypeTag<T>) for the three float types. Precondition: isFloating(dtype).
template <class F>
void visitFloating(DType dtype, F&& f) {
    if (dtype == DType::Float16) return f(TypeTag<Half>{});
    if (dtype == DType::Float32) return f(TypeTag<float>{});
    f(TypeTag<double>{});
}

/// Where the elements of an output lie, in the order in which they are drawn.
struct Target {
    LoopSpace space;
    Index count = 0;
};

/// The checks of everything that is written to; `input`, when given, is read along with it.
/// Precondition: input broadcasts to t's shape.
Target targetOf(const Tensor& t, const char* operation, const Tensor* input = nullptr);
/// A device without these kernels is refused (DEV-02) before anything is allocated on it.
void requireCpuDevice(Device device, DType dtype, const char* operation);

/// The same for what devices can draw: refused where they cannot.
void requireRandom(Device device, DType dtype, const char* operation);
/// Fills t, a floating tensor of a device, with the numbers of that device's generator. False on the CPU.
/// Refuses a generator of the CPU other than the default one (RNG-28).
bool fillOnDevice(const Tensor& t, const char* operation, RandomOp op, double a, double b, const Generator& generator);

/// Elements between two looks at the thread's job: a few milliseconds.
inline constexpr Index kBetweenLooks = Index{1} << 18;

/// Part of the innermost loop: `count` elements, and how many bytes lead from one to the next.
struct Run {
    std::byte* out;
    const std::byte* in; ///< of operand 1; null without one
    Index count, outStep, inStep;
};

/// Calls f(Run) for all elements, in the order of memory. Precondition: the space has elements.
template <class F>
void forEachRun(const LoopSpace& space, F&& f) {
    const bool paired = space.operands > 1;
    Index coord[kMaxDims] = {};
    std::byte* out = space.data[0];
    const std::byte* in = paired ? space.data[1] : nullptr;
    const Index inner = space.size[0], outStep = space.stride[0][0], inStep = paired ? space.stride[0][1] : 0;
    Index sinceLook = 0;
    for (;;) {
        for (Index i = 0; i < inner;) {
            const Index count = std::min(inner - i, kBetweenLooks);
            f(Run{out + i * outStep, in ? in + i * inStep : nullptr, count, outStep, inStep});
            i += count;
            if ((sinceLook += count) >= kBetweenLooks) {
                throwIfCancelled();
                sinceLook = 0;
            }
        }
        int level = 1;
        for (; level < space.levels; ++level) {
            out += space.stride[level][0];
            if (in) in += space.stride[level][1];
            if (++coord[level] < space.size[level]) break;
            out -= space.stride[level][0] * space.size[level];
            if (in) in -= space.stride[level][1] * space.size[level];
            coord[level] = 0;
        }
        if (level >= space.levels) return;
    }
}

/// Sets every element to what `next` (() -> a number) gives.
template <class T, class Next>
void fillInOrder(const Target& target, Next&& next) {
    forEachRun(target.space, [&](Run run) {
        for (Index i = 0; i < run.count; ++i)
            *reinterpret_cast<T*>(run.out + i * run.outStep) = convertValue<T>(next());
    });
}

/// Sets every element to what `make` (const std::uint32_t* -> a number) makes of K draws of its own.
template <class T, Index K, class Make>
void fillFromDraws(const Target& target, Generator& generator, Make make) {
    Draws<K> draws(generator, target.count);
    forEachRun(target.space, [&](Run run) {
        for (Index done = 0; done < run.count;) {
            const auto part = draws.run(run.count - done);
            std::byte* const out = run.out + done * run.outStep;
            if (run.outStep == sizeof(T)) { // a loop that compilers can unroll and vectorise
                auto* const to = reinterpret_cast<T*>(out);
                for (Index i = 0; i < part.count; ++i) to[i] = convertValue<T>(make(part.draws + i * K));
            } else {
                for (Index i = 0; i < part.count; ++i)
                    *reinterpret_cast<T*>(out + i * run.outStep) = convertValue<T>(make(part.draws + i * K));
            }
            done += part.count;
        }
    });
}

/// One in-place operation: `run` fills, `arguments` (() -> std::string) says how, when somebody listens.
template <class Run, class Arguments>
const Tensor& inPlace(const Tensor& t, const char* name, const Tensor* input, Run run, Arguments arguments) {
    const Observation observation;
    {
        const trace::Nested nested;
        run();
    }
    t.storage()->bumpVersion();
    if (observation) {
        const Observation::Bytes bytes{input ? input->nbytes() : 0, t.nbytes(), 0};
        if (input)
            observation.publish(name, arguments(), {&t, input}, t, OpEffect::InPlace, bytes);
        else
            observation.publish(name, arguments(), {&t}, t, OpEffect::InPlace, bytes);
    }
    return t;
}

/// One operation that makes a new tensor.
template <class Make, class Arguments>
Tensor makesNew(const char* name, std::initializer_list<const Tensor*> inputs, Make make, Arguments arguments) {
    const Observation observation;
    Tensor result = [&] {
        const trace::Nested nested;
        return make();
    }();
    if (observation) {
        Observation::Bytes bytes{0, result.nbytes(), result.nbytes()};
        for (const Tensor* t : inputs) bytes.read += t->nbytes();
        observation.publish(name, arguments(), inputs, result, OpEffect::Alloc, bytes);
    }
    return result;
}

/// ", dtype=torch.int64": what was asked for in so many words.
inline std::string dtypeText(const std::optional<DType>& dtype) {
    return dtype ? ", dtype=" + code::dtypeText(*dtype) : std::string();
}

/// The same for the functions that take nothing else.
inline std::string likeText(const LikeOptions& options) {
    std::string text = options.dtype ? "dtype=" + code::dtypeText(*options.dtype) : std::string();
    if (options.format != MemoryFormat::Preserve)
        text += (text.empty() ? "" : ", ") + std::string("memory_format=") + codeText(options.format);
    return text;
}
/// "0.0, 1.5".
inline std::string pairText(double a, double b) {
    return toString(Scalar(a)) + ", " + toString(Scalar(b));
}

} // namespace stridescope::random
