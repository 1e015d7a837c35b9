#pragma once
// Reading elements for pictures: never outside the storage, never from memory that the CPU cannot see.

#include "core/print/format_element.h"
#include "core/tensor/tensor.h"
#include "widgets/scene/odd_values.h"
#include "widgets/scene/strip_layout.h"

#include <QString>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace stridescope {

class OddCounts;

class CellValues {
public:
    explicit CellValues(const Tensor& source);

    /// False for undefined tensors, for storages on another device, and for memory that nobody has written to yet:
    /// then cells show no value.
    bool readable() const { return m_data != nullptr; }
    /// Of a file that became shorter, what lies beyond its new end is held no more.
    bool holds(Index slot) const { return slot >= 0 && slot < m_held; }
    DType dtype() const { return m_dtype; }
    Index count() const { return m_count; }
    /// Of a slot. Precondition: readable() and holds(slot).
    const std::byte* address(Index slot) const { return m_data + static_cast<std::size_t>(slot) * itemSize(m_dtype); }

    /// Value of a slot, of complex ones the magnitude. Precondition: readable() and holds(slot).
    double at(Index slot) const;
    /// Values of slots first, first + stride, …; slots outside the storage give NaN. Precondition: readable().
    void read(Index first, Index stride, Index n, double* out) const;
    /// Which i of 0 … n-1 have a slot first + i*stride inside the storage (they are neighbours).
    SlotRange inside(Index first, Index stride, Index n) const;

    /// The value as text of at most `maxChars` characters: itself, or with kDigitsLeftOut in it; see appendElement().
    /// Precondition: as `at`.
    void appendText(std::string& out, Index slot, std::size_t maxChars) const;

private:
    template <class T>
    static double asDouble(const std::byte* address) {
        if constexpr (std::is_same_v<T, bool>) {
            return std::to_integer<int>(*address) != 0 ? 1 : 0; // any byte but 0 is true
        } else {
            T value;
            std::memcpy(&value, address, sizeof value);
            if constexpr (kIsComplex<T>) {
                return std::hypot(static_cast<double>(value.re), static_cast<double>(value.im));
            } else {
                return static_cast<double>(value);
            }
        }
    }

    const std::byte* m_data = nullptr;
    Index m_count = 0, m_held = 0;
    DType m_dtype = DType::Float32;
};

/// How many bytes the mapped file behind the tensor has, where it became shorter than what was mapped.
std::optional<quint64> shorterFile(const Tensor& tensor);

/// Lowest and highest finite value of a sample of the view (at most `limit` elements, spread evenly): colour ranges
/// without a pass over everything. {0, 1} where there is none.
std::pair<double, double> sampledRange(const Tensor& tensor, Index limit = 4096);

/// The colour range of everything that is drawn of the tensor's storage: cards, strips and bars of one storage have the
/// same colours, so that a value can be followed from one to the other. From a sample of the whole storage; symmetric
/// around 0 when there are negative values; outwards to two digits, so that a bar has short numbers. {0, 1} without
/// elements. Up to 2^18 elements all are read, so that none lies outside but infinities.
std::pair<double, double> heatRange(const Tensor& tensor);
/// Whether values may lie below and above heatRange(): where only a sample was read, and for infinities.
std::pair<bool, bool> beyondHeat(const Tensor& tensor);
/// The value of all finite elements that heatRange() was made from, where it is one: a range round it would name values
/// that are not there.
std::optional<OnlyValue> onlyValue(const Tensor& tensor);
/// NaN and infinities of the tensor's storage: of a large one as they were counted, else those of heatRange()'s sample.
OddValues oddValues(const Tensor& tensor, const OddCounts* counted = nullptr);

/// Text of the element in `slot`, at most five characters; "?" where it cannot be read.
QString valueText(const Tensor& source, Index slot);

} // namespace stridescope
