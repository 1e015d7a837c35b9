#include "app/workspace/line_session.h"
#include "app/workspace/line_task.h"
#include "app/workspace/motion_source.h"
#include "app/workspace/python_line.h"
#include "app/workspace/whence_tree.h"
#include "app/workspace/workspace.h"
#include "core/storage/memory_budget.h"

#include <algorithm>

namespace stridescope {

namespace {

QString bytesOf(Index bytes) {
    return QString::fromStdString(formatBytes(bytes));
}

/// A line of code short enough for a menu.
QString shortened(const QString& code) {
    constexpr qsizetype kLongest = 60;
    QString line = code.simplified();
    if (line.size() > kLongest) line = line.left(kLongest - 1) + QChar(0x2026);
    return line;
}

} // namespace

void Workspace::rememberLook() {
    const auto at = static_cast<std::size_t>(m_position);
    if (m_looks.size() <= at) m_looks.resize(at + 1);
    m_looks[at] = m_model->selection();
    m_looks[at].hover.reset();
}

void Workspace::push(StatePtr after, const QString& code, const QString& title, WriteLog writes,
                     StepRecords operations) {
    const auto keep = static_cast<std::size_t>(m_position);
    rememberLook();
    m_looks.resize(keep + 1);
    if (m_savedPosition > m_position) m_savedPosition = -1;
    m_steps.resize(keep);
    m_titles.resize(keep);
    HistoryStep shown{code, shortened(title), writes.allKept(), {}};
    if (!shown.undoable)
        shown.whyNot = tr("%1 of old values were too large to keep").arg(bytesOf(writes.bytesNotKept()));
    m_titles.push_back(std::move(shown));
    m_steps.push_back({m_state, after, std::move(writes), std::move(operations)});
    m_state = std::move(after);
    ++m_position;
    registerStorages(*m_state);
    forgetOldest();
}

void Workspace::forgetOldest() {
    // Operations go first: without them it can still be stepped back.
    Index bytes = 0, operations = 0;
    for (const Step& step : m_steps) bytes += step.writes.bytes();
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step) {
        operations += step->operations.bytes();
        if (operations > kOperationBytes && step->operations.size() > 0) {
            operations -= step->operations.bytes();
            const bool savedAtOnce = step->operations.savedAtOnce;
            step->operations = {};
            step->operations.complete = false;
            step->operations.savedAtOnce = savedAtOnce;
        }
    }
    while (m_steps.size() > 1 && (m_steps.size() > m_maxSteps || bytes > kKeptBytes)) {
        bytes -= m_steps.front().writes.bytes();
        m_steps.erase(m_steps.begin());
        m_titles.erase(m_titles.begin());
        m_looks.erase(m_looks.begin());
        --m_position;
        --m_savedPosition;
        ++m_forgotten;
    }
}

QString Workspace::undoTitle() const {
    return m_position > 0 ? m_titles[static_cast<std::size_t>(m_position) - 1].title : QString();
}

QString Workspace::redoTitle() const {
    return canRedo() ? m_titles[static_cast<std::size_t>(m_position)].title : QString();
}

void Workspace::move(int by, std::set<quint64>& written) {
    Step& step = m_steps[static_cast<std::size_t>(by < 0 ? m_position - 1 : m_position)];
    if (by < 0)
        step.writes.undo();
    else
        step.writes.redo();
    for (const SavedElements& saved : step.writes.entries()) written.insert(saved.target.storage()->id());
    m_state = by < 0 ? step.before : step.after;
    m_position += by;
}

bool Workspace::undo() {
    return m_position > 0 && jump(m_position - 1);
}

bool Workspace::redo() {
    return canRedo() && jump(m_position + 1);
}

