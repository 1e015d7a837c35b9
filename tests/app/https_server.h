#pragma once
// A server on this machine, for tests of downloads: it answers each path with bytes that the test wrote down, right or
// wrong.

#include <QDir>
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QTemporaryDir>
#include <functional>

namespace stridescope::test {

class HttpsServer : public QObject {
public:
    struct Answer {
        QByteArray head; ///< status line and headers, each ended by \r\n
        QByteArray body;
        bool ends = true; ///< false: the connection stays open after the body
    };

    /// False: there is no openssl to make a certificate with.
    bool start() {
        const QString key = m_folder.filePath(QStringLiteral("key.pem")),
                      certificate = m_folder.filePath(QStringLiteral("cert.pem"));
        const int made = QProcess::execute(
            QStringLiteral("openssl"),
            {QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"), QStringLiteral("rsa:2048"),
             QStringLiteral("-nodes"), QStringLiteral("-days"), QStringLiteral("2"), QStringLiteral("-subj"),
             QStringLiteral("/CN=localhost"), QStringLiteral("-addext"), QStringLiteral("subjectAltName=DNS:localhost"),
             QStringLiteral("-keyout"), key, QStringLiteral("-out"), certificate});
        if (made != 0) return false;
        m_certificate = QSslCertificate::fromPath(certificate).value(0);
        QFile keyFile(key);
        if (!keyFile.open(QIODevice::ReadOnly)) return false;
        QSslConfiguration own = QSslConfiguration::defaultConfiguration();
        own.setLocalCertificate(m_certificate);
        own.setPrivateKey(QSslKey(&keyFile, QSsl::Rsa));
        m_server.setSslConfiguration(own);
        connect(&m_server, &QSslServer::pendingConnectionAvailable, this, [this] { serve(); });
        return m_server.listen(QHostAddress::LocalHost);
    }
    /// Trusts this server and nobody else.
    QSslConfiguration trust() const {
        QSslConfiguration trust = QSslConfiguration::defaultConfiguration();
        trust.setCaCertificates({m_certificate});
        return trust;
    }
    QUrl url(const QString& path, const QString& host = QStringLiteral("localhost")) const {
        return QUrl(QStringLiteral("https://%1:%2/%3").arg(host).arg(m_server.serverPort()).arg(path));
    }
    int port() const { return m_server.serverPort(); }

    /// What it says to GET /path; `range` is where the request wants to begin, 0: at the beginning.
    std::function<Answer(const QString& path, qint64 range)> answer;
    int connections = 0;
    std::vector<std::pair<QString, qint64>> requests;

private:
    void serve() {
        while (QTcpSocket* socket = m_server.nextPendingConnection()) {
            ++connections;
            connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { read(socket); });
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            if (socket->bytesAvailable() > 0) read(socket);
        }
    }
    void read(QTcpSocket* socket) {
        QByteArray& got = m_got[socket];
        got += socket->readAll();
        if (!got.contains("\r\n\r\n")) return;
        const QString path = QString::fromLatin1(got.split(' ').value(1)).mid(1);
        qint64 range = 0;
        for (const QByteArray& line : got.split('\n'))
            if (line.toLower().startsWith("range: bytes=")) range = line.trimmed().mid(13).chopped(1).toLongLong();
        m_got.remove(socket);
        requests.emplace_back(path, range);
        const Answer said = answer(path, range);
        socket->write("HTTP/1.1 " + said.head + "Connection: close\r\n\r\n" + said.body);
        if (said.ends) socket->disconnectFromHost();
    }

    QTemporaryDir m_folder;
    QSslCertificate m_certificate;
    QSslServer m_server;
    QMap<QTcpSocket*, QByteArray> m_got;
};

} // namespace stridescope::test
