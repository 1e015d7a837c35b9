#pragma once
// Files of CIFAR made in code, good and hostile: for the tests, and as seeds of the fuzzers.

#include "tests/core/io/npy_corpus.h"

#include <algorithm>
#include <optional>
#include <zlib.h>

namespace corpus {

// --- Binary version ------------------------------------------------------------------------------------------------

/// One record: labels, then 3072 bytes that tell which record they are of.
inline std::string cifarRecord(int number, const std::string& labels) {
    std::string record = labels;
    for (int i = 0; i < 3072; ++i) record += static_cast<char>(i * 7 + number * 31);
    return record;
}
inline std::string cifarBinary(int count) {
    std::string file;
    for (int i = 0; i < count; ++i) file += cifarRecord(i, std::string(1, static_cast<char>(i % 10)));
    return file;
}
inline std::string cifar100Binary(int count) {
    std::string file;
    for (int i = 0; i < count; ++i) {
        const char labels[] = {static_cast<char>(i % 20), static_cast<char>((i * 3) % 100)};
        file += cifarRecord(i, std::string(labels, 2));
    }
    return file;
}

// --- Pickles, as Python 2 wrote them -------------------------------------------------------------------------------

inline std::string pickleText(const std::string& text) {
    return "U" + littleEndian(text.size(), 1) + text;
}
inline std::string pickleArray(const std::string& bytes, int rows, int columns, const std::string& dtype = "u1") {
    return "cnumpy.core.multiarray\n_reconstruct\nq\x01"
           "cnumpy\nndarray\nq\x02K" +
           std::string(1, '\0') + "\x85U\x01" + "b\x87Rq\x03(K\x01M" + littleEndian(static_cast<unsigned>(rows), 2) +
           "M" + littleEndian(static_cast<unsigned>(columns), 2) + "\x86" + "cnumpy\ndtype\nq\x04" + pickleText(dtype) +
           "K" + std::string(1, '\0') + "K\x01\x87Rq\x05(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK" +
           std::string(1, '\0') + "tb\x89T" + littleEndian(bytes.size(), 4) + bytes + "tb";
}
inline std::string pickleLabels(int count, const std::string& key = "labels") {
    std::string list = pickleText(key) + "](";
    for (int i = 0; i < count; ++i) list += "K" + std::string(1, static_cast<char>(i % 10));
    return list + "e";
}
inline std::string pickled(const std::string& items) {
    return "\x80\x02}q" + std::string(1, '\0') + "(" + items + "u.";
}
inline std::string cifarPixels(int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i) bytes += cifarRecord(i, "");
    return bytes;
}
inline std::string cifarPickle(int count, const std::string& labels = "labels") {
    return pickled(pickleText("batch_label") + pickleText("training batch 1 of 5") + pickleLabels(count, labels) +
                   pickleText("data") + pickleArray(cifarPixels(count), count, 3072));
}
inline std::string cifarMetaPickle() {
    std::string list = pickleText("label_names") + "](";
    for (int i = 0; i < 10; ++i) list += pickleText("class " + std::to_string(i));
    return pickled(list + "e");
}

