#include "widgets/timing/timing_accessible.h"

#include "widgets/scene/painted_text.h"
#include "widgets/shared/picture_table.h"
#include "widgets/timing/timing_view.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QWindow>

#include <algorithm>

namespace stridescope {

namespace {

QRect onScreen(const TimingView* view, const QRectF& rect) {
    const QRect part = rect.isEmpty() ? view->rect() : view->onWidget(rect).toAlignedRect();
    return QRect(view->mapToGlobal(part.topLeft()), part.size());
}

class ViewAccessible;

/// What all things in the picture have in common.
class Part : public QAccessibleInterface {
public:
    explicit Part(const ViewAccessible* owner) : m_owner(owner) {}
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    void setText(QAccessible::Text, const QString&) override {}
    QWindow* window() const override;
    TimingView* view() const;

protected:
    const ViewAccessible* m_owner;
};

/// The picture: its first child is the table, the others are what is told, in the order of the picture.
class ViewAccessible : public QAccessibleWidget {
public:
    explicit ViewAccessible(TimingView* view) : QAccessibleWidget(view, QAccessible::Graphic) {}
    ~ViewAccessible() override {
        for (const QAccessible::Id id : std::as_const(m_parts)) QAccessible::deleteAccessibleInterface(id);
    }
    TimingView* view() const { return static_cast<TimingView*>(widget()); }
    const std::vector<TimingSpot>& told() const {
        refresh();
        return m_told;
    }
    const std::vector<TimingRow>& rows() const {
        refresh();
        return m_rows;
    }
    QRectF rectOfRow(int row) const {
        refresh();
        const auto& wanted = m_rows[static_cast<std::size_t>(row)];
        for (const TimingSpot& spot : view()->picture().spots)
            if (spot.kind == SpotKind::Row && spot.n == wanted.n && spot.index == wanted.series) return spot.rect;
        return {};
    }
    int childCount() const override { return 1 + static_cast<int>(told().size()); }
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override {
        return static_cast<int>(m_parts.indexOf(QAccessible::uniqueId(const_cast<QAccessibleInterface*>(child))));
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = childCount() - 1; i >= 0; --i)
            if (QAccessibleInterface* part = child(i); part->rect().contains(x, y)) return part;
        return nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Description) return view() ? view()->scene().title : QString();
        return QAccessibleWidget::text(kind);
    }

private:
    /// What is asked a hundred times of one picture is found once.
    void refresh() const {
        if (!view() || m_revision == view()->revision()) return;
        m_revision = view()->revision();
        m_rows = timingRows(*view()->model());
        m_told.clear();
        // Points and rows are the table's.
        for (const TimingSpot& spot : view()->picture().spots)
            if (spot.kind != SpotKind::Point && spot.kind != SpotKind::Row) m_told.push_back(spot);
    }

    mutable QList<QAccessible::Id> m_parts; ///< by place
    mutable std::optional<quint64> m_revision;
    mutable std::vector<TimingSpot> m_told;
    mutable std::vector<TimingRow> m_rows;
};

TimingView* Part::view() const {
    return m_owner->view();
}

QWindow* Part::window() const {
    return m_owner->window();
}

class TablePart;

/// A figure of the table; those of row -1 name the columns.
class CellPart : public Part, public QAccessibleTableCellInterface {
public:
    CellPart(const ViewAccessible* owner, const TablePart* table, int row, int column)
        : Part(owner), m_table(table), m_row(row), m_column(column) {}
    bool isValid() const override { return view() && m_row < static_cast<int>(m_owner->rows().size()); }
    QAccessibleInterface* parent() const override;
    QString text(QAccessible::Text kind) const override {
        if (kind != QAccessible::Name || !isValid()) return {};
        if (m_row < 0) return timingColumns()[m_column];
        return QStringLiteral("%1 %2").arg(timingColumns()[m_column],
                                           m_owner->rows()[static_cast<std::size_t>(m_row)].cells[m_column]);
    }
    QRect rect() const override {
        if (!isValid() || m_row < 0) return {};
        const QRectF row = m_owner->rectOfRow(m_row);
        const qreal width = row.width() / static_cast<qreal>(timingColumns().size());
        return onScreen(view(), QRectF(row.left() + m_column * width, row.top(), width, row.height()));
    }
    QAccessible::Role role() const override { return m_row < 0 ? QAccessible::ColumnHeader : QAccessible::Cell; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.selectable = m_row >= 0;
        state.selected = isSelected();
        state.readOnly = true;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
    }
    bool isSelected() const override {
        return isValid() && m_row >= 0 && view()->picked() == m_owner->rows()[static_cast<std::size_t>(m_row)].n;
    }
    QList<QAccessibleInterface*> columnHeaderCells() const override;
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_column; }
    int rowIndex() const override { return m_row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

private:
    const TablePart* m_table;
    int m_row, m_column;
};

