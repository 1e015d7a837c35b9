// The arithmetic and index code of the CUDA kernels, run on the CPU: the same headers, one element after the other,
// compared with the CPU's own kernels.

#include "core/backend/loop/element_access.h"

#include <QTest>

#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace stridescope;

class TestElementAccess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void binaryAsOnTheCpu_data();
    void binaryAsOnTheCpu();
    void negationAsOnTheCpu();
    void copiesAsOnTheCpu();
    void indexMapsAgree();
};

namespace {

constexpr Index kRows = 7, kCols = 5;

/// Values that matter: zeros, fractions, both signs, NaN where there is one.
std::vector<std::byte> values(DType dtype, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(static_cast<std::size_t>(kRows * kCols) * 2 * itemSize(dtype));
    visitDType(dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        auto* out = reinterpret_cast<T*>(bytes.data());
        for (Index i = 0; i < kRows * kCols * 2; ++i) {
            const auto r = static_cast<int>(random() % 41) - 20;
            if constexpr (std::is_same_v<T, bool>) {
                out[i] = r % 2 != 0;
            } else if constexpr (std::is_same_v<T, Half> || std::is_floating_point_v<T>) {
                const float nan = std::numeric_limits<float>::quiet_NaN();
                out[i] = T(i % 13 == 12 ? nan : static_cast<float>(r) / 8);
            } else {
                out[i] = static_cast<T>(r);
            }
        }
    });
    return bytes;
}

/// Loops over a transposed left operand, a stepped right one and a contiguous output.
ElementwiseArgs strided(DType out, DType left, DType right, DType compute, std::byte* o, std::byte* a, std::byte* b) {
    const View outView{{kRows, kCols}, {kCols, 1}, 0};
    const View leftView{{kRows, kCols}, {1, kRows}, 0};
    const View rightView{{kRows, kCols}, {2 * kCols, 2}, 0};
    const LoopOperand operands[]{
        {&outView, o, itemSize(out)}, {&leftView, a, itemSize(left)}, {&rightView, b, itemSize(right)}};
    ElementwiseArgs args;
    args.compute = compute;
    args.dtype = {out, left, right};
    buildLoopSpace(args.space, outView.shape, std::span(operands).first(b ? 3u : 2u));
    return args;
}

/// What the threads of a device do, one after the other.
template <class Op, class Compute>
void asOnADevice(const ElementwiseArgs& args) {
    for (Index i = 0; i < args.space.numel(); ++i) {
        Index offset[kMaxOperands]{};
        if (args.space.operands == 3) {
            std::int32_t narrow[3];
            IndexMap32<3, 8>(args.space).offsets(static_cast<std::uint32_t>(i), narrow);
            for (int o = 0; o < 3; ++o) offset[o] = narrow[o];
        } else {
            Index wide[2];
            offsetsOf(args.space, i, wide);
            for (int o = 0; o < 2; ++o) offset[o] = wide[o];
        }
        const auto x = loadAs<Compute>(args.space.data[1] + offset[1], args.dtype[1]);
        if constexpr (requires { Op{}(x); }) {
            storeAs(args.space.data[0] + offset[0], args.dtype[0], computeUnary<Op, Compute>(x));
        } else {
            const auto y = loadAs<Compute>(args.space.data[2] + offset[2], args.dtype[2]);
            storeAs(args.space.data[0] + offset[0], args.dtype[0], computeBinary<Op, Compute>(x, y));
        }
    }
}

/// Bytes equal, or both NaN (payloads may differ). -1: all alike.
Index firstDifference(DType dtype, const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    for (Index i = 0; i < kRows * kCols; ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * itemSize(dtype);
        const bool same = visitDType(dtype, [&](auto tag) {
            using T = typename decltype(tag)::type;
            T x, y;
            std::memcpy(&x, a.data() + at, sizeof(T));
            std::memcpy(&y, b.data() + at, sizeof(T));
            return (!(x == x) && !(y == y)) || std::memcmp(&x, &y, sizeof(T)) == 0;
        });
        if (!same) return i;
    }
    return -1;
}

