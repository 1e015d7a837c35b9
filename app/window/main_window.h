#pragma once
// MainWindow: creates, connects, saves. Draws nothing and computes nothing.

#include "app/files/file_opener.h"
#include "app/settings/settings.h"
#include "app/workspace/workspace.h"
#include "widgets/theme/theme.h"

#include <QMainWindow>

#include <functional>

class QActionGroup;
class QDockWidget;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QToolButton;

namespace stridescope {

class CommandPalette;
class Console;
class Explanation;
class ExploreStage;
class HistoryPanel;
class Inspector;
class MessageBar;
class OperationsPanel;
class StageHeader;
class TensorTree;
struct PaletteEntry;

enum class ThemeChoice : quint8 { System, Light, Dark };

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `settings` outlives the window.
    explicit MainWindow(Settings* settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    Workspace* workspace() const { return m_workspace; }
    WorkspaceModel* model() const { return m_model; }
    ExploreStage* stage() const { return m_stage; }
    Console* console() const { return m_console; }
    MessageBar* messageBar() const { return m_message; }
    CommandPalette* commandPalette() const { return m_palette; }
    const Theme& theme() const { return m_theme; }

    /// Opens files in the background; folders and what is no file are told and passed over.
    void openFiles(const QStringList& paths);
    bool isOpening() const { return m_opener->isBusy(); }
    /// Makes the picture of a first start: a 3 x 4 tensor, two views of it, their strip.
    void showFirstPicture();
    /// Carries out a line typed at the prompt, or one that a widget asks for (Naming::Auto).
    RunOutcome runLine(const QString& line, Naming naming);
    void setThemeChoice(ThemeChoice choice);
    ThemeChoice themeChoice() const { return m_themeChoice; }
    /// What the palette lists now: every menu command and every operation of the selected tensor.
    std::vector<PaletteEntry> paletteEntries();
    /// Builds what the first frame did without: docks' contents, palette. Called by itself after the first paint.
    void finishStart();
    QStringList recentFiles() const;

public Q_SLOTS:
    void undo();
    void redo();
    void openPalette();
    void resetLayout();
    void explain(const QString& code);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // --- main_window.cpp ---
    void buildCentre();
    void buildDocks();
    void fillDocks();
    void buildStatusBar();
    void applyTheme();
    void applyThemeToParts();
    void sizeDocks();
    bool systemIsDark() const;
    void restoreLayout();
    void keepInSight();
    void fitDocksToWidth();
    void say(const QString& headline, const QString& details = {});
    void complain(const QString& headline, const QString& details = {}, const QString& hint = {});
    /// Offers a button on the message that is shown.
    void offer(const QString& text, const std::function<void()>& act);

    // --- main_window_actions.cpp ---
    QAction* addCommand(QMenu* menu, const QString& name, const QString& text, const QKeySequence& keys,
                        const std::function<void()>& run, const QString& what = {});
    void buildActions();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildTensorMenu();
    void buildWindowAndHelpMenus();
    void buildToolBar();
    void updateActions();
    void fillRecentMenu();
    void fillTensorMenu();
    void whatIsThis();
    void showAbout();
    QAction* command(const QString& name) const;

    // --- main_window_lines.cpp ---
    void showOutcome(const QString& line, const RunOutcome& outcome);
    void runLines(const QString& text);
    void previewLine(const QString& code);
    void syncConsole();
    void showExplanation(const QString& code, const RunOutcome& outcome);
    void closeExplanation();
    void deleteTensor(TensorId tensor);
    void renameTensor(TensorId tensor);

    // --- main_window_files.cpp ---
    void askToOpen();
    void takeOpened(const OpenedFile& file);
    void openingFinished(bool cancelled);
    void rememberRecent(const QString& path);
    void saveTensor();
    void saveAll();
    void exportPicture();
    void exportFrom(TensorId tensor, const QString& format);
    void copyText(const QString& text, const QString& what);
    void paste();
    void importText(const QString& text);
    bool mayClose();
    void save(const QString& path, const std::function<std::optional<Refusal>(const QString&)>& write);

    Settings* m_settings;
    WorkspaceModel* m_model;
    Workspace* m_workspace;
    FileOpener* m_opener;
    Theme m_theme;
    ThemeChoice m_themeChoice = ThemeChoice::System;
    bool m_systemDark = false;
    bool m_started = false;
    bool m_narrow = false;

    MessageBar* m_message = nullptr;
    QWidget* m_firstRun = nullptr;
    StageHeader* m_stageHeader = nullptr;
    ExploreStage* m_stage = nullptr;
    Explanation* m_explanation = nullptr; ///< made when first needed
    QStackedWidget* m_centreStack = nullptr;
    Console* m_console = nullptr;
    CommandPalette* m_palette = nullptr;
    TensorTree* m_tree = nullptr;
    OperationsPanel* m_operations = nullptr;
    Inspector* m_inspector = nullptr;
    HistoryPanel* m_history = nullptr;
    QDockWidget *m_treeDock = nullptr, *m_operationsDock = nullptr, *m_inspectorDock = nullptr, *m_bottomDock = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel *m_statusText = nullptr, *m_statusDType = nullptr, *m_statusCpu = nullptr, *m_statusGpu = nullptr;
    QMenu *m_recentMenu = nullptr, *m_tensorMenu = nullptr;
    QToolButton* m_themeButton = nullptr;
    std::vector<QAction*> m_commands;
    QActionGroup* m_themeGroup = nullptr;

    QByteArray m_defaultLayout;
    std::function<void()> m_offered;
    QStringList m_openNotes;
    int m_openedCount = 0, m_refusedCount = 0;
    std::vector<int> m_stepEchoes; ///< for each step of the history, the echo in the console
};

} // namespace stridescope
