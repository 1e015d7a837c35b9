// The field for Python source: indents, keys of the completion list, which argument is typed, marks.

#include "widgets/code/code_edit.h"

#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace stridescope;

namespace {

class Edit : public CodeEdit {
public:
    using CodeEdit::CodeEdit;
    using CodeEdit::insertNewLine;
};

} // namespace

class TstCodeEdit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_window = std::make_unique<QWidget>();
        auto* column = new QVBoxLayout(m_window.get());
        m_edit = new Edit;
        m_next = new QLineEdit;
        column->addWidget(m_edit);
        column->addWidget(m_next);
        m_edit->setTheme(Theme());
        m_window->resize(700, 500);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_edit->setFocus();
        m_edit->setCompletes(true);
    }
    void cleanup() { m_window.reset(); }

    void newLinesAreIndented_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("spaces");
        QTest::newRow("plain") << QStringLiteral("x = 1") << 0;
        QTest::newRow("block") << QStringLiteral("for i in x:") << 4;
        QTest::newRow("block with a comment") << QStringLiteral("if a:  # so") << 4;
        QTest::newRow("colon in a text") << QStringLiteral("x = 'a:'") << 0;
        QTest::newRow("inside") << QStringLiteral("    y = 2") << 4;
        QTest::newRow("end of a function") << QStringLiteral("    return y") << 0;
        QTest::newRow("two deep") << QStringLiteral("        pass") << 4;
    }
    void newLinesAreIndented() {
        QFETCH(QString, line);
        QFETCH(int, spaces);
        m_edit->setText(line);
        m_edit->moveCursor(QTextCursor::End);
        m_edit->insertNewLine();
        QCOMPARE(m_edit->text(), line + QLatin1Char('\n') + QString(spaces, QLatin1Char(' ')));
        QTest::keyClick(m_edit, Qt::Key_Backspace);
        QCOMPARE(m_edit->text(), spaces == 0 ? line : line + QLatin1Char('\n') + QString(spaces - 4, QLatin1Char(' ')));
    }

    void typedIndentsStandForTheirOwn_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* typed, const char* text) {
            QTest::newRow(name) << QString::fromLatin1(typed) << QString::fromLatin1(text);
        };
        row("as on a slide", "for i in x:\n    a = i\n    print(a)", "for i in x:\n    a = i\n    print(a)");
        row("without", "for i in x:\na = i\nprint(a)", "for i in x:\n    a = i\n    print(a)");
        row("two deep", "for i in x:\n    for k in i:\n        a = k", "for i in x:\n    for k in i:\n        a = k");
        row("further in", "if a:\n      b = 1", "if a:\n      b = 1");
        row("spaces in code", "if a:\nb  =  1", "if a:\n    b  =  1");
        row("brackets", "    f(\n        1)", "    f(\n            1)");
        row("else", "if a:\nb = 1\nelse:\nb = 2", "if a:\n    b = 1\nelse:\n    b = 2");
        row("else as on a slide", "if a:\n    b = 1\nelse:\n    b = 2", "if a:\n    b = 1\nelse:\n    b = 2");
        row("elif and except", "try:\nif a:\nb = 1\nelif c > 1:\nb = 2",
            "try:\n    if a:\n        b = 1\n    elif c > 1:\n        b = 2");
        row("after return", "    if a:\nreturn 1\nelse:", "    if a:\n        return 1\n    else:");
        row("no branch", "if a:\nb = 1\nelsewhere = x[1:", "if a:\n    b = 1\n    elsewhere = x[1:");
    }
    void typedIndentsStandForTheirOwn() {
        QFETCH(QString, typed);
        QFETCH(QString, text);
        m_edit->setCompletes(false);
        const QStringList lines = typed.split(QLatin1Char('\n'));
        m_edit->setText(lines[0]);
        m_edit->moveCursor(QTextCursor::End);
        for (const QString& line : lines.mid(1)) {
            m_edit->insertNewLine();
            QTest::keyClicks(m_edit, line);
        }
        QCOMPARE(m_edit->text(), text);
    }

    void tabCompletesOrIndentsOrLeadsOn() {
        QSignalSpy wanted(m_edit, &CodeEdit::completionWanted);
        // Nobody is caught in an empty field.
        QTest::keyClick(m_edit, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(m_next));
        m_edit->setFocus();
        QTest::keyClicks(m_edit, QStringLiteral("x.na"));
        QTest::keyClick(m_edit, Qt::Key_Tab);
        QCOMPARE(wanted.count(), 1);
        QTest::keyClick(m_edit, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(wanted.count(), 2);
        QCOMPARE(m_edit->text(), QStringLiteral("x.na"));
        m_edit->insertNewLine();
        QTest::keyClick(m_edit, Qt::Key_Tab);
        QCOMPARE(m_edit->text(), QStringLiteral("x.na\n    "));
        QCOMPARE(wanted.count(), 2);
    }

    void theListIsWorkedByKeys() {
        m_edit->setText(QStringLiteral("x.na"));
        m_edit->moveCursor(QTextCursor::End);
        m_edit->showCompletions(items());
        QVERIFY(m_edit->isCompleting());
        QCOMPARE(m_edit->completionList()->current(), QStringLiteral("names"));
        QTest::keyClick(m_edit, Qt::Key_Down);
        QCOMPARE(m_edit->completionList()->current(), QStringLiteral("narrow"));
        // Typing narrows the list down and keeps the choice.
        QTest::keyClicks(m_edit, QStringLiteral("rr"));
        QCOMPARE(m_edit->completionList()->shown().size(), std::size_t{2});
        QCOMPARE(m_edit->completionList()->current(), QStringLiteral("narrow"));
        QTest::keyClick(m_edit, Qt::Key_Return);
        QCOMPARE(m_edit->text(), QStringLiteral("x.narrow"));
        QVERIFY(!m_edit->isCompleting());
        // What fits nothing closes it; Escape does, and nothing else happens.
        m_edit->showCompletions(items());
        QTest::keyClicks(m_edit, QStringLiteral("q"));
        QVERIFY(!m_edit->isCompleting());
        QTest::keyClick(m_edit, Qt::Key_Backspace);
        m_edit->showCompletions(items());
        QTest::keyClick(m_edit, Qt::Key_Escape);
        QVERIFY(!m_edit->isCompleting());
        QCOMPARE(m_edit->text(), QStringLiteral("x.narrow"));
        // Of a name that is taken away nothing is left to be completed; behind a dot there is.
        m_edit->setText(QStringLiteral("x.n"));
        m_edit->moveCursor(QTextCursor::End);
        m_edit->showCompletions(items());
        QTest::keyClick(m_edit, Qt::Key_Backspace);
        QVERIFY(m_edit->isCompleting());
        QTest::keyClick(m_edit, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(m_edit, Qt::Key_Delete);
        QVERIFY(!m_edit->isCompleting());
        m_edit->showCompletions(items());
        m_next->setFocus();
        QVERIFY(!m_edit->isCompleting());
    }

    void theListStaysInTheWindow() {
        std::vector<Completion> many;
        for (int i = 0; i < 100; ++i)
            many.push_back({QStringLiteral("name%1").arg(i), QStringLiteral("method"), QString(200, QLatin1Char('x'))});
        for (const QSize size : {QSize(700, 500), QSize(240, 160)}) {
            m_window->resize(size);
            QCoreApplication::processEvents();
            m_edit->setText(QString(10, QLatin1Char('\n')));
            for (const auto place : {QTextCursor::Start, QTextCursor::End}) {
                m_edit->moveCursor(place);
                m_edit->showCompletions(many);
                m_edit->showCall(
                    {QStringLiteral("f"), {QStringLiteral("(%1)").arg(QString(300, QLatin1Char('a')))}, 0, {}});
                QVERIFY(m_window->rect().contains(m_edit->completionList()->geometry()));
                QVERIFY(m_window->rect().contains(m_edit->callTip()->geometry()));
            }
        }
    }

    void theTipStandsBesideTheWholeCall() {
        m_edit->setText(QString(6, QLatin1Char('\n')) + QStringLiteral("x.narrow(0,\n         1,\n         "));
        m_edit->moveCursor(QTextCursor::End);
        const CallHint hint{QStringLiteral("narrow"), {QStringLiteral("(dim, start, length)")}, 2, {}};
        const auto call = [this] {
            QTextCursor first = m_edit->textCursor();
            first.setPosition(static_cast<int>(m_edit->text().indexOf(QLatin1Char('x'))));
            const QRect rows = m_edit->cursorRect(first).united(m_edit->cursorRect());
            return QRect(m_edit->viewport()->mapTo(m_window.get(), rows.topLeft()), rows.size());
        };
        m_edit->showCall(hint);
        const CallTip* tip = m_edit->callTip();
        QVERIFY(tip->isVisible());
        QVERIFY2(tip->geometry().bottom() < call().top() && tip->geometry().bottom() > call().top() - 12,
                 qPrintable(QStringLiteral("%1 of %2").arg(tip->geometry().bottom()).arg(call().top())));
        // The field moves, as the console does with every new row: the tip goes along.
        m_window->layout()->setContentsMargins(0, 80, 0, 0);
        m_window->layout()->activate();
        QVERIFY(!tip->geometry().intersects(call()));
        QVERIFY(tip->geometry().bottom() > call().top() - 12);
        // Without room above it stands below; the list and the tip do not cover the call either.
        m_window->layout()->setContentsMargins(0, 0, 0, 0);
        m_window->layout()->activate();
        m_edit->setText(QStringLiteral("x.narrow(0,\n         n"));
        m_edit->moveCursor(QTextCursor::End);
        m_edit->showCall(hint);
        QVERIFY(tip->geometry().top() > call().bottom());
        m_edit->showCompletions(items());
        QVERIFY(!m_edit->completionList()->geometry().intersects(tip->geometry()) || !tip->isVisible());
        QVERIFY(!tip->isVisible() || !tip->geometry().intersects(call()));
    }

    void thePlaceholderIsCode() {
        // The program's style sheet names another font for all widgets.
        qApp->setStyleSheet(Theme().styleSheet());
        const QString text = QStringLiteral("D = A[::2] iiiiiiii");
        const auto inked = [this] {
            const QImage image = m_edit->viewport()->grab().toImage();
            const QRgb ground = image.pixel(image.width() - 2, image.height() - 2);
            int last = 0;
            for (int x = 0; x < image.width(); ++x)
                for (int y = 2; y < 30; ++y)
                    if (image.pixel(x, y) != ground) last = x;
            return last;
        };
        for (const Qt::LayoutDirection direction : {Qt::LeftToRight, Qt::RightToLeft}) {
            QApplication::setLayoutDirection(direction);
            m_edit->setPlaceholder(text);
            QCoreApplication::processEvents();
            const qreal wide = QFontMetricsF(Theme().font(FontRole::Code)).horizontalAdvance(text);
            const int end = inked();
            QApplication::setLayoutDirection(Qt::LeftToRight);
            QVERIFY2(std::abs(end - wide) < 12, qPrintable(QStringLiteral("%1 for %2").arg(end).arg(wide)));
        }
        m_edit->setText(QStringLiteral("x"));
        QVERIFY(inked() < 20);
        qApp->setStyleSheet(QString());
    }

    void theListIsOverTheWindowOfTheCode() {
        m_edit->showCompletions(items());
        const QPointer<CompletionList> list = m_edit->completionList();
        QCOMPARE(list->parentWidget(), m_window.get());
        QWidget other; // as a dock that floats
        other.resize(700, 500);
        m_edit->setParent(&other);
        m_edit->show();
        other.show();
        m_edit->showCompletions(items());
        QCOMPARE(m_edit->completionList()->parentWidget(), &other);
        QVERIFY(m_edit->completionList()->isVisible());
        m_window->layout()->addWidget(m_edit);
        m_edit->showCompletions(items());
        QCOMPARE(m_edit->completionList()->parentWidget(), m_window.get());
        // A widget that was raised is deleted after the list.
        m_edit->raise();
        const QPointer<CompletionList> last = m_edit->completionList();
        QSignalSpy gone(last, &QObject::destroyed);
        m_window.reset();
        QVERIFY(!last);
        QCOMPARE(gone.count(), 1);
    }

    void parameters_data() {
        QTest::addColumn<QString>("signature");
        QTest::addColumn<int>("argument");
        QTest::addColumn<QString>("keyword");
        QTest::addColumn<QString>("typed");
        const QString narrow = QStringLiteral("(int dim, Tensor start, int length)");
        QTest::newRow("first") << narrow << 0 << QString() << QStringLiteral("int dim");
        QTest::newRow("last") << narrow << 2 << QString() << QStringLiteral("int length");
        QTest::newRow("too many") << narrow << 3 << QString() << QString();
        QTest::newRow("by name") << narrow << 0 << QStringLiteral("start") << QStringLiteral("Tensor start");
        const QString python = QStringLiteral("(a, /, b: int = 2, *rest, c=(1, 2), **others) -> Tensor");
        QTest::newRow("slash is none") << python << 1 << QString() << QStringLiteral("b: int = 2");
        QTest::newRow("starred takes all") << python << 5 << QString() << QStringLiteral("*rest");
        QTest::newRow("default with a comma") << python << 0 << QStringLiteral("c") << QStringLiteral("c=(1, 2)");
        QTest::newRow("must be named") << QStringLiteral("(x, *, out)") << 1 << QString() << QString();
        QTest::newRow("none") << QStringLiteral("()") << 0 << QString() << QString();
    }
    void parameters() {
        QFETCH(QString, signature);
        QFETCH(int, argument);
        QFETCH(QString, keyword);
        QFETCH(QString, typed);
        const auto [start, length] = parameterOf(signature, argument, keyword);
        QCOMPARE(signature.mid(start, length), typed);
    }

    void marksHaveAGroundAndASign() {
        m_edit->setText(QStringLiteral("a\nb\nc"));
        const QImage before = m_edit->grab().toImage();
        m_edit->setMarks({{2, CodeEdit::Mark::Wrong}});
        QCOMPARE(m_edit->extraSelections().size(), 1);
        QCOMPARE(m_edit->extraSelections().first().cursor.blockNumber(), 1);
        const QImage after = m_edit->grab().toImage();
        // In the margin, too, where the ground is not coloured.
        const QRect margin(0, 0, 12, after.height());
        QVERIFY(before.copy(margin) != after.copy(margin));
        m_edit->setMarks({});
        QVERIFY(m_edit->extraSelections().isEmpty());
    }

private:
    static std::vector<Completion> items() {
        return {{QStringLiteral("names"), QStringLiteral("attribute"), {}},
                {QStringLiteral("narrow"), QStringLiteral("method"), QStringLiteral("(dim, start, length)")},
                {QStringLiteral("narrow_copy"), QStringLiteral("method"), QStringLiteral("(dim, start, length)")}};
    }

    std::unique_ptr<QWidget> m_window;
    Edit* m_edit = nullptr;
    QLineEdit* m_next = nullptr;
};

QTEST_MAIN(TstCodeEdit)
#include "tst_code_edit.moc"
