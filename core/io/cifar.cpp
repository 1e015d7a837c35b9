#include "core/io/cifar.h"

#include "core/backend/cpu/thread_pool.h"
#include "core/io/heap_bytes.h"
#include "core/io/pickle.h"

#include <algorithm>

namespace stridescope {
namespace {

using io::Pickle;
using io::PickleValue;

Index classesOf(CifarKind kind) {
    return kind == CifarKind::Ten ? 10 : 100;
}
const char* nameOf(CifarKind kind) {
    return kind == CifarKind::Ten ? "CIFAR-10" : "CIFAR-100";
}

/// The label, or -1 for one that is none, with a note that names the first of those.
class LabelReader {
public:
    explicit LabelReader(CifarKind kind) : m_classes(classesOf(kind)) {}
    void add(std::vector<Index>& labels, Index label) {
        const bool known = label >= 0 && label < m_classes;
        if (!known && ++m_unknown <= kNamed)
            m_records += (m_records.empty() ? "record " : ", record ") + std::to_string(labels.size()) + " has label " +
                         std::to_string(label);
        labels.push_back(known ? label : -1);
    }
    void tell(std::vector<std::string>& notes) const {
        if (m_unknown == 0) return;
        std::string note = std::to_string(m_unknown) + (m_unknown == 1 ? " label is" : " labels are");
        note += " not 0 to " + std::to_string(m_classes - 1) + " (" + m_records + (m_unknown > kNamed ? ", …" : "") +
                "): shown as ?, the images are kept.";
        notes.push_back(std::move(note));
    }

private:
    static constexpr Index kNamed = 3;
    Index m_classes, m_unknown = 0;
    std::string m_records;
};

Refusal refuseLength(std::uint64_t bytes, CifarKind kind) {
    const auto record = static_cast<std::uint64_t>(cifarRecordBytes(kind));
    const std::string length = std::to_string(bytes);
    return io::refuseAmount("CIF-02",
                            "The length " + length + " is not a multiple of " + std::to_string(record) +
                                " (last record " + std::to_string(bytes % record) + " B)",
                            "The file was cut off. Its " + std::to_string(bytes / record) +
                                " whole records can be opened: whole_file=False.",
                            (bytes / record + 1) * record, bytes);
}

Refusal refuseBatch(const std::string& what) {
    return io::refuse("CIF-05", "The pickle is no batch of images: " + what, "Choose data_batch_1 … or test_batch.");
}

const PickleValue* firstOf(const Pickle& pickle, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        if (const PickleValue* value = pickle.find(pickle.root(), key)) return value;
    }
    return nullptr;
}

} // namespace

std::optional<CifarKind> cifarKindOf(std::span<const std::byte> head, std::uint64_t bytes) {
    const auto fits = [&](CifarKind kind) {
        return bytes > 0 && bytes % static_cast<std::uint64_t>(cifarRecordBytes(kind)) == 0;
    };
    const bool ten = fits(CifarKind::Ten), hundred = fits(CifarKind::Hundred);
    if (ten && hundred) {
        for (std::size_t at = 0; at < head.size(); at += static_cast<std::size_t>(cifarRecordBytes(CifarKind::Ten)))
            if (std::to_integer<Index>(head[at]) >= classesOf(CifarKind::Ten)) return CifarKind::Hundred;
        return CifarKind::Ten;
    }
    if (ten) return CifarKind::Ten;
    return hundred ? std::optional(CifarKind::Hundred) : std::nullopt;
}

std::optional<CifarKind> cifarKindOf(std::span<const std::byte> file) {
    return cifarKindOf(file, file.size());
}

Result<CifarBatch> cifarFromBinary(const FileBytes& file, CifarKind kind, const CifarOptions& options) {
    const std::uint64_t bytes = file.bytes.size();
    const Index record = cifarRecordBytes(kind), labelBytes = cifarLabelBytes(kind);
    const auto count = static_cast<Index>(bytes) / record;
    if (bytes == 0 || bytes % static_cast<std::uint64_t>(record) != 0) {
        const auto other = cifarKindOf(file.bytes);
        if (other && *other != kind)
            return io::refuse("CIF-03",
                              std::string("The file is ") + nameOf(*other) + ": " + std::to_string(bytes) +
                                  " B are records of " + std::to_string(cifarRecordBytes(*other)) + " B",
                              std::string("Open it as ") + nameOf(*other) + ".");
        if (options.wholeFile || count == 0) return refuseLength(bytes, kind);
    }
    CifarBatch batch;
    LabelReader labels(kind);
    batch.labels.reserve(static_cast<std::size_t>(count));
    for (Index i = 0; i < count; ++i)
        labels.add(batch.labels,
                   std::to_integer<Index>(file.bytes[static_cast<std::size_t>(i * record + labelBytes - 1)]));
    labels.tell(batch.notes);
    if (const std::uint64_t cut = bytes % static_cast<std::uint64_t>(record); cut > 0)
        batch.notes.push_back("The last " + std::to_string(cut) + " B are part of a record and left out.");
    StoragePtr storage = Storage::wrap(
        file.bytes.data(), bytes, Device{}, [keep = file.owner] {}, file.kind, file.writable);
    const View view{
        {count, kCifarChannels, kCifarSide, kCifarSide}, {record, kCifarSide * kCifarSide, kCifarSide, 1}, labelBytes};
    batch.images = Tensor(std::move(storage), view, DType::UInt8);
    return batch;
}

