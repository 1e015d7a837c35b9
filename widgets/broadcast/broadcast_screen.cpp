#include "widgets/broadcast/broadcast_screen.h"

#include "widgets/broadcast/broadcast_animation.h"
#include "widgets/broadcast/broadcast_bar.h"
#include "widgets/broadcast/broadcast_page.h"
#include "widgets/broadcast/broadcast_view.h"
#include "widgets/broadcast/predict_bar.h"
#include "widgets/model/words.h"
#include "widgets/shared/accessible_role.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>

namespace stridescope {

namespace {

/// A line that is not whole yet: the last picture stays meanwhile, for it comes back with the next key.
bool isBeingTyped(const Refusal& refusal) {
    constexpr std::string_view kIds[] = {"EXPR-02", "EXPR-03", "EXPR-04", "EXPR-05", "EXPR-08"};
    return std::find(std::begin(kIds), std::end(kIds), refusal.id) != std::end(kIds);
}

} // namespace

BroadcastScreen::BroadcastScreen(WorkspaceModel* workspace, std::function<QString()> nextName, QWidget* parent)
    : Screen(parent), m_workspace(workspace), m_nextName(std::move(nextName)), m_bar(new BroadcastBar(this)),
      m_view(new BroadcastView(this)), m_transport(new TransportBar(this)), m_player(new TimePlayer(m_transport, this)),
      m_predict(new PredictBar(this)), m_play(new QPushButton(tr("Play it as a motion"), m_view)) {
    setAccessibleRole(this, QAccessible::Pane);
    setAccessibleName(tr("Broadcast"));
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setWhatsThis(
        tr("How sizes meet in a pointwise operation, in four stages. Space plays, Left and Right step, Home and "
           "End go to the ends; click a cell for its sources."));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_predict);
    m_predict->hide();
    column->addWidget(m_view, 1);
    column->addWidget(m_transport);
    // Below the words that say why there is no picture.
    auto* below = new QVBoxLayout(m_view);
    below->setSizeConstraint(QLayout::SetNoConstraint);
    below->addStretch(3);
    below->addWidget(m_play, 0, Qt::AlignHCenter);
    below->addStretch(2);
    m_play->setObjectName(QStringLiteral("broadcastPlay"));
    m_play->setToolTip(tr("It is carried out on copies: nothing that you have is written"));
    m_play->hide();
    connect(m_play, &QPushButton::clicked, this, [this] { Q_EMIT playRequested(m_bar->line()); });
    connect(m_player, &TimePlayer::timeChanged, this, &BroadcastScreen::showTime);
    connect(m_bar, &BroadcastBar::lineChanged, this, [this] { rebuild(false); });
    connect(m_bar, &BroadcastBar::runRequested, this, [this] {
        if (m_model && m_model->ok() && !m_refused) Q_EMIT runRequested(m_bar->line());
    });
    connect(m_transport, &TransportBar::requested, this, &BroadcastScreen::act);
    connect(m_view, &BroadcastView::mendHovered, this, &BroadcastScreen::showMend);
    connect(m_view, &BroadcastView::mendPressed, this, &BroadcastScreen::useMend);
    connect(m_bar, &BroadcastBar::predictingChanged, this, &BroadcastScreen::setPredicting);
    connect(m_predict, &PredictBar::answered, this, &BroadcastScreen::takeAnswer);
    connect(m_predict, &PredictBar::nextRequested, this, &BroadcastScreen::askNext);
    connect(m_predict, &PredictBar::revealRequested, this, [this] {
        if (m_asks == Asks::Shape) tellVerdict(*judgeShape(*m_model, QStringLiteral("()")), false);
        if (m_asks == Asks::Cell) tellVerdict(judgeCell(*m_model, *m_cellQuestion, Dims{}), false);
    });
    connect(m_view, &BroadcastView::cellAnswered, this, [this](const Dims& coord) {
        if (m_asks == Asks::Cell) tellVerdict(judgeCell(*m_model, *m_cellQuestion, coord), true);
    });
    connect(m_view, &BroadcastView::hovered, this,
            [this](std::optional<Index> element) { tellElement(element ? element : m_view->picked()); });
    connect(m_view, &BroadcastView::pickRequested, this, [this](std::optional<Index> element) {
        setFocus(Qt::MouseFocusReason);
        m_view->setPicked(element == m_view->picked() ? std::nullopt : element);
        tellElement(element);
    });
    connect(m_workspace, &WorkspaceModel::snapshotChanged, this, [this] { rebuild(true); });
    connect(m_workspace, &WorkspaceModel::valuesChanged, this, [this] { rebuild(true); });
    m_bar->field()->installEventFilter(this);
    for (QWidget* child : m_transport->findChildren<QWidget*>()) child->installEventFilter(this);
    m_bar->setLine(firstLine());
}

