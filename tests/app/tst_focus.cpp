// The keyboard's way through the window: everything is reached, in the order that it stands in, with a ring round it.

#include "app/window/console.h"
#include "app/window/main_window.h"
#include "widgets/shared/focus_ring.h"
#include "widgets/stage/explore_stage.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QScrollArea>
#include <QTest>

using namespace stridescope;

namespace {

/// WCAG's contrast of two colours.
double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QString nameOf(const QWidget* widget) {
    QString name = QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName();
    for (const QWidget* at = widget->parentWidget(); at && !at->isWindow(); at = at->parentWidget())
        if (!at->objectName().isEmpty()) return name + QStringLiteral(" in ") + at->objectName();
    return name;
}

QScrollArea* inspectorOf(QWidget* widget) {
    for (QWidget* at = widget->parentWidget(); at; at = at->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(at)) return area;
    return nullptr;
}

struct Bench {
    Settings settings{QString()};
    MainWindow window{&settings};
    explicit Bench(QSize size, const char* theme = "light") {
        settings.set(QStringLiteral("firstRunDone"), false);
        window.setThemeChoice(QLatin1String(theme) == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::Light);
        window.showFirstPicture();
        window.resize(size);
        window.show();
        window.activateWindow();
        window.finishStart();
    }
};

} // namespace

