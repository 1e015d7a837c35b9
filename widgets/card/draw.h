#pragma once
// SceneBuilder: appends nodes to a scene in the coordinates of one card or figure.

#include "widgets/scene/glyphs.h"
#include "widgets/scene/scene.h"

namespace stridescope {

struct TensorEntry;

class SceneBuilder {
public:
    /// Everything is moved by `shift`; parts get `tensor` and `storageId`.
    explicit SceneBuilder(Scene& scene, QPointF shift = {}, TensorId tensor = 0, quint64 storageId = 0)
        : m_scene(scene), m_shift(shift), m_tensor(tensor), m_storage(storageId) {}

    /// Text at a baseline. Returns its advance, so that runs of different fonts can follow each other.
    qreal text(QPointF at, const QString& text, FontRole font, Tone tone = Tone::Ink,
               Qt::Alignment anchor = Qt::AlignLeft | Qt::AlignBaseline, qreal angle = 0);
    void box(BoxItem item, PartKind kind = PartKind::None, int index = -1);
    void path(PathItem item, PartKind kind = PartKind::None, int index = -1);
    void line(QPointF from, QPointF to, Tone stroke, qreal width, LineStyle style = LineStyle::Solid,
              bool arrow = false);
    /// Curve with vertical ends from `from` to `to`, `rise` px above both (below for a negative one), with an arrow.
    void arc(QPointF from, QPointF to, qreal rise, Tone stroke, qreal width, LineStyle style = LineStyle::Solid,
             bool casing = true);
    void badge(QPointF centre, const TensorEntry& entry, qreal size, PartKind kind = PartKind::None);
    /// A line sign in a square of `size` round `centre`.
    void glyph(Glyph which, QPointF centre, qreal size, Tone tone);
    /// A rectangle that is felt and not seen.
    void hot(const QRectF& rect, PartKind kind, int index = -1);
    /// A cell that is not part of the storage, away from its strip: hatched, with the slot that it would be.
    void beyondCell(const QRectF& rect, Index slot);
    /// Any other item, already moved by the caller through `moved`.
    void item(SceneItem item, PartKind kind = PartKind::None, int index = -1);

    QPointF moved(QPointF p) const { return p + m_shift; }
    QRectF moved(const QRectF& r) const { return r.translated(m_shift); }
    Scene& scene() { return m_scene; }

private:
    Part part(PartKind kind, int index) const;

    Scene& m_scene;
    QPointF m_shift;
    TensorId m_tensor;
    quint64 m_storage;
};

/// As wide as beyondCell() needs for its number, and never narrower than a cell of a strip.
qreal beyondCellWidth(Index slot);
/// "₀", "₁₂": the number as subscript digits.
QString subscript(Index number);
/// Letter of a dim in formulas: i, j, k, l, m, n, p, q; "i₈" and so on above.
QString indexLetter(int dim);
/// "(4, 5)".
QString tupleText(const Dims& dims);

} // namespace stridescope
