#pragma once
// Tensors, entries and scenes as text, for the tests of cards and figures.

#include "core/ops/views.h"
#include "core/tensor/tensor.h"
#include "tests/support/test_paths.h"
#include "widgets/card/text_metrics.h"
#include "widgets/model/snapshot.h"
#include "widgets/scene/scene.h"

#include <QDir>
#include <QFile>
#include <QStringList>

#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <vector>

namespace stridescope::test {

template <class T>
Tensor tensorOf(const std::vector<T>& values) {
    auto bytes = std::make_shared<std::vector<std::byte>>(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes->data(), values.data(), bytes->size());
    StoragePtr storage = Storage::wrap(
        bytes->data(), bytes->size(), Device{}, [bytes] {}, "heap");
    const Dims shape{static_cast<Index>(values.size())};
    return Tensor(storage, *contiguousView(std::span<const Index>(shape.data(), shape.size())), DTypeOf<T>::value);
}

inline Tensor arange(Index n) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 0);
    return tensorOf(values);
}

/// A small workspace whose entries stay where they are.
class Cast {
public:
    const TensorEntry& add(const QString& name, const QString& code, const Tensor& tensor, Origin origin,
                           int colour = -1, TensorId parent = 0) {
        TensorEntry entry;
        entry.id = static_cast<TensorId>(m_entries.size()) + 1;
        entry.name = name;
        entry.code = code;
        entry.tensor = tensor;
        entry.origin = origin;
        entry.colour = colour;
        entry.parent = parent;
        m_entries.push_back(entry);
        return m_entries.back();
    }
    static Pick pick(const TensorEntry& entry, const Dims& coord) {
        Pick p;
        p.storageId = entry.tensor.storage()->id();
        p.tensor = entry.id;
        p.coord = coord;
        p.slot = entry.tensor.view().slot(std::span<const Index>(coord.data(), coord.size()));
        return p;
    }

private:
    std::deque<TensorEntry> m_entries;
};

/// Where a text is drawn, roughly: its advance by its font's height, around its anchor.
inline QRectF textRect(const TextItem& item) {
    const qreal width = textWidth(item.font, item.text);
    const qreal height = item.font == FontRole::Cell || item.font == FontRole::CellStrong ? 13 : 10;
    QRectF rect(0, -height + 1, width, height);
    if (item.anchor & Qt::AlignVCenter) rect.moveTop(-height / 2);
    if (item.anchor & Qt::AlignRight) rect.moveLeft(-width);
    if (item.anchor & Qt::AlignHCenter) rect.moveLeft(-width / 2);
    if (item.angle != 0) rect = QTransform().rotate(-item.angle).mapRect(rect);
    return rect.translated(item.pos);
}

inline QString number(qreal v) {
    return QString::number(std::round(v * 2) / 2, 'f', 1);
}
inline QString rectText(const QRectF& r) {
    return QStringLiteral("%1 %2 %3x%4").arg(number(r.x()), number(r.y()), number(r.width()), number(r.height()));
}

