#pragma once
// TensorTreeModel: storages, below each its tensors as a family tree (base, view, view of a view).

#include "widgets/model/workspace_model.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace stridescope {

class TensorTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role {
        TensorIdRole = Qt::UserRole + 1, ///< TensorId; 0 for storage rows
        StorageIdRole,                   ///< quint64
        DetailRole,                      ///< second line of a storage, shape of a tensor
        RelationRole,                    ///< "base", "view", "narrow", "copy of C"
        ColourRole,                      ///< 0 … 3 or -1
        LetterRole,                      ///< QChar on the badge
        OnStageRole,                     ///< bool
        AttemptRole,                     ///< bool: a line that was refused; no tensor
    };

    explicit TensorTreeModel(WorkspaceModel* workspace, QObject* parent = nullptr);
    ~TensorTreeModel() override;

    /// Rows whose name, code, shape or dtype contains `text` stay (with their ancestors).
    void setFilter(const QString& text);
    /// A row below `under` for what was asked of it and refused: "y.view(12)", "not made". Empty code: none.
    void setAttempt(TensorId under, const QString& code);
    QModelIndex indexOf(TensorId tensor) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Node;
    void rebuild();
    Node* nodeOf(const QModelIndex& index) const;
    bool matches(const TensorEntry& entry) const;

    WorkspaceModel* m_workspace;
    SnapshotPtr m_snapshot; ///< what the nodes point into
    std::unique_ptr<Node> m_root;
    QString m_filter;
    TensorId m_attemptUnder = 0;
    QString m_attempt;
};

/// "narrow" of "A.narrow(1, 1, 2)", "view", "base", "copy of C": how the tree names the relation to the parent.
QString relationWord(const WorkspaceSnapshot& snapshot, const TensorEntry& entry);

} // namespace stridescope
