#include "app/workspace/workspace_state.h"

#include "core/expr/parser.h"

#include <algorithm>

namespace stridescope {

namespace {

/// As many as there are view colours. A new tensor above that takes the place of the oldest; the user may show more.
constexpr std::size_t kShownByItself = 4;
constexpr int kColours = 4;

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

TensorId WorkspaceState::bind(const QString& name, const expr::TensorValue& value, const QString& code,
                              TensorId newId) {
    TensorEntry made;
    made.id = newId;
    made.name = name;
    made.code = code;
    made.tensor = value.tensor;
    TensorId source = tensor(value.source) ? value.source : 0;
    variables.erase(name.toStdString());
    std::size_t index = tensors.size();
    if (const TensorEntry* old = tensor(name)) {
        made.id = old->id;
        made.onStage = old->onStage;
        made.colour = old->colour;
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
        showNewest(index);
    } else {
        tensors[index] = std::move(entry);
        // A parent that is younger than its new child must come first.
        if (source != 0 && indexOf(source) > index)
            std::rotate(tensors.begin() + static_cast<std::ptrdiff_t>(index),
                        tensors.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                        tensors.begin() + static_cast<std::ptrdiff_t>(indexOf(source)) + 1);
    }
    giveColours();
    return id;
}

void WorkspaceState::remove(TensorId id) {
    const std::size_t index = indexOf(id);
    if (index == tensors.size()) return;
    adoptChildren(id, tensors[index]->parent);
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(index));
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
    change(index, [&name](TensorEntry& entry) { entry.name = name; });
}

void WorkspaceState::moveBefore(TensorId id, TensorId before) {
    const std::size_t from = indexOf(id);
    if (from == tensors.size() || id == before) return;
    auto moving = tensors[from];
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(from));
    std::size_t lowest = 0, highest = tensors.size();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i]->id == moving->parent) lowest = i + 1;
        if (tensors[i]->parent == id) highest = std::min(highest, i);
    }
    const std::size_t wanted = before == 0 ? tensors.size() : indexOf(before);
    const std::size_t to = std::clamp(wanted, lowest, std::max(lowest, highest));
    tensors.insert(tensors.begin() + static_cast<std::ptrdiff_t>(to), std::move(moving));
}

void WorkspaceState::showNewest(std::size_t index) {
    const auto shown = static_cast<std::size_t>(
        std::count_if(tensors.begin(), tensors.end(), [](const auto& entry) { return entry->onStage; }));
    if (shown <= kShownByItself) return;
    const TensorId parent = tensors[index]->parent;
    for (std::size_t i = 0; i < index; ++i) {
        if (!tensors[i]->onStage || tensors[i]->id == parent) continue;
        change(i, [](TensorEntry& entry) { entry.onStage = false; });
        return;
    }
}

void WorkspaceState::giveColours() {
    bool used[kColours] = {};
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i]->onStage && tensors[i]->colour >= 0) change(i, [](TensorEntry& entry) { entry.colour = -1; });
        if (tensors[i]->colour >= 0) used[tensors[i]->colour] = true;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i]->onStage || tensors[i]->colour >= 0) continue;
        const int colour = static_cast<int>(std::find(used, used + kColours, false) - used);
        if (colour == kColours) return;
        used[colour] = true;
        change(i, [colour](TensorEntry& entry) { entry.colour = colour; });
    }
}

QString freeName(const WorkspaceState& state) {
    for (int round = 1;; ++round) {
        for (char letter = 'A'; letter <= 'Z'; ++letter) {
            QString name = QChar::fromLatin1(letter);
            if (round > 1) name += QString::number(round);
            if (!state.hasName(name)) return name;
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
