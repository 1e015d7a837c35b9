// The tables of StageAccessible and their cells.

#include "widgets/card/draw.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/explore_stage_p.h"
#include "widgets/stage/linking.h"
#include "widgets/stage/stage_accessible.h"

#include <QWindow>

#include <algorithm>
#include <limits>
#include <utility>

namespace stridescope {

namespace {

constexpr Index kMostRows = std::numeric_limits<int>::max();
/// Above as many cells a picture has no numbers either, and a walk over the children would take minutes.
constexpr Index kMostChildren = 4096;

class StageCell : public QAccessibleInterface, public QAccessibleTableCellInterface, public QAccessibleActionInterface {
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
        const Dims coord = m_table->coordAt(m_row, m_column);
        if (m_table->isStrip()) {
            if (kind == QAccessible::Value) return slotValueText(m_table->strip()->source, coord[0]);
            return kind == QAccessible::Name ? slotName(coord[0]) : QString();
        }
        const TensorEntry& entry = *m_table->entry();
        if (kind == QAccessible::Value) return slotValueText(entry.tensor, entry.tensor.view().slot(coord));
        return kind == QAccessible::Name ? cellDescription(entry, coord, m_table->card()) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override { return m_table->cellRect(m_row, m_column); }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.selectable = true;
        state.selected = isSelected();
        const ExploreStage* stage = m_table->owner()->stage();
        state.focused = stage && stage->hasFocus() && m_table->owner()->focusChild() == this;
        state.invisible = rect().isEmpty();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::TableCellInterface) return static_cast<QAccessibleTableCellInterface*>(this);
        if (type == QAccessible::ActionInterface) return static_cast<QAccessibleActionInterface*>(this);
        return nullptr;
    }

    // QAccessibleTableCellInterface
    bool isSelected() const override {
        const ExploreStage* stage = m_table->owner()->stage();
        return stage && isValid() && stage->state().selection.pick == pick();
    }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_column; }
    int rowIndex() const override { return m_row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return const_cast<StageTable*>(m_table); }

    // QAccessibleActionInterface
    QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
    void doAction(const QString& name) override {
        ExploreStage* stage = m_table->owner()->stage();
        if (stage && isValid() && actionNames().contains(name)) m_table->owner()->pick(pick());
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    Pick pick() const {
        const Dims coord = m_table->coordAt(m_row, m_column);
        if (m_table->isStrip()) return Pick{m_table->key().storageId, coord[0], 0, {}};
        const TensorEntry& entry = *m_table->entry();
        return Pick{entry.tensor.storage()->id(), entry.tensor.view().slot(coord), entry.id, coord};
    }
    /// "storage index 9, value 9, seen as A[2, 1], C[1, 2]": what the links of the picture say.
    QString slotName(Index slot) const {
        constexpr int kMostNames = 8;
        const StripPlan& strip = *m_table->strip();
        QString name =
            PaintedText::tr("storage index %1, value %2").arg(QString::number(slot), slotValueText(strip.source, slot));
        QStringList seen;
        int more = 0;
        for (const TensorEntry* entry : m_table->owner()->stage()->state().snapshot->tensorsOn(strip.storageId)) {
            if (entry->tensor.dtype() != strip.source.dtype()) continue;
            const std::optional<Dims> coord = linkedCoord(*entry, Pick{strip.storageId, slot, 0, {}});
            if (!coord) continue;
            if (seen.size() < kMostNames) {
                seen << entry->name + coordText(*coord);
            } else {
                ++more;
            }
        }
        if (!seen.isEmpty()) name += PaintedText::tr(", seen as ") + seen.join(QStringLiteral(", "));
        if (more > 0) name += PaintedText::tr(" and %1 more").arg(more);
        return name;
    }

    const StageTable* m_table;
    int m_row, m_column;
};

QRect onScreen(const ExploreStage* stage, const QRectF& rect) {
    if (rect.isEmpty()) return {};
    const QRect aligned = QRectF(rect.topLeft() * stage->scale(), rect.size() * stage->scale()).toAlignedRect();
    return QRect(stage->mapToGlobal(aligned.topLeft()), aligned.size());
}

} // namespace

bool StageTable::Window::crowded() const {
    return cells > kMostChildren;
}

StageTable::~StageTable() {
    for (QAccessible::Id id : std::as_const(m_cells)) QAccessible::deleteAccessibleInterface(id);
}

const TensorEntry* StageTable::entry() const {
    const ExploreStage* stage = m_owner->stage();
    return stage ? stage->state().snapshot->tensor(m_key.tensor) : nullptr;
}

const StripPlan* StageTable::strip() const {
    const ExploreStage* stage = m_owner->stage();
    if (!stage || !isStrip()) return nullptr;
    const StagePlan& plan = stage->d->plan;
    if (plan.strip && plan.strip->storageId == m_key.storageId) return &*plan.strip;
    for (const StripPlan& other : plan.others) {
        if (other.storageId == m_key.storageId) return &other;
    }
    return nullptr;
}

