// Where elements came from, against trying it out: of every operation with a sample, each element of each input is
// changed in turn, and whatever changes in the results must have named it as a source.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/joining.h"
#include "core/ops/masking.h"
#include "core/ops/matmul.h"
#include "core/ops/operation_table.h"
#include "core/ops/patterns.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/provenance.h"
#include "core/ops/reductions.h"
#include "core/ops/subscript.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "core/view/reach_query.h"
#include "tests/support/operation_samples.h"

#include <QTest>

#include <cstring>
#include <set>

using namespace stridescope;

namespace {

std::vector<OpRecord> recorded(const std::function<void()>& work) {
    std::vector<OpRecord> records;
    const OpSubscription subscription([&](const OpRecord& record) { records.push_back(record); });
    work();
    return records;
}

bool nextCoord(Dims& coord, const Dims& shape) {
    for (std::size_t d = coord.size(); d-- > 0;) {
        if (++coord[d] < shape[d]) return true;
        coord[d] = 0;
    }
    return false;
}

template <class Visit>
void everyCoord(const Dims& shape, Visit visit) {
    for (const Index n : shape)
        if (n == 0) return;
    Dims coord(shape.size(), 0);
    do visit(coord);
    while (nextCoord(coord, shape));
}

bool isRecordOf(const TensorRecord& record, const Tensor& t) {
    return t.defined() && record.storageId == t.storage()->id() && record.view == t.view();
}

/// Bit for bit, whatever the dtype.
bool sameAt(const Tensor& a, const Tensor& b, const Dims& coord) {
    const auto at = [&coord](const Tensor& t) {
        return t.storage()->data() + static_cast<std::size_t>(t.view().slot(coord)) * t.itemSize();
    };
    return std::memcmp(at(a), at(b), a.itemSize()) == 0;
}

/// Text of the boxes, for QCOMPARE.
QString text(const Sources& sources) {
    QStringList parts;
    for (const SourceBox& box : sources.boxes) {
        QStringList dims;
        for (std::size_t d = 0; d < box.start.size(); ++d)
            dims << (box.length[d] == 1 ? QString::number(box.start[d])
                                        : QStringLiteral("%1:%2").arg(box.start[d]).arg(box.start[d] + box.length[d]));
        parts << QStringLiteral("%1[%2]").arg(box.input).arg(dims.join(QLatin1Char(',')));
    }
    return parts.join(QLatin1Char(' '));
}

} // namespace

class TestProvenance : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samples_data();
    void samples();
    void knownForms_data();
    void knownForms();
    void viewsShareTheirCell();
    void lastWriterIsFound();
    void assignedPartsAreKnown();
    void chosenElementsAreKnown_data();
    void chosenElementsAreKnown();
    void largeTargetsAreNotTold();
};

void TestProvenance::samples_data() {
    QTest::addColumn<QString>("name");
    for (const Operation& op : operations())
        if (op.sample && op.dtypes.has(DType::Float64))
            QTest::newRow(std::string(op.name).c_str()) << QString::fromStdString(std::string(op.name));
}

