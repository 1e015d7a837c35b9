#pragma once
// What to do at a first start: three cards over the picture, until they are closed.

#include <QFrame>

namespace stridescope {

class FirstRunBar : public QFrame {
    Q_OBJECT

public:
    explicit FirstRunBar(QWidget* parent = nullptr);

Q_SIGNALS:
    void openRequested();
    void makeRequested();
    void typeRequested();
    void dismissed();

private:
    QWidget* card(const QString& name, const QString& text, const QString& what, void (FirstRunBar::*signal)());
};

} // namespace stridescope