BroadcastScreen::~BroadcastScreen() = default;

QString BroadcastScreen::firstLine() const {
    // Two of the workspace that stretch, else two that fit, else an example.
    const auto& tensors = m_workspace->snapshot()->tensors;
    constexpr std::size_t kTried = 12;
    QString fits;
    for (std::size_t i = 0; i < std::min(tensors.size(), kTried); ++i) {
        for (std::size_t j = i + 1; j < std::min(tensors.size(), kTried); ++j) {
            const Dims &a = tensors[i].tensor.shape(), &b = tensors[j].tensor.shape();
            if (!broadcastShapes(a, b)) continue;
            const QString line = tensors[i].name + QStringLiteral(" + ") + tensors[j].name;
            if (!(a == b)) return line;
            if (fits.isEmpty()) fits = line;
        }
    }
    if (!fits.isEmpty()) return fits;
    return QStringLiteral("torch.arange(4).view(4, 1) + torch.tensor([[10, 20, 30, 40, 50]])");
}

void BroadcastScreen::setTheme(const Theme& theme) {
    m_view->setTheme(theme);
    m_transport->setTheme(theme);
    m_bar->field()->setFont(theme.font(FontRole::Code));
    for (QComboBox* box : m_bar->findChildren<QComboBox*>()) box->setFont(theme.font(FontRole::Code));
}

void BroadcastScreen::setReducedMotion(bool on) {
    m_player->setReducedMotion(on);
}

std::optional<Scene> BroadcastScreen::picture() const {
    // Without a picture what is taken away says why; that of another screen would be taken for it.
    if (!m_model && m_view->why().isEmpty()) return std::nullopt;
    return m_view->scene();
}

std::optional<Animation> BroadcastScreen::animation() const {
    if (!m_model) return std::nullopt;
    return broadcastAnimation(m_model, m_view->look());
}

PresentedPage* BroadcastScreen::presentedPage(QWidget* parent) {
    return new BroadcastPage(this, m_view, parent);
}

void BroadcastScreen::showStage(int by) {
    if (m_asks == Asks::Nothing) m_player->showStage(by);
}

int BroadcastScreen::stage() const {
    return static_cast<int>(m_player->times().stageAt(m_player->time()));
}

void BroadcastScreen::setLine(const QString& line) {
    m_bar->setLine(line);
}

QString BroadcastScreen::line() const {
    return m_bar->line();
}

void BroadcastScreen::rebuild(bool keepTime) {
    const auto& snapshot = *m_workspace->snapshot();
    auto made = broadcastModel(snapshot, m_bar->line(), m_nextName());
    if (!made) {
        m_player->pause();
        endAsking();
        m_bar->showRefusal(made.refusal());
        m_refused = true;
        if (!isBeingTyped(made.refusal())) showNothing(made.refusal());
        tellElement(std::nullopt);
        tellDType();
        return;
    }
    m_refused = false;
    m_play->hide();
    m_transport->setEnabled(true);
    m_model = std::make_shared<const BroadcastModel>(*std::move(made));
    m_timeline = std::make_unique<BroadcastTimeline>(*m_model);
    m_mend = -1;
    m_view->setModel(m_model);
    QStringList names;
    const char* const stages[] = {QT_TR_NOOP("1 Shapes"), QT_TR_NOOP("2 Prepend"), QT_TR_NOOP("3 Stretch"),
                                  QT_TR_NOOP("4 Compute")};
    for (std::size_t i = 0; i < m_timeline->stageEnds().size(); ++i) names << tr(stages[i]);
    m_player->setTimes(m_timeline->times(), names);
    std::vector<std::pair<QString, QString>> tensors;
    for (const TensorEntry& entry : snapshot.tensors) tensors.emplace_back(entry.name, shapeText(entry.tensor.shape()));
    m_bar->showModel(*m_model, tensors);
    if (!keepTime) m_player->pause();
    seek(keepTime ? time() : 0);
    if (m_bar->isPredicting() && (!keepTime || m_asks != Asks::Nothing)) askShape();
    tellDType();
}

