#include "core/print/repr.h"

#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/print/shown_elements.h"
#include "core/tensor/element.h"
#include "core/trace/code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <mutex>

namespace stridescope {

namespace {

std::mutex g_optionsMutex;
PrintOptions g_options;

PrintOptions inRange(PrintOptions options) {
    constexpr int kMostDigits = 60;
    options.precision = std::clamp(options.precision, 0, kMostDigits);
    options.threshold = std::max<Index>(options.threshold, 0);
    options.edgeitems = std::max<Index>(options.edgeitems, 1);
    return options;
}

void appendNumber(std::string& out, double value, std::chars_format format, int precision) {
    if (std::isnan(value)) {
        out += "nan"; // the sign of a NaN is not shown
        return;
    }
    std::array<char, 400> text; // 1 sign, 309 digits, a point, 60 decimals
    const auto result = std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
    out.append(text.data(), result.ptr);
}

/// How all numbers of one tensor are written, so that their columns line up.
class FloatFormat {
public:
    FloatFormat(const std::vector<double>& values, const PrintOptions& options) : m_precision(options.precision) {
        double least = HUGE_VAL, largest = 0;
        bool whole = true;
        for (const double value : values) {
            if (!std::isfinite(value) || value == 0) continue;
            least = std::min(least, std::fabs(value));
            largest = std::max(largest, std::fabs(value));
            whole = whole && value == std::ceil(value);
        }
        if (largest == 0) return; // zeros, infinities and NaNs alone: the narrow form, whatever the options
        constexpr double kWidestRatio = 1000.0, kLargestPlain = 1e8, kLeastPlain = 1e-4;
        const bool scientific =
            largest / least > kWidestRatio || largest > kLargestPlain || (!whole && least < kLeastPlain);
        m_style = scientific ? Style::Scientific : whole ? Style::Whole : Style::Fixed;
        // Zeros, infinities and NaNs do not make the columns wider.
        std::string text;
        for (const double value : values) {
            if (!std::isfinite(value) || value == 0) continue;
            text.clear();
            appendBare(text, value);
            m_width = std::max(m_width, text.size());
        }
        // An option overrides the style, not the width that the values asked for.
        if (options.sciMode) {
            m_style = *options.sciMode ? Style::Scientific : whole ? Style::Whole : Style::Fixed;
        }
    }

    std::size_t width() const { return m_width; }

    void append(std::string& out, double value) const {
        std::string text;
        appendBare(text, value);
        if (text.size() < m_width) out.append(m_width - text.size(), ' ');
        out += text;
    }

private:
    enum class Style { Whole, Fixed, Scientific };

    void appendBare(std::string& out, double value) const {
        switch (m_style) {
        case Style::Scientific:
            appendNumber(out, value, std::chars_format::scientific, m_precision);
            return;
        case Style::Fixed:
            appendNumber(out, value, std::chars_format::fixed, m_precision);
            return;
        case Style::Whole:
            break;
        }
        appendNumber(out, value, std::chars_format::fixed, 0);
        if (std::isfinite(value)) out += '.'; // tells it from an integer
    }

    int m_precision;
    std::size_t m_width = 1;
    Style m_style = Style::Whole;
};

/// Real and imaginary parts have a width each; only the real ones are padded.
class ComplexFormat {
public:
    ComplexFormat(const std::vector<Complex<double>>& values, const PrintOptions& options)
        : m_real(parts(values, &Complex<double>::re), options), m_imag(parts(values, &Complex<double>::im), options) {}

    std::size_t width() const { return m_real.width() + m_imag.width() + 1; }

    void append(std::string& out, Complex<double> value) const {
        m_real.append(out, value.re);
        std::string imag;
        m_imag.append(imag, value.im);
        imag.erase(0, imag.find_first_not_of(' '));
        if (imag.front() != '-') out += '+';
        out += imag + "j";
    }

private:
    static std::vector<double> parts(const std::vector<Complex<double>>& values, double Complex<double>::*part) {
        std::vector<double> result;
        result.reserve(values.size());
        for (const Complex<double>& value : values) result.push_back(value.*part);
        return result;
    }

    FloatFormat m_real, m_imag;
};

class IntegerFormat {
public:
    IntegerFormat(const std::vector<std::int64_t>& values, bool isBool) : m_isBool(isBool) {
        for (const std::int64_t value : values) m_width = std::max(m_width, text(value).size());
    }

    std::size_t width() const { return m_width; }

    void append(std::string& out, std::int64_t value) const {
        const std::string bare = text(value);
        out.append(m_width - bare.size(), ' ');
        out += bare;
    }

private:
    std::string text(std::int64_t value) const {
        if (m_isBool) return value != 0 ? "True" : "False";
        return std::to_string(value);
    }

    bool m_isBool;
    std::size_t m_width = 1;
};

/// Lays the values out in brackets and lines.
template <class T, class Format>
class Layout {
public:
    Layout(const std::vector<T>& values, const ShownPart& part, const Format& format, const PrintOptions& options)
        : m_values(values), m_part(part), m_format(format), m_linewidth(options.linewidth) {}

    std::string text(Index indent) {
        appendLevel(0, indent);
        return std::move(m_out);
    }

private:
    void appendNext() { m_format.append(m_out, m_values[m_next++]); }

