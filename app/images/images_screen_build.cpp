// The parts of the images' screen.

#include "app/images/images_screen.h"
#include "app/images/screen_parts.h"
#include "app/images/step_numbers.h"
#include "widgets/images/axis_chips.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/images/step_list.h"
#include "widgets/images/touched_strip.h"
#include "widgets/shared/elided_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

namespace stridescope {

namespace {

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("heading", true);
    return label;
}
QScrollArea* scrolled(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setFocusPolicy(Qt::NoFocus); // what is in it takes the keyboard, and is scrolled into sight
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFrameShape(QFrame::NoFrame);
    return area;
}
QPushButton* small(const QString& text, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setProperty("small", true);
    return button;
}

} // namespace

QWidget* ImagesScreen::buildLeft() {
    auto* side = new QWidget(m_page);
    side->setProperty("role", QStringLiteral("panel"));
    side->setFixedWidth(284); // with a scroll bar, too, ".permute(0, 3, 1, 2)" is seen to its end
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(12, 10, 4, 10);
    column->setSpacing(8);
    auto* title = new QHBoxLayout;
    title->addWidget(heading(tr("Live operations on"), side));
    m_sources = new QComboBox(side);
    m_sources->setObjectName(QStringLiteral("imageSource"));
    m_sources->setAccessibleName(tr("Tensor of images"));
    title->addWidget(m_sources, 1);
    column->addLayout(title);
    m_list = new StepList(side);
    column->addWidget(scrolled(m_list, side), 1);
    auto* buttons = new QHBoxLayout;
    m_add = new QToolButton(side);
    m_add->setObjectName(QStringLiteral("addImageOperation"));
    m_add->setProperty("kind", QStringLiteral("button"));
    m_add->setText(tr("Add"));
    m_add->setToolTip(tr("Adds an operation at the end of the list."));
    m_add->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setMenu(new QMenu(m_add));
    connect(m_add->menu(), &QMenu::aboutToShow, this, &ImagesScreen::fillOperations);
    auto* copy = small(tr("Copy lines"), side);
    copy->setToolTip(tr("The list as lines of PyTorch code."));
    connect(copy, &QPushButton::clicked, this, &ImagesScreen::copyLines);
    auto* run = small(tr("Run lines"), side);
    run->setObjectName(QStringLiteral("runImageLines"));
    run->setToolTip(tr("Carries the list out in the workspace: the result gets a name there."));
    connect(run, &QPushButton::clicked, this, [this] {
        for (const QString& line : lines()) Q_EMIT runRequested(line);
    });
    buttons->addWidget(m_add);
    buttons->addWidget(copy);
    buttons->addWidget(run);
    buttons->addStretch();
    column->addLayout(buttons);
    column->addWidget(buildCompared());
    m_facts = quietLabel({}, side);
    m_facts->setObjectName(QStringLiteral("imageFacts"));
    column->addWidget(m_facts);
    connect(m_list, &StepList::codeEdited, this, [this](int step, const QString& code) {
        auto steps = m_steps;
        steps[static_cast<std::size_t>(step)].code = code.trimmed();
        setSteps(steps);
    });
    connect(m_list, &StepList::switched, this, [this](int step, bool on) {
        auto steps = m_steps;
        steps[static_cast<std::size_t>(step)].on = on;
        setSteps(steps);
    });
    connect(m_list, &StepList::moved, this, [this](int step, int by) {
        auto steps = m_steps;
        if (step + by < 0 || step + by >= static_cast<int>(steps.size())) return;
        const ChainStep taken = steps[static_cast<std::size_t>(step)];
        steps.erase(steps.begin() + step);
        steps.insert(steps.begin() + step + by, taken);
        m_list->openStep(step + by);
        setSteps(steps);
    });
    connect(m_list, &StepList::numberMoved, this, [this](int step, const StepNumber& number, double value) {
        auto steps = m_steps;
        auto& code = steps[static_cast<std::size_t>(step)].code;
        code = withNumber(code, number, value);
        setSteps(steps);
    });
    connect(m_list, &StepList::duplicated, this, [this](int step) {
        auto steps = m_steps;
        steps.insert(steps.begin() + step + 1, steps[static_cast<std::size_t>(step)]);
        setSteps(steps);
    });
    connect(m_list, &StepList::opened, this, &ImagesScreen::showSteps);
    connect(m_list, &StepList::removed, this, [this](int step) {
        auto steps = m_steps;
        steps.erase(steps.begin() + step);
        setSteps(steps);
    });
    return side;
}

