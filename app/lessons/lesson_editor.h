#pragma once
// LessonEditor: the text of a lesson beside the stop that the cursor is in, as it will look, and what the checker says
// of it, line by line. Nothing of a lesson's code runs here but out of sight, for its answers.

#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_exercise.h"
#include "widgets/theme/theme.h"

#include <QJsonObject>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>

class QFrame;
class QHBoxLayout;
class QLabel;
class QListWidget;

namespace stridescope {

class CodeEdit;
class LessonPane;
class TextFileWatch;

class LessonEditor : public QWidget {
    Q_OBJECT

public:
    explicit LessonEditor(QWidget* parent);
    ~LessonEditor() override;
    void setTheme(const Theme& theme);

    /// Changes that are not saved are asked about first, in the editor, and these three go on when that is settled.
    void newLesson();
    void openFile(const QString& path);
    void copyOf(const QString& builtIn); ///< by its id
    bool saveTo(const QString& path);

    CodeEdit* edit() const { return m_edit; }
    LessonPane* preview() const { return m_pane; }
    QListWidget* findings() const { return m_findings; }
    QString path() const { return m_path; }
    bool isModified() const;
    /// What is asked or told over the text; empty: nothing.
    QString notice() const;
    /// The text that is not saved, and where it belongs.
    QJsonObject draft() const;
    void takeDraft(const QJsonObject& draft);

Q_SIGNALS:
    void closeRequested();
    void takeRequested(const QString& file, int stop); ///< to be taken as a lesson
    void draftChanged();
    void statusTextChanged(const QString& text);

public Q_SLOTS:
    void save();
    void saveAs();

private:
    struct Choice {
        QString name, text;
        std::function<void()> act;
    };
    void ask(const QString& words, const std::vector<Choice>& choices);
    void endNotice();
    /// Runs `act`, at once or when it is settled what becomes of changes.
    void unlessModified(const std::function<void()>& act);
    void setText(const QString& text, const QString& path);
    void fileChanged();
    void textChanged();
    void check();
    void showFindings();
    void showPreview();
    void judge(const QString& said);
    int stopAtCursor() const;
    void nameIt();

    CodeEdit* m_edit;
    LessonPane* m_pane;
    QListWidget* m_findings;
    QLabel *m_name, *m_noticeText;
    QFrame* m_notice;
    QHBoxLayout* m_noticeButtons;
    TextFileWatch* m_watch;
    QTimer m_wait, m_step;
    std::unique_ptr<LessonCheck> m_check;
    std::optional<Lesson> m_lesson; ///< of the text, where it can be read
    std::optional<LessonExercise> m_exercise;
    LessonReport m_report;
    QString m_path;
    int m_shownStop = -1;
};

/// A lesson to begin with: each kind of stop, and all of it right.
QString lessonTemplate();

} // namespace stridescope
