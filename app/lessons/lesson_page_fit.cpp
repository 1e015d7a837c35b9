// How the words, the answers and the picture of a lesson's page share it. Letters have the room's size whatever
// happens; what gives way is the place of things, then things that the class knows.

#include "app/lessons/lesson_page.h"
#include "app/lessons/lesson_sketch.h"
#include "app/lessons/lessons_screen.h"
#include "widgets/lessons/vote_board.h"
#include "widgets/stage/explore_stage.h"

#include <QBoxLayout>
#include <QLabel>
#include <QStackedWidget>

namespace stridescope {

namespace {

/// In pixels of a scene. What takes the question's place is longer than questions are.
constexpr qreal kAsk = 15, kLowAsk = 12.5;
/// Of the width, picture and answers.
constexpr int kPictureShare = 13, kBoardShare = 9;

} // namespace

int LessonPage::innerWidth() const {
    const QMargins margins = layout()->contentsMargins();
    return width() - margins.left() - margins.right();
}

int LessonPage::innerHeight() const {
    const QMargins margins = layout()->contentsMargins();
    return height() - margins.top() - margins.bottom();
}

int LessonPage::lowHeight() const {
    return std::max({m_next->sizeHint().height(), m_clock->sizeHint().height(), m_hands->sizeHint().height()});
}

QString LessonPage::asked() const {
    const auto& exercise = m_screen->exercise();
    return exercise->isQuestion() || exercise->target ? exercise->ask : exercise->heading;
}

int LessonPage::highestSaid(QLabel* label) const {
    int most = 0;
    const QString now = label->text();
    for (const QString& each : sayings()) {
        label->setText(each);
        if (!each.isEmpty()) most = std::max(most, label->heightForWidth(innerWidth()));
    }
    label->setText(now);
    return most;
}

std::vector<std::pair<LessonPage::Shares, PresentedForm>> LessonPage::choices(const ExploreStage& stage) const {
    using Top = Shares::Top;
    using Below = Shares::Below;
    using Form = PresentedForm;
    const bool board = !m_board->isHidden();
    std::vector<std::pair<Shares, Form>> all;
    const auto add = [&](const std::vector<Shares>& some, std::initializer_list<Form> worst) {
        for (const Form form : worst)
            for (const Shares& shares : some) all.push_back({shares, form});
    };
    if (&stage == m_shown) {
        add({{Top::Asked, Below::Most, board, true},
             {Top::Asked, Below::Said, board, true},
             {Top::Asked, Below::Said, board, false}},
            {Form::Whole});
        // A heading says less than a picture does; what is to be built has to be known.
        const bool task = m_screen->exercise()->target.has_value();
        std::vector<Shares> low{{Top::Asked, Below::Said, board, false}, {Top::SmallAsked, Below::Said, board, false}};
        if (!task || !m_said->text().isEmpty())
            low.push_back({m_said->text().isEmpty() ? Top::Nothing : Top::Said, Below::Nothing, board, false});
        add(low, {Form::Whole, Form::Low, Form::Least});
        return all;
    }
    if (!isRevealed()) {
        add({{Top::Asked, Below::Most, board, true},
             {Top::Asked, Below::Nothing, board, true},
             {Top::Asked, Below::Nothing, board, false},
             {Top::SmallAsked, Below::Nothing, board, false}},
            {Form::Whole, Form::Low, Form::Least});
        return all;
    }
    const std::vector<Shares> beside{{Top::Asked, Below::Most, board, true},
                                     {Top::Said, Below::Nothing, board, true},
                                     {Top::Said, Below::Nothing, board, false}};
    add(beside, {Form::Whole, Form::Low});
    // What a wrong answer means is told of a row of the answers.
    if (board && m_step == 1) {
        const std::vector<Shares> alone{{Top::Said, Below::Nothing, false, true},
                                        {Top::Said, Below::Nothing, false, false}};
        add(alone, {Form::Whole, Form::Low});
        add({beside.back()}, {Form::Least});
        add({alone.back()}, {Form::Least});
    } else {
        add({beside.back()}, {Form::Least});
    }
    return all;
}

int LessonPage::pictureWidth(const Shares& shares) const {
    if (!shares.board) return innerWidth();
    const int wide = innerWidth() - static_cast<QBoxLayout*>(layout())->itemAt(1)->layout()->spacing();
    const int board = std::max(wide * kBoardShare / (kPictureShare + kBoardShare), m_board->minimumSizeHint().width());
    return std::max(0, wide - board);
}

int LessonPage::pictureHeight(const Shares& shares) {
    const int wide = innerWidth(), gap = layout()->spacing();
    int left = innerHeight();
    if (shares.top != Shares::Top::Nothing) {
        const bool said = shares.top == Shares::Top::Said;
        dressAsk(shares.top == Shares::Top::Asked ? kAsk : kLowAsk);
        m_ask->ensurePolished();
        m_ask->setText(said ? m_said->text() : asked());
        left -= m_ask->heightForWidth(wide) + gap;
    }
    if (shares.below != Shares::Below::Nothing) {
        const int said = shares.below == Shares::Below::Most ? highestSaid(m_said)
                         : m_said->text().isEmpty()          ? 0
                                                             : m_said->heightForWidth(wide);
        if (said > 0) left -= said + gap;
    }
    if (shares.low) left -= lowHeight() + gap;
    if (!shares.board) return left;
    const int board =
        innerWidth() - pictureWidth(shares) - static_cast<QBoxLayout*>(layout())->itemAt(1)->layout()->spacing();
    return m_board->heightForWidth(board) <= left ? left : -1;
}

bool LessonPage::hasRoom(const Shares& shares, const ExploreStage& stage, PresentedForm worst) {
    const int height = pictureHeight(shares);
    if (height <= 0) return false;
    ExploreState state = stage.state();
    // Labels may get a pixel more than they say.
    state.viewport = QSizeF(pictureWidth(shares), height - 2) / m_scale;
    return presentedForm(state) <= worst;
}

void LessonPage::take(const Shares& shares) {
    static_cast<void>(pictureHeight(shares)); // dresses what is at the top
    m_ask->setVisible(shares.top != Shares::Top::Nothing);
    m_board->setVisible(shares.board);
    m_left->show();
    // The layout would give long answers one line, and the picture what that leaves.
    if (shares.board)
        m_board->setFixedWidth(innerWidth() - pictureWidth(shares) -
                               static_cast<QBoxLayout*>(layout())->itemAt(1)->layout()->spacing());
    const int said = shares.below == Shares::Below::Most   ? highestSaid(m_said)
                     : shares.below == Shares::Below::Said ? m_said->heightForWidth(innerWidth())
                                                           : 0;
    const bool isSaid = said > 0 && (shares.below == Shares::Below::Most || !m_said->text().isEmpty());
    if (isSaid) m_said->setFixedHeight(said);
    m_said->setVisible(isSaid);
    m_lowFits = shares.low;
}

bool LessonPage::shorten(const ExploreStage& stage) {
    const Shares shares{Shares::Top::Said, Shares::Below::Nothing, false, false};
    const QString whole = m_said->text();
    QString words = whole;
    int height = -1;
    for (qsizetype end = words.lastIndexOf(QLatin1Char(' ')); end > 0; end = words.lastIndexOf(QLatin1Char(' '))) {
        words.truncate(end);
        m_said->setText(words + QStringLiteral(" …"));
        const int now = pictureHeight(shares);
        if (now == height) continue; // no line less
        height = now;
        if (!hasRoom(shares, stage, PresentedForm::Least)) continue;
        take(shares);
        m_said->setText(whole);
        return true;
    }
    m_said->setText(whole);
    return false;
}

void LessonPage::fit() {
    if (innerWidth() <= 0 || !m_screen->exercise() || m_ask->text().isEmpty()) return;
    m_ask->show();
    m_board->setCompact(false);
    const auto* stage = qobject_cast<const ExploreStage*>(m_left->currentWidget());
    if (!stage) return fitWords();
    for (const bool compact : {false, true}) {
        if (compact && m_board->isHidden()) break;
        m_board->setCompact(compact);
        for (const auto& [shares, worst] : choices(*stage)) {
            if (hasRoom(shares, *stage, worst)) return take(shares);
        }
    }
    if (isRevealed() && (m_step == 1 || m_board->isHidden()) && shorten(*stage)) return;
    if (m_board->isHidden()) return take(choices(*stage).back().first);
    m_pictureLeftOut = !isRevealed();
    fitWords();
}

void LessonPage::fitWords() {
    const int gap = layout()->spacing(), wide = innerWidth();
    const bool board = !m_board->isHidden();
    m_board->setMinimumWidth(0);
    m_board->setMaximumWidth(QWIDGETSIZE_MAX);
    const int all = innerHeight() - lowHeight() - 3 * gap;
    m_board->setCompact(false);
    const int boardHigh = board ? m_board->heightForWidth(wide) : 0;
    dressAsk(kAsk);
    m_ask->setText(asked());
    m_ask->ensurePolished();
    const int said = highestSaid(m_said);
    m_said->setFixedHeight(said);
    // Without a picture the answers have all the width; the code is in the bar.
    m_left->setVisible(!board);
    const bool tight = m_ask->heightForWidth(wide) + said + boardHigh > all;
    m_said->setVisible(said > 0 && !tight);
    m_lowFits = true;
    if (!tight) return;
    // In a hall few letters fit: then what is said takes the place of the question, which everybody knows by then.
    dressAsk(kLowAsk);
    m_ask->ensurePolished();
    m_board->setCompact(true);
    const int question = std::max(m_ask->heightForWidth(wide), highestSaid(m_ask));
    m_lowFits = question + (board ? m_board->heightForWidth(wide) : 0) <= all + gap; // one gap less: nothing is below
    if (!m_said->text().isEmpty()) m_ask->setText(m_said->text());
}

} // namespace stridescope
