#include "widgets/panels/whence_view.h"

#include "widgets/model/seen_pick.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <cmath>

namespace stridescope {

namespace {

enum Role { TextRole = Qt::UserRole, NumbersRole, NoteRole, PickRole };

} // namespace

/// Three texts below each other, each wrapped: the code, its numbers, what is to be said of it.
class WhenceDelegate : public QStyledItemDelegate {
public:
    explicit WhenceDelegate(QTreeWidget* tree) : QStyledItemDelegate(tree), m_tree(tree) {}
    void setTheme(const Theme& theme) { m_theme = theme; }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        int depth = 1;
        for (QModelIndex parent = index.parent(); parent.isValid(); parent = parent.parent()) ++depth;
        const int width = std::max(60, m_tree->viewport()->width() - depth * m_tree->indentation());
        return {width, static_cast<int>(std::ceil(lay(nullptr, QRectF(0, 0, width, 0), index)))};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        const bool current = option.state & QStyle::State_HasFocus;
        if (current || option.state & QStyle::State_MouseOver)
            painter->fillRect(option.rect, m_theme.color(current ? Tone::Selected : Tone::Inset));
        lay(painter, option.rect, index);
        painter->restore();
    }

private:
    static constexpr qreal kPad = 4;

    /// Height of all texts; drawn when there is a painter.
    qreal lay(QPainter* painter, const QRectF& rect, const QModelIndex& index) const {
        qreal y = rect.top() + kPad;
        const auto add = [&](Role role, FontRole font, Tone tone) {
            const QString text = index.data(role).toString();
            if (text.isEmpty()) return;
            QTextLayout layout(text, m_theme.font(font));
            QTextOption wrap;
            wrap.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
            layout.setTextOption(wrap);
            layout.beginLayout();
            for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
                line.setLineWidth(rect.width() - 2 * kPad);
                line.setPosition({rect.left() + kPad, y});
                y += line.height();
            }
            layout.endLayout();
            if (!painter) return;
            painter->setPen(m_theme.color(tone));
            layout.draw(painter, {});
        };
        const bool gone = !index.data(PickRole).isValid();
        add(TextRole, FontRole::Code, gone ? Tone::Ink2 : Tone::Ink);
        add(NumbersRole, FontRole::CodeStrong, Tone::Ink);
        add(NoteRole, FontRole::Label, Tone::Ink2);
        return y + kPad - rect.top();
    }

    QTreeWidget* m_tree;
    Theme m_theme;
};

QString cellName(const WorkspaceSnapshot& snapshot, const Pick& pick) {
    if (const TensorEntry* entry = snapshot.tensor(pick.tensor))
        return entry->name + (pick.coord.empty() ? QString() : QString::fromStdString(toListString(pick.coord)));
    const StorageEntry* storage = snapshot.storage(pick.storageId);
    return storage ? PaintedText::tr("storage #%1[%2]").arg(storage->number).arg(pick.slot) : QString();
}

WhenceView::WhenceView(WorkspaceModel* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_hint(new QLabel(this)), m_back(new QPushButton(this)),
      m_tree(new QTreeWidget(this)), m_delegate(new WhenceDelegate(m_tree)) {
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &WhenceView::refresh);
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);
    m_hint->setProperty("quiet", true);
    m_back->setProperty("small", true);
    m_back->setObjectName(QStringLiteral("whenceBack"));
    m_back->hide();
    m_tree->setObjectName(QStringLiteral("whence"));
    m_tree->setAccessibleName(tr("Where the picked element came from"));
    m_tree->setHeaderHidden(true);
    m_tree->setItemDelegate(m_delegate);
    m_tree->setSelectionMode(QAbstractItemView::NoSelection); // what is current shows the keyboard's place
    m_tree->setIndentation(14);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setExpandsOnDoubleClick(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_hint);
    column->addWidget(m_back, 0, Qt::AlignLeft);
    column->addWidget(m_tree);
    connect(m_back, &QPushButton::clicked, this, &WhenceView::goBack);
    connect(m_tree, &QTreeWidget::itemClicked, this, &WhenceView::go);
    connect(m_tree, &QTreeWidget::itemActivated, this, &WhenceView::go);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (!item || !m_tree->hasFocus()) return;
        const QRect place = m_tree->visualItemRect(item);
        Q_EMIT moved({m_tree->viewport()->mapTo(this, place.topLeft()), place.size()});
    });
    for (const auto unfolded : {&QTreeWidget::itemExpanded, &QTreeWidget::itemCollapsed})
        connect(m_tree, unfolded, this, &WhenceView::fitHeight);
    connect(workspace, &WorkspaceModel::snapshotChanged, this, &WhenceView::refreshLater);
    connect(workspace, &WorkspaceModel::valuesChanged, this, &WhenceView::refreshLater);
    connect(workspace, &WorkspaceModel::selectionChanged, this, [this, selected = TensorId{0}]() mutable {
        const Selection& now = m_workspace->selection();
        const bool another = std::exchange(selected, now.tensor) != now.tensor;
        const TensorEntry* own = now.pick ? m_workspace->snapshot()->tensor(now.pick->tensor) : nullptr;
        // The cell of a hidden card is named through the selected one.
        if (now.pick != m_shown || (another && own && !own->onStage)) refreshLater();
    });
    refresh();
}

