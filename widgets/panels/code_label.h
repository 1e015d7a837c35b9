#pragma once
// CodeLabel: a label for code and names of any length. It breaks where code may break, elsewhere only what is wider
// than the label, never asks for more width than it is given, and what is copied from it is the text itself.

#include <QLabel>

namespace stridescope {

class CodeLabel : public QLabel {
    Q_OBJECT

public:
    /// `padding`: what the style sheet keeps free on each side, border included.
    explicit CodeLabel(QWidget* parent = nullptr, QSize padding = {});
    /// Above `mostLetters` the middle is left out; the whole text is then the tool tip.
    void setCode(const QString& code, qsizetype mostLetters = 400);
    const QString& code() const { return m_code; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

    /// `text` with invisible places to break after its punctuation, and within what between them has more than
    /// `letters`: after a bracket or an underscore, else anywhere.
    static QString breakable(const QString& text, qsizetype letters = 16);
    /// `code` in lines of `width`, broken there; the last of `most` has all that is left, and may be wider.
    static QStringList linesOf(const QString& code, const QFont& font, qreal width, int most);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void copySelection(bool toSelection) const;
    /// What is shown, with the places to break that a label of this width needs.
    QString shownAt(int width) const;
    void breakLines();

    QString m_code, m_shown;
    QSize m_padding;
};

} // namespace stridescope
