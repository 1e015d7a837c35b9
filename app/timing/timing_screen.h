#pragma once
// TimingScreen: what to time at the left, and the picture of what was measured. Measuring has a thread of its own; the
// window draws nothing but how far it is while a block of calls runs.

#include "app/timing/recorded_runs.h"
#include "app/timing/timing_runner.h"
#include "widgets/shared/screen.h"
#include "widgets/timing/timing_model.h"

#include <QTimer>

class QScrollArea;

namespace stridescope {

class TimingSetup;
class TimingView;

class TimingScreen : public Screen {
    Q_OBJECT

public:
    explicit TimingScreen(QWidget* parent = nullptr);
    ~TimingScreen() override;
    void setTheme(const Theme& theme) override;
    std::optional<Scene> picture() const override;
    bool hasPicture() const override { return true; }
    PresentedPage* presentedPage(QWidget* parent) override;
    QJsonObject kept() const override;
    void keep(const QJsonObject& values) override;

    TimingSetup* setup() const { return m_setup; }
    TimingView* view() const { return m_view; }
    RecordedRuns* recorded() const { return m_recorded; }
    TimingRunner* runner() const { return m_runner; }
    /// What was measured last in this window; null: nothing yet.
    const std::shared_ptr<const timing::Run>& run() const { return m_run; }

    void runSweep();
    void runWay(int way);
    void stop();
    void saveTo(const QString& path);
    /// Waits until it is known whether there is a GPU.
    void finishLooking();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void look();
    void takeDevices();
    void rebuild();
    void showPeaks();
    void showRecorded();
    void takeEnd();
    void askToOpen();
    void askToSave();
    QString staleWords() const;
    void tellLine(const QString& line);

    TimingSetup* m_setup;
    QScrollArea* m_area;
    TimingView* m_view;
    TimingRunner* m_runner;
    RecordedRuns* m_recorded;
    Background m_probe;
    QTimer m_refresh; ///< many points at once are drawn once
    std::shared_ptr<const timing::Run> m_run;
    std::vector<ShownWay> m_ways;
    int m_way = -1; ///< that is being run
    QString m_gpuMissing, m_remedy;
    QStringList m_statementCommand; ///< arguments of the last statement
    bool m_looked = false, m_sweeping = false;
    QJsonObject m_values; ///< kept ones that wait for the devices
};

} // namespace stridescope
