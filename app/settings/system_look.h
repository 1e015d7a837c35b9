#pragma once
// What the desktop says about colours and motion, asked over D-Bus without ever waiting for it.

#include <QDBusMessage>
#include <QObject>
#include <QString>

#include <optional>

class QThread;

namespace stridescope {

/// Source: the Settings interface of xdg-desktop-portal, keys color-scheme and reduced-motion of
/// org.freedesktop.appearance. Without a session bus, a portal or the keys nothing is said.
class SystemLook : public QObject {
    Q_OBJECT

public:
    explicit SystemLook(QObject* parent = nullptr);
    ~SystemLook() override;

    /// Connects in a thread of its own, then asks, and listens for changes from then on. Signals come later.
    void start();
    /// Does nothing where there is no session bus: libdbus would start one.
    static bool hasSessionBus();

Q_SIGNALS:
    /// Nothing: the desktop has no preference.
    void darkChanged(std::optional<bool> dark);
    void reducedMotionChanged(bool reduced);

private Q_SLOTS:
    /// Group, key and value. The whole message: QtDBus does not know every type of a slot before its first call.
    void settingChanged(const QDBusMessage& signal);

private:
    void ask();
    void take(const QString& key, uint value);

    QThread* m_thread = nullptr;
    QString m_connection;
};

} // namespace stridescope
