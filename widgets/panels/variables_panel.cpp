#include "widgets/panels/variables_panel.h"

#include "widgets/scene/scene.h"
#include "widgets/scene/scene_painter.h"
#include "widgets/shared/reading_direction.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

constexpr int kRowHeight = 26, kBadge = 17, kBadgeRoom = 24;
enum Role { ColourRole = Qt::UserRole + 1, LetterRole, OnStageRole };

} // namespace

// --- The rows ---

class VariablesModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<VariableRow> rows) {
        beginResetModel();
        m_rows = std::move(rows);
        order();
        endResetModel();
    }
    const std::vector<VariableRow>& rows() const { return m_rows; }
    void sort(int column, Qt::SortOrder order_) override {
        m_column = column;
        m_order = order_;
        beginResetModel();
        order();
        endResetModel();
    }
    void setFonts(const QFont& code, const QFont& strong) {
        m_code = code;
        m_strong = strong;
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : VariablesPanel::Columns;
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
        const QString titles[] = {VariablesPanel::tr("name"),    VariablesPanel::tr("type"),
                                  VariablesPanel::tr("size"),    VariablesPanel::tr("stride"),
                                  VariablesPanel::tr("storage"), VariablesPanel::tr("device")};
        return titles[section];
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const VariableRow& row = m_rows[static_cast<std::size_t>(index.row())];
        switch (role) {
        case Qt::DisplayRole:
            return text(row, index.column());
        case Qt::ToolTipRole:
            return !row.isTensor     ? row.value
                   : row.tensor == 0 ? VariablesPanel::tr("Its elements cannot be seen from here")
                   : row.onStage     ? VariablesPanel::tr("Click to select its card")
                                     : VariablesPanel::tr("Click to show its card");
        case Qt::AccessibleTextRole:
            if (index.column() != VariablesPanel::Name) return text(row, index.column());
            return row.isTensor ? VariablesPanel::tr("%1, %2, size %3, stride %4, storage %5, %6")
                                      .arg(row.name, row.type, row.size, row.stride, row.storage, row.device)
                                : VariablesPanel::tr("%1, %2 %3").arg(row.name, row.type, row.value).trimmed();
        case Qt::FontRole:
            return index.column() == VariablesPanel::Name ? m_strong : m_code;
        case ColourRole:
            return row.colour;
        case LetterRole:
            return row.letter;
        case OnStageRole:
            return row.isTensor && row.onStage;
        default:
            return {};
        }
    }

private:
    static QString text(const VariableRow& row, int column) {
        switch (column) {
        case VariablesPanel::Name:
            return row.name;
        case VariablesPanel::Type:
            return row.type;
        case VariablesPanel::Size:
            return row.isTensor ? row.size : row.value;
        case VariablesPanel::Stride:
            return row.stride;
        case VariablesPanel::StorageColumn:
            return row.storage;
        default:
            return row.device;
        }
    }
    void order() {
        const auto less = [this](const VariableRow& a, const VariableRow& b) {
            if (m_column == VariablesPanel::Size) {
                // Tensors by how many elements they have, all else behind them.
                if (a.isTensor != b.isTensor) return a.isTensor;
                if (a.isTensor && a.numel != b.numel) return a.numel < b.numel;
            }
            const int order = QString::localeAwareCompare(text(a, m_column), text(b, m_column));
            return order != 0 ? order < 0 : a.name < b.name;
        };
        std::sort(m_rows.begin(), m_rows.end(), less);
        if (m_order == Qt::DescendingOrder) std::reverse(m_rows.begin(), m_rows.end());
    }

    std::vector<VariableRow> m_rows;
    int m_column = VariablesPanel::Name;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    QFont m_code, m_strong;
};

namespace {

/// Names with the badge of their card.
class NameDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    Theme theme;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem moved = option;
        initStyleOption(&moved, index);
        if (moved.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, theme.color(Tone::Selected));
        const int colour = index.data(ColourRole).toInt();
        const QPointF centre(option.rect.left() + kBadgeRoom / 2.0 + 2, option.rect.center().y() + 0.5);
        if (index.data(OnStageRole).toBool() && colour >= 0) {
            Scene badge;
            badge.size = QSizeF(option.rect.right() + 1, option.rect.bottom() + 1);
            SceneNode node;
            node.item = BadgeItem{centre, colour, kBadge, index.data(LetterRole).toChar()};
            badge.nodes.push_back(std::move(node));
            PaintOptions options;
            options.ground = false;
            paintScene(*painter, badge, theme, options);
        }
        painter->save();
        painter->setFont(moved.font);
        painter->setPen(theme.color(Tone::Ink));
        const QRect room = option.rect.adjusted(kBadgeRoom + 2, 0, -4, 0);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(moved.font).elidedText(moved.text, Qt::ElideRight, room.width()));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QFont font = index.data(Qt::FontRole).value<QFont>();
        return {kBadgeRoom + 12 + QFontMetrics(font).horizontalAdvance(index.data().toString()),
                QStyledItemDelegate::sizeHint(option, index).height()};
    }
};

} // namespace

