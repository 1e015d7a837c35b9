#pragma once
// TimingSetup: what to time, and how; recorded series beside it; how far a sweep is. It makes requests and runs
// nothing.

#include "core/result.h"
#include "core/timing/sweep.h"
#include "widgets/theme/theme.h"

#include <QJsonObject>
#include <QWidget>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace stridescope {

class CheckSegments;
class SizeRange;

/// A Python statement in place of an operation.
struct TimedStatement {
    QString statement, setup;
};

/// A series that was recorded before, as the list tells it.
struct RecordedEntry {
    QString title, detail; ///< from outside: shown as plain text
    bool shown = false;
};

class TimingSetup : public QWidget {
    Q_OBJECT

public:
    explicit TimingSetup(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);

    /// "cpu", and each GPU with its name.
    void setDevices(const std::vector<std::pair<QString, QString>>& devices);
    void setRecorded(const std::vector<RecordedEntry>& entries);
    /// "gemm float32" and "262 GFLOP/s", line by line.
    void setPeaks(const std::vector<std::pair<QString, QString>>& peaks);
    void setRunning(bool running);
    bool isRunning() const { return m_running; }
    /// `share` from 0 to 1.
    void setProgress(double share, const QString& words);
    void setCanSave(bool can);
    /// What became of a file, beside the list of series; empty: nothing. `refused`: marked as such.
    void setFileWords(const QString& words, bool refused = false);
    QString fileWords() const;

    /// What is wished; refused where a field cannot be read, and where problemOf() says so.
    Result<timing::SweepRequest> request() const;
    /// Set where a statement is to be timed instead.
    std::optional<TimedStatement> statement() const;
    /// Names an operation, or "" for the statement.
    void chooseOperation(const QString& name);
    QString operation() const;
    void setSizes(const QString& text);

    /// Everything that is chosen, and back; unknown values are passed over.
    QJsonObject kept() const;
    void keep(const QJsonObject& values);

Q_SIGNALS:
    void changed();
    void runRequested();
    void stopRequested();
    void openRequested();
    void saveRequested();
    void copyRequested();
    void recordedToggled(int entry, bool shown);
    void recordedRemoved(int entry);

private:
    QWidget* buildWhat();
    QWidget* buildHow();
    QWidget* buildRecorded();
    QWidget* buildFoot();
    QWidget* row(const QString& label, QWidget* field, QWidget* parent);
    void showSizes();
    void follow();

    Theme m_theme;
    QButtonGroup* m_what = nullptr;
    QStringList m_course;
    QComboBox* m_others = nullptr;
    QLineEdit *m_statement = nullptr, *m_setup = nullptr, *m_sizes = nullptr, *m_threads = nullptr;
    QWidget* m_statementFields = nullptr;
    SizeRange* m_range = nullptr;
    QLabel *m_sizesShown = nullptr, *m_problem = nullptr, *m_words = nullptr, *m_fileWords = nullptr;
    CheckSegments *m_devices = nullptr, *m_dtypes = nullptr, *m_layouts = nullptr, *m_cache = nullptr,
                  *m_transfers = nullptr;
    QSpinBox* m_rounds = nullptr;
    QDoubleSpinBox *m_seconds = nullptr, *m_warmUp = nullptr;
    QVBoxLayout *m_recordedRows = nullptr, *m_peakRows = nullptr;
    QPushButton *m_save = nullptr, *m_run = nullptr, *m_stop = nullptr;
    QProgressBar* m_bar = nullptr;
    bool m_running = false, m_gpu = false;
};

} // namespace stridescope
