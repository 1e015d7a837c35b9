#include "widgets/panels/tensor_tree_model.h"

#include "widgets/model/origin_words.h"
#include "widgets/model/words.h"

#include <QRegularExpression>

#include <unordered_map>

namespace stridescope {

struct TensorTreeModel::Node {
    Node* parent = nullptr;
    int row = 0;
    const StorageEntry* storage = nullptr; // storage rows
    const TensorEntry* tensor = nullptr;   // tensor rows; neither: what was refused
    std::vector<std::unique_ptr<Node>> children;

    Node* add() {
        children.push_back(std::make_unique<Node>());
        children.back()->parent = this;
        children.back()->row = static_cast<int>(children.size()) - 1;
        return children.back().get();
    }
};

QString relationWord(const WorkspaceSnapshot& snapshot, const TensorEntry& entry) {
    if (entry.origin != Origin::View) return originText(entry.origin, snapshot.tensor(entry.parent));
    // The last method called says it best: "A.narrow(1, 1, 2)" -> narrow, "A[0]" -> index. Its arguments may have calls
    // of their own.
    if (entry.code.endsWith(QLatin1Char(']'))) return QStringLiteral("index");
    if (!entry.code.endsWith(QLatin1Char(')'))) return originWord(Origin::View);
    qsizetype open = entry.code.size() - 1;
    for (int depth = 0; open >= 0; --open) {
        const QChar c = entry.code[open];
        depth += c == QLatin1Char(')') ? 1 : c == QLatin1Char('(') ? -1 : 0;
        if (depth == 0) break;
    }
    static const QRegularExpression method(QStringLiteral("\\.([a-z_]+)$"));
    const QRegularExpressionMatch match = method.match(entry.code.left(open));
    return match.hasMatch() ? match.captured(1) : originWord(Origin::View);
}

TensorTreeModel::TensorTreeModel(WorkspaceModel* workspace, QObject* parent)
    : QAbstractItemModel(parent), m_workspace(workspace), m_root(std::make_unique<Node>()) {
    connect(m_workspace, &WorkspaceModel::snapshotChanged, this, &TensorTreeModel::rebuild);
    rebuild();
}

TensorTreeModel::~TensorTreeModel() = default;

void TensorTreeModel::setFilter(const QString& text) {
    if (text == m_filter) return;
    m_filter = text;
    rebuild();
}

void TensorTreeModel::setAttempt(TensorId under, const QString& code) {
    if (under == m_attemptUnder && code == m_attempt) return;
    m_attemptUnder = under;
    m_attempt = code;
    rebuild();
}

bool TensorTreeModel::matches(const TensorEntry& entry) const {
    if (m_filter.isEmpty()) return true;
    const QString shape = shapeText(entry.tensor.shape());
    return entry.name.contains(m_filter, Qt::CaseInsensitive) || entry.code.contains(m_filter, Qt::CaseInsensitive) ||
           shape.contains(m_filter) || dtypeText(entry.tensor.dtype()).contains(m_filter);
}

void TensorTreeModel::rebuild() {
    beginResetModel();
    m_snapshot = m_workspace->snapshot();
    m_root = std::make_unique<Node>();
    // Ancestors of a match stay visible, so mark from the children up (parents come first in the list).
    std::unordered_map<TensorId, bool> visible;
    for (auto it = m_snapshot->tensors.rbegin(); it != m_snapshot->tensors.rend(); ++it) {
        if (matches(*it)) visible[it->id] = true;
        if (visible[it->id] && it->parent) visible[it->parent] = true;
    }
    std::unordered_map<quint64, Node*> storageNodes;
    for (const StorageEntry& storage : m_snapshot->storages) {
        bool any = m_filter.isEmpty();
        for (const TensorEntry* entry : m_snapshot->tensorsOn(storage.storageId)) any = any || visible[entry->id];
        if (!any) continue;
        Node* node = m_root->add();
        node->storage = &storage;
        storageNodes[storage.storageId] = node;
    }
    std::unordered_map<TensorId, Node*> tensorNodes;
    for (const TensorEntry& entry : m_snapshot->tensors) {
        if (!visible[entry.id]) continue;
        const quint64 storageId = entry.tensor.storage()->id();
        const TensorEntry* parent = m_snapshot->tensor(entry.parent);
        const bool sameStorage = parent && parent->tensor.storage()->id() == storageId;
        const auto parentNode = tensorNodes.find(entry.parent);
        Node* under = sameStorage && parentNode != tensorNodes.end() ? parentNode->second : storageNodes[storageId];
        if (!under) continue;
        Node* node = under->add();
        node->tensor = &entry;
        tensorNodes[entry.id] = node;
    }
    const auto asked = tensorNodes.find(m_attemptUnder);
    if (!m_attempt.isEmpty() && asked != tensorNodes.end()) asked->second->add();
    endResetModel();
}

TensorTreeModel::Node* TensorTreeModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : m_root.get();
}

