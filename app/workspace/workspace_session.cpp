// Workspace: the whole of it as a session, and back.

#include "app/workspace/line_session.h"
#include "app/workspace/line_task.h"
#include "app/workspace/python_line.h"
#include "app/workspace/workspace.h"

#include <algorithm>

namespace stridescope {

namespace {

/// Lines of the history that a session takes along, all together; above that the oldest are left out.
constexpr std::size_t kMostCode = std::size_t{8} << 20;

std::vector<SessionStep> stepsOf(const std::vector<HistoryStep>& titles, int position) {
    std::vector<SessionStep> steps;
    std::size_t bytes = 0;
    for (int i = position; i-- > 0 && steps.size() < kSessionMaxSteps;) {
        const HistoryStep& step = titles[static_cast<std::size_t>(i)];
        SessionStep kept{step.code.toStdString(), step.title.toStdString()};
        bytes += kept.code.size() + kept.title.size();
        if (bytes > kMostCode) break;
        steps.push_back(std::move(kept));
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
}

} // namespace

Session Workspace::session() const {
    Session session;
    session.program = STRIDESCOPE_VERSION;
    std::map<quint64, int> numbers;
    std::map<TensorId, Index> ids;
    for (const auto& entry : m_state->tensors) {
        const StoragePtr& storage = entry->tensor.storage();
        if (!storage->device().isCpu()) {
            session.notes.push_back(tr("%1 is on %2 and is not kept.")
                                        .arg(entry->name, QString::fromStdString(toString(storage->device())))
                                        .toStdString());
            continue;
        }
        const StorageFacts& facts = m_storages.at(storage->id());
        if (numbers.emplace(storage->id(), facts.number).second)
            session.storages.push_back({facts.number,
                                        facts.dtype,
                                        storage->bytes(),
                                        facts.origin.toStdString(),
                                        storage->isUnwritten(),
                                        {},
                                        {},
                                        storage});
        SessionTensor tensor;
        tensor.id = static_cast<Index>(session.tensors.size()) + 1;
        tensor.name = entry->name.toStdString();
        tensor.code = entry->code.toStdString();
        if (const auto parent = ids.find(entry->parent); parent != ids.end()) tensor.parent = parent->second;
        tensor.origin = static_cast<int>(entry->origin);
        tensor.storage = facts.number;
        tensor.tensor = entry->tensor;
        tensor.onStage = entry->onStage;
        tensor.colour = entry->colour;
        if (entry->letter.unicode() < 128)
            tensor.letter = entry->letter.toLatin1(); // others are names, and found again
        ids[entry->id] = tensor.id;
        session.tensors.push_back(std::move(tensor));
    }
    for (const TensorId id : m_state->order) {
        if (ids.count(id)) session.order.push_back(ids[id]);
    }
    for (const auto& [name, value] : m_state->variables) {
        const auto isElsewhere = [&numbers](const expr::TensorValue& tensor) {
            return tensor.tensor.defined() && numbers.count(tensor.tensor.storage()->id()) == 0;
        };
        // Parts of a split that has no name of its own bring their storages along.
        const std::function<void(const expr::Value&)> bring = [&](const expr::Value& part) {
            if (const auto* tensor = part.as<expr::TensorValue>(); tensor && isElsewhere(*tensor)) {
                const StoragePtr& storage = tensor->tensor.storage();
                if (!storage->device().isCpu()) return;
                int number = m_nextStorageNumber;
                for (const auto& [id, used] : numbers) number = std::max(number, used + 1);
                numbers[storage->id()] = number;
                session.storages.push_back(
                    {number, tensor->tensor.dtype(), storage->bytes(), {}, storage->isUnwritten(), {}, {}, storage});
            }
            if (const auto* sequence = part.as<expr::Sequence>())
                for (const expr::Value& item : sequence->items) bring(item);
        };
        bring(value);
        session.values.emplace_back(name, value);
    }
    session.steps = stepsOf(m_titles, m_position);
    const Selection& selection = m_model->selection();
    if (const auto selected = ids.find(selection.tensor); selected != ids.end()) session.selected = selected->second;
    if (const auto& pick = selection.pick; pick && numbers.count(pick->storageId)) {
        const auto tensor = ids.find(pick->tensor);
        if (pick->tensor == 0 || tensor != ids.end())
            session.pick = SessionPick{numbers[pick->storageId], pick->slot, tensor == ids.end() ? 0 : tensor->second,
                                       pick->coord};
    }
    return session;
}

void Workspace::restore(const Session& session, const QString& whence) {
    if (m_python) m_cancelPython();
    m_python.reset();
    m_background.cancel();
    m_background.waitFor(-1);
    m_steps.clear();
    m_titles.clear();
    m_looks.clear();
    m_storages.clear();
    std::map<Index, TensorId> ids;
    std::map<int, quint64> storages;
    m_nextStorageNumber = 1;
    for (const SessionStorage& storage : session.storages) {
        m_nextStorageNumber = std::max(m_nextStorageNumber, storage.number + 1);
        if (!storage.storage) continue;
        storages[storage.number] = storage.storage->id();
        m_storages[storage.storage->id()] = {storage.number, storage.dtype, QString::fromStdString(storage.origin)};
    }
    std::vector<TensorEntry> entries;
    for (const SessionTensor& tensor : session.tensors) {
        TensorEntry entry;
        entry.id = ids[tensor.id] = m_nextId++;
        entry.name = QString::fromStdString(tensor.name);
        entry.code = QString::fromStdString(tensor.code);
        entry.parent = tensor.parent == 0 ? 0 : ids[tensor.parent];
        entry.origin = static_cast<Origin>(tensor.origin);
        entry.tensor = tensor.tensor;
        entry.onStage = tensor.onStage;
        entry.colour = tensor.colour;
        if (tensor.letter != 0) entry.letter = QLatin1Char(tensor.letter);
        entries.push_back(std::move(entry));
    }
    std::vector<TensorId> order;
    for (const Index id : session.order) order.push_back(ids[id]);
    WorkspaceState state = WorkspaceState::of(std::move(entries), std::move(order));
    for (const auto& [name, value] : session.values) state.variables[name] = value;
    m_state = std::make_shared<const WorkspaceState>(std::move(state));
    // The lines are words about the past: no state before them is known.
    for (const SessionStep& step : session.steps) {
        m_titles.push_back({QString::fromStdString(step.code), QString::fromStdString(step.title), false, whence});
        m_steps.push_back({m_state, m_state, {}, {}});
    }
    m_position = m_savedPosition = static_cast<int>(m_steps.size());
    publish();
    m_model->select(session.selected == 0 ? 0 : ids[session.selected]);
    if (const auto& pick = session.pick)
        m_model->setPick(
            Pick{storages[pick->storage], pick->slot, pick->tensor == 0 ? 0 : ids[pick->tensor], pick->coord});
}

} // namespace stridescope
