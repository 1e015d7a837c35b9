#pragma once
// A lesson as a class sees it: a question, what it is asked of, and the answers with the hands for each; the right one
// only when the teacher says so, then what the wrong ones mean, one after another.

#include "app/lessons/lesson_exercise.h"
#include "widgets/presenter/presented_page.h"
#include "widgets/stage/presented_room.h"

class QLabel;
class QScrollArea;
class QStackedWidget;

namespace stridescope {

class ExploreStage;
class LessonSketch;
class LessonsScreen;
class VoteBoard;

class LessonPage : public PresentedPage {
    Q_OBJECT

public:
    /// Follows `screen`, which outlives the page.
    explicit LessonPage(LessonsScreen* screen, QWidget* parent = nullptr);
    void setLook(const Theme& theme, qreal scale) override;
    /// The next step of the stop, then the next stop.
    bool goOn(int by) override;
    /// The next stop, whatever the class has seen of this one.
    bool skip(int by) override;
    int stages() const override;
    int stage() const override;
    QString stageName() const override;
    QString line() const override;
    QPainterPath spotlight() const override;

    /// Steps of the stop that is shown, and where the class is: of a question 0 asks, 1 reveals, the others tell what
    /// the wrong answers mean; of an explanation the words, then the picture; of a tensor to build the task, the hint.
    int steps() const;
    int step() const { return m_step; }
    bool isRevealed() const;
    /// "Reveal", "Next stop".
    QString nextStep() const;
    /// What is said at the lower edge.
    QString said() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void takeStop();
    void follow();
    void followTime();
    void fillText();
    /// Is the picture what was made before this stop's code?
    bool isOlder() const;
    /// All that is said at this stop, one after another.
    QStringList sayings() const;
    void dressAsk(qreal size);
    /// Room for what is said, before it is said, so that nothing moves then. Where letters leave too little of it the
    /// picture takes that of what the class knows by then: of the question, of the answers' hands.
    void fit();
    /// Which parts share the page, from above: what is at its top, picture and answers, what is said, the low line.
    struct Shares {
        enum class Top : quint8 { Asked, SmallAsked, Said, Nothing } top = Top::Asked;
        enum class Below : quint8 { Most, Said, Nothing } below = Below::Most; ///< room for the longest, or as it is
        bool board = true, low = true;
    };
    /// In the order in which they are tried, best first.
    std::vector<std::pair<Shares, PresentedForm>> choices(const ExploreStage& stage) const;
    /// Height that `shares` leaves to the picture; negative where the answers have no room.
    int pictureHeight(const Shares& shares);
    int pictureWidth(const Shares& shares) const;
    bool hasRoom(const Shares& shares, const ExploreStage& stage, PresentedForm worst);
    void take(const Shares& shares);
    /// What is said loses its last words until the picture has room. False: even so it has none.
    bool shorten(const ExploreStage& stage);
    /// Words and answers alone.
    void fitWords();
    int innerWidth() const;
    int innerHeight() const;
    int lowHeight() const;
    /// Height of a label for what it says, or of the longest that is said at this stop.
    int highestSaid(QLabel* label) const;
    QString asked() const;
    /// The choices that are wrong, in order.
    std::vector<int> wrongs() const;

    LessonsScreen* m_screen;
    LessonSketch* m_sketch;
    Theme m_theme{ThemeKind::Light, true};
    qreal m_scale = 1;
    int m_step = 0;
    bool m_pictureLeftOut = false; ///< before the answer; it comes then
    bool m_lowFits = true;         ///< the line with clock, hands and next step; the main window has all of them, too
    QLabel *m_ask, *m_text, *m_clock, *m_hands, *m_said, *m_next;
    QScrollArea* m_textRoom;
    QStackedWidget* m_left;
    ExploreStage *m_asked, *m_shown; ///< of the question; of the workspace
    VoteBoard* m_board;
};

} // namespace stridescope
