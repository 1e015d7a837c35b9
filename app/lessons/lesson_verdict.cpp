// What is said to an answer, and to a tensor that was built.

#include "app/lessons/lesson_exercise.h"

#include "core/ops/pointwise_math.h"

#include <QCoreApplication>

namespace stridescope {

namespace {

/// Words of functions, which have no tr() of their own.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Lessons)
};

QString tupleText(const Dims& dims) {
    return QString::fromStdString(toString(dims));
}

QString dtypeText(DType dtype) {
    return QString::fromStdString(std::string(name(dtype)));
}

/// Do both reach the same slots in the same order, from the slot of their base's first element?
bool sameSlots(const View& made, Index madeFrom, const View& wanted, Index wantedFrom) {
    if (made.shape != wanted.shape) return false;
    if (made.numel() == 0) return true;
    if (made.offset - madeFrom != wanted.offset - wantedFrom) return false;
    for (std::size_t d = 0; d < made.shape.size(); ++d) {
        // The stride of a dim of size 1 leads nowhere.
        if (made.shape[d] > 1 && made.stride[d] != wanted.stride[d]) return false;
    }
    return true;
}

/// Of "refusé", what "refused" is.
std::optional<LessonAnswer> readWord(const QString& said, const LessonExercise& exercise) {
    const auto means = [&](const LessonAnswer& answer) {
        const QString words = answer.words();
        return words != answer.text() && said.trimmed().compare(words, Qt::CaseInsensitive) == 0;
    };
    if (means(exercise.answer)) return exercise.answer;
    for (const LessonChoice& choice : exercise.choices) {
        if (means(choice.answer)) return choice.answer;
    }
    return std::nullopt;
}

/// Of a wrong answer that no reply was written for: what can be told without telling the answer.
QString nearness(const LessonAnswer& said, const LessonAnswer& wanted, double within) {
    const auto& numbers = said.numbers;
    if (said.form != wanted.form || numbers.empty()) return Words::tr("Not that.");
    if (!wanted.isTuple()) {
        const bool ordered = numbers[0] < wanted.numbers[0] || numbers[0] > wanted.numbers[0]; // not NaN
        if (!ordered) return Words::tr("Not that.");
        return numbers[0] < wanted.numbers[0] ? Words::tr("Not that: it is more.") : Words::tr("Not that: it is less.");
    }
    std::size_t right = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const LessonAnswer one{QStringLiteral("#"), {numbers[i]}}, its{QStringLiteral("#"), {wanted.numbers[i]}};
        if (one.agrees(its, within)) ++right;
    }
    if (right == 0) return numbers.size() == 1 ? Words::tr("Not that.") : Words::tr("None of its numbers is right.");
    return Words::tr("Right in it: %1 of %2 numbers.").arg(right).arg(numbers.size());
}

} // namespace

QString LessonAnswer::words() const {
    if (form == QStringLiteral("works")) return Words::tr("works");
    if (form == QStringLiteral("refused")) return Words::tr("refused");
    if (form == QStringLiteral("view")) return Words::tr("view");
    if (form == QStringLiteral("copy")) return Words::tr("copy");
    return text();
}

std::optional<LessonVerdict> LessonExercise::judge(const QString& said) const {
    std::optional<LessonAnswer> read = readWord(said, *this);
    if (!read) read = readAnswer(said, answer);
    if (!read) return std::nullopt;
    if (read->agrees(answer, within)) return LessonVerdict{true, because};
    for (const LessonChoice& choice : choices) {
        if (!choice.reply.isEmpty() && read->agrees(choice.answer, within)) return LessonVerdict{false, choice.reply};
    }
    const bool shapes = answer.isTuple() && read->isTuple() && answer.numbers.size() != read->numbers.size();
    if (shapes) {
        const auto words = read->numbers.size() == 1 ? Words::tr("That has 1 number; the answer has %2.")
                                                     : Words::tr("That has %1 numbers; the answer has %2.");
        return LessonVerdict{false, QString(words)
                                        .replace(QStringLiteral("%1"), QString::number(read->numbers.size()))
                                        .replace(QStringLiteral("%2"), QString::number(answer.numbers.size()))};
    }
    return LessonVerdict{false, nearness(*read, answer, within)};
}

LessonVerdict LessonExercise::judge(const Tensor& made, const std::optional<Tensor>& itsBase) const {
    const View &found = made.view(), &wanted = target->view();
    if (found.shape != wanted.shape)
        return {false, Words::tr("Its size is %1, wanted is %2.").arg(tupleText(found.shape), tupleText(wanted.shape))};
    if (!basis) {
        if (made.dtype() != target->dtype())
            return {false, Words::tr("The size is right. The dtype is %1, wanted is %2.")
                               .arg(dtypeText(made.dtype()), dtypeText(target->dtype()))};
        if (equal(made, *target)) return {true, because};
        return {false, Words::tr("The size is right, the elements are not.")};
    }
    if (!itsBase) return {false, Words::tr("There is no %1 any more: run the code again.").arg(base)};
    if (made.storage() != itsBase->storage())
        return {false,
                Words::tr("The size is right, but it has a storage of its own: wanted is a view of %1.").arg(base)};
    const Index from = itsBase->view().offset, wantedFrom = basis->view().offset;
    if (sameSlots(found, from, wanted, wantedFrom)) return {true, because};
    const Index wantedOffset = wanted.offset - wantedFrom + from;
    if (found.offset != wantedOffset)
        return {false,
                Words::tr("The size is right. The offset is %1, wanted is %2.").arg(found.offset).arg(wantedOffset)};
    return {false, Words::tr("Size and offset are right. The stride is %1, wanted is %2.")
                       .arg(tupleText(found.stride), tupleText(wanted.stride))};
}

} // namespace stridescope
