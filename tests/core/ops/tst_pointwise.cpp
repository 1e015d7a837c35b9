// Every element-wise operation over every pair of dtypes and every layout of the zoo, against the slow model.
#include "core/backend/backend.h"
#include "core/backend/cpu/isa_table.h"
#include "core/ops/copy.h"
#include "core/ops/pointwise.h"
#include "core/ops/promotion.h"
#include "core/storage/memory_budget.h"
#include "core/trace/op_record.h"
#include "core/view/broadcast.h"
#include "tests/support/instrumented.h"
#include "tests/support/slow_model.h"
#include "tests/support/view_zoo.h"

#include <QTest>
#include <cmath>

using namespace stridescope;
using namespace stridescope::test;

namespace {

constexpr BinaryOp opAt(std::size_t i) {
    return static_cast<BinaryOp>(i);
}

DType modelCompute(BinaryOp op, const Tensor& a, const Tensor& b) {
    const DType common = resultType(a, b);
    return std::string_view(name(op)) == "div" && !isFloating(common) ? DType::Float32 : common;
}

bool refusesBool(BinaryOp op, const Tensor& a, const Tensor& b) {
    return std::string_view(name(op)) == "sub" && (a.dtype() == DType::Bool || b.dtype() == DType::Bool);
}

/// First difference between `got` and the model's answer, or "".
QString differs(BinaryOp op, const Tensor& a, const Tensor& b, const Tensor& got, DType compute) {
    const std::vector<Scalar> x = broadcastElements(a, got.shape()), y = broadcastElements(b, got.shape());
    const std::vector<Scalar> z = broadcastElements(got, got.shape());
    for (std::size_t i = 0; i < z.size(); ++i) {
        const Scalar wanted = slowConvert(slowBinary(name(op), x[i], y[i], compute), got.dtype());
        if (!sameElement(z[i], wanted))
            return QStringLiteral("%1 %2 %3 at %4: got %5, wanted %6")
                .arg(QString::fromStdString(show(x[i])), QLatin1String(name(op)), QString::fromStdString(show(y[i])))
                .arg(i)
                .arg(QString::fromStdString(show(z[i])), QString::fromStdString(show(wanted)));
    }
    return {};
}

/// A tensor of these element values, contiguous, of shape {n}.
Tensor tensorOf(const std::vector<Scalar>& values, DType dtype) {
    const auto n = static_cast<Index>(values.size());
    StoragePtr storage = Storage::allocate(static_cast<std::size_t>(n) * itemSize(dtype), allocatorFor({}));
    View v;
    v.shape = {n};
    v.stride = {1};
    Tensor t(std::move(storage), v, dtype);
    for (Index i = 0; i < n; ++i) {
        visitDType(dtype, [&](auto tag) {
            using T = typename decltype(tag)::type;
            t.data<T>()[i] = values[static_cast<std::size_t>(i)].template to<T>();
        });
    }
    return t;
}

std::vector<Scalar> specials(DType dtype) {
    std::vector<Scalar> v;
    if (isFloating(dtype)) {
        const double inf = std::numeric_limits<double>::infinity();
        for (const double x : {0.0,          -0.0,          1.0,          -1.0,   0.1,  2.5,   -3.5,        300.0,
                               65504.0,      65519.0,       1e-7,         6e-8,   1e10, -1e10, 3e38,        1e300,
                               2147483647.0, -2147483648.0, 4294967301.0, 9.3e18, inf,  -inf,  std::nan("")})
            v.push_back(slowConvert(Scalar(x), dtype));
    } else if (dtype == DType::Bool) {
        v = {Scalar(false), Scalar(true)};
    } else {
        for (const Index x :
             {Index{0}, Index{1}, Index{-1}, Index{2}, Index{7}, Index{100}, Index{127}, Index{-128}, Index{255},
              Index{32767}, Index{-32768}, Index{2049}, Index{2147483647}, Index{-2147483648}, Index{1} << 40,
              std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min()})
            v.push_back(slowConvert(Scalar(x), dtype));
    }
    return v;
}

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

} // namespace

