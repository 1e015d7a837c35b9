#pragma once
// LessonsScreen: the list of lessons, and one of them beside the picture of the workspace, in which it is done. Its
// code runs by a click only; answers are computed out of sight (LessonExercise).

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_exercise.h"
#include "widgets/shared/screen.h"

#include <map>
#include <set>

class QStackedWidget;
class QTreeWidget;

namespace stridescope {

class ExploreStage;
class LessonPane;
class Workspace;

class LessonsScreen : public Screen {
    Q_OBJECT

public:
    LessonsScreen(Workspace* workspace, QWidget* parent);
    void setTheme(const Theme& theme) override;
    void setReducedMotion(bool on) override;
    std::optional<Scene> picture() const override;
    QJsonObject kept() const override;
    void keep(const QJsonObject& values) override;

    /// Opens a lesson at a stop; a built-in one by its id, or a file. False, with a message on the screen, when there
    /// is none.
    bool openLesson(const QString& idOrFile, int stop = 0);
    void showList();
    LessonPane* pane() const { return m_pane; }
    ExploreStage* stage() const { return m_stage; }
    const std::optional<LessonExercise>& exercise() const { return m_exercise; }

private:
    QWidget* buildList();
    QWidget* buildLesson();
    void fillList();
    void askForFile();
    void showStop(int stop);
    void begin();
    void runCode();
    void judgeAnswer(const QString& said);
    void judgeSelected(bool told);
    void finishStop();
    std::vector<bool> doneOf(const Lesson& lesson) const;

    Workspace* m_workspace;
    QStackedWidget* m_pages;
    QTreeWidget* m_list;
    LessonPane* m_pane;
    ExploreStage* m_stage;
    std::optional<Lesson> m_lesson;
    int m_stop = 0;
    quint32 m_seed = 1;

    std::optional<LessonExercise> m_exercise;
    std::set<QString> m_made;                    ///< names that the lesson's code has given
    std::map<QString, std::set<QString>> m_done; ///< for each lesson the headings of its stops that are done
};

} // namespace stridescope
