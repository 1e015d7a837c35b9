#include "widgets/shared/picture_accessible.h"

#include "widgets/scene/painted_text.h"
#include "widgets/shared/picture_table.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QWidget>
#include <QWindow>

#include <algorithm>

namespace stridescope {

QStringList TellingPicture::columnNames(int) const {
    return {};
}

QString TellingPicture::rowName(int, int row) const {
    return PaintedText::tr("row %1").arg(row);
}

std::vector<TellingPicture::Cell> TellingPicture::picked(int) const {
    return {};
}

void TellingPicture::pick(int, Cell) {}

std::optional<std::pair<int, TellingPicture::Cell>> TellingPicture::keyCell() const {
    return std::nullopt;
}

namespace {

using Cell = TellingPicture::Cell;

/// Above as many cells the picture has no numbers either.
constexpr Index kMostCells = 4096;

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

protected:
    TellingPicture& picture() const;
    QRect onScreen(const QRectF& rect) const;

    const ViewAccessible* m_owner;
};

/// The picture itself: its children are what is told.
class ViewAccessible : public QAccessibleWidget {
public:
    ViewAccessible(QWidget* widget, std::unique_ptr<TellingPicture> picture)
        : QAccessibleWidget(widget, QAccessible::Graphic), m_picture(std::move(picture)) {}
    ~ViewAccessible() override {
        for (const QAccessible::Id id : std::as_const(m_parts)) QAccessible::deleteAccessibleInterface(id);
    }
    TellingPicture& picture() const { return *m_picture; }
    QWidget* view() const { return widget(); }
    /// What is asked a hundred times of one picture is found once.
    const std::vector<PicturePart>& told() const {
        if (!widget()) {
            m_told.clear();
        } else if (m_revision != m_picture->revision()) {
            m_revision = m_picture->revision();
            m_told = m_picture->parts();
        }
        return m_told;
    }
    int childCount() const override { return static_cast<int>(told().size()); }
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override {
        // Tables and what stands beside them before the whole.
        for (int i = childCount() - 1; i >= 0; --i)
            if (QAccessibleInterface* part = child(i); part->rect().contains(x, y)) return part;
        return nullptr;
    }
    /// The cell that keys act on.
    QAccessibleInterface* focusChild() const override;
    QString text(QAccessible::Text kind) const override {
        const QString own = QAccessibleWidget::text(kind);
        if (!widget()) return own;
        if (kind == QAccessible::Name) return own.isEmpty() ? m_picture->title() : own;
        if (kind != QAccessible::Description) return own;
        const QString caption = m_picture->caption();
        return caption.isEmpty() ? own : caption;
    }

private:
    std::unique_ptr<TellingPicture> m_picture;
    mutable QList<QAccessible::Id> m_parts; ///< by place
    mutable std::optional<quint64> m_revision;
    mutable std::vector<PicturePart> m_told;
};

TellingPicture& Part::picture() const {
    return m_owner->picture();
}

QWindow* Part::window() const {
    return m_owner->window();
}

QRect Part::onScreen(const QRectF& rect) const {
    const QWidget* view = m_owner->view();
    const QRect part = rect.isEmpty() ? view->rect() : rect.toAlignedRect();
    return QRect(view->mapToGlobal(part.topLeft()), part.size());
}

class ToldPart;

/// A cell of a table; those of row -1 name the columns.
class CellPart : public Part, public QAccessibleTableCellInterface, public QAccessibleActionInterface {
public:
    CellPart(const ViewAccessible* owner, const ToldPart* table, Cell cell)
        : Part(owner), m_table(table), m_cell(cell) {}
    bool isValid() const override;
    QAccessibleInterface* parent() const override;
    QString text(QAccessible::Text kind) const override;
    QRect rect() const override;
    QAccessible::Role role() const override { return m_cell.row < 0 ? QAccessible::ColumnHeader : QAccessible::Cell; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.selectable = m_cell.row >= 0;
        state.selected = isSelected();
        state.readOnly = true;
        state.focusable = m_cell.row >= 0 && picture().keyCell();
        state.focused = state.focusable && m_owner->focusChild() == this;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::TableCellInterface) return static_cast<QAccessibleTableCellInterface*>(this);
        if (type == QAccessible::ActionInterface && m_cell.row >= 0)
            return static_cast<QAccessibleActionInterface*>(this);
        return nullptr;
    }
    bool isSelected() const override;
    QList<QAccessibleInterface*> columnHeaderCells() const override;
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_cell.column; }
    int rowIndex() const override { return m_cell.row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override;
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    const ToldPart* m_table;
    Cell m_cell;
};