    void appendLevel(std::size_t d, Index indent) {
        const std::size_t rank = m_part.shape.size();
        if (rank == 0) return appendNext();
        if (d + 1 == rank) return appendLine(d, indent);
        m_out += '[';
        for (Index i = 0; i < m_part.shape[d]; ++i) {
            if (i > 0) breakLine(rank - d - 1, indent);
            if (m_part.cut[d] && i == m_part.edge) {
                m_out += "...";
                breakLine(rank - d - 1, indent);
            }
            appendLevel(d + 1, indent + 1);
        }
        m_out += ']';
    }

    /// One innermost dim, broken where the line is full. The dots take the place of one element.
    void appendLine(std::size_t d, Index indent) {
        const Index room = m_linewidth - indent;
        const auto each = static_cast<Index>(m_format.width()) + 2;
        const Index perLine = std::max<Index>(1, room > 0 ? room / each : 0);
        Index place = 0;
        const auto separate = [&] {
            if (place > 0) {
                if (place % perLine == 0) {
                    breakLine(1, indent);
                } else {
                    m_out += ", ";
                }
            }
            ++place;
        };
        m_out += '[';
        for (Index i = 0; i < m_part.shape[d]; ++i) {
            if (m_part.cut[d] && i == m_part.edge) {
                separate();
                m_out += " ...";
            }
            separate();
            appendNext();
        }
        m_out += ']';
    }

    void breakLine(std::size_t newlines, Index indent) {
        m_out += ',';
        m_out.append(newlines, '\n');
        m_out.append(static_cast<std::size_t>(indent + 1), ' ');
    }

    const std::vector<T>& m_values;
    const ShownPart& m_part;
    const Format& m_format;
    Index m_linewidth;
    std::size_t m_next = 0;
    std::string m_out;
};

std::string valuesText(const Tensor& t, Index indent, const PrintOptions& options) {
    const ShownPart part = shownPart(t.shape(), t.numel() > options.threshold, options.edgeitems);
    const ShownValues values = gatherShown(t, part);
    if (const auto* floats = std::get_if<std::vector<double>>(&values)) {
        const FloatFormat format(*floats, options);
        return Layout(*floats, part, format, options).text(indent);
    }
    if (const auto* pairs = std::get_if<std::vector<Complex<double>>>(&values)) {
        const ComplexFormat format(*pairs, options);
        return Layout(*pairs, part, format, options).text(indent);
    }
    const auto& integers = std::get<std::vector<std::int64_t>>(values);
    const IntegerFormat format(integers, t.dtype() == DType::Bool);
    return Layout(integers, part, format, options).text(indent);
}

/// Device, size and dtype where they are not what a reader assumes.
std::vector<std::string> suffixes(const Tensor& t) {
    std::vector<std::string> result;
    if (!t.device().isCpu()) result.push_back("device='" + toString(t.device()) + "'");
    const DType dtype = t.dtype();
    bool usual = dtype == defaultDType();
    if (t.numel() == 0) {
        if (t.dim() != 1) result.push_back("size=" + toString(std::span<const Index>(t.shape())));
    } else {
        usual = usual || dtype == DType::Int64 || dtype == DType::Bool || // the values show these
                (isComplex(dtype) && realPartDType(dtype) == defaultDType());
    }
    if (!usual) result.push_back("dtype=" + code::dtypeText(dtype));
    return result;
}

} // namespace

PrintOptions printOptions() {
    const std::scoped_lock lock(g_optionsMutex);
    return g_options;
}

void setPrintOptions(const PrintOptions& options) {
    const std::scoped_lock lock(g_optionsMutex);
    g_options = inRange(options);
}

std::string repr(const Tensor& t) {
    return repr(t, printOptions());
}

std::string repr(const Tensor& t, const PrintOptions& wanted) {
    if (!t.defined()) return "undefined";
    const PrintOptions options = inRange(wanted);
    const std::string prefix = "tensor(";
    const auto indent = static_cast<Index>(prefix.size());
    std::string text = prefix + (t.numel() == 0 ? "[]" : valuesText(t, indent, options));

    const std::size_t lastBreak = text.rfind('\n');
    // PyTorch counts the line break as two characters (or, on the first line, what stands before it): so do we, or
    // suffixes would wrap at another length.
    Index length = static_cast<Index>(text.size() - (lastBreak == std::string::npos ? 0 : lastBreak + 1)) + 2;
    for (const std::string& suffix : suffixes(t)) {
        const auto more = static_cast<Index>(suffix.size()) + 2;
        if (length + more > options.linewidth) {
            text += ",\n" + std::string(static_cast<std::size_t>(indent), ' ') + suffix;
            length = indent + static_cast<Index>(suffix.size());
        } else {
            text += ", " + suffix;
            length += more;
        }
    }
    return text + ")";
}

std::string storageRepr(const Tensor& t) {
    if (!t.defined()) return "undefined";
    const PrintOptions options = printOptions();
    const Index n = t.storageNumel();
    const bool summarised = n > options.threshold;
    // Another device's elements come over as one tensor.
    const View whole{{n}, {1}, 0};
    const Tensor all = t.device().isCpu() ? t.withView(whole) : to(t.withView(whole), Device{});
    std::string text;
    const auto append = [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) text += " " + toString(readSlot(all, i)) + "\n";
    };
    append(0, summarised ? options.edgeitems : n);
    if (summarised) text += " ...\n";
    if (summarised) append(n - options.edgeitems, n);
    if (n == 0) text = " \n";
    return text + "[torch.storage.TypedStorage(dtype=torch." + std::string(name(t.dtype())) +
           ", device=" + toString(t.device()) + ") of size " + std::to_string(n) + "]";
}

} // namespace stridescope
