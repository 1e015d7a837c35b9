#include "app/files/picture_folder.h"

#include "app/files/picture_process.h"
#include "core/io/file_kind.h"
#include "core/io/text.h"
#include "core/ops/creation.h"
#include "core/ops/joining.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <filesystem>
#include <map>

namespace stridescope {

namespace {

/// More than these are not looked for: a mistaken folder must not keep the window busy for ever.
constexpr int kMostPictures = 200'000;

struct FoundPicture {
    QString path;
    Index label = 0;
    FileKind kind = FileKind::Unknown;
};

std::optional<FileKind> pictureKindOf(const QString& path) {
    const auto kind = openableKindOf(std::filesystem::path(QFile::encodeName(path).toStdString()));
    if (!kind) return std::nullopt;
    const bool picture =
        *kind == FileKind::Png || *kind == FileKind::Jpeg || *kind == FileKind::Bmp || *kind == FileKind::Pnm;
    return picture ? std::optional(*kind) : std::nullopt;
}

/// The pictures right in a folder, by name; what is something else is counted.
void findIn(const QString& folder, Index label, std::vector<FoundPicture>& found, int& others) {
    const QDir dir(folder);
    for (const QString& name : dir.entryList(QDir::Files, QDir::Name)) {
        if (static_cast<int>(found.size()) >= kMostPictures) return;
        const QString path = dir.filePath(name);
        const std::optional<FileKind> kind = pictureKindOf(path);
        kind ? found.push_back({path, label, *kind}) : static_cast<void>(++others);
    }
}

Refusal noPictures() {
    return Refusal{ErrorKind::Io,
                   "OPEN-03",
                   "the folder holds no pictures and no files of CIFAR",
                   "Pictures are PNG, JPEG, BMP, PPM or PGM files in it, or in folders named after their classes.",
                   {}};
}

} // namespace

QStringList pictureClasses(const QString& path) {
    return QDir(path).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
}

void openPictureFolder(OpenedFile& file, const Budget& budget) {
    std::vector<FoundPicture> found;
    int others = 0;
    findIn(file.path, 0, found, others);
    const QStringList classes = pictureClasses(file.path);
    const bool labelled = found.empty() && !classes.isEmpty();
    for (qsizetype label = 0; labelled && label < classes.size(); ++label)
        findIn(QDir(file.path).filePath(classes[label]), label, found, others);
    if (found.empty()) {
        file.refusal = noPictures();
        return;
    }
    std::vector<Tensor> pictures;
    std::vector<Index> labels;
    std::map<std::vector<Index>, int> shapes;
    QStringList refused, conversions;
    int unread = 0;
    Budget each = budget; // one clock and one way to stop, but progress by files
    each.progress = [&](std::uint64_t, std::uint64_t) {
        return !budget.progress || budget.progress(pictures.size() + static_cast<std::size_t>(unread), found.size());
    };
    PictureReader reader;
    for (const FoundPicture& picture : found) {
        if (auto stop = each.check(0, 0)) {
            file.refusal = *stop;
            return;
        }
        auto read = reader.read(picture.path, picture.kind, each);
        if (!read) {
            if (++unread <= 3)
                refused << QStringLiteral("%1: %2").arg(QFileInfo(picture.path).fileName(),
                                                        QString::fromStdString(read.refusal().message));
            continue;
        }
        const Dims& shape = read->tensor.shape();
        ++shapes[{shape.begin(), shape.end()}];
        pictures.push_back(read->tensor);
        conversions << read->notes;
        labels.push_back(picture.label);
    }
    const auto most = std::max_element(shapes.begin(), shapes.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == shapes.end()) {
        file.refusal = noPictures();
        file.notes = refused;
        return;
    }
    std::vector<Tensor> same;
    std::vector<Index> sameLabels;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const Dims& shape = pictures[i].shape();
        if (!std::equal(shape.begin(), shape.end(), most->first.begin(), most->first.end())) continue;
        same.push_back(pictures[i]);
        sameLabels.push_back(labels[i]);
    }
    file.runnable = false; // the line language has no loops over files
    const QString name = QString::fromStdString(sanitiseForDisplay(file.path.toStdString(), 200));
    file.tensors.push_back({QStringLiteral("images"),
                            QStringLiteral("torch.stack([torch.from_numpy(numpy.array(PIL.Image.open(p)%3)) for p in "
                                           "sorted(pathlib.Path(\"%1\").glob(\"%2\"))])")
                                .arg(name, labelled ? QStringLiteral("*/*") : QStringLiteral("*"),
                                     conversionInCode(same.front(), conversions)),
                            stack(same, 0)});
    if (labelled) {
        Tensor numbers = empty({static_cast<Index>(sameLabels.size())}, {DType::Int64, Device{}});
        std::copy(sameLabels.begin(), sameLabels.end(), numbers.data<Index>());
        file.tensors.push_back(
            {QStringLiteral("labels"),
             QStringLiteral("torch.tensor(torchvision.datasets.ImageFolder(\"%1\").targets)").arg(name), numbers});
        file.notes << QObject::tr("%1 folders are the classes 0 to %2, in the order of their names.")
                          .arg(classes.size())
                          .arg(classes.size() - 1);
    }
    const auto left = pictures.size() - same.size();
    if (left > 0)
        file.notes << (left == 1 ? QObject::tr("1 picture of another size was left out; most have %1.")
                                 : QObject::tr("%1 pictures of other sizes were left out; most have %2.").arg(left))
                          .arg(QString::fromStdString(toListString(same.front().shape())));
    if (unread > 0)
        file.notes << (unread == 1 ? QObject::tr("1 picture could not be read.")
                                   : QObject::tr("%1 pictures could not be read.").arg(unread))
                   << refused;
    if (others > 0)
        file.notes << (others == 1 ? QObject::tr("1 other file was passed over.")
                                   : QObject::tr("%1 other files were passed over.").arg(others));
}

} // namespace stridescope
