#include "app/files/download.h"

#include "core/io/md5.h"

#include <QFileInfo>
#include <QNetworkAccessManager>
#include <QNetworkReply>

#include <memory>

namespace stridescope {

namespace {

constexpr qint64 kBlock = 1 << 18;

QByteArray header(const QNetworkReply& reply, const char* name) {
    return reply.rawHeader(name).trimmed().toLower();
}

} // namespace

Download::Download(QObject* parent) : QObject(parent) {}

Download::~Download() {
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
    }
}

qint64 Download::waiting(const DownloadItem& item) {
    const qint64 size = QFileInfo(item.path + QStringLiteral(".part")).size();
    return size < item.bytes ? size : 0;
}

void Download::start(const DownloadItem& item) {
    m_item = item;
    m_busy = true;
    if (item.url.scheme() != QLatin1String("https"))
        return end(tr("%1 is not fetched: only https is.").arg(item.url.toDisplayString().left(80)), true);
    m_part.setFileName(partPath());
    request(true);
}

void Download::request(bool resume) {
    if (!m_network) {
        m_network = new QNetworkAccessManager(this);
        m_network->setRedirectPolicy(QNetworkRequest::NoLessSafeRedirectPolicy);
    }
    const qint64 have = resume ? waiting(m_item) : 0;
    QNetworkRequest request(m_item.url);
    request.setSslConfiguration(m_trust);
    request.setTransferTimeout(m_patience);
    request.setMaximumRedirectsAllowed(5);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setHeader(QNetworkRequest::UserAgentHeader, QByteArrayLiteral("stridescope"));
    // Named by us, it is not unpacked behind our back: what is packed all the same is refused.
    request.setRawHeader("Accept-Encoding", "identity");
    if (have > 0) request.setRawHeader("Range", "bytes=" + QByteArray::number(have) + "-");
    m_started = m_resumed = false;
    m_reply = m_network->get(request);
    m_reply->setReadBufferSize(4 * kBlock);
    connect(m_reply, &QNetworkReply::readyRead, this, &Download::takeBytes);
    connect(m_reply, &QNetworkReply::finished, this, &Download::takeEnd);
}

/// What the server says of the bytes before the first one is taken.
void Download::takeHead() {
    m_started = true;
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status != 200 && status != 206) return; // its body is no part of the file; the end tells
    const qint64 have = waiting(m_item);
    m_resumed = have > 0 && status == 206 &&
                header(*m_reply, "Content-Range").startsWith("bytes " + QByteArray::number(have) + "-");
    const QByteArray packed = header(*m_reply, "Content-Encoding");
    if (!packed.isEmpty() && packed != "identity")
        return end(tr("%1 sends it packed as %2, which was not asked for.")
                       .arg(m_item.url.host(), QString::fromLatin1(packed.left(20))),
                   false);
    bool known = false;
    const qint64 said = header(*m_reply, "Content-Length").toLongLong(&known);
    const qint64 wanted = m_item.bytes - (m_resumed ? have : 0);
    if (known && said != wanted)
        return end(tr("%1 has %2 bytes, %3 are wanted.")
                       .arg(m_item.url.host())
                       .arg(said + m_item.bytes - wanted)
                       .arg(m_item.bytes),
                   false);
    if (!m_part.open(m_resumed ? QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered
                               : QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered))
        return end(tr("%1 cannot be written: %2.").arg(m_part.fileName(), m_part.errorString()), true);
}

void Download::takeBytes() {
    if (!m_reply) return;
    if (!m_started) takeHead();
    while (m_reply && m_busy && m_part.isOpen() && m_reply->bytesAvailable() > 0) {
        const QByteArray block = m_reply->read(kBlock);
        if (m_part.size() + block.size() > m_item.bytes)
            return end(tr("%1 sends more than the %2 bytes that are wanted.").arg(m_item.url.host()).arg(m_item.bytes),
                       false);
        // A short count is all that a full disk says at first.
        if (m_part.write(block) != block.size())
            return end(tr("The disk is full, or the file cannot be written: %1. What came was removed.")
                           .arg(m_part.errorString()),
                       false);
        Q_EMIT progress(m_part.size(), m_item.bytes);
    }
}

void Download::takeEnd() {
    takeBytes();
    if (!m_reply || !m_busy) return;
    const QString host = m_item.url.host();
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QNetworkReply::NetworkError error = m_reply->error();
    const QString reason = m_reply->errorString().left(120);
    const qint64 have = m_part.isOpen() ? m_part.size() : 0;
    m_part.close();
    m_reply->deleteLater();
    m_reply = nullptr;
    if (status == 416 && QFile::exists(partPath())) {
        // What is there now does not fit the part; once, from the beginning.
        QFile::remove(partPath());
        return request(false);
    }
    if (error == QNetworkReply::InsecureRedirectError)
        return end(tr("%1 leads to an address that is not https; it is not followed.").arg(host), true);
    if (error == QNetworkReply::TooManyRedirectsError) return end(tr("%1 leads in circles.").arg(host), true);
    if (error == QNetworkReply::SslHandshakeFailedError)
        return end(tr("%1 could not prove who it is: %2.").arg(host, reason), true);
    if (status >= 400)
        return end(tr("%1 answered %2. Choose a file that you have instead.").arg(host).arg(status), true);
    if (error != QNetworkReply::NoError && have == 0)
        return end(tr("Could not reach %1: %2. Choose a file that you have instead.").arg(host, reason), true);
    if (have < m_item.bytes)
        return end(tr("The download from %1 ended after %2 of %3 bytes; the next one goes on from there.")
                       .arg(host)
                       .arg(have)
                       .arg(m_item.bytes),
                   true);
    prove();
}

void Download::prove() {
    Q_EMIT proving();
    const auto found = std::make_shared<QString>();
    m_prover.start(
        [path = partPath(), found](Job& job) {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly)) return;
            Md5 sum;
            QByteArray block(4 << 20, Qt::Uninitialized);
            for (qint64 got = 0; (got = file.read(block.data(), block.size())) > 0 && !job.isCancelled();)
                sum.add(std::as_bytes(std::span(block.constData(), static_cast<std::size_t>(got))));
            *found = QString::fromStdString(sum.hex());
        },
        [this, found] {
            if (!m_busy) return;
            if (*found != m_item.md5)
                return end(tr("%1 has MD5 %2, published is %3; it was removed.")
                               .arg(QFileInfo(m_item.path).fileName(), *found, m_item.md5),
                           false);
            QFile::remove(m_item.path);
            if (!QFile::rename(partPath(), m_item.path))
                return end(tr("%1 could not get its name.").arg(partPath()), true);
            end({}, true);
        });
}

void Download::cancel() {
    if (!m_busy) return;
    m_prover.cancel();
    end(tr("Stopped. What came is kept: the next download goes on from there."), true);
}

void Download::end(const QString& problem, bool keep) {
    if (!m_busy) return;
    m_busy = false;
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
        m_reply = nullptr;
    }
    m_part.close();
    if (!keep) QFile::remove(partPath());
    Q_EMIT finished(problem);
}

} // namespace stridescope
