#pragma once
// LessonsScreen: the list of lessons, one of them beside its picture, or the editor of one. Code runs by a click only;
// answers are computed out of sight (LessonExercise), and until they are given the picture shows what is asked about.

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_exercise.h"
#include "app/lessons/lesson_run.h"
#include "widgets/shared/screen.h"

#include <QPointer>

#include <map>
#include <memory>
#include <set>

class QLabel;
class QStackedWidget;

namespace stridescope {

class ClassVote;
class ExploreStage;
class LessonEditor;
class LessonList;
class LessonPage;
class LessonPane;
class LessonSketch;
class LessonTry;
class TeacherCard;
class TextFileWatch;
class Workspace;
class WorkspaceModel;
struct TensorEntry;

class LessonsScreen : public Screen {
    Q_OBJECT

public:
    LessonsScreen(Workspace* workspace, QWidget* parent);
    ~LessonsScreen() override;
    void setTheme(const Theme& theme) override;
    void setReducedMotion(bool on) override;
    std::optional<Scene> picture() const override;
    PresentedPage* presentedPage(QWidget* parent) override;
    QRect messagePlace() const override;
    QJsonObject kept() const override;
    void keep(const QJsonObject& values) override;

    /// Opens a lesson at a stop; a built-in one by its id, or a file. False, with a message on the screen, when there
    /// is none.
    bool openLesson(const QString& idOrFile, int stop = 0);
    /// The same for "storage-offset-stride#3" or "/home/me/a.lesson#Its heading"; stops count from 1.
    bool openLink(const QString& link);
    void showList();
    /// The list's place is taken by the editor. Null until it was asked for once.
    LessonEditor* editor() const { return m_editor; }
    void editFile(const QString& file);

    // --- For the page that a class sees ---
    const std::optional<Lesson>& lesson() const { return m_lesson; }
    int stopIndex() const { return m_stop; }
    const std::optional<LessonExercise>& exercise() const { return m_exercise; }
    /// A tensor to build: was it built?
    bool isBuilt() const { return m_built; }
    /// Has the stop code that was not run yet, and that does not give an answer away?
    bool waitsForCode() const;
    ClassVote* vote() const { return m_vote; }
    WorkspaceModel* model() const;
    void goTo(int stop);
    /// Carries out the code of the stop in the workspace, as one step.
    void runCode();

    LessonPane* pane() const { return m_pane; }
    /// Of the workspace, and of what a question is about; one of them is in sight.
    ExploreStage* stage() const { return m_stage; }
    ExploreStage* askedStage() const { return m_asked; }

Q_SIGNALS:
    void stopChanged();
    void codeRan();

private:
    QWidget* buildLesson();
    LessonEditor* makeEditor(bool show = true);
    void refuse(const QString& file, const QString& reason);
    void showStop(int stop);
    void begin();
    /// The picture that belongs to what is known now, and what has to be said of it.
    void showPicture();
    void tookCode();
    void judgeAnswer(const QString& said);
    /// After the answer: the code with the line that makes what was asked about, and the picture.
    void showAnswer();
    /// The lines that stand in the pane.
    QStringList shownCode() const;
    void judgeSelected(bool told);
    void judgeTensor(const TensorEntry& made, bool told);
    /// Carries out a line that shall build the tensor, in place of the one before.
    void tryLine(const QString& line);
    /// Is there what a tensor is to be built of? If not, that is said.
    bool hasBase();
    void finishStop();
    void copyLink();
    void followClass();
    std::vector<bool> doneOf(const Lesson& lesson) const;

    Workspace* m_workspace;
    QStackedWidget *m_pages, *m_pictures;
    QWidget* m_lessonPage;
    LessonList* m_list;
    LessonPane* m_pane;
    LessonEditor* m_editor = nullptr;
    QLabel *m_caption, *m_waiting;
    ExploreStage *m_stage, *m_asked;
    LessonSketch* m_sketch;
    ClassVote* m_vote;
    TeacherCard* m_teacher;
    TextFileWatch* m_watch;
    std::unique_ptr<LessonTry> m_try;
    QPointer<LessonPage> m_page;
    Theme m_theme;
    std::optional<Lesson> m_lesson;
    int m_stop = 0;
    quint32 m_seed = 1;
    std::optional<LessonExercise> m_exercise;
    LessonRun m_run;
    bool m_ran = false, m_built = false;         ///< the code of this stop; its tensor
    bool m_runs = false;                         ///< its code is under way
    bool m_toldToRun = false;                    ///< to run the code before a tensor is built
    std::map<QString, std::set<QString>> m_done; ///< for each lesson the headings of its stops that are done
};

} // namespace stridescope