void WhenceView::setTheme(const Theme& theme) {
    m_delegate->setTheme(theme);
    m_tree->doItemsLayout();
    fitHeight();
}

void WhenceView::refreshLater() {
    if (isVisible()) m_soon.start(0);
}

void WhenceView::refresh() {
    const std::optional<Pick> pick = m_workspace->selection().pick;
    if (pick != m_shown && !std::exchange(m_following, false)) m_trail.clear();
    // Of a card that was hidden since, what is seen of its cell has the word, as above; who goes from element to
    // element reads of the one he went to.
    std::optional<Pick> asked = pick;
    if (pick && m_trail.empty()) {
        Selection withoutPointer = m_workspace->selection();
        withoutPointer.hover.reset();
        if (const auto seen = seenPick(*m_workspace->snapshot(), withoutPointer); seen && seen->tensor != 0)
            asked = seen;
    }
    auto whence = asked ? m_workspace->whence(*asked) : std::nullopt;
    if (whence && asked != pick) {
        // The past knows equal views by the name of the first one.
        const qsizetype is = whence->text.indexOf(QStringLiteral(" = "));
        whence->text = cellName(*m_workspace->snapshot(), *asked) + (is < 0 ? QString() : whence->text.mid(is));
    }
    // While a line is being carried out nobody can tell: what is shown stays.
    if (pick && pick == m_shown && !whence) return;
    m_shown = whence ? pick : std::nullopt;
    m_tree->clear();
    if (whence) {
        addItems(m_tree->invisibleRootItem(), *whence);
        m_tree->setCurrentItem(m_tree->topLevelItem(0));
        m_tree->topLevelItem(0)->setExpanded(true);
    }
    m_tree->setVisible(whence.has_value());
    m_hint->setText(tr("Click a cell to see what it was made of."));
    m_hint->setVisible(!whence);
    m_back->setVisible(whence && !m_trail.empty());
    if (!m_trail.empty()) m_back->setText(tr("Back to %1").arg(cellName(*m_workspace->snapshot(), m_trail.back())));
    fitHeight();
}

void WhenceView::addItems(QTreeWidgetItem* parent, const Whence& whence) {
    auto* item = new QTreeWidgetItem(parent);
    item->setData(0, TextRole, plainName(whence.text));
    item->setData(0, NumbersRole, whence.numbers);
    item->setData(0, NoteRole, plainName(whence.note));
    if (whence.pick) item->setData(0, PickRole, QVariant::fromValue(*whence.pick));
    QStringList words{whence.text, whence.numbers};
    if (!whence.note.isEmpty()) words << whence.note;
    item->setData(0, Qt::AccessibleTextRole, words.join(QStringLiteral("; ")));
    for (const Whence& source : whence.sources) addItems(item, source);
    if (whence.more == 0) return;
    auto* rest = new QTreeWidgetItem(item);
    const QString text = whence.sources.empty() ? tr("%1 sources, not listed").arg(countText(whence.more))
                                                : tr("and %1 more").arg(countText(whence.more));
    rest->setData(0, NoteRole, text);
    rest->setData(0, Qt::AccessibleTextRole, text);
}

void WhenceView::go(QTreeWidgetItem* item) {
    const QVariant pick = item ? item->data(0, PickRole) : QVariant();
    if (!pick.isValid() || pick.value<Pick>() == m_shown) return;
    if (m_shown) m_trail.push_back(*m_shown);
    m_following = true;
    Q_EMIT pickRequested(pick.value<Pick>());
}

void WhenceView::goBack() {
    if (m_trail.empty()) return;
    const Pick pick = m_trail.back();
    m_trail.pop_back();
    m_following = true;
    Q_EMIT pickRequested(pick);
    m_tree->setFocus();
}

void WhenceView::fitHeight() {
    int height = 0;
    for (QTreeWidgetItem* item = m_tree->topLevelItem(0); item; item = m_tree->itemBelow(item))
        height += m_delegate->sizeHint({}, m_tree->indexFromItem(item)).height();
    m_tree->setFixedHeight(std::max(height, 1));
}

void WhenceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refreshLater();
}

void WhenceView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_tree->doItemsLayout();
    fitHeight();
}

} // namespace stridescope
