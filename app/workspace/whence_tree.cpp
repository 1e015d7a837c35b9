#include "app/workspace/whence_tree.h"

#include "app/workspace/replay.h"
#include "core/ops/operation_table.h"
#include "core/trace/code.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"

#include <QCoreApplication>

#include <algorithm>

namespace stridescope {

/// A source as it stands in the arithmetic.
struct WhenceTree::Part {
    PastElement element;
    QString label, number; ///< the label again where the number is not known
    bool known = true;
};

namespace {

/// Words of functions, which have no tr() of their own.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Whence)
};

/// "add" for "add" and "add_".
std::string plainNameOf(const OpRecord& record) {
    std::string name = record.name;
    if (name.size() > 1 && name.back() == '_') name.pop_back();
    return name;
}

bool isPointwise(const OpRecord& record) {
    const Operation* operation = findOperation(plainNameOf(record));
    return operation && operation->family == OpFamily::Pointwise;
}

bool isProduct(const OpRecord& record) {
    static constexpr const char* kProducts[] = {"matmul", "mm", "bmm", "mv", "dot"};
    return std::any_of(std::begin(kProducts), std::end(kProducts),
                       [&](const char* name) { return record.name == name; });
}

/// The `k`th coord of a box in reading order.
Dims coordIn(const SourceBox& box, Index k) {
    Dims coord = box.start;
    for (std::size_t d = coord.size(); d-- > 0; k /= box.length[d]) coord[d] += k % box.length[d];
    return coord;
}

/// "a + b + c + … 97 more".
QString joined(const QStringList& terms, const QString& between, Index more) {
    QString text = terms.join(between);
    if (more > 0) text += between + Words::tr("… %L1 more").arg(more);
    return text;
}

/// The words and the numbers of one operation have the same form; `terms` are either.
QString formOf(const OpRecord& record, SourceKind kind, const QStringList& terms, Index more) {
    const std::string name = plainNameOf(record);
    if (kind == SourceKind::All && name == "sum") return joined(terms, QStringLiteral(" + "), more);
    if (kind == SourceKind::All && name == "prod") return joined(terms, QStringLiteral(" × "), more);
    QString arguments = QString::fromStdString(record.arguments);
    if (kind == SourceKind::Each && isPointwise(record)) {
        OpRecord plain = record;
        plain.name = name;
        std::vector<std::string> names;
        for (const QString& term : terms) names.push_back(term.toStdString());
        const QString text = QString::fromStdString(code::expression(plain, names));
        // An operator; a method of a number would be none.
        if (!text.contains(QLatin1Char('.') + QString::fromStdString(name) + QLatin1Char('('))) return text;
        if (arguments.contains(QLatin1Char('{'))) arguments.clear();
        const QString extra = arguments.isEmpty() ? QString() : QStringLiteral(", ") + arguments;
        return QString::fromStdString(name) + QLatin1Char('(') + terms.join(QStringLiteral(", ")) + extra +
               QLatin1Char(')');
    }
    return QString::fromStdString(name) + QLatin1Char('(') + joined(terms, QStringLiteral(", "), more) +
           QLatin1Char(')');
}

} // namespace

QString WhenceTree::codeOf(const OpRecord& record, PastMoment at, int depth) const {
    constexpr int kNested = 3;
    std::vector<std::string> names;
    for (const TensorRecord& input : record.inputs) {
        std::string name = "…";
        Dims found;
        const PastElement first{input, Dims(input.view.shape.size(), 0)};
        const bool empty = std::count(input.view.shape.begin(), input.view.shape.end(), 0) > 0;
        const TensorEntry* entry = empty ? nullptr : m_past.entryOf(first, at.step, found);
        if (entry && entry->tensor.view() == input.view) {
            name = entry->name.toStdString();
        } else if (const auto view = depth < kNested ? m_past.viewMadeBy(input, {}, at) : std::nullopt) {
            name = codeOf(recordAt(*view), *view, depth + 1).toStdString();
        } else if (!empty && depth < kNested) {
            const Past::Writer writer = m_past.writerOf(first, at);
            const bool whole = writer.kind == Past::Writer::Kind::Operation &&
                               recordAt(writer.at).effect == OpEffect::Alloc &&
                               recordAt(writer.at).outputs[writer.element.output].view == input.view;
            if (whole) name = codeOf(recordAt(writer.at), writer.at, depth + 1).toStdString();
        }
        names.push_back(code::operand(name));
    }
    return QString::fromStdString(code::expression(record, names));
}