bool Workspace::jump(int position, QString* reason) {
    if (position < 0 || position > static_cast<int>(m_steps.size())) return false;
    if (isBusy()) {
        if (reason) *reason = tr("Another line is still being carried out: wait for its end, or cancel it.");
        return false;
    }
    for (int i = std::min(position, m_position); i < std::max(position, m_position); ++i) {
        for (const SavedElements& saved : m_steps[static_cast<std::size_t>(i)].writes.entries()) {
            if (m_locked.count(saved.target.storage()->id()) == 0) continue;
            if (reason) *reason = tr("A storage is being saved and must not change until that is done.");
            return false;
        }
    }
    for (int i = position; i < m_position; ++i) {
        const HistoryStep& step = m_titles[static_cast<std::size_t>(i)];
        if (step.undoable) continue;
        if (reason) *reason = tr("%1 cannot be undone: %2.").arg(step.title, step.whyNot);
        return false;
    }
    // A step done again writes what it wrote the first time, so it is kept in any case.
    if (position == m_position) return true;
    rememberLook();
    std::set<quint64> written;
    while (m_position > position) move(-1, written);
    while (m_position < position) move(1, written);
    publish(written);
    // The picture is the one that was left there: the same tensor selected, the same cell picked.
    const auto at = static_cast<std::size_t>(position);
    if (at < m_looks.size() && m_looks[at].tensor != 0) {
        const Selection look = m_looks[at];
        m_model->select(look.tensor);
        m_model->setPick(look.pick);
    }
    return true;
}

std::optional<Workspace::NameStep> Workspace::whereNameWent(const QString& name) const {
    if (m_state->hasName(name)) return std::nullopt;
    for (int i = m_position - 1; i >= 0; --i) {
        const Step& step = m_steps[static_cast<std::size_t>(i)];
        if (step.before->hasName(name) && !step.after->hasName(name)) return NameStep{i, false};
    }
    for (int i = m_position; i < static_cast<int>(m_steps.size()); ++i) {
        if (m_steps[static_cast<std::size_t>(i)].after->hasName(name)) return NameStep{i, true};
    }
    return std::nullopt;
}

void Workspace::setSaved() {
    if (m_savedPosition == m_position) return;
    m_savedPosition = m_position;
    Q_EMIT changed();
}

void Workspace::setSaved(const Moment& moment) {
    int position = -1;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        if (m_steps[i].before == moment) position = static_cast<int>(i);
        if (m_steps[i].after == moment) position = static_cast<int>(i) + 1;
    }
    if (m_steps.empty() && m_state == moment) position = 0;
    m_savedPosition = position;
    Q_EMIT changed();
}

std::optional<Whence> Workspace::whence(const Pick& pick) const {
    if (isBusy()) return std::nullopt; // what is written now is neither before nor after
    const auto entry = std::find_if(m_state->tensors.begin(), m_state->tensors.end(),
                                    [&](const auto& each) { return each->tensor.storage()->id() == pick.storageId; });
    if (entry == m_state->tensors.end()) return std::nullopt;
    PastElement element;
    if (const TensorEntry* tensor = m_state->tensor(pick.tensor)) {
        element = {trace::record(tensor->tensor), pick.coord};
    } else { // on the strip
        const Tensor& first = (*entry)->tensor;
        const auto size = static_cast<Index>(itemSize(m_storages.at(pick.storageId).dtype));
        const auto line = contiguousView(Dims{static_cast<Index>(first.storage()->bytes()) / size});
        if (!line) return std::nullopt;
        element = {{pick.storageId, *line, m_storages.at(pick.storageId).dtype, first.device()}, {pick.slot}};
    }
    const Past before = past();
    return WhenceTree(before).of(element);
}

Past Workspace::past() const {
    std::vector<PastStep> steps;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_position); ++i) {
        const Step& step = m_steps[i];
        steps.push_back({step.before.get(), step.after.get(), &step.writes, &step.operations, m_titles[i].code});
    }
    return {std::move(steps), *m_state};
}

int Workspace::storageNumber(quint64 id) const {
    const auto known = m_storages.find(id);
    return known == m_storages.end() ? 0 : known->second.number;
}

const std::vector<OpRecord>& Workspace::operationsOf(int step) const {
    static const std::vector<OpRecord> kNone;
    if (step < 0 || step >= m_position) return kNone;
    return m_steps[static_cast<std::size_t>(step)].operations.records();
}

bool Workspace::wantsAgain(int step) const {
    if (step < 0 || step >= m_position) return false;
    const Step& at = m_steps[static_cast<std::size_t>(step)];
    return at.operations.size() == 0 && (at.before == at.after || !at.operations.complete);
}

std::optional<MotionInput> Workspace::motion(int step, std::size_t operation) const {
    if (isBusy() || operation >= operationsOf(step).size()) return std::nullopt;
    const Past before = past();
    return MotionSource(before, [this](std::uint64_t id) { return storageNumber(id); })
        .of({static_cast<std::size_t>(step), operation});
}

} // namespace stridescope
