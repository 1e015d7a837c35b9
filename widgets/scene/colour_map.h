#pragma once
// Values as colours: viridis for plain ranges, red-white-blue round 0 for signed ones, grey for channels of pictures.

#include <QColor>

#include <array>

namespace stridescope {

/// A colour range. Signed when low < 0 < high or both below 0: then it is symmetric, so that 0 is the middle colour.
class ColourMap {
public:
    explicit ColourMap(double low, double high, bool grey = false);

    bool isSigned() const { return m_signed; }
    double low() const { return m_low; }
    double high() const { return m_high; }
    /// Colour of a finite value; values outside the range have the colour of its end.
    QRgb rgb(double value) const {
        const double t = (value - m_low) * m_scale;
        const int at = t <= 0 ? 0 : t >= 255 ? 255 : static_cast<int>(t + 0.5);
        return (*m_table)[static_cast<std::size_t>(at)];
    }
    /// The same for n values at once. NaN gets some colour of the map: callers tell it apart themselves.
    void rgb(const double* values, std::size_t n, QRgb* out) const;
    QRgb at(double share) const; ///< 0 … 1 along the bar

private:
    double m_low, m_high, m_scale;
    bool m_signed;
    const std::array<QRgb, 256>* m_table;
};

/// WCAG relative luminance and contrast.
double luminance(const QColor& colour);
double contrastRatio(const QColor& a, const QColor& b);

} // namespace stridescope
