#pragma once
// The tensors of a snapshot under their names, to be read only.

#include "core/expr/evaluator.h"
#include "widgets/model/snapshot.h"

namespace stridescope {

class SnapshotEnvironment : public expr::Environment {
public:
    explicit SnapshotEnvironment(const WorkspaceSnapshot& snapshot) : m_snapshot(snapshot) {}
    std::optional<expr::Value> lookup(const std::string& name) override {
        for (const TensorEntry& entry : m_snapshot.tensors) {
            if (entry.name.toStdString() == name)
                return expr::TensorValue{entry.tensor, expr::Lineage::Alias, entry.id};
        }
        return std::nullopt;
    }
    void assign(const std::string&, expr::Value, const std::string&) override {}
    void remove(const std::string&) override {}
    void aboutToWrite(const Tensor&) override {}

private:
    const WorkspaceSnapshot& m_snapshot;
};

} // namespace stridescope