/// A sentence, a table with its cells, or a button: whatever stands at that place now.
class ToldPart : public Part, public PictureTable, public QAccessibleActionInterface {
public:
    ToldPart(const ViewAccessible* owner, int place) : Part(owner), m_place(place) {}
    ~ToldPart() override { dropCells(); }
    int place() const { return m_place; }
    std::optional<PicturePart> now() const {
        const auto& told = m_owner->told();
        const auto place = static_cast<std::size_t>(m_place);
        return place < told.size() ? std::optional(told[place]) : std::nullopt;
    }
    /// Index of the table that stands here; -1: none does.
    int table() const {
        const auto told = now();
        return told && told->kind == PicturePart::Kind::Table ? told->index : -1;
    }

    bool isValid() const override { return now().has_value(); }
    QAccessibleInterface* parent() const override { return const_cast<ViewAccessible*>(m_owner); }
    int childCount() const override {
        return static_cast<int>(std::min<Index>(Index{rowCount()} * columnCount(), kMostCells));
    }
    QAccessibleInterface* child(int index) const override {
        const int columns = columnCount();
        return columns > 0 && index >= 0 && index < childCount() ? cellAt(index / columns, index % columns) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        const auto* cell = dynamic_cast<const CellPart*>(child);
        if (!cell || cell->parent() != this || cell->rowIndex() < 0) return -1;
        const Index index = Index{cell->rowIndex()} * columnCount() + cell->columnIndex();
        return index < childCount() ? static_cast<int>(index) : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        if (table() < 0) return nullptr;
        const auto cell = picture().cellAt(table(), m_owner->view()->mapFromGlobal(QPoint(x, y)));
        return cell ? cellAt(cell->row, cell->column) : nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        const auto told = now();
        return told && kind == QAccessible::Name ? told->name : QString();
    }
    QRect rect() const override {
        const auto told = now();
        return told ? onScreen(told->rect) : QRect();
    }
    QAccessible::Role role() const override {
        const auto told = now();
        if (!told || told->kind == PicturePart::Kind::Text) return QAccessible::StaticText;
        return told->kind == PicturePart::Kind::Table ? QAccessible::Table : QAccessible::Button;
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.readOnly = role() != QAccessible::Button;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        const QAccessible::Role what = role();
        if (type == QAccessible::TableInterface && what == QAccessible::Table)
            return static_cast<QAccessibleTableInterface*>(this);
        if (type == QAccessible::ActionInterface && what == QAccessible::Button)
            return static_cast<QAccessibleActionInterface*>(this);
        return nullptr;
    }

    // Of a button
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        const auto told = now();
        if (told && told->kind == PicturePart::Kind::Button && name == pressAction()) picture().press(told->index);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

