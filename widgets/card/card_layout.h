#pragma once
// CardLayout: where everything on a view's card lies. A pure value with an inverse; the scene, the mouse and the
// links read the same numbers.

#include "widgets/card/block_layout.h"
#include "widgets/model/snapshot.h"
#include "widgets/scene/scene.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace stridescope {

class OddCounts;

/// How three and more dims are laid out. Auto is Nested.
enum class CardMode : quint8 { Auto, Nested, Blocks };
/// Numbers in cells, or one picture of colours. Auto: a picture above 4096 cells when both sides are 32 or more.
enum class CardDetail : quint8 { Auto, Numbers, Picture };
enum class StrideUnit : quint8 { Elements, Bytes };

struct CardInput {
    const TensorEntry* entry = nullptr;  ///< not null; outlives the layout
    const TensorEntry* parent = nullptr; ///< of which entry is a view or a copy
    int storageNumber = 0;
    bool selected = false;
    /// Hovered or picked element; its slot counts elements of entry's dtype.
    std::optional<Pick> shown;
    /// Drawn instead of the entry's own view: a preview. It may reach outside the storage.
    std::optional<View> preview;
    CellText text = CellText::Value;
    CardMode mode = CardMode::Auto;
    CardDetail detail = CardDetail::Auto;
    StrideUnit unit = StrideUnit::Elements;
    Dims outer; ///< index shown for each dim with a slider, and of the colour that cells mean; missing ones are 0
    Index firstRow = 0, firstCol = 0;           ///< scroll position inside every panel …
    Index firstPanelRow = 0, firstPanelCol = 0; ///< … and over the panels
    QSizeF maxSize;                             ///< empty: 760 × 620
    QStringList dimNames;                       ///< "N", "C", …; shown beside the number, never instead of it
    bool compact = false;                       ///< no formula and no switches
    bool brief = false;                         ///< of the head the code and the sizes alone, in one line if that fits
    bool switches = true;                       ///< false on paper, where nothing can be switched
    bool colourSwitch = false;                  ///< what colour of its pixels a picture's cells mean can be chosen
    bool facts = false; ///< a brief and compact head has a second line: dtype, device, strides, offset, contiguity
    bool windowInHead = false; ///< which cells are in sight stands in the device line instead of storage and device
    bool slim = false;         ///< lines closer together, the formula in numbers alone
    bool wide = false;         ///< the cells stand right of formula and sliders
    qreal headWidth = 0;       ///< of a wide card: where its lines are broken; 0: the usual width
    bool follow = false;       ///< scrolls inside the card to the shown element
    int codeChars = 40;        ///< longer code is broken into lines
    bool cutsCode = false;     ///< it is cut to one line of codeChars instead
    Index mostRows = 0;        ///< of cells in sight, in a panel; 0: as many as there is room for
    Index mostCols = 0;        ///< likewise
    bool onePanel = false;     ///< no second grid beside or under the first
    bool note = true;          ///< the sentence about the strides beside or under the cells
    const OddCounts* counted = nullptr; ///< outlives the layout; null: legends tell of samples
    bool presented = false; ///< for a class: a brief head, cells that are never lower than what its rows can read
    bool still = false; ///< to be looked at only: the last two dims, the slice of the others in words without sliders
};

/// A number of the formula with its symbol above.
struct FormulaTerm {
    enum class Kind : quint8 { Offset, Dim, Result } kind = Kind::Offset;
    int dim = -1;
    QString symbol, value;
    QRectF rect;        ///< of the value; the symbol stands centred above it
    bool muted = false; ///< a dim of size 1: its stride does not matter
    Index number = 0;   ///< what the term adds, or the result
};

struct AxisTick {
    QPointF at;
    Index index = 0;
    bool strong = false; ///< the hovered index
};

struct CardAxis {
    int dim = 0;
    Index size = 0;
    bool vertical = false;
    QPointF from, to; ///< of the arrow
    QPointF label;    ///< centre of the label
    QString text;     ///< "dim 0 (H) · 32"
    QRectF hot;       ///< for dragging dims
    std::vector<AxisTick> ticks;
};

/// One grid of cells: a window on the last two dims at fixed indices of the others.
struct CardPanel {
    QRectF area;
    Dims coord;    ///< of the panel: last two dims 0
    QString label; ///< "[i=0, j=1]"; empty when there is only one panel
    QPointF labelAt;
    bool repeats = false; ///< an outer dim of stride 0 repeats an earlier panel
};

struct CardSlider {
    int dim = 0;
    Index size = 1, value = 0;
    QRectF track;
    QString label, valueText;
    QPointF labelAt, valueAt;
    /// Index under `x` (card coordinates), clamped.
    Index valueAtX(qreal x) const;
};

