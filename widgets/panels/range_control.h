#pragma once
// RangeControl: one number of a view (offset, a size, a stride) with a stepper and a slider. The solid part of the
// track is the legal range while all else stays; the hatched part beyond it can be visited to see what would happen.

#include "core/view/legal_ranges.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace stridescope {

/// The slider alone: a track from `shownLow` to `shownHigh`, legal between low and high.
class RangeSlider : public QWidget {
    Q_OBJECT

public:
    explicit RangeSlider(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setTone(Tone tone);
    /// `high` may lie far beyond `shownHigh`: then no end of the track is a mistake.
    void setRange(Index low, Index high, Index shownHigh);
    void setValue(Index value);
    /// The value that is, whatever the range says: nobody refuses it.
    void settle(Index value);
    /// Of the value shown, until another one is.
    void setRefused();
    bool wasRefused() const { return m_refused; }
    /// Was the value shown refused, or would it be?
    bool isRefused() const { return m_refused || (m_value != m_settled && (m_value < m_low || m_value > m_high)); }
    Index value() const { return m_value; }
    Index low() const { return m_low; }
    Index shownHigh() const { return m_shownHigh; }
    /// As if the knob had been let go there; clamped to what the track shows.
    void choose(Index value);
    QSize sizeHint() const override { return {84, 26}; }
    QSize minimumSizeHint() const override { return {56, 24}; }

    /// Pixel of a value and back; `valueAt(xOf(v)) == v` for every shown v while a pixel holds at most one.
    qreal xOf(Index value) const;
    Index valueAt(qreal x) const;

Q_SIGNALS:
    void dragged(Index value);  ///< while the knob moves
    void released(Index value); ///< the knob was let go, or a key was pressed

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Theme m_theme;
    Tone m_tone = Tone::Control;
    Index m_low = 0, m_high = 0, m_shownHigh = 1, m_value = 0, m_settled = 0;
    bool m_refused = false;
    bool m_dragging = false;
};

class RangeControl : public QWidget {
    Q_OBJECT

public:
    /// `title` "stride", `subtitle` "dim 1".
    RangeControl(const QString& title, const QString& subtitle, Tone tone, QWidget* parent = nullptr);
    /// Dashes in the place of the stroke beside it, as of a dim above 3.
    void setDashed(bool on) { m_dashed = on; }
    void setTheme(const Theme& theme);
    /// Ends that no storage sets (the largest Index) are shown as "any".
    void setRange(const LegalRange& legal);
    void setValue(Index value);
    Index value() const { return m_value; }
    /// Leaves a number that was refused in field and slider, marked as wrong, until the next setValue(). The value
    /// stays.
    void showRefused(Index value);
    /// A size-1 dim's stride matters to nothing: shown in grey with that sentence.
    void setIrrelevant(bool irrelevant);
    /// Shows the value again, whatever is typed or was refused.
    void abandon();

    bool hasHeightForWidth() const override { return true; }
    /// One line, or two where number and range do not fit beside each other.
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void previewed(Index value);         ///< being dragged or typed; nothing is decided
    void chosen(Index value);            ///< decided
    void unreadable(const QString& why); ///< what is typed is no number
    void abandoned();                    ///< typed and left again; the value is shown

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    /// Of the field: Escape and leaving it without Enter take back what was typed.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// From the left; mirrored where the layout runs from the right.
    struct Places {
        QRect less, field, more, slider, words;
        bool twoLines = false;
        bool brief = false; ///< long numbers of the range are shortened
    };
    Places placesIn(int width) const;
    void place();
    QString words(bool brief) const;
    void step(Index by);
    void choose(Index value);
    void readField(bool decided);
    void markWrong(bool wrong);
    /// The track of an endless range goes as far beyond the value as this side of it.
    void stretchTrack();

    Theme m_theme;
    Tone m_tone;
    bool m_dashed = false;
    QString m_title, m_subtitle, m_sentence, m_briefSentence;
    Index m_low = 0, m_value = 0;
    bool m_endless = false; ///< no storage sets an end
    bool m_irrelevant = false;
    bool m_twoLines = false;
    bool m_typing = false; ///< the field holds something that is not decided
    QToolButton* m_less;
    QLineEdit* m_field;
    QToolButton* m_more;
    RangeSlider* m_slider;
};

} // namespace stridescope
