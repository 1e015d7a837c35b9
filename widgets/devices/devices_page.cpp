#include "widgets/devices/devices_page.h"

#include "widgets/devices/devices_view.h"
#include "widgets/shared/time_player.h"

#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

DevicesPage::DevicesPage(DevicesView* source, TimePlayer* player, QWidget* parent)
    : PresentedPage(parent), m_source(source), m_view(new DevicesView(this)), m_player(player) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    setAccessibleName(tr("Devices"));
    connect(source, &DevicesView::changed, this, &DevicesPage::follow);
    // Acts are the screen's: they come back through its view.
    connect(m_view, &DevicesView::lineWanted, source, &DevicesView::lineWanted);
    connect(m_view, &DevicesView::seekRequested, source, &DevicesView::seekRequested);
    follow();
}

std::vector<DevicesPage::Stop> DevicesPage::stops() const {
    std::vector<Stop> all;
    for (int i = 0; i < std::max(devicesBoxes(*m_source->model()), 1); ++i) all.push_back({DevicesSection::Boxes, i});
    if (m_source->model()->refusal) all.push_back({DevicesSection::Refusal, 0});
    if (!m_source->model()->run.isEmpty()) all.push_back({DevicesSection::Lanes, 0});
    return all;
}

std::ptrdiff_t DevicesPage::place(const std::vector<Stop>& all) const {
    return std::find(all.begin(), all.end(), m_stop) - all.begin();
}

void DevicesPage::follow() {
    const auto all = stops();
    if (place(all) == std::ssize(all)) m_stop = all.front();
    m_view->setModel(m_source->model());
    m_view->setTime(m_source->time());
    m_view->setPresented(m_stop.section, m_stop.device, m_scale);
    Q_EMIT changed();
}

void DevicesPage::setLook(const Theme& theme, qreal scale) {
    m_scale = scale;
    m_view->setTheme(theme);
    follow();
}

int DevicesPage::moments() const {
    return m_source->model()->run.isEmpty() ? 0 : static_cast<int>(m_player->times().stageEnds.size());
}

bool DevicesPage::goOn(int by) {
    const auto all = stops();
    if (m_stop.section == DevicesSection::Lanes) {
        if (by > 0 && m_player->time() >= 1) return true;
        if (by > 0 || m_player->time() > 0) {
            m_player->showStage(by);
            Q_EMIT changed();
            return true;
        }
    }
    const auto to = place(all) + by;
    if (to < 0 || to >= std::ssize(all)) return true;
    m_stop = all[static_cast<std::size_t>(to)];
    // The lanes are told from their beginning.
    if (m_stop.section == DevicesSection::Lanes) m_player->seek(0);
    follow();
    return true;
}

int DevicesPage::stages() const {
    const int plain = static_cast<int>(stops().size());
    return moments() > 0 ? plain - 1 + moments() : plain;
}

int DevicesPage::stage() const {
    const int at = static_cast<int>(place(stops()));
    if (m_stop.section != DevicesSection::Lanes) return at + 1;
    return at + 1 + static_cast<int>(m_player->times().stageAt(m_player->time()));
}

QString DevicesPage::stageName() const {
    switch (m_stop.section) {
    case DevicesSection::Boxes:
        return tr("Who lives where");
    case DevicesSection::Refusal:
        return tr("Refused");
    case DevicesSection::Lanes:
        break;
    }
    return tr("Queued and run");
}

QString DevicesPage::line() const {
    const DevicesModel& model = *m_source->model();
    return m_stop.section == DevicesSection::Refusal && model.refusal ? model.refusal->line
                                                                      : model.run.code.section(QLatin1Char('\n'), 0, 0);
}

void DevicesPage::keyPressEvent(QKeyEvent* event) {
    // Single steps, as on the screen; Space is the presenter's.
    const auto act = TimePlayer::actOf(*event);
    if (act && *act != TransportBar::Act::PlayOrPause && moments() > 0)
        m_player->act(*act);
    else
        PresentedPage::keyPressEvent(event);
}

} // namespace stridescope
