// The parts of the images' screen.

#include "app/images/images_screen.h"
#include "widgets/images/axis_chips.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/images/step_list.h"
#include "widgets/images/touched_strip.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>

namespace stridescope {

namespace {

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("heading", true);
    return label;
}
QLabel* quiet(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("quiet", true);
    return label;
}
QScrollArea* scrolled(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
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
    side->setFixedWidth(270);
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
    auto* compare = new QHBoxLayout;
    compare->addWidget(quiet(tr("Left of the handle"), side));
    m_compare = new QComboBox(side);
    m_compare->setObjectName(QStringLiteral("compareStep"));
    m_compare->setAccessibleName(tr("Compared with the picture after"));
    compare->addWidget(m_compare, 1);
    column->addLayout(compare);
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
        std::swap(steps[static_cast<std::size_t>(step)], steps[static_cast<std::size_t>(step + by)]);
        setSteps(steps);
    });
    connect(m_list, &StepList::removed, this, [this](int step) {
        auto steps = m_steps;
        steps.erase(steps.begin() + step);
        setSteps(steps);
    });
    return side;
}

QWidget* ImagesScreen::buildChannels() {
    auto* line = new QWidget(m_page);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    const auto segment = [&](QFrame* frame, const QString& text, const QString& name, const QString& what) {
        auto* button = new QPushButton(text, frame);
        button->setCheckable(true);
        button->setAccessibleName(name);
        button->setToolTip(what);
        frame->layout()->addWidget(button);
        return button;
    };
    const auto group = [&] {
        auto* frame = new QFrame(line);
        frame->setProperty("kind", QStringLiteral("segments"));
        frame->setProperty("small", true);
        auto* inside = new QHBoxLayout(frame);
        inside->setContentsMargins(0, 0, 0, 0);
        inside->setSpacing(0);
        row->addWidget(frame);
        return frame;
    };
    for (int c = 0; c < 3; ++c) {
        QFrame* frame = group();
        const QString letter = channelLetter(c, 3);
        auto* name = new QLabel(QStringLiteral(" %1 ").arg(letter), frame);
        name->setProperty("heading", true);
        name->setToolTip(tr("Channel %1 of dim 1").arg(c));
        frame->layout()->addWidget(name);
        ChannelButtons buttons;
        buttons.solo = segment(frame, tr("Solo"), tr("Solo %1").arg(letter),
                               tr("Looks at this channel alone; nothing is written."));
        buttons.kill = segment(frame, tr("Kill"), tr("Kill %1").arg(letter),
                               tr("Writes -1 (0 for integers) into this channel: a step of the list."));
        buttons.kill->setObjectName(QStringLiteral("kill%1").arg(c));
        buttons.solo->setObjectName(QStringLiteral("solo%1").arg(c));
        connect(buttons.solo, &QPushButton::clicked, this, [this, c] { soloChannel(c); });
        connect(buttons.kill, &QPushButton::clicked, this, [this, c](bool on) { killChannel(c, on); });
        m_channels.push_back(buttons);
    }
    QFrame* show = group();
    m_colour = segment(show, tr("colour"), tr("Show colours"), tr("Channels 0, 1 and 2 as red, green and blue."));
    m_grey = segment(show, tr("grey"), tr("Show grey"), tr("Their weighted sum (BT.601), to look at only."));
    m_tint = segment(show, tr("tint"), tr("Show tints"), tr("A single channel in its own colour instead of grey."));
    const auto look = [this](ChannelLook channels) {
        ImageLook next = m_look;
        next.show = channels;
        setLook(next);
    };
    connect(m_colour, &QPushButton::clicked, this, [look] { look(ChannelLook::Colour); });
    connect(m_grey, &QPushButton::clicked, this, [look] { look(ChannelLook::Grey); });
    connect(m_tint, &QPushButton::clicked, this, [look] { look(ChannelLook::Tint); });
    row->addStretch();
    auto* save = new QPushButton(tr("Export…"), line);
    save->setToolTip(tr("Saves the grid as save_image does."));
    save->setObjectName(QStringLiteral("exportGrid"));
    save->setProperty("kind", QStringLiteral("primary"));
    connect(save, &QPushButton::clicked, this, &ImagesScreen::askToExport);
    row->addWidget(save);
    return line;
}

