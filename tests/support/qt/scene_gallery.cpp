#include "tests/support/qt/scene_gallery.h"

#include "widgets/scene/glyphs.h"
#include "widgets/scene/stroke.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include <sys/mman.h>

namespace stridescope::test {

namespace {

Part part(PartKind kind, TensorId tensor = 0, quint64 storage = 0) {
    return Part{kind, tensor, storage, -1};
}

TextItem text(QPointF pos, const QString& shown, FontRole font = FontRole::Label, Tone tone = Tone::Ink) {
    TextItem item;
    item.pos = pos;
    item.text = shown;
    item.font = font;
    item.tone = tone;
    return item;
}

} // namespace

template <class T>
Tensor tensorOf(const std::vector<T>& values) {
    const std::size_t bytes = values.size() * sizeof(T);
    auto* data = new std::byte[bytes + 1];
    std::size_t at = 0;
    for (const T value : values) {
        std::memcpy(data + at, &value, sizeof(T));
        at += sizeof(T);
    }
    StoragePtr storage = Storage::wrap(
        data, bytes, Device(), [data] { delete[] data; }, "test");
    return Tensor(std::move(storage), makeViewOf({static_cast<Index>(values.size())}, {1}, 0), DTypeOf<T>::value);
}
template Tensor tensorOf<std::int64_t>(const std::vector<std::int64_t>&);
template Tensor tensorOf<float>(const std::vector<float>&);
template Tensor tensorOf<double>(const std::vector<double>&);
template Tensor tensorOf<std::uint8_t>(const std::vector<std::uint8_t>&);
template Tensor tensorOf<bool>(const std::vector<bool>&);

Tensor arange(Index n) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i);
    return tensorOf(values);
}

Tensor lazyZeros(Index n, DType dtype) {
    const std::size_t bytes = static_cast<std::size_t>(n) * itemSize(dtype);
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) return {};
    StoragePtr storage = Storage::wrap(
        data, bytes, Device(), [data, bytes] { munmap(data, bytes); }, "test");
    return Tensor(std::move(storage), makeViewOf({n}, {1}, 0), dtype);
}

View makeViewOf(std::initializer_list<Index> shape, std::initializer_list<Index> stride, Index offset) {
    View view;
    view.shape = Dims(shape);
    view.stride = Dims(stride);
    view.offset = offset;
    return view;
}

GridItem gridOf(const Tensor& source, const View& view, QPointF origin, int colour, QSizeF cell) {
    GridItem grid;
    grid.source = source;
    grid.origin = origin;
    grid.cell = cell;
    grid.rows = view.shape[0];
    grid.cols = view.shape[1];
    grid.base = view.offset;
    grid.rowStride = view.stride[0];
    grid.colStride = view.stride[1];
    grid.colour = colour;
    grid.coord = Dims{0, 0};
    grid.rowDim = 0;
    grid.colDim = 1;
    grid.tensor = static_cast<TensorId>(colour + 2);
    return grid;
}

StripItem stripOf(const Tensor& source, QRectF area, Index perRow, qreal cellWidth, std::optional<StripReach> reach) {
    StripItem strip;
    strip.source = source;
    strip.storageId = source.storage()->id();
    strip.layout.cellCount = source.storageNumel();
    strip.layout.perRow = perRow;
    strip.layout.area = area;
    strip.layout.cellWidth = cellWidth;
    strip.reach = std::move(reach);
    return strip;
}

