// Operations that make a tensor a view of other slots: what it is then, and what stays.

#include "core/ops/creation.h"
#include "core/ops/handles.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/views.h"
#include "core/trace/op_record.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

using namespace stridescope;

class TestHandles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void viewsOfTheTensorItself();
    void everyLayoutOfTheZoo();
    void resizeKeepsWhatIsThere();
    void setTakesAnotherStorage();
    void refusalsChangeNothing();
    void publishesOneRecord();
};

void TestHandles::viewsOfTheTensorItself() {
    Tensor x = reshape(arange(6), {2, 3});
    const Tensor other = x;
    const auto storage = x.storage()->id();
    t_(x);
    QVERIFY(x.view() == t(other).view());
    transpose_(x, 0, 1);
    QVERIFY(x.view() == other.view());
    unsqueeze_(x, 1);
    QCOMPARE(x.shape(), (Dims{2, 1, 3}));
    squeeze_(x, 0); // not of size 1: nothing happens
    QCOMPARE(x.shape(), (Dims{2, 1, 3}));
    squeeze_(x);
    QCOMPARE(x.shape(), (Dims{2, 3}));
    asStrided_(x, {2, 2}, {1, 2}, 1);
    QVERIFY(equal(x, tensorFrom({{1, 3}, {2, 4}})));
    QCOMPARE(x.storage()->id(), storage);
    QVERIFY(equal(other, reshape(arange(6), {2, 3})));
}

void TestHandles::everyLayoutOfTheZoo() {
    for (const test::ZooView& layout : test::zooViews()) {
        for (const DType dtype : kAllDTypes) {
            const Tensor before = test::zooTensor(layout, dtype);
            const std::vector<std::byte> bytes = test::bytesOf(before);
            const auto check = [&](auto change, const View& expected) {
                Tensor x = before;
                change(x);
                QVERIFY2(x.view() == expected, layout.name.c_str());
                QCOMPARE(x.storage()->id(), before.storage()->id());
            };
            for (Index d = 0; d < before.dim(); ++d) {
                for (Index e = 0; e < before.dim(); ++e)
                    check([&](Tensor& x) { transpose_(x, d, e - before.dim()); }, transpose(before, d, e).view());
                check([&](Tensor& x) { squeeze_(x, d); }, squeeze(before, d).view());
            }
            for (Index d = 0; d <= before.dim(); ++d)
                check([&](Tensor& x) { unsqueeze_(x, d); }, unsqueeze(before, d).view());
            check([&](Tensor& x) { squeeze_(x); }, squeeze(before).view());
            if (before.dim() <= 2) check([&](Tensor& x) { t_(x); }, t(before).view());
            if (before.storageNumel() > before.storageOffset() + 2)
                check([&](Tensor& x) { asStrided_(x, {2, 2}, {1, 1}); }, {{2, 2}, {1, 1}, before.storageOffset()});
            check([&](Tensor& x) { resize_(x, before.shape()); }, before.view());
            Tensor other = empty({0}, {dtype, Device{}});
            set_(other, before);
            QVERIFY2(other.view() == before.view() && other.storage() == before.storage(), layout.name.c_str());
            QVERIFY2(test::bytesOf(before) == bytes, layout.name.c_str());
        }
    }
}

void TestHandles::resizeKeepsWhatIsThere() {
    Tensor x = transpose(reshape(arange(6), {2, 3}), 0, 1);
    const auto storage = x.storage()->id();
    resize_(x, {2, 2});
    QVERIFY(equal(x, tensorFrom({{0, 1}, {2, 3}}))); // the order of memory
    QCOMPARE(x.storage()->id(), storage);
    resize_(x, {0});
    resize_(x, {6});
    QVERIFY(equal(x, arange(6)));
    Tensor part = narrow(x, 0, 4, 2);
    resize_(part, {4}); // two more than there is room for: the storage grows under both
    QCOMPARE(part.storage()->id(), storage);
    QCOMPARE(part.storageOffset(), Index{4});
    QVERIFY(equal(part, tensorFrom({4, 5, 0, 0})));
    QVERIFY(equal(x, arange(6)) && x.storageNumel() == 8);
    // In its own shape a tensor stays what it is.
    Tensor turned = transpose(reshape(arange(6), {2, 3}), 0, 1);
    resize_(turned, {3, 2});
    QCOMPARE(turned.stride(), (Dims{1, 3}));
    Tensor none = empty({0});
    resize_(none, {2, 3});
    QCOMPARE(none.stride(), (Dims{3, 1}));
}

void TestHandles::setTakesAnotherStorage() {
    const Tensor base = arange(10);
    Tensor x = empty({0}, {DType::Int64, Device{}});
    set_(x, base.storage(), {{2, 3}, {4, 1}, 1});
    QVERIFY(equal(x, tensorFrom({{1, 2, 3}, {5, 6, 7}})));
    add_(x, 100);
    QVERIFY(equal(narrow(base, 0, 0, 3), tensorFrom({0, 101, 102})));
    Tensor y = empty({0}, {DType::Int64, Device{}});
    set_(y, x);
    QVERIFY(y.view() == x.view() && y.storage() == x.storage());
    // Beyond its end the storage grows.
    set_(y, base.storage(), {{2}, {5}, 9});
    QVERIFY(base.storageNumel() == 15 && equal(y, tensorFrom({9, 0})));
    set_(y, base.storage(), {{0}, {1}, 100}); // no element, no need
    QCOMPARE(base.storageNumel(), Index{15});
}

void TestHandles::refusalsChangeNothing() {
    Tensor x = reshape(arange(12), {2, 2, 3}), undefined;
    const Tensor before = x;
    QVERIFY(refusalOf([&] { t_(x); }));
    QVERIFY(refusalOf([&] { transpose_(x, 0, 3); }));
    QVERIFY(refusalOf([&] { asStrided_(x, {100}, {1}); }));
    QCOMPARE(refusalOf([&] { set_(x, before.storage(), {{2}, {-1}, 0}); })->id, std::string("VIEW-25"));
    QVERIFY(refusalOf([&] { resize_(x, {-1}); }));
    QVERIFY(refusalOf([&] { resize_(x, {Index{1} << 62}); }));
    QCOMPARE(refusalOf([&] { set_(x, ones({3})); })->id, std::string("DTYPE-07"));
    QCOMPARE(refusalOf([&] { resize_(undefined, {3}); })->id, std::string("TENSOR-02"));
    QCOMPARE(refusalOf([&] { set_(x, undefined); })->id, std::string("TENSOR-02"));
    QVERIFY(x.view() == before.view() && x.storage() == before.storage());
}

void TestHandles::publishesOneRecord() {
    Tensor x = reshape(arange(6), {2, 3});
    std::vector<OpRecord> records;
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    transpose_(x, 0, 1);
    resize_(x, {2, 2});
    resize_(x, {7});
    set_(x, x.storage(), {{3}, {2}, 0});
    QCOMPARE(records.size(), 4U);
    QCOMPARE(records[0].name, std::string("transpose_"));
    QVERIFY(records[0].effect == OpEffect::View);
    QCOMPARE(records[1].name, std::string("resize_"));
    QCOMPARE(records[1].arguments, std::string("2, 2"));
    QVERIFY(records[1].effect == OpEffect::View && records[2].effect == OpEffect::Alloc);
    QCOMPARE(records[3].arguments, std::string("0, (3,), (2,)"));
}

QTEST_APPLESS_MAIN(TestHandles)
#include "tst_handles.moc"
