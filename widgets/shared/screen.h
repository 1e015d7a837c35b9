#pragma once
// Screen: one of the window's pages beside Explore. It shows the workspace in its own way and asks for lines of code,
// as every widget does; the window carries them out.

#include "widgets/scene/animation.h"
#include "widgets/scene/scene.h"
#include "widgets/shared/zoom.h"

#include <QJsonObject>
#include <QRect>
#include <QWidget>

#include <optional>

namespace stridescope {

class PresentedPage;

class Screen : public QWidget {
    Q_OBJECT

public:
    explicit Screen(QWidget* parent = nullptr);
    ~Screen() override;
    virtual void setTheme(const Theme& theme) = 0;
    virtual void setReducedMotion(bool on);
    /// What "Export picture" and "Copy picture" take; nothing when there is nothing to be taken.
    virtual std::optional<Scene> picture() const;
    /// The same as something that moves, for "Export picture"; nothing where it stands still.
    virtual std::optional<Animation> animation() const;
    /// Whether there is one, without making it where that takes long.
    virtual bool hasPicture() const;

    /// Whether the picture can be zoomed, now; and what the zoom commands do while this screen is on top.
    virtual bool canZoom() const;
    virtual void zoom(Zoom step);

    /// Changes that are this screen's own, which Undo takes back before those of the workspace while it is on top: what
    /// the next one is called. Empty: there is none.
    virtual QString undoTitle() const;
    virtual QString redoTitle() const;
    virtual void undo();
    virtual void redo();

    /// What a class sees of it; the caller owns it, and this screen outlives it. Null: it cannot be presented.
    virtual PresentedPage* presentedPage(QWidget* parent);

    /// Where a message of the window lies over it without moving it or hiding what the message is about; null: the
    /// window makes room above the screen.
    virtual QRect messagePlace() const;

    /// The dtype of what it shows, for the status bar: empty where that has none, nothing where the selected tensor's
    /// is meant.
    virtual std::optional<QString> shownDType() const;

    /// What is chosen on it, remembered between two starts, and back; values that mean nothing are passed over.
    virtual QJsonObject kept() const;
    virtual void keep(const QJsonObject& values);

Q_SIGNALS:
    void runRequested(const QString& code);    ///< a line for the workspace; what it makes gets the next free letter
    void pythonRequested(const QString& code); ///< lines that Python alone can carry out
    /// Lines that are one step of the history, called `title`, after which the tensors of these names are on stage and
    /// no others.
    void runTogether(const QString& code, const QString& title, const QStringList& alone);
    void lineTold(const QString& command); ///< an act that is a command line, no line of Python: for the console
    void keptChanged();                    ///< what kept() gives is worth to be written now
    void messagePlaceChanged();            ///< messagePlace() is another one
    void statusTextChanged(const QString& text);
    void messagesRead(); ///< what the window tells is about something that is no more in sight
    void shownDTypeChanged();
    void historyChanged();                      ///< undoTitle() or redoTitle() is another one
    void filesWanted(const QStringList& paths); ///< to be opened; without paths: those that the user is asked for
};

} // namespace stridescope
