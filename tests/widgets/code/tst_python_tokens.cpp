// Words of Python source: where texts, numbers, comments and keywords begin and end.

#include "widgets/code/python_tokens.h"
#include "widgets/scene/colour_map.h"

#include <QTest>

using namespace stridescope;

class TstPythonTokens : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// One letter for each: k n t # c for keyword, name, text, number, comment; blanks for the rest.
    void lines_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* line, const char* words) {
            QTest::newRow(name) << QString::fromUtf8(line) << QString::fromLatin1(words);
        };
        row("empty", "", "");
        row("assignment", "x = torch.ones(3)", "               # ");
        row("keywords", "for i in range(n): pass", "kkk   kk           kkkk");
        row("constants", "None is not True", "kkkk kk kkk kkkk");
        row("attribute that is a keyword elsewhere", "x.is_in", "       ");
        row("attribute", "m.lambda", "        ");
        row("definition", "def narrow(a):", "kkk nnnnnn    ");
        row("class", "class A(B):", "kkkkk n    ");
        row("decorator", "  @torch.no_grad()", "  nnnnnnnnnnnnnn  ");
        row("matrix product", "a @ b", "     ");
        row("text", "x = 'it''s' + \"q\"", "    ttttttt   ttt");
        row("escaped quote", "'a\\'b' c", "tttttt  ");
        row("prefixes", "rb'x' f\"{y}\" q'z'", "ttttt tttttt  ttt");
        row("comment", "1 # 'no text", "# cccccccccc");
        row("sign in a text", "'# no comment' # one", "tttttttttttttt ccccc");
        row("numbers", "1_000 .5 1e-3 0xFF 2j 3.", "##### ## #### #### ## ##");
        row("number in a name", "x1 = a2", "       ");
        row("minus is no exponent", "0xE-1", "### #");
        row("other letters", "größe = 1", "        #");
        row("not closed", "x = 'abc", "    tttt");
    }
    void lines() {
        QFETCH(QString, line);
        QFETCH(QString, words);
        QCOMPARE(drawn(line, PythonOpen::Nothing).first, words);
    }

    void textsOverSeveralLines() {
        auto [first, open] = drawn(QStringLiteral("x = \"\"\"a 'b'"), PythonOpen::Nothing);
        QCOMPARE(first, QStringLiteral("    tttttttt"));
        QCOMPARE(open, PythonOpen::Triple2);
        auto [second, still] = drawn(QStringLiteral("for # '''"), open);
        QCOMPARE(second, QStringLiteral("ttttttttt"));
        QCOMPARE(still, PythonOpen::Triple2);
        auto [third, closed] = drawn(QStringLiteral("\"\"\" + 1"), still);
        QCOMPARE(third, QStringLiteral("ttt   #"));
        QCOMPARE(closed, PythonOpen::Nothing);
        // A backslash at the end carries a plain one on; without it Python refuses the line, and the next is not hurt.
        QCOMPARE(drawn(QStringLiteral("'ab\\"), PythonOpen::Nothing).second, PythonOpen::Text1);
        QCOMPARE(drawn(QStringLiteral("'ab"), PythonOpen::Nothing).second, PythonOpen::Nothing);
        QCOMPARE(drawn(QStringLiteral("''''''"), PythonOpen::Nothing).second, PythonOpen::Nothing);
    }

    void coloursAreReadable_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void coloursAreReadable() {
        QFETCH(bool, dark);
        const Theme theme(dark ? ThemeKind::Dark : ThemeKind::Light);
        for (const PythonToken token :
             {PythonToken::Keyword, PythonToken::Name, PythonToken::Text, PythonToken::Number, PythonToken::Comment}) {
            for (const Tone ground : {Tone::CodeGround, Tone::Stage, Tone::Selected, Tone::NoteTint, Tone::ErrorTint}) {
                const double ratio = contrastRatio(theme.color(toneOf(token)), theme.color(ground));
                QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("token %1 on tone %2: %3")
                                                      .arg(static_cast<int>(token))
                                                      .arg(static_cast<int>(ground))
                                                      .arg(ratio)));
            }
        }
    }

private:
    static std::pair<QString, PythonOpen> drawn(const QString& line, PythonOpen open) {
        std::vector<PythonSpan> spans;
        const PythonOpen after = pythonSpans(line, open, spans);
        QString words(line.size(), QLatin1Char(' '));
        const QString letters = QStringLiteral("knt#c");
        for (const PythonSpan& span : spans)
            words.replace(span.start, span.length, QString(span.length, letters[static_cast<int>(span.kind)]));
        return {words, after};
    }
};

QTEST_MAIN(TstPythonTokens)
#include "tst_python_tokens.moc"
