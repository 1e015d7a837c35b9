#include "app/workspace/motion_source.h"

#include "app/workspace/replay.h"
#include "app/workspace/whence_tree.h"
#include "core/backend/backend.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/trace/code.h"
#include "core/view/reach_query.h"
#include "core/view/walk.h"
#include "widgets/motion/motion_sources.h"

#include <algorithm>
#include <cstring>

namespace stridescope {

namespace {

/// Elements of one storage whose making is carried out once more, at most.
constexpr Index kReplayed = 512;

Tensor emptyLine(Index count, DType dtype) {
    const auto bytes = static_cast<std::size_t>(count) * itemSize(dtype);
    return {Storage::allocate(bytes, allocatorFor(Device{}), true), *contiguousView(Dims{count}), dtype};
}

bool isSame(const TensorRecord& a, const Tensor& b) {
    return b.storage()->id() == a.storageId && b.view() == a.view && b.dtype() == a.dtype;
}

/// The newest name of those that are one view, or the oldest.
const TensorEntry* entryIn(const WorkspaceState& state, const TensorRecord& record, bool newest) {
    const TensorEntry* found = nullptr;
    for (const auto& entry : state.tensors)
        if (isSame(record, entry->tensor) && (newest || !found)) found = entry.get();
    return found;
}

/// Slots that the record's sides reach, of a storage that is gone.
Index reachedSlots(const OpRecord& record, std::uint64_t id, DType dtype) {
    Index end = 0;
    for (const auto* sides : {&record.inputs, &record.outputs}) {
        for (const TensorRecord& side : *sides) {
            if (side.storageId != id || side.dtype != dtype) continue;
            const auto span = reach(side.view);
            if (span && !span->empty()) end = std::max(end, span->highest + 1);
        }
    }
    return end;
}

/// What is moved has one value on both sides: the one that is known tells the other.
void fillFromOtherSide(MotionInput& input) {
    if (!movesElements(input.record) && input.record.inputs.size() < 2) return;
    for (std::size_t o = 0; o < input.record.outputs.size(); ++o) {
        const TensorRecord& made = input.record.outputs[o];
        const int to = motion::storageOf(input, made);
        if (to < 0) continue;
        MotionStorage& target = input.storages[static_cast<std::size_t>(to)];
        const bool known = target.after.defined();
        if (target.numel > kMovingCells) continue;
        const auto from = motion::movedFrom(input, o);
        if (!from) continue;
        const bool oneKnown = std::all_of(from->begin(), from->end(), [&](const motion::Source& source) {
            const TensorRecord& side = input.record.inputs[source.input];
            const int at = motion::storageOf(input, side);
            return at >= 0 && at != to && side.dtype == made.dtype &&
                   input.storages[static_cast<std::size_t>(at)].before.defined() != known;
        });
        if (!oneKnown) continue;
        // Every element of one side is known: the other side has it where it was moved to.
        Tensor line;
        int lineOf = -1;
        for (Index k = 0; k < made.view.numel(); ++k) {
            const motion::Source& source = (*from)[static_cast<std::size_t>(k)];
            const TensorRecord& side = input.record.inputs[source.input];
            const int at = motion::storageOf(input, side);
            if (known && lineOf >= 0 && at != lineOf) return;
            lineOf = at;
            MotionStorage& origin = input.storages[static_cast<std::size_t>(at)];
            if (!line.defined())
                line = known ? emptyLine(origin.numel, origin.dtype) : emptyLine(target.numel, target.dtype);
            const Index there = side.view.slot(coordOfPosition(side.view, source.position));
            const Index here = made.view.slot(coordOfPosition(made.view, k));
            const std::size_t size = itemSize(made.dtype);
            const std::byte* bytes = known ? target.after.storage()->data() + static_cast<std::size_t>(here) * size
                                           : origin.before.storage()->data() + static_cast<std::size_t>(there) * size;
            std::memcpy(line.storage()->data() + static_cast<std::size_t>(known ? there : here) * size, bytes, size);
        }
        if (lineOf < 0) continue;
        if (known) {
            MotionStorage& origin = input.storages[static_cast<std::size_t>(lineOf)];
            origin.before = origin.after = line;
        } else {
            target.after = line;
        }
    }
}

} // namespace

const TensorEntry* MotionSource::entryOf(const TensorRecord& record, std::size_t step, bool made) const {
    const PastStep& at = m_past.steps()[step];
    const TensorEntry* before = entryIn(*at.before, record, true);
    // Of what is given to an operation the first name: one that came later may be what its result was called.
    const TensorEntry* after = entryIn(*at.after, record, made);
    return made ? (after ? after : before) : before ? before : after;
}

QString MotionSource::nameOf(const TensorRecord& record, PastMoment at, int depth) const {
    constexpr int kNested = 2;
    if (const TensorEntry* entry = entryOf(record, at.step, false)) return entry->name;
    const auto& records = m_past.steps()[at.step].operations->records();
    for (std::size_t r = at.record; r-- > 0 && depth < kNested;) {
        for (const TensorRecord& made : records[r].outputs) {
            if (made.storageId != record.storageId || !(made.view == record.view) || made.dtype != record.dtype)
                continue;
            std::vector<std::string> names;
            for (const TensorRecord& input : records[r].inputs)
                names.push_back(nameOf(input, {at.step, r}, depth + 1).toStdString());
            const std::string code = code::expression(records[r], names);
            constexpr std::size_t kLongest = 48;
            if (code.size() <= kLongest) return QString::fromStdString(code);
        }
    }
    return QStringLiteral("…");
}

MotionTensor MotionSource::side(const TensorRecord& record, PastMoment at, bool made) const {
    MotionTensor side;
    side.record = record;
    if (const TensorEntry* entry = entryOf(record, at.step, made)) {
        side.name = entry->name;
        side.colour = entry->colour;
        side.letter = entry->letter;
    } else if (!made) {
        side.name = nameOf(record, at, 0);
    }
    return side;
}

std::optional<std::vector<Tensor>> MotionSource::givenTo(PastMoment at, int depth, const TensorRecord* known,
                                                         const Tensor& line) const {
    // What the operation was given is known, or is made once more itself.
    const OpRecord& record = recordAt(at);
    std::vector<Tensor> inputs;
    for (const TensorRecord& input : record.inputs) {
        if (known && input.storageId == known->storageId && input.dtype == known->dtype) {
            inputs.push_back(line.withView(input.view));
            continue;
        }
        MotionStorage from;
        from.id = input.storageId;
        from.dtype = input.dtype;
        from.device = input.device;
        if (const StoragePtr there = m_past.storage(input.storageId))
            from.numel = static_cast<Index>(there->bytes() / itemSize(input.dtype));
        from.numel = std::max(from.numel, reachedSlots(record, input.storageId, input.dtype));
        std::vector<bool> unknown;
        const Tensor all = elements(from, at, unknown, depth + 1);
        if (!all.defined() || !unknown.empty()) return std::nullopt;
        inputs.push_back(all.withView(input.view));
    }
    return inputs;
}

Tensor MotionSource::madeIn(const MotionStorage& storage, PastMoment when, int depth, std::vector<bool>& unmade) const {
    constexpr int kDeepest = 4; // results of results
    if (when.step >= m_past.steps().size() || depth > kDeepest) return {};
    const auto& records = m_past.steps()[when.step].operations->records();
    Tensor made;
    for (std::size_t r = 0; r < std::min(when.record, records.size()); ++r) {
        const OpRecord& record = records[r];
        const auto liesThere = [&](const TensorRecord& output) {
            return output.storageId == storage.id &&
                   (output.dtype == storage.dtype || record.effect != OpEffect::Alloc);
        };
        if (std::none_of(record.outputs.begin(), record.outputs.end(), liesThere)) continue;
        if (record.effect == OpEffect::InPlace) {
            // Written to since: so it is written to once more.
            const TensorRecord& target = record.outputs[0];
            const bool same =
                made.defined() && unmade.empty() && target.dtype == storage.dtype && target.storageId == storage.id;
            const auto inputs = same ? givenTo({when.step, r}, depth, &target, made) : std::nullopt;
            if (!inputs || !writtenAgain(record, *inputs)) return {};
            continue;
        }
        if (record.effect != OpEffect::Alloc) continue;
        const auto inputs = givenTo({when.step, r}, depth);
        const auto results = inputs ? madeAgain(record, *inputs) : std::nullopt;
        if (!results) continue;
        const trace::Nested silent;
        const Tensor line = emptyLine(storage.numel, storage.dtype);
        std::vector<bool> missing(static_cast<std::size_t>(storage.numel), true);
        for (std::size_t o = 0; o < results->size(); ++o) {
            const View& view = record.outputs[o].view;
            const auto span = reach(view);
            const bool inside = span && (span->empty() || span->highest < storage.numel) && !maySelfOverlap(view);
            if (!liesThere(record.outputs[o]) || !inside) continue;
            copy_(line.withView(view), (*results)[o]);
            for (Index k = 0; k < view.numel(); ++k)
                missing[static_cast<std::size_t>(view.slot(coordOfPosition(view, k)))] = false;
        }
        made = line;
        unmade = std::find(missing.begin(), missing.end(), true) == missing.end() ? std::vector<bool>() : missing;
    }
    return made;
}

Tensor MotionSource::elements(const MotionStorage& storage, PastMoment when, std::vector<bool>& unknown,
                              int depth) const {
    unknown.clear();
    if (storage.numel > kMovingCells || storage.numel == 0) return {};
    Tensor line = emptyLine(storage.numel, storage.dtype);
    const std::size_t size = line.itemSize();
    const TensorRecord all{storage.id, line.view(), storage.dtype, storage.device};
    WhenceTree tree(m_past);
    std::optional<Tensor> made; // asked for where something is not known
    std::vector<bool> unmade;
    for (Index slot = 0; slot < storage.numel; ++slot) {
        const PastElement element{all, Dims{slot}};
        auto value = m_past.valueOf(element, when);
        if (!value && storage.numel <= kReplayed) value = tree.value(element, when);
        if (!value && !made) made = madeIn(storage, when, depth, unmade);
        if (const auto at = static_cast<std::size_t>(slot) * size;
            !value && made->defined() && (unmade.empty() || !unmade[static_cast<std::size_t>(slot)])) {
            std::memcpy(line.storage()->data() + at, made->storage()->data() + at, size);
            continue;
        }
        if (!value) {
            unknown.resize(static_cast<std::size_t>(storage.numel), false);
            unknown[static_cast<std::size_t>(slot)] = true;
            continue;
        }
        std::memcpy(line.storage()->data() + static_cast<std::size_t>(slot) * size, value->bytes.data(), size);
    }
    const bool any = unknown.empty() || std::find(unknown.begin(), unknown.end(), false) != unknown.end();
    return any ? line : Tensor();
}

/// What the operation did not write to was before what it is after.
static void fillUnwritten(MotionStorage& storage, const OpRecord& record) {
    if (storage.unknown.empty()) return;
    if (record.effect != OpEffect::InPlace || !storage.after.defined()) {
        storage.before = {};
        storage.unknown.clear();
        return;
    }
    if (!storage.before.defined()) storage.before = emptyLine(storage.numel, storage.dtype);
    const std::size_t size = itemSize(storage.dtype);
    for (std::size_t slot = 0; slot < storage.unknown.size(); ++slot) {
        if (!storage.unknown[slot] || elementWritten(record, storage.id, static_cast<Index>(slot * size))) continue;
        std::memcpy(storage.before.storage()->data() + slot * size, storage.after.storage()->data() + slot * size,
                    size);
        storage.unknown[slot] = false;
    }
}

/// Do results lie in the storage, and none of their elements in the slots that nobody reaches? So it is with what
/// lstsq leaves below its solution.
static bool liesBesideResults(const MotionStorage& storage, const OpRecord& record) {
    bool any = false;
    for (const TensorRecord& made : record.outputs) {
        if (made.storageId != storage.id || made.dtype != storage.dtype) continue;
        any = true;
        for (Index k = 0; k < made.view.numel(); ++k)
            if (!storage.knows(true, made.view.slot(coordOfPosition(made.view, k)))) return false;
    }
    return any && record.effect == OpEffect::Alloc;
}

void MotionSource::addStorage(MotionInput& input, const TensorRecord& record, PastMoment at) const {
    if (motion::storageOf(input, record) >= 0) return;
    MotionStorage storage;
    storage.id = record.storageId;
    storage.number = m_storageNumber(record.storageId);
    storage.dtype = record.dtype;
    storage.device = record.device;
    if (const StoragePtr there = m_past.storage(record.storageId))
        storage.numel = static_cast<Index>(there->bytes() / itemSize(record.dtype));
    storage.numel = std::max(storage.numel, reachedSlots(input.record, record.storageId, record.dtype));
    storage.after = elements(storage, {at.step, at.record + 1}, storage.unreached);
    if (!storage.unreached.empty() && !liesBesideResults(storage, input.record)) {
        storage.after = {};
        storage.unreached.clear();
    }
    storage.before = elements(storage, at, storage.unknown);
    fillUnwritten(storage, input.record);
    const bool made = !input.record.outputs.empty() && input.record.outputs[0].storageId == record.storageId;
    if (made && motion::leavesMemoryAsItIs(input.record)) storage.before = storage.after = {};
    // What is only looked at has one value.
    if (input.record.effect != OpEffect::InPlace && !storage.after.defined()) storage.after = storage.before;
    if (input.record.effect != OpEffect::InPlace && !storage.before.defined()) storage.before = storage.after;
    input.storages.push_back(std::move(storage));
}

std::vector<Index> MotionSource::picked(const MotionInput& input) const {
    const OpRecord& record = input.record;
    if (record.name != "getitem" || record.inputs.size() < 2 || record.inputs[0].view.numel() > kMovingCells ||
        record.outputs.size() != 1 || record.outputs[0].view.numel() > kMovingCells)
        return {};
    const trace::Nested silent;
    std::vector<Tensor> given{view(arange(record.inputs[0].view.numel()), record.inputs[0].view.shape)};
    for (std::size_t i = 1; i < record.inputs.size(); ++i) {
        const int at = motion::storageOf(input, record.inputs[i]);
        if (at < 0) return {};
        const MotionStorage& storage = input.storages[static_cast<std::size_t>(at)];
        if (!storage.before.defined() || !storage.unknown.empty()) return {};
        given.push_back(storage.before.withView(record.inputs[i].view));
    }
    OpRecord ofPlaces = record;
    ofPlaces.inputs[0].dtype = ofPlaces.outputs[0].dtype = DType::Int64;
    const auto places = madeAgain(ofPlaces, given);
    if (!places) return {};
    const Tensor line = contiguous(places->front());
    const Index* const first = line.data<Index>() + line.storageOffset();
    return {first, first + line.numel()};
}

MotionInput MotionSource::of(PastMoment at) const {
    MotionInput input;
    input.record = recordAt(at);
    std::vector<std::string> names;
    for (const TensorRecord& each : input.record.inputs) {
        input.inputs.push_back(side(each, at, false));
        names.push_back(input.inputs.back().name.toStdString());
    }
    for (const TensorRecord& each : input.record.outputs) input.outputs.push_back(side(each, at, true));
    QStringList made;
    std::vector<std::string> outNames;
    for (const MotionTensor& each : input.outputs) {
        made << each.name;
        outNames.push_back(each.name.isEmpty() ? nameOf(each.record, at, 0).toStdString() : each.name.toStdString());
    }
    input.code =
        QString::fromStdString(code::writesIntoOut(input.record) ? code::outExpression(input.record, names, outNames)
                                                                 : code::expression(input.record, names));
    const bool named = std::none_of(made.begin(), made.end(), [](const QString& name) { return name.isEmpty(); });
    const bool fresh = input.record.effect == OpEffect::View || input.record.effect == OpEffect::Alloc;
    if (named && fresh && !made.isEmpty() && made.size() <= 4)
        input.code = made.join(QStringLiteral(", ")) + QStringLiteral(" = ") + input.code;
    for (const auto* sides : {&input.record.inputs, &input.record.outputs})
        for (const TensorRecord& each : *sides) addStorage(input, each, at);
    if (input.record.effect == OpEffect::InPlace && !input.record.outputs.empty()) {
        constexpr std::size_t kMostOthers = 3;
        const TensorRecord& target = input.record.outputs[0];
        for (const auto& entry : m_past.steps()[at.step].after->tensors) {
            const Tensor& tensor = entry->tensor;
            if (tensor.storage()->id() != target.storageId || tensor.dtype() != target.dtype ||
                isSame(target, tensor) || input.others.size() == kMostOthers)
                continue;
            MotionTensor other;
            other.name = entry->name;
            other.record = trace::record(tensor);
            other.colour = entry->colour;
            other.letter = entry->letter;
            input.others.push_back(std::move(other));
        }
    }
    input.moved = picked(input);
    fillFromOtherSide(input);
    return input;
}

/// All elements of a storage that the history does not know, as they are now.
static void takeElements(MotionStorage& storage, const Tensor& tensor) {
    const StoragePtr& from = tensor.storage();
    if (from->id() != storage.id || !tensor.device().isCpu() || (!from->data() && from->bytes() > 0)) return;
    const auto numel = static_cast<Index>(from->bytes() / itemSize(storage.dtype));
    storage.numel = std::max(storage.numel, numel);
    if (storage.numel > kMovingCells || numel != storage.numel) return;
    Tensor line = emptyLine(numel, storage.dtype);
    if (numel > 0) std::memcpy(line.storage()->data(), from->data(), line.nbytes());
    storage.unknown.clear();
    storage.before = storage.after = line;
}

MotionInput MotionSource::refused(const TensorEntry& target, const TensorEntry* read, const QString& line,
                                  const Refusal& refusal) const {
    MotionInput input;
    input.code = line;
    input.refusal = refusal;
    input.record.name = "write";
    input.record.effect = OpEffect::InPlace;
    const auto add = [&input](const TensorEntry& entry) {
        MotionTensor side;
        side.name = entry.name;
        side.colour = entry.colour;
        side.letter = entry.letter;
        side.record = trace::record(entry.tensor);
        input.record.inputs.push_back(side.record);
        input.inputs.push_back(std::move(side));
    };
    add(target);
    input.outputs = input.inputs;
    input.record.outputs = input.record.inputs;
    if (read) add(*read);
    for (const TensorRecord& each : input.record.inputs) addStorage(input, each, m_past.now());
    // What no name keeps, as a function's own tensors, has its elements with the refusal.
    for (MotionStorage& storage : input.storages)
        for (const TensorEntry* entry : {&target, read})
            if (entry && !storage.before.defined()) takeElements(storage, entry->tensor);
    return input;
}

} // namespace stridescope
