#include "widgets/broadcast/broadcast_model.h"

#include "core/tensor/element.h"
#include "core/tensor/walk.h"
#include "widgets/broadcast/broadcast_mends.h"
#include "widgets/broadcast/snapshot_environment.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"
#include "widgets/scene/zoom_levels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace stridescope {

namespace {

constexpr std::size_t kMostOperands = 4;

using NodeText = std::function<QString(const expr::PointwiseNode&)>;

/// The line from `root` down with its leaves replaced. Signs, brackets and blanks stay as they were written; methods
/// become functions, for "9.0.sqrt()" reads badly; `module` stands before their names.
QString fromNode(const expr::PointwiseProgram& program, const expr::PointwiseNode& root, const NodeText& leafText,
                 const QString& module) {
    if (root.kind != expr::PointwiseNode::Kind::Operation) return leafText(root);
    QStringList parts;
    for (std::size_t i = 0; i < root.children.size(); ++i) {
        const QString text = fromNode(program, program.nodes[root.children[i]], leafText, module);
        const bool named = !root.keywords.empty() && !root.keywords[i].empty();
        parts << (named ? QString::fromStdString(root.keywords[i]) + QLatin1Char('=') + text : text);
    }
    if (root.symbol.empty()) {
        if (!root.options.empty()) parts << QString::fromStdString(root.options);
        return module + QString::fromStdString(root.name) + QLatin1Char('(') + parts.join(QStringLiteral(", ")) +
               QLatin1Char(')');
    }
    // -2 ** 2 is -(2 ** 2).
    if (root.symbol == "**" && parts[0].startsWith(QLatin1Char('-')))
        parts[0] = QLatin1Char('(') + parts[0] + QLatin1Char(')');
    const QByteArray code = QByteArray::fromStdString(program.code);
    const auto between = [&code](Index from, Index to) {
        return QString::fromUtf8(code.mid(static_cast<qsizetype>(from), static_cast<qsizetype>(to - from)));
    };
    QString text;
    Index at = root.begin;
    for (std::size_t i = 0; i < root.children.size(); ++i) {
        const expr::PointwiseNode& child = program.nodes[root.children[i]];
        text += between(at, child.begin) + parts[static_cast<qsizetype>(i)];
        at = child.end;
    }
    return text + between(at, root.end);
}

/// The whole line as fromNode() has it; of "a += b": "a + b".
QString outOfPlace(const expr::PointwiseProgram& program, const NodeText& leafText, const QString& module = {}) {
    QString text = fromNode(program, program.root(), leafText, module);
    if (!program.target || program.root().symbol.empty()) return text;
    const qsizetype sign = text.indexOf(QLatin1Char('='));
    return sign < 0 ? text : text.remove(sign, 1);
}

/// What copy_(), fill_() and zero_() are called with, and what x[0] = has on its right.
QString valueOf(const expr::PointwiseProgram& program, const NodeText& leafText, const QString& module = {}) {
    const auto& children = program.root().children;
    return children.empty() ? QString() : fromNode(program, program.nodes[children.front()], leafText, module);
}

/// "(a - b) ** 2" of "((a - b) ** 2)", for brackets belong to what they stand in.
QString withoutBrackets(const QString& code) {
    if (!code.startsWith(QLatin1Char('(')) || !code.endsWith(QLatin1Char(')'))) return code;
    int open = 0;
    for (qsizetype i = 0; i + 1 < code.size(); ++i) {
        if (code[i] == QLatin1Char('(')) ++open;
        if (code[i] == QLatin1Char(')') && --open == 0) return code;
    }
    return code.mid(1, code.size() - 2).trimmed();
}

} // namespace

QString elementText(Scalar value, DType dtype) {
    if (!value.isFloat() || dtype == DType::Float64 || !std::isfinite(value.toDouble()))
        return QString::fromStdString(toString(value));
    char digits[32];
    const auto written = std::to_chars(digits, digits + sizeof digits, value.to<float>());
    QString text = QString::fromLatin1(digits, static_cast<qsizetype>(written.ptr - digits));
    if (!text.contains(QLatin1Char('.')) && !text.contains(QLatin1Char('e'))) text += QStringLiteral(".0");
    return text;
}