class TablePart : public Part, public PictureTable {
public:
    using Part::Part;
    ~TablePart() override {
        for (const QAccessible::Id id : std::as_const(m_cells)) QAccessible::deleteAccessibleInterface(id);
    }
    bool isValid() const override { return view() != nullptr; }
    QAccessibleInterface* parent() const override { return const_cast<ViewAccessible*>(m_owner); }
    int childCount() const override { return rowCount() * columnCount(); }
    QAccessibleInterface* child(int index) const override {
        return index < 0 || index >= childCount() ? nullptr : cellAt(index / columnCount(), index % columnCount());
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        const auto* cell = dynamic_cast<const CellPart*>(child);
        return cell && cell->parent() == this ? cell->rowIndex() * columnCount() + cell->columnIndex() : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < childCount(); ++i)
            if (QAccessibleInterface* cell = child(i); cell->rect().contains(x, y)) return cell;
        return nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name ? PaintedText::tr("Measurements") : QString();
    }
    QRect rect() const override {
        return onScreen(view(), view()->picture().sections[static_cast<std::size_t>(TimingSection::Table)]);
    }
    QAccessible::Role role() const override { return QAccessible::Table; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.readOnly = true;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this) : nullptr;
    }
    int rowCount() const override { return static_cast<int>(m_owner->rows().size()); }
    int columnCount() const override { return static_cast<int>(timingColumns().size()); }
    QAccessibleInterface* cellAt(int row, int column) const override {
        if (row < -1 || column < 0 || row >= rowCount() || column >= columnCount()) return nullptr;
        const int key = (row + 1) * 64 + column;
        if (const auto found = m_cells.constFind(key); found != m_cells.cend())
            return QAccessible::accessibleInterface(*found);
        auto* cell = new CellPart(m_owner, this, row, column);
        m_cells.insert(key, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }
    int selectedCellCount() const override { return static_cast<int>(selectedCells().size()); }
    QList<QAccessibleInterface*> selectedCells() const override {
        QList<QAccessibleInterface*> cells;
        for (int row = 0; row < rowCount(); ++row)
            for (int column = 0; column < columnCount(); ++column)
                if (m_owner->rows()[static_cast<std::size_t>(row)].n == view()->picked()) cells << cellAt(row, column);
        return cells;
    }
    QString columnDescription(int column) const override { return timingColumns().value(column); }
    QString rowDescription(int row) const override {
        const auto& cells = m_owner->rows()[static_cast<std::size_t>(row)].cells;
        return QStringLiteral("n = %1, %2").arg(cells[0], cells[1]);
    }

private:
    mutable QHash<int, QAccessible::Id> m_cells; ///< by row and column
};

QAccessibleInterface* CellPart::parent() const {
    return const_cast<TablePart*>(m_table);
}

QList<QAccessibleInterface*> CellPart::columnHeaderCells() const {
    if (m_row < 0) return {};
    return {m_table->cellAt(-1, m_column)};
}

/// A sentence, or a card that can be run: whatever stands at that place now.
class ToldPart : public Part, public QAccessibleActionInterface {
public:
    ToldPart(const ViewAccessible* owner, std::size_t place) : Part(owner), m_place(place) {}
    const TimingSpot* now() const {
        if (!view()) return nullptr;
        const auto& told = m_owner->told();
        return m_place < told.size() ? &told[m_place] : nullptr;
    }
    bool isValid() const override { return now() != nullptr; }
    QAccessibleInterface* parent() const override { return const_cast<ViewAccessible*>(m_owner); }
    QString text(QAccessible::Text kind) const override {
        const TimingSpot* spot = now();
        return spot && kind == QAccessible::Name ? spot->told : QString();
    }
    QRect rect() const override {
        const TimingSpot* spot = now();
        return spot ? onScreen(view(), spot->rect) : QRect();
    }
    QAccessible::Role role() const override {
        const TimingSpot* spot = now();
        return spot && spot->kind != SpotKind::Turns ? QAccessible::Button : QAccessible::StaticText;
    }
    QAccessible::State state() const override { return {}; }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface && role() == QAccessible::Button
                   ? static_cast<QAccessibleActionInterface*>(this)
                   : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        const TimingSpot* spot = now();
        if (!spot || name != pressAction()) return;
        if (spot->kind == SpotKind::Way)
            Q_EMIT view()->wayPressed(spot->index);
        else
            view()->pick(spot->n);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    std::size_t m_place;
};

QAccessibleInterface* ViewAccessible::child(int index) const {
    if (index < 0 || index >= childCount()) return nullptr;
    while (m_parts.size() <= index) {
        const auto place = static_cast<std::size_t>(m_parts.size());
        Part* made = place == 0 ? static_cast<Part*>(new TablePart(this)) : new ToldPart(this, place - 1);
        m_parts.append(QAccessible::registerAccessibleInterface(made));
    }
    return QAccessible::accessibleInterface(m_parts[index]);
}

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    if (auto* view = qobject_cast<TimingView*>(object)) return new ViewAccessible(view);
    return nullptr;
}

} // namespace

void installTimingAccessibility() {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
}

} // namespace stridescope
