#include "widgets/code/completion_list.h"

#include "widgets/shared/reading_direction.h"

#include <QAccessible>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

enum Role { KindRole = Qt::UserRole + 1, DetailRole };

constexpr int kRowHeight = 24, kPadding = 8, kWidest = 560, kLeast = 220;

/// The name, its signature behind it, the kind at the right.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void setTheme(const Theme& theme) { m_theme = theme; }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {kLeast, kRowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, m_theme.color(Tone::Selected));
        QRect area = option.rect.adjusted(kPadding, 0, -kPadding, 0);
        const QFont code = m_theme.font(FontRole::Code), label = m_theme.font(FontRole::Label);
        const QString kind = index.data(KindRole).toString();
        painter->setFont(label);
        painter->setPen(m_theme.color(Tone::Ink2));
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, kind);
        area.setRight(area.right() - QFontMetrics(label).horizontalAdvance(kind) - kPadding);
        painter->setFont(code);
        painter->setPen(m_theme.color(Tone::Ink));
        const QFontMetrics metrics(code);
        const QString name = metrics.elidedText(index.data().toString(), Qt::ElideRight, area.width());
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, name);
        area.setLeft(area.left() + metrics.horizontalAdvance(name));
        painter->setPen(m_theme.color(Tone::Ink2));
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(index.data(DetailRole).toString(), Qt::ElideRight, area.width()));
        painter->restore();
    }

private:
    Theme m_theme;
};

} // namespace

// --- CompletionList ---

CompletionList::CompletionList(QWidget* parent)
    : QFrame(parent), m_list(new QListView(this)), m_model(new QStandardItemModel(this)), m_note(new QLabel(this)) {
    setObjectName(QStringLiteral("completionList"));
    setProperty("kind", QStringLiteral("card"));
    setAutoFillBackground(true);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Completions"));
    m_list->setAccessibleName(tr("Completions"));
    m_list->setModel(m_model);
    readFromLeft(*m_list);
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setProperty("quiet", true);
    m_note->setContentsMargins(kPadding, 2, kPadding, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 4, 1, 4);
    column->setSpacing(0);
    column->addWidget(m_list);
    column->addWidget(m_note);
    connect(m_list, &QListView::clicked, this,
            [this](const QModelIndex& index) { Q_EMIT chosen(index.data().toString()); });
    hide();
}

void CompletionList::setTheme(const Theme& theme) {
    m_theme = theme;
    static_cast<RowDelegate*>(m_list->itemDelegate())->setTheme(theme);
    QPalette ground = theme.palette();
    ground.setColor(QPalette::Base, theme.color(Tone::Stage));
    m_list->setPalette(ground);
    update();
}

void CompletionList::setItems(std::vector<Completion> all, const QString& prefix, const QString& note) {
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_all = std::move(all);
    m_prefix = prefix;
    fill();
}

void CompletionList::setPrefix(const QString& prefix) {
    if (prefix == m_prefix) return;
    m_prefix = prefix;
    fill();
}

std::vector<Completion> CompletionList::shown() const {
    std::vector<Completion> found;
    std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(found),
                 [this](const Completion& each) { return each.text.startsWith(m_prefix); });
    return found;
}

void CompletionList::fill() {
    const QString before = current();
    m_model->clear();
    int now = 0;
    for (const Completion& each : shown()) {
        auto* item = new QStandardItem(each.text);
        item->setData(each.kind, KindRole);
        item->setData(each.detail, DetailRole);
        item->setData(tr("%1%2, %3").arg(each.text, each.detail, each.kind), Qt::AccessibleTextRole);
        if (each.text == before) now = m_model->rowCount();
        m_model->appendRow(item);
    }
    m_list->setVisible(m_model->rowCount() > 0);
    if (m_model->rowCount() > 0) m_list->setCurrentIndex(m_model->index(now, 0));
}

QString CompletionList::current() const {
    return m_list->currentIndex().data().toString();
}

void CompletionList::moveCurrent(int by) {
    const int rows = m_model->rowCount();
    if (rows == 0) return;
    const int row = std::clamp(m_list->currentIndex().row() + by, 0, rows - 1);
    m_list->setCurrentIndex(m_model->index(row, 0));
    // The focus stays with the code: a screen reader is told all the same.
    QAccessibleEvent told(m_list, QAccessible::Focus);
    told.setChild(row);
    QAccessible::updateAccessibility(&told);
}

void CompletionList::place(const QRect& word) {
    const QFontMetrics metrics(m_theme.font(FontRole::Code)), kinds(m_theme.font(FontRole::Label));
    int wanted = std::max(kLeast, kinds.horizontalAdvance(m_note->text()) + 4 * kPadding);
    for (const Completion& each : shown())
        wanted = std::max(wanted, metrics.horizontalAdvance(each.text + each.detail) +
                                      kinds.horizontalAdvance(each.kind) + 4 * kPadding + 16);
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    const int width = std::min({wanted, kWidest, room.width()});
    const int extra = 10 + (m_note->isHidden() ? 0 : m_note->sizeHint().height());
    const int height = std::min(kRows, m_model->rowCount()) * kRowHeight + extra;
    const bool below =
        word.bottom() + 2 + height <= room.bottom() || word.top() - room.top() < room.bottom() - word.bottom();
    const int space = (below ? room.bottom() - word.bottom() : word.top() - room.top()) - 2;
    const int shownHeight = std::min(height, space);
    const int x = std::clamp(word.left() - kPadding, room.left(), std::max(room.left(), room.right() - width));
    setGeometry(x, below ? word.bottom() + 2 : word.top() - 2 - shownHeight, width, shownHeight);
    m_list->scrollTo(m_list->currentIndex());
}

