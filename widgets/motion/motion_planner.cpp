#include "widgets/motion/motion_planner.h"

#include "core/ops/operation_table.h"
#include "core/view/view.h"
#include "core/view/walk.h"
#include "widgets/figures/figure.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/theme/theme.h"

#include <algorithm>

namespace stridescope::motion {

QString listText(const Dims& dims) {
    return shapeText(dims);
}

QString plusBytes(Index bytes) {
    return QStringLiteral("+") + bytesText(bytes);
}

QString listOf(const QStringList& parts) {
    return parts.join(PaintedText::tr(" and "));
}

Planner::Planner(MotionInput input) {
    m_plan.input = std::move(input);
}

MotionFamily Planner::familyOf() const {
    const OpRecord& record = m_plan.input.record;
    if (record.inputs.empty()) return record.effect == OpEffect::InPlace ? MotionFamily::Write : MotionFamily::Create;
    if (leavesMemoryAsItIs(record)) return MotionFamily::Create;
    switch (record.effect) {
    case OpEffect::View:
        return MotionFamily::View;
    case OpEffect::Alias:
        return MotionFamily::Alias;
    case OpEffect::InPlace:
        return MotionFamily::Write;
    case OpEffect::Alloc:
        break;
    }
    if (record.outputs.size() == 1 && !(record.outputs[0].device == record.inputs[0].device))
        return MotionFamily::Transfer;
    static constexpr const char* kProducts[] = {"matmul", "mm", "bmm", "mv", "dot"};
    if (std::any_of(std::begin(kProducts), std::end(kProducts), [&](const char* n) { return record.name == n; }))
        return MotionFamily::Product;
    const Operation* operation = findOperation(record.name);
    const bool pointwise = operation && operation->family == OpFamily::Pointwise;
    if (!pointwise && movedFrom(m_plan.input, 0)) return MotionFamily::Copy;
    std::vector<std::vector<Index>> found;
    if (!pointwise && groups(found)) return MotionFamily::Reduce;
    return MotionFamily::Compute;
}

int Planner::freeColour(int wanted) const {
    const auto taken = [this](int colour) {
        return std::any_of(m_plan.boards.begin(), m_plan.boards.end(), [colour](const MotionBoard& board) {
            return board.kind == MotionBoard::Kind::Card && board.tensor.colour == colour;
        });
    };
    if (wanted >= 0 && !taken(wanted)) return wanted;
    // What has a colour of its own keeps it, also where its card comes later.
    const auto owned = [this](int colour) {
        const MotionInput& input = m_plan.input;
        const auto has = [colour](const MotionTensor& each) { return each.colour == colour; };
        return std::any_of(input.inputs.begin(), input.inputs.end(), has) ||
               std::any_of(input.outputs.begin(), input.outputs.end(), has) ||
               std::any_of(input.others.begin(), input.others.end(), has);
    };
    for (const bool any : {false, true})
        for (int colour = 0; colour < 4; ++colour)
            if (!taken(colour) && (any || !owned(colour))) return colour;
    return -1; // never more than four at once
}

int Planner::storageOf(const TensorRecord& record) const {
    return motion::storageOf(m_plan.input, record);
}

int Planner::addCard(const MotionTensor& tensor, int output) {
    MotionBoard board;
    board.tensor = tensor;
    board.tensor.colour = freeColour(tensor.colour);
    if (board.tensor.colour != tensor.colour) board.tensor.letter = {};
    board.storage = storageOf(tensor.record);
    board.output = output;
    m_plan.boards.push_back(board);
    return static_cast<int>(m_plan.boards.size()) - 1;
}

void Planner::addBoards() {
    const MotionInput& input = m_plan.input;
    const auto boardOf = [&](const TensorRecord& record) {
        for (std::size_t b = 0; b < m_plan.boards.size(); ++b) {
            const TensorRecord& there = m_plan.boards[b].tensor.record;
            if (there.storageId == record.storageId && there.view == record.view && there.dtype == record.dtype)
                return static_cast<int>(b);
        }
        return -1;
    };
    for (const MotionTensor& each : input.inputs) {
        const int known = boardOf(each.record); // x + x
        m_inputBoards.push_back(known >= 0 ? known : addCard(each));
    }
    const bool inPlace = m_plan.family == MotionFamily::Write || m_plan.family == MotionFamily::Alias;
    for (std::size_t o = 0; o < input.outputs.size(); ++o) {
        const int known = inPlace ? boardOf(input.outputs[o].record) : -1;
        m_outputBoards.push_back(known >= 0 ? known : addCard(input.outputs[o], static_cast<int>(o)));
        m_plan.boards[static_cast<std::size_t>(m_outputBoards.back())].output = static_cast<int>(o);
    }
    for (const MotionTensor& each : input.others)
        if (boardOf(each.record) < 0) addCard(each);
    giveLetters();
    addStrips();
}

void Planner::giveLetters() {
    QString taken;
    for (const MotionBoard& board : m_plan.boards)
        if (!board.tensor.letter.isNull()) taken += board.tensor.letter;
    for (MotionBoard& board : m_plan.boards) {
        if (board.tensor.colour < 0 || !board.tensor.letter.isNull()) continue;
        const QString own = Theme::viewLetter(board.tensor.colour, {});
        const QString all = own + QStringLiteral("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const auto free =
            std::find_if(all.begin(), all.end(), [&taken](QChar c) { return !taken.contains(c, Qt::CaseInsensitive); });
        if (free == all.end()) continue; // never more cards than letters
        taken += *free;
        if (*free != own.front()) board.tensor.letter = *free;
    }
}

std::vector<View> Planner::viewsOn(const MotionStorage& storage) const {
    std::vector<View> views;
    for (const MotionBoard& board : m_plan.boards) {
        const TensorRecord& record = board.tensor.record;
        if (board.kind == MotionBoard::Kind::Card && record.storageId == storage.id && record.dtype == storage.dtype)
            views.push_back(record.view);
    }
    return views;
}

void Planner::addStrips() {
    const MotionInput& input = m_plan.input;
    m_plan.written.resize(m_plan.boards.size());
    for (std::size_t s = 0; s < input.storages.size(); ++s) {
        const MotionStorage& storage = input.storages[s];
        MotionBoard board;
        board.kind = MotionBoard::Kind::Strip;
        board.storage = static_cast<int>(s);
        const auto isOn = [&](const TensorRecord& record) {
            return record.storageId == storage.id && record.dtype == storage.dtype;
        };
        const auto& in = input.record.inputs;
        board.fresh = std::none_of(in.begin(), in.end(), isOn) && input.record.effect == OpEffect::Alloc;
        // All of it, or of a large one what is reached.
        board.count = storage.numel;
        if (storage.numel > kMovingCells) {
            Index low = storage.numel, high = -1;
            for (const View& view : viewsOn(storage)) {
                const auto span = reach(view);
                if (!span || span->empty()) continue;
                low = std::min(low, span->lowest);
                high = std::max(high, span->highest);
            }
            board.first = std::clamp<Index>(low - 2, 0, storage.numel);
            board.count = std::max<Index>(std::min(high + 3, storage.numel) - board.first, 0);
        }
        m_plan.boards.push_back(board);
        m_plan.written.emplace_back(board.count <= kMovingCells ? static_cast<std::size_t>(board.count) : 0,
                                    MotionPlan::kNever);
    }
}

bool Planner::fits() const {
    Index cards = 0;
    for (const MotionBoard& board : m_plan.boards) {
        if (board.positions() > kMovingCells || board.storage < 0) return false;
        if (board.kind == MotionBoard::Kind::Card) cards += board.positions();
    }
    constexpr std::ptrdiff_t kMostBoards = 16;
    return cards <= 3 * kMovingCells && std::ssize(m_plan.boards) <= kMostBoards;
}

MotionStage& Planner::stage(MotionWhat what, const QString& name, const QString& before, const QString& after,
                            qreal seconds) {
    MotionStage added;
    added.what = what;
    added.name = name;
    added.before = before;
    added.after = after;
    added.seconds = seconds;
    m_plan.stages.push_back(added);
    return m_plan.stages.back();
}

std::pair<qreal, qreal> Planner::turn(Index k, Index n) const {
    const qreal seconds = m_plan.stages.back().seconds, move = std::min(kMove, seconds);
    const qreal stagger = std::max(0.0, seconds - move - kPause);
    const qreal begin = n > 1 ? stagger * static_cast<qreal>(k) / static_cast<qreal>(n - 1) : 0;
    return {begin / seconds, (begin + move) / seconds};
}

void Planner::move(MotionCell cell, std::pair<qreal, qreal> when) {
    const auto stage = static_cast<qreal>(m_plan.stages.size() - 1);
    cell.begin = stage + when.first;
    cell.end = stage + when.second;
    cell.gone = stage + 1;
    m_plan.moves.push_back(cell);
}

void Planner::write(int storage, Index slot, qreal share) {
    const int strip = m_plan.stripOf(storage);
    if (strip < 0) return;
    auto& times = m_plan.written[static_cast<std::size_t>(strip)];
    const Index at = slot - m_plan.boards[static_cast<std::size_t>(strip)].first;
    if (at >= 0 && at < std::ssize(times))
        times[static_cast<std::size_t>(at)] = static_cast<qreal>(m_plan.stages.size() - 1) + share;
}

MotionCell Planner::result(int o, Index k, int fromBoard, Index from) const {
    const int to = outputBoard(static_cast<std::size_t>(o));
    const MotionBoard& board = m_plan.boards[static_cast<std::size_t>(to)];
    MotionCell cell;
    cell.fromBoard = static_cast<quint8>(fromBoard);
    cell.toBoard = static_cast<quint8>(to);
    cell.from = from;
    cell.to = k;
    cell.result = true;
    cell.after = true;
    cell.colour = static_cast<qint8>(board.tensor.colour);
    cell.storage = static_cast<qint16>(board.storage);
    cell.slot = board.tensor.record.view.slot(coordOfPosition(board.tensor.record.view, k));
    return cell;
}

void Planner::finish() {
    qreal seconds = 0;
    for (MotionStage& each : m_plan.stages) {
        each.begin = seconds;
        seconds += each.seconds;
        each.end = seconds;
    }
    for (MotionStage& each : m_plan.stages) {
        each.begin /= seconds;
        each.end = &each == &m_plan.stages.back() ? 1 : each.end / seconds;
    }
    const auto toT = [this](qreal& time) {
        const auto stage = std::min(static_cast<std::size_t>(time), m_plan.stages.size() - 1);
        const MotionStage& at = m_plan.stages[stage];
        time = at.begin + (time - static_cast<qreal>(stage)) * (at.end - at.begin);
    };
    for (MotionCell& cell : m_plan.moves) {
        toT(cell.begin);
        toT(cell.end);
        toT(cell.gone);
    }
    for (MotionReach& each : m_plan.reaches) {
        toT(each.begin);
        toT(each.end);
    }
    for (MotionPlan::Veil& each : m_plan.veils) {
        toT(each.begin);
        toT(each.end);
    }
    for (MotionBoard& board : m_plan.boards) toT(board.appears);
    for (auto& times : m_plan.written) {
        for (qreal& time : times)
            if (time != MotionPlan::kNever) toT(time);
    }
    m_plan.times.seconds = seconds;
    m_plan.times.stops.push_back(0);
    for (const MotionStage& each : m_plan.stages) {
        m_plan.times.stops.push_back(each.end);
        m_plan.times.stageEnds.push_back(each.end);
    }
}

void Planner::planSummary() {
    const MotionInput& input = m_plan.input;
    const OpRecord& record = input.record;
    m_plan.cells = false;
    Index most = 0;
    for (const MotionBoard& board : m_plan.boards)
        if (board.kind == MotionBoard::Kind::Card) most = std::max(most, board.positions());
    const QString why =
        most > kMovingCells
            ? PaintedText::tr("%1 elements are too many to be moved one by one: numbers tell it.").arg(countText(most))
            : PaintedText::tr("Not every storage of it is known: numbers tell it.");
    if (m_plan.family == MotionFamily::View || m_plan.family == MotionFamily::Alias) {
        addNumbers();
        m_plan.stages.back().before = why;
        return;
    }
    stage(
        MotionWhat::Storage, PaintedText::tr("Bytes"), why,
        record.effect == OpEffect::InPlace
            ? PaintedText::tr("%1 were written, and no new memory was made.").arg(bytesText(record.bytesWritten))
            : PaintedText::tr("A new storage, %1; %2 were read and %3 written.")
                  .arg(plusBytes(record.bytesAllocated), bytesText(record.bytesRead), bytesText(record.bytesWritten)));
}

MotionPlan Planner::plan() {
    m_plan.family = familyOf();
    addBoards();
    if (!fits()) {
        planSummary();
        finish();
        return std::move(m_plan);
    }
    if (m_plan.input.refusal) {
        planRefusal();
    } else {
        switch (m_plan.family) {
        case MotionFamily::View:
            planView();
            break;
        case MotionFamily::Alias:
            planAlias();
            break;
        case MotionFamily::Copy:
        case MotionFamily::Transfer:
            planCopy();
            break;
        case MotionFamily::Compute:
            planCompute();
            break;
        case MotionFamily::Reduce:
            planReduce();
            break;
        case MotionFamily::Product:
            planProduct();
            break;
        case MotionFamily::Write:
            planWrite();
            break;
        case MotionFamily::Create:
            planCreate();
            break;
        }
    }
    finish();
    return std::move(m_plan);
}

} // namespace stridescope::motion
