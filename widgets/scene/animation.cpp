#include "widgets/scene/animation.h"

#include "widgets/scene/export.h"
#include "widgets/scene/gif_writer.h"
#include "widgets/scene/webp_writer.h"

#include <QBuffer>
#include <QImageWriter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stridescope {

namespace {

constexpr qreal kSame = 1e-9, kMostPixels = 67'108'864;

bool isAmong(const std::vector<qreal>& moments, qreal t) {
    return std::any_of(moments.begin(), moments.end(), [t](qreal each) { return std::abs(each - t) < kSame; });
}

QImage imageAt(const Animation& animation, qreal t, const Theme& theme, const AnimationOptions& options) {
    ExportOptions exported;
    exported.scale = options.scale;
    return renderImage(animation.at(t), theme, exported).convertToFormat(QImage::Format_RGB32);
}

std::optional<Refusal> tooLarge(const QSizeF& size, qreal scale, int longestSide = GifWriter::kLongestSide) {
    const QSizeF pixels = size * scale;
    if (std::max(pixels.width(), pixels.height()) <= longestSide &&
        pixels.width() * pixels.height() <= kMostPixels)
        return std::nullopt;
    return Refusal{ErrorKind::Memory,
                   "EXPORT-06",
                   "the pictures would have " + std::to_string(std::llround(pixels.width())) + " x " +
                       std::to_string(std::llround(pixels.height())) + " pixels",
                   "Use a smaller size or scale.",
                   {}};
}

/// The palette of all moments; each is drawn once for it and once to be written, for all at once would not fit.
ColourPalette paletteOf(const Animation& animation, const std::vector<AnimationMoment>& moments, const Theme& theme,
                        const AnimationOptions& options) {
    ColourPalette palette;
    QImage last;
    for (const AnimationMoment& moment : moments) {
        QImage image = imageAt(animation, moment.t, theme, options);
        if (image != last) palette.add(image);
        last = std::move(image);
    }
    palette.settle();
    return palette;
}

/// Pictures that do not differ are one that stands longer.
void forEachPicture(const Animation& animation, const std::vector<AnimationMoment>& moments, const Theme& theme,
                    const AnimationOptions& options, const std::function<void(const QImage&, int hundredths)>& take) {
    QImage image = imageAt(animation, moments.front().t, theme, options);
    int stands = moments.front().hundredths;
    for (std::size_t i = 1; i < moments.size(); ++i) {
        QImage next = imageAt(animation, moments[i].t, theme, options);
        if (next != image) {
            take(image, std::exchange(stands, 0));
            image = std::move(next);
        }
        stands += moments[i].hundredths;
    }
    take(image, stands);
}

QByteArray pngOf(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter(&buffer, "png").write(image);
    return bytes.toBase64();
}

QByteArray quoted(const QString& text) {
    // As a string of JSON, in a page: "<" could end the script.
    QByteArray out("\"");
    for (const QChar c : text) {
        const bool plain = c.unicode() >= 0x20 && c != QLatin1Char('"') && c != QLatin1Char('\\') &&
                           c != QLatin1Char('<') && c != QLatin1Char('>') && c != QLatin1Char('&') &&
                           c.unicode() < 0x7f;
        out += plain ? QByteArray(1, static_cast<char>(c.unicode()))
                     : "\\u" + QByteArray::number(c.unicode(), 16).rightJustified(4, '0');
    }
    return out + '"';
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ground: %GROUND%; --ink: %INK%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.4 system-ui, sans-serif; }
main { max-width: %WIDTH%px; margin: 0 auto; padding: 8px; }
canvas, img { width: 100%; height: auto; display: block; }
nav { display: flex; gap: 8px; align-items: center; padding: 8px 0; }
button { font: inherit; min-width: 44px; min-height: 36px; }
input { flex: 1; min-height: 36px; }
p { margin: 0; min-height: 1.4em; }
)";

