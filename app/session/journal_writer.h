#pragma once
// JournalWriter: appends records to a journal in a thread of its own, and sees to it that they reach the disk.

#include "app/session/locked_file.h"
#include "core/session/journal_records.h"

#include <QByteArray>
#include <QObject>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace stridescope {

class JournalWriter : public QObject {
    Q_OBJECT

public:
    /// `file` is a new one. Its end is where it writes on.
    explicit JournalWriter(LockedFile file, QObject* parent = nullptr);
    /// Writes what waits.
    ~JournalWriter() override;

    /// The next blob has the number that is returned. Elements that are written meanwhile may be torn: blobWritten says
    /// when it is done.
    quint64 addBlob(const StoragePtr& storage);
    /// The same for bytes that are held already.
    quint64 addBlob(QByteArray bytes);
    /// A large file of which only the place is remembered: placed tells it.
    void place(const SessionStorage& storage);
    /// A state that still waits is replaced: the newest counts. `sequence` comes back when it is on the disk.
    void addState(QByteArray json, quint64 sequence, bool complete);
    /// What is added from now on goes to a new file, which takes the place of the old one with the first complete
    /// state.
    void startAnew();
    /// Waits until all that was added is on the disk, or has failed.
    void flush();
    /// Ends it and removes the file.
    void remove();
    QString path() const { return m_path; }

Q_SIGNALS:
    void blobWritten(quint64 number, quint64 storageId);
    void placed(quint64 storageId, const stridescope::SessionFile& file);
    /// The state of that sequence is safe.
    void synced(quint64 sequence, qint64 bytes);
    /// What was to be written is not: blobs since the last state may be missing.
    void failed(const QString& why);

private:
    struct Work {
        enum class Kind : quint8 { Blob, State, Place, StartAnew } kind = Kind::Blob;
        quint64 number = 0;
        QByteArray bytes;
        StoragePtr storage;
        SessionStorage facts;
        bool complete = false;
    };

    void add(Work work);
    void run();
    /// False, and the file is as before, when it could not be written.
    bool append(JournalKind kind, quint64 number, std::span<const std::byte> payload);
    bool takePlace();
    void fail(const char* what);

    QString m_path;
    LockedFile m_file, m_next; ///< m_next: the new file, until it takes the place of the old one
    qint64 m_size = 0, m_nextSize = 0;
    quint64 m_nextBlob = 1;
    std::mutex m_mutex;
    std::condition_variable m_wake, m_idle;
    std::deque<Work> m_work;
    bool m_ends = false, m_busy = false, m_removes = false;
    std::thread m_thread;
};

} // namespace stridescope

Q_DECLARE_METATYPE(stridescope::SessionFile)