QString WhenceTree::labelOf(const PastElement& element, std::size_t step) const {
    Dims coord;
    if (const TensorEntry* entry = m_past.entryOf(element, step, coord)) return entry->name + coordText(coord);
    const Past::Writer writer = m_past.writerOf(element, {std::min(step + 1, m_past.steps().size()), 0});
    if (writer.kind != Past::Writer::Kind::Operation) return QStringLiteral("(…)") + coordText(element.coord);
    const OpRecord& record = recordAt(writer.at);
    QString code = codeOf(record, writer.at);
    if (code.size() > 40) code = QString::fromStdString(record.name) + QStringLiteral("(…)");
    return QLatin1Char('(') + code + QLatin1Char(')') + coordText(writer.element.coord);
}

std::optional<PastValue> WhenceTree::replayed(const OpRecord& record, const WrittenElement& element, PastMoment at,
                                              int depth) {
    if (++m_replays > kReplays || record.outputs.size() != 1) return std::nullopt;
    if (record.inputs.empty()) return createdAgain(record, element.coord);
    const Sources sources = sourcesOf(record, element.output, element.coord);
    if (const auto coord = chosenByIndices(record, sources, at, depth)) {
        const auto value = valueOf({record.inputs[0], *coord}, at, depth + 1);
        if (!value || value->dtype == record.outputs[0].dtype) return value;
    }
    const bool moved = sources.kind == SourceKind::Each && sources.boxes.size() == 1 && !isPointwise(record);
    const bool computed = sources.kind == SourceKind::All || sources.kind == SourceKind::Each ||
                          (sources.kind == SourceKind::Chosen && sources.boxes.size() == 1);
    if (!computed) return std::nullopt;
    std::vector<ReplayInput> inputs;
    for (const SourceBox& box : sources.boxes) {
        const Index count = box.numel();
        if (count > kReplayed || (!moved && box.input != inputs.size())) return std::nullopt;
        ReplayInput input{box.length, record.inputs[box.input].dtype, {}};
        for (Index k = 0; k < count; ++k) {
            const auto value = valueOf({record.inputs[box.input], coordIn(box, k)}, at, depth + 1);
            if (!value) return std::nullopt;
            input.values.push_back(*value);
        }
        inputs.push_back(std::move(input));
    }
    if (moved && inputs[0].dtype == record.outputs[0].dtype) return inputs[0].values[0];
    if (moved || inputs.size() != record.inputs.size()) return std::nullopt;
    return replay(record, inputs);
}

std::optional<PastValue> WhenceTree::valueOf(const PastElement& element, PastMoment when, int depth) {
    if (auto value = m_past.valueOf(element, when)) return value;
    if (depth > kDeepest) return std::nullopt;
    const Past::Writer writer = m_past.writerOf(element, when);
    if (writer.kind != Past::Writer::Kind::Operation) return std::nullopt;
    const OpRecord& record = recordAt(writer.at);
    // Written as another dtype: those bytes are not these.
    if (record.outputs[writer.element.output].dtype != element.tensor.dtype) return std::nullopt;
    return replayed(record, writer.element, writer.at, depth);
}

QString WhenceTree::valueText(const PastElement& element, PastMoment when) {
    const auto value = valueOf(element, when);
    return value ? value->text() : QString();
}

