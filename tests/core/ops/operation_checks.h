#pragma once
// What the tests of operations share: the loop over the view zoo and every dtype, and rows of refusals.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <functional>
#include <string>

namespace stridescope::test {

/// `check(layout, dtype, what)` for each layout of the zoo and each dtype of `dtypes`. The large layouts, which are
/// there for threads and vector loops, come in one dtype of four bytes and one of one byte only.
template <class DTypes, class Check>
void overTheZoo(const DTypes& dtypes, Check check) {
    for (const ZooView& layout : zooViews())
        for (const DType dtype : dtypes)
            if (layout.view.numel() < 1000 || dtype == DType::Float32 || dtype == DType::UInt8)
                check(layout, dtype, layout.name + ", " + std::string(name(dtype)));
}

/// Fails with `what` where there is a difference (see differenceFrom).
inline void verify(const std::string& difference, const std::string& what) {
    QVERIFY2(difference.empty(), (what + ": " + difference).c_str());
}

/// 0, 1, 2 … as int64 in that shape.
inline Tensor ints(const Dims& shape) {
    Index n = 1;
    for (const Index size : shape) n *= size;
    return view(arange(n), shape);
}

/// A table of refusals: the columns, a row (an empty message: any), and the check of the current row.
inline void addRefusalColumns() {
    QTest::addColumn<std::function<void()>>("action");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("message");
}
inline void addRefusal(const char* name, std::function<void()> action, const char* id, const char* message) {
    QTest::newRow(name) << std::move(action) << QString::fromLatin1(id) << QString::fromLatin1(message);
}
inline void checkRefusal() {
    QFETCH(std::function<void()>, action);
    QFETCH(QString, id);
    QFETCH(QString, message);
    const auto refusal = refusalOf(action);
    QVERIFY(refusal);
    QCOMPARE(QString::fromStdString(refusal->id), id);
    if (!message.isEmpty()) QCOMPARE(QString::fromStdString(refusal->message), message);
}

} // namespace stridescope::test
