#include "widgets/panels/operations_panel.h"

#include "widgets/model/words.h"
#include "widgets/panels/code_label.h"
#include "widgets/panels/operation_form.h"
#include "widgets/shared/empty_state.h"
#include "widgets/shared/reading_direction.h"
#include "widgets/shared/scroll_room.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

enum ItemRole { IndexRole = Qt::UserRole + 1, ResultRole, ReasonRole, HeadRole };

/// Code in mono at the left, the result at the right; group heads in bold with their sign.
class OperationDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    Theme theme;
    static constexpr int kLine = 17, kGap = 12, kLeft = 18, kRight = 8;
    static constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    static qreal roomIn(int width) { return width - kLeft - kRight; }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        if (index.data(HeadRole).toBool()) return {120, 32};
        const auto* list = qobject_cast<const QListWidget*>(parent());
        const Lines lines = linesOf(index, list ? list->viewport()->width() : 240);
        return {120, 26 + kLine * (lines.below() + lines.reason)};
    }

    /// Code that is wider than the list goes on below: its numbers are what the row is about. The result stands at the
    /// end of its last line, or below where that has no room for it; reasons are wrapped.
    struct Lines {
        QStringList code;
        bool apart = false;
        int reason = 0;
        int below() const { return static_cast<int>(code.size()) - 1 + (apart ? 1 : 0); } ///< of the first line
    };
    Lines linesOf(const QModelIndex& index, int width) const {
        Lines lines;
        const QFontMetricsF metricsOfCode(theme.font(FontRole::Code));
        lines.code = CodeLabel::linesOf(index.data().toString(), theme.font(FontRole::Code), roomIn(width), 3);
        const qreal wide =
            metricsOfCode.horizontalAdvance(lines.code.last()) + kGap +
            QFontMetricsF(theme.font(FontRole::Meta)).horizontalAdvance(index.data(ResultRole).toString());
        lines.apart = wide > roomIn(width);
        const QString reason = index.data(ReasonRole).toString();
        if (!reason.isEmpty()) {
            const QFontMetrics metrics(theme.font(FontRole::Label));
            const QRect used = metrics.boundingRect(QRect(0, 0, std::max(1, width - 26), 1 << 14), kWrapped, reason);
            lines.reason = std::max(1, (used.height() + metrics.lineSpacing() / 2) / metrics.lineSpacing());
        }
        return lines;
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        readFromLeft(*painter);
        painter->setRenderHint(QPainter::Antialiasing);
        const QRect row = option.rect;
        if (index.data(HeadRole).toBool()) {
            painter->setFont(theme.font(FontRole::LabelStrong));
            painter->setPen(theme.color(Tone::Ink));
            painter->drawText(row.adjusted(12, 8, -2, 0), Qt::AlignVCenter | Qt::AlignLeft, index.data().toString());
            painter->restore();
            return;
        }
        const bool active =
            option.state.testFlag(QStyle::State_MouseOver) || option.state.testFlag(QStyle::State_Selected);
        if (active) {
            painter->setPen(option.state.testFlag(QStyle::State_HasFocus) ? QPen(theme.color(Tone::Ink), 2)
                                                                          : QPen(Qt::NoPen));
            painter->setBrush(theme.color(Tone::Selected));
            painter->drawRoundedRect(QRectF(row).adjusted(1, 1, -1, -1), 4, 4);
        }
        const QString result = index.data(ResultRole).toString();
        const QFont right = theme.font(FontRole::Meta);
        const QFontMetricsF rightMetrics(right);
        const QFontMetricsF codeMetrics(theme.font(FontRole::Code));
        const int baseline = row.top() + 18;
        const qreal room = roomIn(row.width());
        const Lines lines = linesOf(index, row.width());
        // Only what is wider than the whole list loses its middle.
        const QString shownResult = rightMetrics.elidedText(result, Qt::ElideMiddle, room + 0.5);
        painter->setFont(right);
        painter->setPen(theme.color(Tone::Ink2));
        painter->drawText(QPointF(row.right() - kRight - rightMetrics.horizontalAdvance(shownResult),
                                  baseline + kLine * lines.below()),
                          shownResult);
        painter->setFont(theme.font(FontRole::Code));
        painter->setPen(theme.color(Tone::Ink));
        for (qsizetype i = 0; i < lines.code.size(); ++i)
            painter->drawText(QPointF(row.left() + kLeft, baseline + kLine * static_cast<qreal>(i)),
                              codeMetrics.elidedText(lines.code[i], Qt::ElideMiddle, room + 0.5));
        const QString reason = index.data(ReasonRole).toString();
        if (!reason.isEmpty()) {
            painter->setFont(theme.font(FontRole::Label));
            painter->setPen(theme.color(Tone::Ink2));
            const QRect below(row.left() + kLeft, row.top() + 22 + kLine * lines.below(), row.width() - 26,
                              kLine * (lines.reason + 1));
            painter->drawText(below, kWrapped, reason);
        }
        painter->restore();
    }
};

} // namespace

