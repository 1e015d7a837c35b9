#pragma once
// Download: brings one file that is known by size and sum, over https alone, into a part file that becomes the file
// when it is whole and proven. What came before an interruption is used the next time. Nothing is fetched before
// start().

#include "app/work/background.h"

#include <QFile>
#include <QObject>
#include <QPointer>
#include <QSslConfiguration>
#include <QUrl>

class QNetworkAccessManager;
class QNetworkReply;

namespace stridescope {

struct DownloadItem {
    QUrl url;
    QString path; ///< of the file to be
    qint64 bytes = 0;
    QString md5;
};

class Download : public QObject {
    Q_OBJECT

public:
    explicit Download(QObject* parent = nullptr);
    ~Download() override;
    /// Whom to trust; without it the certificates of the system.
    void setTrust(const QSslConfiguration& trust) { m_trust = trust; }
    /// So long, in milliseconds, may no byte come.
    void setPatience(int milliseconds) { m_patience = milliseconds; }

    /// `finished` follows, once, also for what is refused at once. Precondition: not busy.
    void start(const DownloadItem& item);
    bool isBusy() const { return m_busy; }
    /// Bytes of `item` that an earlier start left.
    static qint64 waiting(const DownloadItem& item);

public Q_SLOTS:
    /// Ends at once; what came is kept for the next time.
    void cancel();

Q_SIGNALS:
    void progress(qint64 done, qint64 all);
    /// All bytes are here and their sum is being compared.
    void proving();
    /// `problem` empty: the file is there. Else what went wrong, in words for the user.
    void finished(const QString& problem);

private:
    void request(bool resume);
    void takeHead();
    void takeBytes();
    void takeEnd();
    void prove();
    /// Ends with words; `keep`: the part file may be gone on with.
    void end(const QString& problem, bool keep);
    QString partPath() const { return m_item.path + QStringLiteral(".part"); }

    QNetworkAccessManager* m_network = nullptr;
    QPointer<QNetworkReply> m_reply;
    QSslConfiguration m_trust = QSslConfiguration::defaultConfiguration();
    DownloadItem m_item;
    QFile m_part;
    Background m_prover;
    int m_patience = 30'000;
    bool m_busy = false, m_started = false, m_resumed = false;
};

} // namespace stridescope
