#pragma once
// MainWindow: creates, connects, saves. Draws nothing and computes nothing.

#include "app/files/clipboard_reader.h"
#include "app/files/file_opener.h"
#include "app/files/file_watch.h"
#include "app/session/journal.h"
#include "app/settings/language.h"
#include "app/settings/settings.h"
#include "app/settings/system_look.h"
#include "app/work/background.h"
#include "app/workspace/workspace.h"
#include "widgets/theme/theme.h"

#include <QMainWindow>

#include <functional>

class QActionGroup;
class QDockWidget;
class QFrame;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QScreen;
class QStackedWidget;
class QToolButton;

namespace stridescope {

class CommandPalette;
class PresenterWindow;
class PythonConsole;
struct KernelResult;
struct MissingNameAid;
class Console;
class Explanation;
class ExploreStage;
class FirstRunCards;
class FocusRings;
class HistoryPanel;
class Inspector;
class MessageBar;
class MotionScreen;
class OperationsPanel;
class Screen;
class ScrollRoom;
struct ScreenKind;
struct ScreenNeeds;
struct Scene;
class ScriptDock;
class VariablesDock;
class ShapeTable;
class StageHeader;
class TensorTree;
struct PaletteEntry;

/// Work in the background that ends within this many milliseconds is waited for: no progress flickers.
inline constexpr int kWorkPatience = 30;

/// What the writers of files ask between two blocks.
ProgressFn progressOf(Job& job);

/// Local files among `urls`; `others` counts the rest.
QStringList localFilesOf(const QList<QUrl>& urls, int* others);

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
    /// What the last line printed, where the console has no room to show it.
    MessageBar* printedBar() const { return m_printed; }
    CommandPalette* commandPalette() const { return m_palette; }
    const Theme& theme() const { return m_theme; }

    /// Opens files in the background; folders and what is no file are told and passed over.
    void openFiles(const QStringList& paths);
    bool isOpening() const { return m_opener->isBusy(); }
    /// The same without a dialog. Written in the background; refusals are told in the message bar.
    void saveTensorTo(const QString& path, const Tensor& tensor);
    void saveAllTo(const QString& path, const std::function<void()>& then = {});
    /// Tensors, views, looks, selection and history in one file, which is this window's from then on.
    void saveSessionTo(const QString& path, const std::function<void()>& then = {});
    /// The file that Ctrl+S writes to; empty: it asks.
    QString sessionPath() const { return m_sessionNotHere.isEmpty() ? m_sessionPath : QString(); }
    /// The file that is shown, even where Ctrl+S must not write to it.
    QString sessionShownPath() const { return m_sessionPath; }
    /// Copies a small state as one line of text.
    void copyState();
    void takeStateText(const QString& text);
    /// From now on what is done is kept in `folder`; offers what a program that was killed has left there.
    void keepJournal(const QString& folder);
    Journal* journal() const { return m_journal; }
    void exportPictureTo(const QString& path);
    bool isSaving() const { return m_saving.isBusy(); }
    ClipboardReader* clipboardReader() const { return m_clipboard; }
    /// Makes the picture of a first start: a 3 x 4 tensor, two views of it, their strip.
    void showFirstPicture();
    /// Shows a lesson, at a stop where the link names one: "storage-offset-stride#3".
    void openLesson(const QString& link);
    /// Carries out a line typed at the prompt, or one that a widget asks for (Naming::Auto).
    RunOutcome runLine(const QString& line, const RunAs& how);
    void setThemeChoice(ThemeChoice choice);
    ThemeChoice themeChoice() const { return m_themeChoice; }
    /// What the palette lists now: every menu command and every operation of the selected tensor.
    std::vector<PaletteEntry> paletteEntries();
    /// On the selected tensor.
    void openForm(const QString& operation);
    /// Builds what the first frame did without: docks' contents, palette. Called by itself after the first paint.
    void finishStart();
    QStringList recentFiles() const;
    /// Adds a screen at the end of the switch; it is built when it is first shown.
    void addScreen(const ScreenKind& kind);
    void showScreen(const QString& name);
    QString screenName() const;
    Screen* currentScreen() const; ///< null: Explore
    /// Null while nothing is presented.
    PresenterWindow* presenter() const { return m_presenter; }
    /// Where Tab leads, from first to last.
    QList<QWidget*> focusOrder() const;
    FocusRings* focusRings() const { return m_rings; }

public Q_SLOTS:
    void undo();
    void redo();
    void openPalette();
    void resetLayout();
    /// Shows the current screen to a class, full screen on the chosen screen; again: leaves that.
    void present();
    void explain(const QString& code);
    /// Stops what is being opened, saved or computed.
    void cancelWork();
    /// Something failed that nothing was ready for, while an event was handled. The tensors are as they were left.
    void tellFault(const QString& what);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    // --- main_window.cpp ---
    void buildCentre();
    /// Puts the keyboard on an operation of the first tensor, previewed on the strip.
    void endFirstRun();
    void setReducedMotion(bool on);
    void bringPickIntoSight();
    /// `laidOut`: the stage's picture is that of its present size.
    void placeFirstRun(bool laidOut);
    void buildStatusBar();
    void applyTheme();
    void applyThemeToParts();
    bool systemIsDark() const;
    void followSystem(std::optional<bool> dark);
    /// Writes the settings; says so once when they can only be kept in memory.
    void saveSettings();