class TestPointwise : public QObject {
    Q_OBJECT

    std::vector<const cpu::IsaTable*> m_isas;
    const cpu::IsaTable* m_before = &cpu::isa();

private Q_SLOTS:
    void initTestCase() {
        for (const char* isa : {"plain", "avx2", "avx512"})
            if (const cpu::IsaTable* table = cpu::isaByName(isa)) m_isas.push_back(table);
        QVERIFY(!m_isas.empty());
        qInfo("instruction sets tested: %d of 3", static_cast<int>(m_isas.size()));
    }
    void cleanup() { cpu::forceIsa(*m_before); }

    void everyOpDtypePairAndLayout_data() {
        QTest::addColumn<int>("op");
        for (std::size_t op = 0; op < BinaryOps::size; ++op)
            QTest::newRow(BinaryOps::names[op]) << static_cast<int>(op);
    }
    void everyOpDtypePairAndLayout() {
        QFETCH(int, op);
        const BinaryOp binaryOp = opAt(static_cast<std::size_t>(op));
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            std::size_t turn = 0;
            for (const ZooView& layout : zooViews()) {
                const bool large = layout.view.numel() > 2000;
                ++turn;
                for (const DType da : kRealDTypes) {
                    for (const DType db : kRealDTypes) {
                        // The large layouts cost most of the time: there, pairs that take different paths.
                        if (large && da != db &&
                            !(da == DType::Float32 && (db == DType::Int64 || db == DType::Float16)))
                            continue;
                        // Under a sanitizer a third of the pairs, another third for the next layout.
                        if (kInstrumented && (kThreadSanitizer || !large) &&
                            (static_cast<std::size_t>(da) + static_cast<std::size_t>(db) + turn) % 3 != 0)
                            continue;
                        const Tensor a = zooTensor(layout, da);
                        const Tensor b = clone(zooTensor(layout, db));
                        if (refusesBool(binaryOp, a, b)) continue;
                        const Tensor ab = binary(binaryOp, a, b), ba = binary(binaryOp, b, a);
                        const auto where = [&](const QString& d) {
                            return QStringLiteral("%1 %2 %3 %4: %5")
                                .arg(QLatin1String(table->name), QString::fromStdString(layout.name),
                                     QString::fromStdString(std::string(name(da))),
                                     QString::fromStdString(std::string(name(db))), d)
                                .toUtf8();
                        };
                        const QString d1 = differs(binaryOp, a, b, ab, modelCompute(binaryOp, a, b));
                        QVERIFY2(d1.isEmpty(), where(d1).constData());
                        const QString d2 = differs(binaryOp, b, a, ba, modelCompute(binaryOp, b, a));
                        QVERIFY2(d2.isEmpty(), where(d2).constData());
                    }
                }
            }
        }
    }

    void specialValues() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const DType da : kRealDTypes) {
                for (const DType db : kRealDTypes) {
                    // The outer product of the special values, so that every one meets every other.
                    const std::vector<Scalar> va = specials(da), vb = specials(db);
                    std::vector<Scalar> x, y;
                    for (const Scalar p : va)
                        for (const Scalar q : vb) {
                            x.push_back(p);
                            y.push_back(q);
                        }
                    const Tensor a = tensorOf(x, da), b = tensorOf(y, db);
                    for (std::size_t op = 0; op < BinaryOps::size; ++op) {
                        if (refusesBool(opAt(op), a, b)) continue;
                        const Tensor c = binary(opAt(op), a, b);
                        const QString d = differs(opAt(op), a, b, c, modelCompute(opAt(op), a, b));
                        QVERIFY2(d.isEmpty(), qPrintable(QStringLiteral("%1 %2 %3: %4")
                                                             .arg(QLatin1String(table->name),
                                                                  QString::fromStdString(std::string(name(da))),
                                                                  QString::fromStdString(std::string(name(db))), d)));
                    }
                }
            }
        }
    }

    void conversions() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const DType from : kRealDTypes) {
                std::vector<Scalar> values;
                for (int repeat = 0; repeat < 5; ++repeat) // past the vector loops' tails
                    for (const Scalar s : specials(from)) values.push_back(s);
                const Tensor t = tensorOf(values, from);
                for (const DType target : kRealDTypes) {
                    const Tensor c = to(t, target);
                    QCOMPARE(c.dtype(), target);
                    const std::vector<Scalar> got = broadcastElements(c, c.shape());
                    for (std::size_t i = 0; i < got.size(); ++i) {
                        const Scalar wanted = slowConvert(values[i], target);
                        QVERIFY2(sameElement(got[i], wanted),
                                 qPrintable(QStringLiteral("%1 %2 -> %3: %4 gave %5, wanted %6")
                                                .arg(QLatin1String(table->name),
                                                     QString::fromStdString(std::string(name(from))),
                                                     QString::fromStdString(std::string(name(target))),
                                                     QString::fromStdString(show(values[i])),
                                                     QString::fromStdString(show(got[i])),
                                                     QString::fromStdString(show(wanted)))));
                    }
                }
            }
        }
    }

    void unaryOps() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const ZooView& layout : zooViews()) {
                for (const DType dtype : kRealDTypes) {
                    if (dtype == DType::Bool) continue;
                    const Tensor a = zooTensor(layout, dtype);
                    const std::vector<Scalar> x = broadcastElements(a, a.shape());
                    for (std::size_t op = 0; op < UnaryOps::size; ++op) {
                        const Tensor c = unary(static_cast<UnaryOp>(op), a);
                        const std::vector<Scalar> got = broadcastElements(c, c.shape());
                        QCOMPARE(got.size(), x.size());
                        for (std::size_t i = 0; i < got.size(); ++i)
                            QVERIFY2(sameElement(got[i], slowUnary(UnaryOps::names[op], x[i], dtype)),
                                     layout.name.c_str());
                    }
                }
            }
        }
    }

    void broadcasting_data() {
        QTest::addColumn<QList<qlonglong>>("first");
        QTest::addColumn<QList<qlonglong>>("second");
        using L = QList<qlonglong>;
        QTest::newRow("textbook") << L{3, 1, 5} << L{1, 4, 5};
        QTest::newRow("tiny inner") << L{20, 1, 5} << L{1, 300, 5};
        QTest::newRow("tiny inner, odd") << L{3, 1, 7} << L{1, 151, 7};
        QTest::newRow("column") << L{70, 1} << L{70, 90};
        QTest::newRow("row") << L{90} << L{70, 90};
        QTest::newRow("outer product") << L{60, 1} << L{1, 70};
        QTest::newRow("0-d") << L{} << L{33, 3};
        QTest::newRow("empty") << L{0, 3} << L{1, 3};
        QTest::newRow("four dims") << L{5, 1, 4, 1} << L{3, 1, 1};
        QTest::newRow("parallel") << L{300, 1, 5} << L{1, 200, 5};
        QTest::newRow("parallel rows") << L{300, 1} << L{1, 400};
    }
    void broadcasting() {
        QFETCH(QList<qlonglong>, first);
        QFETCH(QList<qlonglong>, second);
        const auto make = [](const QList<qlonglong>& list, DType dtype) {
            Dims shape;
            for (const qlonglong n : list) shape.push_back(n);
            const View v = contiguousView(shape).valueOrThrow();
            return Tensor(zooStorage(dtype, std::max<Index>(1, v.numel())), v, dtype);
        };
        std::size_t turn = 0;
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const auto& [da, db] : {std::pair{DType::Float32, DType::Float32},
                                         {DType::Float32, DType::Int64},
                                         {DType::Float16, DType::Int32},
                                         {DType::UInt8, DType::UInt8},
                                         {DType::Float64, DType::Bool},
                                         {DType::Int16, DType::UInt8}}) {
                const Tensor a = make(first, da), b = make(second, db);
                // Under a sanitizer every fifth pair for those that take seconds; 5 (and 11) and the 6 pairs have no
                // common factor, so that the pairs differ from one instruction set to the next.
                if (kInstrumented && ++turn % (kThreadSanitizer ? 11 : 5) != 0 &&
                    contiguousView(*broadcastShapes(a.shape(), b.shape()))->numel() > 50'000)
                    continue;
                for (const auto op : {binaryOp<Add>, binaryOp<Mul>, binaryOp<Lt>, binaryOp<Div>}) {
                    for (const bool turned : {false, true}) {
                        const Tensor &x = turned ? b : a, &y = turned ? a : b;
                        const Tensor c = binary(op, x, y);
                        const QString d = differs(op, x, y, c, modelCompute(op, x, y));
                        QVERIFY2(d.isEmpty(), qPrintable(QLatin1String(table->name) + QLatin1Char(' ') + d));
                    }
                }
            }
        }
    }

    void inPlaceOverTheZoo() {
        for (const cpu::IsaTable* table : m_isas) {
            cpu::forceIsa(*table);
            for (const ZooView& layout : zooViews()) {
                for (const DType dtype : kRealDTypes) {
                    const Tensor a = zooTensor(layout, dtype);
                    const Tensor b = clone(zooTensor(layout, DType::UInt8));
                    const std::vector<std::byte> before = bytesOf(a);
                    if (layout.overlaps) {
                        QCOMPARE(refusalId<ShapeError>([&] { mul_(a, a); }), std::string("OVERLAP-01"));
                        QVERIFY(bytesOf(a) == before);
                        continue;
                    }
                    if (!canCast(resultType(a, b), dtype)) {
                        QCOMPARE(refusalId<ShapeError>([&] { mul_(a, b); }), std::string("CAST-01"));
                        QVERIFY(bytesOf(a) == before);
                        continue;
                    }
                    // Model: the same bytes with the named slots replaced; every other byte stays.
                    const Tensor expected = zooTensor(layout, dtype);
                    const std::vector<Scalar> x = broadcastElements(a, a.shape()), y = broadcastElements(b, a.shape());
                    mul_(a, b);
                    const std::vector<Scalar> got = broadcastElements(a, a.shape());
                    for (std::size_t i = 0; i < got.size(); ++i)
                        QVERIFY2(
                            sameElement(got[i], slowConvert(slowBinary("mul", x[i], y[i], resultType(a, b)), dtype)),
                            layout.name.c_str());
                    // Writing the old values back must give the old bytes: nothing beside the view was touched.
                    copy_(a, expected);
                    QVERIFY2(bytesOf(a) == before, layout.name.c_str());
                }
            }
        }
    }

    void scalars() {
        const Tensor bytes = tensorOf({Scalar(1), Scalar(200)}, DType::UInt8);
        QCOMPARE(add(bytes, Scalar(300)).dtype(), DType::UInt8); // numbers wrap into the tensor's dtype
        QCOMPARE(broadcastElements(add(bytes, Scalar(300)), {2})[0].toInt(), Index{45});
        QCOMPARE(add(bytes, Scalar(1.5)).dtype(), DType::Float32);
        QCOMPARE(add(bytes, Scalar(true)).dtype(), DType::UInt8);
        QCOMPARE(broadcastElements(sub(Scalar(10.0), bytes), {2})[1].toDouble(), -190.0);
        QCOMPARE(broadcastElements(div(Scalar(1), bytes), {2})[1].toDouble(), static_cast<double>(1.f / 200.f));
        QCOMPARE(lt(bytes, Scalar(100)).dtype(), DType::Bool);
        QCOMPARE(broadcastElements(lt(Scalar(100), bytes), {2})[1].toBool(), true);
        const Tensor half = tensorOf({Scalar(1000.0)}, DType::Float16);
        QCOMPARE(mul(half, Scalar(0.3337)).dtype(), DType::Float16);
        QCOMPARE(broadcastElements(mul(half, Scalar(0.3337)), {1})[0].toDouble(), 333.75);
        const Tensor flags = tensorOf({Scalar(true)}, DType::Bool);
        QCOMPARE(add(flags, Scalar(1)).dtype(), DType::Int64);
        QCOMPARE(mul(flags, Scalar(2.0)).dtype(), DType::Float32);
        add_(bytes, Scalar(5));
        QCOMPARE(broadcastElements(bytes, {2})[1].toInt(), Index{205});
    }

    void refusals() {
        const Tensor f = tensorOf({Scalar(1.0), Scalar(2.0), Scalar(3.0)}, DType::Float32);
        const Tensor f4 = tensorOf({Scalar(1.0), Scalar(2.0), Scalar(3.0), Scalar(4.0)}, DType::Float32);
        const Tensor i = tensorOf({Scalar(1), Scalar(2), Scalar(3)}, DType::Int64);
        const Tensor flags = tensorOf({Scalar(true), Scalar(false), Scalar(true)}, DType::Bool);
        const View tall = contiguousView(Dims{2, 3}).valueOrThrow();
        const Tensor m(zooStorage(DType::Float32, 6), tall, DType::Float32);
        QCOMPARE(refusalId<ShapeError>([&] { add(f, f4); }), std::string("VIEW-34"));
        QCOMPARE(refusalId<ShapeError>([&] { add_(f, m); }), std::string("SHAPE-OUT"));
        QCOMPARE(refusalId<ShapeError>([&] { addOut(f, f, m); }), std::string("SHAPE-OUT"));
        QCOMPARE(refusalId<ShapeError>([&] { add_(i, Scalar(1.5)); }), std::string("CAST-01"));
        QCOMPARE(refusalId<ShapeError>([&] { div_(i, Scalar(2)); }), std::string("CAST-01"));
        QCOMPARE(refusalId<ShapeError>([&] { add_(flags, Scalar(1)); }), std::string("CAST-01"));
        QCOMPARE(refusalId<ShapeError>([&] { sub(flags, flags); }), std::string("BOOL-01"));
        QCOMPARE(refusalId<ShapeError>([&] { sub(flags, Scalar(1)); }), std::string("BOOL-02"));
        QCOMPARE(refusalId<ShapeError>([&] { sub(Scalar(1), flags); }), std::string("BOOL-02"));
        QCOMPARE(refusalId<ShapeError>([&] { neg(flags); }), std::string("BOOL-03"));
        QCOMPARE(refusalId<ShapeError>([&] { stridescope::abs(flags); }), std::string("BOOL-04"));
        QCOMPARE(refusalId<ValueError>([&] { add(Tensor(), f); }), std::string("TENSOR-02"));
        View shifted = f4.view(), unshifted = f4.view();
        shifted.shape = unshifted.shape = {3};
        shifted.offset = 1;
        QCOMPARE(refusalId<ShapeError>([&] { add_(f4.withView(shifted), f4.withView(unshifted)); }),
                 std::string("OVERLAP-03"));
        QCOMPARE(broadcastElements(f4, {4})[3].toDouble(), 4.0);
        try {
            add_(i, Scalar(1.5));
            QFAIL("not refused");
        } catch (const ShapeError& e) {
            QCOMPARE(e.what(), "result type Float can't be cast to the desired output type Long");
        }
    }

    void outOfAnotherDtypeOnTheInputsStorage() {
        // The bools would be written over floats that are still to be read.
        const Tensor f = tensorOf({Scalar(1.0), Scalar(2.0), Scalar(3.0)}, DType::Float32);
        const Tensor flags(f.storage(), f.view(), DType::Bool);
        const std::vector<std::byte> before = bytesOf(f);
        QCOMPARE(refusalId<ShapeError>([&] { gtOut(f, f, flags); }), std::string("OVERLAP-03"));
        QVERIFY(bytesOf(f) == before);
    }

    void interleavedViewsOfOneStorage() {
        // a[:, ::2] += a[:, 1::2]: no slot in common, though the ranges of bytes cross.
        View even, odd;
        even.shape = odd.shape = {4, 3};
        even.stride = odd.stride = {6, 2};
        odd.offset = 1;
        const Tensor a(zooStorage(DType::Int32, 24), even, DType::Int32);
        const std::vector<Scalar> x = broadcastElements(a, a.shape()),
                                  y = broadcastElements(a.withView(odd), a.shape());
        add_(a, a.withView(odd));
        const std::vector<Scalar> got = broadcastElements(a, a.shape());
        for (std::size_t k = 0; k < got.size(); ++k) QCOMPARE(got[k].toInt(), x[k].toInt() + y[k].toInt());
    }

    void resultStrides_data() {
        QTest::addColumn<QList<qlonglong>>("shape");
        QTest::addColumn<QList<qlonglong>>("stride");
        QTest::addColumn<bool>("withScalar");
        QTest::addColumn<QList<qlonglong>>("wanted");
        using L = QList<qlonglong>; // PyTorch 1.13's answers
        QTest::newRow("transposed") << L{3, 2} << L{1, 3} << false << L{1, 3};
        QTest::newRow("expanded column, transposed") << L{3, 4} << L{0, 1} << true << L{4, 1};
        QTest::newRow("empty, transposed") << L{3, 0} << L{1, 3} << true << L{1, 3};
        QTest::newRow("odd stride of a size-1 dim") << L{1, 3} << L{77, 1} << true << L{3, 1};
        QTest::newRow("every second") << L{4, 3} << L{6, 2} << true << L{3, 1};
        QTest::newRow("permuted") << L{4, 2, 3} << L{1, 12, 4} << false << L{1, 12, 4};
        QTest::newRow("permuted, every second") << L{2, 2, 3} << L{2, 12, 4} << false << L{1, 6, 2};
    }
    void resultStrides() {
        QFETCH(QList<qlonglong>, shape);
        QFETCH(QList<qlonglong>, stride);
        QFETCH(bool, withScalar);
        QFETCH(QList<qlonglong>, wanted);
        View v;
        for (const qlonglong n : shape) v.shape.push_back(n);
        for (const qlonglong n : stride) v.stride.push_back(n);
        const Tensor t(zooStorage(DType::Float32, 200), v, DType::Float32);
        const Tensor r = withScalar ? add(t, Scalar(1)) : neg(t);
        QList<qlonglong> got;
        for (const Index s : r.stride()) got.push_back(s);
        QCOMPARE(got, wanted);
    }

    void allocationFailureChangesNothing() {
        const Tensor a = zooTensor(zooViews()[1], DType::Float32);
        const std::vector<std::byte> before = bytesOf(a);
        const std::uint64_t version = a.storage()->version();
        const AllocationFailure failure(1);
        QCOMPARE(refusalId<MemoryError>([&] { add(a, a); }), std::string("MEM-02"));
        QVERIFY(failure.happened());
        QVERIFY(bytesOf(a) == before);
        QCOMPARE(a.storage()->version(), version);
    }

    void recordsTellBytes() {
        std::vector<OpRecord> records;
        const Tensor a = tensorOf({Scalar(1.0), Scalar(2.0), Scalar(3.0)}, DType::Float32);
        {
            const OpSubscription subscription([&](const OpRecord& r) { records.push_back(r); });
            add(a, a);
            mul_(a, Scalar(2));
            sub(Scalar(2), a);
        }
        add(a, a);
        QCOMPARE(records.size(), std::size_t{3});
        QCOMPARE(records[0].name, std::string("add"));
        QCOMPARE(records[0].effect, OpEffect::Alloc);
        QCOMPARE(records[0].bytesRead, Index{24});
        QCOMPARE(records[0].bytesWritten, Index{12});
        QCOMPARE(records[0].bytesAllocated, Index{12});
        QCOMPARE(records[0].inputs.size(), std::size_t{2});
        QCOMPARE(records[1].name, std::string("mul_"));
        QCOMPARE(records[1].arguments, std::string("2"));
        QCOMPARE(records[1].effect, OpEffect::InPlace);
        QCOMPARE(records[1].bytesAllocated, Index{0});
        QCOMPARE(records[1].outputs[0].storageId, a.storage()->id());
        QCOMPARE(records[2].name, std::string("__rsub__"));
    }
};

QTEST_GUILESS_MAIN(TestPointwise)
#include "tst_pointwise.moc"