void BroadcastScreen::showNothing(const Refusal& refusal) {
    m_model.reset();
    m_timeline.reset();
    m_mend = -1;
    m_player->setTimes({}, {});
    m_transport->setEnabled(false);
    m_bar->clearOperands();
    m_view->setModel(nullptr, BroadcastBar::textOf(refusal));
    m_play->setVisible(refusal.hint == expr::kPlayInstead);
}

void BroadcastScreen::tellDType() {
    const bool known = m_model && m_model->ok() && !m_refused && m_asks != Asks::Shape;
    const QString dtype = known ? dtypeText(m_model->result.tensor.dtype()) : QString();
    if (dtype == m_dtype) return;
    m_dtype = dtype;
    Q_EMIT shownDTypeChanged();
}

// --- Predict first --------------------------------------------------------------------------------------------------

void BroadcastScreen::setPredicting(bool on) {
    m_predict->setVisible(on);
    if (!on) {
        endAsking();
    } else if (m_model) {
        askShape();
        m_predict->field()->setFocus(Qt::OtherFocusReason);
    }
}

void BroadcastScreen::askShape() {
    m_player->pause();
    m_asks = Asks::Shape;
    m_cellQuestion.reset();
    m_bar->setVeiled(true);
    m_view->setPicked(std::nullopt);
    m_view->setAsked(-1);
    m_view->setVeiled(true);
    // Its stages would tell whether there is a result.
    m_transport->hide();
    // The shapes stand under one another, and no column has a verdict.
    seek(m_timeline->stageEnds()[1]);
    m_predict->ask(shapeQuestion(*m_model), tr("(2, 3), or refused"));
    Q_EMIT statusTextChanged({});
    tellDType();
}

void BroadcastScreen::takeAnswer(const QString& said) {
    if (m_asks == Asks::Nothing || !m_model) return;
    const auto verdict =
        m_asks == Asks::Shape ? judgeShape(*m_model, said) : judgeCell(*m_model, *m_cellQuestion, said);
    if (verdict)
        tellVerdict(*verdict, true);
    else
        m_predict->askAgain(m_asks == Asks::Shape ? tr("(2, 3), or refused") : tr("2, 0"));
}

void BroadcastScreen::tellVerdict(const PredictionVerdict& verdict, bool wasAnswered) {
    const bool shape = m_asks == Asks::Shape;
    m_view->setAsked(-1);
    if (shape) {
        m_bar->setVeiled(false);
        m_view->setVeiled(false);
        m_cellQuestion = cellQuestion(*m_model);
    }
    const QString next = shape && m_cellQuestion ? tr("Next question") : tr("Watch it");
    if (wasAnswered)
        m_predict->tell(verdict, next);
    else
        m_predict->reveal(verdict.reason, next);
}

void BroadcastScreen::askNext() {
    if (m_asks == Asks::Shape && m_cellQuestion) {
        m_asks = Asks::Cell;
        tellDType();
        m_view->setAsked(static_cast<int>(m_cellQuestion->operand));
        m_predict->ask(m_cellQuestion->words, tr("2, 0, or click its cell"));
        m_predict->field()->setFocus(Qt::OtherFocusReason);
    } else if (m_asks != Asks::Nothing) {
        watch();
    }
}

void BroadcastScreen::endAsking() {
    if (m_asks == Asks::Nothing) return;
    m_asks = Asks::Nothing;
    tellDType();
    m_bar->setVeiled(false);
    m_view->setVeiled(false);
    m_view->setAsked(-1);
    m_transport->show();
    m_predict->reveal({}, {});
}

void BroadcastScreen::watch() {
    endAsking();
    setFocus(Qt::OtherFocusReason);
    m_player->play();
}

void BroadcastScreen::showTime(qreal t) {
    m_view->setTime(t);
    if (!m_timeline) return;
    const BroadcastFrame frame = m_timeline->at(t);
    if (!m_view->picked()) tellElement(frame.now);
}

