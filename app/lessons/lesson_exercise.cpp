#include "app/lessons/lesson_exercise.h"

#include "app/lessons/lesson_asked.h"
#include "app/lessons/lesson_bench.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <random>

namespace stridescope {

namespace {

constexpr Index kWidestDraw = 1'000'000;

/// Words of functions, which have no tr() of their own.
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Lessons)
};

/// `written`: what stands in the file; its line is told.
Refusal at(const LessonStop& stop, const char* id, const QString& what, const QString& written = {}) {
    const int line = stop.lines.value(written, stop.line);
    Refusal made;
    made.kind = ErrorKind::Value;
    made.id = id;
    made.message = "line " + std::to_string(line) + ": " + what.toStdString();
    made.detail = InputPosition{line};
    return made;
}

Refusal at(const LessonStop& stop, const QString& line, const Refusal& refusal, const QString& written = {}) {
    const int number = stop.lines.value(written, stop.line);
    Refusal made = refusal;
    made.message = "line " + std::to_string(number) + ": '" + line.left(80).toStdString() + "': " + refusal.message;
    made.detail = InputPosition{number};
    return made;
}

/// The name that a line of the form "x = …" gives, and what it gives it to.
std::pair<QString, QString> assignmentOf(const QString& line) {
    static const QRegularExpression kAssignment(QStringLiteral("^([A-Za-z_][A-Za-z_0-9]*) = (.+)$"));
    const auto match = kAssignment.match(line);
    return {match.captured(1), match.captured(2)};
}

/// The names of one exercise, and texts with their values in place of {…}.
class Draws {
public:
    Draws(const LessonStop& stop, quint32 seed) : m_stop(stop), m_random(seed) {}

    std::optional<Refusal> draw() {
        for (const LessonDraw& each : m_stop.draws) {
            if (!each.words.isEmpty()) {
                const auto which = below(static_cast<Index>(each.words.size()));
                const QString& word = each.words[static_cast<qsizetype>(which)];
                m_words.insert({each.name, word});
                note(each.name, word);
                continue;
            }
            const Result<Index> low = number(each.low), high = number(each.high);
            if (!low) return low.refusal();
            if (!high) return high.refusal();
            if (*high < *low || *high - *low >= kWidestDraw)
                return at(m_stop, "LESSON-21",
                          QStringLiteral("%1 is drawn from %2 to %3, which holds no number or more than %4")
                              .arg(each.name)
                              .arg(*low)
                              .arg(*high)
                              .arg(kWidestDraw));
            const Index number = *low + below(*high - *low + 1);
            m_bench.set(each.name, expr::Value(number));
            note(each.name, QString::number(number));
        }
        return std::nullopt;
    }
    /// "r = 3, c = 4", in the order of the stop.
    QString drawn() const { return m_drawn.join(QStringLiteral(", ")); }
    /// In [0, n). Not std::uniform_int_distribution, which differs between libraries.
    Index below(Index n) { return static_cast<Index>(m_random() % static_cast<std::uint64_t>(n)); }

    Result<QString> fill(const QString& text) {
        QString filled;
        for (qsizetype i = 0; i < text.size(); ++i) {
            if (text[i] != QLatin1Char('{')) {
                filled += text[i];
                continue;
            }
            if (i + 1 < text.size() && text[i + 1] == QLatin1Char('{')) { // "{{" is a brace
                filled += text[i++];
                continue;
            }
            const qsizetype end = text.indexOf(QLatin1Char('}'), i);
            if (end < 0)
                return at(m_stop, "LESSON-22", QStringLiteral("a '{' is not closed in '%1'").arg(text.left(60)), text);
            const QString inside = text.mid(i + 1, end - i - 1).trimmed();
            if (const auto word = m_words.find(inside); word != m_words.end()) {
                filled += word->second;
            } else {
                const Result<Index> value = number(inside, text);
                if (!value) return value.refusal();
                filled += QString::number(*value);
            }
            i = end;
        }
        return filled;
    }
    Result<QStringList> fill(const QStringList& texts) {
        QStringList filled;
        for (const QString& text : texts) {
            Result<QString> one = fill(text);
            if (!one) return one.takeRefusal();
            filled << *one;
        }
        return filled;
    }

private:
    void note(const QString& name, const QString& value) { m_drawn << name + QStringLiteral(" = ") + value; }
    Result<Index> number(const QString& expression, const QString& written = {}) {
        const Result<expr::Value> value = m_bench.run(expression);
        if (!value) return at(m_stop, expression, value.refusal(), written);
        const std::optional<Index> index = expr::asIndex(*value);
        if (!index)
            return at(m_stop, "LESSON-22", QStringLiteral("'%1' is no integer").arg(expression.left(60)), written);
        return *index;
    }

