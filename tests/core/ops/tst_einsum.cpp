// einsum against a sum over all letters, one after the other.

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/einsum.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/support/check_refusal.h"
#include "tests/support/view_zoo.h"

#include <QTest>

#include <map>

using namespace stridescope;
using namespace stridescope::test;

namespace {

Tensor numbers(const Dims& shape, DType dtype = DType::Float64, Index seed = 0) {
    const Tensor t = zeros(shape, {dtype, Device{}});
    for (Index i = 0; i < t.numel(); ++i) writeSlot(t, i, Scalar(static_cast<double>((i * 7 + seed) % 5)));
    return t;
}

/// Letters only, sizes all alike or 1; every combination of all letters is visited.
Tensor model(const std::string& equation, const std::vector<Tensor>& operands) {
    const std::string left = equation.substr(0, equation.find("->")), right = equation.substr(equation.find("->") + 2);
    std::vector<std::string> terms{""};
    for (const char c : left) {
        if (c == ',')
            terms.emplace_back();
        else
            terms.back() += c;
    }
    std::map<char, Index> sizes, at;
    for (std::size_t i = 0; i < terms.size(); ++i)
        for (std::size_t d = 0; d < terms[i].size(); ++d) {
            const auto [known, added] = sizes.emplace(terms[i][d], operands[i].shape()[d]);
            if (!added && known->second == 1) known->second = operands[i].shape()[d];
        }
    Dims shape;
    for (const char c : right) shape.push_back(sizes[c]);
    const Tensor out = zeros(shape, {DType::Float64, Device{}});
    for (const auto& [letter, size] : sizes) {
        at[letter] = 0;
        if (size == 0) return out;
    }
    for (;;) {
        double product = 1;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            Dims coord;
            for (std::size_t d = 0; d < terms[i].size(); ++d)
                coord.push_back(operands[i].shape()[d] == 1 ? 0 : at[terms[i][d]]);
            product *= readElement(operands[i], coord).toDouble();
        }
        Dims coord;
        for (const char c : right) coord.push_back(at[c]);
        writeElement(out, coord, Scalar(readElement(out, coord).toDouble() + product));
        auto letter = at.begin();
        for (; letter != at.end(); ++letter) {
            if (++letter->second < sizes[letter->first]) break;
            letter->second = 0;
        }
        if (letter == at.end()) return out;
    }
}

} // namespace

class TestEinsum : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asTheModel_data();
    void asTheModel();
    void shapes_data();
    void shapes();
    void layoutsAndDTypes();
    void refuses_data();
    void refuses();
};

void TestEinsum::asTheModel_data() {
    QTest::addColumn<QString>("equation");
    QTest::addColumn<QStringList>("sizes"); // of each operand, "2 3"
    const auto row = [](const char* equation, const QStringList& sizes) {
        QTest::newRow(equation) << equation << sizes;
    };
    row("ij,jk->ik", {"2 3", "3 4"});
    row("ij,jk->ki", {"2 3", "3 4"});
    row("bij,bjk->bik", {"2 3 4", "2 4 5"});
    row("bij,kj->ibk", {"2 3 4", "5 4"});
    row("i,j->ij", {"3", "4"});
    row("i,i->", {"4", "4"});
    row("ij->ji", {"2 3"});
    row("ij->", {"2 3"});
    row("ij->j", {"2 3"});
    row("ii->i", {"3 3"});
    row("ii->", {"3 3"});
    row("iji->j", {"2 3 2"});
    row("ij,ij->ij", {"1 3", "2 3"});
    row("ij,jk->ik#", {"2 1", "3 4"});
    row("ij,jk,kl->il", {"2 3", "3 4", "4 2"});
    row("ij,jk,ik->", {"2 3", "3 4", "2 4"});
    row("abc,cd,be->ade", {"2 3 4", "4 2", "3 3"});
    row("ab,cd->", {"2 3", "2 2"});
    row("aB,Bc->ac", {"2 3", "3 2"});
    row("i,->i", {"3", ""});
    row("ij,jk->ik##", {"0 3", "3 2"});
    row("ij,jk->ik###", {"2 0", "0 3"});
}

void TestEinsum::asTheModel() {
    QFETCH(QString, equation);
    QFETCH(QStringList, sizes);
    equation.remove(QLatin1Char('#'));
    std::vector<Tensor> operands;
    for (const QString& text : sizes) {
        Dims shape;
        for (const QString& size : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) shape.push_back(size.toInt());
        operands.push_back(numbers(shape, DType::Float64, static_cast<Index>(operands.size())));
    }
    const Tensor expected = model(equation.toStdString(), operands), got = einsum(equation.toStdString(), operands);
    QCOMPARE(got.shape(), expected.shape());
    QVERIFY(elementsOf(got) == elementsOf(expected));
}

