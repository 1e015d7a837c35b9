// Settings survive a start, and never prevent one.

#include "app/settings/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace stridescope;

class TestSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void remembers() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("deep/er/settings.json"));
        Settings first(path);
        QVERIFY(first.notes().isEmpty());
        first.set(QStringLiteral("theme"), QStringLiteral("dark"));
        first.setList(QStringLiteral("recentFiles"), {QStringLiteral("/a b"), QStringLiteral("/ü")});
        first.setBytes(QStringLiteral("layout"), QByteArray("\0\x01\xff", 3));
        first.set(QStringLiteral("on"), true);
        QVERIFY(first.save());
        Settings second(path);
        QCOMPARE(second.text(QStringLiteral("theme")), QStringLiteral("dark"));
        QCOMPARE(second.list(QStringLiteral("recentFiles")).size(), 2);
        QCOMPARE(second.bytes(QStringLiteral("layout")), QByteArray("\0\x01\xff", 3));
        QVERIFY(second.flag(QStringLiteral("on"), false));
        QVERIFY(second.notes().isEmpty());
    }

    void forgivesDamage_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("garbage") << QByteArray("\x00\xff garbage", 10);
        QTest::newRow("cut") << QByteArray("{\"format\": 1, \"theme\": \"da");
        QTest::newRow("other version") << QByteArray("{\"format\": 99}");
        QTest::newRow("a list") << QByteArray("[1, 2]");
        QTest::newRow("deep") << QByteArray(100'000, '[');
    }
    void forgivesDamage() {
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        Settings settings(path);
        QCOMPARE(settings.notes().size(), 1);
        QCOMPARE(settings.text(QStringLiteral("theme"), QStringLiteral("system")), QStringLiteral("system"));
        settings.set(QStringLiteral("theme"), QStringLiteral("light"));
        QVERIFY(settings.save());
        QVERIFY(Settings(path).notes().isEmpty());
    }

    void ignoresWrongTypes() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\": 1, \"theme\": 5, \"recentFiles\": {\"a\": 1}, \"on\": \"yes\", \"layout\": [1]}");
        file.close();
        const Settings settings(path);
        QCOMPARE(settings.text(QStringLiteral("theme"), QStringLiteral("x")), QStringLiteral("x"));
        QVERIFY(settings.list(QStringLiteral("recentFiles")).isEmpty());
        QVERIFY(!settings.flag(QStringLiteral("on"), false));
        QVERIFY(settings.bytes(QStringLiteral("layout")).isEmpty());
    }

    void worksInMemoryOnly() {
        Settings settings(QString{});
        settings.set(QStringLiteral("theme"), QStringLiteral("dark"));
        QVERIFY(!settings.save());
        QCOMPARE(settings.text(QStringLiteral("theme")), QStringLiteral("dark"));
        Settings unwritable(QStringLiteral("/proc/nowhere/settings.json"));
        unwritable.set(QStringLiteral("theme"), QStringLiteral("dark"));
        QVERIFY(!unwritable.save());
        QCOMPARE(unwritable.notes().size(), 1);
        QCOMPARE(unwritable.text(QStringLiteral("theme")), QStringLiteral("dark"));
        QVERIFY(!unwritable.save());
        QCOMPARE(unwritable.notes().size(), 1);
    }

    void writesLater() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("deep/settings.json"));
        {
            Settings settings(path);
            for (int i = 0; i < 20; ++i) {
                settings.set(QStringLiteral("number"), i);
                settings.saveLater();
            }
            settings.set(QStringLiteral("number"), 20);
            settings.saveLater();
        } // waits
        QCOMPARE(Settings(path).value(QStringLiteral("number")).toInt(), 20);
        {
            Settings settings(path);
            settings.set(QStringLiteral("number"), 21);
            settings.saveLater();
            settings.set(QStringLiteral("number"), 22);
            QVERIFY(settings.save());
        }
        QCOMPARE(Settings(path).value(QStringLiteral("number")).toInt(), 22);
        // A place that cannot be written is told by the next save.
        Settings unwritable(QStringLiteral("/proc/nowhere/settings.json"));
        unwritable.set(QStringLiteral("theme"), QStringLiteral("dark"));
        unwritable.saveLater();
        QVERIFY(!unwritable.save());
        QCOMPARE(unwritable.notes().size(), 1);
    }

    void findsItsPlace() {
        const QByteArray home = qgetenv("HOME"), config = qgetenv("XDG_CONFIG_HOME");
        qunsetenv("XDG_CONFIG_HOME");
        qputenv("HOME", "/tmp");
        QCOMPARE(Settings::standardPath(), QStringLiteral("/tmp/.config/stridescope/settings.json"));
        qputenv("XDG_CONFIG_HOME", "relative");
        QCOMPARE(Settings::standardPath(), QStringLiteral("/tmp/.config/stridescope/settings.json"));
        qputenv("XDG_CONFIG_HOME", "/tmp/c");
        QCOMPARE(Settings::standardPath(), QStringLiteral("/tmp/c/stridescope/settings.json"));
        qunsetenv("XDG_CONFIG_HOME");
        qunsetenv("HOME");
        QString why;
        QVERIFY(Settings::standardPath(&why).isEmpty());
        QVERIFY(!why.isEmpty());
        qputenv("HOME", home);
        if (!config.isNull()) qputenv("XDG_CONFIG_HOME", config);
    }
};

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
