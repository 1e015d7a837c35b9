// What the images' screen does besides showing: searching, copying, saving.

#include "app/images/images_screen.h"
#include "core/io/png.h"
#include "core/io/text.h"
#include "core/ops/copy.h"
#include "core/ops/image_grid.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "widgets/images/image_grid_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QRegularExpression>

#include <filesystem>

namespace stridescope {

bool ImagesScreen::canZoom() const {
    return !m_grid->sheet().isEmpty();
}

void ImagesScreen::zoom(Zoom step) {
    const QPointF middle(m_grid->width() / 2.0, m_grid->height() / 2.0);
    switch (step) {
    case Zoom::In:
        m_grid->zoomTo(m_grid->zoom() * kZoomStep, middle);
        break;
    case Zoom::Out:
        m_grid->zoomTo(m_grid->zoom() / kZoomStep, middle);
        break;
    case Zoom::Actual:
        m_grid->zoomTo(1, middle);
        break;
    case Zoom::Whole:
        m_grid->fit();
        break;
    }
}

void ImagesScreen::takeSamples() {
    const auto freeName = [this](const QString& wish) {
        return m_workspace->hasName(wish) ? m_workspace->nextName() : wish;
    };
    const QString set = QStringLiteral("torchvision.datasets.SampleImages()");
    m_wantsNewest = true;
    Q_EMIT runRequested(QStringLiteral("%1 = torch.from_numpy(%2.data)\n%3 = torch.tensor(%2.targets)")
                            .arg(freeName(QStringLiteral("images")), set, freeName(QStringLiteral("labels"))));
}

void ImagesScreen::searchLabel() {
    static const QRegularExpression pattern(QStringLiteral("^\\s*(label)?\\s*(-?\\d+)\\s*$"),
                                            QRegularExpression::CaseInsensitiveOption);
    const ImageSheet& sheet = m_grid->sheet();
    const auto match = pattern.match(m_search->text());
    if (sheet.isEmpty() || !match.hasMatch())
        return Q_EMIT statusTextChanged(tr("Type a number, or label and a number."));
    const Index number = match.captured(2).toLongLong();
    const auto go = [&](Index image) {
        m_grid->pick({image, sheet.imageHeight() / 2, sheet.imageWidth() / 2});
        m_grid->reveal(image);
    };
    if (match.captured(1).isEmpty()) {
        if (number >= 0 && number < sheet.count()) return go(number);
        return Q_EMIT statusTextChanged(tr("Images are numbered 0 to %1.").arg(sheet.count() - 1));
    }
    const TensorEntry* labels = m_workspace->model()->snapshot()->tensor(m_labels->currentData().toULongLong());
    const Index from = m_grid->picked() ? m_grid->picked()->image + 1 : 0;
    for (Index i = 0; labels && i < sheet.count(); ++i) {
        const Index coord[] = {(from + i) % sheet.count()};
        if (coord[0] < labels->tensor.numel() && readElement(labels->tensor, coord).toInt() == number)
            return go(coord[0]);
    }
    Q_EMIT statusTextChanged(labels ? tr("No image has label %1.").arg(number)
                                    : tr("Choose a tensor of labels first."));
}

QStringList ImagesScreen::lines() const {
    const TensorEntry* entry = m_workspace->model()->snapshot()->tensor(m_source);
    return entry ? chainLines(entry->name, m_workspace->nextName(), m_steps, m_result) : QStringList();
}

void ImagesScreen::copyLines() {
    QGuiApplication::clipboard()->setText(lines().join(QLatin1Char('\n')));
    Q_EMIT statusTextChanged(tr("%n line(s) copied.", nullptr, static_cast<int>(lines().size())));
}

namespace {

Result<Tensor> gridOf(const Tensor& images, Index columns) {
    if (!images.defined()) return Refusal{ErrorKind::Value, "GRID-03", "there are no images to save", {}, {}};
    try {
        GridOptions options;
        options.nrow = columns;
        const Tensor grid = makeGrid(images, options);
        // Bytes are saved as they are; torchvision wants them as floats from 0 to 1, which gives the same.
        if (grid.dtype() == DType::UInt8) return contiguous(permute(grid, {1, 2, 0}));
        return imageBytes(grid);
    } catch (const Error& error) {
        return error.refusal();
    }
}

} // namespace

Result<Tensor> ImagesScreen::gridImage() const {
    return gridOf(shownTensor(), columns());
}

void ImagesScreen::askToExport() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export grid"), QStringLiteral("images.png"),
                                                      tr("Images (*.png *.jpg *.bmp *.tga)"));
    if (!path.isEmpty()) exportTo(path);
}

void ImagesScreen::exportTo(const QString& path) {
    if (m_export.isBusy()) return Q_EMIT statusTextChanged(tr("A grid is still being saved."));
    finishRun();
    const auto format = imageFormatOf(QFileInfo(path).suffix().toStdString());
    if (!format) return Q_EMIT statusTextChanged(tr("Not saved: the name ends in none of .png, .jpg, .bmp and .tga."));
    const auto words = std::make_shared<QString>();
    m_export.start(
        [images = shownTensor(), nrow = columns(), path, format, words](Job& job) {
            const JobScope scope(job);
            const auto refused = [&](const Refusal& refusal) {
                *words = tr("Not saved: %1. %2")
                             .arg(QString::fromStdString(refusal.message), QString::fromStdString(refusal.hint));
            };
            const Result<Tensor> image = gridOf(images, nrow);
            if (!image) return refused(image.refusal());
            const auto bytes = encodeImage(*image, *format);
            if (!bytes) return refused(bytes.refusal());
            const auto saved = saveAtomically(std::filesystem::path(QFile::encodeName(path).toStdString()), *bytes);
            if (!saved) return refused(saved.refusal());
            *words = tr("Saved %1: %2 × %3 pixels, as torchvision.utils.save_image(x, \"%1\", nrow=%4).")
                         .arg(QFileInfo(path).fileName())
                         .arg(image->size(1))
                         .arg(image->size(0))
                         .arg(nrow);
        },
        [this, words] { Q_EMIT statusTextChanged(*words); });
}

} // namespace stridescope
