#pragma once
// The stage for screen readers. Every grid on a card is a table (a card of three and more dims has one for each panel),
// every strip is a table of its rows. Cells are made when they are asked for: a storage of 10^9 elements costs nothing
// until then. The children of a table are its cells in sight; the table interface reaches all of them.

#include "widgets/shared/picture_table.h"
#include "widgets/stage/explore_stage.h"

#include <QAccessibleWidget>
#include <QHash>

namespace stridescope {

/// Registers the factory. Must run before anything can ask for the stage's interface: Qt keeps the first one it gets,
/// and naming a widget already asks for it when a screen reader is listening.
void installStageAccessibility();

class StageTable;
class CardLayout;
struct StripPlan;

/// Which grid a table stands for.
struct StageTableKey {
    TensorId tensor = 0;   ///< 0: the strip of storageId
    quint64 storageId = 0; ///< of a strip
    Dims outer;            ///< coord of the panel: rows and columns are 0
    friend bool operator==(const StageTableKey&, const StageTableKey&) = default;
};

class StageAccessible : public QAccessibleWidget {
public:
    explicit StageAccessible(ExploreStage* stage);
    ~StageAccessible() override;

    ExploreStage* stage() const;
    /// The grids of the cards from the left, then the strips from the top.
    std::vector<StageTableKey> keys() const;
    /// The grids, then the small fields and buttons that lie over the picture.
    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    /// The cell that keys act on, else the focused card or strip.
    QAccessibleInterface* focusChild() const override;
    QString text(QAccessible::Text kind) const override;

    /// Tells which grids came and went since the last call, and drops those that went.
    void sync();
    /// The cell of a pick, made if needed; nullptr when its grid is not on stage.
    QAccessibleInterface* cellOf(const std::optional<Pick>& pick) const;
    QAccessibleInterface* pickedCell() const;
    /// Pins the cell and takes the keyboard there, as a click does.
    void pick(const Pick& pick) const;

private:
    StageTable* table(const StageTableKey& key) const;
    mutable std::vector<std::pair<StageTableKey, QAccessible::Id>> m_tables;
    std::vector<StageTableKey> m_told; ///< what screen readers know of
};

/// One grid: a panel of a card, or a strip.
class StageTable : public QAccessibleInterface, public PictureTable {
public:
    StageTable(const StageAccessible* owner, StageTableKey key) : m_owner(owner), m_key(std::move(key)) {}
    virtual ~StageTable();

    const StageTableKey& key() const { return m_key; }
    const StageAccessible* owner() const { return m_owner; }
    const TensorEntry* entry() const;
    const StripPlan* strip() const;
    /// Of the card that the grid lies on: valid tables that are no strip.
    const CardLayout& card() const;
    bool isStrip() const { return m_key.tensor == 0; }
    /// Coord of a cell in the tensor; the strip's has the slot as its only index.
    Dims coordAt(int row, int column) const;
    QRect cellRect(int row, int column) const;
    /// The cell of a coord of this grid; nullptr when it belongs to another panel.
    QAccessibleInterface* cellOf(const Dims& coord) const;

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
    QAccessibleInterface* cellAt(int row, int column) const override;
    int selectedCellCount() const override;
    QList<QAccessibleInterface*> selectedCells() const override;
    QString columnDescription(int column) const override;
    QString rowDescription(int row) const override;
    int columnCount() const override;
    int rowCount() const override;

private:
    /// Rows and columns in sight, `cells` of them: the last row of a strip may be short.
    struct Window {
        Index firstRow = 0, rows = 0, firstColumn = 0, columns = 0, cells = 0;
        bool crowded() const;
    };
    Window inSight() const;
    bool entryIsEmpty() const;
    /// Dims that rows and columns count; -1: none.
    int rowDim() const;
    int columnDim() const;

    const StageAccessible* m_owner;
    StageTableKey m_key;
    mutable QHash<qint64, QAccessible::Id> m_cells; ///< by row << 32 | column
};

} // namespace stridescope