// --- CallTip ---

std::pair<int, int> parameterOf(const QString& signature, int argument, const QString& keyword) {
    const qsizetype end = signature.lastIndexOf(QLatin1Char(')'));
    int depth = 0, number = 0;
    qsizetype start = 1;
    for (qsizetype i = 1; i <= end; ++i) {
        const QChar c = signature[i];
        if (QStringLiteral("([{").contains(c)) ++depth;
        const bool last = i == end;
        if (QStringLiteral(")]}").contains(c) && !last) --depth;
        if (!last && (c != QLatin1Char(',') || depth > 0)) continue;
        while (start < i && signature[start].isSpace()) ++start;
        const QString text = signature.mid(start, i - start);
        // "int dim", "dim: int = 0", "*sizes"
        QString name = text.section(QLatin1Char('='), 0, 0).section(QLatin1Char(':'), 0, 0).trimmed();
        name = name.section(QLatin1Char(' '), -1);
        const std::pair<int, int> place{static_cast<int>(start), static_cast<int>(i - start)};
        if (!keyword.isEmpty()) {
            if (name == keyword) return place;
        } else {
            if (name == QLatin1String("*")) return {0, 0}; // what follows has to be named
            if (name == QLatin1String("/")) {
                start = i + 1;
                continue;
            }
            if (number == argument ||
                (name.startsWith(QLatin1Char('*')) && !name.startsWith(QLatin1String("**")) && number <= argument))
                return place;
            ++number;
        }
        start = i + 1;
    }
    return {0, 0};
}

CallTip::CallTip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("callTip"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    readFromLeft(*this);
    hide();
}

void CallTip::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

QStringList CallTip::lines() const {
    QStringList lines;
    for (const QString& each : m_hint.signatures.mid(0, kLines)) lines << m_hint.name + each;
    if (m_hint.signatures.size() > kLines) lines << tr("… and %1 more forms").arg(m_hint.signatures.size() - kLines);
    return lines;
}

void CallTip::setHint(const CallHint& hint) {
    m_hint = hint;
    setAccessibleName(lines().join(QLatin1Char('\n')));
    update();
}

void CallTip::place(const QRect& word) {
    const QFontMetrics metrics(m_theme.font(FontRole::MetaStrong));
    int width = 0;
    for (const QString& line : lines()) width = std::max(width, metrics.horizontalAdvance(line));
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    width = std::min(width + 2 * kPadding + 2, room.width());
    const int height = static_cast<int>(lines().size()) * metrics.lineSpacing() + kPadding + 2;
    const bool above = word.top() - height - 2 >= room.top();
    const int x = std::clamp(word.left() - kPadding, room.left(), std::max(room.left(), room.right() - width));
    setGeometry(x, above ? word.top() - height - 2 : word.bottom() + 2, width, height);
}

void CallTip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.color(Tone::Control));
    painter.setBrush(m_theme.color(Tone::Stage));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const QFont plain = m_theme.font(FontRole::Meta), strong = m_theme.font(FontRole::MetaStrong);
    const int room = width() - 2 * kPadding;
    int y = kPadding / 2 + 1;
    const int spacing = QFontMetrics(strong).lineSpacing();
    for (const QString& line : lines()) {
        const auto [start, length] = parameterOf(line.mid(m_hint.name.size()), m_hint.argument, m_hint.keyword);
        const qsizetype from = start + m_hint.name.size();
        // The parameter that is typed stays in sight: a long signature is shown from there on.
        QString shown = line;
        qsizetype first = from;
        if (QFontMetrics(strong).horizontalAdvance(line.left(from + length)) > room && length > 0) {
            shown = m_hint.name + QStringLiteral("(… ") + line.mid(from);
            first = m_hint.name.size() + 3;
        }
        int x = kPadding;
        const auto draw = [&](const QString& text, bool isTyped) {
            painter.setFont(isTyped ? strong : plain);
            painter.setPen(m_theme.color(isTyped ? Tone::Ink : Tone::Ink2));
            const QFontMetrics metrics(painter.font());
            painter.drawText(QRect(x, y, std::max(0, kPadding + room - x), spacing), Qt::AlignLeft | Qt::AlignVCenter,
                             metrics.elidedText(text, Qt::ElideRight, std::max(0, kPadding + room - x)));
            x += metrics.horizontalAdvance(text);
        };
        if (length > 0) {
            draw(shown.left(first), false);
            draw(shown.mid(first, length), true);
            draw(shown.mid(first + length), false);
        } else {
            draw(shown, false);
        }
        y += spacing;
    }
}

} // namespace stridescope
