// Whole sets: folders and archives of CIFAR-10 and CIFAR-100.

#include "core/io/cifar.h"
#include "core/io/file_kind.h"
#include "core/io/gzip.h"
#include "core/io/heap_bytes.h"
#include "core/io/md5.h"
#include "core/io/sample_images.h"
#include "core/io/tar.h"
#include "core/storage/mapped_file.h"

#include <algorithm>
#include <map>
#include <set>

namespace stridescope {
namespace fs = std::filesystem;

namespace {

using io::CifarFile;
using io::CifarVersion;
using Bytes = std::span<const std::byte>;

const std::vector<CifarFile>& filesOf(const CifarVersion& version, bool train) {
    return train ? version.train : version.test;
}

/// Said of what nothing was published for.
constexpr char kNotCompared[] = "'s sum was not compared with a published one.";

/// The sum of a file against the published one; `md5` empty: none was published.
std::optional<Refusal> checkSum(Bytes bytes, const CifarFile& file, const CifarOptions& options, const Budget& budget) {
    if (!options.verified || file.md5.empty()) return std::nullopt;
    Md5 sum;
    constexpr std::size_t kBlock = std::size_t{4} << 20;
    for (std::size_t at = 0; at < bytes.size(); at += kBlock) {
        sum.add(bytes.subspan(at, std::min(kBlock, bytes.size() - at)));
        if (auto refusal = budget.check(at, bytes.size())) return refusal;
    }
    const std::string has = sum.hex();
    if (has == file.md5) return std::nullopt;
    return io::refuse("CIF-04", file.name + " has MD5 " + has + ", published is " + file.md5,
                      "Get the file again; or open it as unverified: verified=False.");
}

Result<CifarBatch> readBatch(const FileBytes& file, const CifarVersion& version, const CifarOptions& options,
                             const Budget& budget) {
    return version.binary ? cifarFromBinary(file, version.kind, options) : cifarFromPickle(file, version.kind, budget);
}

Result<std::vector<std::string>> readNames(Bytes file, const CifarVersion& version, const Budget& budget) {
    if (!version.binary) return cifarNamesFromPickle(file, version.kind, budget);
    std::vector<std::string> names;
    std::string_view text(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 64 * 1024));
    while (!text.empty() && names.size() < 100) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view name = text.substr(0, end);
        if (!name.empty() && name.back() == '\r') name.remove_suffix(1);
        if (!name.empty()) names.push_back(sanitiseForDisplay(name, 40));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

/// Batches in order, and what else came with them.
struct Gathered {
    std::vector<CifarBatch> batches;
    std::vector<std::string> classes, notes;
};

Result<CifarSet> assemble(Gathered gathered, CifarKind kind, const Budget& budget) {
    CifarSet set;
    set.notes = std::move(gathered.notes);
    for (const CifarBatch& batch : gathered.batches) {
        set.labels.insert(set.labels.end(), batch.labels.begin(), batch.labels.end());
        set.notes.insert(set.notes.end(), batch.notes.begin(), batch.notes.end());
    }
    set.classes = std::move(gathered.classes);
    const std::vector<std::string>& published = cifarClassNames(kind);
    if (set.classes.size() < published.size()) set.classes = published;
    Result<Tensor> data = io::interleaved(gathered.batches, budget);
    if (!data) return data.takeRefusal();
    set.data = std::move(data).value();
    return set;
}

Refusal refuseMissing(const std::string& name) {
    return io::refuse("CIF-06", "The set is not whole: " + name + " is missing", "Get the set again.");
}

Result<CifarSet> openFolder(const fs::path& folder, const CifarVersion& version, bool train,
                            const CifarOptions& options, const Budget& budget) {
    Gathered gathered;
    for (const CifarFile& wanted : filesOf(version, train)) {
        std::error_code ignored;
        if (!fs::exists(folder / wanted.name, ignored)) return refuseMissing(wanted.name);
        Result<std::shared_ptr<MappedFile>> file = MappedFile::open(folder / wanted.name);
        if (!file) return file.takeRefusal();
        if (auto refusal = checkSum((*file)->bytes(), wanted, options, budget)) return std::move(*refusal);
        Result<CifarBatch> batch =
            readBatch({(*file)->bytes(), *file, "mapped file", (*file)->isWritable()}, version, options, budget);
        if (!batch) return batch.takeRefusal();
        if ((*file)->fileChanged()) return io::refuseChanged(folder / wanted.name);
        gathered.batches.push_back(std::move(batch).value());
    }
    if (Result<std::shared_ptr<MappedFile>> names = MappedFile::open(folder / version.names)) {
        Result<std::vector<std::string>> read = readNames((*names)->bytes(), version, budget);
        if (read) gathered.classes = std::move(read).value();
    }
    return assemble(std::move(gathered), version.kind, budget);
}

/// Which of the known files an entry of an archive is.
struct Member {
    const CifarVersion* version = nullptr;
    std::size_t number = 0; ///< of the batch; that of the names is behind the last
};
std::optional<Member> memberNamed(std::string_view name, CifarKind kind, bool train) {
    if (name.substr(0, 2) == "./") name.remove_prefix(2);
    for (const CifarVersion& version : io::cifarVersions()) {
        if (version.kind != kind) continue;
        const std::vector<CifarFile>& files = filesOf(version, train);
        for (std::size_t i = 0; i < files.size(); ++i)
            if (name == version.folder + "/" + files[i].name) return Member{&version, i};
        if (name == version.folder + "/" + version.names) return Member{&version, files.size()};
    }
    return std::nullopt;
}

bool leadsOut(std::string_view name) {
    if (name.substr(0, 1) == "/") return true;
    while (!name.empty()) {
        const std::string_view part = name.substr(0, name.find('/'));
        if (part == "..") return true;
        name.remove_prefix(std::min(part.size() + 1, name.size()));
    }
    return false;
}

/// Of the published sets, but nothing to be read now: their folders, the other part, and what lies beside the pictures.
bool belongsToSet(std::string_view name, CifarKind kind) {
    if (name.substr(0, 2) == "./") name.remove_prefix(2);
    if (name.empty()) return true; // "./", where a folder was packed from within
    for (const CifarVersion& version : io::cifarVersions()) {
        if (version.kind != kind || name.substr(0, version.folder.size()) != version.folder) continue;
        const std::string_view inside = name.substr(version.folder.size());
        for (const char* beside : {"", "/", "/readme.html", "/file.txt~", "/coarse_label_names.txt"})
            if (inside == beside) return true;
        for (const bool train : {true, false})
            if (memberNamed(name, kind, train)) return true;
    }
    return false;
}

/// What was passed over, told in one sentence however many there are.
class Ignored {
public:
    void add(const io::TarEntry& entry, const std::string& why) {
        if (++m_count <= kNamed)
            m_words += (m_count > 1 ? ", " : "") + sanitiseForDisplay(entry.name, 40) + " (" + why + ")";
    }
    void tell(std::vector<std::string>& notes) const {
        if (m_count == 0) return;
        notes.push_back("Ignored in the archive: " + m_words +
                        (m_count > kNamed ? " and " + std::to_string(m_count - kNamed) + " more." : std::string(".")));
    }

private:
    static constexpr std::size_t kNamed = 8;
    std::size_t m_count = 0;
    std::string m_words;
};

/// Why an entry that is none of the wanted files is passed over; nothing where it need not be told.
std::optional<std::string> whyIgnored(const io::TarEntry& entry, CifarKind kind) {
    if (leadsOut(entry.name)) return "leads out of the folder";
    const bool folder = !entry.name.empty() && entry.name.back() == '/';
    if (!entry.regular && !(folder && belongsToSet(entry.name, kind))) return "not a regular file";
    if (belongsToSet(entry.name, kind)) return std::nullopt;
    return std::string("no file of ") + (kind == CifarKind::Ten ? "CIFAR-10" : "CIFAR-100");
}

} // namespace

Result<CifarSet> cifarFromArchive(Bytes archive, const std::string& fileName, CifarKind kind, bool train,
                                  const CifarOptions& options, const Budget& budget) {
    const CifarVersion* claimed = nullptr;
    for (const CifarVersion& version : io::cifarVersions())
        if (version.archive == fileName) claimed = &version;
    const auto otherSum = [&]() -> std::optional<Refusal> {
        return claimed ? checkSum(archive, {fileName, claimed->archiveMd5}, options, budget) : std::nullopt;
    };
    // Of one that is too short, where it ends says more than its sum: that is compared when it ends as archives do.
    const bool cut = claimed && archive.size() < claimed->archiveBytes;
    if (!cut)
        if (auto refusal = otherSum()) return std::move(*refusal);
    io::GzipSource source(archive, budget, claimed ? claimed->archiveBytes : 0);
    io::TarReader tar(source, budget);
    std::map<std::size_t, CifarBatch> batches;
    Gathered gathered;
    Ignored ignored;
    const CifarVersion* found = nullptr;
    for (;;) {
        Result<std::optional<io::TarEntry>> entry = tar.next();
        if (!entry) return entry.takeRefusal();
        if (!*entry) break;
        const std::optional<Member> member = memberNamed((*entry)->name, kind, train);
        if (!member || !(*entry)->regular) {
            if (const auto why = whyIgnored(**entry, kind)) ignored.add(**entry, *why);
            continue;
        }
        if (found && found != member->version) {
            ignored.add(**entry, found->binary ? "of the Python version" : "of the binary version");
            continue;
        }
        const bool names = member->number == filesOf(*member->version, train).size();
        if (names ? !gathered.classes.empty() : batches.count(member->number) > 0) {
            ignored.add(**entry, "there already");
            continue;
        }
        found = member->version;
        Result<std::vector<std::byte>> content = tar.content();
        if (!content) return content.takeRefusal();
        if (names) {
            Result<std::vector<std::string>> read = readNames(*content, *found, budget);
            if (read) gathered.classes = std::move(read).value();
            continue;
        }
        const auto kept = std::make_shared<std::vector<std::byte>>(std::move(content).value());
        Result<CifarBatch> batch = readBatch({std::span(*kept), kept, "heap", true}, *found, options, budget);
        if (!batch) return batch.takeRefusal();
        batches.emplace(member->number, std::move(batch).value());
    }
    if (cut)
        if (auto refusal = otherSum()) return std::move(*refusal);
    if (!found || batches.empty())
        return io::refuse(
            "CIF-01", "The archive has no files of " + std::string(kind == CifarKind::Ten ? "CIFAR-10" : "CIFAR-100"),
            "Choose cifar-10-python.tar.gz or cifar-10-binary.tar.gz.");
    const std::vector<CifarFile>& files = filesOf(*found, train);
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (batches.count(i) == 0) return refuseMissing(files[i].name);
        gathered.batches.push_back(std::move(batches[i]));
    }
    if (!claimed && options.verified) gathered.notes.push_back(std::string("The archive") + kNotCompared);
    ignored.tell(gathered.notes);
    gathered.notes.insert(gathered.notes.end(), source.notes().begin(), source.notes().end());
    return assemble(std::move(gathered), kind, budget);
}

