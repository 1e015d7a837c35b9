#include "widgets/scene/odd_count.h"

#include "core/job.h"
#include "core/storage/mapped_file.h"
#include "widgets/scene/cell_values.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stridescope {

namespace {

/// Between two looks at the job: about a millisecond from memory.
constexpr Index kBlockBytes = Index{1} << 20;

void countRange(const CellValues& values, Index first, Index last, OddValues& into) {
    std::array<double, 1024> read;
    for (Index at = first; at < last; at += static_cast<Index>(read.size())) {
        const Index n = std::min<Index>(static_cast<Index>(read.size()), last - at);
        values.read(at, 1, n, read.data());
        // x - x is 0 but for NaN and infinities; a sum of such differences is what SIMD lanes can do.
        double differs = 0;
        for (Index i = 0; i < n; ++i) differs += read[static_cast<std::size_t>(i)] - read[static_cast<std::size_t>(i)];
        if (differs == 0) continue;
        for (Index i = 0; i < n; ++i) {
            const double v = read[static_cast<std::size_t>(i)];
            if (std::isfinite(v)) continue;
            ++(std::isnan(v) ? into.nan : v > 0 ? into.positive : into.negative);
        }
    }
    into.seen += last - first;
}

} // namespace

Tensor wholeStorage(const Tensor& tensor) {
    return Tensor(tensor.storage(), View{{tensor.storageNumel()}, {1}, 0}, tensor.dtype());
}

bool isCountedApart(const Tensor& tensor) {
    return tensor.defined() && canBeOdd(tensor.dtype()) && tensor.storageNumel() > kCountedAtOnce &&
           CellValues(tensor).readable();
}

std::optional<OddValues> countOdd(const Tensor& tensor, const Job& job, Index mostFileBytes) {
    const CellValues values(tensor);
    const auto size = static_cast<Index>(itemSize(tensor.dtype()));
    const Index count = values.count(), perBlock = kBlockBytes / size;
    const std::shared_ptr<MappedFile> file = mappedFileOf(*tensor.storage());
    OddValues odd;
    odd.total = count;
    const Index all = (count + perBlock - 1) / perBlock;
    const Index looked = file ? std::clamp<Index>(mostFileBytes / kBlockBytes, 1, all) : all;
    for (Index i = 0; i < looked; ++i) {
        if (job.isCancelled()) return std::nullopt;
        // The first and the last block are always among them.
        const Index block = looked == all ? i : i * (all - 1) / std::max<Index>(looked - 1, 1);
        const Index first = block * perBlock, last = std::min(count, first + perBlock);
        if (file) file->readAhead(values.address(first), static_cast<std::size_t>((last - first) * size));
        countRange(values, first, last, odd);
    }
    return odd;
}

const OddCounts::Entry* OddCounts::find(const Tensor& tensor) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&tensor](const Entry& entry) {
        return entry.storage == tensor.storage()->id() && entry.dtype == tensor.dtype();
    });
    return found == m_entries.end() ? nullptr : &*found;
}

std::optional<OddValues> OddCounts::of(const Tensor& tensor) const {
    const Entry* entry = find(tensor);
    // What has another size now is another storage but for its name.
    if (!entry || entry->values.total != tensor.storageNumel()) return std::nullopt;
    OddValues values = entry->values;
    values.stale = entry->version != tensor.storage()->version();
    return values;
}

bool OddCounts::isFresh(const Tensor& tensor) const {
    const std::optional<OddValues> values = of(tensor);
    return values && !values->stale;
}

void OddCounts::set(const Tensor& tensor, quint64 version, const OddValues& values) {
    const Entry entry{tensor.storage()->id(), tensor.dtype(), version, values};
    if (const Entry* known = find(tensor))
        m_entries[static_cast<std::size_t>(known - m_entries.data())] = entry;
    else
        m_entries.push_back(entry);
}

void OddCounts::keepOnly(const std::vector<Tensor>& tensors) {
    const auto isKept = [&tensors](const Entry& entry) {
        return std::any_of(tensors.begin(), tensors.end(),
                           [&entry](const Tensor& t) { return t.storage()->id() == entry.storage; });
    };
    std::erase_if(m_entries, [&isKept](const Entry& entry) { return !isKept(entry); });
}

} // namespace stridescope