WhenceTree::Part WhenceTree::partOf(const OpRecord& record, std::size_t input, const Dims& coord, PastMoment at) {
    const PastElement element{record.inputs[input], coord};
    const QString label = labelOf(element, at.step), number = valueText(element, at);
    return {element, label, number.isEmpty() ? label : number, !number.isEmpty()};
}

std::vector<WhenceTree::Part> WhenceTree::partsOf(const OpRecord& record, const SourceBox& box, PastMoment at,
                                                  Index most) {
    std::vector<Part> parts;
    for (Index k = 0; k < std::min(box.numel(), most); ++k)
        parts.push_back(partOf(record, box.input, coordIn(box, k), at));
    return parts;
}

void WhenceTree::addSources(Whence& whence, const OpRecord& record, const Sources& sources, PastMoment at, int depth) {
    Index all = 0;
    for (const SourceBox& box : sources.boxes) all += box.numel();
    const Index most =
        depth >= kDeepest ? 0
                          : std::max<Index>(1, kSources / std::max<Index>(1, static_cast<Index>(sources.boxes.size())));
    for (const SourceBox& box : sources.boxes) {
        for (Index k = 0; k < std::min(box.numel(), most) && m_elements < kElements; ++k)
            whence.sources.push_back(node({record.inputs[box.input], coordIn(box, k)}, at, depth + 1));
    }
    whence.more = all - static_cast<Index>(whence.sources.size());
}

void WhenceTree::byOperation(Whence& whence, const QString& label, const OpRecord& record,
                             const WrittenElement& element, PastMoment at, int depth) {
    Sources sources = sourcesOf(record, element.output, element.coord);
    const auto equal = equalOnes(record, sources, element, at, depth);
    if (equal) sources = *equal;
    if (byIndices(whence, label, record, sources, at, depth)) return;
    const QString code = codeOf(record, at);
    const QString is = QStringLiteral(" = ");
    if (record.name == "fill_" && record.inputs.size() == 1) {
        whence.text = label + is + QString::fromStdString(record.arguments);
        whence.note = code;
        return;
    }
    if (sources.kind == SourceKind::Made || sources.kind == SourceKind::Mixed) {
        whence.text = label + is + code;
        if (sources.kind == SourceKind::Mixed) {
            QStringList names;
            for (const SourceBox& box : sources.boxes)
                names << labelOf({record.inputs[box.input], box.start}, at.step).section(QLatin1Char('['), 0, 0);
            names.removeDuplicates();
            whence.note =
                Words::tr("which elements of %1 had a part is not recorded").arg(names.join(QStringLiteral(", ")));
            return;
        }
        return;
    }
    QStringList words, numbers;
    Index more = 0;
    bool known = false; // any of the numbers
    const auto addNumbers = [&](const QString& form) {
        if (!known) return; // the words say all that there is to say
        whence.numbers += (whence.numbers.isEmpty() ? QString() : is) + form;
    };
    if (isProduct(record) && sources.boxes.size() == 2) {
        const auto left = partsOf(record, sources.boxes[0], at, kTerms),
                   right = partsOf(record, sources.boxes[1], at, kTerms);
        for (std::size_t k = 0; k < left.size(); ++k) {
            words << left[k].label + QStringLiteral(" · ") + right[k].label;
            numbers << left[k].number + QStringLiteral(" · ") + right[k].number;
            known |= left[k].known || right[k].known;
        }
        more = sources.boxes[0].numel() - static_cast<Index>(left.size());
        whence.text = label + is + joined(words, QStringLiteral(" + "), more);
        addNumbers(joined(numbers, QStringLiteral(" + "), more));
    } else {
        for (const SourceBox& box : sources.boxes) {
            const auto parts = partsOf(record, box, at, equal ? kTerms - words.size() : kTerms);
            for (const Part& part : parts) {
                words << part.label;
                numbers << part.number;
                known |= part.known;
            }
            more += box.numel() - static_cast<Index>(parts.size());
        }
        const bool moved = sources.kind == SourceKind::Each && words.size() == 1 && !isPointwise(record);
        if (moved) {
            whence.text = label + is + words[0];
            whence.note = code;
        } else {
            whence.text = label + is + formOf(record, sources.kind, words, more);
            addNumbers(formOf(record, sources.kind, numbers, more));
            if (equal)
                whence.note = Words::tr("the elements that are equal to it: %1").arg(code);
            else if (sources.kind == SourceKind::Chosen)
                whence.note = Words::tr("one of these, chosen by their values: %1").arg(code);
        }
    }
    addSources(whence, record, sources, at, depth);
}

