#pragma once
// PresentedPage: what a class sees of a screen. It shows the workspace as the screen does, in a scale, and asks for
// lines of code; the presenter's window stands round it.

#include "widgets/theme/theme.h"

#include <QPainterPath>
#include <QWidget>

namespace stridescope {

class PresentedPage : public QWidget {
    Q_OBJECT

public:
    explicit PresentedPage(QWidget* parent = nullptr);
    ~PresentedPage() override;

    /// `theme` is a presenter's; `scale` as presenterScale() gives it.
    virtual void setLook(const Theme& theme, qreal scale) = 0;
    /// Moves to the next stage, or back by one for -1. False where there are no stages: then the keys are the page's.
    virtual bool goOn(int by);
    /// The same for what stages make up, where there is such a thing: past the rest of a question.
    virtual bool skip(int by);
    /// How many stages there are and which one is shown, from 1; 0: none.
    virtual int stages() const;
    virtual int stage() const;
    /// What the presenter's bar says of it: "Stretch".
    virtual QString stageName() const;
    /// The line of code that the page is about; empty: none.
    virtual QString line() const;
    /// Whether the last act's line is shown where line() is empty: what the page shows is made by lines of the
    /// workspace.
    virtual bool followsLastLine() const { return true; }
    /// What is lit under the spotlight, in the page's pixels; empty: what is round the pointer.
    virtual QPainterPath spotlight() const;

Q_SIGNALS:
    void runRequested(const QString& code);
    /// Stage or spotlight are others now.
    void changed();
};

} // namespace stridescope
