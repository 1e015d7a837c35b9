#include "tests/support/qt/colour_vision.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <cmath>

namespace stridescope::test {

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr Matrix kGrey{{{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}};

const Matrix& matrixOf(Vision vision) {
    switch (vision) {
    case Vision::Protan:
        return kProtan;
    case Vision::Deutan:
        return kDeutan;
    case Vision::Tritan:
        return kTritan;
    case Vision::Grey:
        return kGrey;
    case Vision::Normal:
        break;
    }
    return kNormal;
}

Triple linear(const QColor& colour) {
    const auto of = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return {of(colour.redF()), of(colour.greenF()), of(colour.blueF())};
}

double encoded(double c) {
    c = std::clamp(c, 0.0, 1.0);
    return c <= 0.0031308 ? c * 12.92 : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

/// CIE L*a*b*.
Triple labOf(const QColor& colour) {
    const Triple c = linear(colour);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (841.0 / 108) * t + 4.0 / 29; };
    const double x = f((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
    const double y = f(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = f((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double radians(double degrees) {
    return degrees * M_PI / 180;
}
double power7(double c) {
    return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7)));
}

} // namespace

QColor seenAs(const QColor& colour, Vision vision) {
    const Triple c = linear(colour);
    Triple seen{};
    for (std::size_t i = 0; i < 3; ++i) {
        const Triple& row = matrixOf(vision)[i];
        seen[i] = encoded(row[0] * c[0] + row[1] * c[1] + row[2] * c[2]);
    }
    return QColor::fromRgbF(static_cast<float>(seen[0]), static_cast<float>(seen[1]), static_cast<float>(seen[2]));
}

QImage seenAs(const QImage& image, Vision vision) {
    QImage seen = image.convertToFormat(QImage::Format_RGB32);
    QHash<QRgb, QRgb> known; // pictures have few colours
    for (int y = 0; y < seen.height(); ++y) {
        for (int x = 0; x < seen.width(); ++x) {
            const QRgb from = seen.pixel(x, y);
            auto found = known.find(from);
            if (found == known.end()) found = known.insert(from, seenAs(QColor(from), vision).rgb());
            seen.setPixel(x, y, *found);
        }
    }
    return seen;
}

double colourDistance(const QColor& first, const QColor& second) {
    const Triple p = labOf(first), q = labOf(second);
    const double chroma = (std::hypot(p[1], p[2]) + std::hypot(q[1], q[2])) / 2;
    const double g = 0.5 * (1 - power7(chroma));
    const double a1 = (1 + g) * p[1], a2 = (1 + g) * q[1];
    const double c1 = std::hypot(a1, p[2]), c2 = std::hypot(a2, q[2]);
    const auto hue = [](double a, double b) {
        const double degrees = a == 0 && b == 0 ? 0 : std::atan2(b, a) * 180 / M_PI;
        return degrees < 0 ? degrees + 360 : degrees;
    };
    const double h1 = hue(a1, p[2]), h2 = hue(a2, q[2]);
    const bool grey = c1 * c2 == 0;
    double turn = h2 - h1;
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
    if (grey) turn = 0;
    double mean = h1 + h2;
    if (!grey) mean = std::abs(h1 - h2) <= 180 ? mean / 2 : (mean < 360 ? (mean + 360) / 2 : (mean - 360) / 2);
    const double l = (p[0] + q[0]) / 2, c = (c1 + c2) / 2;
    const double dl = q[0] - p[0], dc = c2 - c1, dh = 2 * std::sqrt(c1 * c2) * std::sin(radians(turn / 2));
    const double t = 1 - 0.17 * std::cos(radians(mean - 30)) + 0.24 * std::cos(radians(2 * mean)) +
                     0.32 * std::cos(radians(3 * mean + 6)) - 0.2 * std::cos(radians(4 * mean - 63));
    const double sl = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50));
    const double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    const double bend = std::exp(-((mean - 275) / 25) * ((mean - 275) / 25));
    const double rt = -2 * power7(c) * std::sin(radians(60 * bend));
    return std::sqrt((dl / sl) * (dl / sl) + (dc / sc) * (dc / sc) + (dh / sh) * (dh / sh) +
                     rt * (dc / sc) * (dh / sh));
}

} // namespace stridescope::test
