#include "app/timing/timing_screen.h"

#include "core/backend/cuda/loader.h"
#include "core/io/text.h"
#include "widgets/timing/timing_page.h"
#include "widgets/timing/timing_setup.h"
#include "widgets/timing/timing_view.h"
#include "widgets/timing/timing_words.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QRegularExpression>
#include <QScrollArea>

#include <algorithm>

namespace stridescope {

namespace {

constexpr int kSetupWidth = 292;
/// Points of a sweep that come faster are drawn together.
constexpr int kRefresh = 100;

QString plain(const std::string& text) {
    return QString::fromStdString(sanitiseForDisplay(text));
}

/// An argument as a shell takes it.
QString quoted(const QString& argument) {
    static const QRegularExpression safe(QStringLiteral("^[A-Za-z0-9_./:,=+-]+$"));
    if (safe.match(argument).hasMatch()) return argument;
    QString inside = argument;
    return QLatin1Char('\'') + inside.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

} // namespace

TimingScreen::TimingScreen(QWidget* parent)
    : Screen(parent), m_setup(new TimingSetup(this)), m_area(new QScrollArea(this)), m_view(new TimingView(m_area)),
      m_runner(new TimingRunner(this)), m_recorded(new RecordedRuns(this)) {
    setFocusPolicy(Qt::StrongFocus);
    // A stack is as wide as its widest page: beside its docks Explore would have no room left.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(1);
    m_setup->setFixedWidth(kSetupWidth);
    across->addWidget(m_setup);
    m_area->setObjectName(QStringLiteral("timingArea"));
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setWidget(m_view);
    across->addWidget(m_area, 1);
    setFocusProxy(m_view);
    for (const timing::MistakeCase& each : timing::mistakeCases()) m_ways.push_back({&each, {}, false, nullptr});
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kRefresh);
    connect(&m_refresh, &QTimer::timeout, this, &TimingScreen::rebuild);

