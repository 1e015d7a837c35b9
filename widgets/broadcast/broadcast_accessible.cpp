#include "widgets/broadcast/broadcast_accessible.h"

#include "widgets/broadcast/broadcast_view.h"
#include "widgets/scene/painted_text.h"
#include "widgets/shared/picture_table.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QWindow>

#include <algorithm>

namespace stridescope {

namespace {

/// Above as many cells the picture has no numbers either.
constexpr Index kMostCells = 4096;

QRect onScreen(const BroadcastView* view, const QRectF& rect) {
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
    BroadcastView* view() const;

protected:
    const ViewAccessible* m_owner;
};

class ToldPart;

/// The picture: its children are what is told, in the order of broadcastTold().
class ViewAccessible : public QAccessibleWidget {
public:
    explicit ViewAccessible(BroadcastView* view) : QAccessibleWidget(view, QAccessible::Graphic) {}
    ~ViewAccessible() override {
        for (const QAccessible::Id id : std::as_const(m_parts)) QAccessible::deleteAccessibleInterface(id);
    }
    BroadcastView* view() const { return static_cast<BroadcastView*>(widget()); }
    const std::vector<BroadcastTold>& told() const {
        refresh();
        return m_told;
    }
    const BroadcastCells& cells(int card) const {
        refresh();
        auto found = m_cells.find(card);
        if (found == m_cells.end())
            found =
                m_cells.insert(card, broadcastCells(*view()->model(), view()->look(), static_cast<std::size_t>(card)));
        return *found;
    }
    int childCount() const override { return static_cast<int>(told().size()); }
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override {
        // Cards and what stands beside them before the whole.
        for (int i = childCount() - 1; i >= 0; --i)
            if (QAccessibleInterface* part = child(i); part->rect().contains(x, y)) return part;
        return nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Name) {
            const QString name = QAccessibleWidget::text(kind);
            return name.isEmpty() && view()->hasModel() ? view()->scene().title : name;
        }
        if (kind == QAccessible::Description && view()->hasModel())
            return broadcastCaption(*view()->model(), view()->look());
        return QAccessibleWidget::text(kind);
    }

private:
    /// What is asked a hundred times of one picture is found once.
    void refresh() const {
        if (!view() || !view()->hasModel()) {
            m_told.clear();
            return;
        }
        if (m_revision == view()->revision()) return;
        m_revision = view()->revision();
        m_told = broadcastTold(*view()->model(), view()->look());
        m_cells.clear();
    }

    mutable QList<QAccessible::Id> m_parts; ///< by place
    mutable std::optional<quint64> m_revision;
    mutable std::vector<BroadcastTold> m_told;
    mutable QHash<int, BroadcastCells> m_cells;
};

/// A cell of a card.
class CellPart : public Part, public QAccessibleTableCellInterface, public QAccessibleActionInterface {
public:
    CellPart(const ViewAccessible* owner, const ToldPart* card, int row, int column)
        : Part(owner), m_card(card), m_row(row), m_column(column) {}
    bool isValid() const override;
    QAccessibleInterface* parent() const override;
    QString text(QAccessible::Text kind) const override;
    QRect rect() const override;
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.selectable = true;
        state.selected = isSelected();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::TableCellInterface) return static_cast<QAccessibleTableCellInterface*>(this);
        if (type == QAccessible::ActionInterface) return static_cast<QAccessibleActionInterface*>(this);
        return nullptr;
    }
    bool isSelected() const override;
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_column; }
    int rowIndex() const override { return m_row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override;
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    std::optional<Index> element() const;
    Dims coord() const;

    const ToldPart* m_card;
    int m_row, m_column;
};

