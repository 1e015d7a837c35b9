// Downloads in the window: a server on this machine does all that servers do wrong, and what is on the disk then. Rows
// W1 to W6 of the list of what must not go wrong: the names of the functions tell which.

#include "app/files/download.h"
#include "app/images/download_dialog.h"
#include "app/images/images_screen.h"
#include "tests/app/https_server.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/test_paths.h"

#include <QComboBox>
#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <csignal>
#include <sys/resource.h>

using namespace stridescope;
using namespace stridescope::test;

namespace {

QByteArray content() {
    QByteArray bytes;
    for (int i = 0; i < 4096; ++i)
        for (int k = 0; k < 256; ++k) bytes += static_cast<char>(k);
    return bytes; // a megabyte
}

} // namespace

class TestDownload : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStringLiteral("Fusion"));
        if (!QSslSocket::supportsSsl()) QSKIP("Qt has no TLS here");
        if (!m_server.start()) QSKIP("openssl makes the server's certificate");
        m_server.answer = [this](const QString& path, qint64 range) { return answer(path, range); };
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_server.requests.clear();
        m_server.connections = 0;
    }
    void cleanup() { closeWindow(); }

    void whole() {
        Download download;
        QSignalSpy told(&download, &Download::progress);
        QCOMPARE(get(download, "whole"), QString());
        QCOMPARE(read(QStringLiteral("set.tar.gz")), m_content);
        QCOMPARE(left(), QStringList{QStringLiteral("set.tar.gz")});
        QVERIFY(!told.isEmpty());
        QCOMPARE(told.last()[0].toLongLong(), qint64{m_content.size()});
        QCOMPARE(m_server.requests.front(), std::pair(QStringLiteral("whole"), qint64{0}));
    }

    void w1OnlyHttpsFromWhoProvesItself_data() {
        QTest::addColumn<QUrl>("url");
        QTest::addColumn<bool>("trusted");
        QTest::addColumn<QString>("words");
        QTest::newRow("http") << QUrl(QStringLiteral("http://localhost:%1/whole").arg(m_server.port())) << true
                              << "only https";
        QTest::newRow("https to http") << m_server.url(QStringLiteral("to_http")) << true << "not https";
        QTest::newRow("circles") << m_server.url(QStringLiteral("circle")) << true << "circles";
        QTest::newRow("self-signed") << m_server.url(QStringLiteral("whole")) << false << "could not prove who it is";
        QTest::newRow("another host") << m_server.url(QStringLiteral("whole"), QStringLiteral("127.0.0.1")) << true
                                      << "could not prove who it is";
    }
    void w1OnlyHttpsFromWhoProvesItself() {
        QFETCH(QUrl, url);
        QFETCH(bool, trusted);
        QFETCH(QString, words);
        Download download;
        DownloadItem wanted = item("whole");
        wanted.url = url;
        const QString said = get(download, wanted, trusted);
        QVERIFY2(said.contains(words), qPrintable(said));
        QVERIFY(left().isEmpty());
    }
    void w1RedirectsOverHttps() {
        Download download;
        QCOMPARE(get(download, "to_https"), QString());
    }

    void w2WrongAnswers_data() {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("kept"); // what came may be gone on with
        QTest::newRow("truncated") << QByteArray("truncated") << "goes on from there" << true;
        QTest::newRow("truncated, no length") << QByteArray("unsaid") << "goes on from there" << true;
        QTest::newRow("another length") << QByteArray("longer") << "1048577 bytes, 1048576 are wanted" << false;
        QTest::newRow("endless") << QByteArray("endless") << "more than the 1048576" << false;
        QTest::newRow("packed") << QByteArray("packed") << "packed as gzip" << false;
        QTest::newRow("404") << QByteArray("missing") << "answered 404" << false;
        QTest::newRow("500") << QByteArray("broken") << "answered 500" << false;
    }
    void w2WrongAnswers() {
        QFETCH(QByteArray, path);
        QFETCH(QString, words);
        QFETCH(bool, kept);
        Download download;
        const QString said = get(download, path.constData());
        QVERIFY2(said.contains(words), qPrintable(said));
        QCOMPARE(left(), kept ? QStringList{QStringLiteral("set.tar.gz.part")} : QStringList());
    }
    void w2Resumes() {
        Download download;
        get(download, "truncated");
        QCOMPARE(Download::waiting(item("ranged")), qint64{500'000});
        QCOMPARE(get(download, "ranged"), QString());
        QCOMPARE(m_server.requests.back(), std::pair(QStringLiteral("ranged"), qint64{500'000}));
        QCOMPARE(read(QStringLiteral("set.tar.gz")), m_content);
    }
    void w2RangesThatDoNotFit() {
        for (const char* path : {"whole", "wrong_range", "refuses_range"}) {
            Download download;
            get(download, "truncated");
            const QString said = get(download, path);
            // A server without ranges sends all of it; one with another range is not believed.
            QVERIFY2(said.isEmpty() == (QByteArray(path) != "wrong_range"), qPrintable(said));
            if (said.isEmpty()) QCOMPARE(read(QStringLiteral("set.tar.gz")), m_content);
            init();
        }
    }

    void w3WrongSum() {
        Download download;
        const QString said = get(download, "other_content");
        QVERIFY2(said.contains(m_md5) && said.contains(QStringLiteral("has MD5")), qPrintable(said));
        QVERIFY(left().isEmpty());
        // The file that is there stays until another one is proven.
        QFile old(m_folder->filePath(QStringLiteral("set.tar.gz")));
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        get(download, "other_content");
        QCOMPARE(read(QStringLiteral("set.tar.gz")), QByteArray("old"));
    }

    void w4CancelledAtOnce() {
        Download download;
        download.setTrust(m_server.trust());
        QSignalSpy ended(&download, &Download::finished), told(&download, &Download::progress);
        download.start(item("stalled"));
        QTRY_VERIFY(!told.isEmpty());
        QElapsedTimer clock;
        clock.start();
        download.cancel();
        QCOMPARE(ended.size(), 1);
        QVERIFY(clock.elapsed() < 200);
        QVERIFY(!download.isBusy());
        QCOMPARE(left(), QStringList{QStringLiteral("set.tar.gz.part")});
    }
    void w4Stalls() {
        Download download;
        download.setPatience(300);
        const QString said = get(download, "stalled");
        QVERIFY2(said.contains(QStringLiteral("goes on from there")), qPrintable(said));
    }
    void w4NoSuchHost() {
        Download download;
        DownloadItem wanted = item("whole");
        wanted.url.setHost(QStringLiteral("nobody.invalid"));
        const QString said = get(download, wanted, true);
        QVERIFY2(said.contains(QStringLiteral("Could not reach nobody.invalid")) &&
                     said.contains(QStringLiteral("Choose a file")),
                 qPrintable(said));
    }

    void w5DiskFull() {
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{600'000, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        Download download;
        const QString said = get(download, "whole");
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY2(said.contains(QStringLiteral("disk is full")), qPrintable(said));
        QVERIFY(left().isEmpty());
    }

    /// The dialog says host and size; the server hears nothing before the button is pressed.
    void w6NothingWithoutAClick() {
        DownloadDialog dialog(
            {{QStringLiteral("Set"), m_server.url(QStringLiteral("set.tar.gz")), m_content.size(), m_md5}},
            m_folder->path(), nullptr);
        dialog.download()->setTrust(m_server.trust());
        dialog.show();
        QTest::qWait(200);
        QTest::keyClick(dialog.findChild<QLineEdit*>(QStringLiteral("downloadFolder")), Qt::Key_Return);
        QTest::qWait(100);
        QCOMPARE(m_server.connections, 0);
        const QString facts = dialog.findChild<QLabel*>(QStringLiteral("downloadFacts"))->text();
        QVERIFY(facts.contains(QStringLiteral("localhost")) && facts.contains(m_md5));
        QVERIFY(facts.contains(QStringLiteral("1.05 MB")) || facts.contains(QStringLiteral("1.0 MB")));
        QSignalSpy fetched(&dialog, &DownloadDialog::fetched);
        dialog.findChild<QPushButton*>(QStringLiteral("downloadStart"))->click();
        QTRY_COMPARE(fetched.size(), 1);
        QCOMPARE(read(QStringLiteral("set.tar.gz")), m_content);
    }
    void w6TheDialogStopsAndResumes() {
        DownloadDialog dialog(
            {{QStringLiteral("Set"), m_server.url(QStringLiteral("stalled/set.tar.gz")), m_content.size(), m_md5}},
            m_folder->path(), nullptr);
        dialog.download()->setTrust(m_server.trust());
        dialog.show();
        auto* start = dialog.findChild<QPushButton*>(QStringLiteral("downloadStart"));
        start->click();
        QSignalSpy told(dialog.download(), &Download::progress);
        QTRY_VERIFY(!told.isEmpty());
        QVERIFY(!start->isEnabled());
        dialog.findChild<QPushButton*>(QStringLiteral("downloadCancel"))->click();
        QVERIFY(start->isEnabled());
        QCOMPARE(start->text(), DownloadDialog::tr("Resume"));
        QVERIFY(dialog.isVisible());
    }
    /// The window offers the sets that were published; their sums are those of the reader.
    void w6TheWindowOffers() {
        openWindow({1280, 720});
        m_window->showScreen(QStringLiteral("images"));
        auto* screen = qobject_cast<ImagesScreen*>(m_window->currentScreen());
        DownloadDialog* dialog = screen->offerDownload();
        auto* sets = dialog->findChild<QComboBox*>(QStringLiteral("downloadSet"));
        QCOMPARE(sets->count(), 4);
        for (int i = 0; i < sets->count(); ++i) {
            sets->setCurrentIndex(i);
            const QString facts = dialog->findChild<QLabel*>(QStringLiteral("downloadFacts"))->text();
            QVERIFY(facts.startsWith(QStringLiteral("https://www.cs.toronto.edu/~kriz/cifar-")));
        }
        QVERIFY(!dialog->download()->isBusy());
        dialog->reject();
    }
    /// Nothing else of the program reaches for the network.
    void w6OneFileAlone() {
        QStringList users;
        for (const char* house : {"core", "widgets", "app"}) {
            QDirIterator files(QString::fromStdString(sourcePath(house)),
                               {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                if (file.open(QIODevice::ReadOnly) && file.readAll().contains("new QNetworkAccessManager"))
                    users << QFileInfo(file).fileName();
            }
        }
        QCOMPARE(users, QStringList{QStringLiteral("download.cpp")});
    }

private:
    HttpsServer::Answer answer(const QString& path, qint64 range) const {
        const auto of = [](const char* status, const QByteArray& body, qsizetype length = -1) {
            return HttpsServer::Answer{QByteArray(status) + "\r\nContent-Length: " +
                                           QByteArray::number(length < 0 ? body.size() : length) + "\r\n",
                                       body};
        };
        const auto part = [&](qint64 from) {
            HttpsServer::Answer said = of("206 Partial Content", m_content.mid(from));
            said.head += "Content-Range: bytes " + QByteArray::number(from) + "-" +
                         QByteArray::number(m_content.size() - 1) + "/" + QByteArray::number(m_content.size()) + "\r\n";
            return said;
        };
        if (path == QLatin1String("truncated")) return of("200 OK", m_content.left(500'000), m_content.size());
        if (path == QLatin1String("unsaid")) return {"200 OK\r\n", m_content.left(500'000)};
        if (path == QLatin1String("longer")) return of("200 OK", m_content + "x");
        if (path == QLatin1String("endless")) return {"200 OK\r\n", m_content + m_content, true};
        if (path == QLatin1String("packed")) {
            HttpsServer::Answer said = of("200 OK", m_content);
            said.head += "Content-Encoding: gzip\r\n";
            return said;
        }
        if (path == QLatin1String("missing")) return of("404 Not Found", "no");
        if (path == QLatin1String("broken")) return of("500 Internal Server Error", "no");
        if (path == QLatin1String("other_content")) return of("200 OK", m_content.chopped(1) + "x");
        if (path == QLatin1String("ranged") && range > 0) return part(range);
        if (path == QLatin1String("wrong_range") && range > 0) {
            HttpsServer::Answer said = part(1);
            return said;
        }
        if (path == QLatin1String("refuses_range") && range > 0) return of("416 Range Not Satisfiable", "");
        if (path.startsWith(QLatin1String("stalled"))) {
            HttpsServer::Answer said = of("200 OK", "abc", m_content.size());
            said.ends = false;
            return said;
        }
        const auto redirect = [](const QString& to) {
            return HttpsServer::Answer{"302 Found\r\nContent-Length: 0\r\nLocation: " + to.toLatin1() + "\r\n", {}};
        };
        if (path == QLatin1String("to_http"))
            return redirect(QStringLiteral("http://localhost:%1/whole").arg(m_server.port()));
        if (path == QLatin1String("to_https")) return redirect(m_server.url(QStringLiteral("whole")).toString());
        if (path == QLatin1String("circle")) return redirect(m_server.url(QStringLiteral("circle")).toString());
        return of("200 OK", m_content);
    }
    DownloadItem item(const char* path) const {
        return {m_server.url(QString::fromLatin1(path)), m_folder->filePath(QStringLiteral("set.tar.gz")),
                m_content.size(), m_md5};
    }
    QString get(Download& download, const DownloadItem& wanted, bool trusted) {
        if (trusted) download.setTrust(m_server.trust());
        QSignalSpy ended(&download, &Download::finished);
        download.start(wanted);
        if (ended.isEmpty()) ended.wait(20'000);
        return ended.isEmpty() ? QStringLiteral("never ended") : ended.first()[0].toString();
    }
    QString get(Download& download, const char* path) { return get(download, item(path), true); }
    QByteArray read(const QString& name) const {
        QFile file(m_folder->filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QStringList left() const { return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name); }

    HttpsServer m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
    const QByteArray m_content = content();
    const QString m_md5 = QString::fromLatin1(QCryptographicHash::hash(content(), QCryptographicHash::Md5).toHex());
};

QTEST_MAIN(TestDownload)
#include "tst_download.moc"
