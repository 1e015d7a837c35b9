#include "widgets/images/step_row.h"

#include "widgets/images/step_code.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QSlider>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace stridescope {

namespace {

constexpr int kSliderSteps = 1000;

int positionOf(const StepNumber& number) {
    if (number.whole) return static_cast<int>(number.value);
    return static_cast<int>(std::lround((number.value - number.low) / (number.high - number.low) * kSliderSteps));
}
double valueAt(const StepNumber& number, int position) {
    if (number.whole) return position;
    return number.low + (number.high - number.low) * position / kSliderSteps;
}

} // namespace

StepRow::StepRow(StepList* list, int number) : QFrame(list), m_list(list), m_index(number) {
    setObjectName(QStringLiteral("step%1").arg(number));
    setProperty("kind", QStringLiteral("stepRow"));
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(8, 4, 4, 4);
    across->setSpacing(8);
    m_number = new QLabel(QString::number(number + 1), this);
    m_number->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
    m_number->setFixedWidth(16);
    m_picture = new QLabel(this);
    m_picture->setFixedSize(44, 44);
    m_picture->setAccessibleName(tr("Step %1").arg(number + 1));
    for (QLabel* handle : {m_number, m_picture}) {
        handle->setCursor(Qt::OpenHandCursor);
        handle->setToolTip(tr("Drag to another place of the list."));
    }
    across->addWidget(m_number);
    across->addWidget(m_picture, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    m_code = new StepCode(this);
    m_code->setProperty("mono", true);
    m_code->setProperty("kind", QStringLiteral("step"));
    m_code->setAccessibleName(tr("Step %1").arg(number + 1));
    m_facts = new QLabel(this);
    m_facts->setProperty("quiet", true);
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setWordWrap(true);
    words->addWidget(m_code);
    auto* buttons = new QGridLayout;
    buttons->setSpacing(0);
    const auto button = [&](const char* icon, const QString& what, auto act) {
        auto* made = new QToolButton(this);
        made->setProperty("kind", QStringLiteral("icon"));
        made->setObjectName(QString::fromLatin1(icon));
        made->setAccessibleName(what);
        made->setToolTip(what);
        made->setIconSize({14, 14});
        connect(made, &QToolButton::clicked, list, act);
        const int place = static_cast<int>(m_buttons.size());
        buttons->addWidget(made, place / 2, place % 2);
        m_buttons.push_back(made);
    };
    button("eye", tr("Switch on or off"), [this] { Q_EMIT m_list->switched(m_index, !m_step.on); });
    button("chevron-up", tr("Earlier"), [this] { Q_EMIT m_list->moved(m_index, -1); });
    button("delete", tr("Remove"), [this] { Q_EMIT m_list->removed(m_index); });
    button("chevron-down", tr("Later"), [this] { Q_EMIT m_list->moved(m_index, 1); });
    auto* below = new QHBoxLayout;
    below->setSpacing(0);
    below->addWidget(m_facts, 1, Qt::AlignTop);
    below->addLayout(buttons);
    words->addLayout(below);
    m_grid = new QGridLayout;
    m_grid->setSpacing(4);
    words->addLayout(m_grid);
    across->addLayout(words, 1);
    connect(m_code, &QLineEdit::editingFinished, this, [this] {
        if (m_code->text() != m_step.code) Q_EMIT m_list->codeEdited(m_index, m_code->text());
    });
}

void StepRow::show(const ShownStep& step, const Theme& theme, bool open) {
    m_step = step;
    if (!m_code->hasFocus() || !m_code->isModified()) m_code->setText(step.code);
    m_code->setModified(false);
    m_code->setCursorPosition(0);
    m_code->setEnabled(step.on);
    m_code->setToolTip(step.code);
    m_code->setProperty("wrong", !step.why.isEmpty());
    m_code->style()->unpolish(m_code);
    m_code->style()->polish(m_code);
    setProperty("open", open);
    style()->unpolish(this);
    style()->polish(this);
    QStringList words;
    if (!step.on) words << tr("off");
    if (step.on && !step.why.isEmpty()) words << QStringLiteral("✗ ") + step.why;
    if (step.on && step.why.isEmpty()) words << step.facts << step.cost;
    m_facts->setText(words.join(QLatin1Char('\n')));
    m_picture->setPixmap(step.picture.isNull() || !step.on
                             ? QPixmap()
                             : QPixmap::fromImage(step.picture.scaled(44, 44, Qt::KeepAspectRatio)));
    for (QToolButton* each : m_buttons)
        each->setIcon(theme.icon(each->objectName() == QStringLiteral("eye") && !step.on ? QStringLiteral("eye-off")
                                                                                         : each->objectName()));
    showSliders(open && step.on);
}

void StepRow::showSliders(bool open) {
    const std::size_t wanted = open ? m_step.numbers.size() : 0;
    while (m_sliders.size() < wanted) {
        const auto i = m_sliders.size();
        Slider made{new QLabel(this), new QSlider(Qt::Horizontal, this), new QLabel(this)};
        made.name->setProperty("quiet", true);
        made.value->setProperty("mono", true);
        made.value->setMinimumWidth(44);
        made.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        made.slider->setObjectName(QStringLiteral("stepSlider%1").arg(i));
        const auto row = static_cast<int>(i);
        m_grid->addWidget(made.name, row, 0);
        m_grid->addWidget(made.slider, row, 1);
        m_grid->addWidget(made.value, row, 2);
        connect(made.slider, &QSlider::valueChanged, this, [this, i](int position) {
            if (i < m_step.numbers.size())
                Q_EMIT m_list->numberMoved(m_index, m_step.numbers[i], valueAt(m_step.numbers[i], position));
        });
        m_sliders.push_back(made);
    }
    for (std::size_t i = 0; i < m_sliders.size(); ++i) {
        const Slider& each = m_sliders[i];
        for (QWidget* part : std::initializer_list<QWidget*>{each.name, each.slider, each.value})
            part->setVisible(i < wanted);
        if (i >= wanted) continue;
        const StepNumber& number = m_step.numbers[i];
        each.name->setText(number.name);
        each.value->setText(QString::number(number.value, 'g', 4));
        each.slider->setAccessibleName(number.name);
        const QSignalBlocker quiet(each.slider);
        each.slider->setRange(number.whole ? static_cast<int>(number.low) : 0,
                              number.whole ? static_cast<int>(number.high) : kSliderSteps);
        each.slider->setPageStep(std::max(1, (each.slider->maximum() - each.slider->minimum()) / 10));
        // The hand that holds it knows where it is.
        if (!each.slider->isSliderDown()) each.slider->setValue(positionOf(number));
    }
}

void StepRow::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    m_dragged = false;
    if (event->button() == Qt::LeftButton) m_list->openStep(m_index);
}

void StepRow::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    m_dragged = m_dragged || (event->pos() - m_pressed).manhattanLength() > QApplication::startDragDistance();
    if (m_dragged) m_list->dragTo(m_index, mapToParent(event->pos()).y(), false);
}

void StepRow::mouseReleaseEvent(QMouseEvent* event) {
    if (std::exchange(m_dragged, false)) m_list->dragTo(m_index, mapToParent(event->pos()).y(), true);
}

void StepRow::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy code"), this, [this] { QApplication::clipboard()->setText(m_step.code); });
    menu.addAction(tr("Duplicate"), this, [this] { Q_EMIT m_list->duplicated(m_index); });
    menu.addAction(m_step.on ? tr("Switch off") : tr("Switch on"), this,
                   [this] { Q_EMIT m_list->switched(m_index, !m_step.on); });
    menu.addAction(tr("Remove"), this, [this] { Q_EMIT m_list->removed(m_index); });
    menu.exec(event->globalPos());
}

} // namespace stridescope
