#include "app/window/script_dock.h"

#include "app/settings/settings.h"
#include "app/window/code_assistant.h"
#include "app/window/find_bar.h"
#include "core/io/save_atomically.h"
#include "core/io/text.h"
#include "widgets/code/code_edit.h"
#include "widgets/model/words.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QShortcut>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

#include <functional>

namespace stridescope {

namespace {

constexpr auto kFilter = "Python (*.py);;All files (*)";

/// An editor: Enter goes on with the indent that the next line has.
class ScriptEdit : public CodeEdit {
public:
    /// `tooLong` is told how many letters a paste would have made.
    ScriptEdit(std::function<void()> save, std::function<void(qint64)> tooLong, QWidget* parent)
        : CodeEdit(parent), m_save(std::move(save)), m_tooLong(std::move(tooLong)) {}

protected:
    bool event(QEvent* event) override {
        // In the rest of the window the key saves a tensor.
        if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save)) {
            event->accept();
            return true;
        }
        return CodeEdit::event(event);
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (event->matches(QKeySequence::Save)) {
            m_save();
            return;
        }
        const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (isEnter && event->modifiers() == Qt::NoModifier && !isCompleting() && !isReadOnly())
            insertNewLine();
        else
            CodeEdit::keyPressEvent(event);
    }

    void insertFromMimeData(const QMimeData* source) override {
        const qint64 letters = source->text().size() + document()->characterCount();
        letters > ScriptDock::kLargest ? m_tooLong(letters) : CodeEdit::insertFromMimeData(source);
    }

private:
    std::function<void()> m_save;
    std::function<void(qint64)> m_tooLong;
};

QString shown(const QString& path) {
    return QString::fromStdString(sanitiseForDisplay(QFileInfo(path).fileName().toStdString()));
}

} // namespace

bool isScript(const QString& path) {
    return path.endsWith(QLatin1String(".py"), Qt::CaseInsensitive);
}

ScriptDock::ScriptDock(Settings* settings, QWidget* parent) : QDockWidget(tr("Script"), parent), m_settings(settings) {
    setObjectName(QStringLiteral("scriptDock"));
    setAccessibleName(tr("Script"));
    setWhatsThis(tr("A Python script: run as a whole, or line by line. The line that comes next is marked, and the "
                    "pictures show what was done so far."));
}

QWidget* ScriptDock::buildBar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    const auto button = [this, row](const QString& name, const QString& text, const QString& tip, auto act) {
        auto* made = new QToolButton(this);
        made->setObjectName(name);
        made->setText(text);
        made->setToolTip(tip);
        made->setFocusPolicy(Qt::TabFocus);
        connect(made, &QToolButton::clicked, this, act);
        row->addWidget(made);
        return made;
    };
    QToolButton* open = button(QStringLiteral("scriptOpen"), tr("Open"), tr("Open a script"), &ScriptDock::open);
    auto* recent = new QMenu(open);
    recent->setObjectName(QStringLiteral("recentScripts"));
    recent->setToolTipsVisible(true);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    open->setMenu(recent);
    open->setPopupMode(QToolButton::MenuButtonPopup);
    button(QStringLiteral("scriptSave"), tr("Save"), tr("Save the script (Ctrl+S in it)"), &ScriptDock::save);
    row->addStretch(1);
    m_run = button(QStringLiteral("scriptRun"), tr("Run"), tr("Run the whole script (F5)"), &ScriptDock::run);
    m_step = button(QStringLiteral("scriptStep"), tr("Step"), tr("Run the next line (F10)"), &ScriptDock::step);
    m_into = button(QStringLiteral("scriptInto"), tr("Step into"),
                    tr("Run the next line, and go into a function of the script that it calls (Ctrl+F10)"),
                    &ScriptDock::stepInto);
    m_stop =
        button(QStringLiteral("scriptStop"), tr("Stop"), tr("Stop the script (Ctrl+.)"), &ScriptDock::stopRequested);
    return bar;
}