// Pictures are patches on the one before; those of stops are whole, so that going back begins at one.
constexpr const char* kScript = R"(
const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d');
const slider = document.querySelector('input'), words = document.querySelector('p');
const playButton = document.querySelector('[data-act=play]');
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
const stops = frames.map((f, i) => f.k ? i : -1).filter(i => i >= 0);
let at = -1, timer = 0;
function patch(i) { const f = frames[i]; if (f.image) pen.drawImage(f.image, f.x, f.y); }
function show(i) {
  i = Math.max(0, Math.min(frames.length - 1, i));
  let from = i === at + 1 ? i : i;
  if (i !== at + 1) while (from > 0 && !frames[from].k) --from;
  for (let j = from; j <= i; ++j) patch(j);
  at = i;
  slider.value = i;
  if (frames[i].c !== undefined) words.textContent = frames[i].c;
  slider.setAttribute('aria-valuetext', words.textContent);
}
function pause() { clearTimeout(timer); timer = 0; playButton.textContent = 'Play'; }
function step() {
  const last = frames.length - 1;
  if (at >= last) return pause();
  const next = still ? stops.find(s => s > at) : at + 1;
  show(next);
  timer = setTimeout(step, still ? 900 : frames[at].d * 10);
}
function play() { if (timer) return pause(); if (at >= frames.length - 1) show(0); playButton.textContent = 'Pause'; timer = setTimeout(step, 300); }
function move(by) { pause(); const s = by > 0 ? stops.find(i => i > at) : [...stops].reverse().find(i => i < at); if (s !== undefined) show(s); }
document.querySelector('nav').addEventListener('click', e => {
  const act = e.target.dataset.act;
  if (act === 'play') play(); else if (act === 'back') move(-1); else if (act === 'next') move(1);
});
slider.addEventListener('input', () => { pause(); show(+slider.value); });
addEventListener('keydown', e => {
  if (e.target === slider) return;
  if (e.key === ' ' && e.target.tagName !== 'BUTTON') { e.preventDefault(); play(); }
  if (e.key === 'ArrowLeft') move(-1);
  if (e.key === 'ArrowRight') move(1);
  if (e.key === 'Home') { pause(); show(0); }
  if (e.key === 'End') { pause(); show(frames.length - 1); }
});
Promise.all(frames.map(f => f.s ? new Promise(done => {
  f.image = new Image();
  f.image.onload = f.image.onerror = done;
  f.image.src = 'data:image/png;base64,' + f.s;
}) : 0)).then(() => { document.querySelector('noscript').remove(); canvas.hidden = false; show(0); });
)";

} // namespace

std::vector<AnimationMoment> momentsOf(const Animation& animation, const AnimationOptions& options) {
    std::vector<AnimationMoment> moments;
    const auto hundredths = [](qreal seconds) { return static_cast<int>(std::lround(seconds * 100)); };
    for (std::size_t i = 0; i < animation.stops.size(); ++i) {
        const qreal t = animation.stops[i];
        const bool last = i + 1 == animation.stops.size();
        const qreal until = last ? t : animation.stops[i + 1];
        const qreal seconds = (until - t) * animation.seconds;
        const auto steps = last ? 1 : std::max<long>(1, std::lround(seconds * options.framesPerSecond));
        for (long k = 0; k < steps; ++k) {
            AnimationMoment moment;
            moment.t = t + (until - t) * static_cast<qreal>(k) / static_cast<qreal>(steps);
            moment.stop = k == 0;
            qreal stands = last ? options.end : seconds / static_cast<qreal>(steps);
            if (k == 0 && !last && isAmong(animation.rests, t)) stands += options.rest;
            moment.hundredths = std::max(2, hundredths(stands));
            moments.push_back(moment);
        }
    }
    return moments;
}

Result<QByteArray> animatedGif(const Animation& animation, const Theme& theme, const AnimationOptions& options) {
    if (auto refusal = tooLarge(animation.at(0).size, options.scale)) return *std::move(refusal);
    const std::vector<AnimationMoment> moments = momentsOf(animation, options);
    const ColourPalette palette = paletteOf(animation, moments, theme, options);
    GifWriter writer(imageAt(animation, 0, theme, options).size(), palette);
    forEachPicture(animation, moments, theme, options,
                   [&](const QImage& image, int hundredths) { writer.add(image, hundredths); });
    return writer.finish();
}

Result<QByteArray> animatedWebp(const Animation& animation, const Theme& theme, const AnimationOptions& options) {
    if (auto refusal = tooLarge(animation.at(0).size, options.scale, WebpWriter::kLongestSide))
        return *std::move(refusal);
    WebpWriter writer(imageAt(animation, 0, theme, options).size());
    forEachPicture(animation, momentsOf(animation, options), theme, options,
                   [&](const QImage& image, int hundredths) { writer.add(image, hundredths); });
    return writer.finish();
}

