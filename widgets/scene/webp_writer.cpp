#include "widgets/scene/webp_writer.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>

namespace stridescope {

namespace {

/// Of 0 … 9, how hard libwebp tries. Pictures of flat colours gain a few percent above it, and take twice as long.
constexpr int kEffort = 2;

} // namespace

WebpWriter::WebpWriter(QSize size) : m_size(size) {
    WebPAnimEncoderOptions options;
    if (WebPAnimEncoderOptionsInit(&options) != 0)
        m_encoder = WebPAnimEncoderNew(size.width(), size.height(), &options);
    m_failed = m_encoder == nullptr;
}

WebpWriter::~WebpWriter() {
    WebPAnimEncoderDelete(m_encoder);
}

void WebpWriter::add(const QImage& image, int hundredths) {
    WebPConfig config;
    WebPPicture picture;
    if (m_failed || WebPConfigInit(&config) == 0 || WebPPictureInit(&picture) == 0) {
        m_failed = true;
        return;
    }
    WebPConfigLosslessPreset(&config, kEffort);
    config.exact = 1;
    picture.use_argb = 1;
    picture.width = m_size.width();
    picture.height = m_size.height();
    m_failed = WebPPictureAlloc(&picture) == 0;
    for (int y = 0; y < picture.height && !m_failed; ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        std::transform(line, line + picture.width, picture.argb + static_cast<qsizetype>(y) * picture.argb_stride,
                       [](QRgb pixel) { return pixel | 0xff000000u; });
    }
    m_failed = m_failed || WebPAnimEncoderAdd(m_encoder, &picture, m_milliseconds, &config) == 0;
    WebPPictureFree(&picture);
    m_milliseconds += 10 * hundredths;
}

Result<QByteArray> WebpWriter::finish() {
    WebPData data;
    WebPDataInit(&data);
    // A frame of nothing tells how long the last one stands.
    m_failed = m_failed || WebPAnimEncoderAdd(m_encoder, nullptr, m_milliseconds, nullptr) == 0 ||
               WebPAnimEncoderAssemble(m_encoder, &data) == 0;
    if (m_failed)
        return Refusal{ErrorKind::Memory,
                       "EXPORT-07",
                       "not enough memory for a WebP of " + std::to_string(m_size.width()) + " x " +
                           std::to_string(m_size.height()) + " pixels",
                       "Use a smaller size or scale.",
                       {}};
    QByteArray bytes(reinterpret_cast<const char*>(data.bytes), static_cast<qsizetype>(data.size));
    WebPDataClear(&data);
    return bytes;
}

} // namespace stridescope
