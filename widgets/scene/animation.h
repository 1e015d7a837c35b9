#pragma once
// Pictures that move, as files: an animated GIF or WebP, and a page that needs nothing but a browser.

#include "core/result.h"
#include "widgets/scene/scene.h"

#include <QByteArray>

#include <functional>
#include <optional>
#include <vector>

namespace stridescope {

class Theme;

/// A picture as a function of t from 0 to 1.
struct Animation {
    QString title;
    qreal seconds = 1;                     ///< from 0 to 1 at normal speed
    std::vector<qreal> stops;              ///< moments at which something is whole, ascending, 0 and 1 among them
    std::vector<qreal> rests;              ///< those of them at which it stands for a while
    std::function<Scene(qreal)> at;        ///< all of one size
    std::function<QString(qreal)> caption; ///< said at a stop, for who does not see the picture
};

struct AnimationOptions {
    qreal scale = 1; ///< pixels per logical pixel
    int framesPerSecond = 12;
    qreal rest = 1.2, end = 3; ///< seconds at a rest, and at the end
};

/// A moment that is drawn, and how long it stands.
struct AnimationMoment {
    qreal t = 0;
    int hundredths = 0; ///< of a second
    bool stop = false;
};
/// Every stop and, between two of them, as many moments as the rate asks for.
std::vector<AnimationMoment> momentsOf(const Animation& animation, const AnimationOptions& options);

/// Deterministic: the same animation and theme give the same bytes. Refused (EXPORT-06) are pictures that would be too
/// large, a side of more than 65535 pixels or 2^26 pixels in all.
Result<QByteArray> animatedGif(const Animation& animation, const Theme& theme, const AnimationOptions& options = {});
/// The same as WebP, in all its colours; a side has at most 16383 pixels.
Result<QByteArray> animatedWebp(const Animation& animation, const Theme& theme, const AnimationOptions& options = {});
/// One HTML file with pictures, transport, keys and captions in it, and nothing that it would have to load. Without
/// scripts it shows the last picture. With reduced motion it does not move by itself and goes from stop to stop.
Result<QByteArray> animatedPage(const Animation& animation, const Theme& theme, const AnimationOptions& options = {});

/// Whether a name is that of a file that moves: ….gif, ….webp, ….html, or pictures one by one, …%d.png with the
/// frame's number in place of %d or %03d.
bool isMovingFile(const QString& path);
/// Writes the animation to `path`, as its name asks for; `write` writes one file, and its refusal ends all.
std::optional<Refusal>
writeAnimation(const Animation& animation, const Theme& theme, const QString& path, const AnimationOptions& options,
               const std::function<std::optional<Refusal>(const QString& path, const QByteArray& bytes)>& write);

} // namespace stridescope