    // --- main_window_language.cpp ---
    void buildLanguageMenu(QMenu* menu);
    void chooseLanguage(Language language);

    // --- main_window_messages.cpp ---
    /// What goes on and is told as long as it does: states of the message bar.
    enum Activity : int { Opening = 1, Saving, AskingForClipboard, Dragging, Line, LineHeldBack, Python };
    void buildMessages();
    void say(const QString& headline, const QString& details = {}, const QString& hint = {});
    void confirm(const QString& headline); ///< what was asked for is done
    void complain(const QString& headline, const QString& details = {}, const QString& hint = {});
    /// What goes on, until it ends: then the message bar's endState().
    void sayState(Activity activity, const QString& headline, const QString& details = {});
    /// Offers a button on the message that is shown.
    void offer(const QString& text, const std::function<void()>& act);
    /// The user has begun something else: what was told of the last act is over.
    void endMessages();
    /// Puts the bar where it neither moves the picture that it is about nor covers what mends it.
    void placeMessage();
    /// Where the history is seen below the picture, as wide as that; else nothing.
    QRect historyRow() const;
    /// Directly above the prompt, over the history: what a line printed belongs to the console.
    void placePrinted();
    /// Notes of a line that worked, and what it printed where the console has no room to show it.
    void tellPrinted(const RunOutcome& outcome);
    /// Above the prompt of a window that has no room for the console's output.
    void showPrinted(const QString& text, const QString& traceback);
    /// Tensors with a card on the stage.
    std::set<TensorId> shownCards() const;
    /// Words for the bar on those of `before` that are still there but off the stage, and the first of them. None where
    /// there are none, and where the status bar has been told instead: that is enough from the second time on.
    std::pair<QString, TensorId> tellTakenOff(const std::set<TensorId>& before);

    // --- main_window_screens.cpp ---
    struct ShownDocks { ///< the docks that a screen shows; where they stand is one for all screens
        QList<QDockWidget*> docks, front;
        QList<QSize> sizes; ///< of `docks`
    };
    struct ScreenPage {
        QString name;
        QAction* action = nullptr;
        std::function<Screen*(const ScreenNeeds&, QWidget*)> make; ///< null: Explore
        Screen* widget = nullptr;                                  ///< made when first shown
        ScrollRoom* room = nullptr;                                ///< round the widget
        ShownDocks docks;                                          ///< when it was left
    };
    ShownDocks shownDocks() const;
    void showDocks(const ShownDocks& shown);
    void buildScreens(QMenu* menu);
    /// One button with a list of the screens instead of a button for each.
    void foldScreens(bool on);
    void buildZoom(QMenu* menu);
    bool canZoom() const;
    void buildScreen(ScreenPage& page);
    /// Puts what is chosen on the screens into the settings.
    void rememberScreens();
    /// Shows it first.
    MotionScreen* motionScreen();
    /// A line that was refused, and the position in the history at which it was.
    struct RefusedAct {
        QString line;
        RunOutcome outcome;
        int position = 0;
    };
    /// What was refused last, where it can be played or at least drawn; else the step that was done last.
    void playLastStep();
    void tellNothingRan(const RefusedAct& act);
    /// The picture of the screen that is shown, or the card of a tensor.
    Scene currentPicture(TensorId tensor) const;

