#pragma once
// LessonPane: one stop of a lesson beside the picture: what to read, code that runs by a click, a question that is
// answered before it is shown, or a tensor to be built. Knows words only; whoever owns it judges and runs.

#include <QPointer>
#include <QStringList>
#include <QWidget>

#include <vector>

class QBoxLayout;
class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace stridescope {

class CodeLabel;

/// What a stop shows. Nothing in it tells the answer.
struct LessonPaneStop {
    QString lesson, heading;
    QStringList text, code;
    bool python = false; ///< the code is for Python, and is copied instead of run
    QString ask;
    QStringList choices;                              ///< empty: an answer is typed, where `asks`
    bool asks = false, builds = false, drawn = false; ///< drawn: "Other numbers" makes sense
    QString place;                                    ///< what an answer looks like, or a line that builds
};

class LessonPane : public QWidget {
    Q_OBJECT

public:
    explicit LessonPane(QWidget* parent = nullptr);
    void showStop(const LessonPaneStop& stop);
    /// In place of the stop's lines of code.
    void showCode(const QStringList& code);
    /// The dots at the top: where one is, and which stops are done.
    void showPlace(int stop, const std::vector<bool>& done);
    /// What was said to an answer or a tensor. After a right one, or the last word, the answer can be seen.
    void tell(bool right, const QString& reply, bool settled);
    /// What was said is no more to the point.
    void clearVerdict();
    /// The answer of these words is marked: as the right one, or as one that was given and is wrong.
    void mark(const QString& choice, bool right);
    /// What an answer was not read as.
    void askAgain(const QString& words);
    /// A stop that could not be begun: the reason.
    void refuse(const QString& reason);
    /// The keyboard goes to what comes next: the first answer, the field, the code, or the way on.
    void focusFirst();
    /// The code was carried out: the keyboard goes on to what is to be done with it.
    void focusAfterCode();
    bool isSettled() const { return m_settled; }
    /// Shown to who writes it: nothing of it runs, and it leads nowhere.
    void setPreview();
    /// Under everything else: what is for the teacher alone. The pane takes it over.
    void setFoot(QWidget* foot);
    QLineEdit* field() const { return m_field; }

Q_SIGNALS:
    void listRequested();
    void stopRequested(int stop); ///< from 0; the number after the last: the end of the lesson
    void codeRequested();
    void copyRequested();
    void linkRequested(); ///< to this stop
    void answered(const QString& said);
    void revealRequested();
    void lineEntered(const QString& line); ///< that shall build the tensor
    void checkRequested();                 ///< of what was built
    void hintRequested();
    void drawRequested(); ///< the same with other numbers

protected:
    void keyPressEvent(QKeyEvent* event) override;
    /// Who comes back finds the keyboard where it was left.
    void focusInEvent(QFocusEvent* event) override;

private:
    QLabel* addText(QVBoxLayout* column, const QString& name, bool quiet = false);
    void settle();
    void goTo(QWidget* place);
    void fillTexts(const QStringList& texts);
    void fillChoices(const QStringList& choices);

    LessonPaneStop m_stop;
    int m_place = 0;
    bool m_settled = false, m_preview = false;
    QLabel *m_lesson, *m_heading, *m_ask, *m_verdict, *m_verdictSign;
    QWidget* m_dots;
    QVBoxLayout *m_texts, *m_codeLines, *m_choices, *m_foot;
    QFrame *m_code, *m_verdictBox;
    QPushButton *m_list, *m_link, *m_run, *m_copy, *m_check, *m_reveal, *m_hint, *m_draw, *m_next, *m_previous;
    QLineEdit* m_field;
    QPointer<QWidget> m_goesOn; ///< what comes next, for the keyboard
    std::vector<QPushButton*> m_choiceButtons;
    QStringList m_choiceTexts;
};

} // namespace stridescope
