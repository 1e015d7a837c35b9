// View operations on tensors: the pure function's layout on the same storage, nothing moved, one record.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/storage/memory_budget.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"
#include "core/view/view_ops.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <functional>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// One operation both ways, with arguments that suit the tensor's rank where they can.
struct ViewOp {
    const char* name;
    std::function<Tensor(const Tensor&)> onTensor;
    std::function<Result<View>(const View&)> onView;
};

const std::vector<ViewOp>& viewOps() {
    static const std::vector<ViewOp> ops{
        {"select", [](const Tensor& t) { return select(t, -1, 0); }, [](const View& v) { return select(v, -1, 0); }},
        {"narrow", [](const Tensor& t) { return narrow(t, 0, 1, 2); },
         [](const View& v) { return narrow(v, 0, 1, 2); }},
        {"slice", [](const Tensor& t) { return slice(t, -1, 1, std::nullopt, 2); },
         [](const View& v) { return slice(v, -1, 1, std::nullopt, 2); }},
        {"diagonal", [](const Tensor& t) { return diagonal(t, 1); }, [](const View& v) { return diagonal(v, 1); }},
        {"unfold", [](const Tensor& t) { return unfold(t, 0, 2, 1); },
         [](const View& v) { return unfold(v, 0, 2, 1); }},
        {"transpose", [](const Tensor& t) { return transpose(t, 0, -1); },
         [](const View& v) { return transpose(v, 0, -1); }},
        {"t", [](const Tensor& x) { return t(x); }, [](const View& v) { return t(v); }},
        {"permute",
         [](const Tensor& t) {
             return permute(t, {1, 0});
         },
         [](const View& v) {
             return permute(v, Dims{1, 0});
         }},
        {"movedim", [](const Tensor& t) { return movedim(t, {0}, {-1}); },
         [](const View& v) { return movedim(v, Dims{0}, Dims{-1}); }},
        {"swapaxes", [](const Tensor& t) { return swapaxes(t, 0, 1); },
         [](const View& v) { return swapaxes(v, 0, 1); }},
        {"unsqueeze", [](const Tensor& t) { return unsqueeze(t, 1); }, [](const View& v) { return unsqueeze(v, 1); }},
        {"squeeze", [](const Tensor& t) { return squeeze(t); }, [](const View& v) { return squeeze(v); }},
        {"squeeze dim", [](const Tensor& t) { return squeeze(t, 0); }, [](const View& v) { return squeeze(v, 0); }},
        {"view", [](const Tensor& t) { return view(t, {-1}); }, [](const View& v) { return viewAs(v, Dims{-1}); }},
        {"unflatten",
         [](const Tensor& t) {
             return unflatten(t, 0, {-1, 1});
         },
         [](const View& v) {
             return unflatten(v, 0, Dims{-1, 1});
         }},
        {"expand",
         [](const Tensor& t) {
             return expand(t, {2, 3, 4});
         },
         [](const View& v) {
             return expand(v, Dims{2, 3, 4});
         }},
    };
    return ops;
}

std::vector<OpRecord> recordsOf(const std::function<void()>& action) {
    std::vector<OpRecord> records;
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    action();
    return records;
}

} // namespace

class TestTensorViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreeWithTheViewAlgebra();
    void refusalsChangeNothing();
    void viewKeepsStorageAlive();
    void severalViewsShareOneStorage();
    void reshapeViewsOrCopies();
    void asStridedChecksTheStorage();
    void fromStorageChecksBounds();
    void undefinedIsRefused();
    void publishesCode_data();
    void publishesCode();
    void dtypeView_data();
    void dtypeView();
    void dtypeViewOverTheZoo();
};

