#include "widgets/timing/timing_page.h"

#include "widgets/timing/timing_view.h"

#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

TimingPage::TimingPage(TimingView* source, QWidget* parent)
    : PresentedPage(parent), m_source(source), m_view(new TimingView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    setAccessibleName(tr("Times"));
    connect(source, &TimingView::changed, this, &TimingPage::follow);
    // A pick and a card to run are the screen's: they come back through its view.
    connect(m_view, &TimingView::sizePicked, source, &TimingView::pick);
    connect(m_view, &TimingView::wayPressed, source, &TimingView::wayPressed);
    follow();
}

std::vector<TimingPage::Stop> TimingPage::stops() const {
    const TimingModel& model = *m_source->model();
    std::vector<Stop> all{{TimingSection::Chart, -1}, {TimingSection::Transfers, -1}};
    if (!model.isEmpty()) {
        all.push_back({TimingSection::Turns, -1});
        all.push_back({TimingSection::Table, -1});
    }
    for (int way = 0; way < static_cast<int>(model.notes.ways.size()); ++way) all.push_back({TimingSection::Ways, way});
    return all;
}

void TimingPage::follow() {
    const auto all = stops();
    if (std::find(all.begin(), all.end(), m_stop) == all.end()) m_stop = all.front();
    m_view->setModel(m_source->model());
    m_view->pick(m_source->picked());
    m_view->setWay(m_stop.way);
    m_view->setPresented(m_stop.section, m_scale);
    Q_EMIT changed();
}

void TimingPage::setLook(const Theme& theme, qreal scale) {
    m_scale = scale;
    m_view->setTheme(theme);
    follow();
}

bool TimingPage::goOn(int by) {
    const auto all = stops();
    const auto to = static_cast<std::ptrdiff_t>(stage()) - 1 + by;
    if (to < 0 || to >= std::ssize(all)) return true;
    m_stop = all[static_cast<std::size_t>(to)];
    follow();
    return true;
}

int TimingPage::stages() const {
    return static_cast<int>(stops().size());
}

int TimingPage::stage() const {
    const auto all = stops();
    return static_cast<int>(std::find(all.begin(), all.end(), m_stop) - all.begin()) + 1;
}

QString TimingPage::stageName() const {
    switch (m_stop.section) {
    case TimingSection::Chart:
        return tr("Time over size");
    case TimingSection::Transfers:
        return tr("Transfers");
    case TimingSection::Turns:
        return tr("How it was measured");
    case TimingSection::Table:
        return tr("Table");
    case TimingSection::Ways:
        break;
    }
    const auto& ways = m_source->model()->notes.ways;
    const auto way = static_cast<std::size_t>(std::max(m_stop.way, 0));
    return way < ways.size()
               ? QString::fromUtf8(ways[way].what->title.data(), static_cast<qsizetype>(ways[way].what->title.size()))
               : QString();
}

QString TimingPage::line() const {
    const TimingModel& model = *m_source->model();
    return model.runs.empty() ? QString() : QString::fromStdString(model.runs.front().run->command);
}

} // namespace stridescope
