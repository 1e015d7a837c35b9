#include "widgets/theme/theme.h"

#include <QFontDatabase>

#include <algorithm>
#include <mutex>

// Q_INIT_RESOURCE must stand outside any namespace.
static void initStridescopeResources() {
    Q_INIT_RESOURCE(resources);
}

namespace stridescope {

namespace {

/// One row: the colour of a role in each of the four tables. A presenter value of 0 repeats the plain one.
struct ToneRow {
    Tone tone;
    QRgb light, dark;
    QRgb lightPresenter = 0, darkPresenter = 0;
};

// clang-format off
constexpr ToneRow kTones[] = {
    {Tone::Window,      0xE9ECF0, 0x0D0F12},
    {Tone::Chrome,      0xF1F3F6, 0x15171B},
    {Tone::Panel,       0xF7F8FA, 0x15171B},
    {Tone::Stage,       0xFFFFFF, 0x1B1E23},
    {Tone::Inset,       0xEDF0F3, 0x262B33},
    {Tone::Selected,    0xDDE3EA, 0x2F3640, 0, 0x2A3038},
    {Tone::CodeGround,  0xF4F6F8, 0x15171B},
    {Tone::Hairline,    0xD3D9E0, 0x363D47},
    {Tone::GridLine,    0xE3E7EC, 0x2F353E},
    {Tone::Control,     0x7D8590, 0x8A939F, 0x5F6772},
    {Tone::Ghost,       0x5F6772, 0xA3ABB6},
    {Tone::Ink2,        0x3F4650, 0xC2C9D2, 0x2B3138, 0xE3E7EC},
    {Tone::Ink,         0x15181D, 0xF3F5F8, 0x0B0D10},
    {Tone::Primary,     0x242B35, 0xE8ECF1},
    {Tone::PrimaryText, 0xFFFFFF, 0x15181D},
    {Tone::Error,       0xB3261E, 0xF2938C, 0x731813, 0xF7BAB5},
    {Tone::ErrorTint,   0xFDF0E8, 0x3A2A22},
    {Tone::Right,       0x009E73, 0x009E73, 0x007A59, 0x10B183},
    {Tone::RightTint,   0xE8F5F1, 0x1F332D},
    {Tone::NoteTint,    0xFFF6DF, 0x38301C},
    {Tone::Cpu,         0x3F4650, 0xC2C9D2},
    {Tone::CpuTint,     0xEDF0F3, 0x2A2F37},
    {Tone::Gpu,         0x4B3F8F, 0xB7ABEF},
    {Tone::GpuTint,     0xECE9F7, 0x2E2A44},
    {Tone::ViewA,       0x56B4E9, 0x56B4E9, 0x74C2ED, 0x74C2ED},
    {Tone::ViewB,       0xE69F00, 0xE69F00, 0xEAB02E, 0xEAB02E},
    {Tone::ViewC,       0xF0E442, 0xF0E442},
    {Tone::ViewD,       0xBBBBBB, 0xBBBBBB},
    {Tone::ViewNeutral, 0xDDE3EA, 0xDDE3EA},
    {Tone::OnView,      0x000000, 0x000000},
    {Tone::Dim0,        0x0072B2, 0x0072B2, 0x0072B2, 0x2F96D2},
    {Tone::Dim1,        0xD55E00, 0xD55E00, 0xC05500, 0xE0701A},
    {Tone::Dim2,        0x009E73, 0x009E73, 0x008561, 0x10B183},
    {Tone::Dim3,        0xCC79A7, 0xCC79A7, 0xA16084, 0xCC79A7},
    {Tone::CodeKeyword, 0x7A1FA2, 0xD7A6F0, 0x5D187B, 0xE1BBF4},
    {Tone::CodeName,    0x1A5490, 0x8EC5F5, 0x133C68, 0x9FCEF6},
    {Tone::CodeText,    0x0B613A, 0x8FD9A8, 0x084429, 0x8FD9A8},
    {Tone::CodeNumber,  0x8F3F00, 0xF0B57E, 0x632B00, 0xF2BF8F},
    {Tone::CodeNote,    0x505863, 0xA9B1BC, 0x363C43, 0xC4C9D1},
};
// clang-format on

struct FontRow {
    FontRole role;
    bool mono;
    int pixels;
    QFont::Weight weight;
};

constexpr FontRow kFonts[] = {
    {FontRole::Index, true, 11, QFont::Normal},        {FontRole::IndexStrong, true, 11, QFont::Bold},
    {FontRole::Label, false, 12, QFont::Normal},       {FontRole::LabelStrong, false, 12, QFont::DemiBold},
    {FontRole::Meta, true, 12, QFont::Normal},         {FontRole::MetaStrong, true, 12, QFont::DemiBold},
    {FontRole::Text, false, 13, QFont::Normal},        {FontRole::Code, true, 13, QFont::Normal},
    {FontRole::CodeStrong, true, 13, QFont::DemiBold}, {FontRole::Heading, false, 14, QFont::DemiBold},
    {FontRole::Cell, true, 15, QFont::Medium},         {FontRole::CellStrong, true, 16, QFont::DemiBold},
};

} // namespace

Theme::Theme(ThemeKind kind, bool presenter) : m_kind(kind), m_presenter(presenter) {
    loadFonts();
    const bool dark = kind == ThemeKind::Dark;
    for (const ToneRow& row : kTones) {
        QRgb rgb = dark ? row.dark : row.light;
        const QRgb strong = dark ? row.darkPresenter : row.lightPresenter;
        if (presenter && strong != 0) rgb = strong;
        m_colors[static_cast<std::size_t>(row.tone)] = QColor::fromRgb(rgb);
    }
    m_colors[static_cast<std::size_t>(Tone::None)] = QColor(0, 0, 0, 0);
    for (const FontRow& row : kFonts) {
        const int pixels = presenter ? std::max(row.pixels, kPresenterPixels) : row.pixels;
        m_fonts[static_cast<std::size_t>(row.role)] =
            row.mono ? monoFont(pixels, row.weight) : sansFont(pixels, row.weight);
    }
}

QFont Theme::sansFont(int pixels, QFont::Weight weight) {
    QFont font;
    font.setFamilies({QStringLiteral("Inter Tabular"), QStringLiteral("DejaVu Sans")});
    font.setPixelSize(pixels);
    font.setWeight(weight);
    // Unhinted, so that widths are the same at every scale and a picture and its export agree.
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleHint(QFont::SansSerif);
    return font;
}

QFont Theme::monoFont(int pixels, QFont::Weight weight) {
    QFont font;
    font.setFamilies({QStringLiteral("JetBrains Mono NL"), QStringLiteral("DejaVu Sans Mono")});
    font.setPixelSize(pixels);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    return font;
}

QColor Theme::mix(const QColor& over, const QColor& under, qreal share) {
    const auto part = [share](int a, int b) { return qRound(a * share + b * (1 - share)); };
    return QColor(part(over.red(), under.red()), part(over.green(), under.green()), part(over.blue(), under.blue()));
}

qreal Theme::ghostShare() const {
    if (m_kind == ThemeKind::Light) return 0.34;
    return m_presenter ? 0.14 : 0.25;
}

QColor Theme::ghostFill(int colour) const {
    return mix(color(viewTone(colour)), color(Tone::Stage), ghostShare());
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, color(Tone::Panel));
    p.setColor(QPalette::WindowText, color(Tone::Ink));
    p.setColor(QPalette::Base, color(Tone::Stage));
    p.setColor(QPalette::AlternateBase, color(Tone::Panel));
    p.setColor(QPalette::Text, color(Tone::Ink));
    p.setColor(QPalette::PlaceholderText, color(Tone::Ink2));
    p.setColor(QPalette::Button, color(Tone::Stage));
    p.setColor(QPalette::ButtonText, color(Tone::Ink));
    p.setColor(QPalette::BrightText, color(Tone::Error));
    p.setColor(QPalette::Highlight, color(Tone::Selected));
    p.setColor(QPalette::HighlightedText, color(Tone::Ink));
    p.setColor(QPalette::ToolTipBase, color(Tone::Stage));
    p.setColor(QPalette::ToolTipText, color(Tone::Ink));
    p.setColor(QPalette::Link, color(Tone::Ink));
    p.setColor(QPalette::LinkVisited, color(Tone::Ink2));
    p.setColor(QPalette::Light, color(Tone::Stage));
    p.setColor(QPalette::Midlight, color(Tone::Inset));
    p.setColor(QPalette::Mid, color(Tone::Hairline));
    p.setColor(QPalette::Dark, color(Tone::Control));
    p.setColor(QPalette::Shadow, color(Tone::Ink));
    // Readable also where disabled; outlines in hairline and icons in the control tone tell that they are.
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText}) {
        p.setColor(QPalette::Disabled, role, color(Tone::Ink2));
    }
    return p;
}

