#include "app/lessons/lesson_editor.h"

#include "app/files/text_file_watch.h"
#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/pane_stop.h"
#include "core/io/save_atomically.h"
#include "widgets/code/code_edit.h"
#include "widgets/lessons/lesson_pane.h"
#include "widgets/shared/scroll_room.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStyle>
#include <QTextBlock>
#include <QVBoxLayout>

namespace stridescope {

namespace {

constexpr int kWait = 250; ///< ms without a key until the text is looked at
constexpr int kPreview = 400;

/// Keys that the rest of the window has for other things are the editor's here.
class LessonEdit : public CodeEdit {
public:
    LessonEdit(LessonEditor* editor, QWidget* parent) : CodeEdit(parent), m_editor(editor) {}

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride) {
            const auto& key = *static_cast<QKeyEvent*>(event);
            if (key.matches(QKeySequence::Save) || key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
                event->accept();
                return true;
            }
        }
        // Tab leads on: blanks at the beginning of a line mean something here.
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab)
            return QPlainTextEdit::event(event);
        return CodeEdit::event(event);
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (event->matches(QKeySequence::Save)) return m_editor->save();
        CodeEdit::keyPressEvent(event);
    }

private:
    LessonEditor* m_editor;
};

QString nameOf(const QString& path) {
    return path.isEmpty() ? LessonEditor::tr("New lesson") : QFileInfo(path).fileName();
}

} // namespace

LessonEditor::LessonEditor(QWidget* parent) : QWidget(parent), m_watch(new TextFileWatch(this)) {
    setObjectName(QStringLiteral("lessonEditor"));
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 8, 12, 8);
    bar->setSpacing(8);
    const auto button = [&](const QString& text, const char* name, auto act) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QString::fromLatin1(name));
        made->setProperty("small", true);
        connect(made, &QPushButton::clicked, this, act);
        bar->addWidget(made);
        return made;
    };
    button(tr("All lessons"), "editorList", [this] { Q_EMIT closeRequested(); });
    m_name = new QLabel(this);
    m_name->setObjectName(QStringLiteral("editorName"));
    m_name->setTextFormat(Qt::PlainText);
    m_name->setProperty("heading", true);
    bar->addWidget(m_name, 1);
    button(tr("New"), "editorNew", [this] { newLesson(); });
    button(tr("Open…"), "editorOpen", [this] {
        const QString file =
            QFileDialog::getOpenFileName(this, tr("Edit a lesson file"), {}, tr("Lessons (*.lesson);;All files (*)"));
        if (!file.isEmpty()) openFile(file);
    });
    button(tr("Save as…"), "editorSaveAs", [this] { saveAs(); });
    button(tr("Save"), "editorSave", [this] { save(); })->setToolTip(tr("Ctrl+S"));
    button(tr("Take it"), "editorTake", [this] {
        // What is taken is what is saved: a link to it leads to the same.
        if (isModified() || m_path.isEmpty()) save();
        if (!isModified() && !m_path.isEmpty()) Q_EMIT takeRequested(m_path, std::max(stopAtCursor(), 0));
    })->setToolTip(tr("Saves the lesson and opens it at this stop."));
    column->addLayout(bar);
    m_notice = new QFrame(this);
    m_notice->setProperty("kind", QStringLiteral("message"));
    m_notice->setProperty("tone", QStringLiteral("note"));
    m_noticeButtons = new QHBoxLayout(m_notice);
    m_noticeButtons->setContentsMargins(12, 6, 12, 6);
    m_noticeButtons->setSpacing(8);
    m_noticeText = new QLabel(m_notice);
    m_noticeText->setObjectName(QStringLiteral("editorNotice"));
    m_noticeText->setTextFormat(Qt::PlainText);
    m_noticeText->setWordWrap(true);
    m_noticeButtons->addWidget(m_noticeText, 1);
    m_notice->hide();
    column->addWidget(m_notice);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    m_edit = new LessonEdit(this, this);
    m_edit->setObjectName(QStringLiteral("lessonText"));
    m_edit->setAccessibleName(tr("Text of the lesson"));
    m_edit->setHighlighting(false);
    m_edit->setTabChangesFocus(true);
    m_edit->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    left->addWidget(m_edit, 1);
    m_findings = new QListWidget(this);
    m_findings->setObjectName(QStringLiteral("lessonFindings"));
    m_findings->setAccessibleName(tr("What the checker says"));
    m_findings->setWordWrap(true);
    m_findings->setFixedHeight(96);
    left->addWidget(m_findings);
    row->addLayout(left, 1);
    m_pane = new LessonPane(this);
    m_pane->setPreview();
    auto* room = new ScrollRoom(m_pane, this);
    room->setFixedWidth(kPreview);
    row->addWidget(room);
    column->addLayout(row, 1);
    setFocusProxy(m_edit);

    m_wait.setSingleShot(true);
    m_wait.setInterval(kWait);
    connect(&m_wait, &QTimer::timeout, this, &LessonEditor::check);
    connect(&m_step, &QTimer::timeout, this, [this] {
        if (m_check && m_check->step()) return;
        m_step.stop();
        if (m_check) m_report = m_check->report();
        m_check.reset();
        showFindings();
    });
    connect(m_edit, &QPlainTextEdit::textChanged, this, &LessonEditor::textChanged);
    connect(m_edit, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (stopAtCursor() != m_shownStop) showPreview();
    });
    connect(m_edit, &QPlainTextEdit::modificationChanged, this, &LessonEditor::nameIt);
    connect(m_findings, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        const QTextBlock block = m_edit->document()->findBlockByNumber(item->data(Qt::UserRole).toInt() - 1);
        if (!block.isValid()) return;
        m_edit->setTextCursor(QTextCursor(block));
        m_edit->setFocus(Qt::OtherFocusReason);
    });
    connect(m_findings, &QListWidget::itemClicked, m_findings, &QListWidget::itemActivated);
    connect(m_watch, &TextFileWatch::changed, this, &LessonEditor::fileChanged);
    connect(m_pane, &LessonPane::answered, this, &LessonEditor::judge);
    connect(m_pane, &LessonPane::revealRequested, this, [this] {
        if (!m_exercise) return;
        m_pane->tell(false, tr("The answer is %1. %2").arg(m_exercise->answer.words(), m_exercise->because), true);
        m_pane->mark(m_exercise->answer.words(), true);
    });
    connect(m_pane, &LessonPane::hintRequested, this, [this] {
        if (m_exercise) m_pane->tell(false, m_exercise->hint, false);
    });
    connect(m_pane, &LessonPane::stopRequested, this, [this](int stop) {
        if (!m_lesson || stop < 0 || stop >= static_cast<int>(m_lesson->stops.size())) return;
        const int line = m_lesson->stops[static_cast<std::size_t>(stop)].line;
        m_edit->setTextCursor(QTextCursor(m_edit->document()->findBlockByNumber(line - 1)));
    });
    nameIt();
}

