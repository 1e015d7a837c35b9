// The choices of the images' screen: how the grid is laid out, what is looked for, operations, and what an empty one
// offers.

#include "app/images/images_screen.h"
#include "app/images/screen_parts.h"
#include "widgets/images/image_grid_view.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QWidgetAction>

namespace stridescope {

/// make_grid's options besides nrow.
QToolButton* ImagesScreen::buildGridChoices() {
    QToolButton* button =
        menuButton(tr("Grid"), tr("make_grid's padding, pad_value, normalize and scale_each."), m_page);
    button->setObjectName(QStringLiteral("gridChoices"));
    auto* panel = new QWidget(button->menu());
    auto* form = new QFormLayout(panel);
    m_padding = new QSpinBox(panel);
    m_padding->setObjectName(QStringLiteral("gridPadding"));
    m_padding->setRange(0, 64);
    m_padding->setValue(2);
    form->addRow(tr("padding"), m_padding);
    m_padValue = new QDoubleSpinBox(panel);
    m_padValue->setObjectName(QStringLiteral("gridPadValue"));
    m_padValue->setRange(0, 1);
    m_padValue->setSingleStep(0.1);
    form->addRow(tr("pad_value"), m_padValue);
    m_scaling = new QComboBox(panel);
    m_scaling->setObjectName(QStringLiteral("gridScaling"));
    m_scaling->addItem(tr("no: values as they are"), static_cast<int>(GridScaling::CutOff));
    m_scaling->addItem(tr("black to white point (value_range)"), static_cast<int>(GridScaling::Range));
    m_scaling->addItem(tr("each image alone (scale_each)"), static_cast<int>(GridScaling::Each));
    form->addRow(tr("normalize"), m_scaling);
    auto* action = new QWidgetAction(button->menu());
    action->setDefaultWidget(panel);
    button->menu()->addAction(action);
    connect(m_padding, &QSpinBox::valueChanged, this, &ImagesScreen::showGrid);
    connect(m_padValue, &QDoubleSpinBox::valueChanged, this, &ImagesScreen::showGrid);
    connect(m_scaling, &QComboBox::currentIndexChanged, this, [this] {
        ImageLook look = m_look;
        look.each = m_scaling->currentData().toInt() == static_cast<int>(GridScaling::Each);
        setLook(look);
    });
    return button;
}

QWidget* ImagesScreen::buildGridRow() {
    auto* line = new QWidget(m_page);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    row->addWidget(quietLabel(tr("Columns"), line));
    m_columns = new QSpinBox(line);
    m_columns->setObjectName(QStringLiteral("gridColumns"));
    m_columns->setAccessibleName(tr("Images in a row"));
    m_columns->setRange(0, 100'000);
    m_columns->setSpecialValueText(tr("auto"));
    m_columns->setFixedWidth(66);
    m_columns->setToolTip(tr("nrow of make_grid."));
    connect(m_columns, &QSpinBox::valueChanged, this, &ImagesScreen::showGrid);
    row->addWidget(m_columns);
    row->addWidget(buildGridChoices());
    row->addWidget(quietLabel(tr("Labels"), line));
    m_labels = new QComboBox(line);
    m_labels->setObjectName(QStringLiteral("imageLabels"));
    m_labels->setAccessibleName(tr("Tensor of labels"));
    m_labels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_labels->setMinimumContentsLength(6);
    m_labels->setToolTip(tr("Classes of the images: a 1-d tensor of integers, one for each."));
    connect(m_labels, &QComboBox::activated, this, [this](int index) {
        m_chosenLabels = m_labels->itemData(index).toULongLong();
        showLabels();
        showPixel();
    });
    row->addWidget(m_labels);
    m_search = new QLineEdit(line);
    m_search->setObjectName(QStringLiteral("searchLabel"));
    m_search->setPlaceholderText(tr("21, cat, label 3, slot 65796"));
    m_search->setToolTip(tr("Goes to an image by its number, to the next one of a class by number or name, or to the "
                            "pixel at a slot, byte or address (0x…) of the storage."));
    m_search->setAccessibleName(tr("Find an image"));
    m_search->setMinimumWidth(80);
    connect(m_search, &QLineEdit::returnPressed, this, &ImagesScreen::search);
    row->addWidget(m_search, 1);
    row->addWidget(quietLabel(tr("Shuffle"), line));
    m_seed = new QSpinBox(line);
    m_seed->setObjectName(QStringLiteral("shuffleSeed"));
    m_seed->setAccessibleName(tr("Seed of the shuffled order"));
    m_seed->setRange(0, 999'999);
    m_seed->setSpecialValueText(tr("off"));
    m_seed->setFixedWidth(66);
    m_seed->setToolTip(tr("The order of torch.manual_seed(seed); torch.randperm(n): the same for the same seed."));
    connect(m_seed, &QSpinBox::valueChanged, this, &ImagesScreen::showGrid);
    row->addWidget(m_seed);
    return line;
}

void ImagesScreen::showLabels() {
    const Tensor& shown = shownTensor();
    const Index count = m_base.defined() && m_base.dim() == 4 ? m_base.size(0) : 0;
    const SnapshotPtr& snapshot = m_workspace->model()->snapshot();
    m_labels->clear();
    m_labels->addItem(tr("none"), QVariant::fromValue(TensorId{0}));
    // A session that was opened has other tensors.
    if (m_chosenLabels.value_or(0) != 0 && !snapshot->tensor(*m_chosenLabels)) m_chosenLabels.reset();
    const TensorEntry *chosen = nullptr, *images = snapshot->tensor(m_source);
    for (const TensorEntry& entry : snapshot->tensors) {
        if (!looksLikeLabels(entry.tensor, count)) continue;
        m_labels->addItem(entry.name, QVariant::fromValue(entry.id));
        // Until one is chosen, that which came with the images.
        const bool beside = entry.name.startsWith(QStringLiteral("labels")) && entry.tensor.numel() == count;
        if (m_chosenLabels ? entry.id == *m_chosenLabels : beside) chosen = &entry;
    }
    if (images) {
        const QString line = lineOfSet(*snapshot, *images);
        if (line != m_classNames.first) m_classNames = {line, classNamesOf(line)};
    }
    m_imageLabels = chosen && images && m_result.base.defined() && shown.defined()
                        ? ImageLabels(chosen->tensor, m_classNames.second, m_result)
                        : ImageLabels();
    if (chosen) m_labels->setCurrentText(chosen->name);
    const ImageGridView::LabelText text = [labels = m_imageLabels](Index image) { return labels.textOf(image); };
    m_grid->setLabels(m_imageLabels.isEmpty() ? ImageGridView::LabelText() : text);
    const bool alike = m_other->sheet().count() == m_grid->sheet().count();
    m_other->setLabels(m_imageLabels.isEmpty() || !alike ? ImageGridView::LabelText() : text);
}

void ImagesScreen::buildEmpty() {
    m_empty = new QWidget(this);
    auto* column = new QVBoxLayout(m_empty);
    column->addStretch();
    auto* words = new QLabel(tr("No tensor of the workspace is images."), m_empty);
    words->setProperty("heading", true);
    words->setAlignment(Qt::AlignCenter);
    column->addWidget(words);
    auto* more =
        quietLabel(tr("Images are (n, c, h, w), (n, h, w, c) or one of them, with 1 or 3 channels. Open a picture, "
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
    auto* open = new QPushButton(tr("Open…"), m_empty);
    connect(open, &QPushButton::clicked, this, [this] { Q_EMIT filesWanted({}); });
    row->addWidget(open);
    auto* download = new QPushButton(tr("Download CIFAR…"), m_empty);
    download->setObjectName(QStringLiteral("downloadImages"));
    download->setToolTip(tr("Shows what would be fetched and from where; nothing is before you say so."));
    connect(download, &QPushButton::clicked, this, &ImagesScreen::offerDownload);
    row->addWidget(download);
    row->addStretch();
    column->addLayout(row);
    column->addStretch();
}

void ImagesScreen::fillOperations() {
    QMenu* menu = m_add->menu();
    menu->clear();
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    QMenu* group = nullptr;
    const auto offer = [&](const Tensor& images, bool mistakes) {
        if (!images.defined()) return;
        for (const ImageOperation& operation : imageOperations(images)) {
            if (operation.what.isEmpty() == mistakes) continue;
            if (!group || group->title() != operation.group) group = menu->addMenu(operation.group);
            group->addAction(QStringLiteral("%1\t%2").arg(operation.title, operation.code), this, [this, operation] {
                operation.what.isEmpty() ? addStep(operation.code) : addMistake(operation);
            });
        }
    };
    offer(shownTensor(), false);
    offer(rightTensor(), true);
    menu->addSeparator();
    menu->addAction(tr("An empty step to type into"), this, [this] { addStep(QStringLiteral(".clone()")); });
}

} // namespace stridescope
