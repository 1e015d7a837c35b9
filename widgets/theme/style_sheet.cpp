// The style sheet of the chrome. Everything in it comes from the tokens; pictures never use it.

#include "widgets/theme/theme.h"

#include <QRegularExpression>

namespace stridescope {

namespace {

// No rule gives a colour to all widgets or to fields: Qt would paint their placeholders with half of it. Text in ink,
// ink 2 for placeholders and where disabled, comes from Theme::palette(), which the program sets first.
// "@role" stands for a colour, "@@name" for an icon of the theme's set.
constexpr char16_t kSheet[] = uR"css(
* { font-family: "Inter Tabular", "DejaVu Sans"; font-size: 13px; }
QMainWindow, QDialog { background: @window; }
QMainWindow::separator { background: @hairline; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @control; }
QLabel { background: transparent; }
QLabel[quiet="true"] { color: @ink2; font-size: 12px; }
QLabel[heading="true"] { font-size: 13px; font-weight: 600; }
QLabel[mono="true"], QLineEdit[mono="true"], QPlainTextEdit[mono="true"], QToolButton[mono="true"],
QPushButton[mono="true"], QTreeView[mono="true"], QListView[mono="true"] {
    font-family: "JetBrains Mono NL", "DejaVu Sans Mono"; }

QMenuBar { background: @chrome; padding: 0 6px; }
QMenuBar::item { background: transparent; padding: 5px 10px; border-radius: 6px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @selected; }
QMenu { background: @stage; border: 1px solid @control; border-radius: 8px; padding: 4px; }
QMenu::item { padding: 6px 28px 6px 30px; border-radius: 6px; min-height: 16px; }
QMenu::item:selected { background: @selected; }
QMenu::item:disabled { color: @ink2; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 8px; }
QMenu::icon { left: 8px; }
QMenu::indicator { width: 16px; height: 16px; left: 8px; }
QMenu::indicator:checked { image: url(@@check); }
QMenu::right-arrow { image: url(@@chevron-right); width: 12px; height: 12px; right: 8px; }

QToolBar { background: @chrome; border: 0; border-bottom: 1px solid @hairline; min-height: 40px; padding: 0 8px;
    spacing: 4px; }
QToolBar::separator { background: @hairline; width: 1px; margin: 12px 4px; }
QStatusBar { background: @chrome; border-top: 1px solid @hairline; min-height: 25px; font-size: 12px; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { font-size: 12px; padding: 0 6px; }
QStatusBar QToolButton { font-size: 12px; min-height: 17px; padding: 0 7px; margin: 0; border-radius: 4px; }
QStatusBar QProgressBar { min-height: 6px; max-height: 6px; }

QDockWidget { background: @panel; border: 0; font-size: 13px; font-weight: 600; titlebar-close-icon: url(@@close);
    titlebar-normal-icon: url(@@float); }
QDockWidget::title { background: @panel; padding: 9px 12px; text-align: left; }
QDockWidget::close-button, QDockWidget::float-button { border: 0; border-radius: 4px; padding: 0; icon-size: 14px;
    subcontrol-origin: margin; subcontrol-position: top right; position: absolute; width: 24px; top: -5px;
    bottom: -5px; }
QDockWidget::close-button { right: 5px; }
QDockWidget::float-button { right: 31px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: @selected; }
QDockWidget > QWidget { background: @panel; }
QWidget[role="panel"] { background: @panel; }
QWidget[role="stage"] { background: @stage; }
QWidget[role="header"] { background: @stage; border-bottom: 1px solid @hairline; }

QPushButton, QToolButton[kind="button"] { background: @stage; border: 1px solid @control; border-radius: 6px;
    padding: 0 12px; min-height: 26px; font-weight: 500; }
QPushButton:hover, QToolButton[kind="button"]:hover { background: @inset; }
QPushButton:pressed, QPushButton:checked, QToolButton[kind="button"]:checked { background: @selected; }
QPushButton:disabled { border-color: @hairline; font-weight: 400; }
QToolButton:disabled { font-weight: 400; }
QPushButton[small="true"] { min-height: 22px; padding: 0 9px; font-size: 12px; }
QPushButton[kind="segment"] { background: transparent; border: 0; border-radius: 4px; padding: 0; min-height: 0;
    font-size: 12px; font-weight: 400; }
QPushButton[kind="segment"]:checked { background: @selected; font-weight: 600; }
QPushButton[kind="step"] { background: @stage; border: 1px solid @control; border-radius: 8px; padding: 0; }
QPushButton[kind="step"]:hover { background: @inset; }
QPushButton[kind="primary"] { background: @primary; color: @primaryText; border-color: @primary; }
QPushButton[kind="primary"]:hover { background: @ink2; border-color: @ink2; }
QPushButton[kind="primary"]:disabled { background: @selected; border-color: @selected; color: @ink2; }
QPushButton { outline: 0; }
QPushButton[answer] { text-align: left; }
QPushButton[answer="right"] { background: @rightTint; border: 2px solid @right; color: @ink; font-weight: 600; }
QPushButton[answer="wrong"] { background: @errorTint; border: 2px solid @error; color: @ink; }
QPushButton[kind="flat"], QPushButton[flat="true"] { background: transparent; border-color: transparent; }
QPushButton[kind="flat"]:hover, QPushButton[flat="true"]:hover { background: @selected; }
QPushButton[kind="pill"], QLabel[kind="pill"] { background: @stage; border: 1px solid @control; border-radius: 9px;
    padding: 0 8px; min-height: 17px; max-height: 17px; font-size: 12px; font-weight: 500; }
QPushButton[kind="pill"]:hover { background: @inset; }
QLabel[kind="pill"][cost="copy"] { background: @noteTint; }
QLabel[kind="pill"][cost="view"] { background: @rightTint; border-color: @right; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 4px 7px;
    font-weight: 500; min-height: 18px; }
QToolButton:hover { background: @selected; }
QToolButton:pressed, QToolButton:checked { background: @selected; border-color: @control; }
QToolButton[kind="icon"] { padding: 3px; min-width: 18px; }
QToolButton[kind="stepper"] { background: @stage; border: 1px solid @control; padding: 0; }
QToolButton[kind="stepper"]:hover { background: @selected; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolButton::menu-indicator { image: none; }
QToolButton[popupMode="1"] { padding-right: 22px; }
QToolButton::menu-button { border: 0; border-radius: 6px; width: 18px; }
QToolButton::menu-button:hover { background: @selected; }
QToolButton::menu-arrow { image: url(@@chevron-down); width: 12px; height: 12px; }
QLabel#codeLine { background: @codeGround; border: 1px solid @hairline; border-radius: 6px; padding: 4px 8px; }

QFrame[kind="segments"] { background: @inset; border: 1px solid @hairline; border-radius: 8px; }
QFrame[kind="segments"] QToolButton, QFrame[kind="segments"] QPushButton { border: 1px solid transparent;
    border-radius: 6px; background: transparent; min-height: 20px; padding: 1px 14px; font-weight: 400; margin: 2px; }
QFrame[kind="segments"] QToolButton:hover, QFrame[kind="segments"] QPushButton:hover { background: @selected; }
QFrame[kind="segments"] QToolButton:checked, QFrame[kind="segments"] QPushButton:checked { background: @raised;
    border-color: @control; font-weight: 600; }
QFrame[kind="segments"][small="true"] { background: @stage; border: 1px solid @control; border-radius: 6px; }
QFrame[kind="segments"][small="true"] QToolButton, QFrame[kind="segments"][small="true"] QPushButton {
    font-size: 12px; min-height: 17px; padding: 0 7px; margin: 1px; border-radius: 4px; }
QFrame[kind="segments"][small="true"] QToolButton:checked, QFrame[kind="segments"][small="true"] QPushButton:checked {
    background: @selected; border-color: @selected; }
QFrame[kind="stepRow"] { border: 1px solid transparent; border-radius: 6px; }
QFrame[kind="stepRow"][open="true"] { background: @selected; border-color: @control; }
QFrame[kind="card"] { background: @stage; border: 1px solid @control; border-radius: 8px; }
QFrame[kind="message"] { background: @errorTint; border: 2px solid @error; border-radius: 8px; }
QFrame[kind="message"][tone="error"] QLabel#messageGlyph { background: @errorTint; color: @error; }
QFrame[kind="message"][tone="right"] QLabel#messageGlyph { background: @rightTint; color: @right; }
QFrame[kind="message"][tone="note"] { background: @noteTint; border: 1px solid @control; }
QFrame[kind="message"][tone="right"] { background: @rightTint; border: 1px solid @right; }
QFrame[kind="message"][tone="plain"] { background: @codeGround; border: 1px solid @control; }
QFrame[kind="line"] { background: @hairline; border: 0; min-height: 1px; max-height: 1px; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QAbstractSpinBox { background: @stage; border: 1px solid @control;
    border-radius: 6px; padding: 0 8px; min-height: 26px; selection-background-color: @primary;
    selection-color: @primaryText; }
QLineEdit[kind="number"], QLineEdit[kind="step"] { padding: 0 3px; }
QLineEdit[wrong="true"], QAbstractSpinBox[wrong="true"] { border: 2px solid @error; padding: 0 7px; min-height: 24px; }
QLineEdit[kind="number"][wrong="true"], QLineEdit[kind="step"][wrong="true"] { padding: 0 2px; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { border-color: @hairline; }
QLineEdit:read-only { background: @codeGround; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow { image: url(@@chevron-down); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: @stage; border: 1px solid @control; border-radius: 6px; padding: 4px;
    selection-background-color: @selected; selection-color: @ink; outline: 0; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: 18px; background: transparent; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @selected; border-radius: 4px; }
QAbstractSpinBox::up-arrow { image: url(@@chevron-up); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow { image: url(@@chevron-down); width: 12px; height: 12px; }
QPlainTextEdit, QTextEdit { background: @codeGround; border: 0; selection-background-color: @primary;
    selection-color: @primaryText; }
QCheckBox, QRadioButton { spacing: 8px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @control; border-radius: 3px; background: @stage; }
QCheckBox::indicator:checked { background: @primary; border-color: @primary; image: url(@@checked); }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid @control; border-radius: 8px;
    background: @stage; }
QRadioButton::indicator:checked { border: 5px solid @primary; width: 6px; height: 6px; }
QSlider { min-height: 20px; }
QSlider::groove:horizontal { height: 3px; background: @hairline; border-radius: 1px; }
QSlider::sub-page:horizontal { height: 3px; background: @ink; border-radius: 1px; }
QSlider::handle:horizontal { width: 11px; height: 11px; margin: -6px 0; border: 2px solid @ink; border-radius: 7px;
    background: @stage; }
QSlider::handle:horizontal:hover { background: @selected; }
QProgressBar { background: @inset; border: 1px solid @control; border-radius: 4px; text-align: center;
    min-height: 14px; font-size: 11px; }
QProgressBar::chunk { background: @selected; border-radius: 3px; }

QTreeView, QListView, QTableView { background: @panel; border: 0; outline: 0; selection-background-color: @selected;
    selection-color: @ink; alternate-background-color: @panel; }
QTreeView::item, QListView::item { min-height: 29px; border: 0; }
QTreeView::item:hover, QListView::item:hover { background: @inset; }
QTreeView::item:selected, QListView::item:selected { background: @selected; color: @ink; }
QTreeView#lessonTable::item { padding: 0 8px; }
QTreeView::branch { background: transparent; }
QTreeView::branch:has-children:closed { image: url(@@chevron-right); }
QTreeView::branch:has-children:open { image: url(@@chevron-down); }
QHeaderView::section { background: @panel; color: @ink2; border: 0; border-bottom: 1px solid @hairline;
    padding: 4px 8px; font-size: 12px; font-weight: 400; }

QTabWidget::pane { border: 0; border-top: 1px solid @hairline; }
QTabBar { background: @panel; }
QTabBar::tab { background: transparent; padding: 7px 12px; border: 0; border-bottom: 2px solid transparent;
    color: @ink2; }
QTabBar::tab:selected { color: @ink; border-bottom-color: @ink; font-weight: 600; }
QTabBar::tab:hover { background: @inset; }
QTabBar[tight="true"]::tab { padding: 7px 3px; }
QTabBar::close-button { image: url(@@close); }

QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: 0; }
QAbstractScrollArea::corner { background: @panel; border: 0; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @control; border: 3px solid @panel; border-radius: 6px; min-width: 28px;
    min-height: 28px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: @ink2; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: @hairline; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QToolTip { background: @stage; color: @ink; border: 1px solid @control; border-radius: 6px; padding: 4px 7px;
    font-size: 12px; }
QGroupBox { border: 0; margin-top: 22px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: 0; top: 2px; }
)css";

struct NamedTone {
    const char16_t* name;
    Tone tone;
};

} // namespace

QString Theme::styleSheet() const {
    const bool dark = m_kind == ThemeKind::Dark;
    // Longer names first, so that "@ink2" is not taken for "@ink".
    const NamedTone names[] = {
        {u"@primaryText", Tone::PrimaryText},
        {u"@codeGround", Tone::CodeGround},
        {u"@errorTint", Tone::ErrorTint},
        {u"@rightTint", Tone::RightTint},
        {u"@noteTint", Tone::NoteTint},
        {u"@hairline", Tone::Hairline},
        {u"@selected", Tone::Selected},
        {u"@primary", Tone::Primary},
        {u"@control", Tone::Control},
        {u"@raised", dark ? Tone::Selected : Tone::Stage},
        {u"@window", Tone::Window},
        {u"@chrome", Tone::Chrome},
        {u"@panel", Tone::Panel},
        {u"@stage", Tone::Stage},
        {u"@inset", Tone::Inset},
        {u"@error", Tone::Error},
        {u"@right", Tone::Right},
        {u"@ink2", Tone::Ink2},
        {u"@ink", Tone::Ink},
    };
    QString sheet = QString::fromUtf16(kSheet);
    static const QRegularExpression icon(QStringLiteral("@@([a-z-]+)"));
    sheet.replace(
        icon, QStringLiteral(":/icons/chrome/\\1-%1.svg").arg(dark ? QStringLiteral("dark") : QStringLiteral("light")));
    for (const NamedTone& entry : names) sheet.replace(QString::fromUtf16(entry.name), color(entry.tone).name());
    return sheet;
}

} // namespace stridescope
