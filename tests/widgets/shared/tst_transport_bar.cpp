// The buttons that play, step and jump.

#include "widgets/shared/transport_bar.h"

#include <QPushButton>
#include <QTest>

using namespace stridescope;

class TestTransportBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyActHasAnIconOfItsOwn() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            TransportBar bar;
            bar.setTheme(Theme(kind));
            std::vector<std::pair<QString, QImage>> seen;
            const auto look = [&](const char* name, const char* when) {
                auto* button = bar.findChild<QPushButton*>(QString::fromLatin1(name));
                QVERIFY(button);
                const QImage image = button->icon().pixmap(18, 18).toImage();
                for (const auto& [other, icon] : seen)
                    QVERIFY2(image != icon,
                             qPrintable(QStringLiteral("%1%2 looks like %3")
                                            .arg(QString::fromLatin1(name), QString::fromLatin1(when), other)));
                seen.emplace_back(QString::fromLatin1(name) + QString::fromLatin1(when), image);
            };
            for (const char* name : {"toStart", "stepBack1", "play", "stepForward1", "toEnd"}) look(name, "");
            bar.setPlaying(true);
            look("play", ", playing");
            QCOMPARE(seen.size(), std::size_t{6});
        }
    }
};

QTEST_MAIN(TestTransportBar)
#include "tst_transport_bar.moc"