void TestProvenance::samples() {
    QFETCH(QString, name);
    const Operation* op = findOperation(name.toStdString());
    for (const std::vector<Tensor>& inputs : test::operationSamples(op->inputs, DType::Float64)) {
        std::vector<Tensor> before;
        const std::vector<OpRecord> records = recorded([&] { before = op->sample(inputs); });
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            // Elements that share a cell change together.
            if (inputs[k].dtype() != DType::Float64 || maySelfOverlap(inputs[k].view())) continue;
            everyCoord(inputs[k].shape(), [&](const Dims& at) {
                const Scalar old = readElement(inputs[k], at);
                writeElement(inputs[k], at, Scalar(old.toDouble() + 0.37));
                const std::vector<Tensor> after = op->sample(inputs);
                writeElement(inputs[k], at, old);
                for (std::size_t r = 0; r < std::min(before.size(), after.size()); ++r) {
                    if (before[r].shape() != after[r].shape()) continue;
                    // The record that made this result.
                    for (const OpRecord& record : records) {
                        for (std::size_t o = 0; o < record.outputs.size(); ++o) {
                            if (record.effect == OpEffect::View || !isRecordOf(record.outputs[o], before[r])) continue;
                            std::size_t input = 0;
                            while (input < record.inputs.size() && !isRecordOf(record.inputs[input], inputs[k]))
                                ++input;
                            if (input == record.inputs.size()) continue; // it came there through other operations
                            everyCoord(before[r].shape(), [&](const Dims& coord) {
                                if (sameAt(before[r], after[r], coord)) return;
                                const Sources sources = sourcesOf(record, o, coord);
                                const bool named =
                                    std::any_of(sources.boxes.begin(), sources.boxes.end(), [&](const SourceBox& box) {
                                        return isRecordOf(record.inputs[box.input], inputs[k]) && box.contains(at);
                                    });
                                if (!named)
                                    qWarning("%s(%s): %s", record.name.c_str(), record.arguments.c_str(),
                                             qPrintable(text(sources)));
                                QVERIFY(named);
                            });
                        }
                    }
                }
            });
            if (QTest::currentTestFailed()) return;
        }
    }
}

