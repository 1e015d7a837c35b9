#pragma once
// What a kernel tells, as values.

#include "core/tensor/tensor.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace stridescope {

/// How code is carried out.
enum class KernelMode : quint8 {
    Console, ///< statement by statement; values of expressions are told, as at Python's prompt
    Script,  ///< as a whole; nothing is told but what it prints
    Step,    ///< as a script that waits before each of its lines
};

/// How code that waits before a line goes on.
enum class GoOn : quint8 {
    NextLine, ///< what the line calls runs as a whole
    Into,     ///< to the first line of a function of the script that the line calls
    ToTheEnd,
};

struct KernelHello {
    QString python;         ///< "3.11.2"
    QString program;        ///< the interpreter
    qint64 process = 0;     ///< its id
    qint64 memoryLimit = 0; ///< bytes; 0 for none
};

/// The operation that was refused, wherever in the code it stands: a line, and the tensors that it was given.
struct KernelRefused {
    struct Operand {
        QString name;        ///< in the line: "x", or "_1" for what has none
        QString shown;       ///< in the code: "x", "x.t()"
        quint64 storage = 0; ///< the kernel's number
        Tensor tensor;       ///< on a copy of its bytes, or on those that are mapped
    };
    QString line;
    std::vector<Operand> operands;
    bool isElsewhere = false; ///< its names are those of a function, or of another file
};

struct KernelError {
    QString type, message; ///< "RuntimeError" and what it says
    QString traceback;     ///< as Python prints it
    int line = 0;          ///< of the code, from 1; 0: not in it
    int column = 0;        ///< of a syntax error, from 1
    QString refusal;       ///< id of our refusal; empty for other exceptions
    QString suggestion;    ///< a name that is spelt nearly as the missing one
    bool interrupted = false;
    std::optional<KernelRefused> operation;
};

struct KernelThread {
    QString name;
    qint64 ident = 0;
    friend bool operator==(const KernelThread&, const KernelThread&) = default;
};

/// The end of one execution.
struct KernelResult {
    enum class Status : quint8 {
        Done,
        Failed,      ///< an exception, told before
        Interrupted, ///< by Stop
        Exited,      ///< by exit() or the like: that ends the code only
        Lost,        ///< the kernel ended with it
        NotStarted,  ///< dropped from the queue
    };
    quint64 id = 0;
    Status status = Status::Done;
    QString exitCode; ///< what exit() was given
    QString rest;     ///< the statements since the last part; empty when there was none
    double seconds = 0;
    quint64 operations = 0;            ///< carried out by the code
    std::vector<KernelThread> threads; ///< that go on in the background
};

/// One name of the console.
struct KernelVariable {
    QString name, type;
    QString text;    ///< short, of numbers, strings and containers; else empty
    QString literal; ///< source that gives the value, of what the line language can have, too; else empty
    // Of tensors:
    bool isTensor = false;
    DType dtype = DType::Float32;
    View view;
    QString device;
    quint64 storage = 0;          ///< the kernel's number
    std::optional<Tensor> tensor; ///< over the shared bytes; absent when they cannot be seen from here
    bool isCopy = false;          ///< of memory that the kernel cannot share, as it was then
    quint64 storageBytes = 0;
    bool isLost = false; ///< it was on a device that was started anew or switched off since
    /// Storage::id() here, under which its storage was listed before it was resized, or had before it was copied to
    /// where a kernel can reach it.
    std::vector<quint64> earlier;
};

/// Figures of a device that has tensors, as of a listing.
struct KernelDevice {
    QString name, about;
    bool simulated = false;
    quint64 allocated = 0, total = 0; ///< bytes
};

struct KernelVariables {
    std::vector<KernelVariable> names;
    std::vector<KernelDevice> devices;
    int more = 0;                         ///< names that were too many to list
    std::vector<quint64> changedStorages; ///< Storage::id() here, of storages that are new or were written to

    const KernelVariable* find(const QString& name) const {
        for (const KernelVariable& variable : names) {
            if (variable.name == name) return &variable;
        }
        return nullptr;
    }
};

/// Tensors and values under their names.
struct KernelBinding {
    QString name;
    Tensor tensor;
    QString literal; ///< of a value, when there is no tensor; empty: the name has to be gone
};
using KernelBindings = std::vector<KernelBinding>;

/// What could stand at a cursor.
struct KernelMatch {
    QString text, kind; ///< "narrow", "method"; "dim=", "argument"
    QString signature;  ///< short, of what can be called: "(dim, start, length)"
};
/// What is called where the cursor stands.
struct KernelCall {
    QString name;           ///< empty: nothing
    QStringList signatures; ///< "(int dim, int start, int length)"
    int argument = 0;       ///< which one is being typed, from 0
    QString keyword;        ///< the same, when it is given by name
};
struct KernelCompletions {
    int start = 0; ///< of the word that a match would replace, in characters as Python counts them
    std::vector<KernelMatch> matches;
    KernelCall call;
};

/// Why there is no kernel any more, and what that means for the user.
struct KernelEnd {
    enum class Why : quint8 {
        NotStarted, ///< no Python, or it did not come up
        Exited,     ///< by itself: os._exit
        Crashed,    ///< by a signal that it brought about
        Stopped,    ///< it did not answer Stop; a new one is started
        Broken,     ///< the code closed or damaged the channel; a new one is started
        Restarted,  ///< by the user; a new one is started
    };
    Why why = Why::Exited;
    int code = 0;            ///< exit code, or the signal's number
    QString message, hint;   ///< "Python ended (exit code 7)."
    QString refusal;         ///< "PY-04", when it was not started
    QStringList keptTensors; ///< names; their elements are still there
    QStringList lostNames;   ///< all others
    /// Words on both, for `hint`.
    QString keptAndLost() const;
};

} // namespace stridescope

Q_DECLARE_METATYPE(stridescope::KernelResult)
Q_DECLARE_METATYPE(stridescope::KernelError)
Q_DECLARE_METATYPE(stridescope::KernelEnd)
Q_DECLARE_METATYPE(stridescope::KernelCompletions)
