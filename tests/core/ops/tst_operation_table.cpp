// Every operation of the table on every dtype and layout: what it says it takes it takes, the rest it refuses with an
// id of its own; a result depends on values, never on how they lie in memory. And the page in docs is the table's.

#include "core/ops/copy.h"
#include "core/ops/operation_table.h"
#include "core/trace/op_record.h"
#include "core/view/op_table.h"
#include "tests/support/check_refusal.h"
#include "tests/support/operation_samples.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QTest>

#include <map>
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
    void records_data();
    void records();
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
    for (const std::string_view name : namesWithSources()) QVERIFY2(findOperation(name), std::string(name).c_str());
    QCOMPARE(sourceText("linalg.solve"), std::string("PyTorch; LAPACK getrf, getrs"));
    QCOMPARE(sourceText("add"), std::string("PyTorch"));
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
        const auto cases = operationSamples(op->inputs, dtype, SampleLayouts::Zoo);
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

void TestOperationTable::records_data() {
    samples_data();
}

void TestOperationTable::records() {
    QFETCH(QString, name);
    const Operation* op = findOperation(name.toStdString());
    const DType dtype = op->dtypes.has(DType::Float32) ? DType::Float32
                        : op->dtypes.has(DType::Int64) ? DType::Int64
                                                       : DType::Complex64;
    // Other names of an operation are recorded under the first.
    static const std::map<std::string_view, std::string_view> firstNames{
        {"Tensor.__getitem__", "getitem"},
        {"Tensor.sum_to_size", "sum"},
        {"msort", "sort"},
        {"chain_matmul", "linalg.multi_dot"},
        {"lu_solve", "linalg.lu_solve"},
        {"pinverse", "linalg.pinv"},
        {"fft.fft2", "fft.fftn"},
        {"fft.ifft2", "fft.ifftn"},
        {"fft.rfft2", "fft.rfftn"},
        {"fft.irfft2", "fft.irfftn"},
        {"fft.hfft2", "fft.hfftn"},
        {"fft.ihfft2", "fft.ihfftn"},
    };
    const auto first = firstNames.find(op->name);
    const std::string_view own = first != firstNames.end() ? first->second : op->name.substr(op->name.rfind('.') + 1);
    for (const std::vector<Tensor>& inputs : operationSamples(op->inputs, dtype)) {
        std::set<std::string> seen;
        const OpSubscription subscription([&seen](const OpRecord& record) { seen.insert(record.name); });
        const std::vector<Tensor> results = op->sample(inputs);
        std::string list;
        for (const std::string& one : seen) list += one + " ";
        QVERIFY2(seen.contains(std::string(own)) || seen.contains(std::string(op->name)), list.c_str());
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
