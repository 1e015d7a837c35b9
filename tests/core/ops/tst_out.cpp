// `out=` for every operation of the table that has it, and what it refuses.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/joining.h"
#include "core/ops/matmul.h"
#include "core/ops/operation_table.h"
#include "core/ops/out.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/reductions.h"
#include "core/ops/scans.h"
#include "core/ops/sorting.h"
#include "core/ops/views.h"
#include "core/trace/op_record.h"
#include "core/trace/warning.h"
#include "tests/support/check_refusal.h"
#include "tests/support/operation_samples.h"
#include "tests/support/view_zoo.h"

#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

Tensor numbers(const Dims& shape, DType dtype = DType::Float32) {
    return reshape(arange(contiguousView(shape).valueOrThrow().numel(), {dtype, Device{}}), shape);
}

std::vector<Tensor*> pointers(std::vector<Tensor>& tensors) {
    std::vector<Tensor*> list;
    for (Tensor& t : tensors) list.push_back(&t);
    return list;
}

/// A tensor of that shape and dtype with gaps between its elements.
Tensor gappy(const Tensor& like) {
    if (like.dim() == 0) return select(zeros({3}, {like.dtype(), Device{}}), 0, 1);
    Dims doubled = like.shape();
    doubled.back() = doubled.back() * 2;
    return slice(zeros(doubled, {like.dtype(), Device{}}), -1, 0, std::nullopt, 2);
}

} // namespace

class TestOut : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOperation_data();
    void everyOperation();
    void emptyOutBecomesTheResult();
    void resizingKeepsRoomyStorage();
    void resizingElementsWarns();
    void inputsMayOverlap();
    void resizedOverItsInputs();
    void refusalsChangeNothing_data();
    void refusalsChangeNothing();
    void copiedOutIsNeverResized();
    void narrowCopyResizesWithoutAWord();
    void secondOutRefusedLeavesTheFirst();
    void publishesOneRecord();
    void warningsEndWithTheirSubscription();
};

void TestOut::everyOperation_data() {
    QTest::addColumn<QString>("name");
    int count = 0;
    for (const Operation& op : operations()) {
        if (op.out == OutRule::None || !op.sample) continue;
        ++count;
        QTest::newRow(std::string(op.name).c_str()) << QString::fromStdString(std::string(op.name));
    }
    QVERIFY(count > 100);
}

void TestOut::everyOperation() {
    QFETCH(QString, name);
    const Operation* op = findOperation(name.toStdString());
    for (const DType dtype : kAllDTypes) {
        if (!op->dtypes.has(dtype)) continue;
        for (const std::vector<Tensor>& inputs : operationSamples(op->inputs, dtype)) {
            const auto run = [&] { return op->sample(inputs); };
            const std::vector<Tensor> expected = run();
            std::vector<Tensor> empties, strided, wide, wrong;
            std::vector<std::uint64_t> storages;
            for (const Tensor& t : expected) {
                empties.push_back(empty({0}, {t.dtype(), Device{}}));
                strided.push_back(gappy(t));
                storages.push_back(strided.back().storage()->id());
                wide.push_back(zeros(t.shape(), {DType::Complex128, Device{}}));
                const bool truth = op->out == OutRule::Truth || t.dtype() == DType::Bool;
                wrong.push_back(ones(t.shape(), {truth ? DType::Int8 : DType::Bool, Device{}}));
            }
            outOf(op->name, pointers(empties), run);
            outOf(op->name, pointers(strided), run);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                QVERIFY(near(empties[i], expected[i]));
                QVERIFY(near(strided[i], expected[i]));
                QCOMPARE(strided[i].storage()->id(), storages[i]);
            }
            const bool complexResult = expected[0].dtype() == DType::Complex128;
            if (op->out == OutRule::Castable || op->out == OutRule::Any || op->out == OutRule::Complex) {
                outOf(op->name, pointers(wide), run);
                for (std::size_t i = 0; i < expected.size(); ++i)
                    QVERIFY(near(wide[i], to(expected[i], DType::Complex128)));
            } else if ((op->out != OutRule::Same && op->out != OutRule::ComplexSame) || !complexResult) {
                QCOMPARE(refusalOf([&] { outOf(op->name, pointers(wide), run); })->id, std::string("OUT-01"));
            }
            if (op->out == OutRule::Any) continue;
            const bool boolOnly = op->out == OutRule::Bool || op->out == OutRule::Truth;
            if (expected[0].dtype() == DType::Bool && !boolOnly) continue; // bool may become a number
            const auto refusal = refusalOf([&] { outOf(op->name, pointers(wrong), run); });
            QVERIFY(refusal);
            QCOMPARE(refusal->id, std::string(op->out == OutRule::Castable ? "CAST-01" : "OUT-01"));
            for (const Tensor& t : wrong) QVERIFY(equal(t, onesLike(t)));
        }
    }
}