QModelIndex TensorTreeModel::indexOf(TensorId tensor) const {
    std::vector<Node*> stack{m_root.get()};
    while (!stack.empty()) {
        Node* node = stack.back();
        stack.pop_back();
        if (node->tensor && node->tensor->id == tensor) return createIndex(node->row, 0, node);
        for (const auto& child : node->children) stack.push_back(child.get());
    }
    return {};
}

QModelIndex TensorTreeModel::index(int row, int column, const QModelIndex& parent) const {
    const Node* node = nodeOf(parent);
    if (column != 0 || row < 0 || row >= static_cast<int>(node->children.size())) return {};
    return createIndex(row, 0, node->children[static_cast<std::size_t>(row)].get());
}

QModelIndex TensorTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    Node* parent = nodeOf(child)->parent;
    return parent && parent != m_root.get() ? createIndex(parent->row, 0, parent) : QModelIndex();
}

int TensorTreeModel::rowCount(const QModelIndex& parent) const {
    return static_cast<int>(nodeOf(parent)->children.size());
}

int TensorTreeModel::columnCount(const QModelIndex&) const {
    return 1;
}

QVariant TensorTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Node* node = nodeOf(index);
    if (node->storage) {
        const std::vector<const TensorEntry*> tensors = m_snapshot->tensorsOn(node->storage->storageId);
        const QString detail =
            tensors.empty() ? QString() : storageText(*node->storage, *tensors.front()->tensor.storage());
        switch (role) {
        case Qt::DisplayRole:
            return tr("storage #%1").arg(node->storage->number);
        case Qt::AccessibleTextRole:
            return tr("storage %1, %2").arg(node->storage->number).arg(detail);
        case Qt::ToolTipRole:
            return node->storage->origin.isEmpty() ? detail : node->storage->origin;
        case DetailRole:
            return detail;
        case StorageIdRole:
            return node->storage->storageId;
        case TensorIdRole:
            return TensorId{0};
        default:
            return {};
        }
    }
    if (!node->tensor) {
        switch (role) {
        case Qt::DisplayRole:
            return m_attempt;
        case Qt::AccessibleTextRole:
            return tr("%1, refused, not made").arg(m_attempt);
        case Qt::ToolTipRole:
            return tr("%1 was refused: nothing was made").arg(m_attempt);
        case RelationRole:
            return tr("not made");
        case TensorIdRole:
            return TensorId{0};
        case AttemptRole:
            return true;
        default:
            return {};
        }
    }
    const TensorEntry& entry = *node->tensor;
    switch (role) {
    case Qt::DisplayRole:
        return entry.name;
    case Qt::AccessibleTextRole:
        return tr("%1, %2, size %3, %4%5")
            .arg(entry.name, relationWord(*m_snapshot, entry), shapeText(entry.tensor.shape()),
                 dtypeText(entry.tensor.dtype()), entry.onStage ? QString() : tr(", hidden"));
    case Qt::ToolTipRole:
        return tr("%1 = %2, size %3").arg(entry.name, entry.code, shapeText(entry.tensor.shape()));
    case DetailRole:
        return shapeText(entry.tensor.shape());
    case RelationRole:
        return relationWord(*m_snapshot, entry);
    case ColourRole:
        return entry.colour;
    case LetterRole:
        return entry.letter;
    case OnStageRole:
        return entry.onStage;
    case TensorIdRole:
        return entry.id;
    case StorageIdRole:
        return quint64{entry.tensor.storage()->id()};
    default:
        return {};
    }
}

} // namespace stridescope
