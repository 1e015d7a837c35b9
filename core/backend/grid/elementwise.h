#pragma once
// Element-wise operations on the functors of core/ops: one body for each functor and type that is computed in.
//
// Operands have the compute type or are brought into it first, by a copy; strides and broadcasting need none. Runs are
// read and written 16 bytes at a time. Half is computed in float: `half` says that elements are stored so.

#include "core/backend/grid/copy.h"

#include <optional>

namespace stridescope::grid {

namespace detail {

template <class Op>
constexpr int arityOf() {
    if constexpr (requires { Op::arity; })
        return Op::arity;
    else if constexpr (UnaryOps::indexOf<Op>() < UnaryOps::size)
        return 1;
    else
        return 2;
}

/// Does Op have a meaning for elements of T? Half arrives as float.
template <class Op, class T>
constexpr bool computesIn() {
    if constexpr (requires { Op::types; })
        return accepts(Op::types, DTypeOf<T>::value);
    else
        return Op::result != ResultKind::Float || std::is_floating_point_v<T>;
}

template <class Op, class T, class... Ts>
STRIDESCOPE_HD auto applied(const std::byte* parameters, Ts... values) {
    if constexpr (requires { Op{}(values..., reinterpret_cast<const T*>(parameters)); })
        return Op{}(values..., reinterpret_cast<const T*>(parameters));
    else if constexpr (requires { Op{}(values..., reinterpret_cast<const double*>(parameters)); })
        return Op{}(values..., reinterpret_cast<const double*>(parameters));
    else
        return Op{}(values...);
}

template <class Op, class... Lists>
constexpr bool isIn() {
    return ((Lists::template indexOf<Op>() < Lists::size) || ...);
}
/// Long ones: what they compute takes more time than what they move, and a body with several copies of one is large.
template <class Op>
inline constexpr bool
    kIsLong = isIn<Op, SpecialUnaryOps, BesselOps, DistributionOps, SlowBinaryOps, FloatBinaryOps, PolynomialOps>() ||
              isIn<Op, OpList<Erfinv, Digamma>>();

/// Bytes of a bool are not looked at as one: any but 0 is true.
template <class T>
using StoredAs = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
STRIDESCOPE_HD T loaded(StoredAs<T> value) {
    if constexpr (std::is_same_v<T, bool>)
        return value != 0;
    else
        return value;
}

} // namespace detail

template <class Op, class T>
struct Elementwise {
    static constexpr int kArity = detail::arityOf<Op>();
    static constexpr int kPack = detail::kIsLong<Op> ? 1 : 16 / sizeof(T);
    using Result = std::conditional_t<Op::result == ResultKind::Comparison, bool, T>;
    static constexpr bool kMayBeHalf = std::is_same_v<T, float>;

    OffsetMap<kArity + 1> map;
    std::byte* data[kArity + 1] = {};
    T value[kArity] = {}; ///< of operands without data
    alignas(8) std::byte parameters[kParameterBytes] = {};
    bool half = false, flat = false;
    Index n = 0;

