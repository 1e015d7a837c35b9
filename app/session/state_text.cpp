#include "app/session/state_text.h"

#include "core/io/refusals.h"
#include "core/io/save_atomically.h"
#include "core/session/session_file.h"

#include <QByteArray>
#include <QRegularExpression>

namespace stridescope {

namespace {

// stridescope:1:CHECK:PACKED. CHECK is the fingerprint of PACKED's bytes; these are zlib's, in the alphabet of
// base64url. The first four bytes of qCompress's (the length, most significant first) are part of it.
const QString kPrefix = QStringLiteral("stridescope:1:");
constexpr auto kAlphabet = QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals;

std::span<const std::byte> bytesOf(const QByteArray& bytes) {
    return std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

QString checkOf(const QByteArray& bytes) {
    Fingerprint print;
    print.add(bytesOf(bytes));
    return QStringLiteral("%1").arg(print.value(), 16, 16, QLatin1Char('0'));
}

} // namespace

Result<QString> stateText(const Session& session) {
    const Result<std::string> file = sessionBytes(session, kLargestTextState);
    if (!file) return file.refusal();
    const QByteArray bytes(file->data(), static_cast<qsizetype>(file->size()));
    const QByteArray packed = qCompress(bytes, 9);
    const QString text = kPrefix + checkOf(packed) + QLatin1Char(':') + QString::fromLatin1(packed.toBase64(kAlphabet));
    if (text.size() <= kLongestStateText) return text;
    return io::refuseAmount("SES-09",
                            "The text would have " + std::to_string(text.size()) + " characters, limit " +
                                std::to_string(kLongestStateText),
                            "Save it as a session file instead, or keep fewer and smaller tensors.",
                            static_cast<std::uint64_t>(text.size()), kLongestStateText);
}

bool looksLikeStateText(const QString& text) {
    return text.left(200).trimmed().startsWith(QStringLiteral("stridescope:"));
}

Result<Session> sessionFromText(const QString& text) {
    const auto refuse = [](const std::string& message) {
        return io::refuse("SES-10", message, "Copy the whole text again, from \"stridescope:\" to its end.");
    };
    QString plain = text;
    static const QRegularExpression kBlanks(QStringLiteral("\\s+"));
    plain.remove(kBlanks);
    if (plain.size() > kLongestStateText)
        return refuse("The text has " + std::to_string(plain.size()) + " characters, limit " +
                      std::to_string(kLongestStateText));
    if (!plain.startsWith(kPrefix)) return refuse("The text does not begin with " + kPrefix.toStdString());
    const QStringList parts = plain.mid(kPrefix.size()).split(QLatin1Char(':'));
    if (parts.size() != 2) return refuse("The text has " + std::to_string(parts.size()) + " parts; a state has 2");
    const auto packed = QByteArray::fromBase64Encoding(
        parts[1].toLatin1(), QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!packed || packed.decoded.size() < 4) return refuse("The text holds characters that do not belong there");
    if (checkOf(packed.decoded) != parts[0])
        return refuse("The text is cut or damaged: its check is " + checkOf(packed.decoded).toStdString() + ", not " +
                      parts[0].left(16).toStdString());
    // The length is looked at before anything is unpacked: a few letters must not become gigabytes.
    std::uint64_t length = 0;
    for (qsizetype i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(packed.decoded[i]);
    if (length > kLargestTextState)
        return refuse("The state would have " + std::to_string(length) + " bytes, limit " +
                      std::to_string(kLargestTextState));
    const QByteArray bytes = qUncompress(packed.decoded);
    if (static_cast<std::uint64_t>(bytes.size()) != length)
        return refuse("The state has " + std::to_string(bytes.size()) + " bytes and says " + std::to_string(length));
    return sessionFromBytes(bytesOf(bytes), false);
}

} // namespace stridescope