Tone Theme::viewTone(int colour) {
    switch (colour) {
    case 0:
        return Tone::ViewA;
    case 1:
        return Tone::ViewB;
    case 2:
        return Tone::ViewC;
    case 3:
        return Tone::ViewD;
    default:
        return Tone::ViewNeutral;
    }
}

Tone Theme::dimTone(Index dim) {
    constexpr std::array tones{Tone::Dim0, Tone::Dim1, Tone::Dim2, Tone::Dim3};
    return tones[static_cast<std::size_t>(dim < 0 ? 0 : dim % 4)];
}

QString Theme::viewLetter(int colour, QChar own) {
    if (colour < 0 || colour >= 4) return {};
    return own.isNull() ? QString(QChar(u'A' + static_cast<char16_t>(colour))) : QString(own);
}

void Theme::loadFonts() {
    static std::once_flag once;
    std::call_once(once, [] {
        initStridescopeResources();
        for (const char* file : {"InterTabular-Regular.otf", "InterTabular-Medium.otf", "InterTabular-SemiBold.otf",
                                 "InterTabular-Bold.otf", "JetBrainsMonoNL-Regular.ttf", "JetBrainsMonoNL-Medium.ttf",
                                 "JetBrainsMonoNL-SemiBold.ttf", "JetBrainsMonoNL-Bold.ttf"}) {
            QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/") + QLatin1String(file));
        }
    });
}

} // namespace stridescope