    connect(m_setup, &TimingSetup::runRequested, this, &TimingScreen::runSweep);
    connect(m_setup, &TimingSetup::stopRequested, this, &TimingScreen::stop);
    connect(m_setup, &TimingSetup::openRequested, this, &TimingScreen::askToOpen);
    connect(m_setup, &TimingSetup::saveRequested, this, &TimingScreen::askToSave);
    connect(m_setup, &TimingSetup::recordedToggled, m_recorded, &RecordedRuns::setShown);
    connect(m_setup, &TimingSetup::recordedRemoved, m_recorded, &RecordedRuns::remove);
    connect(m_setup, &TimingSetup::copyRequested, this, [this] {
        QGuiApplication::clipboard()->setText(timingTableText(*m_view->model()));
        Q_EMIT statusTextChanged(tr("The table was copied."));
    });
    connect(m_setup, &TimingSetup::changed, this, [this] {
        if (m_view->model()->notes.stale != staleWords()) rebuild();
    });
    connect(m_view, &TimingView::wayPressed, this, &TimingScreen::runWay);
    connect(m_view, &TimingView::told, this, &Screen::statusTextChanged);
    connect(m_view, &TimingView::revealRequested, this, [this](const QRectF& rect) {
        const QPoint middle = rect.center().toPoint();
        m_area->ensureVisible(middle.x(), middle.y(), static_cast<int>(rect.width() / 2) + 8,
                              static_cast<int>(rect.height() / 2) + 8);
    });
    connect(m_runner, &TimingRunner::progressed, m_setup, &TimingSetup::setProgress);
    connect(m_runner, &TimingRunner::measured, this, [this] {
        m_run = m_runner->run();
        if (!m_refresh.isActive()) m_refresh.start();
    });
    connect(m_runner, &TimingRunner::ended, this, &TimingScreen::takeEnd);
    connect(m_recorded, &RecordedRuns::changed, this, [this] {
        showRecorded();
        rebuild();
    });
    connect(m_recorded, &RecordedRuns::opened, this,
            [this](const QString& path) { m_setup->setFileWords(tr("Opened %1.").arg(QFileInfo(path).fileName())); });
    connect(m_recorded, &RecordedRuns::saved, this,
            [this](const QString& path) { m_setup->setFileWords(tr("Saved %1.").arg(QFileInfo(path).fileName())); });
    connect(m_recorded, &RecordedRuns::failed, this,
            [this](const QString& words) { m_setup->setFileWords(words, true); });
    m_setup->setCanSave(false);
    rebuild();
}

TimingScreen::~TimingScreen() = default;

void TimingScreen::setTheme(const Theme& theme) {
    m_setup->setTheme(theme);
    m_view->setTheme(theme);
    showRecorded();
}

void TimingScreen::showEvent(QShowEvent* event) {
    Screen::showEvent(event);
    look();
}

/// Whether there is a GPU is looked at when the screen is first seen, in a thread: a driver may take a while.
void TimingScreen::look() {
    if (std::exchange(m_looked, true)) return;
    m_probe.start([](Job&) { static_cast<void>(cudaProbe()); }, [this] { takeDevices(); });
    QStringList shipped;
    for (const QString& name : QDir(QStringLiteral(":/timing")).entryList({QStringLiteral("*.json")}, QDir::Files))
        shipped << QStringLiteral(":/timing/") + name;
    m_recorded->open(shipped, false);
}

void TimingScreen::finishLooking() {
    look();
    while (m_probe.isBusy()) m_probe.waitFor(-1);
}

void TimingScreen::takeDevices() {
    const CudaProbe& probe = cudaProbe();
    std::vector<std::pair<QString, QString>> devices{{QStringLiteral("cpu"), tr("This machine's processor.")}};
    if (probe.state == CudaState::Ready) {
        for (int i = 0; i < probe.deviceCount; ++i)
            devices.emplace_back(QStringLiteral("cuda:%1").arg(i), plain(cudaDeviceProperties(i).name));
        m_gpuMissing.clear();
        m_remedy.clear();
    } else {
        m_gpuMissing = plain(probe.reason);
        m_remedy = plain(probe.remedy);
    }
    for (ShownWay& way : m_ways)
        way.missing =
            way.what->needsDevice && !m_gpuMissing.isEmpty() ? tr("Needs a GPU: %1").arg(m_gpuMissing) : QString();
    m_setup->setDevices(devices);
    if (!m_values.isEmpty()) m_setup->keep(std::exchange(m_values, {}));
    rebuild();
}

QString TimingScreen::staleWords() const {
    if (!m_run || m_runner->isBusy()) return {};
    if (const auto own = m_setup->statement()) {
        const bool same =
            !m_run->measurements.empty() && m_run->measurements.front().statement == own->statement.toStdString();
        return same ? QString() : tr("of other settings: Run sweep");
    }
    const auto wish = m_setup->request();
    const bool same = wish && timing::commandOf(*wish) == m_run->command;
    return same ? QString() : tr("of other settings: Run sweep");
}

void TimingScreen::rebuild() {
    std::vector<ShownRun> runs;
    if (m_run && !m_run->measurements.empty()) runs.push_back({m_run, false});
    for (const RecordedRuns::Entry& entry : m_recorded->entries())
        if (entry.shown) runs.push_back({entry.run, true});
    TimingNotes notes{staleWords(), m_gpuMissing, m_remedy, m_ways};
    m_view->setModel(std::make_shared<const TimingModel>(timingModel(std::move(runs), std::move(notes))));
    showPeaks();
    m_setup->setCanSave(m_run && !m_run->measurements.empty() && !m_runner->isBusy());
}

void TimingScreen::showPeaks() {
    std::vector<std::pair<QString, QString>> peaks;
    if (m_run) {
        for (const timing::Ceiling& each : m_run->ceilings) {
            const bool copy = each.what == "copy";
            const QString who = each.device == "cpu"
                                    ? each.threads == 1 ? tr("1 thread") : tr("%1 threads").arg(each.threads)
                                    : plain(each.device);
            peaks.emplace_back(
                QStringLiteral("%1 %2, %3").arg(plain(each.what), QString::fromLatin1(name(each.dtype)), who),
                gigaText(each.perSecond) + (copy ? QStringLiteral(" GB/s") : QStringLiteral(" GFLOP/s")));
        }
    }
    m_setup->setPeaks(peaks);
}

void TimingScreen::showRecorded() {
    std::vector<RecordedEntry> entries;
    for (const RecordedRuns::Entry& entry : m_recorded->entries()) {
        const QString label = runLabel(*entry.run);
        const QString own = plain(entry.run->title);
        QString title = entry.path.isEmpty() ? tr("the run before: %1").arg(label)
                        : own.isEmpty()      ? QFileInfo(entry.path).completeBaseName()
                                             : own;
        if (!entry.path.isEmpty()) title += QStringLiteral(" · ") + plain(entry.run->conditions.date).left(10);
        entries.push_back({title, label, entry.shown});
    }
    m_setup->setRecorded(entries);
}

void TimingScreen::tellLine(const QString& line) {
    Q_EMIT lineTold(line);
}

void TimingScreen::runSweep() {
    if (m_runner->isBusy()) return;
    const auto wish = m_setup->request();
    if (!wish) return Q_EMIT statusTextChanged(plain(wish.refusal().message));
    const auto own = m_setup->statement();
    if (own && own->statement.isEmpty()) return;
    // The same again is drawn over the last one; something else is put beside it, to be shown when asked for.
    if (m_run && !m_run->measurements.empty())
        m_recorded->keepPrevious(m_run, !own && timing::commandOf(*wish) == m_run->command);
    m_sweeping = true;
    if (own) {
        QStringList arguments{QStringLiteral("--stmt"), own->statement};
        if (!own->setup.isEmpty()) arguments << QStringLiteral("--setup") << own->setup;
        QStringList threads;
        for (const int each : wish->threads) threads << QString::number(each);
        arguments << QStringLiteral("--sizes") << QString::fromStdString(timing::textOfSizes(wish->sizes))
                  << QStringLiteral("--threads") << threads.join(QLatin1Char(',')) << QStringLiteral("--max-time")
                  << QString::number(wish->measure.maxSeconds);
        QStringList words;
        for (const QString& each : arguments) words << quoted(each);
        tellLine(QStringLiteral("stridescope bench ") + words.join(QLatin1Char(' ')));
        m_runner->process(arguments);
    } else {
        tellLine(QString::fromStdString(timing::commandOf(*wish)));
        m_runner->sweep(*wish);
        m_run = m_runner->run();
    }
    m_view->setQuiet(true);
    m_setup->setRunning(true);
    m_setup->setProgress(0, tr("starting"));
    rebuild();
}

void TimingScreen::runWay(int way) {
    if (way < 0 || way >= static_cast<int>(m_ways.size())) return;
    ShownWay& wanted = m_ways[static_cast<std::size_t>(way)];
    if (m_runner->isBusy()) return Q_EMIT statusTextChanged(tr("Something is being measured: stop it first, or wait."));
    if (!wanted.missing.isEmpty()) return Q_EMIT statusTextChanged(wanted.missing);
    m_way = way;
    wanted.running = true;
    wanted.record.reset();
    tellLine(QStringLiteral("stridescope bench --mistake ") + plain(std::string(wanted.what->id)));
    m_view->setQuiet(true);
    m_setup->setRunning(true);
    m_setup->setProgress(0, plain(std::string(wanted.what->title)));
    m_runner->mistake(*wanted.what);
    rebuild();
}

void TimingScreen::takeEnd() {
    m_refresh.stop();
    const QString failure = m_runner->failure();
    if (m_way >= 0) {
        ShownWay& way = m_ways[static_cast<std::size_t>(std::exchange(m_way, -1))];
        way.running = false;
        if (failure.isEmpty()) way.record = m_runner->mistakeRecord();
    } else {
        m_run = m_runner->run();
    }
    const bool swept = std::exchange(m_sweeping, false);
    m_setup->setRunning(false);
    QString words = failure.isEmpty() ? QString() : tr("✗ Not measured: %1").arg(failure);
    if (words.isEmpty() && swept && m_run) words = tr("%1 measurements").arg(m_run->measurements.size());
    m_setup->setProgress(1, words);
    Q_EMIT statusTextChanged(words);
    rebuild();
    m_view->setQuiet(false);
}

void TimingScreen::stop() {
    m_runner->stop();
}

void TimingScreen::saveTo(const QString& path) {
    m_recorded->save(m_run, path);
}

void TimingScreen::askToOpen() {
    m_recorded->open(QFileDialog::getOpenFileNames(this, tr("Open recorded series"), {}, tr("Runs (*.json *.csv)")));
}

void TimingScreen::askToSave() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save this run"), QStringLiteral("times.json"),
                                                      tr("Runs with every block (*.json *.csv)"));
    if (!path.isEmpty()) saveTo(path);
}

