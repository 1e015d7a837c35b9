#include "app/images/image_channels.h"

#include "app/images/image_operations.h"

#include <QRegularExpression>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace stridescope {

namespace {

/// "dim, first, count" of a narrow, and the value where that is filled.
struct Narrowed {
    Index dim = 0;
    int first = 0, count = 0;
    QString value;
};

std::optional<Narrowed> parsed(const QString& code, Index dims, bool filled) {
    static const QString narrow = QStringLiteral("^\\.narrow\\((-?\\d+), ?(\\d+), ?(\\d+)\\)");
    static const QRegularExpression alone(narrow + QStringLiteral("$")),
        fill(narrow + QStringLiteral("\\.fill_\\(([^()]*)\\)$"));
    const auto match = (filled ? fill : alone).match(code);
    if (!match.hasMatch()) return std::nullopt;
    const Index dim = match.captured(1).toLongLong();
    return Narrowed{dim < 0 ? dim + dims : dim, match.captured(2).toInt(), match.captured(3).toInt(),
                    match.captured(4)};
}

const Tensor& before(const ChainResult& result, std::size_t step) {
    return step > 0 ? result.steps[step - 1].tensor : result.base;
}

bool isCarriedOut(const ChainOutcome& outcome) {
    return outcome.cost != ChainOutcome::Cost::Off && outcome.cost != ChainOutcome::Cost::Refused;
}

constexpr Index kMostFollowed = 4096; ///< a longer dim is none of channels

/// Follows dim `dim` of the tensor behind step `from` to the result. For each channel that is drawn: which index of
/// that dim it was; empty where the dim is not drawn as channels, or its elements are mixed.
std::vector<int> followed(const ChainResult& result, std::size_t from, Index dim) {
    static const QRegularExpression flips(QStringLiteral("^\\.flip\\(([-\\d, ]+)\\)$")),
        narrows(QStringLiteral("^(\\.narrow\\(-?\\d+, ?\\d+, ?\\d+\\))+$")),
        narrow(QStringLiteral("\\.narrow\\((-?\\d+), ?(\\d+), ?(\\d+)\\)")),
        select(QStringLiteral("^\\.index_select\\((-?\\d+), torch\\.tensor\\(\\[([\\d, ]+)\\]\\)\\)$")),
        mixes(QStringLiteral("\\.(view|reshape|as_strided|unfold|roll|movedim|swapaxes)\\b"));
    const Index dims = result.steps[from].tensor.dim();
    if (dim < 0 || dim >= dims || result.steps[from].tensor.size(dim) > kMostFollowed) return {};
    std::vector<int> was(static_cast<std::size_t>(result.steps[from].tensor.size(dim)));
    std::iota(was.begin(), was.end(), 0);
    const auto isThatDim = [&](const QString& text) { return (text.trimmed().toLongLong() + dims) % dims == dim; };
    for (std::size_t i = from + 1; i < result.steps.size(); ++i) {
        const QString& code = result.ran[i].code;
        if (!isCarriedOut(result.steps[i])) continue;
        if (result.steps[i].tensor.dim() != dims || code.contains(mixes)) return {};
        if (const auto moved = movedDims(code, dims)) {
            dim = std::find(moved->begin(), moved->end(), dim) - moved->begin();
        } else if (const auto flip = flips.match(code); flip.hasMatch()) {
            for (const QString& text : flip.captured(1).split(QLatin1Char(',')))
                if (isThatDim(text)) std::reverse(was.begin(), was.end());
        } else if (narrows.match(code).hasMatch()) {
            for (auto each = narrow.globalMatch(code); each.hasNext();) {
                const auto match = each.next();
                if (!isThatDim(match.captured(1))) continue;
                const std::size_t first = match.captured(2).toULongLong(), count = match.captured(3).toULongLong();
                if (first + count > was.size()) return {};
                was = std::vector<int>(was.begin() + static_cast<std::ptrdiff_t>(first),
                                       was.begin() + static_cast<std::ptrdiff_t>(first + count));
            }
        } else if (const auto chosen = select.match(code); chosen.hasMatch() && isThatDim(chosen.captured(1))) {
            std::vector<int> next;
            for (const QString& text : chosen.captured(2).split(QLatin1Char(',')))
                next.push_back(was.at(static_cast<std::size_t>(text.trimmed().toInt())));
            was = std::move(next);
        }
        if (result.steps[i].tensor.size(dim) != static_cast<Index>(was.size())) return {};
    }
    return channelDim(result.last) == dim ? was : std::vector<int>();
}

/// Steps that overwrite these channels, neighbours in one.
std::vector<ChainStep> killSteps(Index dim, const std::set<int>& channels, const QString& value) {
    std::vector<ChainStep> steps;
    for (auto from = channels.begin(); from != channels.end();) {
        auto to = from;
        int count = 0;
        while (to != channels.end() && *to == *from + count) ++to, ++count;
        steps.push_back({QStringLiteral(".narrow(%1, %2, %3).fill_(%4)").arg(dim).arg(*from).arg(count).arg(value)});
        from = to;
    }
    return steps;
}

std::set<int> channelsOf(const Narrowed& narrowed) {
    std::set<int> channels;
    for (int c = 0; c < narrowed.count; ++c) channels.insert(narrowed.first + c);
    return channels;
}

} // namespace

