// Line icons in the colours of the theme.

#include "widgets/theme/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace stridescope {

namespace {

/// Draws the SVG at whatever size is asked for, so that 2x and 3x screens get sharp lines.
class LineIconEngine : public QIconEngine {
public:
    LineIconEngine(QByteArray svg, QColor normal, QColor disabled)
        : m_svg(std::move(svg)), m_normal(std::move(normal)), m_disabled(std::move(disabled)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        QByteArray tinted = m_svg;
        tinted.replace("#000", (mode == QIcon::Disabled ? m_disabled : m_normal).name().toLatin1());
        QSvgRenderer renderer(tinted);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap map(size);
        map.fill(Qt::transparent);
        QPainter painter(&map);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return map;
    }
    QIconEngine* clone() const override { return new LineIconEngine(*this); }
    QString key() const override { return QStringLiteral("stridescope-line-icon"); }

private:
    QByteArray m_svg;
    QColor m_normal, m_disabled;
};

} // namespace

QIcon Theme::icon(const QString& name, Tone tone) const {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new LineIconEngine(file.readAll(), color(tone), color(Tone::Control)));
}

} // namespace stridescope