namespace {

/// The file of that name whose sum was published, whichever set it belongs to; nullptr: there is none.
const CifarFile* publishedAs(const std::string& name) {
    for (const CifarVersion& version : io::cifarVersions())
        for (const auto* files : {&version.train, &version.test})
            for (const CifarFile& file : *files)
                if (file.name == name && !file.md5.empty()) return &file;
    return nullptr;
}

Result<CifarSet> openSingleFile(const fs::path& path, CifarKind kind, bool train, const CifarOptions& options,
                                const Budget& budget) {
    Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
    if (!file) return file.takeRefusal();
    const FileKind content = fileKindOf(Bytes((*file)->bytes()));
    if (content == FileKind::Gzip)
        return cifarFromArchive((*file)->bytes(), path.filename().string(), kind, train, options, budget);
    const CifarFile* published = publishedAs(path.filename().string());
    if (published)
        if (auto refusal = checkSum((*file)->bytes(), *published, options, budget)) return std::move(*refusal);
    const FileBytes bytes{(*file)->bytes(), *file, "mapped file", (*file)->isWritable()};
    Result<CifarBatch> batch =
        content == FileKind::Pickle ? cifarFromPickle(bytes, kind, budget) : cifarFromBinary(bytes, kind, options);
    if (!batch) return batch.takeRefusal();
    Gathered gathered;
    gathered.batches.push_back(std::move(batch).value());
    // Of the binary version no sums of its files were published.
    if (!published && options.verified && content == FileKind::Pickle)
        gathered.notes.push_back(std::string("The file") + kNotCompared);
    return assemble(std::move(gathered), kind, budget);
}

Result<CifarSet> openRoot(const fs::path& root, CifarKind kind, bool train, const CifarOptions& options,
                          const Budget& budget) {
    std::error_code ignored;
    if (fs::is_regular_file(root, ignored)) return openSingleFile(root, kind, train, options, budget);
    for (const CifarVersion& version : io::cifarVersions()) {
        if (version.kind != kind) continue;
        const std::string& first = filesOf(version, train).front().name;
        for (const fs::path& folder : {root / version.folder, root})
            if (fs::exists(folder / first, ignored)) return openFolder(folder, version, train, options, budget);
    }
    for (const CifarVersion& version : io::cifarVersions())
        if (version.kind == kind && fs::is_regular_file(root / version.archive, ignored))
            return openSingleFile(root / version.archive, kind, train, options, budget);
    return io::refuse("CIF-01", "Dataset not found or corrupted. You can use download=True to download it",
                      "Wanted in " + sanitiseForDisplay(root.string(), 80) +
                          ": cifar-10-batches-py, cifar-10-batches-bin or one of their .tar.gz.",
                      {}, ErrorKind::Runtime);
}

} // namespace