void TestOut::emptyOutBecomesTheResult() {
    Tensor out = empty({0});
    const auto storage = out.storage()->id();
    const void* data = nullptr;
    outOf("mm", out, [&] {
        Tensor result = mm(numbers({2, 3}), numbers({3, 4}));
        data = result.storage()->data();
        return result;
    });
    QCOMPARE(out.shape(), (Dims{2, 4}));
    QCOMPARE(static_cast<const void*>(out.storage()->data()), data); // no second copy
    QCOMPARE(out.storage()->id(), storage);
    // A result that is a view of an input must not be shared.
    const Tensor a = numbers({4});
    Tensor other = empty({0});
    outOf("hstack", other, [&] { return slice(a, 0, 1, 3); });
    QVERIFY(other.storage() != a.storage());
    QVERIFY(equal(other, slice(a, 0, 1, 3)));
}

void TestOut::resizingKeepsRoomyStorage() {
    const Tensor base = fullLike(numbers({6}), -1);
    Tensor out = narrow(base, 0, 1, 0); // no elements, at slot 1
    outOf("add", out, [&] { return add(numbers({2, 2}), 10); });
    QVERIFY(out.storage() == base.storage());
    QVERIFY(equal(base, tensorFrom({-1.0, 10.0, 11.0, 12.0, 13.0, -1.0})));
    QCOMPARE(out.stride(), (Dims{2, 1}));
    // No room for six more: the storage grows under both.
    out = narrow(base, 0, 1, 0);
    outOf("add", out, [&] { return add(numbers({6}), 20); });
    QVERIFY(out.storage() == base.storage());
    QCOMPARE(base.storageNumel(), Index{7});
    QVERIFY(equal(base, tensorFrom({-1.0, 20.0, 21.0, 22.0, 23.0, 24.0})));
    QVERIFY(equal(out, tensorFrom({20.0, 21.0, 22.0, 23.0, 24.0, 25.0})));
}

void TestOut::resizingElementsWarns() {
    std::vector<std::string> warnings;
    const WarningSubscription subscription([&](const std::string& message) { warnings.push_back(message); });
    Tensor out = zeros({3});
    outOf("mm", out, [&] { return mm(numbers({2, 3}), numbers({3, 2})); });
    QCOMPARE(out.shape(), (Dims{2, 2}));
    QCOMPARE(warnings.size(), 1U);
    QVERIFY(warnings[0].starts_with("An output with one or more elements was resized since it had shape [3], which "
                                    "does not match the required output shape [2, 2]. This behavior is deprecated"));
    outOf("mm", out, [&] { return mm(numbers({2, 3}), numbers({3, 2})); });
    Tensor none = zeros({0, 7});
    outOf("mm", none, [&] { return mm(numbers({2, 3}), numbers({3, 2})); });
    QCOMPARE(warnings.size(), 1U);
}

void TestOut::inputsMayOverlap() {
    const Tensor a = numbers({3, 3});
    const Tensor expected = mm(a, a);
    Tensor out = a;
    outOf("mm", out, [&] { return mm(a, a); });
    QVERIFY(equal(a, expected));
    const Tensor line = numbers({5});
    Tensor shifted = narrow(line, 0, 1, 4);
    outOf("hstack", shifted, [&] { return narrow(line, 0, 0, 4); }); // the result lies where it is written to
    QVERIFY(equal(line, tensorFrom({0.0, 0.0, 1.0, 2.0, 3.0})));
}

void TestOut::resizedOverItsInputs() {
    const Tensor a = numbers({2, 3});
    const Tensor* const inputs[] = {&a};
    const auto refusedWith = [&](const char* name, Tensor out, auto make) -> std::string {
        const View before = out.view();
        const auto refusal = refusalOf([&] {
            writeOut(
                name, findOperation(name)->out, {&out}, [&] { return std::vector<Tensor>{make()}; }, inputs);
        });
        if (!refusal) return "carried out";
        return out.view() == before ? refusal->id : "changed";
    };
    const auto more = [&] { return add(a, 1); };
    const auto running = [&] { return cumsum(a, 0); };
    const auto twice = [&] { return cat({a, a}); };
    // Element by element: as it was given.
    QCOMPARE(refusedWith("add", select(a, 0, 0), more), std::string("OVERLAP-03"));
    QCOMPARE(refusedWith("add", transpose(a, 0, 1), more), std::string("OVERLAP-03"));
    // Scans and what joins: as it would become.
    QCOMPARE(refusedWith("cumsum", select(a, 0, 1), running), std::string("OVERLAP-03"));
    QCOMPARE(refusedWith("cat", narrow(select(a, 0, 0), 0, 0, 0), twice), std::string("OVERLAP-03"));
    QVERIFY(equal(a, numbers({2, 3})));
    QCOMPARE(a.storageNumel(), Index{6});
    QCOMPARE(refusedWith("cumsum", select(a, 0, 0), running), std::string("carried out"));
    QVERIFY(equal(a, cumsum(numbers({2, 3}), 0)));
}