namespace {

void giveColours(BroadcastModel& model, const WorkspaceSnapshot& snapshot) {
    std::array<bool, 4> taken{};
    const auto take = [&](BroadcastOperand& operand, int colour) {
        operand.colour = colour;
        taken[static_cast<std::size_t>(colour)] = true;
    };
    const auto letterOf = [](const QString& name) {
        return name.size() == 1 && name.front().isLetter() ? name.front() : QChar();
    };
    for (std::size_t i = 0; i < model.operands.size(); ++i) {
        const auto& from = model.program.operands[i];
        const TensorEntry* entry = from.isName ? snapshot.tensor(from.value.source) : nullptr;
        if (entry && entry->colour >= 0 && !taken[static_cast<std::size_t>(entry->colour)])
            take(model.operands[i], entry->colour);
        QChar letter = from.isName ? letterOf(model.operands[i].code) : QChar();
        if (letter.isNull() && entry) letter = entry->letter;
        // What has neither gets a number: a letter could be that of another tensor.
        model.operands[i].letter = letter.isNull() ? QChar(static_cast<char16_t>(u'1' + i)) : letter;
    }
    const auto free = [&taken] {
        for (int colour = 0; colour < 4; ++colour)
            if (!taken[static_cast<std::size_t>(colour)]) return colour;
        return -1;
    };
    for (BroadcastOperand& operand : model.operands)
        if (operand.colour < 0) take(operand, free());
    if (model.inPlace) {
        const BroadcastOperand& target = model.operands[*model.program.target];
        model.result.colour = target.colour;
        model.result.letter = target.letter;
        return;
    }
    if (const int colour = free(); colour >= 0) take(model.result, colour);
    model.result.letter = letterOf(model.resultName);
}

/// Bytes of the elements that are kept, those that several operands see once.
Index storedBytesOf(const std::vector<BroadcastOperand>& operands) {
    Index total = 0;
    std::vector<const Storage*> seen;
    for (const BroadcastOperand& first : operands) {
        const Storage* const storage = first.tensor.storage().get();
        if (std::find(seen.begin(), seen.end(), storage) != seen.end()) continue;
        seen.push_back(storage);
        Index elements = 0, counted = 0;
        for (const BroadcastOperand& each : operands) {
            if (each.tensor.storage().get() != storage) continue;
            elements += each.stored;
            ++counted;
        }
        constexpr Index kMostLooked = 1 << 16;
        if (counted > 1 && elements <= kMostLooked) {
            std::vector<Index> slots;
            for (const BroadcastOperand& each : operands)
                if (each.tensor.storage().get() == storage)
                    forEachSlot(each.tensor.view(), [&slots](Index slot) { slots.push_back(slot); });
            std::sort(slots.begin(), slots.end());
            elements = std::unique(slots.begin(), slots.end()) - slots.begin();
        } else if (counted > 1) {
            elements = std::min(elements, first.tensor.storageNumel());
        }
        total += elements * static_cast<Index>(first.tensor.itemSize());
    }
    return total;
}

std::size_t longestNumber(const BroadcastModel& model) {
    std::size_t longest = 0;
    const auto look = [&longest](const Tensor& tensor) {
        constexpr std::size_t kAny = 100;
        const CellValues values(tensor);
        if (!values.readable()) return;
        std::string text;
        forEachSlot(tensor.view(), [&](Index slot) {
            text.clear();
            if (values.holds(slot)) values.appendText(text, slot, kAny);
            longest = std::max(longest, text.size());
        });
    };
    if (model.ok() && model.numel() > kNumberedCells) return 0;
    for (const BroadcastOperand& operand : model.operands) {
        if (operand.tensor.numel() > kNumberedCells) return 0;
        look(operand.tensor);
    }
    if (model.ok() && model.program.computed) look(model.result.tensor);
    return std::max<std::size_t>(longest, 1);
}

void setConflict(BroadcastModel& model) {
    if (model.ok()) return;
    const auto* conflict = std::get_if<BroadcastConflict>(&model.program.refusal->detail);
    if (!conflict) return;
    // The refusal counts the dims of the two that met, which may be fewer than those of the whole line.
    const auto ndim = static_cast<Index>(std::max(conflict->first.size(), conflict->second.size()));
    model.conflictDim = conflict->dim + static_cast<Index>(model.shape.size()) - ndim;
}

} // namespace

bool BroadcastOperand::stretches() const {
    return std::any_of(match.begin(), match.end(), [](DimMatch m) { return m == DimMatch::Repeated; }) ||
           !(aligned.shape == stretched.shape);
}

