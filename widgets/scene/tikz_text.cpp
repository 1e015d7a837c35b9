#include "widgets/scene/tikz_text.h"

#include <cmath>

namespace stridescope {

namespace {

/// How an ASCII sign that TeX reads as its own is written in the sans face; null for plain ones.
const char* signOf(char c) {
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    case '$':
        return "\\$";
    case '&':
        return "\\&";
    case '#':
        return "\\#";
    case '%':
        return "\\%";
    case '_':
        return "\\_";
    case '^':
        return "\\textasciicircum{}";
    case '~':
        return "\\textasciitilde{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '|':
        return "\\textbar{}";
    case '"':
        return "{\\char34}";
    case '\'':
        return "{\\char39}";
    case '`':
        return "{\\char96}";
    // Two of them in a row would become one sign.
    case '-':
        return "{-}";
    case ',':
        return "{,}";
    // Names of macros, options and brackets must not swallow the next one.
    case '[':
        return "{[}";
    case ']':
        return "{]}";
    case '=':
        return "{=}";
    case ';':
        return "{;}";
    case ' ':
        return "\\ ";
    default:
        return nullptr;
    }
}

bool isSpecial(char c) {
    const char* sign = signOf(c);
    return sign && (sign[0] == '\\' || sign[1] == '\\') && c != ' ';
}

/// Other characters that standard fonts have, mostly among the signs of mathematics.
const char* beyondAscii(char16_t c) {
    switch (c) {
    case u'\u00A0':
        return "\\ ";
    case u'\u2009':
    case u'\u202F':
        return "\\,";
    case u'\u00B7':
        return "$\\cdot$";
    case u'\u00D7':
        return "$\\times$";
    case u'\u00F7':
        return "$\\div$";
    case u'\u00B1':
        return "$\\pm$";
    case u'\u00B0':
        return "$^\\circ$";
    case u'\u00B2':
        return "$^2$";
    case u'\u00B3':
        return "$^3$";
    case u'\u2013':
        return "{--}";
    case u'\u2014':
        return "{---}";
    case u'\u2026':
        return "\\ldots{}";
    case u'\u2190':
        return "$\\leftarrow$";
    case u'\u2191':
        return "$\\uparrow$";
    case u'\u2192':
        return "$\\rightarrow$";
    case u'\u2193':
        return "$\\downarrow$";
    case u'\u2194':
        return "$\\leftrightarrow$";
    case u'\u221E':
        return "$\\infty$";
    case u'\u2211':
    case u'\u03A3':
        return "$\\Sigma$";
    case u'\u2260':
        return "$\\neq$";
    case u'\u2264':
        return "$\\leq$";
    case u'\u2265':
        return "$\\geq$";
    default:
        return nullptr;
    }
}

} // namespace

std::optional<QByteArray> tikzText(const QString& text, bool mono) {
    QByteArray tex;
    for (const QChar c : text) {
        const char16_t code = c.unicode();
        if (code < 32 || code == 127) return std::nullopt;
        if (code < 127) {
            const char ascii = static_cast<char>(code);
            if (mono && isSpecial(ascii))
                tex += "{\\char" + QByteArray::number(static_cast<int>(ascii)) + '}';
            else if (const char* sign = signOf(ascii))
                tex += sign;
            else
                tex += ascii;
            continue;
        }
        // That of mathematics is never bold, and wider than a figure.
        const char* minus = mono ? "{-}" : "{--}";
        const char* sign = code == u'\u2212' ? minus : beyondAscii(code);
        if (!sign) return std::nullopt;
        tex += sign;
    }
    return tex;
}

QByteArray tikzNumber(qreal value) {
    QByteArray number = QByteArray::number(std::round(value * 100) / 100, 'f', 2);
    while (number.endsWith('0')) number.chop(1);
    if (number.endsWith('.')) number.chop(1);
    return number == "-0" ? QByteArray("0") : number;
}

} // namespace stridescope