void TestTensorViews::agreeWithTheViewAlgebra() {
    int made = 0, refused = 0;
    for (const ZooView& layout : zooViews()) {
        for (const DType dtype : kRealDTypes) {
            const Tensor t = zooTensor(layout, dtype);
            const std::vector<std::byte> before = bytesOf(t);
            for (const ViewOp& op : viewOps()) {
                const std::string what = std::string(op.name) + " of " + layout.name;
                const Result<View> expected = op.onView(t.view());
                if (!expected) {
                    const auto refusal = refusalOf([&] { (void)op.onTensor(t); });
                    QVERIFY2(refusal, what.c_str());
                    QVERIFY2(refusal->id == expected.refusal().id, what.c_str());
                    QVERIFY2(refusal->kind == expected.refusal().kind, what.c_str());
                    ++refused;
                    continue;
                }
                const Tensor result = op.onTensor(t);
                QVERIFY2(result.view() == *expected, what.c_str());
                QVERIFY2(result.storage() == t.storage(), what.c_str());
                QVERIFY2(result.dtype() == dtype, what.c_str());
                QVERIFY2(checkInBounds(result.view(), result.storageNumel()).ok(), what.c_str());
                ++made;
            }
            QVERIFY(bytesOf(t) == before);
        }
    }
    QVERIFY(made > 1000);
    QVERIFY(refused > 1000);
}

void TestTensorViews::refusalsChangeNothing() {
    const Tensor t = arange(6);
    const auto records = recordsOf([&] { QVERIFY(refusalOf([&] { (void)view(t, {4}); })); });
    QVERIFY(records.empty());
    QCOMPARE(t.storage()->useCount(), 1U);
}

void TestTensorViews::viewKeepsStorageAlive() {
    int released = 0;
    Tensor row;
    {
        auto* memory = new std::vector<float>(12, 2.5F);
        const Tensor base(Storage::wrap(
                              memory->data(), 48, Device{},
                              [memory, &released] {
                                  delete memory;
                                  ++released;
                              },
                              "test"),
                          View{{3, 4}, {4, 1}, 0}, DType::Float32);
        row = select(base, 0, 2);
    }
    QCOMPARE(released, 0);
    QCOMPARE(readElement(row, Dims{3}).toDouble(), 2.5);
    row = Tensor();
    QCOMPARE(released, 1);
}

void TestTensorViews::severalViewsShareOneStorage() {
    const Tensor t = view(arange(12), {4, 3});
    const auto check = [&](const std::vector<Tensor>& parts, const std::vector<View>& expected) {
        if (parts.size() != expected.size()) return false;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i].storage() != t.storage() || parts[i].view() != expected[i]) return false;
        }
        return true;
    };
    QVERIFY(check(split(t, 3), split(t.view(), 3).valueOrThrow()));
    QVERIFY(check(split(t, Dims{1, 2}, 1), split(t.view(), std::span<const Index>(Dims{1, 2}), 1).valueOrThrow()));
    QVERIFY(check(chunk(t, 3, -1), chunk(t.view(), 3, -1).valueOrThrow()));
    QVERIFY(check(unbind(t, 1), unbind(t.view(), 1).valueOrThrow()));
}

void TestTensorViews::reshapeViewsOrCopies() {
    for (const ZooView& layout : zooViews()) {
        for (const DType dtype : kRealDTypes) {
            if (layout.negative) continue; // PyTorch's reshape refuses them
            const Tensor t = zooTensor(layout, dtype);
            const Dims flat{t.numel()};
            const Tensor r = reshape(t, flat);
            QVERIFY2(r.shape() == flat, layout.name.c_str());
            QCOMPARE(r.dtype(), dtype);
            QVERIFY2(elementsOf(r) == elementsOf(t), layout.name.c_str());
            QCOMPARE(r.storage() == t.storage(), viewAs(t.view(), flat).ok());
            QVERIFY2(elementsOf(flatten(t)) == elementsOf(t), layout.name.c_str());
        }
    }
    const Tensor turned = transpose(view(arange(6), {2, 3}), 0, 1);
    const auto records = recordsOf([&] { (void)reshape(turned, {2, -1}); });
    QCOMPARE(records.size(), std::size_t{1});
    QCOMPARE(records[0].effect, OpEffect::Alloc);
    QCOMPARE(records[0].bytesRead, Index{48});
    QCOMPARE(records[0].bytesWritten, Index{48});
    QCOMPARE(records[0].bytesAllocated, Index{48});
    const auto viewed = recordsOf([&] { (void)flatten(arange(6)); });
    QCOMPARE(viewed.back().effect, OpEffect::View);
    QCOMPARE(viewed.back().bytesAllocated, Index{0});

    const AllocationFailure failure(1);
    QCOMPARE(refusalOf([&] { (void)reshape(turned, {6}); })->id, std::string("MEM-02"));
}

