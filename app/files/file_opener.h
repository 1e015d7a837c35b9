#pragma once
// Opens files in a thread of its own: arrays by mapping, pictures by decoding. The window stays alive meanwhile.

#include "core/io/budget.h"
#include "core/result.h"
#include "core/tensor/tensor.h"

#include <QObject>
#include <QStringList>
#include <QThread>

#include <atomic>
#include <memory>
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
};

/// Opens one file, in the calling thread. Never throws.
OpenedFile openFile(const QString& path, const Budget& budget = {});

class FileOpener : public QObject {
    Q_OBJECT

public:
    explicit FileOpener(QObject* parent = nullptr);
    ~FileOpener() override;

    /// Opens `paths` one after another; `opened` for each, then `finished`. Waits its turn behind earlier calls.
    void open(const QStringList& paths);
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

    std::vector<QStringList> m_waiting;
    QThread* m_thread = nullptr;
    std::shared_ptr<std::atomic<bool>> m_cancel;
};

} // namespace stridescope

Q_DECLARE_METATYPE(stridescope::OpenedFile)
