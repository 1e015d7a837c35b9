#include "app/session/locked_file.h"

#include "core/io/save_atomically.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stridescope {

LockedFile::LockedFile(LockedFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)) {}

LockedFile& LockedFile::operator=(LockedFile&& other) noexcept {
    release();
    m_path = std::move(other.m_path);
    m_descriptor = std::exchange(other.m_descriptor, -1);
    return *this;
}

std::optional<LockedFile> LockedFile::take(const QString& path, QString* why) {
    const QByteArray name = QFile::encodeName(path);
    for (int attempt = 0; attempt < 10; ++attempt) {
        LockedFile file;
        file.m_path = path;
        file.m_descriptor = ::open(name.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
        if (file.m_descriptor < 0 || ::flock(file.m_descriptor, LOCK_EX | LOCK_NB) != 0) {
            if (why) *why = QString::fromLocal8Bit(std::strerror(errno));
            return std::nullopt;
        }
        // Whoever had it may have removed it between the two calls: then this is a file without a name.
        struct stat mine, there;
        if (::fstat(file.m_descriptor, &mine) == 0 && S_ISREG(mine.st_mode) && ::stat(name.constData(), &there) == 0 &&
            mine.st_dev == there.st_dev && mine.st_ino == there.st_ino)
            return file;
    }
    if (why) *why = QObject::tr("it is no file, or comes and goes");
    return std::nullopt;
}

void LockedFile::release() {
    if (m_descriptor >= 0) ::close(std::exchange(m_descriptor, -1));
}

void LockedFile::remove() {
    if (m_descriptor < 0) return;
    ::unlink(QFile::encodeName(m_path).constData());
    release();
}

QString stateFolder() {
    QString folder = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(folder)) {
        const QString home = qEnvironmentVariable("HOME");
        if (home.isEmpty() || !QFileInfo(home).isDir()) return {};
        folder = home + QStringLiteral("/.local/state");
    }
    folder += QStringLiteral("/stridescope");
    return QDir().mkpath(folder) && QFileInfo(folder).isWritable() ? folder : QString();
}

bool SessionLock::take(const QString& folder, const QString& sessionPath, qint64* holder) {
    release();
    const QString locks = folder + QStringLiteral("/locks");
    if (folder.isEmpty() || !QDir().mkpath(locks)) return true;
    const QFileInfo info(sessionPath);
    const QString real = info.exists() ? info.canonicalFilePath() : info.absoluteFilePath();
    const QByteArray bytes = real.toUtf8();
    Fingerprint print;
    print.add(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    const QString path = locks + QStringLiteral("/%1.lock").arg(print.value(), 16, 16, QLatin1Char('0'));
    auto file = LockedFile::take(path);
    if (!file) {
        QFile other(path);
        if (holder) *holder = other.open(QIODevice::ReadOnly) ? other.read(32).trimmed().toLongLong() : 0;
        return false;
    }
    const QByteArray pid = QByteArray::number(static_cast<qlonglong>(::getpid()));
    if (::ftruncate(file->descriptor(), 0) == 0) [[maybe_unused]]
        const auto written = ::pwrite(file->descriptor(), pid.constData(), static_cast<std::size_t>(pid.size()), 0);
    m_file = Removed(std::move(*file));
    return true;
}

} // namespace stridescope