    STRIDESCOPE_HD void operator()(const Lane& lane) const {
        const Index packs = flat && kPack > 1 ? n / kPack : 0;
        if constexpr (kPack > 1)
            for (Index i = lane.global(); i < packs; i += lane.step()) {
                T in[kArity][kPack];
                for (int o = 0; o < kArity; ++o) loadPack(in[o], o, i);
                Result result[kPack];
                STRIDESCOPE_UNROLL
                for (int k = 0; k < kPack; ++k) {
                    if constexpr (kArity == 1)
                        result[k] = detail::applied<Op, T>(parameters, in[0][k]);
                    else if constexpr (kArity == 2)
                        result[k] = detail::applied<Op, T>(parameters, in[0][k], in[1][k]);
                    else
                        result[k] = detail::applied<Op, T>(parameters, in[0][k], in[1][k], in[2][k]);
                }
                storePack(result, i);
            }
        for (Index i = packs * kPack + lane.global(); i < n; i += lane.step()) {
            Index at[kArity + 1];
            map(i, at);
            T in[kArity];
            for (int o = 0; o < kArity; ++o) in[o] = load(o, at[o + 1]);
            Result result;
            if constexpr (kArity == 1)
                result = detail::applied<Op, T>(parameters, in[0]);
            else if constexpr (kArity == 2)
                result = detail::applied<Op, T>(parameters, in[0], in[1]);
            else
                result = detail::applied<Op, T>(parameters, in[0], in[1], in[2]);
            if constexpr (kMayBeHalf && std::is_same_v<Result, float>) {
                if (half) {
                    *reinterpret_cast<Half*>(data[0] + at[0]) = Half(result);
                    continue;
                }
            }
            *reinterpret_cast<Result*>(data[0] + at[0]) = result;
        }
    }

private:
    STRIDESCOPE_HD T load(int o, Index at) const {
        if (!data[o + 1]) return value[o];
        if constexpr (kMayBeHalf)
            if (half) return static_cast<float>(*reinterpret_cast<const Half*>(data[o + 1] + at));
        return detail::loaded<T>(*reinterpret_cast<const detail::StoredAs<T>*>(data[o + 1] + at));
    }
    STRIDESCOPE_HD void loadPack(T (&to)[kPack], int o, Index i) const {
        if (!data[o + 1]) {
            for (int k = 0; k < kPack; ++k) to[k] = value[o];
            return;
        }
        if constexpr (kMayBeHalf) {
            if (half) {
                const auto pack = loadWhole(reinterpret_cast<const Pack<Half, kPack>*>(data[o + 1]) + i);
                for (int k = 0; k < kPack; ++k) to[k] = static_cast<float>(pack.item[k]);
                return;
            }
        }
        const auto pack = loadWhole(reinterpret_cast<const Pack<detail::StoredAs<T>, kPack>*>(data[o + 1]) + i);
        for (int k = 0; k < kPack; ++k) to[k] = detail::loaded<T>(pack.item[k]);
    }
    STRIDESCOPE_HD void storePack(const Result (&from)[kPack], Index i) const {
        if constexpr (kMayBeHalf && std::is_same_v<Result, float>) {
            if (half) {
                Pack<Half, kPack> pack;
                for (int k = 0; k < kPack; ++k) pack.item[k] = Half(from[k]);
                storeWhole(reinterpret_cast<Pack<Half, kPack>*>(data[0]) + i, pack);
                return;
            }
        }
        Pack<Result, kPack> pack;
        for (int k = 0; k < kPack; ++k) pack.item[k] = from[k];
        storeWhole(reinterpret_cast<Pack<Result, kPack>*>(data[0]) + i, pack);
    }
};

/// Operand `o` of a launch in dtype `wanted`: its memory, and its strides in the levels of the space.
template <class Queue>
class PreparedOperand {
public:
    PreparedOperand(Queue& queue, const ElementwiseArgs& args, int o, DType wanted)
        : m_converts(args.dtype[static_cast<std::size_t>(o)] != wanted), m_room(queue, roomBytes(args, o, wanted)) {
        const LoopSpace& space = args.space;
        data = space.data[o];
        if (!m_converts) {
            for (int level = 0; level < space.levels; ++level) stride[level] = space.stride[level][o];
            return;
        }
        Index step = static_cast<Index>(itemSize(wanted));
        for (int level = 0; level < space.levels; ++level) {
            stride[level] = o != 0 && space.stride[level][o] == 0 ? 0 : step;
            if (stride[level] != 0) step *= space.size[level];
        }
        data = m_room.data();
    }
    /// Elements from the operand's own place to its stand-in, or back.
    void convert(Queue& queue, const ElementwiseArgs& args, int o, DType wanted, bool back) const {
        if (!m_converts) return;
        Loops<2> loops;
        for (int level = 0; level < args.space.levels; ++level) {
            if (stride[level] == 0) continue;
            const Index own = args.space.stride[level][o];
            loops.add(args.space.size[level], {back ? own : stride[level], back ? stride[level] : own});
        }
        const DType own = args.dtype[static_cast<std::size_t>(o)];
        if (back)
            convertElements(queue, loops, args.space.data[o], own, data, wanted);
        else
            convertElements(queue, loops, data, wanted, args.space.data[o], own);
    }
    std::byte* data = nullptr;
    Index stride[kMaxDims];

private:
    std::size_t roomBytes(const ElementwiseArgs& args, int o, DType wanted) const {
        if (!m_converts) return 0;
        std::size_t bytes = itemSize(wanted);
        for (int level = 0; level < args.space.levels; ++level)
            if (o == 0 || args.space.stride[level][o] != 0) bytes *= static_cast<std::size_t>(args.space.size[level]);
        return bytes;
    }
    bool m_converts;
    Room<Queue> m_room;
};

template <class Queue, class Op, class T>
void elementwiseOf(const ElementwiseArgs& args) {
    using Body = Elementwise<Op, T>;
    constexpr int kArity = Body::kArity;
    Queue queue;
    Body body;
    body.half = args.compute == DType::Float16;
    const DType result = Op::result == ResultKind::Comparison ? DType::Bool : args.compute;
    std::optional<PreparedOperand<Queue>> operands[kArity + 1];
    for (int o = 0; o <= kArity; ++o) {
        if (o > 0 && args.isHostScalar[static_cast<std::size_t>(o)]) {
            const DType from = args.dtype[static_cast<std::size_t>(o)];
            if constexpr (Body::kMayBeHalf)
                body.value[o - 1] =
                    body.half ? loadAs<Half>(args.space.data[o], from) : loadAs<float>(args.space.data[o], from);
            else
                body.value[o - 1] = loadAs<T>(args.space.data[o], from);
            continue;
        }
        const DType wanted = o == 0 ? result : args.compute;
        operands[o].emplace(queue, args, o, wanted);
        if (o > 0) operands[o]->convert(queue, args, o, wanted, false);
        body.data[o] = operands[o]->data;
    }
    Loops<kArity + 1> loops;
    for (int level = 0; level < args.space.levels; ++level) {
        std::array<Index, kArity + 1> stride{};
        for (int o = 0; o <= kArity; ++o)
            stride[static_cast<std::size_t>(o)] = operands[o] ? operands[o]->stride[level] : 0;
        loops.add(args.space.size[level], stride);
    }
    body.flat = Body::kPack > 1;
    for (int o = 0; o <= kArity; ++o) {
        if (!operands[o]) continue;
        const auto item = static_cast<Index>(itemSize(o == 0 ? result : args.compute));
        body.flat &= loops.isRun(o, item) && isAligned(body.data[o], item * Body::kPack);
    }
    const HeldMap held(queue, loops);
    body.map = held.map;
    if (args.parameters) std::memcpy(body.parameters, args.parameters, kParameterBytes);
    body.n = loops.count();
    queue.launch(Op::name, blocksFor(queue, body.flat ? body.n / Body::kPack + 1 : body.n), body);
    operands[0]->convert(queue, args, 0, result, true);
}

/// The table's entry: chooses the body by the compute type.
template <class Queue, class Op>
void elementwiseEntry(const ElementwiseArgs& args) {
    if (args.space.numel() == 0) return;
    visitDType(args.compute, [&args](auto tag) {
        using Stored = typename decltype(tag)::type;
        using T = Work<Stored>;
        if constexpr (detail::computesIn<Op, T>()) elementwiseOf<Queue, Op, T>(args);
    });
}

template <class Queue, class... Ops>
void bindBinary(KernelTable& table, OpList<Ops...>) {
    ((table.binary[BinaryOps::indexOf<Ops>()] = elementwiseEntry<Queue, Ops>), ...);
}
template <class Queue, class... Ops>
void bindUnary(KernelTable& table, OpList<Ops...>) {
    ((table.unary[UnaryOps::indexOf<Ops>()] = elementwiseEntry<Queue, Ops>), ...);
}
template <class Queue, class... Ops>
void bindMath(KernelTable& table, OpList<Ops...>) {
    ((table.math[MathOps::indexOf<Ops>()] = elementwiseEntry<Queue, Ops>), ...);
}

} // namespace stridescope::grid
