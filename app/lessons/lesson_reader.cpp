#include "app/lessons/lesson_reader.h"

#include "core/expr/parser.h"
#include "core/io/text.h"

#include <QRegularExpression>

#include <functional>
#include <map>
#include <set>

namespace stridescope {

namespace {

constexpr char kMagic[] = "stridescope lesson ";
constexpr int kVersion = 1;

Refusal refusal(const char* id, int line, const QString& what, const QString& hint = {}) {
    Refusal made;
    made.kind = ErrorKind::Value;
    made.id = id;
    made.message = "line " + std::to_string(line) + ": " + what.toStdString();
    made.hint = hint.toStdString();
    made.detail = InputPosition{line};
    return made;
}

QString shown(const QString& text) {
    constexpr std::size_t kShown = 60;
    return QString::fromStdString(sanitiseForDisplay(text.toStdString(), kShown));
}

/// "key: value" with the lines that continue it.
struct Entry {
    int line = 0;
    QString key, value;
};

/// A heading "== kind: words", or the head of the file, with its entries.
struct Section {
    int line = 0;
    QString kind, heading;
    std::vector<Entry> entries;
};

/// The file as sections. Lines that begin with two blanks continue the entry before them: of code as a line of their
/// own, of all else after a blank.
Result<std::vector<Section>> sections(const QStringList& lines, const LessonLimits& limits) {
    std::vector<Section> found(1);
    static const QRegularExpression kEntry(QStringLiteral("^([a-z]+):(?: (.*))?$"));
    static const QRegularExpression kHeading(QStringLiteral("^== ([a-z]+): (.+)$"));
    for (int i = 1; i < lines.size(); ++i) {
        const int number = i + 1;
        QString line = lines[i];
        while (line.endsWith(QLatin1Char(' ')) || line.endsWith(QLatin1Char('\r'))) line.chop(1);
        if (line.size() > limits.lineLength)
            return refusal(
                "LESSON-09", number,
                QStringLiteral("has %1 characters, at most %2 are read").arg(line.size()).arg(limits.lineLength));
        if (line.isEmpty() || line.startsWith(QLatin1Char('#'))) continue;
        Section& section = found.back();
        if (line.startsWith(QStringLiteral("  "))) {
            if (section.entries.empty())
                return refusal("LESSON-04", number, QStringLiteral("continues nothing"),
                               QStringLiteral("Lines that begin with blanks continue the entry before them."));
            Entry& entry = section.entries.back();
            const bool code = entry.key == QStringLiteral("code");
            entry.value += (code ? QStringLiteral("\n") : QStringLiteral(" ")) + (code ? line.mid(2) : line.trimmed());
            continue;
        }
        if (const auto heading = kHeading.match(line); heading.hasMatch()) {
            found.push_back({number, heading.captured(1), heading.captured(2).trimmed(), {}});
            if (found.size() - 1 > limits.stops)
                return refusal("LESSON-09", number, QStringLiteral("more than %1 stops").arg(limits.stops));
            continue;
        }
        const auto entry = kEntry.match(line);
        if (!entry.hasMatch())
            return refusal("LESSON-04", number, QStringLiteral("'%1' is no entry and no heading").arg(shown(line)),
                           QStringLiteral("Write 'key: value', or '== question: Its heading'."));
        section.entries.push_back({number, entry.captured(1), entry.captured(2).trimmed()});
    }
    return found;
}

using Take = std::function<std::optional<Refusal>(const Entry&)>;

/// Hands each entry to the one who takes its key. `many` may come more than once.
std::optional<Refusal> takeEntries(const Section& section, const std::map<QString, Take>& takers,
                                   const std::set<QString>& many, const QString& where) {
    std::set<QString> seen;
    for (const Entry& entry : section.entries) {
        const auto taker = takers.find(entry.key);
        if (taker == takers.end()) {
            QStringList known;
            for (const auto& each : takers) known << each.first;
            return refusal("LESSON-05", entry.line, QStringLiteral("%1 has no key '%2'").arg(where, shown(entry.key)),
                           QStringLiteral("It has: ") + known.join(QStringLiteral(", ")) + QLatin1Char('.'));
        }
        if (!seen.insert(entry.key).second && !many.count(entry.key))
            return refusal("LESSON-07", entry.line, QStringLiteral("a second '%1'").arg(entry.key));
        if (entry.value.isEmpty())
            return refusal("LESSON-08", entry.line, QStringLiteral("'%1' is empty").arg(entry.key));
        if (std::optional<Refusal> refused = taker->second(entry)) return refused;
    }
    return std::nullopt;
}

Take into(QString& text) {
    return [&text](const Entry& entry) {
        text = entry.value;
        return std::optional<Refusal>();
    };
}

/// "n = 2..5", "n = 1..r - 1" or "d = uint8 | int16".
std::optional<Refusal> takeDraw(const Entry& entry, std::vector<LessonDraw>& draws, const LessonLimits& limits) {
    static const QRegularExpression kDraw(QStringLiteral("^([A-Za-z_][A-Za-z_0-9]*) = (.+)$"));
    const auto match = kDraw.match(entry.value);
    if (!match.hasMatch() || !expr::isIdentifier(match.captured(1).toStdString()))
        return refusal("LESSON-08", entry.line, QStringLiteral("'%1' names nothing").arg(shown(entry.value)),
                       QStringLiteral("Write 'draw: n = 2..5' or 'draw: d = uint8 | int16'."));
    LessonDraw draw;
    draw.name = match.captured(1);
    const QString value = match.captured(2);
    for (const LessonDraw& before : draws) {
        if (before.name == draw.name)
            return refusal("LESSON-07", entry.line, QStringLiteral("'%1' is drawn twice").arg(draw.name));
    }
    if (const qsizetype dots = value.indexOf(QStringLiteral("..")); dots > 0) {
        draw.low = value.left(dots).trimmed();
        draw.high = value.mid(dots + 2).trimmed();
        if (draw.high.isEmpty())
            return refusal("LESSON-08", entry.line, QStringLiteral("'%1' has no end").arg(shown(value)));
    } else {
        for (const QString& word : value.split(QLatin1Char('|'))) draw.words << word.trimmed();
        if (draw.words.size() < 2 || draw.words.contains(QString()))
            return refusal("LESSON-08", entry.line,
                           QStringLiteral("'%1' is neither a range nor two words").arg(shown(value)),
                           QStringLiteral("Write 'draw: n = 2..5' or 'draw: d = uint8 | int16'."));
    }
    if (draws.size() >= limits.draws)
        return refusal("LESSON-09", entry.line, QStringLiteral("more than %1 draws").arg(limits.draws));
    draws.push_back(draw);
    return std::nullopt;
}

/// "3 * n :: That counts the rows twice."
std::optional<Refusal> takeWrong(const Entry& entry, std::vector<LessonWrong>& wrongs, const LessonLimits& limits) {
    const qsizetype at = entry.value.indexOf(QStringLiteral(" :: "));
    if (at <= 0)
        return refusal("LESSON-08", entry.line, QStringLiteral("a wrong answer without a reply"),
                       QStringLiteral("Write 'wrong: 3 * n :: What to say to it.'"));
    if (wrongs.size() >= limits.wrongs)
        return refusal("LESSON-09", entry.line, QStringLiteral("more than %1 wrong answers").arg(limits.wrongs));
    wrongs.push_back({entry.value.left(at).trimmed(), entry.value.mid(at + 4).trimmed()});
    return std::nullopt;
}

std::optional<Refusal> takeFlag(const Entry& entry, bool& flag) {
    if (entry.value != QStringLiteral("yes") && entry.value != QStringLiteral("no"))
        return refusal("LESSON-08", entry.line,
                       QStringLiteral("'%1' is yes or no, not '%2'").arg(entry.key, shown(entry.value)));
    flag = entry.value == QStringLiteral("yes");
    return std::nullopt;
}

Result<LessonStop> readStop(const Section& section, const LessonLimits& limits) {
    LessonStop stop;
    stop.line = section.line;
    stop.heading = section.heading;
    for (const Entry& entry : section.entries) {
        int line = entry.line;
        for (const QString& each : entry.value.split(QLatin1Char('\n'))) stop.lines.insert(each, line++);
        stop.lines.insert(entry.value, entry.line);
    }
    const auto answer = [&stop](LessonStop::Judge judge) {
        return [&stop, judge](const Entry& entry) -> std::optional<Refusal> {
            if (!stop.answer.isEmpty())
                return refusal("LESSON-07", entry.line, QStringLiteral("a second answer"),
                               QStringLiteral("A question has one of answer, outcome, sharing."));
            stop.judge = judge;
            stop.answer = entry.value;
            return std::nullopt;
        };
    };
    std::map<QString, Take> takers{
        {QStringLiteral("text"),
         [&stop](const Entry& entry) {
             stop.text << entry.value;
             return std::optional<Refusal>();
         }},
        {QStringLiteral("code"),
         [&](const Entry& entry) -> std::optional<Refusal> {
             stop.code << entry.value.split(QLatin1Char('\n'));
             if (stop.code.size() <= limits.codeLines) return std::nullopt;
             return refusal("LESSON-09", entry.line,
                            QStringLiteral("more than %1 lines of code").arg(limits.codeLines));
         }},
        {QStringLiteral("picture"),
         [&](const Entry& entry) -> std::optional<Refusal> {
             stop.picture << entry.value;
             if (stop.picture.size() <= limits.codeLines) return std::nullopt;
             return refusal("LESSON-09", entry.line,
                            QStringLiteral("more than %1 lines for the picture").arg(limits.codeLines));
         }},
        {QStringLiteral("notes"),
         [&stop](const Entry& entry) {
             stop.notes << entry.value;
             return std::optional<Refusal>();
         }},
        {QStringLiteral("python"), [&stop](const Entry& entry) { return takeFlag(entry, stop.python); }},
        {QStringLiteral("pick"), into(stop.pick)},
        {QStringLiteral("draw"), [&](const Entry& entry) { return takeDraw(entry, stop.draws, limits); }},
    };
    QStringList needed;
    if (section.kind == QStringLiteral("explain")) {
        needed << QStringLiteral("text");
    } else if (section.kind == QStringLiteral("question")) {
        stop.kind = LessonStop::Kind::Question;
        takers[QStringLiteral("ask")] = into(stop.ask);
        takers[QStringLiteral("show")] = [&stop](const Entry& entry) -> std::optional<Refusal> {
            for (const QString& part : entry.value.split(QLatin1Char(','))) {
                const QString name = part.trimmed();
                if (!expr::isIdentifier(name.toStdString()))
                    return refusal("LESSON-08", entry.line, QStringLiteral("'%1' is no name").arg(shown(name)),
                                   QStringLiteral("Write 'show: x' or 'show: x, y'."));
                stop.show << name;
            }
            return std::nullopt;
        };
        takers[QStringLiteral("answer")] = answer(LessonStop::Judge::Value);
        takers[QStringLiteral("outcome")] = answer(LessonStop::Judge::Outcome);
        takers[QStringLiteral("sharing")] = answer(LessonStop::Judge::Sharing);
        takers[QStringLiteral("within")] = [&stop](const Entry& entry) -> std::optional<Refusal> {
            bool ok = false;
            stop.within = entry.value.toDouble(&ok);
            if (ok && stop.within > 0 && stop.within < 1e300) return std::nullopt;
            return refusal("LESSON-08", entry.line,
                           QStringLiteral("'within' needs a number above 0, not '%1'").arg(shown(entry.value)));
        };
        takers[QStringLiteral("wrong")] = [&](const Entry& entry) { return takeWrong(entry, stop.wrongs, limits); };
        takers[QStringLiteral("typed")] = [&stop](const Entry& entry) { return takeFlag(entry, stop.typed); };
        takers[QStringLiteral("because")] = into(stop.because);
        needed << QStringLiteral("ask") << QStringLiteral("because");
    } else if (section.kind == QStringLiteral("build")) {
        stop.kind = LessonStop::Kind::Build;
        takers[QStringLiteral("ask")] = into(stop.ask);
        takers[QStringLiteral("base")] = into(stop.base);
        takers[QStringLiteral("target")] = into(stop.target);
        takers[QStringLiteral("hint")] = into(stop.hint);
        takers[QStringLiteral("because")] = into(stop.because);
        needed << QStringLiteral("ask") << QStringLiteral("code") << QStringLiteral("target") << QStringLiteral("hint");
    } else {
        return refusal("LESSON-05", section.line, QStringLiteral("there is no stop '%1'").arg(shown(section.kind)),
                       QStringLiteral("Stops are explain, question and build."));
    }
    const QString where = QStringLiteral("'%1'").arg(section.kind);
    if (std::optional<Refusal> refused =
            takeEntries(section, takers,
                        {QStringLiteral("text"), QStringLiteral("code"), QStringLiteral("picture"),
                         QStringLiteral("draw"), QStringLiteral("wrong"), QStringLiteral("notes")},
                        where))
        return *refused;
    for (const QString& key : needed) {
        const bool there = std::any_of(section.entries.begin(), section.entries.end(),
                                       [&key](const Entry& entry) { return entry.key == key; });
        if (!there) return refusal("LESSON-06", section.line, QStringLiteral("%1 needs '%2'").arg(where, key));
    }
    if (!stop.picture.isEmpty() && !stop.python)
        return refusal("LESSON-08", stop.lines.value(stop.picture.front(), section.line),
                       QStringLiteral("'picture' is for code of Python's"),
                       QStringLiteral("Other code is pictured itself."));
    if (stop.kind == LessonStop::Kind::Question && stop.answer.isEmpty())
        return refusal("LESSON-06", section.line,
                       QStringLiteral("%1 needs one of answer, outcome, sharing").arg(where));
    return stop;
}

std::optional<Refusal> readHead(const Section& section, Lesson& lesson) {
    static const QRegularExpression kId(QStringLiteral("^[a-z0-9]+(-[a-z0-9]+)*$"));
    const auto takeId = [&lesson](const Entry& entry) -> std::optional<Refusal> {
        lesson.id = entry.value;
        if (kId.match(entry.value).hasMatch() && entry.value.size() <= 60) return std::nullopt;
        return refusal("LESSON-08", entry.line, QStringLiteral("'%1' is no id").arg(shown(entry.value)),
                       QStringLiteral("Ids are words of small letters and digits with '-' between."));
    };
    const auto takeAfter = [&lesson](const Entry& entry) {
        for (const QString& id : entry.value.split(QLatin1Char(','))) lesson.after << id.trimmed();
        return std::optional<Refusal>();
    };
    const std::map<QString, Take> takers{{QStringLiteral("id"), takeId},
                                         {QStringLiteral("title"), into(lesson.title)},
                                         {QStringLiteral("objective"), into(lesson.objective)},
                                         {QStringLiteral("trap"), into(lesson.trap)},
                                         {QStringLiteral("after"), takeAfter}};
    if (std::optional<Refusal> refused = takeEntries(section, takers, {}, QStringLiteral("the head"))) return refused;
    for (const auto& [key, value] :
         {std::pair{"id", lesson.id}, std::pair{"title", lesson.title}, std::pair{"objective", lesson.objective}}) {
        if (value.isEmpty())
            return refusal("LESSON-06", 1, QStringLiteral("the head needs '%1'").arg(QLatin1String(key)));
    }
    return std::nullopt;
}

} // namespace

Result<Lesson> readLesson(const QByteArray& bytes, const LessonLimits& limits) {
    if (bytes.size() > limits.bytes)
        return refusal(
            "LESSON-01", 1,
            QStringLiteral("the file has %1 bytes, at most %2 are read").arg(bytes.size()).arg(limits.bytes));
    QByteArray content = bytes;
    if (content.startsWith("\xef\xbb\xbf")) content.remove(0, 3);
    const QString text = QString::fromUtf8(content);
    // A file of other bytes would come back as something else.
    if (text.toUtf8() != content || content.contains('\0'))
        return refusal("LESSON-02", 1, QStringLiteral("the file is not text in UTF-8"));
    const QStringList lines = text.split(QLatin1Char('\n'));
    const QString first = lines.front().trimmed();
    const QString magic = QLatin1String(kMagic);
    bool number = false;
    const int version = first.mid(magic.size()).toInt(&number);
    if (!first.startsWith(magic) || !number || version < 1)
        return refusal("LESSON-03", 1, QStringLiteral("is '%1', not '%2%3'").arg(shown(first), magic).arg(kVersion));
    if (version > kVersion)
        return refusal("LESSON-03", 1,
                       QStringLiteral("version %1, this program reads up to %2").arg(version).arg(kVersion),
                       QStringLiteral("A newer Stridescope can read it."));
    Result<std::vector<Section>> read = sections(lines, limits);
    if (!read) return read.takeRefusal();
    Lesson lesson;
    if (std::optional<Refusal> refused = readHead(read->front(), lesson)) return *refused;
    for (std::size_t i = 1; i < read->size(); ++i) {
        Result<LessonStop> stop = readStop((*read)[i], limits);
        if (!stop) return stop.takeRefusal();
        lesson.stops.push_back(*std::move(stop));
    }
    if (lesson.stops.empty()) return refusal("LESSON-06", 1, QStringLiteral("the lesson has no stops"));
    return lesson;
}

} // namespace stridescope