bool BroadcastModel::overwrites() const {
    const std::string& name = program.root().name;
    return program.written && (name == "copy" || name == "fill" || name == "zero");
}

bool BroadcastModel::outputGrows() const {
    return !ok() && !std::holds_alternative<BroadcastConflict>(program.refusal->detail);
}

Index BroadcastModel::copiedBytes(const BroadcastOperand& operand) const {
    Index bytes = 0;
    return mulFits(numel(), static_cast<Index>(operand.tensor.itemSize()), bytes) ? bytes : kIndexMax;
}

bool BroadcastModel::failsAt(std::size_t dim) const {
    if (conflictDim) return *conflictDim == static_cast<Index>(dim);
    return outputGrows() && operands[*program.target].aligned.shape[dim] != shape[dim];
}

Index BroadcastModel::resultBytes() const {
    return result.tensor.defined() ? result.tensor.nbytes() : 0;
}

QString BroadcastModel::refusalText() const {
    if (ok()) return {};
    return QString::fromStdString(expr::exceptionName(*program.refusal) + ": " + program.refusal->message);
}

QString BroadcastModel::promotion() const {
    if (!ok()) return {};
    bool mixed = false;
    const DType out = result.tensor.dtype();
    QStringList words;
    using Kind = expr::PointwiseNode::Kind;
    // A condition picks elements; its dtype is nobody's.
    std::vector<bool> picks(program.nodes.size(), false);
    for (std::size_t i = program.nodes.size(); i-- > 0;) {
        const expr::PointwiseNode& node = program.nodes[i];
        for (std::size_t k = 0; k < node.children.size(); ++k)
            if (picks[i] || (node.name == "where" && k == 0) || (node.name == "masked_fill" && k == 1))
                picks[node.children[k]] = true;
    }
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {
        const expr::PointwiseNode& node = program.nodes[i];
        if (picks[i] || program.written == i) continue;
        QString word;
        if (node.kind == Kind::Operand) {
            word = dtypeText(node.value.dtype());
            mixed = mixed || node.value.dtype() != out;
        } else if (node.kind == Kind::Number && node.children.empty()) {
            word = node.number.isFloat() ? PaintedText::tr("a float") : PaintedText::tr("an int");
            mixed = mixed || (node.number.isFloat() && !isFloating(out));
        }
        if (!word.isEmpty() && !words.contains(word)) words << word;
    }
    if (!mixed) return {};
    return words.join(PaintedText::tr(" and ")) + QStringLiteral(" → ") + dtypeText(out);
}

QString BroadcastModel::expandedCode() const {
    const bool any = std::any_of(operands.begin(), operands.end(), [](const auto& each) { return each.stretches(); });
    if (!any || !ok()) return {};
    QString sizes = shapeText(shape);
    if (sizes.endsWith(QStringLiteral(",)"))) sizes.remove(sizes.size() - 2, 1);
    const NodeText leafText = [&](const expr::PointwiseNode& node) {
        if (node.kind == expr::PointwiseNode::Kind::Number) return elementText(node.number);
        const BroadcastOperand& operand = operands[node.operand];
        return operand.stretches() ? operand.code + QStringLiteral(".expand") + sizes : operand.code;
    };
    const QString module = QStringLiteral("torch.");
    if (overwrites())
        return QStringLiteral("%1.%2_(%3)")
            .arg(operands[*program.target].code, QString::fromStdString(program.root().name),
                 valueOf(program, leafText, module));
    QString code = outOfPlace(program, leafText, module);
    if (program.written && code.endsWith(QLatin1Char(')')))
        code.insert(code.size() - 1, QStringLiteral(", out=") + operands[*program.target].code);
    return code;
}

QString BroadcastModel::shapesText() const {
    const NodeText leafText = [](const expr::PointwiseNode& node) {
        return node.kind == expr::PointwiseNode::Kind::Number ? elementText(node.number)
                                                              : shapeText(node.value.shape());
    };
    if (!overwrites()) return outOfPlace(program, leafText);
    const QString target = shapeText(operands[*program.target].tensor.shape());
    return program.root().children.empty() ? target + QStringLiteral(".zero_()")
                                           : target + QStringLiteral(" ← ") + valueOf(program, leafText);
}

Dims BroadcastModel::coordOf(Index element) const {
    Dims coord(shape.size(), 0);
    for (std::size_t d = shape.size(); d-- > 0;) {
        coord[d] = element % shape[d];
        element /= shape[d];
    }
    return coord;
}

