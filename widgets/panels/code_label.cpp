#include "widgets/panels/code_label.h"

#include "widgets/shared/reading_direction.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextOption>
#include <QtMath>

namespace stridescope {

namespace {
constexpr QChar kBreak(0x200B); ///< zero width space
constexpr int kLongestRun = 16;

QString withoutBreaks(QString text) {
    return text.remove(kBreak);
}
} // namespace

CodeLabel::CodeLabel(QWidget* parent, QSize padding) : QLabel(parent), m_padding(padding) {
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setIndent(0); // else a label with a frame indents its text, and has less room than heightForWidth() counts on
    readFromLeft(*this);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QString CodeLabel::breakable(const QString& text, qsizetype letters) {
    QString out;
    out.reserve(text.size() * 5 / 4);
    QString run; // since the last place to break
    const auto endRun = [&](bool more) {
        while (run.size() > letters) {
            // As much as a line holds; a bracket before a number is a better place than the number.
            qsizetype cut = letters;
            while (cut > 0 && !QStringLiteral("([_").contains(run.at(cut - 1))) --cut;
            if (cut == 0) cut = letters;
            if (run.at(cut - 1).isHighSurrogate()) ++cut;
            if (cut >= run.size()) break;
            out += run.left(cut) + kBreak;
            run.remove(0, cut);
        }
        out += run;
        if (more) out += kBreak;
        run.clear();
    };
    QChar quote; // of the string that `i` is in: names of files break between folders only
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        run += c;
        const bool last = i + 1 == text.size();
        if (c == quote)
            quote = QChar();
        else if (quote.isNull() && (c == QLatin1Char('\'') || c == QLatin1Char('"')))
            quote = c;
        // An opening bracket stays with the number after it.
        const bool opens =
            c == QLatin1Char('(') && !last && (text.at(i + 1).isDigit() || text.at(i + 1) == QLatin1Char('('));
        const bool punctuation = !opens &&
                                 (quote.isNull() ? QStringLiteral(".,(/=") : QStringLiteral("/")).contains(c) &&
                                 (last || text.at(i + 1) != QLatin1Char(')'));
        if (last || c.isSpace() || text.at(i + 1).isSpace())
            endRun(false);
        else if (punctuation)
            endRun(true);
    }
    return out;
}

QStringList CodeLabel::linesOf(const QString& code, const QFont& font, qreal width, int most) {
    if (QFontMetricsF(font).horizontalAdvance(code) <= width) return {code};
    const QString text = breakable(code);
    QTextLayout layout(text, font);
    layout.setTextOption(QTextOption(Qt::AlignLeft)); // wraps at words, which the invisible places part
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(qMax(1.0, width));
        const bool last = lines.size() + 1 == most;
        lines << withoutBreaks(text.mid(line.textStart(), last ? -1 : line.textLength())).trimmed();
        if (last) break;
    }
    layout.endLayout();
    return lines;
}

void CodeLabel::setCode(const QString& code, qsizetype mostLetters) {
    m_code = code;
    QString shown = code;
    if (code.size() > mostLetters) {
        const qsizetype half = (mostLetters - 1) / 2;
        shown = code.left(half) + QChar(0x2026) + code.right(half);
    }
    setToolTip(shown == code ? QString() : code);
    m_shown = shown;
    breakLines();
    setAccessibleName(code);
    updateGeometry();
}

QString CodeLabel::shownAt(int width) const {
    // Of a font whose letters are equally wide.
    const int letter = qMax(1, fontMetrics().horizontalAdvance(QLatin1Char('M')));
    return breakable(m_shown, qMax(qsizetype{kLongestRun}, qsizetype{(width - m_padding.width()) / letter}));
}

void CodeLabel::breakLines() {
    const QString broken = shownAt(width());
    if (broken != text()) setText(broken);
}

void CodeLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    breakLines();
}

void CodeLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) breakLines();
}

QSize CodeLabel::sizeHint() const {
    const int width = fontMetrics().horizontalAdvance(withoutBreaks(text())) + m_padding.width();
    return {width, heightForWidth(width)};
}

QSize CodeLabel::minimumSizeHint() const {
    return {m_padding.width() + fontMetrics().averageCharWidth() * (kLongestRun + 1),
            m_padding.height() + fontMetrics().lineSpacing()};
}

int CodeLabel::heightForWidth(int width) const {
    const QRect room(0, 0, qMax(1, width - m_padding.width()), 1 << 20);
    int high = fontMetrics().boundingRect(room, Qt::TextWordWrap | Qt::AlignLeft, shownAt(width)).height();
    if (textInteractionFlags() & Qt::TextSelectableByMouse) {
        // Such a text is a document, whose lines are as high as the highest font: the breaks may be of another one.
        QTextDocument document;
        document.setDocumentMargin(0);
        document.setDefaultFont(font());
        QTextOption option;
        option.setWrapMode(QTextOption::WordWrap);
        document.setDefaultTextOption(option);
        document.setPlainText(shownAt(width));
        document.setTextWidth(room.width());
        high = qMax(high, qCeil(document.size().height()));
    }
    return qMax(high, fontMetrics().lineSpacing()) + m_padding.height();
}

void CodeLabel::copySelection(bool toSelection) const {
    if (!hasSelectedText()) return;
    QClipboard* clipboard = QApplication::clipboard();
    if (toSelection && !clipboard->supportsSelection()) return;
    clipboard->setText(withoutBreaks(selectedText()), toSelection ? QClipboard::Selection : QClipboard::Clipboard);
}

void CodeLabel::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy) && hasSelectedText()) {
        copySelection(false);
        event->accept();
        return;
    }
    QLabel::keyPressEvent(event);
}

void CodeLabel::mouseReleaseEvent(QMouseEvent* event) {
    QLabel::mouseReleaseEvent(event);
    copySelection(true);
}

void CodeLabel::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    QAction* some = menu.addAction(tr("Copy"));
    some->setEnabled(hasSelectedText());
    QAction* all = menu.addAction(tr("Copy all"));
    const QAction* chosen = menu.exec(event->globalPos());
    if (chosen == some) copySelection(false);
    if (chosen == all) QApplication::clipboard()->setText(m_code);
}

} // namespace stridescope