// --- The panel ---

VariablesPanel::VariablesPanel(QWidget* parent)
    : QWidget(parent), m_model(new VariablesModel(this)), m_view(new QTableView(this)), m_note(new QLabel(this)),
      m_threads(new QWidget(this)), m_threadNames(new QLabel(m_threads)), m_stopThreads(new QPushButton(m_threads)) {
    setObjectName(QStringLiteral("variablesPanel"));
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    m_view->setObjectName(QStringLiteral("variablesTable"));
    m_view->setAccessibleName(tr("Variables"));
    m_view->setModel(m_model);
    m_view->setItemDelegateForColumn(Name, new NameDelegate(m_view));
    readFromLeft(*m_view);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false); // Tab leads to the next part of the window
    m_view->setSortingEnabled(true);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->sortByColumn(Name, Qt::AscendingOrder);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setProperty("quiet", true);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(12, 4, 12, 6);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addWidget(m_note);
    column->addWidget(m_threads);
    m_threads->setObjectName(QStringLiteral("runningThreads"));
    m_threadNames->setTextFormat(Qt::PlainText);
    m_threadNames->setWordWrap(true);
    auto* running = new QHBoxLayout(m_threads);
    running->setContentsMargins(12, 4, 8, 6);
    running->addWidget(m_threadNames, 1);
    running->addWidget(m_stopThreads);
    m_threads->hide();
    connect(m_stopThreads, &QPushButton::clicked, this, &VariablesPanel::stopThreadsRequested);
    connect(m_view, &QTableView::clicked, this, [this](const QModelIndex& index) { ask(index.row()); });
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) { ask(index.row()); });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        spanValues();
        setSelected(m_selected);
    });
    setRows({});
}

void VariablesPanel::setTheme(const Theme& theme) {
    static_cast<NameDelegate*>(m_view->itemDelegateForColumn(Name))->theme = theme;
    m_model->setFonts(theme.font(FontRole::Meta), theme.font(FontRole::MetaStrong));
    fitColumns();
    m_view->viewport()->update();
}

const std::vector<VariableRow>& VariablesPanel::rows() const {
    return m_model->rows();
}

void VariablesPanel::setRows(std::vector<VariableRow> rows, int more) {
    QString note;
    if (rows.empty())
        note = tr("No variables yet: what lines of code give a name to is listed here.");
    else if (more > 0)
        note = tr("and %1 more names").arg(more);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_view->setVisible(!rows.empty());
    m_model->setRows(std::move(rows));
    fitColumns();
}

void VariablesPanel::spanValues() {
    // What is no tensor has no size and stride: its text has their room.
    m_view->clearSpans();
    for (int i = 0; i < m_model->rowCount(); ++i) {
        if (!m_model->rows()[static_cast<std::size_t>(i)].isTensor) m_view->setSpan(i, Size, 1, Columns - Size);
    }
}

void VariablesPanel::fitColumns() {
    // Only tensors count: a long text has the room of four columns.
    constexpr int kWidest = 200;
    const QFontMetrics code(m_model->index(0, Type).data(Qt::FontRole).value<QFont>());
    const QFontMetrics head(m_view->horizontalHeader()->font());
    for (int column = 0; column + 1 < Columns; ++column) {
        int width =
            head.horizontalAdvance(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + 30;
        for (int i = 0; i < m_model->rowCount(); ++i) {
            if (column >= Size && !m_model->rows()[static_cast<std::size_t>(i)].isTensor) continue;
            const QString text = m_model->index(i, column).data().toString();
            width = std::max(width, code.horizontalAdvance(text) + (column == Name ? kBadgeRoom + 14 : 14));
        }
        m_view->setColumnWidth(column, std::min(width, kWidest));
    }
}

void VariablesPanel::setThreads(const QStringList& names) {
    constexpr qsizetype kNamed = 3;
    QString list = names.mid(0, kNamed).join(QStringLiteral(", "));
    if (names.size() > kNamed) list += tr(" and %1 more").arg(names.size() - kNamed);
    m_threadNames->setText(names.size() == 1
                               ? tr("The thread %1 goes on in the background.").arg(list)
                               : tr("%1 threads go on in the background: %2.").arg(names.size()).arg(list));
    m_stopThreads->setText(names.size() == 1 ? tr("Stop it") : tr("Stop them"));
    m_threads->setVisible(!names.isEmpty());
}

void VariablesPanel::setSelected(TensorId tensor) {
    m_selected = tensor;
    m_following = true;
    for (int i = 0; i < m_model->rowCount(); ++i) {
        const VariableRow& row = m_model->rows()[static_cast<std::size_t>(i)];
        if (tensor != 0 && row.tensor == tensor) m_view->setCurrentIndex(m_model->index(i, Name));
    }
    m_following = false;
}

void VariablesPanel::ask(int row) {
    if (m_following || row < 0 || row >= m_model->rowCount()) return;
    if (const TensorId tensor = m_model->rows()[static_cast<std::size_t>(row)].tensor; tensor != 0)
        Q_EMIT cardRequested(tensor);
}

} // namespace stridescope
