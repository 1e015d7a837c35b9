#include "app/lessons/lesson_list.h"

#include "app/lessons/lesson_library.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

LessonList::LessonList(QWidget* parent) : QWidget(parent) {
    setProperty("role", QStringLiteral("stage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    auto* top = new QHBoxLayout;
    auto* title = new QLabel(tr("Lessons"), this);
    title->setProperty("heading", true);
    top->addWidget(title);
    top->addStretch();
    const auto button = [&](const QString& text, const char* name, const QString& what, auto act) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QString::fromLatin1(name));
        made->setToolTip(what);
        connect(made, &QPushButton::clicked, this, act);
        top->addWidget(made);
    };
    const auto ask = [this](const QString& heading) {
        return QFileDialog::getOpenFileName(this, heading, {}, tr("Lessons (*.lesson);;All files (*)"));
    };
    button(tr("New lesson"), "newLesson", tr("Begins with an example of each kind of stop."),
           [this] { Q_EMIT newRequested(); });
    button(tr("Edit a copy"), "editLessonCopy", tr("Of the lesson that is selected below; it is saved where you say."),
           [this] {
               if (const QTreeWidgetItem* item = m_table->currentItem())
                   Q_EMIT copyRequested(item->data(0, Qt::UserRole).toString());
           });
    button(tr("Edit a file…"), "editLessonFile", tr("A lesson that you wrote, beside what it looks like."),
           [this, ask] {
               const QString file = ask(tr("Edit a lesson file"));
               if (!file.isEmpty()) Q_EMIT editRequested(file);
           });
    button(tr("Open a lesson file…"), "openLessonFile", tr("To take the lesson."), [this, ask] {
        const QString file = ask(tr("Open a lesson file"));
        if (!file.isEmpty()) Q_EMIT lessonChosen(file);
    });
    column->addLayout(top);
    m_table = new QTreeWidget(this);
    m_table->setObjectName(QStringLiteral("lessonTable"));
    m_table->setAccessibleName(tr("Lessons"));
    m_table->setHeaderLabels({tr("Lesson"), tr("What it is about"), tr("Done")});
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    connect(m_table, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { Q_EMIT lessonChosen(item->data(0, Qt::UserRole).toString()); });
    column->addWidget(m_table, 1);
    auto* how =
        new QLabel(tr("Enter opens the lesson. In it, the numbers answer, Enter goes on, Page Up goes back."), this);
    how->setProperty("quiet", true);
    column->addWidget(how);
    setFocusProxy(m_table);
}

void LessonList::fill(const std::function<std::vector<bool>(const Lesson&)>& done) {
    const QString current =
        m_table->currentItem() ? m_table->currentItem()->data(0, Qt::UserRole).toString() : QString();
    m_table->clear();
    int number = 0;
    for (const Lesson& lesson : lessonLibrary()) {
        const std::vector<bool> stops = done(lesson);
        const auto count = std::count(stops.begin(), stops.end(), true);
        auto* item =
            new QTreeWidgetItem(m_table, {lesson.isQuiz() ? QStringLiteral("?  %1").arg(lesson.title)
                                                          : QStringLiteral("%1  %2").arg(++number).arg(lesson.title),
                                          lesson.objective,
                                          tr("%1 of %2").arg(count).arg(stops.size()) +
                                              (count == std::ssize(stops) ? QStringLiteral(" ✓") : QString())});
        item->setData(0, Qt::UserRole, lesson.id);
        item->setToolTip(1,
                         lesson.trap.isEmpty() ? lesson.objective : lesson.objective + QLatin1Char('\n') + lesson.trap);
        if (lesson.id == current) m_table->setCurrentItem(item);
    }
    if (!m_table->currentItem() && m_table->topLevelItemCount() > 0) m_table->setCurrentItem(m_table->topLevelItem(0));
}

void LessonList::selectAfter(const QString& id) {
    for (int row = 0; row + 1 < m_table->topLevelItemCount(); ++row) {
        if (m_table->topLevelItem(row)->data(0, Qt::UserRole).toString() == id)
            m_table->setCurrentItem(m_table->topLevelItem(row + 1));
    }
}

} // namespace stridescope
