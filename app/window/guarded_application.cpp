#include "app/window/guarded_application.h"

#include <cstdio>
#include <exception>
#include <new>

namespace stridescope {

bool GuardedApplication::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::bad_alloc&) {
        tell(tr("there was not enough memory"));
    } catch (const std::exception& error) {
        tell(QString::fromUtf8(error.what()));
    } catch (...) {
        tell(tr("of an unknown kind"));
    }
    return false;
}

void GuardedApplication::tell(const QString& what) {
    if (what == m_last) return;
    m_last = what;
    std::fprintf(stderr, "stridescope: a fault of the program: %s\n", what.toLocal8Bit().constData());
    QMetaObject::invokeMethod(
        this, [this, what] { Q_EMIT failed(what); }, Qt::QueuedConnection);
}

} // namespace stridescope
