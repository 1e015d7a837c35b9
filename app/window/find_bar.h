#pragma once
// FindBar: a row below an editor that finds text in it. Enter goes on, Shift+Enter back, Escape closes.

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace stridescope {

class FindBar : public QWidget {
    Q_OBJECT

public:
    explicit FindBar(QPlainTextEdit* edit, QWidget* parent = nullptr);
    /// Shows the bar with what is selected, ready to be typed over.
    void open();
    QLineEdit* field() const { return m_field; }

public Q_SLOTS:
    void next();
    void previous();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// The next match from `position` on, or before it; round the end of the text.
    void find(int position, bool backward);
    void close();

    QPlainTextEdit* m_edit;
    QLineEdit* m_field;
    QLabel* m_count;
    int m_from = 0; ///< where what is typed is looked for
};

} // namespace stridescope
