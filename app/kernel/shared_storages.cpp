#include "app/kernel/shared_storages.h"

#include "core/backend/backend.h"
#include "core/storage/shared_arena.h"
#include "core/storage/shared_memory.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stridescope {

namespace {

void copyBytes(Storage& to, const Storage& from) {
    if (from.bytes() == 0) return; // there is no address either
    if (from.device().isCpu())
        std::memcpy(to.data(), from.data(), from.bytes());
    else
        backendFor(from.device()).copyToHost(from.device(), to.data(), from.data(), from.bytes(), false);
}

} // namespace

MemoryFile::~MemoryFile() {
    close(m_descriptor);
}

void SharedStorages::begin(std::shared_ptr<MemoryFile> memory) {
    m_memory = std::move(memory);
    m_handles.clear();
    m_serial = 0;
    for (auto& [handle, shared] : m_all) {
        shared.kernelId = 0;
        shared.isPending = false;
    }
}

SharedStorage* SharedStorages::find(quint64 kernelId) {
    const auto handle = m_handles.find(kernelId);
    if (handle == m_handles.end()) return nullptr;
    const auto shared = m_all.find(handle->second);
    return shared == m_all.end() ? nullptr : &shared->second;
}

StoragePtr SharedStorages::of(quint64 kernelId) const {
    const auto handle = m_handles.find(kernelId);
    const auto shared = handle == m_handles.end() ? m_all.end() : m_all.find(handle->second);
    return shared == m_all.end() ? StoragePtr() : shared->second.storage;
}

std::map<quint64, quint64> SharedStorages::numbersHere() const {
    std::map<quint64, quint64> here;
    for (const auto& [kernelId, handle] : m_handles) {
        if (m_all.count(handle)) here.emplace_hint(here.end(), kernelId, handle);
    }
    return here;
}

bool SharedStorages::isCopy(quint64 kernelId) const {
    const auto handle = m_handles.find(kernelId);
    const auto shared = handle == m_handles.end() ? m_all.end() : m_all.find(handle->second);
    return shared != m_all.end() && shared->second.isCopy;
}

std::vector<quint64> SharedStorages::earlier(quint64 kernelId) const {
    const auto handle = m_handles.find(kernelId);
    const auto shared = handle == m_handles.end() ? m_all.end() : m_all.find(handle->second);
    if (shared == m_all.end()) return {};
    std::vector<quint64> found = shared->second.earlier;
    // It may have begun as a copy of what no kernel can reach.
    for (const auto& [original, copy] : m_copies) {
        if (copy == shared->first || std::find(found.begin(), found.end(), copy) != found.end())
            found.push_back(original);
    }
    return found;
}

const SharedStorage& SharedStorages::share(const StoragePtr& storage) {
    if (const auto known = m_all.find(storage->id()); known != m_all.end()) return known->second;
    if (const auto copy = m_copies.find(storage->id()); copy != m_copies.end()) {
        if (const auto known = m_all.find(copy->second); known != m_all.end()) {
            copyBytes(*known->second.storage, *storage); // as it is now
            return known->second;
        }
    }
    SharedArena* arena = SharedArena::instance();
    if (!m_own && arena) m_own = std::make_shared<MemoryFile>(fcntl(arena->descriptor(), F_DUPFD_CLOEXEC, 3));
    StoragePtr shared = storage;
    if (!arena || !arena->offsetOf(storage->data())) {
        shared = SharedArena::allocate(storage->bytes());
        copyBytes(*shared, *storage);
        m_copies[storage->id()] = shared->id();
    }
    const quint64 offset = arena ? arena->offsetOf(shared->data()).value_or(0) : 0; // 0 of an empty one
    SharedStorage& entry = m_all[shared->id()];
    entry = {shared, m_own, offset, 0, 0, 0, false, true};
    return entry;
}

