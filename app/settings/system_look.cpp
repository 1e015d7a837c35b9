#include "app/settings/system_look.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusVariant>
#include <QFileInfo>
#include <QThread>

namespace stridescope {

namespace {

constexpr int kLimit = 1000; // milliseconds for each answer

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kScheme = QStringLiteral("color-scheme"), kMotion = QStringLiteral("reduced-motion");

/// The value of a setting; portals wrap it in a variant once or twice.
std::optional<uint> numberIn(QVariant value) {
    while (value.userType() == qMetaTypeId<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    bool ok = false;
    const uint number = value.toUInt(&ok);
    return ok ? std::optional<uint>(number) : std::nullopt;
}

} // namespace

SystemLook::SystemLook(QObject* parent) : QObject(parent) {
    // A connection of our own: the shared one may be in use by the platform's plug-in.
    static int s_number = 0;
    m_connection = QStringLiteral("stridescope-look-%1").arg(++s_number);
}

SystemLook::~SystemLook() {
    if (!m_thread) return;
    m_thread->wait();
    delete m_thread;
    QDBusConnection::disconnectFromBus(m_connection);
}

bool SystemLook::hasSessionBus() {
    if (!qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return true;
    const QString folder = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return !folder.isEmpty() && QFileInfo::exists(folder + QStringLiteral("/bus"));
}

void SystemLook::start() {
    if (m_thread || !hasSessionBus()) return;
    // Connecting waits for the bus, so it happens there; asking does not.
    m_thread =
        QThread::create([name = m_connection] { QDBusConnection::connectToBus(QDBusConnection::SessionBus, name); });
    connect(m_thread, &QThread::finished, this, &SystemLook::ask);
    m_thread->start();
}

void SystemLook::ask() {
    QDBusConnection bus(m_connection);
    if (!bus.isConnected()) return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QDBusMessage)));
    for (const QString& key : {kScheme, kMotion}) {
        QDBusMessage question = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
        question << kGroup << key;
        auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question, kLimit), this);
        connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, key](QDBusPendingCallWatcher* answered) {
            const QDBusMessage answer = answered->reply();
            answered->deleteLater();
            const bool answers = answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty();
            if (const std::optional<uint> value = answers ? numberIn(answer.arguments().first()) : std::nullopt)
                take(key, *value);
            else if (key == kScheme)
                Q_EMIT darkChanged(std::nullopt); // nobody there, or no such key: no preference
        });
    }
}

void SystemLook::settingChanged(const QDBusMessage& signal) {
    const QVariantList arguments = signal.arguments();
    if (arguments.size() != 3 || arguments[0].toString() != kGroup) return;
    if (const std::optional<uint> number = numberIn(arguments[2])) take(arguments[1].toString(), *number);
}

void SystemLook::take(const QString& key, uint value) {
    if (key == kScheme)
        Q_EMIT darkChanged(value == 1 ? std::optional(true) : value == 2 ? std::optional(false) : std::nullopt);
    else if (key == kMotion)
        Q_EMIT reducedMotionChanged(value == 1);
}

} // namespace stridescope
