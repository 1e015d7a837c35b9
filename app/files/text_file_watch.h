#pragma once
// TextFileWatch: tells when the content of one small file is another one, whoever wrote it and however: over it, or by
// putting a new file in its place.

#include <QObject>
#include <QTimer>

#include <optional>

class QFileSystemWatcher;

namespace stridescope {

class TextFileWatch : public QObject {
    Q_OBJECT

public:
    /// More than this is not read.
    static constexpr qint64 kLargest = 1 << 20;

    explicit TextFileWatch(QObject* parent);
    /// The file as it is now is what is known of it. Empty: none.
    void watch(const QString& path);
    /// This is known, too: it was read or written here.
    void know(const QByteArray& content) { m_known = content; }
    /// Nothing when the file cannot be read.
    static std::optional<QByteArray> contentOf(const QString& path);

Q_SIGNALS:
    void changed(); ///< to what can be read; a file that is gone is waited for

private:
    void look();

    QFileSystemWatcher* m_watcher;
    QTimer m_settle; ///< a file is often written in pieces
    QString m_path;
    QByteArray m_known;
};

} // namespace stridescope