void TestProvenance::knownForms_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QList<QList<Index>>>("shapes"); ///< of the inputs, then of the output
    QTest::addColumn<QList<Index>>("coord");
    QTest::addColumn<QString>("sources");
    using Shapes = QList<QList<Index>>;
    const auto row = [](const char* name, const char* arguments, const Shapes& shapes, const QList<Index>& coord,
                        const char* sources) {
        QTest::addRow("%s(%s)", name, arguments) << QString::fromLatin1(name) << QString::fromLatin1(arguments)
                                                 << shapes << coord << QString::fromLatin1(sources);
    };
    row("add", "", {{3, 1}, {4}, {3, 4}}, {2, 1}, "0[2,0] 1[1]");
    row("add_", "", {{3, 4}, {4}, {3, 4}}, {2, 1}, "0[2,1] 1[1]");
    row("neg", "", {{3}, {3}}, {2}, "0[2]");
    row("sum", "", {{3, 4}, {}}, {}, "0[0:3,0:4]");
    row("sum", "1", {{3, 4}, {3}}, {2}, "0[2,0:4]");
    row("sum", "-2, keepdim=True", {{3, 4}, {1, 4}}, {0, 3}, "0[0:3,3]");
    row("sum", "(0, 2)", {{2, 3, 4}, {3}}, {1}, "0[0:2,1,0:4]");
    row("norm", "2.0, 0", {{3, 4}, {4}}, {1}, "0[0:3,1]");
    row("max", "1", {{3, 4}, {3}}, {0}, "0[0,0:4]");
    row("cumsum", "1", {{3, 4}, {3, 4}}, {1, 2}, "0[1,0:3]");
    row("softmax", "0", {{3, 4}, {3, 4}}, {1, 2}, "0[0:3,2]");
    row("diff", "1, 0", {{4, 2}, {3, 2}}, {1, 1}, "0[1:3,1]");
    row("matmul", "", {{3, 4}, {4, 5}, {3, 5}}, {2, 1}, "0[2,0:4] 1[0:4,1]");
    row("matmul", "", {{4}, {4, 5}, {5}}, {1}, "0[0:4] 1[0:4,1]");
    row("matmul", "", {{7, 3, 4}, {4}, {7, 3}}, {6, 2}, "0[6,2,0:4] 1[0:4]");
    row("matmul", "", {{1, 3, 4}, {7, 4, 5}, {7, 3, 5}}, {6, 2, 1}, "0[0,2,0:4] 1[6,0:4,1]");
    row("dot", "", {{4}, {4}, {}}, {}, "0[0:4] 1[0:4]");
    row("addmm", "", {{5}, {3, 4}, {4, 5}, {3, 5}}, {2, 1}, "0[1] 1[2,0:4] 2[0:4,1]");
    row("outer", "", {{3}, {4}, {3, 4}}, {2, 1}, "0[2] 1[1]");
    row("trace", "", {{2, 3}, {}}, {}, "0[0,0] 0[1,1]");
    row("cross", "", {{2, 3}, {2, 3}, {2, 3}}, {1, 0}, "0[1,1] 0[1,2] 1[1,1] 1[1,2]");
    row("cross", "0", {{3, 3}, {3, 3}, {3, 3}}, {2, 1}, "0[0,1] 0[1,1] 1[0,1] 1[1,1]");
    row("tensordot", "dims=((1,), (0,))", {{3, 4}, {4, 5}, {3, 5}}, {2, 1}, "0[2,0:4] 1[0:4,1]");
    row("tensordot", "dims=((0, -1), (1, 0))", {{2, 3, 4}, {4, 2, 5}, {3, 5}}, {2, 1}, "0[0:2,2,0:4] 1[0:4,0:2,1]");
    row("tensordot", "dims=((), ())", {{2}, {3}, {2, 3}}, {1, 2}, "0[1] 1[2]");
    row("einsum", "'ij,jk->ki', {0}, {1}", {{3, 4}, {4, 5}, {5, 3}}, {1, 2}, "0[2,0:4] 1[0:4,1]");
    row("einsum", "'bij, bjk->bik', {0}, {1}", {{7, 3, 4}, {1, 4, 5}, {7, 3, 5}}, {6, 2, 1}, "0[6,2,0:4] 1[0,0:4,1]");
    row("einsum", "'bij, bjk', {0}, {1}", {{7, 3, 4}, {7, 4, 5}, {3, 5}}, {2, 1}, "0[0:7,2,0:4] 1[0:7,0:4,1]");
    row("einsum", "'ii->i', {0}", {{3, 3}, {3}}, {2}, "0[2,2]");
    row("linalg.multi_dot", "[{0}, {1}, {2}]", {{2, 3}, {3, 4}, {4, 5}, {2, 5}}, {1, 2},
        "0[1,0:3] 1[0:3,0:4] 2[0:4,2]");
    row("linalg.multi_dot", "[{0}, {1}]", {{3}, {3, 4}, {4}}, {2}, "0[0:3] 1[0:3,2]");
    row("kron", "", {{2, 3}, {4, 5}, {8, 15}}, {6, 7}, "0[1,1] 1[2,2]");
    row("kron", "", {{3}, {4, 5}, {4, 15}}, {3, 7}, "0[1] 1[3,2]");
    row("unique", "", {{3, 4}, {5}}, {2}, "0[0:3,0:4]");
    row("getitem", "[{1}]", {{3, 4}, {2}, {2, 4}}, {1, 3}, "0[0:3,3] 1[1]");
    row("getitem", "[{1}, {2}]", {{3, 4}, {2}, {2}, {2}}, {1}, "0[0:3,0:4] 1[1] 2[1]");
    row("getitem", "[{1}, {2}]", {{3, 4}, {2, 1}, {5}, {2, 5}}, {1, 4}, "0[0:3,0:4] 1[1,0] 2[4]");
    row("getitem", "[1:, ::2, {1}]", {{3, 4, 6}, {5}, {2, 2, 5}}, {1, 1, 4}, "0[2,2,0:6] 1[4]");
    row("getitem", "[{1}, :, {2}]", {{3, 4, 6}, {5}, {5}, {5, 4}}, {3, 1}, "0[0:3,1,0:6] 1[3] 2[3]");
    row("getitem", "[-1, None, {1}]", {{3, 4, 6}, {5}, {1, 5, 6}}, {0, 3, 2}, "0[2,0:4,2] 1[3]");
    row("getitem", "[..., {1}]", {{3, 4}, {2}, {3, 2}}, {2, 1}, "0[2,0:4] 1[1]");
    row("cat", "1", {{2, 3}, {2, 2}, {2, 5}}, {1, 4}, "1[1,1]");
    row("cat", "", {{0}, {2, 3}, {2, 3}}, {1, 2}, "1[1,2]");
    row("stack", "1", {{2}, {2}, {2, 2}}, {0, 1}, "1[0]");
    row("repeat", "2, 2", {{3}, {2, 6}}, {1, 4}, "0[1]");
    row("roll", "1, 0", {{3, 2}, {3, 2}}, {0, 1}, "0[2,1]");
    row("roll", "1", {{3, 2}, {3, 2}}, {1, 0}, "0[0,1]");
    row("flip", "(0, 1)", {{3, 2}, {3, 2}}, {0, 1}, "0[2,0]");
    row("gather", "1, {1}", {{3, 4}, {3, 2}, {3, 2}}, {2, 1}, "0[2,0:4] 1[2,1]");
    row("index_select", "0, {1}", {{3, 4}, {2}, {2, 4}}, {1, 3}, "0[0:3,3] 1[1]");
    row("reshape", "6", {{2, 3}, {6}}, {4}, "0[1,1]");
    row("copy_", "", {{3, 4}, {4}, {3, 4}}, {2, 1}, "1[1]");
    row("zeros", "3", {{3}}, {1}, "");
    // Of whatever the record does not tell, everything may have had a part.
    row("linalg.inv", "", {{3, 3}, {3, 3}}, {0, 1}, "0[0:3,0:3]");
    row("sum", "no number", {{3, 4}, {3}}, {2}, "0[0:3,0:4]");
    row("matmul", "", {{3, 4}, {5, 6}, {3, 6}}, {0, 0}, "0[0:3,0:4] 1[0:5,0:6]");
}

