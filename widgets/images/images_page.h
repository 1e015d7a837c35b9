#pragma once
// The Images screen as it is presented: the grid alone, and the picked pixel in a line of words.

#include "widgets/presenter/presented_page.h"

#include <functional>

class QLabel;

namespace stridescope {

class ImageGridView;

class ImagesPage : public PresentedPage {
    Q_OBJECT

public:
    /// Follows `source`, which outlives the page. `line`: the code that makes what is seen.
    explicit ImagesPage(ImageGridView* source, QWidget* parent = nullptr, std::function<QString()> line = {});
    QString line() const override { return m_line ? m_line() : QString(); }
    bool followsLastLine() const override { return false; }
    void setLook(const Theme& theme, qreal scale) override;
    /// Picks the next image, or the one before.
    bool goOn(int by) override;

private:
    void follow();
    void tellPixel();
    /// Images large enough for their labels, the picked one in sight.
    void frame();

    std::function<QString()> m_line;
    ImageGridView* m_source;
    ImageGridView* m_view;
    QLabel* m_words;
};

} // namespace stridescope
