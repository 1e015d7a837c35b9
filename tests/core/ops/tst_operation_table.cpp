// Every operation of the table on every dtype and layout: what it says it takes it takes, the rest it refuses with an
// id of its own; a result depends on values, never on how they lie in memory. And the page in docs is the table's.

#include "core/ops/copy.h"
#include "core/ops/operation_table.h"
#include "core/view/op_table.h"
#include "tests/support/check_refusal.h"
#include "tests/support/operation_samples.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QtTest>

#include <set>

using namespace stridescope;
using namespace stridescope::test;

class TestOperationTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void entriesAreWhole();
    void dtypesAreSaidShortly();
    void samples_data();
    void samples();
    void pageIsTheTables();
};

void TestOperationTable::entriesAreWhole() {
    std::set<std::string_view> seen;
    for (const Operation& op : operations()) {
        const std::string name(op.name);
        QVERIFY2(!op.name.empty() && op.signature.starts_with('(') && op.signature.ends_with(')'), name.c_str());
        QVERIFY2(!op.doc.empty() && op.doc.size() < 120, name.c_str());
        QVERIFY2(!op.dtypes.empty(), name.c_str());
        QVERIFY2((op.inputs == SampleInputs::None) == (op.sample == nullptr), name.c_str());
        QVERIFY2(seen.insert(op.name).second, name.c_str());
    }
    for (const ViewOp& op : viewOps()) QVERIFY2(findOperation(op.name), op.name);
    QVERIFY(!findOperation("no such operation"));
    QCOMPARE(findOperation("linalg.solve")->family, OpFamily::LinearAlgebra);
}

void TestOperationTable::dtypesAreSaidShortly() {
    QCOMPARE(dtypes::text(dtypes::all), std::string("all"));
    QCOMPARE(dtypes::text(dtypes::reals), std::string("all real ones"));
    QCOMPARE(dtypes::text(dtypes::wideFloats | dtypes::complexes), std::string("complex, float32, float64"));
    QCOMPARE(dtypes::text(dtypes::integers | DType::Bool), std::string("integers, bool"));
}

void TestOperationTable::samples_data() {
    QTest::addColumn<QString>("name");
    for (const Operation& op : operations())
        if (op.sample) QTest::newRow(std::string(op.name).c_str()) << QString::fromStdString(std::string(op.name));
}

void TestOperationTable::samples() {
    QFETCH(QString, name);
    const Operation* op = findOperation(name.toStdString());
    QVERIFY(op);
    for (const DType dtype : kAllDTypes) {
        const auto cases = operationSamples(op->inputs, dtype);
        QVERIFY(!cases.empty());
        for (const std::vector<Tensor>& inputs : cases) {
            std::vector<Tensor> plain, got;
            for (const Tensor& t : inputs) plain.push_back(contiguous(t));
            const std::optional<Refusal> refusal = refusalOf([&] { got = op->sample(inputs); });
            const std::string where = std::string(stridescope::name(dtype)) + (refusal ? ": " + refusal->message : "");
            QVERIFY2(refusal.has_value() != op->dtypes.has(dtype), where.c_str());
            if (refusal) {
                QVERIFY2(!refusal->id.empty() && !refusal->message.empty(), where.c_str());
                continue;
            }
            const std::vector<Tensor> expected = op->sample(plain);
            QCOMPARE(got.size(), expected.size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                QVERIFY2(near(got[i], expected[i]), where.c_str());
                const bool shares = got[i].storage() == inputs[0].storage();
                if (op->gives == OpGives::New) QVERIFY2(!shares, where.c_str());
                if (op->gives == OpGives::View) QVERIFY2(shares, where.c_str());
            }
        }
    }
}

void TestOperationTable::pageIsTheTables() {
    QFile page(QString::fromStdString(test::sourcePath("docs/operations.md")));
    QVERIFY(page.open(QIODevice::ReadOnly));
    // Mend with: build/release/bin/stridescope operations > docs/operations.md
    QCOMPARE(QString::fromUtf8(page.readAll()), QString::fromStdString(operationsPage()));
}

QTEST_APPLESS_MAIN(TestOperationTable)
#include "tst_operation_table.moc"
