#pragma once
// Labels of MessageBar: its sign, and words that fold to one line. Only message_bar*.cpp see them.

#include <QLabel>

namespace stridescope {

/// A sign that is drawn, not taken from a font, in the colour that the style sheet gives it.
class MessageSign : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// All lines, or as much as one of them holds.
class MessageWords : public QLabel {
public:
    using QLabel::QLabel;

    bool isFolded() const { return m_folded; }
    void setFolded(bool folded, Qt::TextElideMode cut);
    /// Of all lines, whether they are folded or not.
    int wholeHeight(int width) const { return QLabel::heightForWidth(width); }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int lineHeight() const { return fontMetrics().lineSpacing(); }

    bool m_folded = false;
    Qt::TextElideMode m_cut = Qt::ElideRight;
};

} // namespace stridescope
