#include "app/session/journal_writer.h"

#include "core/session/session_file.h"
#include "core/storage/mapped_file.h"

#include <QFile>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace stridescope {

namespace {

bool writeAll(int descriptor, std::span<const std::byte> bytes) {
    constexpr std::size_t kBlock = std::size_t{8} << 20;
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor, bytes.data(), std::min(bytes.size(), kBlock));
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = ENOSPC;
        if (done <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
    return true;
}

std::span<const std::byte> bytesOf(const QByteArray& bytes) {
    return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace

JournalWriter::JournalWriter(LockedFile file, QObject* parent)
    : QObject(parent), m_path(file.path()), m_file(std::move(file)), m_thread([this] { run(); }) {}

JournalWriter::~JournalWriter() {
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_wake.notify_one();
    m_thread.join();
    if (m_next.isHeld()) m_next.remove();
    if (m_removes) m_file.remove();
}

void JournalWriter::add(Work work) {
    {
        const std::lock_guard lock(m_mutex);
        if (work.kind == Work::Kind::State) {
            // Between two states there may be blobs, which the newer one needs; the older one nobody does.
            for (auto it = m_work.rbegin(); it != m_work.rend() && it->kind != Work::Kind::StartAnew; ++it) {
                if (it->kind != Work::Kind::State) continue;
                m_work.erase(std::next(it).base());
                break;
            }
        }
        m_work.push_back(std::move(work));
    }
    m_wake.notify_one();
}

quint64 JournalWriter::addBlob(const StoragePtr& storage) {
    Work work;
    work.number = m_nextBlob++;
    work.storage = storage;
    const quint64 number = work.number;
    add(std::move(work));
    return number;
}

quint64 JournalWriter::addBlob(QByteArray bytes) {
    Work work;
    work.number = m_nextBlob++;
    work.bytes = std::move(bytes);
    const quint64 number = work.number;
    add(std::move(work));
    return number;
}

void JournalWriter::place(const SessionStorage& storage) {
    Work work;
    work.kind = Work::Kind::Place;
    work.storage = storage.storage;
    work.facts = storage;
    add(std::move(work));
}

void JournalWriter::addState(QByteArray json, quint64 sequence, bool complete) {
    Work work;
    work.kind = Work::Kind::State;
    work.number = sequence;
    work.bytes = std::move(json);
    work.complete = complete;
    add(std::move(work));
}

void JournalWriter::startAnew() {
    Work work;
    work.kind = Work::Kind::StartAnew;
    add(std::move(work));
}

void JournalWriter::flush() {
    std::unique_lock lock(m_mutex);
    m_idle.wait(lock, [this] { return m_work.empty() && !m_busy; });
}

void JournalWriter::remove() {
    const std::lock_guard lock(m_mutex);
    m_work.clear();
    m_removes = true;
}

void JournalWriter::fail(const char* what) {
    Q_EMIT failed(
        QStringLiteral("%1: %2").arg(QString::fromLatin1(what), QString::fromLocal8Bit(std::strerror(errno))));
}

bool JournalWriter::append(JournalKind kind, quint64 number, std::span<const std::byte> payload) {
    LockedFile& file = m_next.isHeld() ? m_next : m_file;
    qint64& size = m_next.isHeld() ? m_nextSize : m_size;
    const auto header = journalHeader(kind, number, payload);
    // Blobs are of use with the state behind them alone, and are on the disk with it.
    if (writeAll(file.descriptor(), header) && writeAll(file.descriptor(), payload) &&
        (kind != JournalKind::State || ::fdatasync(file.descriptor()) == 0)) {
        size += static_cast<qint64>(header.size() + payload.size());
        return true;
    }
    fail("the journal could not be written");
    // Half a record would hide all that follow.
    if (::ftruncate(file.descriptor(), size) == 0) ::lseek(file.descriptor(), size, SEEK_SET);
    return false;
}

bool JournalWriter::takePlace() {
    if (::rename(QFile::encodeName(m_next.path()).constData(), QFile::encodeName(m_path).constData()) != 0) {
        fail("the journal could not be renewed");
        m_next.remove();
        return false;
    }
    m_next.setPath(m_path);
    m_file = std::move(m_next);
    m_size = std::exchange(m_nextSize, 0);
    return true;
}

void JournalWriter::run() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_ends || !m_work.empty(); });
        if (m_work.empty()) return;
        const Work work = std::move(m_work.front());
        m_work.pop_front();
        m_busy = true;
        lock.unlock();
        switch (work.kind) {
        case Work::Kind::Blob: {
            try {
                // What is written to meanwhile has another sum than when it was written here: it is copied first.
                if (const StoragePtr& storage = work.storage) {
                    const std::vector<std::byte> copy(storage->data(), storage->data() + storage->bytes());
                    if (append(JournalKind::Blob, work.number, copy)) Q_EMIT blobWritten(work.number, storage->id());
                } else {
                    append(JournalKind::Blob, work.number, bytesOf(work.bytes));
                }
            } catch (const std::bad_alloc&) {
                errno = ENOMEM;
                fail("the journal could not be written");
            }
            break;
        }
        case Work::Kind::State:
            if (append(JournalKind::State, work.number, bytesOf(work.bytes))) {
                if (work.complete && m_next.isHeld()) takePlace();
                Q_EMIT synced(work.number, m_size);
            }
            break;
        case Work::Kind::Place: {
            Session one;
            one.storages.push_back(work.facts);
            placeStorages(one);
            Q_EMIT placed(work.storage->id(), one.storages[0].file.value_or(SessionFile{}));
            break;
        }
        case Work::Kind::StartAnew: {
            if (m_next.isHeld()) m_next.remove();
            m_nextSize = 0;
            if (auto next = LockedFile::take(m_path + QStringLiteral(".new")))
                m_next = std::move(*next);
            else
                fail("the journal could not be renewed");
            break;
        }
        }
        lock.lock();
        m_busy = false;
        if (m_work.empty()) m_idle.notify_all();
    }
}

} // namespace stridescope
