#include "widgets/timing/timing_setup.h"

#include "core/io/text.h"
#include "core/timing/timed_operation.h"
#include "widgets/timing/check_segments.h"
#include "widgets/timing/size_range.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <bit>

namespace stridescope {

namespace {

QStringList listOf(const QJsonValue& value) {
    QStringList list;
    for (const QJsonValue& each : value.toArray()) list << each.toString();
    return list;
}

timing::Cache cacheOf(const QString& key) {
    return key == QStringLiteral("warm")   ? timing::Cache::Warm
           : key == QStringLiteral("cold") ? timing::Cache::Cold
                                           : timing::Cache::ByOperation;
}

} // namespace

void TimingSetup::setTheme(const Theme& theme) {
    m_theme = theme;
    m_range->setTheme(theme);
    m_run->setIcon(theme.icon(QStringLiteral("play"), Tone::PrimaryText));
    m_stop->setIcon(theme.icon(QStringLiteral("stop")));
    for (QLineEdit* field : {m_statement, m_setup, m_sizes, m_threads}) field->setFont(theme.font(FontRole::Code));
}

QString TimingSetup::operation() const {
    const int id = m_what->checkedId();
    if (id >= 0 && id < m_course.size()) return m_course[id];
    return id == static_cast<int>(m_course.size()) ? m_others->currentText() : QString();
}

void TimingSetup::chooseOperation(const QString& name) {
    const auto course = m_course.indexOf(name);
    const int other = static_cast<int>(m_course.size());
    if (name.isEmpty()) {
        m_what->button(other + 1)->setChecked(true);
    } else if (course >= 0) {
        m_what->button(static_cast<int>(course))->setChecked(true);
    } else if (m_others->findText(name) >= 0) {
        m_others->setCurrentIndex(m_others->findText(name));
        m_what->button(other)->setChecked(true);
    } else {
        return;
    }
    follow();
}

std::optional<TimedStatement> TimingSetup::statement() const {
    if (!operation().isEmpty()) return std::nullopt;
    return TimedStatement{m_statement->text().trimmed(), m_setup->text().trimmed()};
}

Result<timing::SweepRequest> TimingSetup::request() const {
    using namespace timing;
    SweepRequest request;
    const auto sizes = sizesFromText(m_sizes->text().trimmed().toStdString());
    if (!sizes) return sizes.refusal();
    request.sizes = *sizes;
    const auto threads = threadsFromText(m_threads->text().trimmed().toStdString());
    if (!threads) return threads.refusal();
    request.threads = *threads;
    const auto joined = [](const CheckSegments* of) { return of->checked().join(QLatin1Char(',')).toStdString(); };
    const auto dtypes = dtypesFromText(joined(m_dtypes));
    if (!dtypes) return dtypes.refusal();
    request.dtypes = *dtypes;
    const auto layouts = layoutsFromText(joined(m_layouts));
    if (!layouts) return layouts.refusal();
    request.layouts = *layouts;
    const auto devices = devicesFromText(joined(m_devices));
    if (!devices) return devices.refusal();
    request.devices = *devices;
    request.cache = cacheOf(m_cache->checked().value(0));
    request.transfers = m_transfers->checked().contains(QStringLiteral("with"));
    request.setRounds(m_rounds->value());
    request.setWarmUp(m_warmUp->value());
    request.measure.maxSeconds = m_seconds->value();
    const QString name = operation();
    if (name.isEmpty()) return request; // the rest is the statement's
    request.operations = {name.toStdString()};
    if (const auto problem = problemOf(request)) return *problem;
    return request;
}

void TimingSetup::setSizes(const QString& text) {
    m_sizes->setText(text);
    showSizes();
    follow();
}

/// The knobs follow what is typed where that is a row of powers of two, or lies between two.
void TimingSetup::showSizes() {
    const auto sizes = timing::sizesFromText(m_sizes->text().trimmed().toStdString());
    m_sizes->setProperty("wrong", !sizes);
    m_sizes->style()->polish(m_sizes);
    if (!sizes || sizes->empty()) return;
    const auto exponent = [](Index n) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1; };
    m_range->setRange(exponent(sizes->front()), exponent(sizes->back()));
    m_sizesShown->setText(sizes->size() == 1
                              ? QString::number(sizes->front())
                              : tr("%1 … %2, %3 sizes").arg(sizes->front()).arg(sizes->back()).arg(sizes->size()));
}

