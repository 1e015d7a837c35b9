#include "widgets/stage/stage_accessible.h"

#include "widgets/card/draw.h"
#include "widgets/stage/explore_stage_p.h"
#include "widgets/stage/linking.h"
#include "widgets/stage/stage_text.h"

#include <QWindow>

#include <algorithm>
#include <limits>

namespace stridescope {

namespace {

constexpr Index kMostRows = std::numeric_limits<int>::max();

class StageCell : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    StageCell(const StageTable* owner, int row, int column) : m_table(owner), m_row(row), m_column(column) {}

    bool isValid() const override {
        return m_table->isValid() && m_row < m_table->rowCount() && m_column < m_table->columnCount();
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_table->window(); }
    QAccessibleInterface* parent() const override { return const_cast<StageTable*>(m_table); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QString text(QAccessible::Text kind) const override {
        const ExploreStage* stage = m_table->owner()->stage();
        if (!stage || !isValid()) return {};
        const WorkspaceSnapshot& snapshot = *stage->state().snapshot;
        const Dims coord = m_table->coordAt(m_row, m_column);
        if (m_table->isStrip()) {
            const TensorEntry* selected = snapshot.tensor(stage->state().selection.tensor);
            if (!selected) return {};
            const Tensor& tensor = selected->tensor;
            const QString value = slotValueText(tensor, coord[0]);
            if (kind == QAccessible::Value) return value;
            return QStringLiteral("storage index %1, value %2").arg(coord[0]).arg(value);
        }
        const TensorEntry* entry = snapshot.tensor(m_table->tensor());
        if (!entry) return {};
        if (kind == QAccessible::Value) return slotValueText(entry->tensor, entry->tensor.view().slot(coord));
        return kind == QAccessible::Name ? cellDescription(*entry, coord) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override { return m_table->cellRect(m_row, m_column); }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.selectable = true;
        state.selected = isSelected();
        state.focused = state.selected && m_table->owner()->stage() && m_table->owner()->stage()->hasFocus();
        state.invisible = rect().isEmpty();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
    }

    bool isSelected() const override {
        const ExploreStage* stage = m_table->owner()->stage();
        if (!stage || !stage->state().selection.pick) return false;
        const Pick& pick = *stage->state().selection.pick;
        const Dims coord = m_table->coordAt(m_row, m_column);
        return m_table->isStrip() ? pick.tensor == 0 && pick.slot == coord[0]
                                  : pick.tensor == m_table->tensor() && pick.coord == coord;
    }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_column; }
    int rowIndex() const override { return m_row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return const_cast<StageTable*>(m_table); }

private:
    const StageTable* m_table;
    int m_row, m_column;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    if (auto* stage = qobject_cast<ExploreStage*>(object)) return new StageAccessible(stage);
    return nullptr;
}

QRect onScreen(const ExploreStage* stage, const QRectF& rect) {
    if (rect.isEmpty()) return {};
    const QRect aligned = rect.toAlignedRect();
    return QRect(stage->mapToGlobal(aligned.topLeft()), aligned.size());
}

} // namespace

void installStageAccessibility() {
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

// --- Stage --------------------------------------------------------------------------------------------------------

StageAccessible::StageAccessible(ExploreStage* stage) : QAccessibleWidget(stage, QAccessible::Pane) {}
StageAccessible::~StageAccessible() {
    clear();
}

ExploreStage* StageAccessible::stage() const {
    return static_cast<ExploreStage*>(widget());
}

void StageAccessible::clear() {
    const QHash<TensorId, StageTable*> tables = m_tables;
    m_tables.clear();
    for (StageTable* table : tables) QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(table));
}

StageTable* StageAccessible::table(TensorId tensor) const {
    StageTable*& table = m_tables[tensor];
    if (!table) {
        table = new StageTable(this, tensor);
        QAccessible::registerAccessibleInterface(table);
    }
    return table;
}

int StageAccessible::childCount() const {
    return stage()->d->focusCount();
}

QAccessibleInterface* StageAccessible::child(int index) const {
    const StagePlan& plan = stage()->d->plan;
    if (index < 0 || index >= childCount()) return nullptr;
    const std::size_t i = static_cast<std::size_t>(index);
    return table(i < plan.cards.size() ? plan.cards[i].input.entry->id : 0);
}

int StageAccessible::indexOfChild(const QAccessibleInterface* child) const {
    for (int i = 0; i < childCount(); ++i) {
        if (this->child(i) == child) return i;
    }
    return -1;
}