struct PickleCase {
    std::string name, bytes;
    std::string id; ///< of the refusal; empty: a batch
};
inline std::vector<PickleCase> pickleCases() {
    const auto repeat = [](const std::string& part, int count) {
        std::string all;
        for (int i = 0; i < count; ++i) all += part;
        return all;
    };
    const std::string pixels = cifarPixels(2);
    const auto with = [&](const std::string& array) { return pickled(pickleLabels(2) + pickleText("data") + array); };
    return {
        {"batch", cifarPickle(3), ""},
        {"no images", cifarPickle(0), ""},
        {"empty", "", "PKL-01"},
        // Its end is not searched for through all of a large file.
        {"long name", std::string("\x80\x02") + "c" + std::string(100'000, 'm') + "\nload\n.", "PKL-02"},
        {"protocol 0", "(dp0\n.", "PKL-01"},
        {"protocol 9", "\x80\x09}.", "PKL-02"},
        {"runs a command", std::string("\x80\x02") + "cposix\nsystem\nU\x08touch xx\x85R.", "PKL-04"},
        {"runs a command, protocol 4", std::string("\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x04true\x85R.", 26),
         "PKL-04"},
        {"imports by the old opcode", std::string("\x80\x02(ios\nsystem\n."), "PKL-02"},
        {"builtins", std::string("\x80\x02") + "cbuiltins\neval\nU\x01x\x85R.", "PKL-04"},
        {"calls a list", std::string("\x80\x02])R."), "PKL-02"},
        {"a long integer", std::string("\x80\x02\x8b\xff\xff\xff\x7f."), "PKL-02"},
        {"bytes of 2^63", std::string("\x80\x04\x8e") + littleEndian(std::uint64_t{1} << 63, 8) + "x.", "PKL-03"},
        {"text longer than the file", std::string("\x80\x02T") + littleEndian(0x7fffffff, 4) + "x.", "PKL-03"},
        {"memo that is not there", std::string("\x80\x02h\x05."), "PKL-02"},
        {"nested tuples", "\x80\x02)" + repeat("\x85", 100'000) + ".", "PKL-05"},
        {"many values", "\x80\x02" + repeat("N", 1'000'002) + ".", "PKL-05"},
        {"many items",
         "\x80\x02" + repeat("Nq\x01", 1) + "](" + repeat("h\x01", 900'000) + "e(" + repeat("h\x01", 900'000) + "e(" +
             repeat("h\x01", 900'000) + "e(" + repeat("h\x01", 900'000) + "e(" + repeat("h\x01", 900'000) + "e.",
         "PKL-05"},
        {"marks only", "\x80\x02" + repeat("(", 1'000'002) + ".", "PKL-05"},
        {"no end", "\x80\x02}", "PKL-03"},
        {"nothing on the stack", std::string("\x80\x02."), "PKL-02"},
        {"a list", std::string("\x80\x02]."), "CIF-05"},
        {"no data", pickled(pickleLabels(2)), "CIF-05"},
        {"no labels", pickled(pickleText("data") + pickleArray(pixels, 2, 3072)), "CIF-05"},
        {"labels of CIFAR-100", cifarPickle(2, "fine_labels"), "CIF-03"},
        {"float64", with(pickleArray(pixels, 2, 3072, "f8")), "CIF-05"},
        {"other columns", with(pickleArray(pixels, 3, 2048)), "CIF-05"},
        {"fewer bytes", with(pickleArray(pixels.substr(1), 2, 3072)), "CIF-05"},
        {"more rows than labels", pickled(pickleLabels(1) + pickleText("data") + pickleArray(pixels, 2, 3072)),
         "CIF-05"},
    };
}

// --- Archives ------------------------------------------------------------------------------------------------------

inline std::string octal(std::uint64_t value, std::size_t width) {
    std::string text(width, '0');
    for (std::size_t i = width; i-- > 0; value >>= 3) text[i] = static_cast<char>('0' + (value & 7));
    return text;
}
/// A header and the content; `size` instead of the content's own where given.
inline std::string tarEntry(const std::string& name, const std::string& content, char type = '0',
                            std::optional<std::uint64_t> size = {}) {
    std::string header(512, '\0');
    header.replace(0, std::min<std::size_t>(name.size(), 100), name.substr(0, 100));
    header.replace(100, 7, "0000644");
    header.replace(124, 11, octal(size.value_or(content.size()), 11));
    header.replace(136, 11, octal(0, 11));
    header[156] = type;
    header.replace(257, 8,
                   std::string("ustar\0"
                               "00",
                               8));
    if (type == 'S') header[482] = 1; // the map of what is there goes on in a block of its own
    header.replace(148, 8, "        ");
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    header.replace(148, 7, octal(sum, 6) + '\0');
    std::string padded = content;
    padded.resize((content.size() + 511) / 512 * 512, '\0');
    return header + padded;
}
inline std::string tarEnd() {
    return std::string(1024, '\0');
}
inline std::string paxRecord(const std::string& key, const std::string& value) {
    std::size_t length = key.size() + value.size() + 3;
    for (std::string digits = std::to_string(length);; digits = std::to_string(length)) {
        const std::size_t all = key.size() + value.size() + 3 + digits.size();
        if (all == length) return digits + " " + key + "=" + value + "\n";
        length = all;
    }
}
inline std::string gzipped(const std::string& bytes, int level = 6) {
    z_stream stream{};
    deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline const std::string kPyFolder = "cifar-10-batches-py/", kBinFolder = "cifar-10-batches-bin/";
/// The entries of a whole training part with `count` images in each of five files.
inline std::string trainEntries(int count, bool binary) {
    std::string tar;
    for (int i = 1; i <= 5; ++i)
        tar += tarEntry((binary ? kBinFolder : kPyFolder) + "data_batch_" + std::to_string(i) + (binary ? ".bin" : ""),
                        binary ? cifarBinary(count) : cifarPickle(count));
    return tar;
}

struct TarCase {
    std::string name, bytes;
    std::string id;   ///< of the refusal; empty: it opens
    std::string note; ///< part of a note, when it opens; after "!" what none has
};
/// Tar files; packed by gzip they are archives.
inline std::vector<TarCase> tarCases() {
    const std::string whole = trainEntries(1, true), end = tarEnd(), first = kBinFolder + "data_batch_1.bin";
    const std::string longName = std::string(150, 'a') + "/../../x";
    std::string many;
    for (int i = 0; i < 5000; ++i) many += tarEntry("f" + std::to_string(i), "");
    std::string others;
    for (int i = 0; i < 20; ++i) others += tarEntry("note" + std::to_string(i), "");
    std::string badSum = whole;
    badSum[10] = '!';
    const std::string sparse = tarEntry("sparse", "", 'S');
    return {
        {"whole", whole + end, "", ""},
        {"without an end", whole, "", ""},
        {"Python version", trainEntries(1, false) + tarEntry(kPyFolder + "batches.meta", cifarMetaPickle()) + end, "",
         ""},
        {"leads out of the folder", tarEntry("../../evil", "x") + tarEntry("/etc/evil", "x") + whole + end, "",
         "Ignored in the archive: ../../evil (leads out of the folder), /etc/evil (leads out of the folder)."},
        {"other files",
         tarEntry("AAA-readme.txt", "x") + tarEntry(kBinFolder + "extra.bin", cifarBinary(1)) + whole + end, "",
         "Ignored in the archive: AAA-readme.txt (no file of CIFAR-10), cifar-10-batches-bin/extra.bin (no file of "
         "CIFAR-10)."},
        {"twenty other files", others + whole + end, "", "note7 (no file of CIFAR-10) and 12 more."},
        {"what a published archive has besides",
         tarEntry(kBinFolder, "", '5') + tarEntry(kBinFolder + "readme.html", "x") +
             tarEntry(kBinFolder + "test_batch.bin", cifarBinary(1)) + whole + end,
         "", "!Ignored"},
        {"links", tarEntry("link", "", '2') + tarEntry(first, "", '1', 99) + tarEntry("dev", "", '3') + whole + end, "",
         "not a regular file"},
        {"a folder", tarEntry(kBinFolder, "", '5') + whole + end, "", ""},
        {"twice the same", whole + tarEntry(first, cifarBinary(2)) + end, "", "there already"},
        {"both versions", trainEntries(1, false) + whole + end, "", "data_batch_1.bin (of the binary version)"},
        {"GNU long name", tarEntry("././@LongLink", longName + '\0', 'L') + tarEntry("cut", "x") + whole + end, "", ""},
        {"pax name", tarEntry("pax", paxRecord("path", "../../x"), 'x') + tarEntry("y", "x") + whole + end, "", ""},
        {"pax name of a batch",
         tarEntry("pax", paxRecord("path", first), 'x') + tarEntry("y", cifarBinary(1)) + whole.substr(512 + 3584) +
             end,
         "", ""},
        {"pax size",
         tarEntry("pax", paxRecord("size", "512"), 'x') + tarEntry("y", std::string(512, 'x'), '0', 0) + whole + end,
         "", ""},
        {"pax nonsense", tarEntry("pax", "99999999999 path=x\n", 'x') + whole + end, "TAR-02", ""},
        {"old sparse file", sparse + std::string(512, '\0') + whole + end, "", "not a regular file"},
        {"name of a megabyte", tarEntry("l", std::string(1 << 20, 'a'), 'L') + whole + end, "TAR-02", ""},
        {"no tar", std::string(2048, 'x'), "TAR-01", ""},
        {"short", "x", "TAR-01", ""},
        {"many entries", many + end, "TAR-03", ""},
        {"wrong sum", badSum + end, "TAR-01", ""},
        {"wrong sum later", whole + badSum + end, "TAR-02", ""},
        {"negative size", tarEntry("x", "", '0', 0).replace(124, 1, "\xff") + end, "TAR-01", ""},
        {"cut in a file", whole.substr(0, whole.size() - 600), "TAR-04", ""},
        {"a size that is not there", tarEntry("x", "", '0', std::uint64_t{1} << 32) + end, "TAR-04", ""},
        {"a batch whose size is not there", tarEntry(first, "x", '0', std::uint64_t{1} << 30), "TAR-04", ""},
        {"a batch is missing", whole.substr(0, 4096) + end, "CIF-06", ""},
        {"none of the files", tarEntry("README", "hello") + end, "CIF-01", ""},
        {"a batch that is cut", tarEntry(first, cifarBinary(1).substr(1)) + end, "CIF-02", ""},
    };
}

} // namespace corpus