/// The scene as lines of text: what golden files hold. Coordinates to half a pixel.
inline QString dumpScene(const Scene& scene) {
    QStringList lines{
        QStringLiteral("scene %1x%2 \"%3\"").arg(number(scene.size.width()), number(scene.size.height()), scene.title)};
    for (const SceneNode& node : scene.nodes) {
        QString line;
        if (const auto* box = std::get_if<BoxItem>(&node.item)) {
            line = QStringLiteral("box %1 fill %2 line %3 style %4 width %5%6")
                       .arg(rectText(box->rect))
                       .arg(static_cast<int>(box->fill))
                       .arg(static_cast<int>(box->outline))
                       .arg(static_cast<int>(box->style))
                       .arg(number(box->width), box->hatched ? QStringLiteral(" hatched") : QString());
        } else if (const auto* text = std::get_if<TextItem>(&node.item)) {
            line = QStringLiteral("text %1 %2 font %3 tone %4 \"%5\"")
                       .arg(number(text->pos.x()), number(text->pos.y()))
                       .arg(static_cast<int>(text->font))
                       .arg(static_cast<int>(text->tone))
                       .arg(text->text);
        } else if (const auto* path = std::get_if<PathItem>(&node.item)) {
            line = QStringLiteral("path %1 stroke %2 style %3%4")
                       .arg(rectText(path->path.boundingRect()))
                       .arg(static_cast<int>(path->stroke))
                       .arg(static_cast<int>(path->style))
                       .arg(path->arrow ? QStringLiteral(" arrow") : QString());
        } else if (const auto* badge = std::get_if<BadgeItem>(&node.item)) {
            line = QStringLiteral("badge %1 %2 colour %3")
                       .arg(number(badge->centre.x()), number(badge->centre.y()))
                       .arg(badge->colour);
        } else if (const auto* grid = std::get_if<GridItem>(&node.item)) {
            line = QStringLiteral("grid %1 cell %2x%3 %4x%5 slot %6 + r*%7 + c*%8 colour %9")
                       .arg(rectText(grid->area), number(grid->cell.width()), number(grid->cell.height()))
                       .arg(grid->rows)
                       .arg(grid->cols)
                       .arg(grid->base)
                       .arg(grid->rowStride)
                       .arg(grid->colStride)
                       .arg(grid->colour);
            if (grid->repeats) line += QStringLiteral(" repeats");
            if (grid->heat) line += QStringLiteral(" heat");
            for (const CellMark& mark : grid->marks)
                line += QStringLiteral(" mark %1@%2").arg(static_cast<int>(mark.kind)).arg(mark.position);
        } else if (const auto* strip = std::get_if<StripItem>(&node.item)) {
            line = QStringLiteral("strip %1 cells %2 from %3 width %4 beyond %5-%6")
                       .arg(rectText(strip->layout.area))
                       .arg(strip->layout.cellCount)
                       .arg(strip->layout.firstColumn)
                       .arg(number(strip->layout.cellWidth))
                       .arg(strip->outOfRange.first)
                       .arg(strip->outOfRange.last);
            for (const CellMark& mark : strip->marks)
                line += QStringLiteral(" mark %1@%2").arg(static_cast<int>(mark.kind)).arg(mark.position);
        } else if (const auto* lane = std::get_if<LaneItem>(&node.item)) {
            line = QStringLiteral("lane top %1 colour %2").arg(number(lane->top)).arg(lane->reach.colour);
        } else if (const auto* cells = std::get_if<CellsItem>(&node.item)) {
            line = QStringLiteral("cells %1x%2").arg(number(cells->size.width()), number(cells->size.height()));
            for (const CellsItem::Cell& cell : cells->cells)
                line += QStringLiteral(" %1@%2,%3/%4%5")
                            .arg(cell.slot)
                            .arg(number(cell.at.x()), number(cell.at.y()))
                            .arg(static_cast<int>(cell.look))
                            .arg(cell.colour);
        } else if (const auto* quad = std::get_if<QuadItem>(&node.item)) {
            line = QStringLiteral("quad %1 %2 %3x%4")
                       .arg(number(quad->origin.x()), number(quad->origin.y()))
                       .arg(quad->rows)
                       .arg(quad->cols);
        } else if (const auto* bar = std::get_if<ColourBarItem>(&node.item)) {
            line = QStringLiteral("bar %1 %2 … %3").arg(rectText(bar->rect)).arg(bar->low).arg(bar->high);
        }
        if (node.part.kind != PartKind::None)
            line += QStringLiteral("  part %1/%2").arg(static_cast<int>(node.part.kind)).arg(node.part.index);
        lines << line;
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

/// Compares with tests/golden/scenes/NAME.txt. With STRIDESCOPE_UPDATE_GOLDEN set it writes the file instead.
/// Returns the first line that differs, empty when equal.
inline QString compareGolden(const QString& name, const Scene& scene) {
    const QString path =
        QString::fromStdString(test::sourcePath("tests/golden/scenes/")) + name + QStringLiteral(".txt");
    const QString dump = dumpScene(scene);
    if (qEnvironmentVariableIsSet("STRIDESCOPE_UPDATE_GOLDEN")) {
        QDir().mkpath(QString::fromStdString(test::sourcePath("tests/golden/scenes")));
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly)) return QStringLiteral("cannot write ") + path;
        out.write(dump.toUtf8());
        return {};
    }
    QFile in(path);
    if (!in.open(QIODevice::ReadOnly)) return QStringLiteral("no golden file ") + path;
    const QStringList want = QString::fromUtf8(in.readAll()).split(QLatin1Char('\n'));
    const QStringList have = dump.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < std::max(want.size(), have.size()); ++i) {
        const QString a = i < want.size() ? want[i] : QStringLiteral("(nothing)");
        const QString b = i < have.size() ? have[i] : QStringLiteral("(nothing)");
        if (a != b) return QStringLiteral("line %1: expected %2, is %3").arg(i + 1).arg(a, b);
    }
    return {};
}

} // namespace stridescope::test
