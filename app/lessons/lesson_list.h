#pragma once
// LessonList: the lessons that come with the program, what is done of each, and the ways to others.

#include "app/lessons/lesson.h"

#include <QWidget>

#include <functional>
#include <vector>

class QTreeWidget;

namespace stridescope {

class LessonList : public QWidget {
    Q_OBJECT

public:
    explicit LessonList(QWidget* parent);
    /// `done` tells which stops of a lesson are done.
    void fill(const std::function<std::vector<bool>(const Lesson&)>& done);
    QTreeWidget* table() const { return m_table; }

    /// The lesson behind that one is the current one: Enter goes on with it.
    void selectAfter(const QString& id);

Q_SIGNALS:
    void lessonChosen(const QString& idOrFile);
    void newRequested();
    void editRequested(const QString& file); ///< a file of the user's
    void copyRequested(const QString& id);   ///< of one that comes with the program, to be edited

private:
    QTreeWidget* m_table;
};

} // namespace stridescope
