#pragma once
// One line being carried out on a copy of the workspace's state; the workspace takes the result, or nothing.

#include "app/workspace/workspace.h"
#include "core/job.h"
#include "core/storage/mapped_file.h"

#include <optional>
#include <set>

namespace stridescope {

class LineSession : private expr::Environment {
public:
    /// What one statement changed.
    struct Change {
        std::shared_ptr<const WorkspaceState> after;
        QString code, title;
        WriteLog writes;
        StepRecords operations = {};
    };

    LineSession(const WorkspaceState& state, TensorId nextId, bool dryRun);
    ~LineSession() override;

    /// Storages whose elements somebody else reads now: writing to one is refused with LINE-02.
    void setLocked(const std::set<quint64>& storages) { m_locked = storages; }
    /// @throws Error when the statement is refused; then rollBack() brings the values back.
    void execute(const expr::Statement& statement, const std::string& source, Naming naming);
    /// After a dry run: bytes that the line would overwrite and that are too large to keep.
    Index unkept() const { return m_unkept; }
    /// Undoes all writes so far. Returns the bytes that were too large to keep and stay overwritten.
    Index rollBack();

    std::vector<Change> takeChanges() { return std::move(m_changes); }
    /// All of them as one, called `title`, after which the tensors of these names are on stage and no others. Nothing
    /// when nothing has changed.
    std::optional<Change> takeOneChange(const QString& title, const QStringList& alone);
    QString output() const;
    /// One warning for each mapped file that the line named and that another program changed meanwhile.
    QString warnings() const;
    QString code() const { return m_code.join(QStringLiteral("; ")); }
    const QStringList& notes() const { return m_notes; }
    double elementsMoved() const { return m_evaluator.elementsMoved(); }
    const std::vector<TensorId>& made() const { return m_made; }
    TensorId nextId() const { return m_nextId; }
    const std::optional<expr::WantedView>& wanted() const { return m_evaluator.wanted(); }
    const std::optional<expr::RefusedCall>& refusedCall() const { return m_evaluator.refusedCall(); }
    const std::set<quint64>& writtenStorages() const { return m_writtenStorages; }
    /// The tensor that the last statement named or left without a name.
    const std::optional<expr::TensorValue>& lastTensor() const { return m_lastTensor; }
    /// The tensor whose name was looked up first in the last statement; 0 for none.
    TensorId lastSource() const { return m_lastSource; }

private:
    std::optional<expr::Value> lookup(const std::string& name) override;
    void assign(const std::string& name, expr::Value value, const std::string& code) override;
    void remove(const std::string& name) override;
    void aboutToWrite(const Tensor& target) override;
    void wouldWrite(const Tensor& target) override;
    void aboutToConvert(const Tensor& source, DType dtype) override;
    expr::Value load(expr::FileCall call, const std::string& path, bool dryRun) override;
    expr::Value dataSet(const expr::DataSetCall& call, bool dryRun) override;

    /// Carries the statement out and records its operations.
    expr::Value evaluate(const expr::Statement& statement, const std::string& source);
    /// Remembers the files behind what the line names.
    void noteFiles(const expr::Value& value);
    /// Names what an expression made; the statement as code with the names before it.
    QString nameResult(const expr::Value& value, const QString& code);

    WorkspaceState m_state;
    TensorId m_nextId;
    bool m_dryRun;
    expr::Evaluator m_evaluator;
    std::vector<Change> m_changes;
    WriteLog m_writes;               ///< of the statement under way
    StepRecords m_operations;        ///< of the statement under way
    std::set<quint64> m_oldStorages; ///< those that were there before the line
    std::set<quint64> m_writtenStorages, m_locked;
    std::set<std::shared_ptr<MappedFile>> m_files; ///< behind the names of the line
    Index m_unkept = 0;     ///< in a dry run: bytes that would be overwritten and are too large to keep
    bool m_changed = false; ///< the statement under way bound or removed a name
    QString m_output;
    QStringList m_code, m_notes;
    std::vector<TensorId> m_made;
    std::optional<expr::TensorValue> m_lastTensor;
    TensorId m_lastSource = 0;
};

} // namespace stridescope
