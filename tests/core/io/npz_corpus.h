#pragma once
// .npz files made in code, good and hostile: for the tests, and as seeds of the fuzzer.

#include "tests/core/io/npy_corpus.h"

#include <functional>
#include <zlib.h>

namespace corpus {

inline std::string deflated(const std::string& bytes, int level = 9) {
    z_stream stream{};
    deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::uint32_t crcOf(const std::string& bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// The numbers of one header, local or central; a test bends them before they are written.
struct ZipNumbers {
    std::string name;
    std::uint16_t flags = 0, method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed = 0, unpacked = 0, offset = 0;
    bool zip64 = false;
};

struct ZipPart {
    std::string name;
    std::string content;
    bool pack = false;
    std::function<void(ZipNumbers&)> bendLocal = {}, bendCentral = {};
    std::string packedInstead = {}; ///< replaces the packed bytes when not empty
};

inline std::string sizes64(const ZipNumbers& n, bool central) {
    if (!n.zip64) return {};
    return littleEndian(1, 2) + littleEndian(central ? 24 : 16, 2) + littleEndian(n.unpacked, 8) +
           littleEndian(n.packed, 8) + (central ? littleEndian(n.offset, 8) : std::string());
}

/// What both headers have in common, from the flags to the length of the extra field.
inline std::string commonNumbers(const ZipNumbers& n, const std::string& extra) {
    return littleEndian(n.flags, 2) + littleEndian(n.method, 2) + littleEndian(0, 4) + littleEndian(n.crc, 4) +
           littleEndian(n.zip64 ? 0xFFFFFFFF : n.packed, 4) + littleEndian(n.zip64 ? 0xFFFFFFFF : n.unpacked, 4) +
           littleEndian(n.name.size(), 2) + littleEndian(extra.size(), 2);
}

struct ZipEnd {
    std::uint64_t entries = 0, bytes = 0, offset = 0;
    std::uint16_t disk = 0;
    bool zip64 = false;
};

inline std::string zip(const std::vector<ZipPart>& parts, const std::function<void(ZipEnd&)>& bendEnd = {}) {
    std::string file, directory;
    for (const ZipPart& part : parts) {
        std::string packed = part.pack ? deflated(part.content) : part.content;
        if (!part.packedInstead.empty()) packed = part.packedInstead;
        const ZipNumbers numbers{part.name,
                                 0,
                                 static_cast<std::uint16_t>(part.pack ? 8 : 0),
                                 crcOf(part.content),
                                 packed.size(),
                                 part.content.size(),
                                 file.size()};
        ZipNumbers local = numbers, central = numbers;
        if (part.bendLocal) part.bendLocal(local);
        if (part.bendCentral) part.bendCentral(central);
        const std::string localExtra = sizes64(local, false), centralExtra = sizes64(central, true);
        file +=
            "PK\x03\x04" + littleEndian(20, 2) + commonNumbers(local, localExtra) + local.name + localExtra + packed;
        directory += "PK\x01\x02" + littleEndian(20, 2) + littleEndian(20, 2) + commonNumbers(central, centralExtra) +
                     littleEndian(0, 10) + littleEndian(central.zip64 ? 0xFFFFFFFF : central.offset, 4) + central.name +
                     centralExtra;
    }
    ZipEnd end{parts.size(), directory.size(), file.size()};
    if (bendEnd) bendEnd(end);
    file += directory;
    if (end.zip64) {
        const std::uint64_t at = file.size();
        file += "PK\x06\x06" + littleEndian(44, 8) + littleEndian(45, 2) + littleEndian(45, 2) + littleEndian(0, 8) +
                littleEndian(end.entries, 8) + littleEndian(end.entries, 8) + littleEndian(end.bytes, 8) +
                littleEndian(end.offset, 8);
        file += "PK\x06\x07" + littleEndian(0, 4) + littleEndian(at, 8) + littleEndian(1, 4);
        end.entries = 0xFFFF;
        end.bytes = end.offset = 0xFFFFFFFF;
    }
    return file + "PK\x05\x06" + littleEndian(end.disk, 2) + littleEndian(end.disk, 2) + littleEndian(end.entries, 2) +
           littleEndian(end.entries, 2) + littleEndian(end.bytes, 4) + littleEndian(end.offset, 4) + littleEndian(0, 2);
}

struct ArchiveCase {
    std::string name;
    std::string bytes;
    std::string id;                   ///< of the refusal of the whole; empty when it opens
    std::size_t arrays = 0;           ///< that open
    std::vector<std::string> skipped; ///< ids of the entries that do not
};

inline std::string arrayOf(std::size_t floats, char fill = '\1') {
    return npy(dict("<f4", "(" + std::to_string(floats) + ",)"), std::string(floats * 4, fill));
}

inline std::vector<ArchiveCase> npzCases() {
    const std::string a = arrayOf(4), b = arrayOf(100, '\2');
    const ZipPart good{"good.npy", a};
    const auto bent = [](ZipPart part, std::function<void(ZipNumbers&)> both) {
        part.bendLocal = part.bendCentral = std::move(both);
        return part;
    };
    const auto locally = [](ZipPart part, std::function<void(ZipNumbers&)> how) {
        part.bendLocal = std::move(how);
        return part;
    };
    const auto centrally = [](ZipPart part, std::function<void(ZipNumbers&)> how) {
        part.bendCentral = std::move(how);
        return part;
    };
    ZipPart badPacked{"bad.npy", b, true};
    badPacked.packedInstead = std::string(40, '\xff');
    ZipPart cutPacked{"cut.npy", b, true};
    cutPacked.packedInstead = deflated(b).substr(0, deflated(b).size() - 4);
    ZipPart longer{"longer.npy", b, true};
    longer.packedInstead = deflated(b + std::string(1000, 'x'));
    std::vector<ZipPart> many;
    for (int i = 0; i < 1000; ++i) many.push_back({"array_" + std::to_string(i) + ".npy", a, i % 2 == 1});
    const std::string good64 =
        zip({bent(good, [](ZipNumbers& n) { n.zip64 = true; })}, [](ZipEnd& e) { e.zip64 = true; });
    const std::string plain = zip({good, {"b.npy", b, true}});
    return {
        {"stored and deflated", plain, "", 2, {}},
        {"with a comment", zip({good}).substr(0, zip({good}).size() - 2) + littleEndian(5, 2) + "hello", "", 1, {}},
        {"zip64", good64, "", 1, {}},
        {"zip64 only locally, as NumPy", zip({locally(good, [](ZipNumbers& n) { n.zip64 = true; })}), "", 1, {}},
        {"sizes after the data",
         zip({locally(good,
                      [](ZipNumbers& n) {
                          n.flags = 8;
                          n.crc = 0;
                          n.packed = n.unpacked = 0;
                      })}),
         "",
         1,
         {}},
        {"1000 entries", zip(many), "", 1000, {}},
        {"names as labels",
         zip({{"../../x.npy", a},
              {"/etc/passwd.npy", a},
              {"\x1b[2J\xff.npy", a},
              {std::string(60000, 'n') + ".npy", a}}),
         "",
         4,
         {}},
        {"empty array", zip({{"e.npy", npy(dict("<f4", "(0,)"), ""), true}}), "", 1, {}},
        // bad entries beside a good one
        {"duplicate names", zip({good, {"good.npy", b}}), "", 1, {"NPZ-12"}},
        {"encrypted", zip({good, bent({"e.npy", b}, [](ZipNumbers& n) { n.flags = 1; })}), "", 1, {"NPZ-06"}},
        {"unknown method", zip({good, bent({"m.npy", b}, [](ZipNumbers& n) { n.method = 14; })}), "", 1, {"NPZ-07"}},
        {"wrong checksum, stored",
         zip({good, bent({"c.npy", b}, [](ZipNumbers& n) { n.crc ^= 1; })}),
         "",
         1,
         {"NPZ-10"}},
        {"wrong checksum, deflated",
         zip({good, bent({"c.npy", b, true}, [](ZipNumbers& n) { n.crc ^= 1; })}),
         "",
         1,
         {"NPZ-10"}},
        {"nested zip and text",
         zip({good, {"inner.zip", plain}, {"README.txt", "hello"}, {"folder/", ""}}),
         "",
         1,
         {"NPZ-13", "NPZ-13", "NPZ-13"}},
        {"not packed data", zip({good, badPacked}), "", 1, {"NPZ-11"}},
        {"packed data cut", zip({good, cutPacked}), "", 1, {"NPZ-11"}},
        {"unpacks to more", zip({good, longer}), "", 1, {"NPZ-11"}},
        {"unpacks to less",
         zip({good, bent({"l.npy", b, true}, [](ZipNumbers& n) { n.unpacked += 100; })}),
         "",
         1,
         {"NPZ-11"}},
        {"stored of two sizes",
         zip({good, bent({"s.npy", b}, [](ZipNumbers& n) { n.unpacked += 100; })}),
         "",
         1,
         {"NPZ-11"}},
        {"more than deflate can",
         zip({good, bent({"d.npy", b, true}, [](ZipNumbers& n) { n.unpacked = 1u << 30; })}),
         "",
         1,
         {"NPZ-09"}},
        {"bad array",
         zip({good, {"o.npy", npy(dict("|O", "(4,)"), "cos\nsystem\n(S'touch canary'\ntR.")}}),
         "",
         1,
         {"NPY-14"}},
        {"array cut", zip({good, {"s.npy", a.substr(0, a.size() - 1), true}}), "", 1, {"NPY-07"}},
        // bad as a whole
        {"empty", "", "NPZ-01", 0, {}},
        {"no directory", "PK\x03\x04" + std::string(100, 'x'), "NPZ-01", 0, {}},
        {"cut", plain.substr(0, plain.size() - 1), "NPZ-01", 0, {}},
        {"bytes after it", plain + "x", "NPZ-01", 0, {}},
        {"bytes before it", "xx" + plain, "NPZ-02", 0, {}},
        {"no arrays", zip({{"README.txt", "hello"}}), "NPZ-05", 0, {}},
        {"no entries", zip({}), "", 0, {}},
        {"PyTorch checkpoint", zip({{"model/data.pkl", "x"}, {"model/data/0", "y"}}), "NPZ-14", 0, {}},
        {"more entries said", zip({good}, [](ZipEnd& e) { e.entries = 3; }), "NPZ-02", 0, {}},
        {"fewer entries said", zip({good, {"b.npy", b}}, [](ZipEnd& e) { e.entries = 1; }), "NPZ-02", 0, {}},
        {"too many entries",
         zip({good},
             [](ZipEnd& e) {
                 e.zip64 = true;
                 e.entries = std::uint64_t{1} << 60;
             }),
         "NPZ-04",
         0,
         {}},
        {"directory elsewhere", zip({good}, [](ZipEnd& e) { e.offset += 7; }), "NPZ-02", 0, {}},
        {"directory outside", zip({good}, [](ZipEnd& e) { e.offset = 0xFFFFFFF0; }), "NPZ-02", 0, {}},
        {"zip64 outside",
         zip({good},
             [](ZipEnd& e) {
                 e.zip64 = true;
                 e.offset = UINT64_MAX - 10;
             }),
         "NPZ-02",
         0,
         {}},
        {"several disks", zip({good}, [](ZipEnd& e) { e.disk = 2; }), "NPZ-15", 0, {}},
        {"other name locally", zip({locally(good, [](ZipNumbers& n) { n.name = "evil.npy"; })}), "NPZ-03", 0, {}},
        {"other size locally", zip({locally(good, [](ZipNumbers& n) { n.packed += 1; })}), "NPZ-03", 0, {}},
        {"other checksum locally", zip({locally(good, [](ZipNumbers& n) { n.crc += 1; })}), "NPZ-03", 0, {}},
        {"other method locally", zip({locally(good, [](ZipNumbers& n) { n.method = 8; })}), "NPZ-03", 0, {}},
        {"encrypted only locally", zip({locally(good, [](ZipNumbers& n) { n.flags = 1; })}), "NPZ-03", 0, {}},
        {"header elsewhere", zip({centrally(good, [](ZipNumbers& n) { n.offset += 1; })}), "NPZ-03", 0, {}},
        {"header outside", zip({centrally(good, [](ZipNumbers& n) { n.offset = 0xFFFFFF00; })}), "NPZ-03", 0, {}},
        {"data outside", zip({bent(good, [](ZipNumbers& n) { n.packed = n.unpacked = 0x7FFFFFFF; })}), "NPZ-03", 0, {}},
        {"overlapping entries",
         zip({good, centrally({"good.npy", a}, [](ZipNumbers& n) { n.offset = 0; })}),
         "NPZ-03",
         0,
         {}},
    };
}

} // namespace corpus
