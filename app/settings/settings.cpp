#include "app/settings/settings.h"

#include "core/io/save_atomically.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

namespace stridescope {

namespace {

constexpr qint64 kLargestFile = qint64{4} << 20;
constexpr int kFormat = 1;

/// Words of functions, which have no tr() of their own.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Settings)
};

bool write(const QString& path, const QJsonObject& values, QString* why = nullptr) {
    const auto fail = [why](const QString& reason) {
        if (why) *why = reason;
        return false;
    };
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder)) return fail(Words::tr("%1 cannot be made.").arg(folder));
    const QByteArray text = QJsonDocument(values).toJson();
    const auto saved =
        saveAtomically(QFile::encodeName(path).toStdString(),
                       std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size()))));
    return saved ? true : fail(QString::fromStdString(saved.refusal().message));
}

} // namespace

Settings::Settings(QString path) : m_path(std::move(path)) {
    m_writer.setMaxThreadCount(1);
    if (!m_path.isEmpty()) load();
}

QString Settings::standardPath(QString* whyNone) {
    QString folder = qEnvironmentVariable("XDG_CONFIG_HOME");
    if (!QDir::isAbsolutePath(folder)) {
        const QString home = qEnvironmentVariable("HOME");
        if (home.isEmpty() || !QFileInfo(home).isDir()) {
            if (whyNone) *whyNone = Words::tr("There is no home directory: settings are kept in memory only.");
            return {};
        }
        folder = home + QStringLiteral("/.config");
    }
    return folder + QStringLiteral("/stridescope/settings.json");
}

void Settings::load() {
    QFile file(m_path);
    if (!file.exists()) return;
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestFile) {
        m_notes << Words::tr("The settings could not be read; this start uses the defaults.");
        return;
    }
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
    const QJsonObject values = document.object();
    if (error.error != QJsonParseError::NoError || values.value(QStringLiteral("format")).toInt() != kFormat) {
        m_notes << Words::tr("The settings file is damaged; this start uses the defaults.");
        return;
    }
    m_values = values;
}

QString Settings::text(const QString& name, const QString& standIn) const {
    return m_values.value(name).toString(standIn);
}

bool Settings::flag(const QString& name, bool standIn) const {
    return m_values.value(name).toBool(standIn);
}

QStringList Settings::list(const QString& name) const {
    QStringList values;
    for (const QJsonValue& value : m_values.value(name).toArray()) {
        if (value.isString()) values << value.toString();
    }
    return values;
}

QByteArray Settings::bytes(const QString& name) const {
    return QByteArray::fromBase64(m_values.value(name).toString().toLatin1());
}

void Settings::set(const QString& name, const QJsonValue& value) {
    if (m_values.value(name) == value) return;
    m_dirty = true;
    if (value.isNull())
        m_values.remove(name);
    else
        m_values.insert(name, value);
}

void Settings::setList(const QString& name, const QStringList& values) {
    set(name, QJsonArray::fromStringList(values));
}

void Settings::setBytes(const QString& name, const QByteArray& value) {
    set(name, QString::fromLatin1(value.toBase64()));
}

void Settings::saveLater() {
    if (!m_dirty || m_path.isEmpty()) return;
    m_dirty = false;
    m_values.insert(QStringLiteral("format"), kFormat);
    m_writer.start([this, path = m_path, values = m_values] {
        if (!write(path, values)) m_lateFailure = true;
    });
}

bool Settings::save() {
    m_writer.waitForDone();
    if (m_lateFailure.exchange(false)) m_dirty = true;
    if (!m_dirty || m_path.isEmpty()) return m_path.isEmpty() ? false : true;
    const auto fail = [this](const QString& why) {
        m_notes << Words::tr("Settings are kept in memory only: %1").arg(why);
        m_path.clear();
        return false;
    };
    m_values.insert(QStringLiteral("format"), kFormat);
    QString why;
    if (!write(m_path, m_values, &why)) return fail(why);
    m_dirty = false;
    return true;
}

} // namespace stridescope