std::optional<Index> channelDim(const Tensor& images) {
    if (!images.defined() || images.dim() < 3) return std::nullopt;
    return images.dim() - 3;
}

std::vector<KilledChannel> killedChannels(const ChainResult& result) {
    std::vector<KilledChannel> killed;
    for (std::size_t i = 0; i < result.steps.size(); ++i) {
        if (!isCarriedOut(result.steps[i])) continue;
        const auto kill = parsed(result.ran[i].code, result.steps[i].tensor.dim(), true);
        if (!kill) continue;
        const std::vector<int> was = followed(result, i, kill->dim);
        for (std::size_t c = 0; c < was.size(); ++c)
            if (was[c] >= kill->first && was[c] < kill->first + kill->count)
                killed.push_back({static_cast<int>(c), i, was[c]});
    }
    return killed;
}

std::vector<ChainStep> withKilled(const ChainResult& result, int channel, bool kill, const QString& value) {
    std::vector<ChainStep> steps = result.ran;
    const std::optional<Index> dim = channelDim(result.last);
    if (!dim) return steps;
    if (kill) {
        // Into the steps that end the list, where they are of the same kind: what stands behind others may be bytes.
        std::set<int> channels{channel};
        while (!steps.empty() && steps.back().on) {
            const auto last = parsed(steps.back().code, result.last.dim(), true);
            if (!last || last->dim != *dim || last->value != value) break;
            channels.merge(channelsOf(*last));
            steps.pop_back();
        }
        for (ChainStep& step : killSteps(*dim, channels, value)) steps.push_back(std::move(step));
        return steps;
    }
    const std::vector<KilledChannel> killed = killedChannels(result);
    for (std::size_t i = steps.size(); i-- > 0;) {
        const auto narrowed = parsed(steps[i].code, result.steps[i].tensor.dim(), true);
        if (!narrowed) continue;
        std::set<int> left = channelsOf(*narrowed);
        for (const KilledChannel& each : killed)
            if (each.step == i && each.channel == channel) left.erase(each.there);
        if (left.size() == static_cast<std::size_t>(narrowed->count)) continue;
        const std::vector<ChainStep> instead = killSteps(narrowed->dim, left, narrowed->value);
        const auto at = steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
        steps.insert(at, instead.begin(), instead.end());
    }
    return steps;
}

std::vector<ChainStep> withFill(const ChainResult& result, const QString& value) {
    std::vector<ChainStep> steps = result.ran;
    for (const KilledChannel& each : killedChannels(result)) {
        const auto narrowed = parsed(result.ran[each.step].code, result.steps[each.step].tensor.dim(), true);
        steps[each.step].code = killSteps(narrowed->dim, channelsOf(*narrowed), value).front().code;
    }
    return steps;
}

std::optional<SoloStep> soloOf(const ChainResult& result) {
    for (std::size_t i = result.steps.size(); i-- > 0;) {
        if (!isCarriedOut(result.steps[i])) continue;
        const Tensor& images = before(result, i);
        const auto narrowed = parsed(result.ran[i].code, images.dim(), false);
        if (!narrowed || narrowed->count != 1 || narrowed->dim >= images.dim()) continue;
        if (const Index of = images.size(narrowed->dim); of < 2 || of > 3) continue;
        if (followed(result, i, narrowed->dim).size() == 1) return SoloStep{narrowed->first, i};
    }
    return std::nullopt;
}

std::vector<ChainStep> withSolo(const ChainResult& result, int channel) {
    std::vector<ChainStep> steps = result.ran;
    const auto code = [channel](Index dim) { return QStringLiteral(".narrow(%1, %2, 1)").arg(dim).arg(channel); };
    if (const auto solo = soloOf(result)) {
        if (solo->channel == channel)
            steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(solo->step));
        else
            steps[solo->step].code = code(parsed(steps[solo->step].code, result.last.dim(), false)->dim);
    } else if (const auto dim = channelDim(result.last)) {
        steps.push_back({code(*dim)});
    }
    return steps;
}

QString swapCode(Index dim, int a, int b) {
    int order[] = {0, 1, 2};
    std::swap(order[a], order[b]);
    return QStringLiteral(".index_select(%1, torch.tensor([%2, %3, %4]))")
        .arg(dim)
        .arg(order[0])
        .arg(order[1])
        .arg(order[2]);
}

} // namespace stridescope
