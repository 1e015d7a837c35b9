#include "app/images/image_operations.h"

#include "app/images/image_channels.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace stridescope {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("stridescope", text);
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

namespace {

/// What operations are made for: the sizes of the pictures, and the numbers of their dims, which are others in one
/// picture than in many.
struct Operations {
    explicit Operations(const Tensor& t)
        : dims(t.dim()), n(dims == 4 ? t.size(0) : 1), c(dims > 2 ? t.size(-3) : 1), h(t.size(-2)), w(t.size(-1)),
          unit(isFloating(t.dtype()) ? QString() : QStringLiteral(".float().div(255)")) {}

    void add(const QString& group, const QString& title, const QString& code, const QString& what = {},
             const QString& right = {}) {
        all.push_back({group, title, code, what, right});
    }
    Index channel() const { return dims - 3; }
    Index row() const { return dims - 2; }
    Index column() const { return dims - 1; }
    QString channelsLast() const {
        return dims == 4 ? QStringLiteral(".permute(0, 2, 3, 1)") : QStringLiteral(".permute(1, 2, 0)");
    }
    QString channelsFirst() const {
        return dims == 4 ? QStringLiteral("permute(0, 3, 1, 2)") : QStringLiteral("permute(2, 0, 1)");
    }

    Index dims, n, c, h, w;
    QString unit; ///< what brings bytes to 0 … 1 first
    std::vector<ImageOperation> all;
};

void addParts(Operations& to) {
    const QString part = tr("Part");
    if (to.dims == 4)
        to.add(part, tr("The first %1 images").arg(std::min<Index>(to.n, 48)),
               QStringLiteral(".narrow(0, 0, %1)").arg(std::min<Index>(to.n, 48)));
    const auto middle = [](Index dim, Index size) {
        return QStringLiteral(".narrow(%1, %2, %3)").arg(dim).arg(size / 4).arg(std::max<Index>(size / 2, 1));
    };
    to.add(part, tr("Crop to the middle"), middle(to.row(), to.h) + middle(to.column(), to.w));
    to.add(part, tr("Every second pixel"),
           QLatin1Char('[') + QStringLiteral(":, ").repeated(static_cast<qsizetype>(to.row())) +
               QStringLiteral("::2, ::2]"));
    if (to.dims == 4) to.add(part, tr("Every second image"), QStringLiteral("[::2]"));
}

void addOrders(Operations& to) {
    const QString order = tr("Order");
    to.add(order, tr("Transpose rows and columns"),
           QStringLiteral(".transpose(%1, %2)").arg(to.row()).arg(to.column()));
    if (to.dims > 2)
        to.add(order, to.dims == 4 ? tr("Channels last (NHWC)") : tr("Channels last (HWC)"), to.channelsLast());
    to.add(order, tr("Flip left and right"), QStringLiteral(".flip(%1)").arg(to.column()));
    to.add(order, tr("Flip top and bottom"), QStringLiteral(".flip(%1)").arg(to.row()));
    to.add(order, tr("Contiguous"), QStringLiteral(".contiguous()"));
}

/// What is meant for 0 … 1 brings bytes there first.
void addValues(Operations& to) {
    const QString group = tr("Values");
    to.add(group, tr("To float"), QStringLiteral(".float()"));
    to.add(group, tr("Divide by 255"), QStringLiteral(".div(255)"));
    to.add(group, tr("0 … 1 to -1 … 1"), to.unit + QStringLiteral(".mul(2).sub(1)"));
    to.add(group, tr("Brighter"), to.unit + QStringLiteral(".add(0.2)"));
    to.add(group, tr("More contrast"), to.unit + QStringLiteral(".sub(0.5).mul(1.5).add(0.5)"));
    if (to.c != 3 || to.dims < 3) return;
    const QString mean = QStringLiteral("torch.tensor([0.4914, 0.4822, 0.4465]).view(3, 1, 1)");
    const QString spread = QStringLiteral("torch.tensor([0.247, 0.2435, 0.2616]).view(3, 1, 1)");
    to.add(group, tr("Normalise by CIFAR-10's channels"),
           to.unit + QStringLiteral(".sub(%1).div(%2)").arg(mean, spread));
    to.add(group, tr("Undo that normalisation"), QStringLiteral(".mul(%2).add(%1)").arg(mean, spread));
    const QString floats = to.unit.isEmpty() ? QStringLiteral("x") : QStringLiteral("x.float()");
    to.add(group, tr("Normalise by these images' channels"),
           QStringLiteral(".sub(%1.mean(%2, True)).div(%1.std(%2, keepdim=True))")
               .arg(floats, to.dims == 4 ? QStringLiteral("(0, 2, 3)") : QStringLiteral("(1, 2)")));
}

void addColours(Operations& to) {
    const QString colour = tr("Colour"), letters = QStringLiteral("RGB");
    if (to.c == 3)
        for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
            to.add(colour, tr("Swap %1 and %2").arg(letters[a]).arg(letters[b]), swapCode(to.channel(), a, b));
    if (to.c > 1)
        to.add(colour, tr("Grey (mean of the channels)"),
               to.unit + QStringLiteral(".mean(%1, True)").arg(to.channel()));
    if (to.n > 1)
        to.add(colour, tr("Difference to the image before"),
               QStringLiteral(".narrow(0, 1, %1).sub(x.narrow(0, 0, %1))").arg(to.n - 1));
}

void addMistakes(Operations& to) {
    const QString wrong = tr("Mistakes");
    if (to.dims > 2) {
        const QString shape = (to.dims == 4 ? QStringLiteral("%1, ").arg(to.n) : QString()) +
                              QStringLiteral("%1, %2, %3").arg(to.c).arg(to.h).arg(to.w);
        to.add(wrong, tr("view where permute was meant"),
               to.channelsLast() + QStringLiteral(".contiguous().view(%1)").arg(shape),
               tr("view keeps the order of the elements and cuts it elsewhere: colours of one pixel land in three "
                  "places."),
               tr("%1 moves the strides with the sizes.").arg(to.channelsFirst()));
        to.add(wrong, tr("Height, width, channels taken for channels, height, width"), to.channelsLast(),
               tr("the last dim is the channels, but is drawn as columns: %1 channels of %2 × %3 pixels.")
                   .arg(to.h)
                   .arg(to.w)
                   .arg(to.c),
               tr("%1 brings the channels before rows and columns.").arg(to.channelsFirst()));
        to.add(wrong, tr("Red and blue swapped (BGR)"), QStringLiteral(".flip(%1)").arg(to.channel()),
               tr("other libraries keep blue first; read as red, it changes places with red."),
               tr("red, green, blue; flip(%1) turns one order into the other.").arg(to.channel()));
    }
    to.add(wrong, tr("Floats that are not between 0 and 1"), QStringLiteral(".float().mul(255)"),
           tr("floats are drawn and saved from 0 to 1: what is above 1 is cut off to white."),
           tr("bytes, or floats after div(255)."));
}

} // namespace