void TestOut::refusalsChangeNothing_data() {
    QTest::addColumn<QString>("operation");
    QTest::addColumn<Tensor>("out");
    QTest::addColumn<QString>("expected");
    QTest::newRow("dtype") << "mm" << ones({2, 2}, {DType::Int64, Device{}})
                           << "OUT-01 Expected out tensor to have dtype float, but got long int instead";
    QTest::newRow("wider dtype") << "mm" << ones({2, 2}, {DType::Complex64, Device{}})
                                 << "OUT-01 Expected out tensor to have dtype float, but got c10::complex<float> "
                                    "instead";
    QTest::newRow("cast") << "add" << ones({2, 2}, {DType::Int64, Device{}})
                          << "CAST-01 result type Float can't be cast to the desired output type Long";
    QTest::newRow("no bool") << "signbit" << ones({2, 2}, {DType::UInt8, Device{}})
                             << "OUT-01 signbit does not support non-boolean outputs.";
    QTest::newRow("no truth") << "all" << ones({2, 2}, {DType::Int32, Device{}})
                              << "OUT-01 all only supports bool tensor for result, got: Int";
    QTest::newRow("of input and out") << "amax" << ones({2, 2}, {DType::Float64, Device{}})
                                      << "OUT-01 Expected the dtype for input and out to match, but got Float for "
                                         "input's dtype and Double for out's dtype.";
    QTest::newRow("expected tensor") << "linalg.norm" << ones({2, 2}, {DType::Float64, Device{}})
                                     << "OUT-01 linalg.norm expected out tensor dtype Float but got: Double";
    QTest::newRow("not complex") << "fft.fft2" << ones({2, 2})
                                 << "OUT-01 fftn expects a complex output tensor, but got Float";
    QTest::newRow("of another precision") << "fft.ifft" << ones({3}, {DType::Complex128, Device{}})
                                          << "OUT-01 Found dtype ComplexDouble but expected Float";
    QTest::newRow("not real") << "fft.hfft" << ones({2, 2}, {DType::Complex64, Device{}})
                              << "OUT-01 hfft expects a floating point output tensor, but got ComplexFloat";
    QTest::newRow("copied, shape") << "t_copy" << ones({0})
                                   << "VIEW-34 The size of tensor a (0) must match the size of tensor b (2) at "
                                      "non-singleton dimension 1";
    QTest::newRow("copied, too small") << "t_copy" << ones({2})
                                       << "SHAPE-OUT output with shape [2] doesn't match the broadcast shape [2, 2]";
    QTest::newRow("copied, too few") << "split_copy" << ones({2, 2})
                                     << "OUT-02 split_copy_out() expected an out= argument of size 2, got size 1";
    QTest::newRow("self-overlap") << "mm" << expand(ones({1, 2}), {2, 2})
                                  << "OVERLAP-01 unsupported operation: more than one element of the written-to "
                                     "tensor refers to a single memory location.\nPlease clone() the tensor before "
                                     "performing the operation.";
    QTest::newRow("undefined") << "mm" << Tensor() << "TENSOR-02 mm: the tensor is undefined";
    QTest::newRow("no such argument") << "trace" << ones({2, 2})
                                      << "OUT-02 trace() got an unexpected keyword argument 'out'";
    QTest::newRow("no such operation") << "nothing" << ones({2, 2})
                                       << "OUT-02 nothing() got an unexpected keyword argument 'out'";
    QTest::newRow("too many results") << "sort" << ones({2, 2})
                                      << "OUT-02 sort(): expected 2 tensors for 'out', but got 1";
}

