#pragma once
// Settings: what the program remembers between two starts. Never a reason not to start.

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>

#include <atomic>

namespace stridescope {

/// Values by name, kept in one JSON file. A file that cannot be read means defaults, a place that cannot be written
/// means memory only; `notes()` says so in words.
class Settings {
public:
    /// Reads `path`; the empty path means memory only.
    explicit Settings(QString path);
    /// The file for this user: $XDG_CONFIG_HOME or ~/.config, below it stridescope/settings.json. Empty, with a reason,
    /// when there is no home directory.
    static QString standardPath(QString* whyNone = nullptr);

    QJsonValue value(const QString& name) const { return m_values.value(name); }
    QString text(const QString& name, const QString& standIn = {}) const;
    bool flag(const QString& name, bool standIn) const;
    QStringList list(const QString& name) const;
    QByteArray bytes(const QString& name) const;

    /// Setting null removes. Written to disk by save().
    void set(const QString& name, const QJsonValue& value);
    void setList(const QString& name, const QStringList& values);
    void setBytes(const QString& name, const QByteArray& value);

    /// Writes the file if something changed. False, with a note, when that is not possible.
    bool save();
    /// The same in a thread of its own: the disk may be slow. What goes wrong there is told by the next save().
    void saveLater();
    /// What had to be passed over; one sentence each.
    const QStringList& notes() const { return m_notes; }
    void note(const QString& sentence) { m_notes << sentence; }
    bool inMemoryOnly() const { return m_path.isEmpty(); }

private:
    void load();

    QString m_path;
    QJsonObject m_values;
    QStringList m_notes;
    bool m_dirty = false;
    std::atomic<bool> m_lateFailure{false};
    QThreadPool m_writer; ///< one thread: the last state is written last; waited for in the end
};

} // namespace stridescope
