#include "app/lessons/lesson_translation.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <map>
#include <set>
#include <vector>

namespace stridescope {

namespace {

/// An entry or a heading with the lines that continue it.
struct Block {
    int line = 0; ///< from 1
    bool heading = false;
    QString key, value; ///< of a heading its kind and its words
    QStringList lines;
};

Refusal refusal(const char* id, int line, const QString& what) {
    Refusal made;
    made.kind = ErrorKind::Value;
    made.id = id;
    made.message = "line " + std::to_string(line) + ": " + what.toStdString();
    made.detail = InputPosition{line};
    return made;
}

/// The file below its first line. What is neither is kept as a block without a key.
std::vector<Block> blocksOf(const QStringList& lines) {
    static const QRegularExpression entry(QStringLiteral("^([a-z]+):(?: (.*))?$")),
        heading(QStringLiteral("^== ([a-z]+): (.+)$"));
    std::vector<Block> blocks;
    for (int i = 1; i < lines.size(); ++i) {
        const QString& line = lines[i];
        if (line.startsWith(QStringLiteral("  ")) && !blocks.empty() && !blocks.back().key.isEmpty()) {
            blocks.back().lines << line;
            blocks.back().value += QLatin1Char(' ') + line.trimmed();
            continue;
        }
        Block block{i + 1, false, {}, {}, {line}};
        const auto asHeading = heading.match(line), asEntry = entry.match(line);
        const auto& match = asHeading.hasMatch() ? asHeading : asEntry;
        block.heading = asHeading.hasMatch();
        if (match.hasMatch()) {
            block.key = match.captured(1);
            block.value = match.captured(2).trimmed();
        }
        blocks.push_back(std::move(block));
    }
    return blocks;
}

bool isText(const QString& key) {
    static const std::set<QString> texts{QStringLiteral("title"), QStringLiteral("objective"), QStringLiteral("trap"),
                                         QStringLiteral("text"),  QStringLiteral("ask"),       QStringLiteral("wrong"),
                                         QStringLiteral("hint"),  QStringLiteral("because")};
    return texts.count(key) > 0;
}

/// "3 * n" of "3 * n :: That counts the rows twice."
QString valueOfWrong(const QString& text) {
    return text.section(QStringLiteral(" :: "), 0, 0).trimmed();
}

} // namespace

Result<QByteArray> translatedLesson(const QByteArray& original, const QByteArray& translation) {
    QStringList lines = QString::fromUtf8(original).split(QLatin1Char('\n'));
    const QStringList theirs = QString::fromUtf8(translation).split(QLatin1Char('\n'));
    static const QRegularExpression first(QStringLiteral("^(stridescope lesson [0-9]+) [a-z]{2}$"));
    const auto match = first.match(theirs.front().trimmed());
    if (!match.hasMatch() || match.captured(1) != lines.front().trimmed())
        return refusal(
            "LESSON-40", 1,
            QStringLiteral("is not '%1 fr', as a translation into French begins").arg(lines.front().trimmed()));
    // The texts, in the order in which the original asks for them: by stop and key.
    std::map<std::pair<int, QString>, std::vector<Block>> texts;
    std::vector<Block> headings;
    int stop = 0, last = 1;
    for (Block& block : blocksOf(theirs)) {
        last = block.line;
        if (block.heading) {
            ++stop;
            headings.push_back(std::move(block));
        } else if (isText(block.key)) {
            texts[{stop, block.key}].push_back(std::move(block));
        } else if (!block.lines.front().trimmed().isEmpty() && !block.lines.front().startsWith(QLatin1Char('#'))) {
            return refusal("LESSON-42", block.line,
                           QStringLiteral("'%1' is no text: it stays in the original").arg(block.key));
        }
    }
    std::map<std::pair<int, QString>, std::size_t> taken;
    QStringList out{lines.front()};
    stop = 0;
    for (const Block& block : blocksOf(lines)) {
        const bool text = block.heading || isText(block.key);
        if (!text) {
            out << block.lines;
            continue;
        }
        if (block.heading) {
            if (static_cast<std::size_t>(stop) >= headings.size())
                return refusal("LESSON-41", last,
                               QStringLiteral("has %1 stops, the lesson has more").arg(headings.size()));
            const Block& heading = headings[static_cast<std::size_t>(stop++)];
            if (heading.key != block.key)
                return refusal("LESSON-41", heading.line,
                               QStringLiteral("a stop '%1' where the lesson has '%2'").arg(heading.key, block.key));
            out << heading.lines;
            continue;
        }
        const std::pair<int, QString> place{stop, block.key};
        const std::size_t number = taken[place]++;
        const auto found = texts.find(place);
        if (found == texts.end() || number >= found->second.size()) {
            const int line = stop > 0 ? headings[static_cast<std::size_t>(stop - 1)].line : 1;
            return refusal("LESSON-42", line,
                           QStringLiteral("has no '%1' for the lesson's '%2'").arg(block.key, block.value.left(60)));
        }
        const Block& theirsOf = found->second[number];
        if (block.key == QStringLiteral("wrong") && valueOfWrong(block.value) != valueOfWrong(theirsOf.value))
            return refusal("LESSON-43", theirsOf.line,
                           QStringLiteral("the wrong answer is '%1' in the lesson").arg(valueOfWrong(block.value)));
        out << theirsOf.lines;
    }
    if (static_cast<std::size_t>(stop) != headings.size())
        return refusal("LESSON-41", headings[static_cast<std::size_t>(stop)].line,
                       QStringLiteral("a stop that the lesson does not have"));
    for (const auto& [place, blocks] : texts)
        if (taken[place] < blocks.size())
            return refusal("LESSON-42", blocks[taken[place]].line,
                           QStringLiteral("a '%1' that the lesson does not have").arg(place.second));
    return out.join(QLatin1Char('\n')).toUtf8();
}

QString originalOfLesson(const QString& path) {
    static const QRegularExpression translation(QStringLiteral("^(.*)\\.[a-z]{2}\\.lesson$"));
    const auto match = translation.match(path);
    return match.hasMatch() ? match.captured(1) + QStringLiteral(".lesson") : QString();
}

QString translationOfLesson(const QString& path, const QString& language) {
    return path.left(path.size() - 7) + QLatin1Char('.') + language + QStringLiteral(".lesson");
}

QString languageOfTexts() {
    // Asked of the texts themselves, so that lessons always go with them.
    const QString code =
        QCoreApplication::translate("stridescope::Lesson", "en", "the code of the language of these texts");
    return code.size() == 2 && code != QStringLiteral("en") ? code : QString();
}

} // namespace stridescope
