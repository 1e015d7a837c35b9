#include "widgets/panels/bytes_ledger.h"

#include "core/view/reach_query.h"
#include "widgets/model/origin_words.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <QFontMetricsF>

#include <algorithm>

namespace stridescope {

namespace {

QString middleElided(const QString& text, FontRole font, qreal width) {
    return QFontMetricsF(Theme().font(font)).elidedText(text, Qt::ElideMiddle, width);
}

QString keepsAlive(const TensorEntry& entry, const StorageEntry& storage) {
    const Index all = entry.tensor.storageNumel();
    const std::optional<Index> counted = distinctSlots(entry.tensor.view());
    const bool exact = counted.has_value();
    // Where counting would take too long: no more than its elements.
    const Index used = counted.value_or(entry.tensor.numel());
    const auto item = static_cast<quint64>(entry.tensor.itemSize());
    const QString name = PaintedText::tr("storage #%1").arg(storage.number);
    if (used >= all && !exact)
        return PaintedText::tr("%1 may use all %2 of %3.").arg(entry.name, elementsText(all), name);
    if (used >= all && all == 1) return PaintedText::tr("%1 uses the only element of %2.").arg(entry.name, name);
    if (used >= all) return PaintedText::tr("%1 uses all %2 of %3.").arg(entry.name, elementsText(all), name);
    return PaintedText::tr("%1 uses %2%3 of %4 (%5 of %6), yet keeps the whole of %7 alive.")
        .arg(entry.name, exact ? QString() : PaintedText::tr("at most "), countText(std::min(used, all)),
             elementsText(all), bytesText(static_cast<quint64>(std::min(used, all)) * item),
             bytesText(entry.tensor.storage()->bytes()), name);
}

/// What the tensor added: a copy to what there was.
QString addedText(const LedgerRow& row) {
    if (row.newBytes == 0) return QStringLiteral("+0 B");
    return (row.origin == Origin::Copy ? QStringLiteral("+") : QString()) + bytesText(row.newBytes);
}

} // namespace

Ledger bytesLedger(const WorkspaceSnapshot& snapshot, TensorId selected, int limit) {
    Ledger ledger;
    const TensorEntry* chosen = snapshot.tensor(selected);
    if (!chosen) return ledger;
    const quint64 storageId = chosen->tensor.storage()->id();
    std::vector<const TensorEntry*> listed;
    for (const TensorEntry& entry : snapshot.tensors) {
        const TensorEntry* parent = snapshot.tensor(entry.parent);
        const bool here = entry.tensor.storage()->id() == storageId;
        const bool copyOfHere = entry.origin == Origin::Copy && parent && parent->tensor.storage()->id() == storageId;
        if (here || copyOfHere) listed.push_back(&entry);
    }
    // The selected tensor always has a row; the rest keep their order.
    const auto shown = std::min<std::size_t>(listed.size(), static_cast<std::size_t>(limit));
    if (const auto at = std::find(listed.begin(), listed.end(), chosen);
        at != listed.end() && static_cast<std::size_t>(at - listed.begin()) >= shown && shown > 0) {
        std::iter_swap(at, listed.begin() + static_cast<std::ptrdiff_t>(shown) - 1);
    }
    ledger.left = static_cast<int>(listed.size() - shown);
    for (std::size_t i = 0; i < shown; ++i) {
        const TensorEntry& entry = *listed[i];
        const Index dims = entry.tensor.dim();
        LedgerRow row;
        row.tensor = entry.id;
        row.name = entry.name;
        row.origin = entry.origin;
        row.kind = originWord(entry.origin);
        row.colour = entry.onStage ? entry.colour : -1;
        row.letter = entry.letter;
        row.numbers = QStringLiteral("%1+%1+1").arg(dims);
        row.metadataBytes = static_cast<quint64>(2 * dims + 1) * sizeof(Index);
        row.newBytes = entry.origin == Origin::View ? 0 : entry.tensor.storage()->bytes();
        ledger.rows.push_back(row);
    }
    if (const StorageEntry* storage = snapshot.storage(storageId)) ledger.sentence = keepsAlive(*chosen, *storage);
    return ledger;
}

Scene bytesLedgerScene(const WorkspaceSnapshot& snapshot, TensorId selected, qreal width) {
    const Ledger ledger = bytesLedger(snapshot, selected);
    Scene scene;
    scene.title = PaintedText::tr("Bytes kept by each tensor");
    const qreal right = width - 2;
    const Qt::Alignment toRight = Qt::AlignRight | Qt::AlignBaseline;
    qreal y = 12;
    const auto text = [&scene](QPointF pos, const QString& words, FontRole font, Tone tone, Qt::Alignment anchor) {
        TextItem item;
        item.pos = pos;
        item.text = words;
        item.font = font;
        item.tone = tone;
        item.anchor = anchor;
        scene.nodes.push_back({{}, item});
    };
    const Qt::Alignment toLeft = Qt::AlignLeft | Qt::AlignBaseline;
    const auto wide = [](FontRole font, const QString& words) {
        return QFontMetricsF(Theme().font(font)).horizontalAdvance(words);
    };
    // Name and kind share the room left of the numbers; a longer name takes a line of its own.
    constexpr qreal kNameLeft = 24, kNameGap = 6, kKindLeft = 56, kColumnGap = 8;
    qreal kinds = 0, bytes = wide(FontRole::Label, PaintedText::tr("bytes")), added = 0;
    for (const LedgerRow& row : ledger.rows) {
        kinds = std::max(kinds, wide(FontRole::Label, row.kind));
        bytes = std::max(bytes, wide(FontRole::MetaStrong, bytesText(row.metadataBytes)));
        added = std::max(added, wide(FontRole::MetaStrong, addedText(row)));
    }
    // The heads are as wide as their language has them; where that leaves the kinds no room, fewer words do.
    QString newStorage = PaintedText::tr("new storage");
    const auto metadataEnd = [&] {
        return right - std::max({qreal{80}, added + kColumnGap, wide(FontRole::Label, newStorage) + kColumnGap});
    };
    if (kKindLeft + kinds + kNameGap > metadataEnd() - bytes) newStorage = PaintedText::tr("storage");
    const qreal metadataRight = metadataEnd();
    const qreal numbersRight = metadataRight - std::max(qreal{48}, bytes + kColumnGap);
    text({0, y}, PaintedText::tr("tensor"), FontRole::Label, Tone::Ink2, toLeft);
    text({metadataRight, y}, PaintedText::tr("bytes"), FontRole::Label, Tone::Ink2, toRight);
    text({right, y}, newStorage, FontRole::Label, Tone::Ink2, toRight);
    qreal numbersLeft = numbersRight - wide(FontRole::Label, PaintedText::tr("numbers")) - kNameGap;
    for (const LedgerRow& row : ledger.rows)
        numbersLeft = std::min(numbersLeft, numbersRight - wide(FontRole::Meta, row.numbers) - kNameGap);
    // In a narrow panel how many numbers there are is left out: the bytes beside them say as much.
    const bool numbers = kKindLeft + kinds <= numbersLeft;
    if (numbers) {
        text({numbersRight, y}, PaintedText::tr("numbers"), FontRole::Label, Tone::Ink2, toRight);
    } else {
        numbersLeft = metadataRight - bytes - kNameGap;
    }
    y += 8;
    qreal kindLeft = kKindLeft;
    for (const LedgerRow& row : ledger.rows) {
        const qreal end = kNameLeft + wide(FontRole::MetaStrong, row.name) + kNameGap;
        if (end + wide(FontRole::Label, row.kind) <= numbersLeft) kindLeft = std::max(kindLeft, end);
    }
    for (const LedgerRow& row : ledger.rows) {
        y += 20;
        const bool ownLine = kNameLeft + wide(FontRole::MetaStrong, row.name) + kNameGap > kindLeft;
        Part part;
        part.kind = PartKind::CardBadge;
        part.tensor = row.tensor;
        if (row.colour >= 0) {
            scene.nodes.push_back({part, BadgeItem{{9, y - 4}, row.colour, 16, row.letter}});
        } else {
            PathItem ring;
            ring.path.addEllipse(QPointF(9, y - 4), 5, 5);
            ring.stroke = Tone::Control;
            ring.width = 1.5;
            scene.nodes.push_back({part, ring});
        }
        TextItem name;
        name.pos = {24, y};
        name.font = FontRole::MetaStrong;
        name.text = middleElided(row.name, FontRole::MetaStrong, width - kNameLeft);
        scene.nodes.push_back({part, name});
        if (ownLine) y += 17;
        text({kindLeft, y}, row.kind, FontRole::Label, Tone::Ink2, toLeft);
        if (numbers) text({numbersRight, y}, row.numbers, FontRole::Meta, Tone::Ink2, toRight);
        text({metadataRight, y}, bytesText(row.metadataBytes), FontRole::MetaStrong, Tone::Ink, toRight);
        text({right, y}, addedText(row), FontRole::MetaStrong, Tone::Ink, toRight);
    }
    if (ledger.left > 0) {
        y += 20;
        text({24, y}, PaintedText::tr("and %1 more").arg(ledger.left), FontRole::Label, Tone::Ink2, toLeft);
    }
    scene.size = QSizeF(width, y + 8);
    return scene;
}

} // namespace stridescope