void BroadcastScreen::act(TransportBar::Act act) {
    if (m_asks == Asks::Nothing) m_player->act(act);
}

void BroadcastScreen::showMend(int mend) {
    m_view->setPreview(nullptr);
    if (!m_model || mend < 0 || mend >= static_cast<int>(m_model->mends.size())) {
        Q_EMIT statusTextChanged({});
        return;
    }
    const BroadcastMend& chosen = m_model->mends[static_cast<std::size_t>(mend)];
    auto made = broadcastModel(*m_workspace->snapshot(), chosen.line, m_nextName());
    if (made) m_view->setPreview(std::make_shared<const BroadcastModel>(*std::move(made)));
    Q_EMIT statusTextChanged(tr("Would be: %1, %2").arg(chosen.line, chosen.outcome));
}

void BroadcastScreen::useMend(int mend) {
    if (!m_model || mend < 0 || mend >= static_cast<int>(m_model->mends.size())) return;
    m_view->setPreview(nullptr);
    m_bar->setLine(QString(m_model->mends[static_cast<std::size_t>(mend)].line));
}

void BroadcastScreen::tellElement(std::optional<Index> element) {
    if (!element || !m_model || !m_model->ok() || *element >= m_model->numel()) {
        Q_EMIT statusTextChanged({});
        return;
    }
    QStringList coord, sources;
    for (const Index index : m_model->coordOf(*element)) coord << QString::number(index);
    for (const BroadcastOperand& operand : m_model->operands) {
        const QString storage =
            operand.storageNumber > 0 ? tr("storage #%1").arg(operand.storageNumber) : tr("temporary");
        sources << tr("%1: %2 index %3").arg(operand.code, storage).arg(m_model->slotOf(operand, *element));
    }
    const QString at = coord.isEmpty() ? QString() : QStringLiteral("[%1]").arg(coord.join(QStringLiteral(", ")));
    QStringList parts{m_model->resultName + at, m_model->arithmetic(*element), m_model->reason(*element),
                      sources.join(QStringLiteral(",  "))};
    parts.removeAll(QString());
    Q_EMIT statusTextChanged(parts.join(QStringLiteral("   ")));
}

// --- Keys ----------------------------------------------------------------------------------------------------------

bool BroadcastScreen::takesKey(QKeyEvent* event) {
    if (m_asks != Asks::Nothing) return false;
    if (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) return false;
    if (const auto asked = TimePlayer::actOf(*event)) {
        act(*asked);
        return true;
    }
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        moveMendFocus(event->key() == Qt::Key_Down);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_mend < 0) return false;
        useMend(m_mend);
        return true;
    case Qt::Key_Escape:
        m_view->setPicked(std::nullopt);
        moveMendFocus(false);
        m_mend = -1;
        m_view->setFocusedButton(-1);
        showMend(-1);
        return true;
    default:
        return false;
    }
}

void BroadcastScreen::moveMendFocus(bool next) {
    if (!m_model || m_model->mends.empty() || time() < 1) return;
    m_mend = std::clamp(m_mend + (next ? 1 : -1), 0, static_cast<int>(m_model->mends.size()) - 1);
    m_view->setFocusedButton(m_mend);
    Q_EMIT statusTextChanged(tr("Enter: %1").arg(m_model->mends[static_cast<std::size_t>(m_mend)].line));
}

void BroadcastScreen::keyPressEvent(QKeyEvent* event) {
    if (!takesKey(event)) Screen::keyPressEvent(event);
}

bool BroadcastScreen::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (watched == m_bar->field()) {
            if (key->key() == Qt::Key_Escape) {
                setFocus(Qt::OtherFocusReason);
                return true;
            }
        } else if (key->key() != Qt::Key_Space && key->key() != Qt::Key_Return && takesKey(key)) {
            return true; // the transport has a use of its own for Space and Enter on its buttons
        }
    }
    return Screen::eventFilter(watched, event);
}

void BroadcastScreen::hideEvent(QHideEvent* event) {
    // Not when the desktop hides the window: it may be covered by the one that presents this screen.
    if (!event->spontaneous()) m_player->pause();
    Screen::hideEvent(event);
}

} // namespace stridescope
