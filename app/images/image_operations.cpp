#include "app/images/image_operations.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope", text);
}

const QRegularExpression& killPattern() {
    static const QRegularExpression pattern(QStringLiteral("^\\.narrow\\(1, (\\d+), (\\d+)\\)\\.fill_\\([^()]*\\)$"));
    return pattern;
}

bool isColourCount(Index channels) {
    return channels == 1 || channels == 3;
}

bool channelsLast(const Tensor& t) {
    return (t.dim() == 3 || t.dim() == 4) && !isColourCount(t.size(-3)) && isColourCount(t.size(-1));
}

} // namespace

bool looksLikeImages(const Tensor& t) {
    if (!t.device().isCpu() || isComplex(t.dtype()) || t.numel() == 0 || t.dim() < 2 || t.dim() > 4) return false;
    // A small table of numbers is no picture.
    if (t.dim() == 2) return t.size(0) >= 8 && t.size(1) >= 8;
    if (t.size(-1) < 2 && t.size(-2) < 2) return false;
    return isColourCount(t.size(-3)) || channelsLast(t);
}

std::vector<ChainStep> stepsToImages(const Tensor& t) {
    if (!channelsLast(t)) return {};
    return {{t.dim() == 4 ? QStringLiteral(".permute(0, 3, 1, 2)") : QStringLiteral(".permute(2, 0, 1)")}};
}

std::vector<ImageOperation> imageOperations(const Tensor& t) {
    if (t.dim() != 4) return {};
    const Index n = t.size(0), c = t.size(1), h = t.size(2), w = t.size(3);
    const QString part = tr("Part"), order = tr("Order"), values = tr("Values"), colour = tr("Colour"),
                  wrong = tr("Mistakes");
    const auto four = [](const char* pattern, Index a, Index b, Index d, Index e) {
        return QString::fromLatin1(pattern).arg(a).arg(b).arg(d).arg(e);
    };
    std::vector<ImageOperation> all{
        {part, tr("The first %1 images").arg(std::min<Index>(n, 48)),
         QStringLiteral(".narrow(0, 0, %1)").arg(std::min<Index>(n, 48))},
        {part, tr("Crop to the middle"),
         four(".narrow(2, %1, %2).narrow(3, %3, %4)", h / 4, std::max<Index>(h / 2, 1), w / 4,
              std::max<Index>(w / 2, 1))},
        {part, tr("Every second pixel"), QStringLiteral("[:, :, ::2, ::2]")},
        {part, tr("Every second image"), QStringLiteral("[::2]")},
        {order, tr("Transpose rows and columns"), QStringLiteral(".transpose(2, 3)")},
        {order, tr("Channels last (NHWC)"), QStringLiteral(".permute(0, 2, 3, 1)")},
        {order, tr("Flip left and right"), QStringLiteral(".flip(3)")},
        {order, tr("Flip top and bottom"), QStringLiteral(".flip(2)")},
        {order, tr("Contiguous"), QStringLiteral(".contiguous()")},
        {values, tr("To float"), QStringLiteral(".float()")},
        {values, tr("Divide by 255"), QStringLiteral(".div(255)")},
        {values, tr("0 … 1 to -1 … 1"), QStringLiteral(".mul(2).sub(1)")},
        {values, tr("Brighter"), QStringLiteral(".add(0.2)")},
        {values, tr("More contrast"), QStringLiteral(".sub(0.5).mul(1.5).add(0.5)")},
    };
    if (c == 3) {
        const QString mean = QStringLiteral("torch.tensor([0.4914, 0.4822, 0.4465]).view(3, 1, 1)");
        const QString spread = QStringLiteral("torch.tensor([0.247, 0.2435, 0.2616]).view(3, 1, 1)");
        all.push_back(
            {values, tr("Normalise by CIFAR-10's channels"), QStringLiteral(".sub(%1).div(%2)").arg(mean, spread)});
        all.push_back({values, tr("Undo that normalisation"), QStringLiteral(".mul(%2).add(%1)").arg(mean, spread)});
        all.push_back({values, tr("Normalise by these images' channels"),
                       QStringLiteral(".sub(x.mean((0, 2, 3), True)).div(x.std((0, 2, 3), keepdim=True))")});
        const QString letters = QStringLiteral("RGB");
        for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
            all.push_back({colour, tr("Swap %1 and %2").arg(letters[a]).arg(letters[b]), swapCode(a, b)});
        for (int channel = 0; channel < 3; ++channel)
            all.push_back(
                {colour, tr("Only %1").arg(letters[channel]), QStringLiteral(".narrow(1, %1, 1)").arg(channel)});
    }
    if (c > 1) all.push_back({colour, tr("Grey (mean of the channels)"), QStringLiteral(".mean(1, True)")});
    if (n > 1)
        all.push_back({colour, tr("Difference to the image before"),
                       QStringLiteral(".narrow(0, 1, %1).sub(x.narrow(0, 0, %1))").arg(n - 1)});
    all.push_back({wrong, tr("view where permute was meant"),
                   four(".permute(0, 2, 3, 1).contiguous().view(%1, %2, %3, %4)", n, c, h, w),
                   tr("view keeps the order of the elements and cuts it elsewhere: colours of one pixel land in three "
                      "places. Right is permute(0, 3, 1, 2), which moves the strides with the sizes.")});
    all.push_back({wrong, tr("Height, width, channels taken for channels, height, width"),
                   QStringLiteral(".permute(0, 2, 3, 1)"),
                   tr("The last dim is the channels, but is drawn as columns: %1 channels of %2 × %3 pixels. Right is "
                      "permute(0, 3, 1, 2).")
                       .arg(h)
                       .arg(w)
                       .arg(c)});
    all.push_back({wrong, tr("Red and blue swapped (BGR)"), QStringLiteral(".flip(1)"),
                   tr("Other libraries keep blue first. Right is flip(1), once.")});
    all.push_back({wrong, tr("Floats that are not between 0 and 1"), QStringLiteral(".float().mul(255)"),
                   tr("Floats are drawn and saved from 0 to 1: what is above 1 is cut off to white. Right is "
                      "div(255).")});
    return all;
}