void ScriptDock::fillRecent(QMenu* menu) {
    menu->clear();
    for (const QString& path : m_settings->list(QStringLiteral("recentFiles"))) {
        if (!isScript(path)) continue;
        QAction* action = menu->addAction(shown(path).replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setToolTip(plainName(path));
        action->setEnabled(QFileInfo::exists(path));
        connect(action, &QAction::triggered, this, [this, path] { take(path); });
    }
    if (menu->isEmpty()) menu->addAction(tr("No script was opened yet"))->setEnabled(false);
}

void ScriptDock::fill(PythonConsole* python) {
    m_python = python;
    auto* content = new QWidget(this);
    const auto tooLong = [this](qint64 letters) {
        Q_EMIT refused(tr("Nothing was pasted."),
                       tr("The script would have %1; it has at most %2.")
                           .arg(bytesText(static_cast<quint64>(letters)), bytesText(quint64{kLargest})),
                       tr("Save it as a file, and run that with: stridescope run FILE"));
    };
    m_edit = new ScriptEdit([this] { save(); }, tooLong, content);
    m_edit->setObjectName(QStringLiteral("scriptEdit"));
    m_edit->setAccessibleName(tr("Script"));
    m_edit->setPlaceholder(tr("import torch\nx = torch.arange(12).view(3, 4)"));
    m_edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_words = new QLabel(content);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setProperty("quiet", true);
    m_words->setContentsMargins(12, 2, 12, 6);
    m_words->setWordWrap(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildBar());
    column->addWidget(m_edit, 1);
    m_find = new FindBar(m_edit, content);
    column->addWidget(m_find);
    column->addWidget(m_words);
    // In the pane only; elsewhere the key may mean something else.
    auto* find = new QShortcut(QKeySequence::Find, content);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_find, &FindBar::open);
    content->setMinimumWidth(340);
    setWidget(content);
    m_assistant = new CodeAssistant(m_edit, python->kernel(), this);
    m_assistant->setOn(true);
    connect(m_edit->document(), &QTextDocument::modificationChanged, this, [this] { showState(); });
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        // A mark belongs to the text that ran.
        if (!m_runs) m_edit->setMarks({});
    });
    connect(python, &PythonConsole::paused, this, [this](int line) {
        if (!m_runs) return;
        m_line = line;
        m_edit->setMarks({{line, CodeEdit::Mark::Current}});
        QTextCursor cursor(m_edit->document()->findBlockByNumber(line - 1));
        m_edit->setTextCursor(cursor);
        m_edit->ensureCursorVisible();
        showState();
    });
    connect(python, &PythonConsole::failedAt, this, [this](int line, const QString& what) {
        if (!m_runs) return;
        m_line = 0;
        if (line > 0) {
            m_edit->setMarks({{line, CodeEdit::Mark::Wrong}});
            m_edit->setTextCursor(QTextCursor(m_edit->document()->findBlockByNumber(line - 1)));
        }
        m_failure =
            (line > 0 ? tr("Line %1: ").arg(line) : QString()) + plainName(what.section(QLatin1Char('\n'), 0, 0));
    });
    connect(python, &PythonConsole::stopped, this, [this] {
        if (!m_runs) return;
        m_runs = false;
        m_line = 0;
        if (m_failure.isEmpty()) m_edit->setMarks({});
        m_edit->setReadOnly(false);
        showState();
    });
    showState();
}

void ScriptDock::setTheme(const Theme& theme) {
    if (m_edit) m_edit->setTheme(theme);
}

bool ScriptDock::isModified() const {
    return m_edit && m_edit->document()->isModified();
}

void ScriptDock::showState() {
    m_run->setToolTip(m_line > 0 ? tr("Run all lines that are left (F5)") : tr("Run the whole script (F5)"));
    m_run->setEnabled(!m_runs || m_line > 0);
    m_step->setEnabled(!m_runs || m_line > 0);
    m_into->setEnabled(m_line > 0);
    m_stop->setEnabled(m_runs);
    QString words = m_path.isEmpty() ? tr("Not saved yet") : shown(m_path);
    if (!m_path.isEmpty() && isModified()) words += tr(" · changed");
    if (m_line > 0)
        words += tr(" · waits before line %1").arg(m_line);
    else if (m_runs)
        words += tr(" · runs");
    if (!m_failure.isEmpty()) words += QLatin1Char('\n') + m_failure;
    m_words->setText(words);
}

void ScriptDock::refuse(const QString& headline, const Refusal& refusal) {
    Q_EMIT refused(headline, QString::fromStdString(refusal.message), QString::fromStdString(refusal.hint));
}

// --- Files ---

void ScriptDock::setPath(const QString& path) {
    m_path = path;
    setWindowTitle(path.isEmpty() ? tr("Script")
                                  : tr("Script: %1").arg(shown(path)).replace(QLatin1Char('&'), QStringLiteral("&&")));
    m_edit->document()->setModified(false);
    showState();
}