void TestTensorViews::asStridedChecksTheStorage() {
    const Tensor t = arange(10);
    const Tensor part = narrow(t, 0, 4, 3);
    QVERIFY(asStrided(part, {2, 2}, {1, 3}).view() == (View{{2, 2}, {1, 3}, 4}));
    QVERIFY(asStrided(part, {10}, {1}, 0).view() ==
            (View{{10}, {1}, 0})); // the whole storage, not the view, is the limit
    const auto refusal = refusalOf([&] { (void)asStrided(part, {11}, {1}, 0); });
    QVERIFY(refusal);
    const auto* bounds = std::get_if<StorageOutOfBounds>(&refusal->detail);
    QVERIFY(bounds);
    QCOMPARE(bounds->needed, Index{11});
    QCOMPARE(bounds->has, Index{10});
    // Numbers that made a reference implementation read outside its storage.
    for (const Index offset : {Index{8170450533120000000}, INT64_MAX - 10000, INT64_MAX}) {
        QVERIFY(refusalOf([&] { (void)asStrided(t, {5}, {2}, offset); }));
    }
    QVERIFY(refusalOf([&] { (void)asStrided(t, {4096}, {0}, INT64_MAX); }));
}

void TestTensorViews::fromStorageChecksBounds() {
    const StoragePtr storage = zooStorage(DType::Int16, 5);
    QVERIFY(Tensor::fromStorage(storage, View{{5}, {1}, 0}, DType::Int16).ok());
    QVERIFY(Tensor::fromStorage(storage, View{{2}, {1}, 0}, DType::Int32).ok()); // 10 bytes hold two
    QVERIFY(Tensor::fromStorage(storage, View{{5}, {-1}, 4}, DType::Int16).ok());
    QVERIFY(Tensor::fromStorage(storage, View{{0, 7}, {1, 1}, 0}, DType::Int64).ok());
    const auto refusedId = [&](StoragePtr s, View v, DType dtype) {
        const auto result = Tensor::fromStorage(std::move(s), std::move(v), dtype);
        return result.ok() ? std::string("made") : result.refusal().id;
    };
    QCOMPARE(refusedId(nullptr == storage.get() ? storage : StoragePtr(), View{{1}, {1}, 0}, DType::Int16),
             std::string("TENSOR-01"));
    for (const View& bad : {View{{6}, {1}, 0}, View{{5}, {1}, 1}, View{{5}, {-1}, 3}, View{{1}, {1}, -1},
                            View{{-1}, {1}, 0}, View{{2, 2}, {1}, 0}, View{{Index{1} << 62}, {Index{1} << 62}, 0}}) {
        QVERIFY(refusedId(storage, bad, DType::Int16) != "made");
    }
    QVERIFY(refusedId(storage, View{{3}, {1}, 0}, DType::Int32) != "made");
}

void TestTensorViews::undefinedIsRefused() {
    const Tensor none;
    for (const ViewOp& op : viewOps()) {
        const auto refusal = refusalOf([&] { (void)op.onTensor(none); });
        QVERIFY2(refusal, op.name);
        QCOMPARE(refusal->id, std::string("TENSOR-02"));
    }
    QVERIFY(refusalOf([&] { (void)reshape(none, {1}); }));
    QVERIFY(refusalOf([&] { (void)expandAs(arange(1), none); }));
    QVERIFY(refusalOf([&] { (void)chunk(none, 2); }));
    QVERIFY(refusalOf([&] { (void)viewDType(none, DType::Int8); }));
    QVERIFY(!none.defined());
}

