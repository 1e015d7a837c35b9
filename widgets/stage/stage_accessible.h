#pragma once
// The stage for screen readers: every card is a table of the last two dims, the strip is a table of one row per row of
// cells. Cells are made when they are asked for; a storage of 10^9 elements costs nothing until then.

#include "widgets/stage/explore_stage.h"

#include <QAccessibleWidget>
#include <QHash>

namespace stridescope {

/// Registers the factory; called once by the stage's constructor.
void installStageAccessibility();

class StageTable;

class StageAccessible : public QAccessibleWidget {
public:
    explicit StageAccessible(ExploreStage* stage);
    ~StageAccessible() override;

    ExploreStage* stage() const;
    /// Cards from the left, then the selected tensor's strip.
    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    QString text(QAccessible::Text kind) const override;

    /// Drops what was made: the snapshot changed.
    void clear();
    /// The cell of the shown pick, made if needed; nullptr without one.
    QAccessibleInterface* pickedCell() const;

private:
    StageTable* table(TensorId tensor) const;
    mutable QHash<TensorId, StageTable*> m_tables; ///< 0 is the strip
};

/// A card or the strip.
class StageTable : public QAccessibleInterface, public QAccessibleTableInterface {
public:
    StageTable(const StageAccessible* owner, TensorId tensor) : m_owner(owner), m_tensor(tensor) {}
    virtual ~StageTable();

    TensorId tensor() const { return m_tensor; }
    const StageAccessible* owner() const { return m_owner; }
    /// Coord of a cell in the tensor, outer dims as the card shows them; the strip's has the slot as its only index.
    Dims coordAt(int row, int column) const;
    bool isStrip() const { return m_tensor == 0; }
    QRect cellRect(int row, int column) const;

    // QAccessibleInterface
    bool isValid() const override;
    QObject* object() const override { return nullptr; }
    QWindow* window() const override;
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int index) const override;
    int childCount() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override;
    QAccessible::Role role() const override { return QAccessible::Table; }
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override;

    // QAccessibleTableInterface
    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override;
    int selectedCellCount() const override;
    QList<QAccessibleInterface*> selectedCells() const override;
    QString columnDescription(int column) const override;
    QString rowDescription(int row) const override;
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    int columnCount() const override;
    int rowCount() const override;
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    const TensorEntry* entry() const;

    const StageAccessible* m_owner;
    TensorId m_tensor;
    mutable QHash<qint64, QAccessible::Id> m_cells; ///< by row << 32 | column
};

} // namespace stridescope
