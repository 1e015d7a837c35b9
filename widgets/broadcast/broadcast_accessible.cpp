#include "widgets/broadcast/broadcast_accessible.h"

#include "widgets/broadcast/broadcast_view.h"
#include "widgets/shared/picture_accessible.h"

#include <QAccessible>
#include <QHash>

namespace stridescope {

namespace {

class TellingBroadcast : public TellingPicture {
public:
    explicit TellingBroadcast(BroadcastView* view) : m_view(view) {}
    quint64 revision() const override { return m_view->revision(); }
    QString title() const override { return m_view->hasModel() ? m_view->scene().title : QString(); }
    QString caption() const override {
        return m_view->hasModel() ? broadcastCaption(model(), m_view->look()) : m_view->why();
    }
    std::vector<PicturePart> parts() const override {
        if (!m_view->hasModel()) return {};
        std::vector<PicturePart> parts = broadcastTold(model(), m_view->look());
        for (PicturePart& part : parts) {
            if (part.kind == PicturePart::Kind::Button)
                part.rect = m_view->onWidget(m_view->buttonRect(part.index));
            else if (!part.rect.isEmpty())
                part.rect = m_view->onWidget(part.rect);
        }
        return parts;
    }
    void press(int button) override { Q_EMIT m_view->mendPressed(button); }

    Index rows(int table) const override { return cells(table).rows(); }
    Index columns(int table) const override { return cells(table).columns(); }
    QString cellName(int table, Cell cell) const override {
        if (!m_view->hasModel()) return {};
        return broadcastCellName(model(), m_view->look(), cells(table), coordOf(table, cell));
    }
    QRectF cellRect(int table, Cell cell) const override {
        if (!m_view->hasModel()) return {};
        const QRectF rect = broadcastCellRect(model(), m_view->look(), cells(table), coordOf(table, cell));
        return rect.isEmpty() ? rect : m_view->onWidget(rect);
    }
    std::optional<Cell> cellAt(int table, QPointF at) const override {
        if (!m_view->hasModel()) return std::nullopt;
        const auto place = broadcastPlaceAt(model(), m_view->look(), m_view->inScene(at));
        const BroadcastCells& all = cells(table);
        if (!place || place->card != all.card || place->coord.size() != all.shape.size()) return std::nullopt;
        for (std::size_t d = 0; d < all.shape.size(); ++d)
            if (place->coord[d] >= all.shape[d]) return std::nullopt;
        return cellOf(all, place->coord);
    }
    std::vector<Cell> picked(int table) const override {
        if (!m_view->picked() || !isResult(table)) return {};
        return {cellOf(cells(table), model().coordOf(*m_view->picked()))};
    }
    void pick(int table, Cell cell) override {
        if (isResult(table)) Q_EMIT m_view->pickRequested(model().elementOf(coordOf(table, cell)));
    }

private:
    const BroadcastModel& model() const { return *m_view->model(); }
    /// Its cells are those of the result: a card before it is stretched has its own.
    bool isResult(int table) const {
        return m_view->hasModel() && cells(table).shape == model().shape && model().numel() > 0;
    }
    static Cell cellOf(const BroadcastCells& all, const Dims& coord) {
        return {static_cast<int>(all.rowOf(coord)), coord.empty() ? 0 : static_cast<int>(coord.back())};
    }
    Dims coordOf(int table, Cell cell) const { return cells(table).coord(cell.row, cell.column); }
    const BroadcastCells& cells(int table) const {
        if (m_revision != m_view->revision()) m_cells.clear();
        m_revision = m_view->revision();
        // A reader may ask for a table of the picture that was there before.
        if (!m_view->hasModel()) return *m_cells.insert(table, BroadcastCells{{Dims{0}}, 0});
        auto found = m_cells.find(table);
        if (found == m_cells.end())
            found = m_cells.insert(table, broadcastCells(model(), m_view->look(), static_cast<std::size_t>(table)));
        return *found;
    }

    BroadcastView* m_view;
    mutable quint64 m_revision = 0;
    mutable QHash<int, BroadcastCells> m_cells; ///< by table, of that revision
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<BroadcastView*>(object);
    return view ? makePictureAccessible(view, std::make_unique<TellingBroadcast>(view)) : nullptr;
}

} // namespace

void installBroadcastAccessibility() {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
}

} // namespace stridescope
