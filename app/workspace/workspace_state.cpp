#include "app/workspace/workspace_state.h"

#include "core/expr/parser.h"

#include <algorithm>
#include <array>

namespace stridescope {

namespace {

constexpr int kColours = 4;

/// `code` with `to` wherever the name `from` is used: not where it is an attribute, part of a longer word, quoted, or
/// marked as the name of an earlier tensor.
QString withName(const QString& code, const QString& from, const QString& to) {
    const auto isWord = [](QChar c) { return c.isLetterOrNumber() || c == QLatin1Char('_'); };
    QString out;
    QChar quote;
    for (qsizetype i = 0; i < code.size();) {
        const QChar c = code[i];
        if (!quote.isNull() || !isWord(c)) {
            if (quote.isNull() ? c == QLatin1Char('"') || c == QLatin1Char('\'') : c == quote)
                quote = quote.isNull() ? c : QChar();
            out += c;
            ++i;
            continue;
        }
        qsizetype end = i;
        while (end < code.size() && isWord(code[end])) ++end;
        const QString word = code.mid(i, end - i);
        const bool attribute = i > 0 && code[i - 1] == QLatin1Char('.');
        const bool marked = out.endsWith(QStringLiteral("(old "));
        out += word == from && !attribute && !marked ? to : word;
        i = end;
    }
    return out;
}

} // namespace

const TensorEntry* WorkspaceState::tensor(TensorId id) const {
    const std::size_t index = indexOf(id);
    return index < tensors.size() ? tensors[index].get() : nullptr;
}

const TensorEntry* WorkspaceState::tensor(const QString& name) const {
    for (const auto& entry : tensors) {
        if (entry->name == name) return entry.get();
    }
    return nullptr;
}

std::size_t WorkspaceState::indexOf(TensorId id) const {
    const auto it = std::find_if(tensors.begin(), tensors.end(), [id](const auto& entry) { return entry->id == id; });
    return static_cast<std::size_t>(it - tensors.begin());
}

bool WorkspaceState::hasName(const QString& name) const {
    return tensor(name) || variables.count(name.toStdString()) > 0;
}

bool WorkspaceState::hasStorage(quint64 storageId) const {
    return std::any_of(tensors.begin(), tensors.end(),
                       [storageId](const auto& entry) { return entry->tensor.storage()->id() == storageId; });
}

void WorkspaceState::change(std::size_t index, const std::function<void(TensorEntry&)>& edit) {
    auto changed = std::make_shared<TensorEntry>(*tensors[index]);
    edit(*changed);
    tensors[index] = std::move(changed);
}

void WorkspaceState::adoptChildren(TensorId leaving, TensorId parent) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i]->parent == leaving) change(i, [parent](TensorEntry& entry) { entry.parent = parent; });
    }
}

TensorId WorkspaceState::bind(const QString& name, const expr::TensorValue& value, const QString& code, TensorId newId,
                              bool show) {
    TensorEntry made;
    made.id = newId;
    made.onStage = show;
    made.name = name;
    made.code = code;
    made.tensor = value.tensor;
    TensorId source = tensor(value.source) ? value.source : 0;
    variables.erase(name.toStdString());
    // What was made of an earlier tensor of this name must not seem to be made of the new one.
    const QString earlier = QStringLiteral("(old %1)").arg(name);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i]->name == name) continue;
        const QString marked = withName(tensors[i]->code, name, earlier);
        if (marked != tensors[i]->code) change(i, [&marked](TensorEntry& entry) { entry.code = marked; });
    }
    std::size_t index = tensors.size();
    bool wasOnStage = false;
    if (const TensorEntry* old = tensor(name)) {
        wasOnStage = old->onStage;
        made.id = old->id;
        made.onStage = show || old->onStage; // what a line makes is seen, also under the name of what was not
        made.colour = old->colour;
        made.letter = old->letter;
        // What was made from the old tensor hangs on where that one came from; so does the new one if it was made so.
        const TensorId above = old->parent;
        index = indexOf(old->id);
        adoptChildren(made.id, above);
        if (source == made.id) source = above;
    }
    made.parent = source;
    switch (value.lineage) {
    case expr::Lineage::Alias:
    case expr::Lineage::View:
        made.origin = Origin::View;
        break;
    case expr::Lineage::Copy:
        made.origin = Origin::Copy;
        break;
    case expr::Lineage::Fresh:
        made.origin = Origin::Base;
        break;
    }
    const TensorId id = made.id;
    const bool isNew = index == tensors.size();
    auto entry = std::make_shared<const TensorEntry>(std::move(made));
    if (isNew) {
        tensors.push_back(std::move(entry));
    } else {
        tensors[index] = std::move(entry);
        // A parent that is younger than its new child must come first.
        if (source != 0 && indexOf(source) > index)
            std::rotate(tensors.begin() + static_cast<std::ptrdiff_t>(index),
                        tensors.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                        tensors.begin() + static_cast<std::ptrdiff_t>(indexOf(source)) + 1);
    }
    if (show && !wasOnStage) showNewest(indexOf(id));
    giveColours();
    return id;
}

