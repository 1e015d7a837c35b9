#include "widgets/panels/tensor_tree.h"

#include "widgets/panels/tensor_tree_delegate.h"
#include "widgets/panels/tensor_tree_model.h"
#include "widgets/shared/empty_state.h"
#include "widgets/shared/reading_direction.h"

#include <QContextMenuEvent>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QTreeView>
#include <QVBoxLayout>

namespace stridescope {

TensorTree::TensorTree(WorkspaceModel* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new TensorTreeModel(workspace, this)),
      m_delegate(new TensorTreeDelegate(this)), m_filter(new QLineEdit(this)), m_view(new QTreeView(this)),
      m_empty(new EmptyState(this)) {
    setObjectName(QStringLiteral("tensorTreePanel"));
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    m_filter->setObjectName(QStringLiteral("tensorFilter"));
    m_filter->setPlaceholderText(tr("Filter by name, shape or code"));
    m_filter->setAccessibleName(tr("Filter tensors"));
    m_filter->setClearButtonEnabled(true);
    m_view->setObjectName(QStringLiteral("tensorTree"));
    m_view->setAccessibleName(tr("Storages and tensors"));
    m_view->setHeaderHidden(true);
    m_view->setModel(m_model);
    m_view->setItemDelegate(m_delegate);
    m_view->setIndentation(14);
    readFromLeft(*m_view); // rows are names and shapes: the indentation lies on the side where they begin
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // rows shorten their text instead
    m_view->setMouseTracking(true);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->expandAll();
    m_view->viewport()->installEventFilter(this);
    m_view->installEventFilter(this);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 6, 6);
    column->setSpacing(8);
    column->addWidget(m_filter);
    column->addWidget(m_view, 1);
    column->addWidget(m_empty, 1);
    m_empty->hide();
    connect(m_empty, &EmptyState::chosen, this, [this](const QString& choice) {
        if (choice == QString::fromUtf16(kMakeChoice))
            Q_EMIT runRequested(firstTensorLine());
        else if (choice == QString::fromUtf16(kOpenChoice))
            Q_EMIT openRequested();
        else
            m_filter->clear();
    });

    connect(m_filter, &QLineEdit::textChanged, m_model, &TensorTreeModel::setFilter);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_view->expandAll();
        followSelection();
        showEmptiness();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        if (m_following) return;
        const TensorId id = current.data(TensorTreeModel::TensorIdRole).toULongLong();
        if (id) m_workspace->select(id);
    });
    connect(m_workspace, &WorkspaceModel::selectionChanged, this, &TensorTree::followSelection);
    followSelection();
    showEmptiness();
}

void TensorTree::showEmptiness() {
    const bool none = m_workspace->snapshot()->tensors.empty(), noMatch = m_model->rowCount() == 0;
    if (none)
        m_empty->setContents(tr("No tensors yet"),
                             tr("Storages appear here, each with the tensors that are views of it."),
                             firstTensorChoices());
    else if (noMatch)
        m_empty->setContents(tr("No tensor matches"), tr("The filter goes by name, shape and code."),
                             {{QStringLiteral("emptyClearFilter"), tr("Clear the filter")}});
    // What goes goes first: a small window has no room for both, and would grow for that moment.
    QWidget* const shown = none || noMatch ? static_cast<QWidget*>(m_empty) : m_view;
    (shown == m_empty ? static_cast<QWidget*>(m_view) : m_empty)->hide();
    shown->show();
}

void TensorTree::setTheme(const Theme& theme) {
    m_delegate->setTheme(theme);
    Q_EMIT m_delegate->sizeHintChanged(QModelIndex());
    m_view->viewport()->update();
}

void TensorTree::setAttempt(TensorId under, const QString& code) {
    m_model->setAttempt(under, code);
    if (const QModelIndex index = m_model->indexOf(under); index.isValid() && !code.isEmpty())
        m_view->scrollTo(m_model->index(m_model->rowCount(index) - 1, 0, index));
}

void TensorTree::followSelection() {
    const QModelIndex index = m_model->indexOf(m_workspace->selection().tensor);
    if (!index.isValid() || index == m_view->currentIndex()) return;
    m_following = true;
    m_view->setCurrentIndex(index);
    m_following = false;
}

void TensorTree::removeCurrent() {
    const QModelIndex index = m_view->currentIndex();
    if (index.data(TensorTreeModel::TensorIdRole).toULongLong()) {
        Q_EMIT runRequested(QStringLiteral("del ") + index.data().toString());
    }
}

void TensorTree::toggleCurrent() {
    const QModelIndex index = m_view->currentIndex();
    const TensorId id = index.data(TensorTreeModel::TensorIdRole).toULongLong();
    if (id) Q_EMIT stageRequested(id, !index.data(TensorTreeModel::OnStageRole).toBool());
}

void TensorTree::editName() {
    const QModelIndex index = m_view->currentIndex();
    const TensorId id = index.data(TensorTreeModel::TensorIdRole).toULongLong();
    if (!id) return;
    // In place: a line edit over the row, so that nothing else is covered or blocked.
    auto* editor = new QLineEdit(index.data().toString(), m_view->viewport());
    editor->setObjectName(QStringLiteral("tensorNameEditor"));
    editor->setAccessibleName(tr("New name"));
    QRect place = m_view->visualRect(index);
    place.setLeft(place.left() + 26);
    editor->setGeometry(place);
    editor->selectAll();
    editor->show();
    editor->setFocus();
    connect(editor, &QLineEdit::editingFinished, this, [this, editor, id] {
        const QString before =
            m_workspace->snapshot()->tensor(id) ? m_workspace->snapshot()->tensor(id)->name : QString();
        const QString after = editor->text().trimmed();
        editor->deleteLater();
        if (!after.isEmpty() && after != before) Q_EMIT renameRequested(id, after);
    });
}

bool TensorTree::eventFilter(QObject* watched, QEvent* event) {
    // What needs a second line depends on the width.
    if (watched == m_view->viewport() && event->type() == QEvent::Resize)
        Q_EMIT m_delegate->sizeHintChanged(QModelIndex());
    if (watched == m_view->viewport() && event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QModelIndex index = m_view->indexAt(mouse->pos());
        const TensorId id = index.data(TensorTreeModel::TensorIdRole).toULongLong();
        if (id && mouse->button() == Qt::LeftButton &&
            TensorTreeDelegate::eyeRect(m_view->visualRect(index)).contains(mouse->pos())) {
            Q_EMIT stageRequested(id, !index.data(TensorTreeModel::OnStageRole).toBool());
            return true;
        }
    }
    if (watched == m_view->viewport() && event->type() == QEvent::ContextMenu) {
        const auto* menuEvent = static_cast<QContextMenuEvent*>(event);
        const QModelIndex index = m_view->indexAt(menuEvent->pos());
        if (!index.data(TensorTreeModel::TensorIdRole).toULongLong()) return true;
        m_view->setCurrentIndex(index);
        auto* menu = new QMenu(m_view);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(index.data(TensorTreeModel::OnStageRole).toBool() ? tr("Hide on stage") : tr("Show on stage"),
                        this, &TensorTree::toggleCurrent);
        menu->addAction(tr("Rename"), this, &TensorTree::editName);
        menu->addAction(tr("Delete name"), this, &TensorTree::removeCurrent);
        menu->popup(menuEvent->globalPos());
        return true;
    }
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Delete:
            removeCurrent();
            return true;
        case Qt::Key_F2:
            editName();
            return true;
        case Qt::Key_Space:
            toggleCurrent();
            return true;
        default:
            break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace stridescope
