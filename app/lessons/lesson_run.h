#pragma once
// LessonRun: what a stop's code does to the workspace, as one step: the lesson's tensors come and go, those of the user
// stay under their names, or under others.

#include <QString>
#include <QStringList>

#include <map>

namespace stridescope {

struct TensorEntry;
struct WorkspaceSnapshot;
class Workspace;

class LessonRun {
public:
    struct Lines {
        QString code;
        QStringList alone; ///< the names that are on stage after it
    };
    /// What is to be carried out for these lines of a stop.
    Lines lines(const QStringList& code, const Workspace& workspace) const;
    /// They were carried out: what they gave is the lesson's.
    void done(const QStringList& code, const WorkspaceSnapshot& snapshot);
    /// That is the lesson's, too.
    void take(const TensorEntry& entry);
    /// Is that what the lesson's code gave, and not the user, or an undo?
    bool owns(const QString& name, const WorkspaceSnapshot& snapshot) const;

private:
    std::map<QString, quint64> m_made; ///< the storage that each name had
};

} // namespace stridescope
