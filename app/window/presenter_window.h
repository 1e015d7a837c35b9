#pragma once
// PresenterWindow: one page, full screen, in letters that the last row reads. The main window stays as it is behind it
// or on another screen: nothing of its layout is touched.

#include "widgets/presenter/presented_page.h"
#include "widgets/presenter/presenter_overlay.h"
#include "widgets/presenter/room_size.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QScreen;

namespace stridescope {

class PresenterBar;
class PromptField;

class PresenterWindow : public QWidget {
    Q_OBJECT

public:
    explicit PresenterWindow(QWidget* parent);
    ~PresenterWindow() override;

    /// Takes `page` over and deletes the one before.
    void setPage(PresentedPage* page);
    PresentedPage* page() const { return m_page; }
    void setRoom(RoomSize room);
    RoomSize room() const { return m_room; }
    void setDark(bool dark);
    bool isDark() const { return m_theme.kind() == ThemeKind::Dark; }
    const Theme& theme() const { return m_theme; }
    qreal scale() const { return m_scale; }
    void showOn(QScreen* screen);
    /// The line of the last act: the bar shows it, unless the page has a line of its own.
    void setLastLine(const QString& line);
    /// Over the lower edge of the page until the next act: what was refused, what was printed.
    void tell(const QString& headline, const QString& details = {});
    void clearMessage();
    QString message() const;
    PresenterBar* bar() const { return m_bar; }
    PresenterOverlay* overlay() const { return m_overlay; }
    /// In the place of the bar while a line is typed.
    PromptField* prompt() const { return m_prompt; }
    void openPrompt();

Q_SIGNALS:
    void lineEntered(const QString& line);
    void runRequested(const QString& code);
    void roomChanged(stridescope::RoomSize room);
    void left(); ///< Esc, or closed by the desktop

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyLook();
    void followPage();
    void placeMessage();
    void closePrompt();
    void leave();
    bool typing() const;
    /// Shows the key that is pressed and the command that it is for.
    void showKey(const QKeyEvent& event);
    /// True: the key was one of the presenter's own.
    bool takesKey(const QKeyEvent& event);

    Theme m_theme{ThemeKind::Light, true};
    RoomSize m_room = RoomSize::Lecture;
    qreal m_scale = 1;
    QString m_lastLine;
    QPointer<PresentedPage> m_page;
    PresenterBar* m_bar;
    PromptField* m_prompt;
    QLabel* m_message;
    PresenterOverlay* m_overlay;
};

} // namespace stridescope
