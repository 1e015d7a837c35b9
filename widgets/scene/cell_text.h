#pragma once
// The text of numbered cells: collected first, so that all cells of an item share one size, then drawn in few runs.

#include "widgets/scene/cell_values.h"
#include "widgets/scene/colour_map.h"
#include "widgets/scene/paint_context.h"

#include <QHash>

namespace stridescope {

class CellTextPainter {
public:
    enum class Ground : quint8 { View, Striped, Ghost, Plain, Skipped, Heat };

    CellTextPainter(PaintContext& context, const CellValues& values, QSizeF cell, CellText kind,
                    std::optional<ColourMap> map);

    /// Chooses one font for all cells from the texts of the visible ones: the slots slotAt(0 … n-1), or a spread sample
    /// of them when they are many. To be called before `add`.
    template <class SlotAt>
    void fit(Index n, SlotAt&& slotAt) {
        constexpr Index sample = 512;
        const Index step = std::max<Index>(1, n / sample);
        m_longest = 0;
        for (Index k = 0; k < n; k += step) measure(slotAt(k));
        m_font = fontFor(m_longest);
    }
    /// Width of the longest text that `fit` saw, and whether something stands below each.
    qreal widest() const;
    bool twoLines() const;
    /// Text of the element in `slot`. `fill` is the cell's colour. Precondition: the storage holds the slot.
    void add(const QRectF& cell, Index slot, const QColor& fill, Ground ground);
    /// The same on slanted stripes over `tile`, of which `cell` may be a part: they leave out what is written.
    void addStriped(const QRectF& cell, Index slot, const QColor& fill, const QRectF& tile);
    /// The index that a cell outside the storage would have, on a plate; quietly where the wanted view steps over it.
    void addBeyond(const QRectF& cell, Index slot, bool skipped = false);
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
        std::size_t stripes = 0; ///< with Ground::Striped: number in m_stripes
    };
    void measure(Index slot);
    void appendText(Index slot, std::size_t maxChars);
    /// Bytes of the element from the start of the storage: "+96..103".
    std::string byteRange(Index slot) const;
    CellFont fontFor(std::size_t longest) const;
    /// Whether index and bytes may stand in the cell: they are smaller than its value, too small for a class.
    bool smallLines() const;
    void paintValue(const Entry& entry, const CellFont& font);
    void paintSpecial(const Entry& entry, QPointF centre, const QRectF& room, std::string_view text,
                      const CellFont& font);
    QColor inkOn(const Entry& entry, bool& wantsPlate);
    /// Ground of `chars` characters round `centre`, as far as `room` has it.
    void plate(const QRectF& room, QPointF centre, std::size_t chars, int pixels, const QColor& colour);
    /// Under `chars` characters round `centre` the fill of a striped cell alone.
    void clearStripes(const Entry& entry, QPointF centre, std::size_t chars, int pixels, qreal advance);

    PaintContext& m_context;
    const CellValues& m_values;
    QSizeF m_cell;
    CellText m_kind;
    std::optional<ColourMap> m_map;
    int m_least;             ///< pixels of text
    std::size_t m_mostChars; ///< that fit in the smallest font
    std::size_t m_longest = 0;
    CellFont m_font;
    std::vector<Entry> m_entries;
    std::vector<QRectF> m_stripes;
    QHash<QRgb, int> m_inks; ///< on heat colours: 0 black, 1 white, 2 white on a plate
    std::string m_arena;
};

/// Appends a whole number.
void appendIndex(std::string& out, Index value);

} // namespace stridescope
