// MotionView for screen readers. See motion_told.h.

#include "widgets/motion/motion_told.h"
#include "widgets/motion/motion_view.h"
#include "widgets/shared/cells_table.h"

#include <QAccessible>
#include <QHash>

namespace stridescope {

namespace {

class TellingMotion : public TellingPicture {
public:
    explicit TellingMotion(MotionView* view) : m_view(view) {}
    quint64 revision() const override { return m_view->revision(); }
    QString title() const override { return m_view->plan() ? m_view->plan()->title() : QString(); }
    QString caption() const override {
        if (!m_view->plan()) return {};
        return title() + QStringLiteral(". ") + motionCaption(*m_view->plan(), m_view->time());
    }
    std::vector<PicturePart> parts() const override {
        if (!m_view->plan()) return {};
        auto parts = motionTold(*m_view->plan(), m_view->places(), m_view->time());
        for (PicturePart& part : parts) part.rect = m_view->onWidget(part.rect);
        return parts;
    }
    void press(int) override {}

    Index rows(int table) const override {
        const MotionBoard& board = boardOf(table);
        return board.kind == MotionBoard::Kind::Strip ? 1 : tableOf(board).rows();
    }
    Index columns(int table) const override {
        const MotionBoard& board = boardOf(table);
        return board.kind == MotionBoard::Kind::Strip ? board.count : tableOf(board).columns();
    }
    QString cellName(int table, Cell cell) const override {
        if (m_revision != m_view->revision()) m_names.clear();
        m_revision = m_view->revision();
        auto found = m_names.find(table);
        if (found == m_names.end())
            found = m_names.insert(table, motionCellNames(*m_view->plan(), m_view->places(), m_view->time(), table));
        return found->value(static_cast<qsizetype>(position(table, cell)));
    }
    QRectF cellRect(int table, Cell cell) const override { return rectOf(table, position(table, cell)); }
    std::optional<Cell> cellAt(int table, QPointF at) const override {
        const Index across = columns(table), all = across * rows(table);
        for (Index k = 0; k < all; ++k)
            if (rectOf(table, k).contains(at)) return Cell{static_cast<int>(k / across), static_cast<int>(k % across)};
        return std::nullopt;
    }

private:
    const MotionBoard& boardOf(int table) const { return m_view->plan()->boards[static_cast<std::size_t>(table)]; }
    static CellsTable tableOf(const MotionBoard& board) { return {board.tensor.record.view.shape}; }
    Index position(int table, Cell cell) const { return cell.row * columns(table) + cell.column; }
    QRectF rectOf(int table, Index position) const {
        return m_view->onWidget(motionCellRect(*m_view->plan(), m_view->places(), m_view->time(), table, position));
    }

    MotionView* m_view;
    mutable std::optional<quint64> m_revision;
    mutable QHash<int, QStringList> m_names; ///< by table, of that revision
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<MotionView*>(object);
    return view ? makePictureAccessible(view, std::make_unique<TellingMotion>(view)) : nullptr;
}

} // namespace

void installMotionAccessibility() {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
}

} // namespace stridescope
