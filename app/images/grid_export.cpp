#include "app/images/grid_export.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/indexing.h"
#include "core/ops/pointwise.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/random.h"
#include "core/ops/views.h"
#include "core/random/generator.h"
#include "widgets/images/value_histogram.h"

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

QString numberText(double value) {
    return QString::number(value, 'g', 6);
}

} // namespace

Result<Tensor> exportedGrid(const Tensor& given, const GridExport& how) {
    if (!given.defined()) return Refusal{ErrorKind::Value, "GRID-03", "there are no images to save", {}, {}};
    try {
        GridOptions options;
        options.nrow = how.columns;
        options.padding = how.padding;
        options.padValue = Scalar(how.padValue);
        Tensor images = given;
        if (!how.order.empty() && images.dim() == 4) {
            Tensor order = empty({static_cast<Index>(how.order.size())}, {DType::Int64, Device{}});
            std::copy(how.order.begin(), how.order.end(), order.data<Index>());
            images = indexSelect(images, 0, order);
        }
        const bool floating = isFloating(images.dtype());
        if (how.scaling != GridScaling::CutOff) {
            if (!floating) images = to(images, DType::Float32);
            options.normalize = true;
            options.scaleEach = how.scaling == GridScaling::Each;
            if (!options.scaleEach) options.valueRange = std::pair(how.black, how.white);
            return imageBytes(makeGrid(images, options));
        }
        if (floating) return imageBytes(makeGrid(images, options));
        // Integers are saved as they are; torchvision wants them as floats from 0 to 1, which gives the same bytes.
        if (images.dtype() == DType::Bool) images = mul(to(images, DType::UInt8), Scalar(Index{255}));
        if (images.dtype() != DType::UInt8)
            images = to(clamp(images, Scalar(Index{0}), Scalar(Index{255})), DType::UInt8);
        options.padValue = Scalar(static_cast<Index>(std::clamp(how.padValue * 255 + 0.5, 0.0, 255.0)));
        return contiguous(permute(makeGrid(images, options), {1, 2, 0}));
    } catch (const Error& error) {
        return error.refusal();
    } catch (const std::bad_alloc&) {
        return Refusal{ErrorKind::Memory, "MEM-03", "not enough memory for the grid", "Export fewer images.", {}};
    }
}

QString saveLine(const Tensor& images, const GridExport& how, const QString& name, const QString& file) {
    QString lines, what = name;
    if (!how.order.empty()) {
        lines += QStringLiteral("torch.manual_seed(%1)\n").arg(how.seed);
        what += QStringLiteral("[torch.randperm(%1)]").arg(how.order.size());
    }
    const bool floating = images.defined() && isFloating(images.dtype());
    if (!floating)
        what += how.scaling == GridScaling::CutOff ? QStringLiteral(".float().div(255)") : QStringLiteral(".float()");
    QStringList arguments{what, QLatin1Char('"') + file + QLatin1Char('"'), QStringLiteral("nrow=%1").arg(how.columns)};
    if (how.padding != 2) arguments << QStringLiteral("padding=%1").arg(how.padding);
    if (how.scaling != GridScaling::CutOff) arguments << QStringLiteral("normalize=True");
    if (how.scaling == GridScaling::Range)
        arguments << QStringLiteral("value_range=(%1, %2)").arg(numberText(how.black), numberText(how.white));
    if (how.scaling == GridScaling::Each) arguments << QStringLiteral("scale_each=True");
    if (how.padValue != 0) arguments << QStringLiteral("pad_value=%1").arg(numberText(how.padValue));
    return lines + QStringLiteral("torchvision.utils.save_image(%1)").arg(arguments.join(QStringLiteral(", ")));
}

OutsideCounts countOutside(const Tensor& images) {
    constexpr Index kMost = 2'000'000; // a few hundredths of a second
    const ValueCounts counts = countValues(images, usualLook(images.dtype()), kMost);
    const double scale =
        counts.counted > 0 ? static_cast<double>(counts.total) / static_cast<double>(counts.counted) : 1;
    const auto all = [scale](Index count) {
        return static_cast<Index>(std::llround(static_cast<double>(count) * scale));
    };
    OutsideCounts outside;
    outside.below = all(counts.below);
    outside.above = all(counts.above);
    outside.nans = all(counts.nans);
    outside.infinities = all(counts.infinities);
    outside.sampled = counts.counted < counts.total;
    outside.low = counts.low;
    outside.high = counts.high;
    return outside;
}

std::vector<Index> shuffledOrder(Index count, Index seed) {
    Generator generator(static_cast<std::uint64_t>(seed));
    const Tensor order = randperm(count, {}, generator);
    const Index* data = order.data<Index>();
    return {data, data + count};
}

} // namespace stridescope