/// A switch in the card's corner: index of the mode or detail that it sets.
struct CardChip {
    QRectF rect;
    QString text;
    bool on = false;
    int index = 0;
};
enum CardChipIndex : int {
    kChipNested = 0,
    kChipBlocks = 1,
    kChipNumbers = 2,
    kChipPicture = 3,
    kChipStrideUnit = 4,
    kChipColour = 8
}; // and the colours after red

class CardLayout {
public:
    CardInput input;
    View view;                           ///< the one that is drawn
    QPointF pos;                         ///< of the card in the scene; everything below is relative to it
    QSizeF size;                         ///< may be enlarged by the caller, so that cards of a row are equally high
    QRectF header;                       ///< badge to device line
    QPointF badge{25, 23}, code{44, 28}; ///< middle of the badge, and where the first line of code begins
    QStringList leftOut; ///< what is not in sight, where the head has room for these words and the body has not
    QRectF pill;         ///< empty where the head has no room for it
    QString pillText;
    QStringList codeLines;
    std::vector<TextItem> texts; ///< metadata runs, captions and notes
    QRectF noteArea;             ///< of a note below the cells: links go round it; empty when there is none
    bool contiguous = true;
    QPointF contiguityGlyph;
    std::vector<FormulaTerm> formula;
    std::vector<CardAxis> axes;
    std::vector<CardPanel> panels;
    std::vector<CardSlider> sliders;
    std::vector<CardChip> chips;
    std::vector<CardChip> colours;    ///< of a picture: which one its cells mean, beside the dim that holds them
    std::optional<BlockLayout> block; ///< instead of panels
    std::optional<QRectF> colourBar;
    OddValues odd; ///< of its legend
    double heatLow = 0, heatHigh = 1;
    bool heatSigned = false;
    bool picture = false;
    /// Which channel of its parent, a picture, the tensor is: 0 red, 1 green, 2 blue, 3 alpha; -1 for none.
    int channel = -1;
    int channelDim = -1; ///< the dim whose elements are the colour of a pixel; -1 when values are shown

    int rowDim = -1, colDim = -1;
    QSizeF cell{44, 32};
    Index rows = 0, cols = 0;           ///< of one panel, whole
    Index shownRows = 0, shownCols = 0; ///< of the window
    Index firstRow = 0, firstCol = 0;   ///< clamped
    std::vector<Dims> rings;            ///< coords of the shown element: itself first, then its other coords

    QRectF frame() const { return {pos, size}; }
    /// The dims as they are met from inside: columns, rows, a picture's colours, then the others from the last one on.
    std::vector<int> dimsFromInside() const;
    /// Whether the dim stands for more than the panel that a cell lies in: rows, columns, and colours of one cell.
    bool isInPanel(int dim) const { return dim == rowDim || dim == colDim || dim == channelDim; }
    /// Rectangle of a cell in scene coordinates; nothing when it is not on the card (scrolled away, another slice).
    std::optional<QRectF> cellRect(const Dims& coord) const;
    /// Coord under a scene point; cellAt(cellRect(c)->center()) == c for every cell that is seen.
    std::optional<Dims> cellAt(QPointF p) const;
    /// Where the link of `coord` leaves the card: on its bottom edge, under the cell's right edge.
    std::optional<QPointF> port(const Dims& coord) const;
    /// From the cell's bottom right corner to the port, along grid lines and between panels; the port alone for blocks.
    std::vector<QPointF> linkRoute(const Dims& coord) const;
    /// Slider under a scene point, as an index into `sliders`.
    std::optional<int> sliderAt(QPointF p) const;
    /// Index of the slider's dim for a scene x.
    Index sliderValue(int slider, qreal sceneX) const;
    /// Largest first row and column that still fill the window.
    /// First panels in sight, and the last ones that can be first; 0 where all are in sight.
    Index firstPanelRow = 0, lastFirstPanelRow = 0, firstPanelCol = 0, lastFirstPanelCol = 0;
    Index lastFirstRow() const { return std::max<Index>(0, rows - shownRows); }
    Index lastFirstCol() const { return std::max<Index>(0, cols - shownCols); }
};

CardLayout layoutCard(const CardInput& input);
/// On a card of its final size, which stays: what its form leaves out and there is room for. Beside or under the cells
/// that stride 0 repeats them, and in a brief head where it came from, both in as few words as that takes.
void fillSpareRoom(CardLayout& card);
/// The card's nodes, at layout.pos. Parts:
/// CardFrame, CardHeader and CardBadge; CardCells (index = panel), CardDim (index = dim, on its axis), CardEdge
/// (index = 2 * dim, + 1 for its far end), CardSlider (index = dim), CardMode (index = CardChipIndex).
void appendCard(Scene& scene, const CardLayout& layout);

/// "Rows start 5 apart: going down one row jumps over 3 cells." What is worth saying about the strides; often empty.
QString strideNote(const View& v, const TensorEntry* parent);

} // namespace stridescope