std::set<int> killedChannels(const std::vector<ChainStep>& steps) {
    std::set<int> killed;
    for (const ChainStep& step : steps) {
        const auto match = killPattern().match(step.code);
        if (!step.on || !match.hasMatch()) continue;
        for (int c = 0; c < match.captured(2).toInt() && c < 64; ++c) killed.insert(match.captured(1).toInt() + c);
    }
    return killed;
}

std::vector<ChainStep> withKilled(std::vector<ChainStep> steps, const std::set<int>& channels, const QString& value) {
    std::size_t at = steps.size();
    for (std::size_t i = steps.size(); i-- > 0;) {
        if (!killPattern().match(steps[i].code).hasMatch()) continue;
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
        at = i;
    }
    for (auto from = channels.begin(); from != channels.end();) {
        auto to = from;
        int count = 0;
        while (to != channels.end() && *to == *from + count) ++to, ++count;
        const QString code = QStringLiteral(".narrow(1, %1, %2).fill_(%3)").arg(*from).arg(count).arg(value);
        steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at++), {code});
        from = to;
    }
    return steps;
}

QString swapCode(int a, int b) {
    int order[] = {0, 1, 2};
    std::swap(order[a], order[b]);
    return QStringLiteral(".index_select(1, torch.tensor([%1, %2, %3]))").arg(order[0]).arg(order[1]).arg(order[2]);
}

QString lettersAfter(const Tensor& base, const std::vector<ChainStep>& steps, const ChainResult& result) {
    static const QRegularExpression pattern(QStringLiteral("^\\.(transpose|permute)\\(([-\\d, ]+)\\)$"));
    QString letters = channelsLast(base) ? QStringLiteral("NHWC") : QStringLiteral("NCHW");
    letters = letters.right(static_cast<qsizetype>(base.dim()));
    if (base.dim() < 2 || base.dim() > 4) return {};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].on || result.steps[i].cost == ChainOutcome::Cost::Refused) continue;
        if (result.steps[i].tensor.dim() != letters.size()) return {};
        const auto match = pattern.match(steps[i].code);
        if (!match.hasMatch()) continue;
        QString moved = letters;
        std::vector<qsizetype> dims;
        for (const QString& text : match.captured(2).split(QLatin1Char(',')))
            dims.push_back((text.trimmed().toInt() + letters.size()) % letters.size());
        if (match.captured(1) == QStringLiteral("transpose") && dims.size() == 2)
            std::swap(moved[dims[0]], moved[dims[1]]);
        else if (static_cast<qsizetype>(dims.size()) == letters.size())
            for (std::size_t d = 0; d < dims.size(); ++d) moved[static_cast<qsizetype>(d)] = letters[dims[d]];
        letters = moved;
    }
    return letters;
}

} // namespace stridescope