QAccessibleInterface* StageAccessible::childAt(int x, int y) const {
    for (int i = 0; i < childCount(); ++i) {
        if (child(i)->rect().contains(x, y)) return child(i);
    }
    return nullptr;
}

QAccessibleInterface* StageAccessible::pickedCell() const {
    const std::optional<Pick>& pick = stage()->state().selection.pick;
    if (!pick) return nullptr;
    const StagePlan& plan = stage()->d->plan;
    if (pick->tensor == 0) {
        if (!plan.strip || plan.strip->storageId != pick->storageId) return nullptr;
        const Index perRow = plan.strip->layout.perRow;
        if (pick->slot / perRow >= kMostRows) return nullptr;
        return table(0)->cellAt(static_cast<int>(pick->slot / perRow), static_cast<int>(pick->slot % perRow));
    }
    if (!plan.card(pick->tensor)) return nullptr;
    const std::size_t dims = pick->coord.size();
    const Index row = dims > 1 ? pick->coord[dims - 2] : 0, column = dims > 0 ? pick->coord[dims - 1] : 0;
    if (row >= kMostRows || column >= kMostRows) return nullptr;
    return table(pick->tensor)->cellAt(static_cast<int>(row), static_cast<int>(column));
}

QAccessibleInterface* StageAccessible::focusChild() const {
    if (!stage()->hasFocus()) return QAccessibleWidget::focusChild();
    if (QAccessibleInterface* cell = pickedCell()) return cell;
    return child(stage()->d->focus);
}

QString StageAccessible::text(QAccessible::Text kind) const {
    if (kind == QAccessible::Value) return statusText(*stage()->state().snapshot, stage()->state().selection);
    return QAccessibleWidget::text(kind);
}

// --- Table --------------------------------------------------------------------------------------------------------

StageTable::~StageTable() {
    for (QAccessible::Id id : std::as_const(m_cells)) QAccessible::deleteAccessibleInterface(id);
}

const TensorEntry* StageTable::entry() const {
    const ExploreStage* stage = m_owner->stage();
    return stage ? stage->state().snapshot->tensor(m_tensor) : nullptr;
}

bool StageTable::isValid() const {
    const ExploreStage* stage = m_owner->stage();
    if (!stage) return false;
    return isStrip() ? stage->d->plan.strip.has_value() : stage->d->plan.card(m_tensor) != nullptr;
}

QWindow* StageTable::window() const {
    return m_owner->window();
}
QAccessibleInterface* StageTable::parent() const {
    return const_cast<StageAccessible*>(m_owner);
}

int StageTable::rowCount() const {
    if (!isValid()) return 0;
    if (isStrip()) {
        return static_cast<int>(std::min<Index>(m_owner->stage()->d->plan.strip->layout.rowCount(), kMostRows));
    }
    const Dims& shape = entry()->tensor.shape();
    return shape.size() > 1 ? static_cast<int>(std::min<Index>(shape[shape.size() - 2], kMostRows)) : 1;
}

int StageTable::columnCount() const {
    if (!isValid()) return 0;
    if (isStrip()) return static_cast<int>(std::min<Index>(m_owner->stage()->d->plan.strip->layout.perRow, kMostRows));
    const Dims& shape = entry()->tensor.shape();
    return shape.empty() ? 1 : static_cast<int>(std::min<Index>(shape.back(), kMostRows));
}

int StageTable::childCount() const {
    const Index cells = static_cast<Index>(rowCount()) * columnCount();
    return static_cast<int>(std::min<Index>(cells, kMostRows));
}

QAccessibleInterface* StageTable::child(int index) const {
    const int columns = columnCount();
    return columns > 0 && index >= 0 ? cellAt(index / columns, index % columns) : nullptr;
}

int StageTable::indexOfChild(const QAccessibleInterface* child) const {
    const auto* cell = dynamic_cast<const StageCell*>(child);
    if (!cell) return -1;
    const Index index = static_cast<Index>(cell->rowIndex()) * columnCount() + cell->columnIndex();
    return index < kMostRows ? static_cast<int>(index) : -1;
}

Dims StageTable::coordAt(int row, int column) const {
    if (isStrip()) {
        return {static_cast<Index>(row) * m_owner->stage()->d->plan.strip->layout.perRow + column};
    }
    const Dims& shape = entry()->tensor.shape();
    Dims coord(shape.size(), 0);
    const StageCard view = m_owner->stage()->state().cards.value(m_tensor);
    for (std::size_t d = 0; d < coord.size() && d < view.outer.size(); ++d) {
        coord[d] = std::clamp<Index>(view.outer[d], 0, std::max<Index>(0, shape[d] - 1));
    }
    if (coord.size() > 1) coord[coord.size() - 2] = row;
    if (!coord.empty()) coord.back() = column;
    return coord;
}

