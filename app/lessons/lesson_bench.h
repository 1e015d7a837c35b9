#pragma once
// LessonBench: carries out lines of a lesson out of sight, for its answers. What the user has is not touched.

#include "app/lessons/lesson_answer.h"
#include "core/expr/evaluator.h"
#include "core/random/generator.h"

#include <QStringList>

#include <map>

namespace stridescope {

class LessonBench : private expr::Environment {
public:
    LessonBench() = default;

    /// The value of the last statement of `line`, None for what is no expression.
    Result<expr::Value> run(const QString& line);
    void set(const QString& name, expr::Value value) { m_names[name.toStdString()] = std::move(value); }
    /// Does a name stand for a tensor on that storage?
    bool hasStorage(const StoragePtr& storage) const;
    /// The tensor of that name, or nothing.
    std::optional<Tensor> tensor(const QString& name) const;

private:
    std::optional<expr::Value> lookup(const std::string& name) override;
    void assign(const std::string& name, expr::Value value, const std::string& code) override;
    void remove(const std::string& name) override { m_names.erase(name); }
    void aboutToWrite(const Tensor&) override {}

    std::map<std::string, expr::Value> m_names;
};

/// A lesson's seeds are its own: the numbers that the user draws next are those of before.
class KeptRandomState {
public:
    KeptRandomState() : m_state(defaultGenerator().state()) {}
    ~KeptRandomState() { (void)defaultGenerator().setState(m_state); }
    KeptRandomState(const KeptRandomState&) = delete;
    KeptRandomState& operator=(const KeptRandomState&) = delete;

private:
    Generator::State m_state;
};

} // namespace stridescope
