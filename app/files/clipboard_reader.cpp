#include "app/files/clipboard_reader.h"

#include "app/files/paste_text.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDataStream>
#include <QGuiApplication>
#include <QMimeData>
#include <QProcess>

#include <cstdio>
#include <utility>

namespace stridescope {

namespace {

/// The largest picture that is taken over, in bytes.
constexpr qint64 kLargestImage = qint64{128} << 20;

} // namespace

ClipboardReader::ClipboardReader(QObject* parent)
    : QObject(parent), m_program(QCoreApplication::applicationFilePath()),
      m_arguments(QStringLiteral("--read-clipboard")) {
    m_limit.setSingleShot(true);
    m_limit.setInterval(kLimit);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        ClipboardContents late;
        late.timedOut = true;
        answer(late);
    });
}

ClipboardReader::~ClipboardReader() {
    drop();
}

void ClipboardReader::setHelper(const QString& program, const QStringList& arguments) {
    m_program = program;
    m_arguments = arguments;
    m_always = true;
}

void ClipboardReader::read(std::function<void(const ClipboardContents&)> done) {
    drop();
    m_done = std::move(done);
    const bool x11 = QGuiApplication::platformName() == QStringLiteral("xcb");
    if (m_always || (x11 && !QGuiApplication::clipboard()->ownsClipboard()))
        ask();
    else
        answer(contentsOf(QGuiApplication::clipboard()->mimeData()));
}

void ClipboardReader::ask() {
    m_bytes.clear();
    m_process = new QProcess(this);
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setProcessChannelMode(QProcess::SeparateChannels);
    connect(m_process, &QProcess::readyReadStandardOutput, this,
            [this] { m_bytes += m_process->readAllStandardOutput(); });
    connect(m_process, &QProcess::finished, this, [this] {
        m_bytes += m_process->readAllStandardOutput();
        answer(unpacked(m_bytes));
    });
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) answer(contentsOf(QGuiApplication::clipboard()->mimeData()));
    });
    m_limit.start();
    m_process->start(m_program, m_arguments, QIODevice::ReadOnly);
}

void ClipboardReader::drop() {
    m_limit.stop();
    m_done = nullptr;
    m_bytes.clear();
    QProcess* process = std::exchange(m_process, nullptr);
    if (!process) return;
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    // Ended and forgotten: nobody waits for it.
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->setParent(nullptr);
    process->kill();
}

void ClipboardReader::answer(const ClipboardContents& contents) {
    const auto done = std::exchange(m_done, nullptr);
    drop();
    if (done) done(contents);
}

ClipboardContents ClipboardReader::contentsOf(const QMimeData* data) {
    ClipboardContents contents;
    if (!data) return contents;
    if (data->hasUrls()) contents.urls = data->urls();
    if (data->hasImage()) contents.image = qvariant_cast<QImage>(data->imageData());
    if (data->hasText()) {
        contents.hasText = true;
        const QString text = data->text();
        contents.textBytes = text.toUtf8().size();
        if (contents.textBytes <= static_cast<qint64>(kLargestPaste)) contents.text = text;
    }
    return contents;
}

QByteArray ClipboardReader::packed(const ClipboardContents& contents) {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    QImage image = contents.image.convertToFormat(QImage::Format_ARGB32);
    if (image.sizeInBytes() > kLargestImage) image = {};
    // A list of URLs would be read back with room made for as many as its first bytes say; bytes are read in blocks.
    QByteArray urls;
    for (const QUrl& url : contents.urls) urls += url.toEncoded() + '\n';
    stream << urls << contents.hasText << contents.textBytes << contents.text << image.width() << image.height()
           << QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes());
    return bytes;
}

ClipboardContents ClipboardReader::unpacked(const QByteArray& bytes) {
    ClipboardContents contents;
    QDataStream stream(bytes);
    int width = 0, height = 0;
    QByteArray urls, pixels;
    stream >> urls >> contents.hasText >> contents.textBytes >> contents.text >> width >> height >> pixels;
    if (stream.status() != QDataStream::Ok || !stream.atEnd() || contents.textBytes < 0) return {};
    for (const QByteArray& url : urls.split('\n')) {
        if (!url.isEmpty()) contents.urls << QUrl::fromEncoded(url);
    }
    constexpr qint64 kPixel = 4;
    const bool picture =
        width > 0 && height > 0 && height <= pixels.size() / kPixel / width && pixels.size() == width * kPixel * height;
    if (picture)
        contents.image =
            QImage(reinterpret_cast<const uchar*>(pixels.constData()), width, height, QImage::Format_ARGB32).copy();
    return contents;
}

int writeClipboardToStdout() {
    const ClipboardContents contents = ClipboardReader::contentsOf(QGuiApplication::clipboard()->mimeData());
    const QByteArray bytes = ClipboardReader::packed(contents);
    const auto size = static_cast<std::size_t>(bytes.size());
    return std::fwrite(bytes.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0 ? 0 : 1;
}

} // namespace stridescope
