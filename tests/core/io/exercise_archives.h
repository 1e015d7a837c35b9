#pragma once
// What the fuzzers of data sets do with one input; a normal test does the same with every case of the corpora.

#include "core/io/cifar.h"
#include "core/io/gzip.h"
#include "core/io/pickle.h"
#include "core/io/tar.h"
#include "tests/core/io/exercise_readers.h"

namespace exercise {

inline std::span<const std::byte> asBytes(std::string_view bytes) {
    return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
}

inline void batch(const stridescope::Result<stridescope::CifarBatch>& read) {
    if (!read) return checkRefusal(read.refusal());
    checkTensor(read->images);
    require(static_cast<stridescope::Index>(read->labels.size()) == read->images.size(0));
    const auto pixels = stridescope::io::interleaved({&*read, 1}, smallBudget());
    if (pixels) checkTensor(*pixels);
}

inline void cifar(std::string_view bytes) {
    using stridescope::CifarKind;
    for (const CifarKind kind : {CifarKind::Ten, CifarKind::Hundred})
        for (const bool whole : {true, false})
            batch(stridescope::cifarFromBinary(inMemory(bytes), kind, {whole, true}));
}

inline void pickle(std::string_view bytes) {
    batch(stridescope::cifarFromPickle(inMemory(bytes), stridescope::CifarKind::Ten, smallBudget()));
    const auto names = stridescope::cifarNamesFromPickle(asBytes(bytes), stridescope::CifarKind::Ten, smallBudget());
    if (!names) checkRefusal(names.refusal());
}

inline void tar(std::string_view bytes) {
    stridescope::io::MemorySource source(asBytes(bytes));
    const stridescope::Budget budget = smallBudget();
    stridescope::io::TarReader reader(source, budget);
    for (;;) {
        auto entry = reader.next();
        if (!entry) return checkRefusal(entry.refusal());
        if (!*entry) return;
        if (!(*entry)->regular) continue;
        const auto content = reader.content();
        if (!content) return checkRefusal(content.refusal());
        require(content->size() == (*entry)->bytes && content->size() <= bytes.size());
    }
}

/// As a gzip file, and as an archive of pictures.
inline void gzip(std::string_view bytes) {
    const stridescope::Budget budget = smallBudget();
    stridescope::io::GzipSource source(asBytes(bytes), budget);
    std::vector<std::byte> out(1 << 16);
    for (;;) {
        const auto got = source.read(out);
        if (!got) {
            checkRefusal(got.refusal());
            break;
        }
        if (*got < out.size()) break;
    }
    const auto set = stridescope::cifarFromArchive(asBytes(bytes), "x", stridescope::CifarKind::Ten, true, {}, budget);
    if (!set) return checkRefusal(set.refusal());
    checkTensor(set->data);
}

} // namespace exercise
