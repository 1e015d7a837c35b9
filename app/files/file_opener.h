#pragma once
// Opens files in a thread of its own: arrays by mapping, pictures by decoding. The window stays alive meanwhile.

#include "core/io/budget.h"
#include "core/result.h"
#include "core/session/session.h"
#include "core/tensor/tensor.h"

#include <QObject>
#include <QStringList>
#include <QThread>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stridescope {

/// One tensor of a file.
struct OpenedTensor {
    QString name;
    QString code; ///< the expression that opens it
    Tensor tensor;
};
/// What came of one file: tensors, or the reason why not.
struct OpenedFile {
    QString path;
    std::vector<OpenedTensor> tensors;
    bool runnable = true; ///< the tensors' code can be carried out again: the file's name is plain text
    QStringList notes;    ///< what was converted, skipped or odd
    std::optional<Refusal> refusal;
    std::shared_ptr<const Session> session; ///< of a session file, which has no `tensors`
    std::vector<SessionFile> sessionFiles;  ///< other files in which some of its bytes are
    bool withSessionFiles = false;          ///< those were opened, too
};

/// What becomes of a session file.
enum class Sessions : quint8 {
    AsTensors, ///< its storages, as of any safetensors file
    Whole,
    WithFiles, ///< whole, and the user wants the files opened to which it refers
};

/// What is taken all the same once the user said so.
struct OpenChoices {
    bool wholeFile = true; ///< false: a last record that is cut off is left out
    bool verified = true;  ///< false: the sums of a set's files are not those that were published
    Sessions sessions = Sessions::Whole;
};
/// What would open a file that was refused with `refusal`; nothing: no choice does.
std::optional<OpenChoices> choicesFor(const Refusal& refusal);

/// Opens one file, in the calling thread. Never throws.
OpenedFile openFile(const QString& path, const Budget& budget = {}, const OpenChoices& choices = {});

class FileOpener : public QObject {
    Q_OBJECT

public:
    explicit FileOpener(QObject* parent = nullptr);
    ~FileOpener() override;

    /// Opens `paths` one after another; `opened` for each, then `finished`. Waits its turn behind earlier calls.
    void open(const QStringList& paths, const OpenChoices& choices = {});
    bool isBusy() const { return m_thread != nullptr; }

public Q_SLOTS:
    /// Ends the work within one block of reading; files already opened stay.
    void cancel();

Q_SIGNALS:
    void started(const QString& path);
    void progress(int permille);
    void opened(const stridescope::OpenedFile& file);
    /// All files of the call are done, or it was cancelled.
    void finished(bool cancelled);

private:
    void startNext();

    std::vector<std::pair<QStringList, OpenChoices>> m_waiting;
    QThread* m_thread = nullptr;
    std::shared_ptr<std::atomic<bool>> m_cancel;
};

} // namespace stridescope

Q_DECLARE_METATYPE(stridescope::OpenedFile)
