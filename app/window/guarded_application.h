#pragma once
// The application object of the window. An exception that nobody caught while an event was handled would end the
// program and, with it, every tensor that is not saved; here it ends the event.

#include <QApplication>

namespace stridescope {

class GuardedApplication : public QApplication {
    Q_OBJECT

public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override;

Q_SIGNALS:
    /// Told from the event loop, after the event. What fails at every repaint is told once, until something else fails.
    void failed(const QString& what);

private:
    void tell(const QString& what);

    QString m_last;
};

} // namespace stridescope