    // --- main_window_presenting.cpp ---
    void buildPresenting(QMenu* menu);
    void fillPresentOn(QMenu* menu);
    /// The screen that was chosen, else one that this window is not on, else its own.
    QScreen* presentScreen() const;
    /// The page of the screen that is shown now.
    void presentPage();
    void stopPresenting();

    // --- main_window_docks.cpp ---
    void buildDocks();
    void fillDocks();
    void sizeDocks();
    QByteArray dockLayout() const;
    void setDockLayout(const QByteArray& layout);
    bool isLow() const; ///< so that every line counts
    void restoreLayout();
    void keepInSight();
    void fitDocks();
    void fitTiny(); ///< what gives way in the smallest windows
    void nameTreeDock();
    void fitToolBar();
    void fitConsole();
    void rememberLayout();

    // --- main_window_actions.cpp ---
    /// What a command says in its menu, without the mark of its mnemonic.
    static QString plainText(const QAction* action);
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
    void lineFinished(const QString& line, const RunOutcome& outcome);
    /// A line that came while another one is carried out: told, and offered again at the end of that one.
    RunOutcome holdBack(const QString& line, const RunAs& how);
    /// What waited for the end of a line.
    void afterLine();
    /// What cannot be undone is not done without a word.
    void askBeforeOverwriting(const QString& line, const RunAs& how, Index bytes);
    /// The last `newSteps` steps of the history are those of the console's line `echo`.
    void linkEcho(std::size_t newSteps, int echo);
    void runLines(const QString& text);
    /// Lines or a transcript that only Python reads: switches it on.
    void runInPython(const QString& text);
    void previewLine(const QString& code);
    void syncConsole();
    void showExplanation(const QString& code, const RunOutcome& outcome);
    void closeExplanation();
    /// The user has done with it: a refused number does not stay in the inspector either.
    void dismissExplanation();
    void deleteTensor(TensorId tensor);
    void renameTensor(TensorId tensor); ///< asks for the name
    void renameTo(TensorId tensor, const QString& name);
    void showOnStage(TensorId tensor, bool on);
    /// Carries out what is no line of code; the step that it makes stands in the console as a comment.
    void echoAct(const std::function<void()>& act);
    /// A refused act as the console shows a refused line.
    void echoRefused(const QString& line, const QString& exception, const QString& message, const QString& hint = {});

    // --- main_window_python.cpp ---
    void buildPythonMenu();
    void buildPythonDocks();
    void placeVariables();
    void placeScript();
    void buildPython();
    void setPython(bool on);
    void askForPython();
    void runPython(const QString& line);
    /// What was told of the line before goes.
    void clearForPython();
    /// Lines that wait for the end of the code that runs.
    void tellWaiting();
    /// Threads of the code that go on, with an offer to stop them.
    void tellThreads(const KernelResult& result);
    void tellPythonError(const QString& code, const RunOutcome& outcome);
    /// A button that does what helps, and puts the line to the prompt for another try.
    void offerAid(const MissingNameAid& aid);
    /// Words on a name that a refused line of the line language uses and only Python has; else empty.
    QString onlyInPython(const Refusal& refusal) const;
    /// Was `line` refused because the line language does not read what Python reads?
    bool isForPython(const Refusal& refusal, const QString& line) const;
    /// Whether it begins as one of Python's statements does: `import`, `def`, `for` …
    static bool isStatement(const QString& line);
    void pythonFinished(int echo, const QString& code, const RunOutcome& outcome, const KernelResult& result);

