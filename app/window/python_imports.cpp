#include "app/window/python_imports.h"

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

QString withImports(const QString& line) {
    QString imports;
    for (const QString& module : {QStringLiteral("torch"), QStringLiteral("torchvision"), QStringLiteral("numpy")}) {
        const QRegularExpression used(QStringLiteral("(?<![\\w.])%1\\s*\\.").arg(module));
        if (line.contains(used)) imports += QStringLiteral("import %1\n").arg(module);
    }
    return imports + line;
}

} // namespace stridescope
