#include "app/files/file_watch.h"

#include <QFile>
#include <QFileInfo>
#include <QFileSystemWatcher>

#include <set>

namespace stridescope {

FileWatch::FileWatch(QObject* parent) : QObject(parent) {}

void FileWatch::follow(const WorkspaceSnapshot& snapshot) {
    std::set<quint64> shown;
    for (const TensorEntry& entry : snapshot.tensors) {
        if (!entry.tensor.defined()) continue;
        const Storage& storage = *entry.tensor.storage();
        if (storage.kind() != "mapped file") continue;
        shown.insert(storage.id());
        if (m_mappings.count(storage.id()) > 0) continue;
        const std::shared_ptr<MappedFile> file = mappedFileOf(storage);
        if (!file) continue;
        const QString path = QFile::decodeName(file->path().c_str());
        m_mappings[storage.id()] = {file, path, false, true};
        if (!m_watcher) {
            m_watcher = new QFileSystemWatcher(this);
            connect(m_watcher, &QFileSystemWatcher::fileChanged, this, &FileWatch::check);
        }
        m_watcher->addPath(path);
    }
    for (auto it = m_mappings.begin(); it != m_mappings.end();) {
        it->second.shown = shown.count(it->first) > 0;
        // A mapping that undo may still bring back stays.
        if (shown.count(it->first) == 0 && it->second.file.expired()) {
            const QString path = it->second.path;
            it = m_mappings.erase(it);
            bool others = false;
            for (const auto& [id, mapping] : m_mappings) others = others || mapping.path == path;
            if (!others) m_watcher->removePath(path);
        } else {
            ++it;
        }
    }
}

std::vector<FileWatch::Changed> FileWatch::changedFiles() const {
    std::vector<Changed> files;
    for (const auto& [id, mapping] : m_mappings) {
        const std::shared_ptr<MappedFile> file = mapping.told && mapping.shown ? mapping.file.lock() : nullptr;
        if (file)
            files.push_back({mapping.path, QFileInfo(mapping.path).size(), static_cast<qint64>(file->bytes().size())});
    }
    return files;
}

void FileWatch::check(const QString& path) {
    for (auto& [id, mapping] : m_mappings) {
        const std::shared_ptr<MappedFile> file = mapping.path == path ? mapping.file.lock() : nullptr;
        // A deleted or replaced file keeps its bytes as long as it is mapped: nothing on screen is wrong then.
        if (!file || file->state() != FileState::Changed) continue;
        Q_EMIT bytesChanged(id);
        if (mapping.told) continue;
        mapping.told = true;
        Q_EMIT changed(path, QFileInfo(path).size(), static_cast<qint64>(file->bytes().size()));
    }
}

} // namespace stridescope
