#pragma once
// DevicesScreen: which tensors live where, what travels, and what waits. Devices live in Python's process; what they
// tell comes through the kernel, and every act here is a line that Python carries out.

#include "app/kernel/kernel_client.h"
#include "app/work/background.h"
#include "widgets/devices/device_log.h"
#include "widgets/devices/devices_scene.h"
#include "widgets/shared/screen.h"
#include "widgets/shared/time_player.h"

#include <QTimer>

class QScrollArea;

namespace stridescope {

class DevicesSetup;
class DevicesView;
class Workspace;

class DevicesScreen : public Screen {
    Q_OBJECT

public:
    /// Both outlive the screen.
    DevicesScreen(Workspace* workspace, KernelClient* kernel, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) override;
    void setReducedMotion(bool on) override;
    std::optional<Scene> picture() const override;
    std::optional<Animation> animation() const override;
    bool hasPicture() const override { return true; }
    PresentedPage* presentedPage(QWidget* parent) override;
    QJsonObject kept() const override;
    void keep(const QJsonObject& values) override;

    DevicesSetup* setup() const { return m_setup; }
    DevicesView* view() const { return m_view; }
    TimePlayer* player() const { return m_player; }
    /// Waits until it is known whether there is a GPU.
    void finishLooking();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void look();
    void rebuild();
    void reveal(DevicesSection section);
    void run(const QString& line);
    void takeTold(const std::vector<DeviceRecord>& records);
    void takeEnd(const KernelEnd& end);
    bool takesKey(QKeyEvent* event);

    Workspace* m_workspace;
    KernelClient* m_kernel;
    DevicesSetup* m_setup;
    QScrollArea* m_area;
    DevicesView* m_view;
    TransportBar* m_transport;
    TimePlayer* m_player;
    DeviceLog m_log;
    Background m_probe;
    QTimer m_soon; ///< many records at once are drawn once
    QString m_code, m_pythonMissing;
    std::optional<std::pair<KernelError, QString>> m_failure; ///< with the code
    quint64 m_firstWork = 0;                                  ///< of the run that is shown
    bool m_looked = false, m_known = false, m_stale = false;
};

} // namespace stridescope