    // Of a table
    int rowCount() const override { return table() < 0 ? 0 : counted(picture().rows(table())); }
    int columnCount() const override { return table() < 0 ? 0 : counted(picture().columns(table())); }
    QAccessibleInterface* cellAt(int row, int column) const override {
        if (table() < 0 || column < 0 || row >= rowCount() || column >= columnCount()) return nullptr;
        if (row < (picture().columnNames(table()).isEmpty() ? 0 : -1)) return nullptr;
        const qint64 key = (static_cast<qint64>(row) << 32) | column;
        if (const auto found = m_cells.constFind(key); found != m_cells.cend())
            if (QAccessibleInterface* cell = QAccessible::accessibleInterface(*found)) return cell;
        // Who walks a huge table must not fill memory with cells that were left.
        if (m_cells.size() > 2 * kMostCells) dropCells();
        auto* cell = new CellPart(m_owner, this, {row, column});
        m_cells.insert(key, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }
    int selectedCellCount() const override { return static_cast<int>(selectedCells().size()); }
    QList<QAccessibleInterface*> selectedCells() const override {
        QList<QAccessibleInterface*> cells;
        if (table() < 0) return cells;
        for (const Cell& cell : picture().picked(table())) cells << cellAt(cell.row, cell.column);
        return cells;
    }
    QString columnDescription(int column) const override {
        const QStringList names = table() < 0 ? QStringList() : picture().columnNames(table());
        return names.isEmpty() ? PaintedText::tr("column %1").arg(column) : names.value(column);
    }
    QString rowDescription(int row) const override { return table() < 0 ? QString() : picture().rowName(table(), row); }

private:
    static int counted(Index count) { return static_cast<int>(std::clamp<Index>(count, 0, 1 << 30)); }
    void dropCells() const {
        for (const QAccessible::Id id : std::as_const(m_cells)) QAccessible::deleteAccessibleInterface(id);
        m_cells.clear();
    }

    int m_place;
    mutable QHash<qint64, QAccessible::Id> m_cells; ///< by row << 32 | column
};

QAccessibleInterface* ViewAccessible::child(int index) const {
    if (index < 0 || index >= childCount()) return nullptr;
    while (m_parts.size() <= index)
        m_parts.append(QAccessible::registerAccessibleInterface(new ToldPart(this, static_cast<int>(m_parts.size()))));
    return QAccessible::accessibleInterface(m_parts[index]);
}

QAccessibleInterface* ViewAccessible::focusChild() const {
    const auto key = widget() && widget()->hasFocus() ? m_picture->keyCell() : std::nullopt;
    if (!key) return QAccessibleWidget::focusChild();
    for (int i = 0; i < childCount(); ++i) {
        const PicturePart& part = told()[static_cast<std::size_t>(i)];
        if (part.kind == PicturePart::Kind::Table && part.index == key->first)
            return child(i)->tableInterface()->cellAt(key->second.row, key->second.column);
    }
    return QAccessibleWidget::focusChild();
}

int ViewAccessible::indexOfChild(const QAccessibleInterface* child) const {
    const auto* part = dynamic_cast<const ToldPart*>(child);
    return part && part->parent() == this && part->isValid() ? part->place() : -1;
}

bool CellPart::isValid() const {
    return m_cell.row < m_table->rowCount() && m_cell.column < m_table->columnCount();
}

QAccessibleInterface* CellPart::parent() const {
    return const_cast<ToldPart*>(m_table);
}

QString CellPart::text(QAccessible::Text kind) const {
    if (kind != QAccessible::Name || !isValid()) return {};
    return m_cell.row < 0 ? m_table->columnDescription(m_cell.column) : picture().cellName(m_table->table(), m_cell);
}

QRect CellPart::rect() const {
    if (m_cell.row < 0 || !isValid()) return {};
    const QRectF rect = picture().cellRect(m_table->table(), m_cell);
    return rect.isEmpty() ? QRect() : onScreen(rect);
}

bool CellPart::isSelected() const {
    if (m_cell.row < 0 || !isValid()) return false;
    const std::vector<Cell> picked = picture().picked(m_table->table());
    return std::find(picked.begin(), picked.end(), m_cell) != picked.end();
}

QList<QAccessibleInterface*> CellPart::columnHeaderCells() const {
    QAccessibleInterface* header = m_cell.row < 0 ? nullptr : m_table->cellAt(-1, m_cell.column);
    return header ? QList<QAccessibleInterface*>{header} : QList<QAccessibleInterface*>();
}

void CellPart::doAction(const QString& name) {
    if (name == pressAction() && m_cell.row >= 0 && isValid()) picture().pick(m_table->table(), m_cell);
}

} // namespace

QAccessibleInterface* makePictureAccessible(QWidget* widget, std::unique_ptr<TellingPicture> picture) {
    return new ViewAccessible(widget, std::move(picture));
}

void tellKeyCell(QWidget* widget) {
    if (!QAccessible::isActive() || !widget->hasFocus()) return;
    const auto* view = dynamic_cast<ViewAccessible*>(QAccessible::queryAccessibleInterface(widget));
    QAccessibleInterface* cell = view ? view->focusChild() : nullptr;
    if (!cell || cell == view) return;
    QAccessibleEvent event(cell, QAccessible::Focus);
    QAccessible::updateAccessibility(&event);
}

} // namespace stridescope
