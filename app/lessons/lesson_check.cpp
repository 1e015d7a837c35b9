#include "app/lessons/lesson_check.h"

#include "app/lessons/lesson_exercise.h"

namespace stridescope {

namespace {

constexpr std::size_t kMostStops = 7;
constexpr qsizetype kLongText = 420;

QStringList textsOf(const std::vector<LessonFinding>& findings, bool errors) {
    QStringList texts;
    for (const LessonFinding& finding : findings) {
        if (finding.error == errors) texts << finding.text;
    }
    return texts;
}

/// What the answers of a question lead to; empty when all is as it was meant.
QString wrongVerdict(const LessonExercise& exercise) {
    if (!exercise.isQuestion()) return {};
    const std::optional<LessonVerdict> right = exercise.judge(exercise.answer.text());
    if (!right || !right->right)
        return QStringLiteral("the answer %1 is not taken as right when it is typed").arg(exercise.answer.text());
    for (const LessonChoice& choice : exercise.choices) {
        if (choice.reply.isEmpty()) continue;
        const std::optional<LessonVerdict> verdict = exercise.judge(choice.text);
        if (!verdict || verdict->right || verdict->reply != choice.reply)
            return QStringLiteral("the wrong answer %1 does not get its reply").arg(choice.text);
    }
    return {};
}

} // namespace

QStringList LessonReport::errors() const {
    return textsOf(findings, true);
}

QStringList LessonReport::warnings() const {
    return textsOf(findings, false);
}

LessonFinding findingOf(const Refusal& refusal) {
    const auto* place = std::get_if<InputPosition>(&refusal.detail);
    return {place ? static_cast<int>(place->position) : 1, true, QString::fromStdString(refusal.message)};
}

LessonCheck::LessonCheck(Lesson lesson, int draws) : m_lesson(std::move(lesson)), m_draws(draws) {
    checkWords();
}

void LessonCheck::checkWords() {
    const auto warn = [this](int line, const QString& text) { m_report.findings.push_back({line, false, text}); };
    if (m_lesson.stops.size() > kMostStops)
        warn(m_lesson.stops[kMostStops].line, QStringLiteral("%1 stops; more than %2 are too many for one idea")
                                                  .arg(m_lesson.stops.size())
                                                  .arg(kMostStops));
    if (m_lesson.trap.isEmpty()) warn(1, QStringLiteral("the head names no trap"));
    bool asks = false;
    for (const LessonStop& stop : m_lesson.stops) {
        asks = asks || stop.kind != LessonStop::Kind::Explain;
        for (const QString& paragraph : stop.text) {
            const int line = stop.lines.value(paragraph, stop.line);
            if (paragraph.size() > kLongText)
                warn(line, QStringLiteral("line %1: a paragraph of %2 characters; %3 are read at a glance")
                               .arg(line)
                               .arg(paragraph.size())
                               .arg(kLongText));
        }
    }
    if (!asks) warn(1, QStringLiteral("nothing is asked and nothing is built"));
}

void LessonCheck::checkDraw(const LessonStop& stop, quint32 seed) {
    const Result<LessonExercise> exercise = beginStop(stop, seed);
    LessonFinding found;
    if (!exercise) {
        found = findingOf(exercise.refusal());
    } else {
        const QString wrong = wrongVerdict(*exercise);
        if (wrong.isEmpty()) return;
        const int line = stop.lines.value(stop.answer, stop.line);
        found = {line, true, QStringLiteral("line %1: %2").arg(line).arg(wrong)};
    }
    found.text += QStringLiteral(" (draw %1)").arg(seed);
    m_report.findings.push_back(std::move(found));
    m_draw = m_draws; // one of a stop is enough
}

bool LessonCheck::step() {
    if (m_stop >= m_lesson.stops.size()) return false;
    if (m_draw < m_draws) checkDraw(m_lesson.stops[m_stop], static_cast<quint32>(++m_draw));
    if (m_draw >= m_draws) {
        m_draw = 0;
        ++m_stop;
    }
    return m_stop < m_lesson.stops.size();
}

LessonReport checkLesson(const Lesson& lesson, int draws) {
    LessonCheck check(lesson, draws);
    while (check.step()) {
    }
    return check.report();
}

} // namespace stridescope