QRect StageTable::cellRect(int row, int column) const {
    const ExploreStage* stage = m_owner->stage();
    if (!isValid()) return {};
    const Dims coord = coordAt(row, column);
    if (isStrip()) {
        const StripLayout& layout = stage->d->plan.strip->layout;
        return onScreen(stage, layout.cellRect(coord[0]).intersected(layout.area));
    }
    return onScreen(stage, stage->d->plan.card(m_tensor)->cellRect(coord).value_or(QRectF()));
}

QRect StageTable::rect() const {
    const ExploreStage* stage = m_owner->stage();
    if (!isValid()) return {};
    return onScreen(stage, isStrip() ? stage->d->plan.strip->layout.area : stage->d->plan.card(m_tensor)->frame());
}

QAccessibleInterface* StageTable::childAt(int x, int y) const {
    if (!isValid() || !rect().contains(x, y)) return nullptr;
    const QPointF p = m_owner->stage()->mapFromGlobal(QPoint(x, y));
    if (isStrip()) {
        const StripLayout& layout = m_owner->stage()->d->plan.strip->layout;
        const std::optional<Index> slot = layout.cellAt(p);
        if (!slot || *slot / layout.perRow >= kMostRows) return nullptr;
        return cellAt(static_cast<int>(*slot / layout.perRow), static_cast<int>(*slot % layout.perRow));
    }
    const std::optional<Dims> coord = m_owner->stage()->d->plan.card(m_tensor)->cellAt(p);
    if (!coord) return nullptr;
    const std::size_t dims = coord->size();
    return cellAt(dims > 1 ? static_cast<int>((*coord)[dims - 2]) : 0, dims > 0 ? static_cast<int>(coord->back()) : 0);
}

QString StageTable::text(QAccessible::Text kind) const {
    if (kind != QAccessible::Name || !isValid()) return {};
    if (isStrip()) {
        const StripPlan& strip = *m_owner->stage()->d->plan.strip;
        return QStringLiteral("storage #%1, %2 elements").arg(strip.number).arg(strip.layout.cellCount);
    }
    const TensorEntry& tensor = *entry();
    return QStringLiteral("%1 = %2, size %3, stride %4, offset %5, %6")
        .arg(tensor.name, tensor.code, tupleText(tensor.tensor.shape()), tupleText(tensor.tensor.stride()))
        .arg(tensor.tensor.storageOffset())
        .arg(tensor.tensor.isContiguous() ? QStringLiteral("contiguous") : QStringLiteral("not contiguous"));
}

QAccessible::State StageTable::state() const {
    QAccessible::State state;
    state.focusable = true;
    const ExploreStage* stage = m_owner->stage();
    if (!stage) return state;
    state.selected = !isStrip() && stage->state().selection.tensor == m_tensor;
    state.focused = stage->hasFocus() && m_owner->focusChild() == this;
    return state;
}

void* StageTable::interface_cast(QAccessible::InterfaceType type) {
    return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this) : nullptr;
}

QAccessibleInterface* StageTable::cellAt(int row, int column) const {
    if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount()) return nullptr;
    if (isStrip() && coordAt(row, column)[0] >= m_owner->stage()->d->plan.strip->layout.cellCount) return nullptr;
    const qint64 key = (static_cast<qint64>(row) << 32) | column;
    const auto found = m_cells.constFind(key);
    if (found != m_cells.cend()) {
        if (QAccessibleInterface* cell = QAccessible::accessibleInterface(*found)) return cell;
    }
    // A screen reader that walks a huge table must not fill memory with cells that it has left.
    if (m_cells.size() > 4096) {
        for (QAccessible::Id id : std::as_const(m_cells)) QAccessible::deleteAccessibleInterface(id);
        m_cells.clear();
    }
    auto* cell = new StageCell(this, row, column);
    m_cells.insert(key, QAccessible::registerAccessibleInterface(cell));
    return cell;
}

int StageTable::selectedCellCount() const {
    return static_cast<int>(selectedCells().size());
}

QList<QAccessibleInterface*> StageTable::selectedCells() const {
    QAccessibleInterface* cell = m_owner->pickedCell();
    if (cell && cell->parent() == this) return {cell};
    return {};
}

QString StageTable::columnDescription(int column) const {
    return QStringLiteral("column %1").arg(column);
}
QString StageTable::rowDescription(int row) const {
    return QStringLiteral("row %1").arg(row);
}

} // namespace stridescope
