#include "app/workspace/refused_group.h"

#include "app/workspace/refused_line.h"
#include "core/error.h"
#include "core/expr/evaluator.h"
#include "core/view/broadcast.h"
#include "widgets/broadcast/snapshot_environment.h"
#include "widgets/card/draw.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace stridescope {

namespace {

using refused::asReceiver;
using refused::isList;
using refused::Node;
using refused::NodeKind;
using refused::RefusedLine;

constexpr std::size_t kMost = 3;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

QString resultText(const Dims& shape) {
    return QStringLiteral("result ") + tupleText(shape);
}

bool isTorch(const Node& node) {
    return node.kind == NodeKind::Name && node.text == "torch";
}

/// An operand as it could stand in the line, and its sizes.
struct Operand {
    const Node* node = nullptr;
    QString text;
    Dims shape;
};

Operand transposed(Operand operand) {
    const std::size_t n = operand.shape.size();
    operand.text += n == 2 ? QStringLiteral(".t()") : QStringLiteral(".transpose(-2, -1)");
    std::swap(operand.shape[n - 2], operand.shape[n - 1]);
    return operand;
}
Operand narrowed(Operand operand, std::size_t dim, Index size) {
    operand.text += QStringLiteral(".narrow(%1, 0, %2)").arg(static_cast<qulonglong>(dim)).arg(size);
    operand.shape[dim] = size;
    return operand;
}
Operand unsqueezed(Operand operand, std::size_t dim) {
    operand.text += QStringLiteral(".unsqueeze(%1)").arg(static_cast<qulonglong>(dim));
    operand.shape.insert(dim, 1);
    return operand;
}

/// Sizes of a product, nothing where the operands do not fit. `name` is "matmul" for the sign.
std::optional<Dims> productShape(std::string_view name, const Dims& a, const Dims& b) {
    const std::size_t n = a.size(), m = b.size();
    const bool ranks = name == "mm"    ? n == 2 && m == 2
                       : name == "mv"  ? n == 2 && m == 1
                       : name == "dot" ? n == 1 && m == 1
                       : name == "bmm" ? n == 3 && m == 3 && a[0] == b[0]
                                       : n > 0 && m > 0;
    if (!ranks || a.back() != (m > 1 ? b[m - 2] : b[0])) return std::nullopt;
    const auto batch = [](const Dims& all) {
        return Dims(std::span<const Index>(all.begin(), all.size() > 2 ? all.size() - 2 : 0));
    };
    const auto batches = broadcastShapes(batch(a), batch(b));
    if (!batches) return std::nullopt;
    Dims shape = *batches;
    if (n > 1) shape.push_back(a[n - 2]);
    if (m > 1) shape.push_back(b[m - 1]);
    return shape;
}

/// Sizes of what cat (`stacks`: stack) makes, nothing where the operands do not fit.
std::optional<Dims> joinedShape(const std::vector<Dims>& shapes, Index dim, bool stacks) {
    const Dims& first = shapes.front();
    const auto rank = static_cast<Index>(first.size()) + (stacks ? 1 : 0);
    const Index at = dim < 0 ? dim + rank : dim;
    if (at < 0 || at >= rank) return std::nullopt;
    Dims result = first;
    if (stacks) result.insert(static_cast<std::size_t>(at), 0);
    Index& along = result[static_cast<std::size_t>(at)];
    along = 0;
    for (const Dims& shape : shapes) {
        if (shape.size() != first.size()) return std::nullopt;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (shape[d] != first[d] && (stacks || static_cast<Index>(d) != at)) return std::nullopt;
        along += stacks ? 1 : shape[static_cast<std::size_t>(at)];
    }
    return result;
}

class Finder {
public:
    Finder(const WorkspaceSnapshot& snapshot, const QString& line)
        : m_environment(snapshot), m_source(line.toStdString()), m_line(line) {}

    RefusedGroup find(RefusedSizes kind) {
        if (!m_line.value()) return {};
        if (kind == RefusedSizes::Product) walk(*m_line.value(), [this](const Node& node) { return product(node); });
        if (kind == RefusedSizes::Join) walk(*m_line.value(), [this](const Node& node) { return join(node); });
        if (kind == RefusedSizes::Write) write();
        if (m_group.ways.size() > kMost) m_group.ways.resize(kMost);
        return std::move(m_group);
    }

private:
    /// Operands come before what is made of them: the first that does not fit was refused.
    static bool walk(const Node& node, const std::function<bool(const Node&)>& isIt) {
        for (const Node& child : node.children)
            if (walk(child, isIt)) return true;
        return isIt(node);
    }
    std::optional<Operand> operand(const Node& node) {
        expr::Statement statement;
        statement.begin = node.begin;
        statement.end = node.end;
        statement.value = node;
        try {
            expr::Evaluator evaluator(m_environment, {.dryRun = true});
            const expr::Value value = evaluator.execute(statement, m_source);
            const auto* tensor = value.as<expr::TensorValue>();
            if (tensor) return Operand{&node, m_line.text(node), tensor->tensor.shape()};
        } catch (const Error&) {
            // What cannot be said without carrying it out has no sizes to show.
        }
        return std::nullopt;
    }
    void add(const QString& code, const QString& why) { m_group.ways.push_back({code, why}); }

