#pragma once
// RecordedRuns: runs from files, beside the one that is measured. Reading and writing has a thread of its own.

#include "app/work/background.h"
#include "core/result.h"
#include "core/timing/record.h"

#include <QStringList>

#include <memory>
#include <vector>

namespace stridescope {

class RecordedRuns : public QObject {
    Q_OBJECT

public:
    struct Entry {
        std::shared_ptr<const timing::Run> run;
        QString path;       ///< empty: from this window
        bool shown = false; ///< over the one that is measured
    };

    explicit RecordedRuns(QObject* parent = nullptr);
    const std::vector<Entry>& entries() const { return m_entries; }
    /// Reads files one after the other; each ends in opened() or failed(). `shown` is theirs in the list.
    void open(const QStringList& paths, bool shown = true);
    /// By the ending, .json or .csv. Ends in saved() or failed().
    void save(const std::shared_ptr<const timing::Run>& run, const QString& path);
    /// A run of this window: the one before the last stays comparable. Replaces the one before it.
    void keepPrevious(std::shared_ptr<const timing::Run> run, bool shown);
    void setShown(int entry, bool shown);
    void remove(int entry);
    bool isBusy() const { return m_work.isBusy() || !m_waiting.empty(); }
    void finish();

Q_SIGNALS:
    void changed();
    void opened(const QString& path);
    void saved(const QString& path);
    /// "not opened: …"; nothing was changed.
    void failed(const QString& words);

private:
    struct Wish {
        QString path;
        bool shown;
    };
    void next();

    std::vector<Entry> m_entries;
    std::vector<Wish> m_waiting;
    Background m_work, m_saving;
};

/// A file of the disk or of the program's own resources.
Result<timing::Run> runFromFile(const QString& path);

} // namespace stridescope
