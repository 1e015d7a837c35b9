// The desktop's wish for dark and for less motion: asked on a bus of the test's own, and missed without harm.

#include "app/settings/system_look.h"

#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QProcess>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace stridescope;

/// What a desktop's portal answers.
class FakePortal : public QObject, protected QDBusContext {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

public:
    uint scheme = 1;
    bool silent = false;

public Q_SLOTS:
    QDBusVariant Read(const QString& group, const QString& key) {
        if (silent) {
            setDelayedReply(true);
            return {};
        }
        if (group == QStringLiteral("org.freedesktop.appearance") && key == QStringLiteral("color-scheme"))
            return QDBusVariant(QVariant::fromValue(QDBusVariant(scheme)));
        sendErrorReply(QStringLiteral("org.freedesktop.portal.Error.NotFound"), key);
        return {};
    }
};

class TestSystemLook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutABus() {
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        qunsetenv("XDG_RUNTIME_DIR");
        QVERIFY(!SystemLook::hasSessionBus());
        SystemLook look;
        QSignalSpy dark(&look, &SystemLook::darkChanged);
        look.start();
        QVERIFY(!dark.wait(50));
    }

    void asksAndListens() {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
        if (program.isEmpty()) QSKIP("dbus-daemon is not installed");
        QProcess daemon;
        const auto stop = qScopeGuard([&daemon] {
            daemon.terminate();
            daemon.waitForFinished();
        });
        daemon.start(program,
                     {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--print-address")});
        if (!daemon.waitForStarted() || !daemon.waitForReadyRead(5000)) QSKIP("dbus-daemon does not start here");
        qputenv("DBUS_SESSION_BUS_ADDRESS", daemon.readLine().trimmed());
        {
            QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, QStringLiteral("desktop"));
            QVERIFY(bus.isConnected());
            FakePortal portal;
            QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/portal/desktop"), &portal,
                                       QDBusConnection::ExportAllSlots));
            QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.portal.Desktop")));
            SystemLook look;
            QList<std::optional<bool>> dark;
            QList<bool> motion;
            connect(&look, &SystemLook::darkChanged, this, [&](std::optional<bool> is) { dark << is; });
            connect(&look, &SystemLook::reducedMotionChanged, this, [&](bool is) { motion << is; });
            look.start();
            QTRY_COMPARE(dark.size(), 1);
            QCOMPARE(dark.last(), std::optional(true));
            QVERIFY(motion.isEmpty()); // this desktop has no such key
            const auto change = [&bus](const char* key, uint value) {
                QDBusMessage signal = QDBusMessage::createSignal(QStringLiteral("/org/freedesktop/portal/desktop"),
                                                                 QStringLiteral("org.freedesktop.portal.Settings"),
                                                                 QStringLiteral("SettingChanged"));
                signal << QStringLiteral("org.freedesktop.appearance") << QString::fromLatin1(key)
                       << QVariant::fromValue(QDBusVariant(value));
                QVERIFY(bus.send(signal));
            };
            change("color-scheme", 2);
            QTRY_COMPARE(dark.size(), 2);
            QCOMPARE(dark.last(), std::optional(false));
            change("color-scheme", 0);
            QTRY_COMPARE(dark.size(), 3);
            QCOMPARE(dark.last(), std::nullopt);
            change("accent-color", 1);
            change("reduced-motion", 1);
            QTRY_COMPARE(motion.size(), 1);
            QVERIFY(motion.last());
            QCOMPARE(dark.size(), 3);
            // A portal that never answers is not waited for.
            portal.silent = true;
            SystemLook other;
            QSignalSpy late(&other, &SystemLook::darkChanged);
            other.start();
            QVERIFY(!late.wait(100));
        }
        QDBusConnection::disconnectFromBus(QStringLiteral("desktop"));
    }

    // libdbus reads the address once, so this comes last: the bus of the test before is gone.
    void withABusThatIsGone() {
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
        QVERIFY(SystemLook::hasSessionBus());
        SystemLook look;
        QSignalSpy dark(&look, &SystemLook::darkChanged);
        look.start();
        QVERIFY(!dark.wait(200));
    }
};

QTEST_GUILESS_MAIN(TestSystemLook)
#include "tst_system_look.moc"
