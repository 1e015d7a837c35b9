#pragma once
// What a kernel prints, gathered between two pictures of the console, within limits.

#include <QByteArray>
#include <QList>
#include <QString>

#include <array>
#include <deque>

namespace stridescope {

struct OutputPart {
    bool isError = false; ///< sys.stderr
    QString text;
};

struct OutputBatch {
    qint64 droppedLines = 0; ///< before `parts`: more came than anybody could read
    QList<OutputPart> parts; ///< in order; text with its line ends
    bool isEmpty() const { return droppedLines == 0 && parts.isEmpty(); }
};

/// What a terminal shows of a line: what comes after "\r" is written over its beginning.
QString overwritten(const QString& line);
/// The same line with at most one "\r", so that one that is written anew again and again stays short while it goes on.
QString withOneReturn(const QString& line);

/// Bounded whatever comes in: of very many lines the last are kept, of a very long line the beginning.
class OutputBuffer {
public:
    /// That wait to be taken: fewer than the console shows, which has room for the note on what was dropped before them.
    static constexpr std::size_t kLines = 9'900;
    static constexpr qsizetype kLetters = 1'000'000; ///< of all these lines
    static constexpr qsizetype kLineLength = 2000;   ///< characters, anew after each "\r"

    void append(const char* bytes, qsizetype count, bool isError);
    bool isEmpty() const { return m_lines.empty() && m_dropped == 0; }
    /// The first `most` lines that were gathered. Characters that a long line lost are told at its end:
    /// "… 17 more characters".
    OutputBatch take(std::size_t most = kLines);

private:
    struct Line {
        bool isError = false;
        QString text; ///< with its line end, if it has come
    };
    struct Stream {
        QByteArray rest;      ///< the beginning of a character
        qsizetype length = 0; ///< of its present line, in this batch and before
        qint64 cut = 0;       ///< characters that this line lost
    };
    void appendText(QStringView text, bool isError);

    std::array<Stream, 2> m_streams;
    std::deque<Line> m_lines;
    qsizetype m_letters = 0;
    qint64 m_dropped = 0;
};

} // namespace stridescope
