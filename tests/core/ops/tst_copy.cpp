// Copies, conversions, fills and clones over the zoo; large transposes on every instruction set; overlapping storages.
#include "core/backend/backend.h"
#include "core/backend/cpu/blocks.h"
#include "core/backend/cpu/isa_table.h"
#include "core/backend/cpu/thread_pool.h"
#include "core/ops/copy.h"
#include "core/ops/pointwise.h"
#include "core/ops/views.h"
#include "core/trace/op_record.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_zoo.h"

#include <QTest>
#include <cstring>

using namespace stridescope;
using namespace stridescope::test;

namespace {

template <class E, class F>
std::string refusalId(F&& f) {
    try {
        f();
    } catch (const E& e) {
        return e.refusal().id;
    } catch (const Error& e) {
        return "another class: " + e.refusal().id;
    }
    return "not refused";
}

bool sameElements(const std::vector<Scalar>& a, const std::vector<Scalar>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), sameElement);
}

/// Distinct bytes in every element, so that a misplaced one shows.
Tensor counted(const Dims& shape, DType dtype) {
    const View v = contiguousView(shape).valueOrThrow();
    Tensor t(zooStorage(dtype, std::max<Index>(1, v.numel())), v, dtype);
    auto* bytes = reinterpret_cast<unsigned char*>(t.storage()->data());
    const auto size = static_cast<std::size_t>(t.nbytes());
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = dtype == DType::Bool ? static_cast<unsigned char>((i * 7 / 3) & 1u)
                                        : static_cast<unsigned char>((i * 2654435761u) >> 13);
    return t;
}

/// Are the bytes of the elements of `copy` those of `source`, both in row-major order?
bool sameBytes(const Tensor& copy, const Tensor& source) {
    const auto item = source.itemSize();
    const Dims& shape = source.shape();
    Dims coord(shape.size(), 0);
    for (Index p = 0; p < source.numel(); ++p) {
        Index rest = p;
        for (std::size_t d = shape.size(); d-- > 0;) {
            coord[d] = rest % shape[d];
            rest /= shape[d];
        }
        const std::byte* a = copy.storage()->data() + static_cast<std::size_t>(copy.view().slot(coord)) * item;
        const std::byte* b = source.storage()->data() + static_cast<std::size_t>(source.view().slot(coord)) * item;
        if (std::memcmp(a, b, item) != 0) return false;
    }
    return true;
}

} // namespace

class TestCopy : public QObject {
    Q_OBJECT

    std::vector<const cpu::IsaTable*> m_isas;
    const cpu::IsaTable* m_before = &cpu::isa();
    const int m_threads = numThreads();

private Q_SLOTS:
    void initTestCase() {
        for (const char* isa : {"plain", "avx2", "avx512"})
            if (const cpu::IsaTable* table = cpu::isaByName(isa)) m_isas.push_back(table);
        QVERIFY(!m_isas.empty());
    }
    void cleanup() {
        cpu::forceIsa(*m_before);
        cpu::setStreamThreshold(0);
        setNumThreads(m_threads);
    }

