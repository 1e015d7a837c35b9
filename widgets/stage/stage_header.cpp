#include "widgets/stage/stage_header.h"

#include "widgets/shared/reading_direction.h"
#include "widgets/stage/explore_stage.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

namespace stridescope {

namespace {
constexpr int kMargin = 20, kGap = 12, kDenseMargin = 8, kDenseGap = 5;
} // namespace

SegmentedControl::SegmentedControl(const QString& name, const QStringList& texts, QWidget* parent)
    : QWidget(parent), m_texts(texts), m_group(new QButtonGroup(this)) {
    setAccessibleName(name);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(0);
    for (int i = 0; i < texts.size(); ++i) {
        auto* button = new QPushButton(asWritten(texts[i]), this);
        button->setCheckable(true);
        button->setProperty("kind", QStringLiteral("segment"));
        button->setAccessibleName(QStringLiteral("%1: %2").arg(name, texts[i]));
        button->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
        m_group->addButton(button, i);
        row->addWidget(button);
    }
    m_group->setExclusive(true);
    if (QAbstractButton* first = m_group->button(0)) first->setChecked(true);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on) Q_EMIT currentChanged(id);
    });
    setFixedHeight(24);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setTheme(m_theme);
}

int SegmentedControl::current() const {
    return m_group->checkedId();
}

void SegmentedControl::setCurrent(int index) {
    if (QAbstractButton* button = m_group->button(index)) button->setChecked(true);
}

QAbstractButton* SegmentedControl::button(int index) const {
    return m_group->button(index);
}

void SegmentedControl::setTheme(const Theme& theme) {
    m_theme = theme;
    measure();
    update();
}

int SegmentedControl::widthWith(int padding) const {
    int width = 4;
    for (const QAbstractButton* button : m_group->buttons()) {
        width += QFontMetrics(m_theme.font(FontRole::LabelStrong)).horizontalAdvance(button->text()) + padding;
    }
    return width;
}

void SegmentedControl::setDense(bool dense) {
    if (dense == m_dense) return;
    m_dense = dense;
    measure();
}

void SegmentedControl::measure() {
    const Theme& theme = m_theme;
    // The checked segment must not change its width with its weight: all are as wide as when bold.
    for (QAbstractButton* button : m_group->buttons()) {
        button->setFont(theme.font(FontRole::Label));
        const int width = QFontMetrics(theme.font(FontRole::LabelStrong)).horizontalAdvance(button->text());
        button->setFixedSize(width + (m_dense ? 8 : 14), 20);
    }
    updateGeometry();
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Tone::Control), 1));
    painter.setBrush(m_theme.color(Tone::Stage));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

