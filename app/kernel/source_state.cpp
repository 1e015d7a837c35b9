#include "app/kernel/source_state.h"

#include <QRegularExpression>
#include <QStringList>

namespace stridescope {

namespace {

/// What is open at the end of the source.
struct Open {
    int brackets = 0;
    bool text = false, backslash = false, block = false;
};

/// The first word of a line begins a block, if the line has a colon outside of brackets.
bool beginsBlock(const QString& line) {
    static const QRegularExpression words(
        QStringLiteral("^(if|for|while|def|class|with|try|async|match|elif|else|except|finally|case)\\b"));
    return words.match(line).hasMatch();
}

Open scan(const QString& source) {
    Open open;
    bool lineStart = true, colon = false;
    qsizetype lineBegin = 0;
    const qsizetype size = source.size();
    const auto endLine = [&](qsizetype at) {
        const QString line = source.mid(lineBegin, at - lineBegin);
        if (lineStart) return; // an empty one
        if (line.startsWith(QLatin1Char('@')) || (colon && beginsBlock(line))) open.block = true;
    };
    for (qsizetype i = 0; i < size; ++i) {
        const QChar c = source[i];
        open.backslash = false;
        if (c == QLatin1Char('#')) {
            while (i + 1 < size && source[i + 1] != QLatin1Char('\n')) ++i;
        } else if (c == QLatin1Char('\'') || c == QLatin1Char('"')) {
            lineStart = false;
            const bool triple = source.mid(i, 3) == QString(3, c);
            const QString end = triple ? QString(3, c) : QString(c);
            i += end.size();
            bool closed = false;
            for (; i < size && !closed; ++i) {
                if (source[i] == QLatin1Char('\\'))
                    ++i;
                else if (!triple && source[i] == QLatin1Char('\n'))
                    break; // an error, which Python tells
                else if (source.mid(i, end.size()) == end)
                    closed = true;
            }
            if (!closed && triple) {
                open.text = true;
                return open;
            }
            i += closed ? end.size() - 2 : -1;
        } else if (c == QLatin1Char('\n')) {
            if (open.brackets > 0) continue;
            endLine(i);
            lineBegin = i + 1;
            lineStart = true;
            colon = false;
        } else if (QStringLiteral("([{").contains(c)) {
            ++open.brackets;
            lineStart = false;
        } else if (QStringLiteral(")]}").contains(c)) {
            --open.brackets;
        } else if (c == QLatin1Char('\\') && i + 1 < size && source[i + 1] == QLatin1Char('\n')) {
            ++i;
        } else {
            if (!c.isSpace()) lineStart = false;
            if (c == QLatin1Char(':') && open.brackets == 0) colon = true;
            open.backslash = c == QLatin1Char('\\') && i + 1 == size;
        }
    }
    endLine(size);
    return open;
}

} // namespace

bool isIncompletePython(const QString& source) {
    const Open open = scan(source);
    if (open.text || open.backslash || open.brackets > 0) return true;
    if (!open.block) return false;
    // An empty line ends a block; pasted sources end with a line end and have several blocks.
    return !source.section(QLatin1Char('\n'), -1).trimmed().isEmpty() || !source.contains(QLatin1Char('\n'));
}

bool isOpenPythonBlock(const QString& source) {
    const QString first = source.section(QLatin1Char('\n'), 0, 0).trimmed();
    return (first.endsWith(QLatin1Char(':')) || first.startsWith(QLatin1Char('@'))) && scan(source).block &&
           isIncompletePython(source);
}

QStringList statementsOfTranscript(const QString& text) {
    const QStringList lines = text.split(QLatin1Char('\n'));
    const auto isPrompt = [](const QString& line, QLatin1String prompt) {
        return line == prompt || line.startsWith(prompt + QLatin1Char(' '));
    };
    qsizetype first = 0;
    while (first < lines.size() && lines[first].trimmed().isEmpty()) ++first;
    if (first == lines.size() || !isPrompt(lines[first], QLatin1String(">>>"))) return {text};
    QStringList statements;
    for (const QString& line : lines.mid(first)) {
        if (isPrompt(line, QLatin1String(">>>")))
            statements << line.mid(4);
        else if (isPrompt(line, QLatin1String("...")))
            statements.last() += QLatin1Char('\n') + line.mid(4);
    }
    return statements;
}

QString codeOfTranscript(const QString& text) {
    return statementsOfTranscript(text).join(QLatin1Char('\n'));
}

} // namespace stridescope