std::optional<Scene> TimingScreen::picture() const {
    TimingLook look;
    look.size = QSizeF(std::max<qreal>(m_view->width(), kTimingLeastWidth), 0);
    look.n = m_view->picked();
    return timingPicture(*m_view->model(), look).scene;
}

PresentedPage* TimingScreen::presentedPage(QWidget* parent) {
    return new TimingPage(m_view, parent);
}

QJsonObject TimingScreen::kept() const {
    QJsonObject values = m_values.isEmpty() ? m_setup->kept() : m_values;
    QJsonArray series;
    for (const RecordedRuns::Entry& entry : m_recorded->entries()) {
        if (entry.path.isEmpty() || entry.path.startsWith(QLatin1Char(':'))) continue;
        series.append(QJsonObject{{QStringLiteral("path"), entry.path}, {QStringLiteral("shown"), entry.shown}});
    }
    values.insert(QStringLiteral("series"), series);
    return values;
}

void TimingScreen::keep(const QJsonObject& values) {
    if (values.isEmpty()) return;
    m_setup->keep(values);
    // Devices are known later.
    if (!m_looked || m_probe.isBusy()) m_values = values;
    for (const QJsonValue& each : values.value(QStringLiteral("series")).toArray()) {
        const QString path = each.toObject().value(QStringLiteral("path")).toString();
        if (QFileInfo::exists(path)) m_recorded->open({path}, each.toObject().value(QStringLiteral("shown")).toBool());
    }
}

} // namespace stridescope