/// A sentence, a card with its cells, or the button of a mend: whatever stands at that place now.
class ToldPart : public Part, public PictureTable, public QAccessibleActionInterface {
public:
    ToldPart(const ViewAccessible* owner, int place) : Part(owner), m_place(place) {}
    ~ToldPart() override {
        for (const QAccessible::Id id : std::as_const(m_cells)) QAccessible::deleteAccessibleInterface(id);
    }
    int place() const { return m_place; }
    std::optional<BroadcastTold> now() const {
        if (!view()) return std::nullopt;
        const auto& told = m_owner->told();
        const auto place = static_cast<std::size_t>(m_place);
        return place < told.size() ? std::optional(told[place]) : std::nullopt;
    }
    bool isCard() const {
        const auto told = now();
        return told && told->kind == BroadcastTold::Kind::Card;
    }
    BroadcastCells cells() const {
        const auto told = now();
        if (!told || told->kind != BroadcastTold::Kind::Card) return {0, Dims{0}};
        return m_owner->cells(told->index);
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
        if (!cell || cell->parent() != this) return -1;
        const Index index = Index{cell->rowIndex()} * columnCount() + cell->columnIndex();
        return index < childCount() ? static_cast<int>(index) : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        if (!isCard()) return nullptr;
        const auto place =
            broadcastPlaceAt(*view()->model(), view()->look(), view()->inScene(view()->mapFromGlobal(QPoint(x, y))));
        const BroadcastCells all = cells();
        if (!place || place->card != all.card || place->coord.size() != all.shape.size()) return nullptr;
        Index row = 0;
        for (std::size_t d = 0; d < all.shape.size(); ++d) {
            if (place->coord[d] >= all.shape[d]) return nullptr;
            if (d + 1 < all.shape.size()) row = row * all.shape[d] + place->coord[d];
        }
        return cellAt(static_cast<int>(row), all.shape.empty() ? 0 : static_cast<int>(place->coord.back()));
    }
    QString text(QAccessible::Text kind) const override {
        const auto told = now();
        return told && kind == QAccessible::Name ? told->name : QString();
    }
    QRect rect() const override {
        const auto told = now();
        if (!told) return {};
        const bool mend = told->kind == BroadcastTold::Kind::Mend;
        return onScreen(view(), mend ? view()->buttonRect(told->index) : told->rect);
    }
    QAccessible::Role role() const override {
        const auto told = now();
        if (!told || told->kind == BroadcastTold::Kind::Text) return QAccessible::StaticText;
        return told->kind == BroadcastTold::Kind::Card ? QAccessible::Table : QAccessible::Button;
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.readOnly = role() == QAccessible::StaticText;
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

    // Of a mend
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        const auto told = now();
        if (told && told->kind == BroadcastTold::Kind::Mend && name == pressAction())
            Q_EMIT view()->mendPressed(told->index);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

    // Of a card
    int rowCount() const override { return isCard() ? counted(cells().rows()) : 0; }
    int columnCount() const override { return isCard() ? counted(cells().columns()) : 0; }
    QAccessibleInterface* cellAt(int row, int column) const override {
        if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount()) return nullptr;
        const qint64 key = (static_cast<qint64>(row) << 32) | column;
        if (const auto found = m_cells.constFind(key); found != m_cells.cend())
            if (QAccessibleInterface* cell = QAccessible::accessibleInterface(*found)) return cell;
        // Who walks a huge table must not fill memory with cells that were left.
        if (m_cells.size() > 2 * kMostCells) {
            for (const QAccessible::Id id : std::as_const(m_cells)) QAccessible::deleteAccessibleInterface(id);
            m_cells.clear();
        }
        auto* cell = new CellPart(m_owner, this, row, column);
        m_cells.insert(key, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }
    int selectedCellCount() const override { return static_cast<int>(selectedCells().size()); }
    QList<QAccessibleInterface*> selectedCells() const override {
        if (!isCard() || !view()->picked()) return {};
        const BroadcastCells all = cells();
        if (!(all.shape == view()->model()->shape) || all.columns() <= 0) return {};
        const Index element = *view()->picked();
        return {cellAt(static_cast<int>(element / all.columns()), static_cast<int>(element % all.columns()))};
    }
    QString columnDescription(int column) const override { return PaintedText::tr("column %1").arg(column); }
    QString rowDescription(int row) const override { return PaintedText::tr("row %1").arg(row); }

private:
    static int counted(Index count) { return static_cast<int>(std::clamp<Index>(count, 0, 1 << 30)); }

    int m_place;
    mutable QHash<qint64, QAccessible::Id> m_cells; ///< by row << 32 | column
};

BroadcastView* Part::view() const {
    return m_owner->view();
}
QWindow* Part::window() const {
    return m_owner->window();
}

QAccessibleInterface* ViewAccessible::child(int index) const {
    if (index < 0 || index >= childCount()) return nullptr;
    while (m_parts.size() <= index)
        m_parts.append(QAccessible::registerAccessibleInterface(new ToldPart(this, static_cast<int>(m_parts.size()))));
    return QAccessible::accessibleInterface(m_parts[index]);
}

int ViewAccessible::indexOfChild(const QAccessibleInterface* child) const {
    const auto* part = dynamic_cast<const ToldPart*>(child);
    return part && part->parent() == this && part->isValid() ? part->place() : -1;
}

bool CellPart::isValid() const {
    return m_card->isValid() && m_row < m_card->rowCount() && m_column < m_card->columnCount();
}

QAccessibleInterface* CellPart::parent() const {
    return const_cast<ToldPart*>(m_card);
}

Dims CellPart::coord() const {
    return m_card->cells().coord(m_row, m_column);
}

QString CellPart::text(QAccessible::Text kind) const {
    if (kind != QAccessible::Name || !isValid()) return {};
    return broadcastCellName(*view()->model(), view()->look(), m_card->cells(), coord());
}

QRect CellPart::rect() const {
    if (!isValid()) return {};
    const QRectF rect = broadcastCellRect(*view()->model(), view()->look(), m_card->cells(), coord());
    return rect.isEmpty() ? QRect() : onScreen(view(), rect);
}

/// The element of the result whose cell it is; nothing on a card that is not stretched to it.
std::optional<Index> CellPart::element() const {
    if (!isValid() || !(m_card->cells().shape == view()->model()->shape)) return std::nullopt;
    return view()->model()->elementOf(coord());
}

bool CellPart::isSelected() const {
    const auto own = element();
    return own && view()->picked() == own;
}

void CellPart::doAction(const QString& name) {
    if (name != pressAction() || !isValid()) return;
    if (const auto own = element()) Q_EMIT view()->pickRequested(own);
}

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    if (auto* view = qobject_cast<BroadcastView*>(object)) return new ViewAccessible(view);
    return nullptr;
}

} // namespace

void installBroadcastAccessibility() {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
}

} // namespace stridescope
