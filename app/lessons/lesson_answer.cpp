#include "app/lessons/lesson_answer.h"

#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace stridescope {

namespace {

constexpr int kMostItems = 10'000, kMostDepth = 8, kMostCharacters = 20'000;

/// Walks over an answer as typed. Blanks count only between numbers.
class Reader {
public:
    explicit Reader(const QString& text) : m_text(text) {}

    std::optional<LessonAnswer> whole() {
        if (!items(Outer::Bare, 0)) return std::nullopt;
        skip();
        if (m_at != m_text.size() || m_found.form.isEmpty()) return std::nullopt;
        return m_found;
    }

private:
    enum class Outer : quint8 { Bare, Bracket };

    void skip() {
        while (m_at < m_text.size() && m_text[m_at].isSpace()) ++m_at;
    }
    bool take(QChar wanted) {
        skip();
        if (m_at >= m_text.size() || m_text[m_at] != wanted) return false;
        ++m_at;
        return true;
    }
    /// Items with ',' or 'x' between them, up to the end of the text or a closing bracket.
    bool items(Outer outer, int depth) {
        const qsizetype begin = m_found.form.size();
        int count = 0;
        bool comma = false;
        while (true) {
            skip();
            const bool end =
                m_at >= m_text.size() || m_text[m_at] == QLatin1Char(')') || m_text[m_at] == QLatin1Char(']');
            if (end) break;
            if (count > 0 && !comma) return false;
            if (count > 0) m_found.form += QLatin1Char(',');
            if (!item(depth)) return false;
            if (++count > kMostItems) return false;
            comma = separator();
        }
        if (outer == Outer::Bare && count == 1 && !comma) return true; // no tuple
        if (outer == Outer::Bare && count == 0) return false;
        m_found.form.insert(begin, QLatin1Char('('));
        m_found.form += QLatin1Char(')');
        return true;
    }
    bool separator() {
        if (take(QLatin1Char(','))) return true;
        // "3 x 4": between numbers only, so that words may begin with it.
        skip();
        if (m_at + 1 < m_text.size() && (m_text[m_at] == QLatin1Char('x') || m_text[m_at] == QChar(0x00d7)) &&
            (m_text[m_at + 1].isSpace() || m_text[m_at + 1].isDigit())) {
            ++m_at;
            return true;
        }
        return false;
    }
    bool item(int depth) {
        if (depth >= kMostDepth) return false;
        for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
            if (!take(QLatin1Char(open))) continue;
            return items(Outer::Bracket, depth + 1) && take(QLatin1Char(close));
        }
        static const QRegularExpression kNumber(
            QStringLiteral("\\G[+-]?(?:\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|\\.\\d+(?:[eE][+-]?\\d+)?|inf\\b|nan\\b)"));
        static const QRegularExpression kWord(QStringLiteral("\\G[A-Za-z_][A-Za-z_0-9.]*(?: [A-Za-z]+)*"));
        if (const auto match = kNumber.match(m_text, m_at); match.hasMatch()) {
            m_at = match.capturedEnd();
            bool ok = false;
            double number = QLocale::c().toDouble(match.captured(), &ok);
            if (!ok) return false;
            m_found.numbers.push_back(number);
            m_found.form += QLatin1Char('#');
            return true;
        }
        const auto match = kWord.match(m_text, m_at);
        if (!match.hasMatch()) return false;
        m_at = match.capturedEnd();
        QString word = match.captured();
        if (word == QStringLiteral("yes") || word == QStringLiteral("true")) word = QStringLiteral("True");
        if (word == QStringLiteral("no") || word == QStringLiteral("false")) word = QStringLiteral("False");
        if (word.startsWith(QStringLiteral("torch."))) word = word.mid(6);
        m_found.form += word;
        return true;
    }

    const QString& m_text;
    qsizetype m_at = 0;
    LessonAnswer m_found;
};

bool append(const expr::Value& value, LessonAnswer& answer, int depth) {
    if (depth > kMostDepth || answer.numbers.size() > kMostItems) return false;
    if (const auto* scalar = value.as<Scalar>()) {
        if (scalar->isBool()) {
            answer.form += scalar->toBool() ? QStringLiteral("True") : QStringLiteral("False");
            return true;
        }
        if (scalar->isComplex()) return false;
        answer.numbers.push_back(scalar->toDouble());
        answer.form += QLatin1Char('#');
        return true;
    }
    if (const auto* text = value.as<std::string>()) {
        answer.form += QString::fromStdString(*text);
        return true;
    }
    if (const auto* dtype = value.as<DType>()) {
        answer.form += QString::fromStdString(std::string(name(*dtype)));
        return true;
    }
    const auto* sequence = value.as<expr::Sequence>();
    if (!sequence) return false;
    answer.form += QLatin1Char('(');
    for (std::size_t i = 0; i < sequence->items.size(); ++i) {
        if (i > 0) answer.form += QLatin1Char(',');
        if (!append(sequence->items[i], answer, depth + 1)) return false;
    }
    answer.form += QLatin1Char(')');
    return true;
}

} // namespace

bool LessonAnswer::agrees(const LessonAnswer& wanted, double within) const {
    if (form != wanted.form || numbers.size() != wanted.numbers.size()) return false;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double a = numbers[i], b = wanted.numbers[i];
        if (a == b || (std::isnan(a) && std::isnan(b))) continue;
        // Whole numbers are meant exactly: 16777217 is not 16777216.
        const double usual = b == std::floor(b) ? 0 : 1e-6 * std::fabs(b);
        if (!(std::fabs(a - b) <= std::max(within, usual))) return false;
    }
    return true;
}

QString LessonAnswer::text() const {
    QString shown;
    std::size_t next = 0;
    for (qsizetype i = 0; i < form.size(); ++i) {
        if (form[i] == QLatin1Char('#')) {
            const double number = numbers[next++];
            const bool whole = std::fabs(number) < 9e15 && number == std::floor(number);
            shown += whole ? QString::number(static_cast<qint64>(number)) : QString::number(number, 'g', 6);
        } else {
            shown += form[i];
            if (form[i] == QLatin1Char(',')) shown += QLatin1Char(' ');
        }
    }
    // As Python writes a tuple of one.
    if (isTuple() && !form.contains(QLatin1Char(',')) && form.size() > 2)
        shown.insert(shown.size() - 1, QLatin1Char(','));
    return shown;
}

std::optional<LessonAnswer> readAnswer(const QString& said) {
    if (said.size() > kMostCharacters) return std::nullopt;
    QString text = said.trimmed();
    static const QRegularExpression kSize(QStringLiteral("^(?:torch\\.)?Size\\((.*)\\)$"));
    if (const auto match = kSize.match(text); match.hasMatch()) text = match.captured(1);
    if (text.isEmpty()) return std::nullopt;
    return Reader(text).whole();
}

std::optional<LessonAnswer> readAnswer(const QString& said, const LessonAnswer& wanted) {
    std::optional<LessonAnswer> read = readAnswer(said);
    if (read && wanted.isTuple() && !read->isTuple()) read->form = QLatin1Char('(') + read->form + QLatin1Char(')');
    return read;
}

std::optional<LessonAnswer> answerOf(const expr::Value& value) {
    LessonAnswer answer;
    if (!append(value, answer, 0) || answer.form.isEmpty()) return std::nullopt;
    return answer;
}

} // namespace stridescope