bool StageTable::isValid() const {
    const ExploreStage* stage = m_owner->stage();
    if (!stage) return false;
    if (isStrip()) return strip() != nullptr;
    const CardLayout* card = stage->d->plan.card(m_key.tensor);
    return card && entry() && m_key.outer.size() == entry()->tensor.shape().size();
}

QWindow* StageTable::window() const {
    return m_owner->window();
}
QAccessibleInterface* StageTable::parent() const {
    return const_cast<StageAccessible*>(m_owner);
}

const CardLayout& StageTable::card() const {
    return *m_owner->stage()->d->plan.card(m_key.tensor);
}

int StageTable::rowDim() const {
    return card().block ? 1 : card().rowDim;
}
int StageTable::columnDim() const {
    return card().block ? 2 : card().colDim;
}

int StageTable::rowCount() const {
    if (!isValid()) return 0;
    if (isStrip()) return static_cast<int>(std::min<Index>(strip()->layout.rowCount(), kMostRows));
    const int dim = rowDim();
    const Index rows = dim < 0 ? 1 : entry()->tensor.shape()[static_cast<std::size_t>(dim)];
    return static_cast<int>(std::min(rows, kMostRows));
}

int StageTable::columnCount() const {
    if (!isValid()) return 0;
    if (isStrip()) return static_cast<int>(std::min(strip()->layout.perRow, kMostRows));
    const int dim = columnDim();
    const Index columns = dim < 0 ? 1 : entry()->tensor.shape()[static_cast<std::size_t>(dim)];
    return static_cast<int>(std::min(columns, kMostRows));
}

StageTable::Window StageTable::inSight() const {
    Window window;
    if (!isValid() || entryIsEmpty()) return window;
    if (isStrip()) {
        const StripLayout& layout = strip()->layout;
        const SlotRange rows = layout.visibleRows({});
        if (rows.empty()) return window;
        const SlotRange cells = layout.visibleCells(rows.first, {});
        window.firstRow = rows.first;
        window.rows = rows.last - rows.first;
        window.firstColumn = cells.first - rows.first * layout.perRow;
        window.columns = cells.last - cells.first;
        const SlotRange last = layout.visibleCells(rows.last - 1, {});
        window.cells = (window.rows - 1) * window.columns + (last.last - last.first);
        return window;
    }
    const CardLayout& card = *m_owner->stage()->d->plan.card(m_key.tensor);
    window.firstRow = card.block ? 0 : card.firstRow;
    window.firstColumn = card.block ? 0 : card.firstCol;
    window.rows = card.block ? rowCount() : std::min<Index>(std::max<Index>(card.shownRows, 1), rowCount());
    window.columns = card.block ? columnCount() : std::min<Index>(std::max<Index>(card.shownCols, 1), columnCount());
    window.cells = window.rows * window.columns;
    return window;
}

bool StageTable::entryIsEmpty() const {
    return !isStrip() && entry()->tensor.numel() == 0;
}

int StageTable::childCount() const {
    const Window window = inSight();
    if (window.crowded()) return selectedCellCount();
    return static_cast<int>(window.cells);
}

QAccessibleInterface* StageTable::child(int index) const {
    const Window window = inSight();
    if (index < 0 || index >= childCount()) return nullptr;
    if (window.crowded()) return selectedCells().value(index);
    return cellAt(static_cast<int>(window.firstRow + index / window.columns),
                  static_cast<int>(window.firstColumn + index % window.columns));
}

int StageTable::indexOfChild(const QAccessibleInterface* child) const {
    const auto* cell = dynamic_cast<const StageCell*>(child);
    if (!cell) return -1;
    const Window window = inSight();
    if (window.crowded()) return static_cast<int>(selectedCells().indexOf(child));
    const Index row = cell->rowIndex() - window.firstRow, column = cell->columnIndex() - window.firstColumn;
    if (row < 0 || row >= window.rows || column < 0 || column >= window.columns) return -1;
    const Index index = row * window.columns + column;
    return index < window.cells ? static_cast<int>(index) : -1;
}

Dims StageTable::coordAt(int row, int column) const {
    if (isStrip()) return {static_cast<Index>(row) * strip()->layout.perRow + column};
    Dims coord = m_key.outer;
    if (const int dim = rowDim(); dim >= 0) coord[static_cast<std::size_t>(dim)] = row;
    if (const int dim = columnDim(); dim >= 0) coord[static_cast<std::size_t>(dim)] = column;
    return coord;
}

QAccessibleInterface* StageTable::cellOf(const Dims& coord) const {
    if (!isValid()) return nullptr;
    Index row = 0, column = 0;
    if (isStrip()) {
        row = coord[0] / strip()->layout.perRow;
        column = coord[0] % strip()->layout.perRow;
    } else {
        if (coord.size() != m_key.outer.size()) return nullptr;
        Dims outer = coord;
        const auto take = [&outer](int dim) {
            if (dim < 0) return Index{0};
            return std::exchange(outer[static_cast<std::size_t>(dim)], Index{0});
        };
        row = take(rowDim());
        column = take(columnDim());
        if (outer != m_key.outer) return nullptr;
    }
    if (row >= kMostRows || column >= kMostRows) return nullptr;
    return cellAt(static_cast<int>(row), static_cast<int>(column));
}

