#pragma once
// Overwrites: what writing would make of a storage of bytes, worked out when a byte is read. So a picture with a
// channel overwritten needs no second copy of 60,000 images, and the picture before it stays.

#include "core/view/view.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace stridescope {

class Overwrites;
using OverwritesPtr = std::shared_ptr<const Overwrites>;

/// An immutable value: writes, one after the other, each of which makes of a byte in its view another one that depends
/// on nothing but that byte, as fill_(0), add_(3) and clamp_(16, 235) do.
class Overwrites {
public:
    /// What becomes of each of the 256 bytes.
    using Table = std::array<std::uint8_t, 256>;

    /// Those of `before`, if any, and then a write to `where`, whose slots are bytes. Null where a slot of the view
    /// cannot be told by dividing by its strides: where elements overlap, or interlace as a diagonal's windows do.
    static OverwritesPtr with(const OverwritesPtr& before, const View& where, const Table& becomes);

    /// What is read at `slot`, where `stored` lies.
    std::uint8_t read(Index slot, std::uint8_t stored) const {
        for (const Write& write : m_writes)
            if (write.holds(slot)) stored = write.becomes[stored];
        return stored;
    }
    /// Carries the writes out on the slots `from` <= slot < `to` of a storage at `data`.
    void writeTo(std::byte* data, Index from, Index to) const;

private:
    struct Step {
        Index stride, size, reach; ///< `reach`: the furthest slot that this dim and those behind it get to
    };
    /// The set of a view's slots, by falling strides; dims that continue each other are one.
    struct Write {
        View where;
        Index lowest = 0;
        std::vector<Step> steps;
        Table becomes{};

        bool holds(Index slot) const {
            Index rest = slot - lowest;
            if (rest < 0) return false;
            for (const Step& step : steps) {
                // Dividing is most of the work: by 1 it is none, and of 32 bits, which do for most storages, a part.
                const Index times =
                    step.stride == 1 ? rest
                    : ((rest | step.stride) >> 32) == 0
                        ? static_cast<Index>(static_cast<std::uint32_t>(rest) / static_cast<std::uint32_t>(step.stride))
                        : rest / step.stride;
                if (times >= step.size) return false;
                rest -= times * step.stride;
            }
            return rest == 0;
        }
    };

    static void write(const Write& write, std::size_t dim, Index first, std::byte* data, Index from, Index to);

    std::vector<Write> m_writes;
};

} // namespace stridescope