void TestTensorViews::publishesCode_data() {
    QTest::addColumn<std::function<void()>>("action");
    QTest::addColumn<QString>("line");
    const Tensor x = view(arange(24), {2, 3, 4});
    const auto row = [](const char* line, std::function<void()> action) {
        QTest::newRow(line) << std::move(action) << line;
    };
    row("x.select(1, -1)", [x] { (void)select(x, 1, -1); });
    row("x[:, 1:]", [x] { (void)slice(x, 1, 1, std::nullopt); });
    row("x[..., ::2]", [x] { (void)slice(x, -1, std::nullopt, std::nullopt, 2); });
    row("x.diagonal()", [x] { (void)diagonal(x); });
    row("x.diagonal(1)", [x] { (void)diagonal(x, 1); });
    row("x.diagonal(0, 1, 2)", [x] { (void)diagonal(x, 0, 1, 2); });
    row("x.unfold(2, 2, 1)", [x] { (void)unfold(x, 2, 2, 1); });
    row("x.permute(2, 0, 1)", [x] { (void)permute(x, {2, 0, 1}); });
    row("x.movedim(0, 2)", [x] { (void)movedim(x, {0}, {2}); });
    row("x.movedim((0, 1), (1, 2))", [x] { (void)movedim(x, {0, 1}, {1, 2}); });
    row("x.view(6, -1)", [x] { (void)view(x, {6, -1}); });
    row("x.view(torch.int32)", [x] { (void)viewDType(x, DType::Int32); });
    row("x.unflatten(2, (2, 2))", [x] { (void)unflatten(x, 2, {2, 2}); });
    row("x.flatten()", [x] { (void)flatten(x); });
    row("x.flatten(1)", [x] { (void)flatten(x, 1); });
    row("x.flatten(0, 1)", [x] { (void)flatten(x, 0, 1); });
    row("x.expand(5, -1, -1, -1)", [x] { (void)expand(x, {5, -1, -1, -1}); });
    row("x.as_strided((2,), (1,))", [x] { (void)asStrided(x, {2}, {1}); });
    row("x.as_strided((2, 2), (1, 0), 3)", [x] { (void)asStrided(x, {2, 2}, {1, 0}, 3); });
    row("x.split(2, 1)", [x] { (void)split(x, 2, 1); });
    row("x.split((1, 3), 2)", [x] { (void)split(x, Dims{1, 3}, 2); });
    row("x.chunk(2)", [x] { (void)chunk(x, 2); });
    row("x.unbind(1)", [x] { (void)unbind(x, 1); });
}

void TestTensorViews::publishesCode() {
    QFETCH(std::function<void()>, action);
    QFETCH(QString, line);
    const auto records = recordsOf(action);
    QCOMPARE(records.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(code::expression(records[0], {})), line);
    QCOMPARE(records[0].effect, OpEffect::View);
    QVERIFY(!records[0].outputs.empty());
    for (const TensorRecord& output : records[0].outputs) {
        QCOMPARE(output.storageId, records[0].inputs[0].storageId);
    }
}