class TestFocus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }

    void everyWidgetHasItsRing_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QByteArray>("theme");
        for (const char* theme : {"light", "dark"}) {
            QTest::addRow("1280 x 720, %s", theme) << QSize(1280, 720) << QByteArray(theme);
            QTest::addRow("1920 x 1080, %s", theme) << QSize(1920, 1080) << QByteArray(theme);
        }
    }
    void everyWidgetHasItsRing() {
        QFETCH(QSize, size);
        QFETCH(QByteArray, theme);
        Bench bench(size, theme.constData());
        MainWindow& window = bench.window;
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const QList<QWidget*> order = window.focusOrder();
        QVERIFY(order.size() > 25);
        int own = 0;
        for (QWidget* widget : order) {
            if (auto* area = inspectorOf(widget)) area->ensureWidgetVisible(widget, 12, 12);
            widget->setFocus(Qt::TabFocusReason);
            QVERIFY2(widget->hasFocus() || widget->isAncestorOf(QApplication::focusWidget()),
                     qPrintable(nameOf(widget)));
            const FocusRing* ring = window.focusRings()->shown();
            if (widget->property("ownFocusRing").toBool()) {
                QVERIFY(!ring);
                ++own;
                continue;
            }
            QVERIFY2(ring, qPrintable(nameOf(widget)));
            const QRect outer = ring->geometry();
            const QRect of(widget->mapTo(&window, QPoint()), widget->size());
            if (!qobject_cast<QAbstractScrollArea*>(widget)) {
                constexpr int kOut = FocusRing::kGap + FocusRing::kWidth;
                QVERIFY2((of.adjusted(-kOut, -kOut, kOut, kOut) & window.rect()).contains(outer),
                         qPrintable(nameOf(widget)));
            }
            // The ring's own pixels against the gap inside it, all along; here and there a neighbour's line shows.
            const QImage image = window.grab().toImage();
            int points = 0, clear = 0;
            const auto look = [&](QPoint on, QPoint inside) {
                ++points;
                clear += contrast(image.pixelColor(on), image.pixelColor(inside)) >= 3 ? 1 : 0;
            };
            for (int x = outer.left() + 6; x < outer.right() - 6; x += 2) {
                look({x, outer.top() + 1}, {x, outer.top() + 3});
                look({x, outer.bottom() - 1}, {x, outer.bottom() - 3});
            }
            QVERIFY(points > 4);
            QVERIFY2(clear * 10 >= points * 8,
                     qPrintable(QStringLiteral("%1: %2 of %3").arg(nameOf(widget)).arg(clear).arg(points)));
        }
        QVERIFY(own >= 2); // stage and history
    }

    void tabGoesRoundOnce_data() { everyWidgetHasItsRing_data(); }
    void tabGoesRoundOnce() {
        QFETCH(QSize, size);
        Bench bench(size);
        MainWindow& window = bench.window;
        QVERIFY(QTest::qWaitForWindowActive(&window));
        // Other numbers in the inspector than those it was built with.
        window.runLine(QStringLiteral("A.view(2, 2, 3)"), Naming::Auto);
        // Of the buttons of which one is chosen only one takes Tab, so the order is asked for again at every step.
        const auto holder = [&window]() -> QWidget* {
            const QList<QWidget*> order = window.focusOrder();
            for (QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget())
                if (order.contains(at)) return at;
            return nullptr;
        };
        QWidget* const first = window.focusOrder().first();
        first->setFocus(Qt::TabFocusReason);
        QSet<QWidget*> visited{first};
        QWidget* now = first;
        for (int press = 0; press < 400; ++press) {
            const QList<QWidget*> order = window.focusOrder();
            QWidget* const next = order[(order.indexOf(now) + 1) % order.size()];
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QWidget* const reached = holder();
            QVERIFY2(reached, qPrintable(nameOf(now)));
            if (reached == now) continue; // the stage has several stops
            QVERIFY2(reached == next, qPrintable(nameOf(reached) + QStringLiteral(" instead of ") + nameOf(next)));
            now = reached;
            if (now == first) break;
            visited << now;
        }
        QCOMPARE(now, first);
        for (QWidget* widget : window.focusOrder()) QVERIFY2(visited.contains(widget), qPrintable(nameOf(widget)));
        QVERIFY(visited.contains(window.stage()));
        // And back.
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(holder(), window.focusOrder().last());
    }

    void readersAreToldWhatEachIs_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("screen");
        for (const char* screen : {"explore", "broadcast", "images", "timing"}) {
            QTest::addRow("%s", screen) << QSize(1600, 1000) << QString::fromLatin1(screen);
            QTest::addRow("%s, small", screen) << QSize(853, 480) << QString::fromLatin1(screen);
        }
    }
    void readersAreToldWhatEachIs() {
        QFETCH(QSize, size);
        QFETCH(QString, screen);
        Bench bench(size);
        QVERIFY(QTest::qWaitForWindowActive(&bench.window));
        bench.window.showScreen(screen);
        QCoreApplication::processEvents();
        QStringList silent;
        const QList<QWidget*> order = bench.window.focusOrder();
        QVERIFY(order.size() > 8);
        for (QWidget* widget : order) {
            QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(widget);
            if (!reader || !reader->isValid()) {
                silent << nameOf(widget) + QStringLiteral(": nothing");
                continue;
            }
            const QString name = reader->text(QAccessible::Name);
            if (name.trimmed().isEmpty()) silent << nameOf(widget) + QStringLiteral(": no name");
            if (reader->role() == QAccessible::NoRole || reader->role() == QAccessible::Client)
                silent << nameOf(widget) + QStringLiteral(": no role");
            if (!reader->state().focusable) silent << nameOf(widget) + QStringLiteral(": takes no focus");
        }
        QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
    }

    void areasFollowTheirPlaces() {
        Bench bench(QSize(1920, 1080));
        QVERIFY(QTest::qWaitForWindowActive(&bench.window));
        QList<int> areas;
        const char* const names[] = {"toolBar",  "treeDock", "operationsDock", "stageHeader",
                                     "firstRun", "stage",    "inspectorDock",  "consoleDock"};
        for (QWidget* widget : bench.window.focusOrder()) {
            int area = -1;
            for (QWidget* at = widget; at; at = at->parentWidget())
                for (int i = 0; i < 8; ++i)
                    if (area < 0 && at->objectName() == QLatin1String(names[i])) area = i;
            QVERIFY2(area >= 0, qPrintable(nameOf(widget)));
            if (areas.isEmpty() || areas.last() != area) areas << area;
        }
        QCOMPARE(areas, (QList<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    }

    void ringFollowsItsWidget() {
        Bench bench(QSize(1600, 1000));
        QVERIFY(QTest::qWaitForWindowActive(&bench.window));
        auto* button = bench.window.findChild<QWidget*>(QStringLiteral("openForm"));
        button->setFocus(Qt::TabFocusReason);
        const FocusRing* ring = bench.window.focusRings()->shown();
        QVERIFY(ring);
        const QPoint before = ring->pos();
        bench.window.resize(1600, 1040);
        QCoreApplication::processEvents();
        QVERIFY(ring->pos() != before);
        QCOMPARE(ring->geometry().center(), QRect(button->mapTo(&bench.window, QPoint()), button->size()).center());
        button->hide(); // the focus moves on, and the ring with it
        QVERIFY(ring->followed() != button);
    }
};

QTEST_MAIN(TestFocus)
#include "tst_focus.moc"