void TimingSetup::follow() {
    m_statementFields->setVisible(m_what->checkedId() == static_cast<int>(m_course.size()) + 1);
    // What a statement does with its tensors is its own business.
    const bool operation = !this->operation().isEmpty();
    for (QWidget* field : std::initializer_list<QWidget*>{m_devices, m_dtypes, m_rounds, m_warmUp, m_cache, m_layouts})
        field->setEnabled(operation);
    m_transfers->setEnabled(operation && m_gpu);
    m_others->setEnabled(m_what->checkedId() == static_cast<int>(m_course.size()));
    const auto wish = request();
    const auto own = statement();
    QString problem;
    if (!wish)
        problem = QString::fromStdString(sanitiseForDisplay(wish.refusal().message));
    else if (own && own->statement.isEmpty())
        problem = tr("Type a statement: it is timed as Python code.");
    m_problem->setText(problem);
    m_problem->setToolTip(wish ? QString() : QString::fromStdString(sanitiseForDisplay(wish.refusal().hint)));
    m_problem->setVisible(!problem.isEmpty());
    m_run->setEnabled(problem.isEmpty() && !m_running);
    Q_EMIT changed();
}

void TimingSetup::setDevices(const std::vector<std::pair<QString, QString>>& devices) {
    std::vector<CheckSegments::Choice> choices;
    for (const auto& [key, tip] : devices) choices.push_back({key, key, tip});
    m_devices->setChoices(choices);
    m_gpu = devices.size() > 1;
    m_transfers->setToolTip(m_gpu ? QString() : tr("Without a GPU nothing is copied to one."));
    follow();
}

void TimingSetup::setRunning(bool running) {
    // The keys stay on the pair: a button that is switched off would hand them to whatever comes next in the window.
    const bool focused = m_run->hasFocus() || m_stop->hasFocus();
    m_running = running;
    m_bar->setVisible(running);
    if (running) {
        m_stop->setEnabled(true);
        if (focused) m_stop->setFocus();
        follow();
    } else {
        follow();
        if (focused) m_run->setFocus();
        m_stop->setEnabled(false);
    }
}

void TimingSetup::setProgress(double share, const QString& words) {
    m_bar->setValue(static_cast<int>(share * 1000));
    m_words->setText(words);
}

void TimingSetup::setCanSave(bool can) {
    m_save->setEnabled(can);
}

void TimingSetup::setFileWords(const QString& words, bool refused) {
    m_fileWords->setText(refused ? QStringLiteral("✗ ") + words : words);
    m_fileWords->setVisible(!words.isEmpty());
}

QString TimingSetup::fileWords() const {
    return m_fileWords->text();
}

QJsonObject TimingSetup::kept() const {
    const auto list = [](const CheckSegments* of) { return QJsonArray::fromStringList(of->checked()); };
    return {{QStringLiteral("operation"), operation()},     {QStringLiteral("statement"), m_statement->text()},
            {QStringLiteral("setup"), m_setup->text()},     {QStringLiteral("sizes"), m_sizes->text()},
            {QStringLiteral("threads"), m_threads->text()}, {QStringLiteral("devices"), list(m_devices)},
            {QStringLiteral("dtypes"), list(m_dtypes)},     {QStringLiteral("layouts"), list(m_layouts)},
            {QStringLiteral("cache"), list(m_cache)},       {QStringLiteral("transfers"), list(m_transfers)},
            {QStringLiteral("rounds"), m_rounds->value()},  {QStringLiteral("seconds"), m_seconds->value()},
            {QStringLiteral("warmUp"), m_warmUp->value()}};
}

void TimingSetup::keep(const QJsonObject& values) {
    const auto text = [&](const char* name, QLineEdit* field) {
        const QJsonValue value = values.value(QLatin1String(name));
        if (value.isString()) field->setText(value.toString().left(4000));
    };
    text("statement", m_statement);
    text("setup", m_setup);
    text("sizes", m_sizes);
    text("threads", m_threads);
    m_devices->setChecked(listOf(values.value(QStringLiteral("devices"))));
    m_dtypes->setChecked(listOf(values.value(QStringLiteral("dtypes"))));
    m_layouts->setChecked(listOf(values.value(QStringLiteral("layouts"))));
    m_cache->setChecked(listOf(values.value(QStringLiteral("cache"))));
    m_transfers->setChecked(listOf(values.value(QStringLiteral("transfers"))));
    m_rounds->setValue(values.value(QStringLiteral("rounds")).toInt(m_rounds->value()));
    m_seconds->setValue(values.value(QStringLiteral("seconds")).toDouble(m_seconds->value()));
    m_warmUp->setValue(values.value(QStringLiteral("warmUp")).toDouble(m_warmUp->value()));
    showSizes();
    if (const QJsonValue operation = values.value(QStringLiteral("operation")); operation.isString())
        chooseOperation(operation.toString());
    follow();
}

} // namespace stridescope
