#include "widgets/lessons/vote_board.h"

#include "widgets/lessons/class_vote.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// In pixels of a scene.
constexpr qreal kRound = 3, kLine = 1.2, kBold = 2.4, kGap = 5, kPadding = 3, kBar = 3;

} // namespace

/// One answer: its key, its words, its hands as a number and as a bar behind them all.
class VoteBoard::Row : public QWidget {
public:
    Row(int number, const QString& text, VoteBoard* board) : QWidget(board), m_board(board), m_choice(number - 1) {
        m_key = new QLabel(QString::number(number), this);
        m_key->setAlignment(Qt::AlignCenter);
        m_answer = new QLabel(text, this);
        m_answer->setTextFormat(Qt::PlainText); // a lesson is somebody's file
        m_answer->setWordWrap(true);
        m_answer->setObjectName(QStringLiteral("voteAnswer%1").arg(number));
        m_count = new QLabel(this);
        m_count->setAlignment(Qt::AlignCenter);
        m_count->setObjectName(QStringLiteral("voteCount%1").arg(number));
        m_less = step(QStringLiteral("−"), QStringLiteral("voteLess%1").arg(number), -1,
                      VoteBoard::tr("One hand less for answer %1").arg(number));
        m_more = step(QStringLiteral("+"), QStringLiteral("voteMore%1").arg(number), 1,
                      VoteBoard::tr("One hand more for answer %1").arg(number));
        m_row = new QHBoxLayout(this);
        m_row->addWidget(m_key);
        m_row->addWidget(m_answer, 1);
        m_row->addWidget(m_less);
        m_row->addWidget(m_count);
        m_row->addWidget(m_more);
    }

    void setLook(const Theme& theme, qreal scale, bool compact) {
        const auto px = [scale](qreal length) { return static_cast<int>(std::ceil(length * scale)); };
        const qreal air = compact ? 1.5 : kPadding;
        m_row->setContentsMargins(px(air + 2), px(air), px(air), px(air + kBar));
        m_row->setSpacing(px(kGap));
        const QFont words = Theme::monoFont(px(14), QFont::Medium), number = Theme::monoFont(px(13), QFont::DemiBold);
        const QString ink = theme.color(Tone::Ink).name();
        const auto dress = [&](QWidget* widget, const QFont& font, const QString& more = {}) {
            widget->setStyleSheet(QStringLiteral("font-family: \"%1\"; font-size: %2px; font-weight: %3; color: %4; %5")
                                      .arg(font.family())
                                      .arg(font.pixelSize())
                                      .arg(static_cast<int>(font.weight()))
                                      .arg(ink, more));
            widget->ensurePolished(); // rows are measured before they are shown
        };
        const QString box = QStringLiteral("border: %1px solid %2; border-radius: %3px; background: %4; padding: 0;")
                                .arg(px(kLine))
                                .arg(ink)
                                .arg(px(kRound))
                                .arg(theme.color(Tone::Stage).name());
        dress(m_key, number, box);
        dress(m_answer, words);
        dress(m_count, number);
        for (QPushButton* button : {m_less, m_more}) {
            dress(button, number, box + QStringLiteral("min-height: 0; min-width: 0;"));
            button->setFixedSize(px(compact ? 17 : 20), px(compact ? 17 : 20));
        }
        // Of the letters, rounded up: the hint of a label that has a size already is that of the room before.
        const int letters = static_cast<int>(std::ceil(QFontMetricsF(number).lineSpacing())) + 1;
        const int side = std::max(px(compact ? 17 : 20), letters + 2 * px(kLine));
        m_key->setFixedSize(side, side);
        m_count->setFixedWidth(px(27));
        m_row->invalidate();
        updateGeometry();
        update();
    }