QWidget* ImagesScreen::buildMiddle() {
    auto* middle = new QWidget(m_page);
    middle->setProperty("role", QStringLiteral("stage"));
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(14, 10, 14, 10);
    column->setSpacing(8);
    column->addWidget(buildChannels());
    auto* axes = new QHBoxLayout;
    axes->addWidget(quiet(tr("Axes"), middle));
    m_chips = new AxisChips(middle);
    connect(m_chips, &AxisChips::transposeRequested, this,
            [this](int a, int b) { addStep(QStringLiteral(".transpose(%1, %2)").arg(a).arg(b)); });
    axes->addWidget(m_chips, 1);
    column->addLayout(axes);
    auto* choices = new QHBoxLayout;
    choices->addWidget(quiet(tr("Columns"), middle));
    m_columns = new QSpinBox(middle);
    m_columns->setObjectName(QStringLiteral("gridColumns"));
    m_columns->setAccessibleName(tr("Images in a row"));
    m_columns->setRange(0, 100'000);
    m_columns->setSpecialValueText(tr("auto"));
    m_columns->setToolTip(tr("nrow of make_grid."));
    connect(m_columns, &QSpinBox::valueChanged, this, &ImagesScreen::showGrid);
    choices->addWidget(m_columns);
    choices->addWidget(quiet(tr("Labels"), middle));
    m_labels = new QComboBox(middle);
    m_labels->setObjectName(QStringLiteral("imageLabels"));
    m_labels->setAccessibleName(tr("Tensor of labels"));
    connect(m_labels, &QComboBox::activated, this, [this](int row) {
        m_chosenLabels = m_labels->itemData(row).toULongLong();
        showLabels();
    });
    choices->addWidget(m_labels);
    m_search = new QLineEdit(middle);
    m_search->setObjectName(QStringLiteral("searchLabel"));
    m_search->setPlaceholderText(tr("Image or label, e.g. 21 or label 3"));
    m_search->setMinimumWidth(110);
    connect(m_search, &QLineEdit::returnPressed, this, &ImagesScreen::searchLabel);
    choices->addWidget(m_search, 1);
    choices->addWidget(quiet(tr("Shuffle"), middle));
    m_seed = new QSpinBox(middle);
    m_seed->setObjectName(QStringLiteral("shuffleSeed"));
    m_seed->setAccessibleName(tr("Seed of the shuffled order"));
    m_seed->setRange(0, 999'999);
    m_seed->setSpecialValueText(tr("off"));
    m_seed->setToolTip(tr("Another order of the images on the screen, the same for the same seed."));
    connect(m_seed, &QSpinBox::valueChanged, this, &ImagesScreen::showGrid);
    choices->addWidget(m_seed);
    column->addLayout(choices);
    m_refusal = new QLabel(middle);
    m_refusal->setWordWrap(true);
    m_refusal->setTextFormat(Qt::PlainText);
    m_refusal->hide();
    column->addWidget(m_refusal);
    m_grid = new ImageGridView(middle);
    column->addWidget(m_grid, 1);
    m_status = quiet({}, middle);
    column->addWidget(m_status);
    m_touched = new TouchedStrip(middle);
    column->addWidget(m_touched);
    connect(m_grid, &ImageGridView::pixelPicked, this, &ImagesScreen::showPixel);
    connect(m_grid, &ImageGridView::zoomChanged, this, &ImagesScreen::showPixel);
    connect(m_grid, &ImageGridView::resized, this, [this] {
        if (!m_grid->sheet().isEmpty() && m_grid->sheet().across() != std::min(columns(), m_grid->sheet().count()))
            showGrid();
    });
    connect(m_compare, &QComboBox::activated, this, &ImagesScreen::showGrid);
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
    auto* inner = new QVBoxLayout;
    inner->setContentsMargins(14, 0, 14, 0);
    auto* title = heading(tr("Values"), content);
    inner->addWidget(title);
    column->addLayout(inner);
    m_histogram = new ValueHistogram(content);
    column->addWidget(m_histogram);
    auto* rest = new QVBoxLayout;
    rest->setContentsMargins(14, 0, 14, 0);
    m_words = quiet({}, content);
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
            const ValueCounts counts = countValues(shownTensor(), m_look, 100'000);
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

void ImagesScreen::buildEmpty() {
    m_empty = new QWidget(this);
    auto* column = new QVBoxLayout(m_empty);
    column->addStretch();
    auto* words = heading(tr("No tensor of the workspace is images."), m_empty);
    words->setAlignment(Qt::AlignCenter);
    column->addWidget(words);
    auto* more = quiet(tr("Images are (n, c, h, w), (n, h, w, c) or one of them, with 1 or 3 channels. Open a picture, "
                          "an array or a file "
                          "of CIFAR with File > Open, or take the pictures that the program draws itself."),
                       m_empty);
    more->setWordWrap(true);
    more->setAlignment(Qt::AlignCenter);
    column->addWidget(more);
    auto* row = new QHBoxLayout;
    row->addStretch();
    auto* samples = new QPushButton(tr("Take the sample images"), m_empty);
    samples->setObjectName(QStringLiteral("sampleImages"));
    samples->setProperty("kind", QStringLiteral("primary"));
    connect(samples, &QPushButton::clicked, this, &ImagesScreen::takeSamples);
    row->addWidget(samples);
    row->addStretch();
    column->addLayout(row);
    column->addStretch();
}

void ImagesScreen::fillOperations() {
    QMenu* menu = m_add->menu();
    menu->clear();
    QMenu* group = nullptr;
    const Tensor& shown = shownTensor();
    for (const ImageOperation& operation : shown.defined() ? imageOperations(shown) : std::vector<ImageOperation>()) {
        if (!group || group->title() != operation.group) group = menu->addMenu(operation.group);
        const QString code = operation.code;
        const bool mistake = operation.group == tr("Mistakes");
        group->addAction(QStringLiteral("%1\t%2").arg(operation.title, code), this, [this, code, mistake] {
            addStep(code);
            if (!mistake || m_steps.size() < 2) return;
            finishRun();
            m_compare->setCurrentIndex(static_cast<int>(m_steps.size()) - 1); // the right picture beside it
            showGrid();
        });
    }
    menu->addSeparator();
    menu->addAction(tr("An empty step to type into"), this, [this] { addStep(QStringLiteral(".clone()")); });
}

} // namespace stridescope