Scene exploreGallery() {
    Scene scene;
    scene.size = QSizeF(1000, 560);
    scene.title = QStringLiteral("Three views of one storage; B[2, 1] is picked.");
    const Tensor q = arange(20);
    const quint64 id = q.storage()->id();
    const View views[] = {makeViewOf({4, 5}, {5, 1}, 0), makeViewOf({4, 2}, {5, 1}, 1), makeViewOf({2, 4}, {1, 5}, 1)};
    const qreal left[] = {60, 400, 620};
    for (int v = 0; v < 3; ++v) {
        BoxItem card;
        card.rect = QRectF(left[v] - 40, 10, v == 1 ? 210 : v == 0 ? 310 : 250, 250);
        card.fill = Tone::Stage;
        card.outline = Tone::Ink2;
        card.width = 2;
        card.radius = 8;
        card.style = viewLineStyle(v);
        const auto tensor = static_cast<TensorId>(v + 2);
        scene.nodes.push_back({part(PartKind::CardFrame, tensor, id), card});
        scene.nodes.push_back({part(PartKind::CardBadge, tensor, id), BadgeItem{QPointF(left[v] - 15, 34), v, 22, {}}});
        scene.nodes.push_back(
            {part(PartKind::CardHeader, tensor, id),
             text(QPointF(left[v] + 5, 39), QStringLiteral("A.narrow(1, 1, 2)"), FontRole::CodeStrong)});
        TextItem formula = text(QPointF(left[v] - 25, 80), QStringLiteral("2·5"), FontRole::CellStrong);
        formula.underline = Tone::Dim0;
        scene.nodes.push_back({{}, formula});
        GridItem grid = gridOf(q, views[v], QPointF(left[v], 110), v);
        const Index position = v == 0 ? 12 : v == 1 ? 5 : 6;
        grid.marks.push_back({position, MarkKind::Ring, 0});
        scene.nodes.push_back({part(PartKind::CardCells, tensor, id), grid});
        PathItem axis;
        axis.path.moveTo(left[v], 98);
        axis.path.lineTo(left[v] + 80, 98);
        axis.stroke = Tone::Dim1;
        axis.width = 3;
        axis.arrow = true;
        scene.nodes.push_back({part(PartKind::CardDim, tensor, id), axis});
    }
    StripItem strip = stripOf(q, QRectF(140, 360, 842, 60), 20, 42, StripReach{3, 1, views[1]});
    strip.marks.push_back({12, MarkKind::Ring, 0});
    scene.nodes.push_back({part(PartKind::StripCells, 0, id), strip});
    BoxItem handle;
    handle.rect = QRectF(16, 360, 118, 42);
    handle.fill = Tone::Inset;
    handle.outline = Tone::Control;
    handle.width = 1.5;
    handle.radius = 6;
    scene.nodes.push_back({part(PartKind::StripHandle, 0, id), handle});
    scene.nodes.push_back({{}, text(QPointF(26, 377), QStringLiteral("storage #1"), FontRole::LabelStrong)});
    scene.nodes.push_back(
        {{}, text(QPointF(26, 393), QStringLiteral("20 × int64 · cpu"), FontRole::Label, Tone::Ink2)});
    PathItem hop;
    hop.path.moveTo(203, 357);
    hop.path.cubicTo(228, 312, 388, 312, 413, 357);
    hop.stroke = Tone::Dim0;
    hop.width = 3;
    hop.arrow = hop.casing = true;
    scene.nodes.push_back({{}, hop});
    PathItem link;
    link.path.moveTo(488, 238);
    link.path.lineTo(488, 270);
    link.path.cubicTo(488, 310, 665, 310, 665, 356);
    link.casing = true;
    scene.nodes.push_back({{}, link});
    for (int v = 0; v < 3; ++v) {
        LaneItem lane;
        lane.layout = strip.layout;
        lane.top = 450 + 24 * v;
        lane.reach = {static_cast<TensorId>(v + 2), v, views[v]};
        lane.marks.push_back({12, MarkKind::SoftRing, 0});
        scene.nodes.push_back({part(PartKind::LaneCells, static_cast<TensorId>(v + 2), id), lane});
    }
    return scene;
}

