#include "widgets/panels/command_palette.h"

#include "widgets/panels/fuzzy_match.h"
#include "widgets/shared/reading_direction.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QRegularExpression>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

enum Role { DetailRole = Qt::UserRole + 1, ShortcutRole, SectionRole };

constexpr int kRowHeight = 30;
constexpr int kVisibleRows = 12;
constexpr int kWidth = 640;
constexpr int kPadding = 12;

/// More than any order of letters is worth: "lesson 1" is neither lesson 10 nor "lesson 2: dimension 1".
constexpr int kWholeWords = 200;

bool asTyped(const QString& typed, const QString& title) {
    const QString words = typed.trimmed();
    return !words.isEmpty() &&
           title.contains(QRegularExpression(QStringLiteral("(?<!\\w)%1(?!\\w)").arg(QRegularExpression::escape(words)),
                                             QRegularExpression::CaseInsensitiveOption |
                                                 QRegularExpression::UseUnicodePropertiesOption));
}

/// Are all typed words in the text, each as it was typed, of three letters or more?
bool hasWords(const QString& typed, const QString& text) {
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return !words.isEmpty() && std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return word.size() > 2 && text.contains(word, Qt::CaseInsensitive);
    });
}

/// Title at the left, then section; shortcut and detail at the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {kWidth, kRowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        const QPalette& palette = option.palette;
        const bool current = option.state.testFlag(QStyle::State_Selected);
        if (current) painter->fillRect(option.rect, palette.color(QPalette::Highlight));
        const bool enabled = !index.flags().testFlag(Qt::ItemIsUserCheckable);
        const QColor ink = palette.color(current ? QPalette::HighlightedText : QPalette::WindowText);
        QColor quiet = palette.color(QPalette::PlaceholderText);
        if (current) quiet = ink;
        QRect area = option.rect.adjusted(kPadding, 0, -kPadding, 0);
        const QFontMetrics metrics(option.font);
        const auto right = [&](const QString& text) {
            if (text.isEmpty()) return;
            painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, text);
            area.setRight(area.right() - metrics.horizontalAdvance(text) - kPadding);
        };
        painter->setFont(option.font);
        painter->setPen(quiet);
        right(index.data(ShortcutRole).toString());
        const QString title = index.data(Qt::DisplayRole).toString(), section = index.data(SectionRole).toString();
        // The detail has what the title and the section leave, half of the row at least.
        const int others = metrics.horizontalAdvance(title) + metrics.horizontalAdvance(section) + 2 * kPadding;
        right(metrics.elidedText(index.data(DetailRole).toString(), Qt::ElideRight,
                                 std::max(area.width() / 2, area.width() - others)));
        right(section);
        painter->setPen(enabled ? ink : quiet);
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(title, Qt::ElideRight, area.width()));
        painter->restore();
    }
};

} // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent), m_field(new QLineEdit(this)), m_list(new QListView(this)), m_empty(new QLabel(this)),
      m_model(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Commands"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_field->setObjectName(QStringLiteral("paletteField"));
    m_field->setAccessibleName(tr("Search commands"));
    m_field->setPlaceholderText(tr("Search commands"));
    m_field->setMinimumHeight(kRowHeight);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Matching commands"));
    m_list->setModel(m_model);
    readFromLeft(*m_list); // most of it is code
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setText(tr("No command of that name."));
    m_empty->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    layout->addWidget(m_empty);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListView::clicked, this, &CommandPalette::runCurrent);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        if (!isVisible() || !current.isValid()) return;
        const PaletteEntry& entry = m_entries[m_order[static_cast<std::size_t>(current.row())]];
        entry.preview ? entry.preview() : Q_EMIT previewEnded();
    });
    hide();
}

CommandPalette::~CommandPalette() = default;

