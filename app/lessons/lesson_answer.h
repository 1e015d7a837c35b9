#pragma once
// Answers: what somebody typed or chose, and what a line of a lesson is worth, in one form that can be compared.

#include "core/expr/value.h"

#include <QString>

#include <optional>
#include <vector>

namespace stridescope {

/// A number, a word, or a tuple of such, to any depth. "(2, 3)" has the form "(#,#)" and the numbers 2 and 3.
/// Answers are literals: nothing in them is ever carried out.
struct LessonAnswer {
    QString form;
    std::vector<double> numbers;

    bool isTuple() const { return form.startsWith(QLatin1Char('(')); }
    /// The same form, and numbers that differ by `within` at most, or by a millionth of a wanted one that is not whole;
    /// NaN is NaN.
    bool agrees(const LessonAnswer& wanted, double within = 0) const;
    /// "(2, 3)", "4", "refused"
    QString text() const;
    /// The same as it is shown: "works", "refused", "view" and "copy" in the window's language.
    QString words() const;
};

/// Reads "9", "-2.5", "1e3", "nan", "True", "yes", "view", "(3, 4)", "3, 4", "3 x 4", "[[1, 2], [3, 4]]",
/// "torch.Size([2, 3])", "()". Brackets and parentheses are the same. Nothing of what is none of these.
std::optional<LessonAnswer> readAnswer(const QString& said);
/// The same, for a wanted answer: a bare "3" is a tuple of one where a tuple is wanted.
std::optional<LessonAnswer> readAnswer(const QString& said, const LessonAnswer& wanted);
/// Of a number, a text, a dtype or a sequence of such; nothing of tensors and all else.
std::optional<LessonAnswer> answerOf(const expr::Value& value);

} // namespace stridescope