Scene markGallery() {
    Scene scene;
    scene.size = QSizeF(1000, 760);
    scene.title = QStringLiteral("Marks");
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const Tensor values = tensorOf<float>({nan, inf, -inf, 12.5f, -9, 9, 0.1f, -2.5f});
    const View row = makeViewOf({1, 8}, {8, 1}, 0);
    const auto add = [&scene](SceneItem item) { scene.nodes.push_back({{}, std::move(item)}); };
    GridItem heat = gridOf(values, row, QPointF(20, 20), 0);
    heat.heat = true;
    heat.heatLow = -10;
    heat.heatHigh = 10;
    add(heat);
    add(gridOf(values, row, QPointF(400, 20), 1));
    const Tensor truth = tensorOf<bool>({true, false, true, true});
    GridItem twoLevel = gridOf(truth, makeViewOf({1, 4}, {4, 1}, 0), QPointF(20, 70), 2);
    add(twoLevel);
    twoLevel.heat = true;
    twoLevel.origin = QPointF(220, 70);
    add(twoLevel);
    // Beyond the storage, stride 0 both ways, a preview.
    const Tensor q = arange(20);
    add(gridOf(q, makeViewOf({2, 4}, {4, 1}, 15), QPointF(420, 70), 0));
    add(gridOf(q, makeViewOf({3, 4}, {1, 0}, 1), QPointF(20, 130), 0));
    add(gridOf(q, makeViewOf({3, 4}, {0, 1}, 1), QPointF(220, 130), 1));
    GridItem ghost = gridOf(q, makeViewOf({3, 4}, {4, 1}, 1), QPointF(420, 150), 2);
    ghost.ghost = true;
    add(ghost);
    GridItem none = gridOf(q, makeViewOf({0, 4}, {4, 1}, 0), QPointF(620, 150), 2);
    add(none);
    GridItem marked = gridOf(q, makeViewOf({1, 7}, {7, 1}, 0), QPointF(640, 90), -1);
    marked.marks = {{0, MarkKind::Ring, 0},     {1, MarkKind::SoftRing, 0}, {2, MarkKind::Changed, 0},
                    {3, MarkKind::OrderTag, 7}, {4, MarkKind::Count, 3},    {5, MarkKind::Cross, 0},
                    {6, MarkKind::Hazard, 0}};
    add(marked);
    // Overlap on the strip, out of range, cache lines.
    StripItem strip = stripOf(q, QRectF(20, 260, 960, 62), 20, 42, StripReach{2, 0, makeViewOf({4, 3}, {2, 1}, 2)});
    strip.outOfRange = {20, 22};
    strip.cacheLineCells = 8;
    strip.ruler = StripItem::Ruler::Hex;
    strip.baseAddress = 0x5600;
    add(strip);
    StripItem wrapped =
        stripOf(arange(60), QRectF(20, 340, 300, 200), 24, 12, StripReach{2, 1, makeViewOf({5, 3}, {10, 2}, 3)});
    wrapped.layout.cellHeight = 26;
    wrapped.layout.rowPitch = 48;
    add(wrapped);
    StripItem tiny = stripOf(arange(4000), QRectF(340, 340, 640, 60), 4000, 0.25,
                             StripReach{2, 2, makeViewOf({50, 30}, {70, 1}, 200)});
    tiny.heatHigh = 4000;
    add(tiny);
    StripItem narrow =
        stripOf(arange(200), QRectF(340, 410, 640, 60), 200, 3, StripReach{2, 3, makeViewOf({10, 8}, {12, 1}, 20)});
    narrow.heatHigh = 200;
    add(narrow);
    GridItem small = gridOf(arange(4000), makeViewOf({40, 60}, {60, 1}, 0), QPointF(340, 480), 1, {4, 3});
    small.heatHigh = 2400;
    add(small);
    add(gridOf(arange(4000), makeViewOf({8, 16}, {60, 1}, 0), QPointF(600, 480), 0, {14, 14}));
    for (int v = 0; v < 4; ++v) {
        BoxItem box;
        box.rect = QRectF(20 + 80 * v, 560, 70, 30);
        box.outline = Tone::Ink2;
        box.style = viewLineStyle(v);
        box.width = 2;
        box.radius = 6;
        add(box);
        add(BadgeItem{QPointF(36 + 40 * v, 616), v, 26, {}});
    }
    add(BadgeItem{QPointF(200, 616), -1, 22, {}});
    QuadItem front;
    front.origin = QPointF(860, 500);
    front.across = QPointF(30, 0);
    front.down = QPointF(0, 30);
    front.rows = 2;
    front.cols = 3;
    front.fill = Tone::ViewA;
    QuadItem top = front;
    top.origin = QPointF(871, 489);
    top.down = QPointF(-11, 11);
    top.rows = 1;
    top.shade = 0.45;
    QuadItem side = front;
    side.origin = QPointF(950, 500);
    side.across = QPointF(11, -11);
    side.cols = 1;
    side.shade = -0.4;
    add(front);
    add(top);
    add(side);
    add(ColourBarItem{QRectF(600, 600, 240, 14), -3, 3, true});
    PathItem sign;
    sign.path = glyphPath(Glyph::Check, QPointF(260, 616), 16);
    sign.stroke = Tone::Right;
    add(sign);
    sign.path = glyphPath(Glyph::Cross, QPointF(284, 616), 16);
    sign.stroke = Tone::Error;
    add(sign);
    BoxItem hatched;
    hatched.rect = QRectF(310, 602, 60, 26);
    hatched.hatched = true;
    hatched.outline = Tone::Error;
    hatched.width = 2;
    add(hatched);
    // Wrapped and zoomed out; value colours in cells with numbers.
    StripItem rows =
        stripOf(arange(700), QRectF(80, 650, 400, 40), 200, 2, StripReach{2, 1, makeViewOf({30, 9}, {20, 2}, 3)});
    rows.layout.perRow = 200;
    rows.layout.cellHeight = rows.layout.rowPitch = 10;
    rows.indexBelow = false;
    rows.rowIndex = true;
    rows.heatHigh = 700;
    rows.marks = {{431, MarkKind::Ring, 0}};
    add(rows);
    StripItem warm =
        stripOf(arange(20), QRectF(520, 650, 460, 62), 20, 42, StripReach{2, 0, makeViewOf({4, 3}, {2, 1}, 2)});
    warm.heat = true;
    warm.heatHigh = 20;
    add(warm);
    TextItem turned = text(QPointF(394, 628), QStringLiteral("dim 0 · 4"), FontRole::LabelStrong);
    turned.angle = 90;
    add(turned);
    return scene;
}

} // namespace stridescope::test
