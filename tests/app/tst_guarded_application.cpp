// Exceptions that nobody caught end the event, not the program, and are told.

#include "app/window/guarded_application.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/panels/message_bar.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <new>
#include <stdexcept>

using namespace stridescope;
using namespace stridescope::test;

class TestGuardedApplication : public QObject, TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }

    void goesOnAndTells() {
        auto* application = qobject_cast<GuardedApplication*>(QCoreApplication::instance());
        QVERIFY(application);
        QSignalSpy told(application, &GuardedApplication::failed);
        openWindow({1280, 720});
        m_window->finishStart();
        connect(application, &GuardedApplication::failed, m_window.get(), &MainWindow::tellFault);
        m_window->runLine(QStringLiteral("A = torch.arange(6)"), Naming::Discard);
        // A timer's event stands for any: what a slot throws reaches the application the same way.
        QTimer::singleShot(0, this, [] { throw std::runtime_error("seven is not a colour"); });
        QTRY_COMPARE(told.size(), 1);
        QVERIFY2(message()->title().endsWith(QStringLiteral("seven is not a colour")), qPrintable(message()->title()));
        QVERIFY(message()->isVisible());
        QCOMPARE(namesOf(*m_window), QStringList{QStringLiteral("A")});
        m_window->runLine(QStringLiteral("B = A * 2"), Naming::Discard);
        QCOMPARE(namesOf(*m_window).size(), 2);
        closeWindow();
    }

    void repeatsAreToldOnce() {
        auto* application = qobject_cast<GuardedApplication*>(QCoreApplication::instance());
        QSignalSpy told(application, &GuardedApplication::failed);
        for (int i = 0; i < 5; ++i) QTimer::singleShot(0, this, [] { throw std::bad_alloc(); });
        QTRY_COMPARE(told.size(), 1);
        QTest::qWait(20);
        QCOMPARE(told.size(), 1);
        QVERIFY(told.front().front().toString().contains(QStringLiteral("memory")));
    }
};

int main(int argc, char** argv) {
    GuardedApplication application(argc, argv);
    TestGuardedApplication test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_guarded_application.moc"
