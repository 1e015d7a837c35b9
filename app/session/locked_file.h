#pragma once
// A file that one process holds: the system lets go of it when the process ends, however it ends.

#include <QString>

#include <optional>

namespace stridescope {

/// Locks are flock()s, so a lock of a process that was killed is free at once; nothing has to be guessed from a pid.
class LockedFile {
public:
    LockedFile() = default;
    ~LockedFile() { release(); }
    LockedFile(LockedFile&& other) noexcept;
    LockedFile& operator=(LockedFile&& other) noexcept;

    /// Opens the file, which may be new, and locks it. Nothing when another process holds it or it cannot be opened:
    /// then `why` says so.
    static std::optional<LockedFile> take(const QString& path, QString* why = nullptr);

    bool isHeld() const { return m_descriptor >= 0; }
    int descriptor() const { return m_descriptor; }
    const QString& path() const { return m_path; }
    /// Its path after it was renamed.
    void setPath(const QString& path) { m_path = path; }
    /// Lets go of the file, which stays.
    void release();
    /// The file is gone before anybody else can have it.
    void remove();

private:
    QString m_path;
    int m_descriptor = -1;
};

/// The folder for what the program keeps between starts: $XDG_STATE_HOME/stridescope, by default
/// ~/.local/state/stridescope. Made when it is not there; empty when that is not possible.
QString stateFolder();

/// Holds a session file for this window. Two paths of one file are one. Empty `folder`: nothing is held, and it works.
class SessionLock {
public:
    /// False when another window has it: `holder` gets its process number, 0 when unknown.
    bool take(const QString& folder, const QString& sessionPath, qint64* holder = nullptr);
    void release() { m_file = {}; }

private:
    struct Removed {
        LockedFile file;
        Removed() = default;
        Removed(LockedFile taken) : file(std::move(taken)) {}
        Removed(Removed&&) noexcept = default;
        Removed& operator=(Removed&& other) noexcept {
            file.remove();
            file = std::move(other.file);
            return *this;
        }
        ~Removed() { file.remove(); }
    };
    Removed m_file;
};

} // namespace stridescope
