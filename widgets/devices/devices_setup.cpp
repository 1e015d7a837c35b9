#include "widgets/devices/devices_setup.h"

#include "widgets/panels/range_control.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace stridescope {

namespace {

QLabel* words(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("heading", true);
    return label;
}

} // namespace

DevicesSetup::DevicesSetup(QWidget* parent) : QWidget(parent) {
    setProperty("role", QStringLiteral("panel"));
    setAccessibleName(tr("Simulated device"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(area);
    auto* content = new QWidget(area);
    content->setProperty("role", QStringLiteral("panel"));
    area->setWidget(content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(14, 10, 14, 10);
    column->setSpacing(6);
    column->addWidget(heading(tr("Simulated device"), content));
    column->addWidget(
        words(tr("It has memory and queues of its own, on this CPU. It shows what a GPU does, and not how "
                 "fast one is."),
              content));
    number(QStringLiteral("devices"), tr("devices"), tr("how many"), 1, 8, 2, column);
    number(QStringLiteral("memory"), tr("memory"), tr("MB each"), 1, 1024, 64, column);
    number(QStringLiteral("link"), tr("link"), tr("MB/s; 0 is no limit"), 0, 1000, 100, column);
    number(QStringLiteral("delay"), tr("launch"), tr("ms before each"), 0, 1000, 2, column);
    m_line = words({}, content);
    m_line->setObjectName(QStringLiteral("devicesLine"));
    m_line->setAccessibleName(tr("The line of code"));
    m_line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_line);
    m_on = button("devicesOn", tr("Switch on"), tr("Runs the line above in Python"), column);
    m_on->setProperty("kind", QStringLiteral("primary"));
    connect(m_on, &QPushButton::clicked, this, [this] { Q_EMIT lineWanted(enableLine()); });
    m_off = button("devicesOff", tr("Switch off"), tr("torch.sim.disable(): tensors on them are lost"), column);
    connect(m_off, &QPushButton::clicked, this, [this] { Q_EMIT lineWanted(QStringLiteral("torch.sim.disable()")); });
    m_again = button("devicesAgain", tr("Start anew"), tr("After an error that stays"), column);
    connect(m_again, &QPushButton::clicked, this,
            [this] { Q_EMIT lineWanted(QStringLiteral("torch.sim.restart(\"%1\")").arg(m_failed)); });
    m_words = words({}, content);
    m_words->setObjectName(QStringLiteral("devicesWords"));
    column->addWidget(m_words);
    column->addSpacing(8);
    column->addWidget(heading(tr("Lines to try"), content));
    m_lines = {QStringLiteral("x = torch.arange(6.).view(2, 3)"),
               QStringLiteral("y = x.to(\"sim:0\")"),
               QStringLiteral("y = y * 2 + 1"),
               QStringLiteral("x + y"),
               QStringLiteral("a = torch.ones(300, 300).to(\"sim\")"),
               QStringLiteral("for i in range(4): b = a @ a"),
               QStringLiteral("for i in range(4): b = a @ a\ntorch.sim.synchronize()"),
               QStringLiteral("z = y.to(\"sim:1\")"),
               QStringLiteral("y.cpu()"),
               QStringLiteral("torch.ones(1 << 30, device=\"sim\")")};
    for (int i = 0; i < m_lines.size(); ++i) {
        const QString line = m_lines[i];
        QPushButton* each = button("", line, tr("Runs it in Python"), column);
        each->setObjectName(QStringLiteral("devicesTry:%1").arg(i));
        each->setProperty("kind", QStringLiteral("code"));
        m_tries.push_back(each);
        connect(each, &QPushButton::clicked, this, [this, line] { Q_EMIT lineWanted(line); });
    }
    column->addStretch(1);
    follow();
    setState(false, {}, {});
}

RangeControl* DevicesSetup::number(const QString& name, const QString& title, const QString& unit, Index low,
                                   Index high, Index value, QVBoxLayout* to) {
    auto* control = new RangeControl(title, unit, Tone::Control, this);
    control->setObjectName(QStringLiteral("devicesNumber:") + name);
    control->setRange({low, high});
    control->setValue(value);
    const std::size_t place = m_numbers.size();
    m_numbers.push_back({name, control, value});
    to->addWidget(control);
    const auto take = [this, place, low, high](Index chosen) {
        Number& number = m_numbers[place];
        if (chosen < low || chosen > high) return number.control->showRefused(chosen);
        number.value = chosen;
        number.control->setValue(chosen);
        follow();
    };
    connect(control, &RangeControl::chosen, this, take);
    connect(control, &RangeControl::abandoned, this,
            [this, place] { m_numbers[place].control->setValue(m_numbers[place].value); });
    return control;
}

QPushButton* DevicesSetup::button(const char* name, const QString& text, const QString& what, QVBoxLayout* to) {
    auto* made = new QPushButton(this);
    made->setObjectName(QString::fromLatin1(name));
    made->setText(QString(text).replace(QLatin1Char('&'), QStringLiteral("&&")));
    made->setAccessibleName(text);
    made->setToolTip(what);
    made->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the panel is no wider for it
    to->addWidget(made);
    return made;
}

Index DevicesSetup::valueOf(const char* name) const {
    for (const Number& each : m_numbers)
        if (each.name == QLatin1String(name)) return each.value;
    return 0;
}

QString DevicesSetup::enableLine() const {
    QString line =
        QStringLiteral("torch.sim.enable(devices=%1, memory=%2 << 20").arg(valueOf("devices")).arg(valueOf("memory"));
    if (const Index link = valueOf("link"); link > 0) line += QStringLiteral(", link=%1e6").arg(link);
    if (const Index delay = valueOf("delay"); delay > 0)
        line += QStringLiteral(", launch_delay=%1").arg(static_cast<double>(delay) / 1000);
    return line + QLatin1Char(')');
}

void DevicesSetup::follow() {
    m_line->setText(enableLine());
    Q_EMIT changed();
}

void DevicesSetup::setState(bool simulated, const QString& failed, const QString& missing) {
    m_simulated = simulated;
    m_failed = failed;
    m_on->setText(simulated ? tr("Switch on anew") : tr("Switch on"));
    m_on->setAccessibleName(m_on->text());
    m_on->setEnabled(missing.isEmpty());
    m_off->setVisible(simulated);
    m_again->setVisible(!failed.isEmpty());
    m_again->setText(tr("Start %1 anew").arg(failed));
    m_again->setAccessibleName(m_again->text());
    for (std::size_t i = 0; i < m_tries.size(); ++i) m_tries[i]->setEnabled(missing.isEmpty() && (simulated || i == 0));
    QString text = missing;
    if (text.isEmpty() && simulated) text = tr("Switching on anew takes away what is on it.");
    m_words->setText(text);
    m_words->setVisible(!text.isEmpty());
}

void DevicesSetup::setTheme(const Theme& theme) {
    for (const Number& each : m_numbers) each.control->setTheme(theme);
    m_line->setFont(theme.font(FontRole::Code));
    for (QPushButton* each : m_tries) each->setFont(theme.font(FontRole::Meta));
}

QJsonObject DevicesSetup::kept() const {
    QJsonObject values;
    for (const Number& each : m_numbers) values.insert(each.name, static_cast<qint64>(each.value));
    return values;
}

void DevicesSetup::keep(const QJsonObject& values) {
    for (Number& each : m_numbers) {
        const QJsonValue value = values.value(each.name);
        if (!value.isDouble()) continue;
        Q_EMIT each.control->chosen(value.toInteger(each.value));
        each.control->setValue(each.value);
    }
}

} // namespace stridescope
