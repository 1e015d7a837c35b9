#pragma once
// Workspace: names, tensors, undo and history. The one place where lines of code are carried out.

#include "app/kernel/kernel_values.h"
#include "app/work/background.h"
#include "app/workspace/past.h"
#include "app/workspace/workspace_state.h"
#include "app/workspace/write_log.h"
#include "core/expr/evaluator.h"
#include "core/session/session.h"
#include "core/trace/record_ring.h"
#include "widgets/model/workspace_model.h"
#include "widgets/motion/motion_input.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace stridescope {

struct LineTask;
class PythonLine;
struct RefusedOperation;

/// What happens to a tensor that an expression makes and no name takes.
enum class Naming : quint8 {
    Discard, ///< it is printed and gone, as at Python's prompt
    Auto,    ///< it gets the next free letter: acts of the mouse
};

/// How a line is carried out.
struct RunAs {
    RunAs(Naming how) : naming(how) {} // a line of its own is the usual case
    /// All of it is one step of the history, called `words`, after which the tensors of these names are on stage and no
    /// others.
    static RunAs together(Naming how, const QString& words, const QStringList& names) {
        RunAs made(how);
        made.title = words;
        made.alone = names;
        return made;
    }
    Naming naming;
    QString title;     ///< empty: a step for each statement
    QStringList alone; ///< where there is a title
};

struct RunOutcome {
    bool ok = false;
    QString code;    ///< as carried out: "C = B.t()"
    QString printed; ///< what Python's prompt would print, without the last line end
    std::optional<Refusal> refusal;
    QString exception;          ///< "RuntimeError", for a refusal
    QString failedLine;         ///< of Python's code: the one that raised it; empty where that is not known
    QStringList notes;          ///< what else is worth saying
    std::vector<TensorId> made; ///< tensors made or bound anew, in order
    QString suggestion;         ///< Python's, of another name than the one that is missing
    int steps = 0;              ///< added to the history
    std::optional<expr::WantedView> wanted;
    /// Of what was only tried out: bytes that it would overwrite and that are too large to keep for an undo.
    Index unkept = 0;
    bool pending = false; ///< still being carried out; all else is told by Workspace::lineFinished
    TensorId source = 0;  ///< of a refusal: the tensor whose name came first in the statement
    /// Of a refusal: what was refused; null where that is no operation on tensors.
    std::shared_ptr<const RefusedOperation> operation;
};

/// One entry of the history.
struct HistoryStep {
    QString code;  ///< the line
    QString title; ///< for "Undo …": "narrow(1, 1, 2)"
    bool undoable = true;
    QString whyNot; ///< for a step that cannot be undone
};

/// A tensor to take in: from a file or a paste.
struct NewTensor {
    QString name; ///< wished for; made free
    QString code; ///< the expression that makes it, or words for what no expression makes
    Tensor tensor;
    bool runnable = false; ///< `code` is an expression
};

class Workspace : public QObject {
    Q_OBJECT

public:
    /// Old elements kept for undo, of all steps together; beyond it the oldest steps are forgotten.
    static constexpr Index kKeptBytes = Index{512} << 20;
    static constexpr std::size_t kMaxSteps = 10'000;
    /// Operations of all steps together; beyond it those of the oldest steps are forgotten, and the steps are kept.
    static constexpr Index kOperationBytes = Index{32} << 20;

    /// A state that there was.
    using Moment = std::shared_ptr<const void>;

    explicit Workspace(WorkspaceModel* model, QObject* parent = nullptr);
    ~Workspace() override;

    WorkspaceModel* model() const { return m_model; }

