#pragma once
// Tells when a file that is shown from its mapping changes on disk: then the picture is a mixture of old and new.

#include "core/storage/mapped_file.h"
#include "widgets/model/snapshot.h"

#include <QObject>

#include <map>
#include <memory>
#include <vector>

class QFileSystemWatcher;

namespace stridescope {

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches the mapped files behind the tensors of `snapshot`, and no others. Costs nothing without such tensors.
    void follow(const WorkspaceSnapshot& snapshot);

    struct Changed {
        QString path;
        qint64 bytesNow = 0, bytesMapped = 0; ///< the file's sizes now and when it was opened
    };
    /// What changed of the files behind the tensors of the snapshot followed last.
    std::vector<Changed> changedFiles() const;

Q_SIGNALS:
    /// The file was written to or cut, once for each mapping. `bytesNow` and `bytesMapped` are its sizes now and when
    /// it was opened.
    void changed(const QString& path, qint64 bytesNow, qint64 bytesMapped);
    /// The bytes of a storage are others than before, each time they are: what was made from them is stale.
    void bytesChanged(quint64 storageId);

private:
    struct Mapping {
        std::weak_ptr<MappedFile> file;
        QString path;
        bool told = false;  ///< that it changed
        bool shown = false; ///< by a tensor of the last snapshot
    };
    void check(const QString& path);

    QFileSystemWatcher* m_watcher = nullptr; ///< made with the first mapped file
    std::map<quint64, Mapping> m_mappings;   ///< by storage
};

} // namespace stridescope