QWidget* ImagesScreen::buildCompared() {
    auto* box = new QWidget(m_page);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->addWidget(quietLabel(tr("Compare with"), box), 0, 0);
    m_compare = new QComboBox(box);
    m_compare->setObjectName(QStringLiteral("compareStep"));
    m_compare->setAccessibleName(tr("Compared with the picture after"));
    m_compare->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    grid->addWidget(m_compare, 0, 1);
    grid->addWidget(quietLabel(tr("as"), box), 1, 0);
    m_comparison = new QComboBox(box);
    m_comparison->setObjectName(QStringLiteral("comparison"));
    m_comparison->setAccessibleName(tr("How two pictures are compared"));
    m_comparison->addItems({tr("left of a handle"), tr("side by side"), tr("difference")});
    grid->addWidget(m_comparison, 1, 1);
    grid->setColumnStretch(1, 1);
    connect(m_compare, &QComboBox::activated, this, &ImagesScreen::showGrid);
    connect(m_comparison, &QComboBox::activated, this, &ImagesScreen::showGrid);
    return box;
}

QWidget* ImagesScreen::buildMiddle() {
    auto* middle = new QWidget(m_page);
    middle->setProperty("role", QStringLiteral("stage"));
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(14, 10, 14, 10);
    column->setSpacing(8);
    column->addWidget(buildChannels());
    auto* axes = new QHBoxLayout;
    axes->addWidget(quietLabel(tr("Axes"), middle));
    m_chips = new AxisChips(middle);
    connect(m_chips, &AxisChips::transposeRequested, this,
            [this](int a, int b) { addStep(QStringLiteral(".transpose(%1, %2)").arg(a).arg(b)); });
    axes->addWidget(m_chips, 1);
    column->addLayout(axes);
    column->addWidget(buildGridRow());
    m_refusal = new QLabel(middle);
    m_refusal->setObjectName(QStringLiteral("imageWords"));
    m_refusal->setWordWrap(true);
    m_refusal->setMinimumHeight(18); // of its own it asks for room for a column of words
    m_refusal->setTextFormat(Qt::PlainText);
    m_refusal->hide();
    column->addWidget(m_refusal);
    auto* captions = new QHBoxLayout;
    for (ElidedLabel** caption : {&m_leftCaption, &m_rightCaption}) {
        *caption = new ElidedLabel(middle);
        (*caption)->setProperty("heading", true);
        (*caption)->setTextFormat(Qt::PlainText);
        captions->addWidget(*caption, 1);
    }
    m_leftCaption->setObjectName(QStringLiteral("leftCaption"));
    m_rightCaption->setObjectName(QStringLiteral("rightCaption"));
    m_rightCaption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    column->addLayout(captions);
    auto* grids = new QHBoxLayout;
    grids->setSpacing(6);
    m_other = new ImageGridView(middle);
    m_other->setObjectName(QStringLiteral("otherGrid"));
    m_other->setAccessibleName(tr("Images that are compared with"));
    m_other->hide();
    m_grid = new ImageGridView(middle);
    grids->addWidget(m_other, 1);
    grids->addWidget(m_grid, 1);
    column->addLayout(grids, 1);
    // One place and one pick for both.
    for (const auto& [from, to] : {std::pair(m_grid, m_other), std::pair(m_other, m_grid)}) {
        connect(from, &ImageGridView::placeChanged, this, [this, from = from, to = to] {
            if (m_other->isVisible()) linkPlace(from, to);
        });
        connect(from, &ImageGridView::pixelPicked, this, [to = to](const ImageSheet::Pixel& pixel) {
            const ImageSheet& sheet = to->sheet();
            if (pixel.image < sheet.count() && pixel.y < sheet.imageHeight() && pixel.x < sheet.imageWidth())
                to->pick(pixel);
        });
    }
    m_status = new ElidedLabel(middle);
    m_status->setProperty("quiet", true);
    m_status->setTextFormat(Qt::PlainText);
    column->addWidget(m_status);
    m_touched = new TouchedStrip(middle);
    column->addWidget(m_touched);
    connect(m_grid, &ImageGridView::pixelPicked, this, &ImagesScreen::showPixel);
    connect(m_grid, &ImageGridView::hoveredChanged, this, &ImagesScreen::showPixel);
    connect(m_other, &ImageGridView::hoveredChanged, this, [this] { m_grid->pointAt(m_other->hovered()); });
    connect(m_grid, &ImageGridView::zoomChanged, this, &ImagesScreen::showPixel);
    connect(m_grid, &ImageGridView::resized, this, [this] {
        if (!m_grid->sheet().isEmpty() && m_grid->sheet().across() != std::min(columns(), m_grid->sheet().count()))
            showGrid();
    });
    connect(m_grid, &ImageGridView::pixelPicked, this, [this] { m_touched->setPicked(slotsOfPick(), true); });
    connect(m_touched, &TouchedStrip::slotPicked, this, &ImagesScreen::pickSlot);
    return middle;
}

