#include "widgets/stage/write_flash.h"

#include <algorithm>
#include <cstring>

namespace stridescope {

bool WriteFlash::take(const WorkspaceSnapshot& snapshot) {
    std::map<quint64, std::vector<std::byte>> now;
    std::map<quint64, std::vector<bool>> writtenNow;
    for (const TensorEntry& entry : snapshot.tensors) {
        const Tensor& tensor = entry.tensor;
        if (!tensor.defined() || !tensor.device().isCpu()) continue;
        const Storage& storage = *tensor.storage();
        const std::size_t bytes = storage.bytes();
        if (bytes == 0 || bytes > kMostBytes || now.count(storage.id())) continue;
        const std::vector<std::byte> current(storage.data(), storage.data() + bytes);
        const auto before = m_seen.find(storage.id());
        if (before != m_seen.end() && before->second.size() == bytes && before->second != current) {
            std::vector<bool>& written = writtenNow[storage.id()];
            written.resize(bytes);
            for (std::size_t i = 0; i < bytes; ++i) written[i] = before->second[i] != current[i];
        }
        now.emplace(storage.id(), current);
    }
    m_seen = std::move(now);
    if (writtenNow.empty()) return false;
    m_written = std::move(writtenNow);
    return true;
}

bool WriteFlash::wasWritten(quint64 storageId, Index slot, std::size_t itemSize) const {
    const auto found = m_written.find(storageId);
    if (found == m_written.end()) return false;
    const auto first = static_cast<std::size_t>(slot) * itemSize;
    for (std::size_t i = first; i < first + itemSize && i < found->second.size(); ++i) {
        if (found->second[i]) return true;
    }
    return false;
}

std::vector<QRectF> WriteFlash::cells(const StagePlan& plan) const {
    std::vector<QRectF> rects;
    if (m_written.empty()) return rects;
    for (const CardLayout& card : plan.cards) {
        const Tensor& tensor = card.input.entry->tensor;
        if (!tensor.defined() || tensor.numel() > kMostElements || !m_written.count(tensor.storage()->id())) continue;
        const View& view = tensor.view();
        Dims coord(view.shape.size(), 0);
        for (Index left = tensor.numel(); left > 0; --left) {
            if (wasWritten(tensor.storage()->id(), view.slot(coord), tensor.itemSize())) {
                if (const auto rect = card.cellRect(coord)) rects.push_back(rect->intersected(plan.cardArea));
            }
            for (std::size_t d = coord.size(); d-- > 0 && ++coord[d] == view.shape[d];) coord[d] = 0;
        }
    }
    const auto addStrip = [&](const StripPlan& strip) {
        const auto found = m_written.find(strip.storageId);
        if (found == m_written.end()) return;
        const std::size_t item = strip.source.itemSize();
        const auto count = static_cast<Index>(found->second.size() / item);
        for (Index slot = 0; slot < count; ++slot) {
            if (wasWritten(strip.storageId, slot, item))
                rects.push_back(strip.layout.cellRect(slot).intersected(strip.layout.area));
        }
    };
    if (plan.strip) addStrip(*plan.strip);
    std::for_each(plan.others.begin(), plan.others.end(), addStrip);
    std::erase_if(rects, [](const QRectF& rect) { return rect.isEmpty(); });
    return rects;
}

} // namespace stridescope