    void follow(const ClassVote& vote, int right, int told) {
        const int hands = vote.hands(m_choice), all = vote.allHands();
        m_share = all > 0 ? static_cast<qreal>(hands) / all : 0;
        m_chosen = vote.chosen() == m_choice && right < 0;
        m_right = right == m_choice;
        m_told = told == m_choice;
        m_count->setText(QString::number(hands));
        m_key->setText(m_right ? QStringLiteral("✓") : m_told ? QStringLiteral("✗") : QString::number(m_choice + 1));
        QStringList words{VoteBoard::tr("Answer %1: %2").arg(m_choice + 1).arg(m_answer->text()),
                          VoteBoard::tr("hands: %1").arg(hands)};
        if (m_right) words << VoteBoard::tr("right");
        if (m_told) words << VoteBoard::tr("wrong");
        setAccessibleName(words.join(QStringLiteral(", ")));
        setToolTip(accessibleName());
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = m_board->m_theme;
        const qreal scale = m_board->m_scale;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const bool bold = m_chosen || m_right || m_told;
        const qreal line = (bold ? kBold : kLine) * scale;
        const QRectF frame = QRectF(rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2);
        const Tone ground = m_right ? Tone::RightTint : m_told ? Tone::ErrorTint : Tone::Stage;
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ground));
        painter.drawRoundedRect(frame, kRound * scale, kRound * scale);
        // The hands as a bar along the lower edge: it is compared with those of the other answers.
        if (m_share > 0) {
            const qreal high = kBar * scale;
            painter.setBrush(theme.color(Tone::Ink));
            painter.drawRect(QRectF(frame.left() + line, frame.bottom() - high - line / 2,
                                    (frame.width() - 2 * line) * m_share, high));
        }
        const Tone edge = m_right ? Tone::Right : m_told ? Tone::Error : m_chosen ? Tone::Ink : Tone::Control;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color(edge), line));
        painter.drawRoundedRect(frame, kRound * scale, kRound * scale);
    }
    void mousePressEvent(QMouseEvent*) override { m_board->m_vote->choose(m_choice); }

private:
    QPushButton* step(const QString& text, const QString& name, int by, const QString& words) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setAccessibleName(words);
        button->setToolTip(words);
        button->setFocusPolicy(Qt::NoFocus); // keys are the page's: digits, + and −
        QObject::connect(button, &QPushButton::clicked, this, [this, by] { m_board->m_vote->add(m_choice, by); });
        return button;
    }

    VoteBoard* m_board;
    int m_choice;
    QLabel *m_key, *m_answer, *m_count;
    QPushButton *m_less, *m_more;
    QHBoxLayout* m_row;
    qreal m_share = 0;
    bool m_chosen = false, m_right = false, m_told = false;
};

VoteBoard::VoteBoard(ClassVote* vote, QWidget* parent) : QWidget(parent), m_vote(vote) {
    setObjectName(QStringLiteral("voteBoard"));
    setAccessibleName(tr("Answers"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    connect(vote, &ClassVote::changed, this, &VoteBoard::follow);
    follow();
}

VoteBoard::~VoteBoard() = default;

void VoteBoard::setLook(const Theme& theme, qreal scale) {
    m_theme = theme;
    m_scale = scale;
    setCompact(m_compact);
}

void VoteBoard::setCompact(bool compact) {
    m_compact = compact;
    layout()->setSpacing(static_cast<int>(std::ceil((compact ? 2 : kGap) * m_scale)));
    for (Row* row : m_rows) row->setLook(m_theme, m_scale, compact);
    // Who asks for heights now must not get those from before: rows tell of theirs only later.
    layout()->invalidate();
    updateGeometry();
}

void VoteBoard::setAnswer(int right, int told) {
    m_right = right;
    m_told = told;
    follow();
}

void VoteBoard::rebuild() {
    for (Row* row : m_rows) delete row;
    m_rows.clear();
    m_shown = m_vote->choices();
    auto* column = static_cast<QVBoxLayout*>(layout());
    while (QLayoutItem* item = column->takeAt(0)) delete item;
    for (int i = 0; i < m_vote->count(); ++i) {
        m_rows.push_back(new Row(i + 1, m_shown[i], this));
        m_rows.back()->setLook(m_theme, m_scale, m_compact);
        column->addWidget(m_rows.back());
        m_rows.back()->show(); // shown later only, it would have no height while the page is shared out
    }
    column->addStretch(1);
    updateGeometry();
}

void VoteBoard::follow() {
    if (m_shown != m_vote->choices()) rebuild();
    for (Row* row : m_rows) row->follow(*m_vote, m_right, m_told);
}

} // namespace stridescope