void TestEinsum::shapes_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* equation, const std::vector<Tensor>& operands, const char* expected) {
        QTest::newRow(equation) << QString::fromStdString(toString(einsum(equation, operands).shape())) << expected;
    };
    row("ij,jk", {ones({2, 3}), ones({3, 4})}, "(2, 4)");
    row("ba", {ones({2, 3})}, "(3, 2)");
    row("Ab", {ones({2, 3})}, "(2, 3)");
    row("...ij,...jk->...ik", {ones({5, 2, 3}), ones({3, 4})}, "(5, 2, 4)");
    row("...a,...b->...ab", {ones({2, 3}), ones({4})}, "(2, 3, 4)");
    row("...ij->ij", {ones({2, 3, 4})}, "(3, 4)");
    row("i->i...", {ones({2})}, "(2,)");
    row("...", {ones({2, 3})}, "(2, 3)");
    row("i , i", {ones({2}), ones({2})}, "()");
    row("->", {ones({})}, "()");
}

void TestEinsum::shapes() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

void TestEinsum::layoutsAndDTypes() {
    const Tensor a = numbers({3, 2}), b = numbers({4, 3});
    const Tensor expected = model("ij,jk->ik", {contiguous(t(a)), contiguous(t(b))});
    for (const DType dtype : {DType::Int8, DType::Int64, DType::Float32, DType::Float64}) {
        const Tensor got = einsum("ij,jk->ik", {t(to(a, dtype)), t(to(b, dtype))});
        QCOMPARE(got.dtype(), dtype);
        QVERIFY(elementsOf(to(got, DType::Float64)) == elementsOf(expected));
    }
    QCOMPARE(einsum("ij->ji", {a}).storage(), a.storage()); // nothing to compute: a view
    QCOMPARE(einsum("i,j->ij", {ones({2}, {DType::Float16, Device{}}), ones({3}, {DType::Float16, Device{}})}).dtype(),
             DType::Float16);
    QCOMPARE(einsum("i->", {ones({2}, {DType::Bool, Device{}})}).dtype(), DType::Int64);
}

void TestEinsum::refuses_data() {
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* equation, const std::vector<Tensor>& operands, const char* expected) {
        QTest::newRow(equation) << QString::fromStdString(refusalText([&] { (void)einsum(equation, operands); }))
                                << expected;
    };
    const Tensor v = ones({2}), m = ones({2, 3});
    row("", {}, "EINSUM-01 einsum(): must provide at least one operand");
    row("i,j,k", {v, v}, "EINSUM-01 einsum(): fewer operands were provided than specified in the equation");
    row("i", {v, v}, "EINSUM-01 einsum(): more operands were provided than specified in the equation");
    row("i1->i", {v},
        "EINSUM-02 einsum(): invalid subscript given at index 1 in the equation string, subscripts must be in "
        "[a-zA-Z]");
    row("i->j->k", {v},
        "EINSUM-02 einsum(): invalid subscript given at index 4 in the equation string, subscripts must be in "
        "[a-zA-Z]");
    row("..ij", {m}, "EINSUM-03 einsum(): found '.' for operand 0 that is not part of any ellipsis");
    row("...i...j", {m}, "EINSUM-03 einsum(): found '.' for operand 0 for which an ellipsis was already found");
    row("i->i.", {v}, "EINSUM-03 einsum(): found '.' for output that is not part of any ellipsis (...)");
    row("i->......", {v}, "EINSUM-03 einsum(): found '.' for output but an ellipsis (...) was already found");
    row("ijk", {m},
        "EINSUM-04 einsum(): the number of subscripts in the equation (3) does not match the number of dimensions (2) "
        "for operand 0 and no ellipsis was given");
    row("ij...", {v},
        "EINSUM-04 einsum(): the number of subscripts in the equation (2) is more than the number of dimensions (1) "
        "for operand 0");
    row("ij,ij->", {m, ones({2, 4})},
        "EINSUM-05 einsum(): subscript j has size 4 for operand 1 which does not broadcast with previously seen size "
        "3");
    row("ii", {m}, "EINSUM-05 einsum(): subscript i is repeated for operand 0 but the sizes don't match, 3 != 2");
    row("ij->il", {m}, "EINSUM-06 einsum(): output subscript l does not appear in the equation for any input operand");
    row("ij->ii", {m}, "EINSUM-06 einsum(): output subscript i appears more than once in the output");
    row("i,i", {v, arange(2)}, "MM-03 expected scalar type Float but found Long");
}

void TestEinsum::refuses() {
    QFETCH(QString, got);
    QFETCH(QString, expected);
    QCOMPARE(got, expected);
}

QTEST_APPLESS_MAIN(TestEinsum)
#include "tst_einsum.moc"
