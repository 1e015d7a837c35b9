#include "widgets/images/images_page.h"

#include "widgets/images/image_grid_view.h"
#include "widgets/images/pixel_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

ImagesPage::ImagesPage(ImageGridView* source, QWidget* parent, std::function<QString()> line)
    : PresentedPage(parent), m_line(std::move(line)), m_source(source), m_view(new ImageGridView(this)),
      m_words(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addWidget(m_words);
    m_words->setObjectName(QStringLiteral("presentedPixel"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setContentsMargins(12, 4, 12, 4);
    setFocusProxy(m_view);
    connect(source, &ImageGridView::pictureChanged, this, &ImagesPage::follow);
    connect(m_view, &ImageGridView::pixelPicked, this,
            [this](const ImageSheet::Pixel& pixel) { m_source->pick(pixel); });
    connect(source, &ImageGridView::pixelPicked, this, [this](const ImageSheet::Pixel& pixel) {
        m_view->pick(pixel);
        tellPixel();
    });
    connect(m_view, &ImageGridView::resized, this, &ImagesPage::frame);
    follow();
}

void ImagesPage::frame() {
    const ImageSheet& sheet = m_view->sheet();
    if (sheet.isEmpty() || sheet.imageHeight() <= 0) return;
    constexpr double kOfHeight = 0.3;
    const double zoom = kOfHeight * m_view->height() / static_cast<double>(sheet.imageHeight());
    if (zoom <= m_view->zoom()) return;
    m_view->zoomTo(zoom, {});
    if (m_view->picked()) m_view->reveal(m_view->picked()->image);
}

void ImagesPage::follow() {
    m_view->showAs(*m_source);
    tellPixel();
}

void ImagesPage::tellPixel() {
    const ImageSheet& sheet = m_view->sheet();
    const auto& picked = m_view->picked();
    if (sheet.isEmpty() || !picked) {
        m_words->setText(tr("No tensor of the workspace is images."));
        m_words->setVisible(sheet.isEmpty());
        Q_EMIT changed();
        return;
    }
    QStringList values;
    const Index channels = std::min<Index>(sheet.channels(), 3);
    for (Index c = 0; c < channels; ++c)
        values << QStringLiteral("%1 %2").arg(channelLetter(c, sheet.channels(), m_view->look().single),
                                              QString::number(sheet.value(*picked, c), 'g', 4));
    m_words->setText(tr("image %1 of %2 · row %3 · column %4 · %5")
                         .arg(picked->image)
                         .arg(sheet.count())
                         .arg(picked->y)
                         .arg(picked->x)
                         .arg(values.join(QStringLiteral("  "))));
    m_words->show();
    Q_EMIT changed();
}

void ImagesPage::setLook(const Theme& theme, qreal scale) {
    m_view->setTheme(theme);
    m_view->setScale(scale);
    m_words->setContentsMargins(qRound(20 * scale), qRound(3 * scale), qRound(20 * scale), qRound(3 * scale));
}

bool ImagesPage::goOn(int by) {
    const ImageSheet& sheet = m_view->sheet();
    if (sheet.isEmpty()) return true;
    ImageSheet::Pixel pixel =
        m_view->picked().value_or(ImageSheet::Pixel{0, sheet.imageHeight() / 2, sheet.imageWidth() / 2});
    pixel.image = std::clamp<Index>(pixel.image + by, 0, sheet.count() - 1);
    m_source->pick(pixel);
    m_view->reveal(pixel.image);
    return true;
}

} // namespace stridescope
