#pragma once
// The kernel's storages as storages of this process: the same bytes, mapped when first listed.

#include "core/result.h"
#include "core/storage/storage.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QSet>

#include <map>
#include <memory>
#include <vector>

namespace stridescope {

/// A memory file that a kernel made; closed with the last user.
class MemoryFile {
public:
    explicit MemoryFile(int descriptor) : m_descriptor(descriptor) {}
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    int descriptor() const { return m_descriptor; }

private:
    int m_descriptor;
};

/// One storage that is mapped here. Its handle is Storage::id() in this process, which stays when kernels change.
struct SharedStorage {
    StoragePtr storage;
    std::shared_ptr<MemoryFile> file;
    quint64 offset = 0;     ///< in the file
    quint64 kernelId = 0;   ///< Storage::id() in the kernel; 0 once that has ended
    quint64 version = 0;    ///< in the kernel
    qint64 serial = 0;      ///< of the last listing that had it
    bool isCopy = false;    ///< of memory that the kernel cannot share, as it was at that listing
    bool isPending = false; ///< a kernel is told of it, but has not listed it yet
    /// Handles under which it was mapped before: where it lay until it was resized stays as it was then.
    std::vector<quint64> earlier = {};
};

class SharedStorages {
public:
    /// A kernel has started: `memory` is its file.
    void begin(std::shared_ptr<MemoryFile> memory);
    /// What changed by a listing.
    struct Update {
        std::vector<quint64> changed; ///< handles of storages that are new or were written to
        QStringList refused;          ///< why some could not be mapped
    };
    /// `moved` has pairs of the kernel's numbers: the memory that is mapped for the first is the second's now. A third
    /// number is the handle of a storage that the kernel was given.
    Update update(const QJsonArray& storages, const QJsonArray& moved, qint64 serial);
    /// The storage that the kernel calls `kernelId`; null when it is not mapped.
    StoragePtr of(quint64 kernelId) const;
    bool isCopy(quint64 kernelId) const;
    /// Handles by the kernel's numbers, of all that are mapped.
    std::map<quint64, quint64> numbersHere() const;
    /// SharedStorage::earlier of the storage that the kernel calls `kernelId`, and what share() made it a copy of.
    std::vector<quint64> earlier(quint64 kernelId) const;
    /// The entry of a storage of this process that a kernel is to have: as it is where it lies in the arena of this
    /// process or in a kernel's file, else a copy of its bytes in the former. kernelId is 0 where no kernel has it yet.
    /// @throws MemoryError when there is no room for the copy.
    const SharedStorage& share(const StoragePtr& storage);
    /// Forgets mapped storages that nobody else holds and the last listing did not have: their [kernel's id, serial],
    /// so that the kernel need not keep them either.
    QJsonArray sweep();
    /// The kernel has ended. Memory that belongs to no storage here goes back to the system; nothing else changes.
    void end();
    /// Those that are mapped, by handle.
    const std::map<quint64, SharedStorage>& all() const { return m_all; }

private:
    SharedStorage* find(quint64 kernelId);

    std::shared_ptr<MemoryFile> m_memory;
    std::shared_ptr<MemoryFile> m_own;   ///< the arena of this process
    std::map<quint64, quint64> m_copies; ///< handle of the copy, by Storage::id() of what it was made of
    std::map<quint64, SharedStorage> m_all;
    std::map<quint64, quint64> m_handles; ///< by the kernel's id
    qint64 m_serial = 0;
};

} // namespace stridescope