LessonEditor::~LessonEditor() = default;

void LessonEditor::setTheme(const Theme& theme) {
    m_edit->setTheme(theme);
}

// --- Files ----------------------------------------------------------------------------------------------------------

bool LessonEditor::isModified() const {
    return m_edit->document()->isModified();
}

void LessonEditor::nameIt() {
    m_name->setText(nameOf(m_path) + (isModified() ? tr(" – not saved") : QString()));
}

void LessonEditor::ask(const QString& words, const std::vector<Choice>& choices) {
    endNotice();
    m_noticeText->setText(words);
    for (const Choice& choice : choices) {
        auto* button = new QPushButton(choice.text, m_notice);
        button->setObjectName(choice.name);
        button->setProperty("small", true);
        connect(button, &QPushButton::clicked, this, [this, act = choice.act] {
            // The button goes with the notice, and must not be gone before it is done.
            QTimer::singleShot(0, this, [this, act] {
                endNotice();
                if (act) act();
            });
        });
        m_noticeButtons->addWidget(button);
    }
    m_notice->show();
}

void LessonEditor::endNotice() {
    while (m_noticeButtons->count() > 1) {
        QLayoutItem* item = m_noticeButtons->takeAt(1);
        delete item->widget();
        delete item;
    }
    m_noticeText->clear();
    m_notice->hide();
}

QString LessonEditor::notice() const {
    return m_notice->isHidden() ? QString() : m_noticeText->text();
}

void LessonEditor::unlessModified(const std::function<void()>& act) {
    if (!isModified()) return act();
    ask(tr("Changes of %1 are not saved.").arg(nameOf(m_path)),
        {{QStringLiteral("noticeSave"), tr("Save"),
          [this, act] {
              save();
              if (!isModified()) act();
          }},
         {QStringLiteral("noticeDiscard"), tr("Discard changes"),
          [this, act] {
              m_edit->document()->setModified(false);
              act();
          }},
         {QStringLiteral("noticeKeep"), tr("Go on with them"), {}}});
}

