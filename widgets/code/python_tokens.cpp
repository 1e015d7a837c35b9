#include "widgets/code/python_tokens.h"

#include <QString>

#include <algorithm>
#include <array>

namespace stridescope {

namespace {

constexpr std::array<QStringView, 35> kKeywords = {
    u"False", u"None",     u"True",  u"and",    u"as",   u"assert", u"async",  u"await",    u"break",
    u"class", u"continue", u"def",   u"del",    u"elif", u"else",   u"except", u"finally",  u"for",
    u"from",  u"global",   u"if",    u"import", u"in",   u"is",     u"lambda", u"nonlocal", u"not",
    u"or",    u"pass",     u"raise", u"return", u"try",  u"while",  u"with",   u"yield"};

bool isKeyword(QStringView word) {
    return std::binary_search(kKeywords.begin(), kKeywords.end(), word);
}

bool beginsWord(QChar c) {
    return c.isLetter() || c == u'_' || c.isSurrogate();
}

bool goesOn(QChar c) {
    return beginsWord(c) || c.isNumber() || c.isMark();
}

bool isDigit(QChar c) {
    return c >= u'0' && c <= u'9';
}

/// r'', b'', rb'', f'' and so on, in either case.
bool isTextPrefix(QStringView word) {
    if (word.size() > 2) return false;
    return std::all_of(word.begin(), word.end(), [](QChar c) { return QStringView(u"rRbBuUfF").contains(c); });
}

/// Behind the text that `open` began before `at`; `open` becomes what is open there.
qsizetype endOfText(QStringView line, qsizetype at, PythonOpen& open) {
    const bool triple = open == PythonOpen::Triple1 || open == PythonOpen::Triple2;
    const QChar quote = open == PythonOpen::Text1 || open == PythonOpen::Triple1 ? u'\'' : u'"';
    for (; at < line.size(); ++at) {
        if (line[at] == u'\\') {
            ++at; // at the end of the line the text goes on
            if (at >= line.size()) return line.size();
        } else if (line[at] == quote) {
            if (!triple) {
                open = PythonOpen::Nothing;
                return at + 1;
            }
            if (at + 2 < line.size() && line[at + 1] == quote && line[at + 2] == quote) {
                open = PythonOpen::Nothing;
                return at + 3;
            }
        }
    }
    if (!triple) open = PythonOpen::Nothing; // Python refuses it; the next line begins anew
    return line.size();
}

/// Behind the number at `at`: 1_000, .5, 1e-3, 0xFF, 2j.
qsizetype endOfNumber(QStringView line, qsizetype at) {
    const bool hex = line[at] == u'0' && at + 1 < line.size() && QStringView(u"xX").contains(line[at + 1]);
    for (++at; at < line.size(); ++at) {
        const QChar c = line[at];
        const bool sign = !hex && (c == u'+' || c == u'-') && QStringView(u"eE").contains(line[at - 1]);
        if (!isDigit(c) && !c.isLetter() && c != u'_' && c != u'.' && !sign) break;
    }
    return at;
}

} // namespace

PythonOpen pythonSpans(QStringView line, PythonOpen open, std::vector<PythonSpan>& spans) {
    const auto add = [&spans](qsizetype from, qsizetype to, PythonToken kind) {
        if (to > from) spans.push_back({static_cast<int>(from), static_cast<int>(to - from), kind});
    };
    qsizetype at = 0;
    if (open != PythonOpen::Nothing) {
        at = endOfText(line, 0, open);
        add(0, at, PythonToken::Text);
    }
    bool names = false; // the next word is what def or class names
    while (at < line.size()) {
        const QChar c = line[at];
        qsizetype end = at + 1;
        if (c == u'#') {
            add(at, line.size(), PythonToken::Comment);
            return open;
        }
        if (beginsWord(c)) {
            while (end < line.size() && goesOn(line[end])) ++end;
            const QStringView word = line.mid(at, end - at);
            const bool text = end < line.size() && (line[end] == u'\'' || line[end] == u'"') && isTextPrefix(word);
            const bool attribute = at > 0 && line[at - 1] == u'.';
            if (!text) {
                if (isKeyword(word) && !attribute)
                    add(at, end, PythonToken::Keyword);
                else if (names)
                    add(at, end, PythonToken::Name);
                names = word == u"def" || word == u"class";
                at = end;
                continue;
            }
            // The prefix has the colour of its text.
        } else {
            end = at;
        }
        if (end < line.size() && (line[end] == u'\'' || line[end] == u'"')) {
            const bool triple = end + 2 < line.size() && line[end + 1] == line[end] && line[end + 2] == line[end];
            const bool single = line[end] == u'\'';
            open = triple ? (single ? PythonOpen::Triple1 : PythonOpen::Triple2)
                          : (single ? PythonOpen::Text1 : PythonOpen::Text2);
            end = endOfText(line, end + (triple ? 3 : 1), open);
            add(at, end, PythonToken::Text);
        } else if (isDigit(c) || (c == u'.' && at + 1 < line.size() && isDigit(line[at + 1]))) {
            end = endOfNumber(line, at);
            add(at, end, PythonToken::Number);
        } else if (c == u'@' && line.left(at).trimmed().isEmpty()) {
            end = at + 1;
            while (end < line.size() && (goesOn(line[end]) || line[end] == u'.')) ++end;
            add(at, end, PythonToken::Name);
        } else {
            end = at + 1;
        }
        at = end;
    }
    return open;
}

Tone toneOf(PythonToken token) {
    switch (token) {
    case PythonToken::Keyword:
        return Tone::CodeKeyword;
    case PythonToken::Name:
        return Tone::CodeName;
    case PythonToken::Text:
        return Tone::CodeText;
    case PythonToken::Number:
        return Tone::CodeNumber;
    case PythonToken::Comment:
        return Tone::CodeNote;
    }
    return Tone::Ink;
}

} // namespace stridescope