void TestProvenance::knownForms() {
    QFETCH(QString, name);
    QFETCH(QString, arguments);
    QFETCH(QList<QList<Index>>, shapes);
    QFETCH(QList<Index>, coord);
    QFETCH(QString, sources);
    OpRecord record;
    record.name = name.toStdString();
    record.arguments = arguments.toStdString();
    record.effect = name.endsWith(QLatin1Char('_')) ? OpEffect::InPlace : OpEffect::Alloc;
    for (qsizetype i = 0; i < shapes.size(); ++i) {
        TensorRecord side;
        side.storageId = static_cast<std::uint64_t>(i + 1);
        side.view = contiguousView(Dims(std::span<const Index>(shapes[i].begin(), shapes[i].end()))).valueOrThrow();
        (i + 1 < shapes.size() ? record.inputs : record.outputs).push_back(side);
    }
    const Dims at(std::span<const Index>(coord.begin(), coord.end()));
    QCOMPARE(text(sourcesOf(record, 0, at)), sources);
}

void TestProvenance::viewsShareTheirCell() {
    const Tensor base = stridescope::view(arange(12), {3, 4});
    Tensor made;
    const auto records = recorded([&] { made = narrow(t(base), 0, 1, 2); });
    QCOMPARE(records.size(), std::size_t{2});
    const Sources narrowed = sourcesOf(records[1], 0, {1, 2});
    QVERIFY(narrowed.kind == SourceKind::Same);
    QCOMPARE(text(narrowed), QStringLiteral("0[2,2]"));
    QCOMPARE(text(sourcesOf(records[0], 0, {2, 1})), QStringLiteral("0[1,2]"));
}