Result<CifarBatch> cifarFromPickle(const FileBytes& file, CifarKind kind, const Budget& budget) {
    Result<Pickle> pickle = io::readPickle(file.bytes, budget);
    if (!pickle) return pickle.takeRefusal();
    if (pickle->root().kind != PickleValue::Kind::Dict) return refuseBatch("it holds no dict");
    const PickleValue* const data = firstOf(*pickle, {"data"});
    const PickleValue* const names = firstOf(*pickle, {kind == CifarKind::Ten ? "labels" : "fine_labels"});
    if (!names && firstOf(*pickle, {kind == CifarKind::Ten ? "fine_labels" : "labels"}))
        return io::refuse("CIF-03",
                          std::string("The file is ") +
                              nameOf(kind == CifarKind::Ten ? CifarKind::Hundred : CifarKind::Ten) + ", not " +
                              nameOf(kind),
                          "Open it as what it is.");
    if (!data || data->kind != PickleValue::Kind::Array) return refuseBatch("it has no array 'data'");
    if (data->name != "u1" && data->name != "|u1" && data->name != "uint8")
        return refuseBatch("'data' is " + sanitiseForDisplay(data->name, 20) + ", not uint8");
    if (data->shape.size() != 2 || data->shape[0] < 0 || data->shape[1] != kCifarPixels || data->fortranOrder)
        return refuseBatch("'data' is not rows of 3072 bytes");
    const Index count = data->shape[0];
    Index wanted = 0;
    if (!mulFits(count, kCifarPixels, wanted) || static_cast<std::uint64_t>(wanted) != data->bytes.size())
        return io::refuseAmount("CIF-05",
                                "The pickle is no batch of images: " + std::to_string(count) + " rows of 3072 B, has " +
                                    bytesText(data->bytes.size()),
                                "Get the file again.", static_cast<std::uint64_t>(std::max<Index>(wanted, 0)),
                                data->bytes.size());
    if (!names || names->kind != PickleValue::Kind::List || static_cast<Index>(names->items.size()) != count)
        return refuseBatch("it has not one label for each image");
    CifarBatch batch;
    LabelReader labels(kind);
    for (const io::PickleRef item : names->items) {
        const PickleValue& label = (*pickle)[item];
        labels.add(batch.labels, label.kind == PickleValue::Kind::Int ? label.number : -1);
    }
    labels.tell(batch.notes);
    // The pickle keeps what it had to decode; the array may be there or in the file.
    const auto keep = std::make_shared<std::pair<Pickle, std::shared_ptr<void>>>(std::move(*pickle), file.owner);
    const PickleValue& array = *keep->first.find(keep->first.root(), "data");
    StoragePtr storage = Storage::wrap(
        const_cast<std::byte*>(array.bytes.data()), array.bytes.size(), Device{}, [keep] {}, file.kind, file.writable);
    const View view{
        {count, kCifarChannels, kCifarSide, kCifarSide}, {kCifarPixels, kCifarSide * kCifarSide, kCifarSide, 1}, 0};
    batch.images = Tensor(std::move(storage), view, DType::UInt8);
    return batch;
}

Result<std::vector<std::string>> cifarNamesFromPickle(std::span<const std::byte> file, CifarKind kind,
                                                      const Budget& budget) {
    Result<Pickle> pickle = io::readPickle(file, budget);
    if (!pickle) return pickle.takeRefusal();
    const PickleValue* const names = firstOf(*pickle, {kind == CifarKind::Ten ? "label_names" : "fine_label_names"});
    if (pickle->root().kind != PickleValue::Kind::Dict || !names || names->kind != PickleValue::Kind::List)
        return refuseBatch("it has no names of classes");
    std::vector<std::string> classes;
    for (const io::PickleRef item : names->items)
        classes.push_back(sanitiseForDisplay(pickle->text((*pickle)[item]), 40));
    return classes;
}

namespace io {

namespace {

/// One picture from planes to pixels.
void interleave(const std::byte* planes, std::byte* pixels) {
    constexpr Index kPlane = kCifarSide * kCifarSide;
    for (Index i = 0; i < kPlane; ++i) {
        pixels[3 * i] = planes[i];
        pixels[3 * i + 1] = planes[kPlane + i];
        pixels[3 * i + 2] = planes[2 * kPlane + i];
    }
}

} // namespace

Result<Tensor> interleaved(std::span<const CifarBatch> batches, const Budget& budget) {
    Index count = 0;
    for (const CifarBatch& batch : batches) count += batch.images.size(0);
    const auto bytes = static_cast<std::uint64_t>(count * kCifarPixels);
    Result<std::shared_ptr<std::byte>> memory = heapBytes(bytes, budget);
    if (!memory) return memory.takeRefusal();
    std::byte* to = memory->get();
    for (const CifarBatch& batch : batches) {
        const auto* from = reinterpret_cast<const std::byte*>(batch.images.data<std::uint8_t>());
        const Index pictures = batch.images.size(0), step = batch.images.stride()[0];
        constexpr Index kAtOnce = 4096;
        for (Index at = 0; at < pictures; at += kAtOnce) {
            parallelFor(at, std::min(pictures, at + kAtOnce), 256, [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i) interleave(from + i * step, to + i * kCifarPixels);
            });
            const auto done =
                static_cast<std::uint64_t>(to - memory->get() + std::min(pictures, at + kAtOnce) * kCifarPixels);
            if (auto refusal = budget.check(done, bytes)) return std::move(*refusal);
        }
        to += pictures * kCifarPixels;
    }
    Result<View> view = contiguousView(Dims{count, kCifarSide, kCifarSide, kCifarChannels});
    if (!view) return view.takeRefusal();
    return Tensor(heapStorage(*memory, static_cast<std::size_t>(bytes)), std::move(view).value(), DType::UInt8);
}

} // namespace io
} // namespace stridescope