StageHeader::StageHeader(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("stageHeader"));
    setAccessibleName(tr("How the stage is drawn"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kMargin, 0, kMargin, 0);
    row->setSpacing(kGap);
    const auto segment = [&](const QString& name, const QString& object, const QStringList& texts) {
        auto* label = new QLabel(name, this);
        label->setTextFormat(Qt::PlainText);
        m_labels.push_back(label);
        auto* control = new SegmentedControl(name, texts, this);
        control->setObjectName(object);
        row->addWidget(label);
        row->addWidget(control);
        connect(control, &SegmentedControl::currentChanged, this, [this] { edit(); });
        return control;
    };
    m_cellText = segment(tr("Cell text"), QStringLiteral("cellText"), {tr("value"), tr("index"), tr("both")});
    m_ruler = segment(tr("Ruler"), QStringLiteral("ruler"), {tr("elements"), tr("bytes"), tr("hex")});
    m_wrap = segment(tr("Wrap"), QStringLiteral("wrap"), {tr("fit"), tr("row"), tr("64 B line"), tr("n")});
    m_wrap->button(static_cast<int>(StripWrap::Number))->installEventFilter(this);
    m_wrapNumber = new QSpinBox(this);
    m_wrapNumber->setObjectName(QStringLiteral("wrapNumber"));
    m_wrapNumber->setAccessibleName(tr("Cells in a row of the strip"));
    m_wrapNumber->setRange(1, 1'000'000);
    m_wrapNumber->setValue(static_cast<int>(m_options.wrapNumber));
    m_wrapNumber->setFixedHeight(24);
    m_wrapNumber->hide();
    connect(m_wrapNumber, &QSpinBox::valueChanged, this, [this] { edit(); });
    row->addWidget(m_wrapNumber);
    row->addStretch(1);
    const auto button = [&](const QString& text, const QString& object, const QString& hint) {
        auto* push = new QPushButton(text, this);
        push->setObjectName(object);
        push->setToolTip(hint);
        push->setAccessibleName(text);
        push->setFixedHeight(24);
        row->addWidget(push);
        return push;
    };
    m_more = new QToolButton(this);
    m_more->setObjectName(QStringLiteral("moreOptions"));
    m_more->setText(QStringLiteral("…"));
    m_more->setAccessibleName(tr("More of how the stage is drawn"));
    m_more->setToolTip(tr("What this bar has no room for"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setFixedHeight(24);
    auto* menu = new QMenu(m_more);
    connect(menu, &QMenu::aboutToShow, this, &StageHeader::fillMenu);
    m_more->setMenu(menu);
    m_more->hide();
    row->addWidget(m_more);
    m_fit = button(tr("Fit"), QStringLiteral("fitButton"), tr("The whole storage in sight (Ctrl+9)"));
    m_export = button(tr("Export"), QStringLiteral("exportButton"), tr("Save the picture as SVG, PNG or PDF"));
    connect(m_fit, &QPushButton::clicked, this, &StageHeader::fitRequested);
    connect(m_export, &QPushButton::clicked, this, &StageHeader::exportRequested);
    // The least width is that of minimumSizeHint(), not of the layout as it is spread now.
    layout()->setSizeConstraint(QLayout::SetNoConstraint);
    setFixedHeight(36);
    setTheme(m_theme);
}

QSize StageHeader::sizeHint() const {
    return {760, 36};
}
QSize StageHeader::minimumSizeHint() const {
    // What has no room goes into the menu.
    return {2 * kDenseMargin + m_more->sizeHint().width(), 36};
}

void StageHeader::attach(ExploreStage* stage) {
    setOptions(stage->options());
    connect(this, &StageHeader::optionsEdited, stage, &ExploreStage::setOptions);
    connect(this, &StageHeader::fitRequested, stage, [stage] { stage->zoom(Zoom::Whole); });
    connect(stage, &ExploreStage::optionsChanged, this, [this, stage] { setOptions(stage->options()); });
}

void StageHeader::setOptions(const StageOptions& options) {
    m_options = options;
    const QSignalBlocker a(m_cellText), b(m_ruler), c(m_wrap), e(m_wrapNumber);
    m_cellText->setCurrent(static_cast<int>(options.cellText));
    m_ruler->setCurrent(static_cast<int>(options.ruler));
    m_wrap->setCurrent(static_cast<int>(options.wrap));
    m_wrapNumber->setValue(static_cast<int>(std::min<Index>(options.wrapNumber, m_wrapNumber->maximum())));
    arrange();
}

void StageHeader::edit() {
    m_options.cellText = static_cast<CellText>(m_cellText->current());
    m_options.ruler = static_cast<StripItem::Ruler>(m_ruler->current());
    m_options.wrap = static_cast<StripWrap>(m_wrap->current());
    m_options.wrapNumber = m_wrapNumber->value();
    arrange();
    Q_EMIT optionsEdited(m_options);
}

void StageHeader::editWrapNumber() {
    if (m_wrapNumber->isHidden()) return;
    m_wrapNumber->setFocus(Qt::OtherFocusReason);
    m_wrapNumber->selectAll();
}

bool StageHeader::eventFilter(QObject* watched, QEvent* event) {
    // Clicked, "n" asks for its number; keys that move over the segments stay there. When the button has followed.
    if (event->type() == QEvent::MouseButtonRelease)
        QMetaObject::invokeMethod(this, &StageHeader::editWrapNumber, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

void StageHeader::setTheme(const Theme& theme) {
    m_theme = theme;
    for (QLabel* label : m_labels) {
        label->setFont(theme.font(FontRole::Label));
        label->setStyleSheet(QStringLiteral("color: %1; background: transparent;").arg(theme.color(Tone::Ink2).name()));
    }
    for (SegmentedControl* control : {m_cellText, m_ruler, m_wrap}) control->setTheme(theme);
    const QString sheet =
        QStringLiteral(
            "QPushButton { border: 1px solid %1; border-radius: 6px; background: %2; color: %3; padding: 0 12px; "
            "min-height: 0; }"
            "QPushButton:hover { background: %4; }")
            .arg(theme.color(Tone::Control).name(), theme.color(Tone::Stage).name(), theme.color(Tone::Ink).name(),
                 theme.color(Tone::Inset).name());
    for (QPushButton* button : {m_fit, m_export}) {
        button->setFont(theme.font(FontRole::Label));
        button->setStyleSheet(sheet);
    }
    update();
}

void StageHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void StageHeader::arrange() {
    // Narrow: first the captions go (the segments say what they are to a screen reader), then the air, then one control
    // after the other into the menu, those first that are needed least.
    std::vector<QWidget*> shown{m_ruler, m_cellText, m_wrap, m_export, m_fit};
    const auto needed = [&](bool captions, bool dense) {
        int width = 2 * (dense ? kDenseMargin : kMargin);
        const int gap = dense ? kDenseGap : kGap;
        for (const QWidget* each : shown) {
            const auto* control = qobject_cast<const SegmentedControl*>(each);
            const int own = !control ? each->sizeHint().width() : dense ? control->denseWidth() : control->wideWidth();
            width += own + gap;
        }
        if (m_options.wrap == StripWrap::Number) width += m_wrapNumber->sizeHint().width() + gap;
        if (captions) {
            for (const QLabel* label : m_labels) width += label->sizeHint().width() + gap;
        }
        if (shown.size() < 5) width += m_more->sizeHint().width() + gap;
        return width;
    };
    const bool captions = needed(true, false) <= width();
    const bool dense = !captions && needed(false, false) > width();
    m_inMenu.clear();
    while (dense && !shown.empty() && needed(false, true) > width()) {
        m_inMenu.push_back(shown.front());
        shown.erase(shown.begin());
    }
    for (QWidget* each : shown) each->show();
    for (QWidget* each : m_inMenu) each->hide();
    m_more->setVisible(!m_inMenu.empty());
    m_wrapNumber->setVisible(m_options.wrap == StripWrap::Number);
    for (QLabel* label : m_labels) label->setVisible(captions);
    for (SegmentedControl* control : {m_cellText, m_ruler, m_wrap}) control->setDense(dense);
    const int margin = dense ? kDenseMargin : kMargin;
    layout()->setContentsMargins(margin, 0, margin, 0);
    layout()->setSpacing(dense ? kDenseGap : kGap);
}

void StageHeader::fillMenu() {
    QMenu* menu = m_more->menu();
    menu->clear();
    for (QWidget* each : m_inMenu) {
        if (auto* button = qobject_cast<QPushButton*>(each)) {
            connect(menu->addAction(button->text()), &QAction::triggered, button, &QPushButton::click);
            continue;
        }
        auto* control = static_cast<SegmentedControl*>(each);
        QMenu* inner = menu->addMenu(control->accessibleName());
        for (int i = 0; i < control->texts().size(); ++i) {
            QAction* action = inner->addAction(control->texts()[i]);
            action->setCheckable(true);
            action->setChecked(control->current() == i);
            connect(action, &QAction::triggered, control, [this, control, i] {
                control->setCurrent(i);
                if (control == m_wrap && i == static_cast<int>(StripWrap::Number)) editWrapNumber();
            });
        }
    }
}

void StageHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Tone::Stage));
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.color(Tone::Hairline));
}

} // namespace stridescope