    /// Carries out a line: one step of the history for each statement that changes something. All or nothing: a line
    /// that is refused anywhere leaves everything as it was.
    RunOutcome run(const QString& line, const RunAs& how = Naming::Discard);
    /// The same, but what moves many elements is carried out in a thread of its own. When that takes long, the outcome
    /// is `pending`, isBusy() holds, and lineFinished() brings the rest.
    RunOutcome runInBackground(const QString& line, const RunAs& how = Naming::Discard);
    /// Python is going to carry out a line. Until endPython() every other change is refused; cancelLine() calls
    /// `cancel`. The tensors that Python must have under their names; nothing while isBusy() or while storages are
    /// locked.
    std::optional<KernelBindings> beginPython(const QString& code, std::function<void()> cancel);
    /// Takes in what the line left as one step of the history, if anything. `after` is nullptr when Python came to no
    /// listing since the line began: then names are as they were, and only elements may be others.
    /// `operations` are the same records by the storages' numbers here; `code` is what of the line was carried out,
    /// empty for all of it.
    /// `title` names the step where that is more than its code's first line.
    RunOutcome endPython(const KernelVariables* after, const PackedRecords& records,
                         const std::function<StepRecords()>& operations = {}, const QString& code = {},
                         const QString& title = {});
    /// Names that there were at `before`, a moment(), and that are gone, though their storages are not: in words.
    QStringList keptSince(const Moment& before) const;
    /// Is this the name of a value that Python has, too, or had after its last line?
    bool hadValue(const QString& name) const { return m_sharedValues.count(name) != 0; }
    /// Elements of these storages are others now, while Python's line goes on: pictures follow.
    void showWrites(const std::set<quint64>& storages);
    /// Milliseconds that runInBackground() waits for the end of a long line; negative: not at all.
    void setPatience(int milliseconds) { m_patience = milliseconds; }
    /// A line is being carried out. Until its end every other change is refused with LINE-01: it would get lost.
    bool isBusy() const { return m_task || m_python; }
    /// Stops the line under way; it is refused with JOB-01, and nothing has changed.
    void cancelLine();
    /// Storages that lines must not write to until they are unlocked (they are being saved); one lock at a time.
    void lockStorages(const std::set<quint64>& storages) { m_locked = storages; }
    void unlockStorages() { m_locked.clear(); }
    /// What run() would answer, as far as it can be told without carrying anything out. Changes nothing.
    /// `elements`, when given, gets a measure of the work: elements that the line makes or writes.
    RunOutcome tryOut(const QString& line, double* elements = nullptr) const;
    /// What the line would make, without making it; nothing when it makes no tensor. Changes nothing.
    std::optional<Preview> preview(const QString& line) const;

    /// Takes tensors in as one step. Returns their ids; none while isBusy().
    std::vector<TensorId> add(const std::vector<NewTensor>& tensors, const QString& title, const QString& originFile);
    void setOnStage(TensorId tensor, bool onStage);
    /// False, and nothing changes, unless `name` is a free identifier; `reason` says why.
    bool rename(TensorId tensor, const QString& name, QString* reason = nullptr);
    /// Moves the card of a tensor before that of another one, or to the end for 0.
    void moveBefore(TensorId tensor, TensorId before);
    /// Forgets everything, history included.
    void clear();

    // --- History ---
    const std::vector<HistoryStep>& steps() const { return m_titles; }
    /// How many of them are done; the rest is undone and can be done again.
    int position() const { return m_position; }
    /// Steps that were dropped from the front of steps() so far, to keep it within kMaxSteps and kKeptBytes.
    qsizetype forgottenSteps() const { return m_forgotten; }
    /// Steps kept at most, instead of kMaxSteps; at least 1.
    void setMaxSteps(std::size_t steps) { m_maxSteps = std::max<std::size_t>(steps, 1); }
    bool canUndo() const { return m_position > 0 && m_titles[static_cast<std::size_t>(m_position) - 1].undoable; }
    bool canRedo() const { return m_position < static_cast<int>(m_steps.size()); }
    QString undoTitle() const;
    QString redoTitle() const;
    bool undo();
    bool redo();
    /// Undoes or redoes until `position` steps are done. False when a step on the way cannot be undone; then nothing
    /// changes and `reason` says why.
    bool jump(int position, QString* reason = nullptr);

    /// The last step that took a name away, or the first undone one that brings it.
    struct NameStep {
        int step = 0;        ///< from 0
        bool brings = false; ///< done again, it would bring the name
    };
    /// Nothing for a name that is there, and for one that the history does not know.
    std::optional<NameStep> whereNameWent(const QString& name) const;

    /// Operations of step `step` (from 0) that were kept.
    const std::vector<OpRecord>& operationsOf(int step) const;
    /// One of them, to be played; nothing while isBusy() and for what there is not.
    std::optional<MotionInput> motion(int step, std::size_t operation) const;
    /// A step of which no operations were kept though it may have had some: a session brought it, or they were too
    /// many.
    bool wantsAgain(int step) const;
    /// A line, of either language, that was refused because elements that it would write to share cells, with one
    /// another or with those that it would read; nothing for other refusals, and where it cannot be told which tensors
    /// those are. `operation` tells it, where it is known.
    std::optional<MotionInput> refusedMotion(const QString& line, const Refusal& refusal,
                                             const RefusedOperation* operation = nullptr) const;
    /// Where an element that can be seen came from; nothing while isBusy().
    std::optional<Whence> whence(const Pick& pick) const;

