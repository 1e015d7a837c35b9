#include "app/files/picture_process.h"

#include "core/io/text.h"

#include <QFile>

#include <csignal>
#include <cstdio>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace stridescope {

namespace {

// Note [Talk with the decoder] A question is a head and the file's path. An answer is a head, then its texts (notes, or
// what was refused) each ended by a 0, then the pixels without padding. Nothing in an answer is believed: a decoder
// that was taken over can send a wrong picture, but no more bytes than a picture may have.

constexpr quint32 kMagic = 0x43495053; // "SPIC"
constexpr quint32 kLongestText = 64 << 10;

struct Question {
    quint32 magic = kMagic, kind = 0, path = 0; ///< `path`: its bytes
};

struct AnswerHead {
    quint32 magic = kMagic, refused = 0, errorKind = 0, text = 0; ///< `text`: its bytes
    qint32 width = 0, height = 0, channels = 0, reserved = 0;
    qint64 wanted = 0, limit = 0; ///< of BytesExceeded; 0: none
};

QString g_program; // NOLINT: set once, by main

/// What a decoder may take beside what the program itself has: pixels twice, and what it needs on the way.
constexpr rlim_t kMemory = rlim_t{1} << 30;
constexpr int kPoll = 20;

} // namespace

struct PictureReader::Answer {
    AnswerHead head;
    QByteArray text, pixels;
};

void setPictureProgram(const QString& program) {
    g_program = program;
}

PictureReader::PictureReader(std::chrono::milliseconds longest) : m_longest(longest) {}

PictureReader::~PictureReader() {
    end();
}

bool PictureReader::start() {
    if (m_process && m_process->state() == QProcess::Running) return true;
    end();
    m_process = std::make_unique<QProcess>();
    m_process->setStandardErrorFile(QProcess::nullDevice());
    // It ends with the thread that started it, however that ends.
    m_process->setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process->start(g_program, {QStringLiteral("--decode-pictures")});
    return m_process->waitForStarted(5000);
}

void PictureReader::end() {
    if (!m_process) return;
    m_process->kill();
    m_process->waitForFinished(2000);
    m_process.reset();
}

Refusal PictureReader::failed() {
    std::string how = "it sent no picture";
    if (m_process && (m_process->state() == QProcess::NotRunning || m_process->waitForFinished(1000))) {
        const bool crashed = m_process->exitStatus() == QProcess::CrashExit;
        how = (crashed ? "ended by signal " : "ended with code ") + std::to_string(m_process->exitCode());
    }
    end();
    return {ErrorKind::Io,
            "PIC-04",
            "the picture could not be read: the decoder failed (" + how + ")",
            "The file is damaged, or made to do harm. Nothing else is touched: it is decoded in a process of its own.",
            {}};
}

std::optional<Refusal> PictureReader::take(char* to, qint64 bytes, const Budget& budget) {
    for (qint64 done = 0; done < bytes;) {
        const qint64 got = m_process->read(to + done, bytes - done);
        if (got < 0) return failed();
        done += got;
        if (got > 0) continue;
        if (auto stop = budget.check(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(bytes))) {
            end();
            return stop;
        }
        if (std::chrono::steady_clock::now() - m_asked > m_longest) {
            end();
            const auto seconds = std::chrono::duration<double>(m_longest).count();
            char text[120];
            std::snprintf(text, sizeof text, "the picture could not be read: its decoder was stopped after %.3g s",
                          seconds);
            return Refusal{ErrorKind::Io, "PIC-05", text, "Save the picture anew, or smaller, in another program.", {}};
        }
        if (!m_process->waitForReadyRead(kPoll) && m_process->state() == QProcess::NotRunning &&
            m_process->bytesAvailable() == 0)
            return failed();
    }
    return std::nullopt;
}

Result<PictureReader::Answer> PictureReader::ask(const QString& path, FileKind kind, const Budget& budget) {
    if (!start()) {
        end();
        return Refusal{ErrorKind::Io,
                       "PIC-06",
                       "the process that decodes pictures could not be started",
                       "Too many programs may be running; try again.",
                       {}};
    }
    m_asked = std::chrono::steady_clock::now();
    const QByteArray name = QFile::encodeName(path);
    Question question;
    question.kind = static_cast<quint32>(kind);
    question.path = static_cast<quint32>(name.size());
    m_process->write(reinterpret_cast<const char*>(&question), sizeof question);
    m_process->write(name);
    m_process->waitForBytesWritten(kPoll);
    Answer answer;
    AnswerHead& head = answer.head;
    if (auto problem = take(reinterpret_cast<char*>(&head), sizeof head, budget)) return *problem;
    const bool picture = head.refused == 0 && head.width > 0 && head.height > 0 &&
                         (head.channels == 1 || head.channels == 3 || head.channels == 4) &&
                         qint64{head.width} * head.height <= kLargestPicture / 4;
    if (head.magic != kMagic || head.text > kLongestText || (head.refused == 0 && !picture)) {
        end();
        return failed();
    }
    answer.text.resize(head.text);
    if (auto problem = take(answer.text.data(), answer.text.size(), budget)) return *problem;
    if (head.refused != 0) return answer;
    answer.pixels.resize(qint64{head.width} * head.height * head.channels);
    if (auto problem = take(answer.pixels.data(), answer.pixels.size(), budget)) return *problem;
    return answer;
}