    const LessonStop& m_stop;
    std::mt19937 m_random;
    LessonBench m_bench;
    std::map<QString, QString> m_words;
    QStringList m_drawn;
};

LessonAnswer word(const char* text) {
    return {QString::fromLatin1(text), {}};
}

/// What `line` is worth as an answer; `reason` becomes why it is refused.
Result<LessonAnswer> answerFor(const LessonStop& stop, const QString& line, const LessonBench& before,
                               const QString& written, QString* reason = nullptr) {
    LessonBench bench(before); // each answer starts from the same names
    Result<expr::Value> value = bench.run(line);
    if (!value && reason) *reason = shortReason(value.refusal());
    if (stop.judge == LessonStop::Judge::Outcome) return word(value ? "works" : "refused");
    if (stop.judge == LessonStop::Judge::Sharing) {
        if (!value) return word("refused");
        const auto* tensor = value->as<expr::TensorValue>();
        if (!tensor) return at(stop, "LESSON-23", QStringLiteral("'%1' makes no tensor").arg(line.left(80)), written);
        return word(before.hasStorage(tensor->tensor.storage()) ? "view" : "copy");
    }
    if (!value) return at(stop, line, value.refusal(), written);
    if (std::optional<LessonAnswer> answer = answerOf(*value)) return *answer;
    return at(stop, "LESSON-23",
              QStringLiteral("'%1' is a %2, which cannot be compared; take .item(), .tolist() or a size")
                  .arg(line.left(80), QString::fromStdString(expr::typeName(*value))),
              written);
}

QString placeFor(const LessonAnswer& answer) {
    if (answer.form == QStringLiteral("#")) return Words::tr("a number");
    if (answer.isTuple()) return Words::tr("numbers such as (2, 3)");
    if (answer.form == QStringLiteral("True") || answer.form == QStringLiteral("False")) return Words::tr("yes or no");
    return Words::tr("a word");
}

/// The answer's line with what came of it; nothing where the line is the answer as it would be typed.
QString outcomeOf(const QString& line, const QString& refused, const LessonAnswer& answer) {
    const std::optional<LessonAnswer> typed = readAnswer(line, answer);
    if (typed && typed->agrees(answer)) return {};
    return line + QStringLiteral("  →  ") + (refused.isEmpty() ? answer.words() : refused);
}

std::optional<Refusal> askQuestion(const LessonStop& stop, Draws& draws, const LessonBench& bench,
                                   LessonExercise& made) {
    const Result<QString> line = draws.fill(stop.answer);
    if (!line) return line.refusal();
    // Before the answer, for which a line that writes changes what the code made.
    if (!stop.python) made.asked = askedOf(*line, made.code, bench, made.made);
    QString reason;
    Result<LessonAnswer> answer = answerFor(stop, *line, bench, stop.answer, &reason);
    if (!answer) return answer.refusal();
    made.answer = *answer;
    made.outcome = outcomeOf(*line, reason, *answer);
    made.within = stop.within;
    made.typed = stop.typed || stop.wrongs.empty();
    made.place = placeFor(made.answer);
    for (const LessonWrong& wrong : stop.wrongs) {
        Result<QString> value = draws.fill(wrong.value);
        Result<QString> reply = draws.fill(wrong.reply);
        if (!value) return value.refusal();
        if (!reply) return reply.refusal();
        LessonChoice choice;
        choice.reply = *reply;
        if (stop.judge == LessonStop::Judge::Value) {
            Result<LessonAnswer> said =
                answerFor(stop, *value, bench, wrong.value + QStringLiteral(" :: ") + wrong.reply);
            if (!said) return said.refusal();
            choice.answer = *said;
        } else {
            choice.answer = {*value, {}};
        }
        // With some numbers a mistake leads to the right answer, or two lead to the same.
        bool known = choice.answer.agrees(made.answer, made.within);
        for (const LessonChoice& before : made.choices) known = known || choice.answer.agrees(before.answer);
        choice.text = choice.answer.words();
        if (!known) made.choices.push_back(choice);
    }
    if (made.typed) return std::nullopt;
    if (made.choices.empty())
        return at(stop, "LESSON-25", QStringLiteral("no wrong answer differs from the right one"), stop.answer);
    const LessonChoice right{made.answer, made.answer.words(), {}};
    made.choices.insert(made.choices.begin() + draws.below(static_cast<Index>(made.choices.size()) + 1), right);
    return std::nullopt;
}