    bool product(const Node& node) {
        const Node *left = nullptr, *right = nullptr;
        std::string name = "matmul";
        if (node.kind == NodeKind::Binary && node.text == "@") {
            left = &node.children[0];
            right = &node.children[1];
        } else if (node.kind == NodeKind::Call && node.children[0].kind == NodeKind::Attribute) {
            const Node& callee = node.children[0];
            name = callee.text;
            const bool ofTorch = isTorch(callee.children[0]);
            if (!isOneOf(name, {"matmul", "mm", "mv", "dot", "bmm"}) || node.children.size() < (ofTorch ? 3U : 2U))
                return false;
            left = ofTorch ? &node.children[1] : &callee.children[0];
            right = ofTorch ? &node.children[2] : &node.children[1];
        }
        if (!left) return false;
        const auto a = operand(*left), b = operand(*right);
        if (!a || !b || productShape(name, a->shape, b->shape)) return false;
        m_group.operands = {{a->text, a->shape}, {b->text, b->shape}};
        Operand first = *a, second = *b;
        first.text = asReceiver(*left, first.text);
        second.text = asReceiver(*right, second.text);
        offerProduct(name, first, second);
        return true;
    }
    void offerProduct(const std::string& name, const Operand& a, const Operand& b) {
        const auto offer = [&](const Operand& x, const Operand& y, const QString& more = {}) {
            const auto shape = productShape(name, x.shape, y.shape);
            if (!shape) return;
            add(m_line.replaced({{a.node, x.text}, {b.node, y.text}}),
                QStringLiteral("%1 and %2 → %3%4")
                    .arg(tupleText(x.shape), tupleText(y.shape), resultText(*shape), more));
        };
        const std::size_t n = a.shape.size(), m = b.shape.size();
        if (m > 1) offer(a, transposed(b));
        if (n > 1) offer(transposed(a), b);
        offer(b, a, QStringLiteral("; the other way round"));
        if (n > 1 && m > 1) offer(transposed(a), transposed(b));
        if (m == 1) offer(a, unsqueezed(b, 1));
        if (n == 1) offer(unsqueezed(a, 0), b);
        if (n == 0 || m == 0) return;
        const std::size_t rows = m > 1 ? m - 2 : 0;
        const Index common = std::min(a.shape[n - 1], b.shape[rows]);
        const QString rest = QStringLiteral("; the rest is left out");
        if (a.shape[n - 1] > common) offer(narrowed(a, n - 1, common), b, rest);
        if (b.shape[rows] > common) offer(a, narrowed(b, rows, common), rest);
    }

