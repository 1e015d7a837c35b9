// Numbers from the clipboard: what is recognised, as which tensor, and what is refused with which words.

#include "app/files/paste_text.h"
#include "core/print/repr.h"

#include <QTest>

using namespace stridescope;

class TestPasteText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("tensor");
        const auto row = [](const char* text, const char* tensor) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(tensor);
        };
        row("[1, 2, 3]", "tensor([1, 2, 3])");
        row("[[1, 2], [3, 4]]", "tensor([[1, 2],\n        [3, 4]])");
        row("[1.5, -2, nan, inf]", "tensor([ 1.5000, -2.0000,     nan,     inf])");
        row("[True, False]", "tensor([ True, False])");
        row("array([[1, 2],\n       [3, 4]])", "tensor([[1, 2],\n        [3, 4]])");
        row("array([1., 2.], dtype=float32)", "tensor([1., 2.])");
        row("array([1, 2], dtype=uint8)", "tensor([1, 2], dtype=torch.uint8)");
        row("tensor([1, 2], dtype=torch.int32)", "tensor([1, 2], dtype=torch.int32)");
        row("[[1 2]\n [3 4]]", "tensor([[1, 2],\n        [3, 4]])");
        row("[[1. 2.]\n [3. 4.]]", "tensor([[1., 2.],\n        [3., 4.]])");
        row("1\t2\n3\t4\n", "tensor([[1, 2],\n        [3, 4]])");
        row("1;2\r\n3;4", "tensor([[1, 2],\n        [3, 4]])");
        row("1, 2\n3, 4", "tensor([[1, 2],\n        [3, 4]])");
        row("1 2 3", "tensor([1, 2, 3])");
        row("1\n2\n3", "tensor([[1],\n        [2],\n        [3]])");
        row("x,y\n1,2\n3,4", "tensor([[1, 2],\n        [3, 4]])");
        row("1e3, -2.5e-1", "tensor([ 1.0000e+03, -2.5000e-01])");
        row("  7  ", "tensor([7])");
    }
    void reads() {
        QFETCH(QByteArray, text);
        QFETCH(QString, tensor);
        const auto pasted = readPastedNumbers(text.toStdString());
        QVERIFY2(pasted.ok(), pasted ? "" : pasted.refusal().message.c_str());
        TensorOptions options;
        options.dtype = pasted->dtype;
        QCOMPARE(QString::fromStdString(repr(tensorFrom(pasted->values, options))), tensor);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("id");
        const auto row = [](const char* name, const QByteArray& text, const char* id) {
            QTest::newRow(name) << text << QString::fromLatin1(id);
        };
        row("empty", "", "PASTE-03");
        row("blank", " \n ", "PASTE-03");
        row("prose", "Dear all,\nplease find attached", "PASTE-03");
        row("html", "<b>1</b>", "PASTE-03");
        row("binary", QByteArray("1\0002", 3), "PASTE-02");
        row("too long", QByteArray(5 << 20, '1'), "PASTE-01");
        row("ragged table", "1 2\n3", "PASTE-04");
        row("words inside", "1 2\n3 x", "PASTE-03");
        row("summarised", "[0 1 ... 9]", "PASTE-05");
        row("names", "[a, b]", "PASTE-03");
        row("call", "[f(1)]", "PASTE-03");
        row("open bracket", "[1, 2", "EXPR-08");
        row("two statements", "[1]; [2]", "PASTE-03");
        row("other function", "tensor(x)", "PASTE-03");
        row("deep", QByteArray(5000, '['), "EXPR-07");
    }
    void depthIsBudgeted() {
        const auto nested = [](int depth) {
            return std::string(static_cast<std::size_t>(depth), '[') + "1" +
                   std::string(static_cast<std::size_t>(depth), ']');
        };
        Budget budget;
        budget.maxDepth = 3;
        QVERIFY(readPastedNumbers(nested(3), budget).ok());
        const auto refused = readPastedNumbers(nested(4), budget);
        QVERIFY(!refused.ok());
        QCOMPARE(QString::fromStdString(refused.refusal().id), QStringLiteral("EXPR-07"));
        QVERIFY(readPastedNumbers(nested(63)).ok());
    }
    void refuses() {
        QFETCH(QByteArray, text);
        QFETCH(QString, id);
        const auto pasted =
            readPastedNumbers(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        QVERIFY(!pasted.ok());
        QCOMPARE(QString::fromStdString(pasted.refusal().id), id);
        QVERIFY(pasted.refusal().message.size() <= 140);
    }
};

QTEST_GUILESS_MAIN(TestPasteText)
#include "tst_paste_text.moc"