std::optional<Refusal> askForTensor(const LessonStop& stop, Draws& draws, LessonBench bench, LessonExercise& made) {
    const Result<QString> target = draws.fill(stop.target);
    if (!target) return target.refusal();
    if (!stop.base.isEmpty()) {
        made.base = stop.base;
        made.basis = bench.tensor(stop.base);
        if (!made.basis)
            return at(stop, "LESSON-24", QStringLiteral("the code makes no tensor '%1'").arg(stop.base), stop.base);
    }
    const Result<expr::Value> value = bench.run(*target);
    if (!value) return at(stop, *target, value.refusal(), stop.target);
    const auto* tensor = value->as<expr::TensorValue>();
    if (!tensor) return at(stop, "LESSON-24", QStringLiteral("'%1' makes no tensor").arg(*target), stop.target);
    if (made.basis && tensor->tensor.storage() != made.basis->storage())
        return at(stop, "LESSON-24", QStringLiteral("'%1' is no view of '%2'").arg(*target, stop.base), stop.target);
    made.target = tensor->tensor;
    return std::nullopt;
}

/// `lines` as they stand in the file in `written`, with names drawn.
std::optional<Refusal> runCode(const LessonStop& stop, const QStringList& lines, const QStringList& written,
                               LessonBench& bench, LessonExercise& made) {
    const Result<expr::Value> ran = bench.run(lines.join(QLatin1Char('\n')));
    if (!ran) {
        // Once more line by line: which one was it?
        LessonBench again;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (const Result<expr::Value> one = again.run(lines[i]); !one)
                return at(stop, lines[i], one.refusal(), written[i]);
        }
        return at(stop, lines.join(QStringLiteral("; ")), ran.refusal());
    }
    for (const QString& line : lines) {
        const auto [name, code] = assignmentOf(line);
        const std::optional<Tensor> tensor = name.isEmpty() ? std::nullopt : bench.tensor(name);
        if (!tensor) continue;
        std::erase_if(made.made, [&, given = name](const auto& each) { return each.name == given; });
        made.made.push_back({name, code, *tensor});
    }
    return std::nullopt;
}

} // namespace

QStringList LessonExercise::codeWithAsked() const {
    return asked ? code + QStringList{asked->name + QStringLiteral(" = ") + asked->code} : code;
}

quint32 otherSeed(const LessonStop& stop, const QString& drawn, const std::function<quint32()>& next) {
    // As many as make it certain even where a draw has two values, and as few as nobody waits for where it has one.
    constexpr int kTries = 100;
    quint32 seed = next();
    for (int i = 1; i < kTries; ++i) {
        Draws draws(stop, seed);
        if (draws.draw() || draws.drawn() != drawn) break;
        seed = next();
    }
    return seed;
}

Result<LessonExercise> beginStop(const LessonStop& stop, quint32 seed) {
    const KeptRandomState kept;
    Draws draws(stop, seed);
    if (std::optional<Refusal> refused = draws.draw()) return *refused;
    LessonExercise made;
    made.drawn = draws.drawn();
    made.kind = stop.kind;
    made.python = stop.python;
    for (const auto& [from, into] : {std::pair{&stop.heading, &made.heading}, std::pair{&stop.ask, &made.ask},
                                     std::pair{&stop.because, &made.because}, std::pair{&stop.hint, &made.hint},
                                     std::pair{&stop.pick, &made.pick}}) {
        Result<QString> filled = draws.fill(*from);
        if (!filled) return filled.takeRefusal();
        *into = *filled;
    }
    for (const auto& [from, into] :
         {std::pair{&stop.text, &made.text}, std::pair{&stop.code, &made.code}, std::pair{&stop.notes, &made.notes}}) {
        Result<QStringList> filled = draws.fill(*from);
        if (!filled) return filled.takeRefusal();
        *into = *filled;
    }
    LessonBench bench;
    if (stop.python) {
        const Result<QStringList> picture = draws.fill(stop.picture);
        if (!picture) return picture.refusal();
        if (!picture->isEmpty()) {
            if (std::optional<Refusal> refused = runCode(stop, *picture, stop.picture, bench, made)) return *refused;
        }
    } else if (std::optional<Refusal> refused = runCode(stop, made.code, stop.code, bench, made)) {
        return *refused;
    }
    made.show = stop.show;
    for (const QString& name : made.show) {
        const bool there =
            std::any_of(made.made.begin(), made.made.end(), [&](const auto& each) { return each.name == name; });
        if (!there && (!stop.python || !stop.picture.isEmpty()))
            return at(stop, "LESSON-26", QStringLiteral("the code makes no tensor '%1' to be shown").arg(name),
                      stop.show.join(QStringLiteral(", ")));
    }
    std::optional<Refusal> refused;
    if (stop.kind == LessonStop::Kind::Question) refused = askQuestion(stop, draws, bench, made);
    if (stop.kind == LessonStop::Kind::Build) refused = askForTensor(stop, draws, bench, made);
    if (refused) return *refused;
    return made;
}

} // namespace stridescope
