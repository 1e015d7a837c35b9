#include "app/workspace/motion_again.h"

#include "app/workspace/same_random_numbers.h"
#include "app/workspace/workspace.h"
#include "core/backend/backend.h"

#include <QRegularExpression>

#include <algorithm>
#include <cstring>
#include <set>

namespace stridescope {

namespace {

/// More than this is not copied and computed once more for a picture.
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
constexpr double kMostElements = 1 << 20;

std::set<std::string> namesIn(const QString& line) {
    static const QRegularExpression kName(QStringLiteral("[A-Za-z_]\\w*"));
    std::set<std::string> names;
    for (auto match = kName.globalMatch(line); match.hasNext();) names.insert(match.next().captured().toStdString());
    return names;
}

/// What the line names, all that lies on the same storages, and numbers and texts; on bytes of its own. Nothing where
/// they are too many.
std::optional<Session> copied(const Session& now, const QString& line) {
    const std::set<std::string> names = namesIn(line);
    Session copy;
    std::set<int> wanted;
    for (const SessionTensor& tensor : now.tensors)
        if (names.count(tensor.name)) wanted.insert(tensor.storage);
    std::map<int, StoragePtr> storages;
    std::uint64_t bytes = 0;
    for (SessionStorage storage : now.storages) {
        if (wanted.count(storage.number) == 0 || !storage.storage) {
            storage.storage = {}; // its number is not given to another one
            copy.storages.push_back(std::move(storage));
            continue;
        }
        bytes += storage.bytes;
        if (bytes > kMostBytes) return std::nullopt;
        StoragePtr own = Storage::allocate(storage.storage->bytes(), allocatorFor(Device{}), true);
        if (own->bytes() > 0) std::memcpy(own->data(), storage.storage->data(), own->bytes());
        storages[storage.number] = storage.storage = std::move(own);
        copy.storages.push_back(std::move(storage));
    }
    std::set<Index> kept;
    for (SessionTensor tensor : now.tensors) {
        const auto own = storages.find(tensor.storage);
        if (own == storages.end()) continue;
        tensor.tensor = Tensor(own->second, tensor.tensor.view(), tensor.tensor.dtype());
        if (kept.count(tensor.parent) == 0) tensor.parent = 0;
        kept.insert(tensor.id);
        copy.tensors.push_back(std::move(tensor));
    }
    for (const auto& value : now.values)
        if (names.count(value.first) && !value.second.is<expr::TensorValue>() && !value.second.is<expr::Sequence>())
            copy.values.push_back(value);
    return copy;
}

} // namespace

MotionAgain motionAgain(const Session& now, const QString& line) {
    MotionAgain again;
    try {
        const std::optional<Session> copy = copied(now, line);
        if (!copy) {
            again.whyNot = QObject::tr("Its tensors are too large to be copied for a picture.");
            return again;
        }
        const SameRandomNumbers numbers;
        WorkspaceModel model;
        Workspace workspace(&model);
        workspace.restore(*copy, {});
        double elements = 0;
        RunOutcome outcome = workspace.tryOut(line, &elements);
        if (outcome.ok && elements > kMostElements) {
            again.whyNot = QObject::tr("It moves too many elements to be carried out again for a picture.");
            return again;
        }
        if (outcome.ok) outcome = workspace.run(line, Naming::Auto);
        if (!outcome.ok) {
            const QString words = QString::fromStdString(outcome.refusal->message).section(QLatin1Char('\n'), 0, 0);
            again.whyNot = outcome.exception + QStringLiteral(": ") + words;
            return again;
        }
        for (int step = 0; step < workspace.position(); ++step)
            for (std::size_t i = 0; i < workspace.operationsOf(step).size(); ++i)
                if (auto motion = workspace.motion(step, i)) again.operations.push_back(*std::move(motion));
    } catch (const Error& error) {
        again.whyNot = QString::fromStdString(error.refusal().message);
    }
    if (again.operations.empty() && again.whyNot.isEmpty())
        again.whyNot = QObject::tr("It has no operation that could be played.");
    return again;
}

} // namespace stridescope
