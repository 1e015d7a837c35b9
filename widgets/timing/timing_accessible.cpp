#include "widgets/timing/timing_accessible.h"

#include "widgets/scene/painted_text.h"
#include "widgets/shared/picture_accessible.h"
#include "widgets/timing/timing_view.h"

#include <QAccessible>

namespace stridescope {

namespace {

/// The table first, then what else the picture says, in its order.
class TellingTimes : public TellingPicture {
public:
    explicit TellingTimes(TimingView* view) : m_view(view) {}
    quint64 revision() const override { return m_view->revision(); }
    QString title() const override { return m_view->scene().title; }
    QString caption() const override { return m_view->scene().title; }
    std::vector<PicturePart> parts() const override {
        const TimingPicture& picture = m_view->picture();
        std::vector<PicturePart> parts;
        parts.push_back({PicturePart::Kind::Table, PaintedText::tr("Measurements"),
                         m_view->onWidget(picture.sections[static_cast<std::size_t>(TimingSection::Table)]), 0});
        for (std::size_t i = 0; i < picture.spots.size(); ++i) {
            const TimingSpot& spot = picture.spots[i];
            // Points and rows are the table's.
            if (spot.kind == SpotKind::Point || spot.kind == SpotKind::Row) continue;
            const auto kind = spot.kind == SpotKind::Turns ? PicturePart::Kind::Text : PicturePart::Kind::Button;
            parts.push_back({kind, spot.told, m_view->onWidget(spot.rect), static_cast<int>(i)});
        }
        return parts;
    }
    void press(int button) override {
        const TimingSpot spot = m_view->picture().spots[static_cast<std::size_t>(button)];
        if (spot.kind == SpotKind::Way)
            Q_EMIT m_view->wayPressed(spot.index);
        else
            m_view->pick(spot.n);
    }

    Index rows(int) const override { return std::ssize(all()); }
    Index columns(int) const override { return timingColumns().size(); }
    QString cellName(int, Cell cell) const override {
        return QStringLiteral("%1 %2").arg(timingColumns()[cell.column], row(cell.row).cells[cell.column]);
    }
    QRectF cellRect(int, Cell cell) const override {
        const TimingRow& wanted = row(cell.row);
        for (const TimingSpot& spot : m_view->picture().spots) {
            if (spot.kind != SpotKind::Row || spot.n != wanted.n || spot.index != wanted.series) continue;
            const qreal width = spot.rect.width() / static_cast<qreal>(columns(0));
            return m_view->onWidget(
                QRectF(spot.rect.left() + cell.column * width, spot.rect.top(), width, spot.rect.height()));
        }
        return {};
    }
    std::optional<Cell> cellAt(int, QPointF at) const override {
        for (int r = 0; r < rows(0); ++r)
            for (int c = 0; c < columns(0); ++c)
                if (cellRect(0, {r, c}).contains(at)) return Cell{r, c};
        return std::nullopt;
    }
    QStringList columnNames(int) const override { return timingColumns(); }
    QString rowName(int, int index) const override {
        return QStringLiteral("n = %1, %2").arg(row(index).cells[0], row(index).cells[1]);
    }
    std::vector<Cell> picked(int) const override {
        std::vector<Cell> cells;
        for (int r = 0; r < rows(0); ++r)
            for (int c = 0; c < columns(0) && row(r).n == m_view->picked(); ++c) cells.push_back({r, c});
        return cells;
    }
    void pick(int, Cell cell) override { m_view->pick(row(cell.row).n); }

private:
    const std::vector<TimingRow>& all() const {
        if (m_revision != m_view->revision()) m_rows = timingRows(*m_view->model());
        m_revision = m_view->revision();
        return m_rows;
    }
    const TimingRow& row(int index) const { return all()[static_cast<std::size_t>(index)]; }

    TimingView* m_view;
    mutable std::optional<quint64> m_revision;
    mutable std::vector<TimingRow> m_rows;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<TimingView*>(object);
    return view ? makePictureAccessible(view, std::make_unique<TellingTimes>(view)) : nullptr;
}

} // namespace

void installTimingAccessibility() {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
}

} // namespace stridescope