Whence WhenceTree::node(const PastElement& asked, PastMoment when, int depth) {
    ++m_elements;
    Whence whence;
    const QString label = labelOf(asked, when.step);
    PastElement element = asked;
    whence.numbers = valueText(element, when);
    QStringList notes;
    if (whence.numbers.isEmpty()) notes << Words::tr("its value was not kept");
    Dims coord;
    if (const TensorEntry* entry = m_past.entryNow(element, coord)) {
        const quint64 storage = entry->tensor.storage()->id();
        whence.pick = Pick{storage, entry->tensor.view().slot(coord), entry->id, coord};
        // The bytes that are read beyond the end of a file are no value.
        if (depth == 0 && shorterFile(entry->tensor) && !CellValues(entry->tensor).holds(whence.pick->slot))
            whence.numbers = Words::tr("gone");
        if (m_past.isWrittenAfter(element, when)) notes << Words::tr("then; written to later");
    } else {
        notes << (m_past.entryOf(element, when.step, coord) ? Words::tr("gone") : Words::tr("had no name"));
    }
    const Past::Writer writer = m_past.writerOf(element, when);
    const auto& steps = m_past.steps();
    const bool byOperationOf = writer.kind == Past::Writer::Kind::Operation;
    const PastMoment after = byOperationOf ? PastMoment{writer.at.step, writer.at.record + 1} : PastMoment{};
    using Kind = Past::Writer::Kind;
    while (const auto made = m_past.viewMadeBy(element.tensor, after, when)) {
        const OpRecord& record = recordAt(*made);
        std::size_t output = 0;
        while (output + 1 < record.outputs.size() && record.outputs[output].view != element.tensor.view) ++output;
        const Sources sources = sourcesOf(record, output, element.coord);
        if (sources.kind != SourceKind::Same || sources.boxes.size() != 1) break;
        const PastElement same{record.inputs[sources.boxes[0].input], sources.boxes[0].start};
        const QString under = labelOf(same, made->step);
        if (under == label) { // a view that has no name: nothing new
            element = same;
            when = *made;
            continue;
        }
        whence.text = label + QStringLiteral(" = ") + under;
        notes.prepend(Words::tr("the same cell: %1").arg(codeOf(record, *made)));
        addSources(whence, record, sources, *made, depth);
        whence.note = notes.join(QStringLiteral(" · "));
        return whence;
    }
    switch (writer.kind) {
    case Kind::Operation:
        byOperation(whence, label, recordAt(writer.at), writer.element, writer.at, depth);
        break;
    case Kind::Unrecorded:
        whence.text = label;
        notes << Words::tr("written by \"%1\", which recorded no operation (NumPy does not)")
                     .arg(steps[writer.at.step].code.section(QLatin1Char('\n'), 0, 0));
        break;
    case Kind::Forgotten:
        whence.text = label;
        notes << Words::tr("the operations of \"%1\" were too many to keep")
                     .arg(steps[writer.at.step].code.section(QLatin1Char('\n'), 0, 0));
        break;
    case Kind::TakenIn:
        whence.text = label;
        notes << Words::tr("came with \"%1\"").arg(steps[writer.at.step].code.section(QLatin1Char('\n'), 0, 0));
        break;
    case Kind::Before:
        whence.text = label;
        notes << Words::tr("older than the history");
        break;
    }
    if (!whence.note.isEmpty()) notes.prepend(whence.note);
    whence.note = notes.join(QStringLiteral(" · "));
    return whence;
}

} // namespace stridescope
