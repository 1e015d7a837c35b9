#pragma once
// WebpWriter: pictures one after the other as an animated WebP.

#include "core/result.h"

#include <QByteArray>
#include <QImage>

struct WebPAnimEncoder;

namespace stridescope {

/// Every pixel is kept as it was drawn. libwebp finds the part in which a frame differs from the one before, and does
/// so in one thread: the same frames give the same bytes with the same libwebp.
class WebpWriter {
public:
    static constexpr int kLongestSide = 16383;

    /// Plays for ever.
    explicit WebpWriter(QSize size);
    ~WebpWriter();
    WebpWriter(const WebpWriter&) = delete;
    WebpWriter& operator=(const WebpWriter&) = delete;

    /// A frame of that size in Format_RGB32.
    void add(const QImage& image, int hundredths);
    /// Refused (EXPORT-07) where memory did not do, for this or for a frame.
    Result<QByteArray> finish();

private:
    WebPAnimEncoder* m_encoder = nullptr;
    QSize m_size;
    int m_milliseconds = 0;
    bool m_failed = false;
};

} // namespace stridescope
