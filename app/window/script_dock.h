#pragma once
// ScriptDock: a pane to write a script, run it, and go through it line by line.

#include "app/window/python_console.h"
#include "core/error.h"
#include "widgets/theme/theme.h"

#include <QDockWidget>

class QLabel;
class QMenu;
class QToolButton;

namespace stridescope {

class CodeAssistant;
class CodeEdit;
class FindBar;
class Settings;

/// By its name.
bool isScript(const QString& path);

class ScriptDock : public QDockWidget {
    Q_OBJECT

public:
    /// Scripts are written by people: longer files are something else.
    static constexpr qint64 kLargest = 1 << 20;

    ScriptDock(Settings* settings, QWidget* parent);
    /// Until then the pane is empty and costs nothing.
    void fill(PythonConsole* python);
    void setTheme(const Theme& theme);
    CodeEdit* edit() const { return m_edit; }
    QString path() const { return m_path; }
    bool isModified() const;
    /// The same without a dialog. False, with words, when it cannot be; then nothing changes.
    bool openFile(const QString& path);
    /// The same for a file that comes from outside: not while a script runs, and not over changes that are not saved.
    void take(const QString& path);
    bool saveFile(const QString& path);
    /// True: nothing would be lost, or the user says so. Asks when there are changes that are not saved.
    bool mayDiscard();

public Q_SLOTS:
    void newScript();
    void open();
    bool save();
    bool saveAs();
    void run();
    /// The next line; the first one when nothing runs.
    void step();
    /// As step(); a function of the script that the line calls is gone through line by line, too.
    void stepInto();
    /// All lines that are left.
    void proceed();

Q_SIGNALS:
    /// A script is here now, or lies there now.
    void opened(const QString& path);
    void refused(const QString& headline, const QString& details, const QString& hint);
    void stopRequested();
    /// A run begins now.
    void starting();

private:
    QWidget* buildBar();
    void fillRecent(QMenu* menu);
    bool isFree(); ///< for another text; says why not
    void start(KernelMode mode);
    void setPath(const QString& path);
    void showState();
    void refuse(const QString& headline, const Refusal& refusal);

    Settings* m_settings;
    PythonConsole* m_python = nullptr;
    CodeAssistant* m_assistant = nullptr;
    CodeEdit* m_edit = nullptr;
    FindBar* m_find = nullptr;
    QLabel* m_words = nullptr;
    QToolButton *m_run = nullptr, *m_step = nullptr, *m_into = nullptr, *m_stop = nullptr;
    QString m_path, m_failure;
    bool m_runs = false;
    int m_line = 0; ///< the next one, while it waits before it
};

} // namespace stridescope
