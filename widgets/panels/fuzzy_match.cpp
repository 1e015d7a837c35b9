#include "widgets/panels/fuzzy_match.h"

#include <algorithm>
#include <vector>

namespace stridescope {

namespace {

constexpr int kNothing = -1'000'000;
/// Points of a character that follows the one before it directly: more than the 9 that the start of a word is worth.
constexpr int kFollows = 12;
constexpr qsizetype kLongestText = 200;
constexpr qsizetype kLongestPattern = 40;

bool beginsWord(const QString& text, qsizetype i) {
    if (i == 0) return true;
    const QChar before = text[i - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[i].isUpper());
}

} // namespace

std::optional<int> fuzzyScore(const QString& typed, const QString& wholeText) {
    QString pattern = typed.left(kLongestPattern);
    pattern.remove(QLatin1Char(' '));
    const QString text = wholeText.left(kLongestText);
    if (pattern.isEmpty()) return 0;
    const auto n = static_cast<std::size_t>(text.size());
    if (n == 0) return std::nullopt;
    // best[j]: points when the characters so far are placed and the last one stands at j.
    std::vector<int> best(n, kNothing), next(n, kNothing);
    for (qsizetype p = 0; p < pattern.size(); ++p) {
        int bestBefore = p == 0 ? 0 : kNothing;
        for (std::size_t j = 0; j < n; ++j) {
            next[j] = kNothing;
            const auto at = static_cast<qsizetype>(j);
            if (text[at].toCaseFolded() == pattern[p].toCaseFolded()) {
                const int points = beginsWord(text, at) ? 10 : 1;
                if (bestBefore > kNothing) next[j] = bestBefore + points;
                if (p > 0 && j > 0 && best[j - 1] > kNothing)
                    next[j] = std::max(next[j], best[j - 1] + points + kFollows);
            }
            if (p > 0) bestBefore = std::max(bestBefore, best[j]);
        }
        std::swap(best, next);
    }
    const int points = *std::max_element(best.begin(), best.end());
    if (points <= kNothing / 2) return std::nullopt;
    return points * 4 - static_cast<int>(std::min<std::size_t>(n, 100)) / 4;
}

} // namespace stridescope