void WorkspaceState::remove(TensorId id) {
    const std::size_t index = indexOf(id);
    if (index == tensors.size()) return;
    adoptChildren(id, tensors[index]->parent);
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(index));
    setOrder(wholeOrder());
    giveColours();
}

void WorkspaceState::moveTo(TensorId id, const Tensor& tensor) {
    change(indexOf(id), [&tensor](TensorEntry& entry) { entry.tensor = tensor; });
    giveColours();
}

void WorkspaceState::setOnStage(TensorId id, bool onStage) {
    const std::size_t index = indexOf(id);
    if (index == tensors.size()) return;
    change(index, [onStage](TensorEntry& entry) { entry.onStage = onStage; });
    giveColours();
}

void WorkspaceState::rename(TensorId id, const QString& name) {
    const std::size_t index = indexOf(id);
    if (index == tensors.size()) return;
    const QString before = tensors[index]->name;
    change(index, [&name](TensorEntry& entry) {
        entry.name = name;
        entry.letter = QChar(); // it may have been that of the earlier name
    });
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const QString renamed = withName(tensors[i]->code, before, name);
        if (renamed != tensors[i]->code) change(i, [&renamed](TensorEntry& entry) { entry.code = renamed; });
    }
    giveColours();
}

std::vector<TensorId> WorkspaceState::wholeOrder() const {
    std::vector<TensorId> whole;
    for (const TensorId id : order) {
        if (tensor(id)) whole.push_back(id);
    }
    for (const auto& entry : tensors) {
        if (std::find(whole.begin(), whole.end(), entry->id) == whole.end()) whole.push_back(entry->id);
    }
    return whole;
}

void WorkspaceState::setOrder(std::vector<TensorId> whole) {
    const bool natural =
        std::equal(whole.begin(), whole.end(), tensors.begin(), tensors.end(),
                   [](TensorId id, const std::shared_ptr<const TensorEntry>& entry) { return id == entry->id; });
    if (natural) whole.clear();
    order = std::move(whole);
}

void WorkspaceState::moveBefore(TensorId id, TensorId before) {
    if (!tensor(id) || id == before) return;
    std::vector<TensorId> whole = wholeOrder();
    whole.erase(std::find(whole.begin(), whole.end(), id));
    whole.insert(before == 0 ? whole.end() : std::find(whole.begin(), whole.end(), before), id);
    setOrder(std::move(whole));
}

WorkspaceState WorkspaceState::of(std::vector<TensorEntry> entries, std::vector<TensorId> order) {
    WorkspaceState state;
    std::array<bool, kColours> taken{};
    for (TensorEntry& entry : entries) {
        if (entry.colour >= 0 && std::exchange(taken[static_cast<std::size_t>(entry.colour)], true)) entry.colour = -1;
        state.tensors.push_back(std::make_shared<const TensorEntry>(std::move(entry)));
    }
    state.order = std::move(order);
    state.giveColours();
    return state;
}

void WorkspaceState::makeRoom(std::size_t coming) {
    auto shown = static_cast<std::size_t>(
        std::count_if(tensors.begin(), tensors.end(), [](const auto& entry) { return entry->onStage; }));
    for (std::size_t i = 0; i < tensors.size() && shown + coming > kShownByItself; ++i) {
        if (!tensors[i]->onStage) continue;
        change(i, [](TensorEntry& entry) { entry.onStage = false; });
        --shown;
    }
}

void WorkspaceState::showNewest(std::size_t index) {
    const auto shown = static_cast<std::size_t>(
        std::count_if(tensors.begin(), tensors.end(), [](const auto& entry) { return entry->onStage; }));
    if (shown <= kShownByItself) return;
    const TensorId parent = tensors[index]->parent;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i]->onStage || i == index || tensors[i]->id == parent) continue;
        change(i, [](TensorEntry& entry) { entry.onStage = false; });
        return;
    }
}

// Note [Which badge] A badge is a hue and a letter. Each of the four hues has a letter, A … D (visual rules V2, V4),
// and so do names that tensors get (freeName() avoids letters that are worn), so a badge could name another card.
// Therefore, among the tensors on stage:
// 1. who has a hue keeps it: what it means must not change before the user's eyes;
// 2. one whose name is a letter A … D gets the hue of that letter if it is free;
// 3. any other gets the first hue whose letter is no tensor's name, else the first that is free: a card stays neutral
//    only where four others have the hues.
// 4. The letter is the name where that is one letter. Of a longer name it is the one that the tensor has had, else its
//    first letter as a capital, else that of its hue, else the first that nobody wears: never the name of another
//    tensor or value, hidden ones included, whether capital or small.
void WorkspaceState::giveColours() {
    std::array<bool, kColours> taken{};
    const auto give = [this, &taken](std::size_t index, int colour) {
        if (colour >= 0) taken[static_cast<std::size_t>(colour)] = true;
        if (tensors[index]->colour != colour) change(index, [colour](TensorEntry& entry) { entry.colour = colour; });
    };
    const auto isFree = [&taken](int colour) { return !taken[static_cast<std::size_t>(colour)]; };
    const auto hueOfName = [](const TensorEntry& entry) {
        const int hue = entry.name.size() == 1 ? entry.name[0].unicode() - u'A' : -1;
        return hue >= 0 && hue < kColours ? hue : -1;
    };
    for (std::size_t i = 0; i < tensors.size(); ++i) give(i, tensors[i]->onStage ? tensors[i]->colour : -1);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const int own = hueOfName(*tensors[i]);
        if (tensors[i]->onStage && tensors[i]->colour < 0 && own >= 0 && isFree(own)) give(i, own);
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i]->onStage || tensors[i]->colour >= 0) continue;
        int chosen = -1;
        for (const bool nobodysName : {false, true}) {
            for (int colour = kColours - 1; colour >= 0; --colour) {
                if (isFree(colour) && !(nobodysName && tensor(QString(QChar(u'A' + colour))))) chosen = colour;
            }
        }
        give(i, chosen);
    }
    giveLetters();
}

