#pragma once
// Theme: every colour and font of the program, by role. One table holds light, dark and presenter values.

#include "core/index.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>

#include <array>

namespace stridescope {

/// Colour roles. Pictures name roles; only the painter asks for colours.
enum class Tone : quint8 {
    None,
    Window,
    Chrome,
    Panel,
    Stage,
    Inset,
    Selected,
    CodeGround,
    Hairline,
    GridLine,
    Control,
    Ghost,
    Ink2,
    Ink,
    Primary,
    PrimaryText,
    Error,
    ErrorTint,
    Right,
    RightTint,
    NoteTint,
    Cpu,
    CpuTint,
    Gpu,
    GpuTint,
    ViewA,
    ViewB,
    ViewC,
    ViewD,
    ViewNeutral,
    OnView, ///< text on view fills: black in both themes
    Dim0,
    Dim1,
    Dim2,
    Dim3,
    CodeKeyword, ///< words of Python source, on every ground that code stands on
    CodeName,
    CodeText,
    CodeNumber,
    CodeNote,
    Count
};

// gcc warns that the enumerators named Index shadow the type Index; they cannot be confused with it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class FontRole : quint8 {
    Index,       ///< 11 mono: ticks, index under a cell
    IndexStrong, ///< the same, hovered
    Label,       ///< 12 sans: labels
    LabelStrong, ///< 12 sans, 600
    Meta,        ///< 12 mono: numbers of metadata
    MetaStrong,  ///< 12 mono, 600
    Text,        ///< 13 sans
    Code,        ///< 13 mono
    CodeStrong,  ///< 13 mono, 600
    Heading,     ///< 14 sans, 600
    Cell,        ///< 15 mono, 500
    CellStrong,  ///< 16 mono, 600
    Count
};

#pragma GCC diagnostic pop

enum class ThemeKind : quint8 { Light, Dark };

class Theme {
public:
    explicit Theme(ThemeKind kind = ThemeKind::Light, bool presenter = false);

    ThemeKind kind() const { return m_kind; }
    bool isPresenter() const { return m_presenter; }
    QColor color(Tone tone) const { return m_colors[static_cast<std::size_t>(tone)]; }
    const QFont& font(FontRole role) const { return m_fonts[static_cast<std::size_t>(role)]; }
    /// Widget palette made of the same colours.
    QPalette palette() const;
    /// Style sheet for the chrome (docks, tool bar, buttons, fields), made of the same tokens.
    QString styleSheet() const;

    /// Line icon `name` of resources/icons ("undo", "open", …), drawn in ink, crisp at every scale; disabled icons in
    /// the control tone. Null when there is none of that name.
    QIcon icon(const QString& name, Tone tone = Tone::Ink) const;

    /// Fill of a repeated (stride 0) or previewed cell: the view's hue at ghostShare() over the stage.
    QColor ghostFill(int colour) const;
    /// Less on dark stages, where yellow at a third would leave its digits under 7:1 (10:1 when presenting).
    qreal ghostShare() const;
    /// Digits on ghosts: 7:1 or better on all four, 10:1 when presenting. Measured from pixels, where thin digits are
    /// paler than their ink.
    QColor ghostInk() const { return color(Tone::Ink); }

    /// No text is drawn smaller. When presenting, all that a class reads has this size at least; how large that is in
    /// the room is the scale's business.
    int leastPixels() const { return m_presenter ? kPresenterPixels : 9; }
    static constexpr int kPresenterPixels = 12;
    /// Text has at least this contrast with its ground.
    double textContrast() const { return m_presenter ? 10 : 7; }

    /// Fonts of the program in sizes that no role has (cells at other zooms).
    static QFont sansFont(int pixels, QFont::Weight weight = QFont::Normal);
    static QFont monoFont(int pixels, QFont::Weight weight = QFont::Normal);
    /// `share` of `over` on `under`, opaque.
    static QColor mix(const QColor& over, const QColor& under, qreal share);

    /// Fill of view 0 … 3, neutral for others.
    static Tone viewTone(int colour);
    /// Stroke of a dim; dims above 3 repeat (and are drawn dashed).
    static Tone dimTone(Index dim);
    /// Letter on the badge of view 0 … 3, empty for others: `own`, or "A" … "D" where that is null.
    static QString viewLetter(int colour, QChar own = {});

    /// Registers the bundled fonts once; called by the constructor.
    static void loadFonts();

    friend bool operator==(const Theme& a, const Theme& b) {
        return a.m_kind == b.m_kind && a.m_presenter == b.m_presenter;
    }

private:
    ThemeKind m_kind;
    bool m_presenter;
    std::array<QColor, static_cast<std::size_t>(Tone::Count)> m_colors;
    std::array<QFont, static_cast<std::size_t>(FontRole::Count)> m_fonts;
};

} // namespace stridescope