void CommandPalette::open(std::vector<PaletteEntry> entries) {
    if (!isVisible()) m_before = QApplication::focusWidget();
    m_entries = std::move(entries);
    m_field->clear();
    filter();
    const QWidget* over = parentWidget();
    move((over->width() - width()) / 2, std::min(64, std::max(0, (over->height() - height()) / 2)));
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::setFilter(const QString& text) {
    m_field->setText(text);
}

std::vector<const PaletteEntry*> CommandPalette::shown() const {
    std::vector<const PaletteEntry*> entries;
    for (const std::size_t i : m_order) entries.push_back(&m_entries[i]);
    return entries;
}

void CommandPalette::filter() {
    struct Ranked {
        int points;
        std::size_t index;
    };
    std::vector<Ranked> ranked;
    const QString pattern = m_field->text();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const PaletteEntry& entry = m_entries[i];
        auto points = fuzzyScore(pattern, entry.title);
        // "edit undo" finds Undo in the menu Edit; a match of the title alone is worth more.
        if (!points) {
            points = fuzzyScore(pattern, entry.section + QLatin1Char(' ') + entry.title);
            if (points) *points /= 2;
        }
        // Words of the title in another order, with some of what is said of it.
        const QStringList told{entry.section, entry.title, entry.detail, entry.help};
        if (!points && hasWords(pattern, told.join(QLatin1Char(' ')))) points = 0;
        if (points && asTyped(pattern, entry.title)) *points += kWholeWords;
        if (points) ranked.push_back({*points - (entry.enabled ? 0 : 5), i});
    }
    if (!pattern.isEmpty())
        std::stable_sort(ranked.begin(), ranked.end(),
                         [](const Ranked& a, const Ranked& b) { return a.points > b.points; });
    m_order.clear();
    m_model->clear();
    for (const Ranked& found : ranked) {
        const PaletteEntry& entry = m_entries[found.index];
        m_order.push_back(found.index);
        auto* item = new QStandardItem(entry.title);
        item->setData(entry.enabled ? entry.detail : entry.whyNot, DetailRole);
        item->setData(entry.shortcut, ShortcutRole);
        item->setData(entry.section, SectionRole);
        // Stays selectable, so that the reason can be read; the delegate draws it grey.
        item->setCheckable(!entry.enabled);
        QString spoken = entry.section + QStringLiteral(": ") + entry.title;
        if (!entry.enabled) spoken += QStringLiteral(", ") + entry.whyNot;
        item->setData(spoken, Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    m_empty->setVisible(m_order.empty());
    m_list->setVisible(!m_order.empty());
    if (!m_order.empty())
        m_list->setCurrentIndex(m_model->index(0, 0));
    else if (isVisible())
        Q_EMIT previewEnded();
    fit();
}

void CommandPalette::fit() {
    // As high as what was found: a large empty box would look as if something were missing.
    const QWidget* over = parentWidget();
    const int room = std::max(1, (over->height() - 160) / kRowHeight);
    const int rows = std::clamp(static_cast<int>(m_order.size()), 1, std::min(kVisibleRows, room));
    resize(std::min(kWidth, over->width() - 32), rows * kRowHeight + kRowHeight + 32);
}

void CommandPalette::moveCurrent(int by) {
    const int rows = m_model->rowCount();
    if (rows == 0) return;
    const int row = std::clamp(m_list->currentIndex().row() + by, 0, rows - 1);
    m_list->setCurrentIndex(m_model->index(row, 0));
}

void CommandPalette::runCurrent() {
    const int row = m_list->currentIndex().row();
    if (row < 0 || static_cast<std::size_t>(row) >= m_order.size()) return;
    const PaletteEntry& entry = m_entries[m_order[static_cast<std::size_t>(row)]];
    if (!entry.enabled) return;
    const auto run = entry.run;
    hide();
    if (run) run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::FocusOut && isVisible()) {
        hide();
        return false;
    }
    if (watched != m_field || event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        moveCurrent(1);
        return true;
    case Qt::Key_Up:
        moveCurrent(-1);
        return true;
    case Qt::Key_PageDown:
        moveCurrent(kVisibleRows - 1);
        return true;
    case Qt::Key_PageUp:
        moveCurrent(1 - kVisibleRows);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runCurrent();
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    case Qt::Key_Tab:
        // Field and list act as one: there is nothing else here for the focus to go to.
        moveCurrent(1);
        return true;
    case Qt::Key_Backtab:
        moveCurrent(-1);
        return true;
    default:
        return false;
    }
}

void CommandPalette::hideEvent(QHideEvent* event) {
    // The keys go back to where they were, unless the command took them somewhere.
    const QWidget* now = QApplication::focusWidget();
    const bool here = !now || now == this || isAncestorOf(now);
    QFrame::hideEvent(event);
    if (here && m_before) m_before->setFocus(Qt::OtherFocusReason);
    Q_EMIT closed();
}

} // namespace stridescope
