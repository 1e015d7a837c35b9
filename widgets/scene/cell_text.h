#pragma once
// The text of numbered cells: collected first, so that all cells of an item share one size, then drawn in few runs.

#include "widgets/scene/cell_values.h"
#include "widgets/scene/colour_map.h"
#include "widgets/scene/paint_context.h"

namespace stridescope {

class CellTextPainter {
public:
    enum class Ground : quint8 { View, Ghost, Plain, Skipped, Heat };

    CellTextPainter(PaintContext& context, const CellValues& values, QSizeF cell, CellText kind,
                    std::optional<ColourMap> map);

    /// Text of the element in `slot`. `fill` is the cell's colour. Precondition: the storage holds the slot.
    void add(const QRectF& cell, Index slot, const QColor& fill, Ground ground);
    /// The index that a cell outside the storage would have, on a plate.
    void addBeyond(const QRectF& cell, Index slot);
    /// Fill of a heat cell: stage for NaN, the end colours for infinities. Precondition: readable.
    QColor heatColour(Index slot) const;
    void paint();

private:
    struct Entry {
        QRectF cell;
        Index slot;
        QRgb fill;
        Ground ground;
        bool beyond;
        std::uint32_t start, length;
    };
    void paintValue(const Entry& entry, const CellFont& font);
    void paintSpecial(const Entry& entry, std::string_view text, const CellFont& font);
    QColor inkOn(const Entry& entry, bool& plate) const;
    void plate(const QRectF& cell, std::size_t chars, int pixels, const QColor& colour);

    PaintContext& m_context;
    const CellValues& m_values;
    QSizeF m_cell;
    CellText m_kind;
    std::optional<ColourMap> m_map;
    std::size_t m_mostChars;
    std::size_t m_longest = 0;
    std::vector<Entry> m_entries;
    std::string m_arena;
};

/// Appends a whole number.
void appendIndex(std::string& out, Index value);

} // namespace stridescope