    // --- main_window_files.cpp ---
    void askToOpen();
    void takeOpened(const OpenedFile& file);
    /// Takes tensors in as one step, and shows its line in the console.
    void takeIn(const std::vector<NewTensor>& tensors, const QString& title, const QString& originFile);
    void openingFinished(bool cancelled);
    void tellFileChanged(const QString& path, qint64 bytesNow, qint64 bytesMapped);
    /// Says in the status bar that files which are shown changed, until they are shown no more.
    void markChangedFiles();
    void rememberRecent(const QString& path);

    // --- main_window_saving.cpp ---
    struct SaveRequest {
        QString path;
        std::function<std::optional<Refusal>(const QString& path, Job& job)> write; ///< runs in another thread
        std::set<quint64> reads;     ///< storages that must not change meanwhile
        std::function<void()> saved; ///< what else follows
        std::function<void()> again; ///< asks for another place
    };
    void save(const SaveRequest& request);
    void savingFinished(const SaveRequest& request, const std::optional<Refusal>& refused);
    void saveTensor();
    void saveAll(const std::function<void()>& then = {});
    void exportPicture();
    /// True: nothing would be lost, or the user has pressed `discarding`. False: not yet; `then` is called when
    /// everything is saved.
    bool mayLose(const QString& discarding, const std::function<void()>& then);
    void updateWork();
    void showProgress(int permille);

    // --- main_window_session.cpp ---
    void saveSession(const std::function<void()>& then = {});
    void saveSessionAs(const std::function<void()>& then = {});
    void takeSession(const OpenedFile& file);
    /// Replaces what there is. `whence`: why its lines cannot be undone.
    void restoreSession(const Session& session, const QString& whence);
    /// `whyNotHere`: not empty when saving must not write to this file.
    void setSessionPath(const QString& path, const QString& whyNotHere = {});
    void nameWindow();
    std::map<std::string, std::string> sessionLook() const;
    void takeSessionLook(const std::map<std::string, std::string>& look);
    void tellJournal();
    void offerRecovery();
    void recover();

    // --- main_window_clipboard.cpp ---
    void exportFrom(TensorId tensor, const QString& format);
    void copyText(const QString& text, const QString& what);
    /// Refuses, with the numbers, what is too large for other programs to paste.
    bool mayCopy(qint64 bytes);
    void paste();
    void takePasted(const ClipboardContents& contents);
    void importText(const QString& text);

    Settings* m_settings;
    WorkspaceModel* m_model;
    Workspace* m_workspace;
    FileOpener* m_opener;
    FileWatch* m_fileWatch;
    QToolButton* m_changedFiles = nullptr; ///< in the status bar, while a file is shown that changed on disk
    ClipboardReader* m_clipboard;
    SystemLook* m_look;
    FocusRings* m_rings;
    Background m_saving, m_copying, m_recovering;
    QString m_sessionPath, m_sessionNotHere, m_stateFolder;
    QString m_sessionFilesOf; ///< the session just opened whose other files may be opened, too
    SessionLock m_sessionLock;
    std::vector<std::pair<std::string, std::string>> m_sessionUnknown; ///< of a later version, kept
    Journal* m_journal = nullptr;
    std::unique_ptr<LeftJournal> m_left; ///< offered, not yet decided
    Theme m_theme;
    ThemeChoice m_themeChoice = ThemeChoice::System;
    bool m_systemDark = false, m_paletteDark = false;
    bool m_started = false;
    bool m_narrow = false, m_tabbed = false; ///< how fitDocks() has arranged the docks
    bool m_tiny = false;                     ///< as fitTiny() found it
    bool m_placesDocks = false;              ///< Qt or fitDocks() is at it
    int m_consoleHeight = 0;                 ///< of its dock, before a block at the prompt made it higher

