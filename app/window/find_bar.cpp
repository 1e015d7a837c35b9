#include "app/window/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>

#include <algorithm>
#include <vector>

namespace stridescope {

FindBar::FindBar(QPlainTextEdit* edit, QWidget* parent)
    : QWidget(parent), m_edit(edit), m_field(new QLineEdit(this)), m_count(new QLabel(this)) {
    m_field->setObjectName(QStringLiteral("findField"));
    m_field->setPlaceholderText(tr("Find"));
    m_field->setAccessibleName(tr("Find in the script"));
    m_count->setObjectName(QStringLiteral("findCount"));
    m_count->setTextFormat(Qt::PlainText);
    m_count->setProperty("quiet", true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    row->addWidget(m_field, 1);
    row->addWidget(m_count);
    const auto button = [this, row](const QString& text, const QString& tip, auto act) {
        auto* made = new QToolButton(this);
        made->setText(text);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setFocusPolicy(Qt::TabFocus);
        connect(made, &QToolButton::clicked, this, act);
        row->addWidget(made);
    };
    button(QStringLiteral("↑"), tr("Previous match (Shift+Enter)"), &FindBar::previous);
    button(QStringLiteral("↓"), tr("Next match (Enter)"), &FindBar::next);
    button(QStringLiteral("×"), tr("Close (Escape)"), &FindBar::close);
    connect(m_field, &QLineEdit::textChanged, this, [this] { find(m_from, false); });
    hide();
}

void FindBar::open() {
    const QTextCursor cursor = m_edit->textCursor();
    m_from = cursor.selectionStart();
    const QString selected = cursor.selectedText();
    if (!selected.isEmpty() && !selected.contains(QChar::ParagraphSeparator)) m_field->setText(selected);
    show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
    find(m_from, false);
}

void FindBar::next() {
    find(m_edit->textCursor().selectionEnd(), false);
}

void FindBar::previous() {
    find(m_edit->textCursor().selectionStart(), true);
}

void FindBar::find(int position, bool backward) {
    const QString text = m_edit->toPlainText(), wanted = m_field->text();
    if (wanted.isEmpty()) {
        m_count->clear();
        return;
    }
    std::vector<qsizetype> places;
    for (qsizetype at = text.indexOf(wanted, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(wanted, at + wanted.size(), Qt::CaseInsensitive))
        places.push_back(at);
    if (places.empty()) {
        m_count->setText(tr("not found"));
        return;
    }
    const auto after = std::lower_bound(places.begin(), places.end(), position);
    std::size_t which = static_cast<std::size_t>(after - places.begin());
    if (backward) which = which == 0 ? places.size() - 1 : which - 1;
    if (which == places.size()) which = 0;
    m_count->setText(tr("%1 of %2").arg(which + 1).arg(places.size()));
    QTextCursor cursor(m_edit->document());
    cursor.setPosition(static_cast<int>(places[which]));
    cursor.setPosition(static_cast<int>(places[which] + wanted.size()), QTextCursor::KeepAnchor);
    m_edit->setTextCursor(cursor);
    m_edit->ensureCursorVisible();
}

void FindBar::close() {
    hide();
    m_edit->setFocus(Qt::OtherFocusReason);
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        close();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        event->modifiers() & Qt::ShiftModifier ? previous() : next();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace stridescope
