#pragma once
// ElidedLabel: one line of words in whatever room there is. What is cut ends in dots and is whole in the tool tip.

#include <QLabel>

namespace stridescope {

class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    /// The text as it is seen now.
    QString shownText() const;
    QSize sizeHint() const override { return minimumSizeHint(); }
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace stridescope