    bool join(const Node& node) {
        if (node.kind != NodeKind::Call || node.children[0].kind != NodeKind::Attribute || node.children.size() < 2)
            return false;
        const std::string& name = node.children[0].text;
        const bool stacks = name == "stack";
        if (!stacks && !isOneOf(name, {"cat", "concat", "concatenate"})) return false;
        const Node& list = node.children[1];
        if (!isList(list) || list.children.size() < 2) return false;
        const Node* given = node.children.size() > 2 ? &node.children[2] : nullptr;
        if (given && given->kind != NodeKind::Integer) return false;
        const Index dim = given ? given->integer : 0;
        std::vector<Operand> operands;
        for (const Node& child : list.children) {
            auto found = operand(child);
            if (!found) return false;
            operands.push_back(*std::move(found));
        }
        if (joinedShape(shapesOf(operands), dim, stacks)) return false;
        for (Operand& each : operands) {
            m_group.operands.push_back({each.text, each.shape});
            each.text = asReceiver(*each.node, each.text);
        }
        const auto rank = static_cast<Index>(operands[0].shape.size());
        if (!stacks && dim < rank) m_group.dim = dim < 0 ? dim + rank : dim;
        offerJoin(operands, list, given, dim, stacks);
        return true;
    }
    static std::vector<Dims> shapesOf(const std::vector<Operand>& operands) {
        std::vector<Dims> shapes;
        for (const Operand& each : operands) shapes.push_back(each.shape);
        return shapes;
    }
    void offerJoin(const std::vector<Operand>& operands, const Node& list, const Node* given, Index dim, bool stacks) {
        const auto offer = [&](const std::vector<Operand>& changed, const QString& more = {}) {
            const auto shape = joinedShape(shapesOf(changed), dim, stacks);
            if (!shape) return;
            std::vector<std::pair<const Node*, QString>> parts;
            for (std::size_t i = 0; i < changed.size(); ++i)
                if (!(changed[i].shape == operands[i].shape)) parts.emplace_back(changed[i].node, changed[i].text);
            add(m_line.replaced(std::move(parts)), resultText(*shape) + more);
        };
        const auto rank = static_cast<Index>(operands[0].shape.size());
        for (Index other = 0; !stacks && other < rank; ++other) {
            const auto shape = joinedShape(shapesOf(operands), other, false);
            if (!shape) continue;
            const QString number = QString::number(other);
            add(given ? m_line.replaced(*given, number)
                      : m_line.replaced(list, m_line.text(list) + QStringLiteral(", ") + number),
                QStringLiteral("along dim %1 → %2").arg(number, resultText(*shape)));
        }
        for (std::size_t i = operands.size(); i-- > 0;) {
            std::vector<Operand> changed = operands;
            const std::size_t n = operands[i].shape.size();
            if (n == 2) {
                changed[i] = transposed(operands[i]);
                offer(changed);
            }
            for (std::size_t at = 0; at <= n; ++at) {
                changed[i] = unsqueezed(operands[i], at);
                offer(changed);
            }
        }
        // As much of each as all of them have.
        std::vector<Operand> changed = operands;
        const bool sameRank = std::all_of(operands.begin(), operands.end(), [rank](const Operand& each) {
            return static_cast<Index>(each.shape.size()) == rank;
        });
        const Index along = stacks ? -1 : dim < 0 ? dim + rank : dim;
        for (std::size_t d = 0; sameRank && d < static_cast<std::size_t>(rank); ++d) {
            if (static_cast<Index>(d) == along) continue;
            Index common = operands[0].shape[d];
            for (const Operand& each : operands) common = std::min(common, each.shape[d]);
            for (Operand& each : changed)
                if (each.shape[d] > common) each = narrowed(each, d, common);
        }
        if (sameRank) offer(changed, QStringLiteral("; the rest is left out"));
    }

    void write() {
        const Node* target = nullptr;
        const Node* given = nullptr;
        const Node& value = *m_line.value();
        if (m_line.stores()) {
            target = &m_line.statement().targets.front();
            given = &value;
        } else if (m_line.writes() && value.children.size() > 1) {
            target = &value.children[0].children[0];
            given = &value.children[1];
        }
        const auto into = target ? operand(*target) : std::nullopt;
        auto from = given ? operand(*given) : std::nullopt;
        if (!into || !from) return;
        m_group.operands = {{into->text, into->shape}, {from->text, from->shape}};
        offerNewTensor(*into, {from->node, asReceiver(*given, from->text), from->shape});
        // The part of it that fits.
        Operand part = *from;
        part.text = asReceiver(*given, part.text);
        QStringList first;
        while (part.shape.size() > into->shape.size() && part.shape[0] > 0) {
            first << QStringLiteral("0");
            part.shape.erase(0);
        }
        if (!first.isEmpty()) part.text += QStringLiteral("[%1]").arg(first.join(QStringLiteral(", ")));
        for (std::size_t d = 0; d < part.shape.size() && part.shape.size() <= into->shape.size(); ++d) {
            const Index size = into->shape[into->shape.size() - part.shape.size() + d];
            if (part.shape[d] > size) part = narrowed(part, d, size);
        }
        const auto shape = broadcastShapes(into->shape, part.shape);
        if (shape && *shape == into->shape)
            add(m_line.replaced(*given, part.text), QStringLiteral("%1 fits into %2; the rest is left out")
                                                        .arg(tupleText(part.shape), tupleText(into->shape)));
    }
    /// The same without writing: its result may be as large as it likes.
    void offerNewTensor(const Operand& into, const Operand& from) {
        const auto shape = broadcastShapes(into.shape, from.shape);
        if (!shape) return;
        QString code;
        if (m_line.augments()) {
            code = QStringLiteral("%1 %2 %3").arg(into.text, QString::fromStdString(m_line.statement().op), from.text);
        } else if (const QString call = m_line.call(); !m_line.stores() && !call.startsWith(QStringLiteral("copy_"))) {
            const qsizetype bracket = call.indexOf(QLatin1Char('('));
            code = into.text + QLatin1Char('.') + call.left(bracket - 1) + call.mid(bracket);
        }
        if (!code.isEmpty())
            add(code, QStringLiteral("a new tensor, %1; %2 stays as it is").arg(resultText(*shape), into.text));
    }

    SnapshotEnvironment m_environment;
    std::string m_source;
    RefusedLine m_line;
    RefusedGroup m_group;
};

} // namespace

RefusedGroup refusedGroup(const WorkspaceSnapshot& snapshot, const QString& line, const Refusal& refusal) {
    const RefusedSizes kind = refusedSizes(refusal);
    return kind == RefusedSizes::None ? RefusedGroup{} : Finder(snapshot, line).find(kind);
}

} // namespace stridescope
