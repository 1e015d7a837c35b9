#include "tests/support/view_zoo.h"

#include "core/tensor/element.h"
#include "core/tensor/walk.h"

#include <vector>

namespace stridescope::test {

const std::vector<ZooView>& zooViews() {
    static const std::vector<ZooView> zoo{
        {"0-d", {{}, {}, 0}, 1},
        {"0-d, offset", {{}, {}, 5}, 9},
        {"one element", {{1}, {1}, 0}, 3},
        {"vector", {{7}, {1}, 0}, 9},
        {"contiguous 2-d", {{4, 6}, {6, 1}, 0}, 26},
        {"contiguous 3-d", {{2, 3, 4}, {12, 4, 1}, 0}, 26},
        {"contiguous 5-d", {{2, 1, 3, 2, 2}, {12, 12, 4, 2, 1}, 0}, 26},
        {"contiguous 8-d", {{2, 1, 2, 1, 2, 1, 2, 2}, {16, 16, 8, 8, 4, 4, 2, 1}, 1}, 36},
        {"offset", {{4, 3}, {3, 1}, 5}, 20},
        {"transposed", {{6, 4}, {1, 6}, 0}, 26},
        {"permuted 3-d", {{4, 2, 3}, {1, 12, 4}, 0}, 26},
        {"permuted 4-d, offset", {{3, 2, 2, 4}, {4, 12, 24, 1}, 3}, 55},
        {"step 2", {{5}, {2}, 0}, 12},
        {"step 3, offset", {{4}, {3}, 2}, 14},
        {"rows with a gap", {{4, 3}, {5, 1}, 1}, 24},
        {"every second row and column", {{3, 3}, {12, 2}, 1}, 36},
        {"negative stride", {{5}, {-1}, 6}, 9, false, true},
        {"negative rows", {{3, 4}, {-4, 1}, 9}, 15, false, true},
        {"negative both, step", {{3, 2}, {-6, -2}, 15}, 18, false, true},
        {"stride 0, rows repeated", {{4, 3}, {0, 1}, 1}, 6, true},
        {"stride 0, columns repeated", {{3, 4}, {1, 0}, 0}, 5, true},
        {"stride 0, middle", {{2, 3, 2}, {2, 0, 1}, 1}, 7, true},
        {"stride 0, all", {{2, 3}, {0, 0}, 2}, 4, true},
        {"stride 0 on size 1", {{1, 3}, {0, 1}, 0}, 5},
        {"size-1 dim, odd stride", {{3, 1, 2}, {2, 77, 1}, 0}, 8},
        {"size-1 dims all, odd strides", {{1, 1}, {-9, 100}, 2}, 4, false, true},
        {"empty", {{0}, {1}, 0}, 0},
        {"empty, with storage", {{0, 3}, {3, 1}, 2}, 4},
        {"empty 3-d", {{2, 0, 4}, {4, 4, 1}, 0}, 3},
        {"empty, stride 0", {{3, 0}, {0, 0}, 1}, 2},
        {"sliding windows", {{5, 3}, {1, 1}, 0}, 9, true},
        {"sliding windows, step 2", {{3, 4}, {2, 1}, 1}, 11, true},
        {"diagonal", {{4}, {6}, 0}, 24},
        {"overlapping as_strided", {{3, 2, 2}, {1, 2, 1}, 0}, 8, true},
        {"large contiguous", {{70, 133}, {133, 1}, 3}, 9320},
        {"large transposed", {{133, 70}, {1, 133}, 3}, 9320},
        {"large, step 2", {{67, 65}, {140, 2}, 1}, 9400},
    };
    return zoo;
}

Scalar zooValue(DType dtype, Index slot) {
    constexpr Index kPeriod = 23; // prime: no stride of the zoo repeats it
    const Index number = (slot * 7) % kPeriod;
    if (dtype == DType::Bool) return Scalar(number % 3 == 0);
    if (isFloating(dtype)) return Scalar(static_cast<double>(number - 11) / 4.0);
    return Scalar(dtype == DType::UInt8 ? number : number - 11);
}

StoragePtr zooStorage(DType dtype, Index slots) {
    const std::size_t size = itemSize(dtype);
    // Elements of 8 bytes make the vector's memory aligned for every dtype.
    auto* memory = new std::vector<double>((static_cast<std::size_t>(slots) * size + 7) / 8);
    auto* bytes = reinterpret_cast<std::byte*>(memory->data());
    for (Index i = 0; i < slots; ++i)
        storeElement(bytes + static_cast<std::size_t>(i) * size, dtype, zooValue(dtype, i));
    return Storage::wrap(
        bytes, static_cast<std::size_t>(slots) * size, Device{}, [memory] { delete memory; }, "test");
}

Tensor zooTensor(const ZooView& layout, DType dtype) {
    return Tensor(zooStorage(dtype, layout.slots), layout.view, dtype);
}

std::vector<Scalar> elementsOf(const Tensor& t) {
    std::vector<Scalar> values;
    const std::byte* data = t.storage()->data();
    forEachSlot(t.view(), [&](Index slot) {
        values.push_back(loadElement(data + static_cast<std::size_t>(slot) * t.itemSize(), t.dtype()));
    });
    return values;
}

std::vector<std::byte> bytesOf(const Tensor& t) {
    const std::byte* data = t.storage()->data();
    return {data, data + t.storage()->bytes()};
}

} // namespace stridescope::test