void TestProvenance::lastWriterIsFound() {
    Tensor a, b, part;
    const auto records = recorded([&] {
        a = arange(6);
        b = add(a, 1);
        part = narrow(b, 0, 2, 2);
        fill_(part, Scalar(9));
    });
    QCOMPARE(records.size(), std::size_t{4});
    const auto id = b.storage()->id();
    const auto first = lastWriter(records, records.size(), id, 8);
    QVERIFY(first && first->record == 1 && first->coord == Dims({1}));
    const auto written = lastWriter(records, records.size(), id, 3 * 8 + 5);
    QVERIFY(written && written->record == 3 && written->coord == Dims({1}));
    QCOMPARE(lastWriter(records, 3, id, 3 * 8)->record, std::size_t{1});
    QVERIFY(!lastWriter(records, 1, id, 0));
    QVERIFY(!lastWriter(records, records.size(), 999'999, 0));
}

void TestProvenance::assignedPartsAreKnown() {
    // Whatever changes must be said to be written by it, and nothing else where numbers and slices tell.
    const Tensor value = arange(Scalar(100), Scalar(102), Scalar(1));
    using Items = std::vector<IndexItem>;
    const IndexItem all = IndexItem::slice();
    const std::vector<Items> cases = {{Index{1}},
                                      {Index{-1}, Index{2}},
                                      {all, Index{3}},
                                      {IndexItem::slice(1), IndexItem::slice(-2)},
                                      {IndexItem::slice(std::nullopt, std::nullopt, 2), IndexItem::slice(1, 5, 3)},
                                      {IndexItem::ellipsis(), Index{0}},
                                      {all, IndexItem::newDim(), IndexItem::slice(0, 2)}};
    for (const Items& items : cases) {
        const Tensor t = arange(Scalar(0), Scalar(12), Scalar(1)).withView(makeView(Dims{3, 4}, Dims{1, 3}, 0).value());
        const auto records = recorded([&] { setIndex(t, items, Scalar(50)); });
        QCOMPARE(records.size(), std::size_t{1});
        everyCoord(t.shape(), [&](const Dims& coord) {
            const bool changed = readElement(t, coord).toInt() == 50;
            const auto written = elementWritten(records[0], t.storage()->id(), t.view().slot(coord) * 8);
            QCOMPARE(written.has_value(), changed);
            if (written) QVERIFY(sourcesOf(records[0], 0, written->coord).kind == SourceKind::Made);
        });
    }
    const Tensor t = zeros({3, 2}, {DType::Int64, {}});
    const auto records = recorded([&] { setIndex(t, {IndexItem::slice(1)}, value); });
    QCOMPARE(text(sourcesOf(records.back(), 0, Dims{2, 1})), QStringLiteral("1[1]"));
    QVERIFY(!elementWritten(records.back(), t.storage()->id(), 8));
}

using Write = std::function<void(const Tensor&)>;

void TestProvenance::chosenElementsAreKnown_data() {
    QTest::addColumn<Write>("write");
    const auto row = [](const char* name, Write write) { QTest::newRow(name) << std::move(write); };
    const auto numbers = [](std::initializer_list<int> values, const Dims& shape) {
        const Tensor t = empty(shape, {DType::Int64, {}});
        Index place = 0;
        for (const int value : values) t.data<Index>()[place++] = value;
        return t;
    };
    const auto news = [](const Dims& shape) { return full(shape, Scalar(50), {DType::Int64, {}}); };
    const Tensor rows = numbers({2, 0}, {2}), last = numbers({-1}, {1});
    const Tensor index = numbers({0, 2, 1, 1}, {2, 2}), none = numbers({}, {0});
    const auto odd = [](const Tensor& t) { return eq(remainder(t, Scalar(2)), Scalar(1)); };
    const Scalar five(50);
    row("[rows]", [=](const Tensor& t) { setIndex(t, {rows}, five); });
    row("[last]", [=](const Tensor& t) { setIndex(t, {last}, news({1, 4})); });
    row("[none]", [=](const Tensor& t) { setIndex(t, {none}, five); });
    row("[1:, rows]", [=](const Tensor& t) { setIndex(t, {IndexItem::slice(1), rows}, five); });
    row("[rows, rows]", [=](const Tensor& t) { setIndex(t, {rows, rows}, five); });
    row("[mask]", [=](const Tensor& t) { setIndex(t, {odd(t)}, five); });
    row("[mask of rows]", [=](const Tensor& t) { setIndex(t, {odd(select(t, 1, 0))}, five); });
    row("[True]", [=](const Tensor& t) { setIndex(t, {true}, five); });
    row("[False]", [=](const Tensor& t) { setIndex(t, {false}, five); });
    row("index_put_", [=](const Tensor& t) { indexPut_(t, {rows, last}, news({2}), false); });
    row("index_put_ accumulate", [=](const Tensor& t) { indexPut_(t, {rows}, news({2, 4}), true); });
    row("index_fill_", [=](const Tensor& t) { indexFill_(t, 1, rows, five); });
    row("index_fill_ tensor", [=](const Tensor& t) { indexFill_(t, 0, rows, news({})); });
    row("index_copy_", [=](const Tensor& t) { indexCopy_(t, 0, rows, news({2, 4})); });
    row("index_add_", [=](const Tensor& t) { indexAdd_(t, 1, rows, news({3, 2}), Scalar(1)); });
    row("index_reduce_", [=](const Tensor& t) { indexReduce_(t, 0, rows, news({2, 4}), ReduceBy::Amax, true); });
    row("scatter_", [=](const Tensor& t) { scatter_(t, 0, index, five); });
    row("scatter_ tensor", [=](const Tensor& t) { scatter_(t, 1, index, news({2, 2})); });
    row("scatter_add_", [=](const Tensor& t) { scatterAdd_(t, 0, index, news({2, 2})); });
    row("scatter_reduce_", [=](const Tensor& t) { scatterReduce_(t, 0, index, news({2, 2}), ReduceBy::Amax, true); });
    row("put_", [=](const Tensor& t) { put_(t, numbers({-1, 3}, {2}), news({2}), false); });
    row("masked_fill_", [=](const Tensor& t) { maskedFill_(t, odd(t), five); });
    row("masked_fill_ of rows", [=](const Tensor& t) { maskedFill_(t, odd(narrow(t, 1, 0, 1)), news({})); });
    row("masked_scatter_", [=](const Tensor& t) { maskedScatter_(t, odd(t), news({12})); });
    row("fill_diagonal_", [=](const Tensor& t) { fillDiagonal_(t, five, true); });
    row("tril_", [=](const Tensor& t) { tril_(t, 1); });
    row("triu_", [=](const Tensor& t) { triu_(t, 0); });
}

void TestProvenance::chosenElementsAreKnown() {
    QFETCH(Write, write);
    // Of twelve elements beside others that no view reaches; none of them is the value that is written.
    for (const auto& [stride, offset] : {std::pair(Dims{4, 1}, 0), {Dims{1, 3}, 2}, {Dims{8, 2}, 1}}) {
        const Tensor line = arange(Scalar(1), Scalar(25), Scalar(1));
        const Tensor t = line.withView(makeView(Dims{3, 4}, stride, offset).value());
        const Tensor before = clone(line);
        const auto records = recorded([&] { write(t); });
        QVERIFY(!records.empty() && records.back().effect == OpEffect::InPlace);
        Index count = 0;
        for (Index slot = 0; slot < line.numel(); ++slot) {
            const bool changed = line.data<Index>()[slot] != before.data<Index>()[slot];
            count += changed ? 1 : 0;
            QCOMPARE(elementWritten(records.back(), t.storage()->id(), slot * 8).has_value(), changed);
        }
        QCOMPARE(records.back().written.count(), count);
        QCOMPARE(records.back().bytesWritten, count * 8);
    }
}

void TestProvenance::largeTargetsAreNotTold() {
    const Tensor t = zeros({kMostTold + 1}, {DType::Int64, {}});
    const auto records = recorded([&] { maskedFill_(t, ones({1}, {DType::Bool, {}}), Scalar(1)); });
    QVERIFY(records.back().written.empty());
    QCOMPARE(records.back().bytesWritten, t.nbytes());
}

QTEST_GUILESS_MAIN(TestProvenance)
#include "tst_provenance.moc"
