#include "app/devices/devices_screen.h"

#include "app/devices/device_refusal.h"
#include "app/devices/gather_devices.h"
#include "app/workspace/workspace.h"
#include "core/backend/cuda/loader.h"
#include "widgets/devices/devices_page.h"
#include "widgets/devices/devices_setup.h"
#include "widgets/devices/devices_view.h"
#include "widgets/shared/transport_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

constexpr int kSetupWidth = 300;
/// What devices tell within so many milliseconds is drawn together.
constexpr int kRefresh = 60;

} // namespace

DevicesScreen::DevicesScreen(Workspace* workspace, KernelClient* kernel, QWidget* parent)
    : Screen(parent), m_workspace(workspace), m_kernel(kernel), m_setup(new DevicesSetup(this)),
      m_area(new QScrollArea(this)), m_view(new DevicesView(m_area)), m_transport(new TransportBar(this)),
      m_player(new TimePlayer(m_transport, this)) {
    setFocusPolicy(Qt::StrongFocus);
    // A stack is as wide as its widest page: beside its docks Explore would have no room left.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(1);
    m_setup->setFixedWidth(kSetupWidth);
    across->addWidget(m_setup);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    m_area->setObjectName(QStringLiteral("devicesArea"));
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setWidget(m_view);
    column->addWidget(m_area, 1);
    column->addWidget(m_transport);
    across->addLayout(column, 1);
    setFocusProxy(m_view);
    m_view->installEventFilter(this);
    for (QWidget* child : m_transport->findChildren<QWidget*>()) child->installEventFilter(this);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kRefresh);
    connect(&m_soon, &QTimer::timeout, this, [this] {
        // Who does not see it need not wait for it.
        isVisible() ? rebuild() : static_cast<void>(m_stale = true);
    });
    const auto soon = [this] {
        if (!m_soon.isActive()) m_soon.start();
    };

    connect(m_setup, &DevicesSetup::lineWanted, this, &DevicesScreen::run);
    connect(m_setup, &DevicesSetup::changed, this, [this, soon] {
        soon();
        Q_EMIT keptChanged();
    });
    connect(m_view, &DevicesView::lineWanted, this, &DevicesScreen::run);
    connect(m_view, &DevicesView::told, this, &Screen::statusTextChanged);
    connect(m_view, &DevicesView::seekRequested, this, [this](qreal t) {
        m_player->pause();
        m_player->seek(t);
    });
    connect(m_view, &DevicesView::revealRequested, this, [this](const QRectF& rect) {
        const QPoint middle = rect.center().toPoint();
        m_area->ensureVisible(middle.x(), middle.y(), static_cast<int>(rect.width() / 2) + 8,
                              static_cast<int>(rect.height() / 2) + 8);
    });
    connect(m_player, &TimePlayer::timeChanged, m_view, &DevicesView::setTime);
    connect(m_transport, &TransportBar::requested, m_player, &TimePlayer::act);

    connect(kernel, &KernelClient::started, this, [this, soon](quint64) {
        m_code = devicesTitle(m_kernel->runningCode());
        m_log.begin(m_code);
        m_failure.reset();
        soon();
    });
    connect(kernel, &KernelClient::failed, this, [this, soon](quint64, const KernelError& error) {
        m_failure.emplace(error, m_kernel->runningCode());
        soon();
    });
    connect(kernel, &KernelClient::devicesTold, this, &DevicesScreen::takeTold);
    connect(kernel, &KernelClient::variablesChanged, this, soon);
    connect(kernel, &KernelClient::ready, this, [this, soon] {
        m_pythonMissing.clear();
        soon();
    });
    connect(kernel, &KernelClient::ended, this, &DevicesScreen::takeEnd);
    connect(workspace->model(), &WorkspaceModel::snapshotChanged, this, soon);
    connect(workspace->model(), &WorkspaceModel::valuesChanged, this, soon);
    rebuild();
}

void DevicesScreen::takeTold(const std::vector<DeviceRecord>& records) {
    m_log.take(records);
    if (!m_soon.isActive()) m_soon.start();
}

void DevicesScreen::takeEnd(const KernelEnd& end) {
    m_log.clear();
    m_failure.reset();
    if (end.why == KernelEnd::Why::NotStarted) m_pythonMissing = end.message;
    m_soon.start();
}

void DevicesScreen::run(const QString& line) {
    const bool knows = m_kernel->hello() && m_kernel->variables().find(QStringLiteral("torch"));
    const bool needs = line.contains(QLatin1String("torch."));
    Q_EMIT pythonRequested(needs && !knows ? QStringLiteral("import torch\n") + line : line);
}