bool ScriptDock::mayDiscard() {
    if (!isModified() || m_edit->document()->isEmpty()) return true;
    QMessageBox box(QMessageBox::NoIcon, tr("Stridescope"),
                    m_path.isEmpty() ? tr("The script is not saved.")
                                     : tr("Changes of %1 are not saved.").arg(shown(m_path)),
                    QMessageBox::NoButton, this);
    box.setObjectName(QStringLiteral("scriptQuestion"));
    box.setTextFormat(Qt::PlainText);
    QPushButton* saveButton = box.addButton(tr("Save"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(tr("Discard changes"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == saveButton) return save();
    return box.clickedButton() == discard;
}

void ScriptDock::newScript() {
    if (!isFree()) return;
    m_edit->setText(QString());
    m_failure.clear();
    setPath({});
    m_edit->setFocus(Qt::OtherFocusReason);
}

bool ScriptDock::isFree() {
    if (!m_runs) return mayDiscard();
    Q_EMIT refused(tr("The script still runs."), tr("Stop it, or wait for its end, to open another one."), {});
    return false;
}

void ScriptDock::open() {
    if (!isFree()) return;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a script"), m_settings->text(QStringLiteral("scriptFolder")), QString::fromLatin1(kFilter));
    if (!path.isEmpty()) openFile(path);
}

void ScriptDock::take(const QString& path) {
    if (isFree()) openFile(path);
}

bool ScriptDock::openFile(const QString& path) {
    const auto refuseFile = [this, &path](const QString& why, const QString& hint = {}) {
        Q_EMIT refused(tr("%1 was not opened.").arg(shown(path)), why, hint);
        return false;
    };
    QFile file(path);
    if (!QFileInfo(path).isFile()) return refuseFile(tr("It is no file."));
    if (!file.open(QIODevice::ReadOnly)) return refuseFile(file.errorString());
    if (file.size() > kLargest)
        return refuseFile(tr("It has %1; a script has at most %2.")
                              .arg(bytesText(static_cast<quint64>(file.size())), bytesText(quint64{kLargest})),
                          tr("Run it with: stridescope run %1").arg(shown(path)));
    const QByteArray bytes = file.read(kLargest + 1);
    QString text = QString::fromUtf8(bytes);
    if (text.toUtf8() != bytes && !bytes.startsWith("\xEF\xBB\xBF"))
        return refuseFile(tr("Its bytes are not UTF-8 text."));
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    m_failure.clear();
    m_edit->setText(text);
    m_edit->setMarks({});
    m_settings->set(QStringLiteral("scriptFolder"), QFileInfo(path).absolutePath());
    setPath(path);
    m_edit->setFocus(Qt::OtherFocusReason);
    Q_EMIT opened(path);
    return true;
}

bool ScriptDock::save() {
    return m_path.isEmpty() ? saveAs() : saveFile(m_path);
}

bool ScriptDock::saveAs() {
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save the script"), m_path.isEmpty() ? m_settings->text(QStringLiteral("scriptFolder")) : m_path,
        QString::fromLatin1(kFilter));
    if (path.isEmpty()) return false;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".py");
    return saveFile(path);
}

bool ScriptDock::saveFile(const QString& path) {
    QByteArray bytes = m_edit->text().toUtf8();
    if (!bytes.isEmpty() && !bytes.endsWith('\n')) bytes += '\n';
    const auto saved =
        saveAtomically(std::filesystem::path(QFile::encodeName(path).toStdString()),
                       std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    if (!saved) {
        refuse(tr("%1 was not saved.").arg(shown(path)), saved.refusal());
        return false;
    }
    setPath(path);
    Q_EMIT opened(path);
    return true;
}

// --- Running ---

void ScriptDock::start(KernelMode mode) {
    Q_EMIT starting();
    // By its whole path, as Python itself names it, if that is what is written.
    const QString path = QFileInfo(m_path).absoluteFilePath();
    const bool plain = QString::fromStdString(
                           sanitiseForDisplay(path.toStdString(), static_cast<std::size_t>(path.size()) * 4)) == path;
    const QString name = m_path.isEmpty() ? tr("<script>") : plain ? path : shown(m_path);
    m_failure.clear();
    m_edit->setMarks({});
    m_edit->closeCompletions();
    m_runs = true;
    m_edit->setReadOnly(true); // what is marked must be what runs
    if (!m_python->runScript(m_edit->text(), name, mode)) {
        m_runs = false;
        m_edit->setReadOnly(false);
        Q_EMIT refused(tr("The script was not run."),
                       tr("Another line is still being carried out, or a tensor is being saved: wait for its end."),
                       {});
    }
    showState();
}

void ScriptDock::run() {
    if (m_edit->text().trimmed().isEmpty()) return;
    m_line > 0 ? proceed() : start(KernelMode::Script);
}

void ScriptDock::step() {
    if (m_edit->text().trimmed().isEmpty()) return;
    if (!m_runs) {
        start(KernelMode::Step);
    } else if (m_line > 0 && m_python->goOn(GoOn::NextLine)) {
        m_line = 0;
        showState();
    }
}

void ScriptDock::stepInto() {
    if (m_line == 0 || !m_python->goOn(GoOn::Into)) return;
    m_line = 0;
    showState();
}

void ScriptDock::proceed() {
    if (m_line == 0 || !m_python->goOn(GoOn::ToTheEnd)) return;
    m_line = 0;
    m_edit->setMarks({});
    showState();
}

} // namespace stridescope