Index BroadcastModel::elementOf(const Dims& coord) const {
    Index element = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) element = element * shape[d] + coord[d];
    return element;
}

Index BroadcastModel::slotOf(const BroadcastOperand& operand, Index element) const {
    return operand.stretched.slot(coordOf(element));
}

QString BroadcastModel::arithmetic(Index element) const {
    if (!ok() || !program.computed) return {};
    const QString numbers = outOfPlace(program, [&](const expr::PointwiseNode& node) {
        if (node.kind == expr::PointwiseNode::Kind::Number) return elementText(node.number);
        const BroadcastOperand& operand = operands[node.operand];
        return elementText(readSlot(operand.tensor, slotOf(operand, element)), operand.tensor.dtype());
    });
    return numbers + QStringLiteral(" = ") + resultText(element);
}

QString BroadcastModel::resultText(Index element) const {
    if (!ok() || !program.computed) return {};
    const Dims coord = coordOf(element);
    return elementText(readElement(result.tensor, coord), result.tensor.dtype());
}

Result<BroadcastModel> broadcastModel(const WorkspaceSnapshot& snapshot, const QString& line, const QString& nextName) {
    SnapshotEnvironment environment(snapshot);
    auto program = expr::pointwiseProgram(line.toStdString(), environment);
    if (!program) return program.refusal();
    BroadcastModel model;
    model.program = *std::move(program);
    const auto& from = model.program.operands;
    if (from.size() > kMostOperands)
        return Refusal{ErrorKind::Value,
                       "EXPR-23",
                       "the picture has room for 4 tensors, this line has " + std::to_string(from.size()),
                       "Compute a part of it first, and give that a name.",
                       {}};
    std::vector<View> views;
    for (const expr::PointwiseOperand& operand : from) views.push_back(operand.value.tensor.view());
    auto alignment = alignViews(views);
    if (!alignment) return alignment.refusal();
    model.alignment = *std::move(alignment);
    model.shape = model.alignment.plan.shape;
    model.inPlace = model.program.target.has_value();
    const expr::PointwiseNode& root = model.program.root();
    model.resultName = model.program.inner               ? withoutBrackets(QString::fromStdString(model.program.code)
                                                                               .mid(static_cast<qsizetype>(root.begin),
                                                                                    static_cast<qsizetype>(root.end - root.begin)))
                       : !model.program.assigned.empty() ? QString::fromStdString(model.program.assigned)
                       : model.inPlace                   ? QString::fromStdString(from[*model.program.target].code)
                                                         : nextName;
    for (std::size_t i = 0; i < from.size(); ++i) {
        BroadcastOperand operand;
        operand.code = QString::fromStdString(from[i].code);
        operand.tensor = from[i].value.tensor;
        operand.aligned = model.alignment.views[i].aligned;
        operand.stretched = model.alignment.views[i].stretched;
        operand.match = model.alignment.plan.match[i];
        operand.stored = model.alignment.views[i].stored;
        if (const StorageEntry* storage = snapshot.storage(operand.tensor.storage()->id()))
            operand.storageNumber = storage->number;
        model.operands.push_back(std::move(operand));
    }
    model.storedBytes = storedBytesOf(model.operands);
    for (const expr::PointwiseNode& node : model.program.nodes)
        if (node.kind == expr::PointwiseNode::Kind::Operation && &node != &root && node.value.defined() &&
            !addFits(model.betweenBytes, node.value.nbytes(), model.betweenBytes))
            model.betweenBytes = kIndexMax;
    if (model.ok()) {
        model.result.tensor = model.program.root().value;
        model.result.aligned = model.result.stretched = model.result.tensor.view();
        model.result.stored = model.result.tensor.numel();
    }
    model.longest = longestNumber(model);
    model.result.code = model.resultName;
    giveColours(model, snapshot);
    if (model.inPlace) {
        model.result.storageNumber = model.operands[*model.program.target].storageNumber;
    } else {
        model.result.storageNumber = 1;
        for (const StorageEntry& storage : snapshot.storages)
            model.result.storageNumber = std::max(model.result.storageNumber, storage.number + 1);
    }
    setConflict(model);
    model.mends = broadcastMends(model, environment);
    if (model.ok() && model.operands.size() == 2 && !model.inPlace)
        model.counterexample = broadcastCounterexample(from[0].value.tensor.shape(), from[1].value.tensor.shape());
    return model;
}

} // namespace stridescope
