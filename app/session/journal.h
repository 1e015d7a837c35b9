#pragma once
// Journal: what was done is on the disk within a second, and comes back after the program was killed.

#include "app/session/journal_writer.h"
#include "app/workspace/workspace.h"

#include <QDateTime>
#include <QElapsedTimer>

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace stridescope {

/// Follows a workspace and appends each state of it, right after the act that made it. Bytes of storages are written
/// when they are new or were written to; small ones at once, large ones as fast as the disk takes them.
class Journal : public QObject {
    Q_OBJECT

public:
    /// Bytes that are copied in the window's thread: within a few milliseconds.
    static constexpr quint64 kCopiedAtOnce = quint64{4} << 20;
    /// Milliseconds that a state waits for large bytes which belong to it. After that they are copied at once, however
    /// large they are: no state comes back that was never there.
    static constexpr int kHeld = 500;
    /// Storages above it are not kept; their tensors are told once.
    static constexpr quint64 kLargest = quint64{256} << 20;

    /// `folder` for journals of all windows; this one makes a file of its own in it when the first state comes.
    Journal(Workspace* workspace, const QString& folder, QObject* parent = nullptr);
    ~Journal() override;

    /// What is remembered beside the workspace: "session.path" and the like.
    void setLook(const std::map<std::string, std::string>& look) { m_look = look; }
    /// The window closes as the user wanted: nothing is to be recovered.
    void end();
    /// Waits until all that was done is on the disk.
    void flush();
    QString path() const { return m_writer ? m_writer->path() : QString(); }

Q_SIGNALS:
    /// A state is on the disk.
    void synced();
    /// Told once, until it works again.
    void failed(const QString& why);
    /// Tensors of these names are not in the journal: too large.
    void leftOut(const QStringList& names);

private:
    /// What the journal has of a storage.
    struct Kept {
        StoragePtr storage; ///< so that its number stays its own
        quint64 blob = 0;   ///< 0: nothing yet
        std::optional<SessionFile> file;
        quint64 version = 0;
        bool dirty = true; ///< other bytes than in the blob
        bool underWay = false, touched = false;
        bool placeless = false; ///< its file was looked at, and cannot be named
        quint64 awaited = 0; ///< the blob under way, if its bytes still count when it is there
    };

    bool open();
    void capture();
    /// Where the bytes are for the state that is written now; asks the writer for what is missing.
    void keep(SessionStorage& storage);
    void blobWritten(quint64 number, quint64 storageId);

    Workspace* m_workspace;
    QString m_folder;
    std::unique_ptr<JournalWriter> m_writer;
    std::map<quint64, Kept> m_kept;
    std::map<std::string, std::string> m_look;
    std::set<QString> m_toldLarge;
    quint64 m_sequence = 0;
    bool m_waits = false;  ///< some bytes of the state that is written now are not in the journal yet
    QElapsedTimer m_held;  ///< since when such states wait
    bool m_copies = false; ///< they waited long enough
    bool m_complete = false, m_failing = false, m_again = false, m_ended = false;
    qint64 m_live = 0; ///< bytes of the blobs that count
};

/// A journal that a program left that did not end as it should. It is held, so that no other window offers it.
struct LeftJournal {
    LockedFile file;
    QDateTime when;
    JournalContents contents;
};

/// The newest one that has something to bring back. Journals with nothing in them are removed. Reads files: not for
/// the window's thread.
std::optional<LeftJournal> findLeftJournal(const QString& folder);

} // namespace stridescope