void LessonEditor::setText(const QString& text, const QString& path) {
    m_path = path;
    m_edit->setText(text);
    m_edit->document()->setModified(false);
    m_watch->watch(path);
    nameIt();
    m_wait.stop();
    check();
    Q_EMIT draftChanged();
}

void LessonEditor::newLesson() {
    unlessModified([this] { setText(lessonTemplate(), {}); });
}

void LessonEditor::copyOf(const QString& builtIn) {
    unlessModified([this, builtIn] {
        for (const Lesson& lesson : lessonLibrary()) {
            if (lesson.id == builtIn)
                setText(QString::fromUtf8(TextFileWatch::contentOf(lesson.file).value_or(QByteArray())), {});
        }
    });
}

void LessonEditor::openFile(const QString& path) {
    unlessModified([this, path] {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) {
            ask(tr("%1 cannot be read: %2.").arg(path, file.errorString()), {{QString(), tr("Close"), {}}});
            return;
        }
        const QByteArray bytes = file.read(LessonLimits().bytes + 1);
        const QString text = QString::fromUtf8(bytes);
        if (bytes.size() > LessonLimits().bytes || bytes.contains('\0') || text.toUtf8() != bytes) {
            ask(tr("%1 is no text of at most 256 KiB.").arg(path), {{QString(), tr("Close"), {}}});
            return;
        }
        setText(text, path);
    });
}

void LessonEditor::save() {
    m_path.isEmpty() ? saveAs() : static_cast<void>(saveTo(m_path));
}

void LessonEditor::saveAs() {
    const QString name = m_lesson ? m_lesson->id + QStringLiteral(".lesson") : QStringLiteral("my.lesson");
    QString path = QFileDialog::getSaveFileName(this, tr("Save the lesson"), m_path.isEmpty() ? name : m_path,
                                                tr("Lessons (*.lesson)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".lesson");
    saveTo(path);
}

bool LessonEditor::saveTo(const QString& path) {
    QByteArray bytes = m_edit->text().toUtf8();
    if (!bytes.isEmpty() && !bytes.endsWith('\n')) bytes += '\n';
    const auto saved =
        saveAtomically(std::filesystem::path(QFile::encodeName(path).toStdString()),
                       std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    if (!saved) {
        ask(tr("%1 was not saved: %2").arg(path, QString::fromStdString(saved.refusal().message)),
            {{QStringLiteral("noticeElsewhere"), tr("Save elsewhere…"), [this] { saveAs(); }},
             {QString(), tr("Close"), {}}});
        return false;
    }
    endNotice();
    m_path = path;
    m_watch->watch(path);
    m_edit->document()->setModified(false);
    nameIt();
    Q_EMIT draftChanged();
    Q_EMIT statusTextChanged(tr("Saved %1.").arg(path));
    return true;
}

void LessonEditor::fileChanged() {
    const auto take = [this] {
        const int line = m_edit->textCursor().blockNumber();
        const std::optional<QByteArray> bytes = TextFileWatch::contentOf(m_path);
        if (!bytes) return;
        setText(QString::fromUtf8(*bytes), m_path);
        m_edit->setTextCursor(QTextCursor(m_edit->document()->findBlockByNumber(line)));
    };
    if (!isModified()) {
        take();
        Q_EMIT statusTextChanged(tr("%1 has changed on the disk and was read again.").arg(nameOf(m_path)));
        return;
    }
    ask(tr("%1 has changed on the disk, and you have changes that are not saved.").arg(nameOf(m_path)),
        {{QStringLiteral("noticeTake"), tr("Take the file's"), take},
         {QStringLiteral("noticeMine"), tr("Keep mine"), {}}});
}

QJsonObject LessonEditor::draft() const {
    return {{QStringLiteral("path"), m_path}, {QStringLiteral("text"), m_edit->text()}};
}

void LessonEditor::takeDraft(const QJsonObject& draft) {
    const QString text = draft.value(QStringLiteral("text")).toString();
    if (text.isEmpty() || text.size() > LessonLimits().bytes) return;
    setText(text, draft.value(QStringLiteral("path")).toString());
    m_edit->document()->setModified(true);
}

} // namespace stridescope