std::vector<ImageOperation> imageOperations(const Tensor& t) {
    if (t.dim() < 2 || t.dim() > 4) return {};
    Operations to(t);
    addParts(to);
    addOrders(to);
    addValues(to);
    addColours(to);
    addMistakes(to);
    return std::move(to.all);
}

std::optional<std::vector<Index>> movedDims(const QString& code, Index dims) {
    static const QRegularExpression pattern(QStringLiteral("^\\.(transpose|permute)\\(([-\\d, ]+)\\)$"));
    const auto match = pattern.match(code);
    if (!match.hasMatch()) return std::nullopt;
    std::vector<Index> named, moved;
    for (const QString& text : match.captured(2).split(QLatin1Char(',')))
        named.push_back((text.trimmed().toLongLong() + dims) % std::max<Index>(dims, 1));
    if (match.captured(1) == QStringLiteral("permute"))
        return static_cast<Index>(named.size()) == dims ? std::optional(named) : std::nullopt;
    if (named.size() != 2) return std::nullopt;
    for (Index d = 0; d < dims; ++d) moved.push_back(d);
    std::swap(moved[static_cast<std::size_t>(named[0])], moved[static_cast<std::size_t>(named[1])]);
    return moved;
}

QString lettersAfter(const Tensor& base, const std::vector<ChainStep>& steps, const ChainResult& result) {
    QString letters = channelsLast(base) ? QStringLiteral("NHWC") : QStringLiteral("NCHW");
    letters = letters.right(static_cast<qsizetype>(base.dim()));
    if (base.dim() < 2 || base.dim() > 4) return {};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].on || result.steps[i].cost == ChainOutcome::Cost::Refused) continue;
        if (result.steps[i].tensor.dim() != letters.size()) return {};
        const auto from = movedDims(steps[i].code, letters.size());
        if (!from) continue;
        const QString before = letters;
        for (qsizetype d = 0; d < letters.size(); ++d)
            letters[d] = before[static_cast<qsizetype>((*from)[static_cast<std::size_t>(d)])];
    }
    return letters;
}

} // namespace stridescope
