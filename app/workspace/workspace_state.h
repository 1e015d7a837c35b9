#pragma once
// The workspace at one moment, as a value: names, tensors, other variables.

#include "core/expr/value.h"
#include "widgets/model/snapshot.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace stridescope {

/// Entries are shared between the states of the history; a state is a few pointers.
struct WorkspaceState {
    std::vector<std::shared_ptr<const TensorEntry>> tensors; ///< parents before children, else in order of creation
    /// Of the cards from the left, once the user has moved one; tensors that are not named follow. Empty when it is
    /// that of creation.
    std::vector<TensorId> order;
    std::map<std::string, expr::Value> variables; ///< names of what is not a tensor: numbers, tuples

    const TensorEntry* tensor(TensorId id) const;
    const TensorEntry* tensor(const QString& name) const;
    std::size_t indexOf(TensorId id) const; ///< tensors.size() when there is none
    bool hasName(const QString& name) const;
    bool hasStorage(quint64 storageId) const;

    /// As many as there are view colours. A new tensor above that takes the place of the oldest; the user may show
    /// more.
    static constexpr std::size_t kShownByItself = 4;

    /// Gives `name` to a tensor: a new entry with `newId`, or the old one of that name with everything else new.
    /// Returns the id. `value.source` is the entry that it came from. A new entry is on stage if `show` says so.
    TensorId bind(const QString& name, const expr::TensorValue& value, const QString& code, TensorId newId,
                  bool show = true);
    /// Takes the oldest tensors off the stage for so many new ones, which then have their colours in order.
    void makeRoom(std::size_t coming);
    /// Views of it move up to its parent.
    void remove(TensorId id);
    /// The tensor lies in other memory now, and is otherwise what it was.
    void moveTo(TensorId id, const Tensor& tensor);
    void setOnStage(TensorId id, bool onStage);
    void rename(TensorId id, const QString& name);
    /// A state of these entries, parents before children; badges that two of them claim are given anew.
    static WorkspaceState of(std::vector<TensorEntry> entries, std::vector<TensorId> order);
    /// Moves the card of a tensor before that of another one, or to the end for 0.
    void moveBefore(TensorId id, TensorId before);
    /// The letters of badges, by Note [Which badge]; who gives a name to a value calls it.
    void giveLetters();

private:
    void change(std::size_t index, const std::function<void(TensorEntry&)>& edit);
    void adoptChildren(TensorId leaving, TensorId parent);
    void showNewest(std::size_t index);
    void giveColours();
    /// The order of all cards, and back: an order that is that of creation is no order.
    std::vector<TensorId> wholeOrder() const;
    void setOrder(std::vector<TensorId> whole);
};

/// The first of A … Z, A2 … that `state` does not use.
QString freeName(const WorkspaceState& state);
/// `wanted` as an identifier that `state` does not use: "data-1.npy" -> "data_1", then "data_1_2".
QString freeNameLike(const WorkspaceState& state, const QString& wanted);

} // namespace stridescope