void TestTensorViews::dtypeView_data() {
    // What torch.Tensor.view(dtype) gives for an int16 tensor of that layout.
    QTest::addColumn<View>("view");
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("result"); // "size stride offset" or the id
    const auto row = [](View v, const char* dtype, const char* result) {
        QTest::addRow("%s %s %d as %s", toString(std::span<const Index>(v.shape)).c_str(),
                      toString(std::span<const Index>(v.stride)).c_str(), int(v.offset), dtype)
            << v << dtype << result;
    };
    row({{4, 6}, {6, 1}, 0}, "int32", "(4, 3) (3, 1) 0");
    row({{4, 6}, {6, 1}, 0}, "int8", "(4, 12) (12, 1) 0");
    row({{4, 6}, {6, 1}, 0}, "float16", "(4, 6) (6, 1) 0");
    row({{4, 6}, {6, 1}, 0}, "bool", "(4, 12) (12, 1) 0");
    row({{6, 4}, {1, 6}, 0}, "int8", "DTYPE-02");
    row({{6, 4}, {1, 6}, 0}, "int32", "DTYPE-02");
    row({{6, 4}, {1, 6}, 0}, "float16", "(6, 4) (1, 6) 0");
    row({{4, 5}, {6, 1}, 0}, "int32", "DTYPE-03");
    row({{4, 4}, {6, 1}, 1}, "int32", "DTYPE-04");
    row({{4, 4}, {6, 1}, 2}, "int32", "(4, 2) (3, 1) 1");
    row({{4, 4}, {5, 1}, 0}, "int32", "DTYPE-05");
    row({{4, 4}, {6, 1}, 0}, "int64", "DTYPE-05");
    row({{}, {}, 0}, "int32", "DTYPE-01");
    row({{}, {}, 0}, "int8", "DTYPE-01");
    row({{}, {}, 0}, "float16", "() () 0");
    row({{4, 1}, {6, 1}, 0}, "int8", "(4, 2) (12, 1) 0");
    row({{4, 1}, {6, 1}, 1}, "int8", "(4, 2) (12, 1) 2");
    row({{4, 1}, {6, 6}, 0}, "int8", "DTYPE-02");
    row({{4, 0}, {6, 1}, 0}, "int32", "(4, 0) (3, 1) 0");
    row({{0, 6}, {6, 1}, 0}, "int64", "DTYPE-03");
    row({{0}, {1}, 0}, "int64", "(0,) (1,) 0");
    row({{2, 4, 6}, {0, 6, 1}, 0}, "int32", "(2, 4, 3) (0, 3, 1) 0");
    row({{0, Index{1} << 62}, {1, 1}, 0}, "int8", "DTYPE-06");
}

void TestTensorViews::dtypeView() {
    QFETCH(View, view);
    QFETCH(QString, dtype);
    QFETCH(QString, result);
    const auto made = viewAsDType(view, DType::Int16, *dtypeFromName(dtype.toStdString()));
    if (!made) {
        QCOMPARE(QString::fromStdString(made.refusal().id), result);
        QCOMPARE(made.refusal().kind, ErrorKind::Runtime);
        QVERIFY(made.refusal().message.size() <= 140);
        return;
    }
    const std::string text = toString(std::span<const Index>(made->shape)) + " " +
                             toString(std::span<const Index>(made->stride)) + " " + std::to_string(made->offset);
    QCOMPARE(QString::fromStdString(text), result);
}

void TestTensorViews::dtypeViewOverTheZoo() {
    for (const ZooView& layout : zooViews()) {
        for (const DType from : kRealDTypes) {
            const Tensor t = zooTensor(layout, from);
            for (const DType to : kRealDTypes) {
                const auto expected = viewAsDType(t.view(), from, to);
                if (!expected) continue;
                const Tensor other = viewDType(t, to);
                const std::string what = layout.name + " as " + std::string(name(to));
                QVERIFY2(other.storage() == t.storage(), what.c_str());
                QVERIFY2(checkInBounds(other.view(), other.storageNumel()).ok(), what.c_str());
                QCOMPARE(other.nbytes(), t.nbytes());
                if (itemSize(from) == itemSize(to)) continue;
                const Tensor back = viewDType(other, from); // the way back is always open
                QVERIFY2(back.shape() == t.shape() && back.storageOffset() == t.storageOffset(), what.c_str());
            }
        }
    }
}

QTEST_GUILESS_MAIN(TestTensorViews)
#include "tst_tensor_views.moc"
