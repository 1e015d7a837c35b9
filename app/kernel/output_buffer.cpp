#include "app/kernel/output_buffer.h"

#include <algorithm>
#include <utility>

namespace stridescope {

namespace {

/// How many of the last bytes are the beginning of a character that is not complete.
qsizetype unfinished(const QByteArray& bytes) {
    for (qsizetype back = 1; back <= std::min<qsizetype>(3, bytes.size()); ++back) {
        const auto byte = static_cast<unsigned char>(bytes[bytes.size() - back]);
        if ((byte & 0xC0) == 0x80) continue; // inside a character
        const qsizetype needs = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        return needs > back ? back : 0;
    }
    return 0;
}

/// The same for what may be the middle of a line: its first part goes on where the line was.
QString withTwoReturns(const QString& piece) {
    const qsizetype first = piece.indexOf(QLatin1Char('\r')) + 1;
    return first == 0 ? piece : piece.left(first) + withOneReturn(piece.mid(first));
}

} // namespace

QString overwritten(const QString& line) {
    QString shown;
    for (const QStringView part : QStringView(line).split(QLatin1Char('\r')))
        shown.replace(0, std::min(part.size(), shown.size()), part.toString());
    return shown;
}

QString withOneReturn(const QString& line) {
    const qsizetype last = line.lastIndexOf(QLatin1Char('\r'));
    return last < 0 ? line : overwritten(line.left(last)) + line.mid(last);
}

void OutputBuffer::append(const char* bytes, qsizetype count, bool isError) {
    Stream& stream = m_streams[isError ? 1 : 0];
    QByteArray all = stream.rest + QByteArray::fromRawData(bytes, count);
    const qsizetype rest = unfinished(all);
    stream.rest = all.right(rest);
    all.chop(rest);
    const QString text = QString::fromUtf8(all);
    for (qsizetype start = 0; start < text.size();) {
        const qsizetype end = text.indexOf(QLatin1Char('\n'), start) + 1;
        const qsizetype stop = end > 0 ? end : text.size();
        appendText(QStringView(text).mid(start, stop - start), isError);
        start = stop;
    }
}

void OutputBuffer::appendText(QStringView text, bool isError) {
    Stream& stream = m_streams[isError ? 1 : 0];
    const bool ends = text.endsWith(QLatin1Char('\n'));
    if (ends) text.chop(1);
    QString shown;
    bool isFirst = true;
    for (const QStringView part : text.split(QLatin1Char('\r'))) {
        if (!std::exchange(isFirst, false)) {
            shown = withTwoReturns(shown + QLatin1Char('\r'));
            stream.length = 0;
            stream.cut = 0;
        }
        const qsizetype room = std::max<qsizetype>(0, kLineLength - stream.length), kept = std::min(room, part.size());
        stream.length += part.size();
        stream.cut += part.size() - kept;
        shown += part.left(kept);
    }
    if (ends) {
        if (stream.cut > 0) shown += QStringLiteral(" … %1 more characters").arg(stream.cut);
        shown += QLatin1Char('\n');
        stream.length = 0;
        stream.cut = 0;
    }
    if (shown.isEmpty()) return;
    if (!m_lines.empty() && m_lines.back().isError == isError && !m_lines.back().text.endsWith(QLatin1Char('\n'))) {
        m_letters -= m_lines.back().text.size();
        m_lines.back().text = withTwoReturns(m_lines.back().text + shown);
        m_letters += m_lines.back().text.size();
        return;
    }
    m_letters += shown.size();
    m_lines.push_back({isError, shown});
    while (m_lines.size() > kLines || (m_letters > kLetters && m_lines.size() > 1)) {
        m_letters -= m_lines.front().text.size();
        m_lines.pop_front();
        ++m_dropped;
    }
}

OutputBatch OutputBuffer::take(std::size_t most) {
    OutputBatch batch;
    batch.droppedLines = std::exchange(m_dropped, 0);
    for (; most > 0 && !m_lines.empty(); --most, m_lines.pop_front()) {
        Line& line = m_lines.front();
        m_letters -= line.text.size();
        if (!batch.parts.isEmpty() && batch.parts.last().isError == line.isError)
            batch.parts.last().text += line.text;
        else
            batch.parts.append({line.isError, std::move(line.text)});
    }
    return batch;
}

} // namespace stridescope
