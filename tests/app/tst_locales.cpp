// The window in a made-up longer language, mirrored, and on the smallest screens: nothing is cut, nothing overlaps.

#include "app/settings/language.h"
#include "app/window/console.h"
#include "app/window/main_window.h"
#include "app/window/screens.h"
#include "widgets/panels/code_label.h"
#include "widgets/shared/pseudo_locale.h"
#include "widgets/stage/explore_stage.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QLabel>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>
#include <QTranslator>

using namespace stridescope;

class TestLocales : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void pseudoKeepsMarkers();
    void nothingIsCut_data();
    void nothingIsCut();
    void theStageIsTranslated();
    void screensScrollNoMoreInFrench();
};

void TestLocales::pseudoKeepsMarkers() {
    const QString text = PseudoTranslator::pseudo(QStringLiteral("&Open %1 of %n: %2…"));
    for (const char* marker : {"&", "%1", "%n", "%2"}) QVERIFY2(text.contains(QLatin1String(marker)), marker);
    QVERIFY(text.size() >= 19 * 14 / 10);
    QVERIFY(text != QStringLiteral("&Open %1 of %n: %2…"));
    QCOMPARE(PseudoTranslator::pseudo(QStringLiteral("−")), QStringLiteral("−"));
    QCOMPARE(PseudoTranslator::pseudo(QStringLiteral("%1 × %2")), QStringLiteral("%1 × %2"));
}

void TestLocales::nothingIsCut_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("pseudo");
    QTest::addColumn<bool>("mirrored");
    QTest::addColumn<bool>("french");
    for (const QSize size : {QSize(1920, 1080), QSize(1280, 720)}) {
        const QByteArray name = QByteArray::number(size.width());
        QTest::newRow(name + " plain") << size << false << false << false;
        QTest::newRow(name + " longer") << size << true << false << false;
        QTest::newRow(name + " mirrored") << size << false << true << false;
        QTest::newRow(name + " both") << size << true << true << false;
        QTest::newRow(name + " French") << size << false << false << true;
    }
    // 1920×1080 at 200 %, less the frame of the window.
    QTest::newRow("960 plain") << QSize(960, 520) << false << false << false;
    QTest::newRow("960 mirrored") << QSize(960, 520) << false << true << false;
    // 1280×720 at 150 and at 200 %.
    QTest::newRow("853 plain") << QSize(853, 448) << false << false << false;
    QTest::newRow("853 longer") << QSize(853, 448) << true << false << false;
    QTest::newRow("640 plain") << QSize(640, 360) << false << false << false;
    QTest::newRow("640 mirrored") << QSize(640, 360) << false << true << false;
    for (const QSize small : {QSize(960, 520), QSize(853, 448), QSize(640, 360)})
        QTest::newRow(QByteArray::number(small.width()) + " French") << small << false << false << true;
}

