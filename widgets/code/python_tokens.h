#pragma once
// Python source as coloured words. Not a parser: it knows texts, numbers, comments and keywords, and is never wrong
// about where a text ends.

#include "widgets/theme/theme.h"

#include <QStringView>

#include <vector>

namespace stridescope {

enum class PythonToken : quint8 {
    Keyword, ///< also None, True, False
    Name,    ///< what def and class name, and decorators
    Text,
    Number,
    Comment,
};

struct PythonSpan {
    int start = 0, length = 0;
    PythonToken kind = PythonToken::Keyword;
    friend bool operator==(const PythonSpan&, const PythonSpan&) = default;
};

/// What is open at the end of a line: nothing, or a text that goes on in the next one.
enum class PythonOpen : quint8 { Nothing, Text1, Text2, Triple1, Triple2 };

/// The words of `line` that have a colour, from left to right; `open` is what the line before left open. Returns what
/// this line leaves.
/// Example: "x = 'a" leaves nothing open (Python refuses it), "x = '''a" leaves Triple1.
PythonOpen pythonSpans(QStringView line, PythonOpen open, std::vector<PythonSpan>& spans);

/// The theme's colour of such words.
Tone toneOf(PythonToken token);

} // namespace stridescope