QRect StageTable::cellRect(int row, int column) const {
    const ExploreStage* stage = m_owner->stage();
    if (!isValid()) return {};
    const Dims coord = coordAt(row, column);
    if (isStrip()) {
        const StripLayout& layout = strip()->layout;
        return onScreen(stage, layout.cellRect(coord[0]).intersected(layout.area));
    }
    const StagePlan& plan = stage->d->plan;
    const std::optional<QRectF> rect = plan.card(m_key.tensor)->cellRect(coord);
    return onScreen(stage, rect ? rect->intersected(QRectF(QPointF(), stage->state().viewport)) : QRectF());
}

QRect StageTable::rect() const {
    const ExploreStage* stage = m_owner->stage();
    if (!isValid()) return {};
    if (isStrip()) return onScreen(stage, strip()->layout.area);
    const CardLayout& card = *stage->d->plan.card(m_key.tensor);
    if (!card.block && card.panels.size() > 1) {
        for (const CardPanel& panel : card.panels) {
            if (panel.coord == m_key.outer) return onScreen(stage, panel.area.translated(card.pos));
        }
    }
    return onScreen(stage, card.frame());
}

QAccessibleInterface* StageTable::childAt(int x, int y) const {
    if (!isValid() || !rect().contains(x, y)) return nullptr;
    const QPointF p = QPointF(m_owner->stage()->mapFromGlobal(QPoint(x, y))) / m_owner->stage()->scale();
    if (isStrip()) {
        const std::optional<Index> slot = strip()->layout.cellAt(p);
        return slot ? cellOf(Dims{*slot}) : nullptr;
    }
    const std::optional<Dims> coord = m_owner->stage()->d->plan.card(m_key.tensor)->cellAt(p);
    return coord ? cellOf(*coord) : nullptr;
}

QString StageTable::text(QAccessible::Text kind) const {
    if (kind != QAccessible::Name || !isValid()) return {};
    if (isStrip()) {
        const StripPlan& plan = *strip();
        return PaintedText::tr("storage #%1, %2 of %3, %4")
            .arg(QString::number(plan.number), elementsText(plan.layout.cellCount), dtypeText(plan.source.dtype()),
                 bytesText(static_cast<quint64>(plan.layout.cellCount) * plan.source.itemSize()));
    }
    const TensorEntry& tensor = *entry();
    QString part;
    if (m_key.outer.size() > 2) {
        QStringList indices;
        for (std::size_t d = 0; d < m_key.outer.size(); ++d) {
            const bool inside = static_cast<int>(d) == rowDim() || static_cast<int>(d) == columnDim();
            indices << (inside ? QStringLiteral(":") : QString::number(m_key.outer[d]));
        }
        part = PaintedText::tr("%1[%2] of ").arg(tensor.name, indices.join(QStringLiteral(", ")));
    }
    return part +
           PaintedText::tr("%1 = %2, %3, size %4, stride %5, offset %6, %7, %8")
               .arg(tensor.name, tensor.code, dtypeText(tensor.tensor.dtype()), tupleText(tensor.tensor.shape()),
                    tupleText(tensor.tensor.stride()), QString::number(tensor.tensor.storageOffset()),
                    tensor.tensor.isContiguous() ? PaintedText::tr("contiguous") : PaintedText::tr("not contiguous"),
                    QString::fromStdString(toString(tensor.tensor.device())));
}

QAccessible::State StageTable::state() const {
    QAccessible::State state;
    state.focusable = true;
    const ExploreStage* stage = m_owner->stage();
    if (!stage) return state;
    state.selected = !isStrip() && stage->state().selection.tensor == m_key.tensor;
    state.focused = stage->hasFocus() && m_owner->focusChild() == this;
    return state;
}

void* StageTable::interface_cast(QAccessible::InterfaceType type) {
    return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this) : nullptr;
}

QAccessibleInterface* StageTable::cellAt(int row, int column) const {
    if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount()) return nullptr;
    if (isStrip() && coordAt(row, column)[0] >= strip()->layout.cellCount) return nullptr;
    const qint64 key = (static_cast<qint64>(row) << 32) | column;
    const auto found = m_cells.constFind(key);
    if (found != m_cells.cend()) {
        if (QAccessibleInterface* cell = QAccessible::accessibleInterface(*found)) return cell;
    }
    // A screen reader that walks a huge table must not fill memory with cells that it has left.
    if (m_cells.size() > 2 * kMostChildren) {
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
    return PaintedText::tr("column %1").arg(column);
}
QString StageTable::rowDescription(int row) const {
    return PaintedText::tr("row %1").arg(row);
}

} // namespace stridescope