Result<CifarSet> openCifar(const fs::path& root, CifarKind kind, bool train, const CifarOptions& options,
                           const Budget& budget) {
    return io::withMemoryRefused("Opening", [&]() -> Result<CifarSet> {
        Result<CifarSet> set = openRoot(root, kind, train, options, budget);
        if (set) set->source = sanitiseForDisplay(root.filename().string(), 60);
        return set;
    });
}

Result<CifarSet> sampleSet(const Budget& budget) {
    return io::withMemoryRefused("Drawing", [&]() -> Result<CifarSet> {
        auto records = std::make_shared<std::vector<std::byte>>(sampleImages());
        Result<CifarBatch> batch = cifarFromBinary({std::span(*records), records, "heap", true}, CifarKind::Ten);
        if (!batch) return batch.takeRefusal();
        Gathered gathered;
        gathered.batches.push_back(std::move(batch).value());
        gathered.classes.assign(sampleClasses().begin(), sampleClasses().end());
        return assemble(std::move(gathered), CifarKind::Ten, budget);
    });
}

namespace {

/// The set in whose folder one of the entries lies. Others may come before it; how far one looks is limited like the
/// reading itself, and to what unpacks in about a second.
std::optional<CifarKind> kindOfArchive(Bytes packed) {
    Budget budget;
    budget.maxArchiveBytes = std::uint64_t{512} << 20;
    io::GzipSource source(packed, budget);
    io::TarReader tar(source, budget);
    for (;;) {
        const Result<std::optional<io::TarEntry>> entry = tar.next();
        if (!entry || !*entry) return std::nullopt;
        std::string_view name = (*entry)->name;
        if (name.substr(0, 2) == "./") name.remove_prefix(2);
        for (const CifarVersion& version : io::cifarVersions())
            if (name.substr(0, name.find('/')) == version.folder) return version.kind;
    }
}

/// What a file of another length begins like: records that were cut off, or that have something behind them. Labels of
/// all records that are looked at, more than one class among them, and values that are no labels: other files have
/// small numbers everywhere, or nowhere.
std::optional<CifarKind> nearlyCifar(Bytes file) {
    constexpr std::size_t kLeast = 2, kMost = 64;
    for (const CifarKind kind : {CifarKind::Ten, CifarKind::Hundred}) {
        const auto record = static_cast<std::size_t>(cifarRecordBytes(kind));
        const std::size_t count = std::min(file.size() / record, kMost);
        bool alike = count >= kLeast, differs = false;
        for (std::size_t i = 0; i < count && alike; ++i) {
            const Bytes one = file.subspan(i * record, record);
            const auto labels = static_cast<std::size_t>(cifarLabelBytes(kind));
            const unsigned classes = kind == CifarKind::Ten ? 10 : 100;
            if (kind == CifarKind::Hundred) alike = std::to_integer<unsigned>(one[0]) < 20;
            alike = alike && std::to_integer<unsigned>(one[labels - 1]) < classes &&
                    std::any_of(one.begin() + static_cast<std::ptrdiff_t>(labels), one.end(),
                                [&](std::byte b) { return std::to_integer<unsigned>(b) >= classes; });
            differs = differs || one[labels - 1] != file[labels - 1];
        }
        if (alike && differs) return kind;
    }
    return std::nullopt;
}

std::optional<CifarKind> kindOfPickle(const FileBytes& file) {
    for (const CifarKind kind : {CifarKind::Ten, CifarKind::Hundred})
        if (cifarFromPickle(file, kind)) return kind;
    return std::nullopt;
}

std::optional<CifarSource> sourceOf(const fs::path& path) {
    Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
    if (!file) return std::nullopt;
    const Bytes bytes = (*file)->bytes();
    using Form = CifarSource::Form;
    const auto found = [](Form form, std::optional<CifarKind> kind) {
        return kind ? std::optional<CifarSource>({form, *kind}) : std::nullopt;
    };
    switch (fileKindOf(bytes.first(std::min(bytes.size(), kFileKindBytes)))) {
    case FileKind::Gzip:
        return found(Form::Archive, kindOfArchive(bytes));
    case FileKind::Pickle:
        return found(Form::Pickle, kindOfPickle({(*file)->bytes(), *file, "mapped file", true}));
    case FileKind::Unknown: {
        const std::optional<CifarKind> kind = cifarKindOf(bytes);
        if (!kind) return found(Form::Binary, nearlyCifar(bytes));
        // The first label at least must be one: other files may have such a length by chance.
        const bool labelled =
            kind && std::to_integer<int>(bytes[*kind == CifarKind::Ten ? 0 : 1]) < (*kind == CifarKind::Ten ? 10 : 100);
        return labelled ? found(Form::Binary, kind) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<CifarSource> cifarSourceOf(const fs::path& path) {
    try {
        return sourceOf(path);
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

Result<Tensor> fileBytes(const fs::path& path) {
    Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
    if (!file) return file.takeRefusal();
    const auto count = static_cast<Index>((*file)->bytes().size());
    return Tensor((*file)->storage(0, static_cast<std::size_t>(count)), View{{count}, {1}, 0}, DType::UInt8);
}

} // namespace stridescope
