#include "app/images/image_labels.h"

#include "app/files/picture_folder.h"
#include "core/io/cifar.h"
#include "core/io/sample_images.h"
#include "core/ops/copy.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace stridescope {

ImageLabels::ImageLabels(const Tensor& labels, QStringList names, const ChainResult& result)
    : m_names(std::move(names)) {
    const std::vector<Index> images = imagesAfter(result);
    if (images.empty()) return;
    const Tensor numbers = contiguous(to(labels, DType::Int64));
    const Index* data = numbers.data<Index>();
    m_classes.reserve(images.size());
    for (const Index image : images) m_classes.push_back(image < numbers.numel() ? data[image] : -1);
}

QString ImageLabels::textOf(Index image) const {
    if (image < 0 || image >= static_cast<Index>(m_classes.size())) return {};
    const Index number = m_classes[static_cast<std::size_t>(image)];
    if (number < 0 || (!m_names.isEmpty() && number >= m_names.size())) return QStringLiteral("?");
    if (m_names.isEmpty()) return QString::number(number);
    return QStringLiteral("%1 %2").arg(number).arg(m_names[static_cast<qsizetype>(number)]);
}

std::optional<Index> ImageLabels::next(const QString& wanted, Index from) const {
    bool isNumber = false;
    Index number = wanted.toLongLong(&isNumber);
    if (!isNumber) {
        number = -2;
        for (qsizetype i = 0; i < m_names.size() && number < 0; ++i)
            if (m_names[i].compare(wanted, Qt::CaseInsensitive) == 0) number = i;
        for (qsizetype i = 0; i < m_names.size() && number < 0; ++i)
            if (m_names[i].startsWith(wanted, Qt::CaseInsensitive)) number = i;
    }
    const auto count = static_cast<Index>(m_classes.size());
    for (Index i = 0; i < count && number >= -1; ++i) {
        const Index image = (from + i) % count;
        if (m_classes[static_cast<std::size_t>(image)] == number) return image;
    }
    return std::nullopt;
}

namespace {

QStringList classNames(CifarKind kind) {
    QStringList names;
    for (const std::string& name : cifarClassNames(kind)) names << QString::fromStdString(name);
    return names;
}

const QRegularExpression& folderOfClasses() {
    static const QRegularExpression folder(QStringLiteral("pathlib\\.Path\\(\"(.*)\"\\)\\.glob\\(\"\\*/\\*\"\\)"));
    return folder;
}

} // namespace

QString lineOfSet(const WorkspaceSnapshot& snapshot, const TensorEntry& images) {
    for (const TensorEntry* entry = &images; entry; entry = snapshot.tensor(entry->parent)) {
        const QString& code = entry->code;
        for (const char* set : {"SampleImages", "CIFAR10", ".view(-1, 3074)", ".view(-1, 3073)"})
            if (code.contains(QLatin1String(set))) return code;
        if (code.contains(folderOfClasses())) return code;
    }
    return {};
}

QStringList classNamesOf(const QString& code) {
    if (code.contains(QStringLiteral("SampleImages"))) {
        QStringList names;
        for (const char* name : sampleClasses()) names << QString::fromLatin1(name);
        return names;
    }
    if (code.contains(QStringLiteral("CIFAR100")) || code.contains(QStringLiteral(".view(-1, 3074)")))
        return classNames(CifarKind::Hundred);
    if (code.contains(QStringLiteral("CIFAR10")) || code.contains(QStringLiteral(".view(-1, 3073)")))
        return classNames(CifarKind::Ten);
    if (const auto match = folderOfClasses().match(code); match.hasMatch()) return pictureClasses(match.captured(1));
    return {};
}

bool looksLikeLabels(const Tensor& labels, Index count) {
    return count > 0 && labels.dim() == 1 && labels.numel() >= count && !isFloating(labels.dtype()) &&
           !isComplex(labels.dtype()) && labels.device().isCpu();
}

} // namespace stridescope
