#include "app/lessons/lesson_run.h"

#include "app/workspace/workspace.h"

#include <QRegularExpression>

#include <algorithm>

namespace stridescope {

namespace {

/// Names that lines of the form "x = …" give, in order.
QStringList namesGiven(const QStringList& code) {
    static const QRegularExpression kAssignment(QStringLiteral("^([A-Za-z_][A-Za-z_0-9]*) = "));
    QStringList names;
    for (const QString& line : code) {
        const auto match = kAssignment.match(line);
        if (match.hasMatch() && !names.contains(match.captured(1))) names << match.captured(1);
    }
    return names;
}

const TensorEntry* entryOf(const WorkspaceSnapshot& snapshot, const QString& name) {
    const auto found = std::find_if(snapshot.tensors.begin(), snapshot.tensors.end(),
                                    [&name](const TensorEntry& entry) { return entry.name == name; });
    return found == snapshot.tensors.end() ? nullptr : &*found;
}

} // namespace

bool LessonRun::owns(const QString& name, const WorkspaceSnapshot& snapshot) const {
    const TensorEntry* entry = entryOf(snapshot, name);
    const auto made = m_made.find(name);
    return entry && made != m_made.end() && made->second == entry->tensor.storage()->id();
}

LessonRun::Lines LessonRun::lines(const QStringList& code, const Workspace& workspace) const {
    const WorkspaceSnapshot& snapshot = *workspace.model()->snapshot();
    const QStringList given = namesGiven(code);
    QStringList lines, old;
    for (const QString& name : given) {
        if (!entryOf(snapshot, name) || owns(name, snapshot)) continue;
        QString own = name + QStringLiteral("_own");
        for (int number = 2; workspace.hasName(own); ++number) own = name + QStringLiteral("_own%1").arg(number);
        lines << own + QStringLiteral(" = ") + name;
    }
    // Tensors of stops before would crowd the picture.
    for (const auto& [name, storage] : m_made) {
        if (!given.contains(name) && owns(name, snapshot)) old << name;
    }
    if (!old.isEmpty()) lines << QStringLiteral("del ") + old.join(QStringLiteral(", "));
    return {(lines + code).join(QLatin1Char('\n')), given};
}

void LessonRun::take(const TensorEntry& entry) {
    m_made[entry.name] = entry.tensor.storage()->id();
}

void LessonRun::done(const QStringList& code, const WorkspaceSnapshot& snapshot) {
    m_made.clear();
    for (const QString& name : namesGiven(code)) {
        if (const TensorEntry* entry = entryOf(snapshot, name)) m_made[name] = entry->tensor.storage()->id();
    }
}

} // namespace stridescope
