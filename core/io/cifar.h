#pragma once
// CIFAR-10 and CIFAR-100: 32 x 32 colour pictures with labels, in the files of the binary and of the Python version.
// Source of the formats: Krizhevsky's page on the data sets, sections "Binary version" and "Python version".

#include "core/io/npy.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace stridescope {

enum class CifarKind : std::uint8_t { Ten, Hundred };

/// Sides, channels and bytes of one picture; of a record of the binary version: labels, then a plane for each channel.
inline constexpr Index kCifarSide = 32, kCifarChannels = 3, kCifarPixels = 3072;
constexpr Index cifarLabelBytes(CifarKind kind) {
    return kind == CifarKind::Ten ? 1 : 2; // CIFAR-100: one of 20 groups, then one of 100 classes
}
constexpr Index cifarRecordBytes(CifarKind kind) {
    return cifarLabelBytes(kind) + kCifarPixels;
}

/// The names of the classes as they were published, by label.
const std::vector<std::string>& cifarClassNames(CifarKind kind);

/// One file of pictures, in place.
struct CifarBatch {
    Tensor images;             ///< uint8 {n, 3, 32, 32}, a view of the file's bytes
    std::vector<Index> labels; ///< -1 where the file has no class of that number
    std::vector<std::string> notes;
};

struct CifarOptions {
    /// False: the last record may be cut off, and is left out then.
    bool wholeFile = true;
    /// False: files whose sums differ from those that were published are taken all the same.
    bool verified = true;
};

/// Which version has `bytes` as a whole number of records; where both do, the labels tell.
std::optional<CifarKind> cifarKindOf(std::span<const std::byte> file);
/// The same for a file of `bytes` that begins with `head`.
std::optional<CifarKind> cifarKindOf(std::span<const std::byte> head, std::uint64_t bytes);

/// A file of the binary version. Refused: CIF-02, CIF-03.
Result<CifarBatch> cifarFromBinary(const FileBytes& file, CifarKind kind, const CifarOptions& options = {});
/// A file of the Python version, without Python: nothing in it is carried out. Refused: PKL-01 … PKL-05, CIF-05.
Result<CifarBatch> cifarFromPickle(const FileBytes& file, CifarKind kind, const Budget& budget = {});
/// The names of the classes in the meta file of the Python version.
Result<std::vector<std::string>> cifarNamesFromPickle(std::span<const std::byte> file, CifarKind kind,
                                                      const Budget& budget = {});

/// Pictures of a whole part (training or test), as torchvision has them.
struct CifarSet {
    Tensor data; ///< uint8 {n, 32, 32, 3}, contiguous: the colours of a pixel beside each other
    std::vector<Index> labels;
    std::vector<std::string>
        classes; ///< names by label, made safe to show; the published ones where the files have none
    std::vector<std::string> notes;
    std::string source; ///< "cifar-10-python.tar.gz", made safe to show
};

/// The part `train` of the set at `root`: a folder that holds one of the sets' own folders or archives, one of these
/// itself, or a single file of pictures. Archives are read as they stream past; nothing is written.
/// Refused: CIF-01 … CIF-06, IO-01 … IO-08, IO-18, IO-20, GZ-…, TAR-…, PKL-….
Result<CifarSet> openCifar(const std::filesystem::path& root, CifarKind kind, bool train,
                           const CifarOptions& options = {}, const Budget& budget = Budget::standard());

/// The same for an archive (.tar.gz) in memory; `fileName` says which one it claims to be.
Result<CifarSet> cifarFromArchive(std::span<const std::byte> archive, const std::string& fileName, CifarKind kind,
                                  bool train, const CifarOptions& options, const Budget& budget);

/// The program's own pictures (sample_images.h) as a set. Refused: IO-18.
Result<CifarSet> sampleSet(const Budget& budget = Budget::standard());

/// What a file of pictures is, told by its content.
struct CifarSource {
    enum class Form : std::uint8_t { Binary, Pickle, Archive };
    Form form = Form::Binary;
    CifarKind kind = CifarKind::Ten;
};
/// Records of another length than whole ones are told by their labels. Nothing for files that are something else, or
/// cannot be read.
std::optional<CifarSource> cifarSourceOf(const std::filesystem::path& path);

/// The bytes of a file as a uint8 tensor (n), mapped: the part of numpy.fromfile that costs nothing.
/// Refused: IO-01 … IO-06.
Result<Tensor> fileBytes(const std::filesystem::path& path);

namespace io {

/// A file of a set: its name in the set's folder and the sum that torchvision knows it by.
struct CifarFile {
    std::string name, md5;
};
/// One version of a set.
struct CifarVersion {
    CifarKind kind = CifarKind::Ten;
    bool binary = false;
    std::string folder, archive, archiveMd5;
    std::uint64_t archiveBytes = 0;
    std::vector<CifarFile> train, test;
    std::string names; ///< the file with the names of the classes
    std::string namesMd5;
};
const std::array<CifarVersion, 4>& cifarVersions();

/// Pictures of batches one after another, pixel by pixel. Refused: IO-18, IO-08, IO-20.
Result<Tensor> interleaved(std::span<const CifarBatch> batches, const Budget& budget);

} // namespace io
} // namespace stridescope
