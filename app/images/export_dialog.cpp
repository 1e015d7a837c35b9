#include "app/images/export_dialog.h"

#include "widgets/images/image_tiles.h"
#include "widgets/model/words.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace stridescope {

ExportDialog::ExportDialog(const Tensor& images, const GridExport& how, const QStringList& lines, const QString& name,
                           QWidget* parent)
    : QDialog(parent), m_images(images), m_how(how), m_lines(lines), m_name(name), m_scaling(new QButtonGroup(this)) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export grid"));
    auto* column = new QVBoxLayout(this);
    const auto words = [&](const QString& text) {
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        column->addWidget(label);
        return label;
    };
    const ImageSheet sheet(images, how.columns, how.padding);
    words(tr("%1 × %2 images, %3 × %4 pixels, at 1×, padding %5.")
              .arg(sheet.down())
              .arg(sheet.across())
              .arg(sheet.size().width())
              .arg(sheet.size().height())
              .arg(sheet.padding()));
    const OutsideCounts outside = countOutside(images);
    const bool floating = isFloating(images.dtype());
    const QString range = floating ? tr("0 … 1") : tr("0 … 255");
    QStringList told;
    if (outside.below > 0) told << tr("%1 values lie below it").arg(countText(outside.below));
    if (outside.above > 0) told << tr("%1 above it").arg(countText(outside.above));
    if (outside.infinities > 0) told << tr("%1 of these are infinite").arg(countText(outside.infinities));
    if (outside.nans > 0) told << tr("%1 are NaN and become 0").arg(countText(outside.nans));
    auto* counts = words(
        outside.any() ? tr("⚠ A picture holds %1: %2%3.")
                            .arg(range, outside.sampled ? tr("about ") : QString(), told.join(QStringLiteral(", ")))
                      : tr("All values are within %1.").arg(range));
    counts->setObjectName(QStringLiteral("exportCounts"));
    const auto choice = [&](GridScaling scaling, const char* objectName, const QString& text) {
        auto* button = new QRadioButton(text, this);
        button->setObjectName(QString::fromLatin1(objectName));
        m_scaling->addButton(button, static_cast<int>(scaling));
        column->addWidget(button);
    };
    choice(GridScaling::CutOff, "exportCutOff",
           outside.any() ? tr("Cut them off, as save_image does") : tr("As they are, as save_image does"));
    choice(GridScaling::Range, "exportRange",
           tr("Scale %1 … %2, the black and white points, to it (normalize)").arg(how.black).arg(how.white));
    choice(GridScaling::Each, "exportEach", tr("Scale each image from its lowest to its highest value (scale_each)"));
    m_scaling->button(static_cast<int>(how.scaling))->setChecked(true);
    m_line = new QPlainTextEdit(this);
    m_line->setObjectName(QStringLiteral("exportLine"));
    m_line->setAccessibleName(tr("The line that does the same"));
    m_line->setReadOnly(true);
    m_line->setProperty("mono", true);
    m_line->setMinimumSize(560, 64);
    m_line->setMaximumHeight(76);
    column->addWidget(m_line);
    auto* row = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy line"), this);
    row->addWidget(copy);
    row->addStretch();
    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* save = new QPushButton(tr("Save as…"), this);
    save->setObjectName(QStringLiteral("exportSave"));
    save->setProperty("kind", QStringLiteral("primary"));
    save->setDefault(true);
    row->addWidget(cancel);
    row->addWidget(save);
    column->addLayout(row);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_line->toPlainText()); });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, [this] {
        accept();
        Q_EMIT saveWanted(chosen());
    });
    connect(m_scaling, &QButtonGroup::idToggled, this, &ExportDialog::showLine);
    showLine();
}

GridExport ExportDialog::chosen() const {
    GridExport how = m_how;
    how.scaling = static_cast<GridScaling>(m_scaling->checkedId());
    return how;
}

void ExportDialog::showLine() {
    m_line->setPlainText((m_lines + QStringList(saveLine(m_images, chosen(), m_name, QStringLiteral("images.png"))))
                             .join(QLatin1Char('\n')));
}

} // namespace stridescope
