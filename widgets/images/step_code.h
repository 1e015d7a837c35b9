#pragma once
// StepCode: the code of a step. While nobody types, what is too long for one line is broken before its calls.

#include <QLineEdit>

namespace stridescope {

/// `code` in lines of at most `width` pixels: broken before a call where that is enough, else at commas, else anywhere.
QStringList wrappedCode(const QString& code, const QFontMetrics& metrics, int width);

class StepCode : public QLineEdit {
    Q_OBJECT

public:
    explicit StepCode(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// As it is drawn now.
    QStringList drawnLines() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void follow();
    QRect textArea() const;

    int m_lines = 1; ///< that there is room for
};

} // namespace stridescope