SharedStorages::Update SharedStorages::update(const QJsonArray& storages, const QJsonArray& moved, qint64 serial) {
    Update update;
    m_serial = serial;
    std::map<quint64, std::vector<quint64>> earlier; // by the kernel's number
    for (const QJsonValue& value : moved) {
        const QJsonArray pair = value.toArray();
        const auto from = static_cast<quint64>(pair.at(0).toInteger(0)),
                   to = static_cast<quint64>(pair.at(1).toInteger(0));
        if (const QJsonValue own = pair.at(2); own.isDouble()) m_handles[from] = static_cast<quint64>(own.toInteger());
        SharedStorage* shared = find(from);
        if (!shared) continue;
        shared->isPending = false;
        const quint64 handle = shared->storage->id();
        shared->kernelId = to;
        m_handles.erase(from);
        m_handles[to] = handle;
        earlier[from] = shared->earlier;
        earlier[from].push_back(handle);
        // What was written before the move is in it.
        update.changed.push_back(handle);
        shared->storage->bumpVersion();
    }
    for (const QJsonValue& value : storages) {
        const QJsonObject entry = value.toObject();
        const auto number = [&entry](const char* key) {
            return static_cast<quint64>(entry.value(QLatin1String(key)).toInteger(0));
        };
        const quint64 kernelId = number("storage"), version = number("version");
        if (entry.contains(QStringLiteral("kept"))) m_handles[kernelId] = number("kept");
        SharedStorage* shared = find(kernelId);
        const bool isKept = entry.contains(QStringLiteral("kept"));
        const bool known = shared && (isKept || (shared->file == m_memory && shared->offset == number("offset") &&
                                                 shared->storage->bytes() == number("bytes")));
        if (!known) {
            // One without elements lies nowhere, and is told from others by its number alone.
            const bool nowhere = !entry.contains(QStringLiteral("offset")) && number("bytes") > 0;
            if (nowhere || entry.contains(QStringLiteral("unavailable"))) continue;
            // Elements are read where they lie: whatever the other side says, they are aligned.
            auto mapped = number("offset") % 16 != 0
                              ? Result<StoragePtr>(Refusal{ErrorKind::Io, "SHM-02", "not aligned", "", {}})
                              : mapSharedSegment(m_memory->descriptor(), number("bytes"), true, number("offset"));
            if (!mapped) {
                update.refused << QString::fromStdString(mapped.refusal().message);
                continue;
            }
            const quint64 handle = (*mapped)->id();
            m_handles[kernelId] = handle;
            shared = &m_all[handle];
            *shared = {*mapped, m_memory, number("offset"), 0, version, serial, false};
            shared->earlier = std::move(earlier[kernelId]);
            update.changed.push_back(handle);
        } else if (shared->version != version || entry.value(QStringLiteral("copied")).toBool()) {
            update.changed.push_back(shared->storage->id());
            shared->storage->bumpVersion();
        }
        shared->kernelId = kernelId;
        shared->isPending = false;
        shared->version = version;
        shared->serial = serial;
        shared->isCopy = entry.value(QStringLiteral("copied")).toBool();
    }
    return update;
}

QJsonArray SharedStorages::sweep() {
    QJsonArray released;
    for (auto at = m_all.begin(); at != m_all.end();) {
        SharedStorage& shared = at->second;
        const bool listed = shared.kernelId != 0 && shared.serial == m_serial;
        if (listed || shared.isPending || shared.storage->useCount() > 1) {
            ++at;
            continue;
        }
        if (shared.kernelId != 0) {
            released.append(QJsonArray{static_cast<qint64>(shared.kernelId), shared.serial});
            m_handles.erase(shared.kernelId);
        }
        at = m_all.erase(at);
    }
    return released;
}

void SharedStorages::end() {
    if (!m_memory) return;
    // All bytes of the file that are no storage's are holes from now on.
    std::vector<std::pair<quint64, quint64>> kept;
    for (const auto& [handle, shared] : m_all) {
        if (shared.file == m_memory) kept.emplace_back(shared.offset, shared.offset + shared.storage->bytes());
    }
    struct stat status {};
    fstat(m_memory->descriptor(), &status);
    kept.emplace_back(status.st_size, status.st_size);
    std::sort(kept.begin(), kept.end());
    quint64 from = 0;
    for (const auto& [begin, end] : kept) {
        if (begin > from)
            fallocate(m_memory->descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from),
                      static_cast<off_t>(begin - from));
        from = std::max(from, end);
    }
    m_memory.reset();
}

} // namespace stridescope
