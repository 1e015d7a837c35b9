#include "widgets/images/images_accessible.h"

#include "widgets/images/image_grid_view.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/scene/painted_text.h"
#include "widgets/shared/picture_accessible.h"

#include <QAccessible>

#include <algorithm>

namespace stridescope {

namespace {

constexpr Index kMostTold = 8; ///< channels of a pixel that are told one by one

QString classOf(const ImageGridView& view, Index image) {
    const QString label = view.labelOf(image);
    return label.isEmpty() ? QString() : PaintedText::tr(", class %1").arg(label);
}

} // namespace

QString imageCellName(const ImageGridView& view, int row, int column) {
    const auto image = view.sheet().imageAt(row, column);
    if (!image) return PaintedText::tr("no image");
    return PaintedText::tr("image %1%2, row %3, column %4")
        .arg(QString::number(*image), classOf(view, *image), QString::number(row), QString::number(column));
}

QString pixelCellName(const ImageGridView& view, int row, int column) {
    const ImageSheet& sheet = view.sheet();
    if (!view.picked()) return {};
    const ImageSheet::Pixel pixel{view.picked()->image, row, column};
    QStringList words{PaintedText::tr("image %1 row %2 column %3").arg(pixel.image).arg(row).arg(column)};
    for (Index c = 0; c < std::min(sheet.channels(), kMostTold); ++c) {
        const QString number = QString::number(sheet.value(pixel, c), 'g', 6);
        words << PaintedText::tr("%1 %2 storage index %3")
                     .arg(sheet.channels() == 1 && view.look().single < 0
                              ? PaintedText::tr("value")
                              : channelLetter(c, sheet.channels(), view.look().single),
                          number)
                     .arg(sheet.slot(pixel, c));
        if (sheet.isDifference())
            words.last() += PaintedText::tr(", differs by %1").arg(QString::number(sheet.drawn(pixel, c), 'g', 6));
    }
    if (sheet.channels() > kMostTold) words << PaintedText::tr("%1 more channels").arg(sheet.channels() - kMostTold);
    return words.join(QStringLiteral(", "));
}

namespace {

class TellingImages : public TellingPicture {
public:
    explicit TellingImages(ImageGridView* view) : m_view(view) {}
    quint64 revision() const override { return m_view->revision(); }
    QString title() const override { return m_view->accessibleName(); }
    QString caption() const override {
        if (sheet().isEmpty()) return {};
        return PaintedText::tr("%1 images of %2 × %3 pixels, %4 channels, %5 rows of %6")
            .arg(sheet().count())
            .arg(sheet().imageHeight())
            .arg(sheet().imageWidth())
            .arg(sheet().channels())
            .arg(sheet().down())
            .arg(sheet().across());
    }
    std::vector<PicturePart> parts() const override {
        if (sheet().isEmpty()) return {};
        std::vector<PicturePart> parts{{PicturePart::Kind::Table, caption(), m_view->rect(), kImages}};
        const auto& picked = m_view->picked();
        if (!picked) return parts;
        const QRectF image = m_view->onScreen(sheet().imageRect(picked->image)), seen = image & m_view->rect();
        parts.push_back(
            {PicturePart::Kind::Table,
             PaintedText::tr("Pixels of image %1%2").arg(picked->image).arg(classOf(*m_view, picked->image)),
             seen.isEmpty() ? image : seen, kPixels});
        return parts;
    }
    void press(int) override {}

    Index rows(int table) const override { return table == kImages ? sheet().down() : sheet().imageHeight(); }
    Index columns(int table) const override { return table == kImages ? sheet().across() : sheet().imageWidth(); }
    QString cellName(int table, Cell cell) const override {
        return table == kImages ? imageCellName(*m_view, cell.row, cell.column)
                                : pixelCellName(*m_view, cell.row, cell.column);
    }
    QRectF cellRect(int table, Cell cell) const override {
        const auto place = placeOf(table, cell);
        if (!place) return {};
        const QRectF rect = m_view->onScreen(*place);
        return rect.intersects(m_view->rect()) ? rect : QRectF();
    }
    std::optional<Cell> cellAt(int table, QPointF at) const override {
        const auto pixel = m_view->pixelUnder(at);
        if (!pixel) return std::nullopt;
        if (table == kImages) return imageCell(pixel->image);
        if (!m_view->picked() || pixel->image != m_view->picked()->image) return std::nullopt;
        return pixelCell(*pixel);
    }
    std::vector<Cell> picked(int table) const override {
        const auto& picked = m_view->picked();
        if (!picked) return {};
        return {table == kImages ? imageCell(picked->image) : pixelCell(*picked)};
    }
    void pick(int table, Cell cell) override {
        if (table == kImages) {
            if (const auto image = sheet().imageAt(cell.row, cell.column)) m_view->pickImage(*image);
        } else if (m_view->picked()) {
            const Index image = m_view->picked()->image;
            m_view->pick({image, cell.row, cell.column});
            m_view->reveal(image);
        }
    }
    std::optional<std::pair<int, Cell>> keyCell() const override {
        const auto& picked = m_view->picked();
        if (!picked || sheet().isEmpty()) return std::nullopt;
        return m_view->movesByImages() ? std::pair(int{kImages}, imageCell(picked->image))
                                       : std::pair(int{kPixels}, pixelCell(*picked));
    }

private:
    enum { kImages, kPixels };
    const ImageSheet& sheet() const { return m_view->sheet(); }
    Cell imageCell(Index image) const {
        const Index position = sheet().positionOf(image);
        return {static_cast<int>(position / sheet().across()), static_cast<int>(position % sheet().across())};
    }
    static Cell pixelCell(const ImageSheet::Pixel& pixel) {
        return {static_cast<int>(pixel.y), static_cast<int>(pixel.x)};
    }
    std::optional<QRectF> placeOf(int table, Cell cell) const {
        if (table == kImages) {
            const auto image = sheet().imageAt(cell.row, cell.column);
            return image ? std::optional<QRectF>(sheet().imageRect(*image)) : std::nullopt;
        }
        if (!m_view->picked()) return std::nullopt;
        return QRectF(sheet().placeOf({m_view->picked()->image, cell.row, cell.column}), QSizeF(1, 1));
    }

    ImageGridView* m_view;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<ImageGridView*>(object);
    return view ? makePictureAccessible(view, std::make_unique<TellingImages>(view)) : nullptr;
}

} // namespace

void installImagesAccessibility() {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
}

} // namespace stridescope
