// What the images' screen does besides showing: searching, copying, saving.

#include "app/images/download_dialog.h"
#include "app/images/export_dialog.h"
#include "app/images/images_screen.h"
#include "core/io/png.h"
#include "core/io/text.h"
#include "widgets/images/image_grid_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStandardPaths>

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

QString ImagesScreen::undoTitle() const {
    return m_history.canUndo() ? tr("change of the list of operations") : QString();
}

QString ImagesScreen::redoTitle() const {
    return m_history.canRedo() ? tr("change of the list of operations") : QString();
}

void ImagesScreen::undo() {
    if (m_history.canUndo()) takeSteps(m_history.undo(m_steps));
}

void ImagesScreen::redo() {
    if (m_history.canRedo()) takeSteps(m_history.redo(m_steps));
}

void ImagesScreen::takeSteps(std::vector<ChainStep> steps) {
    m_steps = std::move(steps);
    rerun();
    Q_EMIT historyChanged();
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

/// "21", "cat", "label 3", "slot 65796", "byte 263184", "0x7f00…": images, their classes, places in the storage.
void ImagesScreen::search() {
    static const QRegularExpression pattern(QStringLiteral("^(label|class|slot|byte|index)?\\s*(-?\\d+)$"),
                                            QRegularExpression::CaseInsensitiveOption);
    const ImageSheet& sheet = m_grid->sheet();
    const QString wanted = m_search->text().trimmed();
    if (sheet.isEmpty() || wanted.isEmpty()) return;
    const auto go = [&](Index image) {
        m_grid->pick({image, sheet.imageHeight() / 2, sheet.imageWidth() / 2});
        m_grid->reveal(image);
    };
    const auto item = static_cast<Index>(sheet.tensor().itemSize());
    if (wanted.startsWith(QStringLiteral("0x"), Qt::CaseInsensitive)) {
        const auto base = reinterpret_cast<quintptr>(sheet.tensor().storage()->data());
        bool isNumber = false;
        const quintptr address = wanted.mid(2).toULongLong(&isNumber, 16);
        if (isNumber && address >= base) return pickSlot(static_cast<Index>(address - base) / item);
        return Q_EMIT statusTextChanged(tr("The storage begins at 0x%1.").arg(base, 0, 16));
    }
    const auto match = pattern.match(wanted);
    const QString kind = match.captured(1).toLower();
    const Index number = match.captured(2).toLongLong();
    if (kind == QStringLiteral("slot") || kind == QStringLiteral("index")) return pickSlot(number);
    if (kind == QStringLiteral("byte")) return pickSlot(number / item);
    if (match.hasMatch() && kind.isEmpty()) {
        if (number >= 0 && number < sheet.count()) return go(number);
        return Q_EMIT statusTextChanged(tr("Images are numbered 0 to %1.").arg(sheet.count() - 1));
    }
    if (m_imageLabels.isEmpty())
        return Q_EMIT statusTextChanged(tr("Choose a tensor of labels first, or type the number of an image."));
    const QString label = match.hasMatch() ? match.captured(2) : wanted;
    const Index from = m_grid->picked() ? m_grid->picked()->image + 1 : 0;
    if (const auto found = m_imageLabels.next(label, from)) return go(*found);
    Q_EMIT statusTextChanged(tr("No image has the class %1.").arg(label.left(40)));
}

void ImagesScreen::pickSlot(Index slot) {
    const ImageSheet& sheet = m_grid->sheet();
    const auto found = sheet.pixelOfSlot(slot);
    if (!found)
        return Q_EMIT statusTextChanged(sheet.isEmpty() || slot < 0 || slot >= sheet.tensor().storageNumel()
                                            ? tr("The storage has no slot %1.").arg(slot)
                                            : tr("No pixel of these images lies at slot %1.").arg(slot));
    m_grid->pick(found->first);
    m_grid->reveal(found->first.image);
}

DownloadDialog* ImagesScreen::offerDownload() {
    if (m_downloadFolder.isEmpty())
        m_downloadFolder = QStandardPaths::writableLocation(QStandardPaths::DownloadLocation);
    auto* dialog = new DownloadDialog(offeredSets(), m_downloadFolder, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DownloadDialog::folderChosen, this, [this](const QString& folder) { m_downloadFolder = folder; });
    connect(dialog, &DownloadDialog::ownFileWanted, this, [this] { Q_EMIT filesWanted({}); });
    connect(dialog, &DownloadDialog::fetched, this, [this](const QString& path) {
        m_wantsNewest = true;
        Q_EMIT filesWanted({path});
    });
    dialog->open();
    return dialog;
}

QStringList ImagesScreen::lines() const {
    const TensorEntry* entry = m_workspace->model()->snapshot()->tensor(m_source);
    return entry ? chainLines(entry->name, m_workspace->nextName(), m_steps, m_result) : QStringList();
}

/// What makes the shown images of the workspace's tensor, and what to call them then: one expression where that is
/// enough, else lines that give them a name.
std::pair<QStringList, QString> ImagesScreen::linesOfImages() const {
    const TensorEntry* entry = m_workspace->model()->snapshot()->tensor(m_source);
    QStringList made = lines();
    if (!entry || made.isEmpty()) return {{}, entry ? entry->name : QStringLiteral("x")};
    const QString name = made.last().section(QStringLiteral(" = "), 0, 0), assigns = name + QStringLiteral(" = ");
    if (made.size() == 1 && made.first().startsWith(assigns)) return {{}, made.first().mid(assigns.size())};
    return {made, m_workspace->nextName()};
}

void ImagesScreen::copyLines() {
    QGuiApplication::clipboard()->setText(lines().join(QLatin1Char('\n')));
    Q_EMIT statusTextChanged(tr("%n line(s) copied.", nullptr, static_cast<int>(lines().size())));
}

GridExport ImagesScreen::exportChoices() const {
    GridExport how;
    // What is saved is laid out as what is seen.
    how.columns = m_grid->sheet().isEmpty() ? columns() : m_grid->sheet().across();
    how.padding = m_padding->value();
    how.padValue = m_padValue->value();
    how.scaling = static_cast<GridScaling>(m_scaling->currentData().toInt());
    how.black = m_look.black;
    how.white = m_look.white;
    how.order = order();
    how.seed = m_seed->value();
    return how;
}

void ImagesScreen::askToExport() {
    finishRun();
    if (!ImageSheet::whyNot(shownTensor()).isEmpty()) return Q_EMIT statusTextChanged(tr("There are no images."));
    // Overwrites are of bytes, which a picture holds whatever they are.
    const auto [made, name] = linesOfImages();
    auto* dialog = new ExportDialog(shownTensor(), exportChoices(), made, name, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::saveWanted, this, [this](const GridExport& how) {
        const QString path = QFileDialog::getSaveFileName(this, tr("Export grid"), QStringLiteral("images.png"),
                                                          tr("Images (*.png *.jpg *.bmp *.tga)"));
        if (!path.isEmpty()) exportTo(path, how);
    });
    dialog->open();
}

void ImagesScreen::exportTo(const QString& path, const GridExport& how) {
    if (m_export.isBusy()) return Q_EMIT statusTextChanged(tr("A grid is still being saved."));
    finishRun();
    const auto format = imageFormatOf(QFileInfo(path).suffix().toStdString());
    if (!format) return Q_EMIT statusTextChanged(tr("Not saved: the name ends in none of .png, .jpg, .bmp and .tga."));
    const auto words = std::make_shared<QString>();
    m_export.start(
        [shown = shownTensor(), overwrites = m_result.overwrites(), how, path, format, words,
         name = linesOfImages().second](Job& job) {
            const JobScope scope(job);
            const auto refused = [&](const Refusal& refusal) {
                *words = tr("Not saved: %1. %2")
                             .arg(QString::fromStdString(refusal.message), QString::fromStdString(refusal.hint));
            };
            const Tensor images = carriedOut(shown, overwrites);
            const Result<Tensor> image = exportedGrid(images, how);
            if (!image) return refused(image.refusal());
            const auto bytes = encodeImage(*image, *format);
            if (!bytes) return refused(bytes.refusal());
            const auto saved = saveAtomically(std::filesystem::path(QFile::encodeName(path).toStdString()), *bytes);
            if (!saved) return refused(saved.refusal());
            const QString file = QFileInfo(path).fileName();
            *words = tr("Saved %1: %2 × %3 pixels, as %4")
                         .arg(file)
                         .arg(image->size(1))
                         .arg(image->size(0))
                         .arg(saveLine(images, how, name, file).replace(QLatin1Char('\n'), QStringLiteral("; ")));
        },
        [this, words] { Q_EMIT statusTextChanged(*words); });
}

} // namespace stridescope
