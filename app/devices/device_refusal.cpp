#include "app/devices/device_refusal.h"

#include "widgets/model/words.h"
#include "widgets/timing/timing_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope::devices", text);
}

struct Named {
    QString name;
    Device device;
    quint64 bytes = 0;
};

/// The tensors that the line names, in its order, each once.
std::vector<Named> namedIn(const QString& line, const DevicesModel& model) {
    std::vector<Named> found;
    static const QRegularExpression word(QStringLiteral("(?<![\\w.\"'])[^\\W\\d]\\w*"));
    for (auto at = word.globalMatch(line); at.hasNext();) {
        const QString name = at.next().captured();
        if (std::any_of(found.begin(), found.end(), [&](const Named& each) { return each.name == name; })) continue;
        for (const ShownDevice& device : model.devices)
            for (const ShownTensor& tensor : device.tensors)
                if (tensor.name == name)
                    found.push_back({name, device.device, static_cast<quint64>(tensor.tensor.nbytes())});
    }
    return found;
}

/// The line with another text in the place of a name.
QString with(const QString& line, const QString& name, const QString& text) {
    const QRegularExpression word(
        QStringLiteral("(?<![\\w.\"'])%1(?!\\w)(?!\\s*=[^=])").arg(QRegularExpression::escape(name)));
    QString changed = line;
    return changed.replace(word, text);
}

/// What joins them: an operator between two names, else what is called.
QString signOf(const QString& line, const std::vector<Named>& operands) {
    if (operands.size() == 2) {
        const QRegularExpression between(
            QStringLiteral("%1\\s*([-+*/@%&|^<>=!]{1,2})\\s*%2")
                .arg(QRegularExpression::escape(operands[0].name), QRegularExpression::escape(operands[1].name)));
        if (const auto match = between.match(line); match.hasMatch()) return match.captured(1);
    }
    static const QRegularExpression call(QStringLiteral("([^\\W\\d]\\w*)\\s*\\("));
    const auto match = call.match(line);
    return match.hasMatch() ? match.captured(1) : QStringLiteral("?");
}

void fillMixed(DevicesRefusal& refusal, const DevicesModel& model) {
    const std::vector<Named> all = namedIn(refusal.line, model);
    // The first two that live apart.
    std::vector<Named> two;
    for (const Named& each : all) {
        if (two.empty() || (two.size() == 1 && each.device != two[0].device)) two.push_back(each);
    }
    refusal.sign = signOf(refusal.line, two);
    refusal.title = tr("%1 is refused: its inputs live on two devices").arg(refusal.line);
    if (two.size() < 2) return;
    // The CPU stands left, as its box does.
    if (!two[0].device.isCpu() && two[1].device.isCpu()) std::swap(two[0], two[1]);
    for (const Named& each : two) refusal.operands.push_back({each.name, each.device});
    const auto moved = [&](const Named& which, Device to) {
        const QString text =
            to.isCpu() ? which.name + QStringLiteral(".cpu()")
                       : QStringLiteral("%1.to(\"%2\")").arg(which.name, QString::fromStdString(toString(to)));
        refusal.ways.push_back({with(refusal.line, which.name, text), tr("moves %1").arg(bytesText(which.bytes))});
    };
    moved(two[0], two[1].device);
    moved(two[1], two[0].device);
}

void fillMemory(DevicesRefusal& refusal, const DevicesModel& model, const DeviceRecord& wanted) {
    refusal.device = wanted.device;
    refusal.wanted = wanted.bytes;
    refusal.used = wanted.allocated;
    refusal.total = wanted.total;
    refusal.title = tr("%1 has not so much memory free").arg(QString::fromStdString(toString(wanted.device)));
    const ShownDevice* device = model.find(wanted.device);
    if (!device) return;
    // The largest ones that make room enough; none where all of them do not.
    std::vector<const ShownTensor*> there;
    for (const ShownTensor& each : device->tensors)
        if (!each.lost) there.push_back(&each);
    std::stable_sort(there.begin(), there.end(),
                     [](const ShownTensor* a, const ShownTensor* b) { return a->bytes > b->bytes; });
    quint64 freed = 0;
    QStringList names;
    std::set<quint64> storages;
    for (const ShownTensor* each : there) {
        if (wanted.bytes <= wanted.total - wanted.allocated + freed) break;
        names << each->name;
        if (storages.insert(each->storage).second) freed += each->bytes;
    }
    if (!names.isEmpty() && wanted.bytes <= wanted.total - wanted.allocated + freed)
        refusal.ways.push_back(
            {QStringLiteral("del %1").arg(names.join(QStringLiteral(", "))), tr("frees %1").arg(bytesText(freed))});
}

} // namespace

std::optional<DevicesRefusal> devicesRefusal(const KernelError& error, const QString& code, const DevicesModel& model,
                                             const DeviceLog& log) {
    if (!error.refusal.startsWith(QLatin1String("DEV-"))) return std::nullopt;
    DevicesRefusal refusal;
    const QStringList lines = code.split(QLatin1Char('\n'));
    refusal.line = lines.value(error.line > 0 ? error.line - 1 : 0).trimmed();
    refusal.text = error.type + QStringLiteral(": ") + error.message;
    const auto failed = std::find_if(model.devices.begin(), model.devices.end(),
                                     [](const ShownDevice& each) { return !each.failure.isEmpty(); });
    if (error.refusal == QLatin1String("DEV-03")) {
        refusal.kind = DevicesRefusal::Kind::Mixed;
        fillMixed(refusal, model);
    } else if (error.refusal == QLatin1String("DEV-05") && log.outOfMemory()) {
        refusal.kind = DevicesRefusal::Kind::OutOfMemory;
        fillMemory(refusal, model, *log.outOfMemory());
    } else if (error.refusal == QLatin1String("DEV-04")) {
        refusal.kind = DevicesRefusal::Kind::Sticky;
        if (failed != model.devices.end()) refusal.device = failed->device;
        refusal.title = tr("%1 has failed, and stays so").arg(QString::fromStdString(toString(refusal.device)));
        if (failed != model.devices.end() && failed->simulated)
            refusal.ways.push_back(
                {QStringLiteral("torch.sim.restart(\"%1\")").arg(failed->name()), tr("tensors on it are lost")});
    } else if (error.refusal == QLatin1String("DEV-06")) {
        refusal.kind = DevicesRefusal::Kind::Lost;
        for (const Named& each : namedIn(refusal.line, model))
            if (!each.device.isCpu()) refusal.device = each.device;
        refusal.title = tr("%1 is refused: the tensor is lost").arg(refusal.line);
    } else {
        return std::nullopt;
    }
    return refusal;
}

} // namespace stridescope