void DevicesScreen::rebuild() {
    m_stale = false;
    const KernelVariables none;
    auto model = std::make_shared<DevicesModel>(
        gatherDevices(*m_workspace, m_kernel->hello() ? m_kernel->variables() : none, m_log));
    if (m_known) addProbe(*model);
    model->enableLine = m_setup->enableLine();
    model->pythonMissing = m_pythonMissing;
    if (m_failure) model->refusal = devicesRefusal(m_failure->first, m_failure->second, *model, m_log);
    const DevicesRun& run = model->run;
    QString failed;
    for (const ShownDevice& each : model->devices)
        if (each.simulated && !each.failure.isEmpty()) failed = each.name();
    m_setup->setState(model->hasSimulated(), failed, m_pythonMissing);
    m_transport->setVisible(!run.isEmpty());
    const quint64 first = run.isEmpty() ? 0 : run.work.front().number;
    const bool isNew = first != std::exchange(m_firstWork, first);
    if (isNew && m_player->isPlaying()) m_player->pause();
    const bool wasRefused = m_view->model()->refusal.has_value();
    m_view->setModel(model);
    // What is new comes into sight, where the picture is higher than the window.
    if (model->refusal && !wasRefused)
        reveal(DevicesSection::Refusal);
    else if (isNew && !run.isEmpty())
        reveal(DevicesSection::Lanes);
    if (run.isEmpty()) return;
    DevicesMoments moments = devicesMoments(run);
    m_player->setTimes(std::move(moments.times), moments.stageNames);
    // The newest is shown as it is now, all of it; who has gone back stays there.
    if (isNew) m_player->seek(1);
    m_view->setTime(m_player->time());
}

void DevicesScreen::reveal(DevicesSection section) {
    // The view has its new height when it has been laid out.
    QTimer::singleShot(0, this, [this, section] {
        const QRect rect = m_view->picture().sections[static_cast<std::size_t>(section)].toAlignedRect();
        m_area->ensureVisible(rect.center().x(), rect.center().y(), 0, rect.height() / 2 + 12);
    });
}

void DevicesScreen::setTheme(const Theme& theme) {
    m_setup->setTheme(theme);
    m_view->setTheme(theme);
    m_transport->setTheme(theme);
}

void DevicesScreen::setReducedMotion(bool on) {
    m_player->setReducedMotion(on);
}

void DevicesScreen::showEvent(QShowEvent* event) {
    Screen::showEvent(event);
    if (m_stale) rebuild();
    look();
}

/// Whether there is a GPU is looked at when the screen is first seen, in a thread: a driver may take a while.
void DevicesScreen::look() {
    if (std::exchange(m_looked, true)) return;
    m_probe.start([](Job&) { static_cast<void>(cudaProbe()); },
                  [this] {
                      m_known = true;
                      rebuild();
                  });
}

void DevicesScreen::finishLooking() {
    look();
    while (m_probe.isBusy()) m_probe.waitFor(-1);
    if (m_soon.isActive()) {
        m_soon.stop();
        rebuild();
    }
}

void DevicesScreen::hideEvent(QHideEvent* event) {
    // Not when the desktop hides the window: it may be covered by the one that presents this screen.
    if (!event->spontaneous() && m_player->isPlaying()) m_player->act(TransportBar::Act::ToEnd);
    Screen::hideEvent(event);
}

bool DevicesScreen::takesKey(QKeyEvent* event) {
    if (m_view->model()->run.isEmpty()) return false;
    const auto act = TimePlayer::actOf(*event);
    if (act) m_player->act(*act);
    return act.has_value();
}

void DevicesScreen::keyPressEvent(QKeyEvent* event) {
    if (!takesKey(event)) Screen::keyPressEvent(event);
}

bool DevicesScreen::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool pressesButton = key->key() == Qt::Key_Space || key->key() == Qt::Key_Return;
        if (watched == m_view && key->key() == Qt::Key_Space && m_view->way() >= 0) {
            m_view->press(m_view->way());
            return true;
        }
        // The transport has a use of its own for Space and Enter on its buttons.
        if ((watched == m_view || !pressesButton) && takesKey(key)) return true;
    }
    return Screen::eventFilter(watched, event);
}

std::optional<Scene> DevicesScreen::picture() const {
    DevicesLook look;
    look.size = QSizeF(std::max<qreal>(m_view->width(), kDevicesLeastWidth), 0);
    look.t = m_view->time();
    return devicesPicture(*m_view->model(), look).scene;
}

std::optional<Animation> DevicesScreen::animation() const {
    if (m_view->model()->run.isEmpty()) return std::nullopt;
    return devicesAnimation(m_view->model(), std::max<qreal>(m_view->width(), kDevicesLeastWidth));
}

PresentedPage* DevicesScreen::presentedPage(QWidget* parent) {
    return new DevicesPage(m_view, m_player, parent);
}

QJsonObject DevicesScreen::kept() const {
    return m_setup->kept();
}

void DevicesScreen::keep(const QJsonObject& values) {
    m_setup->keep(values);
}

} // namespace stridescope