QWidget* ImagesScreen::buildRight() {
    auto* content = new QWidget(m_page);
    content->setProperty("role", QStringLiteral("panel"));
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 10);
    column->setSpacing(4);
    m_pixel = new PixelPanel(content);
    column->addWidget(m_pixel);
    auto* inner = new QHBoxLayout;
    inner->setContentsMargins(14, 0, 14, 0);
    auto* title = heading(tr("Values"), content);
    m_count = quietLabel({}, content);
    m_count->setObjectName(QStringLiteral("valueCount"));
    inner->addWidget(title);
    inner->addStretch();
    inner->addWidget(m_count);
    column->addLayout(inner);
    m_histogram = new ValueHistogram(content);
    column->addWidget(m_histogram);
    auto* rest = new QVBoxLayout;
    rest->setContentsMargins(14, 0, 14, 0);
    m_words = quietLabel({}, content);
    m_words->setWordWrap(true);
    rest->addWidget(m_words);
    auto* ranges = new QHBoxLayout;
    const auto range = [&](const QString& text, auto choose) {
        auto* button = small(text, content);
        connect(button, &QPushButton::clicked, this, choose);
        ranges->addWidget(button);
    };
    const auto set = [this](double black, double white) {
        m_ownLook = true;
        ImageLook look = m_look;
        look.black = black;
        look.white = white;
        setLook(look);
    };
    range(tr("Auto"), [this, set] {
        if (m_base.defined() && ImageSheet::whyNot(shownTensor()).isEmpty()) {
            const ValueCounts counts = countValues(shownTensor(), m_look, 100'000, m_result.overwrites().get());
            set(counts.low, counts.high);
        }
    });
    range(tr("-1 … 1"), [set] { set(-1, 1); });
    range(tr("0 … 1"), [set] { set(0, 1); });
    range(tr("0 … 255"), [set] { set(0, 255); });
    ranges->addStretch();
    rest->addLayout(ranges);
    column->addLayout(rest);
    column->addStretch();
    connect(m_histogram, &ValueHistogram::rangeDragged, this, set);
    QScrollArea* area = scrolled(content, m_page);
    area->setFixedWidth(286);
    return area;
}

} // namespace stridescope