void TestLocales::nothingIsCut() {
    QFETCH(QSize, size);
    QFETCH(bool, pseudo);
    QFETCH(bool, mirrored);
    QFETCH(bool, french);
    if (french && !hasLanguage(Language::French)) QSKIP("built without lrelease (package qt6-l10n-tools)");
    PseudoTranslator translator;
    if (french) QVERIFY(applyLanguage(*qApp, Language::French));
    if (pseudo) QCoreApplication::installTranslator(&translator);
    QApplication::setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
    QStringList cut;
    {
        Settings settings{QString()};
        MainWindow window(&settings);
        window.showFirstPicture();
        window.resize(size);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        window.finishStart();
        window.resize(size);
        QApplication::processEvents();
        if (window.size() != size) {
            cut << QStringLiteral("the window is %1×%2").arg(window.width()).arg(window.height());
        }
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
            const auto* label = qobject_cast<const QLabel*>(widget);
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            QString text;
            int needed = 0;
            if (label && !label->text().isEmpty() && !qobject_cast<const CodeLabel*>(label)) {
                text = label->text();
                needed = label->wordWrap() ? label->minimumSizeHint().width() : label->sizeHint().width();
            } else if (const auto* tool = qobject_cast<const QToolButton*>(widget);
                       tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull()) {
                if (tool->toolTip().isEmpty()) cut << tool->text() + QStringLiteral(": an icon without a tool tip");
                continue;
            } else if (button && !button->text().isEmpty()) {
                text = button->text();
                needed = button->fontMetrics().horizontalAdvance(text);
            } else {
                continue;
            }
            const QString where = widget->objectName().isEmpty() ? text : widget->objectName();
            if (widget->width() < needed) {
                cut << QStringLiteral("%1: %2 px for %3").arg(where).arg(widget->width()).arg(needed);
            }
            if (label && label->wordWrap() && label->height() < label->heightForWidth(label->width())) {
                cut << QStringLiteral("%1: %2 px high, needs %3")
                           .arg(where)
                           .arg(label->height())
                           .arg(label->heightForWidth(label->width()));
            }
            const QRect at(widget->mapTo(&window, QPoint()), widget->size());
            if (at.left() < 0 || at.right() >= window.width()) {
                cut << QStringLiteral("%1 lies outside the window").arg(where);
            }
        }
    }
    if (pseudo) QCoreApplication::removeTranslator(&translator);
    for (QTranslator* installed : qApp->findChildren<QTranslator*>()) delete installed;
    QApplication::setLayoutDirection(Qt::LeftToRight);
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
}

void TestLocales::theStageIsTranslated() {
    Settings settings{QString()};
    MainWindow window(&settings);
    window.showFirstPicture();
    window.resize(1600, 1000); // room for the lanes
    window.show();
    (void)QTest::qWaitForWindowExposed(&window);
    const auto words = [&window] {
        QStringList texts;
        for (const SceneNode& node : window.stage()->pictureOf(0).nodes) {
            if (const auto* text = std::get_if<TextItem>(&node.item)) texts << text->text;
        }
        return texts.join(QLatin1Char('\n'));
    };
    const QStringList plain{QStringLiteral("Who reaches what, in visiting order"), QStringLiteral("of 12 cells")};
    for (const QString& each : plain) QVERIFY2(words().contains(each), qPrintable(words()));
    PseudoTranslator translator;
    QCoreApplication::installTranslator(&translator);
    const QString other = words();
    QCoreApplication::removeTranslator(&translator);
    for (const QString& each : plain) QVERIFY2(!other.contains(each), qPrintable(other));
}

/// Longer words must not push a part of a screen out of its area: what scrolls sideways in French does so in English.
void TestLocales::screensScrollNoMoreInFrench() {
    if (!hasLanguage(Language::French)) QSKIP("built without lrelease (package qt6-l10n-tools)");
    QStringList scrolling[2];
    for (const bool french : {false, true}) {
        if (french) QVERIFY(applyLanguage(*qApp, Language::French));
        {
            Settings settings{QString()};
            MainWindow window(&settings);
            window.showFirstPicture();
            window.resize(1280, 720);
            window.show();
            (void)QTest::qWaitForWindowExposed(&window);
            window.finishStart();
            for (const ScreenKind& kind : screenKinds()) {
                window.showScreen(kind.name);
                QTest::qWait(50);
                for (const auto* area : window.findChildren<QAbstractScrollArea*>()) {
                    // Without a bar what is too wide is cut, once it is wider than the margin.
                    const bool cut =
                        qobject_cast<const QScrollArea*>(area) && area->horizontalScrollBar()->maximum() > 4;
                    if (area->isVisible() && (area->horizontalScrollBar()->isVisible() || cut))
                        scrolling[french ? 1 : 0] << kind.name + QStringLiteral(": ") +
                                                         QString::fromLatin1(area->metaObject()->className()) +
                                                         QLatin1Char(' ') + area->objectName();
                }
            }
        }
    }
    for (QTranslator* installed : qApp->findChildren<QTranslator*>()) delete installed;
    for (const QString& each : scrolling[0]) scrolling[1].removeAll(each);
    QVERIFY2(scrolling[1].isEmpty(), qPrintable(scrolling[1].join(QLatin1Char('\n'))));
}

QTEST_MAIN(TestLocales)
#include "tst_locales.moc"
