#include "widgets/panels/cell_bytes.h"

#include "core/print/format_element.h"
#include "core/tensor/bits.h"
#include "widgets/model/words.h"
#include "widgets/scene/cell_values.h"
#include "widgets/scene/painted_text.h"

#include <QFontMetricsF>

#include <algorithm>

namespace stridescope {

namespace {

QString roleWord(BitRole role) {
    switch (role) {
    case BitRole::Sign:
        return PaintedText::tr("sign");
    case BitRole::Exponent:
        return PaintedText::tr("exponent");
    case BitRole::Mantissa:
        return PaintedText::tr("mantissa");
    case BitRole::Magnitude:
        return PaintedText::tr("value");
    case BitRole::Truth:
        return PaintedText::tr("truth");
    }
    return {};
}

TextItem label(QPointF pos, const QString& text, FontRole font, Tone tone, Qt::Alignment anchor) {
    TextItem item;
    item.pos = pos;
    item.text = text;
    item.font = font;
    item.tone = tone;
    item.anchor = anchor;
    return item;
}

constexpr Qt::Alignment kLeft = Qt::AlignLeft | Qt::AlignBaseline;
constexpr Qt::Alignment kMiddle = Qt::AlignHCenter | Qt::AlignBaseline;

/// Rows of bit boxes, at most 32 a row, with the name of each field over its first box. Returns the new bottom.
qreal addBits(Scene& scene, const ElementBits& bits, qreal top, qreal width) {
    const int perRow = std::min(bits.width, 32);
    const qreal box = std::min(14.0, width / perRow);
    qreal y = top;
    for (int high = bits.width - 1; high >= 0; high -= perRow) {
        const int low = std::max(0, high - perRow + 1);
        y += 14;
        qreal nameEnd = 0;
        for (const BitField& field : bits.fields()) {
            const int from = std::min(field.highest, high);
            const int to = std::max(field.lowest, low);
            if (from < to) continue;
            const qreal x = (high - from) * box;
            const qreal span = (from - to + 1) * box;
            // A sign is one bit wide: the names after it move to the right rather than leave it unnamed.
            const qreal at = std::max(x, nameEnd);
            scene.nodes.push_back({{}, label({at, y - 3}, roleWord(field.role), FontRole::Index, Tone::Ink2, kLeft)});
            nameEnd = at + 6 + QFontMetricsF(Theme().font(FontRole::Index)).horizontalAdvance(roleWord(field.role));
            PathItem bracket;
            bracket.path.moveTo(x + 1, y);
            bracket.path.lineTo(x + span - 1, y);
            bracket.stroke = field.role == BitRole::Exponent ? Tone::Ink : Tone::Control;
            bracket.width = 2;
            scene.nodes.push_back({{}, bracket});
        }
        for (int bit = high; bit >= low; --bit) {
            const QRectF rect((high - bit) * box, y + 3, box, 18);
            BoxItem cell;
            cell.rect = rect;
            cell.outline = Tone::Control;
            cell.fill = bits.bit(bit) ? Tone::Ink : Tone::Stage;
            scene.nodes.push_back({{}, cell});
            if (box >= 9) {
                scene.nodes.push_back({{},
                                       label({rect.center().x(), rect.bottom() - 5},
                                             bits.bit(bit) ? QStringLiteral("1") : QStringLiteral("0"), FontRole::Index,
                                             bits.bit(bit) ? Tone::Stage : Tone::Ink, kMiddle)});
            }
        }
        y += 26;
    }
    // The formula breaks between its terms.
    QString line;
    const auto write = [&] {
        scene.nodes.push_back({{}, label({0, y + 10}, line, FontRole::Meta, Tone::Ink, kLeft)});
        y += 16;
    };
    const QStringList terms = QString::fromStdString(bits.formula()).split(QLatin1Char(' '));
    for (const QString& term : terms) {
        const QString longer = line.isEmpty() ? term : line + QLatin1Char(' ') + term;
        if (!line.isEmpty() && QFontMetricsF(Theme().font(FontRole::Meta)).horizontalAdvance(longer) > width) {
            write();
            line = term;
        } else {
            line = longer;
        }
    }
    write();
    return y;
}

} // namespace

Scene cellBytesScene(const WorkspaceSnapshot& snapshot, const Pick& pick, bool bits, qreal width) {
    Scene scene;
    const std::vector<const TensorEntry*> tensors = snapshot.tensorsOn(pick.storageId);
    const TensorEntry* entry = snapshot.tensor(pick.tensor);
    if (!entry && !tensors.empty()) entry = tensors.front();
    if (!entry || !entry->tensor.device().isCpu()) return scene;
    const Tensor& tensor = entry->tensor;
    if (pick.slot < 0 || pick.slot >= tensor.storageNumel()) return scene;
    const auto item = static_cast<Index>(tensor.itemSize());
    const std::byte* address = tensor.storage()->data() + pick.slot * item;
    const std::vector<ElementBits> parts = partsOf(address, tensor.dtype());

    qreal x = 0, y = 12;
    const auto advance = [](const QString& text, FontRole font) {
        return QFontMetricsF(Theme().font(font)).horizontalAdvance(text);
    };
    /// A word and its number stay on one line; what does not fit goes to the next.
    const auto pair = [&](const QString& word, const QString& number) {
        const qreal wordWidth = word.isEmpty() ? 0 : advance(word, FontRole::Label) + 6;
        const qreal numberWidth = number.isEmpty() ? 0 : advance(number, FontRole::MetaStrong) + 6;
        if (x > 0 && x + wordWidth + numberWidth - 6 > width) {
            x = 0;
            y += 18;
        }
        if (!word.isEmpty()) scene.nodes.push_back({{}, label({x, y}, word, FontRole::Label, Tone::Ink2, kLeft)});
        x += wordWidth;
        if (!number.isEmpty()) {
            scene.nodes.push_back({{}, label({x, y}, number, FontRole::MetaStrong, Tone::Ink, kLeft)});
        }
        x += numberWidth;
    };
    if (const std::optional<quint64> end = shorterFile(tensor); end && !CellValues(tensor).holds(pick.slot)) {
        pair(PaintedText::tr("gone: the file ends at byte"), QString::number(*end));
        pair(PaintedText::tr("index"), QString::number(pick.slot));
        scene.size = QSizeF(width, y + 8);
        scene.title = PaintedText::tr("gone: the file ends at byte") + QLatin1Char(' ') + QString::number(*end);
        return scene;
    }
    pair(PaintedText::tr("value"), QString::fromStdString(elementText(address, tensor.dtype())));
    pair(dtypeText(tensor.dtype()), {});
    pair(PaintedText::tr("index"), QString::number(pick.slot));
    if (item == 1) {
        pair(PaintedText::tr("byte"), QString::number(pick.slot));
    } else {
        pair(PaintedText::tr("bytes"), QStringLiteral("%1–%2").arg(pick.slot * item).arg(pick.slot * item + item - 1));
    }
    y += 10;

    const qreal box = std::min(36.0, width / 8);
    int index = 0;
    QStringList hex;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const ElementBits& element = parts[part];
        const std::array<std::uint8_t, 8> bytes = element.bytes();
        const int count = element.width / 8;
        if (parts.size() > 1) {
            scene.nodes.push_back(
                {{},
                 label({0, y + 10}, part == 0 ? PaintedText::tr("real part") : PaintedText::tr("imaginary part"),
                       FontRole::Label, Tone::Ink2, kLeft)});
            y += 16;
        }
        for (int i = 0; i < count; ++i) {
            BoxItem cell;
            cell.rect = QRectF(i * box, y, box - 2, 22);
            cell.outline = Tone::Control;
            cell.fill = Tone::Stage;
            cell.radius = 3;
            Part button;
            button.kind = PartKind::Button;
            button.index = index++;
            scene.nodes.push_back({button, cell});
            scene.nodes.push_back(
                {button, label({cell.rect.center().x(), cell.rect.bottom() - 7},
                               QStringLiteral("%1").arg(bytes[static_cast<std::size_t>(i)], 2, 16, QLatin1Char('0')),
                               FontRole::Meta, Tone::Ink, kMiddle)});
        }
        y += 26;
        if (bits) y = addBits(scene, element, y, width);
        hex << QString::fromStdString(element.hexText());
    }
    scene.size = QSizeF(width, y + 4);
    scene.title = PaintedText::tr("Element %1: %2").arg(pick.slot).arg(hex.join(QLatin1Char(' ')));
    return scene;
}

} // namespace stridescope
