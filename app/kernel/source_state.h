#pragma once
// Python source as it is typed: is there more to come, and what in a copied transcript is code? Not a parser: Python
// itself has the last word.

#include <QString>
#include <QStringList>

namespace stridescope {

/// True when Python's prompt would go on with "...": an open bracket or text, a backslash at the end, or a block that
/// no empty line has ended.
bool isIncompletePython(const QString& source);

/// True while a block is typed whose body is below its first line ("def f(x):"): also where lines are read without
/// Python, which run one by one, such a text is one.
bool isOpenPythonBlock(const QString& source);

/// What stands behind each ">>> " of a transcript, with its "... " lines; a text without prompts is one statement.
QStringList statementsOfTranscript(const QString& text);

/// The code of a transcript (">>> x = 1", "... ", what was printed between them); other texts as they are.
QString codeOfTranscript(const QString& text);

} // namespace stridescope
