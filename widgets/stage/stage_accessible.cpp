#include "widgets/stage/stage_accessible.h"

#include "widgets/stage/explore_stage_p.h"
#include "widgets/stage/linking.h"

#include <algorithm>
#include <utility>

namespace stridescope {

namespace {

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    if (auto* stage = qobject_cast<ExploreStage*>(object)) return new StageAccessible(stage);
    return nullptr;
}

/// Coords of the grids on a card, rows and columns 0.
std::vector<Dims> gridsOf(const CardLayout& card) {
    std::vector<Dims> grids;
    if (card.block) {
        const Index slices = card.view.shape.empty() ? 0 : card.view.shape[0];
        for (Index i = 0; i < slices; ++i) grids.push_back(Dims{i, 0, 0});
        return grids;
    }
    for (const CardPanel& panel : card.panels) grids.push_back(panel.coord);
    // A view without elements still has its name and its sizes to tell.
    if (grids.empty()) grids.push_back(Dims(card.view.shape.size(), 0));
    return grids;
}

/// What lies over the picture: Qt's own list holds hidden widgets too.
QList<QWidget*> fieldsOf(const ExploreStage* stage) {
    QList<QWidget*> fields = stage->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
    fields.removeIf([stage](const QWidget* field) { return field->isWindow() || !field->isVisibleTo(stage); });
    return fields;
}

} // namespace

void installStageAccessibility() {
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

StageAccessible::StageAccessible(ExploreStage* stage) : QAccessibleWidget(stage, QAccessible::Pane) {}

StageAccessible::~StageAccessible() {
    // By number: at the end of the program Qt may have dropped a table before its stage.
    const auto tables = std::move(m_tables);
    for (const auto& [key, id] : tables) QAccessible::deleteAccessibleInterface(id);
}

ExploreStage* StageAccessible::stage() const {
    return static_cast<ExploreStage*>(widget());
}

std::vector<StageTableKey> StageAccessible::keys() const {
    std::vector<StageTableKey> keys;
    if (stage()->options().hidesValues) return keys;
    const StagePlan& plan = stage()->d->plan;
    for (const CardLayout& card : plan.cards) {
        for (Dims& outer : gridsOf(card)) keys.push_back({card.input.entry->id, 0, std::move(outer)});
    }
    if (plan.strip) keys.push_back({0, plan.strip->storageId, {}});
    for (const StripPlan& other : plan.others) keys.push_back({0, other.storageId, {}});
    return keys;
}

StageTable* StageAccessible::table(const StageTableKey& key) const {
    for (const auto& [known, id] : m_tables) {
        if (known == key) return static_cast<StageTable*>(QAccessible::accessibleInterface(id));
    }
    auto* table = new StageTable(this, key);
    m_tables.emplace_back(key, QAccessible::registerAccessibleInterface(table));
    return table;
}

int StageAccessible::childCount() const {
    return static_cast<int>(keys().size()) + static_cast<int>(fieldsOf(stage()).size());
}

QAccessibleInterface* StageAccessible::child(int index) const {
    const std::vector<StageTableKey> all = keys();
    const int tables = static_cast<int>(all.size());
    if (index < 0) return nullptr;
    if (index < tables) return table(all[static_cast<std::size_t>(index)]);
    return QAccessible::queryAccessibleInterface(fieldsOf(stage()).value(index - tables));
}

int StageAccessible::indexOfChild(const QAccessibleInterface* child) const {
    const std::vector<StageTableKey> all = keys();
    const auto* table = dynamic_cast<const StageTable*>(child);
    if (!table) {
        const qsizetype index = child ? fieldsOf(stage()).indexOf(qobject_cast<QWidget*>(child->object())) : -1;
        return index < 0 ? -1 : static_cast<int>(index) + static_cast<int>(all.size());
    }
    const auto found = std::find(all.begin(), all.end(), table->key());
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

QAccessibleInterface* StageAccessible::childAt(int x, int y) const {
    // Widgets lie over the picture.
    for (QWidget* field : fieldsOf(stage())) {
        QAccessibleInterface* found = QAccessible::queryAccessibleInterface(field);
        if (found && found->rect().contains(x, y)) return found;
    }
    for (const StageTableKey& key : keys()) {
        StageTable* found = table(key);
        if (found->rect().contains(x, y)) return found;
    }
    return nullptr;
}

QAccessibleInterface* StageAccessible::cellOf(const std::optional<Pick>& pick) const {
    if (!pick) return nullptr;
    for (const StageTableKey& key : keys()) {
        if (key.tensor != pick->tensor || (key.tensor == 0 && key.storageId != pick->storageId)) continue;
        const Dims coord = key.tensor == 0 ? Dims{pick->slot} : pick->coord;
        if (QAccessibleInterface* cell = table(key)->cellOf(coord)) return cell;
    }
    return nullptr;
}

QAccessibleInterface* StageAccessible::pickedCell() const {
    return cellOf(stage()->state().selection.pick);
}

void StageAccessible::pick(const Pick& pick) const {
    stage()->d->focusShown = true;
    stage()->setFocus(Qt::OtherFocusReason);
    stage()->d->pin(pick);
    stage()->update();
}

QAccessibleInterface* StageAccessible::focusChild() const {
    if (!stage()->hasFocus()) return QAccessibleWidget::focusChild();
    const StagePlan& plan = stage()->d->plan;
    if (QAccessibleInterface* cell = cellOf(stage()->d->keyPick())) return cell;
    if (stage()->d->focusCount() == 0) return nullptr;
    const int item = stage()->d->focus;
    for (const StageTableKey& key : keys()) {
        const bool focused = stage()->d->stripFocused()
                                 ? key.tensor == 0
                                 : key.tensor == plan.cards[static_cast<std::size_t>(item)].input.entry->id;
        if (focused) return table(key);
    }
    return nullptr;
}

QString StageAccessible::text(QAccessible::Text kind) const {
    if (kind == QAccessible::Value) return statusText(*stage()->state().snapshot, stage()->state().selection);
    return QAccessibleWidget::text(kind);
}

void StageAccessible::sync() {
    const std::vector<StageTableKey> now = keys();
    if (now == m_told) return;
    const auto has = [](const std::vector<StageTableKey>& list, const StageTableKey& key) {
        return std::find(list.begin(), list.end(), key) != list.end();
    };
    const auto gone = std::stable_partition(m_tables.begin(), m_tables.end(),
                                            [&](const auto& known) { return has(now, known.first); });
    const std::vector<std::pair<StageTableKey, QAccessible::Id>> left(gone, m_tables.end());
    m_tables.erase(gone, m_tables.end());
    for (const auto& [key, id] : left) {
        QAccessibleInterface* table = QAccessible::accessibleInterface(id);
        if (!table) continue;
        QAccessibleEvent event(table, QAccessible::ObjectDestroyed);
        QAccessible::updateAccessibility(&event);
        QAccessible::deleteAccessibleInterface(id);
    }
    const std::vector<StageTableKey> before = std::exchange(m_told, now);
    for (const StageTableKey& key : now) {
        if (has(before, key)) continue;
        QAccessibleEvent event(table(key), QAccessible::ObjectCreated);
        QAccessible::updateAccessibility(&event);
    }
}

} // namespace stridescope