    MessageBar* m_message = nullptr;
    MessageBar* m_printed = nullptr;
    bool m_toldTakenOff = false;
    FirstRunCards* m_firstRun = nullptr;
    QSize m_firstRunPlacedFor;
    std::vector<ScreenPage> m_screens;
    std::optional<MotionInput> m_refusedMotion; ///< of the last line
    std::optional<RefusedAct> m_refused;        ///< the last line, where it was refused
    std::size_t m_screen = 0;                   ///< the one that is shown
    PresenterWindow* m_presenter = nullptr;
    QActionGroup* m_roomGroup = nullptr;
    QStackedWidget* m_screenStack = nullptr;
    QMenu* m_screenMenu = nullptr;
    QActionGroup* m_screenGroup = nullptr;
    QFrame* m_screenSwitch = nullptr;
    QToolButton* m_screenList = nullptr;     ///< in the place of its buttons, where they have no room
    QAction* m_screenSwitchAction = nullptr; ///< in the tool bar
    bool m_firstRunWaits = false;            ///< for the way back to Explore
    bool m_cornerTaken = false;              ///< the picture has grown into the corner of the first steps
    StageHeader* m_stageHeader = nullptr;
    ExploreStage* m_stage = nullptr;
    ScrollRoom* m_stageRoom = nullptr;    ///< round the stage
    std::optional<Pick> m_pickInSight;    ///< the last one that was scrolled to
    Explanation* m_explanation = nullptr; ///< made when first needed
    QStackedWidget* m_centreStack = nullptr;
    Console* m_console = nullptr;
    PythonConsole* m_python = nullptr;
    CommandPalette* m_palette = nullptr;
    TensorTree* m_tree = nullptr;
    OperationsPanel* m_operations = nullptr;
    ShapeTable* m_shapes = nullptr;
    QStackedWidget* m_operationsStack = nullptr; ///< the operations, or the shapes that a refused view could have
    Inspector* m_inspector = nullptr;
    HistoryPanel* m_history = nullptr;
    QDockWidget *m_treeDock = nullptr, *m_operationsDock = nullptr, *m_inspectorDock = nullptr, *m_bottomDock = nullptr;
    VariablesDock* m_variablesDock = nullptr;
    ScriptDock* m_scriptDock = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_cancelWork = nullptr;
    QLabel *m_statusText = nullptr, *m_statusDType = nullptr, *m_statusCpu = nullptr, *m_statusGpu = nullptr;
    QMenu *m_recentMenu = nullptr, *m_tensorMenu = nullptr;
    QToolButton *m_newButton = nullptr, *m_searchButton = nullptr, *m_themeButton = nullptr;
    std::vector<QAction*> m_commands;
    QActionGroup* m_themeGroup = nullptr;

    QByteArray m_defaultLayout;
    QByteArray m_exploreLayout; ///< when it was left
    QString m_endTold;          ///< title of the message on the end of Python
    QString m_pasteTold;        ///< title of the message on the pasted lines that stand at the prompt
    std::function<void()> m_nextCopy;
    struct HeldLine {
        QString line;
        RunAs how;
    };
    QString m_agreed;          ///< the line that may overwrite what cannot be kept
    bool m_torchTyped = false; ///< `import torch` was typed while lines were not Python's; it is told to Python first
    bool m_onByItself = false; ///< a line switched Python on, and Python has not answered yet
    std::optional<HeldLine> m_heldBack; ///< the last line that was not run because another one was being carried out
    std::vector<OpenedFile> m_openedMeanwhile; ///< while a line was under way
    std::optional<bool> m_openingEnded;        ///< meanwhile, too: was it cancelled?
    bool m_closeWhenSaved = false;
    QStringList m_openNotes;
    /// A refused file that a choice of the user's opens all the same.
    std::optional<std::pair<QString, OpenChoices>> m_choosable;
    QStringList m_untried; ///< paths beyond the limit of files at once
    std::set<TensorId> m_shownWhileOpening;
    std::set<TensorId> m_shownBefore; ///< cards on the stage when the line under way began
    int m_openedCount = 0, m_refusedCount = 0;
    std::vector<int> m_stepEchoes;  ///< for each step of the history, the echo in the console
    qsizetype m_forgottenSteps = 0; ///< of Workspace::forgottenSteps(), those that m_stepEchoes knows of
};

} // namespace stridescope