Result<OpenedPicture> PictureReader::read(const QString& path, FileKind kind, const Budget& budget) {
    if (g_program.isEmpty()) {
        auto decoded = decodePicture(path, kind);
        if (!decoded) return decoded.takeRefusal();
        return pictureTensor(*decoded, budget);
    }
    auto answer = ask(path, kind, budget);
    if (!answer) return answer.takeRefusal();
    const AnswerHead& head = answer->head;
    const QList<QByteArray> texts = answer->text.split('\0');
    if (head.refused != 0) {
        const auto text = [&texts](qsizetype i) { return sanitiseForDisplay(texts.value(i).toStdString(), 400); };
        Refusal refusal{head.errorKind == static_cast<quint32>(ErrorKind::Memory) ? ErrorKind::Memory : ErrorKind::Io,
                        text(0),
                        text(1),
                        text(2),
                        {}};
        if (head.limit > 0) refusal.detail = BytesExceeded{head.wanted, head.limit};
        return refusal;
    }
    DecodedPicture decoded;
    for (const QByteArray& note : texts)
        if (!note.isEmpty()) decoded.notes << QString::fromStdString(sanitiseForDisplay(note.toStdString(), 400));
    const QImage::Format format = head.channels == 1   ? QImage::Format_Grayscale8
                                  : head.channels == 3 ? QImage::Format_RGB888
                                                       : QImage::Format_RGBA8888;
    decoded.pixels = QImage(reinterpret_cast<const uchar*>(answer->pixels.constData()), head.width, head.height,
                            qint64{head.width} * head.channels, format);
    return pictureTensor(decoded, budget);
}

namespace {

/// No more memory than a picture needs, no files written, nothing left behind.
void limitThisProcess() {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return;
    const rlim_t most =
        file.readAll().split(' ')[0].toULongLong() * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + kMemory;
    const rlimit memory{most, most};
    setrlimit(RLIMIT_AS, &memory);
}

bool send(const void* from, std::size_t bytes) {
    return bytes == 0 || std::fwrite(from, 1, bytes, stdout) == bytes;
}

bool answerWith(const Result<DecodedPicture>& picture) {
    AnswerHead head;
    QByteArray text;
    if (!picture) {
        const Refusal& refusal = picture.refusal();
        head.refused = 1;
        head.errorKind = static_cast<quint32>(refusal.kind);
        for (const std::string* each : {&refusal.id, &refusal.message, &refusal.hint})
            text += QByteArray::fromStdString(*each) + '\0';
        if (const auto* exceeded = std::get_if<BytesExceeded>(&refusal.detail)) {
            head.wanted = exceeded->wanted;
            head.limit = exceeded->limit;
        }
    } else {
        head.width = picture->pixels.width();
        head.height = picture->pixels.height();
        head.channels = picture->pixels.depth() / 8;
        for (const QString& note : picture->notes) text += note.toUtf8() + '\0';
    }
    text.truncate(kLongestText);
    head.text = static_cast<quint32>(text.size());
    bool sent = send(&head, sizeof head) && send(text.constData(), static_cast<std::size_t>(text.size()));
    for (int y = 0; sent && picture && y < head.height; ++y)
        sent = send(picture->pixels.constScanLine(y), static_cast<std::size_t>(head.width) * head.channels);
    return sent && std::fflush(stdout) == 0;
}

} // namespace

int decodePictures() {
    limitThisProcess();
    for (Question question; std::fread(&question, sizeof question, 1, stdin) == 1;) {
        if (question.magic != kMagic || question.path > kLongestText) return 1;
        QByteArray name(question.path, '\0');
        if (std::fread(name.data(), 1, question.path, stdin) != question.path) return 1;
        if (!answerWith(decodePicture(QFile::decodeName(name), static_cast<FileKind>(question.kind)))) return 1;
    }
    return 0;
}

} // namespace stridescope