Result<QByteArray> animatedPage(const Animation& animation, const Theme& theme, const AnimationOptions& options) {
    if (auto refusal = tooLarge(animation.at(0).size, options.scale)) return *std::move(refusal);
    const std::vector<AnimationMoment> moments = momentsOf(animation, options);
    const ColourPalette palette = paletteOf(animation, moments, theme, options);
    QByteArray frames, whole;
    QImage last;
    for (const AnimationMoment& moment : moments) {
        const QImage image = imageAt(animation, moment.t, theme, options);
        const QRect part = moment.stop || last.isNull() ? image.rect() : changedPart(last, image);
        if (!frames.isEmpty()) frames += ",\n";
        frames += "{d:" + QByteArray::number(moment.hundredths) + ",k:" + (moment.stop ? "1" : "0");
        if (!part.isEmpty()) {
            const QByteArray png = pngOf(palette.indexed(image.copy(part)));
            if (part == image.rect()) whole = png;
            frames += ",x:" + QByteArray::number(part.x()) + ",y:" + QByteArray::number(part.y()) + ",s:\"" + png + '"';
        }
        if (moment.stop && animation.caption) frames += ",c:" + quoted(animation.caption(moment.t));
        frames += '}';
        last = image;
    }
    const QString title = animation.title.toHtmlEscaped();
    QByteArray style(kStyle);
    style.replace("%GROUND%", theme.color(Tone::Stage).name().toLatin1());
    style.replace("%INK%", theme.color(Tone::Ink).name().toLatin1());
    style.replace("%WIDTH%", QByteArray::number(std::lround(animation.at(0).size.width())));
    const QByteArray count = QByteArray::number(moments.size() - 1);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
           title.toUtf8() + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<main>\n<h1 hidden>" +
           title.toUtf8() + "</h1>\n<canvas hidden role=\"img\" aria-label=\"" + title.toUtf8() + "\" width=\"" +
           QByteArray::number(last.width()) + "\" height=\"" + QByteArray::number(last.height()) +
           "\"></canvas>\n<noscript><img alt=\"" + title.toUtf8() + "\" src=\"data:image/png;base64," + whole +
           "\"></noscript>\n<nav aria-label=\"Transport\"><button data-act=\"back\">Back</button>"
           "<button data-act=\"play\">Play</button><button data-act=\"next\">Next</button>"
           "<input type=\"range\" aria-label=\"Time\" min=\"0\" max=\"" +
           count + "\" value=\"0\"></nav>\n<p aria-live=\"polite\"></p>\n</main>\n<script>\nconst frames = [\n" +
           frames + "];\n" + kScript + "</script>\n</body>\n</html>\n";
}

namespace {

/// "a%03d.png" cut into "a", 3 digits and ".png"; nothing for other names.
struct Numbered {
    QString before, after;
    int digits = 1;
};
std::optional<Numbered> numberedName(const QString& path) {
    static const QRegularExpression kPattern(QStringLiteral("^(.*)%(?:0([1-6]))?d(\\.png)$"),
                                             QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = kPattern.match(path);
    if (!match.hasMatch()) return std::nullopt;
    return Numbered{match.captured(1), match.captured(3), std::max(1, match.captured(2).toInt())};
}

bool endsWith(const QString& path, const char* ending) {
    return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

} // namespace

bool isMovingFile(const QString& path) {
    return endsWith(path, ".gif") || endsWith(path, ".webp") || endsWith(path, ".html") || numberedName(path);
}

std::optional<Refusal>
writeAnimation(const Animation& animation, const Theme& theme, const QString& path, const AnimationOptions& options,
               const std::function<std::optional<Refusal>(const QString& path, const QByteArray& bytes)>& write) {
    const std::optional<Numbered> numbered = numberedName(path);
    if (!numbered) {
        const auto bytes = endsWith(path, ".gif")    ? animatedGif(animation, theme, options)
                           : endsWith(path, ".webp") ? animatedWebp(animation, theme, options)
                                                     : animatedPage(animation, theme, options);
        if (!bytes) return bytes.refusal();
        return write(path, *bytes);
    }
    if (auto refusal = tooLarge(animation.at(0).size, options.scale)) return refusal;
    ExportOptions exported;
    exported.scale = options.scale;
    int number = 0;
    for (const AnimationMoment& moment : momentsOf(animation, options)) {
        const auto bytes = exportScene(animation.at(moment.t), theme, ExportFormat::Png, exported);
        if (!bytes) return bytes.refusal();
        const QString name = QString::number(number++).rightJustified(numbered->digits, QLatin1Char('0'));
        if (auto refusal = write(numbered->before + name + numbered->after, *bytes)) return refusal;
    }
    return std::nullopt;
}

} // namespace stridescope
