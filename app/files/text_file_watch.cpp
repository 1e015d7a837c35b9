#include "app/files/text_file_watch.h"

#include <QFile>
#include <QFileInfo>
#include <QFileSystemWatcher>

namespace stridescope {

TextFileWatch::TextFileWatch(QObject* parent) : QObject(parent), m_watcher(new QFileSystemWatcher(this)) {
    constexpr int kSettled = 120; // ms
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettled);
    connect(&m_settle, &QTimer::timeout, this, &TextFileWatch::look);
    const auto later = [this] { m_settle.start(); };
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, later);
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
}

std::optional<QByteArray> TextFileWatch::contentOf(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return std::nullopt;
    return file.read(kLargest);
}

void TextFileWatch::watch(const QString& path) {
    const QStringList old = m_watcher->files() + m_watcher->directories();
    if (!old.isEmpty()) m_watcher->removePaths(old);
    m_path = path;
    if (path.isEmpty()) return;
    m_known = contentOf(path).value_or(QByteArray());
    // The folder tells of a new file in its place, which the old one knows nothing of.
    m_watcher->addPaths({path, QFileInfo(path).absolutePath()});
}

void TextFileWatch::look() {
    if (m_path.isEmpty()) return;
    const std::optional<QByteArray> now = contentOf(m_path);
    if (!now) return;
    if (!m_watcher->files().contains(m_path)) m_watcher->addPath(m_path);
    if (*now == m_known) return;
    m_known = *now;
    Q_EMIT changed();
}

} // namespace stridescope
