#include "core/io/sample_images.h"

#include "core/io/cifar.h"

#include <algorithm>
#include <cstdlib>

namespace stridescope {
namespace {

constexpr int kSide = static_cast<int>(kCifarSide), kPlane = kSide * kSide;

/// Integers that look random and are the same everywhere (Marsaglia's xorshift with 32 bits).
class Numbers {
public:
    explicit Numbers(std::uint32_t seed) : m_state(seed * 2654435761u + 1) {
        for (int i = 0; i < 4; ++i) next(2);
    }
    /// 0 … below - 1.
    int next(int below) {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 17;
        m_state ^= m_state << 5;
        return static_cast<int>((m_state >> 8) % static_cast<std::uint32_t>(below));
    }
    int between(int low, int high) { return low + next(high - low + 1); }

private:
    std::uint32_t m_state;
};

/// Is the point part of the shape of class `label`? The shape fills x, y from -16 to 16; y grows downwards. None of
/// them but the round and square ones looks the same when rows and columns change places.
bool inShape(int label, int x, int y) {
    const int distance = x * x + y * y;
    switch (label) {
    case 0: // disc
        return distance <= 15 * 15;
    case 1: // square
        return std::abs(x) <= 13 && std::abs(y) <= 13;
    case 2: // triangle, pointing up
        return y <= 13 && y >= -14 && 2 * std::abs(x) <= y + 14;
    case 3: // ring
        return distance <= 15 * 15 && distance >= 8 * 8;
    case 4: // cross, its upright longer than its bar
        return (std::abs(x) <= 4 && std::abs(y) <= 15) || (std::abs(y + 4) <= 3 && std::abs(x) <= 11);
    case 5: // diamond, taller than wide
        return 3 * std::abs(x) + 2 * std::abs(y) <= 31;
    case 6: // bars, lying
        return std::abs(x) <= 14 && std::abs(y) <= 15 && (y + 16) % 8 < 4;
    case 7: // moon, open to the right
        return distance <= 15 * 15 && (x - 7) * (x - 7) + y * y > 12 * 12;
    case 8: // arrow to the right
        return (std::abs(y) <= 4 && x >= -15 && x <= 4) || (x >= 2 && x <= 15 && std::abs(y) <= 15 - x);
    default: // house
        return (std::abs(x) <= 10 && y >= -2 && y <= 14 && !(std::abs(x - 3) <= 2 && y >= 6)) ||
               (y < -2 && y >= -14 && std::abs(x) <= y + 16);
    }
}

struct Colour {
    int part[3];
};
Colour shade(Numbers& numbers, int low, int high) {
    Colour colour{};
    for (int& part : colour.part) part = numbers.between(low, high);
    return colour;
}

void draw(int number, std::byte* record) {
    const int label = number % static_cast<int>(sampleClasses().size());
    Numbers numbers(static_cast<std::uint32_t>(number));
    // A light shape on a dark ground or the other way round, one colour of the shape well above the others.
    const bool lightShape = numbers.next(2) == 0;
    Colour shape = lightShape ? shade(numbers, 120, 200) : shade(numbers, 10, 80);
    int& strong = shape.part[numbers.next(3)];
    strong = lightShape ? 245 : 150;
    const Colour top = lightShape ? shade(numbers, 20, 90) : shade(numbers, 170, 240);
    const Colour bottom = lightShape ? shade(numbers, 40, 110) : shade(numbers, 120, 200);
    const int size = numbers.between(9, 14), left = numbers.between(size + 1, kSide - 2 - size),
              up = numbers.between(size + 1, kSide - 2 - size);
    record[0] = static_cast<std::byte>(label);
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
            int inside = 0; // of four points of the pixel: soft edges
            for (int part = 0; part < 4; ++part) {
                const int px = (4 * (x - left) + 2 * (part % 2) - 1) * 16 / (4 * size);
                const int py = (4 * (y - up) + 2 * (part / 2) - 1) * 16 / (4 * size);
                inside += inShape(label, px, py);
            }
            const int noise = numbers.between(-9, 9);
            for (int c = 0; c < 3; ++c) {
                const int ground = (top.part[c] * (kSide - 1 - y) + bottom.part[c] * y) / (kSide - 1);
                const int value = (shape.part[c] * inside + ground * (4 - inside)) / 4 + noise;
                record[1 + c * kPlane + y * kSide + x] = static_cast<std::byte>(std::clamp(value, 0, 255));
            }
        }
    }
}

} // namespace

const std::array<const char*, 10>& sampleClasses() {
    static const std::array<const char*, 10> names{"disc",    "square", "triangle", "ring",  "cross",
                                                   "diamond", "bars",   "moon",     "arrow", "house"};
    return names;
}

std::vector<std::byte> sampleImages() {
    constexpr auto kRecord = static_cast<std::size_t>(cifarRecordBytes(CifarKind::Ten));
    std::vector<std::byte> records(kRecord * static_cast<std::size_t>(kSampleImages));
    for (int i = 0; i < kSampleImages; ++i) draw(i, records.data() + static_cast<std::size_t>(i) * kRecord);
    return records;
}

} // namespace stridescope