OperationsPanel::OperationsPanel(WorkspaceModel* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_title(new QLabel(this)), m_list(new QListWidget(this)),
      m_form(new OperationForm(workspace, this)), m_empty(new EmptyState(this)),
      m_emptyRoom(new ScrollRoom(m_empty, this)) {
    setObjectName(QStringLiteral("operationsPanel"));
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setProperty("heading", true);
    m_list->setObjectName(QStringLiteral("operationsList"));
    m_list->setAccessibleName(tr("Operations on the selected tensor"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMinimumHeight(24); // on a low screen a row is left to be scrolled through
    m_list->setMouseTracking(true);
    m_list->setItemDelegate(new OperationDelegate(m_list));
    // How many lines a row takes depends on the width: without word wrap a change of that alone lays out nothing anew.
    m_list->setResizeMode(QListView::Adjust);
    m_list->setWordWrap(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->installEventFilter(this);
    m_list->installEventFilter(this);
    m_form->installEventFilter(this);
    m_form->hide();
    auto* byForm = new QPushButton(tr("Any operation by form"), this);
    byForm->setObjectName(QStringLiteral("openForm"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 8);
    column->setSpacing(4);
    auto* titleRow = new QVBoxLayout;
    titleRow->setContentsMargins(12, 0, 12, 0);
    titleRow->addWidget(m_title);
    column->addLayout(titleRow);
    column->addWidget(m_list, 1);
    column->addWidget(m_emptyRoom, 1);
    m_emptyRoom->hide();
    connect(m_empty, &EmptyState::chosen, this, [this](const QString& choice) {
        if (choice == QString::fromUtf16(kMakeChoice))
            Q_EMIT runRequested(firstTensorLine());
        else if (choice == QString::fromUtf16(kOpenChoice))
            Q_EMIT openRequested();
        else if (!m_workspace->snapshot()->tensors.empty())
            m_workspace->select(m_workspace->snapshot()->tensors.front().id);
    });
    column->addWidget(m_form);
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(12, 0, 12, 0);
    foot->addWidget(byForm);
    column->addLayout(foot);

    connect(byForm, &QPushButton::clicked, this, [this] { openForm(QStringLiteral("as_strided")); });
    connect(m_list, &QListWidget::itemClicked, this, &OperationsPanel::activate);
    connect(m_list, &QListWidget::itemEntered, this, &OperationsPanel::preview);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (m_list->hasFocus()) preview(item);
    });
    connect(m_form, &OperationForm::runRequested, this, &OperationsPanel::runRequested);
    connect(m_form, &OperationForm::previewRequested, this, &OperationsPanel::previewRequested);
    connect(m_form, &OperationForm::explainRequested, this, &OperationsPanel::explainRequested);
    connect(m_form, &OperationForm::closed, this, [this, byForm] {
        Q_EMIT previewRequested(QString()); // of what nobody asks for any more
        m_formOpen = false;
        m_form->hide();
        byForm->show();
        shareRoom();
        byForm->setFocus(); // on the list, its first row would be previewed at once
    });

    connect(m_workspace, &WorkspaceModel::snapshotChanged, this, &OperationsPanel::rebuild);
    connect(m_workspace, &WorkspaceModel::selectionChanged, this, [this] {
        if (m_title->property("tensor").toULongLong() != m_workspace->selection().tensor) rebuild();
    });
    rebuild();
}

void OperationsPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    static_cast<OperationDelegate*>(m_list->itemDelegate())->theme = theme;
    m_list->doItemsLayout();
    m_form->setTheme(theme);
    m_list->viewport()->update();
}

void OperationsPanel::shareRoom() {
    // In a low panel the form has all of it: the dock would grow at the tree's cost, or press the fields together.
    constexpr int kLeastList = 170;
    const bool selected = m_workspace->selected() != nullptr;
    // What is typed must not move the field that it is typed into: then as it was, while the panel is as large.
    const bool keep = m_formOpen && m_form->isVisible() && m_form->isTypedIn() && m_sharedFor == size();
    const bool both = keep ? !m_list->isHidden() : !m_formOpen || height() >= m_form->wholeHeight(width()) + kLeastList;
    m_sharedFor = size();
    const QMargins margins = layout()->contentsMargins();
    m_form->setRoom(height() - margins.top() - margins.bottom());
    m_list->setVisible(selected && both);
    m_title->setVisible(selected && both);
}

void OperationsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareRoom();
}

void OperationsPanel::openForm(const QString& operation) {
    if (auto* button = findChild<QPushButton*>(QStringLiteral("openForm"))) button->hide();
    m_formOpen = true;
    shareRoom();
    m_form->show();
    m_form->setOperation(operation);
    m_form->focusFirst();
}

void OperationsPanel::rebuild() {
    m_list->clear();
    m_suggestions.clear();
    const TensorEntry* entry = m_workspace->selected();
    m_title->setProperty("tensor", QVariant::fromValue<qulonglong>(entry ? entry->id : 0));
    if (!entry) m_formOpen = false;
    if (entry) m_emptyRoom->hide(); // before what takes its place: a small window has no room for both
    shareRoom();
    m_emptyRoom->setVisible(!entry);
    if (auto* byForm = findChild<QPushButton*>(QStringLiteral("openForm")))
        byForm->setVisible(entry != nullptr && m_form->isHidden());
    if (!entry) {
        m_form->hide();
        const auto& tensors = m_workspace->snapshot()->tensors;
        if (tensors.empty())
            m_empty->setContents(tr("Nothing to do yet"), tr("What a tensor can do stands here, by what it costs."),
                                 firstTensorChoices());
        else
            m_empty->setContents(tr("Nothing is selected"), tr("What the selected tensor can do stands here."),
                                 {{QStringLiteral("emptySelect"), tr("Select %1").arg(tensors.front().name)}});
        return;
    }
    m_title->setText(tr("Operations on %1").arg(entry->name));
    m_suggestions = operationSuggestions(*entry);
    const QString bytes = bytesText(static_cast<quint64>(entry->tensor.nbytes()));
    const std::pair<SuggestionGroup, QString> groups[]{
        {SuggestionGroup::View, tr("View: no element moves, +0 B")},
        {SuggestionGroup::Copy, tr("Copy: a new storage, +%1").arg(bytes)},
        {SuggestionGroup::OtherDType, tr("Other dtype: always a copy")},
        {SuggestionGroup::NotPossible, tr("✗ Not possible, and why")}};
    for (const auto& [group, title] : groups) {
        bool headed = false;
        for (std::size_t i = 0; i < m_suggestions.size(); ++i) {
            const OperationSuggestion& suggestion = m_suggestions[i];
            if (suggestion.group != group) continue;
            if (!headed) {
                auto* head = new QListWidgetItem(title, m_list);
                head->setData(HeadRole, true);
                head->setFlags(Qt::NoItemFlags);
                headed = true;
            }
            auto* item = new QListWidgetItem(suggestion.code, m_list);
            item->setData(IndexRole, static_cast<int>(i));
            item->setData(ResultRole, suggestion.result);
            item->setData(ReasonRole, suggestion.reason);
            item->setData(Qt::AccessibleTextRole, suggestion.code + QStringLiteral(", ") + suggestion.result +
                                                      QLatin1Char(' ') + suggestion.reason);
            QString tip = suggestion.code + QLatin1Char('\n') + suggestion.result;
            if (!suggestion.reason.isEmpty()) tip += QLatin1Char('\n') + suggestion.reason;
            item->setToolTip(tip.trimmed());
        }
    }
}

void OperationsPanel::activate(QListWidgetItem* item) {
    if (!item || !item->data(IndexRole).isValid()) return;
    const OperationSuggestion& suggestion = m_suggestions[static_cast<std::size_t>(item->data(IndexRole).toInt())];
    const QString code = suggestion.code; // the list is rebuilt while the signal runs
    const bool refused = suggestion.group == SuggestionGroup::NotPossible;
    Q_EMIT previewRequested(QString());
    m_previewing = false;
    if (refused) {
        Q_EMIT explainRequested(code);
    } else {
        Q_EMIT runRequested(code);
    }
}

void OperationsPanel::preview(QListWidgetItem* item) {
    if (!item || !item->data(IndexRole).isValid()) return;
    m_previewing = true;
    Q_EMIT previewRequested(m_suggestions[static_cast<std::size_t>(item->data(IndexRole).toInt())].code);
}

bool OperationsPanel::eventFilter(QObject* watched, QEvent* event) {
    // New fields, longer words, another font: the form needs another height.
    if (watched == m_form && event->type() == QEvent::LayoutRequest) shareRoom();
    const bool left = (watched == m_list->viewport() && event->type() == QEvent::Leave) ||
                      (watched == m_list && event->type() == QEvent::FocusOut);
    if (left && m_previewing) {
        m_previewing = false;
        Q_EMIT previewRequested(QString());
    }
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            activate(m_list->currentItem());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace stridescope