    /// Steps were done, undone or saved since the last call of setSaved().
    bool isModified() const { return m_position != m_savedPosition; }
    void setSaved();
    /// What there is now is nowhere saved.
    void setUnsaved() { m_savedPosition = -1; }
    /// The state as it is now, to be named later.
    Moment moment() const { return m_state; }
    /// As setSaved() at that moment: steps done since are modifications.
    void setSaved(const Moment& moment);

    /// All that there is now, for a session file or the journal: what is selected and picked, and the lines of the
    /// history, too. Tensors of other devices than the CPU are left out, and told in its notes. Precondition: not busy.
    Session session() const;
    /// Replaces all that there is. The lines of the session's history stand before what is done from now on and cannot
    /// be undone; nothing of it is run. `whence` says in words where they were done: "before the session was saved".
    void restore(const Session& session, const QString& whence);

    /// Fingerprint of all that can be seen: names, codes, layouts, dtypes, storage numbers, stage, and every byte of
    /// every storage. Equal states have equal hashes in every process. Reads all bytes.
    quint64 stateHash() const;

    /// The name a tensor without one would get now.
    QString nextName() const { return freeName(*m_state); }
    bool hasName(const QString& name) const { return m_state->hasName(name); }
    /// Names of what is no tensor: numbers, texts, tuples.
    struct NamedValue {
        QString name, type, text; ///< "n", "int", "3"
    };
    std::vector<NamedValue> values() const;

Q_SIGNALS:
    /// After every change of tensors, values or history.
    void changed();
    /// Share of the operation under way in thousandths, -1 when unknown; while isBusy().
    void lineProgress(int permille);
    /// Showing, hiding or moving a card ("Hide B") was refused with the reason of LINE-01.
    void changeRefused(const QString& act, const QString& why);
    /// The end of a line whose outcome was pending.
    void lineFinished(const QString& line, const stridescope::RunOutcome& outcome);

private:
    using StatePtr = std::shared_ptr<const WorkspaceState>;
    struct Step {
        StatePtr before, after;
        WriteLog writes;
        StepRecords operations;
    };
    struct StorageFacts {
        int number = 0;
        DType dtype = DType::Float32;
        QString origin;
    };

    RunOutcome refuseBusy(const QString& line) const;
    /// Makes the operands that were only pretended when the line was refused, for a picture; with too many `elements`
    /// to move there is none of them.
    void makeOperands(const QString& line, double elements, RunOutcome& outcome) const;
    /// Tells whoever asked for a change why it does not come while a line is under way.
    bool refusesChange(const QString& act);
    /// A step that no code makes: it stands in the history as a comment, so that all lines of it can be run again.
    void pushAct(StatePtr after, const QString& title);
    RunOutcome take(LineTask& task);
    void push(StatePtr after, const QString& code, const QString& title, WriteLog writes, StepRecords operations = {});
    void forgetOldest();
    void rememberLook();
    /// What a refused line would have written to: a tensor whose elements share cells, or a view that the line makes.
    std::optional<TensorEntry> sharedTarget(const QString& line) const;
    std::optional<TensorEntry> sharedTarget(const RefusedOperation& operation) const;
    Past past() const;
    int storageNumber(quint64 id) const;
    void registerStorages(const WorkspaceState& state, const QString& originFile = {});
    /// A storage of `state` that lies elsewhere than before, because Python resized it or could not reach it where it
    /// was, is the same storage: the same number there and back.
    void keepNumbers(const KernelVariables& listing, const WorkspaceState& state);
    void publish(const std::set<quint64>& written = {});
    void move(int by, std::set<quint64>& written);
    SnapshotPtr makeSnapshot() const;

    WorkspaceModel* m_model;
    StatePtr m_state;
    std::vector<Step> m_steps;
    std::vector<HistoryStep> m_titles;
    std::vector<Selection> m_looks; ///< what was selected and picked when each position was left
    int m_position = 0;
    int m_savedPosition = 0;
    qsizetype m_forgotten = 0;
    std::size_t m_maxSteps = kMaxSteps;
    TensorId m_nextId = 1;
    int m_nextStorageNumber = 1;
    std::map<quint64, StorageFacts> m_storages;
    std::set<quint64> m_locked;
    int m_patience = 30;                  ///< what is quick all the same does not flicker
    std::unique_ptr<LineTask> m_task;     ///< the line under way in m_background
    std::unique_ptr<PythonLine> m_python; ///< the line that Python carries out now
    std::function<void()> m_cancelPython;
    std::set<QString> m_sharedValues; ///< names of values that Python had, too, after its last line
    Background m_background;
};

} // namespace stridescope

Q_DECLARE_METATYPE(stridescope::RunOutcome)