    void everyDtypePairAndLayout() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const ZooView& layout : zooViews()) {
                for (const DType from : kRealDTypes) {
                    for (const DType target : kRealDTypes) {
                        const Tensor src = zooTensor(layout, from);
                        const Tensor converted = to(src, target);
                        std::vector<Scalar> wanted = broadcastElements(src, src.shape());
                        for (Scalar& s : wanted) s = slowConvert(s, target);
                        QVERIFY2(sameElements(broadcastElements(converted, src.shape()), wanted), layout.name.c_str());
                        if (layout.overlaps) continue;
                        // Into the layout: the elements arrive, and putting the old ones back restores every byte.
                        const Tensor dst = zooTensor(layout, target);
                        const std::vector<std::byte> before = bytesOf(dst);
                        const Tensor old = clone(dst);
                        copy_(dst, clone(src));
                        QVERIFY2(sameElements(broadcastElements(dst, src.shape()), wanted), layout.name.c_str());
                        copy_(dst, old);
                        QVERIFY2(bytesOf(dst) == before, layout.name.c_str());
                    }
                }
            }
        }
    }

    void transposes_data() {
        QTest::addColumn<QList<qlonglong>>("shape");
        QTest::addColumn<QList<qlonglong>>("order");
        using L = QList<qlonglong>;
        QTest::newRow("square") << L{256, 256} << L{1, 0};
        QTest::newRow("odd") << L{131, 67} << L{1, 0};
        QTest::newRow("tall") << L{700, 9} << L{1, 0};
        QTest::newRow("wide") << L{9, 700} << L{1, 0};
        QTest::newRow("cube") << L{40, 24, 56} << L{2, 1, 0};
        QTest::newRow("image to planes") << L{5, 32, 32, 3} << L{0, 3, 1, 2};
        QTest::newRow("planes to image") << L{5, 3, 32, 32} << L{0, 2, 3, 1};
        QTest::newRow("batch of matrices") << L{6, 33, 47} << L{0, 2, 1};
    }
    void transposes() {
        QFETCH(QList<qlonglong>, shape);
        QFETCH(QList<qlonglong>, order);
        Dims dims, permutation;
        for (const qlonglong n : shape) dims.push_back(n);
        for (const qlonglong n : order) permutation.push_back(n);
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const std::size_t threshold : {std::size_t{0}, std::size_t{64}}) { // cached, then streamed
                cpu::setStreamThreshold(threshold);
                for (const DType dtype : kRealDTypes) {
                    const Tensor source = permute(counted(dims, dtype), permutation);
                    const Tensor copy = contiguous(source);
                    QVERIFY(copy.isContiguous());
                    QVERIFY2(sameBytes(copy, source), table->name);
                }
                const Tensor x = permute(counted(dims, DType::Int32), permutation);
                const Tensor straight = contiguous(x);
                QVERIFY(sameElements(broadcastElements(add(straight, x), x.shape()),
                                     broadcastElements(add(straight, straight), x.shape())));
                QVERIFY(sameElements(broadcastElements(to(x, DType::Float64), x.shape()),
                                     broadcastElements(to(straight, DType::Float64), x.shape())));
            }
        }
    }

    void onSeveralThreads() {
        setNumThreads(3);
        const Tensor x = counted({600, 500}, DType::Float32), y = counted({300'000}, DType::Int16);
        QVERIFY(sameBytes(contiguous(t(x)), t(x)));
        QVERIFY(sameBytes(clone(y), y));
        QVERIFY(sameBytes(contiguous(slice(y, 0, 1, {}, 2)), slice(y, 0, 1, {}, 2)));
        const Tensor z = counted({300'000}, DType::Float32);
        fill_(z, Scalar(2.5));
        for (const Scalar s : broadcastElements(z, z.shape())) QCOMPARE(s.toDouble(), 2.5);
    }

    void overlapOfOneStorage_data() {
        QTest::addColumn<int>("shift");
        for (const int shift : {-3, -1, 1, 3, 50}) QTest::addRow("shift %d", shift) << shift;
    }
    void overlapOfOneStorage() {
        QFETCH(int, shift);
        const Tensor t = counted({2000}, DType::Int32);
        const std::vector<Scalar> before = broadcastElements(t, t.shape());
        const Index n = 1900;
        const Tensor to = narrow(t, 0, 50 + shift, n), from = narrow(t, 0, 50, n);
        // As PyTorch: dense views that share slots in another order are refused, and nothing changes.
        QCOMPARE(refusalId<ShapeError>([&] { copy_(to, from); }), std::string("OVERLAP-03"));
        QCOMPARE(broadcastElements(t, t.shape()), before);
        // Every other element: views with gaps; all of the source counts as read before the first write.
        const Tensor gapsTo = slice(to, 0, 0, {}, 2), gapsFrom = slice(from, 0, 0, {}, 2);
        copy_(gapsTo, gapsFrom);
        const std::vector<Scalar> after = broadcastElements(t, t.shape());
        for (Index i = 0; i < 2000; ++i) {
            const bool written = i >= 50 + shift && i < 50 + shift + n && (i - 50 - shift) % 2 == 0;
            QCOMPARE(after[static_cast<std::size_t>(i)].toInt(),
                     before[static_cast<std::size_t>(written ? i - shift : i)].toInt());
        }
    }

    void squareOntoItsTranspose() {
        const Tensor x = counted({70, 70}, DType::Int64);
        try {
            copy_(x, t(x));
            QFAIL("not refused");
        } catch (const ShapeError& e) {
            QCOMPARE(e.refusal().id, std::string("OVERLAP-03"));
            QVERIFY2(e.refusal().hint.starts_with("Element [0, 1] of the input and element [1, 0] of the written-to "
                                                  "tensor both lie in slot 70."),
                     e.refusal().hint.c_str());
        }
        const Tensor wide = counted({70, 141}, DType::Int64), square = narrow(wide, 1, 1, 70); // with gaps
        const std::vector<Scalar> wanted = broadcastElements(t(square), {70, 70});
        copy_(square, t(square));
        QVERIFY(sameElements(broadcastElements(square, {70, 70}), wanted));
    }

    void fills() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const ZooView& layout : zooViews()) {
                for (const DType dtype : kRealDTypes) {
                    const Tensor t = zooTensor(layout, dtype);
                    const std::vector<std::byte> before = bytesOf(t);
                    const Tensor old = clone(t);
                    fill_(t, Scalar(3));
                    for (const Scalar s : broadcastElements(t, t.shape()))
                        QVERIFY2(sameElement(s, slowConvert(Scalar(3), dtype)), layout.name.c_str());
                    if (layout.overlaps) continue;
                    copy_(t, old);
                    QVERIFY2(bytesOf(t) == before, layout.name.c_str());
                }
            }
        }
    }

    void fillChecksTheRange_data() {
        QTest::addColumn<int>("dtype");
        QTest::addColumn<double>("value");
        QTest::addColumn<bool>("isInt");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char* name, DType t, double v, bool isInt, bool fits) {
            QTest::newRow(name) << static_cast<int>(t) << v << isInt << fits;
        };
        row("uint8 300", DType::UInt8, 300, true, false);
        row("uint8 -1", DType::UInt8, -1, true, true);
        row("uint8 -255", DType::UInt8, -255, true, true);
        row("uint8 -256", DType::UInt8, -256, true, false);
        row("uint8 -1.5", DType::UInt8, -1.5, false, false);
        row("int8 200", DType::Int8, 200, true, false);
        row("int8 -128", DType::Int8, -128, true, true);
        row("int32 2^40", DType::Int32, 1099511627776.0, true, false);
        row("int64 1.7", DType::Int64, 1.7, false, true);
        row("int64 2^63", DType::Int64, 0x1p63, false, false);
        row("int64 nan", DType::Int64, std::nan(""), false, false);
        row("half 65504", DType::Float16, 65504, false, true);
        row("half 65519", DType::Float16, 65519, false, false);
        row("half inf", DType::Float16, std::numeric_limits<double>::infinity(), false, true);
        row("float 1e300", DType::Float32, 1e300, false, false);
        row("bool 7", DType::Bool, 7, true, true);
    }
    void fillChecksTheRange() {
        QFETCH(int, dtype);
        QFETCH(double, value);
        QFETCH(bool, isInt);
        QFETCH(bool, fits);
        const Tensor t = counted({4}, static_cast<DType>(dtype));
        const std::vector<std::byte> before = bytesOf(t);
        const Scalar s = isInt ? Scalar(static_cast<Index>(value)) : Scalar(value);
        if (fits) {
            fill_(t, s);
            QVERIFY(sameElement(broadcastElements(t, {4})[3], slowConvert(s, static_cast<DType>(dtype))));
        } else {
            QCOMPARE(refusalId<ShapeError>([&] { fill_(t, s); }), std::string("FILL-01"));
            QVERIFY(bytesOf(t) == before);
        }
    }

    void cloneStrides_data() {
        QTest::addColumn<QList<qlonglong>>("shape");
        QTest::addColumn<QList<qlonglong>>("stride");
        QTest::addColumn<QList<qlonglong>>("wanted");
        using L = QList<qlonglong>; // PyTorch 1.13's answers
        QTest::newRow("transposed") << L{3, 2} << L{1, 3} << L{1, 3};
        QTest::newRow("expanded") << L{3, 4} << L{1, 0} << L{4, 1};
        QTest::newRow("permuted, every second") << L{2, 2, 3} << L{2, 12, 4} << L{1, 6, 2};
        QTest::newRow("empty, permuted") << L{3, 2, 0} << L{1, 3, 3} << L{1, 3, 3};
        QTest::newRow("odd stride of a size-1 dim") << L{1, 3} << L{77, 1} << L{77, 1};
    }
    void cloneStrides() {
        QFETCH(QList<qlonglong>, shape);
        QFETCH(QList<qlonglong>, stride);
        QFETCH(QList<qlonglong>, wanted);
        View v;
        for (const qlonglong n : shape) v.shape.push_back(n);
        for (const qlonglong n : stride) v.stride.push_back(n);
        const Tensor t(zooStorage(DType::Float32, 200), v, DType::Float32);
        QList<qlonglong> got, converted;
        const Tensor cloned = clone(t), other = to(t, DType::Int32);
        for (const Index s : cloned.stride()) got.push_back(s);
        for (const Index s : other.stride()) converted.push_back(s);
        QCOMPARE(got, wanted);
        QCOMPARE(converted, wanted);
        QVERIFY(contiguous(t).isContiguous());
    }

    void sameTensorIsPassedOn() {
        const Tensor t = counted({3, 4}, DType::Float32);
        QCOMPARE(contiguous(t).storage()->id(), t.storage()->id());
        QCOMPARE(to(t, DType::Float32).storage()->id(), t.storage()->id());
        QCOMPARE(to(t, Device{}).storage()->id(), t.storage()->id());
        QVERIFY(clone(t).storage()->id() != t.storage()->id());
        QVERIFY(to(t, DType::Float64).storage()->id() != t.storage()->id());
    }

    void refusals() {
        const Tensor f3 = counted({3}, DType::Float32), f4 = counted({4}, DType::Float32);
        const Tensor m = counted({2, 3}, DType::Float32);
        QCOMPARE(refusalId<ShapeError>([&] { copy_(f3, f4); }), std::string("VIEW-34"));
        QCOMPARE(refusalId<ShapeError>([&] { copy_(f3, m); }), std::string("SHAPE-OUT"));
        QCOMPARE(refusalId<ShapeError>([&] { copy_(expand(f3, {2, 3}), m); }), std::string("OVERLAP-01"));
        QCOMPARE(refusalId<ShapeError>([&] { fill_(f3, f4); }), std::string("FILL-02"));
        QCOMPARE(refusalId<ValueError>([&] { copy_(f3, Tensor()); }), std::string("TENSOR-02"));
        QCOMPARE(refusalId<ValueError>([&] { clone(Tensor()); }), std::string("TENSOR-02"));
        try {
            copy_(expand(f3, {2, 3}), m);
            QFAIL("not refused");
        } catch (const ShapeError& e) {
            const auto* witness = std::get_if<SelfOverlap>(&e.refusal().detail);
            QVERIFY(witness);
            QVERIFY(witness->first != witness->second);
        }
        unsigned char bytes[12] = {};
        const Tensor readOnly(Storage::wrap(bytes, sizeof bytes, {}, nullptr, "mapped file", false), f3.view(),
                              DType::Float32);
        QCOMPARE(refusalId<ShapeError>([&] { copy_(readOnly, f3); }), std::string("WRITE-01"));
        QCOMPARE(refusalId<ShapeError>([&] { fill_(readOnly, Scalar(1)); }), std::string("WRITE-01"));
        QCOMPARE(refusalId<ShapeError>([&] { add_(readOnly, Scalar(1)); }), std::string("WRITE-01"));
        QCOMPARE(int{bytes[0]}, 0);
        if (!kernelsFor(Device{DeviceType::Cuda, 0}))
            QCOMPARE(refusalId<DeviceError>([&] { to(f3, Device{DeviceType::Cuda, 0}); }), std::string("DEV-13"));
    }

    void recordsTellBytes() {
        std::vector<OpRecord> records;
        const Tensor x = counted({3, 4}, DType::Float32);
        {
            const OpSubscription subscription([&](const OpRecord& r) { records.push_back(r); });
            contiguous(x);
            contiguous(t(x));
            to(x, DType::UInt8);
            copy_(x, x);
            fill_(x, Scalar(1.5));
        }
        QCOMPARE(records.size(), std::size_t{6}); // with t
        QCOMPARE(records[0].effect, OpEffect::Alias);
        QCOMPARE(records[0].bytesRead, Index{0});
        QCOMPARE(records[2].effect, OpEffect::Alloc);
        QCOMPARE(records[2].bytesAllocated, Index{48});
        QCOMPARE(records[3].arguments, std::string("torch.uint8"));
        QCOMPARE(records[3].bytesRead, Index{48});
        QCOMPARE(records[3].bytesWritten, Index{12});
        QCOMPARE(records[4].effect, OpEffect::InPlace);
        QCOMPARE(records[5].arguments, std::string("1.5"));
        QCOMPARE(records[5].bytesWritten, Index{48});
    }
};

QTEST_GUILESS_MAIN(TestCopy)
#include "tst_copy.moc"