template <class Op>
QString compareBinary(DType left, DType right) {
    const DType promoted = promoteTypes(left, right);
    const DType compute = Op::result == ResultKind::Float && !isFloating(promoted) ? DType::Float32 : promoted;
    const DType out = Op::result == ResultKind::Comparison ? DType::Bool : compute;
    std::vector<std::byte> a = values(left, 1), b = values(right, 2);
    std::vector<std::byte> device(static_cast<std::size_t>(kRows * kCols) * itemSize(out)), host(device.size());
    visitDType(compute, [&](auto tag) {
        using Compute = typename decltype(tag)::type;
        if constexpr (Op::result != ResultKind::Float || std::is_floating_point_v<Work<Compute>>) {
            asOnADevice<Op, Compute>(strided(out, left, right, compute, device.data(), a.data(), b.data()));
        }
    });
    cpuKernels()[binaryOp<Op>](strided(out, left, right, compute, host.data(), a.data(), b.data()));
    const Index at = firstDifference(out, device, host);
    return at < 0 ? QString() : QStringLiteral("%1 differs at %2").arg(QLatin1String(Op::name)).arg(at);
}

template <class... Ops>
QStringList compareAll(OpList<Ops...>, DType left, DType right) {
    QStringList wrong{compareBinary<Ops>(left, right)...};
    wrong.removeAll(QString());
    return wrong;
}

} // namespace

void TestElementAccess::binaryAsOnTheCpu_data() {
    QTest::addColumn<int>("left");
    QTest::addColumn<int>("right");
    for (const DType left : kRealDTypes) {
        for (const DType right : kRealDTypes) {
            QTest::addRow("%s and %s", std::string(name(left)).c_str(), std::string(name(right)).c_str())
                << int(left) << int(right);
        }
    }
}

void TestElementAccess::binaryAsOnTheCpu() {
    QFETCH(int, left);
    QFETCH(int, right);
    QCOMPARE(compareAll(BinaryOps{}, static_cast<DType>(left), static_cast<DType>(right)), QStringList());
}

void TestElementAccess::negationAsOnTheCpu() {
    for (const DType dtype : kRealDTypes) {
        if (dtype == DType::Bool) continue; // refused before any kernel
        std::vector<std::byte> a = values(dtype, 3);
        std::vector<std::byte> device(static_cast<std::size_t>(kRows * kCols) * itemSize(dtype)), host(device.size());
        visitDType(dtype, [&](auto tag) {
            using T = typename decltype(tag)::type;
            asOnADevice<Neg, T>(strided(dtype, dtype, dtype, dtype, device.data(), a.data(), nullptr));
        });
        cpuKernels()[unaryOp<Neg>](strided(dtype, dtype, dtype, dtype, host.data(), a.data(), nullptr));
        QCOMPARE(firstDifference(dtype, device, host), Index{-1});
    }
}

void TestElementAccess::copiesAsOnTheCpu() {
    for (const DType from : kRealDTypes) {
        for (const DType to : kRealDTypes) {
            std::vector<std::byte> a = values(from, 4);
            std::vector<std::byte> device(static_cast<std::size_t>(kRows * kCols) * itemSize(to)), host(device.size());
            const ElementwiseArgs args = strided(to, from, from, to, device.data(), a.data(), nullptr);
            for (Index i = 0; i < args.space.numel(); ++i) {
                Index offset[2];
                offsetsOf(args.space, i, offset);
                visitDType(from, [&](auto tag) {
                    using From = typename decltype(tag)::type;
                    storeAs(args.space.data[0] + offset[0], to,
                            *reinterpret_cast<const From*>(args.space.data[1] + offset[1]));
                });
            }
            cpuKernels().copy(strided(to, from, from, to, host.data(), a.data(), nullptr));
            QCOMPARE(firstDifference(to, device, host), Index{-1});
        }
    }
}

void TestElementAccess::indexMapsAgree() {
    LoopSpace space;
    space.levels = 3;
    space.operands = 3;
    const Index sizes[]{3, 65537, 5}, strides[3][3]{{4, 8, 0}, {12, -8, 4}, {-4, 0, 400}};
    for (int level = 0; level < 3; ++level) {
        space.size[level] = sizes[level];
        for (int o = 0; o < 3; ++o) space.stride[level][o] = strides[level][o];
    }
    const IndexMap32<3, 8> map(space);
    for (Index i = 0; i < space.numel(); i += 97) {
        std::int32_t narrow[3];
        Index wide[3];
        map.offsets(static_cast<std::uint32_t>(i), narrow);
        offsetsOf(space, i, wide);
        for (int o = 0; o < 3; ++o) QCOMPARE(Index{narrow[o]}, wide[o]);
    }
}

QTEST_GUILESS_MAIN(TestElementAccess)
#include "tst_element_access.moc"
