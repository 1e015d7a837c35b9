#include "app/window/python_imports.h"

#include "app/kernel/source_state.h"
#include "core/expr/parser.h"

#include <QRegularExpression>

#include <algorithm>

namespace stridescope {

bool importsTorch(const QString& line) {
    const auto program = expr::parseProgram(line.toStdString());
    if (!program) return false;
    const auto& statements = program->statements;
    return std::any_of(statements.begin(), statements.end(),
                       [](const expr::Statement& statement) { return statement.kind == expr::StatementKind::Import; });
}

QString withImports(const QString& text) {
    const QString code = codeOfTranscript(text);
    QString imports;
    for (const QString& module : {QStringLiteral("torch"), QStringLiteral("torchvision"), QStringLiteral("numpy")}) {
        const QRegularExpression used(QStringLiteral("(?<![\\w.])%1\\s*\\.").arg(module));
        const QRegularExpression imported(QStringLiteral("^\\s*(import|from)\\b.*\\b%1\\b").arg(module),
                                          QRegularExpression::MultilineOption);
        if (code.contains(used) && !code.contains(imported))
            imports += QStringLiteral("%1import %2\n").arg(code == text ? QString() : QStringLiteral(">>> "), module);
    }
    return imports + text;
}

} // namespace stridescope