void WorkspaceState::giveLetters() {
    const auto isLetter = [](const QString& name) { return name.size() == 1 && name[0].isLetter(); };
    QString taken; // letters that are names or worn
    for (const auto& entry : tensors) {
        if (isLetter(entry->name)) taken += entry->name;
    }
    for (const auto& [name, value] : variables) {
        if (const QString text = QString::fromStdString(name); isLetter(text)) taken += text;
    }
    const auto give = [this, &taken](std::size_t index, QChar letter) {
        if (!letter.isNull()) taken += letter;
        if (tensors[index]->letter != letter) change(index, [letter](TensorEntry& entry) { entry.letter = letter; });
    };
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorEntry& entry = *tensors[i];
        if (entry.colour < 0)
            give(i, QChar());
        else if (isLetter(entry.name))
            give(i, entry.name[0]);
        else
            others.push_back(i);
    }
    // Letters that can stay come first: nobody else gets them.
    std::stable_partition(others.begin(), others.end(), [&](std::size_t i) {
        const QChar letter = tensors[i]->letter;
        return !letter.isNull() && !taken.contains(letter, Qt::CaseInsensitive);
    });
    for (const std::size_t i : others) {
        const TensorEntry& entry = *tensors[i];
        QString wanted = QStringLiteral("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        wanted.prepend(QChar(u'A' + entry.colour));
        const auto first = std::find_if(entry.name.cbegin(), entry.name.cend(), [](QChar c) { return c.isLetter(); });
        if (first != entry.name.cend()) wanted.prepend(first->toUpper());
        if (!entry.letter.isNull()) wanted.prepend(entry.letter);
        QChar letter;
        // "x" beside "X" only where all else is taken.
        for (const Qt::CaseSensitivity alike : {Qt::CaseSensitive, Qt::CaseInsensitive}) {
            const auto found =
                std::find_if(wanted.cbegin(), wanted.cend(), [&](QChar each) { return !taken.contains(each, alike); });
            if (found != wanted.cend()) letter = *found;
        }
        // With twenty-six tensors called A to Z there is no letter left: then it goes by its name.
        if (letter.isNull()) change(i, [](TensorEntry& changed) { changed.colour = -1; });
        give(i, letter);
    }
}

QString freeName(const WorkspaceState& state) {
    // A name would take its letter, and its hue, from the badge of another tensor before the user's eyes; and one that
    // differs from another in its case alone would be taken for it.
    const auto worn = [&state](char letter) {
        if (state.hasName(QString(QLatin1Char(letter)).toLower())) return true;
        return std::any_of(state.tensors.begin(), state.tensors.end(), [letter](const auto& entry) {
            return entry->letter.toUpper() == QLatin1Char(letter) || entry->colour == letter - 'A';
        });
    };
    for (int round = 1;; ++round) {
        for (char letter = 'A'; letter <= 'Z'; ++letter) {
            QString name = QChar::fromLatin1(letter);
            if (round > 1) name += QString::number(round);
            if (!state.hasName(name) && (round > 1 || !worn(letter))) return name;
        }
    }
}

QString freeNameLike(const WorkspaceState& state, const QString& wanted) {
    constexpr qsizetype kLongest = 40;
    QString name;
    for (const QChar c : wanted) {
        const bool plain = c.unicode() < 128 && (c.isLetterOrNumber() || c == QLatin1Char('_'));
        if (plain)
            name += c;
        else if (!name.isEmpty() && !name.endsWith(QLatin1Char('_')))
            name += QLatin1Char('_');
        if (name.size() >= kLongest) break;
    }
    while (name.endsWith(QLatin1Char('_'))) name.chop(1);
    if (name.isEmpty() || name[0].isDigit()) name.prepend(QLatin1Char('x'));
    if (!expr::isIdentifier(name.toStdString())) name += QLatin1Char('_');
    if (!state.hasName(name)) return name;
    for (int number = 2;; ++number) {
        const QString numbered = name + QLatin1Char('_') + QString::number(number);
        if (!state.hasName(numbered)) return numbered;
    }
}

} // namespace stridescope