void TestOut::refusalsChangeNothing() {
    QFETCH(QString, operation);
    QFETCH(Tensor, out);
    QFETCH(QString, expected);
    const std::vector<std::byte> before = out.defined() ? bytesOf(out) : std::vector<std::byte>{};
    const View view = out.view();
    const Tensor a = numbers({2, 2});
    const auto run = [&] {
        return operation == "sort" || operation == "split_copy" ? std::vector{a, a} : std::vector{mm(a, a)};
    };
    QCOMPARE(QString::fromStdString(refusalText([&] { outOf(operation.toStdString(), OutTensors{&out}, run); })),
             expected);
    QVERIFY(out.view() == view);
    if (out.defined()) QVERIFY(bytesOf(out) == before);
}

void TestOut::copiedOutIsNeverResized() {
    const Tensor a = numbers({2, 3});
    Tensor wide = zeros({2, 2, 3}, {DType::Int64, Device{}});
    outOf("alias_copy", wide, [&] { return clone(a); });
    QCOMPARE(wide.shape(), (Dims{2, 2, 3}));
    QVERIFY(equal(wide, to(expand(a, {2, 2, 3}), DType::Int64)));
    // One of two that does not fit leaves the other as it was.
    Tensor fits = zeros({2, 3}), small = zeros({2});
    QVERIFY(refusalOf([&] { outOf("split_copy", {&fits, &small}, [&] { return std::vector{clone(a), clone(a)}; }); }));
    QVERIFY(equal(fits, zeros({2, 3})));
}

void TestOut::narrowCopyResizesWithoutAWord() {
    int warnings = 0;
    const WarningSubscription subscription([&](const std::string&) { ++warnings; });
    Tensor out = zeros({3});
    outOf("narrow_copy", out, [] { return numbers({2}); });
    QCOMPARE(out.shape(), (Dims{2}));
    QCOMPARE(warnings, 0);
}

void TestOut::secondOutRefusedLeavesTheFirst() {
    const Tensor x = tensorFrom({3.0, 1.0, 2.0});
    const auto run = [&] {
        const ValuesAndIndices found = sort(x);
        return std::vector{found.values, found.indices};
    };
    Tensor values = zeros({3}), indices = zeros({3});
    QCOMPARE(refusalText([&] {
                 outOf("sort", {&values, &indices}, run);
             }),
             std::string("OUT-01 Expected out tensor to have dtype long int, but got float instead"));
    QVERIFY(equal(values, zeros({3})));
    Tensor small = empty({0});
    QVERIFY(refusalOf([&] { outOf("sort", {&small, &indices}, run); }));
    QCOMPARE(small.numel(), Index{0});
    indices = zeros({3}, {DType::Int64, Device{}});
    outOf("sort", {&values, &indices}, run);
    QVERIFY(equal(values, tensorFrom({1.0, 2.0, 3.0})) && equal(indices, tensorFrom({1, 2, 0})));
    // The same memory twice.
    const auto two = [&] { return std::vector{add(x, 1), add(x, 2)}; };
    const Tensor base = zeros({4});
    Tensor left = narrow(base, 0, 0, 3), right = narrow(base, 0, 1, 3);
    QCOMPARE(refusalOf([&] { outOf("aminmax", {&left, &right}, two); })->id, std::string("OVERLAP-03"));
    QCOMPARE(refusalOf([&] { outOf("aminmax", {&left, &left}, two); })->id, std::string("OVERLAP-03"));
    QVERIFY(equal(base, zeros({4})));
}

void TestOut::publishesOneRecord() {
    std::vector<OpRecord> records;
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    const Tensor a = numbers({2, 2});
    Tensor out = empty({0});
    records.clear();
    outOf("mm", out, [&] { return mm(a, a); });
    QCOMPARE(records.size(), 1U);
    QCOMPARE(records[0].name, std::string("mm"));
    QCOMPARE(records[0].inputs.size(), 2U);
    QCOMPARE(records[0].outputs.size(), 1U);
    QCOMPARE(records[0].outputs[0].storageId, out.storage()->id());
    QVERIFY(records[0].effect == OpEffect::InPlace);
    QCOMPARE(records[0].bytesAllocated, Index{0});
    QCOMPARE(records[0].bytesWritten, Index{16});
    Tensor wrong = empty({0}, {DType::Int64, Device{}});
    QVERIFY(refusalOf([&] { outOf("mm", wrong, [&] { return mm(a, a); }); }));
    QCOMPARE(records.size(), 2U); // of empty
}

void TestOut::warningsEndWithTheirSubscription() {
    int first = 0, second = 0;
    {
        const WarningSubscription a([&](const std::string&) { ++first; });
        const WarningSubscription b([&](const std::string&) { ++second; });
        warn("one");
    }
    warn("two");
    QCOMPARE(first, 1);
    QCOMPARE(second, 1);
}

QTEST_APPLESS_MAIN(TestOut)
#include "tst_out.moc"
